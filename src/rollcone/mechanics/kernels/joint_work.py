"""The arrays of joints and their rows, in groups that kernels take as one argument."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rollcone._build.signatures import Float1, Float2, Float3, Int1, Int2


class JointArrays(NamedTuple):
    """One row per joint; the world is the body -1."""

    base: Int1
    body: Int1
    base_point: Float2  # (j, 3), in the axes of each body
    body_point: Float2
    base_frame: Float2  # (j, 4), quaternions
    body_frame: Float2
    turns: Float2  # (j, 2): angle and angle2, counted on over full turns
    counted: Int2  # (j, 2): 1 where there is such an angle


class RowArrays(NamedTuple):
    """One row per scalar constraint or element; `joint` is -1 for what is not there."""

    joint: Int2  # (m, 2)
    code: Int2  # (m, 2), what is measured
    factor: Float2  # (m, 2)
    zero: Float1  # (m,), of the value
    role: Int1
    first: Float1  # limit, bound, limit of the force, stiffness
    second: Float1  # load coefficient, restitution, response of a motor, damping
    third: Float1  # limit of a spring's force
    passive: Int1  # 1 for springs that keep energy


class RowWork(NamedTuple):
    """Of each row in a step (kernels/joint_row.py)."""

    value: Float1  # (m,) at the start
    rate: Float1  # at the start of the step
    before: Float1  # when impulses come, before them
    bend: Float1
    b: Float1
    low: Float1
    high: Float1
    soft: Float1
    speeds: Float1  # what loads do to the rate; then, what errors are compared with
    none: Float1  # zeros
    shift: Float1  # scratch
    found: Float1  # scratch
    theta: Float1  # the least weight of the new velocity, of limits that are met
    held: Float1  # 1 for rows that positions and velocities obey after the step
    place: Float1  # where those are to be
    pace: Float1  # at which rate
    weight: Float1  # what redundant rows share by
    terms: Float1  # what the rate is the sum of, by size
    bodies: Int2  # (m, 4), those that are dynamic; n for the others
    G: Float3  # (m, 4, 6)
    arm: Float2  # (j, 3), of the joints


def row_work(m: int, j: int, n: int) -> RowWork:
    """Return the arrays of m rows of j joints between n bodies."""
    numbers = {name: np.zeros(m) for name in RowWork._fields if name not in ("bodies", "G", "arm")}
    bodies = np.full((m, 4), n, dtype=np.int64)
    return RowWork(**numbers, bodies=bodies, G=np.zeros((m, 4, 6)), arm=np.zeros((j, 3)))
