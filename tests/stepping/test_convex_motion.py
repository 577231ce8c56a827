"""Cylinders, cones, ellipsoids, hulls, compounds and meshes in motion, by closed forms and laws of
conservation."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import rollcone as rc

G = 9.81
CUBE = np.stack(np.meshgrid(*[(-0.5, 0.5)] * 3), -1).reshape(-1, 3)
LYING = rc.rotation((1, 0, 0), 90)
SCHEMES = (rc.GapAhead(), rc.DVI(), rc.MoreauJean(), rc.MoreauMidpoint())


def ground(world, kind, rng=None):
    """A floor at z = 0 of some shape."""
    if kind == "plane":
        world.add_plane()
    elif kind == "hull":
        world.add_convex(points=CUBE * (40, 40, 1), position=(0, 0, -0.5), fixed=True)
    elif kind == "box":
        world.add_box(size=(40, 40, 1), position=(0, 0, -0.5), fixed=True)
    elif kind == "compound":
        half = {"shape": "box", "size": (20, 40, 1)}
        parts = [half | {"position": (x, 0, 0)} for x in (-10, 10)]
        world.add_compound(parts=parts, position=(0, 0, -0.5), fixed=True)
    else:
        world.add_height_field(heights=np.zeros((41, 41)), size=(20, 20))


@pytest.mark.parametrize("floor", ["box", "hull", "mesh"])
def test_a_cylinder_rolls_to_rest(floor):
    """v' = -(rho / R) g / (1 + J / (m R^2)), J = m R^2 / 2; it stops, and stays."""
    R, rho, speed = 0.25, 0.02, 1.0
    world = rc.World(gravity=(0, 0, -G))
    ground(world, floor)
    body = world.add_cylinder(
        radius=R, height=0.4, density=1000, position=(0.1, 0.1, R), orientation=LYING,
        velocity=(speed, 0, 0), angular_velocity=(0, speed / R, 0),
    )  # fmt: skip
    world.set_contact_law(rc.ContactLaw(sliding=0.5, rolling=rho))
    rate = rho / R * G / 1.5
    run = rc.simulate(world, until=speed / rate + 0.3, step=0.01)
    path = run.body(body)
    way = speed**2 / (2 * rate)
    assert path.position[-1, 0] - 0.1 == pytest.approx(way, rel=1e-3)
    np.testing.assert_allclose(path.velocity[-1], 0.0, atol=1e-12)
    middle = len(run.time) // 2
    assert path.velocity[middle, 0] == pytest.approx(speed - rate * run.time[middle], abs=1e-9)
    np.testing.assert_allclose(path.position[:, 2], R, atol=1e-9)


FLOORS = ("hull", "compound", "mesh")
SLIDERS = [(k, f) for k in ("convex", "cone", "cylinder", "compound") for f in FLOORS]


@pytest.mark.parametrize(("kind", "floor"), [*SLIDERS, ("mesh", "hull"), ("mesh", "compound")])
def test_sliding_to_rest(kind, floor):
    """v0^2 / (2 mu g), over all seams."""
    mu, speed = 0.3, 2.0
    world = rc.World(gravity=(0, 0, -G))
    ground(world, floor)
    options = {"density": 500, "velocity": (speed, 0, 0)}
    if kind == "convex":
        body = world.add_convex(points=CUBE, position=(-0.9, 0.1, 0.5), **options)
    elif kind == "cone":
        body = world.add_cone(radius=0.5, height=0.8, position=(-0.9, 0.1, 0.2), **options)
    elif kind == "cylinder":
        body = world.add_cylinder(radius=0.5, height=0.4, position=(-0.9, 0.1, 0.2), **options)
    elif kind == "compound":
        slabs = [
            {"shape": "box", "size": (1, 0.2, 0.2), "position": (0, y, 0)} for y in (-0.5, 0.5)
        ]
        rod = {"shape": "cylinder", "radius": 0.1, "height": 1.0, "orientation": LYING}
        body = world.add_compound(parts=[*slabs, rod], position=(-0.9, 0.1, 0.1), **options)
    else:
        from rollcone.collision.hull import hull_of

        hull = hull_of("points", CUBE)
        body = world.add_mesh(
            vertices=hull.corners, triangles=hull.triangles, position=(-0.9, 0.1, 0.5), **options
        )
    world.set_contact_law(rc.ContactLaw(sliding=mu))
    run = rc.simulate(world, until=0.9, step=5e-3)
    path = run.body(body)
    way = path.position[-1, 0] - path.position[0, 0]
    assert way == pytest.approx(speed**2 / (2 * mu * G), rel=1e-4)
    np.testing.assert_allclose(path.velocity[-1], 0.0, atol=1e-12)
    np.testing.assert_allclose(path.position[:, 2], path.position[0, 2], atol=1e-9)


