"""Positions moved back to where nothing overlaps, velocities untouched (Le Saux, Leine and
Glocker 2005, section 3.3).

    minimise dx.M dx / 2  subject to  gap + N dx >= 0

over all contacts that touch, repeated at the new positions while something overlaps. The
paper asks gap = 0 of the contacts that overlap; the inequality, over all that touch, does not pull
bodies together where they part, nor push one contact in to free another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rollcone.analysis.energy import potential
from rollcone.collision.detect import TOUCH, Detector
from rollcone.mechanics import _motion_kernels
from rollcone.solvers.driver import run_solver
from rollcone.solvers.registry import make_options, solver_info
from rollcone.stepping import _contact_kernels
from rollcone.stepping.problem import pair_problem
from rollcone.stepping.room import Room

if TYPE_CHECKING:
    from rollcone.stepping.step import Step

_ROUNDS, _TOLERANCE, _SWEEPS = 5, 1e-6, 500
_ROWS = (0, 0, 0)


class Projection:
    """Its own detector and arrays; `apply` after a step."""

    def __init__(self) -> None:
        self._detector = Detector()
        self._room = Room()
        self._solver = solver_info("gauss-seidel")
        self._options = make_options(self._solver, {})

    def apply(self, step: Step) -> float:
        """Moves the bodies of the step's world; returns what that did to the potential energy."""
        before = potential(step.world)
        moved = False
        for _ in range(_ROUNDS):
            if not self._move_apart(step):
                break
            moved = True
        return potential(step.world) - before if moved else 0.0

    def _move_apart(self, step: Step) -> bool:
        state, n, room = step.world.state, len(step.world.state), self._room
        zero = room("zero", (n, 3))
        found = self._detector.detect(state, zero, zero, 0.0, room("margin", (n,)))
        c = len(found)
        least = state.size.min(axis=1)[found.bodies].min(axis=1)
        if not np.any(found.gap < -TOUCH * least):
            return False
        frames = room("frames", (c, 3, 3))
        _contact_kernels.contact_frames(found.normal, frames)
        movers, b = room("movers", (c, 2), np.int64), room("b", (c, 3))
        _contact_kernels.contact_offsets(
            _ROWS, found.bodies, state.kind, frames, found.arms, zero, zero, movers, b
        )
        b[:, 0] = found.gap
        radii = room("radii", (c, 5))  # no friction
        inverse = step.space.motion.inverse
        problem = pair_problem(movers, frames, found.arms, b, radii, inverse, zero, zero)
        outcome = run_solver(
            problem, self._solver, self._options, np.zeros(3 * c), _TOLERANCE, _SWEEPS
        )
        dx, turn = room("dx", (n, 3)), room("turn", (n, 3))
        force, moment = room("force", (c, 3)), room("moment", (c, 3))
        _contact_kernels.reactions_to_world(_ROWS, frames, outcome.p.reshape(c, 3), force, moment)
        none = room("none", (0, 3))
        _contact_kernels.apply_reactions(
            movers, found.arms, force, moment, inverse, zero, zero, none, none, dx, turn
        )
        theta = room("theta", (n,))
        theta[:] = 1.0
        mean, mean_turn = room("mean", (n, 3)), room("mean_turn", (n, 3))
        _motion_kernels.move(
            1.0, theta, state.kind, state.inertia, state.position, state.orientation, zero, zero,
            dx, turn, zero, zero, mean, mean_turn,
        )  # fmt: skip
        return True
