"""The race: every problem of a folder by every solver to every tolerance, each solve from zero.

Results are kept as they come (results.py), and what is there already is not measured again: a race
that was stopped goes on. A solver that ran out of time at one tolerance is not tried at a tighter
one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from rollcone._words import power
from rollcone.bench import siconos_answers
from rollcone.bench.measure import Task
from rollcone.bench.problem_files import ProblemFile, find_problems
from rollcone.bench.results import (
    NOT_TRIED,
    TIMED_OUT,
    Outcome,
    Result,
    ResultFile,
    make_result,
    read,
)
from rollcone.bench.settings import Settings
from rollcone.bench.worker import Worker
from rollcone.errors import FileError, InputError
from rollcone.problem.contact_problem import Law

CSV = "solvers.csv"
Progress = Callable[[str, int, int], object]  # what is in work, how many of how many are done
Measure = Callable[[Task], Outcome]
Value = TypeVar("Value", str, float)


@dataclass(frozen=True)
class Race:
    """What came of it: results of every problem by every solver to every tolerance.

    unreadable   files and why they cannot be read
    left_out     problems that not every solver has been tried on
    """

    path: Path
    solvers: tuple[str, ...]
    tolerances: tuple[float, ...]
    time_limit: float
    results: list[Result]
    unreadable: dict[str, str] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()

    @cached_property
    def problems(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(result.problem for result in self.results))


def run(
    folder: Path | str,
    output: Path | str | None = None,
    settings: Settings | None = None,
    *,
    progress: Progress = lambda *_: None,
    measure: Measure | None = None,
) -> Race:
    """Race on all problem files in `folder` and below; keep results in `output` (or `folder`).

    measure   what solves a task; if not given, a process of its own that can be stopped
    """
    settings = settings or Settings()
    peers = tuple(siconos_answers.SOLVERS) if settings.siconos else ()
    if peers:
        siconos_answers.find_siconos()
    path = Path(folder if output is None else output) / CSV
    files, unreadable = find_problems(Path(folder), settings.law, progress)
    if not files:
        raise FileError(f"{folder}: no problem file that can be read{_reasons(unreadable)}")
    with ExitStack() as stack:
        kept = stack.enter_context(ResultFile(path))
        book = _Book(kept, settings, progress, len(files) * (len(settings.solvers) + len(peers)))
        solve = measure or stack.enter_context(Worker())
        for file in files:
            for solver in settings.solvers:
                _try_solver(book, file, solver, solve)
            for peer in peers:
                _try_peer(book, file, peer)
        results = [kept.results[key] for key in book.keys]
    solvers = tuple(settings.solvers) + peers
    return Race(path, solvers, tuple(settings.tolerances), settings.time_limit, results, unreadable)


@dataclass
class _Book:
    """What is measured, and what is known already."""

    kept: ResultFile
    settings: Settings
    progress: Progress
    pairs: int  # of problem and solver
    keys: list[tuple[str | float, ...]] = field(default_factory=list)

    def known(self, file: ProblemFile, solver: str, tolerance: float) -> Result | None:
        """The result that is there, and that one is in work if it is not."""
        key = self._make(file, solver, tolerance, Outcome(NOT_TRIED)).key
        self.keys.append(key)
        words = f"{file.name}: {solver} to {power(tolerance)}"
        self.progress(words, len(self.keys) - 1, self.pairs * len(self.settings.tolerances))
        return self.kept.results.get(key)

    def add(self, file: ProblemFile, solver: str, tolerance: float, outcome: Outcome) -> Result:
        result = self._make(file, solver, tolerance, outcome)
        self.kept.add(result)
        return result

    def _make(self, file: ProblemFile, solver: str, tolerance: float, outcome: Outcome) -> Result:
        return make_result(file, solver, tolerance, self.settings.time_limit, outcome)


def _try_solver(book: _Book, file: ProblemFile, solver: str, solve: Measure) -> None:
    settings, late = book.settings, False
    for tolerance in settings.tolerances:
        result = book.known(file, solver, tolerance)
        if result is None:
            if late:
                outcome = Outcome(NOT_TRIED, note="timed out at a looser tolerance")
            else:
                tightest, limit = settings.tolerances[-1], settings.time_limit
                path = str(file.path)
                outcome = solve(Task(path, file.law, solver, tolerance, tightest, limit))
            result = book.add(file, solver, tolerance, outcome)
        late = late or result.status == TIMED_OUT


def _try_peer(book: _Book, file: ProblemFile, peer: str) -> None:
    """One run of the process serves all tolerances that are missing."""
    settings = book.settings
    missing = tuple(t for t in settings.tolerances if book.known(file, peer, t) is None)
    if missing:
        found = siconos_answers.outcomes(file.load(), peer, missing, settings.time_limit)
        for tolerance, outcome in zip(missing, found, strict=True):
            book.add(file, peer, tolerance, outcome)


def recall(
    output: Path | str,
    solvers: Sequence[str] = (),
    tolerances: Sequence[float] = (),
    law: Law | None = None,
    time_limit: float | None = None,
) -> Race:
    """A race from its kept results alone; where nothing is asked for, all that there is.

    Of each problem the results of its last state count: file, law, version of Rollcone.
    time_limit   if not given, that of the last result
    """
    path = Path(output) / CSV
    if not path.exists():
        raise FileError(f"{path}: no such file")
    found = [result for result in read(path) if law in (None, result.law)]
    if not found:
        raise InputError(f"{path}: has no results{f' of the {law} law' if law else ''}")
    limit = found[-1].time_limit if time_limit is None else time_limit
    limits = {result.time_limit for result in found}
    if limit not in limits:
        words = ", ".join(f"{one:g}" for one in sorted(limits))
        raise InputError(f"{path}: has no results of {limit:g} s for each solve; it has {words}")
    last = {result.problem: result.state for result in found if result.time_limit == limit}
    alike = [r for r in found if last.get(r.problem) == r.state and r.time_limit == limit]
    names = _asked("solver", solvers, (result.solver for result in alike))
    goals = _asked("tolerance", tolerances, (result.tolerance for result in alike))
    wanted = {r.key: r for r in alike if r.solver in names and r.tolerance in goals}
    whole, left_out = _whole(list(wanted.values()), len(names) * len(goals))
    goals = tuple(sorted(goals, reverse=True))
    return Race(path, names, goals, limit, whole, left_out=left_out)


def _asked(what: str, asked: Sequence[Value], there: Iterable[Value]) -> tuple[Value, ...]:
    known = tuple(dict.fromkeys(there))
    for value in asked:
        if value not in known:
            words = ", ".join(f"{one}" for one in known) or "none"
            raise InputError(f"{what} = {value!r}: there are no such results; there are {words}")
    return tuple(dict.fromkeys(asked)) or known


def _whole(results: list[Result], number: int) -> tuple[list[Result], tuple[str, ...]]:
    """Those of problems that have them all, and the names of others."""
    count: dict[str, int] = {}
    for result in results:
        count[result.problem] = count.get(result.problem, 0) + 1
    left_out = tuple(name for name, found in count.items() if found < number)
    return [result for result in results if result.problem not in left_out], left_out


def _reasons(unreadable: dict[str, str]) -> str:
    listed = "; ".join(f"{name}: {reason}" for name, reason in list(unreadable.items())[:3])
    return f" ({listed})" if listed else ""
