"""Capsules with every shape, at rest: gaps, normals and arms against plain geometry."""

import numpy as np
import pytest
from capsule_cases import apart, capsule, gap_of, off_surface, radius, random_partner
from collision_cases import FIXED, approach, body, detect, random_turn, scene, turns
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from rollcone.collision.shapes import BOX, CAPSULE, PLANE, SPHERE

PARTNERS = {"sphere": SPHERE, "box": BOX, "capsule": CAPSULE}
LYING = Rotation.from_rotvec([0, np.pi / 2, 0])  # z axis to x
places = st.tuples(*[st.floats(-3, 3)] * 3)
turnings = st.tuples(*[st.floats(-3, 3)] * 3).map(Rotation.from_rotvec)
lengths = st.floats(0.02, 2.0)


def features(contacts):
    return (contacts.key & 255).tolist()


def check_distance(one, other):
    """The nearest contact is at the true distance, none is nearer, all are on the surfaces."""
    contacts = detect(scene(one, other))
    least = gap_of(one, other)
    assert len(contacts) > 0
    assert contacts.gap.min() == pytest.approx(least, abs=1e-9)
    nearest = np.argmin(contacts.gap)
    np.testing.assert_allclose(
        contacts.normal[nearest] * (least + radius(one) + radius(other)),
        apart(one, other), rtol=0, atol=1e-6,
    )  # fmt: skip
    np.testing.assert_allclose(np.linalg.norm(contacts.normal, axis=1), 1.0, rtol=0, atol=1e-14)
    for c in range(len(contacts)):
        arm_a, arm_b = contacts.arms[c, :3], contacts.arms[c, 3:]
        between = other.position[0] + arm_b - one.position[0] - arm_a
        np.testing.assert_allclose(between, contacts.gap[c] * contacts.normal[c], atol=1e-9)
        slack = 1e-8 if c == nearest else 0.05  # of an end that leans: its ball, not its side
        assert off_surface(one, arm_a) < 1e-8 + slack * radius(one)
        assert off_surface(other, arm_b) < 1e-8 + slack * radius(other)


@pytest.mark.parametrize("partner", PARTNERS)
@pytest.mark.parametrize("seed", range(25))
def test_distance(partner, seed):
    rng = np.random.default_rng(seed)
    one = random_partner(rng, CAPSULE, margin=9.0)
    at = rng.normal(size=3) * rng.choice([0.5, 2.0])
    other = random_partner(rng, PARTNERS[partner], at=at, margin=9.0)
    if np.linalg.norm(apart(one, other)) > 1e-3:
        check_distance(one, other)
        check_distance(other, one)


@settings(max_examples=60)
@given(turnings, lengths, lengths, places, turnings, lengths)
def test_distance_of_two_capsules(turn_a, half_a, half_b, at, turn_b, r):
    one = capsule(0.5, half_a, turn=turn_a, margin=20.0)
    other = capsule(r, half_b, at=at, turn=turn_b, margin=20.0)
    if np.linalg.norm(apart(one, other)) > 1e-3:
        check_distance(one, other)


@settings(max_examples=60)
@given(turnings, lengths, places, turnings, lengths, lengths, lengths)
def test_distance_of_a_capsule_and_a_box(turn, half, at, box_turn, a, b, c):
    one = body(BOX, (a, b, c), turn=box_turn, margin=20.0)
    other = capsule(0.3, half, at=at, turn=turn, margin=20.0)
    if np.linalg.norm(apart(one, other)) > 1e-3:
        check_distance(one, other)


@pytest.mark.parametrize("seed", range(12))
def test_a_core_inside_a_box(seed):
    """Pushed out along the axis of least overlap, that of the hull of all differences."""
    rng = np.random.default_rng(seed)
    box = body(BOX, rng.uniform(0.2, 1.5, 3), turn=random_turn(rng))
    half, r = rng.uniform(0.2, 2), 0.1
    one = capsule(r, half, at=0.3 * rng.normal(size=3), turn=random_turn(rng))
    corners = np.array(np.meshgrid(*[[-1, 1]] * 3)).reshape(3, -1).T * box.size[0]
    corners = turns(box)[0].apply(corners)
    axis = turns(one)[0].apply([0, 0, half])
    hull = ConvexHull(np.concatenate([corners + axis, corners - axis]))
    x = one.position[0]
    least = -(hull.equations @ [*x, 1.0]).max()
    if least < 0:
        return
    contacts = detect(scene(box, one))
    assert len(contacts) in (1, 2)
    n = contacts.normal[0]
    assert (hull.points @ n).max() - x @ n == pytest.approx(least, abs=1.01e-2 * r)
    assert (contacts.gap < -r).all()
    assert contacts.gap.min() >= -least - r - 1e-2 * r
    for arms in contacts.arms:
        assert off_surface(box, arms[:3]) < 1e-12


