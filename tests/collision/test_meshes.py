"""Contacts with surfaces of triangles."""

import numpy as np
import pytest
from convex_cases import KINDS, look, sizes, turned
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import Delaunay
from scipy.spatial.transform import Rotation

import rollcone as rc

CUBE = np.stack(np.meshgrid(*[(-0.5, 0.5)] * 3), -1).reshape(-1, 3)


def sheet(rng, height=lambda x, y: 0.0 * x, count=300, half=4.0):
    """Vertices and triangles of a surface over a square, at random places."""
    corners = np.array([[-half, -half], [-half, half], [half, -half], [half, half]])
    flat = np.vstack([rng.uniform(-half, half, (count, 2)), corners])
    triangles = Delaunay(flat).simplices
    a, b, c = np.moveaxis(flat[triangles], 1, 0)
    (x, y), (u, v) = (b - a).T, (c - a).T
    over = x * v - y * u < 0
    triangles[over] = triangles[over][:, ::-1]
    return np.column_stack([flat, height(*flat.T)]), triangles


def lowest(body):
    """How deep below its position a body reaches, by the plane's own functions."""
    world = rc.World()
    add = getattr(world, f"add_{'cylinder' if body['kind'] == 'disk' else body['kind']}")
    add(**body["sizes"], density=1, orientation=body["turn"])
    world.add_plane(point=(0, 0, -50))
    return 50.0 - look(world, 100.0).gap.min()


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(KINDS), st.integers(0, 10**6))
def test_a_flat_sheet_is_a_plane(kind, seed):
    """The same least gap, and all normals up, wherever the edges of its triangles run."""
    rng = np.random.default_rng(seed)
    body = {"kind": kind, "sizes": sizes(kind, rng), "turn": turned(rng)}
    vertices, triangles = sheet(rng)
    world = rc.World()
    world.add_mesh(vertices=vertices, triangles=triangles, fixed=True)
    at = (*rng.uniform(-1, 1, 2), lowest(body))
    getattr(world, f"add_{kind}")(**body["sizes"], density=1, orientation=body["turn"], position=at)
    for margin in (1e-5, 1e-2):
        found = look(world, margin / 2)
        assert len(found) >= 1
        assert found.gap.min() == pytest.approx(0.0, abs=1e-8)
        np.testing.assert_allclose(found.normal, [[0, 0, 1]] * len(found), atol=1e-9)
    assert len(found) <= 4


@pytest.mark.parametrize("x", [-0.2, -1e-9, 0.0, 1e-9, 0.3])
def test_a_ball_on_a_roof(x):
    """The ridge of two slopes at 45 degrees: the normal is between those of the faces."""
    vertices = [(0, -5, 0), (0, 5, 0), (-5, -5, -5), (-5, 5, -5), (5, -5, -5), (5, 5, -5)]
    triangles = [(0, 1, 2), (1, 3, 2), (0, 4, 1), (1, 4, 5)]
    world = rc.World()
    world.add_mesh(vertices=vertices, triangles=triangles, fixed=True)
    height = np.sqrt(1.0 - x * x)
    world.add_sphere(radius=1, density=1, position=(x, 0.3, height))
    found = look(world)
    assert len(found) == 1
    np.testing.assert_allclose(found.normal[0], (x, 0, height), atol=1e-7)
    assert found.gap[0] == pytest.approx(0.0, abs=1e-12)


def test_a_ball_in_a_valley():
    """Two faces at 45 degrees, and no contact with the line in which they meet."""
    vertices = [(0, -5, 0), (0, 5, 0), (-5, -5, 5), (-5, 5, 5), (5, -5, 5), (5, 5, 5)]
    triangles = [(0, 1, 2), (1, 3, 2), (0, 4, 1), (1, 4, 5)]
    world = rc.World()
    world.add_mesh(vertices=vertices, triangles=triangles, fixed=True)
    world.add_sphere(radius=1, density=1, position=(0, 0.3, np.sqrt(2)))
    found = look(world)
    assert len(found) == 2
    np.testing.assert_allclose(np.sort(found.normal[:, 0]), np.array([-1, 1]) / np.sqrt(2))
    np.testing.assert_allclose(found.gap, 0.0, atol=1e-12)


def test_what_is_behind_does_not_touch():
    vertices, triangles = sheet(np.random.default_rng(0))
    world = rc.World()
    world.add_mesh(vertices=vertices, triangles=triangles, fixed=True)
    ball = world.add_sphere(radius=0.5, density=1, position=(0, 0, 0.499))
    assert len(look(world)) == 1
    ball.position = (0, 0, -0.1)
    assert len(look(world)) == 0


