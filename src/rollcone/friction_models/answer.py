"""What a friction model answers, and the problem that its answer is checked against."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray
from rollcone.lcp.solution import LcpSolution, LcpStatus
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.residual import drive, share_residual, stopping_residual
from rollcone.solvers.solution import Status

_STATUS = {
    LcpStatus.SOLVED: Status.CONVERGED,
    LcpStatus.INFEASIBLE: Status.INFEASIBLE,
    LcpStatus.MAX_ITERATIONS: Status.MAX_ITERATIONS,
    LcpStatus.INACCURATE: Status.ROUNDING,
}


@dataclass(frozen=True)
class Answer:
    """Reactions p (N,) of a contact problem under a friction model.

    `checked` is the problem that the model makes of it, in the same words as all others: the exact
    law on polygons, or rows with fixed bounds; `z` are its reactions. So residuals mean what
    they mean elsewhere. `lengths` (n, d) makes velocities of its rows speeds.
    """

    p: FloatArray
    checked: ContactProblem
    z: FloatArray
    solution: LcpSolution  # the last
    iterations: int  # of all
    lengths: FloatArray | None = None  # where every row of a contact is one of `checked`

    @property
    def status(self) -> Status:
        return _STATUS.get(self.solution.status, Status.STALLED)

    def residual(self) -> tuple[float, float]:
        """That of `rc.solve`, and the worst error in m/s."""
        y = self.checked.velocities(self.z)
        return stopping_residual(self.checked, self.z, y, drive(self.checked))

    def share(self, speeds: FloatArray, tolerance: float) -> tuple[float, float]:
        """The residual of a time step: the worst error over `speeds` (n + m,) of contacts and extra
        rows; and the worst error in m/s."""
        if self.lengths is not None:
            n = len(self.lengths)
            own = (speeds[:n, None] / self.lengths).reshape(-1)
            speeds = np.concatenate([own, speeds[n:]])
        y = self.checked.velocities(self.z)
        return share_residual(self.checked, self.z, y, speeds, tolerance)[:2]
