"""A box that tumbles down a stair.

The steps are fixed boxes. Prints where the energy went, and draws the box on its way.

    python examples/stair.py [--folder out]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import rollcone as rc
from rollcone.view.side import draw_side

STEPS, TREAD, RISE = 6, 0.3, 0.2  # number, m, m
SIZE = (0.12, 0.2, 0.16)  # of the box, m


def stair() -> rc.World:
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane(normal=(0, 0, 1))
    world.set_contact_law(rc.ContactLaw(sliding=0.4, restitution=0.2))
    for k in range(STEPS):
        height = RISE * (STEPS - k)
        world.add_box(size=(TREAD, 1.0, height), fixed=True, position=(TREAD * k, 0, 0.5 * height))
    world.add_box(
        size=SIZE, density=700, position=(0, 0, RISE * STEPS + 0.2), velocity=(1.2, 0, 0),
        angular_velocity=(0, 6, 0.3), name="box",
    )  # fmt: skip
    return world


def main(folder: Path = Path("out"), until: float = 3.0) -> rc.Run:
    folder.mkdir(parents=True, exist_ok=True)
    print("A box on a stair ...", flush=True)
    run = rc.simulate(
        stair(), until=until, step=2e-3, tolerance=1e-5, record_every=5, progress=True
    )
    print(run.summary())
    way, audit = run.body("box"), run.energy
    end = "lies still" if np.abs(way.velocity[-1]).max() < 1e-9 else "still moves"
    fall = way.position[0, 2] - way.position[-1, 2]
    text = (
        f"The box fell by {fall:.2f} m and {end}; impacts took "
        f"{-audit.impact[-1]:.3g} J, sliding {-audit.sliding[-1]:.3g} J"
    )
    picture = folder / "stair.png"
    moments = _apart(way.position, 0.16)
    draw_side(run, picture, moments, "A box tumbles down a stair", text)
    print(f"{text}. Open {picture}")
    return run


def _apart(position: np.ndarray, distance: float) -> list[int]:
    """Moments between which the box has moved by so much (m), and the last."""
    moments = [0]
    for k in range(len(position)):
        if np.linalg.norm(position[k] - position[moments[-1]]) > distance:
            moments.append(k)
    return [*moments, len(position) - 1]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("out"))
    main(parser.parse_args().folder)
