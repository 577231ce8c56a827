"""All that is asked of an acceleration problem, in turn: is there a motion, which, and how many.

    existence     what theorems promise (existence.py)
    pyramid       Lemke's answer of the LCP, or the ray on which it ends (pyramid.py)
    cone          a motion by Coulomb's law, certified (cone.py)
    enumeration   all motions, for the pyramid and for the cone (enumeration.py)
    relaxed       where there is none, the motion that is nearest to Coulomb's law (relaxed.py)

"No motion" and "one motion" are said only where the enumeration is complete, or a theorem says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from rollcone._check import whole_number
from rollcone.analysis.acceleration.cone import ConeAnswer, solve_cone
from rollcone.analysis.acceleration.contact_balance import ContactBalance
from rollcone.analysis.acceleration.enumeration import (
    MOST_CELLS,
    Enumeration,
    enumerate_motions,
    same_motion,
)
from rollcone.analysis.acceleration.equilibrium import equilibrium
from rollcone.analysis.acceleration.existence import Existence, existence
from rollcone.analysis.acceleration.fixture import Strong, at_rest, strong
from rollcone.analysis.acceleration.force_cone import force_cone
from rollcone.analysis.acceleration.from_world import SPEED_TOLERANCE, problem_of
from rollcone.analysis.acceleration.least_forces import least_forces
from rollcone.analysis.acceleration.motion import Motion
from rollcone.analysis.acceleration.problem import AccelerationProblem
from rollcone.analysis.acceleration.pyramid import solve_pyramid
from rollcone.analysis.acceleration.relaxed import Relaxed, relaxed_motion
from rollcone.errors import InputError
from rollcone.lcp import LcpSolution
from rollcone.mechanics.world import World

_SAME = 1e-6
MOST_CONTACTS = 12  # for which motions are enumerated

Verdict = Literal["no motion", "one motion", "several motions", "a motion", "unknown"]


@dataclass(frozen=True, eq=False)
class Analysis:
    """What happens next.

    problem            the matrices
    existence          what theorems promise
    lemke              the answer of the pyramid's LCP; its `ray`, if it ended on one
    pyramid            the motion that it gives, or None
    cone               the search for a motion by Coulomb's law
    rest               have all motions zero acceleration, as an equilibrium without friction shows
                       (fixture.py)? None if something moves
    pyramid_motions    all motions under the pyramid; None if there are too many contacts, or if all
                       are known to be at rest
    cone_motions       all motions by Coulomb's law; the same
    relaxed            the motion of the relaxed model; None unless there is no other
    """

    problem: AccelerationProblem
    existence: Existence
    lemke: LcpSolution
    pyramid: Motion | None
    cone: ConeAnswer
    pyramid_motions: Enumeration | None
    cone_motions: Enumeration | None
    rest: Strong | None
    relaxed: Relaxed | None

    @cached_property
    def motions(self) -> tuple[Motion, ...]:
        """All that are known, by Coulomb's law; rest comes first."""
        found = [] if self.cone_motions is None else list(self.cone_motions.motions)
        one = self.cone.motion
        if one is not None and not any(same_motion(one, other) for other in found):
            found.insert(0, one)
        return tuple(sorted(found, key=lambda motion: not motion.rests))

    @property
    def motion(self) -> Motion | None:
        """One of them; if none is known, that of the relaxed model."""
        if self.motions:
            return self.motions[0]
        return None if self.relaxed is None else self.relaxed.motion

    @property
    def verdict(self) -> Verdict:
        """For Coulomb's law. 'a motion': others are not ruled out; 'unknown': none was found, and
        none is ruled out."""
        if len(self.motions) > 1:
            return "several motions"
        complete = self.cone_motions is not None and self.cone_motions.complete
        if self.motions:
            listed = complete and self.cone_motions and self.cone_motions.motions
            rests = self.rest is not None and self.rest.verdict == "holds"
            return "one motion" if listed or rests else "a motion"
        if self.existence.cone == "none":
            return "no motion"
        return "no motion" if complete and self.existence.cone != "exists" else "unknown"

    @property
    def painleve(self) -> Literal["inconsistent", "indeterminate", ""]:
        """Painleve's paradox, where contacts slide: no motion, or several. Not where there is none
        without friction either, nor where families of motions come of forces that contacts share
        in more than one way, nor where motions differ elsewhere."""
        problem = self.problem
        slides = (problem.moves & (problem.friction > 0.0)).any()
        if not slides or self.existence.cone == "none":
            return ""
        words: dict[str, Literal["inconsistent", "indeterminate"]] = {
            "no motion": "inconsistent",
            "several motions": "indeterminate",
        }
        if self.cone_motions is not None and self.cone_motions.families:
            return ""
        if len(self.motions) > 1 and not self._differ_where_it_slides():
            return ""
        return words.get(self.verdict, "")

    def _differ_where_it_slides(self) -> bool:
        """Have sliding contacts other forces in other motions?"""
        problem = self.problem
        slides = (problem.moves & (problem.friction > 0.0)).any(axis=1)
        first, *others = (motion.forces[slides, 0] for motion in self.motions)
        most = max(float(np.abs(p).max(initial=0.0)) for p in (first, *others))
        return any(bool(np.any(np.abs(p - first) > _SAME * most)) for p in others)

    def __str__(self) -> str:
        return self.report()

    def report(self) -> str:
        """In sentences and tables."""
        from rollcone.analysis.acceleration.report import report

        return report(self)

    def plain(self) -> dict[str, Any]:
        """Numbers, texts and lists, for JSON."""
        from rollcone.analysis.acceleration.plain import plain

        return plain(self)


