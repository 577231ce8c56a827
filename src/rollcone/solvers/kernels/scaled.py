"""Compiled scaling of the contacts' rows (scaled.py)."""

from __future__ import annotations

import math

from rollcone._build.kernels import entry, inlined
from rollcone._build.signatures import Float1, Float2, Float3, Float4

# A group of rows that hardly moves is not blown up beyond this share of lambda.
_LEAST = 1e-6


@inlined
def group_of(d, group):
    """Where the group of rows begins and where the next one does."""
    return min(max(2 * group - 1, 0), d), min(2 * group + 1, d)


@entry
def group_scales(blocks: Float3, units: Float2, lambdas: Float1, work: Float1, D: Float2) -> None:
    """D (n, d): first 1 / sqrt(mean diagonal) of each group of rows, then that over the root of
    the group's largest row sum of |D W_ii D|."""
    d = blocks.shape[1]
    for i in range(blocks.shape[0]):
        for group in range((d + 2) // 2):
            first, last = group_of(d, group)
            mean = 0.0
            for k in range(first, last):
                mean += blocks[i, k, k]
            least = _LEAST * lambdas[i] / (units[i, first] * units[i, first])
            scale = 1.0 / math.sqrt(max(mean / (last - first), least))
            for k in range(first, last):
                D[i, k] = scale
        for k in range(d):
            total = 0.0
            for m in range(d):
                total += (abs(blocks[i, k, m]) + abs(blocks[i, m, k])) * D[i, m]
            work[k] = 0.5 * D[i, k] * total
        for group in range((d + 2) // 2):
            first, last = group_of(d, group)
            largest = 0.0
            for k in range(first, last):
                largest = max(largest, work[k])
            scale = 1.0 / math.sqrt(largest) if largest > 0.0 else 1.0
            for k in range(first, last):
                D[i, k] *= scale


@entry
def scale_pairs(pairs: Float4, D: Float2, out: Float4) -> None:
    """pairs (n, 2, size, d) times D (n, d)."""
    n, sides, size, d = pairs.shape
    for i in range(n):
        for side in range(sides):
            for j in range(size):
                for k in range(d):
                    out[i, side, j, k] = pairs[i, side, j, k] * D[i, k]
