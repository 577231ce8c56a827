"""Points of a study: each method against what it promises."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollcone.errors import InputError
from rollcone.sweep.samples import Parameter, Sampling, points

A = Parameter("a", ("contact.sliding",), (1, 2, 3))
B = Parameter("b", ("contact.rolling",), ("x", "y", "z"))
LINEAR = Parameter("c", ("k.c",), low=-1.0, high=3.0)
LOG = Parameter("d", ("k.d",), low=1e-3, high=1e2, log=True)


def test_a_grid_has_every_value_with_every_other():
    found = [(p["a"], p["b"]) for p in points([A, B], Sampling())]
    assert found == list(itertools.product((1, 2, 3), "xyz"))


def test_a_list_takes_values_side_by_side():
    pairs = zip((1, 2, 3), "xyz", strict=True)
    assert points([A, B], Sampling("list")) == [{"a": k, "b": w} for k, w in pairs]
    with pytest.raises(InputError, match="a 3, b 2"):
        points([A, Parameter("b", ("k.b",), (1, 2))], Sampling("list"))


@pytest.mark.parametrize("method", ["grid", "list"])
def test_nothing_varied_is_one_point(method):
    assert points([], Sampling(method)) == [{}]


@given(st.integers(1, 40), st.integers(0, 100))
def test_a_latin_hypercube_has_one_value_in_each_part_of_each_range(count, seed):
    found = points([LINEAR, LOG], Sampling("latin-hypercube", count, seed))
    shares = [
        [(p["c"] + 1.0) / 4.0 for p in found],
        [np.log(p["d"] / 1e-3) / np.log(1e5) for p in found],
    ]
    for share in shares:
        parts = np.minimum(np.floor(np.array(share) * count + 1e-9), count - 1)
        assert sorted(parts) == list(range(count))


def test_random_points_are_within_their_ranges_and_repeatable():
    found = points([LINEAR, LOG], Sampling("random", 500, 1))
    assert found == points([LINEAR, LOG], Sampling("random", 500, 1))
    assert found != points([LINEAR, LOG], Sampling("random", 500, 2))
    c, d = (np.array([p[name] for p in found]) for name in "cd")
    assert c.min() >= -1.0
    assert c.max() <= 3.0
    assert abs(c.mean() - 1.0) < 0.2  # four standard errors of the mean of 500
    assert abs(np.log10(d).mean() + 0.5) < 0.26


@pytest.mark.parametrize("parameter", [LINEAR, LOG])
def test_spaced_values_begin_and_end_at_the_ends(parameter):
    values = parameter.spaced(5)
    assert values[0] == parameter.low
    assert values[-1] == parameter.high
    steps = np.diff(np.log(values) if parameter.log else values)
    assert steps == pytest.approx(steps[0])
