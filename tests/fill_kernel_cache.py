"""Compile the kernels that the tests use, once, before several test processes start.

Two processes share the list; each compiled kernel goes to the cache folder, from where the
test processes load it. Nothing is wrong if one is missing here: a test would compile it.
"""

from __future__ import annotations

import itertools
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from scipy import sparse

import rollcone as rc
from balls import ball
from rollcone.collision.detect import Detector
from rollcone.collision.general import Context
from rollcone.collision.parts import Parts

sys.path.insert(0, str(Path(__file__).parent / "solvers"))
from cell_cases import random_case

ROWS = (2, 3, 5, 6)
FORMS = ("body", "delassus")
SWEEPS = (("gauss-seidel", {}), ("gauss-seidel", {"local": "exact"}))
STEPS = ("apgd", {})  # all reactions at once
NEWTON = ("newton", {})  # linear equations by bodies
SHIFTED = ("fixed-point", {"projection": "cone"})


def solve(rows: int, form: str, sets: str, solver: str, options: dict[str, str]) -> None:
    """An iteration, the residuals and the modes of a small problem."""
    problem = rc.problems.random_problem(2, rows=rows, seed=1).problem
    if sets == "other":
        given = problem.form
        problem = rc.ContactProblem.from_bodies(
            given.mass.blocks, given.H, given.v_free, given.b, rows=rows, sliding=rc.Box(0.3, 0.2)
        )
    if form == "delassus":
        problem = problem.to_delassus()
    rc.solve(problem, solver, max_iterations=1, **options).modes()


def solve_ball(solver: str, options: dict[str, str]) -> None:
    """A plane contact of a body that can move in space."""
    rc.solve(ball((0, 0, -1.0), (0, 0, 0), rows=2), solver, max_iterations=1, **options)


def draw_heap() -> None:
    """The generator, and the friction sets one by one."""
    rc.problems.heap(5)
    for friction in (rc.Disc(0.3), rc.Polygon(0.3, 4)):
        friction.project(np.ones((1, 2)))
        friction.support(np.ones((1, 2)))
    rc.FrictionCone(0.3).project(np.ones(3))
    rc.FrictionCone(rc.Ellipse(0.3, 0.2)).project(np.ones(3))
    patch = rc.Contensou(0.3, 0.2)
    patch.project(np.ones((1, 3)))
    patch.support(np.ones((1, 3)))


def touch_hulls() -> None:
    """Convex parts, which are kernels of their own."""
    Context().describe(Parts().arrays(0), (np.zeros(1, dtype=np.int64), np.zeros((0, 4))), True)


def simulate(rolling: float, solver: str) -> None:
    """Two steps of a world with several shapes and bodies of unequal inertia. None of them meets as
    convex parts, so the other process compiles these."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane()
    world.add_box(size=(1, 1, 1.2), mass=1.0, position=(0, 0, 0.6))
    world.add_sphere(radius=0.2, mass=1.0, position=(0, 0, 1.4))
    world.add_sphere(radius=0.2, mass=1.0, position=(0, 0, 1.8))
    world.set_contact_law(rc.ContactLaw(sliding=0.3, rolling=rolling))
    world.add_capsule(radius=0.1, length=0.5, mass=1.0, position=(2, 0, 0.35))
    for scheme in (rc.GapAhead(), rc.DVI(), rc.MoreauJean(), rc.MoreauMidpoint()):
        rc.simulate(world, until=2e-3, step=1e-3, scheme=scheme, solver=solver).summary()
    for model in ("polygonal", "regularised"):
        rc.simulate(world, until=2e-3, step=1e-3, friction_model=model).summary()


def simulate_sets() -> None:
    """Two steps of a disk whose friction is coupled and along its contour."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane()
    world.add_disk(
        radius=0.2, mass=1.0, position=(0, 0, 0.1), orientation=rc.rotation((1, 0, 0), 30)
    )
    law = rc.ContactLaw(sliding=0.3, contact_radius=0.01, contour=0.01)
    world.set_contact_law(law)
    rc.simulate(world, until=2e-3, step=1e-3).summary()


