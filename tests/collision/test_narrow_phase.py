"""Gap, normal and point of every pair of shapes against plain geometry."""

import numpy as np
import pytest
from collision_cases import (
    FIXED,
    approach,
    body,
    detect,
    nearest_on_box,
    random_turn,
    scene,
    turns,
)
from scipy.optimize import minimize

from rollcone.collision.shapes import BOX, PLANE

CLOSE = {"rtol": 0.0, "atol": 1e-12}


def only(contacts):
    assert len(contacts) == 1
    return contacts.gap[0], contacts.normal[0], contacts.point[0]


def both_orders(first, second, **options):
    """Contact of first with second; exchanged, only the normal turns round."""
    one = detect(scene(first, second), **options).copy()
    other = detect(scene(second, first), **options)
    np.testing.assert_array_equal(one.key, other.key)
    np.testing.assert_allclose(one.gap, other.gap, rtol=0, atol=1e-14)
    np.testing.assert_allclose(one.normal, -other.normal, rtol=0, atol=1e-14)
    np.testing.assert_allclose(one.point, other.point, rtol=0, atol=1e-14)
    np.testing.assert_allclose(one.arms, np.roll(other.arms, 3, axis=1), rtol=0, atol=1e-14)
    return one


@pytest.mark.parametrize("seed", range(8))
def test_two_spheres(seed):
    rng = np.random.default_rng(seed)
    ra, rb = rng.uniform(0.1, 2, 2)
    n = random_turn(rng).apply([1, 0, 0])
    gap = rng.uniform(-0.3, 0.3) * min(ra, rb)
    x = rng.normal(size=3)
    a = body(size=ra, at=x, omega=rng.normal(size=3), margin=0.1 * ra)
    b = body(size=rb, at=x + (ra + rb + gap) * n, velocity=rng.normal(size=3), margin=0.25 * rb)
    found, normal, point = only(both_orders(a, b))
    np.testing.assert_allclose(found, gap, **CLOSE)
    np.testing.assert_allclose(normal, n, **CLOSE)
    np.testing.assert_allclose(point, x + (ra + 0.5 * gap) * n, **CLOSE)


def test_what_counts_as_touching():
    """touch times the smaller radius, plus both margins, and not a hair more."""
    a, b = body(size=1.0, margin=0.01), body(size=0.5, margin=0.02)
    limit = 0.03 + 0.1 * 0.5
    for gap, kept in ((limit - 1e-9, 1), (limit + 1e-9, 0)):
        pair = scene(a, b).moved(np.array([[0, 0, 0], [0, 1.5 + gap, 0]]))
        assert len(detect(pair, touch=0.1)) == kept
        assert len(detect(pair.boosted([1e3, 0, 0]), touch=0.1, horizon=1.0)) == kept
    floor = body(PLANE, kind=FIXED, margin=0.01)
    box = body(BOX, (0.2, 0.3, 0.1), margin=0.02)
    limit = 0.03 + 0.1 * 0.1
    for gap, kept in ((limit - 1e-9, 4), (limit + 1e-9, 0)):
        pair = scene(floor, box).moved([[0, 0, 0], [0, 0, 0.1 + gap]])
        assert len(detect(pair, touch=0.1)) == kept
    assert len(detect(scene(floor, body(size=9.0, at=(0, 0, 9.9))), touch=0.1)) == 1
    ball = body(size=0.5, margin=0.04)
    limit = 0.06 + 0.1 * 0.1
    for gap, kept in ((limit - 1e-9, 1), (limit + 1e-9, 0)):
        pair = scene(ball, box).moved([[0, 0, 0.6 + gap], [0, 0, 0]])
        assert len(detect(pair, touch=0.1)) == kept
        assert len(detect(pair.boosted([1e3, 0, 0]), touch=0.1, horizon=1.0)) == kept


