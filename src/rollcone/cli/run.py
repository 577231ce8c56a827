"""`rollcone run`: a scene file, simulated into a run file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rollcone.scene.scene import Scene


def run(
    scene: Annotated[Path, typer.Argument(metavar="SCENE", help="A scene file (TOML).")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The run file (default: SCENE with .h5).",
            show_default=False,
        ),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Only look for mistakes.")] = False,
    until: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Simulate to this time (default: the scene's).",
                     show_default=False),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at a step that does not converge, with code 3.")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the run file if it exists.")
    ] = False,
    view: Annotated[bool, typer.Option("--view", help="Show the run in the browser.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document and nothing else.")
    ] = False,
) -> None:  # fmt: skip
    """Simulate a scene and keep the run in a file.

    A run that is stopped (Ctrl-C) or killed loses no more than the last two seconds of work:
    `rollcone resume` continues it, to the same bits. Exit code 4 if the run is not to be trusted:
    a step did not converge, joints contradicted each other, or energy came from nowhere.
    """
    from rollcone.cli.running import carry_out, exit_with_verdict
    from rollcone.recording.writer import check_free
    from rollcone.scene.scene import load_scene
    from rollcone.settings import moment
    from rollcone.simulation import steps_between

    found = load_scene(scene)
    end = found.until if until is None else moment("--until", until)
    steps = steps_between(found.settings.get("start_time", 0.0), end, found.settings["step"])
    if check:
        warnings = _warn(found, quiet=quiet, as_json=as_json)
        _say_checked(scene, found, steps, warnings, quiet=quiet, as_json=as_json)
        return
    path = Path(f"{scene.stem}.h5") if output is None else output
    changes = {"strict": True} if strict else {}
    check_free(path, overwrite)  # before anything that takes time
    warnings = _warn(found, quiet=quiet, as_json=as_json)
    simulation = found.simulation(output=path, overwrite=overwrite, **changes)
    result = carry_out(simulation, path, end, quiet=quiet, as_json=as_json, warnings=warnings)
    if view:
        from rollcone.viewer.open import show

        show(result, say=typer.echo)
    exit_with_verdict(result)


def _warn(found: Scene, *, quiet: bool, as_json: bool) -> list[str]:
    """Of what is likely a mistake in the scene; on stderr, or for the JSON document."""
    from rollcone.cli.console import working

    if quiet and not as_json:
        return []
    with working("looking for overlap", quiet=quiet or as_json):
        warnings = found.world.warnings()
    for text in () if as_json else warnings:
        typer.echo(f"warning: {text}", err=True)
    return warnings


def _say_checked(
    scene: Path, found: Scene, steps: int, warnings: list[str], *, quiet: bool, as_json: bool
) -> None:
    from rollcone._words import count
    from rollcone.cli.console import print_json

    step, world = found.settings["step"], found.world
    poured = sum(emitter.count - emitter.placed for emitter in world.emitters)
    facts = {"scene": str(scene), "bodies": len(world.bodies), "poured": poured, "steps": steps}
    if as_json:
        print_json({**facts, "warnings": warnings})
    elif not quiet:
        more = f" and {poured} poured" if poured else ""
        bodies = count(len(world.bodies), "body").replace("bodys", "bodies")
        found_words = f"{count(len(warnings), 'warning')}, no error" if warnings else "no mistakes"
        size = f"{bodies}{more}, {count(steps, 'step')} of {step:g} s"
        typer.echo(f"{scene}: {found_words}; {size}")