def analyze(
    what: World | AccelerationProblem,
    *,
    time: float = 0.0,
    torques: Mapping[str, float] | None = None,
    accelerations: Mapping[str, float] | None = None,
    speed_tolerance: float = SPEED_TOLERANCE,
    most_cells: int = MOST_CELLS,
    tell: Callable[[str], object] | None = None,
) -> Analysis:
    """Of a world at a moment (`problem_of` has the arguments), or of a problem as it is.

    most_cells   of each enumeration; 0 for none
    tell         is called with a few words before each part of the work
    """
    cells = whole_number("most_cells", most_cells)
    say = tell or (lambda _: None)
    if isinstance(what, AccelerationProblem):
        if torques or accelerations or time:
            raise InputError("time, torques, accelerations: must be in the problem already")
        problem = what
    else:
        say("looking for contacts")
        problem = problem_of(
            what, time=time, torques=torques, accelerations=accelerations,
            speed_tolerance=speed_tolerance,
        )  # fmt: skip
    say("deciding existence")
    promised = existence(problem)
    say("solving")
    pyramid, lemke = solve_pyramid(problem)
    rest = _rest(problem)
    held = rest is not None and rest.verdict == "holds"
    few = cells > 0 and problem.contacts <= MOST_CONTACTS and not held
    if few:
        say("enumerating motions")
    boxes = enumerate_motions(problem, "pyramid", most_cells=cells) if few else None
    discs = enumerate_motions(problem, "cone", most_cells=cells) if few else None
    cone = ConeAnswer(None, ())
    none = discs is not None and discs.verdict == "none" and promised.cone != "exists"
    if not none and promised.cone != "none":  # a long search, where there is nothing
        say("solving with the friction cone")
        cone = solve_cone(problem, start=None if pyramid is None else pyramid.forces)
    if cone.motion is not None:
        cone = replace(cone, motion=least_forces(cone.motion))
    if discs is not None:
        least = {id(motion): least_forces(motion) for motion in discs.motions}
        ends = tuple(
            (least.get(id(one), one), least.get(id(other), other)) for one, other in discs.families
        )
        discs = replace(discs, motions=tuple(least.values()), families=ends)
    nearest = None
    if cone.motion is None and not (discs and discs.motions):
        say("looking for the nearest motion")
        nearest = relaxed_motion(problem, "cone")
    return Analysis(problem, promised, lemke, pyramid, cone, boxes, discs, rest, nearest)


def _rest(problem: AccelerationProblem) -> Strong | None:
    """Have all motions zero acceleration, by a theorem? None if something moves."""
    if not at_rest(problem):
        return None
    balance = ContactBalance(problem, force_cone(problem, "cone"))
    return strong(problem, equilibrium(balance, problem.force))