@pytest.mark.parametrize("floor", ["box", "hull", "mesh"])
@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda s: type(s).__name__)
def test_an_ellipsoid_at_rest_stays(scheme, floor):
    world = rc.World(gravity=(0, 0, -G))
    ground(world, floor)
    body = world.add_ellipsoid(semi_axes=(0.5, 0.4, 0.3), density=1000, position=(0.1, 0.2, 0.3))
    world.set_contact_law(rc.ContactLaw(sliding=0.5))
    path = rc.simulate(world, until=0.5, step=5e-3, scheme=scheme).body(body)
    np.testing.assert_allclose(path.position - path.position[0], 0.0, atol=1e-9)


@pytest.mark.slow
def test_an_ellipsoid_rocks_with_its_own_period():
    """On a plane and on a box alike: small swings about its lowest axis, w^2 = g (a^2 - c^2) / c /
    ((a^2 + c^2) / 5 + c^2)."""
    a, c = 0.5, 0.3
    found = []
    for floor in ("plane", "hull"):
        world = rc.World(gravity=(0, 0, -G))
        ground(world, floor)
        tilt = rc.rotation((0, 1, 0), 1.0)
        height = np.linalg.norm(
            np.array([a, a, c]) * Rotation.from_quat(tilt, scalar_first=True).as_matrix()[2]
        )
        body = world.add_ellipsoid(
            semi_axes=(a, a, c), density=1000, position=(0, 0, height), orientation=tilt
        )
        world.set_contact_law(rc.ContactLaw(sliding=5.0))
        path = rc.simulate(world, until=2.0, step=1e-3).body(body)
        rate = path.angular_velocity[:, 1]
        cross = np.flatnonzero((rate[:-1] < 0) & (rate[1:] >= 0))
        found.append(1e-3 * np.diff(cross[:2])[0])
        assert np.abs(rate).max() < 0.2
    square = G * (a * a - c * c) / c / ((a * a + c * c) / 5 + c * c)
    assert found[0] == pytest.approx(2 * np.pi / np.sqrt(square), rel=5e-3)
    assert found[1] == pytest.approx(found[0], abs=2e-3)


def test_a_cone_on_a_slope():
    """It slides by g (sin - mu cos) on its base."""
    angle, mu = np.radians(30), 0.3
    up = np.array([-np.sin(angle), 0, np.cos(angle)])
    turn = rc.rotation((0, 1, 0), -30)
    world = rc.World(gravity=(0, 0, -G))
    world.add_convex(points=CUBE * (40, 40, 1), position=-0.5 * up, orientation=turn, fixed=True)
    body = world.add_cone(radius=0.5, height=0.4, density=1000, position=0.1 * up, orientation=turn)
    world.set_contact_law(rc.ContactLaw(sliding=mu))
    velocity = rc.simulate(world, until=0.5, step=0.01).body(body).velocity[-1]
    rate = G * (np.sin(angle) - mu * np.cos(angle))
    np.testing.assert_allclose(
        velocity, -0.5 * rate * np.array([np.cos(angle), 0, np.sin(angle)]), atol=1e-9
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("convex", "convex"),
        ("cylinder", "convex"),
        ("ellipsoid", "cone"),
        ("compound", "ellipsoid"),
    ],
)
def test_impacts_keep_momentum(one, other, seed):
    """Two bodies that turn meet in empty space: momentum and angular momentum stay, energy does not
    grow; with a full rebound and no friction energy stays, too."""
    rng = np.random.default_rng(seed)

    def add(world, kind, **options):
        a, b, c = rng.uniform(0.4, 0.6, 3)
        points = rng.normal(size=(12, 3))
        points *= 0.6 / np.linalg.norm(points, axis=1)[:, None]
        parts = [
            {"shape": "box", "size": (1.2, 0.3, 0.3)},
            {"shape": "cylinder", "radius": 0.2, "height": 1.2},
        ]
        options |= {
            "convex": {"points": points},
            "cylinder": {"radius": a, "height": b},
            "ellipsoid": {"semi_axes": (a, b, c)},
            "cone": {"radius": a, "height": 2 * b},
            "compound": {"parts": parts},
        }[kind]
        return getattr(world, f"add_{kind}")(density=1.0, **options)

    for restitution, mu in ((0.0, 0.5), (1.0, 0.0)):
        world = rc.World()
        spin = rng.normal(size=(2, 3))
        one_body = add(world, one, angular_velocity=spin[0], velocity=(1, 0, 0))
        way = np.array([2.0, *rng.uniform(-0.2, 0.2, 2)])
        other_body = add(world, other, angular_velocity=spin[1], position=way, velocity=(-1, 0, 0))
        world.set_contact_law(rc.ContactLaw(sliding=mu, restitution=restitution))
        run = rc.simulate(world, until=1.5, step=2e-3)
        assert max(len(run.contacts(k)) for k in range(len(run.time))) >= 1
        momentum, angular = np.zeros((2, 3)), np.zeros((2, 3))
        for body in (one_body, other_body):
            path = run.body(body)
            axes = Rotation.from_quat(world.state.principal[body.id], scalar_first=True)
            for k, when in enumerate((0, -1)):
                m, v = body.mass, path.velocity[when]
                turn = Rotation.from_quat(path.orientation[when], scalar_first=True) * axes
                spins = turn.inv().apply(path.angular_velocity[when])
                momentum[k] += m * v
                angular[k] += turn.apply(body.inertia * spins)
                angular[k] += m * np.cross(path.position[when], v)
        np.testing.assert_allclose(momentum[1], momentum[0], atol=1e-9)
        np.testing.assert_allclose(angular[1], angular[0], atol=2e-3)
        kinetic = run.energy.kinetic
        assert kinetic[-1] <= kinetic[0] * (1 + 1e-3)
        if restitution == 1.0:
            assert kinetic[-1] == pytest.approx(kinetic[0], rel=5e-3)


