"""The loop: one step after another, with a record.

    run = simulate(world, until=6.0, step=1e-3)

leaves `world` as it is and returns what happened. `Simulation` goes step by step instead and moves
the world that it is given, so that bodies can be added, removed or changed on the way.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from rollcone._arguments import named_arguments
from rollcone._check import FloatArray, one_of, positive_number
from rollcone._interrupts import deferred_interrupt
from rollcone.errors import InputError, NotConvergedError, RollconeError, SimulationError
from rollcone.friction_models.model import CONE, FrictionModel
from rollcone.mechanics.sides import check_sides
from rollcone.mechanics.world import World
from rollcone.problem.contact_problem import ContactProblem, Law
from rollcone.recording.moments import LEVELS
from rollcone.recording.recorder import Recorder
from rollcone.recording.run import Run
from rollcone.recording.writer import RunWriter
from rollcone.settings import AUTO, ITERATIONS, Settings, moment
from rollcone.stepping.gap_ahead import GapAhead
from rollcone.stepping.scheme import Scheme
from rollcone.stepping.step import Step, StepReport

_CALL_TIME = 0.1  # seconds
_MANY = 2**62


class Simulation:
    """A world in motion.

    step             h, seconds
    scheme           GapAhead() if not given; DVI(), MoreauJean(theta=...), MoreauMidpoint(),
                     RegularisedLCP()
    law              'exact', or 'associated' with DVI
    friction_model   'cone': the laws themselves; or what engines of linear complementarity have:
                     'polygonal', 'box', 'regularised', or one of these with settings, such as
                     rc.PolygonalFriction(facets=16). If not given, that of the scheme: the
                     cone but for RegularisedLCP
    solver           a name in rollcone.solvers.SOLVERS, with `solver_options`; 'auto' is
                     gauss-seidel, and where that has not converged after 5000 sweeps apgd; with
                     1000 contacts or fewer and a tolerance below 1e-3, after 500 sweeps newton.
                     With a friction model one of rollcone.lcp.SOLVERS: lemke, pivoting, ...
    tolerance        of the residual of each step: the worst error of a contact (m/s), over
                     its approach and what the loads do to it in a step, or what its own
                     reaction does. If not given, 1e-12, or
                     1e-6 where newton and apgd do not get there, or bodies are in full
                     motion with 20 contacts or more; with more than 30 moving bodies 1e-3, or
                     1e-6 if there are joints
    speed_tolerance  a step also ends when no contact is wrong by more than this (m/s)
    max_iterations   of the solver in each step; 5000 if not given
    warm_start       begin each solve with the reactions of the step before
    record_every     steps between records
    max_substeps     parts of a step, at most, where a disk rolls nearly flat and its contact point
                     runs around the rim ever faster; a power of two is taken. If not given,
                     64 with GapAhead and up to 4 disks or cylinders that move, where that is
                     possible, else 1
    strict           raise NotConvergedError when a step does not converge
    start_time       seconds; 0 if not given
    contacts         what is recorded of contacts: 'full', 'summary' (how many of each mode, and
                     their normal forces) or 'none'
    output           a run file to be written, 'out.h5'; `close` the simulation in the end. It is
                     crash-safe: a run that was killed is continued by `rc.resume`
    overwrite        replace the file if it exists
    flush            seconds of work that may be lost when the process is killed

    `time`, `world` and `run` are the present moment, the moving world, and the record.
    """

    recorder: Recorder
    _writer: RunWriter | None

    @named_arguments()
    def __init__(
        self,
        world: World,
        *,
        step: float,
        scheme: Scheme | None = None,
        law: Law = "exact",
        friction_model: str | FrictionModel | None = None,
        solver: str = AUTO,
        tolerance: float | None = None,
        speed_tolerance: float = 0.0,
        max_iterations: int = ITERATIONS,
        warm_start: bool = True,
        solver_options: dict[str, Any] | None = None,
        record_every: int = 1,
        max_substeps: int | None = None,
        strict: bool = False,
        start_time: float = 0.0,
        contacts: str = "full",
        output: str | Path | None = None,
        overwrite: bool = False,
        flush: float = 2.0,
        scene: str = "",
    ) -> None:
        settings = Settings(
            step=step, scheme=GapAhead() if scheme is None else scheme, law=law,
            friction_model=friction_model, solver=solver, tolerance=tolerance,
            speed_tolerance=speed_tolerance, max_iterations=max_iterations,
            warm_start=warm_start, solver_options=solver_options or {}, record_every=record_every,
            max_substeps=max_substeps, strict=strict, start_time=start_time,
        )  # fmt: skip
        one_of("contacts", contacts, LEVELS)
        positive_number("flush", flush, zero=True)
        self._set_up(world, settings, contacts)
        check_sides(world)
        self.recorder.scene = scene
        self.recorder.record(self.time, None)
        if output is not None:
            self._writer = RunWriter.new(self, Path(output), overwrite, flush)

    def _set_up(self, world: World, settings: Settings, level: str) -> None:
        if not isinstance(world, World):
            raise InputError(f"world is a {type(world).__name__}: must be a World")
        self.world, self.settings = world, settings
        self._steps = 0
        self._stopped = False
        self.until: float | None = None  # how far `advance` was last asked to go
        self.each_step = False  # was a function of the user's called after every step?
        self.between_steps = True  # or was it left in the middle of one?
        self._writer = None
        world.drive(self.time)
        world.check()
        settings.check(world.laws)
        self._stepper = Step(
            world, settings.step, settings.scheme, settings.law, settings.solver_settings(),
            settings.strict, settings.max_substeps,
        )  # fmt: skip
        words = {
            "scheme": settings.scheme.name,
            "law": settings.law,
            "friction_model": CONE if settings.model is None else settings.model.words,
            "solver": settings.solver,
            "tolerance": self._stepper.asked(),
        }
        self.recorder = Recorder(world, settings.step, words, level)

    @staticmethod
    def restored(
        world: World, settings: Settings, level: str, recorder: dict[str, Any],
        kept: dict[str, np.ndarray],
    ) -> Simulation:  # fmt: skip
        """As a checkpoint has it."""
        simulation = Simulation.__new__(Simulation)
        state = world.state.copy()
        simulation._set_up(world, settings, level)
        world.state = state  # as it was: driven bodies had the velocities of the step's end
        simulation._steps = recorder["steps"]
        simulation._stepper.restore(kept)
        simulation.recorder.restore(recorder)
        return simulation

    def kept(self) -> dict[str, np.ndarray]:
        """What the next step knows of the last, besides the world."""
        return self._stepper.kept()

    def write_to(self, writer: RunWriter) -> None:
        """From now on, records go to a file."""
        self._writer = writer

    @property
    def step(self) -> float:
        return self.settings.step

    @property
    def run(self) -> Run:
        """What has been recorded; if that goes to a file, it is opened when it is looked at."""
        writer = self._writer
        return Run(self.recorder) if writer is None else Run(lambda: writer.source(self))

    @property
    def time(self) -> float:
        return self._time_after(0)

    def _time_after(self, steps: int) -> float:
        """That many steps from now."""
        return self.settings.start_time + (self._steps + steps) * self.settings.step

    @property
    def steps(self) -> int:
        return self._steps

    @property
    def problem(self) -> ContactProblem | None:
        """The contact problem of the last step, to look at or to save; None without contacts."""
        return self._stepper.problem

    @property
    def reactions(self) -> FloatArray:
        """(contacts, rows) of the last step, as `problem` has them."""
        return self._stepper.reactions.copy()

    def take_step(self) -> None:
        """One step; recorded if it is one of `record_every`."""
        self._take(1)
        self._write_now_and_then()

    def _write_now_and_then(self) -> None:
        if self._writer is not None:
            self._writer.now_and_then(self)

    @property
    def last(self) -> StepReport | None:
        """Of the last call."""
        return self.recorder.last

    def _take(self, steps: int) -> None:
        """Some steps, no more than to the next record."""
        begin = clock.perf_counter()
        self.between_steps = False
        self._emit()
        self.world.check()
        self.settings.check(self.world.laws)
        self.recorder.note_changes()
        try:
            report = self._stepper.take(self.time, steps)
        except BaseException as error:
            self._note(self._stepper.report(), begin)
            self.between_steps = True
            if isinstance(error, RollconeError):
                raise SimulationError(f"at t = {self.time:g} s: {error}") from error
            raise
        self._note(report, begin)
        self.between_steps = True
        if report.error:
            kind = NotConvergedError if report.unconverged else SimulationError
            raise kind(f"at t = {self.time:g} s: {report.error}")

    def _note(self, report: StepReport, begin: float) -> None:
        """Count the steps that were made since `begin`; record the last if it is due."""
        self._steps += report.steps
        self.recorder.note(report)
        self.recorder.words["tolerance"] = self._stepper.asked()  # emitters may have poured
        if report.steps and self._steps % self.settings.record_every == 0:
            self.recorder.record(self.time, self._stepper)
        self.recorder.wall_time += clock.perf_counter() - begin

    def advance(
        self,
        until: float,
        each_step: Callable[[Simulation], object] | None = None,
        progress: bool = False,
    ) -> Run:
        """Whole steps, to the first moment at or after `until` (s), which is always recorded.

        `each_step` is called with the simulation after every step, and may change the world;
        `progress` shows a bar.
        """
        self._advance(until, each_step, progress)
        return self.run

    def _advance(
        self, until: float, each_step: Callable[[Simulation], object] | None, progress: bool
    ) -> None:
        from rollcone.view.progress import simulation_bar

        if each_step is not None and not callable(each_step):
            raise InputError(f"each_step = {each_step!r}: must be a function of the simulation")
        end = self._steps + steps_between(self.time, until, self.step)
        self.until, self.each_step = until, each_step is not None
        if self._writer is not None:
            self._writer.write(self)
        batch = _Batch()
        with (
            deferred_interrupt() as interrupted,
            simulation_bar(self, until, hidden=not progress) as show,
        ):
            while self._steps < end and not self._stopped:
                steps = 1
                if each_step is None and not self._stepper.alone:
                    steps = min(batch.steps, self._steps_to_record(), end - self._steps)
                begin, wall = self._steps, self.recorder.wall_time
                self._take(min(steps, self._steps_to_emitters()))
                batch.took(self._steps - begin, self.recorder.wall_time - wall)
                show()
                if each_step is not None:
                    self.between_steps = False
                    each_step(self)
                    self.between_steps = True
                self._write_now_and_then()
                if interrupted():
                    raise KeyboardInterrupt
        if self._steps >= end and self.recorder.last_time != self.time:
            self.recorder.record(self.time, self._stepper)

    def finish(
        self,
        until: float | None = None,
        each_step: Callable[[Simulation], object] | None = None,
        progress: bool = False,
    ) -> None:
        """On to `until`, or to the time that was asked for before; see `advance`."""
        end = self.until if until is None else moment("until", until)
        if end is None:
            raise InputError("until: must be given, the run does not know how far it was to go")
        if not self.time - self.step < end <= self.time:  # else the last step went past it
            self._advance(end, each_step, progress)

    def stop(self) -> None:
        """Let `advance` end after the present call, which lasts a tenth of a second or a step."""
        self._stopped = True

    @property
    def stopped(self) -> bool:
        return self._stopped

    def close(self) -> None:
        """Make the run file, if there is an output. Ctrl-C waits for it."""
        if self._writer is not None:
            with deferred_interrupt() as interrupted:
                self._writer.close(self)
            if interrupted():
                raise KeyboardInterrupt

    def __enter__(self) -> Simulation:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()

    def _emit(self) -> None:
        """Bodies that emitters owe by now."""
        for emitter in self.world.emitters:
            emitter.emit(self.world, self.time)

    def _steps_to_emitters(self) -> int:
        """To the first moment at which one owes more, by the very comparison that `emit` makes, so
        that it is the same wherever calls of steps end; at least one step."""
        due = min((emitter.due() for emitter in self.world.emitters), default=math.inf)
        about = (due - self.time) / self.step
        if about >= _MANY:
            return _MANY
        steps = max(1, math.ceil(about))
        if steps > 1 and due <= self._time_after(steps - 1):
            return steps - 1
        return steps if due <= self._time_after(steps) else steps + 1

    def _steps_to_record(self) -> int:
        every = self.settings.record_every
        return every - self._steps % every


class _Batch:
    """How many steps make up a call: as many as take a tenth of a second, so that progress is
    shown and Ctrl-C is heard. Where calls end changes nothing."""

    def __init__(self) -> None:
        self.steps = 1

    def took(self, steps: int, seconds: float) -> None:
        """Of the last call; the next is at most twice as long."""
        fair = steps * _CALL_TIME / max(seconds, 1e-9)
        self.steps = max(1, int(min(fair, 2 * self.steps)))


def steps_between(time: float, until: float, step: float) -> int:
    """Steps needed; the last may end after `until`, but not for rounding's sake."""
    end = moment("until", until)
    count = (end - time) / step
    if not abs(count) < _MANY:
        raise InputError(f"until = {until!r}: is too many steps of {step:g} s away")
    if count < -1e-9 * max(1.0, abs(end / step)):
        raise InputError(f"until = {until!r}: it is t = {time:g} s already")
    return max(0, math.ceil(count - 1e-9 * max(1.0, abs(count))))


def simulate(
    world: World,
    *,
    until: float,
    step: float,
    each_step: Callable[[Simulation], object] | None = None,
    progress: bool = False,
    **settings: Any,
) -> Run:
    """Simulate a copy of `world` from t = 0; the settings are those of `Simulation`.

    until      seconds; whole steps are made, the last may end a little later
    step       h, seconds
    each_step  called with the `Simulation` after every step; `simulation.world` may be changed
    progress   show a bar on stderr

    `run.world` is the world at the end: pass it on to continue.
    """
    if not isinstance(world, World):
        raise InputError(f"world is a {type(world).__name__}: must be a World")
    moment("until", until)
    with Simulation(world.copy(), step=step, **settings) as simulation:
        simulation.advance(until, each_step, progress)
    return simulation.run
