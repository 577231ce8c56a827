"""`rollcone export`: a run in the files of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rollcone.recording.run import Run


def export(
    file: Annotated[Path, typer.Argument(metavar="RUN", help="A run file.")],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Its ending says the format: .vtkhdf, .csv or .glb (glTF).",
        ),
    ],
    body: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="For .csv: the body to follow through time.", show_default=False
        ),
    ] = None,
    joint: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="For .csv: the joint to follow through time.", show_default=False
        ),
    ] = None,
    time: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", help="For .csv: all bodies at this time (s).", show_default=False
        ),
    ] = None,
    contacts: Annotated[
        bool,
        typer.Option("--contacts", help="For .vtkhdf: contact points and forces, not bodies."),
    ] = False,
    joints: Annotated[
        bool,
        typer.Option("--joints", help="For .vtkhdf: points and forces of joints, not bodies."),
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the output.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document and nothing else.")
    ] = False,
) -> None:
    """Write a run as VTKHDF, CSV or glTF."""
    from rollcone.cli.console import say_written, working
    from rollcone.cli.inputs import open_given
    from rollcone.view.output import check_output

    run = open_given(file, quiet=quiet)
    suffix = output.suffix.lower()
    check_output("export", output, (".vtkhdf", ".csv", ".glb"), overwrite=overwrite)
    _check_options(suffix, (body, joint, time), contacts, joints)
    with working(f"writing {output.name}", quiet=quiet):
        if suffix == ".csv":
            _write_table(run, output, body, joint, time)
        else:
            _write(run, output, contacts, joints)
    say_written(output, {"run": str(file), "format": suffix[1:]}, quiet=quiet, as_json=as_json)


def _check_options(suffix: str, rows: tuple[object, ...], contacts: bool, joints: bool) -> None:
    """`rows`: body, joint and time, of which a table has one."""
    from rollcone.errors import InputError

    chosen = sum(option is not None for option in rows)
    if suffix == ".csv" and chosen != 1:
        raise InputError(
            "a .csv needs one of --body, --joint (one over time) and --time (all bodies at a "
            "moment)"
        )
    if suffix != ".csv" and chosen:
        raise InputError(f"--body, --joint and --time are for .csv, not for {suffix}")
    for name, given in (("--contacts", contacts), ("--joints", joints)):
        if given and suffix != ".vtkhdf":
            raise InputError(f"{name} is for .vtkhdf, not for {suffix}")
    if contacts and joints:
        raise InputError("--contacts and --joints are files of their own; give one of them")


def _write_table(
    run: Run, output: Path, body: str | None, joint: str | None, time: float | None
) -> None:
    from rollcone.export import table
    from rollcone.view.moments import nearest_moment

    if body is not None:
        table.save_body(run, output, body)
    elif joint is not None:
        table.save_joint(run, output, joint)
    elif time is not None:
        table.save_moment(run, output, nearest_moment(run, time))


def _write(run: Run, output: Path, contacts: bool, joints: bool) -> None:
    from rollcone.export import gltf, vtkhdf

    if output.suffix.lower() == gltf.SUFFIX:
        gltf.save_gltf(run, output)
    elif contacts:
        vtkhdf.save_contacts(run, output)
    elif joints:
        vtkhdf.save_joints(run, output)
    else:
        vtkhdf.save_surfaces(run, output)
