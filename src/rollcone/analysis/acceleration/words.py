"""An analysis in a sentence, and contacts and numbers in words; for reports and pictures."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from rollcone._check import FloatArray
from rollcone._words import count, few

if TYPE_CHECKING:
    from rollcone.analysis.acceleration.analyze import Analysis
    from rollcone.analysis.acceleration.motion import Motion, Transition
    from rollcone.analysis.acceleration.problem import AccelerationProblem

_NOTHING = 1e-9  # of the largest number of its kind: shown as 0
_FATES = {
    "stays rolling": ("stays rolling", "stay rolling"),
    "starts to slide": ("starts to slide", "start to slide"),
    "slides on": ("slides on", "slide on"),
    "breaks": ("breaks", "break"),
}


def verdict_words(analysis: Analysis) -> str:
    """The answer in a sentence or two."""
    verdict, paradox = analysis.verdict, analysis.painleve
    if verdict == "one motion":
        return f"One motion: {fates(analysis.motions[0])}."
    if verdict == "several motions":
        listed = f"Several motions ({len(analysis.motions)})"
        if analysis.cone_motions is not None and analysis.cone_motions.families:
            return (
                f"{listed}, the ends of families: contacts share forces in more than one way, "
                "which makes a difference."
            )
        return f"{listed}: Painleve's paradox, indeterminate." if paradox else f"{listed}."
    if verdict == "a motion":
        found = fates(analysis.motions[0])
        return f"A motion was found; whether it is the only one is not known: {found}."
    if verdict == "no motion":
        return _no_motion(analysis)
    if analysis.existence.cone == "exists":
        return f"A motion exists ({analysis.existence.theorem}), but none was found."
    return "No motion was found; whether there is one is not known."


def _no_motion(analysis: Analysis) -> str:
    if analysis.existence.cone == "none":
        return (
            "No motion, whatever the friction: contacts ask for more than rigid bodies can do "
            "((36) fails)."
        )
    words = "no finite forces obey Coulomb's law"
    if analysis.painleve:
        words = f"Painleve's paradox, inconsistent: {words}; an impact without a collision follows"
    ray = " (Lemke's method ends on a ray)" if analysis.lemke.ray is not None else ""
    return f"No motion: {words}{ray}."


def fates(motion: Motion) -> str:
    """'2 contacts stay rolling, 1 breaks'; or that nothing touches."""
    numbers = Counter(transition.words for transition in motion.transitions)
    parts = [
        f"{number} {_FATES[word][number > 1]}"
        for word in _FATES
        if (number := numbers.get(word, 0))
    ]
    if not parts:
        return "nothing touches"
    first, rest = parts[0].split(" ", 1)
    return ", ".join([f"{count(int(first), 'contact')} {rest}", *parts[1:]])


def is_stop(problem: AccelerationProblem, contact: int) -> bool:
    """Is it a limit of a joint that is met, which has no place and no tangents?"""
    return problem.places is not None and not problem.rows[contact, 1:].any()


def contact_name(problem: AccelerationProblem, contact: int) -> str:
    """'ladder' on 'floor'; nothing without places."""
    if problem.places is None:
        return ""
    pair = problem.places.pair(contact)
    return f"limit, {pair}" if is_stop(problem, contact) else pair


def slide_direction(problem: AccelerationProblem, transition: Transition) -> FloatArray:
    """In world axes, or in the contact's tangents without places."""
    if problem.places is None or not len(transition.direction):
        return transition.direction
    return np.asarray(transition.direction @ problem.places.frames[transition.contact, 1:])


def notes(problem: AccelerationProblem, enumerated: bool) -> list[str]:
    """What was left out or simplified."""
    found, places = [], problem.places
    if places is not None and len(places.opening):
        pairs = ", ".join(f"{places.names[b]!r} on {places.names[a]!r}" for a, b in places.opening)
        found.append(f"Touch and part, so have no force: {pairs}.")
    if places is not None and len(places.sharp):
        found.append(
            f"Contacts {few(places.sharp)} were taken as points of the first body on a face of the "
            "second: a moment before or after they are elsewhere."
        )
    if not enumerated:
        found.append(
            f"Motions were not enumerated: {count(problem.contacts, 'contact')} are more than is "
            "tried, or it was not asked for."
        )
    return found


def number(value: float, unit: float = 0.0) -> str:
    """Four digits; 0 if it is nothing beside `unit`."""
    if abs(value) <= _NOTHING * unit:
        return "0"
    return f"{value:.4g}"


def vector(values: FloatArray, unit: float = 0.0) -> str:
    """(1, 0, -0.5)."""
    return f"({', '.join(number(float(value), unit) for value in values)})"
