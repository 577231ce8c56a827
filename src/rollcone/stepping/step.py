"""One time step: the stages in order, on arrays that are allocated once.

    loads -> free motion -> contacts -> rows -> reactions -> velocities -> positions -> audit

A scheme decides three of them (scheme.py). No Python work is done per body or contact, but for
bodies whose force or motion is a Python function.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.energy import StepWork, step_work
from rollcone.collision.contacts import Contacts
from rollcone.collision.detect import TOUCH, Detector
from rollcone.collision.matching import carry
from rollcone.errors import SimulationError
from rollcone.mechanics import _motion_kernels
from rollcone.mechanics.bodies import DYNAMIC
from rollcone.mechanics.body import Body, vector
from rollcone.mechanics.world import World
from rollcone.problem.contact_problem import ContactProblem, Law
from rollcone.solvers.driver import Outcome
from rollcone.solvers.solution import Status
from rollcone.stepping import _contact_kernels
from rollcone.stepping.lean import Lean
from rollcone.stepping.projection import Projection
from rollcone.stepping.room import Room
from rollcone.stepping.scheme import Scheme
from rollcone.stepping.stages import FINE, SolverSettings, solve_in_stages

# Velocities this share of the largest are rounding: no solver is asked for less.
_ROUNDING = 1e-15
# The tolerance that is taken if none is given: rest to rounding for up to so many moving bodies;
# in heaps first-order solvers would take thousands of iterations for that.
_FEW, _COARSE = 30, 1e-3


@dataclass
class StepReport:
    """What is told of one step."""

    contacts: int = 0
    iterations: int = 0
    residual: float = 0.0
    residual_speed: float = 0.0
    status: Status = Status.CONVERGED
    overlap: float = 0.0  # the deepest, m
    work: StepWork = field(default_factory=StepWork)

    @property
    def failed(self) -> bool:
        return self.status is not Status.CONVERGED


class Step:
    """The workspace, and `take` to go one step ahead.

    Of bodies: v_free, w_free, v_new, w_new, v_mean, w_mean (n, 3). Of contacts: y_before, y_after,
    b, p (c, d), restitution, small, slow (c,), touch_state, movers (c, 2), force and moment
    (c, 3) on the second body in world axes.
    """

    contacts: Contacts
    frames: FloatArray  # (c, 3, 3): n, t1, t2 by rows
    arms: FloatArray  # (c, 6): from the centres of A and of B to the contact
    start_position: FloatArray  # (n, 3): before anything moves
    start_orientation: FloatArray  # (n, 4)

    def __init__(
        self, world: World, h: float, scheme: Scheme, law: Law, solver: SolverSettings
    ) -> None:
        self.world, self.h, self.scheme, self.law = world, h, scheme, law
        self.solver = solver
        self.room = Room()
        self._detector = Detector(name=lambda number: repr(world.name_of(number)))
        self.lean = Lean() if scheme.leans else None
        self._projection = Projection() if scheme.projection else None
        self._known = Room()  # reactions of the last step, to start from
        self._known_count = 0
        self._bodies = -1
        self.problem: ContactProblem | None = None

    def take(self, time: float) -> StepReport:
        """From `time` to `time + h`; the world is moved on. On an error no body has moved."""
        self._make_room()
        try:
            return self._take(time)
        except BaseException:
            state = self.world.state
            state.position[:], state.orientation[:] = self.start_position, self.start_orientation
            raise

    def _take(self, time: float) -> StepReport:
        self._loads(time)
        self._impulse[:] = 0.0
        self._predict()
        self.scheme.find(self)
        self._contact_rows()
        self.scheme.rows(self)
        outcome = self._solve()
        self._velocities(outcome)
        self.scheme.move(self)
        report = self._report(outcome)
        self._remember()
        state = self.world.state
        state.velocity[:], state.angular_velocity[:] = self.v_new, self.w_new
        if self._projection is not None:
            report.work.correction += self._projection.apply(self)
        return report

    def detect(
        self, v: FloatArray, w: FloatArray, horizon: float, margin: FloatArray | None = None
    ) -> None:
        """Contacts at the present positions, for a scheme: those that touch, or that meet
        within `horizon` (s) at the velocities v, w; `margin` (n,) widens every body."""
        state = self.world.state
        wide = self.room("margin", (len(state),))
        wide[:] = 0.0 if margin is None else margin
        self.contacts = self._detector.detect(state, v, w, horizon, wide)

    def tolerance(self) -> float:
        """Of the residual: as given, or 1e-12 for few moving bodies and 1e-3 for many."""
        if self.solver.tolerance is not None:
            return self.solver.tolerance
        return FINE if np.count_nonzero(self.world.state.kind == DYNAMIC) <= _FEW else _COARSE

    def move(self, h: float, theta: FloatArray) -> None:
        """Positions on by h at (1 - theta) v + theta v+, for a scheme."""
        state = self.world.state
        _motion_kernels.move(
            h, theta, state.kind, state.inertia, state.position, state.orientation,
            state.velocity, state.angular_velocity, self.v_new, self.w_new, self.w_free,
            self._free_turn, self.v_mean, self.w_mean,
        )  # fmt: skip

    def _make_room(self) -> None:
        state, n = self.world.state, len(self.world.state)
        if n != self._bodies:
            self._bodies = n
            self._fit_bodies(n)
        self.start_position[:], self.start_orientation[:] = state.position, state.orientation

    def _fit_bodies(self, n: int) -> None:
        self.start_position = self.room("start_position", (n, 3))
        self.start_orientation = self.room("start_orientation", (n, 4))
        self.v_free, self.w_free = self.room("v_free", (n, 3)), self.room("w_free", (n, 3))
        self.v_new, self.w_new = self.room("v_new", (n, 3)), self.room("w_new", (n, 3))
        self.v_mean, self.w_mean = self.room("v_mean", (n, 3)), self.room("w_mean", (n, 3))
        self._free_turn = self.room("free_turn", (n, 3))
        self._impulse = self.room("impulse", (n, 3))
        self.factor = self.room("factor", (n, 6, 6))

    def _loads(self, time: float) -> None:
        """Forces in the middle of the step, velocities of driven bodies at its ends.

        A force that depends on positions or orientations is given those that the bodies reach by
        then at their present velocities: of second order, and no energy is made. Velocities
        are those of the start: drag and the like are explicit.
        """
        state, n = self.world.state, len(self.world.state)
        self.loads_force, self.loads_torque = (
            self.room("force", (n, 3)),
            self.room("torque", (n, 3)),
        )
        self.loads_force[:], self.loads_torque[:] = state.force, state.torque
        if self.world.loads:
            self.half_a_step_ahead()
            for (number, name), function in self.world.loads.items():
                value = function(time + 0.5 * self.h, Body(self.world, number))
                target = self.loads_force if name == "force" else self.loads_torque
                target[number] = vector(f"{name} of {self.world.name_of(number)!r}", value)
            state.position[:], state.orientation[:] = self.start_position, self.start_orientation
        self.world.drive(time)
        self._driven = self.room("driven", (n, 6))
        self._driven[:, :3], self._driven[:, 3:] = state.velocity, state.angular_velocity
        for number in self.world.motions:
            self._driven[number] = self.world.driven_velocity(number, time + self.h)

    def half_a_step_ahead(self) -> None:
        """All bodies, at their present velocities."""
        state, n = self.world.state, len(self.world.state)
        v, w = state.velocity, state.angular_velocity
        _motion_kernels.move(
            0.5 * self.h, self.room("no_theta", (n,)), state.kind, state.inertia, state.position,
            state.orientation, v, w, v, w, w, w, self.room("v_now", (n, 3)),
            self.room("w_now", (n, 3)),
        )  # fmt: skip

    def _predict(self) -> None:
        state = self.world.state
        _motion_kernels.predict_motion(
            self.h, self.world.gravity, state.kind, state.mass, state.inertia, state.principal,
            state.damping, self.start_orientation, state.velocity, state.angular_velocity,
            self.loads_force, self.loads_torque, self._impulse, self._driven, self.v_free,
            self.w_free, self.factor, self._free_turn,
        )  # fmt: skip

    def _contact_rows(self) -> None:
        state, found, room = self.world.state, self.contacts, self.room
        c, n, d = len(found.gap), len(state), self.world.laws.rows
        self.rows: tuple[int, ...] = (0,) * d  # its length is what kernels look at
        self._contact_geometry()
        self.p, self.y_before = room("p", (c, d)), room("y_before", (c, d))
        self.y_after, self.b = room("y_after", (c, d)), room("b", (c, d))
        self.force, self.moment = room("contact_force", (c, 3)), room("contact_moment", (c, 3))
        self._start_reactions()
        _contact_kernels.contact_velocities(
            self.rows, found.bodies, self.frames, self.arms, state.velocity,
            state.angular_velocity, self.y_before,
        )  # fmt: skip
        self.movers = room("movers", (c, 2), np.int64)
        self.blocks = room("blocks", (c, 2, 6, d))
        _contact_kernels.contact_blocks(
            self.rows, found.bodies, state.kind, self.frames, self.arms, self.factor, self.v_free,
            self.w_free, self.blocks, self.movers, self.b,
        )  # fmt: skip
        self.z_free = room("z_free", (n, 6))
        _contact_kernels.scaled_velocities(
            state.kind, state.inertia, self.factor, self.v_free, self.w_free, self.z_free
        )
        if self.lean is not None:
            self.lean.bends(self)

    def _contact_geometry(self) -> None:
        """What each contact is: its law, normal, arms and frame."""
        state, found, room, c = self.world.state, self.contacts, self.room, len(self.contacts)
        self.normal, self.arms = room("normal", (c, 3)), room("arms", (c, 6))
        self.normal[:] = found.normal
        _contact_kernels.contact_arms(
            found.bodies, state.shape, state.size, found.point, found.gap, found.normal,
            state.position, self.arms,
        )  # fmt: skip
        self.radii, self.restitution = room("radii", (c, 5)), room("restitution", (c,))
        self.small, self.slow = room("small", (c,)), room("slow", (c,))
        self.loads = room("loads", (c,))
        self.touch_state = room("touch_state", (c,), np.int64)
        radii, restitution = self.world.laws.tables()
        _contact_kernels.contact_data(
            found.bodies, state.material, state.size, radii, restitution, TOUCH, self.radii,
            self.restitution, self.small,
        )  # fmt: skip
        _contact_kernels.load_speeds(
            found.bodies, found.normal, self.arms, state.velocity, state.angular_velocity,
            self.v_free, self.w_free, self.loads, self.slow,
        )  # fmt: skip
        if self.lean is not None:
            self.lean.look(self)
        self.frames = room("frames", (c, 3, 3))
        _contact_kernels.contact_frames(self.normal, self.frames)

    def _start_reactions(self) -> None:
        """The reactions of the last step; what they do to unequal inertias is foreseen."""
        k, known = self._known_count, self._known
        old = known("key", (k,), np.int64), known("force", (k, 3)), known("moment", (k, 3))
        carry(old, self.contacts.key, self.force, self.moment)
        self.p_known = self.room("p_known", self.p.shape)
        _contact_kernels.reactions_from_world(
            self.rows, self.frames, self.force, self.moment, self.p_known
        )
        self.p[:] = self.p_known if self.solver.warm_start else 0.0
        inertia = self.world.state.inertia
        if k and np.any(inertia[:, :2] != inertia[:, 1:]):
            _contact_kernels.angular_impulses(
                self.contacts.bodies, self.arms, self.force, self.moment, self._impulse
            )
            self._predict()

    def _solve(self) -> Outcome | None:
        self.problem = None
        if not len(self.contacts.gap):
            return None
        self.problem = ContactProblem.from_pairs(
            self.blocks, self.movers, self.factor, self.z_free, self.b, self.radii, self.law
        )
        tolerance = self.tolerance()
        speeds = self._speeds(tolerance)
        best = solve_in_stages(self.problem, self.solver, self.p.reshape(-1), tolerance, speeds)
        self.p[:] = best.p.reshape(self.p.shape)
        return best

    def expected_velocities(self) -> FloatArray:
        """y (c, d) at the end of the step with the reactions of the step before."""
        n = len(self.world.state)
        v, w = self.room("v_expected", (n, 3)), self.room("w_expected", (n, 3))
        y = self.room("y_expected", self.b.shape)
        self._apply(self.p_known, v, w)
        _contact_kernels.contact_velocities(
            self.rows, self.contacts.bodies, self.frames, self.arms, v, w, y
        )
        return y

    def _apply(self, p: FloatArray, v: FloatArray, w: FloatArray) -> None:
        """Velocities (n, 3) of the bodies with the reactions p."""
        kind, z = self.world.state.kind, self.room("z", (len(self.world.state) + 1, 6))
        _contact_kernels.apply_reactions(
            self.movers, self.blocks, p, kind, self.factor, self.v_free, self.w_free, z, v, w
        )

    def _speeds(self, tolerance: float) -> FloatArray:
        """What the error of each contact is compared with (m/s): what the loads do in a step and
        its approach; at least so much that no error below rounding is asked for."""
        largest = max(np.abs(self.v_free).max(), np.abs(self.b).max())
        least = _ROUNDING * largest / tolerance if tolerance > 0.0 else 0.0
        speeds = np.maximum(self.loads + np.maximum(0.0, -self.y_before[:, 0]), least)
        return np.where(speeds > 0.0, speeds, 1.0)

    def _velocities(self, outcome: Outcome | None) -> None:
        self._apply(self.p, self.v_new, self.w_new)
        if not (np.isfinite(self.v_new).all() and np.isfinite(self.w_new).all()):
            bad = ~(np.isfinite(self.v_new) & np.isfinite(self.w_new)).all(axis=1)
            name = self.world.name_of(int(np.argmax(bad)))
            raise SimulationError(
                f"the velocity of body {name!r} is not finite: a smaller step may help"
            )
        _contact_kernels.contact_velocities(
            self.rows, self.contacts.bodies, self.frames, self.arms, self.v_new, self.w_new,
            self.y_after,
        )  # fmt: skip
        _contact_kernels.reactions_to_world(self.rows, self.frames, self.p, self.force, self.moment)

    def all_velocities(self) -> FloatArray:
        """All six rows (c, 6) at the end of the step, also where the problem has three."""
        y = self.room("all_rows", (len(self.contacts), 6))
        _contact_kernels.contact_velocities(
            (0,) * 6, self.contacts.bodies, self.frames, self.arms, self.v_new, self.w_new, y
        )
        if self.lean is not None:
            y[:, : self.b.shape[1]] += self.lean.bend
        return y

    def _report(self, outcome: Outcome | None) -> StepReport:
        work = step_work(self)
        if outcome is None:
            return StepReport(work=work)
        return StepReport(
            len(self.contacts.gap),
            outcome.iterations,
            outcome.residual,
            outcome.residual_speed,
            outcome.status,
            max(0.0, -float(self.contacts.gap.min())),
            work,
        )

    def _remember(self) -> None:
        c = len(self.contacts.gap)
        self._known("key", (c,), np.int64)[:] = self.contacts.key
        self._known("force", (c, 3))[:] = self.force
        self._known("moment", (c, 3))[:] = self.moment
        self._known_count = c
