"""Contact problems as a time step has them: random bodies, frames and arms."""

from dataclasses import dataclass

import numpy as np

from rollcone._together import together
from rollcone.problem.contact_problem import ContactProblem
from rollcone.solvers.kernels.cell_solver import solve_cells
from rollcone.solvers.kernels.cell_work import cell_work
from rollcone.stepping.kernels.contact import contact_frames
from rollcone.stepping.problem import pair_problem


@dataclass
class Case:
    """Arrays of kernels/work.py."""

    movers: np.ndarray
    frames: np.ndarray
    arms: np.ndarray
    b: np.ndarray
    radii: np.ndarray
    speeds: np.ndarray
    v_free: np.ndarray
    w_free: np.ndarray
    inverse: np.ndarray
    position: np.ndarray
    size: np.ndarray

    def problem(self, law: str = "exact") -> ContactProblem:
        """The same for solvers outside of the step."""
        return pair_problem(
            self.movers, self.frames, self.arms, self.b, self.radii, self.inverse, self.v_free,
            self.w_free, law,
        )  # fmt: skip

    def solve(self, law="exact", tolerance=1e-8, most=20000, start=None, threads=1, work=None):
        """Status, sweeps, residual, speed, and the reactions."""
        c, d = self.b.shape
        p = np.zeros((c, d)) if start is None else start.copy()
        turns = bool(np.any(self.inverse[:, 4:]) or np.any(np.ptp(self.inverse[:, 1:4], axis=1)))
        found = together(
            solve_cells, d, law == "exact", self.movers, self.frames, self.arms, self.b,
            self.radii, np.arange(c, dtype=np.int32), np.zeros((0, 13)),
            np.zeros((0, 2), np.int64),
            self.speeds, self.v_free, self.w_free, self.inverse, self.position, self.size, True,
            tolerance, 0.0, 1, most, p,
            work or cell_work(c, len(self.inverse), d, turns), at_most=threads,
        )  # fmt: skip
        return *found, p


def random_case(seed, bodies=12, contacts=20, rows=6, straight=False, hub=False) -> Case:
    """Each body has a contact below it, so that what comes can be held."""
    random = np.random.default_rng(seed)
    n = bodies
    pairs = np.sort(random.integers(0, n + 1, (contacts, 2)), axis=1)
    if hub:
        pairs[:, 0] = 0
    pairs[pairs[:, 0] == pairs[:, 1], 1] = n
    pairs[pairs[:, 0] == n, 0] = 0
    normal = random.normal(size=(contacts, 3))
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    frames = np.zeros((contacts, 3, 3))
    contact_frames(normal, frames)
    arms = 0.1 * random.normal(size=(contacts, 6))
    inverse = np.zeros((n, 7))
    inverse[:, 0] = random.uniform(0.5, 2.0, n)
    turn = random.uniform(50.0, 200.0, n)
    inverse[:, 1:4] = turn[:, None]
    if straight:
        arms = np.hstack([0.1 * normal, -0.07 * normal])
    else:
        for k in range(n):
            root = random.normal(size=(3, 3))
            full = 20.0 * (root @ root.T) + turn[k] * np.eye(3)
            inverse[k, 1:] = full[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    radii = np.repeat(random.uniform(0.0, 0.8, (contacts, 3)), (2, 2, 1), axis=1)
    radii[:, 2:] *= 0.05 if rows == 6 else 0.0
    v, w = random.normal(size=(n, 3)), random.normal(size=(n, 3))
    b = np.zeros((contacts, rows))
    b[:, 0] = random.uniform(0.0, 0.5, contacts)
    speeds = random.uniform(0.5, 2.0, contacts)
    position = random.uniform(-1.0, 1.0, (n, 3))
    return Case(
        pairs.astype(np.int32),
        frames,
        arms,
        b,
        radii,
        speeds,
        v,
        w,
        inverse,
        position,
        np.full((n, 3), 0.1),
    )
