"""Cheap sweeps first; where they would take too long, methods of second order.

    gauss-seidel      until what is left, at the rate of the last half of the sweeps, would cost
                      more than the factorisations that usually solve it
    relaxed, apgd     exact law, more than a few hundred contacts: the path of interior-point under
                      the associated law, which has no turns, nearly to its end; from there apgd
                      under the exact one. The end of that path is in the middle of the many
                      solutions of a heap: contacts that stick are well inside their cones
    newton            as long as it gains
    interior-point    from its own start, where newton gets stuck; with thousands of contacts under
                      the exact law not for long, since its path may have too many turns
    newton again      from the best so far, with patience; not with so many contacts
    apgd and newton   in turns: what one leaves the other often mends

Each starts from the best reactions so far (or those of the relaxed law, which are not better but
lead further), and the best ones are what counts in the end.
Iterations are those of all of them; `report` tells who made how many.

`auto` leaves out what will not help: sweeps where mobilities (masses) of contacts differ much,
factorisations of very many contacts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from rollcone._check import FloatArray, whole_number
from rollcone.errors import InputError
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.residual import drive, stopping_residual
from rollcone.solvers.registry import Method, check_support, make_options, solver_info

_SWEEPS = 20_000
_NEWTON_STEPS, _MANY_STEPS = 80, 5000
_PATH_STEPS, _FEW_STEPS = 1000, 80
_RELAXED_STEPS, _RELAXED_ENOUGH = 40, 1e-4  # of the path, and its residual under its own law
_AFTER_RELAXED = 1000  # iterations of apgd
_FEW, _CLOSE = 300, 1e-4  # contacts, and a residual, with which newton needs no such help
_TURN = 1000  # iterations of apgd, doubled each time
_FACTORISATIONS = 30  # that usually solve what sweeps do not
_IDLE, _PATIENT = 24, 1000  # factorisations without half the residual: at first, and later
_LEAST_SWEEPS = 100
_LONG_ENOUGH = 8  # factorisations without a look at the clock
_MOST_CONTACTS = 20_000  # for factorisations
_MANY_TURNS = 1500  # contacts, exact law: too many turns of the path of interior-point
_UNEQUAL = 100.0  # the largest mobility of a contact over the least, beyond which sweeps are slow


@dataclass
class Stage:
    """One method, with its iterations and the residuals seen after them."""

    name: str
    most: int
    options: dict[str, Any] = field(default_factory=dict)
    patience: int = _IDLE  # iterations of newton
    relaxed: bool = False  # to the associated law
    done: int = 0
    seen: list[tuple[int, float]] = field(default_factory=list)


@dataclass(frozen=True)
class HybridOptions:
    """sweeps: the most of Gauss-Seidel to begin with."""

    sweeps: int = _SWEEPS

    def __post_init__(self) -> None:
        object.__setattr__(self, "sweeps", whole_number("sweeps", self.sweeps))


class Hybrid:
    """The method for the driver; see registry.py for what it must offer."""

    stalled = ""

    def __init__(self, problem: ContactProblem, options: HybridOptions) -> None:
        self._problem, self._sweeps = problem, options.sweeps
        self._drive = drive(problem)
        self._best, self._least = np.zeros(problem.size), math.inf
        self._last, self._better = self._best, False
        self._handed: FloatArray | None = None  # what the next method starts from, if not the best
        self._stages: list[Stage] = []
        self._plan: Iterator[Stage] | None = None
        self._method: Method | None = None

    @property
    def report(self) -> str:
        """Who made how many iterations."""
        made = (stage for stage in self._stages if stage.done)
        return ", ".join(f"{stage.name}{' relaxed' * stage.relaxed} {stage.done}" for stage in made)

    def start(self, p: FloatArray) -> None:
        self._look(p)

    def reactions(self) -> FloatArray:
        """The best of the last call; or the last ones if they are not better, from which the driver
        sees that reactions grow without end."""
        return self._best if self._better else self._last

    def advance(self, count: int, tolerance: float) -> int:
        """At most `count` iterations of whichever method has its turn, at least one."""
        done, self._better = 0, False
        while done < count and (done == 0 or self._least > tolerance):
            if self._method is None and not self._begin():
                break
            method, stage = self._method, self._stages[-1]
            assert method is not None
            cheap = stage.name in ("gauss-seidel", "apgd")
            look = min(count - done, stage.most - stage.done, 25 if cheap else 4)
            some = method.advance(look, tolerance)
            done, stage.done = done + some, stage.done + some
            p = method.reactions()
            stage.seen.append((stage.done, self._look(p)))
            over = some == 0 or stage.done >= stage.most or bool(method.stalled)
            if stage.relaxed and self._relaxed_residual(p) < _RELAXED_ENOUGH:
                self._handed, over = p, True
            if over or self._hopeless(stage, tolerance):
                self._method = None
            if not cheap and done >= _LONG_ENOUGH:
                break  # the driver counts iterations of all kinds alike, and has the clock
        return done

    def _look(self, p: FloatArray) -> float:
        """The residual of p, which is kept if it is the least so far."""
        if not np.isfinite(p).all():
            self._last = self._best
            return math.inf
        self._last = p
        residual, _ = stopping_residual(
            self._problem, p, self._problem.form.velocities(p), self._drive
        )
        if residual < self._least:
            self._best, self._least, self._better = p, residual, True
        return residual

    def _begin(self) -> bool:
        """The next method, from the best so far."""
        if self._plan is None:
            self._plan = self._stage_by_stage()
        stage = next(self._plan, None)
        if stage is None:
            self.stalled = f"no method makes progress: {self.report}"
            return False
        info = solver_info(stage.name)
        problem = self._relaxed if stage.relaxed else self._problem
        self._method = info.load()[0](problem, make_options(info, stage.options))
        self._method.start(self._best if self._handed is None else self._handed)
        self._handed = None
        self._stages.append(stage)
        return True

    @cached_property
    def _relaxed(self) -> ContactProblem:
        return self._problem.with_law("associated")

    def _relaxed_residual(self, p: FloatArray) -> float:
        y = self._problem.form.velocities(p)
        return stopping_residual(self._relaxed, p, y, drive(self._relaxed))[0]

    def _stage_by_stage(self) -> Iterator[Stage]:
        if self._sweeps:
            yield Stage("gauss-seidel", self._sweeps)
        exact, path = self._problem.law == "exact", _supported("interior-point", self._problem)
        if exact and path and self._worth_relaxing():
            yield Stage("interior-point", _RELAXED_STEPS, {"polish": False}, relaxed=True)
            if self._handed is not None:
                yield Stage("apgd", _AFTER_RELAXED)
        yield Stage("newton", _NEWTON_STEPS, {"sweeps": 0})
        many = exact and self._problem.contacts > _MANY_TURNS
        if path:
            yield Stage("interior-point", _FEW_STEPS if many else _PATH_STEPS)
        if not many:
            yield Stage("newton", _MANY_STEPS, {"sweeps": 0}, patience=_PATIENT)
        for k in range(2 if many else 0, 12):
            yield Stage("apgd", _TURN * 2**k)
            yield Stage("newton", _NEWTON_STEPS, {"sweeps": 0})

    def _unequal(self) -> bool:
        """Of contacts alone: extra rows may have any unit."""
        mobilities = self._problem.scaling.lambdas
        return bool(mobilities.max(initial=0.0) > _UNEQUAL * mobilities.min(initial=np.inf))

    def _worth_relaxing(self) -> bool:
        return self._problem.contacts > _FEW and not self._unequal() and self._least > _CLOSE

    def _hopeless(self, stage: Stage, tolerance: float) -> bool:
        if stage.name == "gauss-seidel":
            return self._sweeps_left(stage, tolerance) > self._worth()
        if stage.name == "newton":
            before = [r for done, r in stage.seen if done <= stage.done - stage.patience]
            return bool(before) and self._least > 0.5 * min(before)
        return False

    def _worth(self) -> float:
        """Sweeps that cost as much as the factorisations that usually do: one costs some 30 sweeps
        of small problems, and more of large ones, whose factors grow faster than contacts."""
        return _FACTORISATIONS * (25.0 + self._problem.contacts / 25.0)

    def _sweeps_left(self, stage: Stage, tolerance: float) -> float:
        """At the rate of the last half of the sweeps."""
        done, residual = stage.seen[-1]
        if done < _LEAST_SWEEPS or residual <= tolerance:
            return 0.0
        begin, before = next(pair for pair in stage.seen if 2 * pair[0] >= done)
        if not residual < before or done == begin:
            return math.inf
        rate = math.log(before / residual) / (done - begin)
        return math.log(residual / max(tolerance, 1e-16)) / rate


class Auto(Hybrid):
    """Hybrid without what will not help with this problem."""

    @property
    def report(self) -> str:
        made = super().report
        return f"{self._why()}: {made}" if made else ""

    def _why(self) -> str:
        if self._problem.contacts > _MOST_CONTACTS:
            return "too many contacts for factorisations"
        return "mobilities differ, no sweeps" if self._unequal() else "sweeps first"

    def _stage_by_stage(self) -> Iterator[Stage]:
        if self._problem.contacts > _MOST_CONTACTS:
            yield Stage("gauss-seidel", self._sweeps)
            yield Stage("apgd", 2**40)
            return
        if self._unequal():
            self._sweeps = 0
        yield from super()._stage_by_stage()


def _supported(name: str, problem: ContactProblem) -> bool:
    try:
        check_support(solver_info(name), problem)
    except InputError:
        return False
    return True
