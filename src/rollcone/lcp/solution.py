"""What a solve of a complementarity problem returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray
from rollcone.lcp.ray import Ray

StateArray = NDArray[np.int8]


class LcpStatus(Enum):
    """How a solve ended; the value is what to tell a person."""

    SOLVED = "solved"
    INFEASIBLE = "no solution: no z within the bounds, up to 1e12 of the load, has the right w"
    RAY = "not solved: the pivots end on a ray, which does not prove that there is no solution"
    SINGULAR = "not solved: a basis is singular"
    MAX_ITERATIONS = "not solved: reached the largest number of iterations"
    INACCURATE = "not solved: rounding allows no better"
    STALLED = "not solved: the method makes no more progress"
    NONE_FOUND = "no solution: no basis of the problem holds one"


@dataclass
class Outcome:
    """What a method ends with; the driver checks it against the raw data."""

    z: FloatArray
    status: LcpStatus = LcpStatus.SOLVED
    iterations: int = 0
    factorisations: int = 0
    updates: int = 0
    note: str = ""  # more to tell
    singular: bool = False
    basis: StateArray | None = None
    ray: Ray | None = None
    certificate: FloatArray | None = None


@dataclass(frozen=True, eq=False)
class LcpSolution:
    """z and w = M z + q of one problem, with the residual that proves them.

    basis         (n,): -1 at the lower bound, 0 in between (w = 0), 1 at the upper bound
    iterations    pivots, sweeps or Newton steps
    singular      a basis was singular: z need not be the only solution
    ray           where Lemke's method ended, if it did so without a solution
    certificate   d (n,) that proves that there is no solution (ray.py), else None
    """

    z: FloatArray
    w: FloatArray
    residual: float
    status: LcpStatus
    message: str
    solver: str
    iterations: int
    factorisations: int
    updates: int  # of a factor, in the place of factorisations
    time: float  # seconds
    singular: bool
    basis: StateArray = field(repr=False)
    ray: Ray | None = field(default=None, repr=False)
    certificate: FloatArray | None = field(default=None, repr=False)

    @property
    def solved(self) -> bool:
        return self.status is LcpStatus.SOLVED

    def __repr__(self) -> str:
        return (
            f"LcpSolution({self.solver}: {self.status.value}, residual {self.residual:.2e}, "
            f"{self.iterations} iterations, {self.time:.3g} s)"
        )
