"""Is the friction cone of a problem pointed (Tasora and Anitescu 2013, (45))?

    p in K and H^T p = 0   imply   p = 0

K is the product of the friction cones of the contacts and, for extra rows, of the directions in
which they are unbounded: both ways for bilateral rows, one way for unilateral ones, none for
rows with two finite bounds. Rows with compliance take no part (rigid_part.py says why). If
the cone is not pointed there is a self-stress, reactions that act on nothing, as on a ball
wedged between two walls.

Either answer has a proof that plain arithmetic checks on the data as given:

    pointed       velocities v with u_n - S(u) > 0 at every contact, y > 0 in unilateral rows
                  and y = 0 in bilateral ones, which are independent: for p in K,
                  0 = v.(H^T p) = y.p is then a sum of positive terms, unless p = 0
    not pointed   the self-stress p itself

Without bilateral rows margin <= t* <= imbalance, where t* is the optimum of the program in
solvers/opening.py: zero if there is a self-stress, and small if there nearly is one. Numbers
do not tell zero from very small: what is below `tolerance` counts as zero.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from rollcone._check import FloatArray, IntArray, positive_number
from rollcone._words import count
from rollcone.errors import InputError, RollconeError
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.rigid_part import RigidPart, carriers_in_words, check_definite, rigid_part

Verdict = Literal["pointed", "not pointed", "undecided"]
_SOURCE = "Tasora and Anitescu 2013"


@dataclass(frozen=True, eq=False)
class Pointedness:
    """The answer of `problem.is_pointed()`: true if pointed, false if not. It cannot be taken
    for either if undecided, and then raises a RollconeError; `verdict` never does.

    margin           how fast all contacts open while no body is faster than 1
    imbalance        what is left of the reactions that come nearest to a self-stress
    independence     the least singular value of the bilateral rows, each of length 1
    reactions        the self-stress p (N,), its largest normal force 1
    velocities       y (N,), u_n - S(u) >= 1 at all contacts, y >= 1 in unilateral rows
                     (<= -1 if bounded above), 0 in bilateral ones; rows with compliance aside
    body_velocities  v with y = H v, in body form
    impulses         x with y = W x, W symmetrised, in Delassus form

    The first three have no unit. Arrays that the verdict has no use for are None.
    """

    verdict: Verdict
    margin: float
    imbalance: float
    independence: float
    tolerance: float
    reactions: FloatArray | None
    velocities: FloatArray | None
    body_velocities: FloatArray | None
    impulses: FloatArray | None
    problem: ContactProblem = field(repr=False)

    @property
    def carriers(self) -> IntArray:
        """The contacts that carry the self-stress."""
        return self._carrying()[0]

    @property
    def carrying_rows(self) -> IntArray:
        """The extra rows that do."""
        return self._carrying()[1]

    def _carrying(self) -> tuple[IntArray, IntArray]:
        p = np.zeros(self.problem.size) if self.reactions is None else self.reactions
        contacts, rows = self.problem.split(p)
        return np.flatnonzero(contacts[:, 0]), np.flatnonzero(rows)

    def __bool__(self) -> bool:
        if self.verdict == "undecided":
            raise RollconeError(f"neither true nor false. {self.report()}")
        return self.verdict == "pointed"

    def __str__(self) -> str:
        return self.report()

    def report(self) -> str:
        """The verdict, how well its proof holds, and what follows from it, in sentences."""
        words = {"pointed": _pointed, "not pointed": _not_pointed, "undecided": _undecided}
        text = words[self.verdict](self)
        if self.problem.asymmetry > 1e-9:
            text += (
                f" W is off symmetry by {self.problem.asymmetry:.1e} of its largest entry: all "
                "this is about its symmetric part."
            )
        return text


def is_pointed(problem: ContactProblem, tolerance: float) -> Pointedness:
    """See ContactProblem.is_pointed."""
    from rollcone.solvers.opening import purified_stress, widest_opening

    least = positive_number("tolerance", tolerance)
    if least >= 1.0:
        raise InputError(f"tolerance = {tolerance!r}: must be below 1")
    part = rigid_part(problem)
    check_definite(part)
    independence, s = part.independence()
    x, margin = None, np.inf
    if independence <= least:
        margin = 0.0
    elif len(part.openers):
        x, s = widest_opening(part)
        margin = max(part.margin(x, independence), 0.0)
        if margin <= least:
            s = purified_stress(part, s)
    imbalance = part.imbalance(s)
    verdict: Verdict = "undecided"
    if margin > least:
        verdict = "pointed"
    elif imbalance <= least:
        verdict = "not pointed"
    proof = _proof(part, verdict, x, s)
    return Pointedness(verdict, margin, imbalance, independence, least, *proof, problem)


def _proof(
    part: RigidPart, verdict: Verdict, x: FloatArray | None, s: FloatArray
) -> tuple[FloatArray | None, FloatArray | None, FloatArray | None, FloatArray | None]:
    """Reactions, velocities, body velocities, impulses: what the verdict needs of them."""
    if verdict == "not pointed":
        p = part.reactions(s)
        contacts, rows = part.problem.split(p)
        return p / (contacts[:, 0].max(initial=0.0) or np.abs(rows).max()), None, None, None
    if verdict == "undecided" or x is None:
        return None, None, None, None
    y, v = part.velocities(x)
    speed = part.slowest(y)
    return None, y / speed, *((v / speed, None) if part.T is not None else (None, v / speed))


def _pointed(found: Pointedness) -> str:
    contacts = found.problem.contacts
    openers = count(contacts, "contact") if contacts else "unilateral rows"
    together = "open" if contacts == 1 else "all open at once"
    opening = f": {openers} can {together} (margin {found.margin:.1e})"
    rows = f"; bilateral rows are independent ({found.independence:.1e})"
    return (
        f"Pointed{opening if found.velocities is not None else ''}"
        f"{rows if np.isfinite(found.independence) else ''}. No reactions in the friction cone "
        "cancel out. Under the associated law there is a solution for every free motion, and all "
        f"solutions have the same velocities; reactions need not be unique ({_SOURCE}, Theorem 2). "
        "The theorem says nothing about the exact law."
    )


def _not_pointed(found: Pointedness) -> str:
    who = carriers_in_words(found.problem, found.carriers, found.carrying_rows)
    alone = len(found.carriers) + len(found.carrying_rows) == 1
    return (
        f"Not pointed: there is a self-stress p. {who} "
        f"{'carries' if alone else 'carry'} reactions in the friction cone that cancel out, to "
        f"{found.imbalance:.1e} of their sum. What ensures a solution under the associated law "
        f"({_SOURCE}, Theorem 2) does not apply: with free "
        "velocities q there is none if q.p < 0, and if q.p = 0 any multiple of p can be added to "
        "the reactions of a solution. Its velocities are unique all the same (Theorem 1). Neither "
        "theorem says anything about the exact law."
    )


def _undecided(found: Pointedness) -> str:
    rows = f", independence of bilateral rows {found.independence:.1e}"
    return (
        f"Undecided: the numbers are too close to tell. Margin {found.margin:.1e}, imbalance "
        f"{found.imbalance:.1e}{rows if np.isfinite(found.independence) else ''}: pointed needs a "
        f"margin above the tolerance {found.tolerance:.1e}, not pointed an imbalance below."
    )