@pytest.mark.parametrize("seed", range(8))
def test_sphere_and_plane(seed):
    rng = np.random.default_rng(seed)
    turn, r, gap = random_turn(rng), rng.uniform(0.1, 2), rng.uniform(-0.5, 0.1)
    up = turn.apply([0, 0, 1])
    at = rng.normal(size=3)
    foot = at + turn.apply([*rng.normal(size=2), 0])
    plane = body(PLANE, at=at, turn=turn, kind=FIXED)
    ball = body(size=r, at=foot + (r + gap) * up, margin=0.1, omega=rng.normal(size=3))
    found, normal, point = only(both_orders(plane, ball))
    np.testing.assert_allclose(found, gap, **CLOSE)
    np.testing.assert_allclose(normal, up, **CLOSE)
    np.testing.assert_allclose(point, foot + 0.5 * gap * up, **CLOSE)
    contacts = detect(scene(plane, ball))
    np.testing.assert_array_equal(contacts.arms[0, 3:], -r * contacts.normal[0])
    np.testing.assert_allclose(contacts.arms[0, :3], foot - at, **CLOSE)


@pytest.mark.parametrize("seed", range(8))
def test_box_and_plane(seed):
    """The corners by the rotation matrix; those that are or will be near are kept, by number."""
    rng = np.random.default_rng(seed)
    turn, tilt = random_turn(rng), random_turn(rng)
    half, horizon, margin = rng.uniform(0.2, 1.0, 3), 0.1, 0.05
    plane = body(PLANE, at=rng.normal(size=3), turn=turn, omega=rng.normal(size=3), kind=FIXED)
    up = turn.apply([0, 0, 1])
    height = 0.7 * abs(tilt.inv().apply(up)) @ half
    box = body(
        BOX, half, plane.position[0] + height * up, turn=tilt, margin=margin,
        velocity=rng.normal(size=3), omega=2 * rng.normal(size=3),
    )  # fmt: skip
    expected = {}
    for corner in range(8):
        sign = [1 if corner >> k & 1 else -1 for k in range(3)]
        arm = tilt.as_matrix() @ (sign * half)
        place = box.position[0] + arm
        gap = (place - plane.position[0]) @ up
        speed = box.velocity[0] + np.cross(box.omega[0], arm)
        speed -= np.cross(plane.omega[0], place - gap * up - plane.position[0])
        near = margin + 1e-6 * half.min()
        if gap + horizon * min(0.0, speed @ up) <= near:
            t = min(-gap / (speed @ up), horizon) if gap > near else 0.0
            there = place - plane.position[0] + t * speed
            expected[corner] = (gap, there - (there @ up) * up, arm)
    contacts = both_orders(plane, box, horizon=horizon)
    assert 0 < len(expected) < 8
    assert (contacts.key & 255).tolist() == list(expected)
    for c, (gap, *arms) in enumerate(expected.values()):
        np.testing.assert_allclose(contacts.gap[c], gap, **CLOSE)
        np.testing.assert_allclose(contacts.arms[c], np.concatenate(arms), **CLOSE)
        halfway = 0.5 * (plane.position[0] + box.position[0] + sum(arms))
        np.testing.assert_allclose(contacts.point[c], halfway, **CLOSE)
        np.testing.assert_allclose(contacts.normal[c], up, **CLOSE)


@pytest.mark.parametrize("where", ["face", "edge", "corner"])
@pytest.mark.parametrize("seed", range(4))
def test_sphere_beside_a_box(where, seed):
    """Against the nearest point by bounded least squares."""
    rng = np.random.default_rng(seed)
    half, turn, r = rng.uniform(0.2, 1, 3), random_turn(rng), rng.uniform(0.3, 0.6)
    beyond = {"face": [0, 0, 1], "edge": [1, 0, 1], "corner": [1, 1, 1]}[where]
    x = rng.uniform(-1, 1, 3) * half
    x += np.sign(x) * rng.permutation(beyond) * (half - abs(x) + rng.uniform(0.05, 0.35, 3))
    box = body(BOX, half, rng.normal(size=3), turn=turn)
    ball = body(size=r, at=box.position[0] + turn.apply(x), margin=0.6)
    y = nearest_on_box(ball.position[0], box)
    away = y - ball.position[0]
    gap, normal, point = only(both_orders(ball, box))
    np.testing.assert_allclose(gap, np.linalg.norm(away) - r, **CLOSE)
    np.testing.assert_allclose(normal, away / np.linalg.norm(away), **CLOSE)
    np.testing.assert_allclose(point, 0.5 * (y + ball.position[0] + r * normal), **CLOSE)
    sides = abs(turn.inv().apply(y - box.position[0])) >= half - 1e-9
    assert sides.sum() == sum(beyond)


