"""Is there a motion? What Pang and Trinkle 1996 prove of a problem, sections 4 and 5.

    no block with friction moves    cone      exists if A is positive definite       Theorem 4
                                              or (35) holds                          Theorem 5
                                              as if b~ is in the range of A          Corollary 1
                                    pyramid   exists if (35) holds with pyramids     Theorem 6
    some do                         relaxed   (46) has a feasible point if (49)      Proposition 3
                                              (47), with pyramids, an optimum then   Theorem 7
    no friction                     exists if and only if (36) holds                 (37)

b~ are the accelerations of contacts by bias and given rows. The proof of Proposition 3 gives moving
blocks no friction at all, so (49) for such forces alone is enough: where (49) as printed fails this
weaker one is tried. If it holds with pyramids, (47) has a feasible point by Theorem 6.

If (36) fails there is no motion in any of the models, friction or not: normal forces p_n >= 0 that
cancel out have p_n.a_n = b.p < 0 whatever the bodies do, but (6) asks for a_n >= 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from rollcone.analysis.acceleration.contact_balance import ContactBalance
from rollcone.analysis.acceleration.force_cone import ForceCone, force_cone
from rollcone.analysis.acceleration.problem import AccelerationProblem
from rollcone.analysis.acceleration.self_stress import Condition, decide, resting

Outcome = Literal["exists", "none", "not guaranteed", "undecided"]
_DEFINITE = 1e-10  # the least eigenvalue of A with a diagonal of ones
_HELD = 1e-12  # of a row's mobility, what given rows leave of it by rounding


@dataclass(frozen=True, eq=False)
class Existence:
    """What is known of motions in each model.

    conditions    those that were decided, by their names
    definiteness  the least eigenvalue of A, its diagonal scaled to one, rows without force left out
    cone, pyramid, relaxed   of the relaxed model: has (46) a feasible point?
    reasons       of each model, in a sentence
    theorem       what the answer for the cone rests on
    """

    conditions: dict[str, Condition]
    definiteness: float
    cone: Outcome
    pyramid: Outcome
    relaxed: Outcome
    reasons: dict[str, str]
    theorem: str
    problem: AccelerationProblem = field(repr=False)

    def __str__(self) -> str:
        return self.report()

    def report(self) -> str:
        """A line for each model, and for each condition."""
        lines = [f"{model}: {reason}" for model, reason in self.reasons.items()]
        return "\n".join(lines + [found.report() for found in self.conditions.values()])

    def plain(self) -> dict[str, Any]:
        """Numbers and lists, for JSON."""
        return {
            "cone": self.cone,
            "pyramid": self.pyramid,
            "relaxed": self.relaxed,
            "theorem": self.theorem,
            "reasons": dict(self.reasons),
            "definiteness": self.definiteness,
            "conditions": {name: found.plain() for name, found in self.conditions.items()},
        }


def existence(problem: AccelerationProblem) -> Existence:
    """Which theorem ensures a motion, or what forces stand in its way."""
    frictionless = decide(problem, force_cone(problem, "frictionless"), "(36)")
    least = definiteness(problem, force_cone(problem, "cone"))
    conditions = {"(36)": frictionless}
    if frictionless.verdict == "fails" or not np.any(problem.friction):
        return _without_friction(problem, conditions, least)
    if problem.all_rest:
        return _at_rest(problem, conditions, least)
    return _moving(problem, conditions, least)


def definiteness(problem: AccelerationProblem, cone: ForceCone) -> float:
    """The least eigenvalue of A, its diagonal scaled to one, in the rows of F; 0 if a diagonal
    entry is, 1 without contacts."""
    used = cone.carries.ravel() > 0.0
    A, H = problem.A[np.ix_(used, used)], problem.flat_rows[used]
    free = np.einsum("ij,ji->i", H, problem.solve_mass(H.T))  # the diagonal without given rows
    if np.any(np.diagonal(A) <= _HELD * free):
        return 0.0
    size = np.sqrt(np.diagonal(A))
    return float(np.linalg.eigvalsh(A / size / size[:, None]).min(initial=1.0))


def _without_friction(
    problem: AccelerationProblem, conditions: dict[str, Condition], least: float
) -> Existence:
    found = conditions["(36)"]
    words: dict[str, tuple[Outcome, str]] = {
        "holds": ("exists", "a motion exists, since there is no friction and (36) holds."),
        "fails": (
            "none",
            "no motion exists, whatever the friction: (36) fails, normal forces that cancel out "
            "oppose what contacts would have to do.",
        ),
        "undecided": ("undecided", "a motion exists if and only if (36) holds: undecided."),
    }
    outcome, text = words[found.verdict]
    if not problem.contacts:
        text = "a motion exists: nothing touches."
    reasons = dict.fromkeys(("cone", "pyramid", "relaxed"), text)
    theorem = "" if outcome == "undecided" else "(36)"
    return Existence(conditions, least, outcome, outcome, outcome, reasons, theorem, problem)


def _at_rest(
    problem: AccelerationProblem, conditions: dict[str, Condition], least: float
) -> Existence:
    cone = conditions["(35)"] = decide(problem, force_cone(problem, "cone"), "(35)")
    pyramid = decide(problem, force_cone(problem, "pyramid"), "(35) with pyramids")
    conditions["(35) pyramid"] = pyramid
    outcomes = _outcome(cone), _outcome(pyramid)
    ground, theorem = "(35) holds", "Theorem 5"
    if resting(ContactBalance(problem, cone.cone)) is not None:
        ground, theorem = "bias and given accelerations are in the range of A", "Corollary 1"
    reasons = {
        "cone": _sentence(cone, f"{ground} ({theorem})"),
        "pyramid": _sentence(pyramid, "(35) holds with pyramids (Theorem 6)"),
        "relaxed": "no block with friction moves, so nothing is relaxed: as for the cone.",
    }
    if least > _DEFINITE:  # (35) then holds, even if its numbers are too close to call
        theorem, outcomes = "Theorem 4", ("exists", "exists")
        ground = f"A is positive definite, least eigenvalue {least:.1e}"
        reasons["cone"] = f"a motion exists: {ground} (Theorem 4)."
        reasons["pyramid"] = f"a motion exists: {ground}, so (35) holds (Theorem 6)."
    if outcomes[0] != "exists":
        theorem = ""
    return Existence(conditions, least, *outcomes, outcomes[0], reasons, theorem, problem)


def _moving(
    problem: AccelerationProblem, conditions: dict[str, Condition], least: float
) -> Existence:
    first = _half_cones(problem, conditions, "cone", "(49)")
    second = _half_cones(problem, conditions, "pyramid", "(49) pyramid")
    none = (
        "not guaranteed: a block with friction moves, and no theorem covers Coulomb's law for it."
    )
    lines = [
        _sentence(first, f"{first.name} holds (Proposition 3)", "(46) has a feasible point"),
        _sentence(second, f"{second.name} holds (Theorem 7)", "(47) has an optimal solution"),
    ]
    reasons = {"cone": none, "pyramid": none, "relaxed": " ".join(lines)}
    return Existence(
        conditions,
        least,
        "not guaranteed",
        "not guaranteed",
        _outcome(first),
        reasons,
        "",
        problem,
    )


def _half_cones(
    problem: AccelerationProblem,
    conditions: dict[str, Condition],
    shape: Literal["cone", "pyramid"],
    key: str,
) -> Condition:
    """(49), or what is left of it if moving blocks have no friction; the one that decides."""
    kind = " with pyramids" if shape == "pyramid" else ""
    conditions[key] = decide(problem, force_cone(problem, shape, "half"), f"(49){kind}")
    if conditions[key].verdict == "holds":
        return conditions[key]
    name = f"(49){kind} without friction at moving blocks"
    weaker = decide(problem, force_cone(problem, shape, "none"), name)
    conditions[f"{key}, moving blocks without friction"] = weaker
    return weaker


def _outcome(found: Condition) -> Outcome:
    words: dict[str, Outcome] = {"holds": "exists", "fails": "not guaranteed"}
    return words.get(found.verdict, "undecided")


def _sentence(found: Condition, ground: str, claim: str = "a motion exists") -> str:
    if found.verdict == "holds":
        return f"{claim}: {ground}."
    if found.verdict == "fails":
        return f"not guaranteed that {claim}: {found.name} fails."
    return f"undecided whether {claim}: {found.name} is too close to call."
