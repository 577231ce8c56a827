"""Time steps: the compiled loop of kernels/batch.py, and what it asks of Python.

That is: forces and motions that are Python functions, room for more contacts, solvers other than
Gauss-Seidel, and positions moved apart after a step. All else happens within the call.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.energy import StepWork, potential
from rollcone.analysis.kernels import energy as _energy_kernels
from rollcone.collision.contacts import Contacts
from rollcone.collision.detect import TOUCH, contacts_of
from rollcone.collision.grid import UntreatedPairError, solids
from rollcone.collision.shapes import DISK
from rollcone.errors import InputError, SimulationError
from rollcone.mechanics.bodies import DYNAMIC
from rollcone.mechanics.body import Body, vector
from rollcone.mechanics.warnings import untreated
from rollcone.mechanics.world import World
from rollcone.problem.contact_problem import ContactProblem, Law
from rollcone.recording.moments import PHASES
from rollcone.stepping.kernels import batch as _batch_kernels
from rollcone.stepping.kernels import contact as _contact_kernels
from rollcone.stepping.kernels import work as places
from rollcone.stepping.kernels.batch import run_steps
from rollcone.stepping.kernels.candidate import half_a_step
from rollcone.stepping.kernels.contact import reactions_from_world
from rollcone.stepping.kernels.joint import DRIVEN, TAKEN
from rollcone.stepping.kernels.work import GAP_AHEAD, Known, Settings
from rollcone.stepping.mechanism import Mechanism
from rollcone.stepping.scheme import Scheme
from rollcone.stepping.stages import FAIR, FINE, NEAR, SolverSettings, SolverStage
from rollcone.stepping.step_solver import MANY, StepSolver
from rollcone.stepping.workspace import Workspace, body_arrays

# The tolerance that is taken if none is given: rest to rounding for up to so many moving bodies;
# in heaps first-order solvers would take thousands of iterations for that.
_FEW, _COARSE = 30, 1e-3
# Parts of a step, where nothing else is said, with so many disks at most: in a heap of cylinders
# one or another always rocks nearly flat, and every step of the whole world would be divided.
_PARTS, _FEW_DISKS = 64, 4
_SMALL = 200  # bodies that can move, up to which steps are divided at times of impact


@dataclass
class StepReport:
    """What is told of the steps of one call."""

    steps: int = 0
    contacts: int = 0  # in the last
    iterations: int = 0
    residual: float = 0.0  # the worst
    residual_speed: float = 0.0  # the worst, m/s
    unconverged: int = 0
    overlap: float = 0.0  # the deepest, m
    drift: float = 0.0  # of joints, m or rad
    passes: int = 0  # the most
    unfinished: int = 0  # steps whose candidates were not all found
    limits: float = 0.0  # the worst error of coefficients that depend on speed, over themselves
    tempered: int = 0  # rebounds lowered because they would have made energy
    divided: int = 0  # steps, or parts of them, that were divided at times of impact
    work: StepWork = field(default_factory=StepWork)  # of all steps from the start
    timing: tuple[float, ...] = (0.0,) * len(PHASES)  # s, of all steps from the start
    error: str = ""  # why the steps ended early


class Step:
    """The workspace, and `take` to go some steps ahead."""

    def __init__(
        self, world: World, h: float, scheme: Scheme, law: Law, solver: SolverSettings,
        strict: bool = False, substeps: int | None = None,
    ) -> None:  # fmt: skip
        self._substeps = substeps
        self.world, self.h, self.scheme, self.law = world, h, scheme, law
        self.solver, self.strict = solver, strict
        self.space = Workspace(scheme.projection)
        self.timing = np.zeros(len(PHASES))  # s, from the start
        self._correction = 0.0  # J, of closing joints
        self.mechanism = Mechanism(world)
        self._solver = StepSolver(world, h, scheme, law, solver, self.space, self.mechanism)
        if substeps is not None and substeps > 1 and (self.alone or self._outside):
            raise InputError(
                f"max_substeps = {substeps}: steps are not divided with joints, driven bodies, "
                "forces that are functions, compliance or a friction_model; leave it out"
            )
        if scheme.must_divide and self._whole:
            raise InputError(
                f"max_impacts = {scheme.most_impacts}: steps are not divided at impacts with "
                "joints, compliance, friction that depends on speed or a friction_model; leave it "
                "out"
            )

    @property
    def alone(self) -> bool:
        """Must each step be a call of its own?"""
        world = self.world
        functions = world.loads or world.motions
        return bool(functions or len(self.mechanism))

    @property
    def _outside(self) -> bool:
        """Is each step solved outside the compiled loop?"""
        soft = self.world.laws.softness() is not None
        return bool(len(self.mechanism) or soft or self.solver.model is not None)

    @property
    def _whole(self) -> bool:
        """Are steps never divided at impacts?"""
        return self._outside or self.world.laws.vary

    def take(self, time: float, steps: int = 1) -> StepReport:
        """From `time` on; the world is moved. An exception leaves it where the last whole step
        ended; so does an error, which is reported."""
        space = self.space
        space.control[places.DONE] = 0
        settings = self._settings()
        laws = self.world.laws
        given = laws.softness() is not None, laws.frictions() is not None
        space.fit(len(self.world.state), laws.rows, settings.unequal, *given)
        self._fit_joints()
        self.mechanism.begin()
        self._solver.end = time + self.h
        space.numbers[: places.APPLIED] = 0.0
        try:
            self._loads(time, settings)
            self.mechanism.fit_velocities(self.scheme.code)
            code = self._run(settings, steps)
        except BaseException:
            self.mechanism.back_to_start()
            if space.control[places.STAGE] != places.BEGIN:
                self._back_to_start()
            space.rejoin(self.world.state)
            raise
        unclosed = self._close_joints()
        report = self.report()
        if code == _batch_kernels.NOT_FINITE:
            report.error = self._not_finite()
            self._back_to_start()
            space.rejoin(self.world.state)
        elif code == _batch_kernels.NOT_CONVERGED:
            residual = space.numbers[places.RESIDUAL]
            report.error = f"{self._solver.status.value} (residual {residual:.2e})"
        elif unclosed and self.strict:
            error = self.mechanism.error
            report.error = f"joints that cannot all be closed are open by {error:.1e} m or rad"
        return report

    def tolerance(self) -> float:
        """Of the residual: as given, or 1e-12 for few moving bodies and 1e-3 for many, 1e-6 if
        joints hold them."""
        if self.solver.tolerance is not None:
            return self.solver.tolerance
        if np.count_nonzero(self.world.state.kind == DYNAMIC) <= _FEW:
            return FINE
        return FAIR if len(self.mechanism) else _COARSE

    def asked(self) -> str:
        """The tolerance in words."""
        fair = max(stage.fair for stage in self.solver.stages)
        tolerance = self.tolerance()
        return f"{tolerance:g}, or {fair:g} if slow" if fair > tolerance else f"{tolerance:g}"

    @property
    def speed(self) -> float:
        """The largest component of a velocity without contacts, m/s."""
        return float(np.abs(self.space.motion.v_free).max(initial=0.0))

    @property
    def count(self) -> int:
        """Contacts of the last step; of all its pieces, where it was divided."""
        return self._told or self._solver.count

    @property
    def _told(self) -> int:
        """Contacts of the last step if it was divided, else 0."""
        return int(self.space.control[places.TOLD])

    @property
    def problem(self) -> ContactProblem | None:
        """Of the last solve, in arrays of its own; None without contacts."""
        return self._solver.problem

    @property
    def reactions(self) -> FloatArray:
        """(c, d) of the last solve."""
        c = self._solver.count
        return self.space.contacts.p[:c] if c else np.zeros((0, self.world.laws.rows))

    @property
    def impulses(self) -> FloatArray:
        """Impulses (c, d) of the contacts of the last step, summed over its pieces; those of its
        last part, where a disk rolls nearly flat, at their rate for the whole of it."""
        space, c = self.space, self._told
        p = self.reactions
        if c:
            told, p = space.pieces, np.zeros((c, self.world.laws.rows))
            reactions_from_world(
                p.shape[1], told.frames[:c], told.force[:c], told.moment[:c], p
            )  # fmt: skip
        return np.asarray(p * (places.WHOLE / space.control[places.LAST]))

    @property
    def normals(self) -> FloatArray:
        """(c, 3), those that reactions of the last step act along."""
        frames = self.space.pieces.frames if self._told else self.space.contacts.frames
        return frames[: self.count, 0]

    def contacts(self) -> Contacts:
        """Of the last step, where they were found."""
        space, c, told = self.space, self._told, self.space.pieces
        if c:
            return Contacts(
                told.bodies[:c].astype(np.int64), told.key[:c], told.gap[:c], told.normal[:c],
                told.arms[:c], told.point[:c],
            )  # fmt: skip
        period = self.world.state.period
        return contacts_of(space.near, self.count, space.motion.start_position, period)

    def velocities(self) -> FloatArray:
        """All six rows (c, 6) at the end of the step, also where the problem has three."""
        c, space = self.count, self.space
        motion, divided = space.motion, self._told > 0
        work = space.pieces if divided else space.contacts
        bodies = space.pieces.bodies if divided else space.near.bodies
        y = np.zeros((c, 6))
        _contact_kernels.contact_velocities(
            6, bodies[:c], work.frames[:c], work.arms[:c], motion.v_new, motion.w_new, y
        )
        if self.scheme.code == GAP_AHEAD:
            y[:, : work.bend.shape[1]] += work.bend[:c]
        return y

    def kept(self) -> dict[str, np.ndarray]:
        """What the next step knows of the last, besides the world: reactions of its contacts, and
        sums of the energy audit."""
        space = self.space
        self._fit_joints()
        count = int(space.control[places.KNOWN])
        known = {name: values[:count] for name, values in space.known._asdict().items()}
        return (
            known
            | self.mechanism.kept()
            | {
                "numbers": space.numbers[places.APPLIED :],
                "correction": np.array(self._correction),
                "sunk": space.sunk,
                "part": self.space.control[[places.NEXT, places.LAST]],
            }
        )

    def _fit_joints(self) -> None:
        """Room for the joints that there are, which the step's kernels see, too."""
        if self.mechanism.fit():
            self.space.join(self.mechanism.motion)

    def restore(self, kept: dict[str, np.ndarray]) -> None:
        """What `kept` gave."""
        self.space.know(Known(kept["key"], kept["force"], kept["moment"]))
        numbers = kept["numbers"]  # older files have fewer: the last ones are missing
        self.space.numbers[places.APPLIED :] = 0.0
        self.space.numbers[places.APPLIED : places.APPLIED + len(numbers)] = numbers
        self._correction = float(kept["correction"])
        self.space.control[[places.NEXT, places.LAST]] = kept["part"]
        sunk, bodies = kept.get("sunk", np.zeros(0)), len(self.world.state)  # older files have none
        if len(sunk) > bodies:
            raise ValueError(f"kept/sunk: is of {len(sunk)} bodies, and there are {bodies}")
        self.space.sunk = sunk
        self.mechanism.restore(kept)
        self.space.join(self.mechanism.motion)

    def _settings(self) -> Settings:
        state, scheme, solver = self.world.state, self.scheme, self.solver
        first, tolerance = solver.stages[0], self.tolerance()
        slide, turn = scheme.hover(self.law, self.world.laws)
        x, y, z = state.inertia.T
        return Settings(
            h=self.h,
            whole=self.h,
            rest=1.0,
            spare=0.0,
            touch=TOUCH,
            scheme=scheme.code,
            exact=self.law == "exact",
            recovery=float(scheme.recovery),
            cap=scheme.cap,
            theta=scheme.weight,
            hover_slide=slide,
            hover_turn=turn,
            unequal=bool(np.any(x != y) or np.any(y != z)),
            warm_start=self.solver.warm_start,
            most_passes=scheme.most_passes,
            tolerance=tolerance,
            aim=tolerance if tolerance == _COARSE else min(tolerance, first.aim),
            speed_tolerance=solver.speed_tolerance,
            most_sweeps=first.max_iterations if first.compiled else 0,
            few_sweeps=self._few_sweeps(first, tolerance),
            near=NEAR,
            apart=MANY,
            outside=self._outside,
            mean_friction=solver.model is None or solver.model.mean_friction,
            strict=self.strict,
            vary=self.world.laws.vary,
            least_part=places.WHOLE // (1 << (self._most_parts() - 1).bit_length()),
            most_strikes=self._most_strikes(),
            metric=scheme.metric_code,
        )

    def _most_strikes(self) -> int:
        """Return at how many impacts a step is divided at most; none where worlds are large."""
        few = np.count_nonzero(self.world.state.kind == DYNAMIC) <= _SMALL
        return 0 if self._whole or not few else self.scheme.most_impacts

    def _most_parts(self) -> int:
        """Of a step."""
        state = self.world.state
        disks = np.count_nonzero((state.shape == DISK) & (state.kind == DYNAMIC))
        if self.alone or self._outside or not disks:
            return 1
        if self._substeps is not None:
            return self._substeps
        return _PARTS if self.scheme.code == GAP_AHEAD and disks <= _FEW_DISKS else 1

    @staticmethod
    def _few_sweeps(first: SolverStage, tolerance: float) -> int:
        """With few contacts; a coarse tolerance is best left to sweeps, however many."""
        few = first.few_iterations if tolerance < _COARSE else 0
        return few or first.max_iterations

    def _run(self, settings: Settings, steps: int) -> int:
        space, rows = self.space, self.world.laws.rows
        read, bodies = solids(self.world.state), body_arrays(self.world)
        self._solver.radii = bodies.law_radii
        while True:
            begin, before = time.perf_counter(), self._ticks()
            code = run_steps(
                read, rows, settings, bodies, space.motion, space.grid.work, space.near, space.mid,
                space.seen, space.contacts, space.known, space.pieces, space.cells, space.gate,
                space.control, space.numbers, steps,
            )  # fmt: skip
            self._share_time(time.perf_counter() - begin, self._ticks() - before)
            begin = time.perf_counter()
            if code == _batch_kernels.MORE_ROOM:  # the step begins once more
                try:
                    space.grow()
                except UntreatedPairError as pair:
                    raise SimulationError(untreated(self.world, *pair.bodies)) from pair
                self.mechanism.back_to_start()
                self.mechanism.fit_velocities(self.scheme.code)
            elif code == _batch_kernels.SOLVE_TOGETHER:
                self._solver.solve_together(settings)
            elif code == _batch_kernels.SOLVE_OUTSIDE:
                self._solver.solve(settings)
            else:
                return int(code)
            self.timing[PHASES.index("solve")] += time.perf_counter() - begin

    def _ticks(self) -> FloatArray:
        numbers = self.space.numbers
        return numbers[places.DETECTION : places.DETECTION + len(PHASES)].copy()

    def _share_time(self, seconds: float, ticks: FloatArray) -> None:
        """The time of a call among the phases of its steps."""
        if ticks.sum() > 0:
            self.timing += seconds * ticks / ticks.sum()

    def _close_joints(self) -> bool:
        """After a step, close joints and count their reactions and work; return whether some stay
        open. Such a step counts as not converged."""
        control, numbers = self.space.control, self.space.numbers
        if not (len(self.mechanism) and control[places.DONE]):
            return False
        before = potential(self.world, gives=False)
        code, tolerance = self.scheme.code, self.tolerance()
        self.mechanism.finish(self.h, code, tolerance, self.space.motion)
        self._correction += potential(self.world, gives=False) - before
        if self.mechanism.unclosed and not control[places.FAILED]:
            numbers[places.UNCONVERGED] += 1.0
        return self.mechanism.unclosed

    def _loads(self, time: float, settings: Settings) -> None:
        """Forces in the middle of the step, velocities of driven bodies at its ends.

        A force that depends on positions or orientations is given those that the bodies reach by
        then at their present velocities: of second order, and no energy is made. Velocities
        are those of the start: drag and the like are explicit.
        """
        world, motion, state = self.world, self.space.motion, self.world.state
        motion.start_position[:], motion.start_orientation[:] = state.position, state.orientation
        if not (world.loads or world.motions):
            rate = state.angular_velocity
            self.space.bear(state.force, state.torque, state.velocity, rate, rate)
            return
        force, torque = state.force.copy(), state.torque.copy()
        if world.loads:
            half_a_step(settings, body_arrays(world), motion)
            try:
                self._call_loads(time + 0.5 * self.h, force, torque)
            finally:
                self._back_to_start()
        world.drive(time)
        driven, driven_turn = state.velocity.copy(), state.angular_velocity.copy()
        for number in world.motions:
            at_end = world.driven_velocity(number, time + self.h)
            driven[number], driven_turn[number] = at_end[:3], at_end[3:]
        self.space.bear(force, torque, driven, driven_turn, state.angular_velocity)

    def _call_loads(self, time: float, force: FloatArray, torque: FloatArray) -> None:
        for (number, name), function in self.world.loads.items():
            value = function(time, Body(self.world, number))
            target = force if name == "force" else torque
            target[number] = vector(f"{name} of {self.world.name_of(number)!r}", value)

    def _back_to_start(self) -> None:
        """Positions of the step that was begun, and reactions of joints; nothing else has changed
        yet."""
        state, motion = self.world.state, self.space.motion
        self.mechanism.back_to_start()
        state.position[:], state.orientation[:] = motion.start_position, motion.start_orientation
        self.space.control[places.STAGE] = places.BEGIN

    def _not_finite(self) -> str:
        motion = self.space.motion
        finite = np.isfinite(motion.v_new) & np.isfinite(motion.w_new)
        name = self.world.name_of(int(np.argmin(finite.all(axis=1))))
        return f"the velocity of body {name!r} is not finite: a smaller step may help"

    def report(self) -> StepReport:
        """Of the steps that the last call has made."""
        numbers, control = self.space.numbers, self.space.control
        sums = numbers[places.SUMS :]
        return StepReport(
            steps=int(control[places.DONE]),
            contacts=self.count,
            iterations=int(numbers[places.ALL_ITERATIONS]),
            residual=float(numbers[places.WORST_RESIDUAL]),
            residual_speed=float(numbers[places.WORST_SPEED]),
            unconverged=int(numbers[places.UNCONVERGED]),
            overlap=float(numbers[places.WORST_OVERLAP]),
            drift=self.mechanism.error,
            passes=int(numbers[places.MOST_PASSES]),
            unfinished=int(numbers[places.UNFINISHED]),
            tempered=int(numbers[places.ALL_TEMPERED]),
            divided=int(numbers[places.DIVIDED]),
            limits=float(numbers[places.WORST_LIMIT]),
            timing=tuple(self.timing.tolist()),
            work=StepWork(
                applied=float(numbers[places.APPLIED]),
                damping=float(numbers[places.DAMPING]),
                drive=float(sums[_energy_kernels.DRIVE] + self.mechanism.sums[DRIVEN]),
                sliding=float(sums[_energy_kernels.SLIDING]),
                rolling=float(sums[_energy_kernels.ROLLING]),
                contour=float(sums[_energy_kernels.CONTOUR]),
                spinning=float(sums[_energy_kernels.SPINNING]),
                impact=float(sums[_energy_kernels.IMPACT]),
                gained=float(sums[_energy_kernels.GAINED]),
                joints=float(self.mechanism.sums[TAKEN]),
                implicit=float(sums[_energy_kernels.IMPLICIT]),
                correction=self._correction
                + float(numbers[places.CORRECTION] + sums[_energy_kernels.PUSHED]),
            ),
        )
