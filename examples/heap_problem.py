"""A heap of spheres with sliding, rolling and spinning friction: one time step, solved.

Makes the problem, solves it, draws a cut through the heap with the load that each sphere
carries, and saves the problem for `rollcone solve`.

    python examples/heap_problem.py [--spheres 400] [--folder out]
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

import rollcone as rc
from rollcone.problems.heap import heap_geometry

CUT = 1.5  # mean radii: spheres whose centre is nearer to the plane y = 0 are in the cut
MOST = 3.0  # times the mean load: the end of the colours


def main(spheres: int = 400, folder: Path = Path("out"), tolerance: float = 1e-4) -> rc.Solution:
    folder.mkdir(parents=True, exist_ok=True)
    print("Preparing kernels; the first time this takes some seconds ...", flush=True)
    problem = rc.problems.heap(spheres, seed=1)
    rc.solve(problem, max_iterations=1)
    print(f"Solving one time step of a heap of {spheres} spheres ...", flush=True)
    solution = rc.solve(problem, tolerance=tolerance)
    print(problem)
    print(solution)
    data, picture = folder / "heap.h5", folder / "heap.png"
    rc.save_problem(problem, data)
    draw(spheres, solution, picture)
    print(f"Open {picture}; try: .venv/bin/rollcone solve {data} --compare")
    return solution


def draw(spheres: int, solution: rc.Solution, path: Path) -> None:
    """A vertical cut through the heap, in front of a pale view of the rest."""
    from matplotlib.figure import Figure

    geometry = heap_geometry(spheres, seed=1)
    load = loads(geometry.pairs, solution.reactions[:, 0], spheres)
    depth = geometry.centers[:, 1]
    in_cut = np.abs(depth) < CUT * geometry.radii.mean()
    order = np.argsort(-depth)
    front, behind = order[in_cut[order]], order[~in_cut[order]]

    figure = Figure(figsize=(9, 3.2), dpi=150, layout="constrained")
    axes = figure.add_subplot()
    rest = circles(geometry, behind, facecolor="#f4f2ee", edgecolor="#dedad3", linewidth=0.5)
    cut = circles(geometry, front, cmap="YlOrRd", edgecolor="#333333", linewidth=0.6)
    cut.set_array(load[front])
    cut.set_clim(0.0, MOST)
    axes.add_collection(rest)
    axes.add_collection(cut)
    axes.autoscale_view()
    axes.axhspan(-0.25 * geometry.radii.mean(), 0.0, color="#777777", linewidth=0)
    axes.set_ylim(bottom=-0.25 * geometry.radii.mean())
    axes.set_aspect("equal")
    axes.set(xlabel="x (m)", ylabel="z (m)")
    axes.set_title(f"One time step of a heap of {spheres} spheres: load on each", loc="left")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.colorbar(
        cut, ax=axes, label="load / mean load", extend="max", shrink=0.75, aspect=12, pad=0.01
    )
    figure.savefig(path, bbox_inches="tight", pad_inches=0.08)


def loads(pairs: Any, normal: Any, spheres: int) -> Any:
    """The sum of the normal reactions on each sphere, over the mean."""
    total = np.zeros(spheres)
    for side in (0, 1):
        real = pairs[:, side] >= 0
        np.add.at(total, pairs[real, side], normal[real])
    return total / total.mean()


def circles(geometry: Any, which: Any, **style: Any) -> Any:
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Circle

    shapes = [Circle(geometry.centers[i, [0, 2]], geometry.radii[i]) for i in which]
    return PatchCollection(shapes, **style)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--spheres", type=int, default=400)
    parser.add_argument("--folder", type=Path, default=Path("out"))
    arguments = parser.parse_args()
    main(arguments.spheres, arguments.folder)
