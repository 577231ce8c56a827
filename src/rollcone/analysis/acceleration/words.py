"""An analysis in a sentence, and contacts and numbers in words; for reports and pictures."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from rollcone._check import FloatArray
from rollcone._words import count, few
from rollcone.analysis.acceleration.least_forces import redundancy

if TYPE_CHECKING:
    from rollcone.analysis.acceleration.analyze import Analysis
    from rollcone.analysis.acceleration.motion import Motion, Transition
    from rollcone.analysis.acceleration.places import Places
    from rollcone.analysis.acceleration.problem import AccelerationProblem

_NOTHING = 1e-9  # of the largest number of its kind: shown as 0
_STILL = 1e-7  # of accelerations without contacts
_TOLD = 3  # motions, in a sentence
_PAIRS = 6  # of bodies, in a sentence
_VERBS = {
    "stays rolling": ("stays", "stay", "on "),
    "starts to slide": ("starts to slide", "start to slide", "on "),
    "slides on": ("keeps sliding", "keep sliding", "on "),
    "breaks": ("leaves", "leave", ""),
}
_SOLVERS = {  # of cone.py
    "start": "the contact modes of Lemke's answer",
    "lemke": "Lemke's method",
    "lemke modes": "the contact modes of Lemke's answer",
    "qvi": "a quasi-variational inequality",
    "newton": "Newton's method",
    "stiffness path": "a path of stiffness",
    "gauss-newton": "Gauss and Newton's method",
    "gauss-newton, lemke": "Gauss and Newton's method from Lemke's answer",
    "friction path": "a path of friction",
    "hybrid": "the hybrid solver",
    "random start": "Newton's method from random forces",
}
_FATES = {
    "stays rolling": ("stays rolling", "stay rolling"),
    "starts to slide": ("starts to slide", "start to slide"),
    "slides on": ("slides on", "slide on"),
    "breaks": ("breaks", "break"),
}


def verdict_words(analysis: Analysis) -> list[str]:
    """What happens, bodies by name if there are few, and the verdict: a sentence or two each."""
    told = [what_happens(motion) for motion in analysis.motions[: _TOLD + 1]]
    if len(told) == 1 and told[0]:
        return [f"{told[0]}.", _verdict(analysis)]
    if 1 < len(told) <= _TOLD and all(told):
        listed = "; or ".join(f"({k + 1}) {text}" for k, text in enumerate(told))
        return [f"More than one thing can happen: {listed}.", _verdict(analysis)]
    return [_verdict(analysis)]


def _verdict(analysis: Analysis) -> str:
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


def what_happens(motion: Motion) -> str:
    """'ladder' starts to slide on 'floor' and on 'wall'; nothing if there are no names, or many."""
    problem, places = motion.problem, motion.problem.places
    if places is None or not problem.contacts:
        return ""
    pairs: dict[tuple[str, str], Counter[str]] = {}
    for i, found in enumerate(motion.transitions):
        other, body = (places.name_of(k) for k in places.bodies[i])
        thing = f"the limit between {body!r} and" if is_stop(problem, i) else repr(body)
        pairs.setdefault((thing, other), Counter())[found.words] += 1
    stays = all(found.words == "stays rolling" for found in motion.transitions)
    lead = ""
    if stays:
        still = _nothing_accelerates(motion)
        lead = "Everything holds, no body accelerates" if still else "No contact slides or breaks"
    if len(pairs) > _PAIRS:
        return lead
    told = _pairs_in_words(pairs)
    return f"{lead}: {told}" if lead else told


def _pairs_in_words(pairs: dict[tuple[str, str], Counter[str]]) -> str:
    on: dict[tuple[str, str], list[str]] = {}  # others, by body and word
    mixed = []
    for (body, other), numbers in pairs.items():
        if body.startswith("the limit"):
            mixed.append(f"{body} {other!r} {'is left' if numbers['breaks'] else 'holds'}")
        elif len(numbers) == 1:
            on.setdefault((body, next(iter(numbers))), []).append(repr(other))
        else:
            mixed.append(_mixed(body, repr(other), numbers))
    alike: dict[tuple[str, tuple[str, ...]], list[str]] = {}  # bodies, by word and others
    for (body, word), others in on.items():
        alike.setdefault((word, tuple(others)), []).append(body)
    told = []
    for (word, things), bodies in alike.items():
        *verbs, link = _VERBS[word]
        objects = _listed([f"{link}{thing}" for thing in things])
        told.append(f"{_listed(bodies)} {verbs[len(bodies) > 1]} {objects}")
    return "; ".join(told + mixed)


def _mixed(body: str, other: str, numbers: Counter[str]) -> str:
    """Contacts of two bodies that do not all go the same way."""
    total, broken = numbers.total(), numbers["breaks"]
    slides = total - broken - numbers["stays rolling"]
    if not broken:
        return f"{body} slides on {other} at {slides} of {total} contacts"
    parts = f"{broken} of {total} contacts {_FATES['breaks'][broken > 1]}"
    if slides:
        return f"{body} slides on {other} and partly leaves it: {parts}"
    return f"{body} partly leaves {other}: {parts}"


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _nothing_accelerates(motion: Motion) -> bool:
    free = float(np.abs(motion.problem.free_accelerations).max(initial=0.0))
    return bool(np.abs(motion.accelerations).max(initial=0.0) <= _STILL * free)


def fates(motion: Motion) -> str:
    """'2 contacts stay rolling, 1 breaks'; or that nothing touches."""
    return _counted(Counter(found.words for found in motion.transitions))


def _counted(numbers: Counter[str]) -> str:
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


def search_words(analysis: Analysis) -> str:
    """How a motion by Coulomb's law was found."""
    tried = analysis.cone.tried
    if analysis.cone.motion is not None:
        name = tried[-1][0]
        return f"found by {_SOLVERS.get(name, name)}"
    if not tried:
        return "not searched: the enumeration is complete"
    return f"not found in {count(len(tried), 'attempt')}"


