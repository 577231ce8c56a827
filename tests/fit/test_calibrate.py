"""Fits of closed forms: the answer is known, and so is how it scatters."""

from __future__ import annotations

import re

import numpy as np
import pytest
from fit_cases import (
    SPIN,
    TIMES,
    Simulated,
    ball,
    block_and_ball,
    both,
    coefficient,
    rolling_distance,
    spin_down,
)

import rollcone as rc
from rollcone.fit.calibrate import Options, calibrate
from rollcone.fit.problem import FitProblem, Target


def test_a_stopping_distance_gives_the_coefficient():
    """To the tolerance, in few runs; its error is that of the distance by the slope."""
    for log in (False, True):
        simulated = Simulated(rolling_distance)
        found = calibrate(ball(log=log), simulated)
        assert found.value["rolling"] == pytest.approx(0.04, rel=1e-6)
        slope = rolling_distance(0.04) / 0.04
        assert found.error["rolling"] == pytest.approx(0.05 / slope, rel=0.01)
        assert found.converged
        assert found.warnings == []
        assert found.method == "least-squares"
        assert found.runs == simulated.points <= 25


def test_the_interval_is_that_of_the_profile_likelihood():
    """For one coefficient chi-square is known: the interval ends where the distance is two
    standard deviations off, however bent the curve is."""
    found = calibrate(ball(uncertainty=1.0), Simulated(rolling_distance))
    low, high = found.interval["rolling"]
    far = rolling_distance(0.04)
    assert rolling_distance(low) == pytest.approx(far + 1.96, rel=0.01)
    assert rolling_distance(high) == pytest.approx(far - 1.96, rel=0.01)
    assert high - 0.04 > 1.5 * (0.04 - low)


def test_two_coefficients_from_two_distances():
    for method in ("least-squares", "derivative-free"):
        found = calibrate(block_and_ball(), Simulated(both), Options(method))
        assert found.value["sliding"] == pytest.approx(0.3, rel=1e-6 if method[0] == "l" else 2e-3)
        assert found.value["rolling"] == pytest.approx(0.02, rel=1e-6 if method[0] == "l" else 2e-3)
        assert abs(found.correlation[0, 1]) < 0.05
        assert found.warnings == []


def test_differences_are_one_batch():
    """All points of a derivative are asked for at once."""
    simulated = Simulated(both)
    calibrate(block_and_ball(), simulated)
    assert set(simulated.batches[1:-1]) == {1, 4}


@pytest.mark.parametrize("absolute", [True, False])
def test_coverage_for_a_curve(absolute):
    """Of 95 % intervals for a spin-down with noise: some 95 of 100 contain the truth, and errors
    in units of themselves have a variance of one."""
    off, inside, reduced = [], [], []
    for seed in range(100):
        noise = np.random.default_rng(seed).normal(0.0, 0.3, len(TIMES))
        target = Target("spin", spin_down(0.12) + noise, 0.3 if absolute else None, TIMES)
        problem = FitProblem([coefficient("spinning", 0.01, 0.5, start=0.2)], [target])
        found = calibrate(problem, Simulated(spin_down))
        low, high = found.interval["spinning"]
        inside.append(low <= 0.12 <= high)
        off.append((found.value["spinning"] - 0.12) / found.error["spinning"])
        reduced.append(found.uncertainty.reduced_chi2)
    assert 89 <= sum(inside) <= 99
    assert np.std(off) == pytest.approx(1.0, abs=0.2)
    assert abs(np.mean(off)) < 0.35
    if absolute:
        assert np.mean(reduced) == pytest.approx(1.0, abs=0.1)


