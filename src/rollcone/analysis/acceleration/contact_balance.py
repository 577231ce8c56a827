"""The balance H^T p + E^T q + load = 0 in comparable numbers, and forces that meet it to rounding.

Rows are scaled by `AccelerationProblem.row_scale`, so that moments are forces, and coordinates by
the largest row that acts on them, so that no unit is left: with s and g these scales, p = s r and
x = z / g,

    K = (s H / g)^T,   L = (E / g)^T with columns of length one.

A solver's forces are balanced to 1e-8 or so. Without contacts that carry next to nothing, and with
those blocks that are at the edge of their set held there, a few steps of Newton's method balance
them to rounding: so forces that prove something can be checked by plain sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.acceleration.force_cone import ForceCone
from rollcone.analysis.acceleration.problem import AccelerationProblem

_CUTS = (1e-4, 1e-6, 1e-8, 0.0)  # of the largest force: contacts that carry nothing
_EDGES = (1e-5, 1e-8, 0.0)  # of the normal force: blocks at the edge of their set
_STEPS = 4  # of Newton's method, fewer if nothing is left
_DONE = 1e-16  # of the largest force
_ROUNDING = 1e-14  # no figure need be better
_LIKE = 10.0  # times the least figure: as good, if fewer contacts do


class ContactBalance:
    """K, L, scales, and the cone F of scaled forces."""

    def __init__(self, problem: AccelerationProblem, cone: ForceCone) -> None:
        self.problem, self.cone = problem, cone
        self.scale = problem.row_scale
        self.scaled_cone = cone.scaled(self.scale)
        carries = self.scale * cone.carries
        H, E = carries.reshape(-1, 1) * problem.flat_rows, problem.held
        largest = np.abs(np.vstack([self.scale.reshape(-1, 1) * problem.flat_rows, E])).max(
            axis=0, initial=0.0
        )
        self.g = np.where(largest > 0.0, largest, 1.0)
        self.K = (H / self.g).T
        self.unit = np.linalg.norm(E / self.g, axis=1)
        self.unit[self.unit == 0.0] = 1.0
        self.L = (E / self.g / self.unit[:, None]).T

    def forces(self, r: FloatArray) -> FloatArray:
        """p (c, d)."""
        return np.asarray(self.scale * r.reshape(self.scale.shape))

    def imbalance(self, p: FloatArray, q: FloatArray, load: FloatArray | None = None) -> float:
        """The largest |H^T p + E^T q + load| of a coordinate, over the largest load; without a
        load, over what the sum of normal forces can do. No unit."""
        left = self.problem.flat_rows.T @ p.ravel() + self.problem.held.T @ q
        size = float(p[:, 0].sum())
        if load is not None:
            left, size = left + load, self.size(load)
        return float(np.abs(left / self.g).max(initial=0.0) / (size or 1.0))

    def size(self, load: FloatArray) -> float:
        """The largest entry of a load (n,), scaled: a force."""
        return float(np.abs(load / self.g).max(initial=0.0))

    def obeying(self, x: FloatArray, e: FloatArray) -> FloatArray:
        """x with E x = e to rounding, by the smallest change."""
        for _ in range(2 if len(e) else 0):
            left = (e - self.problem.held @ x) / self.unit
            x = x + np.linalg.lstsq(self.L.T, left)[0] / self.g
        return x

    @cached_property
    def given(self) -> float:
        """The largest acceleration of a contact's row that bias or given rows ask for, m/s^2."""
        pulled = self.problem.rows @ self.obeying(
            np.zeros(self.problem.size), self.problem.held_acceleration
        )
        parts = [np.abs(self.scale * part).max(initial=0.0) for part in (self.problem.bias, pulled)]
        return float(max(parts))

    def purified(
        self,
        r: FloatArray,
        h: FloatArray,
        load: FloatArray,
        figure: Callable[[FloatArray, FloatArray], float],
    ) -> tuple[FloatArray, FloatArray]:
        """p and q near p = s r, q = h / unit, in F and balanced with the load (n,) as well as
        can be: the first trial, they begin with the fewest contacts, whose figure, by p and q, is
        that of rounding, or about the least of all."""
        trials, figures = [], []
        for t, u in self._trials(r, h, load / self.g):
            trials.append((self.forces(t), u / self.unit))
            figures.append(figure(*trials[-1]))
            if figures[-1] <= _ROUNDING:
                return trials[-1]
        least = _LIKE * min(figures)
        return next(trial for trial, found in zip(trials, figures, strict=True) if found <= least)

    def _trials(
        self, r: FloatArray, h: FloatArray, load: FloatArray
    ) -> Iterator[tuple[FloatArray, FloatArray]]:
        start = self.scaled_cone.pulled(r.reshape(self.scale.shape))
        size = np.abs(start).max(axis=1, initial=0.0)
        seen = -1
        for cut in _CUTS:
            kept = size > cut * size.max(initial=0.0)
            if np.count_nonzero(kept) == seen:
                continue
            seen = int(np.count_nonzero(kept))
            for edge in _EDGES:
                yield self._balanced(start * kept[:, None], h, load, edge)
        yield start.ravel(), h

    def _balanced(
        self, start: FloatArray, h: FloatArray, load: FloatArray, edge: float
    ) -> tuple[FloatArray, FloatArray]:
        """Newton's method for K r + L h + load = 0 and for blocks at the edge to stay there, each
        step the smallest."""
        cone, r = self.scaled_cone, start.copy()
        used = ((cone.carries > 0.0) & (start[:, :1] > 0.0)).ravel()
        edges = _edges(cone, start, edge)
        flat = np.hstack([self.K[:, used], self.L])
        for _ in range(_STEPS):
            slopes, values = _edge_rows(cone, r, edges)
            rows = np.hstack([slopes[:, used], np.zeros((len(values), len(h)))])
            left = np.concatenate([self.K @ r.ravel() + self.L @ h + load, values])
            if np.abs(left).max(initial=0.0) <= _DONE * np.abs(r).max(initial=0.0):
                break
            step = np.linalg.lstsq(np.vstack([flat, rows]), -left)[0]
            change = np.zeros(r.size)
            change[used] = step[: np.count_nonzero(used)]
            r, h = r + change.reshape(r.shape), h + step[np.count_nonzero(used) :]
        return cone.pulled(r).ravel(), h


