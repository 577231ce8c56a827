"""A house of cards: it stands by friction alone, or the table is too smooth and it spreads.

Two cards that lean against each other at an angle a from the vertical, each with the weight w and
a load p on its top, push each other apart with h and stand on the table with n, about the edge on
which each stands:

    h = (w / 2 + p) (tan a - t / l),    n = w + p,    they stand if h <= mu n.

l is the height of a card, t its thickness. Without a load and thin: tan a <= 2 mu. Cards hold each
other (mu = 1); what is asked of is the table. The house has three storeys of 3, 2, 1 pairs, with
cards laid from top to top.

    python examples/card_house.py [--until 3] [--folder out]
"""

from __future__ import annotations

import argparse
import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np

import rollcone as rc
from rollcone.view.side import draw_side

WIDE, HIGH, THICK = 0.063, 0.088, 0.001  # m
LEAN = math.radians(20)
DENSITY = 900.0
PITCH = HIGH + 0.5 * THICK  # from pair to pair: cards laid side by side do not touch
LEVEL = HIGH * math.cos(LEAN) + THICK * math.sin(LEAN)  # the top of a pair


def least_friction(load: float = 0.0, lean: float = LEAN) -> float:
    """Of the table, for a pair of cards each of which carries so many times its own weight."""
    return (0.5 + load) / (1.0 + load) * (math.tan(lean) - THICK / HIGH)


def empty(table: float) -> rc.World:
    """A table with that friction."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane(material="table")
    world.set_contact_law(rc.ContactLaw(sliding=1.0))
    world.set_contact_law(rc.ContactLaw(sliding=table), "card", "table")
    return world


def add_card(world: rc.World, hulls: bool = False, **options: Any) -> None:
    """That stands, as a box or as the hull of its corners."""
    size = np.array([THICK, WIDE, HIGH])
    if hulls:
        corners = 0.5 * size * np.array(list(itertools.product((-1, 1), repeat=3)))
        world.add_convex(points=corners, density=DENSITY, material="card", **options)
    else:
        world.add_box(size=size, density=DENSITY, material="card", **options)


def add_pair(world: rc.World, x: float, z: float, lean: float = LEAN, hulls: bool = False) -> None:
    """Two cards, whose inner upper edges meet above (x, z)."""
    for side in (-1.0, 1.0):
        along = np.array([-side * math.sin(lean), 0.0, math.cos(lean)])
        outward = np.array([side * math.cos(lean), 0.0, math.sin(lean)])
        top = np.array([x, 0.0, z + HIGH * math.cos(lean)])
        add_card(
            world, hulls,
            position=top - 0.5 * HIGH * along + 0.5 * THICK * outward,
            orientation=rc.rotation((0, 1, 0), -side * math.degrees(lean)),
        )  # fmt: skip


def pair(table: float, lean: float = LEAN, load: float = 0.0, hulls: bool = False) -> rc.World:
    """One pair; with a load, a card laid on it that weighs twice as much as each of them."""
    world = empty(table)
    add_pair(world, 0.0, 0.0, lean, hulls)
    if load:
        z = HIGH * math.cos(lean) + THICK * math.sin(lean)
        weight = 2.0 * load * DENSITY * WIDE * HIGH * THICK
        world.add_box(
            size=(HIGH, WIDE, THICK), mass=weight, material="card", position=(0, 0, z + 0.5 * THICK)
        )
    return world


def house(table: float, storeys: int = 3) -> rc.World:
    world = empty(table)
    for storey in range(storeys):
        pairs, z = storeys - storey, storey * (LEVEL + THICK)
        for k in range(pairs):
            add_pair(world, (k - 0.5 * (pairs - 1)) * PITCH, z)
        for k in range(pairs - 1):
            world.add_box(
                size=(HIGH, WIDE, THICK), density=DENSITY, material="card",
                position=((k - 0.5 * (pairs - 2)) * PITCH, 0, z + LEVEL + 0.5 * THICK),
            )  # fmt: skip
    return world


def moved(run: rc.Run) -> float:
    """The largest way of a card since the start (m)."""
    position = run.states("position")
    return float(np.linalg.norm(position[-1] - position[0], axis=1).max())


def main(folder: Path = Path("out"), until: float = 3.0, storeys: int = 3) -> tuple[rc.Run, rc.Run]:
    folder.mkdir(parents=True, exist_ok=True)
    print("Cards on a table ...", flush=True)
    rough, smooth = 0.5, 0.15
    print(f"A pair needs mu = {least_friction():.4f}; under a load up to twice as much")
    stands = rc.simulate(house(rough, storeys), until=until, step=2e-3, record_every=50)
    print(stands.summary())
    falls = rc.simulate(
        house(smooth, storeys), until=min(until, 0.6), step=1e-3, tolerance=1e-4, record_every=20
    )
    words = f"mu = {rough}: moved by {moved(stands):.1g} m in {until:g} s"
    other = f"mu = {smooth}: moved by {moved(falls):.1g} m"
    draw_side(stands, folder / "card_house.png", title="A house of cards", caption=words)
    middle = len(falls.time) // 3
    draw_side(falls, folder / "card_house_falls.png", [0, middle, -1], "Too smooth", other)
    print(f"{words}. {other}. Open {folder / 'card_house.png'}")
    return stands, falls


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--until", type=float, default=3.0)
    parser.add_argument("--folder", type=Path, default=Path("out"))
    arguments = parser.parse_args()
    main(arguments.folder, arguments.until)
