"""What methods share that move all reactions at once: y = W p + q, then one projected step."""

from __future__ import annotations

import math

import numpy as np

from rollcone._check import FloatArray
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.kernels.linear import dot
from rollcone.solvers.kernels import sweeps as _kernels
from rollcone.solvers.progress import Goal
from rollcone.solvers.scaled import ScaledProblem


class FirstOrder:
    """Scaled reactions p (N,) with their velocities y (N,); subclasses say how to advance, and
    in which scales, unless in the usual ones."""

    stalled = ""

    def __init__(self, problem: ContactProblem, scaled: ScaledProblem | None = None) -> None:
        self.scaled = scaled or ScaledProblem(problem)
        self.velocities = self.scaled.velocity_map().velocities
        self.goal = Goal(self.scaled.drive)
        self.p = np.zeros(problem.size)
        self.y = np.zeros(problem.size)
        self.done = 0

    def start(self, p: FloatArray) -> None:
        """Begin at the admissible reactions next to p."""
        inside = self.step(self.scaled.enter(p), np.zeros(len(p)), 0.0)
        self.move(inside, self.velocities(inside))

    def move(self, p: FloatArray, y: FloatArray) -> None:
        """Take the reactions p with the velocities y for the current ones."""
        self.p, self.y = p, y

    def reactions(self) -> FloatArray:
        return self.scaled.leave(self.p)

    def advance(self, count: int, tolerance: float) -> int:
        """At most `count` iterations, fewer once the error seems small enough."""
        before = self.done
        self.goal.set(tolerance)
        for _ in range(count):
            error = self.iterate()
            self.done += 1
            if self.goal.met_by(error):
                break
        return self.done - before

    def iterate(self) -> float:
        """One iteration; returns an estimate of the error."""
        raise NotImplementedError

    def step(self, p: FloatArray, y: FloatArray, length: float, *, sets: bool = True) -> FloatArray:
        """The projection of p - length y: on the cone, or under the exact law set by set."""
        scaled = self.scaled
        out = np.empty_like(p)
        contacts, lines = scaled.problem.split(out)
        _kernels.step_contacts(
            scaled.rows,
            scaled.exact and sets,
            scaled.kinds,
            scaled.radii,
            length,
            scaled.problem.split(y)[0],
            scaled.problem.split(p)[0],
            contacts,
        )
        if len(lines):
            cut = len(out) - len(lines)
            free = p[cut:] - length * y[cut:]
            np.clip(free, scaled.bounds[:, 0], scaled.bounds[:, 1], out=lines)
        return out


def norm(x: FloatArray) -> float:
    return math.sqrt(dot(x, x))
