"""Alternating directions (ADMM) with a sparse factor that many iterations share.

Reactions x obey the equations, reactions p the law; both are led to the same ones. With the
length h, which is one over the penalty of ADMM, P the projection (on the cone, or under the exact
law set by set at the new normal force, so that the shift is a new one each time), and y standing
for y + C x = W x + q + C x,

    p = P(x - h y),   (I + h (W + C)) dx = a (p - x),   x <- x + dx.

In s = x + h y this is s <- s + a (p - x), the splitting of Douglas and Rachford, which is ADMM
(Eckstein and Bertsekas 1992; Boyd et al. 2011), a the relaxation. For the associated law it
converges with every fixed h and every a below 2, also where W is singular or has a skew part. The
matrix is factored once for each h, by bodies (coupling.py).

h weighs reactions against velocities: it is too long if h |dy| is above |dx| over some iterations,
too short if below; changes are few, and get rarer (Stellato et al. 2020 do so by residuals, which
on heaps at rest and on stacks took several times as many iterations, or did not end). Anderson's
extrapolation (extrapolation.py) is kept as long as |p - x| falls with it, as SCS does: a half to a
fifth of the iterations, which then depend little on h and a.

The exact law is not monotone: nothing is proven, a above one runs in circles on shaken heaps, and
extrapolation gets caught where |p - x| is least but not zero. So while the error is slow to
fall, it is left out and taken again in turn; where the error does not fall at all a is lowered, and
at its lowest `stalled` says so. Projecting on the cone with the shift of the last projection
(Carpentier, Le Lidec and Montaut 2024) is less prone to circles by itself, but with
extrapolation it fails from mu = 3 on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray, positive_number, whole_number
from rollcone.errors import InputError
from rollcone.problem.contact_problem import ContactProblem
from rollcone.solvers.coupling import Equations, coupling
from rollcone.solvers.extrapolation import Extrapolation
from rollcone.solvers.first_order import FirstOrder, norm
from rollcone.solvers.progress import Pace, Watch

_RELAXATION = {"exact": 1.0, "associated": 1.6}
_LOWER, _LOWEST = 0.4, 0.2  # the relaxation where iterations run in a circle
_LENGTH, _SHORTEST, _LONGEST = 10.0, 1e-3, 1e3  # h at first, at least, at most
_LOOK, _RARER = 20, 1.2  # iterations between two looks at h; after each change so much longer
_CHANGE, _MOST = 2.0, 10.0  # of h at a time: at least, at most
# The error must fall to this share from one span of iterations to the next, or extrapolation is
# left out or taken again; and while iterations double, or the relaxation is lowered.
_PROGRESS, _SPAN, _WINDOW = 0.7, 50, 50
_LONGEST_MEMORY = 1000


@dataclass(frozen=True)
class AdmmOptions:
    """relaxation: above 0 and below 2; None: 1.6 for the associated law, 1 for the exact law,
    lowered where iterations run in a circle. memory: how many iterations the extrapolation looks
    back on, at most 1000; 0 for none."""

    relaxation: float | None = None
    memory: int = 10

    def __post_init__(self) -> None:
        if self.relaxation is not None and not (
            0 < positive_number("relaxation", self.relaxation) < 2
        ):
            raise InputError(f"relaxation = {self.relaxation}: must be above 0 and below 2")
        object.__setattr__(self, "memory", whole_number("memory", self.memory))
        if self.memory > _LONGEST_MEMORY:
            raise InputError(f"memory = {self.memory}: must be at most {_LONGEST_MEMORY}")


class Admm(FirstOrder):
    """The method for the driver; see registry.py for what it must offer.

    x with its velocities y obeys the equations, p the law. `factors` counts factorisations.
    """

    def __init__(self, problem: ContactProblem, options: AdmmOptions) -> None:
        super().__init__(problem)
        self._relaxation = options.relaxation or _RELAXATION[problem.law]
        self._adapts = options.relaxation is None and problem.law == "exact"
        self._coupling = coupling(self.scaled)
        self._equations = Equations(self.scaled)
        self._extrapolation = Extrapolation(options.memory, problem.size)
        self._extrapolates = True
        self._pace, self._watch = Pace(_PROGRESS, _SPAN), Watch(_PROGRESS, _WINDOW)
        self._look, self._looked = _LOOK, 0
        self.x = self.p
        self._image: FloatArray | None = None  # what x would be without extrapolation
        self._distance = np.inf  # |p - x| of the last iteration
        self.factors = 0
        self._set_length(_LENGTH)

    def move(self, p: FloatArray, y: FloatArray) -> None:
        super().move(p, y)
        self.x = p
        self._mark = p, y
        self._forget()

    def iterate(self) -> float:
        p = self._project()
        change = self._relaxation * (p - self.x)
        error = norm(self.step(self.x, self.y, 1.0) - self.x)
        self._equations.w[:] = -change / self._divisors
        image = self.x + self._coupling.solve(self._equations)
        point = self._extrapolation.next_point(change, image) if self._extrapolates else None
        self._image = None if point is None else image
        self.p, self.x = p, image if point is None else point
        self.y = self.velocities(self.x)
        if self.done + 1 >= self._looked + self._look:
            self._balance()
        if self._adapts:
            self._vary(error)
        return error

    def _project(self) -> FloatArray:
        """P(x - h y), after a step back if x was extrapolated and |p - x| grew."""
        p = self.step(self.x, self.y, self._length)
        distance = norm(p - self.x)
        if self._image is not None and not distance <= self._distance:
            self.x, self.y = self._image, self.velocities(self._image)
            self._forget()
            p = self.step(self.x, self.y, self._length)
            distance = norm(p - self.x)
        self._distance = distance
        return p

    def _forget(self) -> None:
        """Extrapolate from here on only."""
        self._extrapolation.forget()
        self._image, self._distance = None, np.inf

    def _balance(self) -> None:
        """Another h, if reactions and velocities have moved by too different amounts."""
        x, y = self._mark
        self._mark, self._looked = (self.x, self.y), self.done + 1
        reactions, velocities = norm(self.x - x), norm(self.y - y)
        if not (reactions > 0.0 and velocities > 0.0):
            return
        factor = math.sqrt(reactions / (self._length * velocities))
        factor = min(max(factor, 1.0 / _MOST), _MOST)
        length = min(max(factor * self._length, _SHORTEST), _LONGEST)
        if not self._length / _CHANGE < length < self._length * _CHANGE:
            self._set_length(length)
            self._look = math.ceil(_RARER * self._look)

    def _set_length(self, length: float) -> None:
        """Factor for another h: dx = -w - T dy with T = h / (1 + h C) on the diagonal, where C is
        what W lacks; shorter where W is not positive and the matrix singular."""
        self._length = length
        self._divisors = 1.0 + length * self._coupling.soft
        T, t = self.scaled.problem.split(length / self._divisors)
        self._equations.T[:] = T[:, :, None] * np.eye(T.shape[1])
        self._equations.t[:] = t
        self.factors += 1
        if not self._coupling.factor(self._equations):
            self._set_length(0.5 * length)
        self._forget()

    def _vary(self, error: float) -> None:
        """Extrapolation given up or taken up again, and a smaller relaxation, where the error is
        slow to fall and where it does not."""
        if self._pace.slow(error):
            self._extrapolates = not self._extrapolates
            self._forget()
        if self._watch.stuck(error):
            if self._relaxation == _LOWEST:
                self.stalled = "the error no longer falls, whatever the relaxation"
            self._relaxation = max(_LOWER * self._relaxation, _LOWEST)
            self._watch = Watch(_PROGRESS, math.ceil(_WINDOW / self._relaxation))
            self._forget()
