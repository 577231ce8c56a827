"""Reactions that prove that a problem has no solution.

Let p act on nothing, H^T p = 0, and let it be reactions that can grow without bound: in the
friction cones, in extra rows along directions without bound, zero in rows with compliance. A
solution p* could take up any multiple of p, so its velocities y* obey y*.p >= 0. But

    y*.p = (H v* + b).p = v*.(H^T p) + b.p = b.p,

so there is no solution if b.p < 0: contacts that hold each other close in, and nothing gives way
(Farkas' lemma; with W in place of H, W^T p = 0 and q.p < 0). Under the exact law y* obeys
y*.p >= 0 for sure only if p has no friction, y_n >= 0 being all that it asks of contacts that part
or slide: normal reactions alone are a proof there.

In numbers H^T p is never zero. As in rigid_part.py let p = R s, R y be speeds, v = T x; then

    imbalance   sum_b |(T^T H^T p)_b| over the sum of normal forces and extra reactions; in
                Delassus form the largest |(R W^T p)_i| over that sum
    descent     -b.p over that sum and the largest |(R b)_i|; with q for b in Delassus form

have no unit, and a solution would need a body with |x_b| of at least descent / imbalance times the
largest |(R b)_i| (in Delassus form, so large a sum of forces). Where that is over 1e10, p
counts as a proof, unless bodies are about as fast without reactions. All figures are computed from
the data as given, with what rounding may hide.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, IntArray, finite_array
from rollcone.errors import InputError
from rollcone.laws.cone import FrictionCone
from rollcone.problem.bodies import BodyForm
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.rigid_part import (
    ROUNDING,
    RigidPart,
    carriers_in_words,
    rigid_part,
    row_scale,
)

_BEYOND = 1e10  # descent over imbalance
_FASTER = 1e3  # than without reactions a body would have to be
_ZERO = 1e-11  # of a sum, as a part of what it is the sum of
_NEAR = 0.1  # imbalance over descent, of what is worth a closer look


@dataclass(frozen=True, eq=False)
class Infeasibility:
    """The proof that a problem has no solution.

    reactions        p (N,), its largest normal force 1 (or extra reaction, if there is none)
    imbalance        what p does to the bodies
    descent          how fast the contacts that carry p close in
    cone_violation   how far p is outside the cones and bounds, at the most, over its largest entry

    The figures have no unit; see the module's text for their formulas.
    """

    reactions: FloatArray
    imbalance: float
    descent: float
    cone_violation: float
    problem: ContactProblem = field(repr=False)

    @property
    def carriers(self) -> IntArray:
        """The contacts that carry p."""
        return np.flatnonzero(self.problem.split(self.reactions)[0][:, 0])

    @property
    def carrying_rows(self) -> IntArray:
        """The extra rows that do."""
        return np.flatnonzero(self.problem.split(self.reactions)[1])

    def report(self) -> str:
        """Who closes in on whom, and how well that is proven, in a sentence."""
        who = carriers_in_words(self.problem, self.carriers, self.carrying_rows)
        return (
            f"{who} close in at {self.descent:.1e} of the largest speed, against "
            f"reactions that cancel out, to {self.imbalance:.1e} of their sum"
        )


def infeasibility_of(problem: ContactProblem, p: ArrayLike) -> Infeasibility | None:
    """Do the reactions p (N,) prove that the problem has no solution? None if they do not, as
    always with friction under the exact law."""
    given = finite_array("p", p)
    if given.shape != (problem.size,):
        raise InputError(f"p of shape {given.shape}: must be ({problem.size},)")
    part = proving_part(problem)
    s = part.scaled(given)
    if not np.array_equal(part.reactions(s) != 0.0, given != 0.0):
        return None  # in a row that has two bounds, or compliance
    return judged(part, s)


def proving_part(problem: ContactProblem) -> RigidPart:
    """What can carry a proof: without friction under the exact law."""
    if problem.law == "associated":
        return rigid_part(problem)
    cone = problem.cone
    frictionless = FrictionCone.from_arrays(cone.kinds, np.zeros_like(cone.radii))
    return rigid_part(replace(problem, cone=frictionless))


def judged(part: RigidPart, s: FloatArray) -> Infeasibility | None:
    """The same for p = R s."""
    p = part.reactions(s)
    away, descent = _imbalance(part, s), _descent(part, p, s)
    if not (descent > 0.0 and away * _BEYOND <= descent and _balanced(part, p)):
        return None
    if away * _FASTER * _fastest(part, part.problem.q) > descent * _fastest(part, _given(part)):
        return None
    contacts, rows = part.problem.split(p)
    size = contacts[:, 0].max(initial=0.0) or np.abs(rows).max()
    outside = np.abs(s - part.project(s)).max() / np.abs(s).max()
    return Infeasibility(p / size, away, descent, float(outside), part.problem)


def _balanced(part: RigidPart, p: FloatArray) -> bool:
    """Is W^T p zero at every contact and row as far as its own numbers tell? In Delassus form a
    heavy body shows only as a small difference of large numbers, and must not pass for a fixed
    one; the more so the more mobilities differ."""
    problem, form = part.problem, part.problem.form
    if isinstance(form, BodyForm):
        return True
    W, scale, units = form.W.T, problem.scaling, row_scale(problem.scaling)
    left, size = (_by_contact(part, units * y) for y in (W @ p, abs(W) @ np.abs(p)))
    mobilities = np.concatenate([scale.lambdas, scale.row_lambdas])
    return bool(np.all(left <= _ZERO * mobilities.min() / mobilities.max() * size))


def _by_contact(part: RigidPart, y: FloatArray) -> FloatArray:
    """The largest entry of each contact, then the extra rows."""
    contacts, rows = part.problem.split(np.abs(y))
    return np.concatenate([contacts.max(axis=1, initial=0.0), rows])


def suspects(part: RigidPart, s: FloatArray) -> bool:
    """May there be a proof near p = R s?"""
    descent = _descent(part, part.reactions(s), s)
    return descent > 0.0 and _imbalance(part, s) <= _NEAR * descent


def _imbalance(part: RigidPart, s: FloatArray) -> float:
    """Infinite for s = 0 and outside the cones."""
    form = part.problem.form
    if isinstance(form, BodyForm):
        return part.imbalance(s)
    p, forces = part.reactions(s), _forces(part, s)
    if forces == 0.0 or not part.admits(p):
        return np.inf
    W = form.W.T
    return _fastest(part, np.abs(W @ p) + ROUNDING * (abs(W) @ np.abs(p))) / forces


def _descent(part: RigidPart, p: FloatArray, s: FloatArray) -> float:
    b = _given(part)
    most = _fastest(part, b) * _forces(part, s)
    work = b @ p + ROUNDING * (np.abs(b) @ np.abs(p))
    return float(-work / most) if most > 0.0 else 0.0


def _given(part: RigidPart) -> FloatArray:
    """b, or q in Delassus form."""
    form = part.problem.form
    return form.b if isinstance(form, BodyForm) else form.q


def _forces(part: RigidPart, s: FloatArray) -> float:
    contacts, rows = part.bare.split(np.abs(s))
    return float(contacts[:, 0].sum() + rows.sum())


def _fastest(part: RigidPart, y: FloatArray) -> float:
    """The largest |(R y)_i| of contacts and extra rows: of the rigid part in body form, else of
    all, since W^T p = 0 is asked of all."""
    problem = part.problem
    if part.T is None:
        contacts, rows = problem.split(row_scale(problem.scaling) * y)
    else:
        contacts, rows = part.bare.split(part.R * y[part.rows])
    speeds = np.concatenate([np.linalg.norm(contacts, axis=1), np.abs(rows)])
    return float(speeds.max(initial=0.0))
