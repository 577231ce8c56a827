"""Points that are spread over a range, for the first look at it."""

from __future__ import annotations

import numpy as np

from rollcone._check import FloatArray


def spread_points(
    count: int, low: FloatArray, high: FloatArray, generator: np.random.Generator
) -> FloatArray:
    """(count, n): a Latin hypercube, one point in each of `count` slices along every axis."""
    slices = np.column_stack([generator.permutation(count) for _ in low])
    return np.asarray(low + (high - low) * (slices + generator.random(slices.shape)) / count)
