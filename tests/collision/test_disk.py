"""Thin disks and planes: gaps and arms against points all around the rim, first touches, bounding
boxes; what disks cannot touch is refused."""

import numpy as np
import pytest
from collision_cases import FIXED, approach, body, detect, random_turn, scene, turns
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.spatial.transform import Rotation

from rollcone.collision.kernels import shape as _shape_kernels
from rollcone.collision.shapes import DISK, PLANE

R = 0.7
turnings = st.tuples(*[st.floats(-3, 3)] * 3).map(Rotation.from_rotvec)
places = st.tuples(*[st.floats(-3, 3)] * 3)


def disk(**options):
    return body(DISK, R, **options)


def plane(**options):
    return body(PLANE, kind=FIXED, **options)


def rim(one, angle):
    """Points of the rim at angles in the disk's plane, world axes, from its centre."""
    flat = np.stack([np.cos(angle), np.sin(angle), np.zeros_like(angle)], axis=-1)
    return R * turns(one)[0].apply(flat)


def lowest(one, floor):
    """The least height of the rim above a plane, and the arm there, by search."""
    up = turns(floor)[0].apply([0, 0, 1])
    start = (one.position[0] - floor.position[0]) @ up

    def height(angle):
        return float(start + rim(one, np.asarray(angle)) @ up)

    around = np.linspace(0, 2 * np.pi, 200, endpoint=False)
    best = around[np.argmin([height(angle) for angle in around])]
    found = minimize_scalar(height, bounds=(best - 0.1, best + 0.1), method="bounded",
                            options={"xatol": 1e-12})  # fmt: skip
    return found.fun, rim(one, np.asarray(found.x)), up


def check_points(one, floor, contacts):
    """Three points of the rim, 120 degrees apart, each at its own height above the plane."""
    assert (contacts.key & 255).tolist() == [0, 1, 2]
    _, _, up = lowest(one, floor)
    arms = contacts.arms[:, 3:]
    np.testing.assert_allclose(np.linalg.norm(arms, axis=1), R, rtol=1e-14)
    axis = turns(one)[0].apply([0, 0, 1])
    np.testing.assert_allclose(arms @ axis, 0.0, atol=2e-15)
    np.testing.assert_allclose((arms @ arms.T)[~np.eye(3, dtype=bool)], -0.5 * R**2, rtol=1e-13)
    np.testing.assert_allclose(contacts.normal, [up] * 3, atol=1e-15)
    heights = (one.position[0] + arms - floor.position[0]) @ up
    np.testing.assert_allclose(contacts.gap, heights, atol=1e-14)
    feet = floor.position[0] + contacts.arms[:, :3]
    np.testing.assert_allclose(one.position[0] + arms - feet, np.outer(heights, up), atol=1e-14)


@given(turnings, places, turnings, places)
def test_points_of_the_rim(turn, at, floor_turn, floor_at):
    one = disk(at=at, turn=turn, margin=50.0)
    floor = plane(at=floor_at, turn=floor_turn)
    contacts = detect(scene(floor, one))
    check_points(one, floor, contacts)
    least, arm, up = lowest(one, floor)
    assert contacts.gap[0] == pytest.approx(least, abs=1e-12)
    sine = np.linalg.norm(np.cross(up, turns(one)[0].apply([0, 0, 1])))
    if sine > 1e-3:  # else the lowest point is ill defined for the search
        np.testing.assert_allclose(contacts.arms[0, 3:], arm, atol=1e-5)


@pytest.mark.parametrize("order", [1, -1])
def test_either_may_be_the_first(order):
    parts = (plane(), disk(turn=random_turn(np.random.default_rng(1)), margin=2.0))
    contacts = detect(scene(*parts[::order]))
    np.testing.assert_allclose(contacts.normal, [(0, 0, order)] * 3)
    disk_arms = contacts.arms[:, 3:] if order == 1 else contacts.arms[:, :3]
    np.testing.assert_allclose(np.linalg.norm(disk_arms, axis=1), R)


@pytest.mark.parametrize("tilt", [0.0, 1e-300, 1e-17, 1e-12, 1e-8, 2e-7, 1e-5])
@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize("about", [0.0, 2.0, 4.0])
def test_flat_and_nearly_flat(tilt, over, about):
    """No matter which way it leans, nor which side is up; where nothing but rounding tells which
    way it leans, the first point is that of the body's x axis."""
    turn = Rotation.from_rotvec([tilt * np.cos(about), tilt * np.sin(about), 0])
    turn = turn * Rotation.from_rotvec([np.pi * over, 0, 0]) * Rotation.from_rotvec([0, 0, 0.4])
    one, floor = disk(turn=turn), plane()
    contacts = detect(scene(floor, one), touch=1e-4)
    check_points(one, floor, contacts)
    assert contacts.gap[0] <= lowest(one, floor)[0] + 1e-10 * R
    if tilt < 5e-11:
        np.testing.assert_allclose(contacts.arms[0, 3:], R * turn.apply([1, 0, 0]), atol=1e-15)
    else:
        assert contacts.gap[0] == pytest.approx(-R * np.sin(tilt), rel=1e-6)


def test_upright():
    turn = Rotation.from_rotvec([np.pi / 2, 0, 0]) * Rotation.from_rotvec([0, 0, 1.3])
    contacts = detect(scene(plane(), disk(at=(2, 1, R), turn=turn)))
    assert len(contacts) == 1
    np.testing.assert_allclose(contacts.arms[0], (2, 1, 0, 0, 0, -R), atol=1e-14)
    np.testing.assert_allclose(contacts.point, [(2, 1, 0)], atol=1e-14)


@pytest.mark.parametrize("seed", range(20))
def test_first_touch(seed):
    """A point is kept exactly if its own gap closes within the horizon: the plane may move and
    turn, and so may the disk."""
    rng = np.random.default_rng(seed)
    horizon = 0.1
    floor = plane(turn=random_turn(rng), velocity=rng.normal(size=3), omega=rng.normal(size=3))
    at = turns(floor)[0].apply([*rng.normal(size=2), rng.uniform(0.2, 1.0)])
    one = disk(at=at, turn=random_turn(rng), velocity=3 * rng.normal(size=3),
               omega=3 * rng.normal(size=3), margin=5.0)  # fmt: skip
    still = detect(scene(floor, one))
    near = scene(floor, body(DISK, R, at=at, turn=turns(one)[0], velocity=one.velocity[0],
                             omega=one.omega[0]))  # fmt: skip
    closing = [approach(near, still, c) for c in range(3)]
    expected = [
        c for c in range(3)
        if still.gap[c] + horizon * min(0.0, closing[c]) <= 1e-6 * R
    ]  # fmt: skip
    contacts = detect(near, horizon)
    assert (contacts.key & 255).tolist() == expected
    np.testing.assert_allclose(contacts.gap, still.gap[expected], atol=1e-14)


half_extent = _shape_kernels.half_extent


@given(turnings)
def test_bounding_box(turn):
    one = disk(turn=turn)
    half = half_extent(one.shape, one.size, one.orientation, 0)
    points = rim(one, np.linspace(0, 2 * np.pi, 20_000))
    np.testing.assert_allclose(half, points.max(axis=0), atol=R * 1e-7)
    assert (points.max(axis=0) <= np.array(half) + 1e-14).all()
