"""Cones as plain numbers, for the library and for the exact projection alike, and points to try.

The points cluster where mistakes would hide: at and next to the limit of each set, at the apex,
on the boundary of the polar cone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import exact_projection as exact
import numpy as np
from mpmath import mp, mpf
from patch_reference import touching_point

import rollcone as rc

COEFFICIENTS = (0.0, 1e-12, 1e-6, 1e-3, 0.3, 1.0, 10.0, 1e3, 1e6)


class Shape(NamedTuple):
    """A set in the plane: its kind and the arguments of its class."""

    kind: str
    first: float
    second: float = 0.0

    def library(self) -> rc.Disc | rc.Ellipse | rc.Box | rc.Polygon:
        if self.kind == "disc":
            return rc.Disc(self.first)
        return {"ellipse": rc.Ellipse, "box": rc.Box, "polygon": rc.Polygon}[self.kind](*self[1:])

    def exact(self, start: int) -> exact.Cone:
        """The exact sets, with the rows of the point that they bound."""
        a, b = self.first, self.second
        if self.kind == "disc":
            parts: tuple[exact.Set, ...] = (exact.disc(a),)
        elif self.kind == "polygon":
            parts = (exact.polygon(a, int(b)),)
        else:
            parts = (
                exact.ellipse(a, b) if self.kind == "ellipse" else (exact.disc(a), exact.disc(b))
            )
        width = 2 // len(parts)
        return [(slice(start + i * width, start + (i + 1) * width), c) for i, c in enumerate(parts)]

    def support(self, v: np.ndarray) -> float:
        return float(self.maximiser(v) @ v)

    def maximiser(self, v: np.ndarray) -> np.ndarray:
        """A point c of C with the largest c . v."""
        a, b = self.first, self.second
        if self.kind == "polygon":
            turns = 2 * np.pi / b * np.arange(int(b))
            vertices = a * np.column_stack([np.cos(turns), np.sin(turns)])
            return vertices[np.argmax(vertices @ v)]
        if self.kind == "box":
            return np.array([a, b]) * np.sign(v)
        axes = np.array([a, a if self.kind == "disc" else b])
        size = np.hypot(*(axes * v))
        return axes * (axes * v / size) if size > 0 else np.zeros(2)

    def corner(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """A point of the boundary and a unit normal there; at a corner one of the many."""
        t = rng.uniform(0, 2 * np.pi)
        if rng.random() < 0.3:  # close to the end of an axis
            t = rng.choice([0, np.pi / 2]) + rng.choice([-1, 1]) * 10 ** rng.uniform(-12, 0)
        if self.kind == "polygon" and rng.random() < 0.5:  # square on a vertex or a facet
            t = rng.integers(2 * self.second) * np.pi / self.second
        if self.kind == "box" and rng.random() < 0.5:
            t = rng.integers(4) * np.pi / 2
        normal = np.array([np.cos(t), np.sin(t)])
        if self.kind == "ellipse":  # normals spread as the points of the boundary are
            normal = np.array([self.second * np.cos(t), self.first * np.sin(t)])
            normal = normal / (np.hypot(*normal) or 1.0)
        return self.maximiser(normal), normal


class Law(NamedTuple):
    """The cone of a contact."""

    sliding: Shape
    rolling: Shape = Shape("disc", 0.0)
    spinning: float = 0.0

    def library(self) -> rc.FrictionCone:
        return rc.FrictionCone(self.sliding.library(), self.rolling.library(), self.spinning)

    def support(self, v: np.ndarray) -> float:
        """Of all sets at v (5,): S without the normal row."""
        return float(self.maximiser(v) @ v)

    def maximiser(self, v: np.ndarray) -> np.ndarray:
        """A point (5,) of the sets with the largest product with v."""
        slide, roll = self.sliding.maximiser(v[:2]), self.rolling.maximiser(v[2:4])
        return np.array([*slide, *roll, self.spinning * np.sign(v[4])])

    def steepness(self) -> float:
        """How much S changes for a change of 1 in its argument."""
        sizes = [max(s.first, s.second if s.kind in ("ellipse", "box") else 0.0) for s in self[:2]]
        return 1.0 + 2.0 * sum(sizes) + self.spinning

    def directions(self) -> Iterator[np.ndarray]:
        """Normals (5,) of lines around each set."""
        for angle in np.linspace(0.0, 2 * np.pi, 49):
            v = [np.cos(angle), np.sin(angle)]
            yield np.array([*v, 0.0, 0.0, 0.0])
            yield np.array([0.0, 0.0, *v, 0.0])
        yield np.eye(5)[4]
        yield -np.eye(5)[4]

    def exact(self, d: int) -> exact.Cone:
        cone = (
            list(self.sliding.exact(1)) if d > 2 else [(slice(1, 2), exact.disc(self.sliding[1]))]
        )
        if d > 3:
            cone += self.rolling.exact(3)
        if d > 5:
            cone.append((slice(5, 6), exact.disc(self.spinning)))
        return cone

    def point(self, d: int, rng: np.random.Generator) -> np.ndarray:
        """A point whose projection is known to be at a limit, near it, inside or at the apex."""
        y = 10.0 ** rng.uniform(-6, 0)
        x = np.zeros(6)
        x[0] = y
        reach = 0.0
        for rows, shape in ((slice(1, 3), self.sliding), (slice(3, 5), self.rolling)):
            x[rows], push = _beside(*shape.corner(rng), y, rng)
            x[0] -= push
            reach += shape.support(x[rows])
        side = np.array([rng.choice([-1.0, 1.0])])
        x[5:], push = _beside(self.spinning * side, side, y, rng)
        x[0] -= push
        reach += self.spinning * abs(x[5])
        if d == 2:  # one line is left of the plane
            x[1] = rng.choice([-1.0, 1.0]) * np.hypot(x[1], x[2])
        where = rng.random()
        if where < 0.1:
            x = rng.normal(size=6)
        elif where < 0.2:
            x *= 10.0 ** rng.uniform(-8, 0, 6)
        elif where < 0.3:  # the boundary of the polar cone, and next to it
            x[0] = -reach * (1.0 + rng.choice([0.0, 1e-15, -1e-15, 1e-10, -1e-10, 0.5, -0.5]))
        x = x[:d]
        if rng.random() < 0.5:
            x = np.nextafter(x, rng.choice([-np.inf, np.inf], d))
        size = np.frexp(np.abs(x).max())[1]
        return np.ldexp(x, rng.integers(-962, 962) - size)


class CoupledLaw(NamedTuple):
    """The cone of a contact whose set bounds several groups of rows at once."""

    kind: str  # "ellipsoid", or the pressure of a Contensou set
    sliding: float
    length: float  # contact radius, or sigma of an ellipsoid
    rolling: float = 0.0

    def library(self) -> rc.FrictionCone:
        if self.kind == "ellipsoid":
            return rc.FrictionCone(self.sliding, self.rolling, self.length, coupling="ellipsoid")
        return rc.FrictionCone(rc.Contensou(self.sliding, self.length, self.kind), self.rolling)

    def support(self, v: np.ndarray) -> float:
        return float(self.maximiser(v) @ v)

    def maximiser(self, v: np.ndarray) -> np.ndarray:
        mu, rho, size = self.sliding, self.rolling, np.hypot(*v[:2])
        if self.kind == "ellipsoid":
            axes = np.array([mu, mu, rho, rho, self.length])
            size = np.hypot.reduce(axes * v)
            return axes * (axes * v / size) if size > 0 else np.zeros(5)
        roll = Shape("disc", rho).maximiser(v[2:4])
        xi, eta = touching_point(self.kind, size, self.length * abs(v[4]))
        slide = float(xi) * mu * v[:2] / size if size > 0 else np.zeros(2)
        return np.array([*slide, *roll, float(eta) * mu * self.length * np.sign(v[4])])

    def steepness(self) -> float:
        spin = self.length if self.kind == "ellipsoid" else self.sliding * self.length
        return 1.0 + 2.0 * (self.sliding + self.rolling) + spin

    def directions(self) -> Iterator[np.ndarray]:
        for angle in (0.4, 2.5, 4.7):
            slide = np.array([np.cos(angle), np.sin(angle), 0.0, 0.0, 0.0])
            roll = np.array([0.0, 0.0, np.sin(angle), np.cos(angle), 0.0])
            for ratio in (0.0, 0.3, 1.0, 3.0):  # of what spinning takes to what sliding takes
                spin = np.eye(5)[4] * ratio / max(self.length, 1e-12)
                yield slide + spin
                yield slide - spin
                yield roll + (0.0 if self.kind != "ellipsoid" else 1.0) * (slide + spin)


def _beside(
    point: np.ndarray, normal: np.ndarray, y: float, rng: np.random.Generator
) -> tuple[np.ndarray, float]:
    """Rows beside `point` of the boundary of C, and how much it pushes the normal row."""
    where = rng.integers(4)
    if where == 0:
        return point * y * rng.random(), 0.0
    if where == 1:
        return point * y, 0.0
    if where == 2:
        return point * y * (1.0 - 10.0 ** rng.uniform(-15, -1)), 0.0
    reach = 10.0 ** rng.uniform(-8, 0) * rng.choice([1.0, y * np.abs(point).max()])
    return point * y + reach * normal, reach * float(point @ normal)


def worst_error(law: Law, points: np.ndarray) -> tuple[float, list[float]]:
    """Largest error of the library's projection, over the norm of its point, and that point."""
    projected = law.library().project(points)
    cone = law.exact(points.shape[1])
    errors = [
        relative_error(p, exact.project(cone, x), x) for p, x in zip(projected, points, strict=True)
    ]
    worst = int(np.argmax(errors))
    return errors[worst], points[worst].tolist()


def relative_error(found: np.ndarray, right: exact.Vector, point: np.ndarray) -> float:
    """|found - right| / |point|; nan if anything is not a number."""
    with mp.workdps(exact.DIGITS):
        off = mp.norm([mpf(float(a)) - b for a, b in zip(found, right, strict=True)])
        size = mp.norm([mpf(float(c)) for c in point])
        return float(off / size) if size else float(off)
