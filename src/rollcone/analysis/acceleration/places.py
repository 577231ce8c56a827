"""Where contacts, bodies and joints are, and what they are called: for reports and pictures."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from rollcone._check import FloatArray, IntArray


@dataclass(frozen=True)
class HeldRow:
    """What a given row belongs to.

    name    "joint 'elbow'", "motor of the angle of joint 'elbow'", "drive of 'elbow'"
    joint   the number of the joint, of rows by which it holds its body; else -1
    unit    of the force of other rows: "N" or "N m"
    limit   the force that it has at most
    given   the acceleration that was asked for, if one was
    """

    name: str
    joint: int = -1
    unit: str = ""
    limit: float = math.inf
    given: float | None = None


@dataclass(frozen=True, eq=False)
class JointPlace:
    """number, name   of the joint
    body, against  numbers: its body, or its base if forces move only that; and the other, -1 for
                   the world
    point, arm     (3,), m: of the joint, on the body; and from the body's centre
    """

    number: int
    name: str
    body: int
    against: int
    point: FloatArray
    arm: FloatArray


@dataclass(frozen=True, eq=False)
class Places:
    """bodies       (c, 2): the numbers of A and B in the world
    names        of all bodies, by number
    point        (c, 3), m
    frames       (c, 3, 3): normal from A to B, and tangents
    movers       numbers of the bodies that accelerations are of, six for each in this order
    held         of each given row, what it belongs to
    joints       those that hold bodies
    opening      (k, 2): pairs of bodies that touch and part, and are not contacts here
    sharp        contacts that were taken as points of B on a face of A (world_contacts.py)
    overlap      pairs of bodies, "'ball' on 'floor'", and how deep (m) they are in each other
    nearly       pairs of bodies that nearly touch, and their gap (m)
    """

    bodies: IntArray
    names: tuple[str, ...]
    point: FloatArray
    frames: FloatArray
    movers: IntArray
    held: tuple[HeldRow, ...] = ()
    joints: tuple[JointPlace, ...] = ()
    opening: IntArray = field(default_factory=lambda: np.zeros((0, 2), dtype=np.int64))
    sharp: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    overlap: tuple[tuple[str, float], ...] = ()
    nearly: tuple[tuple[str, float], ...] = ()

    def name_of(self, body: int) -> str:
        return "world" if body < 0 else self.names[body]

    def pair(self, contact: int) -> str:
        """'ladder' on 'floor'."""
        a, b = (self.name_of(k) for k in self.bodies[contact])
        return f"{b!r} on {a!r}"
