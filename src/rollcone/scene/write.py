"""From a world to the text of a scene file that says the same, to the last bit."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray
from rollcone.errors import FileError, InputError
from rollcone.friction_models.model import FrictionModel
from rollcone.friction_models.registry import plain_model
from rollcone.mechanics.elements import plain_element
from rollcone.mechanics.joints import WORLD, JointSpec
from rollcone.mechanics.materials import ContactLaw
from rollcone.mechanics.rotations import quaternion_between, rotation_matrix
from rollcone.scene.read import read_scene
from rollcone.scene.toml_text import table
from rollcone.stepping.scheme import Scheme

if TYPE_CHECKING:
    from rollcone.mechanics.body import Body
    from rollcone.mechanics.emitter import Emitter
    from rollcone.mechanics.world import World

_OUTPUT = ("every", "contacts", "flush")
_ZERO, _NO_TURN = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)


def write_scene(world: World, title: str, settings: dict[str, Any]) -> str:
    """`settings`: until and step, and more of the tables [simulation] and [output]. The text is
    read again, so that what is wrong with them is told as it would be of a file."""
    _no_functions(world)
    output = {name: settings.pop(name) for name in _OUTPUT if name in settings}
    parts = [table("", {"title": title})] if title else []
    parts.append(table("[simulation]", _simulation(settings)))
    if output:
        parts.append(table("[output]", output))
    parts.append(table("[world]", _world(world)))
    if world.laws.default_is_set:
        parts.append(table("[contact]", _law(world.laws.default)))
    for pair, law in world.laws.pairs.items():
        parts.append(table("[[pair]]", {"materials": pair} | _law(law)))
    parts += [table("[[body]]", _body(k, body)) for k, body in enumerate(world.bodies)]
    parts += [
        table("[[emitter]]", emitter.plain() | _progress(emitter)) for emitter in world.emitters
    ]
    parts += [table("[[joint]]", _joint(world, number, spec)) for number, spec in world.joints]
    text = "\n".join(parts)
    read_scene(text, "scene")
    return text


def save_text(text: str, path: str | os.PathLike[str], overwrite: bool) -> None:
    """The file appears whole or not at all."""
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"path = {path!r}: must be the name of a file, a str or a Path")
    target = Path(os.path.realpath(path))
    if target.exists() and not overwrite:
        raise FileError(f"{os.fspath(path)}: exists already; overwrite=True replaces it")
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        draft.write_text(text, encoding="utf-8", newline="\n")
        os.replace(draft, target)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise FileError(f"{os.fspath(path)}: cannot be written: {reason}") from error
    finally:
        with suppress(OSError):
            draft.unlink()


def _no_functions(world: World) -> None:
    named = world.functions()
    if named:
        raise InputError(f"{', '.join(named)}: a Python function, which a scene file cannot hold")


def _simulation(settings: dict[str, Any]) -> dict[str, Any]:
    given = dict(settings)
    if isinstance(scheme := given.get("scheme"), Scheme):
        fields = {name: value for name, value in asdict(scheme).items() if value is not None}
        given["scheme"] = {"name": scheme.name} | fields
    if isinstance(model := given.get("friction_model"), FrictionModel):
        given["friction_model"] = plain_model(model)
    if options := given.pop("solver_options", None):
        given["solver"] = {"name": given.get("solver", "auto")} | options
    return {name: value for name, value in given.items() if value is not None}


def _world(world: World) -> dict[str, Any]:
    fields: dict[str, Any] = {"gravity": world.gravity}
    if world.periodic:
        fields["periodic"] = world.periodic
    if world.laws.materials not in ([], ["default"]):
        fields["materials"] = world.laws.materials
    return fields


def _law(law: ContactLaw) -> dict[str, Any]:
    plain = asdict(ContactLaw())
    return {name: value for name, value in asdict(law).items() if value != plain[name]}


def _body(number: int, body: Body) -> dict[str, Any]:
    """`number` is that which it will have: removed bodies leave no trace but names."""
    state, k, shape = body.world.state, body.id, body.shape
    fields: dict[str, Any] = {"shape": shape} | _size(body, state.size[k])
    if body.name != f"{shape} {number}":
        fields["name"] = body.name
    if body.material != "default":
        fields["material"] = body.material
    fields |= _plane(body) if shape in ("plane", "bowl") else _solid(body)
    return (
        fields
        | _changed(state.velocity[k], "velocity")
        | _changed(state.angular_velocity[k], "angular_velocity")
    )


def _size(body: Body, size: FloatArray) -> dict[str, Any]:
    shape = body.shape
    if shape in ("sphere", "bowl"):
        return {"radius": size[0]}
    if shape == "disk":
        half, edge = (_beyond(size[0], end) for end in size[1:])
        return (
            {"radius": size[0]}
            | _changed(2.0 * half, "thickness", 0.0)
            | _changed(edge, "edge_radius", 0.0)
        )
    if shape == "ellipsoid":
        return {"semi_axes": size}
    if shape == "box":
        return {"size": 2.0 * size}
    if shape == "plane":
        return {}
    if shape == "clump":
        return {"spheres": body.spheres, "center": _ZERO}
    if shape == "cone":
        return {"radius": size[0], "height": _cone_height(size[2])}
    if shape == "compound":
        return {"parts": body.parts, "center": _ZERO}
    if shape == "convex":  # about its centroid, as it is kept
        part = body.world.state.parts.of(body.id)[0]
        assert part.geometry is not None
        return {"points": part.geometry.corners, "center": [-x for x in part.x]}
    if shape == "mesh":
        vertices, triangles = body.surface
        return {"vertices": vertices, "triangles": triangles, "center": _ZERO}
    return {"radius": size[0], "length": 2.0 * _beyond(size[0], size[2])}


def _cone_height(tip: float) -> float:
    """The height of which three quarters are `tip`, to the bit."""
    about = tip / 0.75
    near = (about, np.nextafter(about, 0.0), np.nextafter(about, np.inf))
    return float(next((h for h in near if 0.75 * h == tip), about))


def _beyond(radius: float, end: float) -> float:
    """The x for which x + radius is `end`, to the bit."""
    about = end - radius
    near = (about, np.nextafter(about, 0.0), np.nextafter(about, np.inf))
    return float(next((x for x in near if x + radius == end), about))


def _plane(body: Body) -> dict[str, Any]:
    """By its normal, if that gives the orientation; one that was turned about it has more."""
    q = body.orientation
    normal = rotation_matrix(q)[:, 2]
    fields = _changed(body.position, "point")
    if _same(quaternion_between((0.0, 0.0, 1.0), normal), q):
        return _changed(normal, "normal", (0.0, 0.0, 1.0)) | fields
    return {"orientation": q} | fields


def _solid(body: Body) -> dict[str, Any]:
    state, k = body.world.state, body.id
    return (
        _changed(state.position[k], "position")
        | _changed(state.orientation[k], "orientation", _NO_TURN)
        | _mass(body)
        | _changed(state.force[k], "force")
        | _changed(state.torque[k], "torque")
        | _changed(state.damping[k, 0], "linear_damping", 0.0)
        | _changed(state.damping[k, 1], "angular_damping", 0.0)
    )


def _mass(body: Body) -> dict[str, Any]:
    """The inertia as well, where it is not that of the homogeneous body, to the bit."""
    from rollcone.mechanics.world import World

    if not body.dynamic:
        return {"fixed": True}
    state, k, twin = body.world.state, body.id, World()
    getattr(twin, f"add_{body.shape}")(**_size(body, state.size[k]), mass=body.mass)
    fields: dict[str, Any] = {"mass": body.mass}
    turned = not _same(twin.state.principal[0], state.principal[k])
    if turned or not _same(twin.state.inertia[0], state.inertia[k]):
        fields["inertia"] = state.inertia[k]
        fields |= _changed(state.principal[k], "principal_axes", _NO_TURN)
    return fields


def _progress(emitter: Emitter) -> dict[str, int]:
    return {name: value for name, value in emitter.state().items() if value}


def _joint(world: World, number: int, spec: JointSpec) -> dict[str, Any]:
    """By the places that it has on its bodies, which do not depend on where these are."""
    fields: dict[str, Any] = {"kind": spec.kind, "name": spec.name}
    if spec.kind == "gear":
        ends = [[world.joints.spec(joint).name, word] for joint, word in spec.geared]
        return fields | {"joints": ends, "ratio": spec.ratio, "offset": spec.zero}
    fields["body"] = world.name_of(spec.body)
    if spec.base != WORLD:
        fields["base"] = world.name_of(spec.base)
    for name in ("base_point", "body_point", "base_frame", "body_frame"):
        fields[name] = getattr(spec, name)
    fields |= _changed(world.joints.turns[number], "turns", (0.0, 0.0))
    if spec.kind == "distance":
        fields["distance"] = spec.zero
    fields |= _changed(spec.compliance, "compliance", 0.0)
    fields |= _changed(spec.angular_compliance, "angular_compliance", 0.0)
    if spec.collide:
        fields["collide"] = True
    for coordinate, elements in spec.elements.items():
        fields[coordinate] = {element.word: plain_element(element) for element in elements}
    return fields


def _changed(value: Any, name: str, default: ArrayLike = _ZERO) -> dict[str, Any]:
    """The field, unless it has the default's bits: -0.0 is not 0.0."""
    return {} if _same(value, default) else {name: value}


def _same(one: ArrayLike, other: ArrayLike) -> bool:
    a, b = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
    return a.tobytes() == b.tobytes()
