"""A stone arch: wedges between two abutments, held by thrust and friction alone.

Stones are wedges of a ring of mean radius 1 m, cut by flat joints that point to its axis, with
straight faces above and below. Each joint has a contact at the four corners of its face.
Across it act a normal force, a shear and a moment, and the arch stands if they can be chosen so
that everywhere the thrust lies within the joint and within the friction cone (J. Heyman: The stone
skeleton, 1966, for the first): three unknowns are left over, so reactions are far from
unique. A half circle needs a thickness of 0.1075 of its radius (M. Milankovitch 1907), and mu of
0.31 where it is thick, 0.38 at a thickness of 0.12.
"""

from __future__ import annotations

import numpy as np

from rollcone._check import FloatArray, positive_number, whole_number
from rollcone.errors import InputError
from rollcone.problem.contact_problem import ContactProblem, Law
from rollcone.problems.geometry import GROUND, contact_matrix, falling

DENSITY, DEPTH = 2400.0, 0.5  # kg/m3; m, along the axis


def arch(
    stones: int = 15,
    *,
    mass_ratio: float = 1.0,
    angle: float = 180.0,
    thickness: float = 0.2,
    rows: int = 3,
    sliding: float = 0.6,
    rolling: float = 0.0,
    spinning: float = 0.0,
    law: Law = "exact",
) -> ContactProblem:
    """One time step (5 ms) of an arch under gravity, at rest before; in body form.

    mass_ratio   of the keystone to any other stone; an even number of stones has two
    angle        between the abutments, degrees: 180 is a half circle
    thickness    as a share of the mean radius

    Joint j is contacts 4 j to 4 j + 3, from one abutment to the other.
    """
    whole_number("stones", stones, least=2)
    positive_number("mass_ratio", mass_ratio)
    if positive_number("angle", angle) > 180.0:
        raise InputError(f"angle = {angle!r}: must be at most 180 degrees")
    if positive_number("thickness", thickness) >= 2.0:
        raise InputError(f"thickness = {thickness!r}: must be below 2, the mean diameter")
    wedge = np.radians(angle) / stones
    joints = 0.5 * np.pi + wedge * (np.arange(stones + 1) - 0.5 * stones)
    middles = 0.5 * (joints[:-1] + joints[1:])
    inner, outer = 1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness
    mass, center, moments = _wedge(wedge, inner, outer)
    weights = np.ones(stones)
    weights[(stones - 1) // 2 : stones // 2 + 1] = mass_ratio
    pairs = np.stack([np.arange(-1, stones), np.arange(stones + 1)], axis=1)
    pairs[-1, 1] = GROUND
    corners = [(r, y) for r in (inner, outer) for y in (-0.5 * DEPTH, 0.5 * DEPTH)]
    points = [r * radial + (0.0, y, 0.0) for radial in _axes(joints)[:, 0] for r, y in corners]
    H = contact_matrix(
        stones,
        np.repeat(pairs, 4, axis=0),
        np.repeat(_axes(joints)[:, 2], 4, axis=0),
        np.array(points),
        center * _axes(middles)[:, 0],
        rows,
    )
    return ContactProblem.from_bodies(
        weights[:, None, None] * _blocks(mass, moments, _axes(middles)),
        H,
        falling(stones).reshape(-1),
        sliding=sliding,
        rows=rows,
        rolling=rolling,
        spinning=spinning,
        law=law,
    )


def _axes(angles: FloatArray) -> FloatArray:
    """(n, 3, 3): unit vectors away from the axis, along it, and towards larger angles."""
    cos, sin, none = np.cos(angles), np.sin(angles), np.zeros_like(angles)
    rows = [(cos, none, sin), (none, none + 1.0, none), (-sin, none, cos)]
    return np.stack([np.stack(row, axis=1) for row in rows], axis=1)


def _wedge(angle: float, inner: float, outer: float) -> tuple[float, float, FloatArray]:
    """Mass, distance of its center from the axis, and moments of inertia about the three `_axes`.

    The section is one isosceles triangle without a smaller one, both with the tip on the axis.
    With half the base b = r sin(angle / 2) and the height h = r cos(angle / 2) the area is b h,
    the integrals of x, x^2 and z^2 are 2 b h^2 / 3, b h^3 / 2 and b^3 h / 6.
    """
    integrals = []
    for r in (inner, outer):
        b, h = r * np.sin(0.5 * angle), r * np.cos(0.5 * angle)
        integrals.append([b * h, 2.0 * b * h**2 / 3.0, b * h**3 / 2.0, b**3 * h / 6.0])
    area, first, along, across = np.subtract(integrals[1], integrals[0])
    center = first / area
    mass = DENSITY * DEPTH * area
    squares = np.array([along / area - center**2, DEPTH**2 / 12.0, across / area])
    return mass, center, mass * (squares.sum() - squares)


def _blocks(mass: float, moments: FloatArray, axes: FloatArray) -> FloatArray:
    """Mass blocks (n, 6, 6) of stones that are turned."""
    blocks = np.zeros((len(axes), 6, 6))
    blocks[:, :3, :3] = mass * np.eye(3)
    blocks[:, 3:, 3:] = np.einsum("k,nki,nkj->nij", moments, axes, axes)
    return blocks
