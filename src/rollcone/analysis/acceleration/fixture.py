"""Does a fixture hold its parts (Pang and Trinkle 1996, end of section 4)?

Fixture elements are contacts; everything is at rest. A motion always exists then (Corollary 1).

    weak     some motion has zero acceleration: the load f has an equilibrium (equilibrium.py)
    strong   every motion has: "the fixture stabilizes the parts"

Friction may hold parts and yet let them go, which is the difference. A motion with accelerations v'
and forces p has M v' = f + H^T p + E^T q, E v' = 0 and a = H v', so by (12) and (10)

    f.v' = v'.M v' - p.a = v'.M v' + sum over blocks of radius p_n |a|,

which is positive unless v' = 0. So the fixture is strong

  - if f has an equilibrium without friction, p_n >= 0 with H_n^T p_n + E^T q + f = 0: all v' with
    a_n >= 0 and E v' = 0 then have f.v' = -p_n.a_n <= 0;
  - or if a complete search of contact modes finds no motion with f.v' > 0.

It is not strong if it is not weak.

A disturbance d has a margin, the largest factor s with an equilibrium of f + s d. The least of all
disturbances holds for all their mixtures as well, since loads that are held are a convex set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, bounded_array, true_or_false
from rollcone.analysis.acceleration.closure import Closure, force_closure, form_closure
from rollcone.analysis.acceleration.contact_balance import ContactBalance
from rollcone.analysis.acceleration.disturbances import loads_on_bodies
from rollcone.analysis.acceleration.enumeration import enumerate_motions
from rollcone.analysis.acceleration.equilibrium import (
    Equilibrium,
    LoadFactor,
    equilibrium,
    load_factor,
)
from rollcone.analysis.acceleration.force_cone import force_cone
from rollcone.analysis.acceleration.from_world import hint, problem_of
from rollcone.analysis.acceleration.motion import Motion
from rollcone.analysis.acceleration.problem import AccelerationProblem
from rollcone.errors import InputError
from rollcone.mechanics.world import World

Strength = Literal["holds", "fails", "undecided"]
# Called with a problem and side = (row, least): all motions with row.v' >= least. The answer has
# `motions` and `complete`.
Search = Callable[..., Any]
_CELLS = 400  # of a search: margins of the strong kind take some fifteen of them each
_HELD = {  # by weak and strong
    ("holds", "holds"): "The parts are held: every motion has zero acceleration.",
    ("holds", "fails"): "The parts may be held, and may move as well: both obey Coulomb's law.",
    ("holds", ""): "The parts can be held; whether they may move as well is not known.",
    ("gives way", ""): "The parts are not held: they begin to move.",
    ("undecided", ""): "Whether the parts are held is too close to call.",
}
_MOVES = 1e-6  # of the power of the load on free parts: f.v' of a motion that counts
_HALVINGS = 7
_SHOWN = 24  # disturbances of a report
_MOTION = ("velocity", "bias", "held_acceleration")
_FAR = 100.0  # times the load: as far as factors of the strong kind are sought


def by_coulomb(most_cells: int | None = None) -> Search | None:
    """The search of a motion by Coulomb's law; none with no cells."""
    cells = _CELLS if most_cells is None else most_cells
    if not cells:
        return None
    return partial(enumerate_motions, model="cone", most_cells=cells, most_motions=1)


BY_COULOMB = by_coulomb()


@dataclass(frozen=True, eq=False)
class Strong:
    """Has every motion zero acceleration? `motion` is one that has not."""

    verdict: Strength
    reason: str
    motion: Motion | None = None


