"""The nonsmooth equations (32), (33) of Pang and Trinkle (1996), Theorem 2, by Gauss-Newton steps.

Each row of a resting block has c = c+ - c- and a = a+ - a-. (32), rightly a+ = a + a- with
a = A~ c + b~, eliminates a_n and a+, so that the unknowns are z = (c_n, c+, c-, a-), and (33) is

    min(a_n, c_n) = 0,   min(a+, c+) = 0,   min(a-, c-) = 0                 each row
    a_t c_o - a_o c_t = 0                                                   each block of two rows
    min(radius^2 c_n^2 - |c|^2, |a|^2) = 0                                  each block

A block of one row has no second line and |c|, |a| of one row. As many equations as unknowns. A step
solves (V^T V + damping) d = -V^T G with V of the smaller branch of each min, and |G| falls along a
line search (Pang and Qi 1993; Levenberg and Marquardt). Where a block rests the gradient of the
last equation is zero, so that convergence is slow there: as soon as modes can be read off the
iterate, mode_newton.py ends the work.
"""

from __future__ import annotations

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.acceleration.mode_newton import EXACT, polish, read_modes
from rollcone.analysis.acceleration.scaled import Scaled

_STEPS = 200
_STEADY = 6  # steps without a change of modes after which these are tried
_SMALL = 1e-10  # of |G|: nothing more is to be had


class ConeEquations:
    """G and V of (33) in scaled unknowns."""

    def __init__(self, form: Scaled) -> None:
        self.form = form
        own = form.pairs.ravel()
        self._rows = own[own < form.size]  # of all resting blocks
        c, r = len(form.normals), len(self._rows)
        self.sizes = c, r
        self._N = np.zeros((form.size, c + 3 * r))  # x = N z
        self._N[form.normals, np.arange(c)] = 1.0
        self._N[self._rows, c + np.arange(r)] = 1.0
        self._N[self._rows, c + r + np.arange(r)] = -1.0
        self._Y = form.A @ self._N  # y = Y z + b
        self._plus = self._Y[self._rows].copy()  # a+ = plus z + b
        self._plus[:, c + 2 * r :] += np.eye(r)

    def start(self, x: FloatArray) -> FloatArray:
        """z of forces x, split into parts that are not negative."""
        y = self.form.accelerations(x)[self._rows]
        own = x[self._rows]
        parts = (x[self.form.normals], np.maximum(own, 0), np.maximum(-own, 0), np.maximum(-y, 0))
        return np.concatenate(parts)

    def forces(self, z: FloatArray) -> FloatArray:
        """x (n,)."""
        return self._N @ z

    def evaluate(self, z: FloatArray) -> tuple[FloatArray, FloatArray]:
        """G (as many as z) and V."""
        form = self.form
        c, r = self.sizes
        x = self._N @ z
        y = self._Y @ z + form.b
        plus = self._plus @ z + form.b[self._rows]
        eye = np.eye(len(z))
        pairs = [
            (y[form.normals], self._Y[form.normals], z[:c], eye[:c]),
            (plus, self._plus, z[c : c + r], eye[c : c + r]),
            (z[c + 2 * r :], eye[c + 2 * r :], z[c + r : c + 2 * r], eye[c + r : c + 2 * r]),
            self._discs(x, y),
        ]
        G, V = [], []
        for a, slope_a, b, slope_b in pairs:
            G.append(np.minimum(a, b))
            V.append(np.where((a < b)[:, None], slope_a, slope_b))
        cross, slope = self._cross(x, y)
        return np.concatenate([*G, cross]), np.concatenate([*V, slope])

    def _discs(
        self, x: FloatArray, y: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """radius^2 c_n^2 - |c|^2 and |a|^2 of each block, with their gradients."""
        form = self.form
        q, g = form.in_blocks(x), form.in_blocks(y)
        none = np.zeros((1, self._N.shape[1]))  # the second row of intervals
        N, Y = np.vstack([self._N, none]), np.vstack([self._Y, none])
        normal = form.normals[form.of]
        room = (form.radii * x[normal]) ** 2 - np.sum(q**2, axis=1)
        slope = 2.0 * (form.radii**2 * x[normal])[:, None] * N[normal]
        slope -= 2.0 * np.einsum("ki,kij->kj", q, N[form.pairs])
        speed = np.sum(g**2, axis=1)
        return room, slope, speed, 2.0 * np.einsum("ki,kij->kj", g, Y[form.pairs])

    def _cross(self, x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
        """a_t c_o - a_o c_t of each block of two rows, and its gradient."""
        t, o = self.form.pairs[self.form.wide].T
        N, Y = self._N, self._Y
        slope = x[o, None] * Y[t] + y[t, None] * N[o] - x[t, None] * Y[o] - y[o, None] * N[t]
        return y[t] * x[o] - y[o] * x[t], slope


def gauss_newton(form: Scaled, x: FloatArray) -> FloatArray:
    """Forces from a start x (n,): the best that were met; how good is for the caller to see."""
    equations = ConeEquations(form)
    z = equations.start(x)
    best, least = x, form.error(x)
    G, V = equations.evaluate(z)
    damping, steady, modes = 1e-2, 0, b""
    tried: set[bytes] = set()
    for _ in range(_STEPS):
        size = float(np.linalg.norm(G))
        key = read_modes(form, equations.forces(z)).key()
        steady = steady + 1 if key == modes else 0
        modes = key
        if (steady >= _STEADY or size < _SMALL) and key not in tried:
            tried.add(key)
            found = polish(form, equations.forces(z))
            error = form.error(found)
            if error < least:
                best, least = found, error
            if least <= EXACT:
                break
        if size < _SMALL:
            break
        z, G, V, damping = _step(equations, z, G, V, damping)
        if float(np.linalg.norm(G)) >= size:
            break
    found = polish(form, equations.forces(z))
    return found if form.error(found) < least else best


def _step(
    equations: ConeEquations, z: FloatArray, G: FloatArray, V: FloatArray, damping: float
) -> tuple[FloatArray, FloatArray, FloatArray, float]:
    """The next z, G, V and damping; z itself if |G| falls nowhere that was looked."""
    size = float(np.linalg.norm(G))
    square, down = V.T @ V, V.T @ G
    eye = np.eye(len(z))
    for _ in range(12):
        d = -np.linalg.solve(square + damping * min(size, 1.0) * eye, down)
        for length in (1.0, 0.5, 0.25, 0.1):
            new = z + length * d
            G_new, V_new = equations.evaluate(new)
            if np.linalg.norm(G_new) < size * (1.0 - 1e-4 * length):
                return new, G_new, V_new, max(damping * (0.3 if length == 1.0 else 1.0), 1e-10)
        damping *= 10.0
    return z, G, V, damping
