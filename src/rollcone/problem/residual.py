"""How well reactions meet the law: one meaning everywhere.

With lambda_i the largest eigenvalue of the length-scaled block W_ii (scaling.py),
y_hat = y + C p, plus S(y) in the normal row under the exact law, and

    e_i = | lambda_i p_i - proj_K(lambda_i p_i - y_hat_i) |      (m/s)

which is zero just when contact i obeys its law (for an extra row, proj is the
clip to its bounds):

    residual         sqrt(sum e_i^2 / lambda_i) / sqrt(sum |q_i|^2 / lambda_i)   no unit
    residual_speed   max e_i                                                     m/s
    residual_fclib   |p - proj(p - y_hat)| / |q|, in the units of the data, so that
                     figures compare with those of Siconos
    dissipation_gap  sum(r_n S(y) + y.p), exact law: the bipotential of seed paper 001
                     (55), zero at a solution; sum(y.p) for the associated law (W)
    cone_violation   the largest distance of a p_i from K, over the largest |p_i|
    dual_violation   the largest distance of a y_hat_i from K*                   m/s
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray
from rollcone.problem.contact_problem import ContactProblem


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
    return e, np.abs(p_rows - _clip(problem, p_rows - y_rows / scale.row_lambdas)) * scale.row_lambdas


def stopping_residual(
    problem: ContactProblem, p: FloatArray, y: FloatArray
) -> tuple[float, float]:
    """(residual, residual_speed): what solvers stop by."""
    scale = problem.scaling
    e, e_rows = errors(problem, p, y)
    top = _energy_norm(e, e_rows, problem)
    q_contacts, q_rows = problem.split(problem.q)
    norms = np.linalg.norm(_length_scaled(q_contacts, scale.lengths), axis=1)
    bottom = _energy_norm(norms, q_rows, problem)
    if bottom == 0.0:  # nothing drives the problem: compare with what the reactions do
        y_contacts, y_rows = problem.split(y)
        norms = np.linalg.norm(_length_scaled(y_contacts, scale.lengths), axis=1)
        bottom = _energy_norm(norms, y_rows, problem) or 1.0
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


def _certificate(problem: ContactProblem, p: FloatArray, y: FloatArray) -> tuple[float, float, float]:
    p_contacts, _ = problem.split(p)
    y_hat = _modified(problem, p, y)
    gap = float(np.sum(p_contacts * y_hat))
    lengths = problem.scaling.lengths
    outside = np.linalg.norm(
        _length_scaled(p_contacts - problem.cone.project(p_contacts), 1.0 / lengths), axis=1
    )
    largest = np.linalg.norm(_length_scaled(p_contacts, 1.0 / lengths), axis=1).max(initial=0.0)
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


def _length_scaled(rows: FloatArray, lengths: FloatArray) -> FloatArray:
    out = rows.copy()
    out[:, 3:] *= lengths[:, None]
    return out


def _energy_norm(contacts: FloatArray, rows: FloatArray, problem: ContactProblem) -> float:
    scale = problem.scaling
    first = np.linalg.norm(contacts / np.sqrt(scale.lambdas))
    return float(np.hypot(first, np.linalg.norm(rows / np.sqrt(scale.row_lambdas))))


def _clip(problem: ContactProblem, values: FloatArray) -> FloatArray:
    return np.clip(values, problem.bounds[:, 0], problem.bounds[:, 1])
