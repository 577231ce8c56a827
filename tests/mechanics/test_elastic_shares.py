"""The reference for load shares: against closed forms, statics, and its own two equations."""

import math

import numpy as np
import pytest
from elastic_shares import series, shares
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from rollcone.mechanics.hertz import approach, normal_load

UP = (0.0, 0.0, 1.0)
seeds = st.integers(0, 2**32 - 1)


def ring(count, radius=1.0):
    angles = 2 * math.pi * np.arange(count) / count
    return angles, radius * np.column_stack([np.cos(angles), np.sin(angles), 0 * angles])


def test_one_spring():
    found = shares([(0, 0, 0)], [UP], 3e9, (0, 0, -500))
    np.testing.assert_allclose(found.loads, [500], rtol=1e-12)
    np.testing.assert_allclose(found.translation, [0, 0, -((500 / 3e9) ** (2 / 3))], rtol=1e-12)
    assert not found.rotation.any()


@pytest.mark.parametrize("count", [3, 8, 101])
def test_a_central_load_is_shared_by_stiffness(count):
    """A ring of springs K and 4 K in turn, opposite ones alike: all approach as far, so that loads
    are as K."""
    K = 1e9 * (1.0 + 3.0 * (np.arange(2 * count) % 2))
    _, places = ring(2 * count, 0.3)
    found = shares(places, [UP] * 2 * count, K, (0, 0, -100))
    np.testing.assert_allclose(found.loads, 100 * K / K.sum(), rtol=1e-11)
    np.testing.assert_allclose(found.translation[2], -((100 / K.sum()) ** (2 / 3)), rtol=1e-11)
    np.testing.assert_allclose(found.rotation, 0, atol=1e-16)


@pytest.mark.parametrize("count", [8, 20, 400])
def test_a_ball_bearing(count):
    """Stribeck: a ring in its bore, without clearance. Loads are as cos^(3/2) of the angle to the
    load in one half, 0 in the other; the largest tends to 4.37 times the mean F / Z."""
    angles, places = ring(count, 0.05)
    found = shares(places, -places / 0.05, 1e10, (2000, 0, 0))
    cosine = np.maximum(np.cos(angles), 0)
    cosine[cosine < 1e-12] = 0
    expected = 2000 * cosine**1.5 / (cosine**2.5).sum()
    np.testing.assert_allclose(found.loads, expected, rtol=1e-10, atol=1e-9)
    assert found.loads.max() * count / 2000 == pytest.approx(4.37, rel=1e-2)
    free = [*found.translation[2:], *found.rotation]  # only the plane of the ring is held
    np.testing.assert_allclose(free, 0, atol=1e-18)


def test_three_legs_are_a_matter_of_statics():
    """No stiffness can change their loads."""
    places = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)])
    rng = np.random.default_rng(1)
    for _ in range(5):
        found = shares(places, [UP] * 3, 10 ** rng.uniform(6, 10, 3), (0, 0, -10), (-2, 3, 0))
        np.testing.assert_allclose(found.loads, [5, 3, 2], rtol=1e-11)


def test_a_beam_on_three_springs():
    """Load F on one end of a beam on springs at -1, 0, 1 of one K: the far one is off. With the
    load at the place 0.4, equilibrium and straightness leave one equation."""
    places = [(-1, 0, 0), (0, 0, 0), (1, 0, 0)]
    np.testing.assert_allclose(
        shares(places, [UP] * 3, 1e6, (0, 0, -9), (0, 9, 0)).loads, [0, 0, 9], atol=1e-10
    )

    def straight(middle):
        """Left + middle + right = 1, right - left = 0.4; approaches on one line."""
        left, right = (0.6 - middle) / 2, (1.4 - middle) / 2
        return left ** (2 / 3) + right ** (2 / 3) - 2 * middle ** (2 / 3)

    middle = brentq(straight, 0, 0.6, xtol=1e-15)
    found = shares(places, [UP] * 3, 1e6, (0, 0, -1), (0, 0.4, 0))
    expected = [(0.6 - middle) / 2, middle, (1.4 - middle) / 2]
    np.testing.assert_allclose(found.loads, expected, rtol=1e-11)


