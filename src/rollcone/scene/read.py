"""From the text of a scene file to a `Scene`, or to a list of all that is wrong with it."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from rollcone.errors import BodyError, InputError, SceneError
from rollcone.mechanics.bowls import check_bowls
from rollcone.mechanics.periodic import check_periodic
from rollcone.mechanics.sides import check_sides
from rollcone.mechanics.world import World
from rollcone.scene.analysis_tables import check_analysis
from rollcone.scene.document import parse, worded
from rollcone.scene.problems import (
    Problem,
    check_materials,
    check_names,
    check_pairs,
    check_tables,
)
from rollcone.scene.robot_tables import RobotTable
from rollcone.scene.scene import Output, Scene
from rollcone.scene.tables import MAKERS, PairTable, SceneTable
from rollcone.settings import Settings
from rollcone.simulation import steps_between


def read_scene(text: str, source: str) -> Scene:
    """`source` is what messages begin with, the name of the file; other files are found from its
    folder."""
    document = parse(text, source)
    folder = Path(source).parent
    table, problems = check_tables(document, folder, SceneTable)
    for check in (check_names, check_pairs, check_materials):
        problems += check(document)
    world = World()
    if table is not None and not problems:
        problems += _build(table, world, folder)
        problems += _check_settings(table, world)
    if table is not None and table.analysis is not None and not problems:
        problems += check_analysis(table.analysis, world)
    if table is None or problems:
        raise SceneError(worded(problems, text, document, source))
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
