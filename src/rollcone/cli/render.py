"""`rollcone render`: a run as a picture or a film."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer


def render(
    file: Annotated[Path, typer.Argument(metavar="RUN", help="A run file.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE",
            help="A picture (.png) or a film (.mp4) (default: RUN.png in the current folder).",
            show_default=False,
        ),
    ] = None,
    time: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", help="Of the picture (default: the end).", show_default=False
        ),
    ] = None,
    colour: Annotated[
        str,
        typer.Option(
            "--colour",
            "--color",
            metavar="WHAT",
            help="By speed, rotation, force, mode or material.",
        ),
    ] = "speed",
    size: Annotated[
        str, typer.Option(metavar="WxH", help="Width and height in pixels.")
    ] = "1280x960",
    view: Annotated[str, typer.Option(metavar="FROM", help="iso, front, side or top.")] = "iso",
    camera: Annotated[
        str | None,
        typer.Option(
            metavar="X,Y,Z",
            help="Instead of --view: the camera's place x,y,z in metres; three more numbers are "
            "the point that it looks at.",
            show_default=False,
        ),
    ] = None,
    fps: Annotated[float, typer.Option(metavar="N", help="Pictures per second of a film.")] = 25.0,
    speed: Annotated[
        float, typer.Option(metavar="N", help="Simulated seconds per second of a film.")
    ] = 1.0,
    joints: Annotated[
        bool, typer.Option("--joints/--no-joints", help="Draw joints, too.")
    ] = True,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the output.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document and nothing else.")
    ] = False,
) -> None:  # fmt: skip
    """Draw the bodies and joints of a run, without a display.

    Films show recorded moments alone. Colours by force and mode need contacts recorded in full.
    PyVista draws; without it, an error says what to install.
    """
    from rollcone.cli.console import say_written
    from rollcone.cli.inputs import open_given
    from rollcone.view.output import check_output
    from rollcone.view.render import SUFFIXES
    from rollcone.view.render import render as draw

    run = open_given(file, quiet=quiet)
    picture = output or Path(f"{file.stem}.png")
    check_output("picture", picture, SUFFIXES, overwrite=overwrite)
    width, height = _whole_numbers("--size", size)
    place = None if camera is None else _numbers("--camera", camera)
    with _bar(file.name, quiet=quiet or as_json) as progress:
        draw(
            run, picture, time=time, colour=colour, size=(width, height), view=view,
            camera=place, fps=fps, speed=speed, joints=joints, progress=progress,
        )  # fmt: skip
    say_written(picture, {"run": str(file), "colour": colour}, quiet=quiet, as_json=as_json)


def _whole_numbers(name: str, text: str) -> tuple[int, int]:
    from rollcone.errors import InputError

    parts = text.lower().split("x")
    if len(parts) != 2 or not all(part.strip().isdecimal() for part in parts):
        raise InputError(f"{name} = {text!r}: must be like 1280x960")
    return int(parts[0]), int(parts[1])


def _numbers(name: str, text: str) -> list[float]:
    from rollcone.errors import InputError

    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise InputError(f"{name} = {text!r}: must be numbers with commas, like 1,-2,0.5") from None


@contextmanager
def _bar(name: str, *, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """Over the pictures of a film, on stderr and only if that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    error_console = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:.0f} of {task.total:.0f} pictures"),
        TimeRemainingColumn(),
        console=error_console,
        transient=True,
        disable=quiet or not error_console.is_terminal,
    )
    task = bar.add_task(f"drawing {name}", total=1)
    with bar:
        yield lambda done, total: bar.update(task, completed=done, total=total)