def test_coverage_for_two_coefficients_in_a_bent_valley():
    """Of y = a (1 - exp(-k t)) before it levels off, where mostly a k is told. The linear intervals
    and the profile likelihood, whose optimum of a is known, hold the truth in 93 of 100 cases."""
    t = np.linspace(0.0, 1.0, 10)
    inside, profile = [], []
    for seed in range(80):
        measured = 1.0 - np.exp(-t) + np.random.default_rng(13000 + seed).normal(0.0, 0.02, 10)
        problem = FitProblem(
            [coefficient("a", 0.2, 5.0), coefficient("k", 0.1, 5.0)], [Target("y", measured, 0.02)]
        )
        found = calibrate(problem, Simulated(lambda a, k: a * (1.0 - np.exp(-k * t))))
        low, high = found.interval["k"]
        inside.append(low <= 1.0 <= high)
        shape = 1.0 - np.exp(-t)
        a = shape @ measured / (shape @ shape)
        profile.append(
            np.sum(((a * shape - measured) / 0.02) ** 2) <= found.uncertainty.chi2 + 3.84
        )
    assert 70 <= sum(inside) <= 79
    assert abs(sum(inside) - sum(profile)) <= 4


def test_an_interval_holds_a_plateau():
    """y is x rounded down to 0.05: chi-square is 1 from 0.5 to 0.55, 2.25 from there to 0.6, 16
    above and 12.25 below, so that it rises by less than 3.84 from 0.5 to 0.6."""
    problem = FitProblem([coefficient("x", 0.0, 1.0)], [Target("y", 0.52, 0.02)])
    steps = Simulated(lambda x: [np.floor(x / 0.05 + 1e-9) * 0.05])
    low, high = calibrate(problem, steps).interval["x"]
    assert 0.48 < low <= 0.5
    assert 0.6 - 1e-6 <= high < 0.62
    level = Simulated(lambda x: [x if x < 0.5 else 0.5])
    problem = FitProblem([coefficient("x", 0.0, 1.0, start=0.49)], [Target("y", 0.49, 0.02)])
    assert calibrate(problem, level).interval["x"][1] == 1.0


@pytest.mark.parametrize(
    ("scatter", "repeats", "times"),
    [
        (0.05, 3, 25),
        pytest.param(0.05, 3, 200, marks=pytest.mark.slow),
        pytest.param(0.05, 1, 200, marks=pytest.mark.slow),
        pytest.param(0.0, 1, 200, marks=pytest.mark.slow),
    ],
)
def test_coverage_where_runs_scatter(scatter, repeats, times):
    """The uncertainty holds that of the data and of the simulations."""
    inside, off, runs = [], [], []
    for seed in range(times):
        measured = rolling_distance(0.04) + np.random.default_rng(seed).normal(0.0, 0.2)
        simulated = Simulated(rolling_distance, repeats, scatter, seed)
        found = calibrate(
            ball(measured, 0.2), simulated, Options("derivative-free"), repeats=repeats,
            seeded=scatter > 0,
        )  # fmt: skip
        low, high = found.interval["rolling"]
        inside.append(low <= 0.04 <= high)
        off.append((found.value["rolling"] - 0.04) / found.error["rolling"])
        runs.append(found.runs)
        assert found.converged
    assert 0.9 * times - 3 <= sum(inside) <= times
    assert 0.7 < np.std(off) < 1.35
    assert abs(np.mean(off)) < 0.45
    assert np.median(runs) <= 30 * repeats


def test_least_squares_of_what_scatters_is_told():
    shaky = Simulated(rolling_distance, 3, 0.05)
    found = calibrate(ball(), shaky, Options("least-squares"), repeats=3, seeded=True)
    assert any("method = 'derivative-free' averages it" in words for words in found.warnings)


def test_auto_takes_what_suits():
    steady = calibrate(ball(), Simulated(rolling_distance, 3), repeats=3, seeded=True)
    assert steady.method == "least-squares"
    shaky = calibrate(ball(), Simulated(rolling_distance, 3, 0.05), repeats=3, seeded=True)
    assert shaky.method == "derivative-free"
    alone = calibrate(ball(), Simulated(rolling_distance, 1, 0.05), seeded=True)
    assert alone.method == "derivative-free"
    assert any("one seed" in words for words in alone.warnings)


