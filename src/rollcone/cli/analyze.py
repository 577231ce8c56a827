"""`rollcone analyze`: what happens next in a scene, is there a motion, is there only one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rollcone.analysis.acceleration.analyze import Analysis
    from rollcone.mechanics.world import World


def analyze(
    file: Annotated[Path, typer.Argument(metavar="SCENE", help="A scene file (TOML).")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="PICTURE",
            help="Draw it here: .png, .pdf or .svg "
            "(default: SCENE-analysis.png in the current folder).",
            show_default=False,
        ),
    ] = None,
    picture: Annotated[bool, typer.Option("--picture/--no-picture", help="Draw it.")] = True,
    fixture: Annotated[
        bool,
        typer.Option(
            "--fixture",
            help="Of parts at rest, also: are they held, also against the disturbances in the "
            "scene's [analysis]?",
        ),
    ] = False,
    most_cells: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=0,
            help="Cells of contact modes that a search of all motions looks at, at most; 0 for no "
            "search (default: {rollcone.analysis.acceleration.enumeration.MOST_CELLS}).",
            show_default=False,
        ),
    ] = None,
    time: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", help="For motions and drives (default: the scene's).",
            show_default=False,
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document and nothing else.")
    ] = False,
) -> None:  # fmt: skip
    """Tell what happens next in a scene: contacts stay, slide or break.

    At its start and in accelerations, by Coulomb's law (Pang and Trinkle 1996): whether there is a
    motion, whether it is the only one, and what theorems say of it; Painleve's paradoxes are found.
    Exit code 0 if a motion by Coulomb's law is known, 3 if there is none or none was found.
    """
    from rollcone.analysis.acceleration.fixture import by_coulomb
    from rollcone.analysis.acceleration.fixture import fixture as fixture_of
    from rollcone.analysis.acceleration.report import report
    from rollcone.cli.console import NOT_CONVERGED, print_json, working
    from rollcone.scene.scene import load_scene
    from rollcone.view.analysis import SUFFIXES
    from rollcone.view.output import check_output

    made = (output or Path(f"{file.stem}-analysis.png")) if picture else None
    if made is not None:
        check_output("picture", made, SUFFIXES)
    given = {"time": time, "most_cells": most_cells}
    with working(f"reading {file.name}", quiet=as_json) as tell:
        scene = load_scene(file)
        changes = {name: value for name, value in given.items() if value is not None}
        found = scene.analyze(tell=tell, **changes)
        held = None
        if fixture:
            tell("looking at the fixture")
            held = fixture_of(found.problem, scene.disturbances, search=by_coulomb(most_cells))
    if not as_json:
        typer.echo(
            f"{scene.title or file.name}, t = {changes.get('time', scene.analysis['time']):g} s\n"
        )
        typer.echo(report(found, held))
    drawn = made is not None and _draw(found, scene.world, made, scene.title)
    if as_json:
        document = {"scene": str(file), "title": scene.title, **found.plain()}
        document["fixture"] = None if held is None else held.plain()
        print_json(document | {"picture": str(made) if drawn else None})
    elif drawn:
        typer.echo(f"\ndrawn in {made}")
    if not found.motions:
        raise typer.Exit(NOT_CONVERGED)


def _draw(found: Analysis, world: World, path: Path, title: str) -> bool:
    """Whether the picture could be written; if not, one line says why and the answer counts."""
    from rollcone.errors import RollconeError
    from rollcone.view.analysis import draw_analysis

    try:
        draw_analysis(found, world, path, title)
    except RollconeError as error:
        typer.echo(f"warning: {' '.join(str(error).split())}", err=True)
        return False
    return True
