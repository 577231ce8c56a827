"""Fits of Python functions."""

from __future__ import annotations

import re

import numpy as np
import pytest
from fit_cases import TIMES, rolling_distance, spin_down

import rollcone as rc
from rollcone.fit.seeds import run_seed


def simulate(values, seed):
    noise = np.random.default_rng(seed)
    return {"distance": rolling_distance(values["rolling"]) * (1 + 0.02 * noise.normal())}


def test_values_and_curves():
    found = rc.fit_function(
        lambda values, seed: {
            "distance": rolling_distance(values["rolling"]),
            "spin": spin_down(values["spinning"]),
        },
        {"rolling": (0.001, 0.2), "spinning": (0.01, 0.5)},
        {"distance": (rolling_distance(0.04), 0.05), "spin": (spin_down(0.12), 0.3)},
    )
    assert found.value["rolling"] == pytest.approx(0.04, rel=1e-5)
    assert found.value["spinning"] == pytest.approx(0.12, rel=1e-5)
    assert len(found.fitted["spin"]) == len(TIMES)
    assert found.warnings == []


def test_repeats_scatter():
    target = {"distance": (rolling_distance(0.04), 0.1)}
    found = rc.fit_function(simulate, {"rolling": (0.02, 0.1)}, target, repeats=4)
    assert found.method == "derivative-free"
    low, high = found.interval["rolling"]
    assert low < 0.04 < high
    assert found.uncertainty.simulated[0] > 0


def test_coverage_where_the_function_draws_by_its_seed_alone():
    """Draws depend on nothing but the seed. Were it the same at all points, all of them would be
    off alike, and intervals would hold the truth in 3 of 4 cases."""
    inside = []
    for number in range(30):
        measured = rolling_distance(0.04) + np.random.default_rng(number).normal(0.0, 0.07)

        def simulated(values, seed, number=number):
            noise = np.random.default_rng([number, seed]).normal()
            return {"distance": rolling_distance(values["rolling"]) * (1 + 0.05 * noise)}

        found = rc.fit_function(
            simulated, {"rolling": (0.02, 0.1)}, {"distance": (measured, 0.07)}, repeats=3
        )
        low, high = found.interval["rolling"]
        inside.append(low <= 0.04 <= high)
    assert sum(inside) >= 26


def test_seeds_are_the_same_everywhere():
    """Runs are found again by them; this one is the hash as it is on any machine."""
    assert run_seed([0.04, 0.3], 0) == 550324788
    assert len({run_seed([x], k) for x in (0.1, 0.2, 0.3) for k in range(3)}) == 9
    given = []
    rc.fit_function(
        lambda values, seed: given.append(seed) or {"y": values["x"]}, {"x": (0.0, 1.0)},
        {"y": (0.5, 0.1)}, repeats=2, budget=8,
    )  # fmt: skip
    assert len(set(given)) == len(given) > 8


def test_runs_that_fail_and_errors_of_the_function():
    def stops_late(values, seed):
        if values["rolling"] < 0.03:
            raise rc.SimulationError("it rolls on")
        return {"distance": rolling_distance(values["rolling"])}

    ranges, target = {"rolling": (0.001, 0.2)}, {"distance": (rolling_distance(0.04), 0.05)}
    found = rc.fit_function(stops_late, ranges, target)
    assert found.value["rolling"] == pytest.approx(0.04, rel=1e-5)
    assert any("it rolls on" in words for words in found.warnings)
    with pytest.raises(ZeroDivisionError):  # a mistake is no failed run
        rc.fit_function(lambda values, seed: 1 / 0, ranges, target)


def stops_in_time(values, repeat):
    """How far a block slides at 1 m/s; no value if it still slides after a second."""
    sliding = values["sliding"]
    return {"distance": 1 / (2 * sliding * 9.81) if sliding * 9.81 >= 1.0 else np.nan}


