"""From the text of a scene file to a `Scene`, or to a list of all that is wrong with it."""

from __future__ import annotations

import math
import os
import re
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from rollcone.errors import BodyError, FileError, InputError, SceneError
from rollcone.mechanics.bowls import check_bowls
from rollcone.mechanics.periodic import check_periodic
from rollcone.mechanics.sides import check_sides
from rollcone.mechanics.world import World
from rollcone.scene.analysis_tables import check_analysis
from rollcone.scene.lines import Lines
from rollcone.scene.problems import (
    Problem,
    at,
    check_materials,
    check_names,
    check_pairs,
    check_tables,
    key_place,
)
from rollcone.scene.robot_tables import RobotTable
from rollcone.scene.scene import Output, Scene
from rollcone.scene.tables import MAKERS, PairTable, SceneTable
from rollcone.scene.toml_hint import toml_hint
from rollcone.settings import Settings
from rollcone.simulation import steps_between

_MOST_BYTES = 50_000_000
# tomllib takes time and memory by the square of the parts of a key; quoted ones count, too.
_ENDLESS_KEY = re.compile(
    r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){50}"""
)
_SHOWN = 30  # problems
_WIDTH = 300  # characters of a problem
_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")


def read_text(path: str | os.PathLike[str]) -> str:
    """What is in a text file."""
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"path = {path!r}: must be the name of a file, a str or a Path")
    name, file = os.fspath(path), Path(path)
    if file.is_dir():
        raise FileError(f"{name}: is a directory, not a scene file")
    try:
        if file.exists() and not file.is_file():
            raise FileError(f"{name}: is not a plain file")
        if file.stat().st_size > _MOST_BYTES:
            raise FileError(
                f"{name}: is larger than {_MOST_BYTES} bytes: large arrays and meshes are files of "
                "their own"
            )
        return file.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise FileError(
            f"{name}: byte {error.start} is not UTF-8: a scene file is TOML text"
        ) from None
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise FileError(f"{name}: cannot be read: {reason}") from error
    except ValueError as error:  # a name with a NUL
        raise FileError(f"{name!r}: cannot be read: {error}") from error


def read_scene(text: str, source: str) -> Scene:
    """`source` is what messages begin with, the name of the file; other files are found from its
    folder."""
    document = _parse(text, source)
    folder = Path(source).parent
    table, problems = check_tables(document, folder)
    for check in (check_names, check_pairs, check_materials):
        problems += check(document)
    world = World()
    if table is not None and not problems:
        problems += _build(table, world, folder)
        problems += _check_settings(table, world)
    if table is not None and table.analysis is not None and not problems:
        problems += check_analysis(table.analysis, world)
    if table is None or problems:
        raise SceneError(_worded(problems, Lines(text, document), source))
    analysis, disturbances = _analysis(table)
    return Scene(
        world=world,
        until=table.simulation.until,
        settings=_settings(table),
        output=Output(**table.output.model_dump()),
        title=table.title or "",
        text=text,
        analysis=analysis,
        disturbances=disturbances,
    )


def _parse(text: str, source: str) -> dict[str, Any]:
    endless = _ENDLESS_KEY.search(text)
    if endless:
        line = text.count("\n", 0, endless.start()) + 1
        raise SceneError([f"{source}:{line}: a key of more than 50 parts"])
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        words = str(error)
        where = _PLACE.search(words)
        line, column = str(text.count("\n") + 1), "1"
        if where:
            words = words[: where.start()]
            line, column = where[1] or line, where[2] or str(len(text.rpartition("\n")[2]) + 1)
        words += toml_hint(words, text, int(line), int(column))
        raise SceneError([f"{source}:{line}:{column}: {words}"]) from None
    except RecursionError:
        raise SceneError([f"{source}: is nested too deeply"]) from None
    except ValueError as error:  # an integer of thousands of digits, a date that does not exist
        raise SceneError([f"{source}: {error}"]) from None


def _build(table: SceneTable, world: World, folder: Path) -> list[Problem]:
    problems: list[Problem] = []
    made_by: list[tuple[str | int, ...]] = []  # tables of the bodies

    def attempt(place: tuple[str | int, ...], action: Callable[[], object]) -> None:
        try:
            action()
        except BodyError as error:
            problems.append((made_by[error.body], str(error)))
        except InputError as error:
            problems.append((place, str(error)))

    world.gravity = table.world.gravity
    if table.world.periodic is not None:
        world.set_periodic(**table.world.periodic)
    if table.contact is not None:
        contact = table.contact
        attempt(("contact",), lambda: world.set_contact_law(contact.law()))
    for number, pair in enumerate(table.pair):
        attempt(("pair", number), partial(_set_pair, world, pair))
    for name in MAKERS:
        for number, entry in enumerate(getattr(table, name)):
            where = (folder,) if isinstance(entry, RobotTable) else ()
            attempt((name, number), partial(entry.add, world, *where))
            made_by += [(name, number)] * (len(world.state) - len(made_by))
    attempt(("world",), partial(check_periodic, world))
    attempt(("world",), partial(check_bowls, world))
    attempt(("world",), world.check_contours)
    for number, joint in enumerate(() if problems else table.joint):
        attempt(("joint", number), partial(joint.add, world))
    if not problems:  # joints say what does not touch
        attempt(("world",), partial(check_sides, world))
    return problems


def _set_pair(world: World, pair: PairTable) -> None:
    world.set_contact_law(pair.law(), *pair.materials)


def _settings(table: SceneTable) -> dict[str, Any]:
    """Of `Simulation`, as far as the file gives them."""
    settings = table.simulation.given()
    del settings["until"]
    if "solver" in settings:
        settings["solver"], options = settings["solver"]
        if options:
            settings["solver_options"] = options
    return settings


def _analysis(table: SceneTable) -> tuple[dict[str, Any], tuple[dict[str, Any], ...]]:
    """Options of `analyze`, and disturbances."""
    given = {} if table.analysis is None else table.analysis.given()
    loads = tuple(load.given() for load in given.pop("disturbance", ()))
    return {"time": table.simulation.start_time} | given, loads


def _check_settings(table: SceneTable, world: World) -> list[Problem]:
    """What `Simulation` would refuse."""
    chosen: Any = table.simulation
    if not math.isfinite((chosen.until - chosen.start_time) / chosen.step):
        words = f"until = {chosen.until!r}: too many steps of {chosen.step!r} s"
        return [(("simulation",), words)]
    try:
        steps_between(chosen.start_time, chosen.until, chosen.step)
        settings = Settings(**_settings(table))
        settings.check(world.laws)
    except InputError as error:
        return [(("simulation",), str(error))]
    return []


def _worded(problems: list[Problem], lines: Lines, source: str) -> list[str]:
    """In the order of the file, each with its line where that is known."""
    found = []
    for place, text in problems:
        number = lines.line(key_place(place, text))
        where = source if number is None else f"{source}:{number}"
        words = _printable(f"{where}: {at(place, text)}")
        found.append((number or 0, words if len(words) <= _WIDTH else f"{words[:_WIDTH]} ..."))
    told = [words for _, words in sorted(found, key=lambda one: one[0])]
    if len(told) > _SHOWN:
        told[_SHOWN:] = [f"{source}: and {len(told) - _SHOWN} more problems"]
    return told


def _printable(text: str) -> str:
    """One line, whatever keys and values hold."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
