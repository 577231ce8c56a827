"""Random complementarity problems of every kind, and a check of answers that uses no solver."""

import numpy as np

from rollcone.lcp import MLCP

KINDS = ("p", "psd", "copositive", "degenerate", "bounded", "mixed", "none")


def draw(kind, n, rng):
    """A problem of one kind, with a solution unless the kind is "none"."""
    skew = rng.normal(size=(n, n))
    skew -= skew.T
    A = rng.normal(size=(n, n))
    definite = A @ A.T / n + 0.1 * np.eye(n) + skew * rng.integers(0, 2)
    low, infinite = np.zeros(n), np.full(n, np.inf)
    if kind == "p":
        return MLCP(definite, rng.normal(size=n))
    if kind == "psd":
        thin = A[:, : max(1, n // 2)]
        M = thin @ thin.T / n
        return MLCP(M, _solvable(M, rng))
    if kind == "copositive":  # strictly: all entries are positive
        return MLCP(rng.random((n, n)) + 0.01, rng.normal(size=n))
    if kind == "degenerate":
        M = np.tril(rng.integers(-2, 3, (n, n)), -1) + np.eye(n)  # a P matrix
        return MLCP(M, rng.integers(-1, 2, n).astype(float))
    if kind == "bounded":
        lower = rng.choice([-1.0, 0.0, -np.inf], n)
        upper = rng.choice([0.5, 1.0, np.inf, 0.0], n)
        return MLCP(definite, rng.normal(size=n), lower, upper)
    if kind == "mixed":
        free = rng.random(n) < 0.4
        return MLCP(definite, rng.normal(size=n), np.where(free, -np.inf, low), infinite)
    assert kind == "none"
    d = np.where(rng.random(n) < 0.6, rng.random(n), 0.0)
    d[rng.integers(n)] = 1.0
    away = np.eye(n) - np.outer(d, d) / (d @ d)
    M = away @ definite @ away  # M d = 0 and M^T d = 0, monotone
    q = rng.normal(size=n)
    return MLCP(M, q - d * (q @ d + 0.1 + rng.random()) / (d @ d))  # q.d < 0


def _solvable(M, rng):
    """q of a problem with a solution, some pairs zero on both sides."""
    n = len(M)
    z = np.maximum(rng.normal(size=n), 0.0)
    w = np.where(z == 0.0, np.maximum(rng.normal(size=n), 0.0), 0.0)
    return w - M @ z


def is_solution(problem, z, tolerance=1e-8):
    """By the definition, with one absolute tolerance: the data are of size 1."""
    M = problem.M.toarray() if problem.is_sparse else problem.M
    w = M @ z + problem.q
    size = 1.0 + np.abs(z).max()
    within = np.all(z >= problem.lower - tolerance) and np.all(z <= problem.upper + tolerance)
    for i in range(problem.size):
        above = z[i] > problem.lower[i] + tolerance * size
        below = z[i] < problem.upper[i] - tolerance * size
        if above and w[i] > tolerance * size:
            return False
        if below and w[i] < -tolerance * size:
            return False
    return bool(within)


def box_on_points(count):
    """W = H M^-1 H^T and q of a box that rests on `count` corners and middles of its edges."""
    corners = [(-1, -1), (-1, 1), (1, -1), (1, 1), (-1, 0), (1, 0), (0, -1), (0, 1)][:count]
    H = np.array([(1.0, y, -x) for x, y in corners])  # vertical, and two turns
    inverse_mass = np.diag([1.0, 1.5, 1.5])
    return H @ inverse_mass @ H.T, H @ np.array([-1.0, 0.0, 0.0])
