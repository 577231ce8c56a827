"""Volume, centroid and moments of the room that balls fill together.

Balls that overlap no other are summed in closed form. The others are cut into slices across z. In a
slice a ball is a disc, and what the discs fill is bounded by arcs of their circles: by Green's
theorem its area and moments are integrals along these arcs, which are exact. Across the slices
Gauss's rule is used between the heights at which balls and pairs of overlapping balls begin and
end, with twice the points until nothing changes by more than 1e-7 of the whole.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from rollcone._check import FloatArray, IntArray

_ENOUGH = 1e-7
_POINTS, _MOST_POINTS = 8, 64  # per interval
_MOST_HEIGHTS = 60  # at which a rule ends; of more, only those of balls count
_ARC = 0.5 * math.pi  # the longest piece for the rule along an arc, exact there to rounding
_ON_ARC = 10  # points of that rule


@dataclass(frozen=True)
class Union:
    """volume (m3); first (3,) and second (3, 3) moments, integrals of x and of x x^T, about a point
    among the balls, `origin` (3,): far from them digits would be lost."""

    volume: float
    first: FloatArray
    second: FloatArray
    origin: FloatArray

    @property
    def centroid(self) -> FloatArray:
        return np.asarray(self.origin + self.first / self.volume)

    def moments_about(self, center: FloatArray) -> FloatArray:
        """The inertia tensor (3, 3) about a point, per kilogram of a homogeneous body: m2."""
        m, second, c = self.first / self.volume, self.second / self.volume, center - self.origin
        about = second - np.outer(m, c) - np.outer(c, m) + np.outer(c, c)
        return np.asarray(np.trace(about) * np.eye(3) - about)


@lru_cache(maxsize=64)
def union_of(balls: tuple[tuple[float, ...], ...]) -> Union:
    """Of balls (x, y, z, r)."""
    rows = np.array(balls)
    origin = rows[:, :3].mean(axis=0)
    rows[:, :3] -= origin
    groups = _overlapping(rows)
    parts = [_one(rows[g[0]]) if len(g) == 1 else _several(rows[g]) for g in groups]
    return Union(
        math.fsum(part.volume for part in parts),
        np.sum([part.first for part in parts], axis=0),
        np.sum([part.second for part in parts], axis=0),
        origin,
    )


def _overlapping(balls: FloatArray) -> list[IntArray]:
    """Numbers of balls that hang together; a ball that touches another by a point is alone."""
    from scipy.sparse.csgraph import connected_components

    apart = np.linalg.norm(balls[:, None, :3] - balls[None, :, :3], axis=2)
    joined = apart < balls[:, None, 3] + balls[None, :, 3]
    count, group = connected_components(joined, directed=False)
    return [np.flatnonzero(group == k) for k in range(count)]


class _Part(NamedTuple):
    """Volume and moments about the origin."""

    volume: float
    first: FloatArray
    second: FloatArray


def _one(ball: FloatArray) -> _Part:
    x, r = ball[:3], float(ball[3])
    volume = 4.0 / 3.0 * math.pi * r * r * r
    return _Part(volume, volume * x, volume * (np.outer(x, x) + 0.2 * r * r * np.eye(3)))


def _several(balls: FloatArray) -> _Part:
    ends = _heights(balls)
    points, last = _POINTS, np.zeros(10)
    reach = np.abs(balls).sum(axis=1).max()
    while True:
        sums = _across(balls, ends, points)
        scale = sums[0] * reach ** np.array([0, 1, 1, 1, *[2] * 6])
        if np.all(np.abs(sums - last) <= _ENOUGH * scale) or points >= _MOST_POINTS:
            break
        points, last = 2 * points, sums
    xx, yy, zz, xy, yz, zx = sums[4:]
    second = np.array([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]])
    return _Part(float(sums[0]), sums[1:4], second)


def _heights(balls: FloatArray) -> FloatArray:
    """Where slices change their kind: ends of balls, and of the circles in which two meet."""
    z, r = balls[:, 2], balls[:, 3]
    found = [*(z - r), *(z + r)]
    for i, j in itertools.combinations(range(len(balls)), 2):
        way = balls[j, :3] - balls[i, :3]
        apart = float(np.linalg.norm(way))
        if abs(r[i] - r[j]) < apart < r[i] + r[j]:
            share = (apart**2 + r[i] ** 2 - r[j] ** 2) / (2.0 * apart)
            circle = math.sqrt(max(r[i] ** 2 - share**2, 0.0))
            middle = z[i] + share * way[2] / apart
            reach = circle * math.sqrt(max(1.0 - (way[2] / apart) ** 2, 0.0))
            found += [middle - reach, middle + reach]
    if len(found) > _MOST_HEIGHTS:
        found = [*(z - r), *(z + r)]
    return np.unique(found)


@cache
def _gauss(points: int) -> tuple[FloatArray, FloatArray]:
    """Return places and weights of Gauss's rule on the interval from -1 to 1."""
    places, weights = np.polynomial.legendre.leggauss(points)
    return places, weights


