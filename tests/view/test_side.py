"""Pictures from the side: which faces of a box are seen, what is drawn where, what is refused."""

import matplotlib.image
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.path import Path as Outline
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

import rollcone as rc
from rollcone.collision.shapes import DISK, ELLIPSOID
from rollcone.view import side
from rollcone.view.side import draw_side
from rollcone.view.side_bodies import disk_quarters, visible_faces
from rollcone.view.silhouette import silhouette
from rollcone.view.surface_forms import disk, sphere

HALF = np.array([0.3, 0.5, 0.9])
turns = st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: np.linalg.norm(q) > 0.1)


def area(points):
    """Of a polygon (m, 2), by the shoelace formula."""
    x, z = points.T
    return 0.5 * abs(x @ np.roll(z, 1) - z @ np.roll(x, 1))


@settings(max_examples=60, deadline=None)
@given(turns)
def test_faces_cover_what_a_box_hides(q):
    """Seen along y they tile the convex hull of its corners; each looks at the viewer."""
    axes = Rotation.from_quat(q).as_matrix()
    faces = visible_faces(axes, HALF)
    signs = np.array(np.meshgrid(*[(-1, 1)] * 3)).reshape(3, -1).T
    hull = ConvexHull((signs * HALF @ axes.T)[:, ::2])
    assert sum(area(corners[:, ::2]) for _, corners in faces) == pytest.approx(hull.volume, 1e-6)
    for normal, corners in faces:
        assert normal[1] < 0
        np.testing.assert_allclose(corners @ normal, np.abs(normal @ axes) @ HALF, rtol=1e-9)


@given(turns)
def test_quarters_cover_a_disk(q):
    """Seen along y its area shrinks by the cosine of the angle between its axis and y."""
    axes = Rotation.from_quat(q).as_matrix()
    shown = sum(area(points[:, ::2]) for points in disk_quarters(axes, 2.0))
    assert shown == pytest.approx(np.pi * 4.0 * abs(axes[1, 2]), rel=2e-3, abs=1e-9)


def test_a_box_seen_straight_on_shows_one_face():
    ((normal, corners),) = visible_faces(np.eye(3), HALF)
    np.testing.assert_array_equal(normal, (0, -1, 0))
    np.testing.assert_allclose(np.abs(corners), np.tile(HALF, (4, 1)))


@pytest.fixture
def drawn(monkeypatch):
    """The axes of the next picture."""
    kept = []
    limits = side._limits
    monkeypatch.setattr(side, "_limits", lambda axes: (kept.append(axes), limits(axes))[1])
    return kept


def scene():
    world = rc.World()
    world.add_plane(normal=(0, 0, 1), point=(0, 0, -0.75))
    world.add_plane(normal=(0, 1, 0), point=(0, -9, 0))  # faces the viewer: not seen
    world.add_box(size=(1, 1, 1), fixed=True, position=(3, 0, 0))
    world.add_sphere(radius=0.5, mass=1.0, position=(0, -1, 0), velocity=(0, 0, 1))
    world.add_capsule(radius=0.2, length=1.0, mass=1.0, position=(0, 1, 0))
    return world


def patches_at(axes, x, z):
    """Colours of the patches over a point, the uppermost last."""
    over = sorted(axes.patches, key=lambda patch: patch.get_zorder())
    shapes = [Outline(p.get_transform().transform_path(p.get_path()).vertices) for p in over]
    spot = axes.transData.transform((x, z))
    return [p for p, s in zip(over, shapes, strict=True) if s.contains_point(spot)]


def test_what_is_drawn_where(drawn, tmp_path):
    run = rc.simulate(scene(), until=1.0, step=0.1)
    draw_side(run, tmp_path / "side.png", (0, 5, -1), "Title", "Caption")
    (axes,) = drawn
    assert axes.get_title(loc="left") == "Title"
    assert axes.get_aspect() == 1.0
    # grey box once, ball three times, capsule at the start and the end (it has not moved), floor
    assert len(axes.patches) == 1 + 3 + 2 + 1
    pale = [patch for patch in axes.patches if patch.get_alpha() is not None]
    assert len(pale) == 3
    ball, capsule = patches_at(axes, 0, 0.95), patches_at(axes, 0, 0.3)
    assert ball[-1].get_alpha() is None
    assert ball[-1].get_facecolor() != capsule[-1].get_facecolor()
    assert patches_at(axes, 0, 0.6)[-1] is ball[-1]  # in front of the capsule
    assert len(patches_at(axes, 3, 0)) == 1
    (floor,) = patches_at(axes, 1.5, axes.get_ylim()[0] + 1e-3)
    assert not patches_at(axes, 1.5, -0.6)
    assert floor.get_zorder() < min(patch.get_zorder() for patch in axes.patches[:-1])
    assert floor.get_facecolor() not in [patch.get_facecolor() for patch in axes.patches[:-1]]
    picture = matplotlib.image.imread(tmp_path / "side.png")
    assert picture.std() > 0.05
    assert axes.figure.get_supxlabel() == "Caption\nt = 1 s; pale: t = 0, 0.5 s"


def test_clumps_and_periodic_boxes(drawn, tmp_path):
    """Each ball is drawn, and what has left the box is seen within it."""
    world = rc.World()
    world.set_periodic(x=(0, 10))
    world.add_clump(
        spheres=[(-1, 0, 0, 0.5), (1, 0, 0, 0.5)], mass=1.0, position=(25, 0, 2),
        orientation=rc.rotation((0, 1, 0), 90),
    )  # fmt: skip
    draw_side(rc.simulate(world, until=0.1, step=0.1), tmp_path / "side.png")
    (axes,) = drawn
    assert len(axes.patches) == 2
    assert len(patches_at(axes, 5, 1)) == len(patches_at(axes, 5, 3)) == 1
    assert not patches_at(axes, 5, 2)


