"""A stone arch stands by friction and shape alone, or falls if it is too thin.

A half circle of stones under their own weight stands if it is thicker than 0.1075 of its radius
(Couplet 1730, Milankovitch 1904). Boxes make the stones: two for each, along its two faces, held
together by a fixed joint.

    python examples/stone_arch.py [--share 0.115] [--until 0.8] [--folder out]
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import numpy as np

import rollcone as rc
from rollcone.view.side import draw_side


def add_stone(
    world: rc.World, name: str, radius: float, thick: float, rays: tuple[float, float]
) -> None:
    """The stone between two rays (angles from the vertical, rad), screwed together of two boxes."""
    first, last = rays
    deep = (radius - thick / 2) * math.sin((last - first) / 2)  # so far both reach the middle
    parts = []
    for ray, inward, side in ((first, 1.0, "left"), (last, -1.0, "right")):
        along = np.array([math.sin(ray), 0.0, math.cos(ray)])
        across = inward * np.array([math.cos(ray), 0.0, -math.sin(ray)])
        parts.append(
            world.add_box(
                size=(deep, 0.5, thick),
                density=2500,
                position=radius * along + 0.5 * deep * across,
                orientation=rc.rotation((0, 1, 0), math.degrees(ray)),
                name=f"{name} {side}",
            )
        )
    world.add_joint(kind="fixed", base=parts[0], body=parts[1], name=name)


def arch(share: float, stones: int = 31, radius: float = 2.0, embrace: float = 180.0) -> rc.World:
    """An arch whose thickness is this share of its radius, on two abutments."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.set_contact_law(rc.ContactLaw(sliding=0.7))
    thick, half = share * radius, math.radians(embrace) / 2
    rays = np.linspace(-half, half, stones + 1)
    for k in range(stones):
        add_stone(world, f"stone {k}", radius, thick, (rays[k], rays[k + 1]))
    for end in (-1.0, 1.0):
        along = np.array([math.sin(end * half), 0.0, math.cos(end * half)])
        across = end * np.array([math.cos(end * half), 0.0, -math.sin(end * half)])
        world.add_box(
            size=(0.4, 1.0, 2.0 * thick),
            fixed=True,
            position=radius * along + 0.2 * across,
            orientation=rc.rotation((0, 1, 0), math.degrees(end * half)),
        )
    return world


def main(share: float = 0.115, folder: Path = Path("out"), until: float = 0.8) -> rc.Run:
    folder.mkdir(parents=True, exist_ok=True)
    print(f"An arch of {share:g} of its radius ...", flush=True)
    run = rc.simulate(arch(share), until=until, step=0.005, record_every=20, progress=True)
    print(run.summary())
    position = run.states("position")
    moved = float(np.abs(position[-1] - position[0]).max())
    text = (
        f"The arch {'stands' if moved < 1e-6 else 'falls'}: moved by {moved:.1g} m in {until:g} s"
    )
    picture = folder / "stone_arch.png"
    draw_side(run, picture, title=f"Thickness {share:g} of the radius", caption=text)
    print(f"{text}. Open {picture}")
    return run


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--share", type=float, default=0.115)
    parser.add_argument("--until", type=float, default=0.8)
    parser.add_argument("--folder", type=Path, default=Path("out"))
    arguments = parser.parse_args()
    main(arguments.share, arguments.folder, arguments.until)
