"""Can contacts hold a load, and how much more of it?

Parts at rest stay so under the load f if forces p in the friction cone F, and q of given rows, have

    H^T p + E^T q + f = 0.                                      equilibrium

If there are none there is a motion that no friction can hold (Farkas' lemma): accelerations x with

    H x in F*,   E x = 0,   f.x > 0,                            gives way

since 0 = x.(H^T p + E^T q + f) >= f.x otherwise. A load f + s d, d a disturbance, is held for s up
to a largest factor (no bound if d alone is held), with a motion of the same kind as its proof: H x
in F*, E x = 0, d.x > 0 give s <= -f.x / d.x. Forces beyond 1e7 times the load prove nothing: by
rounding alone they could hold it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.acceleration.cone_program import Answer, Program, solve_program
from rollcone.analysis.acceleration.contact_balance import ContactBalance
from rollcone.analysis.acceleration.force_cone import ForceCone
from rollcone.analysis.acceleration.problem import AccelerationProblem
from rollcone.analysis.acceleration.self_stress import BEYOND

Holding = Literal["holds", "gives way", "undecided"]
_BALANCED = 1e-9  # of the load
_EACH, _NOISE = 1e-6, 1e-11  # of the forces on a coordinate, and of the largest of all
_INSIDE = 1e-14  # of the largest force: rounding
_GIVEN = 1e-11  # of the parts of E x
_CLOSE = 1e-6  # a factor and its bound: how near they are at a proven margin


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """Is the load held?

    forces       p (c, d), if it holds; held_forces q (m,)
    imbalance    what they leave of the load; nan if it gives way
    motion       x (n,), if it gives way: the largest scaled entry is 1
    power        f.x over the largest load and motion
    opposed      how far H x is from F*, at the most; an equilibrium would need normal forces of
                 power / opposed times the load
    """

    verdict: Holding
    forces: FloatArray | None
    held_forces: FloatArray | None
    imbalance: float
    motion: FloatArray | None
    power: float
    opposed: float
    load: FloatArray = field(repr=False)
    cone: ForceCone = field(repr=False)
    problem: AccelerationProblem = field(repr=False)

    def check(self) -> bool:
        """Do the forces or the motion prove the verdict, by sums over the data?"""
        balance = ContactBalance(self.problem, self.cone)
        if self.verdict == "holds" and self.forces is not None and self.held_forces is not None:
            return _holds(balance, self.load, self.forces, self.held_forces)
        x = self.motion
        return self.verdict == "gives way" and x is not None and _moves(balance, self.load, x)

    def plain(self) -> dict[str, Any]:
        """Numbers and lists, for JSON."""
        return {
            "verdict": self.verdict,
            "forces": None if self.forces is None else self.forces.tolist(),
            "imbalance": self.imbalance if self.verdict == "holds" else None,
            "motion": None if self.motion is None else self.motion.tolist(),
            "power": self.power if self.verdict == "gives way" else None,
        }


@dataclass(frozen=True, eq=False)
class LoadFactor:
    """The largest s such that f + s d is held.

    factor       infinite if d alone is held
    bound        no larger one is possible: that of the motion, with what opposes it at forces p
    forces       p (c, d) at the factor; of d alone if it is infinite
    motion       x (n,) that begins beyond it; None if it is infinite
    imbalance    of the forces
    unit         the factor at which d is as large as f
    """

    disturbance: FloatArray
    factor: float
    bound: float
    forces: FloatArray
    motion: FloatArray | None
    imbalance: float
    unit: float

    @property
    def proven(self) -> bool:
        """Do forces and motion agree on the factor?"""
        if self.imbalance > _BALANCED:
            return False
        if np.isinf(self.factor):
            return True
        return bool(abs(self.bound - self.factor) <= _CLOSE * (self.unit + self.factor))

    def plain(self) -> dict[str, Any]:
        """Numbers and lists, for JSON; an infinite factor is null."""
        return {
            "disturbance": self.disturbance.tolist(),
            "factor": self.factor if np.isfinite(self.factor) else None,
            "infinite": bool(np.isinf(self.factor)),
            "bound": self.bound if np.isfinite(self.bound) else None,
            "proven": self.proven,
            "forces": self.forces.tolist(),
            "motion": None if self.motion is None else self.motion.tolist(),
            "imbalance": self.imbalance,
        }


def equilibrium(balance: ContactBalance, load: FloatArray) -> Equilibrium:
    """Of this load (n,): minimise u >= 0 with H^T p + E^T q + (1 - u) load = 0, which is 0 or 1."""
    problem, cone = balance.problem, balance.cone
    size = balance.size(load)
    if size == 0.0:
        p, q = np.zeros(balance.scale.shape), np.zeros(len(problem.held))
        return Equilibrium("holds", p, q, 0.0, None, np.nan, np.nan, load, cone, problem)
    unit = load / balance.g / size
    answer = _solve(balance, -unit[:, None], [1.0], -unit)
    x = _motion(balance, answer)
    power, opposed = _figures(balance, load, x)
    if _moves(balance, load, x):
        return Equilibrium("gives way", None, None, np.nan, x, power, opposed, load, cone, problem)
    p, q = _forces(balance, answer, load)
    left = balance.imbalance(p, q, load)
    if _holds(balance, load, p, q):
        return Equilibrium("holds", p, q, left, None, np.nan, np.nan, load, cone, problem)
    return Equilibrium("undecided", None, None, left, x, power, opposed, load, cone, problem)


def load_factor(balance: ContactBalance, load: FloatArray, more: FloatArray) -> LoadFactor:
    """The largest s >= 0 for load + s more; the load itself must be held."""
    alone = equilibrium(balance, more)
    size, other = balance.size(load), balance.size(more)
    unit = (size or 1.0) / other
    if alone.verdict == "holds" and alone.forces is not None:
        return LoadFactor(more, np.inf, np.inf, alone.forces, None, alone.imbalance, unit)
    column = (more / balance.g / other)[:, None]
    answer = _solve(balance, column, [-1.0], -load / balance.g / (size or 1.0))
    factor = max(0.0, float(answer.h[-1])) * unit
    total = load + factor * more
    p, q = _forces(balance, answer, total)
    x = _motion(balance, answer)
    push = float(more @ x)
    slack = _figures(balance, more, x)[1] * float(p[:, 0].sum())
    bound = (slack - float(load @ x)) / push if push > 0.0 else np.inf
    return LoadFactor(more, factor, bound, p, x, balance.imbalance(p, q, total), unit)


def _solve(
    balance: ContactBalance, column: FloatArray, gain: list[float], right: FloatArray
) -> Answer:
    """Forces, q and one more unknown >= 0, with its column and cost."""
    m = balance.L.shape[1]
    return solve_program(
        Program(
            cone=balance.scaled_cone,
            cost=np.zeros(balance.K.shape[1]),
            K=balance.K,
            gain=np.append(np.zeros(m), gain),
            L=np.hstack([balance.L, column]),
            right=right,
            signed=(m,),
        )
    )


def _forces(
    balance: ContactBalance, answer: Answer, load: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """p and q that balance the load, which the answer has at size one."""
    size = balance.size(load) or 1.0

    def figure(p: FloatArray, q: FloatArray) -> float:
        return balance.imbalance(p, q, load)

    unit = float(np.abs(balance.K @ answer.r + balance.L @ answer.h[:-1]).max(initial=0.0))
    grown = size / unit if unit > 0.0 else 1.0
    return balance.purified(grown * answer.r, grown * answer.h[:-1], load, figure)


def _motion(balance: ContactBalance, answer: Answer) -> FloatArray:
    """x with E x = 0, its largest scaled entry 1."""
    e = np.zeros(len(balance.problem.held))
    x = balance.obeying(-answer.x / balance.g, e)
    return x / (np.abs(balance.g * x).max(initial=0.0) or 1.0)


def _figures(balance: ContactBalance, load: FloatArray, x: FloatArray) -> tuple[float, float]:
    """Power and what opposes it; x as `_motion` has it."""
    opposed = -balance.cone.margin(balance.problem.rows @ x).min(initial=np.inf)
    return float(load @ x) / (balance.size(load) or 1.0), max(float(opposed), 0.0)


def _holds(balance: ContactBalance, load: FloatArray, p: FloatArray, q: FloatArray) -> bool:
    if balance.cone.outside(p) > _INSIDE or p[:, 0].sum() > BEYOND * balance.size(load):
        return False
    return balance.imbalance(p, q, load) <= _BALANCED and _each_balanced(balance, load, p, q)


def _each_balanced(balance: ContactBalance, load: FloatArray, p: FloatArray, q: FloatArray) -> bool:
    """Each coordinate beside its own forces: a light part in the air does not hide behind a heavy
    one that is held."""
    H, E = balance.problem.flat_rows, balance.problem.held
    left = np.abs(H.T @ p.ravel() + E.T @ q + load)
    parts = np.abs(H.T) @ np.abs(p).ravel() + np.abs(E.T) @ np.abs(q) + np.abs(load)
    return bool(np.all(left <= _EACH * parts + _NOISE * float(parts.max(initial=0.0))))


def _moves(balance: ContactBalance, load: FloatArray, x: FloatArray) -> bool:
    E = balance.problem.held
    if np.any(np.abs(E @ x) > _GIVEN * (np.abs(E) @ np.abs(x))):
        return False
    power, opposed = _figures(balance, load, x)
    return power > 1.0 / BEYOND and power > BEYOND * opposed
