"""All together: order and keys, arrays that grow, and what must not change the contacts."""

import numpy as np
import pytest
from collision_cases import FIXED, REMOVED, Scene, body, detect, random_scene, random_turn, scene

from rollcone.collision.detect import Detector
from rollcone.collision.kernels.order import sort_by_heap, sort_group
from rollcone.collision.shapes import BOX, PLANE
from rollcone.errors import InputError

HORIZON = 0.1


FEATURES = 2**14 - 1


def arrays(contacts):
    return contacts.key, contacts.gap, contacts.normal, contacts.arms, contacts.point


def pair_features(contacts):
    return [
        (*pair, key & (2**14 - 1)) for pair, key in zip(contacts.bodies, contacts.key, strict=True)
    ]


@pytest.mark.parametrize("seed", range(3))
def test_keys_say_what_they_are(seed):
    contacts = detect(random_scene(np.random.default_rng(seed)), HORIZON)
    assert len(contacts) > 50
    assert (contacts.bodies[:, 0] < contacts.bodies[:, 1]).all()
    assert (np.diff(contacts.key) > 0).all()
    a, b = contacts.bodies.T
    np.testing.assert_array_equal(contacts.key >> 38, a)
    np.testing.assert_array_equal(contacts.key >> 14 & (2**24 - 1), b)
    np.testing.assert_allclose(np.linalg.norm(contacts.normal, axis=1), 1.0, rtol=0, atol=1e-15)
    assert set(contacts.key & FEATURES) > {0, 1}
    for field in (contacts.bodies, *arrays(contacts)):
        assert field.flags.c_contiguous
        assert len(field) == len(contacts)


