"""Mass, centre and inertia of hulls, compounds and meshes against other sums; what bodies tell of
their parts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollcone as rc
from part_bodies import BLOB, PARTS, torus
from rollcone.mechanics.rotations import rotation_matrix
from rollcone.view.surface_forms import sphere


def tensor(body):
    """In body axes."""
    axes = rotation_matrix(body.world.state.principal[body.id])
    return axes @ np.diag(body.inertia) @ axes.T


@given(st.integers(0, 10**6))
def test_hulls_and_meshes_as_trimesh_finds_them(seed):
    trimesh = pytest.importorskip("trimesh")
    random = np.random.default_rng(seed)
    points = random.normal(size=(random.integers(4, 40), 3)) + 3 * random.normal(size=3)
    hull = trimesh.convex.convex_hull(points)
    hull.density = 2.0
    world = rc.World()
    convex = world.add_convex(points=points, density=2)
    mesh = world.add_mesh(vertices=hull.vertices, triangles=hull.faces, density=2)
    for body in (convex, mesh):
        assert body.mass == pytest.approx(hull.mass, rel=1e-9)
        size = np.abs(hull.moment_inertia).max()
        np.testing.assert_allclose(tensor(body), hull.moment_inertia, atol=1e-8 * size)
        vertices, _ = body.surface
        np.testing.assert_allclose(vertices.min(axis=0), points.min(axis=0) - hull.center_mass,
                                   atol=1e-8)  # fmt: skip


def test_a_mesh_of_a_ball():
    unit = sphere(4)
    body = rc.World().add_mesh(vertices=unit.vertices, triangles=unit.triangles, mass=5)
    np.testing.assert_allclose(body.inertia, 2.0, rtol=1e-2)
    np.testing.assert_allclose(body.size, 2.0, rtol=1e-9)


def test_a_mesh_of_a_ring():
    """m (R^2 + 3/4 r^2) about its axis, m (R^2 / 2 + 5/8 r^2) across."""
    large, small = 1.0, 0.3
    body = rc.World().add_mesh(
        **dict(zip(("vertices", "triangles"), torus(large, small, 90, 45), strict=True)), mass=1
    )
    across = large**2 / 2 + 5 / 8 * small**2
    wanted = [across, across, large**2 + 0.75 * small**2]
    np.testing.assert_allclose(np.sort(body.inertia), wanted, rtol=1e-2)


def test_compounds_by_the_parallel_axis_theorem():
    """Every part as a body of its own."""
    whole = rc.World().add_compound(parts=PARTS, density=3)
    mass, first, about = 0.0, np.zeros(3), np.zeros((3, 3))
    for part in PARTS:
        given = dict(part)
        place = np.array(given.pop("position", (0, 0, 0)), dtype=float)
        turn = rotation_matrix(given.pop("orientation", (1, 0, 0, 0)))
        body = getattr(rc.World(), f"add_{given.pop('shape')}")(**given, density=3)
        if part["shape"] == "convex":
            place = place + turn @ (BLOB[0] - nearest(body.surface[0], BLOB))
        mass += body.mass
        first += body.mass * place
        about += turn @ tensor(body) @ turn.T
        about += body.mass * (place @ place * np.eye(3) - np.outer(place, place))
    center = first / mass
    about -= mass * (center @ center * np.eye(3) - np.outer(center, center))
    assert whole.mass == pytest.approx(mass)
    np.testing.assert_allclose(tensor(whole), about, atol=1e-9 * np.abs(about).max())
    places = [part.get("position", [0, 0, 0]) for part in whole.parts]
    np.testing.assert_allclose(places[1], np.array((1.5, 0, 0)) - center)


def nearest(corners, points):
    """The place of points[0] in axes where the hull of the points has these corners."""
    far = int(np.argmax(points[:, 0]))
    return corners[np.argmax(corners[:, 0])] + points[0] - points[far]


def test_parts_can_be_given_again():
    body = rc.World().add_compound(parts=PARTS, density=3)
    twin = rc.World().add_compound(parts=body.parts, center=(0, 0, 0), density=3)
    assert twin.world.state.parts.tables().keys() == body.world.state.parts.tables().keys()
    for name, table in body.world.state.parts.tables().items():
        np.testing.assert_array_equal(twin.world.state.parts.tables()[name], table)
    assert body.parts[0] == {"shape": "box", "size": [1.0, 0.2, 0.2],
                             "position": body.parts[0]["position"]}  # fmt: skip
    convex = rc.World().add_convex(points=BLOB, density=3)
    again = rc.World().add_compound(parts=convex.parts, center=(0, 0, 0), density=3)
    assert again.mass == pytest.approx(convex.mass)
    assert rc.World().add_sphere(radius=1, mass=1).parts == []


def test_what_has_no_surface_says_so():
    world = rc.World()
    with pytest.raises(rc.InputError, match="surface: a sphere has none"):
        _ = world.add_sphere(radius=1, mass=1).surface
    assert world.add_cone(radius=0.3, height=0.7, mass=1).size == pytest.approx([0.3, 0.3, 0.7])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"axes": np.eye(3), "orientation": (1, 0, 0, 0)}, "give one of them, not both"),
        ({"axes": -np.eye(3)}, "three unit vectors at right angles"),
        ({"axes": np.ones((3, 3))}, "three unit vectors at right angles"),
        ({"radius": -1}, r"parts\[0\].radius = -1"),
        ({"size": 1}, r"parts\[0\], a sphere"),
    ],
)
def test_parts_that_cannot_be(change, words):
    with pytest.raises(rc.InputError, match=words):
        rc.World().add_compound(parts=[{"shape": "sphere", "radius": 1} | change], mass=1)


def test_two_meshes_cannot_touch_yet_and_say_so():
    world = rc.World()
    vertices, triangles = torus(1.0, 0.3)
    world.add_mesh(vertices=vertices, triangles=triangles, fixed=True)
    world.add_mesh(vertices=vertices, triangles=triangles, mass=1, position=(0.2, 0, 0.5))
    (told,) = world.warnings()[:1]
    assert "two meshes cannot touch yet; of one of them, take the hull by add_convex" in told


def test_ellipsoids_cannot_touch_bowls_yet_and_say_so():
    world = rc.World()
    world.add_bowl(radius=3)
    world.add_ellipsoid(semi_axes=(0.1, 0.2, 0.3), mass=1, position=(0, 0, 0.3))
    (told,) = world.warnings()[:1]
    assert told.startswith("ellipsoid 'ellipsoid 1' is near the bowl 'bowl 0': ellipsoids, cones")
    world.set_contact_law(rc.ContactLaw(contour=0.1))
    world.add_cone(radius=0.1, height=0.2, mass=1)
    with pytest.raises(rc.InputError, match="body 'cone 2' is a cone, whose contacts do not tell"):
        world.check_contours()