def _across(balls: FloatArray, ends: FloatArray, points: int) -> FloatArray:
    """Integrals of 1, x, y, z, xx, yy, zz, xy, yz, zx over z. The points crowd at both ends of an
    interval, where slices begin and end like square roots."""
    x, weights = _gauss(points)
    angle = 0.5 * math.pi * (x + 1.0)
    total = np.zeros(10)
    for low, high in itertools.pairwise(ends):
        half = 0.5 * (high - low)
        heights = low + half * (1.0 - np.cos(angle))
        steps = half * np.sin(angle) * 0.5 * math.pi * weights
        for z, step in zip(heights, steps, strict=True):
            inside = np.abs(z - balls[:, 2]) < balls[:, 3]
            discs = balls[inside][:, [0, 1, 3]].copy()
            discs[:, 2] = np.sqrt(discs[:, 2] ** 2 - (z - balls[inside, 2]) ** 2)
            a, ax, ay, axx, ayy, axy = _slice(discs)
            total += step * np.array([a, ax, ay, a * z, axx, ayy, a * z * z, axy, ay * z, ax * z])
    return total


def _slice(discs: FloatArray) -> FloatArray:
    """Integrals of 1, x, y, xx, yy, xy over what discs (x, y, r) fill."""
    total = np.zeros(6)
    places, shares = _gauss(_ON_ARC)
    for k, (cx, cy, r) in enumerate(discs):
        for start, end in _free_arcs(discs, k):
            pieces = max(1, math.ceil((end - start) / _ARC))
            step = (end - start) / pieces
            turn = start + step * (np.arange(pieces)[:, None] + 0.5 * (places + 1.0))
            weights = 0.5 * step * shares * r
            x, y = cx + r * np.cos(turn), cy + r * np.sin(turn)
            dx, dy = -np.sin(turn) * weights, np.cos(turn) * weights
            total += (
                0.5 * np.sum(x * dy - y * dx),
                0.5 * np.sum(x * x * dy),
                -0.5 * np.sum(y * y * dx),
                np.sum(x**3 * dy) / 3.0,
                -np.sum(y**3 * dx) / 3.0,
                0.5 * np.sum(x * x * y * dy),
            )
    return total


def _free_arcs(discs: FloatArray, k: int) -> list[tuple[float, float]]:
    """Angles of circle k that lie in no other disc; of equal circles the last one counts."""
    x, y, r = discs[k]
    covered = []
    for j, (a, b, s) in enumerate(discs):
        apart = math.hypot(a - x, b - y)
        within, around = apart + r <= s, apart + s <= r  # both if they are equal but for rounding
        if j == k or apart >= r + s or (within and around and j < k):
            continue
        if within:
            return []
        if around:
            continue
        half = math.acos(min(max((apart**2 + r * r - s * s) / (2.0 * apart * r), -1.0), 1.0))
        begin = (math.atan2(b - y, a - x) - half) % (2.0 * math.pi)
        covered.append((begin, begin + 2.0 * half))
    if not covered:
        return [(0.0, 2.0 * math.pi)]
    covered.sort()
    last = covered[0][0] + 2.0 * math.pi
    free, reached = [], max(end for _, end in covered) - 2.0 * math.pi  # those that go round
    reached = max(reached, covered[0][0])
    for begin, end in [*covered, (last, last)]:
        if begin > reached:
            free.append((reached, begin))
        reached = max(reached, end)
    return free
