"""Capsules that meet others within the horizon: when, where, with which normal."""

from dataclasses import replace

import numpy as np
import pytest
from capsule_cases import apart, capsule, gap_of, radius, random_partner
from collision_cases import FIXED, body, detect, first_time, random_turn, scene, turns
from scipy.spatial.transform import Rotation

from rollcone.collision.shapes import BOX, CAPSULE, PLANE, SPHERE

HORIZON = 0.7
PARTNERS = {"sphere": SPHERE, "box": BOX, "capsule": CAPSULE}
LYING = Rotation.from_rotvec([0, np.pi / 2, 0])  # z axis to x


def thrown(rng, partner):
    """A capsule or other, and another that is thrown at it or past it."""
    one = random_partner(rng, CAPSULE, velocity=rng.normal(size=3))
    at = random_turn(rng).apply([5.0, 0, 0])
    aim = rng.normal(size=3) * rng.choice([0.3, 1.0])
    speed = 10 ** rng.uniform(0.7, 2.0)
    velocity = one.velocity[0] + speed * (aim - at) / np.linalg.norm(aim - at)
    return one, random_partner(rng, PARTNERS[partner], at=at, velocity=velocity)


def moving(one, velocity):
    return replace(one, velocity=np.array([velocity], dtype=float))


@pytest.mark.parametrize("partner", PARTNERS)
@pytest.mark.parametrize("seed", range(16))
def test_against_bisection(partner, seed):
    """One contact is that of the first touch: gap + t u_n = near, arms and normal of that time."""
    rng = np.random.default_rng(seed)
    one, other = thrown(rng, partner)
    c = other.velocity[0] - one.velocity[0]
    near = 1e-6 * min(*one.size[0], *other.size[0])
    t = first_time(lambda t: gap_of(one, other, t * c), near, HORIZON)
    contacts = detect(scene(one, other), horizon=HORIZON)
    assert (len(contacts) > 0) == (t is not None)
    if t is None:
        return
    times = (near - contacts.gap) / (contacts.normal @ c)
    first = np.argmin(times)
    assert times[first] == pytest.approx(t, abs=1e-9)
    normal, arms = contacts.normal[first], contacts.arms[first]
    there = apart(one, other, t * c)
    np.testing.assert_allclose(normal, there / np.linalg.norm(there), rtol=0, atol=1e-5)
    core_a, core_b = arms[:3] - radius(one) * normal, arms[3:] + radius(other) * normal
    between = other.position[0] + t * c + core_b - one.position[0] - core_a
    np.testing.assert_allclose(between, there, rtol=0, atol=1e-7)


@pytest.mark.parametrize("partner", PARTNERS)
@pytest.mark.parametrize("seed", range(10))
def test_rows_that_hold_keep_them_apart(partner, seed):
    """No way w with gap + w.n >= 0 at all contacts, however far, makes the two overlap."""
    rng = np.random.default_rng(100 + seed)
    one, other = thrown(rng, partner)
    contacts = detect(scene(one, other), horizon=HORIZON)
    if not len(contacts):
        return
    c = HORIZON * (other.velocity[0] - one.velocity[0])
    for _ in range(20):
        way = c * rng.uniform(0, 1) + rng.normal(size=3)
        for _ in range(20):
            rows = contacts.gap + contacts.normal @ way
            worst = np.argmin(rows)
            way = way - min(rows[worst], 0.0) * contacts.normal[worst]
        if (contacts.gap + contacts.normal @ way).min() >= -1e-12:
            assert gap_of(one, other, way) > -1e-6