def test_auto_looks_again_where_least_squares_is_stuck():
    """A valley that is none: least squares ends in it, the other method finds the deep one."""

    def two_valleys(x):
        return [np.cos(7 * x) + x]

    problem = FitProblem([coefficient("x", 0.0, 1.0, start=0.4)], [Target("y", 1.5, 0.01)])
    stuck = calibrate(problem, Simulated(two_valleys), Options("least-squares"))
    assert any("cannot be met" in words for words in stuck.warnings)
    found = calibrate(problem, Simulated(two_valleys))
    assert found.fitted["y"][0] == pytest.approx(1.5, abs=0.01)
    assert found.warnings == []


def test_at_the_end_of_a_range():
    """The coefficient is 0.04; the range ends below, or begins above."""
    for low, high, end, words in ((0.001, 0.03, 0.03, "more"), (0.05, 0.2, 0.05, "less")):
        for method in ("least-squares", "derivative-free"):
            found = calibrate(
                ball(low=low, high=high), Simulated(rolling_distance), Options(method)
            )
            assert found.value["rolling"] == pytest.approx(end, rel=1e-9)
            assert np.isnan(found.error["rolling"])
            told = " ".join(found.warnings)
            assert f"at the end of its range, {end:g}: the targets ask for {words}" in told
            assert "cannot be met" in told


def test_zero_is_found_at_the_end():
    """No rolling friction: the true value is the lower end, and the interval says how much it may
    be."""
    problem = FitProblem(
        [coefficient("rolling", 0.0, 0.1)], [Target("speed", [2.49, 2.51, 2.5], 0.05)]
    )
    found = calibrate(problem, Simulated(lambda rho: [2.5 - 10 * rho] * 3))
    assert found.value["rolling"] == pytest.approx(0.0, abs=1e-6)
    low, high = found.interval["rolling"]
    assert low == 0.0
    assert high == pytest.approx(1.645 * 0.05 / 10 / np.sqrt(3), rel=0.25)


def test_what_the_targets_do_not_tell():
    """One of two coefficients has no part in what is measured; or only their product has."""
    parameters = [coefficient("sliding", 0.1, 1.0), coefficient("rolling", 0.001, 0.2)]
    targets = [Target("a", rolling_distance(0.04), 0.05), Target("b", 0.04, 0.001)]
    for function, blurred in (
        (lambda mu, rho: [rolling_distance(rho), rho], ["sliding"]),
        (lambda mu, rho: [rolling_distance(2 * mu * rho), 2 * mu * rho], ["sliding", "rolling"]),
    ):
        for method in ("least-squares", "derivative-free"):
            found = calibrate(FitProblem(parameters, targets), Simulated(function), Options(method))
            told = [words for words in found.warnings if "not determined" in words]
            assert [words.split()[0] for words in told] == blurred, (method, found.warnings)
            for name in blurred:
                assert not found.error[name] < 0.2


def test_coefficients_that_are_hardly_told_apart():
    problem = FitProblem(
        [coefficient("a", 0.0, 1.0), coefficient("b", 0.0, 1.0)],
        [Target("y", [0.9, 0.9, 0.91], 0.001)],
    )
    sums = Simulated(lambda a, b: [a + b, a + b, a + 1.02 * b])
    found = calibrate(problem, sums)
    assert any("hardly told apart (correlation -" in words for words in found.warnings)
    assert found.value["a"] == pytest.approx(0.4, abs=1e-4)


def test_targets_that_contradict_each_other():
    problem = FitProblem(
        [coefficient("rolling", 0.001, 0.2)],
        [
            Target("one", rolling_distance(0.04), 0.05),
            Target("two", rolling_distance(0.05), 0.05),
        ],
    )
    twice = Simulated(lambda rho: [rolling_distance(rho)] * 2)
    found = calibrate(problem, twice)
    (told,) = (words for words in found.warnings if "cannot be met" in words)
    assert "1 degree of freedom" in told
    middle = (rolling_distance(0.04) + rolling_distance(0.05)) / 2
    assert found.fitted["one"][0] == pytest.approx(middle, rel=1e-4)
    assert found.uncertainty.chi2 == pytest.approx(
        2 * ((middle - rolling_distance(0.04)) / 0.05) ** 2, rel=1e-3
    )