@pytest.mark.parametrize("method", ["auto", "least-squares", "derivative-free"])
def test_targets_that_lead_to_where_there_is_no_value(method):
    """No block slides farther than 0.5 m: not converged, at the edge, and where that is."""
    asked = []

    def simulate(values, repeat):
        asked.append(values["sliding"])
        return stops_in_time(values, repeat)

    ranges = {"sliding": (0.01, 0.9)}
    found = rc.fit_function(simulate, ranges, {"distance": (5.0, 0.002)}, method=method)
    assert not found.converged
    assert found.value["sliding"] in asked
    assert found.value["sliding"] == pytest.approx(1 / 9.81, abs=0.001)
    assert found.fitted["distance"][0] == stops_in_time(found.value, 0)["distance"]
    assert found.error["sliding"] == np.inf
    assert found.runs <= 80
    told = " ".join(found.warnings)
    edge = re.search(r"no value up to sliding = (\S+), values from (\S+) on; let runs", told)
    assert float(edge[1]) < 1 / 9.81 <= float(edge[2])
    assert "lead to where runs fail or give no value" in told
    assert "widen" not in told


@pytest.mark.parametrize("method", ["auto", "least-squares", "derivative-free"])
@pytest.mark.parametrize("sliding", [0.102, 0.104, 0.15])
def test_targets_next_to_where_there_is_no_value(method, sliding):
    """The first is a ten thousandth of the range from the edge."""
    target = {"distance": (1 / (2 * sliding * 9.81), 0.002)}
    found = rc.fit_function(stops_in_time, {"sliding": (0.01, 0.9)}, target, method=method)
    assert found.converged
    assert found.value["sliding"] == pytest.approx(sliding, abs=0.05 * found.error["sliding"])


def test_scatter_does_not_hide_that_there_is_no_value():
    """In a small region at the edge scatter is all that is seen; that is no answer."""
    for seed in range(4):

        def shaky(values, repeat, seed=seed):
            parts = np.frombuffer(np.float64(values["rolling"]).tobytes(), "u4")
            noise = 1 + 0.03 * np.random.default_rng([seed, repeat, *parts]).normal()
            distance = 0.25 / values["rolling"] * noise
            return {"distance": distance if values["rolling"] >= 0.035 else np.nan}

        target = {"distance": (25.0, 0.2)}
        found = rc.fit_function(shaky, {"rolling": (0.001, 0.2)}, target, repeats=3)
        assert not found.converged
        assert found.value["rolling"] == pytest.approx(0.035, abs=0.003)


@pytest.mark.parametrize("method", ["least-squares", "derivative-free"])
def test_no_value_above_a_line_of_two_coefficients(method):
    """x + y = 1.5 is asked for, and there are values up to x + y = 1: the answer has one."""

    def simulate(values, repeat):
        x, y = values["x"], values["y"]
        return {"sum": x + y if x + y <= 1.0 else np.nan, "difference": x - y}

    targets = {"sum": (1.5, 0.01), "difference": (0.1, 0.01)}
    found = rc.fit_function(simulate, {"x": (0, 1), "y": (0, 1)}, targets, method=method)
    assert not found.converged
    assert 0.95 < found.fitted["sum"][0] <= 1.0
    assert found.fitted["sum"][0] == found.value["x"] + found.value["y"]
    assert "the best that has one is told" in found.warnings[0]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"parameters": {"rolling": 3}}, r"rolling = 3: must be \(low, high\)"),
        ({"parameters": {"rolling": (2, 1)}}, "to = 1: must be above from = 2"),
        ({"parameters": {}}, "parameters: there must be at least one"),
        ({"targets": {"distance": 5.0}}, r"distance = 5.0: must be \(measured, uncertainty\)"),
        ({"targets": {"distance": (5.0, -1)}}, "uncertainty = -1: must be > 0"),
        ({"targets": {"other": (5.0, 1)}}, "a dictionary with 'other' in it"),
        ({"targets": {"distance": ([5.0, 1.0], 1)}}, r"distance has shape \(1,\), not \(2,\)"),
        ({"repeats": 0}, "repeats = 0"),
        ({"methods": "auto"}, "methods: unknown option; there are method"),
    ],
)
def test_wrong_arguments(arguments, told):
    given = {"parameters": {"rolling": (0.02, 0.1)}, "targets": {"distance": (5.0, 0.1)}}
    with pytest.raises(rc.InputError, match=told):
        rc.fit_function(simulate, **(given | arguments))