def test_plane():
    """Two ends at their heights; the one end of a capsule that has no length."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        turn, lie, r, half = random_turn(rng), random_turn(rng), 0.3, 0.8
        floor = body(PLANE, at=rng.normal(size=3), turn=turn, kind=FIXED)
        one = capsule(r, half, at=rng.normal(size=3), turn=lie, margin=9.0)
        contacts = detect(scene(floor, one))
        up, axis = turn.apply([0, 0, 1]), lie.apply([0, 0, half])
        assert features(contacts) == [0, 1]
        for c, end in enumerate((-axis, axis)):
            height = (one.position[0] + end - floor.position[0]) @ up - r
            assert contacts.gap[c] == pytest.approx(height, abs=1e-12)
            np.testing.assert_allclose(contacts.normal[c], up, atol=1e-14)
            np.testing.assert_allclose(contacts.arms[c, 3:], end - r * up, atol=1e-14)
            assert abs(contacts.arms[c, :3] @ up) < 1e-12
    assert len(detect(scene(floor, capsule(r, 0.0, at=floor.position[0] + 0.2 * up)))) == 1


@pytest.mark.parametrize("seed", range(10))
def test_without_length_it_is_a_sphere(seed):
    """With all shapes, at rest and in motion."""
    rng = np.random.default_rng(seed)
    options = {"at": rng.normal(size=3), "velocity": 5 * rng.normal(size=3)}
    ball, short = body(size=0.4, **options), capsule(0.4, 0.0, turn=random_turn(rng), **options)
    for shape in (SPHERE, BOX, CAPSULE, PLANE):
        at, velocity = 1.5 * rng.normal(size=3), rng.normal(size=3)
        if shape == PLANE:
            other = body(PLANE, at=at, turn=random_turn(rng), kind=FIXED)
        else:
            other = random_partner(rng, shape, at=at, velocity=velocity, omega=rng.normal(size=3))
        for horizon in (0.0, 0.5):
            plain = detect(scene(ball, other), horizon).copy()
            same = detect(scene(short, other), horizon)
            assert len(plain) == len(same)
            for field in ("gap", "normal", "arms"):
                np.testing.assert_allclose(
                    getattr(plain, field), getattr(same, field), rtol=0, atol=1e-6
                )


SIDE_BY_SIDE = [  # shift along the axis, half length of the second: contacts along the first
    (0.0, 1.0, [-1.0, 1.0]),
    (0.5, 1.0, [-0.5, 1.0]),
    (-0.3, 0.2, [-0.5, -0.1]),
    (0.0, 3.0, [-1.0, 1.0]),
    (1.9, 1.0, [0.9, 1.0]),
]


@pytest.mark.parametrize(("shift", "half", "ends"), SIDE_BY_SIDE)
@pytest.mark.parametrize("turned", [False, True])
def test_capsules_side_by_side(shift, half, ends, turned):
    """Two contacts, at the ends of what they have in common; the same with noise on all of it."""
    rng = np.random.default_rng(1)
    flip = Rotation.from_rotvec([np.pi, 0, 0]) if turned else Rotation.identity()
    one, other = capsule(0.5, 1.0), capsule(0.3, half, at=(0.8, 0, shift), turn=flip)
    plain = detect(scene(one, other)).copy()
    assert len(plain) == 2
    np.testing.assert_allclose(np.sort(plain.point[:, 2]), ends, atol=1e-12)
    np.testing.assert_allclose(plain.normal, [[1, 0, 0]] * 2, atol=1e-12)
    for noise in (1e-16, 1e-13, 1e-10, 1e-8):
        for whole in (Rotation.identity(), random_turn(rng)):
            shaken = scene(
                capsule(0.5, 1.0, turn=Rotation.from_rotvec(noise * rng.normal(size=3))),
                capsule(0.3, half, at=(0.8, 0, shift) + noise * rng.normal(size=3), turn=flip),
            )
            contacts = detect(shaken.turned(whole))
            np.testing.assert_array_equal(contacts.key, plain.key)
            np.testing.assert_allclose(whole.inv().apply(contacts.normal), plain.normal, atol=1e-7)


def test_capsules_end_to_end_and_across():
    tip = capsule(0.3, 0.7, at=(0, 0, 2.5))
    contacts = detect(scene(capsule(0.5, 1.0), tip))
    assert features(contacts) == [1]
    np.testing.assert_allclose(contacts.normal, [[0, 0, 1]], atol=1e-14)
    assert abs(contacts.gap[0]) < 1e-14
    assert len(detect(scene(capsule(0.5, 1.0), tip.moved([0.3, 0, 0])))) == 0
    across = capsule(0.3, 0.7, at=(0, 0.8, 0.4), turn=LYING)
    contacts = detect(scene(capsule(0.5, 1.0), across))
    assert features(contacts) == [4]
    np.testing.assert_allclose(contacts.point, [[0, 0.5, 0.4]], atol=1e-14)
    standing = capsule(0.3, 0.7, at=(1.5, 0, 0.4), turn=LYING)
    for noise in (0.0, 1e-12, -1e-12):
        shaken = standing.turned(Rotation.from_rotvec([0, noise, noise]))
        contacts = detect(scene(capsule(0.5, 1.0), shaken))
        assert features(contacts) == [2]
        np.testing.assert_allclose(contacts.point, [[0.5, 0, 0.4]], atol=1e-11)


ON_A_FACE = [  # centre of a capsule of half length 0.5 along x on a box 2 x 1 x 1; where it touches
    (0.0, 0.0, [-0.5, 0.5]),
    (0.8, 0.1, [0.3, 1.0]),
    (1.4, 0.1, [0.9, 1.0]),
    (0.5, 0.0, [0.0, 1.0]),
    (0.8, 0.5, [0.3, 1.0]),
    (-0.8, -0.2, [-1.0, -0.3]),
]


@pytest.mark.parametrize(("x", "y", "ends"), ON_A_FACE)
def test_a_capsule_along_a_face(x, y, ends):
    """Two contacts: ends, or the edges of the face; the same with noise on all of it."""
    rng = np.random.default_rng(2)
    box, one = body(BOX, (1, 0.5, 0.5)), capsule(0.2, 0.5, at=(x, y, 0.7), turn=LYING)
    plain = detect(scene(box, one)).copy()
    assert len(plain) == 2
    np.testing.assert_allclose(np.sort(plain.point[:, 0]), ends, atol=1e-12)
    np.testing.assert_allclose(plain.normal, [[0, 0, 1]] * 2, atol=1e-12)
    for noise in (1e-16, 1e-13, 1e-10, 1e-8):
        for whole in (Rotation.identity(), random_turn(rng)):
            lie = Rotation.from_rotvec(noise * rng.normal(size=3)) * LYING
            shaken = capsule(0.2, 0.5, at=one.position[0] + noise * rng.normal(size=3), turn=lie)
            contacts = detect(scene(box, shaken).turned(whole))
            np.testing.assert_array_equal(contacts.key, plain.key)
            np.testing.assert_allclose(whole.inv().apply(contacts.normal), plain.normal, atol=1e-6)


@pytest.mark.parametrize(("y", "ends"), [(0.0, [-1, 1]), (0.5, [-1, 1])])
def test_a_capsule_longer_than_the_face(y, ends):
    box = body(BOX, (1, 0.5, 0.5))
    contacts = detect(scene(box, capsule(0.2, 3.0, at=(0.3, y, 0.7), turn=LYING)))
    np.testing.assert_allclose(np.sort(contacts.point[:, 0]), ends, atol=1e-12)
    np.testing.assert_allclose(contacts.normal, [[0, 0, 1]] * 2, atol=1e-12)


def test_a_capsule_over_two_corners():
    """Each corner of a square belongs to two edges; each counts once, whatever the rounding."""
    for noise in (0.0, 1e-15, -1e-15, 1e-12, 1e-9):
        turn = Rotation.from_rotvec([0, 0, np.pi / 4 + noise]) * LYING
        one = capsule(0.2, 3.0, at=(noise, 0, 0.7), turn=turn)
        contacts = detect(scene(body(BOX, 0.5), one))
        assert len(contacts) == 2
        place = contacts.point[np.argsort(contacts.point[:, 0])]
        np.testing.assert_allclose(place, [[-0.5, -0.5, 0.5], [0.5, 0.5, 0.5]], atol=1e-8)


def test_along_an_edge():
    """Beside an edge, parallel to it: ends and corners, normals between those of the faces."""
    box, n = body(BOX, (1, 0.5, 0.5)), np.array([0, 0.6, 0.8])
    for x, half, ends in ((0.0, 0.5, [-0.5, 0.5]), (0.8, 0.5, [0.3, 1]), (0, 3, [-1, 1])):
        at = np.array([x, 0.5, 0.5]) + 0.2 * n
        contacts = detect(scene(box, capsule(0.2, half, at=at, turn=LYING)))
        np.testing.assert_allclose(np.sort(contacts.point[:, 0]), ends, atol=1e-12)
        np.testing.assert_allclose(contacts.normal, [n] * 2, atol=1e-12)
    corner = np.array([1, 0.5, 0.5])
    n, u = np.array([2, 1, 2]) / 3, np.array([-2, 2, 1]) / 3
    turn = Rotation.align_vectors([u], [[0, 0, 1]])[0]
    contacts = detect(scene(box, capsule(0.2, 2.0, at=corner + 0.2 * n + 0.4 * u, turn=turn)))
    np.testing.assert_allclose(contacts.point, [corner], atol=1e-12)
    np.testing.assert_allclose(contacts.normal, [n], atol=1e-12)


@pytest.mark.parametrize("scale", [1e-4, 1.0, 1e3])
def test_whatever_lies_in_each_other(scale):
    """Coincident, collinear, crossing in a point, inside: unit normals that agree, gaps below 0."""
    partners = [
        body(size=0.3), body(size=0.3, at=(0, 0, 1)), body(BOX, (1, 2, 3)), body(BOX, 0.01),
        body(BOX, (5, 5, 1e-4)), body(BOX, (1e-4, 1e-4, 3)), capsule(), capsule(0.2, 0.3),
        capsule(0.5, 1.0, at=(0, 0, 1.5)), capsule(turn=LYING), capsule(0.5, 0.0),
        capsule(turn=Rotation.from_rotvec([0, np.pi, 0])), capsule(0.1, 9, turn=LYING),
    ]  # fmt: skip
    for first in (capsule(), capsule(1e-3, 5.0)):
        for partner in partners:
            pair = scene(first, partner)
            pair.size[:] *= scale
            pair.position[:] *= scale
            for order in ([0, 1], [1, 0]):
                contacts = detect(pair.take(order), horizon=1.0)
                assert len(contacts) > 0
                assert (contacts.gap < 0).all()
                assert np.isfinite(contacts.arms).all()
                lengths = np.linalg.norm(contacts.normal, axis=1)
                np.testing.assert_allclose(lengths, 1.0, atol=1e-14)
                assert (contacts.normal @ contacts.normal[0] > 0).all()


@pytest.mark.parametrize("seed", range(6))
def test_turned_as_a_whole_and_in_the_other_order(seed):
    rng = np.random.default_rng(seed)
    kinds = [SPHERE] * 4 + [CAPSULE] * 8 + [BOX] * 2
    parts = [
        random_partner(
            rng, kind, at=rng.normal(size=3), velocity=5 * rng.normal(size=3),
            omega=rng.normal(size=3),
        )
        for kind in kinds
    ]  # fmt: skip
    world, whole, way = scene(*parts), random_turn(rng), rng.normal(size=3)
    plain = detect(world, 0.1).copy()
    assert len(plain) > 5
    other = detect(world.turned(whole).moved(way).boosted([9.0, -7.0, 3.0]), 0.1)
    np.testing.assert_array_equal(plain.key, other.key)
    np.testing.assert_allclose(plain.gap, other.gap, rtol=0, atol=1e-9)
    np.testing.assert_allclose(whole.apply(plain.normal), other.normal, rtol=0, atol=1e-8)
    np.testing.assert_allclose(whole.apply(plain.point) + way, other.point, rtol=0, atol=1e-8)
    back = detect(world.take(np.arange(14)[::-1]), 0.1)
    assert len(back) == len(plain)
    by_gap, other_way = np.argsort(plain.gap), np.argsort(back.gap)
    np.testing.assert_allclose(plain.gap[by_gap], back.gap[other_way], rtol=0, atol=1e-9)
    np.testing.assert_allclose(plain.normal[by_gap], -back.normal[other_way], rtol=0, atol=1e-8)


def test_normal_velocity_is_the_rate_of_the_gap():
    """u_n at the arms is d gap / d t of bodies that move and turn."""
    rng = np.random.default_rng(5)
    step = 1e-6
    seen = 0
    for _ in range(12):
        options = [
            {"at": 0.9 * rng.normal(size=3), "velocity": rng.normal(size=3),
             "omega": rng.normal(size=3), "margin": 0.2} for _ in range(4)
        ]  # fmt: skip
        before = scene(
            *(random_partner(rng, shape, **given) for shape, given in
              zip((CAPSULE, CAPSULE, SPHERE, BOX), options, strict=True)),
            body(PLANE, omega=rng.normal(size=3), kind=FIXED),
        )  # fmt: skip
        contacts = detect(before).copy()
        turn = (Rotation.from_rotvec(step * before.omega) * turns(before)).as_quat(
            scalar_first=True
        )
        moved = vars(before.moved(step * before.velocity)) | {"orientation": turn}
        after = detect(type(before)(**moved))
        for c in range(len(contacts)):
            again = np.flatnonzero(after.key == contacts.key[c])
            deep = contacts.gap[c] < -0.1
            if len(again) and not deep:
                rate = (after.gap[again[0]] - contacts.gap[c]) / step
                assert rate == pytest.approx(approach(before, contacts, c), abs=1e-4)
                seen += 1
    assert seen > 20
