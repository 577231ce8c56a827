"""A tower of boxes, each on the four corners of the one below.

Four contacts per joint where three would do: hyperstatic, W singular. With a mass
ratio the boxes grow heavier towards the top, the worst case for Gauss-Seidel.
"""

from __future__ import annotations

import numpy as np

from rollcone._check import one_number, positive_number, whole_number
from rollcone.problem.contact_problem import ContactProblem, Law
from rollcone.problems.geometry import GROUND, box_moments, contact_matrix, falling, mass_blocks


def stack(
    boxes: int = 10,
    *,
    mass_ratio: float = 1.0,
    push: float = 0.0,
    rows: int = 3,
    sliding: float = 0.5,
    rolling: float = 0.0,
    spinning: float = 0.0,
    law: Law = "exact",
) -> ContactProblem:
    """One time step (5 ms) of a tower of unit cubes under gravity.

    mass_ratio: of the top box to the bottom one, which has 1 kg. push: a horizontal
    velocity (m/s) that the top box gets; 0 leaves the tower at rest.
    """
    whole_number("boxes", boxes, least=1)
    positive_number("mass_ratio", mass_ratio)
    level = np.arange(boxes)
    mass = mass_ratio ** (level / max(boxes - 1, 1))
    centers = np.stack([0.0 * level, 0.0 * level, level + 0.5], axis=1)
    corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    pairs = np.repeat(np.stack([level - 1, level], axis=1), 4, axis=0)
    pairs[pairs < 0] = GROUND
    points = np.column_stack([np.tile(corners, (boxes, 1)), np.repeat(level, 4)]).astype(float)
    normals = np.tile([0.0, 0.0, 1.0], (4 * boxes, 1))
    velocity = falling(boxes)
    velocity[-1, 0] += one_number("push", push)
    return ContactProblem.from_bodies(
        mass_blocks(mass, box_moments(mass, (1.0, 1.0, 1.0))),
        contact_matrix(boxes, pairs, normals, points, centers, rows),
        velocity.reshape(-1),
        sliding=sliding,
        rows=rows,
        rolling=rolling,
        spinning=spinning,
        law=law,
    )
