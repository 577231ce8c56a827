"""How well reactions meet the law: one meaning everywhere.

With lambda_i the largest eigenvalue of the length-scaled block W_ii (scaling.py) and y
standing for y + C p,

    e_i = | lambda_i p_i - proj_i(lambda_i p_i - y_i) |      (m/s)

is zero just when contact i obeys its law. proj_i is the projection on K for the associated
law, on [lower, upper] for an extra row, and under the exact law set by set: the normal row
on r_n >= 0, each friction set at the present normal force r_n (seed paper 001 (22)).

    residual         sqrt(sum e_i^2 / lambda_i) / sqrt(sum |q_i|^2 / lambda_i)   no unit
    residual_speed   max e_i                                                     m/s
    residual_fclib   |p - proj_K(p - y_hat)| / |q| with y_hat = y + S(y) n under the exact
                     law, in the units of the data, so that figures compare with Siconos'
    dissipation_gap  sum(r_n S(y) + y.p), exact law: the bipotential of seed paper 001
                     (55), zero at a solution; sum(y.p) for the associated law (W)
    cone_violation   the largest distance of a p_i from K, over the largest |p_i|
    dual_violation   the largest S(y_hat) - y_hat_n: under the exact law -u_n    m/s

Why not the cone with the shift for the exact law too? Because there a contact that
penetrates at speed u_n while it slides shows an error of only u_n / sqrt(1 + mu^2 + ...):
with mu = 1e6 zero reactions would pass for a solution.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.scaling import length_scaled, weighted_norm


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
    from rollcone.problem._kernels import contact_errors

    scale = problem.scaling
    soft = y + problem.compliance * p
    y_contacts, y_rows = problem.split(soft)
    p_contacts, p_rows = problem.split(p)
    e = np.empty(problem.contacts)
    unit = float(np.abs(problem.q).max(initial=0.0)) or 1.0
    contact_errors(
        problem.law == "exact",
        problem.cone.kernel_kinds,
        problem.cone.radii,
        scale.lengths,
        scale.lambdas,
        unit,
        y_contacts,
        p_contacts,
        e,
    )
    return e, np.abs(
        p_rows - _clip(problem, p_rows - y_rows / scale.row_lambdas)
    ) * scale.row_lambdas


def stopping_residual(problem: ContactProblem, p: FloatArray, y: FloatArray) -> tuple[float, float]:
    """(residual, residual_speed): what solvers stop by."""
    e, e_rows = errors(problem, p, y)
    bottom = problem.drive or problem.energy_norm(y) or 1.0  # 0: nothing drives the problem
    top = weighted_norm(e, e_rows, problem.scaling)
    return top / bottom, float(max(e.max(initial=0.0), e_rows.max(initial=0.0)))


def residuals(problem: ContactProblem, p: FloatArray) -> Residuals:
    """All measures of the reactions p (N,), from the raw data."""
    y = problem.velocities(p)
    residual, speed = stopping_residual(problem, p, y)
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
    p_contacts, _ = problem.split(p)
    y_hat = _modified(problem, p, y)
    gap = float(np.sum(p_contacts * y_hat))
    lengths = problem.scaling.lengths
    outside = np.linalg.norm(
        length_scaled(p_contacts - problem.cone.project(p_contacts), 1.0 / lengths), axis=1
    )
    largest = np.linalg.norm(length_scaled(p_contacts, 1.0 / lengths), axis=1).max(initial=0.0)
    below = np.maximum(0.0, problem.cone.shift(y_hat) - y_hat[:, 0]) if problem.contacts else y_hat
    return (
        gap,
        float(outside.max(initial=0.0) / largest) if largest > 0 else 0.0,
        float(below.max(initial=0.0)),
    )


def _modified(problem: ContactProblem, p: FloatArray, y: FloatArray) -> FloatArray:
    """y_hat (n, d): compliance added, and the shift under the exact law."""
    y_hat = problem.split(y + problem.compliance * p)[0].copy()
    if problem.law == "exact" and problem.contacts:
        y_hat[:, 0] += problem.cone.shift(y_hat)
    return y_hat


def _clip(problem: ContactProblem, values: FloatArray) -> FloatArray:
    return np.clip(values, problem.bounds[:, 0], problem.bounds[:, 1])
