"""Problems of one instant: solvers, friction sets, linear complementarity, accelerations."""

from __future__ import annotations

import math

import numpy as np
from scipy import sparse

import rollcone as rc
from fingerprints.scenes.making import Arrays, floor, scene, several


def solution_arrays(solution: rc.Solution) -> Arrays:
    """Return reactions, velocities, residual history and contact modes of a solution."""
    found = {
        "reactions": solution.reactions,
        "velocities": solution.velocities,
        "row reactions": solution.row_reactions,
        "history": solution.history,
        "iterations": np.array(solution.iterations),
        "modes": solution.modes(),
        "message": np.array(solution.message),
    }
    if solution.body_velocities is not None:
        found["body velocities"] = solution.body_velocities
    return found


def solved(problem: rc.ContactProblem, solver: str, **options: object) -> Arrays:
    """Solve a problem with a limit on iterations that ends early those that converge slowly."""
    given = {"max_iterations": 200, "tolerance": 1e-9} | options
    return solution_arrays(rc.solve(problem, solver, **given))


@scene
def problems_of_all_rows() -> Arrays:
    """Both laws, both forms and all numbers of rows, by three kinds of solvers."""
    cases = {}
    for rows in (2, 3, 5, 6):
        for law in ("exact", "associated"):
            given = rc.problems.random_problem(6, rows=rows, seed=rows, law=law).problem
            for form, problem in (("body", given), ("delassus", given.to_delassus())):
                for solver in ("gauss-seidel", "apgd", "newton"):
                    cases[f"{rows} {law} {form} {solver}"] = solved(problem, solver)
    return several(cases)


@scene
def problems_by_every_solver() -> Arrays:
    """A heap at rest by every solver but the reference, which is another package's."""
    heap = rc.problems.heap(20, 1)
    names = [name for name in rc.solvers.SOLVERS if name != "reference"]
    return several({name: solved(heap, name) for name in names})


@scene
def options_of_solvers() -> Arrays:
    problem = rc.problems.random_problem(5, rows=6, seed=7).problem
    cases = {
        "exact local": ("gauss-seidel", {"local": "exact"}),
        "symmetric": ("gauss-seidel", {"order": "symmetric"}),
        "shuffled": ("gauss-seidel", {"order": "shuffled", "seed": 3}),
        "block": ("jacobi", {"B": "block", "K": "gauss-seidel"}),
        "cone": ("fixed-point", {"projection": "cone"}),
        "plain admm": ("admm", {"memory": 0}),
    }
    return several({name: solved(problem, one, **given) for name, (one, given) in cases.items()})


@scene
def problems_with_other_sets() -> Arrays:
    """Friction sets other than discs, extra rows with bounds, and compliance."""
    sets = {
        "box": {"sliding": rc.Box(0.3, 0.2)},
        "ellipse": {"sliding": rc.Ellipse(0.3, 0.2)},
        "polygon": {"sliding": rc.Polygon(0.3, 6)},
        "contensou": {"sliding": rc.Contensou(0.3, 0.02), "rolling": 0.01},
        "coupled": {"sliding": 0.3, "rolling": 0.02, "spinning": 0.01, "coupling": "ellipsoid"},
        "soft": {"sliding": 0.3, "rolling": 0.02, "spinning": 0.01, "compliance": 1e-3},
    }
    given = rc.problems.random_problem(4, rows=6, seed=8).problem.form
    cases = {}
    for name, laws in sets.items():
        problem = rc.ContactProblem.from_bodies(
            given.mass.blocks, given.H, given.v_free, given.b, rows=6, **laws
        )
        for solver in ("gauss-seidel", "apgd", "newton"):
            cases[f"{name} {solver}"] = solved(problem, solver)
    chain = rc.problems.chain(5)
    cases |= {f"chain {name}": solved(chain, name) for name in ("gauss-seidel", "newton")}
    cases["arch"] = solved(rc.problems.arch(7), "newton")
    cases["stack"] = solved(rc.problems.stack(3, push=0.5), "auto")
    return several(cases)


@scene
def linear_complementarity() -> Arrays:
    """Dense and sparse problems, with and without bounds, by every solver."""
    rng = np.random.default_rng(2)
    root = np.round(rng.normal(size=(8, 8)), 2)
    matrix, q = root @ root.T + 0.5 * np.eye(8), np.round(rng.normal(size=8), 2)
    low, high = np.where(np.arange(8) < 2, -np.inf, 0.0), np.where(np.arange(8) > 5, 0.3, np.inf)
    cases = {}
    for kind, M in (("dense", matrix), ("sparse", sparse.csc_array(matrix))):
        for solver in rc.lcp.SOLVERS:
            found = rc.lcp.solve(rc.lcp.LCP(M, q), solver)
            cases[f"{kind} {solver}"] = {"z": found.z, "message": np.array(found.message)}
        found = rc.lcp.solve(rc.lcp.MLCP(M, q, low, high))
        cases[f"{kind} bounds"] = {"z": found.z, "w": found.w}
    every = rc.lcp.all_solutions(rc.lcp.LCP([[0.0, 1.0], [1.0, 0.0]], [-1.0, -1.0]))
    cases["all"] = {"z": np.array([one.z for one in every])}
    return several(cases)


@scene
def analysis_of_accelerations() -> Arrays:
    """A pushed block, a ball between driven walls, and a rod that slides on its end."""
    block = floor(rc.ContactLaw(sliding=0.5))
    block.add_box(size=(0.6, 0.4, 0.8), mass=2.0, position=(0, 0, 0.4), force=(8, 0, 0))
    ball = floor(rc.ContactLaw(sliding=0.2))
    ball.add_plane(normal=(1, 0, 0), point=(-0.2, 0, 0), motion=lambda t: ((2 * t, 0, 0), (0,) * 3))
    ball.add_sphere(radius=0.2, mass=1.5, position=(0, 0, 0.2))
    rod = floor(rc.ContactLaw(sliding=1.6))
    lean = math.radians(30)
    centre = (0.5 * math.sin(lean), 0, 0.5 * math.cos(lean) + 0.01)
    rod.add_capsule(
        radius=0.01, length=1.0, mass=1.0, position=centre, velocity=(-2, 0, 0),
        orientation=rc.rotation((0, 1, 0), 30),
    )  # fmt: skip
    cases = {}
    for name, world in (("block", block), ("ball", ball), ("rod", rod)):
        found = rc.analyze(world)
        motions = {f"forces {k}": motion.forces for k, motion in enumerate(found.motions)}
        cases[name] = {"verdict": np.array(found.verdict), "rows": found.problem.rows} | motions
    return several(cases)
