"""The benchmark of energy: its figures are those of known cases, its rows say what they are of."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import rollcone as rc

sys.path.insert(0, str(Path(__file__).parents[1]))  # the benchmarks
from benchmarks import energy
from benchmarks.passive_runs import audit_remainder, energy_gain, momentum_change, passive_run
from benchmarks.passive_worlds import passive_world


def falling_ball():
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane()
    world.set_contact_law(rc.ContactLaw(restitution=0.5))
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.3))
    return rc.simulate(world, until=0.4, step=0.01)


def test_gain_and_its_term():
    audit = falling_ball().energy
    weight = 9.81 * 0.1
    assert energy_gain(audit, weight)[0] < 1e-12
    assert audit_remainder(audit, weight) < 1e-10
    total = audit.kinetic + audit.potential
    audit.kinetic[-1] += 0.01 * (total[0] - total.min())
    audit.correction[-1] += 0.01 * (total[0] - total.min())
    gain, source = energy_gain(audit, weight)
    assert gain == pytest.approx(0.01, rel=0.05)
    assert source == "correction"


def test_a_run_is_that_of_its_seed():
    first, again = passive_run(10), passive_run(10)
    assert first == replace(again, momentum=first.momentum)  # nan is not nan
    assert first.bodies == passive_world(10).bodies
    assert "seed 10: coin on" in energy.describe(first)
    row = energy.row("coins", [first, replace(first, error="SimulationError: no")])
    assert len(row) == len(energy.HEADER)
    assert row[1] == "2"
    assert row[-1] == "1"


def test_momentum_is_that_of_two_balls():
    world = rc.World()
    world.set_contact_law(rc.ContactLaw(sliding=0.3))
    world.add_sphere(radius=0.1, mass=1.0, position=(-0.3, 0.0, 0.0), velocity=(1, 0, 0))
    world.add_sphere(radius=0.1, mass=2.0, position=(0.3, 0.0, 0.0))
    linear, angular = momentum_change(rc.simulate(world, until=0.6, step=0.01))
    assert linear < 1e-14
    assert angular < 1e-14


@pytest.mark.parametrize("turn", [0.5, 2.0])
def test_a_needle_tumbles_at_the_exact_rate(turn):
    run, tumbling = energy.needle_in_flight(turn)
    axes = np.array(run.body("needle").orientation)
    assert len(axes) == 501
    end, rate = energy.exact_axes(run, np.array([0.0, 0.0, 1.0]), tumbling)
    assert abs(rate) < 1e-11
    assert np.linalg.norm(end) == pytest.approx(1.0, abs=1e-12)


def test_bounds():
    assert energy.column(0.02) < 1e-12
    assert energy.passes(0.5) > 0.0
