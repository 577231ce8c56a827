"""Semismooth Newton on the natural map of the reduced problem, along a path of easier problems.

    G_n     = p_n - max(p_n - a_n, 0)
    G_block = p_block - proj(p_block - a_block),  on the disc of radius max(p_n - a_n, 0) times its own

(Alart and Curnier 1991), zero at answers and nowhere else. It holds for unsymmetric A~, thus with
sliding contacts too. Two paths lead to the problem: stiffness, a = (A~ + epsilon I) p + b~ with
epsilon to zero as in the proof of Theorem 5, whose first problem is easy; and friction, with all
radii grown from zero.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.acceleration.mode_newton import EXACT, polish
from rollcone.analysis.acceleration.scaled import Scaled

_STEPS = 30
_SMALL = 1e-11


def natural_newton(form: Scaled, x: FloatArray) -> FloatArray:
    """Damped steps from x (n,); the last of them."""
    G, J = _evaluate(form, x)
    damping = 1e-8
    for _ in range(_STEPS):
        size = float(np.linalg.norm(G))
        if size <= _SMALL:
            break
        square, down = J.T @ J, J.T @ G
        for _ in range(8):
            step = -np.linalg.solve(square + damping * np.eye(len(x)), down)
            trial = [(x + length * step) for length in (1.0, 0.4, 0.1)]
            values = [_evaluate(form, new) for new in trial]
            sizes = [float(np.linalg.norm(value[0])) for value in values]
            if min(sizes) < (1.0 - 1e-4) * size:
                break
            damping *= 30.0
        else:
            break
        i = int(np.argmin(sizes))
        x, (G, J) = trial[i], values[i]
        damping = max(0.1 * damping, 1e-12)
    return x


def follow(form: Scaled, x: FloatArray, path: str) -> FloatArray:
    """The best forces met along a path, 'stiffness' or 'friction', from x."""
    best, least = x, form.error(x)
    for easier, near in _path(form, path):
        x = natural_newton(easier, x)
        if not near:
            continue
        found = polish(form, x)
        error = form.error(found)
        if error < least:
            best, least = found, error
        if least <= EXACT:
            break
    return best


def _path(form: Scaled, path: str) -> Iterator[tuple[Scaled, bool]]:
    """Problems, and whether they are near enough to the last one to try for its answer."""
    if path == "stiffness":
        for epsilon in 10.0 ** -np.arange(-1.0, 8.5, 0.5):
            yield replace(form, A=form.A + epsilon * np.eye(form.size)), epsilon < 0.2
    else:
        for share in np.linspace(0.0, 1.0, 21):
            yield replace(form, radii=share * form.radii), share > 0.9
    yield form, True


def _evaluate(form: Scaled, x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """G and a generalised Jacobian."""
    n, A = form.size, form.A
    y = form.accelerations(x)
    G, J = y.copy(), A.copy()
    open_ = form.normals[x[form.normals] <= y[form.normals]]
    G[open_] = x[open_]
    J[open_] = np.eye(n)[open_]
    trial = form.in_blocks(x) - form.in_blocks(y)
    length = np.linalg.norm(trial, axis=1)
    push = np.maximum(x - y, 0.0)[form.normals][form.of]
    for k in np.flatnonzero(length > form.radii * push):
        rows = form.pairs[k][: 2 if form.wide[k] else 1]
        e = trial[k, : len(rows)] / length[k]
        limit, normal = form.radii[k] * push[k], form.normals[form.of[k]]
        G[rows] = x[rows] - limit * e
        eye = np.eye(n)
        slope = (limit / length[k]) * (np.eye(len(rows)) - np.outer(e, e))
        J[rows] = eye[rows] - slope @ (eye[rows] - A[rows])
        if push[k] > 0.0:
            J[rows] -= form.radii[k] * np.outer(e, eye[normal] - A[normal])
    return G, J
