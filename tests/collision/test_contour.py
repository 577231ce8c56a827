"""How far contact points run as bodies roll: against what is found before and after a small rolling
motion without slip, in which the point moves alike over both surfaces, and closed forms."""

import numpy as np
import pytest
from collision_cases import FIXED, body, detect, random_turn, scene, turns
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from rollcone.collision.kernels.curvature import contour_axes
from rollcone.collision.shapes import BOWL, BOX, CAPSULE, CLUMP, DISK, ELLIPSOID, PLANE, SPHERE

R_BOWL, MARGIN = 1.7, 4.0
THIN, ROUND, BARREL = (0.5, 0.5, 0.5), (0.5, 0.62, 0.57), (0.5, 0.9, 0.5)


def plane(**options):
    return body(PLANE, kind=FIXED, **options)


def bowl(**options):
    return body(BOWL, (R_BOWL, np.inf, np.inf), kind=FIXED, **options)


def ball(r, **options):
    return body(SPHERE, r, **options)


BODIES = {
    "sphere": (SPHERE, 0.4),
    "capsule": (CAPSULE, (0.2, 0.2, 0.5)),
    "thin disk": (DISK, THIN),
    "rounded disk": (DISK, ROUND),
    "cylinder": (DISK, BARREL),
    "ellipsoid": (ELLIPSOID, (0.5, 0.3, 0.2)),
}
SUPPORTS = {"plane": plane, "bowl": bowl}
PAIRS = [(a, b) for a in SUPPORTS for b in BODIES if (a, b) != ("bowl", "ellipsoid")]


def touching(pair, k=0):
    """The pair of bodies, the second moved so that contact k is closed, and their contacts."""
    for _ in range(60):
        found = detect(pair).copy()
        sign = 1.0 if found.bodies[k, 1] == 1 else -1.0
        move = np.zeros((2, 3))
        move[1] = -sign * found.gap[k] * found.normal[k]
        pair = pair.moved(move)
    return pair, detect(pair).copy()


def axes_of(pair, found, k):
    bodies = found.bodies.astype(np.int32)
    x, y, z, first, second = contour_axes(
        pair.shape, pair.size, pair.orientation, bodies, k, found.normal, found.arms
    )
    return np.array([x, y, z]), first, second


def predicted(pair, found, k, w):
    """g for an angular velocity w of B relative to A."""
    n = found.normal[k]
    e, first, second = axes_of(pair, found, k)
    assert e @ n == pytest.approx(0.0, abs=1e-14)
    assert np.linalg.norm(e) == pytest.approx(1.0, abs=1e-14)
    h = np.cross(n, e)
    return -first * (w @ e) * h + second * (w @ h) * e


def moved(pair, velocity, omega, t):
    turn = Rotation.from_rotvec(t * omega) * turns(pair)
    from dataclasses import replace

    return replace(
        pair,
        position=pair.position + t * velocity,
        orientation=turn.as_quat(scalar_first=True),
    )


def point_velocities(pair, velocity, omega, key, t=1e-5):
    """Of the contact point over the material of A and of B, in world axes, by differences."""
    arms = []
    for time in (t, -t):
        later = moved(pair, velocity, omega, time)
        found = detect(later)
        k = int(np.flatnonzero(found.key == key)[0])
        a, b = found.bodies[k]
        own = [turns(later)[a].inv().apply(found.arms[k, :3])]
        own.append(turns(later)[b].inv().apply(found.arms[k, 3:]))
        arms.append(own)
    rates = (np.array(arms[0]) - np.array(arms[1])) / (2 * t)
    a, b = found.bodies[k]
    return turns(pair)[a].apply(rates[0]), turns(pair)[b].apply(rates[1])


def rolling(rng, pair, found, k):
    """Velocities without slip at contact k, both bodies turning."""
    a, b = found.bodies[k]
    omega, velocity = np.zeros((2, 3)), np.zeros((2, 3))
    omega[a], omega[b], velocity[a] = rng.normal(size=(3, 3))
    at_a = velocity[a] + np.cross(omega[a], found.arms[k, :3])
    velocity[b] = at_a - np.cross(omega[b], found.arms[k, 3:])
    return velocity, omega, omega[b] - omega[a]


