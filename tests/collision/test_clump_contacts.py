"""A clump's contacts are those of its balls, as if each were a sphere of its own."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import rollcone as rc
from rollcone.collision.contacts import Contacts
from rollcone.collision.detect import Detector

BALLS = np.array([(0.2, 0, 0, 0.1), (-0.1, 0.2, 0, 0.15), (0, -0.1, 0.1, 0.2)])
FEATURES = 2**14 - 1
CLOSE = 1e-5  # where a ball grazes a box, rounding moves the time of touch by its root


def found(world: rc.World, horizon: float, margin: float = 1e-3) -> Contacts:
    state = world.state
    margins = np.full(len(state), margin)
    return Detector().detect(state, state.velocity, state.angular_velocity, horizon, margins).copy()


def surroundings(world: rc.World, rng) -> None:
    """One of every shape, near the origin."""
    q = Rotation.random(rng=rng).as_quat(scalar_first=True)
    place = {"mass": 1.0, "velocity": rng.normal(size=3), "angular_velocity": rng.normal(size=3)}
    way = rng.normal(size=3)
    way *= rng.uniform(0.3, 0.8) / np.linalg.norm(way)
    world.add_sphere(radius=0.3, position=way, **place)
    world.add_box(size=(0.4, 0.3, 0.5), position=-way, orientation=q, **place)
    world.add_capsule(radius=0.1, length=0.4, position=np.roll(way, 1), orientation=q, **place)
    world.add_plane(normal=rng.normal(size=3), point=(0, 0, -0.1), velocity=(0.1, 0, 0))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("last", [False, True])
def test_each_ball_is_a_sphere(seed, last):
    """A clump among all shapes, before them or after; and spheres that move as its balls do."""
    rng = np.random.default_rng(seed)
    turn = Rotation.random(rng=rng)
    v, w = rng.normal(size=3), rng.normal(size=3)
    one = rc.World()
    state = rng.bit_generator.state
    if last:
        surroundings(one, rng)
    clump = one.add_clump(
        spheres=BALLS, center=(0, 0, 0), mass=1, velocity=v, angular_velocity=w,
        orientation=turn.as_quat(scalar_first=True),
    )  # fmt: skip
    if not last:
        surroundings(one, rng)
    rng.bit_generator.state = state
    other = rc.World()
    surroundings(other, rng)
    arms = turn.apply(BALLS[:, :3])
    for arm, ball in zip(arms, BALLS, strict=True):
        other.add_sphere(radius=ball[3], mass=1, position=arm, velocity=v + np.cross(w, arm))
    plain = {}
    contacts = found(other, 0.1)
    for k, (a, b) in enumerate(contacts.bodies):
        if a < 4 <= b:
            rows = (contacts.gap[k], contacts.normal[k], contacts.arms[k], contacts.point[k])
            plain[int(a), int(b) - 4] = rows
    contacts = found(one, 0.1)
    seen = set()
    for k, (a, b) in enumerate(contacts.bodies):
        if clump.id not in (a, b):
            continue
        ball = int(contacts.key[k] & FEATURES)
        mate = int(a + b - clump.id) - (not last)
        gap, normal, arm, point = plain[mate, ball]
        sign = 1.0 if last else -1.0  # the clump comes second, or first
        assert contacts.gap[k] == pytest.approx(gap, abs=CLOSE)
        np.testing.assert_allclose(contacts.normal[k], sign * normal, atol=CLOSE)
        np.testing.assert_allclose(contacts.point[k], point, atol=CLOSE)
        own, others = (contacts.arms[k, 3:], contacts.arms[k, :3])[:: 1 if last else -1]
        np.testing.assert_allclose(own, arms[ball] + arm[3:], atol=CLOSE)
        np.testing.assert_allclose(others, arm[:3], atol=CLOSE)
        seen.add((mate, ball))
    assert seen == set(plain)
    assert len(seen) > 0 or seed > 0
    assert (np.diff(contacts.key) > 0).all()


@pytest.mark.parametrize("seed", range(10))
def test_two_clumps(seed):
    """All pairs of their balls, keyed by both numbers."""
    rng = np.random.default_rng(seed)
    world, balls = rc.World(), []
    for place in ((0, 0, 0), rng.normal(size=3) * 0.2):
        turn, v, w = Rotation.random(rng=rng), rng.normal(size=3), rng.normal(size=3)
        world.add_clump(
            spheres=BALLS, center=(0, 0, 0), mass=1, position=place, velocity=v,
            angular_velocity=w, orientation=turn.as_quat(scalar_first=True),
        )  # fmt: skip
        arms = turn.apply(BALLS[:, :3])
        balls.append([(place + arm, v + np.cross(w, arm), arm) for arm in arms])
    contacts = found(world, 0.05)
    expected = {}
    for i, (x, v, _) in enumerate(balls[0]):
        for j, (y, u, _) in enumerate(balls[1]):
            pair = rc.World()
            pair.add_sphere(radius=BALLS[i, 3], mass=1, position=x, velocity=v)
            pair.add_sphere(radius=BALLS[j, 3], mass=1, position=y, velocity=u)
            alone = found(pair, 0.05)
            if len(alone):
                expected[i * 128 + j] = (alone.gap[0], alone.normal[0], alone.point[0])
    assert (contacts.key & FEATURES).tolist() == sorted(expected)
    assert len(expected) > 0 or seed > 0
    for k, key in enumerate(sorted(expected)):
        gap, normal, point = expected[key]
        assert contacts.gap[k] == pytest.approx(gap, abs=1e-14)
        np.testing.assert_allclose(contacts.normal[k], normal, atol=1e-13)
        np.testing.assert_allclose(contacts.point[k], point, atol=1e-13)


def test_the_grid_finds_clumps_that_reach_far():
    """Long ones, turned every way and turning fast, against comparing all."""
    rng = np.random.default_rng(1)
    world, rod = rc.World(), [(0.3 * k, 0, 0, 0.05) for k in range(8)]
    for _ in range(60):
        world.add_clump(
            spheres=rod, mass=1, position=rng.uniform(-1.5, 1.5, 3),
            velocity=rng.normal(size=3),
            orientation=Rotation.random(rng=rng).as_quat(scalar_first=True),
            angular_velocity=5 * rng.normal(size=3),
        )  # fmt: skip
    contacts = found(world, 0.02)
    assert len(contacts) > 10
    places, speeds = [], []
    for body in world.bodies:
        q = Rotation.from_quat(body.orientation, scalar_first=True)
        arms = q.apply(body.spheres[:, :3])
        places.append(body.position + arms)
        speeds.append(body.velocity + np.cross(body.angular_velocity, arms))
    expected = set()
    for a in range(60):
        for b in range(a + 1, 60):
            d = places[b][None] - places[a][:, None]
            c = speeds[b][None] - speeds[a][:, None]
            cc = np.maximum((c * c).sum(-1), 1e-300)
            t = np.clip(-(d * c).sum(-1) / cc, 0, 0.02)
            least = np.linalg.norm(d + t[..., None] * c, axis=-1)
            near = 0.1 + 2e-3
            expected |= {(a, b, int(i) * 128 + int(j)) for i, j in np.argwhere(least <= near)}
    rows = zip(contacts.bodies, contacts.key, strict=True)
    listed = {(*map(int, p), int(k & FEATURES)) for p, k in rows}
    assert listed == expected
