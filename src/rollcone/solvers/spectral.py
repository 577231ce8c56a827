"""Projected gradient with the step lengths of Barzilai and Borwein, and a line search that
is not monotone (Birgin, Martinez and Raydan 2000).

    d = proj(p - a y) - p,   p <- p + t d,   y <- y + t W d

a is d.d / d.Wd and d.Wd / Wd.Wd in turn (0.0001 to 10,000). t is halved from 1 while the error
|proj(p - y) - p| is above `slack` times the largest of the last `memory` ones, and above the
first of all. Since W d is known, a trial costs a projection and no product. The objective of
the associated law would do as well there, but is blind below 1e-8; the exact law has none.

Under the exact law proj is set by set at the new normal force. When the error stops
falling, slack is lowered to one.
"""

from __future__ import annotations

from dataclasses import dataclass

from rollcone._check import FloatArray, whole_number
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.kernels.linear import dot
from rollcone.solvers.first_order import FirstOrder, norm
from rollcone.solvers.progress import Watch

_SLACK = 2.0
_SHORTEST, _LONGEST = 1e-4, 1e4
_LEAST_PART = 1e-3  # of the way
_PROGRESS, _WINDOW = 0.7, 100


@dataclass(frozen=True)
class SpectralOptions:
    """memory: how many errors the line search looks back on; with 1 it may still rise by `slack`,
    until that is lowered."""

    memory: int = 20

    def __post_init__(self) -> None:
        whole_number("memory", self.memory, least=1)


class Spectral(FirstOrder):
    """The method for the driver; see registry.py for what it must offer."""

    def __init__(self, problem: ContactProblem, options: SpectralOptions) -> None:
        super().__init__(problem)
        self._memory = options.memory
        self._length, self._slack = 1.0, _SLACK
        self._errors: list[float] = []
        self._watch = Watch(_PROGRESS, _WINDOW)

    def move(self, p: FloatArray, y: FloatArray) -> None:
        super().move(p, y)
        self._first = self._error(p, y)
        self._errors = [self._first]

    def iterate(self) -> float:
        p, y = self.p, self.y
        change = self.step(p, y, self._length) - p
        turn = self.velocities(p + change) - y  # W d
        largest = max(self._errors)
        most = max(largest, min(self._slack * largest, self._first))
        part = 1.0
        while True:
            self.p, self.y = p + part * change, y + part * turn
            error = self._error(self.p, self.y)
            if not error > most or part < _LEAST_PART:
                break
            part *= 0.5
        self._errors = [*self._errors, error][-self._memory :]
        self._length = self._next_length(change, turn)
        if self._watch.stuck(error):
            self._slack = max(1.0, 0.7 * self._slack)
        return error

    def _next_length(self, change: FloatArray, turn: FloatArray) -> float:
        """d.d / d.Wd or d.Wd / Wd.Wd in turn; 1 where they say nothing."""
        other = change if self.done % 2 else turn
        top, bottom = dot(change, other), dot(other, turn)
        if not (top > 0.0 and bottom > 0.0):
            return 1.0
        return float(min(max(top / bottom, _SHORTEST), _LONGEST))

    def _error(self, p: FloatArray, y: FloatArray) -> float:
        return norm(self.step(p, y, 1.0) - p)
