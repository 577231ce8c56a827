"""The problem with pyramids at resting blocks as an LCP (Pang and Trinkle 1996, (25) to (31)).

Blocks that move keep Coulomb's law as it is. Each row t of a resting block has limit = radius p_n
and an interval of its own, |p_t| <= limit, limit |a_t| + a_t p_t = 0, (18), (19). With

    s+ = limit + p_t,   s- = limit - p_t,   a_t = a+ - a-,

the unknowns z = (p_n, s+, a-) and w = (a_n, a+, s-) are nonnegative and complementary, w = M z + q:
Theorem 1. Any solution of the LCP gives one of the contact problem; the other way round as well.
"""

from __future__ import annotations

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.acceleration.motion import Motion
from rollcone.analysis.acceleration.problem import AccelerationProblem
from rollcone.analysis.acceleration.reduced import reduced
from rollcone.lcp import LCP, MLCP, LcpSolution, solve


class PyramidLCP:
    """M and q of (30), (31), for unknowns that are scaled to forces of size one, and back."""

    def __init__(self, problem: AccelerationProblem) -> None:
        self.problem, self.reduced = problem, reduced(problem)
        form = self.reduced
        self._rest = np.array([row for block in form.blocks for row in block.rows], dtype=np.int64)
        self._normal = np.array(
            [block.normal for block in form.blocks for _ in block.rows], dtype=np.int64
        )
        radius = np.array([block.radius for block in form.blocks for _ in block.rows])
        c, r = problem.contacts, len(self._rest)
        self._shift = np.zeros((len(form.pick), c))  # p_t = s+ - radius p_n
        slot = np.searchsorted(form.normals, self._normal)
        self._shift[self._rest, slot] = -radius
        N = np.zeros((len(form.pick), c + r))  # x = N (p_n, s+)
        N[form.normals, np.arange(c)] = 1.0
        N[:, :c] += self._shift
        N[self._rest, c + np.arange(r)] = 1.0
        self._N = N
        rows = np.concatenate([form.normals, self._rest])
        M = np.zeros((c + 2 * r, c + 2 * r))
        M[: c + r, : c + r] = form.A[rows] @ N
        M[c : c + r, c + r :] = np.eye(r)
        M[c + r + np.arange(r), slot] = 2.0 * radius
        M[c + r :, c : c + r] = -np.eye(r)
        q = np.concatenate([form.b[rows], np.zeros(r)])
        self.M, self.q = M, q

    @property
    def lcp(self) -> MLCP:
        return LCP(self.M, self.q)

    def motion(self, z: FloatArray, solver: str = "lemke") -> Motion:
        """Of a solution z."""
        used = self._N.shape[1]
        p = self.reduced.forces(self._N @ z[:used])
        return Motion(self.problem, p, "pyramid", solver)


def solve_pyramid(
    problem: AccelerationProblem, tolerance: float = 1e-12
) -> tuple[Motion | None, LcpSolution]:
    """A motion by Lemke's method, and the answer of the LCP, with its ray if it ends on one: that
    alone does not prove that there is no motion (the paper after Theorem 1)."""
    form = PyramidLCP(problem)
    answer = solve(form.lcp, "lemke", tolerance=tolerance)
    motion = form.motion(answer.z)
    return (motion if motion.certified else None), answer