@pytest.mark.parametrize("sideways", [0.0, 0.7])
def test_a_leaning_plane_is_cut_along_its_surface(drawn, tmp_path, sideways):
    """At y = 0 it runs along z = x - 1, also if it leans towards the viewer."""
    world = rc.World()
    world.add_plane(normal=(-1, sideways, 1), point=(0, 0, -1))
    world.add_sphere(radius=0.5, mass=1.0)
    draw_side(rc.simulate(world, until=0.1, step=0.1), tmp_path / "plane.png")
    (axes,) = drawn
    (x, _), (low, high) = axes.get_xlim(), axes.get_ylim()
    for z in np.linspace(low, high, 15)[1:-1]:
        solid = z < x + 0.01 - 1
        assert bool(patches_at(axes, x + 0.01, z)) == solid


def test_bodies_that_come_and_go(drawn, tmp_path):
    simulation = rc.Simulation(scene(), step=0.1)
    simulation.advance(0.5)
    simulation.world.remove(0)
    simulation.world.remove(3)
    new = simulation.world.add_sphere(radius=0.1, mass=1.0, position=(9, 0, 0))
    run = simulation.advance(1.0)
    draw_side(run, tmp_path / "gone.png", (-len(run.time), -1))
    (axes,) = drawn
    assert not patches_at(axes, 0, 0.95)
    assert len(patches_at(axes, *new.position[::2])) == 1
    assert not patches_at(axes, 1.5, axes.get_ylim()[0] + 1e-3)  # nor the floor


def test_refusals(tmp_path):
    run = rc.simulate(scene(), until=0.1, step=0.1)
    for moments in ((), (2,), (0, -3)):
        with pytest.raises(rc.InputError, match="moments = "):
            draw_side(run, tmp_path / "none.png", moments)
    world = rc.World()
    world.add_plane()
    with pytest.raises(rc.InputError, match="nothing to draw"):
        draw_side(rc.simulate(world, until=0.1, step=0.1), tmp_path / "none.png")
    assert not list(tmp_path.iterdir())


def test_joints_are_in_front(drawn, tmp_path):
    """A pin is a disc over its bar, a spring a line from point to point; pale moments have none."""
    world = rc.World()
    world.add_box(size=(1, 0.2, 0.2), mass=1.0, position=(0.4, -3, 0), name="bar")
    world.add_sphere(radius=0.2, mass=1.0, position=(3, 0, 0), velocity=(0, 0, 1), name="ball")
    world.add_joint(kind="revolute", body="bar", point=(0, -3, 0), axis=(0, 1, 0))
    world.add_joint(kind="link", body="ball", point=(3, 0, 2), length=rc.Spring(stiffness=1.0))
    run = rc.simulate(world, until=0.1, step=0.1)
    draw_side(run, tmp_path / "side.png", (0, 1))
    (axes,) = drawn
    pale, bar, pin = patches_at(axes, 0, 0)
    assert patches_at(axes, 0.3, 0) == [pale, bar]
    assert pin.get_facecolor() != bar.get_facecolor()
    (coil,) = axes.lines
    path = np.column_stack(coil.get_data())
    ball = run.body("ball").position[1]
    np.testing.assert_allclose(path[path[:, 1].argsort()][[0, -1]], [ball[::2], (3, 2)], atol=1e-9)


def test_a_joint_that_was_removed_is_not_drawn(drawn, tmp_path):
    simulation = rc.Simulation(rc.World(), step=0.1)
    world = simulation.world
    world.add_sphere(radius=0.2, mass=1.0, name="ball")
    world.add_joint(kind="spherical", body="ball", point=(0, 0, 1), name="hook")
    simulation.advance(0.1)
    world.remove_joint("hook")
    run = simulation.advance(0.2)
    for moment in (1, 2):
        draw_side(run, tmp_path / "side.png", (moment,))
    before, after = drawn
    assert len(patches_at(before, 0, 1)) == 2  # the ball, and the end of its arm
    assert not patches_at(after, 0, 1)


@pytest.mark.parametrize("shape", [DISK, ELLIPSOID])
def test_silhouettes_hold_all_points(shape):
    """No vertex of the body's surface is beyond the outline, which it reaches all around."""
    rng = np.random.default_rng(4)
    size = np.array([0.5, 0.7, 0.55]) if shape == DISK else np.array([0.5, 0.3, 0.2])
    vertices = 0.5 * disk(0.4, 0.1, 5).vertices if shape == DISK else size * sphere(5).vertices
    for _ in range(5):
        axes = Rotation.random(rng=rng).as_matrix()
        seen, outline = (vertices @ axes.T)[:, ::2], silhouette(shape, size, axes)[:, ::2]
        turn = np.linspace(0, 6, 50)
        ways = np.column_stack([np.cos(turn), np.sin(turn)])
        np.testing.assert_allclose(
            (outline @ ways.T).max(axis=0), (seen @ ways.T).max(axis=0), atol=3e-3
        )


def test_a_bowl_from_the_side(tmp_path):
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_bowl(radius=1.0)
    world.add_ellipsoid(semi_axes=(0.1, 0.2, 0.05), fixed=True, position=(0.7, 0, 1.0))
    world.add_disk(radius=0.3, thickness=0.05, mass=1.0, position=(0, 0, 0.1))
    run = rc.simulate(world, until=0.01, step=0.01)
    draw_side(run, tmp_path / "bowl.png")
    assert (tmp_path / "bowl.png").stat().st_size > 5000
