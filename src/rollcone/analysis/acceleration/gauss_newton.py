"""The nonsmooth equations (32), (33) of Pang and Trinkle (1996), Theorem 2, by Gauss-Newton steps.

Each row of a resting block has c = c+ - c- and a = a+ - a-. (32), rightly a+ = a + a- with
a = A~ c + b~, eliminates a_n and a+, so that the unknowns are z = (c_n, c+, c-, a-), and (33) is

    min(a_n, c_n) = 0,   min(a+, c+) = 0,   min(a-, c-) = 0                 each row
    a_t c_o - a_o c_t = 0                                                   each block of two rows
    min(radius^2 c_n^2 - |c|^2, |a|^2) = 0                                  each block

A block of one row has no second line and |c|, |a| of one row. As many equations as unknowns. A step
solves (V^T V + damping) d = -V^T G with V of the smaller branch of each min, and |G| falls, if not
at every step, by a line search (Pang and Qi 1993; Levenberg and Marquardt); where it does not, the
step is stopped by a kink, and V takes both branches. Where a block rests the gradient of the
last equation is zero, so that convergence is slow there: as soon as modes can be read off the
iterate, mode_newton.py ends the work.
"""

from __future__ import annotations

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.acceleration.levenberg import damped_step
from rollcone.analysis.acceleration.mode_newton import ModeWatch
from rollcone.analysis.acceleration.scaled import Scaled

_STEPS = 200
_STEADY = 6  # steps without a change of modes after which these are tried
_SMALL = 1e-10  # of |G|: nothing more is to be had
_PATIENCE = 20  # steps in which |G| should have fallen by a tenth
_MEMORY = 5  # |G| must fall below the largest of so many
_WIDTHS = (0.0, 0.1, 1.0)  # of |G|: how far apart branches are that count as equal, by turns


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

    def evaluate(self, z: FloatArray, width: float = 0.0) -> tuple[FloatArray, FloatArray]:
        """G (as many as z) and V, of a mean of both branches of a min that differ by about `width`
        or less."""
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
            first = _share(b - a, width)[:, None]
            V.append(first * slope_a + (1.0 - first) * slope_b)
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


def _share(more: FloatArray, width: float) -> FloatArray:
    """Of the first branch of a min, which is less by `more`."""
    if width == 0.0:
        return np.where(more > 0.0, 1.0, 0.0)
    return 0.5 * (1.0 + more / np.sqrt(more**2 + width**2))


def gauss_newton(form: Scaled, x: FloatArray) -> FloatArray:
    """Forces from a start x (n,): the best that were met; how good is for the caller to see."""
    equations = ConeEquations(form)
    z = equations.start(x)
    watch = ModeWatch(form, x, _STEADY)
    damping = 1e-2
    sizes: list[float] = []
    for _ in range(_STEPS):
        sizes.append(float(np.linalg.norm(equations.evaluate(z)[0])))
        if watch.look(equations.forces(z), now=sizes[-1] < _SMALL) or sizes[-1] < _SMALL:
            break
        stuck = sizes[-1] > 0.9 * min(sizes[:-_PATIENCE], default=np.inf)
        step = None if stuck else _step(equations, z, damping, max(sizes[-_MEMORY:]))
        if step is None:
            watch.look(equations.forces(z), now=True)
            break
        z, damping = step
    return watch.best


def _step(
    equations: ConeEquations, z: FloatArray, damping: float, most: float
) -> tuple[FloatArray, float] | None:
    """The next z and damping; None if |G| is below `most` nowhere that was looked."""
    size = float(np.linalg.norm(equations.evaluate(z)[0]))
    for grown in 10.0 ** np.arange(0.0, 8.0, 2.0):
        for width in _WIDTHS:
            G, V = equations.evaluate(z, width * size)
            d = damped_step(V, G, grown * damping * min(size, 1.0))
            for length in (1.0, 0.5, 0.25, 0.1):
                new = z + length * d
                if np.linalg.norm(equations.evaluate(new)[0]) < most * (1.0 - 1e-4 * length):
                    return new, max(grown * damping * (0.3 if length == 1.0 else 1.0), 1e-10)
    return None
