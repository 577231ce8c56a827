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

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray, IntArray
from rollcone.errors import InputError
from rollcone.mechanics.bodies import DYNAMIC
from rollcone.mechanics.elements import Element, Motor, Spring
from rollcone.mechanics.kernels import joint_row as row_kernels
from rollcone.mechanics.kernels.joint_work import JointArrays, RowArrays, RowWork, row_work
from rollcone.mechanics.signals import signal_at, signal_from
from rollcone.mechanics.world import World
from rollcone.solvers.driver import Outcome
from rollcone.solvers.kernels import dense_row as dense
from rollcone.solvers.solution import Status
from rollcone.stepping.closing import DENSE, Closing
from rollcone.stepping.kernels import contact as _contact_kernels
from rollcone.stepping.kernels import joint as kernels
from rollcone.stepping.kernels import row_error as row_errors
from rollcone.stepping.kernels import taut
from rollcone.stepping.kernels.joint import TAKEN
from rollcone.stepping.kernels.work import DVI, GAP_AHEAD, MIDPOINT, Motion
from rollcone.stepping.problem import JointRows
from rollcone.stepping.redundant_rows import redundant_rows
from rollcone.stepping.workspace import joint_motion

# Of friction that grows with the load.
LOAD_ROUNDS, _LOAD_TOLERANCE, _LOAD_ROUNDING = 50, 1e-8, 1e-4
_STEPS = 60  # of the active set method
_LOOKS = 40  # at positions
_UNCLOSED = 1e-6  # m or rad, by which joints are open at the end of a step that cannot be closed
_NO_RATES = np.zeros((0, 3))
NO_CONTACTS = np.zeros((0, 2), dtype=np.int32), np.zeros((0, 6)), _NO_RATES, _NO_RATES
_TENSION_GAIN = (
    1e-7  # of the kinetic energies before and after: what a forecast of tension may add in a step
)
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
        self.unclosed = False  # are joints open at the end of the step, that cannot all be closed?
        self._lost = False  # did they contradict each other?
        self.contradicted = False  # did they, in any solve of this step?
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
        self.work = row_work(m, j, n)
        self._y, self._place = np.zeros((2, m))
        state = self._world.state
        self._closing = Closing(state, self.joints, self.rows, self.work, self._groups())
        self._redundant = redundant_rows(state, self.joints, self.rows, self.work)
        self._axes = np.zeros((j, 3, 3))
        self._target, self._begun = np.zeros((2, m, 2))
        self._middle = np.zeros((n, 3)), np.zeros((n, 4))
        self._ahead = np.zeros((2, n, 3))  # velocities at the end, as expected
        self._forecast = np.zeros((2, n, 3))  # those that the solve before expected
        self._slack = False  # is tension left out of this step?
        self._change = np.zeros((n, 2))
        self._plain = np.zeros((n, 7)), np.zeros((n, 3))  # inverse masses and free rates
        self._S = np.zeros((n, 6))
        self._fit, self._fit_work = np.zeros(m), np.zeros(2)  # of `fit_velocities`: impulses, J
        self._unfit: tuple[FloatArray, FloatArray] | None = None  # velocities before that
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
            (j, other, -1) if other >= 0 else (*sorted((joints.base[j], joints.body[j])), kind)
            for (j, other), kind in zip(rows.joint, row_kernels.turning(rows.code), strict=True)
        ]
        numbers = {key: k for k, key in enumerate(dict.fromkeys(keys))}
        return np.array([numbers[key] for key in keys], dtype=np.int64)

    def begin(self) -> None:
        """Remember what the step begins with."""
        self._start = [values.copy() for values in self._reactions().values()]
        self._unfit = None

    def back_to_start(self) -> None:
        """Take back what a step has changed that was begun and not finished."""
        for values, before in zip(self._reactions().values(), self._start, strict=True):
            values[:] = before
        if self._unfit is not None:
            state = self._world.state
            state.velocity[:], state.angular_velocity[:] = self._unfit
            self._unfit = None

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

    def fit_velocities(self, scheme: int) -> None:
        """Let velocities obey the joints when a step begins: they do, but in a first step, after
        they were changed by hand, and after a step whose joints contradicted each other."""
        self._fit[:] = self._fit_work[:] = 0.0
        if not len(self) or scheme != GAP_AHEAD:
            return
        state = self._world.state
        before = state.velocity.copy(), state.angular_velocity.copy()
        given = self._closing.fit_velocities(self._fit_work)
        if given is not None:
            self._fit[:], self._unfit = given, before

    def see_free_motion(self, m: Motion) -> None:
        """Remember inverse masses and free rates, before joints change them."""
        self._plain[0][:], self._plain[1][:] = m.inverse, m.w_free

    def prepare(
        self, h: float, scheme: int, time: float, tolerance: float, m: Motion, first: bool
    ) -> None:
        """What the rows of a step ask that ends at `time`; `first`: of its passes."""
        self._aim(time, h)
        state = self._world.state
        row_kernels.find_bodies(state.kind, self.joints, self.rows, self.work)
        if first:
            self._slack = self.contradicted = False
        self._ahead[:] = state.velocity, m.kick_rate
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
            ahead = self._ahead if bend else np.stack((v, m.kick_rate))
            row_kernels.move_to_kick(
                h, state.kind, state.inertia, m.kick, m.kick_place, m.kick_rate, m.start_position,
                m.start_orientation, v, ahead, X, Q,
            )  # fmt: skip
        if bend:
            self._closing.close_middle(self._redundant, self._plain[0], X, Q)
            self._stiffen(h, X, Q, m)
        row_kernels.prepare_rows(
            bend, state.kind, m.start_position, m.start_orientation, X, Q, v, w, m.kick_rate,
            m.v_free, m.w_free, self.joints, self.rows, self.work,
        )  # fmt: skip
        row_kernels.ask_rows(h, scheme == DVI, m.inverse, self._target, self.rows, self.work)
        rates = (state.velocity, m.kick_rate)
        given = (*rates, m.v_free, m.w_free, m.inverse, self.p, self.work, self._change)
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
        self._S[:] = 0.0
        if not self._slack:
            taut.tension_stiffness(h, self.joints, X, Q, self._pull, self._S)
        taut.stiffen(self._S, self._ahead[1], m.inverse, m.w_free)

    def slacken(
        self, h: float, tolerance: float, m: Motion, contacts: tuple[NDArray[Any], ...]
    ) -> bool:
        """Return whether taking tension implicitly has made energy in this step: it works only
        where the rates are not the forecast ones. Rows then ask again without it. `contacts`:
        movers, arms, and forces and moments (c, 3) in world axes."""
        if self._slack or not self._S.any():
            return False
        self._apply(m, *contacts)
        work = taut.tension_work(self._S, self._forecast[1], m.kick_rate, self._ahead[1])
        state = self._world.state
        moving = np.square(state.velocity).sum(axis=1) + np.square(self._ahead[0]).sum(axis=1)
        if work <= _TENSION_GAIN * float(state.mass @ moving):
            return False
        self._slack = True
        self._ask(h, GAP_AHEAD, tolerance, m)
        return True

    def _apply(self, m: Motion, *contacts: NDArray[Any]) -> None:
        """Velocities `_ahead` with the present reactions; those before are kept as `_forecast`."""
        self.act()
        self._forecast[:] = self._ahead
        _contact_kernels.apply_reactions(
            *contacts, m.inverse, m.v_free, m.w_free, self.motion["joint_force"],
            self.motion["joint_torque"], *self._ahead,
        )  # fmt: skip

    def update_loads(self, h: float, least: float) -> tuple[bool, float]:
        """Bounds of such friction from the present reactions: have they settled, and by which share
        of the largest have they changed? `least` is the least such share of rounds before: where
        joints are redundant, rounding is in what each of them bears."""
        change = float(kernels.load_limits(h, self.rows, self.work, self.p))
        return change <= _LOAD_TOLERANCE or 0.5 * least < change <= _LOAD_ROUNDING, change

    def solve_alone(self, tolerance: float, m: Motion) -> Outcome:
        """Without contacts, by a dense matrix."""
        work, closing = self.work, self._closing
        W = closing.mobility
        dense.fill_mobility(work.G, work.bodies, m.inverse, work.soft, closing.blocks, W)
        kernels.even_weights(closing.group, W, work.soft, work.weight)
        q = work.shift
        dense.free_rates(work.G, work.bodies, m.v_free, m.w_free, work.b, q)
        steps, residual = dense.solve_rows(
            W, q, work.low, work.high, work.weight, work.speeds, tolerance, _STEPS, self.p,
            self._y, closing.free, self._place, closing.x, closing.factor,
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
        held, closing = self.rows.role == row_kernels.HOLD, self._closing
        p[held] = self.p[held]
        v, w = np.zeros((2, len(self._change), 3))
        dense.apply_rows(self.work.G, self.work.bodies, p, *closing.push)
        kernels.push_bodies(self._world.state.kind, m.inverse, *closing.push, v, w)
        rates = np.zeros_like(p)
        dense.free_rates(self.work.G, self.work.bodies, v, w, self.work.none, rates)
        count = int(held.sum())
        closing.free[:count], closing.x[:count] = np.flatnonzero(held), rates[held]
        closing.least_impulses(count, kernels.SHIFT, m.inverse)
        return np.where(held, self.work.shift, self.p)

    def contradicts(self, tolerance: float, p: FloatArray, errors: FloatArray, m: Motion) -> bool:
        """Do joints ask for what cannot be? `errors` are those of the rates of rows."""
        given = (self.work, p, errors, m.inverse, m.v_free, m.w_free)
        self._lost = bool(row_errors.contradicts(tolerance, *given))
        self.contradicted = self.contradicted or self._lost
        return self._lost

    def ask_again(self, h: float, tolerance: float, m: Motion) -> None:
        """The rows of GapAhead in the middle of the motion with the present reactions, where
        nothing touches."""
        self._apply(m, *NO_CONTACTS)
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
        v, w = m.v_new, m.w_new  # rows are of the instant at which impulses came
        if not self._lost:
            given = (joints, rows, self.work, self.p, v, w, m.v_mean, m.w_mean)
            kernels.joint_work(h, self._target, *given, self.sums)
            if scheme == GAP_AHEAD:
                self.sums[TAKEN] += taut.tension_work(self._S, self._forecast[1], m.kick_rate, w)
        self.sums += self._fit_work
        wrench, p = np.zeros((len(joints.base), 6)), self.p + self._fit
        kernels.joint_wrenches(h, joints, rows, self.work, p, self._axes, wrench)
        self.last = Reactions(self._world.joints.row_elements(), p, wrench)
        X, Q = state.position, state.orientation
        kernels.count_turns(h, X, Q, m.w_mean, joints, np.zeros((1, 4, 6)))
        kernels.find_held(
            h, max(tolerance, _MET), self._target, joints, rows, self.work, self.p, v, w, m.v_mean,
            m.w_mean,
        )  # fmt: skip
        closing = self._closing
        closing.weigh()
        if scheme == DVI:  # errors stay
            fixed = (rows.role == row_kernels.HOLD) | (rows.role == row_kernels.TRACK)
            self.work.held[~fixed] = 0.0
            self.error = closing.close_positions(1)
        else:
            self.error = closing.close_positions(_LOOKS)
            if not self._lost:
                closing.weigh()  # closing has turned bodies
                self._tell_closing(h, closing.close_velocities(self.sums))
        # With DVI errors of rates tell of joints that contradict each other.
        self.unclosed = self.error > _UNCLOSED and scheme != DVI
        self.error = max(self.error, self._opened)
        if self._lost:  # such reactions are none to begin the next step with
            for values in self._reactions().values():
                values[:] = 0.0

    def _tell_closing(self, h: float, p: FloatArray) -> None:
        """Add the impulses p (m,) that closed velocities to the reactions of the step, of which
        they are O(h): without them those would be of first order."""
        state, work = self._world.state, self.work
        self.last.p[:] += p
        row_kernels.place_frames(
            self.joints, state.position, state.orientation, work.arm, self._axes
        )
        kernels.joint_wrenches(h, self.joints, self.rows, work, p, self._axes, self.last.wrench)

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
