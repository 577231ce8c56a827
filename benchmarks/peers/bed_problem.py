"""The contact problem of a settled bed, solved by Siconos' rolling NSGS and by Rollcone.

Siconos has no spinning friction: it is left out here, five rows remain. It is given lengths in
radii and masses in those of a sphere, which suits it better than SI units. Both start cold and are
judged by Rollcone's residual; times are CPU seconds. Of Rollcone's solvers the fastest counts: that
of a time step, timed in a step with a tolerance that leads to the residual, Gauss-Seidel or
APGD. SICONOS_PYTHON names a Python that has Siconos, if not the system's.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp

import rollcone as rc
from benchmarks.peers.run_rollcone import Rollcone
from benchmarks.peers.scene import (
    DENSITY,
    FRAME,
    GRAVITY,
    MASS,
    RADIUS,
    SLIDING,
    TURNING,
    Scene,
)
from rollcone.bench import siconos_answers
from rollcone.bench.siconos_answers import Answer, Peer
from rollcone.problem.residual import residuals

SOLVER = "ROLLING_FRICTION_3D_NSGS"
GOALS = (1e-2, 1e-3, 1e-4, 1e-6)
TIGHTER = (1.0, 0.3, 0.1, 0.03)  # times the goal: tolerances of a step, whose residual is another
LIMIT = 120.0  # s for Siconos
MOST = 20_000  # iterations of ours
OURS = ("gauss-seidel", "apgd")
HEADER = (
    "contacts", "residual", "Siconos sweeps", "us per contact", "s", "Rollcone", "iterations",
    "us per contact", "s", "Siconos / Rollcone",
)  # fmt: skip


class Bed:
    """A settled bed without spinning friction, before the step whose problem is solved."""

    def __init__(self, scene: Scene) -> None:
        engine = Rollcone(scene, {"tolerance": 1e-2})
        engine.add(scene.position, scene.velocity)
        engine.advance(scene.lead)
        self.walls, self.state = scene.walls(), engine.state()

    def step(self, tolerance: float) -> rc.Simulation:
        """After one step from a cold start."""
        world = rc.World(gravity=(0, 0, -GRAVITY))
        world.set_contact_law(rc.ContactLaw(sliding=SLIDING, rolling=TURNING))
        for point, normal in self.walls:
            world.add_plane(normal=normal, point=point)
        for position, velocity, angular in zip(*self.state, strict=True):
            world.add_sphere(
                radius=RADIUS, density=DENSITY, position=position, velocity=velocity,
                angular_velocity=angular,
            )  # fmt: skip
        simulation = rc.Simulation(world, step=FRAME, tolerance=tolerance, warm_start=False)
        simulation.take_step()
        return simulation

    def problem(self) -> rc.ContactProblem:
        problem = self.step(1e-2).problem
        assert problem is not None
        return problem


def without_spinning(problem: rc.ContactProblem) -> rc.ContactProblem:
    n, form, radii = problem.contacts, problem.form, problem.cone.radii.copy()
    pairs = form.pairs(0, n, 6)
    radii[:, 4] = 0.0
    blocks, b = np.ascontiguousarray(pairs.blocks[..., :5]), form.b.reshape(n, 6)[:, :5].copy()
    factor, z = form.mass.inverse_factor, form.z_free[:-1]
    return rc.ContactProblem.from_pairs(blocks, pairs.bodies, factor, z, b, radii)


def in_radii(problem: rc.ContactProblem) -> rc.ContactProblem:
    """The same in radii, sphere masses and speeds of a step's fall."""
    units = np.tile([1.0, 1.0, 1.0, RADIUS, RADIUS], problem.contacts)
    scale = sp.diags(units)
    W = scale @ problem.to_delassus().form.W @ scale * MASS
    q = units * problem.q / (GRAVITY * FRAME)
    radii = problem.cone.radii
    return rc.ContactProblem.from_delassus(
        W.tocsr(), q, rows=5, sliding=radii[:, 0], rolling=radii[:, 2] / RADIUS
    )


def ours(problem: rc.ContactProblem, goal: float) -> tuple[float, str, int]:
    """CPU seconds, name and iterations of the fastest general solver; infinite if none does."""
    best: tuple[float, str, int] = (np.inf, "", 0)
    for solver in OURS:
        clock = time.process_time()
        solution = rc.solve(problem, solver=solver, tolerance=goal, max_iterations=MOST)
        seconds = time.process_time() - clock
        if solution.converged:
            best = min(best, (seconds, solver, solution.iterations))
    return best


def of_step(bed: Bed, goal: float) -> tuple[float, str, int]:
    """The same of the solver of a time step."""
    for part in TIGHTER:
        simulation = bed.step(part * goal)
        problem = simulation.problem
        assert problem is not None
        if residuals(problem, simulation._stepper.reactions.ravel()).residual <= goal:
            seconds = min(bed.step(part * goal).run.timing["solve"] for _ in range(3))
            return seconds, "a step's", simulation.last.iterations
    return np.inf, "", 0


def rows(scene: Scene) -> Iterator[tuple[str, ...]]:
    bed = Bed(scene)
    problem = without_spinning(bed.problem())
    ours(problem, 0.5)  # kernels
    peer = siconos_answers.run(in_radii(problem), SOLVER, LIMIT)
    for goal in GOALS:
        found = min(ours(problem, goal), of_step(bed, goal))
        yield row(problem.contacts, goal, peer, peer.first(goal), *found)


def row(
    contacts: int, goal: float, peer: Peer, answer: Answer | None, seconds: float, name: str,
    iterations: int,
) -> tuple[str, ...]:  # fmt: skip
    spent = max((each.seconds for each in peer.answers), default=0.0)
    theirs = (f"not in {spent:.0f} s" if spent else peer.note, "", "")
    own, ratio = ("not reached", "", "", ""), ""
    if answer:
        each = answer.seconds / answer.iterations / contacts
        theirs = f"{answer.iterations}", f"{1e6 * each:.2f}", f"{answer.seconds:.2f}"
    if name:
        each = seconds / iterations / contacts
        own = name, f"{iterations}", f"{1e6 * each:.2f}", f"{seconds:.3f}"
        if answer:
            ratio = f"{answer.seconds / seconds:.0f}"
        elif spent:
            ratio = f"> {spent / seconds:.0f}"
    return str(contacts), f"{goal:.0e}", *theirs, *own, ratio
