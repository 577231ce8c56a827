"""A heap of spheres with sliding, rolling and spinning friction: one time step, solved.

Makes the problem, solves it, prints what the contacts do, draws the heap with the
load that each sphere carries, and saves the problem for `rollcone solve`.

    python examples/heap_problem.py [--spheres 400] [--folder out]
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import numpy as np

import rollcone as rc
from rollcone.problems.heap import heap_geometry


def main(spheres: int = 400, folder: Path = Path("out"), tolerance: float = 1e-4) -> rc.Solution:
    folder.mkdir(parents=True, exist_ok=True)
    print(f"A heap of {spheres} spheres. The first run compiles kernels, about half a minute ...")
    problem = rc.problems.heap(spheres, seed=1)
    rc.save_problem(problem, folder / "heap.h5")
    solution = rc.solve(problem, tolerance=tolerance)
    print(problem)
    print(solution)
    for mode, count in Counter(solution.modes().tolist()).most_common():
        print(f"{count:6d}  {mode}")
    draw(spheres, solution, folder / "heap.png")
    print(f"Wrote {folder / 'heap.h5'} and {folder / 'heap.png'}")
    return solution


def draw(spheres: int, solution: rc.Solution, path: Path) -> None:
    """The heap from the side, far spheres first, coloured by the load they carry."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Circle

    geometry = heap_geometry(spheres, seed=1)
    load = np.zeros(spheres)
    for side in (0, 1):
        real = geometry.pairs[:, side] >= 0
        np.add.at(load, geometry.pairs[real, side], solution.reactions[real, 0])
    load /= load.mean()
    order = np.argsort(-geometry.centers[:, 1])
    figure, axes = plt.subplots(figsize=(9, 3.6), dpi=150)
    circles = [Circle(geometry.centers[i, [0, 2]], geometry.radii[i]) for i in order]
    patches = PatchCollection(circles, edgecolor="black", linewidth=0.4, cmap="YlOrRd")
    patches.set_array(load[order])
    patches.set_clim(0.0, 3.0)
    axes.add_collection(patches)
    axes.axhline(0.0, color="black", linewidth=1.0)
    axes.set_aspect("equal")
    axes.autoscale_view()
    axes.set(xlabel="x (m)", ylabel="z (m)", title=f"{spheres} spheres at rest: load on each")
    figure.colorbar(patches, ax=axes, label="sum of normal forces / mean", shrink=0.8)
    figure.tight_layout()
    figure.savefig(path)
    plt.close(figure)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--spheres", type=int, default=400)
    parser.add_argument("--folder", type=Path, default=Path("out"))
    arguments = parser.parse_args()
    main(arguments.spheres, arguments.folder)
