"""Measures of runs against closed forms."""

import math

import numpy as np
import pytest
from pydantic import ValidationError
from sweep_cases import SLIDER

import rollcone as rc
from rollcone.errors import InputError
from rollcone.scene.read import read_scene
from rollcone.sweep.measures import MEASURES, measure

V, A = 1.0, 5.0  # mu g


@pytest.fixture(scope="module")
def run():
    return read_scene(SLIDER, "slider").simulate()


def value(run, kind, **fields):
    return measure({"kind": kind, **fields}).value(run)


def test_a_sliding_block_stops_when_and_where_theory_says(run):
    assert value(run, "stop-time", body="block") == pytest.approx(V / A, abs=2e-3)
    assert value(run, "stop-distance", body="block") == pytest.approx(V**2 / (2 * A), abs=1e-5)


def test_one_that_moves_at_the_end_has_not_stopped(run):
    short = read_scene(SLIDER.replace("until = 0.6", "until = 0.1"), "slider").simulate()
    assert math.isnan(value(short, "stop-time", body="block"))
    assert math.isnan(value(short, "stop-distance", body="block"))
    assert value(run, "stop-time", body="floor") == 0.0


def test_series_at_times_are_interpolated(run):
    times = [0.0, 0.05, 0.1, 0.1501]
    x = value(run, "body", body="block", quantity="position", axis="x", times=times)
    assert x == pytest.approx([V * t - A * t * t / 2 for t in times], abs=1e-5)
    speed = value(run, "body", body="block", quantity="speed", time=0.1)
    assert speed == pytest.approx(V - A * 0.1)


@pytest.mark.parametrize(("take", "speed"), [("end", 0.0), ("most", 1.0), ("least", 0.0)])
def test_what_is_taken_of_a_series(run, take, speed):
    found = value(run, "body", body="block", quantity="speed", take=take)
    assert found == pytest.approx(speed, abs=1e-9)


def test_the_mean_is_that_of_the_recorded_moments(run):
    found = value(run, "body", body="block", quantity="velocity", axis="x", take="mean")
    assert found == pytest.approx(V**2 / (2 * A) / 0.6, rel=0.02)  # distance over time


def test_energy_and_distance(run):
    assert value(run, "energy", term="dissipated") == pytest.approx(0.5, rel=1e-6)
    assert value(run, "body", body="block", quantity="distance") == pytest.approx(0.1, abs=1e-5)


def test_measures_of_heaps_of_one_sphere():
    world = rc.World(gravity=(0, 0, -10))
    world.add_plane()
    world.set_contact_law(rc.ContactLaw(sliding=0.5))
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.1))
    heap = rc.simulate(world, until=0.01, step=2e-3)
    assert value(heap, "heap-height") == pytest.approx(0.2)
    assert math.isnan(value(heap, "heap-angle"))  # one sphere is no heap
    box = {"low": [-0.1, -0.1, 0.0], "high": [0.1, 0.1, 0.2]}
    assert value(heap, "packing-fraction", **box) == pytest.approx(np.pi / 6, rel=1e-6)


def test_a_time_outside_of_the_run_is_told(run):
    with pytest.raises(InputError, match=r"time = 0\.7 s: the run is from 0 to 0\.6"):
        value(run, "body", body="block", quantity="speed", time=0.7)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"quantity": "position"}, "position needs axis"),
        ({"quantity": "speed", "axis": "x"}, "speed has no axis"),
        ({"quantity": "speed", "time": 1.0, "take": "end"}, "only one of"),
        ({"quantity": "speed", "times": []}, "list of numbers"),
        ({"quantity": "speeed"}, "did you mean"),
    ],
)
def test_what_does_not_fit_is_refused(fields, words):
    with pytest.raises(ValidationError, match=words):
        measure({"kind": "body", "body": "block", **fields})


def test_every_kind_says_what_it_is():
    assert all(table.__doc__ for table in MEASURES.values())
