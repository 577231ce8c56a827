"""What makes residuals and solvers blind to units: lengths and a mobility per contact.

Moments and forces have different units. Each kind of turning at a contact gets a length
from the contact's own block: L^2 = (mean diagonal of W over sliding) / (the same over
rolling), and likewise for spinning. In (r, m / L) and (u, L w) all rows are forces and
speeds. lambda is the largest eigenvalue of the block so scaled (1/kg), of its symmetric
part where W is not symmetric.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray


@dataclass(frozen=True)
class Scaling:
    """units (n, d): 1 for forces, lengths in metres for the angular rows; y * units are
    speeds, p / units forces. lambdas (n,) of contacts and row_lambdas (m,) of extra rows, 1/kg.

    A block of zeros (nothing there can move) takes the largest lambda of the problem.
    """

    units: FloatArray
    lambdas: FloatArray
    row_lambdas: FloatArray

    def radii(self, radii: FloatArray) -> FloatArray:
        """Friction coefficients (n, 5) in scaled rows: rolling and spinning over their lengths."""
        out = radii.copy()
        d = self.units.shape[1]
        if d > 3:
            out[:, 2:4] /= self.units[:, 3:4]
        if d > 5:
            out[:, 4] /= self.units[:, 5]
        return out


def scaling(blocks: FloatArray, rows_diagonal: FloatArray) -> Scaling:
    """From the diagonal blocks W_ii (n, d, d) and the diagonal of the extra rows (m,)."""
    units = row_units(blocks)
    lambdas = largest_eigenvalues(blocks * units[:, :, None] * units[:, None, :])
    row_lambdas = rows_diagonal.copy()
    largest = max(lambdas.max(initial=0.0), row_lambdas.max(initial=0.0)) or 1.0
    lambdas[lambdas <= 0.0] = largest
    row_lambdas[row_lambdas <= 0.0] = largest
    return Scaling(units, lambdas, row_lambdas)


def row_units(blocks: FloatArray) -> FloatArray:
    """1 for force rows, L for angular rows, from the blocks W_ii (n, d, d).

    Where sliding cannot move, the normal row stands in for it; where only one of rolling and
    spinning can move, its length serves both; where neither can, nothing depends on it.
    """
    n, d = blocks.shape[:2]
    units = np.ones((n, d))
    if d < 5:
        return units
    diagonal = np.einsum("nkk->nk", blocks)
    slide, roll = diagonal[:, 1:3].mean(axis=1), diagonal[:, 3:5].mean(axis=1)
    slide = np.where(slide > 0, slide, diagonal[:, 0])
    spin = diagonal[:, 5] if d > 5 else roll
    for columns, turn, other in ((slice(3, 5), roll, spin), (slice(5, 6), spin, roll)):
        mobility = np.where(turn > 0, turn, other)
        moves = (slide > 0) & (mobility > 0)
        units[moves, columns] = np.sqrt(slide[moves] / mobility[moves])[:, None]
    return units


def largest_eigenvalues(blocks: FloatArray) -> FloatArray:
    """Of the symmetric part of each block (n, d, d)."""
    from rollcone.problem import _kernels

    n, d = blocks.shape[:2]
    out = np.empty(n)
    _kernels.largest_eigenvalues(np.ascontiguousarray(blocks), np.empty((d, d)), out)
    return out


def weighted_norm(contacts: FloatArray, rows: FloatArray, scale: Scaling) -> float:
    """sqrt(sum x_i^2 / lambda_i) over contacts (n,) and extra rows (m,): sqrt of an energy."""
    parts = np.concatenate([contacts / np.sqrt(scale.lambdas), rows / np.sqrt(scale.row_lambdas)])
    largest = float(np.abs(parts).max(initial=0.0))
    if not 0.0 < largest < np.inf:
        return largest
    return largest * float(np.linalg.norm(parts / largest))
