"""Surfaces are closed, outward and of the right size; groups place them where bodies are."""

import numpy as np
import pytest

import rollcone as rc
from mixed_runs import mixed_run, mixed_world
from rollcone.collision.shapes import BOWL, BOX, CAPSULE, CLUMP, DISK, ELLIPSOID, PLANE, SPHERE
from rollcone.view.surface_forms import box, cap, capsule, clump, disk, sphere, square
from rollcone.view.surfaces import groups, under
from scenes import matrix


def volume(surface):
    """By the divergence theorem: a sixth of the sum of a . (b x c)."""
    a, b, c = (surface.vertices[surface.triangles[:, k]] for k in range(3))
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6


def is_closed(surface):
    """Every edge is run along once in either direction."""
    _, point = np.unique(surface.vertices.round(9), axis=0, return_inverse=True)
    edges = point.reshape(-1)[surface.triangles[:, [[0, 1], [1, 2], [2, 0]]]].reshape(-1, 2)
    there, back = (sorted(map(tuple, e)) for e in (edges, edges[:, ::-1]))
    return there == back and len(set(there)) == len(there)


@pytest.mark.parametrize("detail", [0, 1, 2, 3])
def test_spheres(detail):
    surface = sphere(detail)
    assert is_closed(surface)
    assert len(surface.triangles) == 8 * 4**detail
    np.testing.assert_allclose(np.linalg.norm(surface.vertices, axis=1), 1.0, rtol=1e-14)
    missing = 1 - volume(surface) / (4 / 3 * np.pi)
    assert 0 < missing < 0.9 / 3.0**detail


@pytest.mark.parametrize("half", [1.0, 1.5, 10.0])
@pytest.mark.parametrize("detail", [0, 1, 3])
def test_capsules(detail, half):
    surface = capsule(half, detail)
    if half > 1:  # else the two widest rings coincide
        assert is_closed(surface)
    z = surface.vertices[:, 2]
    core = np.clip(z, 1 - half, half - 1)
    away = surface.vertices - np.column_stack([0 * z, 0 * z, core])
    np.testing.assert_allclose(np.linalg.norm(away, axis=1), 1.0, rtol=1e-14)
    exact = 4 / 3 * np.pi + 2 * np.pi * (half - 1)
    assert 0 < 1 - volume(surface) / exact < 0.9 / 3.0**detail


@pytest.mark.parametrize("detail", [1, 2, 3])
def test_two_tones_part_the_surface_along_its_axes(detail):
    for shape, surface, count in ((SPHERE, sphere(detail), 3), (CAPSULE, capsule(2.0, detail), 2)):
        first, second = surface.two_tone(shape)
        assert len(first.triangles) == len(second.triangles) == len(surface.triangles) / 2
        for part, sign in ((first, 1), (second, -1)):
            corners = part.vertices[part.triangles][..., :count].prod(axis=2)
            assert (sign * corners > -1e-12).all()  # no triangle reaches into the other part
    first, second = box().two_tone(BOX)
    assert (len(first.triangles), len(second.triangles)) == (12, 0)


def test_normals_point_outward():
    np.testing.assert_allclose(sphere(4).normals(), sphere(4).vertices, atol=0.02)
    normals, corners = box().normals(), box().vertices
    assert (np.abs(normals).max(axis=1) == 1).all()  # along axes: edges stay sharp
    np.testing.assert_array_equal(np.einsum("ij,ij->i", normals, corners), 1)
    np.testing.assert_array_equal(square().normals(), [[0, 0, 1]] * 4)


def test_squares_are_put_under_what_is_looked_at():
    world = rc.World()
    world.add_sphere(radius=1.0, mass=1.0)
    world.add_plane(normal=(0, 3, 4), point=(5, 0, 1))
    state, middle = world.state, np.array([2.0, 7.0, -3.0])
    moved = under(world, state.position, state.orientation, middle)
    np.testing.assert_array_equal(moved[0], 0)
    normal = np.array([0, 0.6, 0.8])
    assert normal @ (moved[1] - (5, 0, 1)) == pytest.approx(0, abs=1e-12)  # still in its plane
    np.testing.assert_allclose(np.cross(middle - moved[1], normal), 0, atol=1e-12)


def test_boxes_and_squares():
    assert is_closed(box())
    assert volume(box()) == pytest.approx(8)
    assert len(np.unique(box().vertices, axis=0)) == 8
    plane = square()
    a, b, c = (plane.vertices[plane.triangles[:, k]] for k in range(3))
    np.testing.assert_array_equal(np.cross(b - a, c - a), [[0, 0, 4]] * 2)  # 2 * area, along z


def test_groups_share_surfaces_and_hold_every_body_once():
    found = groups(mixed_world(), half_width=7.0)
    assert [group.shape for group in found] == [SPHERE, BOX, CAPSULE, CAPSULE, PLANE]
    assert sorted(np.concatenate([group.numbers for group in found])) == list(range(7))
    short, long = found[2:4]
    assert long.numbers.tolist() == [3, 4]  # of equal proportions
    assert short.numbers.tolist() == [5]
    np.testing.assert_array_equal(found[4].scales, [[7, 7, 7]])