def check_rolling(rng, pair, k=0):
    pair, found = touching(pair, k)
    velocity, omega, w = rolling(rng, pair, found, k)
    g = predicted(pair, found, k, w)
    on_a, on_b = point_velocities(pair, velocity, omega, found.key[k])
    np.testing.assert_allclose(on_a, g, atol=2e-6 * (1 + np.abs(g).max()))
    np.testing.assert_allclose(on_b, g, atol=2e-6 * (1 + np.abs(g).max()))


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(("support", "name"), PAIRS)
@given(seed=st.integers(0, 10_000))
def test_rolling_on_a_support(support, name, order, seed):
    rng = np.random.default_rng(seed)
    shape, size = BODIES[name]
    floor = SUPPORTS[support](turn=random_turn(rng), at=rng.normal(size=3))
    up = turns(floor)[0].apply([0, 0, 1])
    lean = Rotation.from_rotvec(rng.uniform(0.3, 1.2) * turns(floor)[0].apply([1, 0, 0]))
    turn = lean * turns(floor)[0] * Rotation.from_rotvec([0, 0, rng.uniform(0, 6)])
    away = turns(floor)[0].apply([0.1, 0.2, 0.0]) if support == "bowl" else 0.0
    one = body(shape, size, at=floor.position[0] + 0.6 * up + away, turn=turn, margin=MARGIN)
    pair = scene(*(floor, one)[::order])
    lowest = int(np.argmin(detect(pair).gap))
    check_rolling(rng, pair, lowest)


@given(st.integers(0, 10_000), st.floats(0.1, 2.0), st.floats(0.1, 2.0))
def test_two_spheres_that_slip(seed, r, s):
    """With slip, the mean weighted by curvature."""
    rng = np.random.default_rng(seed)
    n = rng.normal(size=3)
    n /= np.linalg.norm(n)
    pair, found = touching(scene(ball(r, margin=MARGIN), ball(s, at=(r + s) * n, margin=MARGIN)))
    velocity, omega, w = rolling(rng, pair, found, 0)
    velocity[1] += np.cross(n, rng.normal(size=3))
    on_a, on_b = point_velocities(pair, velocity, omega, found.key[0])
    mean = (on_a / r + on_b / s) / (1 / r + 1 / s)
    np.testing.assert_allclose(mean, predicted(pair, found, 0, w), atol=1e-6)


@given(st.integers(0, 10_000))
def test_a_ball_on_the_side_of_a_capsule(seed):
    rng = np.random.default_rng(seed)
    turn = random_turn(rng)
    at = turn.apply([0.5 * np.cos(seed), 0.5 * np.sin(seed), rng.uniform(-0.2, 0.2)])
    pair = scene(body(CAPSULE, (0.2, 0.2, 0.5), turn=turn, margin=MARGIN), ball(0.3, at=at))
    check_rolling(rng, pair)


def test_capsules_that_cross():
    rng = np.random.default_rng(3)
    tall = body(CAPSULE, (0.2, 0.2, 0.9), margin=MARGIN)
    flat = body(CAPSULE, (0.3, 0.3, 0.9), at=(0.5, 0, 0), turn=Rotation.from_rotvec([1.1, 0, 0]))
    pair = scene(tall, flat)
    crossing = int(np.flatnonzero((detect(pair).key & 255) == 4)[0])
    check_rolling(rng, pair, crossing)


def lengths(pair, k=0):
    pair, found = touching(pair, k)
    return axes_of(pair, found, k)


@pytest.mark.parametrize("edge", [0.0, 0.05])
@pytest.mark.parametrize("tilt", [0.01, 0.7, 1.3])
def test_rim_on_a_plane(edge, tilt):
    """(2.23): r / sin for a thin disk; about the direction down the disk, seen from above."""
    size = (0.5, 0.5 + 2 * edge, 0.5 + edge)
    turn = Rotation.from_rotvec([0, tilt, 0])
    e, first, second = lengths(scene(plane(), body(DISK, size, turn=turn, margin=MARGIN)))
    assert first == pytest.approx((0.5 - edge) / np.sin(tilt) + edge, rel=1e-12)
    assert second == pytest.approx(edge)
    np.testing.assert_allclose(np.abs(e), (1, 0, 0), atol=1e-12)


