"""The nearest point of a friction cone, or of one set, in 60 digits, by brute force.

Nothing here follows the library's algorithm. In every set the nearest point of y C to q is given by
one of a few formulas in y (q itself, a point of an edge, a vertex, ...), each valid somewhere. All
combinations are tried; an ellipse, which has no such formula, adds a bisection. A candidate p is
believed only if it passes Moreau's conditions, which have one solution:

    p in K,   p - x in K*,   p . (p - x) = 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from mpmath import mp, mpf

DIGITS = 60
TINY = mpf("1e-42")  # of a point of size 1: leaves at most 1e-20 open
Vector = tuple[mpf, ...]


class Piece(NamedTuple):
    """One formula for the nearest point; there the support of q - p is alpha - beta y."""

    alpha: mpf
    beta: mpf
    nearest: Callable[[mpf], Vector]


class Disc(NamedTuple):
    """|q| <= a, in any dimension."""

    a: mpf

    def pieces(self, q: Vector) -> Iterator[Piece]:
        yield Piece(mpf(0), mpf(0), lambda y: q)
        r = _norm(q)
        if r > 0:
            yield Piece(self.a * r, self.a**2, lambda y: tuple(self.a * y / r * c for c in q))

    def support(self, v: Vector) -> mpf:
        return self.a * _norm(v)

    def holds(self, p: Vector, y: mpf) -> bool:
        return _norm(p) <= self.a * y + TINY


class Polygon(NamedTuple):
    """The hull of vertices, given by them and by the outward normals of its facets."""

    vertices: tuple[Vector, ...]
    normals: tuple[Vector, ...]
    apothem: mpf

    def pieces(self, q: Vector) -> Iterator[Piece]:
        yield Piece(mpf(0), mpf(0), lambda y: q)
        for v in self.vertices:
            yield Piece(_dot(v, q), _dot(v, v), lambda y, v=v: (y * v[0], y * v[1]))
        d = self.apothem
        for n in self.normals:
            c = _dot(n, q)

            def foot(y: mpf, n: Vector = n, c: mpf = c) -> Vector:
                return q[0] - (c - d * y) * n[0], q[1] - (c - d * y) * n[1]

            yield Piece(d * c, d * d, foot)

    def support(self, v: Vector) -> mpf:
        return max(_dot(w, v) for w in self.vertices)

    def holds(self, p: Vector, y: mpf) -> bool:
        return all(_dot(n, p) <= self.apothem * y + TINY for n in self.normals)


class Ellipse(NamedTuple):
    """Half-axes a and b, both above zero."""

    a: mpf
    b: mpf

    def support(self, v: Vector) -> mpf:
        return mp.hypot(self.a * v[0], self.b * v[1])

    def holds(self, p: Vector, y: mpf) -> bool:
        return mp.hypot(p[0] / self.a, p[1] / self.b) <= y * (1 + TINY)

    def at(self, q: Vector, tau: mpf) -> tuple[mpf, Vector]:
        """The scale y, and the nearest point of y C to q, for the multiplier tau."""
        w = self.a * q[0] / (tau + self.a**2), self.b * q[1] / (tau + self.b**2)
        return _norm(w), (self.a * w[0], self.b * w[1])

    def multiplier(self, q: Vector, f: Callable[[mpf, mpf], mpf]) -> mpf:
        """tau at the root of f(tau, y), which must fall as tau grows; 0 if q is inside."""
        return _bisect(lambda tau: f(tau, self.at(q, tau)[0]), min(self.a, self.b) ** 2)


Set = Disc | Polygon | Ellipse
Cone = Sequence[tuple[slice, Set]]  # the rows of a point that each set bounds


def disc(radius: float) -> Disc:
    return Disc(mpf(float(radius)))


def ellipse(a: float, b: float) -> tuple[Set, ...]:
    """One set of two rows, or a set for each row if an axis has no width."""
    return (Ellipse(mpf(float(a)), mpf(float(b))),) if a > 0 and b > 0 else (disc(a), disc(b))


def polygon(radius: float, facets: int) -> Polygon:
    with mp.workdps(DIGITS):
        a, turn = mpf(float(radius)), 2 * mp.pi / facets
        vertices = tuple((a * mp.cos(j * turn), a * mp.sin(j * turn)) for j in range(facets))
        middles = [(j + mpf(1) / 2) * turn for j in range(facets)]
        normals = tuple((mp.cos(t), mp.sin(t)) for t in middles)
        return Polygon(vertices, normals, a * mp.cos(turn / 2))


def project(cone: Cone, point: Sequence[float]) -> Vector:
    """Nearest point of K = { p : p_0 >= 0, p[rows] in p_0 C for each (rows, C) of `cone` }."""
    with mp.workdps(DIGITS):
        x = tuple(mpf(float(c)) for c in point)
        size = max(abs(c) for c in x)
        if size == 0:
            return x
        unit = tuple(c / size for c in x)
        for p in _candidates(cone, unit):
            if is_projection(cone, unit, p):
                return tuple(c * size for c in p)
        raise AssertionError(f"no candidate is the projection of {list(point)}")


def is_projection(cone: Cone, x: Vector, p: Vector) -> bool:
    """Moreau's conditions, for a point x of size 1."""
    slack, scale = p[0] - x[0], abs(p[0]) + abs(x[0])
    for rows, c in cone:
        if not c.holds(p[rows], p[0]):
            return False
        slack -= c.support(_minus(x[rows], p[rows]))
        scale += c.support(x[rows])
    return p[0] >= 0 and slack >= -TINY * scale and abs(_dot(p, _minus(p, x))) <= TINY