def test_clumps_are_their_balls():
    world, pair = rc.World(), [(0, 0, 0, 0.5), (2, 0, 0, 1.0)]
    for k in range(3):
        world.add_clump(spheres=pair, density=1, position=(k, 0, 0))
    world.add_clump(spheres=pair[:1], density=1)
    two, one = groups(world, detail=2)
    assert (two.shape, two.numbers.tolist(), one.numbers.tolist()) == (CLUMP, [0, 1, 2], [3])
    assert volume(two.surface) == pytest.approx((0.5**3 + 1) * volume(sphere(2)))
    assert is_closed(two.surface)
    balls = world.body(0).spheres
    surface = clump(balls, 1)
    away = np.linalg.norm(surface.vertices[:, None] - balls[None, :, :3], axis=2) - balls[:, 3]
    assert np.abs(away).min(axis=1).max() < 1e-12


def test_bodies_are_placed_as_their_states_say():
    run = mixed_run()
    for moment in (0, 25, -1):
        position, orientation = (run.states(name)[moment] for name in ("position", "orientation"))
        seen = 0
        for group in groups(run.world, detail=1):
            placed = group.place(position, orientation)
            for points, number, scale in zip(placed, group.numbers, group.scales, strict=True):
                if np.isnan(position[number, 0]):
                    assert np.isnan(points).all()
                    continue
                seen += 1
                own = (points - position[number]) @ matrix(orientation[number])
                np.testing.assert_allclose(own, scale * group.surface.vertices, atol=1e-12)
        assert seen == {0: 7, 25: 8, -1: 7}[moment]


def test_wrong_arguments():
    with pytest.raises(rc.InputError, match="detail = -1"):
        groups(mixed_world(), detail=-1)
    with pytest.raises(rc.InputError, match="half_width = 0"):
        groups(mixed_world(), half_width=0)


@pytest.mark.parametrize("edge", [0.0, 0.1, 0.2])
def test_disks_with_thickness(edge):
    """Closed, and of the volume of the body, less what triangles cut off."""
    surface = disk(0.2, edge, 4)
    exact = rc.World().add_disk(radius=1, thickness=0.4, edge_radius=edge, density=1).mass
    assert 0 < 1 - volume(surface) / exact < 5e-3
    assert np.hypot(*surface.vertices[:, :2].T).max() == pytest.approx(1.0)
    assert np.abs(surface.vertices[:, 2]).max() == pytest.approx(0.2)


@pytest.mark.parametrize("opening", [0.3, 1.5])
def test_caps_look_at_their_centre(opening):
    surface = cap(opening, 2)
    away = surface.vertices - (0, 0, 1)
    np.testing.assert_allclose(np.linalg.norm(away, axis=1), 1.0, rtol=1e-14)
    assert ((surface.normals() * away).sum(axis=1) < -0.99).all()
    assert surface.vertices[:, 2].max() == pytest.approx(1 - np.cos(opening))


def test_round_groups():
    """Ellipsoids are balls that are stretched; disks of equal proportions share a surface, a bowl
    is drawn as far as what moves gets."""
    world = rc.World()
    world.add_ellipsoid(semi_axes=(1, 2, 3), mass=1)
    for k in (1, 2):
        world.add_disk(radius=k, thickness=0.2 * k, edge_radius=0.1 * k, mass=1)
    world.add_disk(radius=1, mass=1)
    world.add_bowl(radius=5, point=(1, 0, 0))
    found = groups(world, half_width=2.5, middle=np.array([1.0, 0, 1.0]))
    assert [g.shape for g in found] == [ELLIPSOID, DISK, DISK, BOWL]
    assert [g.numbers.tolist() for g in found] == [[0], [3], [1, 2], [4]]
    np.testing.assert_array_equal(found[0].scales, [(1, 2, 3)])
    np.testing.assert_array_equal(found[2].scales, [(1, 1, 1), (2, 2, 2)])
    edge = 5 * np.hypot(*found[3].surface.vertices[:, :2].T).max()
    assert edge == pytest.approx(2.5)
    far = groups(world, half_width=2.5, middle=np.array([6.0, 0, 5.0]))  # level with its centre
    assert far[3].surface.vertices[:, 2].max() == pytest.approx(1 - np.cos(2.0))


@pytest.mark.parametrize("detail", [0, 2])
def test_disks(detail):
    """Closed, nearly flat, and all of it within the rim; every other quarter is of another tone."""
    surface = disk(0.0, 0.0, detail)
    assert volume(surface) == pytest.approx(0.02 * np.pi, rel=0.11 / 4**detail)
    assert np.hypot(*surface.vertices[:, :2].T).max() == pytest.approx(1.0)
    assert np.abs(surface.vertices[:, 2]).max() == pytest.approx(0.01)
    first, second = surface.two_tone(DISK)
    assert len(first.triangles) == len(second.triangles) == len(surface.triangles) // 2
    for part, sign in ((first, 1), (second, -1)):
        middles = part.vertices[part.triangles].mean(axis=1)
        assert (sign * middles[:, 0] * middles[:, 1] > 0).all()
