"""A heap of spheres on a plane: the problem that granular codes live on.

Spheres with radii from 0.8 to 1.2 of 2 cm are put down one after the other where a cone
would have room, each sliding into the next hollow: two in three of those off the floor
rest on three others or more, most of the rest on two. A few overlap, by some percent of a
radius at most. The heap is hyperstatic: reactions are not unique, W is singular.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rollcone._check import FloatArray, IntArray, one_of, positive_number, whole_number
from rollcone.problem.contact_problem import ContactProblem, Law
from rollcone.problems.geometry import GRAVITY, GROUND, STEP, contact_matrix, sphere_masses

RADIUS, DENSITY = 0.02, 2600.0  # m, kg/m3
_SLOPE = 0.9  # height over radius of the cone that the drops fill
_SLACK = 5e-3  # a gap below this share of the radius is a contact


@dataclass(frozen=True)
class HeapGeometry:
    """centers (n, 3), radii (n,), pairs (contacts, 2) with -1 for the floor; metres."""

    centers: FloatArray
    radii: FloatArray
    pairs: IntArray

    def contact_frames(self) -> tuple[FloatArray, FloatArray]:
        """Unit normals from A to B and contact points, (contacts, 3) each."""
        first, second = self.pairs[:, 0], self.pairs[:, 1]
        floor = first == GROUND
        away = self.centers[second] - np.where(floor[:, None], 0.0, self.centers[first])
        away[floor] = (0.0, 0.0, 1.0)
        normals = away / np.linalg.norm(away, axis=1, keepdims=True)
        return normals, self.centers[second] - self.radii[second, None] * normals

    def height_shares(self) -> FloatArray:
        """From 0 for the lowest center to 1 for the highest, (n,)."""
        above = self.centers[:, 2] - self.centers[:, 2].min()
        return np.asarray(above / (above.max() or 1.0))


def heap(
    spheres: int = 1000,
    seed: int = 0,
    *,
    state: Literal["rest", "shake"] = "rest",
    units: Literal["SI", "scaled"] = "SI",
    mass_ratio: float = 1.0,
    rows: int = 6,
    sliding: float = 0.5,
    rolling: float = 0.1,
    spinning: float = 0.05,
    law: Law = "exact",
) -> ContactProblem:
    """One time step of a heap, in body form.

    state    'rest': gravity acts on a heap at rest; 'shake': every sphere also has a
             random velocity
    units    'SI': spheres of about 2 cm; 'scaled': unit mean radius, mass and gravity
    mass_ratio   density of the highest sphere over that of the lowest one, which is as without
             it; between them it grows with height: heavy spheres on light ones
    rolling, spinning   as shares of the mean radius; those without rows are left out
    """
    one_of("state", state, ("rest", "shake"))
    one_of("units", units, ("SI", "scaled"))
    for name, value in (("sliding", sliding), ("rolling", rolling), ("spinning", spinning)):
        positive_number(name, value, zero=True)
    positive_number("mass_ratio", mass_ratio)
    geometry = heap_geometry(spheres, seed)
    length, mass, time = _unit_sizes(geometry, units)
    normals, points = geometry.contact_frames()
    H = contact_matrix(
        spheres, geometry.pairs, normals, points / length, geometry.centers / length, rows
    )
    density = DENSITY * length**3 / mass * mass_ratio ** geometry.height_shares()
    M = sphere_masses(geometry.radii / length, density)
    velocity = np.zeros((spheres, 6))
    if state == "shake":
        rng = np.random.default_rng([seed, 1])
        velocity += rng.normal(size=(spheres, 6)) * np.sqrt(GRAVITY * RADIUS)
        velocity[:, 3:] /= geometry.radii[:, None]
    velocity[:, 2] -= GRAVITY * STEP
    velocity[:, :3] *= time / length
    velocity[:, 3:] *= time
    radius = float(geometry.radii.mean()) / length
    return ContactProblem.from_bodies(
        M,
        H,
        velocity.reshape(-1),
        sliding=sliding,
        rows=rows,
        rolling=rolling * radius if rows > 3 else 0.0,
        spinning=spinning * radius if rows > 5 else 0.0,
        law=law,
    )


def heap_geometry(spheres: int, seed: int = 0) -> HeapGeometry:
    """Where the spheres lie and who touches whom."""
    from rollcone.problem.kernels.heap import settle, touching

    whole_number("spheres", spheres, least=1)
    whole_number("seed", seed)
    rng = np.random.default_rng(seed)
    radii = RADIUS * rng.uniform(0.8, 1.2, spheres)
    # The cone that holds the spheres at a packing fraction of 0.55, and its drop points:
    # density proportional to the height above them.
    volume = 4.0 / 3.0 * np.pi * np.sum(radii**3) / 0.55
    base = (3.0 * volume / (np.pi * _SLOPE)) ** (1.0 / 3.0) + 2 * RADIUS
    distance = base * rng.beta(2.0, 2.0, spheres)
    angle = rng.uniform(0.0, 2.0 * np.pi, spheres)
    cell = 2.4 * RADIUS
    cells = int(np.ceil(3.0 * base / cell)) + 3
    middle = 0.5 * cells * cell
    drops = middle + np.stack([distance * np.cos(angle), distance * np.sin(angle)], axis=1)
    heads = np.full((cells, cells, int(np.ceil(2.0 * base / cell)) + 3), -1, dtype=np.int64)
    links = np.full(spheres, -1, dtype=np.int64)
    centers = np.zeros((spheres, 3))
    settle(centers, radii, drops, heads, links, cell, np.zeros((cells, cells)))
    pairs = np.zeros((8 * spheres, 2), dtype=np.int64)
    found = touching(centers, radii, heads, links, cell, _SLACK, pairs)
    centers[:, :2] -= middle
    return HeapGeometry(centers, radii, pairs[:found])


def _unit_sizes(geometry: HeapGeometry, units: str) -> tuple[float, float, float]:
    """Metres, kilograms and seconds per unit."""
    if units == "SI":
        return 1.0, 1.0, 1.0
    length = float(geometry.radii.mean())
    mass = float(DENSITY * 4.0 / 3.0 * np.pi * np.mean(geometry.radii**3))
    return length, mass, float(np.sqrt(length / GRAVITY))