def test_capsule_on_its_side():
    turn = Rotation.from_rotvec([0, np.pi / 2, 0])
    pair = scene(plane(), body(CAPSULE, (0.2, 0.2, 0.5), turn=turn, margin=MARGIN))
    e, first, second = lengths(pair)
    np.testing.assert_allclose(np.abs(e), (1, 0, 0), atol=1e-12)
    assert (first, second) == (pytest.approx(0.2), 0.0)


@pytest.mark.parametrize("size", [BARREL, ROUND])
def test_cylinder_on_its_side(size):
    turn = Rotation.from_rotvec([0, np.pi / 2, 0])
    e, first, second = lengths(scene(plane(), body(DISK, size, turn=turn, margin=MARGIN)))
    np.testing.assert_allclose(np.abs(e), (1, 0, 0), atol=1e-12)
    assert (first, second) == (pytest.approx(0.5), 0.0)


FLAT = {
    "box on a plane": scene(plane(), body(BOX, 0.3, margin=MARGIN)),
    "box on its edge": scene(
        plane(), body(BOX, 0.3, turn=Rotation.from_rotvec([0.3, 0, 0]), margin=MARGIN)
    ),
    "box in a bowl": scene(bowl(), body(BOX, 0.3, at=(0, 0, 0.5), margin=MARGIN)),
    "two boxes": scene(body(BOX, 0.3), body(BOX, 0.3, at=(0.1, 0.1, 0.6), margin=MARGIN)),
    "flat disk": scene(plane(), body(DISK, THIN, margin=MARGIN)),
    "hardly tilted disk": scene(
        plane(), body(DISK, ROUND, turn=Rotation.from_rotvec([5e-8, 0, 0]), margin=MARGIN)
    ),
    "standing cylinder": scene(plane(), body(DISK, BARREL, margin=MARGIN)),
    "flat disk in a bowl": scene(bowl(), body(DISK, THIN, at=(0, 0, 0.5), margin=MARGIN)),
    "rounded disk in a bowl": scene(bowl(), body(DISK, ROUND, at=(0, 0, 0.5), margin=MARGIN)),
}


@pytest.mark.parametrize("name", FLAT)
def test_what_does_not_roll(name):
    pair = FLAT[name]
    if "bowl" in name:  # straight down, so that it stays level
        for _ in range(60):
            found = detect(pair)
            down = found.normal[0, 2]
            pair = pair.moved(np.array([[0, 0, 0], [0, 0, -found.gap[0] / abs(down)]]))
        found = detect(pair).copy()
    else:
        pair, found = touching(pair)
    for k in range(len(found)):
        if abs(found.gap[k]) < 1e-6:
            assert axes_of(pair, found, k)[1:] == (0.0, 0.0)


def test_a_ball_on_a_box():
    """On a face it rolls as on a plane, on an edge along that alone, on a corner not at all."""
    r, half = 0.2, 0.3

    def rolled(at):
        return lengths(scene(body(BOX, half), ball(r, at=at, margin=MARGIN)))

    assert rolled((0.1, 0.05, 0.5))[1:] == pytest.approx((r, r))
    e, first, second = rolled((0.1, 0.45, 0.45))
    assert (first, second) == (pytest.approx(r), 0.0)
    assert abs(e[0]) == pytest.approx(0.0)
    assert rolled((0.5, 0.5, 0.5))[1:] == (0.0, 0.0)


def test_clumps_have_no_lengths():
    pair = scene(plane(), ball(0.4, at=(0, 0, 0.4)))
    found = detect(pair)
    pair.shape[1] = CLUMP
    assert axes_of(pair, found, 0)[1:] == (0.0, 0.0)
