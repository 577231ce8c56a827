"""Disks with thickness, ellipsoids and bowls: gaps and arms against a search over whole surfaces,
first touches, bounding boxes, and which points of a cylinder touch."""

from dataclasses import replace

import numpy as np
import pytest
from collision_cases import FIXED, approach, body, detect, random_turn, scene, turns
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

from rollcone.collision.clumps import Clumps
from rollcone.collision.grid import UntreatedPairError
from rollcone.collision.kernels import shape as _shape_kernels
from rollcone.collision.shapes import (
    BOWL,
    BOX,
    CAPSULE,
    CLUMP,
    DISK,
    ELLIPSOID,
    PLANE,
    SPHERE,
    endless,
    reach,
)

turnings = st.tuples(*[st.floats(-3, 3)] * 3).map(Rotation.from_rotvec)
places = st.tuples(*[st.floats(-0.4, 0.4)] * 3)
R_BOWL = 2.0
# (R, R + half the thickness, R + edge radius)
SIZES = {
    "thin": (0.5, 0.5, 0.5),
    "cylinder": (0.3, 0.8, 0.3),
    "coin": (0.5, 0.6, 0.55),
    "torus edge": (0.5, 0.6, 0.6),
}
SEMI = (0.5, 0.3, 0.15)
EACH_DISK = pytest.mark.parametrize("name", SIZES)


def plane(**options):
    return body(PLANE, kind=FIXED, **options)


def bowl(**options):
    return body(BOWL, (R_BOWL, np.inf, np.inf), kind=FIXED, **options)


def disk_surface(size):
    """Points in body axes of two angles: around the axis, and along the outline of a half."""
    radius, half, edge = size[0], size[1] - size[0], size[2] - size[0]

    def points(u):
        around, slope = np.moveaxis(np.asarray(u), -1, 0)
        r = radius - edge + edge * np.cos(slope)
        z = np.sign(np.sin(slope)) * (half - edge) + edge * np.sin(slope)
        return np.stack([r * np.cos(around), r * np.sin(around), z], axis=-1)

    return points


def ellipsoid_surface(u):
    around, slope = np.moveaxis(np.asarray(u), -1, 0)
    unit = [np.cos(slope) * np.cos(around), np.cos(slope) * np.sin(around), np.sin(slope)]
    return np.array(SEMI) * np.stack(unit, axis=-1)


def least(one, surface, distance):
    """The least distance of the points of a surface, by a search from many of them."""
    around = np.linspace(0, 2 * np.pi, 90, endpoint=False)
    slopes = np.linspace(-np.pi / 2, np.pi / 2, 40)
    grid = np.stack(np.meshgrid(around, slopes), axis=-1).reshape(-1, 2)

    def at(u):
        return distance(one.position[0] + turns(one)[0].apply(surface(u)))

    start = grid[np.argmin(at(grid))]
    found = minimize(at, start, method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-14})
    return min(found.fun, float(at(start)))


def above(floor):
    up = turns(floor)[0].apply([0, 0, 1])
    return lambda x: (x - floor.position[0]) @ up


def inside(hollow):
    center = hollow.position[0] + R_BOWL * turns(hollow)[0].apply([0, 0, 1])
    return lambda x: R_BOWL - np.linalg.norm(x - center, axis=-1)


def check_feet(one, support, contacts, distance):
    """Arms end on both surfaces, the gap apart along the normal."""
    on_body = one.position[0] + contacts.arms[:, 3:]
    on_support = support.position[0] + contacts.arms[:, :3]
    np.testing.assert_allclose(distance(on_body), contacts.gap, atol=1e-12)
    np.testing.assert_allclose(distance(on_support), 0.0, atol=1e-12)
    step = contacts.gap[:, None] * contacts.normal
    np.testing.assert_allclose(on_body - on_support, step, atol=1e-12)


@EACH_DISK
@given(turn=turnings, at=places, floor_turn=turnings)
def test_disk_and_plane(name, turn, at, floor_turn):
    one = body(DISK, SIZES[name], at=at, turn=turn, margin=9.0)
    floor = plane(turn=floor_turn, at=(0, 0, -1))
    contacts = detect(scene(floor, one))
    lowest = least(one, disk_surface(SIZES[name]), above(floor))
    assert contacts.gap.min() == pytest.approx(lowest, abs=1e-9)
    check_feet(one, floor, contacts, above(floor))


