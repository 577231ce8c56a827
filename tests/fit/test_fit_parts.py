"""The parts of a fit by themselves, against formulas."""

from __future__ import annotations

import numpy as np
import pytest
from fit_cases import Simulated, coefficient

from rollcone.fit.calibrate import calibrate
from rollcone.fit.evaluations import Scatter
from rollcone.fit.objective import Objective
from rollcone.fit.problem import FitProblem, Target
from rollcone.fit.surrogate import Surrogate


@pytest.mark.parametrize("log", [False, True])
def test_units_and_back(log):
    rho = coefficient("rho", 1e-4, 1e-2, log=log)
    for value in (1e-4, 3e-4, 5e-3, 1e-2):
        unit = rho.unit(value)
        assert 0 <= unit <= 1
        assert rho.at(np.array(unit)) == pytest.approx(value, rel=1e-12)
        near = rho.at(np.array([unit - 1e-6, unit + 1e-6]))
        if 0 < unit < 1:
            assert rho.slope(unit) == pytest.approx(np.diff(near)[0] / 2e-6, rel=1e-5)
    assert rho.unit(1e-3) == pytest.approx(0.5 if log else 0.0009 / 0.0099)


def test_variances_add_up_where_uncertainties_are_given():
    variance = np.array([0.09, 0.0])
    given = FitProblem([coefficient("x", 0, 1)], [Target("y", [1.0, 2.0], [0.4, 0.1], weight=4.0)])
    objective = Objective.of(given, variance)
    np.testing.assert_allclose(objective.deviation, [0.5, 0.1])
    assert objective.chi2(np.array([2.0, 2.1])) == pytest.approx(4 * (4 + 1))
    unknown = FitProblem([coefficient("x", 0, 1)], [Target("y", [1.0, 2.0])])
    np.testing.assert_allclose(Objective.of(unknown, variance).deviation, 2.0)


def test_scatter_of_runs_and_of_their_means():
    runs = np.random.default_rng(1).normal(0.0, 2.0, (500, 4, 1))
    means = runs.mean(axis=1)
    deviations = (runs - means[:, None]).reshape(-1, 1)
    of_runs = Scatter(deviations, 1500)
    assert of_runs.variance[0] == pytest.approx(4.0, rel=0.1)
    of_means = Scatter(means - means.mean(), 499)
    together = of_means.with_means_of(of_runs, 4)
    assert together.degrees == 1999
    assert together.variance[0] == pytest.approx(1.0, rel=0.08)


def test_a_surrogate_of_a_quadratic_is_exact():
    generator = np.random.default_rng(2)

    def function(u):
        x, y = u[..., 0], u[..., 1]
        return np.stack([1 + 2 * x - y + 3 * x * y - x**2, y**2 - x], axis=-1)

    units = generator.random((20, 2))
    found = Surrogate.through(units, function(units), np.array([0.4, 0.6]), np.array([0.3, 0.5]))
    there = np.array([0.35, 0.7])
    np.testing.assert_allclose(found.values(there)[0], function(there), rtol=1e-10)
    x, y = there
    slopes = [[2 + 3 * y - 2 * x, -1 + 3 * x], [-1.0, 2 * y]]
    np.testing.assert_allclose(found.jacobian(there), slopes, rtol=1e-9)
    target = Target("z", function(there), 0.1)
    problem = FitProblem([coefficient("x", 0, 1), coefficient("y", 0, 1)], [target])
    least = found.least(Objective.of(problem, np.zeros(2)), np.zeros(2), np.ones(2))
    np.testing.assert_allclose(function(least), function(there), atol=1e-6)


def test_the_leverage_is_the_variance_of_a_value():
    generator = np.random.default_rng(3)
    units = generator.random((12, 1))
    there = np.array([0.2])
    noise = generator.normal(0.0, 1.0, (12, 4000))
    found = Surrogate.through(units, noise, np.array([0.5]), np.array([0.5]))
    assert found.values(there)[0].var() == pytest.approx(found.leverage(there), rel=0.08)
    assert found.residual.variance.mean() == pytest.approx(1.0, rel=0.03)


def test_an_error_from_residuals_is_that_of_a_mean():
    """One coefficient that is measured five times, with errors that are not known."""
    measured = np.array([1.1, 0.9, 1.05, 1.3, 0.95])
    problem = FitProblem([coefficient("x", 0.0, 2.0)], [Target("x", measured)])
    found = calibrate(problem, Simulated(lambda x: [x] * 5))
    assert found.value["x"] == pytest.approx(measured.mean(), rel=1e-5)
    error = measured.std(ddof=1) / np.sqrt(5)
    assert found.error["x"] == pytest.approx(error, rel=1e-5)
    low, high = found.interval["x"]
    assert high - low == pytest.approx(2 * 2.776 * error, rel=0.02)  # Student's t, 4 degrees