def nearest(c: Set, point: Sequence[float], scale: float) -> Vector:
    """Nearest point p of scale C: the one with (q - p) . p = scale * support(q - p)."""
    with mp.workdps(DIGITS):
        q, y = tuple(mpf(float(v)) for v in point), mpf(float(scale))
        if isinstance(c, Ellipse):
            tau = c.multiplier(q, lambda _, at: at - y)
            return c.at(q, tau)[1] if tau > 0 else q
        for piece in c.pieces(q):
            p = piece.nearest(y)
            pull = _minus(q, p)
            if c.holds(p, y) and y * c.support(pull) - _dot(pull, p) <= TINY:
                return p
        raise AssertionError(f"no candidate is the nearest point to {list(point)}")


def _candidates(cone: Cone, x: Vector) -> Iterator[Vector]:
    yield (mpf(0),) * len(x)
    smooth = [isinstance(c, Ellipse) for _, c in cone]
    choices = [
        (False, True) if is_smooth else list(c.pieces(x[rows]))
        for (rows, c), is_smooth in zip(cone, smooth, strict=True)
    ]
    for chosen in product(*choices):
        curved = [part for part, choice in zip(cone, chosen, strict=True) if choice is True]
        pieces = [choice for choice in chosen if isinstance(choice, Piece)]
        alpha = x[0] + sum(piece.alpha for piece in pieces)
        beta = 1 + sum(piece.beta for piece in pieces)
        if alpha + sum(c.support(x[rows]) for rows, c in curved) <= 0:
            continue  # the root would be at y <= 0
        y, taus = _roots(x, alpha, beta, curved)
        p = [y] + [mpf(0)] * (len(x) - 1)
        for (rows, c), choice in zip(cone, chosen, strict=True):
            if isinstance(choice, Piece):
                p[rows] = choice.nearest(y)
            else:
                p[rows] = c.at(x[rows], taus.pop(0))[1] if choice else x[rows]
        yield tuple(p)


def _roots(x: Vector, alpha: mpf, beta: mpf, curved: Cone) -> tuple[mpf, list[mpf]]:
    """Root of beta y = alpha + y sum tau; the ellipses, at most two, are bisected in turn."""
    if not curved:
        return alpha / beta, []
    (rows, c), *rest = curved

    def others(y: mpf) -> list[mpf]:
        return [c.multiplier(x[rows], lambda _, at: at - y) for rows, c in rest]

    tau = c.multiplier(x[rows], lambda tau, y: beta * y - alpha - (tau + sum(others(y))) * y)
    y = c.at(x[rows], tau)[0]
    return y, [tau, *others(y)]


def _bisect(f: Callable[[mpf], mpf], smallest: mpf) -> mpf:
    """Root tau > 0 of a falling function, or 0; resolved next to `smallest`."""
    if f(mpf(0)) <= 0:
        return mpf(0)
    low, high = mpf(0), smallest
    while f(high) > 0:
        low, high = high, high * 2**10
    while high - low > (smallest + low) * TINY * mpf("1e-4"):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return (low + high) / 2


def _dot(a: Vector, b: Vector) -> mpf:
    return mp.fdot(a, b)


def _minus(a: Vector, b: Vector) -> Vector:
    return tuple(c - d for c, d in zip(a, b, strict=True))


def _norm(a: Vector) -> mpf:
    return mp.sqrt(mp.fdot(a, a))