@EACH_DISK
@given(turn=turnings, at=places, floor_turn=turnings)
def test_disk_and_bowl(name, turn, at, floor_turn):
    hollow = bowl(turn=floor_turn, at=-R_BOWL * floor_turn.apply([0, 0, 1]))
    one = body(DISK, SIZES[name], at=at, turn=turn, margin=9.0)
    contacts = detect(scene(hollow, one))
    lowest = least(one, disk_surface(SIZES[name]), inside(hollow))
    assert contacts.gap.min() == pytest.approx(lowest, abs=1e-9)
    check_feet(one, hollow, contacts, inside(hollow))


@given(turn=turnings, at=places, floor_turn=turnings)
def test_ellipsoid_and_plane(turn, at, floor_turn):
    one = body(ELLIPSOID, SEMI, at=at, turn=turn, margin=9.0)
    floor = plane(turn=floor_turn, at=(0, 0, -1))
    contacts = detect(scene(floor, one))
    assert len(contacts) == 1
    lowest = least(one, ellipsoid_surface, above(floor))
    assert contacts.gap[0] == pytest.approx(lowest, abs=1e-9)
    check_feet(one, floor, contacts, above(floor))


OTHERS = {
    "sphere": (body(SPHERE, 0.3, margin=9.0), lambda d: [(0, 0, 0, 0.3)]),
    "capsule": (
        body(CAPSULE, (0.2, 0.2, 0.6), margin=9.0),
        lambda d: [(0, 0, -0.4, 0.2), (0, 0, 0.4, 0.2)],
    ),
    "box": (
        body(BOX, (0.2, 0.3, 0.4), margin=9.0),
        lambda d: [
            (x, y, z, 0) for z in (-0.4, 0.4) for y in (-0.3, 0.3) for x in (-0.2, 0.2)
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("name", OTHERS)
@given(turn=turnings, at=places)
def test_balls_and_corners_in_a_bowl(name, order, turn, at):
    one, balls = OTHERS[name]
    one = replace(
        one, position=np.array([at]), orientation=np.array([turn.as_quat(scalar_first=True)])
    )
    hollow = bowl(at=(0, 0, -R_BOWL))
    contacts = detect(scene(*(hollow, one)[::order]))
    rows = np.array(balls(None), dtype=float)
    place = np.array(at) + turn.apply(rows[:, :3])
    np.testing.assert_allclose(contacts.gap, inside(hollow)(place) - rows[:, 3], atol=1e-14)
    np.testing.assert_array_equal(contacts.key & 255, np.arange(len(rows)))
    if order == 1:
        check_feet(one, hollow, contacts, inside(hollow))
    elif np.linalg.norm(place, axis=1).min() > 1e-3:
        outward = place / np.linalg.norm(place, axis=1)[:, None]
        np.testing.assert_allclose(contacts.normal, outward, atol=1e-12)


@pytest.mark.parametrize("order", [1, -1])
def test_a_clump_in_a_bowl(order):
    rows = np.array([(0, 0, 0, 0.3), (0.4, 0, 0, 0.2), (0, 0.3, 0.1, 0.1)])
    one = body(CLUMP, (0.1, 0.1, 0.6), at=(0.2, 0.1, 0), margin=9.0)
    hollow = bowl(at=(0, 0, -R_BOWL))
    pair, clumps = scene(*(hollow, one)[::order]), Clumps()
    clumps.add(1 if order == 1 else 0, rows)
    contacts = detect(replace(pair, clumps=clumps))
    expected = inside(hollow)(one.position[0] + rows[:, :3]) - rows[:, 3]
    np.testing.assert_allclose(contacts.gap, expected, atol=1e-14)
    if order == 1:
        check_feet(one, hollow, contacts, inside(hollow))


@pytest.mark.parametrize("seed", range(20))
def test_first_touch_in_a_bowl(seed):
    """Kept exactly if its own straight way meets the bowl, which may move and turn."""
    rng = np.random.default_rng(seed)
    horizon, r = 0.1, 0.3
    moves = {"velocity": rng.normal(size=3), "omega": rng.normal(size=3)}
    hollow = bowl(at=(0, 0, -R_BOWL), **moves)
    at = rng.normal(size=3)
    at *= rng.uniform(1.0, R_BOWL - r) / np.linalg.norm(at)
    pair = scene(hollow, body(SPHERE, r, at=at, velocity=5 * rng.normal(size=3)))
    contacts = detect(pair, horizon)
    foot = at / np.linalg.norm(at) * R_BOWL - hollow.position[0]
    surface = pair.velocity[0] + np.cross(pair.omega[0], foot)
    relative = pair.velocity[1] - surface
    way = np.linspace(0, horizon, 20_001)[:, None] * relative
    distance = np.linalg.norm(at + way, axis=1)
    meets = distance >= R_BOWL - r
    assert (len(contacts) == 1) == meets.any()
    if meets.any():
        t = horizon * np.argmax(meets) / 20_000
        there = at + t * relative
        normal = -there / np.linalg.norm(there)
        np.testing.assert_allclose(contacts.normal[0], normal, atol=1e-3)
        assert contacts.gap[0] + t * (relative @ contacts.normal[0]) == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize("seed", range(10))
def test_first_touch_of_an_ellipsoid(seed):
    rng = np.random.default_rng(seed)
    near = body(
        ELLIPSOID, SEMI, at=(0, 0, 0.55), turn=random_turn(rng), velocity=3 * rng.normal(size=3),
        omega=3 * rng.normal(size=3),
    )  # fmt: skip
    still = detect(scene(plane(), replace(near, margin=np.array([9.0]))))
    closing = approach(scene(plane(), near), still, 0)
    expected = still.gap[0] + 0.1 * min(closing, 0.0) <= 1e-6 * min(SEMI)
    assert (len(detect(scene(plane(), near), 0.1)) == 1) == expected


EXTENT = {name: (DISK, size, disk_surface(size)) for name, size in SIZES.items()}
EXTENT["ellipsoid"] = (ELLIPSOID, SEMI, ellipsoid_surface)
half_extent = _shape_kernels.half_extent
ball_around = _shape_kernels.ball_around


@pytest.mark.parametrize("name", EXTENT)
@given(turn=turnings)
def test_bounding_box_and_reach(name, turn):
    shape, size, surface = EXTENT[name]
    one = body(shape, size, turn=turn)
    half = np.array(half_extent(one.shape, one.size, one.orientation, 0))
    around = np.linspace(0, 2 * np.pi, 200)
    slopes = np.linspace(-np.pi / 2, np.pi / 2, 101)
    points = turn.apply(surface(np.stack(np.meshgrid(around, slopes), axis=-1).reshape(-1, 2)))
    np.testing.assert_allclose(half, points.max(axis=0), atol=5e-4)
    assert (points.max(axis=0) <= half + 1e-12).all()
    farthest = np.linalg.norm(points, axis=1).max()
    for radius in (
        reach(one.shape, one.size)[0],
        ball_around(one.shape, one.size, 0),
    ):
        assert radius == pytest.approx(farthest, rel=1e-3)
        assert farthest <= radius + 1e-12


def test_reach_of_the_endless():
    both = scene(plane(), bowl())
    assert endless(both.shape).all()
    assert np.isinf(reach(both.shape, both.size)).all()


def features(turn, size="cylinder", at=(0, 0, 0.3)):
    one = body(DISK, SIZES[size], at=at, turn=turn, margin=1e-3)
    return (detect(scene(plane(), one)).key & 255).tolist()


@pytest.mark.parametrize("lean", [0.0, 1e-12, -1e-12, 1e-6, -1e-6])
def test_on_its_side_a_cylinder_touches_with_both_ends(lean):
    """By the same names, whichever end is the lower."""
    assert features(Rotation.from_rotvec([np.pi / 2 + lean, 0, 0])) == [0, 3]


def test_on_its_ends_with_three_points():
    assert features(Rotation.identity(), at=(0, 0, 0.5)) == [0, 1, 2]
    assert features(Rotation.from_rotvec([np.pi, 0, 0]), at=(0, 0, 0.5)) == [3, 4, 5]


def test_a_round_edge_is_one_circle():
    """Not two at the same place."""
    turn = Rotation.from_rotvec([np.pi / 2, 0, 0])
    assert features(turn, "torus edge", (0, 0, 0.5)) == [0]


def test_no_ellipsoid_in_a_bowl():
    with pytest.raises(UntreatedPairError):
        detect(scene(bowl(at=(0, 0, -R_BOWL)), body(ELLIPSOID, SEMI)))
