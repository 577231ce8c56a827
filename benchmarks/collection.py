"""Problems that others made, by every solver, next to Siconos.

The files are those of ../shared/problems. Each solver has LIMIT seconds per problem for one run to
1e-8 from a cold start, in the form in which the problem came. Residuals are ours, also those of
Siconos' reactions.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from statistics import median

import numpy as np

import rollcone as rc
from benchmarks.table import Table
from rollcone.bench.siconos_answers import SOLVERS as SICONOS
from rollcone.bench.siconos_answers import Peer, unsupported
from rollcone.bench.siconos_answers import run as run_siconos
from rollcone.problem.bodies import BodyForm
from rollcone.problem.contact_problem import LAWS, Law
from rollcone.solvers.registry import SOLVERS

FOLDER = Path(__file__).parent.parent.parent / "shared" / "problems"
LIMIT = 3.0  # seconds per problem and solver
GOALS = (1e-4, 1e-6, 1e-8)
SOLVED = 1e-6
PEERS = ("Siconos NSGS", "Siconos, other")
UNLIMITED = 10**9
STAND_IN = "" if FOLDER.is_dir() else "There are no files here: problems made here stand in. "
SOLVED_HEADER = ("solver", "problems", "solved at 1e-4", "solved at 1e-6", "solved at 1e-8")
Cells = tuple[str, ...]


@dataclass(frozen=True)
class Run:
    """One solver on one problem: the best residual and, for each goal that was reached, how many
    iterations and CPU seconds it took; or why there was no run."""

    solver: str
    residual: float = np.inf
    reached: tuple[tuple[float, int, float], ...] = ()  # goal, iterations, seconds
    note: str = ""

    def first(self, goal: float) -> tuple[int, float] | None:
        return next(((steps, seconds) for g, steps, seconds in self.reached if g == goal), None)


@dataclass(frozen=True)
class Entry:
    """One problem: what it is, and what became of it."""

    name: str
    facts: Cells  # contacts, rows, form, asymmetry
    runs: dict[Law, list[Run]]
    peers: list[Peer]

    def best(self, law: Law) -> Run:
        """The fastest to SOLVED; if none got there, the nearest."""
        return min(
            self.runs[law], key=lambda run: ((run.first(SOLVED) or (0, np.inf))[1], run.residual)
        )


def files() -> list[Path]:
    """What others made, where it is here."""
    return sorted(path for path in FOLDER.glob("*/*") if path.is_file())


def sources() -> dict[str, Callable[[], rc.ContactProblem]]:
    """How to get each problem anew, by name; a solve leaves things computed in it."""
    found = {f"{path.parent.name}/{path.name}": partial(rc.load_problem, path) for path in files()}
    if found:
        return found
    heap, stack, known = rc.problems.heap, rc.problems.stack, rc.problems.random_problem
    return {
        "made: heap of 100 at rest": lambda: heap(100, 1, rows=5),
        "made: heap of 100, shaken": lambda: heap(100, 1, rows=5, state="shake"),
        "made: heap of 500, shaken": lambda: heap(500, 1, rows=5, state="shake"),
        "made: stack of 5, pushed": lambda: stack(5, push=0.5),
        "made: stack of 5, mass ratio 100": lambda: stack(5, mass_ratio=100.0),
        "made: random, 30 contacts": lambda: known(30, rows=3, seed=1).problem,
        "made: random, plane": lambda: known(30, rows=2, seed=1).problem,
    }


def solve(load: Callable[[], rc.ContactProblem], law: Law, solver: str) -> Run:
    """A short run first, for the kernels; then the one that counts, on fresh data."""
    try:
        rc.solve(load().with_law(law), solver, max_iterations=10, time_limit=LIMIT)
        problem = load().with_law(law)
        clock = time.process_time()
        found = rc.solve(
            problem, solver, tolerance=GOALS[-1], max_iterations=UNLIMITED, time_limit=LIMIT
        )
        seconds = time.process_time() - clock
    except (rc.InputError, rc.MissingPackageError):
        return Run(solver, note="refused")
    except Exception as error:
        return Run(solver, note=f"failed: {type(error).__name__}")
    return Run(solver, found.residual, reached(found, seconds))


def reached(found: rc.Solution, seconds: float) -> tuple[tuple[float, int, float], ...]:
    """For each goal the iterations at the first check that met it, and their share of the time."""
    setup = found.setup_time / found.time if found.time > 0 else 0.0
    out = []
    for goal in GOALS:
        met = np.flatnonzero(found.history[:, 1] <= goal)
        if len(met):
            steps = int(found.history[met[0], 0])
            part = setup + (1.0 - setup) * steps / max(found.iterations, 1)
            out.append((goal, steps, part * seconds))
    return tuple(out)


def peers(problem: rc.ContactProblem, limit: float) -> list[Peer]:
    """Two of Siconos' solvers for this kind of contact; none where it has no such law."""
    able = [name for name in SICONOS if not unsupported(problem, name)]
    return [run_siconos(problem, SICONOS[name][problem.rows], limit) for name in able[:2]]


@cache
def entries() -> tuple[list[Entry], list[str]]:
    """Everything, once; and the names of files that cannot be read."""
    found: list[Entry] = []
    unreadable: list[str] = []
    every = sources()
    for number, (name, load) in enumerate(every.items(), 1):
        clock = time.perf_counter()
        try:
            problem = load()
        except rc.FileError as error:
            unreadable.append(name)
            print(f"{number}/{len(every)} {error}", file=sys.stderr, flush=True)
            continue
        runs = {law: [solve(load, law, solver) for solver in SOLVERS] for law in LAWS}
        entry = Entry(name, facts(problem), runs, peers(problem.with_law("exact"), LIMIT))
        found.append(entry)
        seconds = time.perf_counter() - clock
        best = entry.best("exact")
        words = f"{name}: {best.residual:.0e} by {best.solver}, {seconds:.0f} s in all"
        print(f"{number}/{len(every)} {words}", file=sys.stderr, flush=True)
    return found, unreadable