def random_case(seed):
    """Springs all over a box, in all directions: so many hold any load."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(30, 80))
    places = rng.uniform(-1, 1, (count, 3)) * rng.uniform(0.01, 2, 3)
    towards = rng.normal(size=(count, 3))
    towards /= np.linalg.norm(towards, axis=1)[:, None]
    K = 10 ** rng.uniform(6, 9, count)
    return places, towards, K, rng.normal(size=3) * 1e3, rng.normal(size=3) * 1e2


@settings(max_examples=60)
@given(seed=seeds)
def test_equilibrium_and_springs(seed):
    """Both equations hold; the energy is convex, so that there are no other loads."""
    places, towards, K, force, torque = random_case(seed)
    found = shares(places, towards, K, force, torque)
    pushes = found.loads[:, None] * towards
    scale = found.loads.sum()
    np.testing.assert_allclose(pushes.sum(axis=0), -force, atol=1e-11 * scale)
    turning = np.cross(places, pushes).sum(axis=0)
    reach = np.linalg.norm(places, axis=1).max()
    np.testing.assert_allclose(turning, -torque, atol=1e-11 * scale * reach)
    moved = found.translation + np.cross(found.rotation, places)
    delta = np.maximum(-(towards * moved).sum(axis=1), 0)
    np.testing.assert_allclose(found.loads, K * delta**1.5, rtol=1e-9, atol=1e-12 * scale)


@settings(max_examples=20)
@given(seed=seeds, factor=st.floats(1e-6, 1e6))
def test_scaling_and_another_origin(seed, factor):
    """Loads are as the load, displacements as its power 2/3; the origin does not matter."""
    places, towards, K, force, torque = random_case(seed)
    found = shares(places, towards, K, force, torque)
    more = shares(places, towards, K, factor * force, factor * torque)
    bound = 1e-8 * found.loads.max()
    np.testing.assert_allclose(more.loads / factor, found.loads, atol=bound)
    shift = np.array([0.3, -0.1, 0.2])
    again = shares(places + shift, towards, K, force, torque + np.cross(shift, force))
    np.testing.assert_allclose(again.loads, found.loads, atol=bound)
    np.testing.assert_allclose(
        more.translation, factor ** (2 / 3) * found.translation, rtol=1e-6, atol=1e-9 * factor
    )


@pytest.mark.parametrize(
    ("force", "torque", "words"),
    [
        ((0, 0, 1), (0, 0, 0), "springs push"),
        ((0, 0, -1), (0, 3, 0), "springs push"),
        ((1, 0, -1), (0, 0, 0), "no spring resists"),
        ((0, 0, -1), (0, 0, 1), "no spring resists"),
    ],
)
def test_loads_that_cannot_be_held(force, torque, words):
    with pytest.raises(ValueError, match=words):
        shares(ring(6)[1], [UP] * 6, 1e6, force, torque)


def test_no_load():
    assert not any(part.any() for part in shares(ring(4)[1], [UP] * 4, 1e6, (0, 0, 0)))


@given(first=st.floats(1e3, 1e12), second=st.floats(1e3, 1e12), load=st.floats(1e-3, 1e6))
def test_two_contacts_in_series(first, second, load):
    both = (load / first) ** (2 / 3) + (load / second) ** (2 / 3)
    assert series(first, second) * both**1.5 == pytest.approx(load, rel=1e-12)
    assert series(first, second) == pytest.approx(series(second, first), rel=1e-14)
    assert series(first, first) == pytest.approx(first / 2**1.5, rel=1e-14)


def test_a_ball_between_two_raceways():
    """The constants of its contacts, from their approaches."""
    modulus, radii, load = 1.15e11, np.array([0.004, 0.006]), 80.0
    K = normal_load(1.0, radii, modulus)
    assert load / series(*K) == pytest.approx(approach(load, radii, modulus).sum() ** 1.5)
