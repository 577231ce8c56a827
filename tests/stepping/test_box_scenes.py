"""Boxes on boxes: at rest, sliding, tipping, falling, struck. All floors are boxes, too."""

import numpy as np
import pytest

import rollcone as rc
from overlaps import SIGNS, box_gap
from scenes import G, angular_momentum, inertia_tensors, matrix

SIZE = 0.1


def box_world(mu=0.5, e=0.0, gravity=G, slope=0.0):
    """A fixed box whose upper face goes through the origin, falling along x by `slope`."""
    world = rc.World(gravity=(0, 0, -gravity))
    world.set_contact_law(rc.ContactLaw(sliding=mu, restitution=e))
    turn, up, _ = incline(slope)
    world.add_box(size=(4, 2, 0.2), fixed=True, orientation=turn, position=-0.1 * up, name="floor")
    return world


def incline(slope):
    """Its orientation, its normal, and the way down."""
    return (
        (np.cos(slope / 2), 0, np.sin(slope / 2), 0),
        np.array([np.sin(slope), 0, np.cos(slope)]),
        np.array([np.cos(slope), 0, -np.sin(slope)]),
    )


def upright(angle):
    """Turned about z."""
    return (np.cos(angle / 2), 0, 0, np.sin(angle / 2))


def stack(world, count, gap=0.0):
    return [
        world.add_box(
            size=[SIZE] * 3, density=500, position=(0, 0, SIZE / 2 + gap + (SIZE + gap) * k)
        )
        for k in range(count)
    ]


def moved(run):
    x, q = run.states("position"), run.states("orientation")
    return max(np.abs(x - x[0]).max(), SIZE * np.abs(q - q[0]).max())


@pytest.mark.parametrize("until", [5, pytest.param(60, marks=pytest.mark.slow)])
def test_a_stack_of_ten_stands(until):
    """Creep over all steps: below 1e-9 of the size (2e-11 in a minute)."""
    world = box_world()
    stack(world, 10)
    run = rc.simulate(world, until=until, step=0.01, record_every=100)
    assert moved(run) < 1e-9 * SIZE
    assert run.converged


def test_a_crooked_stack_stands():
    """Boxes of different sizes, turned about the vertical, not quite above each other; the lowest
    contacts carry all of the weight."""
    rng = np.random.default_rng(2)
    world, z = box_world(), 0.0
    for _ in range(10):
        size = rng.uniform(0.05, 0.15, 3)
        world.add_box(
            size=size,
            density=500,
            position=(*rng.uniform(-0.005, 0.005, 2), z + size[2] / 2),
            orientation=upright(rng.uniform(0, 2 * np.pi)),
        )
        z += size[2]
    run = rc.simulate(world, until=3, step=0.01, record_every=50)
    assert moved(run) < 1e-9 * SIZE
    last = run.contacts(-1)
    lowest = (last.bodies == 0).any(axis=1)
    weight = G * run.world.state.mass.sum()
    assert last.reaction[lowest, 0].sum() == pytest.approx(weight, rel=1e-9)


def test_a_stack_is_dropped():
    """10 mm apart, on each other: no overlap, no turning, and at rest where they belong."""
    world = box_world()
    boxes = stack(world, 10, gap=0.01)
    run = rc.simulate(world, until=0.5, step=0.005, tolerance=1e-12)
    below = [world.body("floor"), *boxes[:-1]]
    for lower, upper in zip(below, boxes, strict=True):
        assert box_gap(run, lower, upper).min() > -1e-6 * SIZE
    z = run.states("position")[-1, 1:, 2]
    np.testing.assert_allclose(z, SIZE * (0.5 + np.arange(10)), atol=2e-5 * SIZE)
    assert np.abs(run.states("velocity")[-1]).max() < 1e-9
    assert np.abs(run.states("angular_velocity")).max() < 1e-9


def test_a_cube_rests_on_a_cube_turned_by_45_degrees():
    """The common face has eight corners. Reactions: the weight, and its moment about the centre."""
    world = box_world()
    world.add_box(size=(0.2, 0.2, 0.2), mass=1, position=(0, 0, 0.1))
    upper = world.add_box(
        size=(0.2, 0.2, 0.2), mass=2, position=(0.02, 0.01, 0.3), orientation=upright(np.pi / 4)
    )
    run = rc.simulate(world, until=2, step=0.01)
    assert moved(run) < 1e-12
    last = run.contacts(-1)
    on_it = (last.bodies == upper.id).any(axis=1)
    force = last.reaction[on_it, 0]
    assert force.sum() == pytest.approx(2 * G, rel=1e-9)
    np.testing.assert_allclose(
        force @ last.point[on_it, :2], 2 * G * np.array([0.02, 0.01]), atol=1e-9
    )


