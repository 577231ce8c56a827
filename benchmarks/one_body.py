"""A sphere that rolls, slips and slides to a stop, next to others.

The three cases of Acary and Bourrier 2021, section 6.1, radius 0.5 m, with sliding and rolling
friction, whose distances are known in closed form; errors are relative. Creep is how far a sphere
moves in the fourth second on an incline of 0.9 times the slope that rolling friction holds.
PEERS_PYTHON names a Python that has MuJoCo and PyBullet. "Stiff" is solref 2 h and solimp 0.9999,
as hard as a step allows.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import rollcone as rc
from benchmarks import peer_stop as peer

CHILD = Path(peer.__file__)
HEADER = ("program", "settings", "h, ms", "rolls", "slips, rolls", "slips, slides", "creep, m")
EXACT = {"a": 21875 / 3924, "b": 8125 / 1962, "c": 6250 / 981}  # m
STEPS = (1e-2, 1e-3)


def table() -> Iterator[tuple[str, ...]]:
    """Ours first; each of the others in a process of its own."""
    for step in STEPS:
        yield cells("Rollcone", "as it comes", step, rollcone(step))
    for program, settings in peer.SETTINGS.items():
        for setting in settings:
            for step in STEPS:
                yield cells(program, setting, step, of_others(program, setting, step))


def cells(program: str, setting: str, step: float, found: dict[str, float]) -> tuple[str, ...]:
    head = program, setting, f"{1e3 * step:g}"
    if not found:
        return *head, "not here", "", "", ""
    errors = (f"{100 * (found[case] / way - 1):+.2g} %" for case, way in EXACT.items())
    return *head, *errors, f"{found['creep']:.0e}"


def rollcone(step: float) -> dict[str, float]:
    """Distances and creep, as peer_stop.py has them."""
    found = {name: moved(step, case, 0.0, peer.UNTIL)[-1] for name, case in peer.CASES.items()}
    held = moved(step, (0.0, 0.0, 0.2, 0.04), peer.INCLINE, 4.0)
    return found | {"creep": abs(held[-1] - held[-1 - round(1.0 / step)])}


def moved(step: float, case: peer.Case, slope: float, until: float) -> list[float]:
    """The way along x over time."""
    speed, rate, sliding, rolling = case
    gravity = peer.GRAVITY * math.sin(slope), 0, -peer.GRAVITY * math.cos(slope)
    world = rc.World(gravity=gravity)
    world.add_plane()
    world.set_contact_law(rc.ContactLaw(sliding=sliding, rolling=rolling))
    ball = world.add_sphere(
        radius=peer.RADIUS, density=peer.DENSITY, position=(0, 0, peer.RADIUS),
        velocity=(speed, 0, 0), angular_velocity=(0, rate, 0),
    )  # fmt: skip
    run = rc.simulate(world, until=until, step=step)
    return [float(x) for x in run.body(ball).position[:, 0]]


def of_others(program: str, setting: str, step: float) -> dict[str, float]:
    """What peer_stop.py prints; nothing where the program is not installed, or fails."""
    python = os.environ.get("PEERS_PYTHON", sys.executable)
    with contextlib.suppress(OSError, subprocess.SubprocessError, ValueError):
        done = subprocess.run(
            [python, str(CHILD), program, setting, str(step)],
            capture_output=True, text=True, timeout=120, check=True,
        )  # fmt: skip
        return dict(json.loads(done.stdout.splitlines()[-1]))
    return {}
