"""Interior point: the central path followed to its end, around all its turns; then Newton's method.

The path (interior_path.py) begins where m is large and there is one solution, and ends at m = 0,
where the law holds. Under the associated law m falls all along it, and Mehrotra's predictor and
corrector make large steps. Under the exact law the problem is not monotone: the path of a heap
turns back, m grows for a while, and falls again, some ten times in a heap of 1,000 contacts.
Methods that only lower m get stuck at the first turn. So:

- while m falls and the step is long, Mehrotra's step;
- else a step along the path by its length, with tangent and curvature, and Newton's corrections
  across the path, so that a turn is like any other piece of it. Which way is onward is told by the
  sign of the determinant: dm and det have opposite signs all along (E. L. Allgower and K. Georg,
  Numerical Continuation Methods, 1990, chapters 2 and 6).

Lengths are measured in the metric of the cones themselves, in which they reach about 1 from
anywhere. The last digits are Newton's (newton.py): it is tried each time m has fallen to a
thousandth, and goes on as long as it gains. Factorisations of both count as iterations.

Y. Nesterov and M. Todd 1997 (scaling), S. Mehrotra 1992 (predictor and corrector).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from rollcone._check import FloatArray, true_or_false
from rollcone.problem.contact_problem import ContactProblem
from rollcone.solvers.first_order import FirstOrder, norm
from rollcone.solvers.interior_path import Direction, InteriorPath
from rollcone.solvers.newton import Newton, NewtonOptions

_NEAR_EDGE = 0.95  # of the way to the edge of a cone is gone
_LONG = 0.6  # part of Mehrotra's step that makes it worth while
_LOWER = 0.7  # and the share of m that it must aim below
_SHORT = 0.2  # part of it, under the associated law, after which a step to the path is made instead
_CENTERED = 0.4  # distance from the path at which the next step along it is made
_AIM = 0.3  # that distance after a step along the path: steps are chosen for it
_SHORTEST, _LONGEST = 1e-5, 5.0  # such steps
_BEND = 2.0  # what the curvature may make of a step, in the same lengths
_CORRECTIONS = 12
_HIGHER, _RAISES = 10.0, 8  # m where the path is not found, and how often
_LEAST_M = 1e-18
_EQUATIONS = 10  # steps that solve linear equations
_LOST = 150  # iterations in which m has not come below half of what it was: too many turns
_POLISH_BELOW, _POLISH_EVERY = 1e-5, 1e-3  # m at which Newton's method is tried, and again
_PATIENCE = 8  # Newton steps without a gain of _GAIN
_GAIN = 0.5


@dataclass(frozen=True)
class InteriorPointOptions:
    """polish: finish by Newton's method; without it the path ends near 1e-7 at best."""

    polish: bool = True

    def __post_init__(self) -> None:
        true_or_false("polish", self.polish)