def turn_a_joint() -> None:
    """A hinge with all that acts on one, alone and beside a compliant contact."""
    for touching in (False, True):
        world = rc.World(gravity=(0, 0, -9.81))
        law = rc.ContactLaw(compliance=1e-7 if touching else 0.0)
        world.set_contact_law(law)
        body = world.add_box(size=(1, 0.1, 0.2), mass=1.0, position=(0.5, 0, 0))
        elements = [
            rc.Motor(speed=1.0, limit=2.0),
            rc.Limits(upper=1.0),
            rc.JointFriction(limit=0.1, coefficient=0.1, radius=0.01),
            rc.Spring(stiffness=1.0),
        ]
        hinge = {"point": (0, 0, 0), "axis": (0, 1, 0), "angle": elements}
        world.add_joint(kind="revolute", body=body, **hinge)
        if touching:
            world.add_plane(point=(0, 0, -0.1))
        rc.simulate(world, until=2e-3, step=1e-3).summary()


def find_contacts() -> None:
    """Detection by itself."""
    world = rc.World()
    world.add_plane()
    world.add_sphere(radius=1, mass=1, position=(0, 0, 1))
    none = np.zeros((2, 3))
    Detector().detect(world.state, none, none, 0.0, np.zeros(2))


def solve_a_step() -> None:
    """The solve of a step by itself, as threads call it."""
    random_case(0).solve(most=1)


def follow_paths() -> None:
    """Interior points under both laws, along paths with and without turns."""
    for law in ("exact", "associated"):
        rc.solve(rc.problems.heap(60, 5, rows=5, law=law), "interior-point", tolerance=1e-12)


def complementarity() -> None:
    """Sparse and dense problems, with and without free variables, by every solver."""
    M = np.array([[2.0, -1.0], [1.0, 2.0]])
    for matrix in (M, sparse.csc_array(M)):
        rc.lcp.solve(rc.lcp.MLCP(matrix, [1.0, -1.0], [-np.inf, 0.0]))
        for solver in rc.lcp.SOLVERS:
            rc.lcp.solve(rc.lcp.LCP(matrix, [1.0, -1.0]), solver)


def work() -> list[tuple[object, ...]]:
    discs = [(*choice, "disc") for choice in itertools.product(ROWS, FORMS)]
    others = [(3, "delassus", "other"), (6, "delassus", "other"), (6, "body", "other")]
    swept = [(solve, *kind, *sweep) for sweep in SWEEPS for kind in discs]
    swept += [(solve, *kind, *SWEEPS[0]) for kind in others]
    stepped = [(solve, *kind, *STEPS) for kind in (*discs[::2], *others)]
    stepped += [(solve, *kind, *SHIFTED) for kind in (discs[0], others[0])]
    stepped += [(solve, *kind, *NEWTON) for kind in discs[::2]]
    balls = [(solve_ball, *sweep) for sweep in SWEEPS]
    # Steps take most of the time, those with other sets than discs again as much: one process
    # begins with the former, the other comes to the latter when what both call is there to be
    # loaded. Then what needs steps, long ones first.
    steps, other_solver = [(simulate, 0.01, solver) for solver in ("gauss-seidel", "apgd")]
    long = [
        steps,
        (touch_hulls,),
        (follow_paths,),
        (simulate_sets,),
        (turn_a_joint,),
        (solve_a_step,),
    ]
    short = [(complementarity,), (draw_heap,), (find_contacts,), other_solver]
    return [*long, *short, *swept, *balls, *stepped]


def run(job: tuple[object, ...]) -> None:
    job[0](*job[1:])  # type: ignore[operator]


if __name__ == "__main__":
    clock = time.perf_counter()
    print("Filling the kernel cache ...", end=" ", flush=True)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        list(pool.map(run, work()))
    print(f"{time.perf_counter() - clock:.0f} s")
    sys.exit(0)
