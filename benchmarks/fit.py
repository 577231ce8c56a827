"""Runs that fits need, by method, and how far off they end. What is simulated are closed forms (a
ball that rolls to a stop, a block that slides, a ball that spins down), with the scatter of repeats
where the table says so; measured values are drawn anew 40 times. `off` is the root mean square of
what the coefficients are off, in units of the error that the measured values alone would leave: 1
is all that can be had. `within` is how often the 95 % interval holds the truth. Differential
evolution and Nelder and Mead's simplex are SciPy's on chi-square, stopped at 300 points; they tell
no interval."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from scipy import optimize

from rollcone.fit.calibrate import Options, calibrate
from rollcone.fit.evaluations import Answers, BudgetSpentError, Evaluations
from rollcone.fit.objective import Objective
from rollcone.fit.problem import Coefficient, FitProblem, Target

G, R, SPEED, SPIN = 9.81, 0.5, 2.5, 20.0
TIMES = np.linspace(0.0, 2.0, 21)
HEADER = ("problem", "method", "runs, median", "most", "off", "within")
DRAWS, POINTS = 40, 300


def roll(rho):
    return [0.7 * R * SPEED**2 / (rho * G)]


def slide_and_roll(mu, rho):
    return [SPEED**2 / (2 * mu * G), *roll(rho)]


def spin_down(sigma):
    return np.maximum(SPIN - sigma * TIMES * G / (0.4 * R**2), 0.0)


class Case:
    """A problem with a known answer."""

    def __init__(self, name, function, truth, ranges, deviation, repeats=1, scatter=0.0):
        self.name, self.function, self.truth = name, function, np.array(truth)
        self.repeats, self.scatter = repeats, scatter
        self.coefficients = [
            Coefficient(str(k), ("a.b",), low=low, high=high)
            for k, (low, high) in enumerate(ranges)
        ]
        self.exact = np.array(function(*truth))
        self.deviation = np.broadcast_to(deviation, self.exact.shape)

    def problem(self, generator: np.random.Generator) -> FitProblem:
        measured = self.exact + self.deviation * generator.standard_normal(self.exact.shape)
        return FitProblem(self.coefficients, [Target("y", measured, self.deviation)])

    def evaluate(self, generator: np.random.Generator) -> Callable[[np.ndarray], Answers]:
        def simulate(points):
            exact = np.array([self.function(*point) for point in points])[:, None]
            noise = generator.standard_normal((len(points), self.repeats, exact.shape[2]))
            return Answers(exact * (1 + self.scatter * noise))

        return simulate

    @property
    def ideal(self) -> np.ndarray:
        """Errors that the measured values alone leave."""
        steps = 1e-6 * self.truth
        slopes = [
            (np.array(self.function(*(self.truth + step))) - self.exact) / step.max()
            for step in np.diag(steps)
        ]
        J = np.array(slopes).T / self.deviation[:, None]
        return np.sqrt(np.diag(np.linalg.inv(J.T @ J)))


CASES = (
    Case("ball", roll, [0.04], [(0.001, 0.2)], 0.2),
    Case("spin-down, 21 points", spin_down, [0.12], [(0.01, 0.5)], 0.3),
    Case("block and ball", slide_and_roll, [0.3, 0.02], [(0.05, 1), (0.005, 0.1)], [0.03, 0.3]),
    Case("ball, scatter 5 %", roll, [0.04], [(0.001, 0.2)], 0.2, 3, 0.05),
    Case(
        "block and ball, scatter 5 %",
        slide_and_roll, [0.3, 0.02], [(0.05, 1), (0.005, 0.1)], [0.03, 0.3], 3, 0.05,
    ),
)  # fmt: skip


def ours(case: Case, seed: int, method: str) -> tuple[int, np.ndarray, list[bool]]:
    generator = np.random.default_rng(seed)
    problem = case.problem(generator)
    found = calibrate(
        problem, case.evaluate(generator), Options(method, budget=POINTS * case.repeats),
        repeats=case.repeats, seeded=case.scatter > 0,
    )  # fmt: skip
    ends = found.interval.values()
    inside = [low <= x <= high for (low, high), x in zip(ends, case.truth, strict=True)]
    return found.runs, np.array(list(found.value.values())), inside


def theirs(case: Case, seed: int, method: str) -> tuple[int, np.ndarray, list[bool]]:
    """The point of the least chi-square that SciPy's method came upon."""
    generator = np.random.default_rng(seed)
    problem = case.problem(generator)
    runs = Evaluations(
        problem, case.evaluate(generator), case.repeats, POINTS * case.repeats, case.scatter > 0
    )
    noise = (case.scatter * case.exact) ** 2 / case.repeats
    objective = Objective.of(problem, noise)

    def chi2(units):
        return objective.chi2(runs.at(units)[0])

    n = len(case.truth)
    try:
        if method == "differential evolution":
            optimize.differential_evolution(chi2, [(0, 1)] * n, popsize=8, rng=seed, polish=False)
        else:
            optimize.minimize(chi2, np.full(n, 0.5), method="Nelder-Mead", bounds=[(0, 1)] * n)
    except BudgetSpentError:
        pass
    best = runs.units[np.argmin(objective.chi2(runs.values))]
    return runs.runs, problem.values(best), []


def table() -> Iterator[tuple[str, ...]]:
    for case in CASES:
        for run, method in (
            (ours, "least-squares"),
            (ours, "derivative-free"),
            (theirs, "differential evolution"),
            (theirs, "Nelder and Mead"),
        ):
            found = [run(case, seed, method) for seed in range(DRAWS)]
            runs = np.array([one[0] for one in found])
            off = np.array([(one[1] - case.truth) / case.ideal for one in found])
            inside = [yes for one in found for yes in one[2]]
            yield (
                case.name,
                method,
                f"{np.median(runs):.0f}",
                f"{runs.max()}",
                f"{np.sqrt((off**2).mean()):.2f}",
                f"{100 * np.mean(inside):.0f} %" if inside else "",
            )
