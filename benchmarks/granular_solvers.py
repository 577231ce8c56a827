"""Contact problems of beds of spheres, by several solvers: both laws, cold and warm.

The beds are those above. A first step from a cold start, though it meets its tolerance of 1e-3,
sets a settled bed in motion (0.2 m/s, four times what gravity adds in a step); so steps follow
until nothing is faster than 0.5 mm/s, and the problem is that of the next one. Of a flowing bed
it is that of the second step; 100,000 flowing spheres are left out, since the steps before it
take more than four minutes.

Each solver has one run to 1e-8, of 2, 5 and 15 s by the clock for the three sizes. Cells are
iterations and CPU s, setup included, to a residual of the whole problem, read from the checks of
that run (after every fourth part of the iterations so far), or in brackets the residual in the
end. Cold: no reactions to begin with. Warm: the reactions of the step before, which was solved to
1e-3, matched by pair of bodies and turned with the contact's frame; the per cent of contacts that
have one is told, others begin at zero. Warm rows of different sizes do not compare: the reactions
of 100,800 spheres were better (their first step ended at 5e-4 of the whole problem, not 3e-2).

"step's" is the Gauss-Seidel of a time step (lazy, with momentum). It stops by its own residual,
the worst contact's, so it is run anew with tighter tolerances until that of the whole problem is
met; "own residual": until its own is, in which "apgd, step's residual" is judged, too. Left
out from 11,200 spheres on: symmetric sweeps and jacobi, the slowest in flow; at 100,800 others too,
for want of time alone (spectral is the only one that gets from cold to 1e-3 at 11,200).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

import rollcone as rc
from benchmarks.beds import STEP, bed, fastest
from rollcone._check import FloatArray
from rollcone._together import together
from rollcone.problem.contact_problem import LAWS, Law
from rollcone.problem.residual import residuals
from rollcone.solvers.driver import run_solver
from rollcone.solvers.kernels.cell_solver import solve_cells
from rollcone.solvers.registry import make_options, solver_info
from rollcone.stepping.kernels.contact import reactions_from_world
from rollcone.stepping.step import Step

HEADER = ("problem", "contacts", "law", "solver", "start", "1e-3", "1e-5", "1e-8")
GOALS = (1e-3, 1e-5, 1e-8)
SOLVERS: dict[str, tuple[str, dict[str, Any]]] = {
    "gauss-seidel": ("gauss-seidel", {}),
    "gauss-seidel, relaxation 1": ("gauss-seidel", {"relaxation": 1.0}),
    "gauss-seidel, symmetric": ("gauss-seidel", {"order": "symmetric"}),
    "apgd": ("apgd", {}),
    "spectral": ("spectral", {}),
    "jacobi": ("jacobi", {}),
    "newton": ("newton", {}),
}
STEPS = {"step's": False, "step's, own residual": True}
SAME = {"apgd, step's residual": "apgd"}
SLOW = ("gauss-seidel, symmetric", "jacobi")
# About so many spheres, s for a solve, and the solvers.
SIZES: list[tuple[int, float, list[str]]] = [
    (1000, 2.0, [*SOLVERS, *STEPS, *SAME]),
    (10_000, 5.0, [*(name for name in SOLVERS if name not in SLOW), *STEPS, *SAME]),
    (100_000, 15.0, ["gauss-seidel", "apgd", "step's, own residual"]),
]
LARGE = 100_000  # spheres of a flowing bed that take too long to begin with
TIGHTER = (1.0, 0.3, 0.1, 0.03)  # times the goal: tolerances of a step
QUIET, MOST = 5e-4, 400  # m/s: a bed is settled; steps that it may take
LEAST = 20  # sweeps that a step makes of all contacts


class Case(NamedTuple):
    """`stepper`: after the step that has the problem."""

    stepper: Step
    problem: rc.ContactProblem
    known: FloatArray  # (c, d), reactions of the step before
    share: float  # of contacts that had one

    def start(self, warm: bool) -> FloatArray:
        return self.known.copy() if warm else np.zeros_like(self.known)


def case(spheres: int, flows: bool) -> Case:
    simulation = rc.Simulation(bed(spheres, flows), step=STEP, record_every=10**6)
    simulation.take_step()
    while not flows and fastest(simulation.world) > QUIET:
        if simulation.steps == MOST:
            raise RuntimeError(f"the bed still moves by {fastest(simulation.world):.0e} m/s")
        simulation.take_step()
    stepper = simulation._stepper
    kept = {name: values.copy() for name, values in stepper.kept().items()}
    simulation.take_step()
    problem = simulation.problem
    assert problem is not None
    key = stepper.contacts().key
    place = np.minimum(np.searchsorted(kept["key"], key), len(kept["key"]) - 1)
    same = kept["key"][place] == key
    force, moment = (same[:, None] * kept[name][place] for name in ("force", "moment"))
    known = np.empty_like(stepper.reactions)
    frames = stepper.space.contacts.frames[: len(key)]
    reactions_from_world(known.shape[1], frames, force, moment, known)
    return Case(stepper, problem, known, float(same.mean()))


def table() -> Iterator[tuple[str, ...]]:
    rc.set_threads(1)
    for size, limit, solvers in SIZES:
        for flows in (False, True) if size < LARGE else (False,):
            found = case(size, flows)
            spheres = len(found.stepper.world.state) - 1
            name = f"{'flowing' if flows else 'settled'}, {spheres:,}"
            for law in LAWS:
                for solver in solvers:
                    for warm in (False, True):
                        cells = cells_of(found, law, solver, warm, limit)
                        yield name, *words(found, law, solver, warm), *cells


def cells_of(found: Case, law: Law, solver: str, warm: bool, limit: float) -> list[str]:
    if solver in SAME:
        return by_step_residual(found, law, solver, warm, limit)
    return (by_step if solver in STEPS else by_solver)(found, law, solver, warm, limit)


def words(found: Case, law: str, solver: str, warm: bool) -> tuple[str, ...]:
    start = f"warm, {100 * found.share:.0f} %" if warm else "cold"
    return f"{found.problem.contacts:,}", law, solver, start


def by_solver(found: Case, law: Law, solver: str, warm: bool, limit: float) -> list[str]:
    problem, (name, options) = found.problem.with_law(law), SOLVERS[solver]
    rc.solve(problem, name, max_iterations=1, **options)  # loads what it needs
    clock = time.process_time()
    solution = rc.solve(
        problem, name, tolerance=GOALS[-1], max_iterations=10**6, time_limit=limit,
        warm_start=found.start(warm).ravel(), **options,
    )  # fmt: skip
    seconds = time.process_time() - clock
    setup = solution.setup_time / solution.time
    cells = []
    for goal in GOALS:
        met = np.flatnonzero(solution.history[:, 1] <= goal)
        if len(met):
            steps = int(solution.history[met[0], 0])
            part = setup + (1.0 - setup) * steps / max(solution.iterations, 1)
            cells.append(f"{steps}, {part * seconds:.2g} s")
    return filled(cells, solution.residual)


def by_step_residual(found: Case, law: Law, solver: str, warm: bool, limit: float) -> list[str]:
    problem, info = found.problem.with_law(law), solver_info(SAME[solver])
    options, start = make_options(info, {}), found.start(warm).ravel()
    speeds = found.stepper.space.contacts.speeds[: problem.contacts]
    run_solver(problem, info, options, start, 0.0, 1, speeds=speeds)  # loads what it needs
    cells: list[str] = []
    residual = np.inf
    for goal in GOALS:
        clock = time.process_time()
        outcome = run_solver(problem, info, options, start, goal, 10**6, limit, speeds=speeds)
        seconds, residual = time.process_time() - clock, outcome.residual
        if residual > goal:
            break
        cells.append(f"{outcome.iterations}, {seconds:.2g} s")
    return filled(cells, residual)


def by_step(found: Case, law: Law, solver: str, warm: bool, limit: float) -> list[str]:
    own, problem = STEPS[solver], found.problem.with_law(law)
    solve_as_step(found.stepper, law, found.start(warm), 0.0, LEAST)  # loads what it needs
    sweep = solve_as_step(found.stepper, law, found.start(warm), 0.0, LEAST).seconds / LEAST
    most = int(limit / sweep)
    cells: list[str] = []
    best = np.inf
    for goal in GOALS:
        for part in (1.0,) if own else TIGHTER:
            p = found.start(warm)
            solved = solve_as_step(found.stepper, law, p, part * goal, most)
            reached = solved.residual if own else residuals(problem, p.ravel()).residual
            best = min(best, reached)
            if reached <= goal:
                cells.append(f"{solved.sweeps}, {solved.seconds:.2g} s")
                break
            if solved.sweeps >= most - 1:
                return filled(cells, best)
        else:
            break
    return filled(cells, best)


class Solved(NamedTuple):
    sweeps: int  # effort, in sweeps of all contacts
    residual: float  # its own
    seconds: float  # of CPU time


def solve_as_step(stepper: Step, law: Law, p: FloatArray, tolerance: float, most: int) -> Solved:
    """From p, which becomes the answer."""
    c, work, motion = stepper.count, stepper.space.contacts, stepper.space.motion
    state = stepper.world.state
    clock = time.process_time()
    radii = stepper._solver.radii
    _, sweeps, residual, _ = together(
        solve_cells, p.shape[1], law == "exact", work.movers[:c], work.frames[:c],
        work.arms[:c], work.b[:c], radii, work.law[:c], work.limits, work.kinds,
        work.speeds[:c], motion.v_free,
        motion.w_free, motion.inverse, motion.start_position, state.size, True, tolerance, 0.0,
        LEAST, most, p, stepper.space.cells, at_most=1,
    )  # fmt: skip
    return Solved(int(sweeps), float(residual), time.process_time() - clock)


def filled(cells: list[str], residual: float) -> list[str]:
    """The first goal that is not reached has the residual, those after it nothing."""
    rest = len(GOALS) - len(cells)
    return [*cells, *[f"({residual:.0e})"][:rest], *[""] * (rest - 1)]
