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
    lengths = contact_lengths(blocks)
    lambdas = largest_eigenvalues(blocks, lengths)
    row_lambdas = rows_diagonal.copy()
    largest = max(lambdas.max(initial=0.0), row_lambdas.max(initial=0.0)) or 1.0
    lambdas[lambdas <= 0.0] = largest
    row_lambdas[row_lambdas <= 0.0] = largest
    return Scaling(lengths, lambdas, row_lambdas)


def contact_lengths(blocks: FloatArray) -> FloatArray:
    """L of each block (n, d, d); 1 where nothing rolls or nothing slides."""
    n, d = blocks.shape[:2]
    lengths = np.ones(n)
    if d > 3:
        diagonal = np.einsum("nkk->nk", blocks)
        slide, roll = diagonal[:, 1:3].sum(axis=1), diagonal[:, 3:5].sum(axis=1)
        moves = (slide > 0) & (roll > 0)
        lengths[moves] = np.sqrt(slide[moves] / roll[moves])
    return lengths


def largest_eigenvalues(blocks: FloatArray, lengths: FloatArray) -> FloatArray:
    """Of the symmetric part of each block (n, d, d) in length-scaled rows."""
    from rollcone.problem import _kernels

    n, d = blocks.shape[:2]
    out = np.empty(n)
    _kernels.largest_eigenvalues(np.ascontiguousarray(blocks), lengths, np.empty((d, d)), out)
    return out


def length_scaled(rows: FloatArray, lengths: FloatArray) -> FloatArray:
    """Contact rows (n, d) with the angular ones times the lengths (n,)."""
    out = rows.copy()
    out[:, 3:] *= lengths[:, None]
    return out


def weighted_norm(contacts: FloatArray, rows: FloatArray, scale: Scaling) -> float:
    """sqrt(sum x_i^2 / lambda_i) over contacts (n,) and extra rows (m,): sqrt of an energy."""
    parts = np.concatenate([contacts / np.sqrt(scale.lambdas), rows / np.sqrt(scale.row_lambdas)])
    largest = float(np.abs(parts).max(initial=0.0))
    if not 0.0 < largest < np.inf:
        return largest
    return largest * float(np.linalg.norm(parts / largest))
