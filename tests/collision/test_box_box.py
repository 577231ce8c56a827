"""Two boxes: gap, normal and contacts against plain geometry and bounded least squares."""

from dataclasses import replace

import numpy as np
import pytest
from box_cases import axes_of, corners, distance, on_surface, separation, separations
from collision_cases import body, detect, first_time, random_turn, scene, turns
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.spatial import ConvexHull, HalfspaceIntersection
from scipy.spatial.transform import Rotation

from rollcone.collision.shapes import BOX

HORIZON = 0.1
SLOP = 1e-6  # of the smallest half edge: the overlap along an edge that is let pass


def features(contacts):
    return (contacts.key & 255).tolist()


def turned_by(axis, degrees):
    return Rotation.from_euler(axis, degrees, degrees=True)


def random_pair(rng, far, **options):
    """Two boxes of any proportions, about `far` between their centres."""
    half = 10 ** rng.uniform(-1, 0, (2, 3))
    at = rng.normal(size=3)
    way = random_turn(rng).apply([far, 0, 0])
    tilt = random_turn(rng) if rng.random() < 0.7 else Rotation.from_rotvec(rng.normal(size=3) / 50)
    turn = random_turn(rng)
    return scene(
        body(BOX, half[0], at, turn=turn, **options),
        body(BOX, half[1], at + way, turn=turn * tilt, **options),
    )


def thrown(rng, pair, speed):
    """The second thrown at the first, not quite at its centre."""
    way = pair.position[0] + 0.4 * rng.normal(size=3) - pair.position[1]
    return replace(pair, velocity=np.array([[0, 0, 0], speed * way / np.linalg.norm(way)]))


def check_contacts(pair, contacts, alike=True):
    """Unit normals, one for all if `alike`; arms on both surfaces."""
    assert len(contacts) <= 4
    assert (np.diff(contacts.key) > 0).all()
    assert np.isfinite(contacts.point).all()
    np.testing.assert_allclose(np.linalg.norm(contacts.normal, axis=1), 1.0, rtol=0, atol=1e-14)
    assert not alike or (contacts.normal == contacts.normal[:1]).all()
    for arms in contacts.arms:
        assert on_surface(pair, 0, arms[:3], 1e-9)
        assert on_surface(pair, 1, arms[3:], 1e-9)


