"""A study: one scene, run with many values, and what was found.

sweep = rc.load_sweep("study.toml")
result = sweep.run(folder="study-sweep", workers=4, progress=True)
result.column("angle"), result.failed, result.frame()
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollcone.errors import FileError, InputError, SceneError
from rollcone.scene.document import parse, read_text, worded
from rollcone.scene.problems import Problem, check_tables
from rollcone.scene.read import read_scene
from rollcone.scene.scene import Scene
from rollcone.sweep.case import Case, Subject
from rollcone.sweep.columns import COLUMNS, ERROR
from rollcone.sweep.engine import Engine
from rollcone.sweep.measures import Measure, times_of
from rollcone.sweep.samples import Parameter, Sampling, how_many, points
from rollcone.sweep.tables import StudyTable, SweepTable

if TYPE_CHECKING:
    from rollcone.sweep.table import SweepResult

_MOST_RUNS = 1_000_000
_LINE = re.compile(r"^.*?:\d+: ")


@dataclass(frozen=True)
class Sweep:
    """What a study file says.

    subject     the scene and what is measured
    parameters  what is varied
    sampling    which points are taken
    repeats     runs of each point, with other seeds
    """

    subject: Subject
    parameters: tuple[Parameter, ...] = ()
    sampling: Sampling = field(default_factory=Sampling)
    repeats: int = 1
    title: str = ""
    text: str = ""

    def points(self) -> list[dict[str, Any]]:
        """Values of the parameters, one dictionary for each point."""
        return points(self.parameters, self.sampling)

    def cases(self) -> list[Case]:
        """All runs: every point, and its repeats."""
        return [
            self.subject.case(self.parameters, point, repeat)
            for point in self.points()
            for repeat in range(self.repeats)
        ]

    def with_functions(self, functions: Mapping[str, str]) -> Sweep:
        """Measured by functions of a run as well, each 'package.module:function', by the name of
        its column. Workers import them; files cannot name them, since they are data."""
        from rollcone.sweep.work import function_at, source_hash

        known = [parameter.name for parameter in self.parameters]
        known += [measure.column for measure in self.subject.measures]
        for name, path in functions.items():
            check_column(name, known)
            function_at(path)
        paths = sorted(functions.items())
        given = tuple((name, path, source_hash(path)) for name, path in paths)
        return replace(self, subject=replace(self.subject, functions=given))

    def run(
        self,
        folder: str | os.PathLike[str],
        *,
        workers: int | None = None,
        scheduler: str | None = None,
        progress: bool = False,
    ) -> SweepResult:
        """Carry it out; what `folder` has of it already is not done again.

        workers    processes of one thread each; as many as there are CPUs if not given
        scheduler  address of a Dask scheduler, to use its workers instead
        """
        from rollcone.sweep.table import SweepResult
        from rollcone.view.sweep_progress import sweep_bar

        cases = self.cases()
        with (
            Engine(Path(folder), workers=workers, scheduler=scheduler) as engine,
            sweep_bar(hidden=not progress) as show,
        ):
            outcomes = engine.run(cases, show)
        return SweepResult(self, cases, outcomes, Path(folder))


def load_sweep(path: str | os.PathLike[str]) -> Sweep:
    """The study in a TOML file; see docs/sweeps.md for the format. All that is wrong with it is
    told at once, in a `SceneError`; a file that cannot be read is a `FileError`."""
    return read_sweep(read_text(path, "study"), os.fsdecode(path))


def read_sweep(text: str, source: str) -> Sweep:
    """`source` is what messages begin with; the scene is found from its folder."""
    document = parse(text, source)
    table, problems = check_tables(document, Path(source).parent, SweepTable)
    sweep = None
    if table is not None:
        sweep, problems = _made(table, text, source)
    if sweep is None or problems:
        raise SceneError(worded(problems, text, document, source))
    return sweep


def read_subject(table: StudyTable, source: str, measures: tuple[Any, ...]) -> Subject:
    """The scene of a study file, which must be right by itself."""
    path = Path(source).parent / table.scene
    text = read_text(path)
    read_scene(text, os.fsdecode(path))
    subject = Subject(parse(text, str(path)), str(path), dict(table.set), measures, (), table.keep)
    subject.check_repeats(table.repeats)
    return subject


def check_measured(scene: Scene, measures: Sequence[Measure], table: str) -> list[Problem]:
    """Bodies and joints that measures name, but for those that emitters pour."""
    world = scene.world
    poured = tuple(f"{emitter.recipe.name} " for emitter in world.emitters)
    problems: list[Problem] = []
    for number, measure in enumerate(measures):
        body, joint = (getattr(measure, word, None) for word in ("body", "joint"))
        try:
            if body is not None and not str(body).startswith(poured):
                world.number_of(body)
            if joint is not None:
                world.joint_number(joint)
        except InputError as error:
            problems.append(((table, number), str(error)))
    return problems


def _made(table: SweepTable, text: str, source: str) -> tuple[Sweep | None, list[Problem]]:
    problems: list[Problem] = [*_same_names(table)]
    parameters = []
    for number, entry in enumerate(table.parameter):
        try:
            parameters.append(entry.parameter_for(table.sampling.method))
        except InputError as error:
            problems.append((("parameter", number), str(error)))
    subject = None
    try:
        subject = read_subject(table, source, tuple(table.measure))
    except SceneError as error:
        problems += [(("scene",), f"scene: {line}") for line in error.problems]
    except FileError as error:
        problems.append((("scene",), f"scene = {table.scene!r}: {error}"))
    except InputError as error:
        problems.append(((), str(error)))
    if subject is None or problems:
        return None, problems
    sampling, title = table.sampling.sampling(), table.title or ""
    sweep = Sweep(subject, tuple(parameters), sampling, table.repeats, title, text)
    return sweep, check_scenes(sweep) or _late(sweep)


def _late(sweep: Sweep) -> list[Problem]:
    """Measures at times after the end of every run."""
    cases = (sweep.subject.case(sweep.parameters, point, 0) for point in sweep.points()[:_TRIED])
    scenes = [read_scene(case.text, case.source) for case in cases]
    last = max(scene.until + scene.settings["step"] for scene in scenes)
    return [
        (("measure", number), f"time = {time:g} s: the scene ends at {scenes[0].until:g} s")
        for number, measure in enumerate(sweep.subject.measures)
        for time in times_of(measure)
        if time > last
    ]


def _same_names(table: SweepTable) -> list[Problem]:
    """Columns of the table of results must differ."""
    problems: list[Problem] = []
    seen: list[str] = []
    named = [(("parameter", k), p.parameter().name) for k, p in enumerate(table.parameter)]
    named += [(("measure", k), measure.column) for k, measure in enumerate(table.measure)]
    for place, name in named:
        try:
            check_column(name, seen)
        except InputError as error:
            problems.append(((*place, "name"), str(error)))
        seen.append(name)
    return problems


def check_column(name: str, others: Sequence[str]) -> None:
    """May a parameter or measure beside `others` have this name?"""
    if name in others:
        raise InputError(f"name = {name!r}: is there twice; give another")
    if name in COLUMNS or name.endswith(ERROR):
        raise InputError(f"name = {name!r}: is a column of every table; give another")
    if "/" in name or name == ".":
        raise InputError(f"name = {name!r}: must have no '/' in it")


def check_scenes(sweep: Sweep) -> list[Problem]:
    """The scene with the values at both ends of each parameter, and how many runs there are."""
    count = how_many(sweep.parameters, sweep.sampling)
    if count * sweep.repeats > _MOST_RUNS:
        words = (
            f"{count:,} points of {sweep.repeats} runs are too many: at most {_MOST_RUNS:,} runs"
        )
        return [((), f"parameter: {words}")]
    try:
        found = sweep.points()
    except InputError as error:
        return [(("sampling",), str(error))]
    problems = _tried(sweep, found[0], ("parameter", 0) if sweep.parameters else ("scene",))
    if not problems:
        case = sweep.subject.case(sweep.parameters, found[0], 0)
        scene = read_scene(case.text, case.source)
        problems += check_measured(scene, sweep.subject.measures, "measure")
    for number, parameter in enumerate(sweep.parameters if not problems else ()):
        values = [point[parameter.name] for point in found]
        ends = (min(values), max(values)) if _ordered(values) else values[:_TRIED]
        for value in ends:
            point = found[0] | {parameter.name: value}
            problems += _tried(sweep, point, ("parameter", number))
    return list(dict.fromkeys(problems))


_TRIED = 10  # values that are no numbers


def _ordered(values: list[Any]) -> bool:
    return all(isinstance(value, int | float) for value in values)


def _tried(sweep: Sweep, point: dict[str, Any], place: tuple[str | int, ...]) -> list[Problem]:
    """What is wrong with the scene at a point."""
    try:
        case = sweep.subject.case(sweep.parameters, point, 0)
        read_scene(case.text, case.source)
    except SceneError as error:
        words = f"with {case.words}" if point else "with set"  # lines are not those of its file
        return [(place, f"the scene {words}: {_LINE.sub('', line)}") for line in error.problems[:3]]
    except InputError as error:
        return [(place, str(error))]
    return []
