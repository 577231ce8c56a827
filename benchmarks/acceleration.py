"""How many all-rolling problems with the exact friction cone are solved, and by which solver.

1,000 random problems of rigid bodies, 125 of each group, all with a solution: they satisfy (35) of
Pang and Trinkle (1996) by construction, the bias being zero or -H g + y with y in the dual cone.
1 to 4 bodies, 1 to 12 contacts, mu from 0.05 to 3. Solved means certified: every condition of the
model holds to 1e-8, measured on the data as given. Redundant: one body with three contacts or more.
Stacks: boxes on their corners under tilted gravity. Wedged: contacts push from all sides, mu > 0.5.
Sliding too: 1,000 more, in which blocks move and others rest, made around an answer drawn first.

The first table is of the driver, `solve_cone`; the second of each solver alone.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from benchmarks.table import Table
from rollcone.analysis.acceleration.cone import (
    ConeAnswer,
    pyramid_forces,
    solve_cone,
    velocity_forces,
)
from rollcone.analysis.acceleration.gauss_newton import gauss_newton
from rollcone.analysis.acceleration.mode_newton import polish
from rollcone.analysis.acceleration.natural_map import follow
from rollcone.analysis.acceleration.problem import BLOCKS, AccelerationProblem
from rollcone.analysis.acceleration.qvi import solve_qvi
from rollcone.analysis.acceleration.scaled import Scaled, scaled

GROUPS = (
    "at rest", "accelerated", "redundant", "planar", "rolling", "mass ratios", "stacks", "wedged",
)  # fmt: skip
COUNT = 1000


def problem(number: int) -> AccelerationProblem:
    """Of the group number % 8."""
    rng = np.random.default_rng(number)
    group = GROUPS[number % len(GROUPS)]
    if group == "stacks":
        return stack(rng)
    d = {"planar": 2, "rolling": int(rng.choice([5, 6]))}.get(group, 3)
    count = 1 if group == "redundant" else int(rng.integers(1, 5))
    contacts = int(rng.integers(3 if group == "redundant" else 1, 13))
    spread = 1e4 if group == "mass ratios" else 10.0
    mass = np.exp(rng.uniform(0.0, np.log(spread), count))
    M, H = bodies(rng, mass, contacts, d, wedged=group == "wedged")
    mu = np.exp(rng.uniform(np.log(0.5 if group == "wedged" else 0.05), np.log(3.0), contacts))
    radii = np.stack([mu, 0.2 * mu * rng.random(contacts), 0.2 * mu * rng.random(contacts)], 1)
    radii = radii[:, : len(BLOCKS[d])]
    g = rng.normal(size=M.shape[0] // count)
    g[1] -= 1.5 * rng.integers(0, 2)  # against most normals, or any way
    f = 9.81 * M @ np.tile(g, count)
    f += rng.normal(size=len(M)) * np.sqrt(np.diagonal(M)) * rng.choice([0.0, 3.0])
    bias = np.zeros((contacts, d))
    if group == "accelerated" or (group in ("redundant", "wedged") and rng.random() < 0.5):
        bias = -H @ rng.normal(size=len(M)) * 5.0 + dual(rng, radii, d)
    return AccelerationProblem(M, H, f, radii, bias=bias)


def made(number: int) -> AccelerationProblem:
    """With sliding contacts as well, of which there is nothing that says that it has a solution: so
    forces and accelerations that obey the law are drawn first, and the bias made to fit."""
    rng = np.random.default_rng(number)
    d = int(rng.choice([2, 3, 3, 6]))
    mass = np.exp(rng.uniform(0.0, np.log(10.0), int(rng.integers(1, 5))))
    c = int(rng.integers(1, 13))
    M, H = bodies(rng, mass, c, d, wedged=False)
    radii = np.exp(rng.uniform(np.log(0.05), np.log(3.0), (c, len(BLOCKS[d]))))
    radii[:, 1:] *= 0.1
    p, a, v = np.zeros((c, d)), np.zeros((c, d)), np.zeros((c, d))
    for i, mode in enumerate(rng.choice(["breaks", "rests", "slides"], c)):
        p[i, 0] = 0.0 if mode == "breaks" else rng.exponential(10.0)
        a[i, 0] = rng.exponential() if mode == "breaks" else 0.0
        for k, own in enumerate(map(list, BLOCKS[d])):
            e = rng.normal(size=len(own))
            e /= np.linalg.norm(e)
            moves, limit = rng.random() < 0.3, radii[i, k] * p[i, 0]
            if moves:
                v[i, own], a[i, own] = rng.exponential() * e, rng.normal(size=len(own))
            elif mode != "rests":
                a[i, own] = rng.exponential() * e
            p[i, own] = -limit * e * (1.0 if moves or mode == "slides" else rng.random())
    f = rng.normal(size=len(M))
    bias = a - H @ np.linalg.solve(M, f + H.reshape(-1, len(M)).T @ p.ravel())
    return AccelerationProblem(M, H, f, radii, velocity=v, bias=bias)


def dual(rng: np.random.Generator, radii: np.ndarray, d: int) -> np.ndarray:
    """y (c, d) with y_n >= sum of radius |y_block|; some of it on the boundary, some zero."""
    y = rng.normal(size=(len(radii), d)) * rng.choice([0.0, 1.0, 10.0], (len(radii), 1))
    need = sum(
        radii[:, k] * np.linalg.norm(y[:, list(rows)], axis=1) for k, rows in enumerate(BLOCKS[d])
    )
    y[:, 0] = need + np.abs(y[:, 0]) * rng.integers(0, 2, len(y))
    return y


def bodies(
    rng: np.random.Generator, mass: np.ndarray, contacts: int, d: int, wedged: bool
) -> tuple[np.ndarray, np.ndarray]:
    """M and H (c, d, n): contacts of random places and normals, with the world or another body."""
    flat = d == 2
    dofs = 3 if flat else 6
    n = dofs * len(mass)
    M, H = np.zeros((n, n)), np.zeros((contacts, d, n))
    for i, m in enumerate(mass):
        here = slice(dofs * i, dofs * i + dofs)
        Q = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        inertia = Q @ np.diag(m * 0.1 * rng.uniform(0.5, 1.0, 3)) @ Q.T
        M[here, here] = np.diag([m, m, 0.1 * m]) if flat else _blocks(m * np.eye(3), inertia)
    for c in range(contacts):
        b = int(rng.integers(len(mass)))
        a = int(rng.integers(-1, len(mass)))  # -1, and b itself: the world
        normal = rng.normal(size=3)
        if not wedged:  # most contacts carry
            normal += np.array([0.0, 1.0, 0.0])
        normal[2] *= not flat
        normal /= np.linalg.norm(normal)
        H[c, :, dofs * b : dofs * b + dofs] += _side(rng, normal, d)
        if a not in (-1, b):
            H[c, :, dofs * a : dofs * a + dofs] -= _side(rng, normal, d)
    return M, H


def _side(rng: np.random.Generator, normal: np.ndarray, d: int) -> np.ndarray:
    """(d, dofs): velocities of a body's point near -normal."""
    arm = -normal + 0.4 * rng.normal(size=3)
    if d == 2:
        axes = np.array([normal[:2], [-normal[1], normal[0]]])
        return np.column_stack([axes, arm[0] * axes[:, 1] - arm[1] * axes[:, 0]])
    helper = np.eye(3)[np.argmin(np.abs(normal))]
    first = np.cross(normal, helper) / np.linalg.norm(np.cross(normal, helper))
    axes = np.array([normal, first, np.cross(normal, first)])
    rows = np.zeros((6, 6))
    rows[:3, :3], rows[:3, 3:] = axes, np.cross(arm, axes)
    rows[3:, 3:] = axes[[1, 2, 0]]
    return rows[:d]


