"""A heap of spheres with sliding, rolling and spinning friction: one time step, solved.

Makes the problem, solves it, draws a cut through the heap with the load that each sphere
carries, and saves the problem for `rollcone solve`.

    python examples/heap_problem.py [--spheres 400] [--folder out]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import rollcone as rc
from rollcone.problems.heap import heap_geometry
from rollcone.view.cut import draw_cut, loads


def main(spheres: int = 400, folder: Path = Path("out"), tolerance: float = 1e-4) -> rc.Solution:
    folder.mkdir(parents=True, exist_ok=True)
    problem = rc.problems.heap(spheres, seed=1)
    print(f"Solving one time step of a heap of {spheres} spheres ...", flush=True)
    solution = rc.solve(problem, tolerance=tolerance)
    print(problem)
    print(solution)
    data, picture = folder / "heap_problem.h5", folder / "heap_problem.png"
    rc.save_problem(problem, data)
    geometry = heap_geometry(spheres, seed=1)
    load = loads(geometry.pairs, solution.reactions[:, 0], spheres)
    title = f"One time step of a heap of {spheres} spheres: load on each"
    draw_cut(geometry.centers, geometry.radii, load, picture, title)
    print(f"Open {picture}; try: .venv/bin/rollcone solve {data} --compare")
    return solution


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--spheres", type=int, default=400)
    parser.add_argument("--folder", type=Path, default=Path("out"))
    arguments = parser.parse_args()
    main(arguments.spheres, arguments.folder)
