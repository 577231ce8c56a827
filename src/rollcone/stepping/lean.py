"""Contact geometry in the middle of the step.

A normal force along the normal n_s of the start of a step does work when bodies roll over each
other or tip over an edge, since n turns. So contacts are looked at again where the bodies get
in half a step at their present velocities. Lasting ones take their normal n_m and arms from
there; the law is asked of the velocity at the end,

    n_e.v+ = n_m.v+ + bend,   bend = (n_m - n_s).v  up to h^2,

and likewise of the other rows. Normal forces then do no work over a step, nor does friction
that sticks, and the motion is of second order. For a ball on a plane at rest bend is zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rollcone._check import FloatArray
from rollcone.collision.detect import Detector
from rollcone.collision.matching import carry
from rollcone.stepping import _contact_kernels
from rollcone.stepping.room import Room

if TYPE_CHECKING:
    from rollcone.stepping.step import Step

# Contacts are found again if they are no farther apart than this share of both bodies' sizes.
_NEAR = 0.01


class Lean:
    """Its own detector and arrays; `look` before the rows are made, `bend` after.

    start (c,)   u_n at the start of the step, with the geometry found there
    bend (c, d)  what the turning of the contact does to y in half a step
    """

    def __init__(self) -> None:
        self._detector = Detector()
        self._room = Room()
        self.start: FloatArray
        self.bend: FloatArray

    def look(self, step: Step) -> None:
        """Which contacts last (step.touch_state); their normals and arms in the middle."""
        state, c, room = step.world.state, len(step.contacts), self._room
        self._found_arms = room("found_arms", (c, 6))
        self._found_arms[:] = step.arms
        self.start = room("start", (c,))
        if not c:
            return
        normal, arms = room("normal", (c, 3)), room("arms", (c, 6))
        self._look_ahead(step, normal, arms)
        _contact_kernels.lean_ahead(
            step.h, step.contacts.bodies, step.contacts.gap, step.small, step.loads, normal, arms,
            state.velocity, state.angular_velocity, step.normal, step.arms, self.start,
            step.touch_state,
        )  # fmt: skip

    def bends(self, step: Step) -> None:
        """For the geometry that was taken; zero where it is that of the start."""
        state = step.world.state
        self.bend = self._room("bend", step.b.shape)
        _contact_kernels.contact_bends(
            step.rows, step.contacts.bodies, step.frames, step.arms, step.contacts.normal,
            self._found_arms, state.velocity, state.angular_velocity, self.bend,
        )  # fmt: skip

    def _look_ahead(self, step: Step, normal: FloatArray, arms: FloatArray) -> None:
        """Normals (c, 3) and arms (c, 6) half a step ahead; zero where a contact is not found."""
        state, n, room = step.world.state, len(step.world.state), self._room
        zero = room("zero", (n, 3))
        step.half_a_step_ahead()
        size = state.size.min(axis=1)
        margin = room("margin", (n,))
        margin[:] = np.where(np.isfinite(size), _NEAR * size, 0.0)
        found = self._detector.detect(state, zero, zero, 0.0, margin)
        there = room("arms_there", (len(found), 6))
        _contact_kernels.contact_arms(
            found.bodies, state.shape, state.size, found.point, found.gap, found.normal,
            state.position, there,
        )  # fmt: skip
        state.position[:], state.orientation[:] = step.start_position, step.start_orientation
        carry((found.key, found.normal, there), step.contacts.key, normal, arms)
