"""Bounded mixed complementarity problems: what a solve costs, in sparse factorisations.

A lattice: 10 x 10 x 10 cells between two bounds, each coupled to its 26 neighbours, with a drift
that makes M unsymmetric; a P matrix. Contacts: 27 bodies with six degrees of freedom and 864
places where they may touch, in saddle-point form [M -H^T; H C] with free velocities and a small
compliance; jammed are those with almost as many closed contacts as degrees of freedom. The share
of variables at a bound and the basis (the others) are those of the solution.

One factorisation is SuperLU's (scipy's `splu`) of the final basis matrix, in the same run; times
of solves are ratios to it, the best of nine each. Cold: nothing is known. Warm: from the solution
of the problem before q was changed by 0.3 % of its spread, about what a time step does. In brackets
pivots, factorisations and updates of a factor. Scaling, sweeps to begin with and the residual on
the raw data are part of a solve; the checks of the data, when the problem is made, are not.

The aim is ten factorisations for a cold solve. A fixed cost of 0.8 ms or so, most of it Python,
makes ratios larger where one factorisation takes a fifth of that. The problems were chosen by us,
and the sweeps were tuned on them: others may take more.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from benchmarks.table import Table
from rollcone.lcp import MLCP, LcpSolution, solve

REPEATS = 9


def lattice(edge: int) -> MLCP:
    """-div grad u + drift on a cube of edge^3 cells by linear elements, between 0 and a half."""
    ones = np.ones(edge - 1)
    slope = sparse.diags_array([-1.1 * ones, 2.1 * np.ones(edge), -ones], offsets=[-1, 0, 1])
    mean = sparse.diags_array([ones, 4 * np.ones(edge), ones], offsets=[-1, 0, 1]) / 6
    kinds = [[slope if a == b else mean for b in range(3)] for a in range(3)]
    M = sum(sparse.kron(sparse.kron(x, y), z) for x, y, z in kinds)
    x = np.linspace(0, 1, edge)
    bump = np.sin(np.pi * x)
    load = np.einsum("i,j,k->ijk", bump, bump, bump).reshape(-1)
    noise = np.random.default_rng(0).normal(size=edge**3)
    return MLCP(M, 0.48 - load + 0.02 * noise, 0.0, 0.5)


def contacts(width: int, each: int, gap: float) -> MLCP:
    """width^3 bodies pulled together; `each` places where a pair of neighbours may touch, with
    gaps of up to `gap` (over a time step)."""
    rng = np.random.default_rng(1)
    grid = np.stack(np.meshgrid(*[np.arange(width)] * 3, indexing="ij"), -1).reshape(-1, 3)
    rows, columns, entries = [], [], []
    count = 0
    for i, j in zip(*np.nonzero(np.abs(grid[:, None] - grid).sum(-1) == 1), strict=True):
        for _ in range(each if i < j else 0):
            normal = grid[j] - grid[i] + 0.3 * rng.normal(size=3)
            normal /= np.linalg.norm(normal)
            for body, sign in ((i, -1.0), (j, 1.0)):
                arm = -0.5 * sign * (grid[j] - grid[i]) + 0.3 * rng.normal(size=3)
                entries.append(np.concatenate([sign * normal, sign * np.cross(arm, normal)]))
                rows.append(np.full(6, count))
                columns.append(6 * body + np.arange(6))
            count += 1
    place = (np.concatenate(rows), np.concatenate(columns))
    velocities = 6 * len(grid)
    H = sparse.csr_array((np.concatenate(entries), place), (count, velocities))
    mass = np.tile([1.0, 1.0, 1.0, 0.1, 0.1, 0.1], len(grid))
    C = 1e-2 * sparse.eye_array(count)
    M = sparse.block_array([[sparse.diags_array(mass), -H.T], [H, C]])
    pull = np.zeros((len(grid), 6))
    pull[:, :3] = (width - 1) / 2 - grid
    gaps = gap * rng.random(count)
    q = np.concatenate([-mass * pull.reshape(-1), gaps])
    return MLCP(M, q, np.append(np.full(velocities, -np.inf), np.zeros(count)))


def problems(edge: int, width: int, each: int) -> Iterator[tuple[str, MLCP]]:
    yield "lattice", lattice(edge)
    yield "contacts", contacts(width, each, 16.0)
    yield "contacts, jammed", contacts(width, each, 0.6)


def changed(problem: MLCP) -> MLCP:
    """The next step."""
    noise = np.random.default_rng(2).normal(size=problem.size)
    q = problem.q + 0.003 * np.ptp(problem.q) * noise
    return MLCP(problem.M, q, problem.lower, problem.upper)


def best(task: Callable[[MLCP], object], problem: MLCP) -> float:
    """Seconds; each time on a problem that has nothing in its caches."""
    times = []
    for _ in range(REPEATS):
        fresh = MLCP(problem.M, problem.q, problem.lower, problem.upper)
        clock = time.perf_counter()
        task(fresh)
        times.append(time.perf_counter() - clock)
    return min(times)


def factorisation(problem: MLCP, solution: LcpSolution) -> tuple[int, float]:
    """The size of the basis, and seconds for one factor."""
    F = np.flatnonzero(solution.basis == 0)
    K = sparse.csc_array(problem.M[F][:, F])
    return F.size, best(lambda _: splu(K), problem)


def counts(solution: LcpSolution) -> str:
    assert solution.solved, solution.message
    return f"({solution.iterations}, {solution.factorisations}, {solution.updates})"


def pivoting_rows(sizes: tuple[int, int, int] = (10, 3, 16)) -> Iterator[tuple[str, ...]]:
    for name, problem in problems(*sizes):
        first = solve(problem)
        following = changed(problem)
        cold, warm = counts(first), counts(solve(following, start=first))
        basis, one = factorisation(problem, first)
        times = (
            best(solve, problem),
            best(lambda fresh, first=first: solve(fresh, start=first), following),
        )
        yield (
            name,
            str(problem.size),
            str(problem.M.nnz),
            f"{100 * (1 - basis / problem.size):.0f} %",
            str(basis),
            f"{1e3 * one:.2f}",
            f"{times[0] / one:.1f} {cold}",
            f"{times[1] / one:.1f} {warm}",
        )


def solver_rows(sizes: tuple[int, int, int] = (6, 2, 10)) -> Iterator[tuple[str, ...]]:
    for name, problem in problems(*sizes):
        one = best(solve, problem)
        cells = []
        for solver in ("lemke", "newton", "sor"):
            if solver == "sor" and problem.free.any():
                cells.append("no diagonal")
                continue
            found = solve(problem, solver)
            assert found.solved, found.message
            ratio = best(lambda fresh, solver=solver: solve(fresh, solver), problem) / one
            cells.append(f"{ratio:.1f} ({found.iterations})")
        yield (name, str(problem.size), f"{1e3 * one:.2f}", *cells)


TABLES = [
    Table(
        "Complementarity problems by pivoting",
        (__doc__ or "").strip(),
        ("problem", "n", "entries", "at a bound", "basis", "one factor, ms", "cold", "warm"),
        pivoting_rows,
    ),
    Table(
        "Complementarity problems by other methods",
        "Times as multiples of that by pivoting; in brackets pivots, Newton steps or sweeps.",
        ("problem", "n", "pivoting, ms", "lemke", "newton", "sor"),
        solver_rows,
    ),
]
