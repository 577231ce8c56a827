"""The problem of a step, and how it is solved where that is not done within the compiled loop:
by several threads, by other solvers, with joints, and with contacts by Hertz."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray
from rollcone._together import together
from rollcone.friction_models.model import Before
from rollcone.mechanics.world import World
from rollcone.problem.contact_problem import ContactProblem, Law
from rollcone.solvers.driver import Outcome
from rollcone.solvers.kernels.cell_solver import solve_cells
from rollcone.solvers.kernels.cell_work import MOST_THREADS
from rollcone.solvers.solution import Status
from rollcone.stepping.closing import DENSE
from rollcone.stepping.crew import Crew
from rollcone.stepping.kernels import work as places
from rollcone.stepping.kernels.contact import reactions_to_world
from rollcone.stepping.kernels.soft import retake_springs
from rollcone.stepping.kernels.work import GAP_AHEAD, Settings
from rollcone.stepping.mechanism import LOAD_ROUNDS, Mechanism
from rollcone.stepping.problem import pair_problem
from rollcone.stepping.scheme import Scheme
from rollcone.stepping.stages import (
    NEAR,
    SolverSettings,
    SolverStage,
    solve_by_model,
    solve_in_stages,
)
from rollcone.stepping.workspace import Workspace, body_arrays

# Bodies hardly move below so many times what loads do in a step.
_SLOW, _FEW_CONTACTS = 10.0, 20
_SOFT_ROUNDS = 12  # in which tangents of Hertz's law are taken anew
_AGAIN = 2  # rounds in which rows of joints are taken anew where nothing touches
MANY = 2000  # contacts, from which on several threads solve them


class StepSolver:
    """On the arrays of a step; `end` (s) is when it ends, `radii` are those of its laws."""

    def __init__(
        self, world: World, h: float, scheme: Scheme, law: Law, settings: SolverSettings,
        space: Workspace, mechanism: Mechanism,
    ) -> None:  # fmt: skip
        self.world, self.h, self.scheme, self.law = world, h, scheme, law
        self.settings, self.space, self.mechanism = settings, space, mechanism
        self.status = Status.CONVERGED
        self.end = 0.0
        self.radii: FloatArray = np.zeros((0, 5))
        self._crew = Crew()

    @property
    def count(self) -> int:
        """Contacts of the last step."""
        return int(self.space.control[places.CONTACTS])

    @property
    def problem(self) -> ContactProblem | None:
        """Of the last step, in arrays of its own; None without contacts."""
        c, rows = self.count, len(self.mechanism)
        if not c + rows:
            return None
        work, motion = self.space.contacts, self.space.motion
        soft = work.soft[:c] if len(work.soft) else None
        joints = self.mechanism.joint_rows() if rows else None
        general = len(work.limits) > 0
        return pair_problem(
            work.movers[:c], work.frames[:c], work.arms[:c], work.b[:c].copy(),
            work.limits[:c, :5].copy() if general else self.radii[work.law[:c]], motion.inverse,
            motion.v_free, motion.w_free, self.law, soft, joints,
            work.kinds[:c].copy() if general else None,
        )  # fmt: skip

    def solve_together(self, settings: Settings) -> None:
        """By the first solver, on several threads."""
        c, work, motion = self.count, self.space.contacts, self.space.motion
        control, numbers = self.space.control, self.space.numbers
        size = min(self._crew.size(c, MANY // 2), MOST_THREADS)
        begin = time.perf_counter()
        _, sweeps, residual, speed = together(
            solve_cells, self.world.laws.rows, settings.exact, work.movers[:c],
            work.frames[:c], work.arms[:c], work.b[:c], self.radii, work.law[:c],
            work.limits[:c], work.kinds[:c], work.speeds[:c], motion.v_free, motion.w_free,
            motion.inverse, motion.start_position, self.world.state.size,
            bool(control[places.MOVED]), numbers[places.AIM], settings.speed_tolerance,
            control[places.LEAST], control[places.SWEEPS], work.p[:c], self.space.cells,
            at_most=size,
        )  # fmt: skip
        self._crew.note(size, time.perf_counter() - begin, float(sweeps + 4) * c)
        control[places.MOVED] = 0
        control[places.ITERATIONS] += sweeps
        numbers[places.RESIDUAL], numbers[places.RESIDUAL_SPEED] = residual, speed
        good = residual <= settings.tolerance or speed <= settings.speed_tolerance
        if not (control[places.ROUGH] or good):
            self.solve(settings)

    def solve(self, settings: Settings) -> None:
        """By the solvers that are not compiled into the step, from where the first has come."""
        c, work, numbers = self.count, self.space.contacts, self.space.numbers
        stages = self.settings.stages
        best = Outcome(work.p[:c].reshape(-1).copy(), work.p[:c])
        if stages[0].compiled and not settings.outside:
            stages = stages[1:]
            best.residual = numbers[places.RESIDUAL]
            best.residual_speed = numbers[places.RESIDUAL_SPEED]
            if np.isfinite(best.residual):
                best.status = Status.MAX_ITERATIONS
        if settings.outside:
            best = self._solve_outside(settings, best)
        else:
            best = self._solve_problem(settings, stages, best)
        work.p[:c] = best.p[: work.p[:c].size].reshape(work.p[:c].shape)
        # What is no number would be lost among the worst.
        numbers[places.RESIDUAL] = np.nan_to_num(best.residual, nan=np.inf, posinf=np.inf)
        numbers[places.RESIDUAL_SPEED] = np.nan_to_num(
            best.residual_speed, nan=np.inf, posinf=np.inf
        )
        self.space.control[places.ITERATIONS] += best.iterations
        self.space.control[places.FAILED] = best.status is not Status.CONVERGED
        self.status = best.status

    def _solve_problem(
        self, settings: Settings, stages: Sequence[SolverStage], best: Outcome
    ) -> Outcome:
        """Once more where contacts of Hertz are pushed otherwise than was reckoned with."""
        iterations = 0
        for left in reversed(range(_SOFT_ROUNDS)):
            best = self._solve_once(settings, stages, best)
            iterations += best.iterations
            if not self._retaken(best.p, 2 * left > _SOFT_ROUNDS):
                break
        else:
            best.status = Status.MAX_ITERATIONS
        best.iterations = iterations
        return best

    def _retaken(self, p: FloatArray, down: bool) -> bool:
        """Have contacts of Hertz new tangents at these reactions? `down`: also at smaller ones."""
        c, space, work, state = self.count, self.space, self.space.contacts, self.world.state
        if not len(work.soft):
            return False
        return bool(
            retake_springs(
                down, self.h, space.near.bodies[:c], state.shape, state.size,
                body_arrays(self.world).law_softness, work.law[:c], space.near.gap[:c],
                work.start[:c], work.slow[:c], work.frames[:c], work.arms[:c],
                space.motion.inverse, work.p_known[:c],
                p[: work.p[:c].size].reshape(work.p[:c].shape), work.b[:c], work.soft[:c],
            )
        )  # fmt: skip

    def _solve_once(
        self, settings: Settings, stages: Sequence[SolverStage], best: Outcome
    ) -> Outcome:
        c, work, problem = self.count, self.space.contacts, self.problem
        assert problem is not None
        coupled = bool(np.any(problem.cone.kinds < 0))
        own = len(stages) == 1
        stages = tuple(
            stage
            for stage in stages
            if c <= stage.most_contacts
            and (not stage.calm or self._calm())
            and (own or not coupled or stage.info.coupled)
        )
        speeds = work.speeds[:c]
        if problem.extra_rows:
            speeds = np.concatenate([speeds, self.mechanism.work.speeds])
        if self.settings.model is not None:
            before = Before(work.p_known[:c].copy(), work.y_before[:c].copy(), self.h)
            return solve_by_model(
                problem, self.settings, before, best.p, settings.tolerance, speeds
            )
        return solve_in_stages(
            problem, stages, best, settings.tolerance, settings.speed_tolerance, speeds
        )

    def _solve_outside(self, settings: Settings, best: Outcome) -> Outcome:
        """With joints or compliance. Sweeps are slow with joints: with few contacts, methods of
        second order come first."""
        c, mechanism, stages = self.count, self.mechanism, self.settings.stages
        if not (c or len(mechanism)):
            best.status, best.residual, best.residual_speed = Status.CONVERGED, 0.0, 0.0
            return best
        default = len(stages) > 1
        if default and c <= NEAR:
            stages = stages[1:]
        if not len(mechanism):
            return self._solve_problem(settings, stages, best)
        control = self.space.control
        if control[places.PREDICTED]:
            mechanism.see_free_motion(self.space.motion)
            control[places.PREDICTED] = 0
        mechanism.prepare(
            self.h, self.scheme.code, self.end, settings.tolerance, self.space.motion,
            first=control[places.PASSES] == 0,
        )  # fmt: skip
        best = self._solve_joints(settings, stages, best.p)
        for _ in range(_AGAIN if c == 0 and self.scheme.code == GAP_AHEAD else 0):
            mechanism.ask_again(self.h, settings.tolerance, self.space.motion)
            best = self._solve_again(settings, stages, best, best.p[:0])
        given = (self.h, settings.tolerance, self.space.motion, self._contact_forces(best.p))
        if self.scheme.code == GAP_AHEAD and mechanism.slacken(*given):
            best = self._solve_again(
                settings, stages, best, best.p[: self.space.contacts.p[:c].size]
            )
        if mechanism.contradicted:  # also if rows taken anew, far off by then, have a solution
            best.status = Status.INFEASIBLE
        mechanism.act()
        return best

    def _solve_again(
        self, settings: Settings, stages: Sequence[SolverStage], best: Outcome, contacts: FloatArray
    ) -> Outcome:
        """Solve once more from these reactions of contacts; iterations add up."""
        iterations = best.iterations
        best = self._solve_joints(settings, stages, contacts)
        best.iterations += iterations
        return best

    def _contact_forces(self, p: FloatArray) -> tuple[NDArray[Any], ...]:
        """Return movers and arms of contacts, and forces and moments (c, 3) in world axes for the
        reactions p."""
        c, work = self.count, self.space.contacts
        force, moment = np.zeros((2, c, 3))
        reactions = np.ascontiguousarray(p[: work.p[:c].size].reshape(c, -1)) if c else work.p[:0]
        reactions_to_world(work.p.shape[1], work.frames[:c], reactions, force, moment)
        return work.movers[:c], work.arms[:c], force, moment

    def _solve_joints(
        self, settings: Settings, stages: Sequence[SolverStage], contacts: FloatArray
    ) -> Outcome:
        """Contacts and joints, from the reactions that there are; in rounds where friction of
        joints grows with what they hold."""
        mechanism, iterations = self.mechanism, 0
        own = self.settings.model is None and len(self.settings.stages) == 1
        alone = not own and self.count == 0 and len(mechanism) <= DENSE
        # All rounds and steps begin with the least that does the same: where joints are redundant,
        # what a solver finds is next to what it began with, and would go on and on.
        begin, least = mechanism.least_start(alone, self.space.motion), np.inf
        for _ in range(LOAD_ROUNDS):
            mechanism.p[:] = begin
            p = np.concatenate([contacts, begin])
            best = Outcome(p, p)
            if alone:
                best = mechanism.solve_alone(settings.tolerance, self.space.motion)
            if best.status not in (Status.CONVERGED, Status.INFEASIBLE):
                best = self._solve_problem(settings, stages, best)
                rows = slice(len(contacts), None)
                errors = best.y[rows] + mechanism.work.soft * best.p[rows]
                given = (best.p[rows], errors, self.space.motion)
                if mechanism.contradicts(settings.tolerance, *given):
                    best.status = Status.INFEASIBLE
            iterations += best.iterations
            contacts, mechanism.p[:] = best.p[: len(contacts)], best.p[len(contacts) :]
            best.iterations = iterations
            if not mechanism.has_loads:
                return best
            settled, change = mechanism.update_loads(self.h, least)
            if settled:
                return best
            least = min(least, change)
        best.status = Status.MAX_ITERATIONS
        return best

    def _calm(self) -> bool:
        """Do bodies hardly move, so that rest is worth more iterations, or are contacts few?"""
        loads = self.space.contacts.loads[: self.count].max(initial=0.0)
        fastest = np.abs(self.world.state.velocity).max(initial=0.0)
        return bool(self.count < _FEW_CONTACTS or fastest <= _SLOW * loads)
