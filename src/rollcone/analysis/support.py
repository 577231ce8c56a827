"""Which spheres touch, and which are carried: a chain of contacts leads to a body that is none."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray, IntArray, positive_number

_SLACK = 0.1  # of the smaller radius


def touching_floor(
    position: FloatArray, radius: FloatArray, slack: float = _SLACK
) -> NDArray[np.bool_]:
    """Which spheres (n,) are closer to the floor z = 0 than that share of their radius."""
    return np.asarray(position[:, 2] - radius < positive_number("slack", slack) * radius)


def touching_pairs(
    position: FloatArray,
    radius: FloatArray,
    base: NDArray[np.bool_] | None = None,
    slack: float = _SLACK,
) -> IntArray:
    """Pairs (c, 2) of spheres with a gap below `slack` of the smaller radius; with `base`, also
    (sphere, -1) for those on the floor."""
    from scipy.spatial import cKDTree

    largest = float(radius.max())
    near = cKDTree(position).query_pairs(
        (2.0 + positive_number("slack", slack)) * largest, output_type="ndarray"
    )
    a, b = near.T
    gap = np.linalg.norm(position[a] - position[b], axis=1) - radius[a] - radius[b]
    pairs = near[gap < slack * np.minimum(radius[a], radius[b])]
    if base is not None:
        bottom = np.flatnonzero(base)
        pairs = np.vstack([pairs, np.column_stack([bottom, np.full(len(bottom), -1)])])
    return np.asarray(pairs, dtype=np.int64)


def carried(pairs: IntArray, count: int) -> NDArray[np.bool_]:
    """Which of `count` spheres are; -1 in a pair is a body that carries."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ends = np.where(pairs < 0, count, pairs)  # all that carries is one node
    graph = coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(count + 1, count + 1))
    label = connected_components(graph, directed=False)[1]
    return np.asarray(label[:count] == label[count])
