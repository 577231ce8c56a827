"""A motion under Coulomb's law with its exact cone (Pang and Trinkle 1996, (6) to (12)).

No method finds an answer whenever there is one, so several take turns until one is certified: see
`solve_cone`. In problems whose resting blocks are all intervals pyramid and cone are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray, bounded_array, whole_number
from rollcone.analysis.acceleration.gauss_newton import gauss_newton
from rollcone.analysis.acceleration.mode_newton import polish
from rollcone.analysis.acceleration.motion import Motion
from rollcone.analysis.acceleration.natural_map import follow, natural_newton
from rollcone.analysis.acceleration.problem import AccelerationProblem
from rollcone.analysis.acceleration.pyramid import PyramidLCP
from rollcone.analysis.acceleration.qvi import solve_qvi
from rollcone.analysis.acceleration.scaled import Scaled, scaled
from rollcone.errors import InputError, RollconeError
from rollcone.lcp import solve as solve_lcp
from rollcone.problem.contact_problem import ContactProblem
from rollcone.solvers.driver import solve as solve_contacts

_ATTEMPTS = 10


@dataclass(frozen=True, eq=False)
class ConeAnswer:
    """motion   certified, or None: none was found, which does not say that there is none
    tried    (solver, residual) in turn; the last is that of `motion`
    """

    motion: Motion | None
    tried: tuple[tuple[str, float], ...]

    @property
    def certified(self) -> bool:
        return self.motion is not None


Attempt = tuple[str, Callable[[], FloatArray]]


def solve_cone(
    problem: AccelerationProblem,
    *,
    start: FloatArray | None = None,
    attempts: int = _ATTEMPTS,
    seed: int = 0,
) -> ConeAnswer:
    """The first certified motion that one of these finds:

    the modes of forces `start` (c, d), and those of Lemke's answer under the pyramid; if no block
    with friction moves, the QVI and a solver for velocities, whose law is the same; a path of
    stiffness to the natural map; Gauss-Newton on (33) from zero and from Lemke's answer; a path of
    friction; and Newton's method from random forces, `attempts` times.

    None found is not a proof that there is none, nor is one found a proof that it is the only one.
    """
    attempts = whole_number("attempts", attempts)
    form = scaled(problem)
    tried: list[tuple[str, float]] = []
    for name, attempt in _turns(form, start, attempts, seed):
        x = attempt()
        if not np.isfinite(x).all():
            tried.append((name, np.inf))
            continue
        motion = form.motion(x, name)
        tried.append((name, motion.residual))
        if motion.certified:
            return ConeAnswer(motion, tuple(tried))
    return ConeAnswer(None, tuple(tried))


def _turns(form: Scaled, start: FloatArray | None, attempts: int, seed: int) -> Iterator[Attempt]:
    problem, zero = form.reduced.problem, np.zeros(form.size)
    if start is not None:
        given = bounded_array("start", start)
        if given.shape != problem.rows.shape[:2]:
            raise InputError(f"start of shape {given.shape}: must be {problem.rows.shape[:2]}")
        yield "start", lambda: polish(form, form.unknowns(given))
    first = pyramid_forces(form)
    if problem.planar:
        yield "lemke", lambda: first
    yield "lemke modes", lambda: polish(form, first)
    if problem.all_rest:
        yield "qvi", lambda: solve_qvi(form, first)
        yield "newton", lambda: polish(form, velocity_forces(form, "newton"))
    yield "stiffness path", lambda: follow(form, zero, "stiffness")
    yield "gauss-newton", lambda: gauss_newton(form, zero)
    yield "gauss-newton, lemke", lambda: gauss_newton(form, first)
    yield "friction path", lambda: follow(form, zero, "friction")
    if problem.all_rest:
        yield "hybrid", lambda: polish(form, velocity_forces(form, "hybrid"))
    rng = np.random.default_rng(seed)
    for _ in range(attempts):
        x = rng.normal(size=form.size) * np.exp(rng.normal())
        x[form.normals] = np.abs(x[form.normals])
        yield "random start", lambda x=x: polish(form, natural_newton(form, x))  # type: ignore[misc]


def pyramid_forces(form: Scaled) -> FloatArray:
    """Unknowns of Lemke's answer under the pyramid, or of where it ended, if it found none."""
    pyramid = PyramidLCP(form.reduced.problem)
    answer = solve_lcp(pyramid.lcp, "lemke")
    x = form.unknowns(pyramid.motion(answer.z).forces)
    return x if np.isfinite(x).all() else np.zeros(form.size)


def velocity_forces(form: Scaled, solver: str) -> FloatArray:
    """Unknowns by a solver for velocities: with accelerations in their place its law is (6) to
    (12), where no block with friction moves."""
    problem = form.reduced.problem
    c, d = problem.contacts, max(problem.rows_per_contact, 2)
    A = np.zeros((c, d, c, d))
    b = np.zeros((c, d))
    radii = np.zeros((c, 3))
    radii[:, : problem.friction.shape[1]] = problem.friction
    own = problem.rows_per_contact
    A[:, :own, :, :own] = problem.A.reshape(c, own, c, own)
    b[:, :own] = problem.b.reshape(c, own)
    try:
        contacts = ContactProblem.from_delassus(
            A.reshape(c * d, c * d),
            b.ravel(),
            sliding=radii[:, 0],
            rolling=radii[:, 1],
            spinning=radii[:, 2],
            rows=d,
        )
        answer = solve_contacts(contacts, solver, tolerance=1e-12, time_limit=1.0)
    except RollconeError:  # what it refuses is no error here
        return np.zeros(form.size)
    return form.unknowns(answer.reactions.reshape(c, d)[:, :own])
