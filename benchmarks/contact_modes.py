"""Problems that may have no motion: flagged with a proof, and motions counted.

The wedged and redundant problems of the tables above, 1,000 of each, with a bias drawn at random.
(35) of Pang and Trinkle (1996) fails if there are forces p in the friction cones that cancel out,
H^T p = 0, with b.p < 0. Checked here by plain arithmetic on the data: |H^T p| over the sum of its
terms, p in the cones to rounding, and b.p / (|b|.|p|). That (35) fails does not say that there is
no motion: `solve_cone` looks for one in the first 60 of each. If (36) fails, p being without
friction, there is none.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from benchmarks import acceleration
from benchmarks.table import Table
from rollcone.analysis.acceleration.cone import solve_cone
from rollcone.analysis.acceleration.enumeration import enumerate_motions
from rollcone.analysis.acceleration.existence import existence
from rollcone.analysis.acceleration.problem import AccelerationProblem

COUNT, SEARCHED = 1000, 60


def unbiased(group: str, number: int) -> AccelerationProblem:
    """A problem of that group whose bias nothing makes fit."""
    first = acceleration.GROUPS.index(group)
    made = acceleration.problem(first + len(acceleration.GROUPS) * number)
    rng = np.random.default_rng(number)
    bias = 5.0 * rng.normal(size=made.rows.shape[:2])
    return replace(made, bias=bias)


def proof_errors(problem: AccelerationProblem, p: np.ndarray) -> tuple[float, float, float]:
    """|H^T p| over its terms, how far p is outside the cones, b.p over |b|.|p|: of the raw data."""
    H = problem.rows.reshape(-1, problem.size)
    q = p.ravel()
    imbalance = float(np.max(np.abs(H.T @ q)) / np.max(np.abs(H.T) @ np.abs(q)))
    outside = float(-p[:, 0].min())
    for k, own in enumerate(map(list, problem.blocks)):
        limit = problem.friction[:, k] * p[:, 0]
        outside = max(outside, float((np.linalg.norm(p[:, own], axis=1) - limit).max()))
    b = problem.bias.ravel()
    return imbalance, outside / float(np.abs(p).max()), float(b @ q / (np.abs(b) @ np.abs(q)))


def flag_rows(count: int = COUNT) -> Iterator[tuple[str, ...]]:
    for group in ("wedged", "redundant"):
        fails, undecided, none, errors = 0, 0, 0, [(0.0, 0.0, -1.0)]
        searched, found = 0, 0
        for number in range(count):
            problem = unbiased(group, number)
            answer = existence(problem)
            condition = answer.conditions.get("(35)", answer.conditions["(36)"])
            undecided += condition.verdict == "undecided"
            none += answer.cone == "none"
            if condition.verdict != "fails":
                continue
            fails += 1
            assert condition.forces is not None
            errors.append(proof_errors(problem, condition.forces))
            if answer.cone != "none" and number < SEARCHED:
                searched += 1
                found += solve_cone(problem, attempts=2).certified
        worst = np.max(errors, axis=0)
        yield (
            group, str(count), str(fails), str(undecided), str(none), f"{worst[0]:.0e}",
            f"{max(worst[1], 0.0):.0e}", f"{worst[2]:.0e}", f"{found} of {searched}",
        )  # fmt: skip


def count_rows(sizes: tuple[int, ...] = (1, 2, 4, 6, 8), problems: int = 20) -> Iterator[
    tuple[str, ...]
]:  # fmt: skip
    """Of random problems with so many contacts in space, a third of which slide."""
    for contacts in sizes:
        for model in ("pyramid", "cone"):
            cells, times, verdicts, complete = [], [], {"none": 0, "unique": 0, "several": 0}, 0
            for number in range(problems):
                problem = sliding(contacts, number)
                clock = time.perf_counter()
                found = enumerate_motions(problem, model)
                times.append(time.perf_counter() - clock)
                cells.append(found.cells)
                complete += found.complete
                if found.verdict != "unknown":
                    verdicts[found.verdict] += 1
            yield (
                str(contacts), model, f"{complete} of {problems}",
                ", ".join(str(number) for number in verdicts.values()),
                f"{np.median(cells):.0f}", f"{max(cells)}", f"{np.median(times):.2g}",
                f"{max(times):.2g}",
            )  # fmt: skip


def sliding(contacts: int, number: int) -> AccelerationProblem:
    """Of one or two bodies with contacts anywhere; each slides with probability one third."""
    rng = np.random.default_rng(1000 * contacts + number)
    mass = np.exp(rng.uniform(0.0, np.log(10.0), int(rng.integers(1, 3))))
    M, H = acceleration.bodies(rng, mass, contacts, 3, wedged=False)
    velocity = np.zeros((contacts, 3))
    slips = rng.random(contacts) < 1.0 / 3.0
    velocity[slips, 1:] = rng.normal(size=(int(slips.sum()), 2))
    g = np.tile([0.0, -9.81, 0.0, 0.0, 0.0, 0.0], len(mass))
    mu = np.exp(rng.uniform(np.log(0.1), np.log(2.0), contacts))
    return AccelerationProblem(M, H, M @ g + rng.normal(size=len(M)), mu, velocity=velocity)


TABLES = [
    Table(
        "Accelerations: problems that violate (35)",
        (__doc__ or "").strip(),
        (
            "group", "problems", "(35) fails", "undecided", "(36) fails", "worst imbalance",
            "worst outside", "least work", "motion found all the same",
        ),
        flag_rows,
    ),
    Table(
        "Accelerations: all motions",
        "By enumeration of cells. One or two bodies, contacts in space, a third of them slide.",
        (
            "contacts", "friction", "complete", "none, one, several", "median cells", "most cells",
            "median s", "most s",
        ),
        count_rows,
    ),
]  # fmt: skip