@pytest.mark.parametrize(("slope", "mu"), [(0.3, 0.32), (0.3, 0.2), (0.5, 0.3), (0.3, 0.0)])
def test_a_box_on_an_incline(slope, mu):
    """It sticks where tan a < mu, or slides with g (sin a - mu cos a); exact at any step."""
    world = box_world(mu, slope=slope)
    turn, up, down = incline(slope)
    box = world.add_box(
        size=[SIZE] * 3, mass=1, orientation=turn, position=SIZE / 2 * up - 1.5 * down
    )
    run = rc.simulate(world, until=0.5, step=0.01)
    track, rate = run.body(box), max(0.0, G * (np.sin(slope) - mu * np.cos(slope)))
    np.testing.assert_allclose(track.velocity @ down, rate * run.time, atol=1e-11)
    way = (track.position - track.position[0]) @ down
    np.testing.assert_allclose(way, rate * run.time**2 / 2, atol=1e-11)
    assert np.abs(track.angular_velocity).max() < 1e-10


@pytest.mark.parametrize("share", [0.98, 1.02])
def test_a_box_tips_over_on_an_incline(share):
    """Held by friction: it stands while the vertical through its centre meets its base."""
    size = (0.1, 0.1, 0.3)
    slope = np.arctan(share * size[0] / size[2])
    world = box_world(2.0, slope=slope)
    turn, up, _ = incline(slope)
    box = world.add_box(size=size, mass=1, orientation=turn, position=size[2] / 2 * up)
    q = rc.simulate(world, until=0.8, step=0.005, tolerance=1e-6).body(box).orientation
    tilt = 2 * np.arctan2(q[:, 2], q[:, 0]) - slope
    if share < 1:
        assert np.abs(tilt).max() < 1e-7
    else:
        assert tilt[-1] > 0.1
        assert np.diff(tilt).min() > -1e-9


@pytest.mark.parametrize("share", [0.98, 1.02])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_bricks_over_the_edge_of_a_table(count, share):
    """The k-th from above may stick out by L / 2k over the next: 1, 1/2, 1/3, 1/4 of L / 2."""
    length, world = 0.2, rc.World(gravity=(0, 0, -G))
    world.set_contact_law(rc.ContactLaw(sliding=0.6))
    world.add_box(size=(1, 1, 0.2), fixed=True, position=(-0.5, 0, -0.1))
    end = 0.0
    for k in range(count):
        end += share * length / (2 * (count - k))
        place = (end - length / 2, 0, 0.025 + 0.05 * k)
        world.add_box(size=(length, 0.1, 0.05), mass=1, position=place)
    run = rc.simulate(world, until=0.5, step=0.005, tolerance=1e-5)
    if share < 1:
        assert moved(run) < 1e-6 * length
    else:
        z = run.states("position")[..., -1, 2]
        assert z[-1] < z[0] - 0.01


def test_a_row_of_dominoes():
    """Each falls after the one before; all fall forwards, and lie on the next in the end. The wave
    gets faster, since each is pushed by all that lean on it."""
    count, size, step = 6, (0.02, 0.1, 0.2), 0.1
    world = box_world(0.3)
    for k in range(count):
        world.add_box(size=size, density=600, position=(step * k, 0, size[2] / 2))
    first = world.body(1)
    first.angular_velocity, first.velocity = (0, 1, 0), (size[2] / 2, 0, 0)
    run = rc.simulate(world, until=1.2, step=0.002, tolerance=1e-4)
    q = run.states("orientation")[:, 1:]
    tilt = 2 * np.arctan2(q[..., 2], q[..., 0])
    assert np.all(tilt.max(axis=0) > 1.3)
    assert tilt.min() > -1e-3
    falls = run.time[np.argmax(tilt > 0.1, axis=0)]
    assert np.all(np.diff(falls) > 0)
    assert np.all(np.diff(falls, n=2) < 0)
    # A domino reaches the next one when its upper edge is the clear distance ahead.
    contact = np.arcsin((step - size[0]) / size[2])
    for k in range(count - 1):
        struck = np.argmax(tilt[:, k + 1] > 1e-3)
        assert tilt[struck, k] == pytest.approx(contact, abs=0.05)
        assert box_gap(run, world.body(k + 1), world.body(k + 2)).min() > -0.01 * size[0]


def test_a_box_tumbles_down_a_stair():
    """No overlap above 1 % of its size, at rest in the end, at the foot; energy only falls."""
    world = rc.World(gravity=(0, 0, -G))
    world.set_contact_law(rc.ContactLaw(sliding=0.3))
    stairs = [
        world.add_box(size=(0.2, 1, 1), fixed=True, position=(0.2 * k, 0, -0.5 - 0.15 * k))
        for k in range(6)
    ]
    stairs.append(world.add_box(size=(4, 1, 1), fixed=True, position=(3.1, 0, -1.4)))
    q = np.array([0.95, 0.1, 0.25, 0.05])
    box = world.add_box(
        size=(0.12, 0.1, 0.15), density=600, position=(0, 0, 0.2), velocity=(1.5, 0, 0),
        orientation=q / np.linalg.norm(q), angular_velocity=(0, 6, 0),
    )  # fmt: skip
    run = rc.simulate(world, until=2.5, step=0.002, tolerance=1e-6)
    energy = run.energy.kinetic + run.energy.potential
    assert np.diff(energy).max() < 1e-3 * np.ptp(energy)
    assert run.energy.gained[-1] < 1e-3 * np.ptp(energy)
    for stair in stairs:
        assert box_gap(run, box, stair).min() > -0.01 * 0.1
    track = run.body(box)
    assert np.abs(track.velocity[-1]).max() < 1e-6
    assert track.position[-1, 2] == pytest.approx(-0.9 + 0.055, abs=0.025)