def _edges(cone: ForceCone, r: FloatArray, edge: float) -> list[tuple[int, int, int]]:
    """(contact, block, which): 0 the disc, 1 + t a side of the box, -1 the half's straight side."""
    found = []
    for i, k in zip(*np.nonzero(cone.radius * r[:, :1]), strict=True):
        own = list(cone.blocks[k])
        limit, part = cone.radius[i, k] * r[i, 0], r[i, own]
        if cone.box:
            found += [(i, k, 1 + t) for t, x in enumerate(part) if limit - abs(x) <= edge * limit]
        elif limit - np.linalg.norm(part) <= edge * limit:
            found.append((i, k, 0))
        if cone.against[i, own].any() and cone.against[i, own] @ part >= -edge * limit:
            found.append((i, k, -1))
    return found


def _edge_rows(
    cone: ForceCone, r: FloatArray, edges: list[tuple[int, int, int]]
) -> tuple[FloatArray, FloatArray]:
    """Slopes and values of what is zero on these edges."""
    slopes, values = np.zeros((len(edges), *r.shape)), np.zeros(len(edges))
    for row, (i, k, which) in enumerate(edges):
        own = list(cone.blocks[k])
        part = r[i, own]
        if which < 0:
            slopes[row, i, own] = cone.against[i, own]
        elif which == 0:
            slopes[row, i, own] = part / max(float(np.linalg.norm(part)), 1e-300)
        else:
            slopes[row, i, own[which - 1]] = 1.0 if part[which - 1] >= 0.0 else -1.0
        if which >= 0:
            slopes[row, i, 0] = -cone.radius[i, k]
        values[row] = float(np.sum(slopes[row] * r))  # each is linear along rays
    return slopes.reshape(len(edges), r.size), values
