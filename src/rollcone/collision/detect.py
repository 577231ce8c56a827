"""Contacts of all bodies: broad phase, groups of pairs, narrow phase, on arrays made once."""

from __future__ import annotations

import numpy as np

from rollcone._check import FloatArray, positive_number
from rollcone.collision.contacts import Contacts
from rollcone.collision.grid import BodyArrays, Grid, make_found, outlines, roomy, solids
from rollcone.collision.kernels.detect import Found, find_all
from rollcone.collision.kernels.manifold import contact_points
from rollcone.collision.kernels.narrow import BODY_LIMIT
from rollcone.errors import InputError

TOUCH = 1e-6


def contacts_of(found: Found, count: int, position: FloatArray, period: FloatArray) -> Contacts:
    """The first `count` contacts, of bodies at these positions."""
    bodies = found.bodies[:count].astype(np.int64)
    arms, point = found.arms[:count], np.empty((count, 3))
    contact_points(bodies, position, arms, period, point)
    return Contacts(
        bodies,
        found.key[:count],
        found.gap[:count],
        found.normal[:count],
        arms,
        point,
    )


class Detector:
    """Finds contacts; keeps its arrays from step to step and lets them grow where needed.

    touch   a gap up to this share of the smaller body (radius, half edge) counts as touching
    """

    def __init__(self, touch: float = TOUCH) -> None:
        self._touch = positive_number("touch", touch, zero=True)
        self._grid = Grid(0)
        self._found = make_found(roomy(0))

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
        self._fit_bodies(len(bodies.kind))
        read, shown = solids(bodies), outlines(bodies)
        while True:
            count = find_all(
                read, shown, velocity, angular_velocity, horizon, -1.0, margin, self._touch,
                self._grid.work, self._found,
            )  # fmt: skip
            if count >= 0:
                break
            contacts = self._grid.grow()
            if contacts:
                self._found = make_found(roomy(contacts))
        return contacts_of(self._found, count, bodies.position, bodies.period)

    def _fit_bodies(self, bodies: int) -> None:
        if bodies > BODY_LIMIT:
            raise InputError(f"bodies = {bodies}: must be at most {BODY_LIMIT}")
        if bodies != len(self._grid.work.big):
            self._grid.fit(bodies)
