"""The problem with the mode of every contact and resting block given: smooth equations.

    a contact breaks      p = 0
    touches               a_n = 0, and each of its resting blocks
      rests               a_block = 0
      begins to slide     a_block = s e,   p_block = -radius p_n e,   |e| = 1, s >= 0

with unknown normal forces, forces of blocks that rest, and angle of e and s of blocks that begin to
slide. Newton's method solves them to rounding, by steps of least size where contacts are redundant.
Inequalities are not asked for: `polish` looks at them, reads the modes anew where one is violated,
and where redundant forces are the cause finds others with the same accelerations.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.acceleration.conic import ConicProgram
from rollcone.analysis.acceleration.scaled import BoolArray, Scaled

EXACT = 1e-13  # an error that is rounding
_RANK = 1e-11  # of the largest singular value
_MET = 1e-11  # equations that hold
_STEPS = 25
_ROUNDS = 8  # of reading modes
_LENGTH = 1e-4  # how much a long force costs, against one that is well inside its cone


class Modes(NamedTuple):
    """touch (c,), slides (k,): blocks that begin to slide."""

    touch: BoolArray
    slides: BoolArray

    def key(self) -> bytes:
        return self.touch.tobytes() + self.slides.tobytes()


def read_modes(form: Scaled, x: FloatArray, weight: float = 1.0) -> Modes:
    """Those nearest to forces x: what proj(x - weight a) on the admitted forces would do. Of
    forces that are not quite right a large weight believes the accelerations more."""
    y = weight * form.accelerations(x)
    touch = x[form.normals] > y[form.normals]
    trial = np.linalg.norm(form.in_blocks(x) - form.in_blocks(y), axis=1)
    limit = form.radii * np.maximum(x - y, 0.0)[form.normals][form.of]
    return Modes(touch, touch[form.of] & (trial > limit))


class ModeEquations:
    """The equations of some modes; u = (forces that are unknown, angles, s)."""

    def __init__(self, form: Scaled, modes: Modes, x: FloatArray) -> None:
        self.form, self.modes = form, modes
        slides, rests = np.flatnonzero(modes.slides), modes.touch[form.of] & ~modes.slides
        own = form.pairs[rests].ravel()
        self._free = np.concatenate([form.normals[modes.touch], own[own < form.size]])
        pairs = form.pairs[slides]
        wide = form.wide[slides]
        self._turn = pairs[wide]  # (w, 2), blocks with an angle
        self._flat = pairs[~wide, 0]
        self._rows = np.concatenate([self._free, self._turn.ravel(), self._flat])
        self._slot = np.searchsorted(form.normals[modes.touch], form.normals[form.of[slides]])
        self._slot_wide, self._slot_flat = self._slot[wide], self._slot[~wide]
        self._radius_wide, self._radius_flat = form.radii[slides][wide], form.radii[slides][~wide]
        y = form.accelerations(x)
        e = form.in_blocks(y)[slides] - form.in_blocks(x)[slides]
        self._sign = np.where(e[~wide, 0] < 0.0, -1.0, 1.0)
        speed = np.linalg.norm(form.in_blocks(y)[slides], axis=1)
        angle = np.arctan2(e[wide, 1], e[wide, 0])
        self.start = np.concatenate([x[self._free], angle, speed[wide], speed[~wide]])

    def _parts(self, u: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        return tuple(np.split(u, np.cumsum([len(self._free), len(self._turn), len(self._turn)])))  # type: ignore[return-value]

    def unknowns(self, u: FloatArray) -> FloatArray:
        """x (n,)."""
        x = np.zeros(self.form.size)
        free, angle, _, _ = self._parts(u)
        x[self._free] = free
        e = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        x[self._turn] = -(self._radius_wide * free[self._slot_wide])[:, None] * e
        x[self._flat] = -self._radius_flat * free[self._slot_flat] * self._sign
        return x

    def _slopes(self, u: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """dx/du (n, len(u)), e and its derivative."""
        free, angle, _, _ = self._parts(u)
        f, w = len(free), len(angle)
        e = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        turned = np.stack([-e[:, 1], e[:, 0]], axis=1)
        D = np.zeros((self.form.size, len(u)))
        D[self._free, np.arange(f)] = 1.0
        D[self._turn, self._slot_wide[:, None]] = -self._radius_wide[:, None] * e
        D[self._turn, f + np.arange(w)[:, None]] = (
            -(self._radius_wide * free[self._slot_wide])[:, None] * turned
        )
        D[self._flat, self._slot_flat] = -self._radius_flat * self._sign
        return D, e, turned

    def values(self, u: FloatArray) -> FloatArray:
        """What should be zero."""
        free, angle, s, flat = self._parts(u)
        G = self.form.accelerations(self.unknowns(u))[self._rows]
        f, w = len(free), len(angle)
        e = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        G[f : f + 2 * w] -= (s[:, None] * e).ravel()
        G[f + 2 * w :] -= flat * self._sign
        return np.asarray(G)

    def jacobian(self, u: FloatArray) -> FloatArray:
        free, angle, s, flat = self._parts(u)
        f, w, i = len(free), len(angle), len(flat)
        D, e, turned = self._slopes(u)
        J = self.form.A[self._rows] @ D
        here = f + np.arange(2 * w).reshape(w, 2)
        J[here, f + np.arange(w)[:, None]] -= s[:, None] * turned
        J[here, f + w + np.arange(w)[:, None]] -= e
        J[f + 2 * w + np.arange(i), f + 2 * w + np.arange(i)] -= self._sign
        return np.asarray(J)

    def solve(self) -> tuple[FloatArray, bool]:
        """(u, are the equations met): Newton's method with a line search, to rounding."""
        u, size = self.start, float(np.linalg.norm(self.values(self.start)))
        for _ in range(_STEPS):
            step = np.linalg.lstsq(self.jacobian(u), -self.values(u), rcond=_RANK)[0]
            for length in 0.5 ** np.arange(8):
                new = float(np.linalg.norm(self.values(u + length * step)))
                if new < size * (1.0 - 1e-3 * length):
                    u, size = u + length * step, new
                    break
            else:
                break
        return u, size <= _MET

    def spread(self, u: FloatArray) -> FloatArray | None:
        """Other forces x with the same accelerations, as far inside the cones as there are any;
        None if these are the only ones."""
        form, x = self.form, self.unknowns(u)
        D = self._slopes(u)[0][:, : len(self._free)]
        _, singular, V = np.linalg.svd(form.A @ D)
        Z = V[int(np.sum(singular > _RANK * singular.max(initial=0.0))) :].T
        if not Z.shape[1]:
            return None
        found = _inside(form, self.modes, x, D @ Z)
        return None if found is None else x + D @ Z @ found


