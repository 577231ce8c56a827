"""A stone arch of wedges (voussoirs): how thick it must be, and how rough.

A half circle of stones under their own weight stands if it is thicker than 0.1075 of its mean
radius, however strong the friction (Couplet 1730, Milankovitch 1904, Heyman 1966); thinner ones
open like hinges, at the crown, the haunches and the springings. Each stone is the convex hull of
its eight corners; `stone_arch.py` makes them of boxes and joints.

    python examples/arch.py [--share 0.12 0.10] [--until 0.8] [--folder out]
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import rollcone as rc

LIMIT = 0.1075  # of the mean radius
RADIUS, DEEP = 2.0, 0.5  # m
DENSITY = 2500.0


def wedge(share: float, first: float, last: float) -> np.ndarray:
    """Corners (8, 3) between two rays, angles from the vertical, in world axes."""
    radii = RADIUS * (1.0 - 0.5 * share), RADIUS * (1.0 + 0.5 * share)
    return np.array(
        [
            (r * math.sin(ray), y, r * math.cos(ray))
            for ray in (first, last)
            for r in radii
            for y in (-0.5 * DEEP, 0.5 * DEEP)
        ]
    )


def centre(share: float, angle: float) -> float:
    """How far from the axis a stone's centre of mass is (m), where its position is."""
    inner, outer = RADIUS * (1.0 - 0.5 * share), RADIUS * (1.0 + 0.5 * share)
    cubes, squares = outer**3 - inner**3, outer**2 - inner**2
    return 2.0 / 3.0 * math.cos(0.5 * angle) * cubes / squares


def arch(share: float, stones: int = 30, sliding: float = 0.7) -> rc.World:
    """Its thickness is this share of the radius; the two abutments do not move."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.set_contact_law(rc.ContactLaw(sliding=sliding))
    rays = np.linspace(-0.5 * math.pi, 0.5 * math.pi, stones + 1)
    for first, last in itertools.pairwise(rays):
        middle = 0.5 * (first + last)
        away = centre(share, last - first)
        world.add_convex(
            points=wedge(share, first, last), density=DENSITY,
            position=(away * math.sin(middle), 0.0, away * math.cos(middle)),
        )  # fmt: skip
    for side in (-1.0, 1.0):
        place = (side * RADIUS, 0.0, -0.2)
        world.add_box(size=(2.0 * share * RADIUS, 1.0, 0.4), fixed=True, position=place)
    return world


def moved(run: rc.Run) -> float:
    """The largest way of a stone since the start (m)."""
    position = run.states("position")
    return float(np.linalg.norm(position[-1] - position[0], axis=1).max())


def corners_of(run: rc.Run, share: float, stones: int, moment: int) -> list[np.ndarray]:
    """The four corners of each stone as seen from the side, (4, 2)."""
    rays = np.linspace(-0.5 * math.pi, 0.5 * math.pi, stones + 1)
    found = []
    for k in range(stones):
        place, turn = (run.states(name)[:, k] for name in ("position", "orientation"))
        first = wedge(share, rays[k], rays[k + 1])[[0, 2, 6, 4]] - place[0]
        w, y = turn[moment, 0], turn[moment, 2]  # it turns about y alone
        c, s = 1.0 - 2.0 * y * y, 2.0 * w * y
        x, z = c * first[:, 0] + s * first[:, 2], c * first[:, 2] - s * first[:, 0]
        found.append(np.column_stack([x, z]) + place[moment, [0, 2]])
    return found


def draw(runs: dict[float, rc.Run], stones: int, path: Path) -> None:
    """The end of each run; pale where the stones began."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Polygon

    figure = Figure(figsize=(5.0 * len(runs), 3.4), dpi=150, layout="constrained")
    axes = figure.subplots(1, len(runs), squeeze=False)[0]
    for one, (share, run) in zip(axes, runs.items(), strict=True):
        for moment, colour, edge in ((0, "#f3ead9", "#cccccc"), (-1, "#d9a866", "#333333")):
            for corners in corners_of(run, share, stones, moment):
                one.add_patch(Polygon(corners, facecolor=colour, edgecolor=edge, linewidth=0.6))
        one.set(xlim=(-2.5, 2.5), ylim=(-0.2, 2.4), aspect="equal", xlabel="x (m)", ylabel="z (m)")
        words = f"{share:g} of the radius: moved by {moved(run):.1g} m in {run.time[-1]:g} s"
        one.set_title(words, fontsize=9, loc="left")
    figure.savefig(path)


def main(
    shares: Sequence[float] = (0.12, 0.10),
    folder: Path = Path("out"),
    until: float = 0.8,
    stones: int = 30,
) -> dict[float, rc.Run]:
    folder.mkdir(parents=True, exist_ok=True)
    print(f"A half circle of {stones} stones needs {LIMIT} of its radius.", flush=True)
    runs = {}
    for share in shares:
        digits = None if share > LIMIT else 1e-4  # what falls takes long to twelve
        run = rc.simulate(
            arch(share, stones), until=until, step=5e-3, tolerance=digits, record_every=20
        )
        print(run.summary())
        fate = "stands" if moved(run) < 1e-6 else "falls"
        print(f"Thickness {share:g} of the radius: it {fate}, moved by {moved(run):.1g} m")
        runs[share] = run
    draw(runs, stones, folder / "arch.png")
    print(f"Open {folder / 'arch.png'}")
    return runs


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--share", type=float, nargs="+", default=[0.12, 0.10])
    parser.add_argument("--until", type=float, default=0.8)
    parser.add_argument("--folder", type=Path, default=Path("out"))
    arguments = parser.parse_args()
    main(arguments.share, arguments.folder, arguments.until)
