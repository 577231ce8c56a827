"""Reactions that grow without bound: is there a proof that they must (problem/infeasibility.py)?

Where there is no solution, all methods push on along reactions d that prove it, and velocities
come to rest. So of the changes dp and dy since the last check it is asked first, cheap
enough for every check, whether

    dp.(dy + C dp) |q|^2 <= 1e-4 (q.dp)^2,   q.dp < 0,    |q|^2 = sum |q_i|^2 / lambda_i.

The first is the square of what dp does to the motion. If so dp is a candidate, the first time, the
second, the fourth and so on, since a closer look takes as long as many iterations.

A candidate seldom cancels out to rounding, and often has contacts at the limit of friction. So
contacts that carry little are dropped, and those that are left led to reactions that cancel out
and are somewhat inside the cones, by the splitting of Douglas and Rachford: with L the
balanced reactions (balance.py) and K' cones of less friction,

    a = P_L(z),   z <- z + P_K'(2 a - z) - a,

until a is a proof. Alternating projections stay at the limit, and took many times the rounds.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from rollcone._check import FloatArray
from rollcone.problem.bodies import BodyForm
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.infeasibility import Infeasibility, judged, proving_part, suspects
from rollcone.problem.rigid_part import RigidPart, row_scale
from rollcone.solvers.balance import Balance, without_weak

_SMALL = 1e-4
# Contacts with less than a share of the largest force are dropped, a share of friction left out.
_TRIALS = ((0.3, 0.1), (0.03, 0.03), (0.0, 3e-3), (0.0, 0.0))
_ROUNDS = 200
_CLOSE = 1e-9  # to the cones, as a share of the largest reaction: worth a judgement


class Divergence:
    """What the driver asks at its checks."""

    def __init__(self, problem: ContactProblem) -> None:
        self._problem = problem
        form = problem.form
        # b.p < 0 is what it takes.
        self._possible = not isinstance(form, BodyForm) or bool(form.b.any())
        self._last: tuple[FloatArray, FloatArray] | None = None
        self._seen, self._next = 0, 1  # candidates so far, and which to look at

    def proof(self, p: FloatArray, y: FloatArray) -> Infeasibility | None:
        """From reactions p (N,) with the velocities y, without compliance."""
        if not self._possible:
            return None
        last, self._last = self._last, (p, y)
        if last is None:
            return None
        change, turn = p - last[0], y - last[1]
        size = np.abs(change).max() or 1.0  # reactions of 1e200 have no square
        change, turn = change / size, turn / size
        work = -float(self._problem.q @ change)
        energy = abs(float(change @ (turn + self._problem.compliance * change)))
        if not (work > 0.0 and energy * self._drive <= _SMALL * work**2):
            return None
        self._seen += 1
        if self._seen < self._next:
            return None
        self._next = 2 * self._seen
        return find_proof(self._part, change)

    @cached_property
    def _drive(self) -> float:
        """|q|^2."""
        return float(np.sum((row_scale(self._problem.scaling) * self._problem.q) ** 2))

    @cached_property
    def _part(self) -> RigidPart:
        return proving_part(self._problem)


def find_proof(part: RigidPart, p: FloatArray) -> Infeasibility | None:
    """A proof near the reactions p (N,), if there is one."""
    s = part.project(part.scaled(p))
    if not suspects(part, s):
        return None
    for cut, less in _TRIALS:
        z = without_weak(part, s, cut)
        balance, narrower = Balance(part, z), part.narrowed(1.0 - less)
        for _ in range(_ROUNDS):
            a = balance(z)
            inside = part.project(a)
            close = np.abs(a - inside).max() <= _CLOSE * np.abs(a).max()
            found = judged(part, inside) if close else None
            if found is not None:
                return found
            z = z + narrower.project(2.0 * a - z) - a
    return None