def struck(orientation, spin, gap, h, steps):
    """A box that comes down on a fixed one at 2 m/s without friction and gravity, and what a
    plastic impact at its lowest points leaves: velocity and angular momentum about its centre."""
    mass, size, v = 1.3, np.array([0.1, 0.2, 0.15]), np.array([0.3, -0.2, -2.0])
    world = box_world(0.0, gravity=0.0)
    corners = (SIGNS * size / 2) @ matrix(orientation).T
    low = corners[:, 2].min()
    box = world.add_box(
        size=size, mass=mass, orientation=orientation, position=(0, 0, gap - low), velocity=v,
        angular_velocity=spin,
    )  # fmt: skip
    inertia = inertia_tensors(world, world.state.orientation)[box.id]
    n = np.array([0, 0, 1.0])
    arm = np.cross(corners[corners[:, 2] < low + 1e-9].mean(axis=0), n)
    impulse = -(v @ n + spin @ arm) / (1 / mass + arm @ np.linalg.solve(inertia, arm))
    run = rc.simulate(world, until=steps * h, step=h, tolerance=1e-13)
    tensors = inertia_tensors(world, run.states("orientation")[-1])
    turning = tensors[box.id] @ run.body(box).angular_velocity[-1]
    return (
        run.body(box).velocity[-1] - (v + impulse / mass * n),
        turning - (inertia @ spin + impulse * arm),
    )


@pytest.mark.parametrize("seed", range(4))
def test_a_box_lands_on_its_corner(seed):
    """u_n+ = 0 at the corner, by an impulse along n: velocity and angular momentum are exact, with
    a spin and without, at any step: impulses come at the orientation of the impact."""
    rng = np.random.default_rng(seed)
    q, spin = rng.normal(size=4), rng.normal(size=3)
    q /= np.linalg.norm(q)
    for w in (np.zeros(3), spin):
        for h in (1e-2, 1e-3, 2.5e-4):
            for wrong in struck(q, w, 0.0, h, 1):
                assert np.abs(wrong).max() < 1e-12
    for part in struck(q, np.zeros(3), 1e-3, 1e-5, 60):
        assert np.abs(part).max() < 1e-4


@pytest.mark.parametrize("tilt", [0.3, 1.0])
def test_a_box_lands_on_its_edge(tilt):
    """Two points share the impulse."""
    turn, _, _ = incline(tilt)
    for wrong in struck(turn, np.zeros(3), 0.0, 1e-3, 1):
        assert np.abs(wrong).max() < 1e-10


@pytest.mark.parametrize(("mu", "e"), [(0.0, 0.0), (0.3, 0.0), (0.3, 0.7)])
@pytest.mark.parametrize("seed", range(3))
def test_two_free_boxes_collide(seed, mu, e):
    """Momentum is kept to rounding. Angular momentum about the centre of mass is kept to rounding
    by free steps. First touches act over a gap of up to a step's way, and turn bodies by more than
    the mean rate: up to 1 % is lost or won in them at 4 ms, and less with smaller steps."""
    drifts = []
    for h in (4e-3, 1e-3):
        rng = np.random.default_rng(seed)
        world = rc.World()
        world.set_contact_law(rc.ContactLaw(sliding=mu, restitution=e))
        for side in (-1, 1):
            q = rng.normal(size=4)
            world.add_box(
                size=rng.uniform(0.1, 0.3, 3),
                mass=rng.uniform(0.5, 2),
                orientation=q / np.linalg.norm(q),
                position=(0.3 * side, *rng.uniform(-0.05, 0.05, 2)),
                velocity=(-side, *rng.normal(size=2) * 0.1),
                angular_velocity=rng.normal(size=3) * 2,
            )
        run = rc.simulate(world, until=0.5, step=h)
        x, v = run.states("position"), run.states("velocity")
        share = world.state.mass / world.state.mass.sum()
        assert np.abs(np.diff(share @ v, axis=0)).max() < 1e-14
        about = np.array(
            [
                angular_momentum(
                    world, x[k] - share @ x[k], run.states("orientation")[k], v[k] - share @ v[k],
                    run.states("angular_velocity")[k],
                )
                for k in range(len(x))
            ]
        )  # fmt: skip
        free = run.contact_count[1:] == 0
        assert 0 < np.count_nonzero(~free) < len(free)
        assert np.abs(np.diff(about, axis=0)[free]).max() < 1e-13
        drifts.append(np.abs(about - about[0]).max() / np.abs(about).max())
    assert drifts[0] < 2e-2
    assert drifts[1] < 5e-3
