"""Newton's cradle: what balls in a row do when one strikes them, with gaps and without.

Above five balls with small gaps: blow by blow the motion is handed on, and the last ball takes all.
Below one ball strikes two that touch: Newton's law u+ = -e u holds for both contacts at once, and
they part at (-1/3, 2/3, 2/3) of its speed. Both outcomes keep momentum and energy; rigid bodies
leave open which of them comes about, and the gap decides.

    python examples/newtons_cradle.py [--folder out]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import rollcone as rc
from rollcone.view.side import draw_side

RADIUS, GAP = 0.02, 0.004  # m
SPEED = 1.0  # m/s
HEIGHT = 0.1  # of the upper row over the lower, m


def rows() -> rc.World:
    world = rc.World()
    world.set_contact_law(rc.ContactLaw(sliding=0.0, restitution=1.0))

    def ball(name: str, x: float, z: float) -> None:
        first = name.endswith("1")
        world.add_sphere(
            radius=RADIUS, mass=1.0, position=(x, 0, z), velocity=(SPEED if first else 0, 0, 0),
            name=name,
        )  # fmt: skip

    pitch = 2 * RADIUS + GAP
    for k in range(5):
        ball(f"upper {k + 1}", pitch * k - (2 * RADIUS if k == 0 else 0.0), HEIGHT)
    for k in range(3):
        ball(f"lower {k + 1}", pitch + 2 * RADIUS * k - (3 * RADIUS if k == 0 else 0.0), 0.0)
    return world


def main(folder: Path = Path("out"), until: float = 0.12) -> rc.Run:
    folder.mkdir(parents=True, exist_ok=True)
    print("Balls in a row ...", flush=True)
    run = rc.simulate(rows(), until=until, step=1e-3)
    print(run.summary())
    after = run.states("velocity")[-1, :, 0] / SPEED
    upper, lower = (_words(part) for part in (after[:5], after[5:]))
    kept = np.ptp(run.energy.kinetic) / run.energy.kinetic[0]
    text = f"Velocities over that of the first: {upper} with gaps (above), {lower} without"
    picture = folder / "newtons_cradle.png"
    draw_side(run, picture, (0, -1), "Newton's cradle, e = 1", text)
    print(f"{text}.\nEnergy changed by {kept:.0e} of itself at most. Open {picture}")
    return run


def _words(values: np.ndarray) -> str:
    """To four digits, without -0."""
    return f"({', '.join(f'{value:.4g}' for value in values.round(12) + 0.0)})"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("out"))
    main(parser.parse_args().folder)