@dataclass(frozen=True, eq=False)
class Fixture:
    """The answer of `fixture`.

    weak            of the load, with the forces that hold it or the motion that begins
    strong          has every motion zero acceleration?
    form, force     closure: is every load held, without friction and with it?
    margins         of each disturbance; with `both` also of each the other way, after it
    strong_margins  factors up to which the strong kind was shown, by halving: a lower bound. None
                    where the load itself is not strong
    """

    weak: Equilibrium
    strong: Strong
    form: Closure
    force: Closure
    margins: tuple[LoadFactor, ...]
    strong_margins: tuple[float | None, ...]
    problem: AccelerationProblem = field(repr=False)

    @property
    def verdicts(self) -> dict[str, str]:
        """In a word each."""
        return {
            "weak": self.weak.verdict,
            "strong": self.strong.verdict,
            "form closure": self.form.verdict,
            "force closure": self.force.verdict,
        }

    @property
    def forces(self) -> FloatArray | None:
        """p (c, d) that hold the load."""
        return self.weak.forces

    @property
    def worst(self) -> LoadFactor | None:
        """The disturbance with the least margin."""
        return min(self.margins, key=lambda one: one.factor, default=None)

    @property
    def margin(self) -> float:
        """The least factor: of all disturbances, and of their mixtures. Infinite if no disturbances
        were given, 0 if the load alone is not held."""
        if self.weak.verdict != "holds":
            return 0.0
        return np.inf if self.worst is None else self.worst.factor

    def __str__(self) -> str:
        return self.report()

    def report(self) -> str:
        """What is held, in sentences."""
        lines = [_HELD.get((self.weak.verdict, self.strong.verdict), _HELD[self.weak.verdict, ""])]
        if self.weak.verdict == "holds":
            lines.append(_worst_words(self))
        pairs = zip(self.margins, self.strong_margins, strict=True)
        lines += [f"  {i}: {_margin_words(*pair)}" for i, pair in enumerate(pairs)][:_SHOWN]
        lines += [_weak_words(self.weak), f"Strong: {self.strong.verdict}, {self.strong.reason}."]
        lines.append(f"Form closure: {self.form.verdict}. Force closure: {self.force.verdict}.")
        return "\n".join(lines)

    def plain(self) -> dict[str, Any]:
        """Numbers and lists, for JSON; an infinite margin is None."""
        return {
            "verdicts": self.verdicts,
            "reason": self.strong.reason,
            "weak": self.weak.plain(),
            "form_closure": self.form.plain(),
            "force_closure": self.force.plain(),
            "margin": self.margin if np.isfinite(self.margin) else None,
            "margins": [one.plain() for one in self.margins],
            "strong_margins": [
                one if one is not None and np.isfinite(one) else None for one in self.strong_margins
            ],
        }


def fixture(
    what: World | AccelerationProblem,
    disturbances: ArrayLike | Sequence[Mapping[str, Any]] | None = None,
    both: bool = False,
    search: Search | None = BY_COULOMB,
    *,
    torques: Mapping[str, float] | None = None,
    accelerations: Mapping[str, float] | None = None,
) -> Fixture:
    """Of a world at rest at time 0, or of a problem.

    disturbances  loads d on top of those that act: (k, n), or, by bodies of a world, tables
                  {"body": name, "force": N, "torque": N m} with one of the two or both, in world
                  axes at the centre of mass
    both          each of them also the other way
    search        enumerate_motions, for the strong kind; if None only equilibria without
                  friction show it
    torques, accelerations   of drives of a world's joints, as in `problem_of`; accelerations must
                  be zero: such a drive holds its joint
    """
    problem = _problem(what, torques, accelerations)
    true_or_false("both", both)
    _check_rest(problem)
    loads = _loads(problem, disturbances, both)
    balance = ContactBalance(problem, force_cone(problem, "cone"))
    weak = equilibrium(balance, problem.force)
    firm = strong(problem, weak, search)
    margins: tuple[LoadFactor, ...] = ()
    if weak.verdict == "holds":
        margins = tuple(load_factor(balance, problem.force, d) for d in loads)
    limits = tuple(_strong_margin(problem, firm, one, search) for one in margins)
    form, force = form_closure(problem), force_closure(problem)
    return Fixture(weak, firm, form, force, margins, limits, problem)


def _problem(
    what: World | AccelerationProblem,
    torques: Mapping[str, float] | None,
    accelerations: Mapping[str, float] | None,
) -> AccelerationProblem:
    if isinstance(what, AccelerationProblem):
        if torques or accelerations:
            raise InputError("torques, accelerations: must be in the problem already")
        return what
    if not isinstance(what, World):
        raise InputError(
            f"what is a {type(what).__name__}: must be a World or a problem{hint(what)}"
        )
    problem = problem_of(what, torques=torques, accelerations=accelerations)
    for name, value in (accelerations or {}).items():
        if value != 0.0:
            raise InputError(
                f"accelerations[{name!r}] = {value!r}: must be 0, a fixture is at rest"
            )
    return problem


