"""An analysis for a person at a terminal: what happens, then sections from the most to the least
wanted."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rollcone._words import count
from rollcone.analysis.acceleration.enumeration import Enumeration, acceleration_distance
from rollcone.analysis.acceleration.joint_forces import joint_forces
from rollcone.analysis.acceleration.motion import CERTIFIED, Motion, units
from rollcone.analysis.acceleration.places import HeldRow
from rollcone.analysis.acceleration.relaxed import Relaxed
from rollcone.analysis.acceleration.words import (
    contact_name,
    fates,
    is_stop,
    notes,
    number,
    search_words,
    slide_direction,
    vector,
    verdict_words,
)

if TYPE_CHECKING:
    from rollcone.analysis.acceleration.analyze import Analysis
    from rollcone.analysis.acceleration.fixture import Fixture

_SAME = 1e-6  # two motions are one
_ROWS = 24  # of a table
_MOTIONS = 4  # that are told in full
_LISTED = 8  # motions of an enumeration
_WIDTH = 88  # of sentences
_RELAXED = "by the relaxed model, in which friction of sliding contacts is only bounded"


def report(analysis: Analysis, held: Fixture | None = None) -> str:
    """All of it as text; of a fixture as well, if that was asked."""
    sections = [[line for text in verdict_words(analysis) for line in _wrapped(text)]]
    shown = analysis.motions or ((analysis.motion,) if analysis.motion is not None else ())
    for k, motion in enumerate(shown[:_MOTIONS]):
        if motion.relaxed:
            sections.append(_wrapped(f"Nearest motion, {_RELAXED}: {fates(motion)}."))
        elif len(shown) > 1:
            sections.append(_wrapped(f"Motion {k + 1} of {len(shown)}: {fates(motion)}."))
        sections += [_contacts(motion), _bodies(motion), _held(motion)]
    if held is not None:
        sections.append(["Fixture", *(f"  {line}" for line in held.report().splitlines())])
    remarks = notes(analysis)
    if remarks:
        sections.append(["Notes", *(line for text in remarks for line in _wrapped(text, 2))])
    sections += [_existence(analysis), _searches(analysis), _residuals(shown[:_MOTIONS])]
    return "\n\n".join("\n".join(section) for section in sections if section)


def _contacts(motion: Motion) -> list[str]:
    problem = motion.problem
    if not problem.contacts:
        return []
    named, turning = problem.places is not None, bool(problem.friction[:, 1:].any())
    heads = ["#", *(["contact"] if named else []), "what becomes of it", "normal", "friction"]
    heads += (["rolling", "spinning"] if turning else []) + ["opens", "slips"]
    below = ["", *([""] if named else []), "", "N", "N", *(["N m", "N m"] if turning else [])]
    rows = [heads, [*below, "m/s2", "m/s2"]]
    F, most = units(problem, motion.forces, motion.contact_accelerations)
    for i in range(min(problem.contacts, _ROWS)):
        p, a = motion.forces[i], motion.contact_accelerations[i]
        sizes = [p[0], np.linalg.norm(p[1:3])]
        sizes += [np.linalg.norm(p[3:5]), abs(p[5]) if len(p) > 5 else 0.0] if turning else []
        rates = [a[0], np.linalg.norm(a[1:3])]
        words = [str(i), *([contact_name(problem, i)] if named else []), _fate(motion, i)]
        rows.append(
            words + [number(float(x), F) for x in sizes] + [number(float(x), most) for x in rates]
        )
    whose = "forces on the body named first; " if named else ""
    lines = [f"Contacts ({whose}rolling means that it does not slide)"]
    lines += _table(rows, left=2 + named)
    if any(found.grazing for found in motion.transitions):
        lines.append("  grazing: it touches without a force")
    return lines + _more(problem.contacts)


def _fate(motion: Motion, i: int) -> str:
    """What becomes of a contact, with a direction, in a few words."""
    found = motion.transitions[i]
    if is_stop(motion.problem, i):
        return "breaks" if found.after == "breaking" else "holds"
    words = found.words
    if found.after == "breaking":
        words += f" (was {found.before})"
    if found.after == "sliding":
        direction = slide_direction(motion.problem, found)
        words += f" {vector(np.round(direction, 3) + 0.0)}"
    if found.turning:
        words += f", turns against {' and '.join(found.turning)} friction"
    return words + (", grazing" if found.grazing else "")


def _bodies(motion: Motion) -> list[str]:
    places, v = motion.problem.places, motion.accelerations
    unit = float(np.abs([v, motion.problem.free_accelerations]).max(initial=0.0))
    if places is None:
        lines = ["Accelerations v'", f"  {vector(v[:_ROWS], unit)}"]
        return lines + _more(len(v))
    rows = [["body", "acceleration m/s2", "angular rad/s2"]]
    for k, body in enumerate(places.movers[:_ROWS]):
        linear, angular = v[6 * k : 6 * k + 3], v[6 * k + 3 : 6 * k + 6]
        rows.append([places.names[body], vector(linear, unit), vector(angular, unit)])
    lines = ["Accelerations of bodies", *_table(rows, left=3)]
    return lines + _more(len(places.movers))


def _held(motion: Motion) -> list[str]:
    q, places = motion.held_forces, motion.problem.places
    if not len(q):
        return []
    unit = float(np.abs(q).max())
    if places is None:
        return ["Forces of given rows", f"  {vector(q[:_ROWS], unit)}", *_more(len(q))]
    lines, found = [], joint_forces(motion)
    if found:
        rows = [["joint", "on", "by", "force N", "torque N m"]]
        for one in found[:_ROWS]:
            vectors = vector(one.force, unit), vector(one.torque, unit)
            rows.append([one.name, one.body, one.against, *vectors])
        lines = ["Joints: what holds a body, in world axes; torques are about the joint's point"]
        lines += _table(rows, left=5) + _more(len(found))
    drives = [_drive(row, f, unit) for row, f in zip(places.held, q, strict=True) if row.unit]
    if drives:
        lines += ["Drives", *drives[:_ROWS], *_more(len(drives))]
    return lines


def _drive(row: HeldRow, force: float, unit: float) -> str:
    text = f"  {row.name}: {number(float(force), unit)} {row.unit}"
    if row.given is not None:
        kind = "rad/s2" if row.unit == "N m" else "m/s2"
        text += f" (for the given {row.given:g} {kind})"
    if abs(force) > row.limit:
        text += f", exceeds its limit {row.limit:g} {row.unit}"
    return text


def _residuals(motions: Sequence[Motion]) -> list[str]:
    """A column for each motion; all have the same conditions."""
    if not motions:
        return []
    good = all(motion.certified for motion in motions)
    words = "all conditions hold" if good else "NOT all conditions hold"
    lines = [f"Residuals, by the paper's conditions: {words} to {CERTIFIED:g}"]
    rows = [
        [name, *(f"{motion.residuals[name] + 0.0:.1e}" for motion in motions)]
        for name in motions[0].residuals
    ]
    return lines + _table(rows, left=1)


def _existence(analysis: Analysis) -> list[str]:
    found = analysis.existence
    lines = ["What theorems say (Pang and Trinkle 1996)"]
    for model, reason in found.reasons.items():
        lines += _wrapped(f"{model}: {reason}", 2)
    for condition in found.conditions.values():
        proof = " Checked." if condition.check() else ""
        lines += _wrapped(f"{condition.report()}{proof}", 2)
    return lines


def _searches(analysis: Analysis) -> list[str]:
    lines = ["What was searched (modes: r rolls, s slides, b breaks)"]
    lines += _wrapped(f"a motion by Coulomb's law: {search_words(analysis)}", 2)
    for found in (analysis.cone_motions, analysis.pyramid_motions):
        if found is not None:
            lines += _enumeration(found, analysis.motions)
    lines += _wrapped(f"Lemke's method, friction pyramid: {analysis.lemke.message}", 2)
    if analysis.relaxed is not None:
        lines += _wrapped(f"relaxed model: {_relaxed(analysis.relaxed)}", 2)
    if analysis.rest is not None:
        rest = analysis.rest
        lines += _wrapped(f"is rest the only motion? {rest.verdict}: {rest.reason}", 2)
    return lines


def _enumeration(found: Enumeration, known: Sequence[Motion]) -> list[str]:
    part = "all" if found.complete else "not all there are"
    size = f"{count(found.cells, 'cell')} looked at, {part}"
    lines = [f"  all motions, friction {found.model}: {len(found.motions)} ({size})"]
    for motion in found.motions[:_LISTED]:
        away = [acceleration_distance(motion, other) for other in known]
        words = ""
        if found.model == "pyramid" and away:
            near = int(np.argmin(away)) + 1
            same = away[near - 1] <= _SAME
            words = f"  as motion {near}" if same else f"  {min(away):.1%} off motion {near}"
        lines.append(f"    {motion.modes or 'nothing touches'}{words}")
    if len(found.motions) > _LISTED:
        lines.append(f"    and {len(found.motions) - _LISTED} more")
    return lines


def _relaxed(found: Relaxed) -> str:
    if found.motion is None:
        return "has no motion either" if found.complete else "no motion was found"
    least = "the least possible" if found.complete else "perhaps not the least"
    return (
        f"friction of sliding contacts is up to {found.departure:.0%} off Coulomb's law, {least} "
        f"({count(found.cells, 'cell')} looked at)"
    )


def _table(rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Columns, the first `left` of them words, the others numbers."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            text.ljust(width) if k < left else text.rjust(width)
            for k, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  " + "  ".join(cells).rstrip())
    return lines


def _more(total: int) -> list[str]:
    return [f"  and {total - _ROWS} more"] if total > _ROWS else []


def _wrapped(text: str, indent: int = 0) -> list[str]:
    """Sentences as lines, all but the first further in."""
    first = " " * indent
    return textwrap.wrap(
        text, _WIDTH, initial_indent=first, subsequent_indent=first + "  " * (indent > 0),
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