def notes(analysis: Analysis) -> list[str]:
    """What a reader should know besides, a sentence each."""
    problem = analysis.problem
    found = [] if problem.places is None else _notes_on_places(problem.places)
    if len(problem.held) and np.linalg.matrix_rank(problem.held) < len(problem.held):
        found.append(
            "Joints and drives hold more than is needed, so that they may share forces in more "
            "than one way: the least forces are told."
        )
    ways = 0 if analysis.motion is None else redundancy(analysis.motion)
    if ways:
        found.append(
            "Forces of contacts are not unique: they can be shared in "
            f"{count(ways, 'independent way')} without a difference to any acceleration. The "
            "least are told."
        )
    if analysis.cone_motions is None:
        found.append(_why_not_enumerated(analysis))
    return found


def _why_not_enumerated(analysis: Analysis) -> str:
    from rollcone.analysis.acceleration.analyze import MOST_CONTACTS

    contacts = analysis.problem.contacts
    if analysis.rest is not None and analysis.rest.verdict == "holds":
        return f"Motions need not be enumerated, all are at rest: {analysis.rest.reason}."
    why = "it was not asked for"
    if contacts > MOST_CONTACTS:
        why = f"there are {contacts} contacts, and {MOST_CONTACTS} at most are tried"
    return f"Motions were not enumerated: {why}."


def _notes_on_places(places: Places) -> list[str]:
    found = []
    if len(places.opening):
        pairs = ", ".join(f"{places.names[b]!r} on {places.names[a]!r}" for a, b in places.opening)
        found.append(f"Touch and part, so have no force: {pairs}.")
    if places.overlap:
        pairs = ", ".join(f"{pair} by {depth:.2g} m" for pair, depth in places.overlap)
        found.append(f"Overlap, and were taken as touching: {pairs}.")
    if places.nearly:
        pairs = ", ".join(f"{pair}, gap {gap:.2g} m" for pair, gap in places.nearly)
        found.append(f"Nearly touch, but do not, so have no force: {pairs}.")
    if len(places.sharp):
        one = len(places.sharp) == 1
        them = "Contact {} was taken as a point" if one else "Contacts {} were taken as points"
        found.append(
            f"{them.format(few(places.sharp))} of the body named first on a face of the other: a "
            f"moment before or after {'it is' if one else 'they are'} elsewhere."
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
