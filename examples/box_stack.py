"""A stack of boxes that stands, and goes on standing.

Ten boxes, each on top of the other, for a minute: prints how far they have crept.

    python examples/box_stack.py [--boxes 10] [--until 60] [--folder out]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import rollcone as rc
from rollcone.view.side import draw_side

EDGE = 0.1  # m


def stack(boxes: int) -> rc.World:
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane(normal=(0, 0, 1))
    world.set_contact_law(rc.ContactLaw(sliding=0.5))
    for k in range(boxes):
        world.add_box(size=(EDGE,) * 3, density=1000, position=(0, 0, (k + 0.5) * EDGE))
    return world


def main(boxes: int = 10, folder: Path = Path("out"), until: float = 60.0) -> rc.Run:
    folder.mkdir(parents=True, exist_ok=True)
    print(f"Stacking {boxes} boxes ...", flush=True)
    run = rc.simulate(stack(boxes), until=until, step=5e-3, record_every=20, progress=True)
    print(run.summary())
    position = run.states("position")
    creep = np.abs(position - position[0]).max() / EDGE
    text = f"In {until:g} s no box has moved by more than {creep:.0e} of its edge"
    picture = folder / "box_stack.png"
    draw_side(run, picture, title=f"{boxes} boxes at rest", caption=text)
    print(f"{text}. Open {picture}")
    return run


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boxes", type=int, default=10)
    parser.add_argument("--until", type=float, default=60.0)
    parser.add_argument("--folder", type=Path, default=Path("out"))
    arguments = parser.parse_args()
    main(arguments.boxes, arguments.folder, arguments.until)