@pytest.mark.parametrize("kind", ["sphere", "box", "convex", "cylinder"])
def test_a_cube_of_triangles_is_a_box(kind):
    """From outside, near faces, edges and corners: the same gap and normal."""
    corners = CUBE[np.lexsort(CUBE.T[::-1])]
    from rollcone.collision.hull import hull_of

    hull = hull_of("points", corners)
    rng = np.random.default_rng(4)
    for _ in range(40):
        way = rng.normal(size=3)
        options = {"density": 1.0, "position": 2.0 * way / np.linalg.norm(way)}
        options |= sizes(kind, rng) | {"orientation": turned(rng)}
        found = []
        for mesh in (True, False):
            world = rc.World()
            if mesh:
                world.add_mesh(vertices=hull.corners, triangles=hull.triangles, fixed=True)
            else:
                world.add_convex(points=corners, fixed=True)
            getattr(world, f"add_{kind}")(**options)
            contacts = look(world, 5.0)
            least = np.argmin(contacts.gap)
            found.append((contacts.gap[least], contacts.normal[least]))
        assert found[0][0] == pytest.approx(found[1][0], abs=1e-7)
        np.testing.assert_allclose(found[0][1], found[1][1], atol=1e-4)


def test_the_tree_finds_every_triangle():
    """Balls just above the middle of each triangle touch that one."""
    rng = np.random.default_rng(7)
    vertices, triangles = sheet(rng, lambda x, y: 0.3 * np.sin(x) * np.cos(y), count=200)
    world = rc.World()
    world.add_mesh(vertices=vertices, triangles=triangles, fixed=True)
    ball = world.add_sphere(radius=1e-3, density=1)
    a, b, c = np.moveaxis(vertices[triangles], 1, 0)
    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    for middle, n in zip((a + b + c) / 3, normal, strict=True):
        ball.position = middle + 1e-3 * n
        found = look(world)
        assert len(found) == 1
        np.testing.assert_allclose(found.normal[0], n, atol=1e-9)


def test_two_meshes_cannot_touch():
    from rollcone.collision.grid import UntreatedPairError
    from rollcone.collision.hull import hull_of

    hull = hull_of("points", CUBE)
    world = rc.World()
    world.add_mesh(vertices=hull.corners, triangles=hull.triangles, fixed=True)
    world.add_mesh(vertices=hull.corners, triangles=hull.triangles, density=1, position=(1, 0, 0))
    with pytest.raises(UntreatedPairError):
        look(world)
    world.bodies[1].position = (4, 0, 0)
    assert len(look(world, 0.5)) == 0


def test_the_sides_of_a_mesh_on_a_wide_floor():
    """Triangles that stand on their edges have no say."""
    from rollcone.collision.hull import hull_of

    hull = hull_of("points", CUBE)
    world = rc.World()
    world.add_convex(points=CUBE * (40, 40, 1), position=(0, 0, -0.5), fixed=True)
    world.add_mesh(vertices=hull.corners, triangles=hull.triangles, density=1, position=(1, 2, 0.5))
    found = look(world)
    assert len(found) == 4
    np.testing.assert_allclose(found.normal, [[0, 0, 1]] * 4, atol=1e-12)
    np.testing.assert_allclose(found.gap, 0.0, atol=1e-12)


def test_a_mesh_on_a_plane_is_its_hull():
    """An L of boxes' outlines rests on the corners of its hull."""
    flat = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], dtype=float)
    vertices = np.vstack([np.column_stack([flat, np.full(6, z)]) for z in (0.0, 1.0)])
    top = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]
    sides = [(i, (i + 1) % 6) for i in range(6)]
    triangles = [tuple(6 + np.array(t)) for t in top] + [t[::-1] for t in top]
    triangles += [(i, j, j + 6) for i, j in sides] + [(i, j + 6, i + 6) for i, j in sides]
    world = rc.World()
    world.add_plane()
    body = world.add_mesh(vertices=vertices, triangles=triangles, density=2.0)
    assert body.mass == pytest.approx(6.0)
    body.position = (0, 0, 0.5)
    found = look(world)
    assert len(found) == 4
    np.testing.assert_allclose(found.gap, 0.0, atol=1e-12)


