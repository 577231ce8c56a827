"""The joints of a world in a step: their rows, the solve where nothing touches, and what follows.

With contacts the rows are extra rows of the step's problem, for any solver that takes them.
Without, and with the default solver, a dense active set method solves them (kernels/dense_row.py).

GapAhead takes the rows in the middle of the step and asks for rates at its end, as of contacts
(gap_ahead.py): u+ = G_m v+ + (G_m - G_s) v = 0, with which what holds does no work. The middle is
that of the motion at the present velocities; where nothing touches the rows are taken once more, in
the middle of the motion that came of it. Straight motion at mean velocities opens a
joint that turns by O(h^3): after the step positions are moved to where joints are closed, by the
least in the metric of the masses, then velocities. So joints do not drift, whatever h is. DVI
closes errors by its rows instead, value / h (Tasora and Anitescu 2013, (18)).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray, IntArray
from rollcone.errors import InputError
from rollcone.mechanics.bodies import DYNAMIC
from rollcone.mechanics.elements import Element, Motor, Spring
from rollcone.mechanics.kernels import joint_row as row_kernels
from rollcone.mechanics.kernels.joint_work import JointArrays, RowArrays, RowWork
from rollcone.mechanics.signals import signal_at, signal_from
from rollcone.mechanics.world import World
from rollcone.solvers.driver import Outcome
from rollcone.solvers.kernels import dense_row as dense
from rollcone.solvers.solution import Status
from rollcone.stepping.kernels import contact as _contact_kernels
from rollcone.stepping.kernels import joint as kernels
from rollcone.stepping.kernels import row_error as row_errors
from rollcone.stepping.kernels import taut
from rollcone.stepping.kernels.work import DVI, GAP_AHEAD, MIDPOINT, Motion
from rollcone.stepping.problem import JointRows
from rollcone.stepping.sparse_rows import least_impulses
from rollcone.stepping.workspace import joint_motion

DENSE = 150  # rows, up to which a dense matrix is quicker than a sparse one
# Of friction that grows with the load.
LOAD_ROUNDS, _LOAD_TOLERANCE, _LOAD_ROUNDING = 50, 1e-8, 1e-4
_STEPS = 60  # of the active set method
_LOOKS, _CLOSED = 40, 1e-14  # at positions, and how far open (m or rad) a joint may stay
_TURN = 0.2  # rad, between two looks
_DAMPED = 1e3  # times the shift, after a step that opened joints
_MET = 1e-6  # of the speeds of a row: errors of limits that are met


class Reactions(NamedTuple):
    """What joints did in a step; they may have come or gone since."""

    elements: list[tuple[int, str, Element | None]]  # of the rows, as `Joints.row_elements`
    p: FloatArray  # impulses of the rows
    wrench: FloatArray  # (j, 6), of the joints


class Mechanism:
    """Arrays of the rows, made anew when joints or bodies come or go."""

    joints: JointArrays
    rows: RowArrays
    work: RowWork
    has_loads: bool  # is there friction that grows with the load?

    def __init__(self, world: World) -> None:
        self._world = world
        self._for: tuple[RowArrays | None, int] = (None, -1)
        self.p: FloatArray = np.zeros(0)  # impulses of the rows
        self.sums = np.zeros(2)  # J, work as _joint_kernels counts it
        self.error = 0.0  # of joints, before or after the last step, m or rad
        self._opened = 0.0  # the same, before it
        self._lost = False  # did they contradict each other?
        self.last = Reactions([], self.p, np.zeros((0, 6)))  # of the last step

    def __len__(self) -> int:
        return len(self._world.joints.rows().role)

    def fit(self) -> bool:
        """For the joints that there are; False if nothing has changed."""
        rows, n = self._world.joints.rows(), len(self._world.state)
        self.joints = self._world.joints.arrays()
        if self._for[0] is rows and self._for[1] == n:
            return False
        m, j = len(rows.role), len(self.joints.base)
        self._for, self.rows = (rows, n), rows
        self.has_loads = bool(np.any((rows.role == row_kernels.FRICTION) & (rows.second > 0.0)))
        self.error = 0.0
        self.p = self.p if len(self.p) == m else np.zeros(m)  # else those of other rows
        self.work = RowWork(  # type: ignore[call-arg]
            *np.zeros((17, m)), np.full((m, 4), n, dtype=np.int64), np.zeros((m, 4, 6)),
            np.zeros((j, 3)),
        )  # fmt: skip
        size = m if m <= DENSE else 0
        self._N, (self._W, self._L) = np.zeros((m, 4, 6)), np.zeros((2, size, size))
        self._y, self._x, self._place = np.zeros((3, m))
        self._free = np.zeros(m, dtype=np.int64)
        self._group = self._groups()
        self._axes = np.zeros((j, 3, 3))
        self._target, self._begun = np.zeros((2, m, 2))
        self._middle = np.zeros((n, 3)), np.zeros((n, 4))
        self._ahead = np.zeros((2, n, 3))  # velocities at the end, as expected
        self._push, self._change = np.zeros((2, n, 3)), np.zeros((n, 2))
        self._plain = np.zeros((n, 7)), np.zeros((n, 3))  # inverse masses and free rates
        self._S = np.zeros((n, 6))
        self._pull = np.zeros((j, 3))  # impulses on the bodies of joints, in world axes
        self.motion = joint_motion(n if m else 0)
        self.motion["joined"] = self._pairs()
        return True

    def _pairs(self) -> NDArray[np.int32]:
        """Pairs of dynamic bodies that rows join."""
        kind, joints, pairs = self._world.state.kind, self.joints, self.rows.joint
        used = sorted(set(pairs[pairs >= 0].tolist()))
        ends = [(joints.base[k], joints.body[k]) for k in used]
        ends += [(joints.body[a], joints.body[b]) for a, b in pairs if a >= 0 and b >= 0]
        moving = [(a, b) for a, b in ends if a >= 0 and kind[a] == kind[b] == DYNAMIC]
        return np.array(moving, dtype=np.int32).reshape(-1, 2)

    def _groups(self) -> IntArray:
        """Of each row a number that rows share which hold, or turn, the same two bodies."""
        joints, rows = self.joints, self.rows
        keys = [
            (j, other, -1) if other >= 0 else (joints.base[j], joints.body[j], kind)
            for (j, other), kind in zip(rows.joint, row_kernels.turning(rows.code), strict=True)
        ]
        numbers = {key: k for k, key in enumerate(dict.fromkeys(keys))}
        return np.array([numbers[key] for key in keys], dtype=np.int64)

    def begin(self) -> None:
        """Remember what the step begins with."""
        self._start = [values.copy() for values in self._reactions().values()]

    def back_to_start(self) -> None:
        """Of a step that was begun and not finished."""
        for values, before in zip(self._reactions().values(), self._start, strict=True):
            values[:] = before

    def _reactions(self) -> dict[str, FloatArray]:
        """Those of the last solve, which the next begins with."""
        names = ("joint_force", "joint_torque")
        return {"joint_p": self.p, "joint_pull": self._pull} | {n: self.motion[n] for n in names}

    def _aim(self, time: float, h: float) -> None:
        """What motors and springs are to do at `time`, and its rate; and what motors prescribed
        when the step began."""
        for i, (number, coordinate, element) in enumerate(self._world.joints.row_elements()):
            signal = element.signal if isinstance(element, Motor | Spring) else None
            if signal is None:
                continue
            try:
                self._target[i] = signal_at(signal, time, h)
                if self.rows.role[i] == row_kernels.TRACK:
                    self._begun[i] = signal_from(signal, time - h, h)
            except Exception as error:
                name = self._world.joints.spec(number).name
                raise InputError(
                    f"the {coordinate} of joint {name!r}: its drive fails near t = {time:g} s: "
                    f"{type(error).__name__}: {error}"
                ) from error

    def prepare(
        self, h: float, scheme: int, time: float, tolerance: float, m: Motion, first: bool
    ) -> None:
        """What the rows of a step ask that ends at `time`; `first`: of its passes."""
        self._aim(time, h)
        state = self._world.state
        self._ahead[:] = state.velocity, state.angular_velocity
        if first:
            self._plain[0][:], self._plain[1][:] = m.inverse, m.w_free
        self._ask(h, scheme, tolerance, m)
        if first:
            given = (self._begun, self._target, self.rows, self.work)
            self._opened = float(kernels.begin_errors(h, *given))
        if len(self.p) <= DENSE and not self.p.any():
            # Nothing is known of a step before: errors must be compared with some reactions.
            self.solve_alone(tolerance, m)
            self._ask(h, scheme, tolerance, m)

    def _ask(self, h: float, scheme: int, tolerance: float, m: Motion) -> None:
        state, bend = self._world.state, scheme == GAP_AHEAD
        v, w, X, Q = state.velocity, state.angular_velocity, m.start_position, m.start_orientation
        if scheme in (GAP_AHEAD, MIDPOINT):
            X, Q = self._middle
            ahead = self._ahead if bend else (v, w)
            row_kernels.move_to_middle(
                0.25 * h, state.kind, m.start_position, m.start_orientation, v, w, *ahead, X, Q
            )
        if bend:
            self._stiffen(h, X, Q, m)
        row_kernels.prepare_rows(
            bend, state.kind, m.start_position, m.start_orientation, X, Q, v, w, m.v_free,
            m.w_free, self.joints, self.rows, self.work,
        )  # fmt: skip
        row_kernels.ask_rows(h, scheme == DVI, m.inverse, self._target, self.rows, self.work)
        given = (v, w, m.v_free, m.w_free, m.inverse, self.p, self.work, self._change)
        row_errors.body_changes(*given)
        row_errors.error_speeds(
            m.v_free, m.w_free, tolerance, m.inverse, self.p, self._change, self.work
        )
        row_kernels.place_frames(self.joints, X, Q, self.work.arm, self._axes)
        if self.has_loads:
            kernels.load_limits(h, self.rows, self.work, self.p)

    def _stiffen(self, h: float, X: FloatArray, Q: FloatArray, m: Motion) -> None:
        """Light links under tension, by the present reactions (kernels/taut.py)."""
        m.inverse[:], m.w_free[:] = self._plain
        taut.tension_stiffness(h, self.joints, X, Q, self._pull, self._S)
        taut.stiffen(self._S, self._ahead[1], m.inverse, m.w_free)

    def update_loads(self, h: float, least: float) -> tuple[bool, float]:
        """Bounds of such friction from the present reactions: have they settled, and by which share
        of the largest have they changed? `least` is the least such share of rounds before: where
        joints are redundant, rounding is in what each of them bears."""
        change = float(kernels.load_limits(h, self.rows, self.work, self.p))
        return change <= _LOAD_TOLERANCE or 0.5 * least < change <= _LOAD_ROUNDING, change

    def solve_alone(self, tolerance: float, m: Motion) -> Outcome:
        """Without contacts, by a dense matrix."""
        work = self.work
        dense.fill_mobility(work.G, work.bodies, m.inverse, work.soft, self._N, self._W)
        kernels.even_weights(self._group, self._W, work.soft, work.weight)
        q = work.shift
        dense.free_rates(work.G, work.bodies, m.v_free, m.w_free, work.b, q)
        steps, residual = dense.solve_rows(
            self._W, q, work.low, work.high, work.weight, work.speeds, tolerance, _STEPS, self.p,
            self._y, self._free, self._place, self._x, self._L,
        )  # fmt: skip
        status = Status.CONVERGED if residual <= tolerance else Status.MAX_ITERATIONS
        if self.contradicts(tolerance, self.p, self._y, m):
            status = Status.INFEASIBLE
        speed = float(self._y.max(initial=0.0))
        return Outcome(self.p.copy(), self._y, status, int(steps), float(residual), speed)

    def least_start(self, alone: bool, m: Motion) -> FloatArray:
        """Reactions to begin with: none if rows are solved alone, which takes no longer; else those
        of the step before, held rows with no more than has their effect."""
        p = np.zeros_like(self.p)
        if alone or not self.p.any():
            return p
        held = self.rows.role == row_kernels.HOLD
        p[held] = self.p[held]
        v, w = np.zeros((2, len(self._change), 3))
        dense.apply_rows(self.work.G, self.work.bodies, p, *self._push)
        kernels.push_bodies(self._world.state.kind, m.inverse, *self._push, v, w)
        rates = np.zeros_like(p)
        dense.free_rates(self.work.G, self.work.bodies, v, w, self.work.none, rates)
        count = int(held.sum())
        self._free[:count], self._x[:count] = np.flatnonzero(held), rates[held]
        self._least_impulses(count, kernels.SHIFT, m)
        return np.where(held, self.work.shift, self.p)

    def contradicts(self, tolerance: float, p: FloatArray, errors: FloatArray, m: Motion) -> bool:
        """Do joints ask for what cannot be? `errors` are those of the rates of rows."""
        given = (self.work, p, errors, m.inverse, m.v_free, m.w_free)
        self._lost = bool(row_errors.contradicts(tolerance, *given))
        return self._lost

    def ask_again(self, h: float, tolerance: float, m: Motion) -> None:
        """The rows of GapAhead in the middle of the motion with the present reactions, where
        nothing touches."""
        self.act()
        none = np.zeros((0, 2), dtype=np.int32), np.zeros((0, 6)), np.zeros((0, 3))
        _contact_kernels.apply_reactions(
            *none, none[2], m.inverse, m.v_free, m.w_free, self.motion["joint_force"],
            self.motion["joint_torque"], *self._ahead,
        )  # fmt: skip
        self._ask(h, GAP_AHEAD, tolerance, m)

    def joint_rows(self) -> JointRows:
        """As a problem takes them; arrays of its own."""
        work = self.work
        bounds = np.stack([work.low, work.high], axis=1)
        return JointRows(work.G.copy(), work.bodies.copy(), work.b.copy(), bounds, work.soft.copy())

    def act(self) -> None:
        """Impulses on bodies, and the weights that limits ask for."""
        force, torque = self.motion["joint_force"], self.motion["joint_torque"]
        dense.apply_rows(self.work.G, self.work.bodies, self.p, force, torque)
        taut.joint_forces(self.rows, self.work.G, self.p, self._pull)
        kernels.least_weights(self.rows, self.work, self.p, self.motion["joint_theta"])

    def finish(self, h: float, scheme: int, tolerance: float, m: Motion) -> None:
        """After the step: work, reactions, angles, closed joints."""
        state, joints, rows = self._world.state, self.joints, self.rows
        v, w = state.velocity, state.angular_velocity
        if not self._lost:
            given = (joints, rows, self.work, self.p, v, w, m.v_mean, m.w_mean)
            kernels.joint_work(h, self._target, *given, self.sums)
        wrench = np.zeros((len(joints.base), 6))
        kernels.joint_wrenches(h, joints, rows, self.work, self.p, self._axes, wrench)
        self.last = Reactions(self._world.joints.row_elements(), self.p.copy(), wrench)
        X, Q = state.position, state.orientation
        kernels.count_turns(h, X, Q, m.w_mean, joints, np.zeros((1, 4, 6)))
        kernels.find_held(
            h, max(tolerance, _MET), self._target, joints, rows, self.work, self.p, v, w, m.v_mean,
            m.w_mean,
        )  # fmt: skip
        if scheme == DVI:  # errors stay
            fixed = (rows.role == row_kernels.HOLD) | (rows.role == row_kernels.TRACK)
            self.work.held[~fixed] = 0.0
            self._close(1, m)
        else:
            self._close(_LOOKS, m)
            if not self._lost:
                self._close_velocities(h, m)
        self.error = max(self.error, self._opened)
        if self._lost:  # such reactions are none to begin the next step with
            for values in self._reactions().values():
                values[:] = 0.0

    def _close(self, looks: int, m: Motion) -> None:
        """Positions to where joints are closed; `error` is what is left. Steps that open them
        further, as where a loop cannot close, are taken back and damped (Levenberg)."""
        state, (force, torque) = self._world.state, self._push
        X, Q, shift = state.position, state.orientation, kernels.SHIFT
        given = (self.joints, self.rows, self.work, self._free, self._x)
        best, at, held = math.inf, (X.copy(), Q.copy()), 0
        for look in range(looks):
            count, self.error = kernels.held_errors(X, Q, *given)
            if self.error <= _CLOSED:
                break
            if count > held:  # a limit was passed on the way: errors so far are of fewer rows
                best, held = math.inf, count
            if self.error > best:
                X[:], Q[:] = at
                shift = min(_DAMPED * shift, 1.0)
                count, self.error = kernels.held_errors(X, Q, *given)
            if look == looks - 1:
                break
            best, at = self.error, (X.copy(), Q.copy())
            self._least_impulses(count, shift, m)
            kernels.move_bodies(_TURN, state.kind, m.inverse, force, torque, X, Q)

    def _close_velocities(self, h: float, m: Motion) -> None:
        """Likewise velocities, with the blocks of the last look; reactions and motors are told with
        what it took, O(h) of them: without it they would be of first order."""
        state, joints, rows, work = self._world.state, self.joints, self.rows, self.work
        v, w = state.velocity, state.angular_velocity
        given = (joints, rows, work, self._free, self._x)
        self._least_impulses(kernels.held_rates(v, w, *given), kernels.SHIFT, m)
        kernels.closing_work(joints, rows, work, v, w, self.sums)
        kernels.push_bodies(state.kind, m.inverse, *self._push, v, w)
        kernels.closing_work(joints, rows, work, v, w, self.sums)
        self.last.p[:] += work.shift
        row_kernels.place_frames(joints, state.position, state.orientation, work.arm, self._axes)
        kernels.joint_wrenches(h, joints, rows, work, work.shift, self._axes, self.last.wrench)

    def _least_impulses(self, count: int, shift: float, m: Motion) -> None:
        """Those that undo what is in x, spread on bodies."""
        work, free, x = self.work, self._free, self._x
        if len(self.p) <= DENSE:
            kernels.least_impulses(
                count, shift, self._group, free, x, m.inverse, work, self._N, self._W, self._L
            )
        else:
            rows = free[:count]
            given = (
                work.G[rows],
                work.bodies[rows],
                m.inverse,
                x[:count],
                shift,
                self._group[rows],
            )
            x[:count] = least_impulses(*given)
        kernels.spread(count, free, x, work, *self._push)

    def kept(self) -> dict[str, FloatArray]:
        """What the next step knows of the last, after `fit`."""
        return {"joint_sums": self.sums} | self._reactions()

    def restore(self, kept: dict[str, FloatArray]) -> None:
        """What `kept` gave; files of before joints have nothing of it."""
        self.fit()
        if "joint_p" in kept:
            self.sums[:] = kept["joint_sums"]
            for name, values in self._reactions().items():
                values[:] = kept[name]