def test_touching_and_grazing_in_closed_form():
    """Side on, end on, across, past an end and past a corner, with nothing that counts as near."""
    one, r = capsule(0.5, 1.0), 0.25
    lying, box = {"turn": LYING}, body(BOX, (0.5, 0.5, 1.0))
    for still, other, velocity, normal in (
        (one, body(size=r, at=(3, 0, 0.9)), (-9, 0, 0), (1, 0, 0)),
        (one, body(size=r, at=(3, 0, 1.45)), (-9, 0, 0), (0.8, 0, 0.6)),
        (one, body(size=r, at=(0, 0, 9)), (0, 0, -20), (0, 0, 1)),
        (one, capsule(r, 2.0, at=(0, 3, 0.2), **lying), (0, -9, 0), (0, 1, 0)),
        (one, capsule(r, 1.0, at=(3, 0, 2.45)), (-9, 0, 0), (0.8, 0, 0.6)),
        (one, capsule(r, 1.0, at=(0, 3, 1.45), **lying), (0, -9, 0), (0, 0.8, 0.6)),
        (box, capsule(r, 2.0, at=(0, 3, 1.15), **lying), (0, -9, 0), (0, 0.8, 0.6)),
        (box, capsule(r, 2.0, at=(3, 0.65, 0.2)), (-9, 0, 0), (0.8, 0.6, 0)),
    ):
        contacts = detect(scene(still, moving(other, velocity)), horizon=0.5, touch=0.0)
        first = np.argmin(contacts.gap / (-contacts.normal @ velocity))
        way = (other.position[0] - still.position[0]) @ normal
        gap = way - support(still, np.array(normal)) - support(other, -np.array(normal))
        assert contacts.gap[first] == pytest.approx(gap, abs=1e-12)
        np.testing.assert_allclose(contacts.normal[first], normal, rtol=0, atol=1e-12)


def support(one, n):
    """How far `one` reaches from its centre along n."""
    local = turns(one)[0].inv().apply(n)
    if one.shape[0] == BOX:
        return np.abs(local) @ one.size[0]
    return one.size[0, 0] + abs(local[2]) * (one.size[0, 2] - one.size[0, 0])


def test_passing_by_is_no_contact():
    """Past an end, past an edge, between: a hair outside, and a hair inside."""
    hair = 1e-4
    one, box = capsule(0.5, 1.0), body(BOX, (0.5, 0.5, 1.0))
    for still, other, velocity, away in (
        (one, body(size=0.25, at=(3, 0, 1.75)), (-30, 0, 0), (0, 0, 1)),
        (one, capsule(0.25, 1.0, at=(3, 0, 2.75)), (-30, 0, 0), (0, 0, 1)),
        (one, capsule(0.25, 1.0, at=(3, 0.75, 0.5)), (-30, 0, 0), (0, 1, 0)),
        (one, capsule(0.25, 2.0, at=(3, 0, 1.75), turn=LYING), (-30, 0, 0), (0, 0, 1)),
        (box, capsule(0.25, 2.0, at=(4, 0, 1.25), turn=LYING), (-30, 0, 0), (0, 0, 1)),
        (box, capsule(0.25, 2.0, at=(4, 0.75, 0)), (-30, 0, 0), (0, 1, 0)),
    ):
        for side, kept in ((hair, False), (-hair, True)):
            pair = scene(still, moving(other.moved(side * np.array(away)), velocity))
            assert (len(detect(pair, horizon=0.2)) > 0) == kept


def test_nothing_gets_through():
    """A capsule at 100 m/s and a plate of 1 mm; two needles; a long step."""
    plate = body(BOX, (5, 5, 0.5e-3), kind=FIXED)
    rng = np.random.default_rng(3)
    for _ in range(20):
        turn = random_turn(rng)
        bullet = capsule(0.01, 0.05, at=(0, 0, 5.1), turn=turn, velocity=(1, 2, -100))
        contacts = detect(scene(plate, bullet), horizon=0.1)
        assert len(contacts) > 0
        np.testing.assert_allclose(contacts.normal[0], [0, 0, 1], atol=1e-9)
        lowest = 5.1 - 0.5e-3 - 0.01 - 0.05 * abs(turn.apply([0, 0, 1])[2])
        assert contacts.gap.min() == pytest.approx(lowest, abs=1e-6)
        needle = capsule(1e-4, 1.0, turn=random_turn(rng), velocity=(0, 0, 300))
        other = capsule(1e-4, 1.0, at=(0, 0, 3.0), turn=turn)
        contacts = detect(scene(needle, other), horizon=0.02)
        assert len(contacts) == 1