def test_more_contacts_than_there_is_room_for():
    """A compound of 256 balls, each in a corner of three triangles of its own: the deepest stay,
    and no memory but that of the kernels is written to."""
    rng, r = np.random.default_rng(0), 0.03
    i = np.arange(256) + 0.5
    polar, turn = np.arccos(1 - 2 * i / 256), np.pi * (1 + 5**0.5) * i
    places = np.column_stack(
        [np.cos(turn) * np.sin(polar), np.sin(turn) * np.sin(polar), np.cos(polar)]
    )
    vertices, triangles = [], []
    for u in places:
        a = np.cross(u, rng.normal(size=3))
        a /= np.linalg.norm(a)
        for k in range(3):
            t = np.cos(2 * np.pi * k / 3) * a + np.sin(2 * np.pi * k / 3) * np.cross(u, a)
            m = np.cos(0.6) * u + np.sin(0.6) * t
            e = np.cross(m, a + 0.1 * u)
            e /= np.linalg.norm(e)
            around = [(np.cos(q), np.sin(q)) for q in (0, 2 * np.pi / 3, 4 * np.pi / 3)]
            triangles.append(np.arange(3) + len(vertices))
            vertices += [u + r * m + 0.1 * r * (c * e + s * np.cross(-m, e)) for c, s in around]
    world = rc.World()
    world.add_mesh(vertices=vertices, triangles=triangles, fixed=True)
    balls = [{"shape": "sphere", "radius": r, "position": u} for u in places]
    world.add_compound(parts=balls, center=(0, 0, 0), mass=1, inertia=(1, 1, 1))
    found = look(world, 1e-4)
    assert len(found) == 64
    assert len(set(found.key.tolist())) == 64


def test_a_hull_of_very_many_corners_on_a_plane():
    """The lowest of 1,000 corners are among those that are looked at."""
    i = np.arange(1000) + 0.5
    polar, turn = np.arccos(1 - 2 * i / 1000), np.pi * (1 + 5**0.5) * i
    points = np.column_stack(
        [np.cos(turn) * np.sin(polar), np.sin(turn) * np.sin(polar), np.cos(polar)]
    )
    for seed in range(5):
        q = turned(np.random.default_rng(seed))
        world = rc.World()
        world.add_plane()
        body = world.add_convex(points=points, density=1, orientation=q, position=(0, 0, 3))
        corners = world.state.parts.of(body.id)[0].geometry.corners
        low = Rotation.from_quat(q, scalar_first=True).apply(corners)[:, 2].min()
        assert look(world, 5.0).gap.min() == pytest.approx(3 + low, abs=1e-12)


def test_many_parts_on_a_plane_are_held_at_their_ends():
    parts = [
        {"shape": "box", "size": (0.04, 0.04, 0.1), "position": (0.1 * x, 0.1 * y, 0)}
        for x in range(9)
        for y in range(9)
    ]
    world = rc.World()
    world.add_plane()
    world.add_compound(parts=parts, density=1, position=(0, 0, 0.05))
    found = look(world)
    assert len(found) == 4
    np.testing.assert_allclose(np.abs(found.point[:, :2]), 0.42, atol=1e-9)


@pytest.mark.parametrize("kind", ["convex", "box", "cylinder", "ellipsoid"])
def test_a_plate_falls_beside_a_peak(kind):
    """It comes to lie on the peak and the ground, wherever the triangles end."""
    heights = np.zeros((11, 11))
    heights[5, 5] = 0.1
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_height_field(heights=heights, size=(2, 2))
    sizes_of = {
        "convex": {"points": CUBE * (0.2, 0.2, 0.02)},
        "box": {"size": (0.2, 0.2, 0.02)},
        "cylinder": {"radius": 0.1, "height": 0.02},
        "ellipsoid": {"semi_axes": (0.1, 0.1, 0.01)},
    }[kind]
    body = getattr(world, f"add_{kind}")(density=1000, position=(0.03, 0.05, 0.3), **sizes_of)
    world.set_contact_law(rc.ContactLaw(sliding=0.5))
    assert rc.simulate(world, until=0.6, step=5e-3).body(body).position[-1, 2] > 0.0


@pytest.mark.slow
def test_thin_plates_do_not_fall_through_flat_ground():
    """Tumbling plates of 2 mm, on 7,200 triangles."""
    rng = np.random.default_rng(1)
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_height_field(heights=np.zeros((61, 61)), size=(12, 12))
    plates = [
        world.add_convex(
            points=CUBE * (0.2, 0.2, 0.002),
            density=1000,
            position=(x + 0.03, y + 0.05, 0.3),
            orientation=turned(rng),
            angular_velocity=10 * rng.normal(size=3),
        )
        for x in (-1.3, 0.0, 1.3)
        for y in (-1.3, 0.0, 1.3)
    ]
    world.set_contact_law(rc.ContactLaw(sliding=0.5))
    run = rc.simulate(world, until=0.5, step=5e-3)
    assert min(run.body(plate).position[-1, 2] for plate in plates) > -2e-3
