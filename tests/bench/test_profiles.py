"""Performance profiles against one worked out by hand, their definition, and what they promise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

import rollcone as rc
from rollcone.bench import profile

NONE = np.inf
# A solver that failed has an infinite time, or nan.
TIMES = st.one_of(st.floats(1e-6, 1e6), st.just(NONE), st.just(np.nan))
TABLES = arrays(float, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=TIMES)


def test_by_hand():
    """Four problems, three solvers: one tie of all, one that nobody solves."""
    times = [[1, 2, NONE], [4, 2, 8], [3, 3, 3], [NONE, np.nan, NONE]]
    # Ratios: (1, 2, -), (2, 1, 4), (1, 1, 1), (-, -, -).
    tau, share = profile(times)
    assert tau.tolist() == [1, 2, 4]
    assert share.tolist() == [[0.5, 0.5, 0.25], [0.75, 0.75, 0.25], [0.75, 0.75, 0.5]]


def test_nobody_solves_anything():
    tau, share = profile([[NONE, np.nan]])
    assert (tau.tolist(), share.tolist()) == ([1], [[0, 0]])


@given(TABLES)
def test_what_it_promises(times):
    """Rises from the share of wins to the share solved, by points that are factors."""
    tau, share = profile(times)
    assert tau[0] == 1
    assert (np.diff(tau) > 0).all()
    assert (np.diff(share, axis=0) >= 0).all()
    solved = np.isfinite(times)
    assert share[-1].tolist() == solved.mean(axis=0).tolist()
    best = np.where(solved, times, NONE).min(axis=1, keepdims=True)
    assert share[0].tolist() == (solved & (times == best)).mean(axis=0).tolist()


@given(TABLES, st.floats(1, 100))
def test_definition(times, factor):
    """Between two points the share is that of the first."""
    tau, share = profile(times)
    done = np.where(np.isfinite(times), times, NONE)
    best = done.min(axis=1, keepdims=True)
    counts = np.isfinite(done) & (done / np.where(best < NONE, best, 1) <= factor)
    assert share[np.searchsorted(tau, factor, side="right") - 1].tolist() == (
        counts.mean(axis=0).tolist()
    )


@given(TABLES, st.randoms())
def test_order_and_speed_of_the_machine_do_not_matter(times, random):
    rows = list(range(len(times)))
    random.shuffle(rows)
    tau, share = profile(times)
    other_tau, other_share = profile(8.0 * times[rows])
    assert (other_tau.tolist(), other_share.tolist()) == (tau.tolist(), share.tolist())


@pytest.mark.parametrize("times", [[[1.0, 0.0]], [[-1.0]], [1.0, 2.0], np.zeros((0, 2)), [["a"]]])
def test_bad_input(times):
    with pytest.raises(rc.InputError, match="times"):
        profile(times)
