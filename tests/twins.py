"""Slow, plain twins of what the library computes, written from the formulas alone."""

from __future__ import annotations

import numpy as np


def groups(d: int) -> list[slice]:
    """Friction rows of a contact with d rows: sliding, rolling, spinning."""
    return [slice(1, min(d, 3)), slice(3, 5), slice(5, 6)][: 1 if d < 5 else d - 3]


def shift(y, coefficients) -> float:
    """S(y) for discs."""
    return sum(c * np.linalg.norm(y[g]) for c, g in zip(coefficients, groups(len(y)), strict=False))


def project(x, coefficients) -> np.ndarray:
    """Nearest point of the cone of discs, by bisection on the normal component."""
    x = np.asarray(x, dtype=float)
    parts = [
        (c, g, np.linalg.norm(x[g])) for c, g in zip(coefficients, groups(len(x)), strict=False)
    ]

    def slope(t):
        return t - x[0] - sum(c * max(0.0, r - c * t) for c, _, r in parts)

    if slope(0.0) >= 0:
        return np.zeros_like(x)
    low, high = 0.0, abs(x[0]) + sum(c * r for c, _, r in parts) + 1.0
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if slope(middle) < 0 else (low, middle)
    out = x.copy()
    out[0] = high
    for c, g, r in parts:
        if r > c * high:
            out[g] *= c * high / r
    return out


def project_sets(x, coefficients, normal) -> np.ndarray:
    """The normal row on the half-line, each friction group on its disc at `normal`."""
    out = np.array(x, dtype=float)
    out[0] = max(out[0], 0.0)
    for c, g in zip(coefficients, groups(len(out)), strict=False):
        out[g] *= min(1.0, c * normal / max(np.linalg.norm(out[g]), 1e-300))
    return out


def contact_error(p, y, eigenvalue, coefficients, law) -> float:
    """e_i of one contact in scaled rows."""
    x = p - y / eigenvalue
    exact = law == "exact"
    near = project_sets(x, coefficients, max(p[0], 0.0)) if exact else project(x, coefficients)
    return float(eigenvalue * np.linalg.norm(p - near))


def measures(W, q, p, coefficients, law, bounds=(), compliance=0.0) -> dict[str, float]:
    """Every residual of a problem with dense W; coefficients (n, 3), rows told by W."""
    n, m = len(coefficients), len(bounds)
    d = (len(q) - m) // n
    W = W + np.diag(np.broadcast_to(compliance, len(q)))
    y = W @ p + q
    start = np.concatenate([np.zeros(n * d), [np.clip(0.0, *pair) for pair in bounds]])
    y_start = W @ start + q
    energy, drive, largest, fclib, gap = 0.0, 0.0, 0.0, 0.0, 0.0
    outside, below, size = 0.0, 0.0, 0.0
    for i in range(n):
        rows = slice(i * d, (i + 1) * d)
        block = 0.5 * (W[rows, rows] + W[rows, rows].T)
        slide = np.mean(np.diag(block)[1:3])
        roll = np.sqrt(slide / np.mean(np.diag(block)[3:5])) if d > 3 else 1.0
        spin = np.sqrt(slide / block[5, 5]) if d > 5 else 1.0
        unit = np.array([1.0, 1.0, 1.0, roll, roll, spin][:d])
        eigenvalue = np.linalg.eigvalsh(block * np.outer(unit, unit))[-1]
        scaled = coefficients[i] / np.array([1.0, roll, spin])
        y_hat = y[rows].copy()
        if law == "exact":
            y_hat[0] += shift(y[rows], coefficients[i])
        p_i = p[rows]
        e = contact_error(p_i / unit, unit * y[rows], eigenvalue, scaled, law)
        energy += e**2 / eigenvalue
        none = contact_error(start[rows] / unit, unit * y_start[rows], eigenvalue, scaled, law)
        drive += none**2 / eigenvalue
        largest = max(largest, e)
        fclib += np.sum((p_i - project(p_i - y_hat, coefficients[i])) ** 2)
        gap += p_i @ y_hat
        size = max(size, np.linalg.norm(p_i / unit))
        outside = max(outside, np.linalg.norm(p_i / unit - project(p_i / unit, scaled)))
        least = 0.0 if law == "exact" else shift(y[rows], coefficients[i])
        below = max(below, least - y[rows][0])
    for k, (lower, upper) in enumerate(bounds):
        j = n * d + k
        e = W[j, j] * abs(p[j] - np.clip(p[j] - y[j] / W[j, j], lower, upper))
        energy += e**2 / W[j, j]
        none = W[j, j] * abs(start[j] - np.clip(start[j] - y_start[j] / W[j, j], lower, upper))
        drive += none**2 / W[j, j]
        largest = max(largest, e)
        fclib += (p[j] - np.clip(p[j] - y[j], lower, upper)) ** 2
    return {
        "residual": np.sqrt(energy / drive),
        "residual_speed": largest,
        "residual_fclib": np.sqrt(fclib) / np.linalg.norm(q),
        "dissipation_gap": gap,
        "cone_violation": outside / size if size > 0 else 0.0,
        "dual_violation": max(below, 0.0),
    }
