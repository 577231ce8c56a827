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


def friction(contacts, rng, facets=4, mu=0.5):
    """Bodies on fours of contacts of one plane each, friction in `facets` directions.

    z = (normal forces, pushes along the facets, sliding speeds).
    """
    bodies = 1 + contacts // 8
    normals, slides = np.zeros((contacts, 6 * bodies)), np.zeros((contacts, facets, 6 * bodies))
    angles = 2 * np.pi * np.arange(facets) / facets
    for k in range(contacts):
        body = 6 * (k // 4 % bodies)
        n, t1, t2 = np.roll(np.eye(3), k // 4, axis=0)
        arm = 0.5 * (t1 * (-1) ** (k % 2) + t2 * (-1) ** (k // 2 % 2) - n)
        normals[k, body : body + 6] = np.append(n, np.cross(arm, n))
        for f, angle in enumerate(angles):
            t = np.cos(angle) * t1 + np.sin(angle) * t2
            slides[k, f, body : body + 6] = np.append(t, np.cross(arm, t))
    rows = np.concatenate([normals, slides.reshape(-1, 6 * bodies)])
    W = rows @ np.diag(np.tile([1.0, 1, 1, 6, 6, 6], bodies)) @ rows.T
    E = np.kron(np.eye(contacts), np.ones((facets, 1)))
    zero = np.zeros((contacts, contacts))
    M = np.block([[W, np.concatenate([zero, E])], [mu * np.eye(contacts), -E.T, zero]])
    q = np.append(rows @ (rng.normal(size=6 * bodies) - 0.3), np.zeros(contacts))
    return MLCP(M, q), facets, mu
