"""Reactions that nearly cancel out, made to: the smallest changes towards B^T s = 0, in the
numbers of problem/rigid_part.py."""

from __future__ import annotations

import numpy as np
import scipy

from rollcone._check import FloatArray
from rollcone.problem.rigid_part import RigidPart

_DAMPING = 1e-14  # keeps the balance solvable where B is singular


class Balance:
    """Changes are measured by weights, which say how far each row may move: as its force in s, in a
    contact the normal one. What carries nothing stays so."""

    def __init__(self, part: RigidPart, s: FloatArray) -> None:
        weights = np.abs(s) / (np.abs(s).max(initial=0.0) or 1.0)
        contacts, _ = part.bare.split(weights)
        contacts[:] = contacts[:, :1]
        self._rows = np.flatnonzero(np.where(part.R == 0.0, 0.0, weights))
        self._weights = weights[self._rows]
        self._turned = part.B.T.tocsr()
        A = (part.B[self._rows].T @ scipy.sparse.diags(self._weights)).tocsr()
        self._columns = np.flatnonzero(np.diff(A.indptr))
        A = A[self._columns]
        m, n = A.shape
        self._factor = scipy.sparse.linalg.splu(
            scipy.sparse.bmat(
                [[scipy.sparse.eye(n), A.T], [A, -_DAMPING * scipy.sparse.eye(m)]], "csc"
            )
        )

    def __call__(self, s: FloatArray) -> FloatArray:
        """s with the smallest change."""
        n = len(self._rows)
        net = (self._turned @ s)[self._columns]
        change = self._factor.solve(np.concatenate([np.zeros(n), -net]))[:n]
        out = s.copy()
        out[self._rows] += self._weights * change
        return out


def without_weak(part: RigidPart, s: FloatArray, cut: float) -> FloatArray:
    """s without contacts and rows that carry at most this share of the largest force."""
    out = s.copy()
    contacts, rows = part.bare.split(out)
    weak = cut * max(contacts[:, 0].max(initial=0.0), np.abs(rows).max(initial=0.0))
    contacts[contacts[:, 0] <= weak] = 0.0
    rows[np.abs(rows) <= weak] = 0.0
    return out
