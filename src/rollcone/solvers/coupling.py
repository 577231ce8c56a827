"""What couples the contacts in Newton's equations: dy = W dp.

Each contact has dp = -w - T dy (kernels/newton.py), so with W = A^T A by bodies

    (I + A T A^T) dz = -A w,   dy = A^T dz,

one sparse matrix with a block per pair of bodies that touch, whatever the number of contacts.
Where the problem is not made of bodies, (I + T W) dp = -w.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import scipy

from rollcone._check import FloatArray, IntArray
from rollcone.solvers.body_matrix import BodyMatrix
from rollcone.solvers.kernels.newton import move_contacts
from rollcone.solvers.scaled import BodyMap, MatrixMap, ScaledProblem


class Equations:
    """w (N,), T (n, d, d) of the contacts and t (m,) of the extra rows."""

    def __init__(self, scaled: ScaledProblem) -> None:
        problem = scaled.problem
        self.w = np.zeros(problem.size)
        self.T = np.zeros((problem.contacts, problem.rows, problem.rows))
        self.t = np.zeros(problem.extra_rows)


class Coupling(Protocol):
    """soft (N,): the compliance that W lacks."""

    soft: FloatArray

    def factor(self, equations: Equations) -> bool:
        """The matrix for T and t, kept until the next call; False where it is singular."""

    def solve(self, equations: Equations) -> FloatArray:
        """dp (N,) for w; T and t as they were when the matrix was factored."""

    @property
    def orientation(self) -> int:
        """The sign of the determinant of the matrix, 1 or -1."""


class BodyCoupling:
    """By bodies."""

    def __init__(self, scaled: ScaledProblem, bodies: BodyMap) -> None:
        self._split = scaled.problem.split
        self._bodies, self.soft = bodies, bodies.compliance
        count, size = len(bodies.z) - 1, bodies.size
        self._matrix = BodyMatrix(count, size, bodies.contacts.bodies, bodies.lines.bodies)

    def factor(self, equations: Equations) -> bool:
        contacts, lines = self._bodies.contacts, self._bodies.lines
        return self._matrix.factor(contacts.blocks, equations.T, lines.blocks, equations.t)

    def solve(self, equations: Equations) -> FloatArray:
        contacts, lines = self._bodies.contacts, self._bodies.lines
        w, row_w = self._split(equations.w)
        dz = np.zeros_like(self._bodies.z)
        contacts.add_reactions(-w, dz)
        if len(row_w):
            lines.add_reactions(-row_w[:, None], dz)
        self._matrix.solve(dz)
        dy, dp = np.zeros_like(equations.w), np.empty_like(equations.w)
        contacts.add_velocities(dz, self._split(dy)[0])
        move_contacts(w, equations.T, self._split(dy)[0], self._split(dp)[0])
        if len(row_w):
            row_dy = self._split(dy)[1]
            lines.add_velocities(dz, row_dy[:, None])
            self._split(dp)[1][:] = -row_w - equations.t * row_dy
        return dp

    @property
    def orientation(self) -> int:
        return self._matrix.orientation


class MatrixCoupling:
    """By the matrix W, which holds the compliance."""

    def __init__(self, matrix: MatrixMap) -> None:
        self._W = matrix.W
        self.soft = np.zeros(matrix.W.shape[0])

    def factor(self, equations: Equations) -> bool:
        n, d = equations.T.shape[:2]
        blocks = scipy.sparse.bsr_matrix(
            (equations.T, np.arange(n), np.arange(n + 1)), shape=(n * d, n * d)
        )
        T = scipy.sparse.block_diag([blocks, scipy.sparse.diags(equations.t)], format="csr")
        try:
            self._factors = scipy.sparse.linalg.splu(
                (scipy.sparse.identity(len(equations.w)) + T @ self._W).tocsc()
            )
        except RuntimeError:  # singular
            return False
        return True

    def solve(self, equations: Equations) -> FloatArray:
        return np.asarray(self._factors.solve(-equations.w))

    @property
    def orientation(self) -> int:
        factors = self._factors
        negative = int(np.count_nonzero(factors.U.diagonal() < 0.0))
        return _sign(negative) * _parity(factors.perm_r) * _parity(factors.perm_c)


def coupling(scaled: ScaledProblem) -> Coupling:
    """By bodies where they come in pairs, else by the matrix W."""
    velocities = scaled.velocity_map()
    if isinstance(velocities, BodyMap):
        return BodyCoupling(scaled, velocities)
    return MatrixCoupling(velocities)


def _sign(exchanges: int) -> int:
    return -1 if exchanges % 2 else 1


def _parity(order: IntArray) -> int:
    """1 for a permutation of an even number of exchanges, else -1."""
    n = len(order)
    graph = scipy.sparse.csr_matrix((np.ones(n), order, np.arange(n + 1)), shape=(n, n))
    cycles = scipy.sparse.csgraph.connected_components(graph, return_labels=False) if n else 0
    return _sign(n - cycles)
