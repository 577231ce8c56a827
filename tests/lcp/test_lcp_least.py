"""Of many answers the least: proximal points from zero on redundant problems."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollcone.lcp import MLCP, solve


def legs(count, seed, change=0.0):
    """A load on more legs than it has freedoms: all that carry it are answers."""
    rng = np.random.default_rng(seed)
    place = np.column_stack([np.ones(count), rng.normal(size=(count, 2))])
    load = place.mean(axis=0) + 0.1 * rng.normal(size=3) + change
    return MLCP(place @ place.T, -place @ load, 0.0)


def least(problem):
    found = solve(problem, proximal="always", tolerance=1e-11)
    assert found.solved, found.message
    return found.z


@given(seed=st.integers(0, 10**6), count=st.sampled_from([4, 6, 8]))
def test_it_follows_the_problem(seed, count):
    """A small change of the load changes the answer little, and the start does not matter."""
    z = least(legs(count, seed))
    assert np.abs(least(legs(count, seed, 1e-7)) - z).max() < 1e-4
    start = np.random.default_rng(seed).random(count)
    other = solve(legs(count, seed), proximal="always", tolerance=1e-11, start=start)
    assert np.abs(other.z - z).max() < 1e-8


def test_it_is_that_of_the_pseudoinverse_where_all_carry():
    checked = 0
    for seed in range(40):
        problem = legs(6, seed)
        z, s = least(problem), 1.0 / np.sqrt(problem.sizes)
        if z.min() > 1e-6:
            expected = -s * (
                np.linalg.pinv(s[:, None] * problem.M * s, rcond=1e-10) @ (s * problem.q)
            )
            assert z == pytest.approx(expected, abs=1e-9)
            checked += 1
    assert checked > 10
