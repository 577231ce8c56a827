"""What the panel tells of a body or a joint that was clicked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rollcone._check import FloatArray
from rollcone._words import count
from rollcone.analysis.forces import contact_forces
from rollcone.collision.hull import Hull
from rollcone.collision.parts import Part
from rollcone.collision.shapes import (
    BOX,
    CAPSULE,
    CLUMP,
    CONE,
    DISK,
    ELLIPSOID,
    MESH,
    PLANE,
    SHAPE_NAMES,
)
from rollcone.collision.triangles import Surface
from rollcone.mechanics.bodies import FIXED, Bodies
from rollcone.mechanics.joints import UNITS, WORLD
from rollcone.viewer.element_words import effort_unit, element_words

if TYPE_CHECKING:
    from rollcone.recording.contacts import RecordedContacts
    from rollcone.recording.joints import JointTrack
    from rollcone.recording.run import Run

_APART = 2 * "\N{NO-BREAK SPACE}"  # the page puts columns side by side without a gap


def body_facts(run: Run, number: int, moment: int) -> dict[str, str]:
    """Name, shape, mass, state and contacts of a body at a recorded moment, in words."""
    state = run.world.state
    facts = {
        "name": run.world.name_of(number),
        "shape": _shape(state, number),
    }
    facts["mass"] = "fixed" if state.kind[number] == FIXED else f"{state.mass[number]:.4g} kg"
    position, velocity, turning = (
        run.states(name)[moment] for name in ("position", "velocity", "angular_velocity")
    )
    if not np.isfinite(position[number, 0]):
        return facts | {"state": "not there at this time"}
    facts["position"] = f"{_of_all(position, number)} m"
    facts["velocity"] = f"{_of_all(velocity, number)} m/s"
    facts["speed"] = f"{np.linalg.norm(velocity[number]):.4g} m/s"
    facts["ang. velocity"] = f"{_of_all(turning, number)} rad/s"
    if run.contact_level == "full":
        facts |= _contacts(run.contacts(moment), number)
    held = [spec.name for _, spec in run.world.joints if number in (spec.base, spec.body)]
    return facts | ({"joints": ", ".join(held)} if held else {})


def joint_facts(run: Run, number: int, track: JointTrack, moment: int) -> dict[str, str]:
    """Name, kind, bodies, coordinates, efforts and reactions of a joint at a moment, in words."""
    spec = run.world.joints.ever()[number]
    base, body = (
        "the world" if side == WORLD else run.world.name_of(side) for side in (spec.base, spec.body)
    )
    facts = {"name": spec.name, "kind": spec.kind, "body": body, "base": base}
    joints = run.joints(moment)
    if not np.isfinite(joints.point[number, 0]):
        return facts | {"state": "not there at this time"}
    for name, values in track.coordinate.items():
        unit = UNITS[name]
        facts[name] = f"{values[moment]:.4g} {unit}, {track.rate[name][moment]:.4g} {unit}/s"
        for element in spec.elements.get(name, ()):
            effort = track.effort[f"{name}.{element.word}"][moment]
            told = f"{effort:.4g} {effort_unit(name)} ({element_words(element, name)})"
            facts[f"{name}.{element.word}"] = told
    facts["point"] = f"{_of_all(joints.point, number)} m"
    facts["axis"] = _vector(joints.axis[number])
    facts["force"] = f"{_of_all(joints.force, number)} N"
    facts["torque"] = f"{_of_all(joints.torque, number)} N m"
    return facts


def table(facts: dict[str, str]) -> str:
    """As Markdown."""
    rows = [f"| {name}{_APART} | {_escaped(words)} |" for name, words in facts.items()]
    return "\n".join(["| | |", "|---|---|", *rows])


def _contacts(contacts: RecordedContacts, number: int) -> dict[str, str]:
    on = (contacts.bodies == number).any(axis=1)
    sign = np.where(contacts.bodies[on, 1] == number, 1.0, -1.0)
    total = (sign[:, None] * contact_forces(contacts)[on]).sum(axis=0)
    modes, counts = np.unique(contacts.mode[on], return_counts=True)
    words = [
        f"{count} x {mode}" if count > 1 else str(mode)
        for mode, count in zip(modes, counts, strict=True)
    ]
    return {
        "contacts": str(int(on.sum())),
        "mode": "; ".join(words) or "free",
        "load": f"{contacts.reaction[on, 0].sum():.4g} N",
        "force": f"{_vector(total)} N",
    }


def _shape(state: Bodies, number: int) -> str:
    shape, size = state.shape[number], state.size[number]
    name = SHAPE_NAMES[shape]
    if shape == PLANE:
        return name
    if shape == BOX or shape > CONE:
        parts = state.parts.of(number)
        half = parts[0].p if shape == MESH else size
        return f"{name}{_made_of(parts)}, {' x '.join(f'{2 * edge:.4g}' for edge in half)} m"
    if shape == CONE:
        return f"{name}, radius {size[0]:.4g} m, height {size[2] / 0.75:.4g} m"
    if shape == ELLIPSOID:
        return f"{name}, semi-axes {', '.join(f'{semi:.4g}' for semi in size)} m"
    if shape == DISK and size[1] > size[0]:
        half, edge = size[1] - size[0], size[2] - size[0]
        rounded = f", edges {edge:.4g} m" if edge > 0.0 else ""
        return f"{name}, radius {size[0]:.4g} m, thickness {2 * half:.4g} m{rounded}"
    if shape == CAPSULE:
        return f"{name}, radius {size[0]:.4g} m, length {2 * (size[2] - size[0]):.4g} m"
    if shape == CLUMP:
        balls = len(state.clumps.of(number))
        return f"{name} of {balls}, reaches {size[2]:.4g} m from its centre"
    return f"{name}, radius {size[0]:.4g} m"


def _made_of(parts: list[Part]) -> str:
    """Corners of a hull, triangles of a mesh, parts of a compound."""
    geometry = parts[0].geometry if parts else None
    if len(parts) == 1 and isinstance(geometry, Hull):
        return f" of {count(len(geometry.corners), 'corner')}"
    if isinstance(geometry, Surface):
        return f" of {count(len(geometry.triangles), 'triangle')}"
    return f" of {count(len(parts), 'part')}" if parts else ""


def _of_all(values: FloatArray, number: int) -> str:
    """One of the vectors (n, 3), of which rounding beside the largest of all is zero."""
    return _vector(values[number], 1e-13 * float(np.nanmax(np.abs(values))))


def _vector(values: FloatArray, least: float = 0.0) -> str:
    """Three numbers; those below `least`, or rounding beside the largest, are zero."""
    least = max(least, 1e-9 * float(np.abs(values).max()))
    return ", ".join(f"{0.0 if abs(v) < least else v:.4g}" for v in values)


def _escaped(words: str) -> str:
    """Names are the user's: nothing in them is Markdown or HTML."""
    for sign in "\\`*_{}[]<>()#+!|~$":
        words = words.replace(sign, f"\\{sign}")
    return words