class InteriorPoint(FirstOrder):
    """The method for the driver; see registry.py for what it must offer.

    The path has its own beginning; but Newton's method is tried from where one starts.
    """

    def __init__(self, problem: ContactProblem, options: InteriorPointOptions) -> None:
        super().__init__(problem)
        self._path = InteriorPath(self.scaled)
        self._newton = Newton(problem, NewtonOptions(sweeps=0)) if options.polish else None
        self._polishing, self._next_polish = False, _POLISH_BELOW
        self._length = 0.5  # of a step along the path
        self._saved = self._path.state()  # where the last step was made from
        self._distance = math.inf  # from the path, before the last correction
        self._corrections = 0
        self._after_step = False  # along the path, no correction yet
        self._fast, self._monotone = True, not self.scaled.exact
        self._off_path, self._raised = True, 0  # not centered since the last of Mehrotra's steps
        self._lowest, self._since = self._path.m, 0

    def start(self, p: FloatArray) -> None:
        super().start(p)
        if self._newton is not None and p.any():
            self._begin_polish(self.p, last=False)

    def reactions(self) -> FloatArray:
        """The admissible ones next to p."""
        return self.scaled.leave(self.step(self.p, self.y, 0.0))

    def iterate(self) -> float:
        """One factorisation."""
        if self._polishing:
            return self._polish()
        try:
            ended = self._follow()
        except ArithmeticError:  # numbers too far apart for one path
            ended = True
            self._path.restore(self._saved)
        self.p, self.y = self._path.p, self._path.y
        if self._newton is not None and (
            ended or self._path.m < self._next_polish * self._path.unit
        ):
            self._next_polish = _POLISH_EVERY * self._path.m / self._path.unit
            self._begin_polish(self.p, ended)
        elif ended:
            self.stalled = (
                "rounding ends the path"
                if self._lowest < 1e-9 * self._path.unit
                else "the path is lost"
            )
        return self._error()

    def _error(self) -> float:
        return norm(self.p - self.step(self.p, self.y, 1.0))

    # Newton's method, from the path.

    def _begin_polish(self, p: FloatArray, last: bool) -> None:
        assert self._newton is not None
        self._newton.start(self.scaled.leave(p))
        self._polishing, self._last = True, last
        self._least, self._idle = self._error(), 0

    def _polish(self) -> float:
        """A step of Newton's method; back to the path where it gains nothing."""
        newton = self._newton
        assert newton is not None
        error = newton.iterate()
        self.p, self.y = newton.p, newton.y
        if error <= _GAIN * self._least:
            self._least, self._idle = error, 0
        else:
            self._idle += 1
        if self._idle > (4 * _PATIENCE if self._last else _PATIENCE):
            self._polishing = False
            if self._last:
                self.stalled = "the path has ended, and Newton's method gains nothing more"
        return error

    # The path.

    def _follow(self) -> bool:
        """One step or correction; True where the path cannot be followed any more."""
        path = self._path
        sign = path.factor()
        if not path.pairs:  # equations alone, which a few steps solve if there is a solution
            path.move(1.0, path.direction(0.0, 1.0))
            self._since += 1
            return self._since > _EQUATIONS
        self._since += 2 if self._monotone else 1
        if path.m < 0.5 * self._lowest:
            self._lowest, self._since = path.m, 0
        lost = self._since > _LOST or path.m < _LEAST_M * path.unit
        if lost or (sign == 0 and not self._go_back()):
            return True
        if sign == 0:
            return False
        if self._fast and sign > 0 and self._descend():
            return False
        newton, tangent = path.direction(path.m, 1.0), path.direction(1.0, 0.0)
        across, distance = self._across(newton, tangent)
        if distance < _CENTERED:
            self._advance_along(sign, newton, tangent, across, distance)
        elif self._off_path:
            return not self._center(newton, distance)
        elif self._corrections < _CORRECTIONS and self._converging(distance):
            if self._after_step and self._corrections == 0:
                self._choose_length(distance)
            self._correct(newton.plus(across, tangent), across, distance)
        else:
            return not self._go_back()
        return False

    def _descend(self) -> bool:
        """Mehrotra's predictor and corrector, if a good part of the step can be made."""
        path = self._path
        m = path.mean_product()
        straight = path.direction(0.0, 1.0)
        part = min(1.0, path.way_to_the_edge(straight))
        share = min(max((path.mean_product(part, straight) / m) ** 3, 1e-3), 1.0)
        way = path.direction(share * m, 1.0, 1.0, straight)
        part = min(1.0, _NEAR_EDGE * path.way_to_the_edge(way))
        if self._monotone and part < _SHORT:  # too near to the edges
            share, way = 1.0, path.direction(m, 1.0)
            part = min(1.0, _NEAR_EDGE * path.way_to_the_edge(way))
        elif not self._monotone and (part < _LONG or share > _LOWER):
            self._fast = False
            path.m = m
            return False
        self._saved, self._off_path = path.state(), True
        path.m = (1.0 - part * (1.0 - share)) * m
        path.move(part, way)
        self._corrections, self._distance, self._after_step = 0, math.inf, False
        return True

    def _across(self, newton: Direction, tangent: Direction) -> tuple[float, float]:
        """How much of the tangent makes Newton's step the shortest one; and the length of the step,
        that of the contact for which it is longest."""
        path = self._path
        square = path.product(tangent, tangent)[0] + 1.0 / path.m**2
        amount = -path.product(newton, tangent)[0] / square
        shortest = newton.plus(amount, tangent)
        return amount, math.sqrt(path.product(shortest, shortest)[1])

    def _converging(self, distance: float) -> bool:
        return math.isfinite(distance) and (
            self._corrections < 2 or distance < 0.95 * self._distance
        )

    def _correct(self, way: Direction, change: float, distance: float) -> None:
        path = self._path
        part = min(1.0, 0.9 * path.way_to_the_edge(way))
        path.m = max(path.m + part * change, 0.05 * path.m)
        path.move(part, way)
        self._corrections, self._distance = self._corrections + 1, distance

    def _center(self, newton: Direction, distance: float) -> bool:
        """A step to the path at the present m; at a larger m, where the path is easier to find, if
        many have not led there. False after many such."""
        if self._corrections >= _CORRECTIONS:
            self._path.m *= _HIGHER
            self._corrections, self._raised = 0, self._raised + 1
            return self._raised <= _RAISES
        self._correct(newton, 0.0, distance)
        return True

    def _choose_length(self, distance: float) -> None:
        """The next step, by what the last one has left: an error of third order."""
        factor = (_AIM / max(distance, 1e-9)) ** (1.0 / 3.0)
        self._length = min(max(self._length * min(max(factor, 0.4), 2.5), _SHORTEST), _LONGEST)

    def _advance_along(
        self, sign: int, newton: Direction, tangent: Direction, across: float, distance: float
    ) -> None:
        """A step along the path, with the correction across it."""
        path = self._path
        if self._after_step and self._corrections == 0:
            self._choose_length(distance)
        self._saved, self._off_path, self._raised = path.state(), False, 0
        bend = path.direction(0.0, 0.0, 2.0, tangent)
        total, largest = path.product(tangent, tangent)
        size = math.sqrt(largest)
        speed = -sign / max(size, 1.0 / path.m)  # dm by length
        turn = -(speed**2) * path.product(bend, tangent)[0] / (total + 1.0 / path.m**2)
        curve = Direction(*(speed**2 * a + turn * b for a, b in zip(bend, tangent, strict=True)))
        curvature = math.sqrt(path.product(curve, curve)[1])
        length = min(self._length, math.sqrt(2.0 * _BEND / max(curvature, 1e-300)))
        for _ in range(12):
            change = across + length * speed + 0.5 * length**2 * turn
            way = newton.plus(change, tangent).plus(0.5 * length**2 * speed**2, bend)
            edge = path.way_to_the_edge(way)
            if edge > 1.05 and change > -0.98 * path.m:
                break
            length *= 0.7
        part = min(1.0, 0.9 * edge)
        self._fast = sign > 0 and size * path.m < 3.0
        path.m = max(path.m + part * change, 0.02 * path.m)
        path.move(part, way)
        self._length, self._corrections, self._distance = length, 0, math.inf
        self._after_step = True

    def _go_back(self) -> bool:
        """To the last point, for a shorter step; False if there is none short enough."""
        self._path.restore(self._saved)
        self._length /= 3.0
        self._corrections, self._distance, self._after_step = 0, math.inf, False
        self._fast = False
        return self._length >= _SHORTEST
