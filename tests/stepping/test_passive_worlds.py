"""Random worlds in which nothing gives energy: it does not rise, the audit of each step closes, and
free worlds keep their linear momentum. Bodies are those of benchmarks/passive_worlds.py: thin,
round, flat, composed, 1 mm to 10 m, some joined, up to a radian per step."""

import sys
from pathlib import Path

import numpy as np
import pytest

import rollcone as rc

sys.path.insert(0, str(Path(__file__).parents[2]))  # the benchmarks
sys.path.insert(0, str(Path(__file__).parents[1] / "soak"))
from benchmarks.passive_runs import momentum_change
from benchmarks.passive_worlds import passive_world
from soak_checks import PASSIVE_GAIN, excess_remainder

QUICK = {"grounds": ("plane", "free"), "most_bodies": 2, "most_steps": 50}
EACH = 20  # seeds of a test


def check(made):
    about = f"seed {made.seed}: {made.bodies} on {made.ground}, h = {made.step:.3g} s"
    run = rc.simulate(made.world, until=made.steps * made.step, step=made.step)
    audit = run.energy
    total = audit.kinetic + audit.potential - audit.correction
    rise = float((total - np.minimum.accumulate(total)).max())
    assert rise <= PASSIVE_GAIN * audit.turnover, about
    assert excess_remainder(run) <= 1.0, about
    assert run.trusted == run.converged, about
    if made.ground == "free":
        assert momentum_change(run)[0] < 1e-12, about


@pytest.mark.parametrize("first", range(0, 120, EACH))
def test_nothing_gains_energy(first):
    for seed in range(first, first + EACH):
        check(passive_world(seed, **QUICK))


def test_friction_that_depends_on_speed_gains_nothing_in_a_step_taken_anew():
    """Four bodies in free space, two of them joined, with Stribeck friction: impulses that would
    give energy come at the end of the step instead, and friction is taken at the speed there."""
    check(passive_world(2382))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(10_000, 13_000, EACH))
def test_nothing_gains_energy_in_thousands_of_worlds(first):
    for seed in range(first, first + EACH):
        check(passive_world(seed))
