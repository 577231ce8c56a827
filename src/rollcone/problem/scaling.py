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
        return scaled_radii(radii, self.units)


def scaling(blocks: FloatArray, rows_diagonal: FloatArray) -> Scaling:
    """From the diagonal blocks W_ii (n, d, d) and the diagonal of the extra rows (m,).

    Where sliding cannot move, the normal row stands in for it; where only one of rolling and
    spinning can move, its length serves both; where neither can, nothing depends on it.
    """
    from rollcone.problem.kernels import scaling as _kernels

    n, d = blocks.shape[:2]
    scale = Scaling(np.empty((n, d)), np.empty(n), rows_diagonal.copy())
    work = np.empty((d, d))
    _kernels.scale_contacts(blocks, scale.row_lambdas, work, scale.units, scale.lambdas)
    return scale


def scaled_radii(radii: FloatArray, units: FloatArray) -> FloatArray:
    """Friction coefficients (n, 5) where reactions are divided by `units` (n, d)."""
    from rollcone.problem.kernels import scaling as _kernels

    out = np.empty_like(radii)
    _kernels.scale_radii(radii, units, out)
    return out


def largest_eigenvalues(blocks: FloatArray, D: FloatArray) -> FloatArray:
    """Of the symmetric part of D W_ii D for each block (n, d, d), D (n, d)."""
    from rollcone.problem.kernels import scaling as _kernels

    n, d = D.shape
    out = np.empty(n)
    _kernels.largest_eigenvalues(blocks, D, np.empty((d, d)), out)
    return out
