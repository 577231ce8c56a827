"""Nothing passes a thin plate, and nothing is stopped by what it does not touch."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rollcone as rc
from overlaps import SIGNS
from scenes import G, matrix

H, SPEED, THICK = 5e-3, 100.0, 1e-3
PHASES = np.arange(8) / 8
LYING = (np.sqrt(0.5), 0, np.sqrt(0.5), 0)
TILTED = np.array([0.9, 0.2, 0.3, 0.1]) / np.linalg.norm([0.9, 0.2, 0.3, 0.1])
SHAPES = {  # how to add it, its orientation, and the points of its core about its centre
    "sphere": ("add_sphere", {"radius": 0.02}, (1, 0, 0, 0), np.zeros((1, 3)), 0.02),
    "box": ("add_box", {"size": (0.03, 0.04, 0.05)}, TILTED, SIGNS * (0.015, 0.02, 0.025), 0.0),
    "level capsule": (
        "add_capsule", {"radius": 0.01, "length": 0.04}, LYING,
        np.array([[0, 0, -0.02], [0, 0, 0.02]]), 0.01,
    ),
    "upright capsule": (
        "add_capsule", {"radius": 0.01, "length": 0.04}, (1, 0, 0, 0),
        np.array([[0, 0, -0.02], [0, 0, 0.02]]), 0.01,
    ),
    "tilted capsule": (
        "add_capsule", {"radius": 0.01, "length": 0.04}, TILTED,
        np.array([[0, 0, -0.02], [0, 0, 0.02]]), 0.01,
    ),
}  # fmt: skip


def shot(shape, phase, slant=0.0, mass=None, law=None):
    """At a plate of 4 m in the plane z = 0, without gravity: of a given mass, hit in its middle,
    or fixed and hit 0.3 m from its edge, so that what comes in flat is beside it at first."""
    add, size, orientation, _, _ = SHAPES[shape]
    world = rc.World()
    world.set_contact_law(rc.ContactLaw() if law is None else law)
    given = {"fixed": True, "position": (1.7, 0, 0)} if mass is None else {"mass": mass}
    plate = world.add_box(size=(4, 4, THICK), **given)
    v = SPEED * np.array([np.sin(slant), 0, -np.cos(slant)])
    place = -v * H * (1.2 + phase)
    body = getattr(world, add)(**size, mass=1, position=place, velocity=v, orientation=orientation)
    return rc.simulate(world, until=6 * H, step=H), plate, body


def lowest(run, plate, body, shape):
    """The least height of the body over the plate's upper face, in the plate's axes."""
    _, _, _, core, radius = SHAPES[shape]
    a, b, heights = run.body(plate), run.body(body), []
    for k in range(len(run.time)):
        points = b.position[k] - a.position[k] + core @ matrix(b.orientation[k]).T
        heights.append((points @ matrix(a.orientation[k]))[:, 2].min() - radius - THICK / 2)
    return min(heights)


@pytest.mark.parametrize("slant", [0.0, 0.6, 1.2])
@pytest.mark.parametrize(
    "shape",
    [
        "sphere",
        "box",
        "level capsule",
        "upright capsule",
        "tilted capsule",
    ],
)
def test_no_passage_through_a_fixed_plate(shape, slant):
    """It ends on the plate, with the velocity along it that no friction leaves."""
    for phase in PHASES:
        run, plate, body = shot(shape, phase, slant)
        assert run.body(body).position[:, 2].min() > 0
        if not shape.startswith(("box", "tilted")):  # they turn by radians per step
            assert lowest(run, plate, body, shape) > -1e-9
        assert run.body(body).velocity[-1, 0] == pytest.approx(SPEED * np.sin(slant), abs=1e-6)
        assert run.converged


@pytest.mark.parametrize("e", [0.0, 1.0])
@pytest.mark.parametrize("shape", ["sphere", "level capsule", "upright capsule"])
def test_no_passage_through_a_light_plate(shape, e):
    """Hit in its middle: 1 kg against 10 g, momentum kept, v+ = -e v."""
    mass = 0.01
    for phase in PHASES:
        run, plate, body = shot(shape, phase, 0.0, mass, rc.ContactLaw(restitution=e))
        assert lowest(run, plate, body, shape) > -1e-9
        ends = run.body(body).velocity[-1, 2], run.body(plate).velocity[-1, 2]
        expected = -np.array([1 - e * mass, 1 + e]) / (1 + mass) * SPEED
        np.testing.assert_allclose(ends, expected, rtol=1e-8)


@given(seed=st.integers(0, 2**16), near=st.floats(1e-6, 0.1))
@settings(max_examples=40)
def test_balls_that_cross_without_touching_do_not_feel_each_other(seed, near):
    """Up to 200 m/s: they pass the same place at moments a little apart."""
    rng = np.random.default_rng(seed)
    v = rng.normal(size=(2, 3))
    v *= rng.uniform(20, 200, 2)[:, None] / np.linalg.norm(v, axis=1)[:, None]
    aside = np.cross(v[1] - v[0], rng.normal(size=3))
    start = -v * rng.uniform(1, 3) * H
    start[1] += 0.04 * (1 + near) * aside / np.linalg.norm(aside)
    world = rc.World()
    for k in range(2):
        world.add_sphere(radius=0.02, mass=1, position=start[k], velocity=v[k])
    run = rc.simulate(world, until=4 * H, step=H)
    assert run.contact_count.max() == 0
    np.testing.assert_array_equal(run.states("velocity")[-1], v)


@pytest.mark.parametrize("e", [0.0, 0.2, 1.0])
@pytest.mark.parametrize("crossing", [False, True])
def test_what_is_stopped_on_the_way_does_not_push_what_lies_behind(crossing, e):
    """A ball flies at a wall, and behind the wall there is another ball, within the step's way."""
    world = rc.World()
    world.set_contact_law(rc.ContactLaw(restitution=e))
    world.add_box(size=(THICK, 4, 4), fixed=True)
    world.add_sphere(radius=0.02, mass=1, position=(-0.3, 0, 0), velocity=(SPEED, 0, 0))
    v = (0, SPEED, 0) if crossing else (0, 0, 0)
    behind = world.add_sphere(
        radius=0.02, mass=1, position=(0.03, -0.3 if crossing else 0, 0), velocity=v
    )
    run = rc.simulate(world, until=4 * H, step=H)
    np.testing.assert_array_equal(run.body(behind).velocity[-1], v)
    assert run.body(1).velocity[-1] == pytest.approx([-e * SPEED, 0, 0], abs=1e-9)