@pytest.mark.parametrize("seed", range(3))
def test_boost_changes_nothing(seed):
    """Only relative motion decides, however fast all fly together."""
    world = random_scene(np.random.default_rng(seed), speed=3.0)
    plain = detect(world, HORIZON).copy()
    for boost in ([0.3, -5.0, 2.0], [1e3, 1e3, -2e3]):
        other = detect(world.boosted(np.array(boost)), HORIZON)
        for one, same in zip(arrays(plain), arrays(other), strict=True):
            np.testing.assert_allclose(one, same, rtol=0, atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_moved_and_turned_as_a_whole(seed):
    rng = np.random.default_rng(seed)
    world, rotation, way = random_scene(rng, speed=3.0), random_turn(rng), rng.normal(size=3)
    plain = detect(world, HORIZON).copy()
    other = detect(world.turned(rotation).moved(way), HORIZON)
    np.testing.assert_array_equal(plain.key, other.key)
    np.testing.assert_allclose(plain.gap, other.gap, rtol=0, atol=1e-9)
    np.testing.assert_allclose(rotation.apply(plain.normal), other.normal, rtol=0, atol=1e-9)
    np.testing.assert_allclose(rotation.apply(plain.point) + way, other.point, rtol=0, atol=1e-9)
    for side in (slice(0, 3), slice(3, 6)):
        turned = rotation.apply(plain.arms[:, side])
        np.testing.assert_allclose(turned, other.arms[:, side], rtol=0, atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_numbers_of_bodies_exchanged(seed):
    """The same contacts under new numbers; the normal turns where A and B change places."""
    rng = np.random.default_rng(seed)
    world = random_scene(rng, speed=3.0)
    order = rng.permutation(len(world.kind))  # the new row k was order[k]
    plain, other = detect(world, HORIZON).copy(), detect(world.take(order), HORIZON)
    place = {name: c for c, name in enumerate(pair_features(plain))}
    assert len(place) == len(other)
    for c, (a, b, feature) in enumerate(pair_features(other)):
        old = order[a], order[b]
        sign = 1.0 if old[0] < old[1] else -1.0
        p = place[(*sorted(old), feature)]
        np.testing.assert_allclose(plain.gap[p], other.gap[c], rtol=0, atol=1e-12)
        np.testing.assert_allclose(plain.normal[p], sign * other.normal[c], rtol=0, atol=1e-12)
        np.testing.assert_allclose(plain.point[p], other.point[c], rtol=0, atol=1e-12)
        arms = plain.arms[p] if sign > 0 else np.roll(plain.arms[p], 3)
        np.testing.assert_allclose(arms, other.arms[c], rtol=0, atol=1e-12)


def test_other_units():
    """Millimetres: lengths and speeds grow, normals and keys stay."""
    world = random_scene(np.random.default_rng(1), speed=3.0)
    longer = {
        name: 1e3 * getattr(world, name) for name in ("size", "position", "velocity", "margin")
    }
    plain, other = detect(world, HORIZON).copy(), detect(Scene(**(vars(world) | longer)), HORIZON)
    np.testing.assert_array_equal(plain.key, other.key)
    np.testing.assert_allclose(1e3 * plain.gap, other.gap, rtol=0, atol=1e-8)
    np.testing.assert_allclose(plain.normal, other.normal, rtol=0, atol=1e-9)


def test_one_detector_for_many_scenes():
    """Few and many contacts, fewer and more bodies: as with a new detector, to the last bit."""
    detector = Detector()
    rng = np.random.default_rng(2)
    worlds = [random_scene(rng, spheres=n, boxes=b) for n, b in ((3, 0), (150, 4), (0, 1), (80, 2))]
    worlds += [scene(*(body(at=(1e-3 * i, 0, 0)) for i in range(60))), worlds[0].take([])]
    for world in worlds:
        fresh, used = detect(world, HORIZON), detect(world, HORIZON, detector=detector)
        for one, same in zip(arrays(fresh), arrays(used), strict=True):
            np.testing.assert_array_equal(one, same)
    assert len(used) == 0


def test_contacts_are_kept_by_a_copy():
    detector = Detector()
    seen = detect(scene(body(), body(at=(1.9, 0, 0))), detector=detector)
    kept = seen.copy()
    detect(scene(body(), body(at=(0, 1.5, 0))), detector=detector)
    assert kept.gap[0] == pytest.approx(-0.1)
    assert seen.gap[0] == pytest.approx(-0.5)
    np.testing.assert_allclose(kept.normal, [[1, 0, 0]])


def test_bodies_that_do_not_count():
    """Removed ones, and pairs that are both fixed; planes do not meet each other."""
    a, b = body(), body(at=(1.9, 0, 0))
    assert len(detect(scene(a, b))) == 1
    assert len(detect(scene(a, body(at=(1.9, 0, 0), kind=FIXED)))) == 1
    assert len(detect(scene(a, body(at=(1.9, 0, 0), kind=REMOVED)))) == 0
    assert len(detect(scene(body(kind=FIXED), body(at=(1.9, 0, 0), kind=FIXED)))) == 0
    floor = body(PLANE, at=(0, 0, -0.9), kind=FIXED)
    assert detect(scene(floor, a, floor)).bodies.tolist() == [[0, 1], [1, 2]]
    assert len(detect(scene(floor, body(kind=REMOVED), body(BOX, 2.0, kind=FIXED)))) == 0


def test_touch_is_checked():
    for touch in (-1e-6, np.nan, np.inf):
        with pytest.raises(InputError, match="touch"):
            Detector(touch)


@pytest.mark.parametrize("count", [0, 1, 2, 7, 100, 3000])
@pytest.mark.parametrize("order", ["random", "ascending", "descending", "nearly", "equal"])
def test_sorting(count, order):
    """Any order, long groups by the heap; what lies around the group stays."""
    rng = np.random.default_rng(count)
    values = {
        "random": rng.permutation(count),
        "ascending": np.arange(count),
        "descending": np.arange(count)[::-1],
        "nearly": np.arange(count) + rng.integers(0, 4, count),
        "equal": rng.integers(0, 3, count),
    }[order]
    for sort in (sort_group, sort_by_heap):
        given = np.concatenate([[99999], values, [-99999]]).astype(np.int32)
        sort(given, 1, count + 1)
        np.testing.assert_array_equal(given, [99999, *np.sort(values), -99999])
