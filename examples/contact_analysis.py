"""What happens next: a box is pushed, at four heights and forces.

It stays, it tips, it slides, it does both. Prints what contacts do, and draws the last case.

    python examples/contact_analysis.py [--folder out]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import rollcone as rc
from rollcone.view.analysis import draw_analysis

PUSHES = ((30.0, 0.2), (45.0, 0.2), (52.0, 0.0), (52.0, 0.1))  # N, m above the centre


def pushed(force: float, height: float) -> rc.World:
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane(name="floor")
    world.set_contact_law(rc.ContactLaw(sliding=0.5))
    world.add_box(
        size=(0.4, 0.4, 0.6), mass=10, position=(0, 0, 0.3), force=(force, 0, 0),
        torque=(0, height * force, 0), name="block",
    )  # fmt: skip
    return world


def main(folder: Path = Path("out")) -> list[rc.Analysis]:
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for force, height in PUSHES:
        found.append(rc.analyze(pushed(force, height)))
        print(f"{force:g} N, {height:g} m above the centre: {str(found[-1]).splitlines()[0]}")
    picture = folder / "contact_analysis.png"
    draw_analysis(found[-1], pushed(*PUSHES[-1]), picture, "A box that tips and slides")
    print(f"Open {picture}")
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("out"))
    main(parser.parse_args().folder)
