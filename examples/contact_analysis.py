"""What happens next: a box is pushed, harder and harder.

It stays, it tips, it tips and slides. Prints what contacts do, and draws the last case.

    python examples/contact_analysis.py [--folder out]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import rollcone as rc
from rollcone.view.analysis import draw_analysis

HEIGHT = 0.2  # m, of the push above the centre


def pushed(force: float) -> rc.World:
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane(name="floor")
    world.set_contact_law(rc.ContactLaw(sliding=0.5))
    world.add_box(
        size=(0.4, 0.4, 0.6), mass=10, position=(0, 0, 0.3), force=(force, 0, 0),
        torque=(0, HEIGHT * force, 0), name="block",
    )  # fmt: skip
    return world


def main(folder: Path = Path("out")) -> dict[float, rc.Analysis]:
    folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for force in (30.0, 42.0, 60.0):
        found[force] = rc.analyze(pushed(force))
        (first, *_) = str(found[force]).splitlines()
        print(f"{force:g} N: {first}")
    picture = folder / "contact_analysis.png"
    draw_analysis(found[60.0], pushed(60.0), picture, "A box that is pushed with 60 N")
    print(f"Open {picture}")
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("out"))
    main(parser.parse_args().folder)
