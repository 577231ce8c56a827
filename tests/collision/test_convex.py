"""Distances, normals and contact points of convex bodies."""

import numpy as np
import pytest
from convex_cases import FLAT, KINDS, cloud, hull_distance, look, pair, turned
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import rollcone as rc

FAR = 10.0  # a margin within which all pairs are contacts
OWN = {"sphere", "capsule", "box"}  # with functions for each pair
PAIRS = [(a, b) for i, a in enumerate(KINDS) for b in KINDS[i:] if {a, b} - OWN]
CUBE = np.stack(np.meshgrid(*[(-0.5, 0.5)] * 3), -1).reshape(-1, 3)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("one", "other"), [p for p in PAIRS if set(p) <= OWN | set(FLAT)])
def test_distance_by_least_squares(one, other, seed):
    world = pair(one, other, seed)
    (a, r), (b, s) = (cloud(body) for body in world.bodies)
    assert look(world, FAR).gap.min() == pytest.approx(hull_distance(a, b) - r - s, abs=1e-7)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("other", ["sphere", "capsule", "cylinder", "box", "convex"])
def test_distance_to_a_cylinder_by_least_squares(other, seed):
    """400 points of its rims are within 1 - cos(pi / 400) of them."""
    world = pair("cylinder", other, seed)
    (a, r), (b, s) = (cloud(body) for body in world.bodies)
    away = 1.0 - np.cos(np.pi / 400)
    least = hull_distance(a, b) - r - s
    assert least - 2 * away - 1e-7 <= look(world, FAR).gap.min() <= least + 1e-7


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_distance_by_coal(one, other, seed):
    """What another library says, to its own tolerance."""
    coal = pytest.importorskip("coal")
    world = pair(one, other, seed)
    given_ = [_of_coal(coal, body) for body in world.bodies]
    request = coal.DistanceRequest()
    request.gjk_tolerance, request.gjk_max_num_iterations = 1e-10, 500
    result = coal.DistanceResult()
    distance = coal.distance(*given_[0], *given_[1], request, result)
    contacts = look(world, FAR)
    assert contacts.gap.min() == pytest.approx(distance, abs=1e-6)
    np.testing.assert_allclose(contacts.normal[0], result.normal, atol=1e-3)


def _of_coal(coal, body):
    size, turn = body.size, Rotation.from_quat(body.orientation, scalar_first=True).as_matrix()
    at = np.array(body.position)
    if body.shape == "sphere":
        shape = coal.Sphere(size[0])
    elif body.shape == "box":
        shape = coal.Box(*size)
    elif body.shape == "capsule":
        shape = coal.Capsule(size[0], size[2])
    elif body.shape == "disk":
        shape = coal.Cylinder(size[0], size[1])
    elif body.shape == "ellipsoid":
        shape = coal.Ellipsoid(*size)
    elif body.shape == "cone":
        height = body.world.state.size[body.id, 2] / 0.75
        shape, at = coal.Cone(size[0], height), at + turn[:, 2] * height / 4
    else:
        part = body.world.state.parts.of(body.id)[0]
        points, faces = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
        for corner in part.geometry.corners + np.array(part.x):
            points.append(corner)
        for triangle in part.geometry.triangles.tolist():
            faces.append(coal.Triangle(*triangle))
        shape = coal.Convex(points, faces)
    return shape, coal.Transform3s(turn, at)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(PAIRS), st.integers(0, 10**6), st.floats(1e-9, 1e-3))
def test_pushed_into_each_other(kinds, seed, depth):
    """Along their normal by more than the distance: the overlap is what it was pushed by, or less
    where another way out is shorter, and both agree on the normal."""
    world = pair(*kinds, seed)
    before = look(world, FAR)
    n, gap = before.normal[0], before.gap.min()
    body = world.bodies[1]
    body.position = body.position - (gap + depth) * n
    after = look(world)
    assert len(after) >= 1
    rounding = 1e-12 if set(kinds) <= OWN | set(FLAT) else 1e-8
    assert -depth * (1 + 1e-6) - rounding <= after.gap.min() < rounding
    if depth < 1e-6:
        np.testing.assert_allclose(after.normal[0], n, atol=0.02)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(PAIRS), st.integers(0, 10**6))
def test_points_lie_on_both_surfaces(kinds, seed):
    """Where bodies touch, the points of both are at one place, but for the gap along the normal;
    pushed a little along it out of either body, they are outside, and inside the other way."""
    world = pair(*kinds, seed)
    before = look(world, FAR)
    body = world.bodies[1]
    body.position = body.position - before.gap.min() * before.normal[0]
    found = look(world)
    assert 1 <= len(found) <= 4
    place = world.state.position
    for c in range(len(found)):
        a, b = (place[found.bodies[c, s]] + found.arms[c, 3 * s : 3 * s + 3] for s in range(2))
        np.testing.assert_allclose(b - a, found.gap[c] * found.normal[c], atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(found.normal, axis=1), 1.0, rtol=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(PAIRS), st.integers(0, 10**6))
