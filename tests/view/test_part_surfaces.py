"""Surfaces of cones, hulls, compounds and meshes: closed, outward, of the right volume."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_surfaces import is_closed, volume

import rollcone as rc
from part_bodies import BLOB, PARTS, torus, world_of_parts
from rollcone.collision.hull import hull_of
from rollcone.collision.shapes import COMPOUND, CONE, CONVEX, MESH
from rollcone.collision.triangles import surface_of
from rollcone.view.rays import entries, first_entry
from rollcone.view.side_bodies import body_patches
from rollcone.view.surface_forms import cone, hull_surface, mesh_surface
from rollcone.view.surfaces import groups


@pytest.mark.parametrize("detail", [0, 1, 3])
def test_cones(detail):
    surface = cone(detail)
    assert is_closed(surface)
    assert 0 < 1 - volume(surface) / (4 / 9 * np.pi) < 0.2 / 3.0**detail
    first, second = surface.two_tone(CONE)
    assert len(first.triangles) == len(second.triangles) == len(surface.triangles) / 2
    normals = surface.normals()
    tips = surface.vertices[:, 2] == 1
    assert (normals[tips, 2] < 0.8).all()  # no round tip


@given(st.integers(0, 10**6))
def test_hulls_are_closed_with_flat_sides(seed):
    random = np.random.default_rng(seed)
    points = random.normal(size=(random.integers(4, 30), 3))
    if seed % 2:  # many points in one plane
        points = np.round(2 * points)
        points = np.unique(np.concatenate([points, [(9, 0, 0), (0, 9, 0), (0, 0, 9)]]), axis=0)
    hull = hull_of("points", points)
    surface = hull_surface(hull)
    assert is_closed(surface)
    body = rc.World().add_convex(points=points, density=1)
    assert volume(surface) == pytest.approx(body.mass, rel=1e-9)
    normals = surface.normals()
    assert (np.einsum("ij,ij->i", normals, surface.vertices - points.mean(axis=0)) > 0).all()
    sides = np.repeat(hull.normals, np.diff(hull.starts), axis=0)
    np.testing.assert_allclose(normals, sides, atol=1e-6)  # sharp edges
    assert (points @ hull.normals.T <= hull_reach(hull) + 1e-6).all()  # nothing sticks out


def hull_reach(hull):
    return np.array([hull.corners[f[0]] @ n for f, n in zip(hull.faces, hull.normals, strict=True)])


def test_meshes_are_smooth_where_they_are_nearly_flat():
    ring = mesh_surface(surface_of(*torus(1.0, 0.3)))
    assert is_closed(ring)
    assert len(ring.vertices) == 48 * 24
    assert volume(ring) == pytest.approx(2 * np.pi**2 * 0.3**2, rel=0.02)
    cube = hull_of("points", [(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    sharp = mesh_surface(surface_of(cube.corners, cube.triangles))
    assert len(sharp.vertices) == 24
    assert (np.abs(sharp.normals()).max(axis=1) > 1 - 1e-12).all()


def test_bodies_that_are_one_but_for_their_size_share_a_surface():
    world = world_of_parts()
    for turn in (0, 90):
        world.add_compound(
            parts=PARTS, density=1, position=(30, turn, 0), orientation=rc.rotation((0, 0, 1), turn)
        )
    found = {int(g.numbers[0]): g for g in groups(world) if g.shape >= CONE}
    kinds = [(g.shape, len(g.numbers)) for g in found.values()]
    assert kinds == [(CONE, 1), (CONVEX, 2), (COMPOUND, 3), (MESH, 1), (MESH, 1)]
    blobs = found[world.body("blob").id]
    np.testing.assert_allclose(blobs.scales[1], 0.5 * blobs.scales[0])
    corners, _ = world.body("small").surface
    drawn = blobs.scales[1] * blobs.surface.vertices
    assert np.ptp(drawn, axis=0) == pytest.approx(np.ptp(corners, axis=0))


def test_compounds_are_all_their_parts():
    world = rc.World()
    body = world.add_compound(parts=PARTS, density=1)
    (group,) = groups(world, detail=4)
    assert is_closed(group.surface)
    assert volume(group.surface) == pytest.approx(body.mass, rel=0.01)
    middle = np.abs(group.surface.vertices).max(axis=0)
    np.testing.assert_allclose(2 * middle, body.size, rtol=0.01)


def test_rays_enter_cones_where_their_triangles_are():
    surface, size, random = cone(5), np.array([0.4, 0.4, 0.9]), np.random.default_rng(2)
    corners = (size * surface.vertices)[surface.triangles]
    for _ in range(200):
        o = 2 * random.normal(size=3)
        d = 0.4 * random.normal(size=3) - o
        d /= np.linalg.norm(d)
        exact = entries(np.array([CONE]), size[None], o[None], d[None])[0]
        near = first_entry(corners, o, d)
        if np.isfinite(exact) != np.isfinite(near):  # beside the edge of the triangles
            assert min(exact, near) > 0
        elif np.isfinite(exact):
            assert exact == pytest.approx(near, abs=5e-3)


def test_the_side_view_has_all_of_them():
    world = world_of_parts()
    for name in ("cone", "blob", "tool", "ring", "ground"):
        body = world.body(name)
        patches = body_patches(world.state, body.id, np.zeros(3), np.eye(3))
        assert patches
        extent = [patch.get_path().get_extents() for patch, _ in patches if hasattr(patch, "xy")]
        if extent:
            wide = max(e.x1 for e in extent) - min(e.x0 for e in extent)
            half = world.state.size[body.id, 0]
            assert half < wide <= 2 * half + 1e-9


def test_seen_from_the_side_a_hull_is_as_wide_as_its_corners():
    world = rc.World()
    body = world.add_convex(points=BLOB, density=1)
    patches = body_patches(world.state, 0, np.zeros(3), np.eye(3))
    points = np.concatenate([patch.get_xy() for patch, _ in patches])
    corners = body.surface[0]
    np.testing.assert_allclose(np.ptp(points, axis=0), np.ptp(corners[:, ::2], axis=0))
