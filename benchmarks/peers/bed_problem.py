"""The contact problem of a settled bed, solved by Siconos' rolling NSGS and by Rollcone.

Siconos has no spinning friction: the rows of spinning are left out, five remain. It is given
lengths in radii and masses in those of a sphere, which suits it better than SI units. Both start
cold and are judged by Rollcone's residual; times are CPU seconds, of Rollcone those of the faster
of Gauss-Seidel and APGD. SICONOS_PYTHON names a Python that has Siconos, if not the system's.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp

import rollcone as rc
from benchmarks import siconos_answers
from benchmarks.peers.run_rollcone import Rollcone
from benchmarks.peers.scene import FRAME, GRAVITY, MASS, RADIUS, Scene
from benchmarks.siconos_answers import Answer, Peer

SOLVER = "ROLLING_FRICTION_3D_NSGS"
GOALS = (1e-2, 1e-3, 1e-4, 1e-6)
LIMIT = 120.0  # CPU s for Siconos
MOST = 20_000  # iterations of ours
OURS = ("gauss-seidel", "apgd")
HEADER = (
    "contacts", "residual", "Siconos sweeps", "us per contact", "s", "Rollcone", "iterations",
    "us per contact", "s", "Siconos / Rollcone",
)  # fmt: skip


def problem_of(scene: Scene) -> rc.ContactProblem:
    """Of the last step of the time before measuring; five rows, SI units."""
    engine = Rollcone(scene, {"tolerance": 1e-2})
    engine.add(scene.position, scene.velocity)
    engine.advance(scene.lead)
    problem = engine.simulation.problem
    assert problem is not None
    return without_spinning(problem)


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


def ours(problem: rc.ContactProblem, goal: float) -> tuple[float, rc.Solution | None]:
    """CPU seconds of the fastest of ours that gets there; infinite if none does."""
    best, found = np.inf, None
    for solver in OURS:
        clock = time.process_time()
        solution = rc.solve(problem, solver=solver, tolerance=goal, max_iterations=MOST)
        seconds = time.process_time() - clock
        if solution.converged and seconds < best:
            best, found = seconds, solution
    return best, found


def rows(scene: Scene) -> Iterator[tuple[str, ...]]:
    problem = problem_of(scene)
    ours(problem, 0.5)  # kernels
    peer = siconos_answers.run(in_radii(problem), SOLVER, LIMIT)
    for goal in GOALS:
        answer = peer.first(goal)
        seconds, found = ours(problem, goal)
        yield row(problem.contacts, goal, peer, answer, seconds, found)


def row(
    contacts: int, goal: float, peer: Peer, answer: Answer | None, seconds: float,
    found: rc.Solution | None,
) -> tuple[str, ...]:  # fmt: skip
    spent = peer.answers[-1].seconds if peer.answers else 0.0
    theirs = (f"not in {spent:.0f} s" if spent else peer.note, "", "")
    own, ratio = ("not reached", "", "", ""), ""
    if answer:
        each = answer.seconds / answer.iterations / contacts
        theirs = f"{answer.iterations}", f"{1e6 * each:.2f}", f"{answer.seconds:.2f}"
    if found:
        each = seconds / found.iterations / contacts
        own = found.solver, f"{found.iterations}", f"{1e6 * each:.2f}", f"{seconds:.3f}"
        if answer:
            ratio = f"{answer.seconds / seconds:.0f}"
        elif spent:
            ratio = f"> {spent / seconds:.0f}"
    return str(contacts), f"{goal:.0e}", *theirs, *own, ratio
