"""Spheres poured into a heap that rolling friction holds together.

Drops layers of spheres on a floor, simulates until they rest, draws a cut through the heap with
the load that each sphere carries, and saves the last contact problem for `rollcone solve`.

    python examples/pour_heap.py [--spheres 300] [--folder out]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import rollcone as rc
from rollcone.view.cut import draw_cut, loads

RADIUS = 0.0225  # m
SIDE = 5  # spheres along each side of a layer


def pouring(spheres: int, seed: int = 1) -> rc.World:
    """Layers above each other, each with its own offset: aligned columns would stand as towers."""
    random = np.random.default_rng(seed)
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane(normal=(0, 0, 1))
    length = 0.3 * RADIUS
    world.set_contact_law(rc.ContactLaw(sliding=0.6, rolling=length, spinning=length))
    grid = 2.6 * RADIUS * (np.arange(SIDE) - 0.5 * (SIDE - 1))
    for k in range(spheres):
        layer, place = divmod(k, SIDE**2)
        if place == 0:
            offset = random.uniform(-0.5, 0.5, 2) * RADIUS
        jitter = random.uniform(-0.2, 0.2, 2) * RADIUS
        x, y = offset + jitter + grid[list(divmod(place, SIDE))]
        world.add_sphere(
            radius=RADIUS * random.uniform(0.9, 1.1),
            density=2500,
            position=(x, y, (2 + 2.6 * layer) * RADIUS),
        )
    return world


def main(spheres: int = 300, folder: Path = Path("out"), until: float = 2.0) -> rc.Run:
    folder.mkdir(parents=True, exist_ok=True)
    print(f"Pouring {spheres} spheres; the first time kernels are compiled ...", flush=True)
    world = pouring(spheres)
    simulation = rc.Simulation(world, step=2e-3, tolerance=1e-3, record_every=10)
    run = simulation.advance(until, progress=True)
    print(run.summary())
    centers = run.states("position")[-1, 1:]
    contacts = run.contacts(-1)
    load = loads(contacts.bodies, contacts.reaction[:, 0], len(world.state))[1:]
    data, picture = folder / "heap.h5", folder / "heap.png"
    draw_cut(
        centers, world.state.size[1:, 0], load, picture, f"{spheres} spheres poured into a heap"
    )
    rc.save_problem(simulation.problem, data)
    print(f"Open {picture}; the last step's contact problem is {data}")
    return run


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--spheres", type=int, default=300)
    parser.add_argument("--folder", type=Path, default=Path("out"))
    arguments = parser.parse_args()
    main(arguments.spheres, arguments.folder)
