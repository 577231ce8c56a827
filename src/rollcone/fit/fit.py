"""A fit: a scene, coefficients that are not known, and what was measured.

fit = rc.load_fit("fit.toml")
result = fit.run(folder="fit-runs", workers=4, progress=True)
result.value["rolling"], result.error["rolling"], result.warnings
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rollcone._check import FloatArray
from rollcone.errors import FileError, InputError, SceneError
from rollcone.fit.calibrate import Options, calibrate
from rollcone.fit.evaluations import Answers
from rollcone.fit.problem import FitProblem
from rollcone.fit.result import FitResult
from rollcone.fit.seeds import run_seed
from rollcone.fit.tables import FitTable, TargetTable
from rollcone.scene.document import parse, read_text, worded
from rollcone.scene.problems import Problem, check_tables
from rollcone.sweep.case import Case, Subject
from rollcone.sweep.engine import Engine, Progress
from rollcone.sweep.keys import changed, is_random
from rollcone.sweep.results import Outcome
from rollcone.sweep.samples import Sampling
from rollcone.sweep.sweep import Sweep, check_scenes, read_subject


@dataclass(frozen=True)
class Fit:
    """What a fit file says.

    subject  the scene and what is measured of its runs
    problem  what is looked for, and what was measured
    options  how to look
    repeats  runs at each point, with other seeds
    """

    subject: Subject
    problem: FitProblem
    options: Options
    repeats: int = 1
    title: str = ""
    text: str = ""

    def run(
        self,
        folder: str | os.PathLike[str],
        *,
        workers: int | None = None,
        scheduler: str | None = None,
        progress: bool = False,
    ) -> FitResult:
        """Carry it out; runs that `folder` has already are not done again, so what was stopped
        goes on.

        workers    processes of one thread each; as many as there are CPUs if not given
        scheduler  address of a Dask scheduler, to use its workers instead
        """
        from rollcone.view.fit_progress import fit_bar

        with (
            Engine(Path(folder), workers=workers, scheduler=scheduler) as engine,
            fit_bar(self.options.budget, hidden=not progress) as show,
        ):
            return calibrate(
                self.problem,
                Simulations(self, engine, show),
                self.options,
                repeats=self.repeats,
                seeded=is_random(self.subject.document),
            )


@dataclass(frozen=True)
class Simulations:
    """The runs of a fit as a function of its coefficients."""

    fit: Fit
    engine: Engine
    show: Callable[[Progress], object]

    def __call__(self, points: FloatArray) -> Answers:
        fit = self.fit
        names = [parameter.name for parameter in fit.problem.parameters]
        cases = [
            fit.subject.case(
                fit.problem.parameters,
                dict(zip(names, point, strict=True)),
                repeat,
                run_seed(point, repeat),
            )
            for point in points.tolist()
            for repeat in range(fit.repeats)
        ]
        outcomes = self.engine.run(cases, self.show)
        rows, errors = [], []
        for case, outcome in zip(cases, outcomes, strict=True):
            row, error = self._row(case, outcome)
            rows.append(row)
            errors += [error] if error else []
        values = np.array(rows).reshape(len(points), fit.repeats, fit.problem.quantities)
        return Answers(values, errors, sum(o.facts.get("unconverged", 0) > 0 for o in outcomes))

    def _row(self, case: Case, outcome: Outcome) -> tuple[FloatArray, str]:
        """Quantities of a run, and why it has none."""
        nothing = np.full(self.fit.problem.quantities, np.nan)
        if outcome.failed:
            return nothing, f"{case.words}: {outcome.error}"
        columns = [np.atleast_1d(outcome.values[t.name]) for t in self.fit.problem.targets]
        for target, column in zip(self.fit.problem.targets, columns, strict=True):
            if not np.isfinite(column).all():
                words = "has no value: what is measured does not come about in this run"
                return nothing, f"{case.words}: {target.name} {words}"
        return np.concatenate(columns), ""


def load_fit(path: str | os.PathLike[str]) -> Fit:
    """The fit in a TOML file; see docs/fit.md for the format. All that is wrong with it is told at
    once, in a `SceneError`; a file that cannot be read is a `FileError`."""
    return read_fit(read_text(path, "fit"), os.fsdecode(path))


def read_fit(text: str, source: str) -> Fit:
    """`source` is what messages begin with; other files are found from its folder."""
    document = parse(text, source)
    folder = Path(source).parent
    table, problems = check_tables(document, folder, FitTable)
    fit = None
    if table is not None:
        fit, problems = _made(table, text, source)
    if fit is None or problems:
        raise SceneError(worded(problems, text, document, source))
    return fit


def _made(table: FitTable, text: str, source: str) -> tuple[Fit | None, list[Problem]]:
    entries: list[TargetTable] = table.target
    targets = [entry.target(Path(source).parent) for entry in entries]
    measures = tuple(entry.measure(target) for entry, target in zip(entries, targets, strict=True))
    try:
        problem = FitProblem([entry.coefficient() for entry in table.parameter], targets)
        subject = read_subject(table, source, measures)
    except SceneError as error:
        return None, [(("scene",), f"scene: {line}") for line in error.problems]
    except FileError as error:
        return None, [(("scene",), f"scene = {table.scene!r}: {error}")]
    except InputError as error:
        return None, [((), str(error))]
    ends = Sweep(subject, tuple(problem.parameters), Sampling("list"))
    problems = list(check_scenes(ends)) or _times(subject, problem)
    options = table.fit.options()
    return Fit(subject, problem, options, table.repeats, table.title or "", text), problems


def _times(subject: Subject, problem: FitProblem) -> list[Problem]:
    """Curves that go on after the run has ended."""
    settings = changed(subject.document, subject.fixed)["simulation"]
    start, until = settings.get("start_time", 0.0), settings["until"]
    if any("simulation.until" in parameter.keys for parameter in problem.parameters):
        return []
    problems: list[Problem] = []
    for number, target in enumerate(problem.targets):
        if target.time is None or start <= target.time.min() <= target.time.max() <= until:
            continue
        given = f"goes from {target.time.min():g} to {target.time.max():g} s"
        words = f"times: the curve {given}: the scene is simulated from {start:g} to {until:g} s"
        problems.append((("target", number), words))
    return problems
