"""Worlds whose runs are written, killed and continued, and what it means that two are the same."""

from __future__ import annotations

import json
import os
import signal
import time
import warnings
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np

import rollcone as rc
from rollcone.analysis.energy import TERMS
from rollcone.analysis.kernels.energy import CONTOUR
from rollcone.mechanics.bodies import STATE
from rollcone.recording.moments import NUMBERS
from rollcone.stepping.kernels.work import APPLIED, SUMS

SETTINGS = {"step": 2e-3, "record_every": 5, "tolerance": 1e-6}
UNTIL = 0.4
# With which the terms of the energy audit that older files do not have are zero in `gliding`.
GLIDING = SETTINGS | {"scheme": rc.GapAhead(recovery=0.0)}


def pouring(height: float = 0.4) -> rc.World:
    """Return a world with an emitter at that height (m), friction of every kind, and a capsule that
    turns in flight, from 0.1 m below the emitter on."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane()
    world.set_contact_law(
        rc.ContactLaw(sliding=0.4, rolling=0.004, spinning=0.002, restitution=0.3)
    )
    world.add_capsule(
        radius=0.05, length=0.2, density=800, position=(0, 0, height - 0.1),
        angular_velocity=(1, 2, 9),
    )  # fmt: skip
    world.add_emitter(
        shape="sphere", radius=(0.05, 0.07), density=1000, low=(-0.2, -0.2, height),
        high=(0.2, 0.2, height + 0.2), rate=25, count=8, seed=5, name="grain",
    )  # fmt: skip
    return world


def gliding() -> rc.World:
    """Return a world with a ball that slides on the floor, while others are poured from so high
    that none lands."""
    world = pouring(2.0)
    world.add_sphere(
        radius=0.05, density=800, position=(0, 0, 0.05), velocity=(0.2, 3, 0),
        angular_velocity=(0, 0, 2),
    )  # fmt: skip
    return world


def write(path: Path, make: Callable[[], rc.World] = pouring, **changes: object) -> rc.Run:
    settings = SETTINGS | {"until": UNTIL, "output": path, "flush": 0.02} | changes
    return rc.simulate(make(), **settings)


def assert_same(found: rc.Run, wanted: rc.Run) -> None:
    """Every recorded bit, but for the time that it took."""
    for name in STATE:
        np.testing.assert_array_equal(found.states(name)[:], wanted.states(name)[:])
    for name in NUMBERS:
        np.testing.assert_array_equal(found._source.column(name), wanted._source.column(name))
    assert found.contact_level == wanted.contact_level == "full"
    for moment in range(len(wanted.time)):
        mine, theirs = found.contacts(moment), wanted.contacts(moment)
        for field in ("bodies", "gap", "normal", "point", "impulse", "velocity", "mode"):
            np.testing.assert_array_equal(getattr(mine, field), getattr(theirs, field))
    assert found.world.names == wanted.world.names
    assert (found.steps, found.step) == (wanted.steps, wanted.step)
    assert found.material_pairs() == wanted.material_pairs()


def change_notes(file: h5py.File, change: Callable[[dict[str, Any]], None]) -> None:
    """Of its checkpoint, with their checksum."""
    notes = json.loads(file["checkpoint/notes"][()])
    change(notes)
    text = json.dumps(notes)
    del file["checkpoint/notes"]
    file["checkpoint/notes"] = text
    file["checkpoint/notes"].attrs["crc32"] = zlib.crc32(text.encode())


def without_contour(path: Path) -> None:
    """Make a run file or a checkpoint one of before the audit told contour friction and the loss of
    implicit steps apart, when every law had a pressure and files had the time of compiling."""

    def change(notes: dict[str, Any]) -> None:
        notes["recorder"]["compile_time"] = 1.5
        del notes["recorder"]["pending"]["divided"]
        for name in ("implicit", "contour"):
            del notes["recorder"]["work"][TERMS.index(name)]
        notes["world"]["default_law"]["pressure"] = "hertz"

    with h5py.File(path, "r+") as file:
        if "energy" in file:
            del file["energy/contour"], file["energy/implicit"], file["statistics/divided"]
        sums = file["checkpoint/kept/numbers"][()]
        del file["checkpoint/kept/numbers"], file["checkpoint/kept/sunk"]
        file["checkpoint/kept/numbers"] = sums[: SUMS - APPLIED + CONTOUR]
        change_notes(file, change)


def in_a_child(work: Callable[[], object], seconds: float | None = None) -> int:
    """Do it in a forked process, killed after so many seconds if they are given; how it ended:
    its exit code, or minus the signal."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # forking beside threads that sleep
        child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    if seconds is not None:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
