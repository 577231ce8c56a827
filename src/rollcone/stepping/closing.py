"""Joints closed by the least impulses: positions and velocities of joined bodies are changed as
little as can be, in the metric of the masses, until they obey the joints.

After a step positions are moved to where joints are closed, then velocities; so joints do not
drift. Velocities that do not obey the joints when a step begins get the impulses of an impact.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray, IntArray
from rollcone.mechanics.bodies import Bodies
from rollcone.mechanics.kernels import joint_row as row_kernels
from rollcone.mechanics.kernels.joint_work import JointArrays, RowArrays, RowWork
from rollcone.mechanics.kernels.motion import inverse_masses
from rollcone.stepping.kernels import joint as kernels
from rollcone.stepping.kernels.joint import SHIFT
from rollcone.stepping.sparse_rows import least_impulses

DENSE = 150  # rows, up to which a dense matrix is quicker than a sparse one
_CLOSED = 1e-14  # m or rad, by which a joint may stay open
_LOOKS_AT_MIDDLE = 6  # at positions in the middle of the step
_FITS = 1e-12  # of what the rate of a joint is the sum of: rates that are none
_TURN = 0.2  # rad, between two looks
_DAMPED = 1e3  # times the shift, after a step that opened joints
_NO_RATES = np.zeros((0, 3))


class Closing:
    """Arrays for the least impulses of the rows of joints.

    inverse     (n, 7), inverse masses of the bodies where they were weighed last
    push        (2, n, 3), forces and torques of the impulses found last on bodies
    free, x     (m,), numbers of rows, and their errors or impulses
    blocks, mobility, factor
                (m, 4, 6) and (m, m): scratch, where rows are so few that a dense matrix is used
    """

    def __init__(
        self, state: Bodies, joints: JointArrays, rows: RowArrays, work: RowWork, group: IntArray
    ) -> None:
        self._state, self._joints, self._rows, self._work = state, joints, rows, work
        m, n = len(rows.role), len(state)
        size = m if m <= DENSE else 0
        self.group = group
        self.inverse, self.push = np.zeros((n, 7)), np.zeros((2, n, 3))
        self.free, self.x = np.zeros(m, dtype=np.int64), np.zeros(m)
        self.blocks, (self.mobility, self.factor) = np.zeros((m, 4, 6)), np.zeros((2, size, size))
        self._given = joints, rows, work, self.free, self.x

    def weigh(self) -> None:
        """Find the inverse masses at the present orientations."""
        s = self._state
        inverse_masses(s.kind, s.mass, s.inertia, s.principal, s.orientation, self.inverse)

    def least_impulses(self, count: int, shift: float, inverse: FloatArray) -> None:
        """Find the impulses that undo the `count` errors in x, and spread them on bodies with these
        inverse masses (n, 7)."""
        work, free, x = self._work, self.free, self.x
        if len(x) <= DENSE:
            kernels.least_impulses(
                count, shift, self.group, free, x, inverse, work, self.blocks, self.mobility,
                self.factor,
            )  # fmt: skip
        else:
            rows = free[:count]
            x[:count] = least_impulses(
                work.G[rows], work.bodies[rows], inverse, x[:count], shift, self.group[rows]
            )
        kernels.spread(count, free, x, work, *self.push)

    def close_positions(self, looks: int) -> float:
        """Move bodies to where joints are closed, in so many looks at most; return by how much they
        are still open (m or rad). Steps that open them further, as where a loop cannot close, are
        taken back and damped (Levenberg)."""
        state, error = self._state, 0.0
        X, Q, w, shift = state.position, state.orientation, state.angular_velocity, SHIFT
        best, at, held = math.inf, (X.copy(), Q.copy(), w.copy()), 0
        for look in range(looks):
            count, error = kernels.held_errors(X, Q, *self._given)
            if error <= _CLOSED:
                break
            if count > held:  # a limit was passed on the way: errors so far are of fewer rows
                best, held = math.inf, count
            if error > best:
                X[:], Q[:], w[:] = at
                shift = min(_DAMPED * shift, 1.0)
                count, error = kernels.held_errors(X, Q, *self._given)
            if look == looks - 1:
                break
            best, at = error, (X.copy(), Q.copy(), w.copy())
            self.least_impulses(count, shift, self.inverse)
            kernels.move_bodies(_TURN, state.kind, self.inverse, *self.push, X, Q, w)
        return error

    def close_middle(
        self, redundant: NDArray[np.bool_], inverse: FloatArray, X: FloatArray, Q: FloatArray
    ) -> None:
        """Move the places X, Q of bodies in the middle of a step to where the redundant rows (m,)
        are closed: else rows that hold the same are nearly, but not quite, the same, and forces
        without bound act on what they differ by.

        Bodies count as equally heavy: in the metric of the masses a light chain that is nearly
        straight would turn its links far, rather than move what is heavy at its end a little."""
        if not redundant.any():
            return
        best = math.inf
        inverse = inverse / np.where(inverse[:, :1] > 0.0, inverse[:, :1], 1.0)
        for _ in range(_LOOKS_AT_MIDDLE):
            held, _ = kernels.hold_errors(X, Q, *self._given)
            chosen = redundant[self.free[:held]]
            count = int(chosen.sum())
            self.free[:count] = self.free[:held][chosen]
            self.x[:count] = self.x[:held][chosen]
            error = float(np.abs(self.x[:count]).max(initial=0.0))
            if error <= _CLOSED or error >= best:
                break
            best = error
            self.least_impulses(count, SHIFT, inverse)
            kernels.move_bodies(_TURN, self._state.kind, inverse, *self.push, X, Q, _NO_RATES)

    def close_velocities(self, sums: FloatArray) -> FloatArray:
        """Give velocities the impulses with which they obey the joints after a step, with the
        blocks of the last look; add their work to `sums` and return them (m,)."""
        state = self._state
        count = kernels.held_rates(state.velocity, state.angular_velocity, *self._given)
        return self._push_velocities(count, sums)

    def fit_velocities(self, sums: FloatArray) -> FloatArray | None:
        """Give velocities that do not obey the joints when a step begins the impulses with which
        they do; add their work to `sums` and return them (m,), or None if there is nothing to do.

        In the middle of the step such impulses, by other axes, could make energy, and joints that
        hold the same would ask for different things."""
        state = self._state
        row_kernels.find_bodies(state.kind, self._joints, self._rows, self._work)
        kernels.hold_errors(state.position, state.orientation, *self._given)
        given = (state.velocity, state.angular_velocity, *self._given)
        count, error = kernels.hold_rates(*given)
        if error <= _FITS:
            return None
        self.weigh()
        return self._push_velocities(count, sums)

    def _push_velocities(self, count: int, sums: FloatArray) -> FloatArray:
        """Change velocities by the least impulses that undo `count` errors of rates."""
        given = self._joints, self._rows, self._work
        v, w = self._state.velocity, self._state.angular_velocity
        self.least_impulses(count, SHIFT, self.inverse)
        kernels.closing_work(*given, v, w, sums)
        kernels.push_bodies(self._state.kind, self.inverse, *self.push, v, w)
        kernels.closing_work(*given, v, w, sums)
        return self._work.shift.copy()