@pytest.mark.parametrize("seed", range(3))
def test_hulls_of_boxes_move_as_boxes(seed):
    """An impact of two that turn, as found by other kernels."""
    rng = np.random.default_rng(seed)
    spin, off = rng.normal(size=(2, 3)), rng.uniform(-0.2, 0.2, 2)
    ends = []
    for kind in ("box", "convex"):
        world = rc.World()
        for k, size in enumerate(((0.8, 0.6, 0.5), (0.5, 0.7, 0.9))):
            shape = {"size": size} if kind == "box" else {"points": CUBE * size}
            at, speed = ((0, 0, 0), 1) if k == 0 else ((2, *off), -1)
            getattr(world, f"add_{kind}")(
                density=1, position=at, velocity=(speed, 0, 0), angular_velocity=spin[k], **shape
            )
        world.set_contact_law(rc.ContactLaw(sliding=0.3, restitution=0.5))
        run = rc.simulate(world, until=1.5, step=2e-3)
        assert max(len(run.contacts(k)) for k in range(len(run.time))) >= 1
        ends.append([run.body(body).velocity[-1] for body in world.bodies])
    np.testing.assert_allclose(ends[1], ends[0], atol=2e-5)


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda s: type(s).__name__)
def test_a_stack_of_all_shapes_stands(scheme):
    world = rc.World(gravity=(0, 0, -G))
    world.add_plane()
    world.add_convex(points=CUBE, density=1000, position=(0, 0, 0.5))
    world.add_box(size=(1, 1, 0.2), density=1000, position=(0.1, 0, 1.1))
    world.add_cylinder(radius=0.3, height=0.5, density=1000, position=(0, 0, 1.45))
    parts = [{"shape": "box", "size": (0.4, 0.4, 0.2)}, {"shape": "sphere", "radius": 0.1}]
    world.add_compound(parts=parts, density=1000, position=(0, 0, 1.8))
    world.add_cone(radius=0.2, height=0.4, density=1000, position=(0, 0, 2.0))
    world.set_contact_law(rc.ContactLaw(sliding=0.5))
    run = rc.simulate(world, until=0.3, step=5e-3, scheme=scheme)
    for body in world.bodies:
        path = run.body(body)
        np.testing.assert_allclose(path.position[-1], path.position[0], atol=1e-8)


def test_a_ball_in_a_bowl_of_triangles():
    """It swings as in a round bowl, and the audit knows where its energy goes: rolling without slip
    over edges costs none of it but what the facets make of it."""
    n, half, R, r = 161, 1.6, 2.0, 0.2
    x = np.linspace(-half, half, n)
    X, Y = np.meshgrid(x, x, indexing="ij")
    heights = R - np.sqrt(np.maximum(R * R - X * X - Y * Y, 0.0))
    world = rc.World(gravity=(0, 0, -G))
    world.add_height_field(heights=heights, size=(2 * half, 2 * half))
    start = np.radians(20)
    at = np.array([np.sin(start), 0, -np.cos(start)]) * (R - r) + (0, 0, R)
    ball = world.add_sphere(radius=r, density=1000, position=at)
    world.set_contact_law(rc.ContactLaw(sliding=1.0))
    run = rc.simulate(world, until=3.0, step=2e-3)
    path = run.body(ball).position
    low = np.flatnonzero(np.diff(np.sign(path[:, 0])))
    # 7/5 of the pendulum's w^2 = g / (R - r), to first order beyond small swings
    period = 2 * np.pi * np.sqrt(1.4 * (R - r) / G) * (1 + start**2 / 16)
    assert 2e-3 * (low[1] - low[0]) == pytest.approx(period / 2, rel=0.01)
    assert path[:, 0].min() == pytest.approx(-path[0, 0], rel=0.01)


def test_a_fast_hull_does_not_pass_a_thin_card():
    """60 m/s at a step of 10 ms, and a card of a millimetre."""
    world = rc.World()
    card = world.add_convex(points=CUBE * (1e-3, 1, 1), mass=1.0)
    ball = world.add_convex(points=0.1 * CUBE, mass=0.1, position=(-1, 0, 0), velocity=(60, 0, 0))
    run = rc.simulate(world, until=0.1, step=0.01)
    assert run.body(ball).position[-1, 0] < run.body(card).position[-1, 0] - 0.05
    total = 0.1 * run.body(ball).velocity[-1] + run.body(card).velocity[-1]
    np.testing.assert_allclose(total, (6, 0, 0), atol=1e-12)