@pytest.mark.parametrize("seed", range(40))
def test_gap_of_separated_boxes(seed):
    """The least gap is the distance; the gap of each contact is that of its points."""
    rng = np.random.default_rng(seed)
    pair = random_pair(rng, rng.uniform(0.8, 2.0), margin=2.0)
    if separation(pair) < 1e-3:
        pair = pair.moved([[0, 0, 0], pair.position[1] - pair.position[0]])
    contacts = detect(pair)
    assert len(contacts) > 0
    check_contacts(pair, contacts, alike=False)
    assert contacts.gap.min() == pytest.approx(distance(pair), rel=1e-5)
    for gap, n, arms in zip(contacts.gap, contacts.normal, contacts.arms, strict=True):
        between = (corners(pair, 1) @ n).min() - (corners(pair, 0) @ n).max()
        assert between <= gap + 1e-12
        a, b = pair.position[0] + arms[:3], pair.position[1] + arms[3:]
        assert (b - a) @ n == pytest.approx(gap, abs=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_least_penetration(seed):
    """Against all 15 axes by brute force; faces may be preferred by a hundredth."""
    rng = np.random.default_rng(seed)
    pair = random_pair(rng, rng.uniform(0.0, 0.5))
    depth = -separation(pair)
    assert depth > 0
    contacts = detect(pair)
    assert len(contacts) > 0
    check_contacts(pair, contacts)
    n = contacts.normal[0]
    out = (corners(pair, 0) @ n).max() - (corners(pair, 1) @ n).min()
    assert depth - 1e-12 <= out <= 1.02 * depth + 1e-5 * pair.size.min()
    assert -out - 1e-12 <= contacts.gap.min() < 0.0
    assert distance(pair.moved([[0, 0, 0], 1.0001 * out * n])) > 0


@pytest.mark.parametrize("seed", range(60))
def test_first_touch(seed):
    """When, against bisection; and with u_n+ = -gap / h along that normal they do not overlap."""
    rng = np.random.default_rng(seed)
    pair = thrown(rng, random_pair(rng, rng.uniform(1.5, 4)), 10 ** rng.uniform(1, 3))
    small = pair.size.min()
    if separation(pair) <= 0.0:
        pair = pair.moved([[0, 0, 0], pair.velocity[1] * -4.0 / np.linalg.norm(pair.velocity[1])])
    contacts = detect(pair, horizon=HORIZON)
    apart = separations(pair)
    t = first_time(lambda t: apart(t).max(), -2 * SLOP * small, HORIZON)
    if t is None:
        grazing = first_time(lambda t: apart(t).max(), 2 * SLOP * small, HORIZON)
        assert grazing is not None or len(contacts) == 0
        return
    assert len(contacts) > 0
    check_contacts(pair, contacts)
    n, gap = contacts.normal[0], contacts.gap.min()
    u = n @ (pair.velocity[1] - pair.velocity[0])
    assert gap + t * u == pytest.approx(0.0, abs=1e-3 * small)
    stopped = pair.velocity[1] + n * (-gap / HORIZON - u)
    apart = separations(replace(pair, velocity=np.array([pair.velocity[0], stopped])))
    assert min(apart(s).max() for s in np.linspace(0, HORIZON, 50)) > -1e-3 * small
    for arms, far in zip(contacts.arms, contacts.gap, strict=True):
        there = pair.position + t * pair.velocity
        way = there[1] + arms[3:] - there[0] - arms[:3]
        assert way @ n == pytest.approx(far + t * u, abs=1e-4 * small)


@pytest.mark.parametrize("speed", [1.0, 1e2, 1e4, 1e6])
def test_fast_box_and_thin_plate(speed):
    plate = body(BOX, (1.0, 1.0, 0.0005))
    for start in (0.1005, 1.0, 50.0):
        box = body(
            BOX, 0.1, (0.2, 0.3, start), velocity=(0, 0, -speed), turn=turned_by("xy", [9, 5])
        )
        horizon = 1.2 * start / speed
        contacts = detect(scene(plate, box), horizon=horizon)
        assert len(contacts) > 0
        np.testing.assert_allclose(contacts.normal[:, 2], 1.0, atol=1e-12)
        lowest = (corners(scene(plate, box), 1)[:, 2]).min() - 0.0005
        assert contacts.gap.min() == pytest.approx(lowest, abs=1e-8)
        beside = box.moved([1.5, 0, 0])
        assert len(detect(scene(plate, beside), horizon=horizon)) == 0


def test_boxes_that_pass_each_other():
    """Along a face, an edge or a corner, with no gap at all: nothing stands in the way."""
    one = body(BOX, 0.5)
    for at, velocity in (
        ((1, 0, 1.2), (0, 0, -30)),
        ((1, 0, 1), (0, 0, -3)),
        ((1, 0, 1), (-3, 0, 0)),
        ((1, 1, 1), (0, -3, 0)),
        ((1 - 1e-9, 0, 1.2), (0, 0, -30)),
        ((1 + 1e-9, 0, 1.2), (0, 0, -30)),
        ((0, 3, 3), (0, -10, -60)),
        ((0, 3, 0.9), (0, -60, 50)),
    ):
        pair = scene(one, body(BOX, 0.5, at, velocity=velocity))
        for moving in (pair, pair.boosted([5.0, -3.0, 900.0]), pair.take([1, 0])):
            contacts = detect(moving, horizon=HORIZON)
            along = np.abs(contacts.normal @ velocity)
            assert (along < 1e-9).all(), (at, velocity)
    pair = scene(one, body(BOX, 0.5, (0.999, 0, 1.2), velocity=(0, 0, -30)))
    contacts = detect(pair, horizon=HORIZON)
    np.testing.assert_allclose(contacts.normal, [[0, 0, 1]] * 4)
    np.testing.assert_allclose(contacts.gap, 0.2)


def common_area(pair):
    """Of two faces on each other at z = 1/2, by intersecting half planes."""
    planes = []
    for k in range(2):
        for axis in range(3):
            n = axes_of(pair)[k, axis]
            if abs(n[2]) < 0.5:
                at = n @ pair.position[k]
                planes += [[*n[:2], -at - pair.size[k, axis]], [*-n[:2], at - pair.size[k, axis]]]
    inside = 0.5 * (pair.position[0] + pair.position[1])[:2]
    return ConvexHull(HalfspaceIntersection(np.array(planes), inside).intersections).volume


@pytest.mark.parametrize("degrees", [0, 1e-7, 0.01, 1, 10, 30, 45, 60, 89.9, 90, 135])
@pytest.mark.parametrize("size", [0.3, 0.5, 0.8])
def test_face_on_face(degrees, size):
    """Four contacts that span the common face: all of it if it has four corners."""
    for x, y in ((0, 0), (0.2, 0), (0.2, 0.1), (0.4, 0.3)):
        half = (size, size, 0.25)
        top = body(BOX, half, (x, y, 0.75), turn=turned_by("z", degrees))
        pair = scene(body(BOX, 0.5), top)
        contacts = detect(pair)
        check_contacts(pair, contacts)
        assert len(contacts) == 4
        np.testing.assert_allclose(contacts.gap, 0.0, atol=1e-15)
        np.testing.assert_allclose(contacts.point[:, 2], 0.5)
        area = ConvexHull(contacts.point[:, :2]).volume
        whole = common_area(pair)
        inside = size < 0.4 and x == 0
        assert area >= (0.999 if inside or degrees in (0, 1e-7, 0.01, 90) else 0.65) * whole
        assert area <= whole + 1e-4


def test_corners_of_a_resting_box():
    """The four corners, by name, also where those of two equal boxes coincide."""
    for half, at, expected in (
        (0.5, (0, 0, 1), [8, 9, 10, 11]),
        (0.3, (0.1, 0.2, 0.8), [8, 9, 10, 11]),
        (0.9, (0.1, 0.2, 1.4), [4, 5, 6, 7]),
        (0.5, (0.5, 0, 1), [5, 7, 8, 10]),
        ((0.5, 0.9, 0.5), (0, 0, 1), [4, 5, 6, 7]),
    ):
        pair = scene(body(BOX, 0.5), body(BOX, half, at))
        contacts = detect(pair)
        assert features(contacts) == expected
        for feature, point in zip(expected, contacts.point, strict=True):
            np.testing.assert_allclose(point, corners(pair, feature // 8)[feature % 8], atol=1e-15)


def test_edges():
    """Crossing: one contact, halfway. On a face: the two corners of the edge."""
    lower, upper = turned_by("x", 45), turned_by("y", 45)
    pair = scene(body(BOX, 0.5, turn=lower), body(BOX, 0.5, (0.1, 0.2, np.sqrt(2)), turn=upper))
    contacts = detect(pair)
    np.testing.assert_allclose(contacts.point, [[0.1, 0, np.sqrt(0.5)]], atol=1e-15)
    np.testing.assert_allclose(contacts.normal, [[0, 0, 1]], atol=1e-15)
    for sink in (0.0, 0.01, 0.1):
        deep = detect(pair.moved([[0, 0, 0], [0, 0, -sink]]))
        assert features(deep) == features(contacts)
        np.testing.assert_allclose(deep.gap, -sink, atol=1e-15)
    flat = detect(scene(body(BOX, 0.5), body(BOX, 0.3, (0, 0, 0.5 + np.sqrt(0.18)), turn=upper)))
    assert len(flat) == 2
    np.testing.assert_allclose(flat.point, [[0, -0.3, 0.5], [0, 0.3, 0.5]], atol=1e-15)


STACKS = {
    "equal": ((0.5, 0.5, 0.5), (0, 0, 1), 0),
    "shifted": ((0.5, 0.5, 0.5), (0.5, 0, 1), 0),
    "larger": ((0.9, 0.9, 0.5), (0.1, 0, 1), 0),
    "flush": ((0.5, 0.9, 0.5), (0, 0, 1), 0),
    "corner": ((0.2, 0.2, 0.5), (0.3, 0.3, 1), 0),
    "turned": ((0.5, 0.5, 0.5), (0, 0, 1), 45),
    "a little": ((0.5, 0.5, 0.5), (0, 0, 1), 1),
}


@pytest.mark.parametrize("name", STACKS)
@settings(max_examples=30)
@given(seed=st.integers(0, 2**20), size=st.sampled_from([1e-14, 1e-12, 1e-9]))
def test_features_outlast_rounding(name, seed, size):
    rng = np.random.default_rng(seed)
    half, at, degrees = STACKS[name]
    pair = scene(body(BOX, 0.5), body(BOX, half, at, turn=turned_by("z", degrees)))
    expected = detect(pair).copy()
    shaken = pair.moved(size * rng.normal(size=(2, 3)))
    turn = Rotation.from_rotvec(size * rng.normal(size=(2, 3))) * turns(pair)
    shaken = replace(shaken, orientation=turn.as_quat(scalar_first=True))
    found = detect(shaken)
    assert features(found) == features(expected)
    np.testing.assert_allclose(found.point, expected.point, atol=1e-5)


def test_sliding_keeps_the_corners():
    lower = body(BOX, (2.0, 2.0, 0.5))
    for x in np.linspace(-1.3, 1.3, 27):
        top = body(BOX, 0.5, (x, 0.3 * x, 1.0), turn=turned_by("z", 20))
        assert features(detect(scene(lower, top))) == [8, 9, 10, 11]


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_odd_proportions_and_places(scale):
    """In the same place, inside each other, needles and sheets: finite, the least way out."""
    needle, sheet, cube = (1e-4, 1e-4, 1.0), (1.0, 1.0, 1e-4), (0.5, 0.5, 0.5)
    rng = np.random.default_rng(3)
    for one in (needle, sheet, cube):
        for other in (needle, sheet, cube):
            for turn in (Rotation.identity(), turned_by("xyz", [90, 0, 90]), random_turn(rng)):
                for at in ((0, 0, 0), (1e-5, 0, 0), (1e-5, 2e-5, 3e-5)):
                    first = body(BOX, scale * np.array(one))
                    pair = scene(
                        first, body(BOX, scale * np.array(other), scale * np.array(at), turn=turn)
                    )
                    contacts = detect(pair, horizon=HORIZON)
                    assert len(contacts) > 0
                    check_contacts(pair, contacts)
                    depth = -separation(pair)
                    assert contacts.gap.min() <= -0.5 * depth
                    n = contacts.normal[0]
                    out = (corners(pair, 0) @ n).max() - (corners(pair, 1) @ n).min()
                    assert out <= 1.02 * depth + 1e-5 * pair.size.min()


@pytest.mark.slow
@settings(max_examples=40)
@given(
    seed=st.integers(0, 2**20),
    far=st.floats(0.0, 2.5),
    speed=st.sampled_from([0.0, 1.0, 30.0]),
    spin=st.sampled_from([0.0, 3.0]),
)
def test_turned_as_a_whole_and_exchanged(seed, far, speed, spin):
    """The same contacts, turned; exchanged, the normal turns round and the arms change places."""
    rng = np.random.default_rng(seed)
    pair = thrown(rng, random_pair(rng, far, margin=0.02), speed)
    pair = replace(pair, omega=spin * rng.normal(size=(2, 3)))
    gaps = np.sort(separations(pair)(0.0))
    assume(gaps[-1] - gaps[-2] > 1e-5)
    plain = detect(pair, horizon=HORIZON).copy()
    rotation, way = random_turn(rng), rng.normal(size=3)
    other = detect(pair.turned(rotation).moved(way), horizon=HORIZON).copy()
    np.testing.assert_array_equal(plain.key, other.key)
    np.testing.assert_allclose(plain.gap, other.gap, atol=1e-9)
    np.testing.assert_allclose(rotation.apply(plain.normal), other.normal, atol=1e-9)
    np.testing.assert_allclose(rotation.apply(plain.point) + way, other.point, atol=1e-8)
    swapped = detect(pair.take([1, 0]), horizon=HORIZON)
    assert len(swapped) == len(plain)
    left = list(range(len(plain)))
    for c in range(len(swapped)):
        mine = min(left, key=lambda k: np.linalg.norm(plain.point[k] - swapped.point[c]))
        left.remove(mine)
        np.testing.assert_allclose(plain.point[mine], swapped.point[c], atol=1e-9)
        np.testing.assert_allclose(plain.normal[mine], -swapped.normal[c], atol=1e-9)
        np.testing.assert_allclose(plain.arms[mine], np.roll(swapped.arms[c], 3), atol=1e-9)
        assert plain.gap[mine] == pytest.approx(swapped.gap[c], abs=1e-9)


def test_rotation_counts():
    """A corner that turns downwards fast enough to arrive within the horizon is a contact."""
    floor = body(BOX, (2, 2, 0.5))
    for omega, kept in (((0.3, 0, 0), 0), ((0.5, 0, 0), 2), ((-0.5, 0, 0), 2), ((0, 0, 9), 0)):
        top = body(BOX, 0.5, (0, 0, 1.2), omega=omega)
        contacts = detect(scene(floor, top), horizon=1.0)
        assert len(contacts) == kept
        if kept:
            np.testing.assert_allclose(contacts.gap, 0.2)
            assert (np.sign(contacts.point[:, 1]) == -np.sign(omega[0])).all()


def test_what_counts_as_touching():
    limit = 0.03 + 0.1 * 0.2
    for gap, kept in ((limit - 1e-9, 4), (limit + 1e-9, 0)):
        pair = scene(
            body(BOX, 0.5, margin=0.01), body(BOX, (0.3, 0.4, 0.2), (0, 0, 0.7 + gap), margin=0.02)
        )
        assert len(detect(pair, touch=0.1)) == kept
        assert len(detect(pair.boosted([1e3, 0, 0]), touch=0.1, horizon=1.0)) == kept


def test_what_touches_now_is_seen_now():
    """Within the margins contacts are where the boxes are, not where they get to."""
    top = body(BOX, 0.5, (0, 0, 1.01), velocity=(30, 0, -1), margin=0.01)
    pair = scene(body(BOX, (5, 5, 0.5), margin=0.01), top)
    contacts = detect(pair, horizon=HORIZON)
    np.testing.assert_allclose(contacts.arms[:, :2], contacts.arms[:, 3:5], atol=1e-15)
    np.testing.assert_allclose(contacts.gap, 0.01)


def test_beside_each_other_now_and_on_each_other_soon():
    """Within the margins but past an edge, then over it: the face that is touched counts."""
    top = body(BOX, 0.5, (1.005, 0, 1.003), velocity=(-1, 0, -0.1), margin=0.01)
    contacts = detect(scene(body(BOX, 0.5, margin=0.01), top), horizon=HORIZON)
    np.testing.assert_allclose(contacts.normal, [[0, 0, 1]] * 4)
    np.testing.assert_allclose(contacts.gap, 0.003)
    contacts = detect(scene(body(BOX, 0.5, margin=0.01), top), horizon=0.004)
    np.testing.assert_allclose(contacts.gap, [np.hypot(0.005, 0.003)] * 2)  # not on it yet: edges


@pytest.mark.parametrize("x", [-1, 1])
@pytest.mark.parametrize("y", [-1, 1])
def test_a_little_tilted(x, y):
    """Boxes that rest on each other but for solver's errors meet in the same four corners."""
    lower = body(BOX, 0.5, margin=1e-3)
    tilt = Rotation.from_rotvec([1e-5 * x, 1e-5 * y, 0])
    for at in ((0, 0, 1), (1e-6, -1e-6, 1), tilt.apply([0, 0, 1])):
        contacts = detect(scene(lower, body(BOX, 0.5, at, turn=tilt, margin=1e-3)))
        assert features(contacts) == [8, 9, 10, 11]
    tilt = Rotation.from_rotvec([1e-4 * x, 1e-4 * y, 0])
    for shift in ((0.5, 0.3), (-0.5, 0.3), (0.5, -0.3), (0.2, 0.6)):
        flat = detect(scene(lower, body(BOX, 0.5, (*shift, 1)))).copy()
        contacts = detect(scene(lower, body(BOX, 0.5, (*shift, 1), turn=tilt, margin=1e-3)))
        assert features(contacts) == features(flat)
        np.testing.assert_allclose(contacts.point, flat.point, atol=2e-4)
