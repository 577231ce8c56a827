"""A chain on a table, pulled over the edge by a weight.

Flat links lie in a row, each on its four corners, joined by spherical joints (three bilateral rows
each). From the last one a rope runs over a smooth pulley to a weight that hangs: one bilateral
row. With M the mass on the table and k M that of the weight, nothing moves for k <= mu; else

    a = g (k - mu) / (k + 1),        tension of the rope  k M (g - a).

With a mass ratio the link farthest from the weight is an anchor: then light links pass on what
a heavy body pulls another with.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from rollcone._check import FloatArray, positive_number, whole_number
from rollcone.problem.contact_problem import ContactProblem, Law
from rollcone.problems.geometry import GROUND, box_moments, contact_matrix, falling, mass_blocks

LINK = (1.0, 0.25, 0.25)  # m, along x, y, z


def chain(
    links: int = 10,
    *,
    mass_ratio: float = 1.0,
    weight: float = 0.25,
    rows: int = 3,
    sliding: float = 0.5,
    rolling: float = 0.0,
    spinning: float = 0.0,
    law: Law = "exact",
) -> ContactProblem:
    """One time step (5 ms) of a chain under gravity, at rest before; in body form.

    mass_ratio   of the first link, the anchor, to any other, which has 1 kg
    weight       its mass over that of all links; the chain slides if it is above `sliding`

    Contacts 4 j to 4 j + 3 are those of link j; the weight is the last body. Extra rows: three of
    each joint, then the rope, whose reaction is its tension.
    """
    whole_number("links", links, least=1)
    mass = np.ones(links + 1)
    mass[0] = positive_number("mass_ratio", mass_ratio)
    mass[-1] = positive_number("weight", weight) * mass[:-1].sum()
    size = np.array(LINK)
    centers = np.zeros((links + 1, 3))
    centers[:-1, 0] = size[0] * np.arange(links)
    centers[:-1, 2] = 0.5 * size[2]
    centers[-1] = size * (links, 0.0, -10.0)
    H = sp.vstack([_table(centers, rows), _joints(centers), _rope(centers)], format="csr")
    return ContactProblem.from_bodies(
        mass_blocks(mass, box_moments(mass, LINK)),
        H,
        falling(links + 1).reshape(-1),
        sliding=sliding,
        rows=rows,
        rolling=rolling,
        spinning=spinning,
        law=law,
        bounds=np.tile([-np.inf, np.inf], (3 * (links - 1) + 1, 1)),
    )


def _table(centers: FloatArray, rows: int) -> sp.csr_matrix:
    """Contacts of the table with the lower corners of the links."""
    links = len(centers) - 1
    corners = 0.5 * np.array([(-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1)]) * LINK
    points = (centers[:-1, None] + corners).reshape(-1, 3)
    pairs = np.stack([np.full(4 * links, GROUND), np.repeat(np.arange(links), 4)], axis=1)
    up = np.tile([0.0, 0.0, 1.0], (4 * links, 1))
    return contact_matrix(links + 1, pairs, up, points, centers, rows)


def _ends(centers: FloatArray) -> FloatArray:
    """The middles of the links' faces towards the weight."""
    return np.asarray(centers[:-1] + np.array([0.5 * LINK[0], 0.0, 0.0]))


def _joints(centers: FloatArray) -> sp.csr_matrix:
    """The velocity of each link at the end of the one before, relative to it."""
    first = np.arange(len(centers) - 2)
    pairs = np.stack([first, first + 1], axis=1)
    along = np.tile([1.0, 0.0, 0.0], (len(pairs), 1))
    return contact_matrix(len(centers), pairs, along, _ends(centers)[:-1], centers, 3)


def _rope(centers: FloatArray) -> sp.csr_matrix:
    """How fast the last link's end moves on along x, and the weight up."""
    bodies = len(centers)
    pairs = np.array([(GROUND, bodies - 2), (GROUND, bodies - 1)])
    ways = np.array([(1.0, 0.0, 0.0), (0.0, 0.0, 1.0)])
    points = np.stack([_ends(centers)[-1], centers[-1]])
    both = contact_matrix(bodies, pairs, ways, points, centers, 3)
    return both[0] + both[3]
