"""How well reactions meet the law: one meaning everywhere.

With lambda_i the largest eigenvalue of the length-scaled block W_ii (scaling.py) and y
standing for y + C p,

    e_i(p) = | lambda_i p_i - proj_i(lambda_i p_i - y_i) |      (m/s)

is zero just when contact i obeys its law. proj_i is the projection on K for the associated
law, on [lower, upper] for an extra row, and under the exact law set by set: the normal row
on r_n >= 0, each friction set at the present normal force r_n (Acary and Bourrier 2021, (22)).
p_0 are zero reactions, or the nearest that the bounds allow. Reactions so large that y is lost
in the rounding of lambda_i p_i would seem to obey every law: e_i of a contact is never below
that rounding.

    residual         |e(p)| / |e(p_0)|, with |e|^2 = sum e_i^2 / lambda_i: no unit, and 1
                     for no reactions at all
    residual_speed   max e_i                                                     m/s
    residual_fclib   |p - proj_K(p - y_hat)| / |q| with y_hat = y + S(y) n under the exact
                     law, in the units of the data, as FCLIB has it; Siconos 4.4 divides by
                     the largest of |q|, |p| and |y|

and of the contacts alone:

    dissipation_gap  sum(r_n S(y) + y.p), exact law: the bipotential of Acary and Bourrier
                     2021, (55), zero at a solution; sum(y.p) for the associated law (J)
    cone_violation   the largest distance of a p_i from K, over the largest |p_i|
    dual_violation   the largest -u_n, or S(y) - u_n for the associated law      m/s

Why not the cone with the shift for the exact law too? Because there a contact that
penetrates at speed u_n while it slides shows an error of only u_n / sqrt(1 + mu^2 + ...):
with mu = 1e6 zero reactions would pass for a solution. Why not compare with |q|? Because
contacts that separate fast would then hide those that do not.
"""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from rollcone._check import FloatArray
from rollcone.laws.cone import FrictionCone
from rollcone.problem.bodies import PairForm
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.delassus import DelassusForm

_DRIVES: WeakKeyDictionary[ContactProblem, float] = WeakKeyDictionary()  # computed once


@dataclass(frozen=True)
class Residuals:
    """The certificate of an answer; see the module's text for the formulas."""

    residual: float
    residual_speed: float
    residual_fclib: float
    dissipation_gap: float
    cone_violation: float
    dual_violation: float