@pytest.mark.parametrize("radius", [1e-3, 1e-2])
def test_a_capsule_does_not_pass_a_rod(radius):
    """It comes down slanting in the rod's plane, so it cannot go round; when its first end is
    stopped, it turns about it, and its other end comes down faster than it came."""
    for k, lean in enumerate(np.radians([50, 30, 70, 20])):
        world = rc.World()
        world.set_contact_law(rc.ContactLaw(restitution=0.5))
        world.add_capsule(radius=radius, length=10, orientation=LYING, fixed=True)
        body = world.add_capsule(
            radius=0.01, length=0.1, mass=1, position=(0, 0, 0.3 + 0.02 * k),
            orientation=(np.cos(lean / 2), 0, np.sin(lean / 2), 0), velocity=(0, 0, -20),
        )  # fmt: skip
        assert rc.simulate(world, until=0.05, step=2e-3).body(body).position[:, 2].min() > 0


@pytest.mark.parametrize("h", [5e-3, 1e-3])
@pytest.mark.parametrize("speed", [0.1, 0.5, 3.0, 10.0])
def test_a_box_glides_over_seams(speed, h):
    """A floor of boxes side by side is as good as one."""
    world, until = tiles(), min(1.2 / speed, 1.0)
    box = world.add_box(size=(0.1, 0.1, 0.1), mass=1, position=(0, 0, 0.05), velocity=(speed, 0, 0))
    track = rc.simulate(world, until=until, step=h).body(box)
    np.testing.assert_allclose(track.position[:, 2], 0.05, atol=1e-12)
    np.testing.assert_allclose(track.velocity[:, 0], speed, rtol=1e-12)
    assert np.abs(track.angular_velocity).max() < 1e-10


@pytest.mark.parametrize("h", [5e-3, 1e-3])
@pytest.mark.parametrize("speed", [0.1, 0.5, 1.0, 3.0, 10.0])
def test_a_ball_rolls_over_seams(speed, h):
    """Speed and height stay, but for what an edge does while the ball leaves it: in the middle of
    a step it may be past the edge by half a step's way, and the normal there leans: it rises by
    up to 1e-2 of R (at 3 m/s and 5 ms), and changes its speed by up to 3e-3."""
    R = 0.05
    world = tiles(rc.ContactLaw(sliding=0.5))
    ball = world.add_sphere(
        radius=R, mass=1, position=(0, 0, R), velocity=(speed, 0, 0),
        angular_velocity=(0, speed / R, 0),
    )  # fmt: skip
    track = rc.simulate(world, until=min(1.2 / speed, 1.0), step=h).body(ball)
    lean = min(0.5 * speed * h / R, 0.1)
    assert np.abs(track.position[:, 2] / R - 1).max() < 1e-6 + 2 * lean**2
    assert np.abs(track.velocity[:, 0] / speed - 1).max() < 1e-6 + 5 * lean**2


def tiles(law=None):
    """Boxes of 0.2 m along x, their upper faces at z = 0."""
    world = rc.World(gravity=(0, 0, -G))
    world.set_contact_law(rc.ContactLaw() if law is None else law)
    for k in range(-1, 8):
        world.add_box(size=(0.2, 1, 0.1), fixed=True, position=(0.2 * k + 0.033, 0, -0.05))
    return world
