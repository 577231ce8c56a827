"""CSV: one body or joint over time, or all bodies at a moment; units are in the header.

Numbers have all their digits, so that reading them gives the same floats.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rollcone.collision.shapes import SHAPE_NAMES
from rollcone.mechanics.bodies import STATE
from rollcone.mechanics.body import Body
from rollcone.mechanics.joint import Joint
from rollcone.recording.run import Run
from rollcone.view.output import check_output, write_whole

SUFFIX = ".csv"
_ANGLES = ("angle", "angle2")
_STATE_HEADER = (
    "x (m)", "y (m)", "z (m)", "qw", "qx", "qy", "qz", "vx (m/s)", "vy (m/s)", "vz (m/s)",
    "wx (rad/s)", "wy (rad/s)", "wz (rad/s)",
)  # fmt: skip


def save_body(run: Run, path: Path | str, body: Body | str | int) -> None:
    """Time, position, orientation and velocities of a body, a line for each moment at which it
    was there."""
    track = run.body(body)
    states = np.hstack([getattr(track, name) for name in STATE])
    rows = (
        (float(time), *state.tolist())
        for time, state in zip(run.time, states, strict=True)
        if not np.isnan(state[0])
    )
    _write(path, ("time (s)", *_STATE_HEADER), rows)


def save_joint(run: Run, path: Path | str, joint: Joint | str | int) -> None:
    """Time, force and torque on the body of a joint in the axes of the joint on its base, its
    coordinates with their rates, and what acts on them, a line for each moment at which it was
    there."""
    track = run.joint(joint)
    columns = {"time (s)": run.time}
    for letter, values in zip("xyz", track.force.T, strict=True):
        columns[f"f{letter} (N)"] = values
    for letter, values in zip("xyz", track.torque.T, strict=True):
        columns[f"t{letter} (N m)"] = values
    for name in track.coordinate:
        unit = "rad" if name in _ANGLES else "m"
        columns[f"{name} ({unit})"] = track.coordinate[name]
        columns[f"{name} rate ({unit}/s)"] = track.rate[name]
    for name, values in track.effort.items():
        columns[f"{name} ({'N m' if name.partition('.')[0] in _ANGLES else 'N'})"] = values
    rows = np.stack(list(columns.values()), axis=1)
    _write(path, list(columns), rows[np.isfinite(track.force[:, 0])].tolist())


def save_moment(run: Run, path: Path | str, moment: int) -> None:
    """Every body that is there at a moment: number, name, shape, and the same numbers."""
    k, world = run.index(moment), run.world
    states = np.hstack([run.states(name)[k] for name in STATE])
    rows = (
        (i, world.name_of(i), SHAPE_NAMES[world.state.shape[i]], *state.tolist())
        for i, state in enumerate(states)
        if not np.isnan(state[0])
    )
    _write(path, ("body", "name", "shape", *_STATE_HEADER), rows)


def _write(path: Path | str, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    path = Path(path)
    check_output("export", path, (SUFFIX,))

    def write(made: Path) -> None:
        with made.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(header)
            writer.writerows(rows)

    write_whole("export", path, write)