@pytest.mark.parametrize("seed", range(6))
def test_centre_inside_the_box(seed):
    """Out through the nearest face: the least way to move the centre to the surface."""
    rng = np.random.default_rng(seed)
    half, turn, r = rng.uniform(0.2, 1, 3), random_turn(rng), 0.1
    x = rng.uniform(-0.95, 0.95, 3) * half
    box = body(BOX, half, rng.normal(size=3), turn=turn)
    ball = body(size=r, at=box.position[0] + turn.apply(x))
    ways = []
    for k in range(3):
        for side in (-1, 1):
            limits = [(-h, h) for h in half]
            limits[k] = (side * half[k],) * 2
            result = minimize(lambda y: ((y - x) ** 2).sum(), np.zeros(3), bounds=limits)
            ways.append((np.sqrt(result.fun), turn.apply(side * np.eye(3)[k])))
    depth, out = min(ways, key=lambda way: way[0])
    gap, normal, point = only(both_orders(ball, box))
    np.testing.assert_allclose(gap, -depth - r, atol=1e-7)
    np.testing.assert_allclose(normal, -out, **CLOSE)
    middle = ball.position[0] + 0.5 * (depth - r) * out
    np.testing.assert_allclose(point, middle, atol=1e-7)


def test_centre_in_the_middle_or_on_the_surface_of_the_box():
    for x in ([0, 0, 0], [0.3, 0, 0], [0.3, 0.4, 0.5], [-0.3, 0.4, 0]):
        gap, normal, _ = only(detect(scene(body(size=0.1, at=x), body(BOX, (0.3, 0.4, 0.5)))))
        assert gap == pytest.approx(-0.1 - (0.3 - abs(x[0])))
        assert np.linalg.norm(normal) == 1.0


def test_spheres_in_the_same_place():
    contacts = detect(scene(*[body(size=r, at=(1, 2, 3)) for r in (1.0, 0.5, 0.5)]), horizon=1.0)
    assert contacts.bodies.tolist() == [[0, 1], [0, 2], [1, 2]]
    np.testing.assert_array_equal(contacts.gap, [-1.5, -1.5, -1.0])
    np.testing.assert_array_equal(contacts.normal, [[0, 0, 1]] * 3)
    assert np.isfinite(contacts.point).all()


def test_planes_in_motion():
    """A plane that comes, or swings round, within the horizon; one that goes away does not."""
    ball = body(size=0.5, at=(2, 0, 0.6))
    for options, kept in (
        ({"velocity": (0, 0, 1.01)}, 1),
        ({"velocity": (0, 0, 0.99)}, 0),
        ({"omega": (0, -0.51, 0)}, 1),
        ({"omega": (0, -0.49, 0)}, 0),
        ({"omega": (0, 0.51, 0)}, 0),
    ):
        pair = scene(ball, body(PLANE, kind=FIXED, **options))
        assert len(detect(pair, horizon=0.1)) == kept
        assert len(detect(pair.boosted([3, -7, 20]), horizon=0.1)) == kept


def test_normal_velocity_is_the_rate_of_the_gap():
    """u_n at the point, as the solver will see it, is d gap / d t of the moving bodies."""
    rng = np.random.default_rng(5)
    step = 1e-6
    for _ in range(10):
        box = body(
            BOX, rng.uniform(0.3, 0.6, 3), turn=random_turn(rng), margin=2.0,
            velocity=rng.normal(size=3), omega=rng.normal(size=3),
        )  # fmt: skip
        ball = body(size=0.3, at=2 * rng.normal(size=3), velocity=rng.normal(size=3), margin=9.0)
        plane = body(PLANE, omega=rng.normal(size=3), turn=random_turn(rng), kind=FIXED, margin=9.0)
        before = scene(box, ball, plane)
        contacts = detect(before).copy()
        after = moved_on(before, step)
        rate = (detect(after).gap - contacts.gap) / step
        speeds = [approach(before, contacts, c) for c in range(len(contacts))]
        np.testing.assert_allclose(rate, speeds, atol=1e-4)


def moved_on(before, step):
    turn = (type(turns(before)).from_rotvec(step * before.omega) * turns(before)).as_quat(
        scalar_first=True
    )
    moved = before.moved(step * before.velocity)
    return type(before)(*(vars(moved) | {"orientation": turn}).values())
