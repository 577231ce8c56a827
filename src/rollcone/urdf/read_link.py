"""A <link> of a URDF file: mass, inertia and collision shapes."""

from __future__ import annotations

import numpy as np

from rollcone._check import FloatArray, did_you_mean
from rollcone.urdf.model import LinkModel, MassModel, ShapeModel
from rollcone.urdf.numbers import (
    needed_number,
    not_negative,
    number,
    origin,
    positive,
    three,
    three_positive,
)
from rollcone.urdf.tree import Element

SHAPES = ("box", "sphere", "cylinder", "capsule", "mesh")
_DIAGONAL, _BESIDE = ("ixx", "iyy", "izz"), ("ixy", "ixz", "iyz")
_ROUNDED = 1e-3  # by so much of the greatest moment a tensor may miss what matter can have


def read_link(element: Element) -> LinkModel:
    name = element.need("name")
    element.owner = f"link {name!r}: "
    inertial = element.one("inertial")
    shapes = tuple(_shape(collision) for collision in element.all("collision"))
    visuals = sum(child.tag == "visual" for child in element.children)
    mass = None if inertial is None else _mass(inertial)
    return LinkModel(name, mass, shapes, visuals, element)


def _mass(inertial: Element) -> MassModel | None:
    pose = origin(inertial)
    mass = not_negative(inertial.needed("mass"), "value")
    if mass is None:
        raise inertial.wrong("<mass> value is missing: must be one number >= 0")
    tensor = pose.turn @ _tensor(inertial.needed("inertia")) @ pose.turn.T
    if mass == 0.0:
        if tensor.any():
            raise inertial.wrong("<mass> value = 0: must be > 0, since there is an inertia")
        return None
    return MassModel(mass, pose.position, 0.5 * (tensor + tensor.T))


def _tensor(element: Element) -> FloatArray:
    """About the axes of the <inertial>."""
    tensor = np.diag([needed_number(element, name) for name in _DIAGONAL])
    for name, (i, j) in zip(_BESIDE, ((0, 1), (0, 2), (1, 2)), strict=True):
        tensor[i, j] = tensor[j, i] = number(element, name) or 0.0
    moments = np.linalg.eigvalsh(tensor)
    off = _ROUNDED * np.abs(moments).max()
    said = ", ".join(f"{name} = {element.get(name) or 0}" for name in (*_DIAGONAL, *_BESIDE))
    if moments[0] < -off:
        raise element.wrong(
            f"<inertia> {said}, with a principal moment {moments[0]:.3g}: must be positive definite"
        )
    if moments[2] > moments[0] + moments[1] + off:
        raise element.wrong(
            f"<inertia> {said}, with principal moments {', '.join(f'{m:.4g}' for m in moments)}: "
            "no moment may be more than the sum of the other two"
        )
    return tensor


def _shape(collision: Element) -> ShapeModel:
    collision.read.add("name")  # it is for people
    pose = origin(collision)
    geometry = collision.needed("geometry")
    kinds = [child.tag for child in geometry.children]
    if len(kinds) != 1 or kinds[0] not in SHAPES:
        hint = did_you_mean(kinds[0], SHAPES) if kinds else ""
        given = ", ".join(f"<{kind}>" for kind in kinds) or "nothing"
        raise geometry.wrong(f"<geometry> has {given}: must have one of {', '.join(SHAPES)}{hint}")
    element = geometry.needed(kinds[0])
    sizes: dict[str, object]
    if element.tag == "box":
        sizes = {"size": three_positive(element, "size")}
    elif element.tag == "sphere":
        sizes = {"radius": positive(element, "radius")}
    elif element.tag == "cylinder":
        sizes = {"radius": positive(element, "radius"), "height": positive(element, "length")}
    elif element.tag == "capsule":  # not in the standard, but in many files
        sizes = {"radius": positive(element, "radius"), "length": positive(element, "length")}
    else:
        sizes = {"file": element.need("filename"), "scale": _scale(element)}
    return ShapeModel(element.tag, sizes, pose, element)


def _scale(mesh: Element) -> FloatArray:
    """What is negative mirrors."""
    scale = three(mesh, "scale", (1.0, 1.0, 1.0))
    if not scale.all():
        raise mesh.wrong(f"<mesh> scale = {mesh.get('scale')!r}: must be three numbers, none zero")
    return scale
