"""Contacts with surfaces of triangles."""

import numpy as np
import pytest
from convex_cases import KINDS, look, sizes, turned
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import Delaunay

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
