"""What a step of a mechanism costs, and how well it holds.

A pendulum, a double pendulum and a four-bar linkage on hinges; chains on ball joints, one of which
ends in a link a million times as heavy as the others; an arch of stones, each of two boxes that
are fixed to each other, held by friction; and the guideway: 36 balls in compliant contact, fixed
joints, a motor and seals. The linkage is redundant: its four hinges hold three rows too many.

Wall time per step, the best of three runs; h = 5 ms but for the guideway
(1 ms). Rows are those of joints. Drift is how far a joint was open at the end of any step (m or
rad), the error of energy the range of kinetic and potential energy over the most kinetic energy.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import rollcone as rc
from benchmarks.stepping import timed
from rollcone.studies import guideway

HEADER = ("scene", "bodies", "rows", "contacts", "ms per step", "iterations", "drift", "energy")
LENGTH, MASS = 0.1, 0.01  # of a link


def chain(links: int, ratio: float = 1.0, kind: str = "spherical") -> rc.World:
    """From the side; the last link is `ratio` times as heavy."""
    world, base = rc.World(gravity=(0, 0, -9.81)), None
    for k in range(links):
        mass = MASS * (ratio if k == links - 1 else 1.0)
        across = mass * LENGTH**2 / 12
        body = world.add_capsule(
            radius=0.01, length=0.08, mass=mass, inertia=(across, across, 1e-4 * mass),
            position=((k + 0.5) * LENGTH, 0, 0), orientation=rc.rotation((0, 1, 0), 90),
        )  # fmt: skip
        axis = {"axis": (0, 1, 0)} if kind == "revolute" else {}
        world.add_joint(kind=kind, body=body, base=base, point=(k * LENGTH, 0, 0), **axis)
        base = body
    return world


def four_bar() -> rc.World:
    """A crank, a coupler and a rocker on four hinges: a closed loop, redundant in space."""
    world = rc.World(gravity=(0, 0, -9.81))
    corners = np.array([(0, 0, 0), (0, 0, 0.2), (0.5, 0, 0.4), (0.4, 0, 0)])
    base = None
    for k in range(3):
        start, end = corners[k], corners[k + 1]
        way = end - start
        turn = float(np.degrees(np.arctan2(-way[2], way[0])))
        body = world.add_box(
            size=(float(np.linalg.norm(way)), 0.02, 0.02), density=2700, position=(start + end) / 2,
            orientation=rc.rotation((0, 1, 0), turn), name=f"bar {k}",
        )  # fmt: skip
        world.add_joint(kind="revolute", body=body, base=base, point=start, axis=(0, 1, 0))
        base = body
    world.add_joint(kind="revolute", body="bar 2", point=corners[3], axis=(0, 1, 0))
    return world


def arch() -> rc.World:
    path = Path(__file__).parents[1] / "examples" / "stone_arch.py"
    specification = importlib.util.spec_from_file_location("stone_arch", path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    made: rc.World = module.arch(0.15)
    return made


def table() -> Iterator[tuple[str, ...]]:
    scenes = {
        "pendulum": (chain(1, kind="revolute"), 1.0, 5e-3, {}),
        "double pendulum": (chain(2, kind="revolute"), 1.0, 5e-3, {}),
        "four-bar linkage": (four_bar(), 1.0, 5e-3, {}),
        "chain of 10": (chain(10), 1.0, 5e-3, {}),
        "chain of 10, weight 10^6 times a link": (chain(10, 1e6), 1.0, 5e-3, {}),
        "chain of 60": (chain(60), 0.5, 5e-3, {}),
        "arch of 31 stones": (arch(), 0.2, 5e-3, {}),
        "guideway": (guideway.world(), 0.05, 1e-3, {"tolerance": 1e-8}),
    }
    for name, (world, until, step, settings) in scenes.items():
        run, best = timed(world, until, step, **settings)
        audit = run.energy
        total = audit.kinetic + audit.potential
        moving = name not in ("arch of 31 stones", "guideway")
        yield (
            name,
            str(int((world.state.kind == 0).sum())),
            str(len(world.joints.rows().role)),
            str(int(run.contact_count.max())),
            f"{1e3 * best:.2f}",
            f"{run.iterations.sum() / run.steps:.1f}",
            f"{run.drift.max():.0e}",
            f"{np.ptp(total) / audit.kinetic.max():.0e}" if moving else "",
        )