@pytest.mark.parametrize("speed", [0.0, 1e-320, 1e-200, 1e-30])
def test_slow(speed):
    """Next to no motion: no contact out of nothing, no contact lost."""
    for other in (body(size=0.5), body(BOX, 0.5), capsule(0.5, 2.0, turn=LYING), capsule(0.5, 1)):
        for gap, kept in ((1e-5, False), (1e-7, True)):
            way = {"at": (0, 1.0 + gap, 0), "velocity": (speed, -speed, 0)}
            assert (len(detect(scene(other, capsule(**way)), horizon=1.0)) > 0) == kept


def test_an_end_that_swings():
    """Turning brings an end to a ball, a wall, another capsule; away from it does not."""
    ball = body(size=0.3, at=(1.0, 0, -0.9))
    wall = body(BOX, (0.4, 2, 0.3), at=(1.0, 0, -0.9))
    other = capsule(0.3, 1.0, at=(1.0, 0, -0.9), turn=Rotation.from_rotvec([np.pi / 2, 0, 0]))
    for target in (ball, wall, other):
        for rate, kept in ((1.05, True), (0.95, False), (-1.05, False)):
            rod = capsule(0.5, 1.0, turn=LYING, omega=(0, rate, 0))
            contacts = detect(scene(target, rod), horizon=0.1)
            assert (len(contacts) > 0) == kept
            if kept:
                np.testing.assert_allclose(np.abs(contacts.normal[0]), [0, 0, 1], atol=0.2)


def test_a_rod_that_falls_flat():
    """Both ends are known before they touch, on whatever the rod leans."""
    lean, r = 0.05, 0.2
    turn = Rotation.from_rotvec([0, np.pi / 2 - lean, 0])
    low = {"at": (0, 0, -0.5), "turn": LYING}
    for floor, half in (
        (body(PLANE, kind=FIXED), None),
        (body(BOX, (2, 2, 0.5), at=(0, 0, -0.5)), None),
        (body(BOX, (0.3, 2, 0.5), at=(0, 0, -0.5)), 0.3),
        (capsule(0.5, 2.0, **low), None),
        (capsule(0.5, 0.3, **low), 0.3),
    ):
        core = 0.5 if floor.shape[0] == CAPSULE else 0.0  # depth of what is touched at x = -half
        height = r + 0.5 * np.sin(lean)
        if half is not None:
            height = (r + core + half * np.sin(lean)) / np.cos(lean) - core
        rod = capsule(r, 0.5, at=(0, 0, height), turn=turn, omega=(0, 1.0, 0))
        contacts = detect(scene(floor, rod), horizon=0.2)
        assert len(contacts) == 2
        assert contacts.gap.min() == pytest.approx(0.0, abs=1e-12)
        width = 2 * (0.5 if half is None else half)
        assert np.ptp(contacts.point[:, 0]) == pytest.approx(width, rel=0.02)


@pytest.mark.parametrize(("rate", "kept"), [(1.05, True), (0.95, False)])
def test_a_crossing_that_swings(rate, kept):
    """The inside of a core turns down on a core across it; an edge turns up to a core."""
    spin = {"omega": (0, rate, 0)}
    across = capsule(at=(1.0, 0, -1.1), turn=Rotation.from_rotvec([np.pi / 2, 0, 0]))
    for one, other, x in (
        (capsule(0.5, 2.0, turn=LYING, **spin), across, 1.0),
        (body(BOX, (1, 2, 0.3), **spin), capsule(0.5, 3.0, at=(0, 0, 0.9), turn=LYING), -1.0),
    ):
        for pair in (scene(one, other), scene(other, one)):
            contacts = detect(pair, horizon=0.1)
            assert len(contacts) == kept
            np.testing.assert_allclose(contacts.point[:, 0], x, atol=0.05)
