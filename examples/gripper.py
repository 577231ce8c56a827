"""A gripper from a URDF file picks up a box.

Two fingers close on it with a motor's force, and lift it by 0.2 m. Only friction holds it: each
finger presses with N, so it carries at most mu N, and needs m g / 2. Prints both, how high the box
is, and by how much it creeps between the fingers while it is held.

    python examples/gripper.py [--folder out]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import rollcone as rc
from rollcone.view.side import draw_side

FILE = Path(__file__).parent / "robots" / "gripper.urdf"
G, MU = 9.81, 0.5
EDGE, MASS = 0.06, 0.4  # of the box, m and kg
FORCE = 20.0  # N, of the motor that closes both fingers: half of it each
LIFT, START, TIME = 0.2, 0.5, 1.5  # m, and when it is lifted (s): from START on, for TIME


def scene() -> tuple[rc.World, rc.Robot]:
    world = rc.World(gravity=(0, 0, -G))
    world.add_plane()
    world.set_contact_law(rc.ContactLaw(sliding=MU))
    world.add_box(size=(EDGE,) * 3, mass=MASS, position=(0, 0, EDGE / 2), name="box")
    hand = rc.load_urdf(FILE, world=world, fixed_base=True)
    hand.joints["left"].add(rc.Motor(speed=0.1, limit=FORCE))
    share = np.linspace(0.0, 1.0, 61)
    height = LIFT * 0.5 * (1 - np.cos(np.pi * share))  # begins and ends without a jerk
    way = rc.TimeTable(times=(START + TIME * share).tolist(), values=height.tolist())
    effort = hand.limits["lift"].effort
    hand.joints["lift"].add(rc.Motor(position=way, limit=effort, response=0.05))
    return world, hand


def main(folder: Path = Path("out"), hold: float = 1.0) -> rc.Run:
    """`hold`: how long the box is held (s)."""
    folder.mkdir(parents=True, exist_ok=True)
    world, hand = scene()
    print("\n".join(hand.notes))
    print("Gripping a box ...", flush=True)
    until = START + TIME + hold
    file = folder / "gripper.h5"
    run = rc.simulate(
        world, until=until, step=5e-3, record_every=2, output=file, overwrite=True, progress=True
    )
    print(run.summary())
    box = run.body("box").position
    height = box[-1, 2] - box[0, 2]
    grip = pressing(run, "left_finger")
    fingers = (run.body("left_finger").position + run.body("right_finger").position) / 2
    held = run.time >= START + TIME
    creep = np.ptp((box - fingers)[held], axis=0).max()
    need = MASS * G / 2
    text = (
        f"The box is {height:.4f} m up. Each finger presses with {grip:.4g} N: friction bears "
        f"up to {MU * grip:.3g} N, the box takes {need:.3g} N. In {hold:g} s it creeps by "
        f"{creep:.0e} m"
    )
    picture = folder / "gripper.png"
    draw_side(run, picture, (0, -1), "A gripper lifts a box", text)
    print(f"{text}. Open {picture} and {file}")
    return run


def pressing(run: rc.Run, finger: str) -> float:
    """The normal force between a finger and the box in the end (N)."""
    contacts = run.contacts(-1)
    pair = {run.world.body(finger).id, run.world.body("box").id}
    of_both = [set(bodies) == pair for bodies in contacts.bodies.tolist()]
    return float(contacts.reaction[of_both, 0].sum())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("out"))
    main(parser.parse_args().folder)