def test_turned_and_moved_scenes(kinds, seed):
    """Contacts turn and move with the bodies."""
    world = pair(*kinds, seed)
    before = look(world, FAR)
    turn = Rotation.from_quat(turned(np.random.default_rng(seed + 1)), scalar_first=True)
    for body in world.bodies:
        own = Rotation.from_quat(body.orientation.copy(), scalar_first=True)
        body.orientation = (turn * own).as_quat(scalar_first=True)
        body.position = turn.apply(body.position.copy()) + np.array([3.0, -2.0, 1.0])
    after = look(world, FAR)
    assert after.gap.min() == pytest.approx(before.gap.min(), abs=1e-7)
    k, m = np.argmin(before.gap), np.argmin(after.gap)
    atol = 1e-4 if "cone" in kinds else 1e-6
    np.testing.assert_allclose(after.normal[m], turn.apply(before.normal[k]), atol=atol)


@pytest.mark.parametrize("kind", KINDS)
def test_in_either_order(kind):
    """Numbers of bodies say which is A; the contact is the same with its normal turned round."""
    world = pair(kind, "convex", 3)
    twin = rc.World()
    for body in reversed(world.bodies):
        copy = twin.add_sphere(radius=1, density=1)
        for name in ("shape", "size", "position", "orientation"):
            getattr(twin.state, name)[copy.id] = getattr(world.state, name)[body.id]
        twin.state.parts.add(copy.id, world.state.parts.of(body.id))
    one, other = look(world, FAR), look(twin, FAR)
    assert one.gap.min() == pytest.approx(other.gap.min(), abs=1e-12)
    np.testing.assert_allclose(one.normal[0], -other.normal[0], atol=1e-9)


def test_the_first_touch_of_hulls_that_move():
    """Two cubes, edge on: 0.2 m at 4 m/s."""
    world = rc.World()
    turn = rc.rotation((0, 0, 1), 45)
    world.add_convex(points=CUBE, density=1)
    half = np.sqrt(0.5)
    world.add_convex(
        points=CUBE, density=1, position=(0.5 + half + 0.2, 0.1, 0), orientation=turn,
        velocity=(-4, 0, 0),
    )  # fmt: skip
    assert len(look(world, horizon=0.0499)) == 0
    found = look(world, horizon=0.0501)
    assert len(found) == 2  # the ends of the edge
    np.testing.assert_allclose(found.gap, 0.2, atol=1e-9)
    np.testing.assert_allclose(found.normal, [[1, 0, 0]] * 2, atol=1e-12)


def test_gliding_past_is_no_touch():
    """A cube slides along the top of two that stand side by side, a little lower than they are."""
    world = rc.World()
    for x in (0.0, 1.0):
        world.add_convex(points=CUBE, position=(x, 0, 0), fixed=True)
    world.add_convex(points=CUBE, density=1, position=(-0.05, 0, 1 - 1e-9), velocity=(20, 0, 0))
    found = look(world, horizon=0.01)
    np.testing.assert_allclose(np.abs(found.normal), [[0, 0, 1]] * len(found), atol=1e-9)
    assert set(map(tuple, found.bodies.tolist())) == {(0, 2), (1, 2)}


def test_contacts_keep_their_names():
    """A prism that rocks and slides on a box by less than anything changes the corners it has."""
    rng = np.random.default_rng(0)
    angle = np.arange(6) * np.pi / 3
    flat = np.column_stack([np.cos(angle), np.sin(angle)])
    points = np.vstack([np.column_stack([flat, np.full(6, z)]) for z in (-0.3, 0.3)])
    world = rc.World()
    world.add_box(size=(4, 4, 1), fixed=True, position=(0, 0, -0.5))
    body = world.add_convex(points=points, density=1, position=(0, 0, 0.3))
    first = look(world, 1e-3)
    assert len(first) == 4
    for _ in range(30):
        body.position = (*rng.uniform(-0.3, 0.3, 2), 0.3)
        body.orientation = Rotation.from_rotvec(rng.uniform(-1e-7, 1e-7, 3)).as_quat(
            scalar_first=True
        )
        np.testing.assert_array_equal(look(world, 1e-3).key, first.key)


def test_bodies_at_one_place():
    """There is a normal, and a depth, whatever it is."""
    for kind in KINDS:
        world = pair(kind, "convex", 1, apart=0.0)
        found = look(world)
        assert len(found) >= 1
        assert np.isfinite(found.normal).all()
        assert np.isfinite(found.gap).all()
        assert found.gap.min() < 0.0


@pytest.mark.parametrize("scale", [1e-6, 1e-3, 1e3, 1e6])
def test_in_any_unit_of_length(scale):
    world, other = pair("convex", "ellipsoid", 5), rc.World()
    for body in world.bodies:
        options = {"density": 1.0, "orientation": body.orientation}
        options["position"] = scale * body.position
        if body.shape == "convex":
            points = world.state.parts.of(body.id)[0].geometry.corners
            other.add_convex(points=scale * points, **options)
        else:
            other.add_ellipsoid(semi_axes=scale * body.size, **options)
    before, after = look(world, FAR), look(other, scale * FAR)
    assert after.gap.min() == pytest.approx(scale * before.gap.min(), rel=1e-8)
