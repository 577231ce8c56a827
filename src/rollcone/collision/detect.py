"""Contacts of all bodies: broad phase, groups of pairs, narrow phase, on arrays made once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rollcone._check import FloatArray, positive_number
from rollcone.collision._narrow_kernels import BODY_LIMIT, find_contacts
from rollcone.collision._order_kernels import group_pairs
from rollcone.collision.contacts import Contacts
from rollcone.collision.grid import BodyArrays, Grid, roomy
from rollcone.errors import InputError

TOUCH = 1e-6


class Detector:
    """Finds contacts; keeps its arrays from step to step and lets them grow where needed.

    touch   a gap up to this share of the smaller body (radius, half edge) counts as touching
    name    what to call a body in messages, from its number
    """

    def __init__(self, touch: float = TOUCH, name: Callable[[int], str] = str) -> None:
        self._name = name
        self._touch = positive_number("touch", touch, zero=True)
        self._refused = np.zeros(2, dtype=np.int64)
        self._partners = np.zeros(0, dtype=np.int64)
        self._fit_bodies(0)
        self._fit_contacts(0)

    def detect(
        self,
        bodies: BodyArrays,
        velocity: FloatArray,
        angular_velocity: FloatArray,
        horizon: float,
        margin: FloatArray,
    ) -> Contacts:
        """Pairs that touch, or meet within `horizon` seconds at these velocities (n, 3).

        margin   (n,), metres: a gap up to the sum of the two also counts as touching
        """
        if len(bodies.kind) != len(self._ends):
            self._fit_bodies(len(bodies.kind))
        self._grid.sweep(bodies, velocity, angular_velocity, horizon, margin, self._touch)
        pairs = self._grid.pairs(bodies)
        if len(pairs) > len(self._partners):
            self._partners = np.zeros(roomy(len(pairs)), dtype=np.int64)
        group_pairs(pairs, self._ends, self._partners)
        while True:
            found, missing = find_contacts(
                self._ends, self._partners, bodies.shape, bodies.size, bodies.position,
                bodies.orientation, velocity, angular_velocity, horizon, margin, self._touch,
                self._bodies, self._key, self._gap, self._normal, self._point, self._refused,
            )  # fmt: skip
            if missing:
                self._refuse(missing)
            if found <= len(self._key):
                break
            self._fit_contacts(found)
        return Contacts(
            self._bodies[:found],
            self._key[:found],
            self._gap[:found],
            self._normal[:found],
            self._point[:found],
        )

    def _refuse(self, missing: int) -> None:
        first, second = (int(body) for body in self._refused)
        more = f" (and {missing - 1} more such pairs)" if missing > 1 else ""
        raise InputError(
            f"the boxes {self._name(first)} and {self._name(second)} come close{more}: "
            "box-box contact is not available in this version; use spheres, or keep boxes apart"
        )

    def _fit_bodies(self, bodies: int) -> None:
        if bodies > BODY_LIMIT:
            raise InputError(f"bodies = {bodies}: must be at most {BODY_LIMIT}")
        self._grid = Grid(bodies)
        self._ends = np.zeros(bodies, dtype=np.int64)

    def _fit_contacts(self, contacts: int) -> None:
        room = roomy(contacts)
        self._bodies = np.zeros((room, 2), dtype=np.int64)
        self._key = np.zeros(room, dtype=np.int64)
        self._gap = np.zeros(room)
        self._normal, self._point = np.zeros((room, 3)), np.zeros((room, 3))