def strong(problem: AccelerationProblem, weak: Equilibrium, search: Search | None = None) -> Strong:
    """Has every motion zero acceleration?"""
    if weak.verdict == "gives way":
        return Strong("fails", "the load has no equilibrium")
    if weak.verdict == "undecided":
        return Strong("undecided", "whether the load has an equilibrium is not decided")
    smooth = ContactBalance(problem, force_cone(problem, "frictionless"))
    if equilibrium(smooth, problem.force).verdict == "holds":
        return Strong("holds", "the load has an equilibrium without friction")
    if search is None:
        return Strong("undecided", "there is no equilibrium without friction, and no search")
    f = problem.force
    least = _MOVES * float(f @ problem.mobility @ f)
    found = search(problem, side=(f, least))
    for motion in found.motions:
        if float(f @ motion.accelerations) >= 0.5 * least and not motion.rests:
            return Strong("fails", f"contacts may go {motion.modes} as well", motion)
    if found.complete:
        return Strong("holds", "no contact mode has a motion")
    return Strong("undecided", "the search was not complete")


def _strong_margin(
    problem: AccelerationProblem, firm: Strong, weak: LoadFactor, search: Search | None
) -> float | None:
    """A factor up to which the strong kind is shown: at once without friction, then by halving."""
    if firm.verdict != "holds":
        return None
    smooth = ContactBalance(problem, force_cone(problem, "frictionless"))
    f, d = problem.force, weak.disturbance
    low = 0.0
    if equilibrium(smooth, f).verdict == "holds":
        low = min(load_factor(smooth, f, d).factor, weak.factor)
    if search is None or np.isinf(low):
        return low
    cone = ContactBalance(problem, force_cone(problem, "cone"))
    high = min(weak.factor, max(2.0 * low, _FAR * (cone.size(f) or 1.0) / cone.size(d)))

    def shown(factor: float) -> bool:
        loaded = replace(problem, force=f + factor * d)
        return strong(loaded, equilibrium(cone, loaded.force), search).verdict == "holds"

    if shown(high):
        return high
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if shown(middle) else (low, middle)
    return low


def at_rest(problem: AccelerationProblem) -> bool:
    """Is nothing in motion, and no acceleration given?"""
    return not any(np.any(getattr(problem, name)) for name in _MOTION)


def _check_rest(problem: AccelerationProblem) -> None:
    for name in _MOTION:
        if np.any(getattr(problem, name)):
            most = float(np.abs(getattr(problem, name)).max())
            raise InputError(
                f"{name} has an entry of {most:g}: must be zero, a fixture holds parts at rest"
            )


def _loads(problem: AccelerationProblem, given: Any, both: bool) -> list[FloatArray]:
    if isinstance(given, Mapping):
        raise InputError("disturbances is one table: must be a list of such tables")
    if given is None or (isinstance(given, Sequence) and not len(given)):
        return []
    if isinstance(given, Sequence) and any(isinstance(one, Mapping) for one in given):
        given = loads_on_bodies(problem, given)
    loads = np.atleast_2d(bounded_array("disturbances", given))
    if loads.ndim != 2 or loads.shape[1] != problem.size:
        raise InputError(f"disturbances of shape {loads.shape}: must be (loads, {problem.size})")
    if not np.all(np.any(loads, axis=1)):
        number = int(np.argmin(np.any(loads, axis=1)))
        raise InputError(f"disturbances[{number}]: must not be zero")
    return [sign * d for d in loads for sign in ((1.0, -1.0) if both else (1.0,))]


def _worst_words(found: Fixture) -> str:
    """Both margins of the worst disturbance; they need not be of the same one."""
    worst, shown = found.worst, [one for one in found.strong_margins if one is not None]
    if worst is None:
        return "No disturbances were given."
    number = next(i for i, one in enumerate(found.margins) if one is worst)
    surely = min(shown, default=None)
    if np.isinf(worst.factor):
        known = "" if surely is None or np.isinf(surely) else f", surely up to {surely:.4g} times"
        return f"Every disturbance can be held at any size{known}."
    text = f"Disturbances {_margin_words(worst, surely)}; number {number} is the worst"
    if surely is not None and found.strong_margins[number] != surely:
        text += f", for what is sure number {found.strong_margins.index(surely)}"
    return f"{text}."


def _weak_words(found: Equilibrium) -> str:
    if found.verdict == "holds":
        return f"Weak: holds, forces balance the load to {found.imbalance:.1e}."
    if found.verdict == "gives way":
        return f"Weak: gives way, a motion with power {found.power:.1e} meets no resistance."
    return f"Weak: undecided. Imbalance {found.imbalance:.1e}, power {found.power:.1e}."


def _margin_words(weak: LoadFactor, strong_factor: float | None) -> str:
    def times(factor: float) -> str:
        return "any size" if np.isinf(factor) else f"{factor:.4g} times"

    words = f"can be held up to {times(weak.factor)}"
    if strong_factor is None:
        return words
    return f"{words}, surely up to {times(strong_factor)}"
