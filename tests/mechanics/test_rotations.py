"""Quaternions in kernels and as input, against SciPy's Rotation."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import rollcone as rc
from own_kernels.rotation_kernels import spin
from rollcone.mechanics.kernels import rotation as kernels
from rollcone.mechanics.rotations import (
    quaternion_between,
    quaternion_from,
    quaternion_of_matrix,
    rotation_matrix,
    unit_quaternion,
)

advance_quaternion = kernels.advance_quaternion
exponential = kernels.exponential
logarithm = kernels.logarithm
multiply = kernels.multiply
rotate = kernels.rotate
rotate_back = kernels.rotate_back
NONE = [1.0, 0.0, 0.0, 0.0]
part = st.floats(-1.0, 1.0) | st.sampled_from([0.0, 1.0, -1.0, 1e-9])
vectors = st.builds(np.array, st.tuples(part, part, part))
directions = vectors.filter(lambda v: np.linalg.norm(v) > 1e-10)
angles = st.floats(-10.0, 10.0) | st.sampled_from([0.0, 1e-9, 1e-160, math.pi, -2 * math.pi])
unit_quaternions = (
    st.builds(np.array, st.tuples(part, part, part, part))
    .filter(lambda q: np.linalg.norm(q) > 0.1)
    .map(lambda q: q / np.linalg.norm(q))
)


def scipy_rotation(q) -> Rotation:
    return Rotation.from_quat(np.roll(q, -1))


def same_rotation(q, expected: Rotation, atol: float = 4e-16) -> None:
    other = np.roll(expected.as_quat(), 1)
    np.testing.assert_allclose(q, math.copysign(1.0, np.dot(q, other)) * other, atol=atol)


@given(q=unit_quaternions, r=unit_quaternions, x=vectors)
def test_products_and_rotated_vectors(q, r, x):
    same_rotation(multiply(*q, *r), scipy_rotation(q) * scipy_rotation(r))
    np.testing.assert_allclose(rotate(*q, *x), scipy_rotation(q).apply(x), atol=2e-15)
    back = scipy_rotation(q).apply(x, inverse=True)
    np.testing.assert_allclose(rotate_back(*q, *x), back, atol=2e-15)


@given(x=vectors, h=angles)
def test_exponential_and_logarithm(x, h):
    q = exponential(*x, h)
    expected = Rotation.from_rotvec(h * x)
    same_rotation(q, expected, atol=2e-15)
    np.testing.assert_allclose(q[1:], _vector_part(h * x), rtol=4e-15, atol=1e-300)
    again = np.array(logarithm(*q))
    assert np.linalg.norm(again) <= math.pi + 1e-14
    same_rotation(exponential(*again, 1.0), expected, atol=4e-15)
    if np.linalg.norm(h * x) < 3.0:
        np.testing.assert_allclose(again, h * x, rtol=1e-14, atol=1e-300)


def _vector_part(v):
    half = 0.5 * np.hypot.reduce(v)
    return 0.5 * v * (math.sin(half) / half if half > 0 else 1.0)


@given(q=unit_quaternions, w=vectors, h=st.floats(-1.0, 1.0))
def test_orientation_follows_the_rate_in_world_axes(q, w, h):
    ahead = Rotation.from_rotvec(h * w) * scipy_rotation(q)
    same_rotation(advance_quaternion(*q, *w, h), ahead, atol=1e-15)


@pytest.mark.usefixtures("own_kernels")
def test_length_stays_one_for_a_million_steps():
    assert spin(1_000_000, 1e-3) < 1e-15


def test_a_slightly_wrong_length_is_mended():
    q = advance_quaternion(1.0 + 1e-6, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    assert abs(q[0] - 1.0) < 2e-12


@given(axis=directions, angle=st.floats(-3.0, 3.0))
def test_axis_and_angle(axis, angle):
    q = quaternion_from(axis, angle)
    unit = axis / np.linalg.norm(axis)
    half = 0.5 * angle
    np.testing.assert_allclose(q, [math.cos(half), *math.sin(half) * unit], atol=1e-15)


def test_signs_by_hand():
    """A quarter turn about z takes x to y; the columns of the matrix are the turned axes."""
    q = quaternion_from((0, 0, 2), math.pi / 2)
    np.testing.assert_allclose(q, [math.sqrt(0.5), 0, 0, math.sqrt(0.5)], atol=1e-16)
    np.testing.assert_allclose(rotation_matrix(q) @ [1, 0, 0], [0, 1, 0], atol=1e-15)
    np.testing.assert_allclose(rotate(*q, 1.0, 0.0, 0.0), [0, 1, 0], atol=1e-15)
    assert rotation_matrix(NONE).tolist() == np.eye(3).tolist()


def test_rotation_in_degrees():
    turned = rc.rotation((0, 0, 2), 30)
    np.testing.assert_allclose(
        rotation_matrix(turned) @ [2, 0, 0], [math.sqrt(3), 1, 0], atol=1e-15
    )
    back = rotation_matrix(rc.rotation((1, 0, 0), -90)) @ [0, 0, 1]
    np.testing.assert_allclose(back, [0, 1, 0], atol=1e-15)
    for degrees in ([1, 2], math.inf, "30"):
        with pytest.raises(rc.InputError, match=r"^degrees = "):
            rc.rotation((0, 0, 1), degrees)


@given(q=unit_quaternions)
def test_matrices(q):
    matrix = rotation_matrix(q)
    np.testing.assert_allclose(matrix, scipy_rotation(q).as_matrix(), atol=1e-15)
    same_rotation(quaternion_of_matrix(matrix), scipy_rotation(q), atol=1e-15)
    rounded = quaternion_of_matrix(np.round(matrix, 4))
    same_rotation(rounded, scipy_rotation(q), atol=1e-3)
    assert abs(np.linalg.norm(rounded) - 1.0) < 1e-15


@given(a=directions, b=directions, near=st.sampled_from([None, 1e-7, 1e-12, 1e-15, -1e-7, -1e-14]))
def test_shortest_rotation_between_directions(a, b, near):
    """Also where the two are almost the same (near > 0) or almost opposite (near < 0)."""
    if near is not None:
        b = math.copysign(1.0, near) * a / np.linalg.norm(a) + abs(near) * b
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    q = quaternion_between(a, b)
    assert abs(np.linalg.norm(q) - 1.0) < 1e-15
    np.testing.assert_allclose(scipy_rotation(q).apply(a), b, atol=4e-15)
    shortest = 2.0 * math.atan2(np.linalg.norm(a - b), np.linalg.norm(a + b))
    assert scipy_rotation(q).magnitude() == pytest.approx(shortest, rel=1e-13, abs=1e-15)


@pytest.mark.parametrize("a", [(0, 0, 1), (1, 0, 0), (0.6, 0, -0.8), (1, 2, 3)])
def test_same_and_opposite_directions(a):
    assert quaternion_between(a, a).tolist() == NONE
    back = quaternion_between(a, -np.array(a))
    assert back[0] == 0.0
    np.testing.assert_allclose(scipy_rotation(back).apply(a), -np.array(a), atol=1e-15)


@given(q=unit_quaternions, length=st.floats(0.9991, 1.0009))
def test_quaternions_typed_with_few_digits(q, length):
    np.testing.assert_allclose(unit_quaternion("orientation", length * q), q, atol=4e-16)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ((0, 0, 0, 0), r"orientation = \[0.*\] has length 0: must be 1.*no rotation"),
        ((1, 1, 0, 0), r"has length 1\.41421: must be 1"),
        ((1e200, 1e200, 0, 0), r"has length 1\.41421e\+200"),
        ((1.002, 0, 0, 0), r"has length 1\.002"),
        ((math.nan, 0, 0, 1), r"orientation\[0\] = nan: must be finite"),
        ((0, 0, 1), r"orientation = \[0.*\]: must be four numbers \(w, x, y, z\)"),
        ("north", r"orientation = 'north': must be a number or an array"),
    ],
)
def test_no_unit_quaternion(value, message):
    with pytest.raises(rc.InputError, match=message):
        unit_quaternion("orientation", value)


def test_no_rotation():
    with pytest.raises(rc.InputError, match=r"axis = \[0.*\]: must be three numbers, not all zero"):
        quaternion_from((0, 0, 0), 1.0)
    with pytest.raises(rc.InputError, match=r"angle = \[1, 2\]: must be one number, in radians"):
        quaternion_from((0, 0, 1), [1, 2])
    with pytest.raises(rc.InputError, match=r"end = \[1.*\]: must be three numbers"):
        quaternion_between((0, 0, 1), (1, 0))
    with pytest.raises(rc.InputError, match=r"matrix of shape \(2, 2\): must be \(3, 3\)"):
        quaternion_of_matrix(np.eye(2))
    with pytest.raises(rc.InputError, match=r"columns of length 1 at right angles"):
        quaternion_of_matrix(2 * np.eye(3))
    with pytest.raises(rc.InputError, match=r"must be a rotation; this one is also a mirror"):
        quaternion_of_matrix(np.diag([1, 1, -1]))