def facts(problem: rc.ContactProblem) -> Cells:
    form = "body" if isinstance(problem.form, BodyForm) else "Delassus"
    skew = f"{problem.asymmetry:.0e}" if problem.asymmetry > 1e-12 else "0"
    return str(problem.contacts), str(problem.rows), form, skew


def solved_rows(law: Law) -> Iterator[Cells]:
    """One line per solver."""
    found, _ = entries()
    for k, solver in enumerate(SOLVERS):
        runs = [entry.runs[law][k] for entry in found]
        refused = sum(bool(run.note) for run in runs)
        cells = [goal_cell([run.first(goal) for run in runs]) for goal in GOALS]
        yield solver, str(len(runs) - refused), *cells
    if law == "exact":
        for which, name in enumerate(PEERS):
            theirs = [entry.peers[which] for entry in found if entry.peers]
            if any(peer.answers for peer in theirs):
                cells = [goal_cell([peer_first(peer, goal) for peer in theirs]) for goal in GOALS]
                yield name, str(len(theirs)), *cells


def peer_first(peer: Peer, goal: float) -> tuple[int, float] | None:
    answer = peer.first(goal)
    return None if answer is None else (answer.iterations, answer.seconds)


def goal_cell(firsts: list[tuple[int, float] | None]) -> str:
    """How many were solved, their median of iterations, their seconds together."""
    done = [first for first in firsts if first is not None]
    if not done:
        return "0"
    steps = median(steps for steps, _ in done)
    return f"{len(done)}: {steps:.0f}, {sum(seconds for _, seconds in done):.2g} s"


def which_rows() -> Iterator[Cells]:
    """One line per problem, exact law."""
    found, unreadable = entries()
    for entry in found:
        cells = [run_cell(run) for run in entry.runs["exact"]]
        best = entry.best("exact")
        first = best.first(SOLVED)
        words = f"{best.solver}, {first[1]:.2g} s" if first else "none"
        theirs = [peer_cell(peer) for peer in entry.peers] or ["no such law"] * 2
        yield entry.name, *entry.facts, *cells, words, *theirs
    for name in unreadable:
        yield name, "cannot be read", *[""] * (len(which_header()) - 2)


def which_header() -> Cells:
    facts = ("problem", "contacts", "rows", "form", "asymmetry")
    return *facts, *SOLVERS, "fastest", *PEERS


def run_cell(run: Run) -> str:
    """Iterations to SOLVED, or in brackets what was reached."""
    first = run.first(SOLVED)
    return run.note or (str(first[0]) if first else f"({run.residual:.0e})")


def peer_cell(peer: Peer) -> str:
    """Seconds to SOLVED if it got there; the best residual, ours and its own; how it ended."""
    best, first = peer.best(), peer.first(SOLVED)
    if best is None:
        return peer.note or "no finite answer"
    words = f"{best.residual:.0e} (own {best.own:.0e})"
    words = f"{first.seconds:.2g} s; {words}" if first else f"not reached; {words}"
    return f"{words}; {peer.note}" if peer.note else words


def unsolved_rows() -> Iterator[Cells]:
    """Problems that none of our solvers brings to SOLVED."""
    found, _ = entries()
    left = [(entry, law) for law in LAWS for entry in found if entry.best(law).residual > SOLVED]
    for entry, law in left:
        best = entry.best(law)
        answers = [peer.best() for peer in entry.peers] if law == "exact" else []
        theirs = [answer.residual for answer in answers if answer is not None]
        yield (
            entry.name,
            law,
            entry.facts[0],
            f"{best.residual:.0e} ({best.solver})",
            f"{min(theirs):.0e}" if theirs else "",
        )
    if not left:
        yield "none", "", "", "", ""


TABLES = [
    Table(
        "Problems made by others: how many are solved, exact law",
        f"{(__doc__ or '').strip()}\n\n{STAND_IN}"
        f"LIMIT is {LIMIT:g} s by the clock. Cells: problems solved, median iterations and CPU "
        "seconds together\nof those. The time to a looser residual is the iterations' share of "
        "the run to 1e-8, setup included;\nresiduals are looked at after every fourth part of "
        "the iterations so far. Siconos gets W, in a process\nof its own; it goes on from its "
        "reactions in rounds, to ever smaller residuals of its own, and begins anew\nfor each of "
        "them: the quickest answer counts. Siconos, other: Lemke for 2 rows, NSN_AC for 3, ADMM "
        "for 5.",
        SOLVED_HEADER,
        lambda: solved_rows("exact"),
    ),
    Table(
        "Problems made by others: how many are solved, associated law",
        "As above.",
        SOLVED_HEADER,
        lambda: solved_rows("associated"),
    ),
    Table(
        "Problems made by others: which, exact law",
        "Iterations to 1e-6, or in brackets the best residual in the time; the fastest to 1e-6 in "
        "CPU\nseconds. Siconos: seconds to 1e-6 by our residual; the best it reached, and its own "
        "residual there.\nAsymmetry is that of W, relative.",
        which_header(),
        which_rows,
    ),
    Table(
        "Problems made by others: not solved to 1e-6 by any solver",
        "The best residual within the time, ours and, under the exact law, of Siconos.",
        ("problem", "law", "contacts", "reached", "Siconos"),
        unsolved_rows,
    ),
]
