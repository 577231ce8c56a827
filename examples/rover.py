"""A rover from a URDF file drives over a low step.

Four wheels are driven by motors of a limited torque; friction between wheels and ground does the
rest. Prints how far it got, how high it stood on the way, and the slip of the wheels.

    python examples/rover.py [--flat] [--folder out]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import rollcone as rc
from rollcone.view.side import draw_side

FILE = Path(__file__).parent / "robots" / "rover.urdf"
WHEELS = ("front_left", "front_right", "rear_left", "rear_right")
RADIUS, AXLE = 0.08, -0.03  # of the wheels, and where their axles are below the chassis (m)
SPEED, MU = 4.0, 0.8  # rad/s of the wheels
STEP = 0.03  # height of the obstacle (m)


def scene(flat: bool = False) -> tuple[rc.World, rc.Robot]:
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane(name="ground")
    world.set_contact_law(rc.ContactLaw(sliding=MU))
    if not flat:
        world.add_box(
            size=(0.3, 1.0, STEP), fixed=True, position=(0.6, 0, STEP / 2), name="obstacle"
        )
    rover = rc.load_urdf(FILE, world=world, position=(0, 0, RADIUS - AXLE))
    for wheel in WHEELS:
        limit = rover.limits[wheel].effort
        rover.joints[wheel].add(rc.Motor(speed=SPEED, limit=limit))
    return world, rover


def main(folder: Path = Path("out"), until: float = 4.0, flat: bool = False) -> rc.Run:
    folder.mkdir(parents=True, exist_ok=True)
    world, rover = scene(flat)
    print("\n".join(rover.notes))
    print("A rover drives ...", flush=True)
    file = folder / "rover.h5"
    run = rc.simulate(
        world, until=until, step=5e-3, record_every=4, output=file, overwrite=True, progress=True
    )
    print(run.summary())
    way = run.body("chassis").position
    turned = np.mean([run.joint(wheel).coordinate["angle"][-1] for wheel in WHEELS])
    slip = 1.0 - way[-1, 0] / (RADIUS * turned)
    text = (
        f"In {run.time[-1]:g} s the rover drove {way[-1, 0]:.3f} m, and up by at most "
        f"{np.ptp(way[:, 2]):.3f} m; its wheels turned {slip:.1%} "
        "further than it went"
    )
    picture = folder / "rover.png"
    moments = np.linspace(0, len(run.time) - 1, 4).astype(int).tolist()
    draw_side(run, picture, moments, "A rover on its way", text)
    print(f"{text}. Open {picture} and {file}")
    return run


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--flat", action="store_true", help="without the obstacle")
    parser.add_argument("--folder", type=Path, default=Path("out"))
    arguments = parser.parse_args()
    main(arguments.folder, flat=arguments.flat)