def _blocks(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    zero = np.zeros((3, 3))
    return np.block([[a, zero], [zero, b]])


def stack(rng: np.random.Generator) -> AccelerationProblem:
    """1 to 3 unit boxes on each other, four contacts each, gravity tilted by up to 60 degrees."""
    count = int(rng.integers(1, 4))
    mass = rng.choice([1.0, 2.0, 100.0], count)
    M = np.zeros((6 * count, 6 * count))
    H = np.zeros((4 * count, 3, 6 * count))
    axes = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    for i, m in enumerate(mass):
        M[6 * i : 6 * i + 6, 6 * i : 6 * i + 6] = np.diag([m, m, m, m / 6, m / 6, m / 6])
        for j, (x, y) in enumerate([(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)]):
            for body, z, sign in ((i, -0.5, 1.0), (i - 1, 0.5, -1.0)):
                if body >= 0:
                    arm = np.array([x, y, z])
                    own = slice(6 * body, 6 * body + 6)
                    H[4 * i + j, :, own] = sign * np.hstack([axes, np.cross(arm, axes)])
    tilt, way = np.radians(rng.choice([0.0, 10.0, 30.0, 60.0])), rng.uniform(0.0, 2 * np.pi)
    g = np.array([np.sin(tilt) * np.cos(way), np.sin(tilt) * np.sin(way), -np.cos(tilt)]) * 9.81
    f = M @ np.tile(np.concatenate([g, np.zeros(3)]), count)
    return AccelerationProblem(M, H, f, rng.choice([0.1, 0.3, 0.5, 1.0], 4 * count))


@cache
def answers(make: Callable[[int], AccelerationProblem]) -> list[tuple[ConeAnswer, float]]:
    """The driver's answer and seconds, of each problem."""
    solve_cone(make(0))  # loads what it needs
    found = []
    for number in range(COUNT):
        case = make(number)
        clock = time.perf_counter()
        answer = solve_cone(case)
        found.append((answer, time.perf_counter() - clock))
    return found


def rows() -> Iterator[tuple[str, ...]]:
    for number, group in enumerate(GROUPS):
        yield summary(group, answers(problem)[number :: len(GROUPS)])
    yield summary("all", answers(problem))
    yield summary("sliding too", answers(made))


def summary(group: str, found: list[tuple[ConeAnswer, float]]) -> tuple[str, ...]:
    motions = [answer.motion for answer, _ in found if answer.motion is not None]
    names = Counter(motion.solver for motion in motions)
    return (
        group,
        f"{len(motions)} of {len(found)}",
        ", ".join(f"{name} {number}" for name, number in names.most_common()),
        f"{max((motion.residual for motion in motions), default=0.0):.0e}",
        f"{1e3 * float(np.median([t for _, t in found])):.1f}",
        f"{1e3 * max(t for _, t in found):.0f}",
    )


ALONE: dict[str, Callable[[Scaled], np.ndarray]] = {
    "Lemke's modes, then Newton": lambda form: polish(form, pyramid_forces(form)),
    "Gauss-Newton from zero": lambda form: gauss_newton(form, np.zeros(form.size)),
    "Gauss-Newton from Lemke's answer": lambda form: gauss_newton(form, pyramid_forces(form)),
    "QVI from Lemke's answer": lambda form: solve_qvi(form, pyramid_forces(form)),
    "velocity solver 'newton'": lambda form: polish(form, velocity_forces(form, "newton")),
    "velocity solver 'interior-point'": lambda form: polish(
        form, velocity_forces(form, "interior-point")
    ),
    "velocity solver 'hybrid'": lambda form: polish(form, velocity_forces(form, "hybrid")),
    "path of stiffness": lambda form: follow(form, np.zeros(form.size), "stiffness"),
    "path of friction": lambda form: follow(form, np.zeros(form.size), "friction"),
}


def alone_rows(count: int = COUNT) -> Iterator[tuple[str, ...]]:
    for name, solver in ALONE.items():
        solved, times = Counter[str](), []
        for number in range(count):
            form = scaled(problem(number))
            clock = time.perf_counter()
            x = solver(form)
            times.append(time.perf_counter() - clock)
            group = GROUPS[number % len(GROUPS)]
            solved[group] += form.motion(x, name).certified
        each = tuple(str(solved[group]) for group in GROUPS)
        yield name, f"{solved.total()} of {count}", *each, f"{1e3 * float(np.median(times)):.1f}"


TABLES = [
    Table(
        "Accelerations with the friction cone: problems solved",
        (__doc__ or "").strip(),
        ("group", "solved", "by", "worst residual", "median ms", "most ms"),
        rows,
    ),
    Table(
        "Accelerations with the friction cone: each solver alone",
        "Problems of which its answer is certified, after the modes it ends in were polished.",
        ("solver", "solved", *GROUPS, "median ms"),
        alone_rows,
    ),
]