def test_weights_choose_and_the_error_knows():
    """Of two measurements of one thing the heavier is matched; its own error remains."""
    targets = [Target("one", 1.0, 0.1, weight=1e6), Target("two", 1.3, 0.1)]
    problem = FitProblem([coefficient("x", 0.0, 2.0)], targets)
    found = calibrate(problem, Simulated(lambda x: [x, x]))
    assert found.value["x"] == pytest.approx(1.0, abs=1e-5)
    assert found.error["x"] == pytest.approx(0.1, rel=1e-3)
    even = FitProblem([coefficient("x", 0.0, 2.0)], [Target("both", [1.0, 1.3], 0.1)])
    mean = calibrate(even, Simulated(lambda x: [x, x]))
    assert mean.value["x"] == pytest.approx(1.15, abs=1e-5)
    assert mean.error["x"] == pytest.approx(0.1 / np.sqrt(2), rel=1e-3)


def test_runs_that_fail():
    """Below a coefficient the ball does not stop in time; the fit goes on and tells."""
    for method in ("least-squares", "derivative-free"):
        simulated = Simulated(rolling_distance, fails=lambda rho: rho < 0.035)
        found = calibrate(ball(), simulated, Options(method))
        assert found.value["rolling"] == pytest.approx(0.04, rel=1e-6 if method[0] == "l" else 0.01)
        assert found.failed > 0
        told = " ".join(found.warnings)
        edge = re.search(r"failed \(no value up to rolling = (\S+), values from (\S+) on\)", told)
        assert edge is not None
        assert float(edge[1]) < 0.035 <= float(edge[2])
        assert "; the first: it does not stop" in told
    seldom = Simulated(rolling_distance, fails=lambda rho: not 0.09 < rho < 0.12)
    found = calibrate(ball(), seldom, Options("derivative-free"))
    assert any("most runs near the best fail" in words for words in found.warnings)
    never = Simulated(rolling_distance, fails=lambda rho: True)
    for method in ("least-squares", "derivative-free", "auto"):
        with pytest.raises(rc.SimulationError, match=r"none of .* runs .* it does not stop"):
            calibrate(ball(), never, Options(method))


def test_the_budget_is_kept_and_told():
    for method in ("least-squares", "derivative-free"):
        for budget in (1, 7, 12):
            found = calibrate(block_and_ball(), Simulated(both), Options(method, budget=budget))
            assert not found.converged
            assert any(f"budget of {budget} runs" in words for words in found.warnings)
            assert found.runs <= budget + 5  # those of the uncertainty
    with pytest.raises(rc.InputError, match="budget = 2: must be at least repeats = 3"):
        calibrate(ball(), Simulated(rolling_distance, 3), Options(budget=2), repeats=3)


def test_scatter_beyond_the_uncertainty_is_told():
    found = calibrate(
        ball(uncertainty=0.001), Simulated(rolling_distance, 3, 0.1), repeats=3, seeded=True
    )
    assert any("scatter more than the uncertainty given" in words for words in found.warnings)


def test_without_uncertainty():
    found = calibrate(ball(uncertainty=None), Simulated(rolling_distance))
    assert found.value["rolling"] == pytest.approx(0.04, rel=1e-6)
    assert any("no uncertainty is given and none" in words for words in found.warnings)
    curve = FitProblem(
        [coefficient("spinning", 0.01, 0.5)], [Target("spin", spin_down(0.12), None, TIMES)]
    )
    exact = calibrate(curve, Simulated(spin_down))
    assert exact.value["spinning"] == pytest.approx(0.12, rel=1e-6)
    assert exact.error["spinning"] < 1e-6 * SPIN
    assert any("taken from the residuals" in words for words in exact.warnings)


def test_facts_are_plain():
    import json

    found = calibrate(ball(), Simulated(rolling_distance))
    facts = found.facts()
    assert json.loads(json.dumps(facts))["runs"] == found.runs
    assert facts["parameters"][0]["interval"] == list(found.interval["rolling"])
    assert len(found.trace[0]) == len(found.trace[2]) == found.runs
