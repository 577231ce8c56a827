"""Does every force that acts on nothing do no negative work?

Pang and Trinkle 1996 ensure motions by conditions of one form: for contact forces p in a cone F,

    H^T p + E^T q = 0   implies   b.p >= 0,          (35), (36), (49)

with b of (22). Such forces, self-stress, are those of a ball wedged between two walls: they are
null vectors of A. The applied forces drop out, since E N = 0 and E (M^-1 E^T (E M^-1 E^T)^+) e = e:

    b.p = bias.p + (H^T p).(N f + M^-1 E^T (..)^+ e) = bias.p - e.q,     work

so the condition is one on how contacts close in by themselves and by what moves given rows. With
the sum of normal forces 1 it is decided by a linear or conic program, that has a dual one:

    least  work   over self-stress p in F with sum of p_n = 1
    most   t      with y = bias + H x, E x = e, y_n - sum of radius h(y) >= t at all contacts,

h as in force_cone.py. For any p and x that are admitted, work >= t. Both answers are checked on
the data as given and are proofs:

    fails    p in F, balanced to rounding, with work < 0
    holds    accelerations x with t >= 0: bodies could move so that no force of F opposes it

Work and t are counted in the largest acceleration of a contact that bias or e ask for. A t above
-1e-9 counts as zero; work counts if it is beyond 1e7 times the imbalance and ten times its root, so
beyond 1e-7 at the least. What is between is undecided.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from scipy.linalg import block_diag

from rollcone._check import FloatArray, IntArray
from rollcone._words import few
from rollcone.analysis.acceleration.cone_program import Program, solve_program
from rollcone.analysis.acceleration.contact_balance import ContactBalance
from rollcone.analysis.acceleration.force_cone import ForceCone
from rollcone.analysis.acceleration.problem import AccelerationProblem

Verdict = Literal["holds", "fails", "undecided"]
TOLERANCE = 1e-9  # margins that count as zero
BEYOND = 1e7  # work over imbalance: bodies would have to be so much faster than what is given
_INSIDE = 1e-14  # of the largest force: rounding
_ROUND = 10.0  # work over the root of the imbalance
_ROUNDING = 1e-15  # of the parts of a sum
_GIVEN = 1e-11  # of given accelerations: how well E x = e holds
_LARGEST = 1e-3  # of the largest acceleration: smaller ones are no better known than this
_CARRIES = 1e-9  # of the largest normal force: a contact that carries a self-stress


@dataclass(frozen=True, eq=False)
class Condition:
    """One of the conditions, with its proof.

    name           as the paper numbers it
    work           b.p of the forces, over the sum of normal forces; nan without forces
    margin         t of the accelerations; nan without them
    imbalance      of the forces (contact_balance.py)
    forces         p (c, d), the largest normal force 1; if it fails or is undecided
    held_forces    q (m,) with them
    accelerations  x (n,); if it holds or is undecided

    Work, margin and imbalance have no unit.
    """

    name: str
    verdict: Verdict
    work: float
    margin: float
    imbalance: float
    forces: FloatArray | None
    held_forces: FloatArray | None
    accelerations: FloatArray | None
    cone: ForceCone = field(repr=False)
    problem: AccelerationProblem = field(repr=False)

    def check(self) -> bool:
        """Do the forces or accelerations prove the verdict? All figures are made anew from the
        data. Nothing proves 'undecided'."""
        balance = ContactBalance(self.problem, self.cone)
        if self.verdict == "fails":
            p, q = self.forces, self.held_forces
            return p is not None and q is not None and _fails(balance, p, q)
        x = self.accelerations
        return self.verdict == "holds" and x is not None and _holds(balance, x)

    @property
    def carriers(self) -> IntArray:
        """The contacts that carry the forces."""
        if self.forces is None:
            return np.zeros(0, dtype=np.int64)
        normal = self.forces[:, 0]
        return np.flatnonzero(normal > _CARRIES * normal.max(initial=0.0))

    def report(self) -> str:
        """The verdict and how well it is proven, in a sentence."""
        if self.verdict == "holds":
            return (
                f"{self.name} holds: no forces that cancel out do negative work "
                f"(margin {self.margin:.1e})."
            )
        if self.verdict == "fails":
            carry = "carries" if len(self.carriers) == 1 else "carry"
            whose = contacts_in_words(self.problem, self.carriers)
            return (
                f"{self.name} fails: {whose} {carry} forces that cancel out, to "
                f"{self.imbalance:.1e} of their sum, and do the work {self.work:.1e} of the "
                "largest given acceleration."
            )
        return (
            f"{self.name} is undecided: the numbers are too close to tell. Work {self.work:.1e}, "
            f"imbalance {self.imbalance:.1e}, margin {self.margin:.1e}."
        )

    def plain(self) -> dict[str, Any]:
        """Numbers and lists, for JSON; None for what there is not."""

        def listed(array: FloatArray | None) -> Any:
            return None if array is None else array.tolist()

        def number(value: float) -> float | None:
            return float(value) if np.isfinite(value) else None

        return {
            "name": self.name,
            "verdict": self.verdict,
            "work": number(self.work),
            "margin": number(self.margin),
            "imbalance": number(self.imbalance),
            "forces": listed(self.forces),
            "held_forces": listed(self.held_forces),
            "accelerations": listed(self.accelerations),
            "carriers": self.carriers.tolist(),
        }


def contacts_in_words(problem: AccelerationProblem, contacts: IntArray) -> str:
    """Contacts 0, 2 ('ball' on 'wall', 'ball' on 'floor')."""
    text = f"contact{'' if len(contacts) == 1 else 's'} {few(contacts)}"
    if problem.places is None or not len(contacts):
        return text
    pairs = [problem.places.pair(int(i)) for i in contacts[:6]]
    return f"{text} ({', '.join(dict.fromkeys(pairs))})"


def decide(problem: AccelerationProblem, cone: ForceCone, name: str) -> Condition:
    """The condition for this cone."""
    balance = ContactBalance(problem, cone)
    still = resting(balance)
    r, h, x = _solve(balance) if still is None else (np.zeros(0), np.zeros(0), still)
    margin = _margin(balance, x)
    if _holds(balance, x):
        return Condition(name, "holds", np.nan, margin, np.nan, None, None, x, cone, problem)

    def figure(p: FloatArray, q: FloatArray) -> float:
        work = _work(balance, p, q)
        return balance.imbalance(p, q) / -work if work < 0.0 else np.inf

    p, q = balance.purified(r, h, np.zeros(problem.size), figure)
    most = p[:, 0].max(initial=0.0) or 1.0
    p, q = p / most, q / most
    work, left = _work(balance, p, q), balance.imbalance(p, q)
    if _fails(balance, p, q):
        return Condition(name, "fails", work, np.nan, left, p, q, None, cone, problem)
    return Condition(name, "undecided", work, margin, left, p, q, x, cone, problem)


def resting(balance: ContactBalance) -> FloatArray | None:
    """Accelerations with E x = e that undo the bias, bias + H x = 0 in all rows of F, if there are
    some. Then b is in the range of A, and self-stress does no work (Corollary 1)."""
    problem = balance.problem
    if balance.given == 0.0:  # given rows may still ask for something far from contacts
        x = balance.obeying(np.zeros(problem.size), problem.held_acceleration)
        return x if _holds(balance, x) else None
    carries = balance.scale * balance.cone.carries
    rows = np.vstack([balance.K.T, balance.L.T])
    right = [-(carries * problem.bias).ravel(), problem.held_acceleration / balance.unit]
    x = np.linalg.lstsq(rows, np.concatenate(right))[0] / balance.g
    x = balance.obeying(x, problem.held_acceleration)
    left = np.abs(carries * _moved(problem, x)).max(initial=0.0)
    return x if left <= _GIVEN * balance.given and _holds(balance, x) else None


def _solve(balance: ContactBalance) -> tuple[FloatArray, FloatArray, FloatArray]:
    """r, h and x of the program, in which t <= 1 is asked as well: that keeps it bounded if there
    is no self-stress at all. So least work + u with sum of normal forces + u = 1, u >= 0."""
    problem, unit = balance.problem, balance.given or 1.0
    normals = np.zeros(balance.scale.shape)
    normals[:, 0] = 1.0
    n, m = balance.L.shape
    e = problem.held_acceleration / balance.unit
    answer = solve_program(
        Program(
            cone=balance.scaled_cone,
            cost=(balance.scale * problem.bias).ravel() / unit,
            K=np.vstack([balance.K, normals.reshape(1, -1)]),
            gain=np.append(-e / unit, 1.0),
            L=block_diag(balance.L, np.ones((1, 1))),
            right=np.append(np.zeros(n), 1.0),
            signed=(m,),
        )
    )
    x = balance.obeying(-answer.x[:n] * unit / balance.g, problem.held_acceleration)
    return answer.r, answer.h[:m], x


def _moved(problem: AccelerationProblem, x: FloatArray) -> FloatArray:
    """y = bias + H x (c, d)."""
    return np.asarray(problem.bias + problem.rows @ x)


def _work(balance: ContactBalance, p: FloatArray, q: FloatArray) -> float:
    """b.p = bias.p - e.q, relative."""
    problem = balance.problem
    size = float(p[:, 0].sum()) * balance.given
    return float(np.sum(problem.bias * p) - problem.held_acceleration @ q) / (size or 1.0)


def _margin(balance: ContactBalance, x: FloatArray) -> float:
    """t of accelerations x, relative; infinite without contacts."""
    least = balance.cone.margin(_moved(balance.problem, x)).min(initial=np.inf)
    return float(least) / (balance.given or 1.0)


def _holds(balance: ContactBalance, x: FloatArray) -> bool:
    problem, E, e = balance.problem, balance.problem.held, balance.problem.held_acceleration
    rounded = np.abs(x) + _LARGEST * float(np.abs(balance.g * x).max(initial=0.0)) / balance.g
    off, size = np.abs(E @ x - e), np.abs(E) @ rounded + np.abs(e)
    hidden = _ROUNDING * np.abs(problem.rows) @ np.abs(x) * balance.scale
    if np.any(off > _GIVEN * size) or np.any(hidden > TOLERANCE * balance.given):
        return False
    return _margin(balance, x) >= -TOLERANCE


def _fails(balance: ContactBalance, p: FloatArray, q: FloatArray) -> bool:
    if not np.any(p[:, 0] > 0.0) or balance.cone.outside(p) > _INSIDE:
        return False
    # Cones are round: forces that leave one by a rounding can do work of its root.
    left = max(balance.imbalance(p, q), np.finfo(float).eps)
    return -_work(balance, p, q) > max(BEYOND * left, _ROUND * float(np.sqrt(left)))
