"""Compiled parts of the residual: scaling of contact blocks, errors of the law, their norm."""

from __future__ import annotations

import math

from rollcone._build.kernels import entry, inlined
from rollcone._build.signatures import Float1, Float2, Float3, Int2
from rollcone.laws.kernels.sets import project_contact
from rollcone.problem.kernels.eigen import largest_eigenvalue

ROUNDING = 2.0**-53
# No solver gets the error of a contact below this share of lambda |p|.
REACHABLE = 2.0**-48
_OWN = 1e-6


@entry
def scale_contacts(
    blocks: Float3, row_lambdas: Float1, work: Float2, units: Float2, lambdas: Float1
) -> None:
    """Lengths (n, d) and the largest eigenvalues (n,) of scaling.py, from the blocks W_ii."""
    d = blocks.shape[1]
    largest = 0.0
    for i in range(blocks.shape[0]):
        for k in range(d):
            units[i, k] = 1.0
        if d > 3:
            slide = 0.5 * (blocks[i, 1, 1] + blocks[i, 2, 2])
            roll = 0.5 * (blocks[i, 3, 3] + blocks[i, 4, 4])
            slide = slide if slide > 0.0 else blocks[i, 0, 0]
            spin = blocks[i, 5, 5] if d > 5 else roll
            turn = roll if roll > 0.0 else spin
            if slide > 0.0 and turn > 0.0:
                units[i, 3] = units[i, 4] = math.sqrt(slide / turn)
            turn = spin if spin > 0.0 else roll
            if d > 5 and slide > 0.0 and turn > 0.0:
                units[i, 5] = math.sqrt(slide / turn)
        lambdas[i] = largest_of_scaled(blocks, units, i, work)
        largest = max(largest, lambdas[i])
    for k in range(row_lambdas.shape[0]):
        largest = max(largest, row_lambdas[k])
    largest = largest if largest > 0.0 else 1.0
    put_for_zero(lambdas, largest)
    put_for_zero(row_lambdas, largest)


@inlined
def put_for_zero(values, value):
    for i in range(values.shape[0]):
        values[i] = values[i] if values[i] > 0.0 else value


@entry
def scale_radii(radii: Float2, units: Float2, out: Float2) -> None:
    """Friction coefficients (n, 5) where reactions (n, d) are divided by `units`."""
    d = units.shape[1]
    for i in range(radii.shape[0]):
        for k in range(5):
            row = 1 if k < 2 else 3 if k < 4 else 5
            out[i, k] = radii[i, k] * units[i, 0] / units[i, row] if row < d else radii[i, k]


@entry
def largest_eigenvalues(blocks: Float3, D: Float2, work: Float2, out: Float1) -> None:
    """Of the symmetric part of D W_ii D for every block (n, d, d), D (n, d)."""
    for i in range(blocks.shape[0]):
        out[i] = largest_of_scaled(blocks, D, i, work)


@inlined
def largest_of_scaled(blocks, D, i, work):
    d = blocks.shape[1]
    for k in range(d):
        for m in range(k + 1):
            entry = 0.5 * (blocks[i, k, m] + blocks[i, m, k])
            work[k, m] = entry * D[i, k] * D[i, m]
    return largest_eigenvalue(work)


@entry
def contact_errors(
    exact: bool,
    kinds: Int2,
    radii: Float2,
    units: Float2,
    lambdas: Float1,
    speed: float,
    y: Float2,
    p: Float2,
    errors: Float1,
) -> None:
    """e_i = |lambda_i p_i - proj_i(lambda_i p_i - y_i)| in rows scaled by `units` (n, d).

    radii are those of the scaled rows. `speed` is divided out before anything is squared.
    No e_i is below what rounding hides: ROUNDING |lambda_i p_i|.
    """
    n, d = y.shape
    for i in range(n):
        slide, roll = kinds[i, 0], kinds[i, 1]
        a1, b1, a2, b2, spin = radii[i, 0], radii[i, 1], radii[i, 2], radii[i, 3], radii[i, 4]
        f = lambdas[i] / speed
        p0, p1 = p[i, 0] * f, p[i, 1] * f
        p2 = p[i, 2] * f if d > 2 else 0.0
        p3 = p[i, 3] * f / units[i, 3] if d > 3 else 0.0
        p4 = p[i, 4] * f / units[i, 4] if d > 3 else 0.0
        p5 = p[i, 5] * f / units[i, 5] if d > 5 else 0.0
        x0, x1 = p0 - y[i, 0] / speed, p1 - y[i, 1] / speed
        x2 = p2 - y[i, 2] / speed if d > 2 else 0.0
        x3 = p3 - y[i, 3] * units[i, 3] / speed if d > 3 else 0.0
        x4 = p4 - y[i, 4] * units[i, 4] / speed if d > 3 else 0.0
        x5 = p5 - y[i, 5] * units[i, 5] / speed if d > 5 else 0.0
        normal = max(p0, 0.0)
        x = project_contact(
            exact, slide, a1, b1, roll, a2, b2, spin, normal, x0, x1, x2, x3, x4, x5
        )
        square = (p0 - x[0]) ** 2 + (p1 - x[1]) ** 2 + (p2 - x[2]) ** 2
        square += (p3 - x[3]) ** 2 + (p4 - x[4]) ** 2 + (p5 - x[5]) ** 2
        hidden = p0 * p0 + p1 * p1 + p2 * p2 + p3 * p3 + p4 * p4 + p5 * p5
        errors[i] = speed * math.sqrt(max(square, ROUNDING * ROUNDING * hidden))


@inlined
def own_part(tolerance):
    """Errors count over what a contact's own reaction does, too (1), or not (0): where a tolerance
    is so fine, rest is wanted to the last digits."""
    return 1.0 if tolerance > _OWN else 0.0


@entry
def worst_share(
    units: Float2, lambdas: Float1, speeds: Float1, tolerance: float, p: Float2, errors: Float1
) -> float:
    """max e_i / max(speeds_i, own_part lambda_i r_n), at least 0, without what rounding of the
    reaction makes of e_i; NaN if one of them is."""
    worst = 0.0
    for i in range(errors.shape[0]):
        force = 0.0
        for k in range(p.shape[1]):
            force = max(force, abs(p[i, k] / units[i, k]))
        own = max(speeds[i], own_part(tolerance) * lambdas[i] * p[i, 0])
        share = (errors[i] - REACHABLE * lambdas[i] * force) / own
        if share > worst or math.isnan(share):
            worst = share
    return worst


@entry
def weighted_norm(
    errors: Float1, lambdas: Float1, row_errors: Float1, row_lambdas: Float1
) -> tuple[float, float]:
    """sqrt(sum e_i^2 / lambda_i), the root of an energy, and the largest e_i."""
    largest, worst = largest_errors(errors, lambdas, 0.0, 0.0)
    largest, worst = largest_errors(row_errors, row_lambdas, largest, worst)
    if not 0.0 < largest < math.inf:
        return largest, worst
    total = add_squares(errors, lambdas, largest, 0.0)
    total = add_squares(row_errors, row_lambdas, largest, total)
    return largest * math.sqrt(total), worst


@inlined
def largest_errors(errors, lambdas, largest, worst):
    for i in range(errors.shape[0]):
        if not errors[i] < math.inf:
            return math.inf, math.inf
        largest = max(largest, errors[i] / math.sqrt(lambdas[i]))
        worst = max(worst, errors[i])
    return largest, worst


@inlined
def add_squares(errors, lambdas, largest, total):
    for i in range(errors.shape[0]):
        total += (errors[i] / math.sqrt(lambdas[i]) / largest) ** 2
    return total
