"""The loop: one step after another, with a record.

    run = simulate(world, until=6.0, step=1e-3)

leaves `world` as it is and returns what happened. `Simulation` goes step by step instead and moves
the world that it is given, so that bodies can be added, removed or changed on the way.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable
from typing import Any

import numpy as np

from rollcone._check import (
    finite_array,
    one_of,
    positive_number,
    true_or_false,
    whole_number,
)
from rollcone.errors import InputError, RollconeError, SimulationError
from rollcone.mechanics.world import World
from rollcone.problem.contact_problem import LAWS, ContactProblem, Law
from rollcone.recording.run import Run
from rollcone.solvers.registry import SolverInfo, make_options, solver_info
from rollcone.stepping.gap_ahead import GapAhead
from rollcone.stepping.scheme import Scheme
from rollcone.stepping.stages import FAIR, FINE, SolverSettings, SolverStage
from rollcone.stepping.step import Step, StepReport

AUTO = "auto"
_SWEEPS, _MORE_SWEEPS = 150, 500  # of gauss-seidel, before apgd takes over; of few contacts
_WHILE = 5000  # iterations of apgd, before less than the default tolerance will do
_ITERATIONS = 5000
_CALL_TIME = 0.1  # seconds


class Simulation:
    """A world in motion.

    step             h, seconds
    scheme           GapAhead() if not given; DVI(), MoreauJean(theta=...), MoreauMidpoint()
    law              'exact', or 'associated' with DVI
    solver           a name in rollcone.solvers.SOLVERS, with `solver_options`; 'auto' is
                     gauss-seidel, and where that has not converged after 150 sweeps (500 with
                     fewer than 20 contacts) apgd
    tolerance        of the residual of each step: the worst error of a contact (m/s), over
                     its approach and what the loads do to it in a step. If not given, 1e-12, or
                     1e-6 where 5000 iterations of apgd do not get there, or bodies are in full
                     motion with 20 contacts or more; with more than 30 moving bodies 'auto' is
                     content with 1e-3 after 150 sweeps
    speed_tolerance  a step also ends when no contact is wrong by more than this (m/s)
    max_iterations   of the solver in each step; 5000 if not given
    warm_start       begin each solve with the reactions of the step before
    record_every     steps between records
    strict           raise SimulationError when a step does not converge

    `time`, `world` and `run` are the present moment, the moving world, and the record.
    """

    def __init__(
        self,
        world: World,
        *,
        step: float,
        scheme: Scheme | None = None,
        law: Law = "exact",
        solver: str = AUTO,
        tolerance: float | None = None,
        speed_tolerance: float = 0.0,
        max_iterations: int = _ITERATIONS,
        warm_start: bool = True,
        solver_options: dict[str, Any] | None = None,
        record_every: int = 1,
        strict: bool = False,
        start_time: float = 0.0,
    ) -> None:
        if not isinstance(world, World):
            raise InputError(f"world is a {type(world).__name__}: must be a World")
        self.world = world
        self.step = positive_number("step", step)
        self.scheme = GapAhead() if scheme is None else scheme
        if not isinstance(self.scheme, Scheme):
            raise InputError(f"scheme = {scheme!r}: must be a scheme, such as rc.GapAhead()")
        one_of("law", law, LAWS)
        settings = SolverSettings(
            _stages(solver, max_iterations, solver_options or {}, tolerance is not None),
            None if tolerance is None else positive_number("tolerance", tolerance, zero=True),
            positive_number("speed_tolerance", speed_tolerance, zero=True),
            true_or_false("warm_start", warm_start),
        )
        self.record_every = whole_number("record_every", record_every, least=1)
        self.strict = true_or_false("strict", strict)
        self.law = law
        self._start_time = _moment("start_time", start_time)
        self._steps = 0
        world.drive(self.time)
        world.check()
        self.scheme.check(law, world.laws)
        self._stepper = Step(world, self.step, self.scheme, law, settings, self.strict)
        words = {
            "scheme": self.scheme.name,
            "law": law,
            "solver": solver,
            "tolerance": self._stepper.asked(),
        }
        self.run = Run(world, self.time, self.step, words)

    @property
    def time(self) -> float:
        return self._start_time + self._steps * self.step

    @property
    def steps(self) -> int:
        return self._steps

    @property
    def problem(self) -> ContactProblem | None:
        """The contact problem of the last step, to look at or to save; None without contacts."""
        return self._stepper.problem

    def take_step(self) -> None:
        """One step; recorded if it is one of `record_every`."""
        self._take(1)

    def _take(self, steps: int) -> None:
        """Some steps, no more than to the next record."""
        begin = clock.perf_counter()
        self.world.check()
        self.scheme.check(self.law, self.world.laws)
        self.run.note_changes()
        try:
            report = self._stepper.take(self.time, steps)
        except BaseException as error:
            self._note(self._stepper.report(), begin)
            if isinstance(error, RollconeError):
                raise SimulationError(f"at t = {self.time:g} s: {error}") from error
            raise
        self._note(report, begin)
        if report.error:
            raise SimulationError(f"at t = {self.time:g} s: {report.error}")

    def _note(self, report: StepReport, begin: float) -> None:
        """Count the steps that were made since `begin`; record the last if it is due."""
        self._steps += report.steps
        self.run.note(report)
        if report.steps and self._steps % self.record_every == 0:
            self.run.record(self.time, self._stepper)
        self.run.wall_time += clock.perf_counter() - begin

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
        from rollcone.view.progress import simulation_bar

        if each_step is not None and not callable(each_step):
            raise InputError(f"each_step = {each_step!r}: must be a function of the simulation")
        end = self._steps + steps_between(self.time, until, self.step)
        batch = _Batch()
        with simulation_bar(self.time, until, hidden=not progress) as show:
            while self._steps < end:
                steps = 1
                if each_step is None and not self._stepper.alone:
                    to_record = self.record_every - self._steps % self.record_every
                    steps = min(batch.steps, to_record, end - self._steps)
                begin, wall = self._steps, self.run.wall_time
                self._take(steps)
                batch.took(self._steps - begin, self.run.wall_time - wall)
                show(self)
                if each_step is not None:
                    each_step(self)
        if self.run.time[-1] != self.time:
            self.run.record(self.time, self._stepper)
        return self.run


class _Batch:
    """How many steps make up a call: as many as take a tenth of a second, so that progress is
    shown and Ctrl-C is heard. Where calls end changes nothing."""

    def __init__(self) -> None:
        self.steps = 1

    def took(self, steps: int, seconds: float) -> None:
        """Of the last call; the next is at most twice as long."""
        fair = steps * _CALL_TIME / max(seconds, 1e-9)
        self.steps = max(1, int(min(fair, 2 * self.steps)))


def _stages(
    solver: str, most: int, options: dict[str, Any], given: bool
) -> tuple[SolverStage, ...]:
    """`given`: is there a tolerance?"""
    aim = np.inf if given else FINE
    limit = whole_number("max_iterations", most, least=1)
    if solver != AUTO:
        info = solver_info(solver)
        return (SolverStage(info, make_options(info, options), limit),)
    if options:
        raise InputError(f"solver_options {sorted(options)}: name the solver that they belong to")
    first, second = solver_info("gauss-seidel"), solver_info("apgd")
    return (
        SolverStage(
            first, make_options(first, {}), min(limit, _SWEEPS), min(limit, _MORE_SWEEPS), aim=aim
        ),
        *_last_stages(second, limit, given),
    )


def _last_stages(info: SolverInfo, limit: int, given: bool) -> list[SolverStage]:
    """To the tolerance that was given; or a while to the default one, then to what is fair."""
    options = make_options(info, {})
    if given:
        return [SolverStage(info, options, limit)]
    return [
        SolverStage(info, options, min(limit, _WHILE), fair=FAIR, calm=True),
        SolverStage(info, options, limit, least=FAIR, fair=FAIR),
    ]


def steps_between(time: float, until: float, step: float) -> int:
    """Steps needed; the last may end after `until`, but not for rounding's sake."""
    end = _moment("until", until)
    count = (end - time) / step
    if count < -1e-9 * max(1.0, abs(end / step)):
        raise InputError(f"until = {until!r}: it is t = {time:g} s already")
    return max(0, math.ceil(count - 1e-9 * max(1.0, abs(count))))


def _moment(name: str, value: float) -> float:
    array = finite_array(name, value)
    if array.ndim:
        raise InputError(f"{name} = {value!r}: must be one number, seconds")
    return float(array)


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
    return Simulation(world.copy(), step=step, **settings).advance(until, each_step, progress)
