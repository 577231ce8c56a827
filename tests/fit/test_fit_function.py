"""Fits of Python functions."""

from __future__ import annotations

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
