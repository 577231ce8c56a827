"""`rollcone info` of a run: what happened, what was kept, whether it can go on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rollcone.recording.run_file import RunFile

_LEVELS = {"none": "not kept", "summary": "counted", "full": "in full"}


def is_run(file: Path) -> bool:
    """A run file, or the name that an unfinished run is to have."""
    from rollcone.recording.layout import is_run_file
    from rollcone.recording.part import folder_of

    whole = file.with_suffix("") if file.suffix == ".part" else file
    return not whole.is_dir() and (is_run_file(whole) or folder_of(whole).is_dir())


def info(file: Path, *, as_json: bool) -> None:
    from rollcone.cli.console import print_json, working
    from rollcone.recording.run import Run
    from rollcone.recording.run_file import open_source
    from rollcone.recording.summary import facts

    with working(f"reading {file.name}"):
        source = open_source(file)
        run, more = Run(source), about_file(source)
    if as_json:
        print_json({**more, **facts(run)})
    else:
        typer.echo(f"{_head(more)}\n\n{run.summary()}\n{_tail(more)}")


def about_file(source: RunFile) -> dict[str, Any]:
    """What the summary of a run does not tell: the file, and where the run stands."""
    from rollcone.recording.part import folder_of
    from rollcone.resuming import describe

    path = source.path or Path()
    pieces = [path, *folder_of(path).glob("*")]
    state = describe(source)
    return {
        "file": str(path),
        "format": "Rollcone run",
        "title": _title(source.scene),
        "bytes": sum(piece.stat().st_size for piece in pieces if piece.is_file()),
        "version": source.version,
        "moments": len(source.column("time")),
        "contact_level": source.level,
        "finished": state["finished"],
        "stands_at": state["time"],
        "until": state["until"],
        "functions": list(source.notes["world"]["functions"]),
    }


def _title(scene: str) -> str:
    """The scene's, if it has one; the file may be of another version, so nothing is checked."""
    from rollcone.errors import SceneError
    from rollcone.scene.document import parse

    try:
        return str(parse(scene, "scene").get("title", ""))
    except SceneError:
        return ""


def _head(more: dict[str, Any]) -> str:
    from rollcone.cli.console import bytes_words

    words = f"a run, {bytes_words(more['bytes'])}, by Rollcone {more['version']}"
    title = f"\n{more['title']}" if more["title"] else ""
    return f"{Path(more['file']).name}: {words}{title}"


def _tail(more: dict[str, Any]) -> str:
    from rollcone._words import count

    kept = f"{count(more['moments'], 'moment')}, contacts {_LEVELS[more['contact_level']]}"
    return f"kept        {kept}\nstate       {_state(more)}"


def _state(more: dict[str, Any]) -> str:
    at = f"t = {more['stands_at']:g} s"
    command = f"rollcone resume {more['file']}"
    if more["functions"]:
        command = f"rc.resume({more['file']!r}, world), which needs {', '.join(more['functions'])}"
    elif more["finished"]:
        command += " --until SECONDS"
    if more["finished"]:
        return f"finished at {at}; to go on: {command}"
    return f"stopped at {at} of {more['until']:g} s; to go on: {command}"
