"""Two boxes that are apart, but within their margins: the nearest points are among the contacts."""

from dataclasses import replace

import numpy as np
import pytest
from box_cases import distance, nearest_points, on_surface
from collision_cases import Scene, body, detect, random_turn, scene
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

from rollcone.collision.shapes import BOX

MARGIN = 2e-3


def two_boxes(rng, tilt) -> Scene:
    """Two boxes of 0.1 to 1 m, 3 m apart, with orientations that differ by `tilt`."""
    half, turn = rng.uniform(0.05, 0.5, (2, 3)), random_turn(rng)
    way = rng.normal(size=3)
    return scene(
        body(BOX, half[0], turn=turn, margin=0.25 * MARGIN),
        body(BOX, half[1], 3.0 * way / np.linalg.norm(way), turn=turn * tilt, margin=0.75 * MARGIN),
    )


def brought_near(pair: Scene, gap: float) -> Scene:
    """Shift the second along the shortest way: of boxes far apart most often two corners meet."""
    for _ in range(2):
        p, q = nearest_points(pair)
        way = (q - p) * (gap / np.linalg.norm(q - p) - 1.0)
        pair = pair.moved([[0, 0, 0], way])
    return pair


def brought_along(rng, pair: Scene, gap: float) -> Scene:
    """Shift the second on a line past the first's centre: most often faces and edges meet."""
    start, aim = pair.position[1], 0.02 * rng.normal(size=3)

    def placed(s: float) -> Scene:
        return replace(pair, position=np.array([[0, 0, 0], start + s * (aim - start)]))

    return placed(brentq(lambda s: distance(placed(s)) - gap, 0, 1, xtol=1e-15))


def check_nearest(pair: Scene) -> None:
    """One contact is at the nearest points; none is nearer; all lie on the surfaces."""
    contacts = detect(pair)
    assert 0 < len(contacts) <= 4
    assert (np.diff(contacts.key) > 0).all()
    p, q = nearest_points(pair)
    gap = np.linalg.norm(q - p)
    size = pair.size.max()
    c = contacts.gap.argmin()
    assert contacts.gap[c] == pytest.approx(gap, rel=1e-6, abs=1e-9 * size)
    assert (contacts.gap >= gap - 1e-9 * size).all()
    assert np.linalg.norm(contacts.normal[c] - (q - p) / gap) < 1.1e-3  # faces before edges
    for far, n, arms in zip(contacts.gap, contacts.normal, contacts.arms, strict=True):
        assert on_surface(pair, 0, arms[:3], 1e-9)
        assert on_surface(pair, 1, arms[3:], 1e-9)
        way = pair.position[1] + arms[3:] - pair.position[0] - arms[:3]
        assert way @ n == pytest.approx(far, abs=1e-12)


def nearly_level(rng) -> Rotation:
    return Rotation.from_rotvec(rng.normal(size=3) * 10 ** rng.uniform(-8, -1))


def nearly_a_quarter(rng) -> Rotation:
    return Rotation.from_euler("z", 90, degrees=True) * nearly_level(rng)


def about_one_axis(rng) -> Rotation:
    return Rotation.from_rotvec([0, 0, rng.uniform(0, 6)])


TILTS = {
    "any": random_turn,
    "nearly level": nearly_level,
    "nearly a quarter": nearly_a_quarter,
    "about one axis": about_one_axis,
}


@pytest.mark.parametrize("tilt", TILTS)
@pytest.mark.parametrize("seed", range(15))
def test_nearest_points_are_contacts(tilt, seed):
    rng = np.random.default_rng(seed)
    for _ in range(4):
        gap = 10 ** rng.uniform(-5, np.log10(0.99 * MARGIN))
        pair = two_boxes(rng, TILTS[tilt](rng))
        check_nearest(brought_near(pair, gap))
        check_nearest(brought_along(rng, pair, gap))


@pytest.mark.parametrize("tilt", TILTS)
def test_margins_are_kept(tilt):
    rng = np.random.default_rng(5)
    for _ in range(20):
        pair = brought_near(two_boxes(rng, TILTS[tilt](rng)), MARGIN)
        p, q = nearest_points(pair)
        for change in (-1e-6, 1e-6):
            moved = pair.moved([[0, 0, 0], change * (q - p) / np.linalg.norm(q - p)])
            assert (len(detect(moved)) > 0) == (change < 0.0)


def test_corner_at_corner_edge_and_edge():
    """Features of boxes that are beside each other in two or three directions."""
    one = body(BOX, 0.5, margin=MARGIN)
    slant = 1e-3 / np.sqrt(2.0)
    turn = Rotation.from_euler("x", 0.3)
    for other, names in (
        (body(BOX, 0.3, (0.8 + 5e-4,) * 3, margin=MARGIN), [160 + 8 * 7 + 0]),
        (body(BOX, 0.3, (0.1, 0.8 + slant, 0.8 + slant), margin=MARGIN), [323, 335]),
        (body(BOX, (0.7, 0.3, 0.3), (0, 0.8 + slant, 0.8 + slant), margin=MARGIN), [296, 308]),
        (body(BOX, 0.5, (0, 1 + slant, 1 + slant), margin=MARGIN), [208, 217]),
        (body(BOX, 0.3, (0.1, 1.2, 1.2), turn=turn, margin=MARGIN), [323, 335]),
    ):
        pair = brought_near(scene(one, other), 5e-4)
        check_nearest(pair)
        contacts = detect(pair).copy()
        assert (contacts.key & 0x3FFF).tolist() == names
        for size in (1e-14, 1e-12, 1e-9):
            shaken = pair.moved(size * np.random.default_rng(3).normal(size=(2, 3)))
            assert (detect(shaken).key == contacts.key).all()


def test_exchanged_and_turned():
    rng = np.random.default_rng(8)
    for _ in range(40):
        pair = brought_near(two_boxes(rng, random_turn(rng)), 10 ** rng.uniform(-5, -3))
        one = detect(pair).copy()
        turned = detect(pair.turned(random_turn(rng))).copy()
        other = detect(pair.take([1, 0]))
        assert (one.key == turned.key).all()
        np.testing.assert_allclose(one.gap, turned.gap, atol=1e-12)
        assert len(one) == len(other)
        np.testing.assert_allclose(np.sort(one.gap), np.sort(other.gap), atol=1e-12)
        np.testing.assert_allclose(
            one.normal[one.gap.argmin()], -other.normal[other.gap.argmin()], atol=1e-9
        )


@pytest.mark.parametrize("seed", range(20))
def test_boxes_that_pass_within_the_margin(seed):
    """What passes without touching is not held up; where it stops short, it is seen where it is."""
    rng = np.random.default_rng(seed)
    horizon = 0.01
    for _ in range(5):
        pair = brought_near(two_boxes(rng, random_turn(rng)), 10 ** rng.uniform(-4, -3))
        p, q = nearest_points(pair)
        n = (q - p) / np.linalg.norm(q - p)
        for _ in range(5):
            velocity = rng.normal(size=3)
            moving = replace(pair, velocity=np.array([[0, 0, 0], velocity]))
            times = np.linspace(0.0, horizon, 60)
            ways = [distance(moving.moved([[0, 0, 0], t * velocity])) for t in times]
            if min(ways) < 1e-5:
                continue
            contacts = detect(moving, horizon=horizon)
            assert len(contacts) > 0
            u = contacts.normal @ velocity
            assert (contacts.gap + horizon * u >= -1e-9).all()
            if np.linalg.norm(q - p) + horizon * (velocity @ n) >= 0.0:
                assert contacts.gap.min() == pytest.approx(ways[0], rel=1e-5)
