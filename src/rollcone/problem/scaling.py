"""What makes residuals and solvers blind to units: a length and a compliance per contact.

Moments and forces have different units. The length of a contact comes from its
own block, L^2 = trace(W_sliding) / trace(W_rolling); in (r, m / L) and (u, L w) all
rows are forces and speeds. lambda is the largest eigenvalue of the block so
scaled (1/kg), of its symmetric part where W is not symmetric.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray


@dataclass(frozen=True)
class Scaling:
    """lengths (n,) in metres; lambdas (n,) of contacts and row_lambdas (m,) of extra rows, 1/kg.

    A block of zeros (nothing there can move) takes the largest lambda of the problem.
    """

    lengths: FloatArray
    lambdas: FloatArray
    row_lambdas: FloatArray


def scaling(blocks: FloatArray, rows_diagonal: FloatArray) -> Scaling:
    """From the diagonal blocks W_ii (n, d, d) and the diagonal of the extra rows (m,)."""
    from rollcone.problem._kernels import scale_blocks

    n, d = blocks.shape[:2]
    lengths, lambdas = np.empty(n), np.empty(n)
    scale_blocks(np.ascontiguousarray(blocks), np.empty((d, d)), lengths, lambdas)
    row_lambdas = rows_diagonal.copy()
    largest = max(lambdas.max(initial=0.0), row_lambdas.max(initial=0.0)) or 1.0
    lambdas[lambdas <= 0.0] = largest
    row_lambdas[row_lambdas <= 0.0] = largest
    return Scaling(lengths, lambdas, row_lambdas)
