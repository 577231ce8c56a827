"""Bodies that meet within the horizon: when, with which normal, at which gap along it."""

import numpy as np
import pytest
from collision_cases import (
    approach,
    body,
    detect,
    first_time,
    nearest_on_box,
    random_turn,
    scene,
)

from rollcone.collision.shapes import BOX

HORIZON = 0.7


def translation_speed(pair, contacts):
    """u_n without the spin of spheres, whose arms leave the normal where it is not yet theirs."""
    return float((pair.velocity[1] - pair.velocity[0]) @ contacts.normal[0])


@pytest.mark.parametrize("seed", range(60))
def test_spheres_against_bisection(seed):
    rng = np.random.default_rng(seed)
    ra, rb = 10 ** rng.uniform(-2, 0, 2)
    a = body(size=ra, at=rng.normal(size=3), velocity=rng.normal(size=3))
    way = random_turn(rng).apply([1, 0, 0])
    side = np.cross(way, rng.normal(size=3))
    side *= rng.uniform(0, 1.6) * (ra + rb) / np.linalg.norm(side)
    far, speed = 10 ** rng.uniform(-3, 1), 10 ** rng.uniform(-2, 2)
    start = a.position[0] + side + way * (far + ra + rb)
    b = body(size=rb, at=start, velocity=a.velocity[0] - speed * way)
    pair = scene(a, b)
    d, c = pair.position[1] - pair.position[0], pair.velocity[1] - pair.velocity[0]
    t = first_time(lambda t: np.linalg.norm(d + t * c), ra + rb, HORIZON)
    contacts = detect(pair, horizon=HORIZON)
    assert len(contacts) == (t is not None)
    if t is None:
        return
    n = (d + t * c) / (ra + rb)
    loose = 1e-9 * (1 + np.linalg.norm(d) / (ra + rb))
    np.testing.assert_allclose(contacts.normal[0], n, rtol=0, atol=1e2 * loose)
    assert np.linalg.norm(contacts.normal[0]) == pytest.approx(1.0, abs=1e-15)
    assert contacts.gap[0] == pytest.approx(contacts.normal[0] @ d - ra - rb, abs=1e-14 * (1 + far))
    assert contacts.gap[0] + t * translation_speed(pair, contacts) == pytest.approx(
        0.0, abs=loose * (1 + far)
    )
    middle = 0.5 * (pair.position.sum(axis=0) + (ra - rb) * contacts.normal[0])
    np.testing.assert_allclose(contacts.point[0], middle, rtol=0, atol=1e-12 * (1 + far))


def test_passing_by_is_no_contact():
    """The tangent plane is passed, the sphere is not touched: a ghost to a rule by speed."""
    a, b = body(size=0.5), body(size=0.5, at=(1.0, 0.6, 0), velocity=(-40, 0, 0))
    assert len(detect(scene(a, b), horizon=0.1)) == 1
    b = body(size=0.5, at=(2.0, 1.001, 0), velocity=(-40, 0, 0))
    assert len(detect(scene(a, b), horizon=0.1)) == 0
    corner = body(BOX, 0.5)
    b = body(size=0.1, at=(0.9, 0.2, 0.61), velocity=(-30, 0, 0))
    assert len(detect(scene(b, corner), horizon=0.1)) == 0
    assert len(detect(scene(b.moved([0, 0, -0.02]), corner), horizon=0.1)) == 1


def test_grazing():
    """Passing within what counts as touching: kept, normal where closest, u_n of rounding."""
    a = body(size=0.5)
    for miss, kept in ((0.0, 1), (0.4e-6, 1), (0.6e-6, 0), (-1e-12, 1), (1e-13, 1)):
        b = body(size=0.5, at=(3.0, 1.0 + miss, 0), velocity=(-10, 0, 0))
        contacts = detect(scene(a, b), horizon=1.0)
        assert len(contacts) == kept
        if kept:
            assert abs(contacts.normal[0] - [0, 1, 0]).max() < 3e-6
            assert contacts.gap[0] + 0.3 * approach(scene(a, b), contacts, 0) < 0.51e-6
    ends_near = body(size=0.5, at=(1.5, 0, 0), velocity=(-0.5 + 0.4e-6, 0, 0))
    contacts = detect(scene(a, ends_near), horizon=1.0)
    assert contacts.gap[0] == pytest.approx(0.5)
    assert len(detect(scene(a, ends_near), horizon=1.0 - 1e-6)) == 0