def errors(problem: ContactProblem, p: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """e of the contacts (n,) and of the extra rows (m,); y without compliance."""
    from rollcone.problem.kernels.scaling import contact_errors

    scale = problem.scaling
    soft = y + problem.compliance * p
    y_contacts, y_rows = problem.split(soft)
    p_contacts, p_rows = problem.split(p)
    e = np.empty(problem.contacts)
    contact_errors(
        problem.law == "exact",
        problem.cone.kinds,
        problem.scaled_radii,
        scale.units,
        scale.lambdas,
        float(np.abs(soft).max(initial=0.0)) or 1.0,
        y_contacts,
        p_contacts,
        e,
    )
    if not problem.extra_rows:
        return e, p_rows
    room = problem.bounds - p_rows[:, None]  # so that y is not lost beside a large p
    move = np.clip(-y_rows / scale.row_lambdas, room[:, 0], room[:, 1])
    return e, np.abs(move) * scale.row_lambdas


def error_norm(problem: ContactProblem, p: FloatArray, y: FloatArray) -> tuple[float, float]:
    """|e| in the energy norm, and max e_i in m/s."""
    return _norm(problem, *errors(problem, p, y))


def _norm(problem: ContactProblem, e: FloatArray, e_rows: FloatArray) -> tuple[float, float]:
    from rollcone.problem.kernels.scaling import weighted_norm

    size, worst = weighted_norm(e, problem.scaling.lambdas, e_rows, problem.scaling.row_lambdas)
    return size, worst


def no_reactions(problem: ContactProblem) -> FloatArray:
    """p_0 (N,): zero, or the nearest to it that the bounds allow."""
    p = np.zeros(problem.size)
    if problem.extra_rows:
        problem.split(p)[1][:] = _clip(problem, 0.0)
    return p


def drive(problem: ContactProblem) -> float:
    """|e(p_0)|, what residuals are measured against; 0 if no reactions are needed."""
    if problem not in _DRIVES:
        p = no_reactions(problem)
        y = problem.form.velocities(p) if p.any() else problem.q
        _DRIVES[problem] = error_norm(problem, p, y)[0]
    return _DRIVES[problem]


def stopping_residual(
    problem: ContactProblem, p: FloatArray, y: FloatArray, against: float
) -> tuple[float, float]:
    """(residual, residual_speed): what solvers stop by; `against` is the drive."""
    top, speed = error_norm(problem, p, y)
    if against == 0.0:  # p_0 is the answer, any other p is wholly wrong
        return (0.0 if top == 0.0 else np.inf), speed
    return top / against, speed


def rounding_residual(problem: ContactProblem, p: FloatArray, against: float) -> float:
    """The residual that reactions as large as p have at the least: what rounding hides of them."""
    from rollcone.problem.kernels.scaling import ROUNDING

    contacts = problem.split(p)[0]
    forces = np.linalg.norm(contacts / problem.scaling.units, axis=1)
    e = ROUNDING * problem.scaling.lambdas * forces
    return _norm(problem, e, np.zeros(problem.extra_rows))[0] / against


def share_residual(
    problem: ContactProblem, p: FloatArray, y: FloatArray, speeds: FloatArray, tolerance: float
) -> tuple[float, float, float]:
    """(max e_i / speeds_i, residual_speed, |e|), speeds (n + m,) of contacts and extra rows: none
    hides behind another. What rounding of its own reaction makes of e_i is not held against it.
    Unless the tolerance is very fine (_kernels.py), lambda_i r_n takes the place of a smaller
    speed."""
    from rollcone.problem.kernels.scaling import REACHABLE, worst_share

    e, e_rows = errors(problem, p, y)
    scale = problem.scaling
    n, (p_contacts, p_rows) = problem.contacts, problem.split(p)
    share = worst_share(scale.units, scale.lambdas, speeds[:n], tolerance, p_contacts, e)
    if problem.extra_rows:
        hidden = scale.row_lambdas * np.abs(p_rows)
        if isinstance(problem.form, PairForm | DelassusForm):
            hidden = np.maximum(hidden, problem.form.turnover(p)[-len(p_rows) :])
        beyond = e_rows - REACHABLE * hidden
        share = max(share, float((np.maximum(beyond, 0.0) / speeds[n:]).max()))
    size, worst = _norm(problem, e, e_rows)
    return share, worst, size


def residuals(problem: ContactProblem, p: FloatArray) -> Residuals:
    """All measures of the reactions p (N,), from the raw data."""
    y = problem.velocities(p)
    residual, speed = stopping_residual(problem, p, y, drive(problem))
    return Residuals(residual, speed, _fclib(problem, p, y), *_certificate(problem, p, y))


def _fclib(problem: ContactProblem, p: FloatArray, y: FloatArray) -> float:
    p_contacts, p_rows = problem.split(p)
    y_hat = _modified(problem, p, y)
    _, y_rows = problem.split(y + problem.compliance * p)
    away = p_contacts - problem.cone.project(p_contacts - y_hat)
    away_rows = p_rows - _clip(problem, p_rows - y_rows)
    size = float(np.linalg.norm(problem.q)) or 1.0
    return float(np.hypot(np.linalg.norm(away), np.linalg.norm(away_rows))) / size


def _certificate(
    problem: ContactProblem, p: FloatArray, y: FloatArray
) -> tuple[float, float, float]:
    """Dissipation gap, cone violation, dual violation."""
    if problem.contacts == 0:
        return 0.0, 0.0, 0.0
    p_contacts, _ = problem.split(p)
    y_contacts, _ = problem.split(y + problem.compliance * p)
    gap = float(np.sum(p_contacts * _modified(problem, p, y)))
    forces = p_contacts / problem.scaling.units
    cone = FrictionCone.from_arrays(problem.cone.kinds, problem.scaled_radii)
    outside = np.linalg.norm(forces - cone.project(forces), axis=1).max()
    largest = np.linalg.norm(forces, axis=1).max()
    least = 0.0 if problem.law == "exact" else problem.cone.shift(y_contacts)
    below = np.maximum(0.0, least - y_contacts[:, 0]).max()
    return gap, float(outside / largest) if largest > 0 else 0.0, float(below)


def _modified(problem: ContactProblem, p: FloatArray, y: FloatArray) -> FloatArray:
    """y_hat (n, d): compliance added, and the shift under the exact law."""
    y_hat = problem.split(y + problem.compliance * p)[0].copy()
    if problem.law == "exact" and problem.contacts:
        y_hat[:, 0] += problem.cone.shift(y_hat)
    return y_hat


def _clip(problem: ContactProblem, values: FloatArray | float) -> FloatArray:
    return np.clip(values, problem.bounds[:, 0], problem.bounds[:, 1])
