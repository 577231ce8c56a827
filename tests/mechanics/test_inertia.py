"""Mass, moments of shapes, principal axes of a tensor, and what is refused."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad, tplquad
from scipy.spatial.transform import Rotation

import rollcone as rc
from rollcone.mechanics.inertia import (
    body_mass,
    box_moments,
    capsule_moments,
    capsule_volume,
    principal_axes,
    sphere_moments,
)
from rollcone.mechanics.rotations import rotation_matrix

NONE = [1.0, 0.0, 0.0, 0.0]
moments = st.floats(-3.0, 3.0).map(lambda power: 10.0**power)
vectors = st.tuples(*[st.floats(-3.0, 3.0)] * 3)


def test_box_moments_are_integrals():
    a, b, c = 0.3, 0.5, 0.9
    limits = (-c / 2, c / 2, -b / 2, b / 2, -a / 2, a / 2)  # z, y, x
    squares = [tplquad(lambda x, y, z, k=k: (x, y, z)[k] ** 2, *limits)[0] for k in range(3)]
    xx, yy, zz = np.array(squares) / (a * b * c)
    np.testing.assert_allclose(box_moments((a, b, c)), [yy + zz, xx + zz, xx + yy], rtol=1e-12)


@pytest.mark.parametrize(("r", "length"), [(0.3, 0.8), (0.5, 0.0), (1e-3, 2.0), (2.0, 1e-3)])
def test_capsule_moments_are_integrals(r, length):
    """Of discs of radius rho at height z: dV = pi rho^2 dz, rho^2 / 2 and rho^2 / 4 + z^2."""

    def integral(of):
        def disc(z):
            rho2 = r * r - max(z - length / 2, 0.0) ** 2
            return np.pi * rho2 * of(z, rho2)

        parts = ((0, length / 2), (length / 2, length / 2 + r))
        return 2 * sum(quad(disc, *part, epsabs=0, epsrel=1e-12)[0] for part in parts if part[1])

    volume = integral(lambda z, rho2: 1.0)
    assert capsule_volume(r, length) == pytest.approx(volume, rel=1e-12)
    across = integral(lambda z, rho2: rho2 / 4 + z * z) / volume
    about = integral(lambda z, rho2: rho2 / 2) / volume
    np.testing.assert_allclose(capsule_moments(r, length), [across, across, about], rtol=1e-10)


def test_cubes_and_balls_have_three_equal_moments():
    for moments in (box_moments((0.3, 0.3, 0.3)), sphere_moments(0.3)):
        assert moments[0] == moments[1] == moments[2]
    assert box_moments((1.0, 1.0, 1.0))[0] == pytest.approx(1.0 / 6.0, rel=1e-15)
    rng = np.random.default_rng(1)
    points = rng.uniform(-0.3, 0.3, (400_000, 3))
    points = points[(points**2).sum(axis=1) < 0.09]
    sampled = (points[:, 0] ** 2 + points[:, 1] ** 2).mean()
    assert sphere_moments(0.3)[2] == pytest.approx(sampled, rel=3e-3)


def test_mass_or_density():
    assert body_mass(0.5, mass=3) == 3.0
    assert body_mass(0.5, density=2000) == 1000.0
    with pytest.raises(
        rc.InputError, match=r"mass = 1 and density = 2: give one of them, not both"
    ):
        body_mass(0.5, 1, 2)
    with pytest.raises(rc.InputError, match=r"^needs mass or density \(kg or kg/m3\)"):
        body_mass(0.5)


@pytest.mark.parametrize("value", [0, -1.0, math.inf, math.nan, [1.0, 2.0], "heavy"])
@pytest.mark.parametrize("field", ["mass", "density"])
def test_no_mass(field, value):
    with pytest.raises(rc.InputError, match=rf"{field}.*: must be"):
        body_mass(0.5, **{field: value})


def test_no_mass_left_by_rounding():
    with pytest.raises(rc.InputError, match=r"density \* volume = 0\.0: must be one number > 0"):
        body_mass(1e-200, density=1e-200)


@given(J=st.tuples(moments, moments, moments), turn=vectors)
def test_principal_axes_of_a_turned_body(J, turn):
    """P diag(J) P^T is the tensor again, P is a rotation, and the moments are those given."""
    turned = Rotation.from_rotvec(turn).as_matrix()
    tensor = turned @ np.diag(J) @ turned.T
    found, q = principal_axes(tensor)
    axes = rotation_matrix(q)
    size = max(J)
    np.testing.assert_allclose(np.sort(found), np.sort(J), atol=4e-14 * size)
    np.testing.assert_allclose(axes @ np.diag(found) @ axes.T, tensor, atol=4e-14 * size)


def test_axes_are_left_alone_where_they_are_principal():
    for given_inertia in ([3.0, 1.0, 2.0], np.diag([3.0, 1.0, 2.0])):
        found, q = principal_axes(given_inertia)
        assert (found.tolist(), q.tolist()) == ([3.0, 1.0, 2.0], NONE)
    dusty = np.diag([3.0, 1.0, 2.0])
    dusty[0, 1] = dusty[1, 0] = 1e-15
    found, q = principal_axes(dusty)
    assert (found.tolist(), q.tolist()) == ([3.0, 1.0, 2.0], NONE)


def test_the_result_is_no_view_of_the_input():
    source = np.array([3.0, 1.0, 2.0])
    found, _ = principal_axes(source)
    found[0] = 7.0
    assert source[0] == 3.0


def test_moments_that_no_body_has_are_kept():
    """An axial moment above the sum of the other two, as in published wheels."""
    assert principal_axes([0.2, 0.6, 0.2])[0].tolist() == [0.2, 0.6, 0.2]
    assert principal_axes(np.diag([1e-6, 1.0, 1.0]))[0].tolist() == [1e-6, 1.0, 1.0]


TURN = Rotation.from_rotvec([0.3, 0.5, -0.2]).as_matrix()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([1, 0, 2], r"inertia = \[1\.0, 0\.0, 2\.0\].*moment 0: must be three moments > 0"),
        ([1, -1, 2], r"moment -1: must be three moments > 0"),
        (np.diag([1.0, 1.0, 0.0]), r"moment 0: must be positive definite"),
        (TURN @ np.diag([1.0, 1.0, 0.0]) @ TURN.T, r"must be positive definite"),
        (TURN @ np.diag([1.0, 1.0, -2.0]) @ TURN.T, r"moment -2: must be positive definite"),
        (np.zeros((3, 3)), r"must be positive definite"),
        ([[1, 0.1, 0], [0, 1, 0], [0, 0, 1]], r"inertia = .*: must be symmetric"),
        (2.0, r"inertia of shape \(\): must be three moments \(3,\) or a tensor \(3, 3\)"),
        ([1, 2, math.nan], r"inertia\[2\] = nan: must be finite"),
        ("round", r"inertia = 'round': must be a number or an array"),
    ],
)
def test_no_inertia(value, message):
    with pytest.raises(rc.InputError, match=message):
        principal_axes(value)