@pytest.mark.parametrize("speed", [1e-320, 1e-200, 1e-30, 1e-9])
def test_slow(speed):
    """Next to no motion: no division by zero, no contact out of nothing, no contact lost."""
    for other in (body(size=0.5), body(BOX, 0.5)):
        apart = scene(other, body(size=0.5, at=(1.0 + 1e-5, 0, 0), velocity=(-speed, speed, 0)))
        assert len(detect(apart, horizon=1.0)) == 0
        close = scene(other, body(size=0.5, at=(1.0 + 1e-7, 0, 0), velocity=(speed, speed, 0)))
        assert len(detect(close, horizon=1.0)) == 1


def test_fast_and_far():
    """Bullets: over a million sizes in a step, and a million metres from the origin."""
    for far in (0.0, 1e6):
        target, wall = body(size=0.5, at=(far, 0, 0)), body(BOX, 0.5, at=(far, 0, 0))
        bullet = body(size=0.5, at=(far + 1e6, 0.3, 0), velocity=(-3e6, 0, 0))
        for other, gap in ((target, 1e6 * np.sqrt(0.91) + 0.09 - 1.0), (wall, 1e6 - 1.0)):
            pair = scene(other, bullet)
            contacts = detect(pair, horizon=1.0)
            assert contacts.gap[0] == pytest.approx(gap, rel=1e-9)
            t = -contacts.gap[0] / translation_speed(pair, contacts)
            assert -pair.velocity[1, 0] * t == pytest.approx(1e6, rel=1e-5)
        missed = body(size=0.5, at=(far + 1e6, 1.1, 0), velocity=(-3e6, 0, 0))
        assert len(detect(scene(target, wall, missed).take([0, 2]), horizon=1.0)) == 0


@pytest.mark.parametrize("seed", range(40))
def test_sphere_and_box_against_bisection(seed):
    """A box that does not turn; one that does is followed along the line that starts its way."""
    rng = np.random.default_rng(seed)
    box = body(
        BOX, rng.uniform(0.2, 1, 3), rng.normal(size=3), turn=random_turn(rng),
        velocity=rng.normal(size=3), omega=rng.normal(size=3) * (seed % 2),
    )  # fmt: skip
    r, at = rng.uniform(0.1, 0.5), random_turn(rng).apply([3.0, 0, 0])
    aim = rng.normal(size=3) * 0.8
    speed = 10 ** rng.uniform(0, 1.5)
    velocity = box.velocity[0] + speed * (aim - at) / np.linalg.norm(aim - at)
    ball = body(size=r, at=box.position[0] + at, velocity=velocity)
    y = nearest_on_box(ball.position[0], box)
    c = velocity - box.velocity[0] - np.cross(box.omega[0], y - box.position[0])

    def away(t):
        x = ball.position[0] + t * c
        return x - nearest_on_box(x, box)

    t = first_time(lambda t: np.linalg.norm(away(t)), r + 1e-6 * min(r, *box.size[0]), HORIZON)
    pair = scene(ball, box)
    contacts = detect(pair, horizon=HORIZON)
    assert len(contacts) == (t is not None)
    if t is None:
        return
    n = -away(t) / np.linalg.norm(away(t))
    np.testing.assert_allclose(contacts.normal[0], n, rtol=0, atol=1e-6)
    assert contacts.gap[0] + t * (-c @ contacts.normal[0]) == pytest.approx(0.0, abs=1.1e-6)
    surface = ball.position[0] + t * c - away(t)
    middle = 0.5 * (ball.position[0] + r * n + surface)
    np.testing.assert_allclose(contacts.point[0], middle, rtol=0, atol=1e-5)
    if not box.omega.any():
        assert approach(pair, contacts, 0) == pytest.approx(-c @ contacts.normal[0], rel=1e-9)
