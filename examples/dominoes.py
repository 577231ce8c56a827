"""A row of dominoes, the first of them pushed.

Simulates until all lie, draws the row at several moments, and says how fast the wave ran.

    python examples/dominoes.py [--dominoes 12] [--folder out]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import rollcone as rc
from rollcone.view.side import draw_side

SIZE = np.array([0.01, 0.03, 0.06])  # m
DISTANCE = 0.025  # from one to the next, m


def row(dominoes: int) -> rc.World:
    """The first turns about the middle of its base, fast enough to fall."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane(normal=(0, 0, 1))
    world.set_contact_law(rc.ContactLaw(sliding=0.4))
    for k in range(dominoes):
        world.add_box(size=SIZE, density=1000, position=(DISTANCE * k, 0, 0.5 * SIZE[2]))
    first = world.body(1)
    first.velocity, first.angular_velocity = (0.09, 0, 0), (0, 3.0, 0)
    return world


def fall_times(run: rc.Run) -> np.ndarray:
    """When each domino had leant by 20 degrees; NaN: never."""
    x, y = np.moveaxis(run.states("orientation")[:, 1:, 1:3], 2, 0)
    leant = 1 - 2 * (x**2 + y**2) < np.cos(np.radians(20))  # the body's z axis along z
    return np.where(leant.any(axis=0), run.time[leant.argmax(axis=0)], np.nan)


def main(dominoes: int = 12, folder: Path = Path("out"), until: float = 1.2) -> rc.Run:
    folder.mkdir(parents=True, exist_ok=True)
    print(f"Pushing {dominoes} dominoes ...", flush=True)
    # Fallen dominoes carry each other in many ways: more digits would take long.
    simulation = rc.Simulation(row(dominoes), step=2e-3, tolerance=1e-4, record_every=5)
    run = simulation.advance(until, progress=True)
    print(run.summary())
    times = fall_times(run)
    fallen = np.flatnonzero(np.isfinite(times))
    text = f"{len(fallen)} of {dominoes} dominoes fell, one after the other"
    if len(fallen) > 1:
        speed = DISTANCE * (len(fallen) - 1) / (times[fallen[-1]] - times[fallen[0]])
        text += f"; the wave ran at {speed:.2f} m/s"
    picture = folder / "dominoes.png"
    early = np.searchsorted(run.time, times[fallen[: dominoes - 1 : 4]])
    draw_side(run, picture, [0, *early, -1], "A row of dominoes", text)
    print(f"{text}. Open {picture}")
    return run


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dominoes", type=int, default=12)
    parser.add_argument("--folder", type=Path, default=Path("out"))
    arguments = parser.parse_args()
    main(arguments.dominoes, arguments.folder)