def _inside(form: Scaled, modes: Modes, x: FloatArray, X: FloatArray) -> FloatArray | None:
    """z of the largest t with p = x + X z: p_n >= t and |p_block| <= radius p_n - t."""
    n, m = len(x), X.shape[1]
    rests = np.flatnonzero(modes.touch[form.of] & ~modes.slides)
    touch = form.normals[modes.touch]
    full = np.zeros((n + 1, m + 1))
    full[:n, :m] = X
    base = np.append(x, 0.0)
    normal = form.normals[form.of[rests]]
    heads = form.radii[rests, None] * full[normal]
    heads[:, m] -= 1.0
    discs = np.stack([heads, full[form.pairs[rests, 0]], full[form.pairs[rests, 1]]], axis=1)
    h = np.stack([form.radii[rests] * base[normal], *base[form.pairs[rests]].T], axis=1)
    cap = np.zeros(m + 1)
    cap[m] = -1.0
    above = full[touch]
    above[:, m] -= 1.0
    G = np.concatenate([above, cap[None], discs.reshape(-1, m + 1)])
    P = np.zeros((m + 1, m + 1))
    P[:m, :m] = _LENGTH * X.T @ X
    c = np.append(_LENGTH * X.T @ x, -1.0)
    most = max(float(np.abs(x).max(initial=0.0)), 1.0)
    answer = ConicProgram(P, c, G, len(touch) + 1).solve(
        np.concatenate([base[touch], [most], h.ravel()])
    )
    return None if answer is None else answer[:m]


def polish(form: Scaled, x: FloatArray, modes: Modes | None = None) -> FloatArray:
    """The best forces that the modes of x, or `modes`, lead to, or x: exact if these are right."""
    best, least = x, form.error(x)
    seen: set[bytes] = set()
    for _ in range(_ROUNDS):
        now = read_modes(form, x) if modes is None else modes
        modes = None
        if least <= EXACT or now.key() in seen:
            break
        seen.add(now.key())
        equations = ModeEquations(form, now, x)
        u, met = equations.solve()
        x = equations.unknowns(u)
        error = form.error(x)
        if met and error > EXACT:
            other = equations.spread(u)
            if other is not None and form.error(other) < error:
                x, error = other, form.error(other)
        if error < least:
            best, least = x, error
    return best


class ModeWatch:
    """For a method that converges slowly: its forces are polished once their modes have stayed the
    same for `steady` steps; the best forces are kept."""

    def __init__(self, form: Scaled, x: FloatArray, steady: int) -> None:
        self.form, self.best, self.error = form, x, form.error(x)
        self._steady, self._stayed, self._key = steady, 0, b""
        self._tried: set[bytes] = set()

    def look(self, x: FloatArray, now: bool = False) -> bool:
        """Is there an exact answer? `now`: polish at once."""
        self._keep(x)
        key = read_modes(self.form, x).key()
        self._stayed = self._stayed + 1 if key == self._key else 0
        self._key = key
        if (now or self._stayed >= self._steady) and key not in self._tried:
            self._tried.add(key)
            self._keep(polish(self.form, x))
        return self.error <= EXACT

    def _keep(self, x: FloatArray) -> None:
        error = self.form.error(x)
        if error < self.error:
            self.best, self.error = x, error
