"""Kernels that only benchmarks run: what is timed next to the library's own.

`opened()` compiles them; it takes some seconds and needs Numba.
"""

from __future__ import annotations

import sys
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any

from rollcone._build.kernels import entry
from rollcone._build.signatures import Float1, Float2, Float4, Int2
from rollcone.laws.kernels.sets import project_sets


@lru_cache(maxsize=1)
def opened() -> Any:
    """Return this module, its kernels compiled."""
    from rollcone._build.separate import open_kernels

    this = sys.modules[__name__]
    with tempfile.TemporaryDirectory() as folder:
        open_kernels([this], Path(folder))
    return this


@entry
def stream(
    rows: int, dofs: int, sweeps: int, blocks: Float4, bodies: Int2, b: Float2, radii: Float2,
    steps: Float1, p: Float2, z: Float2,
) -> float:  # fmt: skip
    """Touch every number that a sweep of Gauss-Seidel touches, in its order. Writes p and z."""
    total = 0.0
    for _ in range(sweeps):
        for i in range(p.shape[0]):
            total += steps[i]
            for k in range(5):
                total += radii[i, k]
            for k in range(rows):
                total += b[i, k]
                p[i, k] = -p[i, k]
            for side in range(2):
                body = bodies[i, side]
                for j in range(dofs):
                    part = 0.0  # short sums, so that additions do not wait for each other
                    for k in range(rows):
                        part += blocks[i, side, j, k]
                    total += part
                    z[body, j] = -z[body, j]
    return total


@entry
def project_all_sets(kinds: Int2, radii: Float2, points: Float2, out: Float2) -> None:
    """Write `project_sets` of every row of points (n, 6) at the normal force max(x_0, 0)."""
    for i in range(points.shape[0]):
        x = points[i]
        p = project_sets(
            kinds[i, 0], radii[i, 0], radii[i, 1],
            kinds[i, 1], radii[i, 2], radii[i, 3], radii[i, 4],
            max(x[0], 0.0), x[0], x[1], x[2], x[3], x[4], x[5],
        )  # fmt: skip
        for k in range(6):
            out[i, k] = p[k]
