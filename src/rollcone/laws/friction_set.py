"""What every friction set is to the rest of the code: a kind and two lengths.

A set C in the plane of its two rows is convex, holds the origin and is
symmetric. It offers the nearest point of `scale * C` and the support function
max { c . v : c in C }: the friction for a normal force `scale`, and the power it
takes out of the velocity v. The formulas of a set stand once, in the file of `kernels/` that
is named after it; `kernels/sets.py` picks them by the kind.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, IntArray, finite_array
from rollcone.errors import InputError

# Squares of coefficients must not overflow or vanish next to 1.
LARGEST, SMALLEST = 1e100, 1e-100


class FrictionSet:
    """Base of the sets; parameters may be numbers or arrays with one entry per contact."""

    kind: IntArray
    first: FloatArray
    second: FloatArray
    _width = 2  # rows that the set bounds

    def __init__(self, kind: ArrayLike, first: ArrayLike, second: ArrayLike) -> None:
        a, b = coefficient("first", first), coefficient("second", second)
        kinds = np.asarray(kind, dtype=np.int64)
        try:
            self.kind, self.first, self.second = np.broadcast_arrays(kinds, a, b)
        except ValueError:
            shapes = f"{kinds.shape}, {a.shape}, {b.shape}"
            raise InputError(f"{type(self).__name__}: shapes {shapes} do not match") from None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({span(self.first)}, {span(self.second)})"

    def project(self, points: ArrayLike, scale: ArrayLike = 1.0) -> FloatArray:
        """Nearest point of `scale * C` to each point, shape (..., 2); scale >= 0."""
        from rollcone.laws.kernels.sets import project_set_points

        x, parts = self._per_point("points", points, scale_array(scale))
        out = np.empty_like(x)
        project_set_points(*parts, x, out)
        return out.reshape(np.shape(points))

    def support(self, vectors: ArrayLike) -> FloatArray:
        """max { c . v : c in C } for each vector v, shape (..., 2) -> (...)."""
        from rollcone.laws.kernels.sets import support_set_points

        x, parts = self._per_point("vectors", vectors, np.ones(()))
        out = np.empty(len(x))
        support_set_points(*parts[:3], x, out)
        return out.reshape(np.shape(vectors)[:-1])

    def _per_point(
        self, name: str, points: ArrayLike, scale: FloatArray
    ) -> tuple[FloatArray, list[Any]]:
        """The points (n, width), and per point the parameters and the scale."""
        x = finite_array(name, points)
        width = self._width
        if x.ndim == 0 or x.shape[-1] != width:
            raise InputError(f"{name} of shape {x.shape}: the last axis must have length {width}")
        shape = x.shape[:-1]
        try:
            parts: list[Any] = [
                np.ascontiguousarray(np.broadcast_to(part, shape)).reshape(-1)
                for part in (*self._parameters, scale)
            ]
        except ValueError:
            raise InputError(
                f"{name} of shape {x.shape}: coefficients of shape {self.first.shape} and a "
                f"scale of shape {scale.shape} do not fit"
            ) from None
        return x.reshape(-1, width), parts

    @property
    def _parameters(self) -> tuple[IntArray, FloatArray, FloatArray]:
        """What kernels take: the kind and two lengths."""
        return self.kind, self.first, self.second


def scale_array(scale: ArrayLike) -> FloatArray:
    """Normal forces that sets grow with: finite and >= 0."""
    scales = finite_array("scale", scale)
    if np.any(scales < 0):
        raise InputError(f"scale = {scale!r}: must be >= 0")
    return scales


def coefficient(name: str, value: ArrayLike) -> FloatArray:
    """A friction coefficient: >= 0 and at most 1e100; below 1e-100 it is zero."""
    array = finite_array(name, value)
    if np.any(array < 0) or np.any(array > LARGEST):
        worst = array[(array < 0) | (array > LARGEST)].flat[0]
        raise InputError(f"{name} = {worst}: must be from 0 to {LARGEST:g}")
    return np.where(array < SMALLEST, 0.0, array)


def span(values: FloatArray) -> str:
    """'0.3' for one value, '0.1 to 0.5' for several."""
    if values.size == 0:
        return "none"
    low, high = float(np.min(values)), float(np.max(values))
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"
