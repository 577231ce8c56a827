"""Paths that bend: friction turns with the velocity, contacts with the surfaces."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import rollcone as rc

G, TILT, RADIUS = 9.81, 0.3, 0.2
ALONG, ACROSS = G * np.sin(TILT), G * np.cos(TILT)


def path(rate, speed, until):
    """Where a point ends that starts across the slope: v' = (g_t - rate v / |v|) / inertia."""
    pull, inertia = rate

    def motion(_, y):
        v = y[2:]
        a = (np.array([ALONG, 0.0]) - pull * v / np.hypot(*v)) / inertia
        return [*v, *a]

    return solve_ivp(motion, (0, until), (0, 0, 0, speed), rtol=1e-11, atol=1e-12).y[:2, -1]


def ball_across(law, h, until, speed, **options):
    world = rc.World(gravity=(ALONG, 0, -ACROSS))
    world.add_plane()
    ball = world.add_sphere(
        radius=RADIUS, mass=1, position=(0, 0, RADIUS), velocity=(0, speed, 0), **options
    )
    world.set_contact_law(law)
    return rc.simulate(world, until=until, step=h), ball


@pytest.mark.parametrize("rolls", [True, False])
def test_second_order_across_a_slope(rolls):
    if rolls:
        law, rate = rc.ContactLaw(sliding=0.8, rolling=0.02), (0.1 * ACROSS, 1.4)
        options = {"angular_velocity": (-1 / RADIUS, 0, 0)}
    else:  # so hard to turn that it slides like a block
        law, rate = rc.ContactLaw(sliding=0.25), (0.25 * ACROSS, 1.0)
        options = {"inertia": (1e9, 1e9, 1e9)}
    end = path(rate, 1.0, 0.8)
    errors = []
    for h in (0.02, 0.01, 0.005):
        run, ball = ball_across(law, h, 0.8, 1.0, **options)
        errors.append(np.linalg.norm(run.body(ball).position[-1, :2] - end))
        assert run.converged
    errors = np.array(errors)
    assert errors[0] < 1e-3
    assert np.all(errors[:-1] / errors[1:] > 3.7)


def test_friction_near_a_stop_opposes_the_end():
    """A ball that slides up the slope stops, turns round and comes down: no step overshoots."""
    world = rc.World(gravity=(-ALONG, 0, -ACROSS))
    world.add_plane()
    mu = 0.2
    ball = world.add_sphere(
        radius=RADIUS, mass=1, inertia=(1e9,) * 3, position=(0, 0, RADIUS), velocity=(1, 0, 0)
    )
    world.set_contact_law(rc.ContactLaw(sliding=mu))
    run = rc.simulate(world, until=1.0, step=0.01)
    v = run.body(ball).velocity[:, 0]
    up, down = ALONG + mu * ACROSS, ALONG - mu * ACROSS
    turn = 1 / up
    exact = np.where(run.time < turn, 1 - up * run.time, -down * (run.time - turn))
    assert np.abs(v - exact).max() < 2 * mu * ACROSS * 0.01
    assert np.all(np.diff(v) < 0)


def test_no_restitution_is_lost_to_weight():
    """Two balls on a table, hit slowly: gravity does not act along the line of the blow."""
    world = rc.World(gravity=(0, 0, -G))
    world.add_plane()
    world.set_contact_law(rc.ContactLaw(restitution=1.0))
    first = world.add_sphere(radius=0.1, mass=1, position=(0, 0, 0.1), velocity=(0.05, 0, 0))
    second = world.add_sphere(radius=0.1, mass=1, position=(0.215, 0, 0.1))
    run = rc.simulate(world, until=1, step=0.01)
    assert abs(run.body(first).velocity[-1, 0]) < 1e-10
    assert run.body(second).velocity[-1, 0] == pytest.approx(0.05, abs=1e-10)


@pytest.mark.parametrize("offset", [0.08, 0.095, 0.099])
def test_a_glancing_blow_is_a_blow(offset):
    world = rc.World()
    world.add_sphere(radius=0.05, fixed=True)
    world.set_contact_law(rc.ContactLaw(restitution=1.0))
    sine = offset / 0.1
    normal = np.array([-np.sqrt(1 - sine**2), sine, 0])
    mirrored = np.array([5.0, 0, 0]) - 2 * 5.0 * normal[0] * normal
    for phase in range(8):
        scene = world.copy()
        start = (-0.3 - 0.025 * phase / 8, offset, 0)
        ball = scene.add_sphere(radius=0.05, mass=1, position=start, velocity=(5, 0, 0))
        run = rc.simulate(scene, until=0.15, step=0.005)
        np.testing.assert_allclose(run.body(ball).velocity[-1], mirrored, atol=1e-9)


@pytest.mark.parametrize(
    "scheme",
    [rc.DVI(), rc.MoreauJean(theta=1.0), rc.MoreauMidpoint(), rc.GapAhead()],
    ids=lambda s: s.name,
)
def test_a_free_body_keeps_energy_and_momentum_in_every_scheme(scheme):
    world = rc.World()
    box = world.add_box(size=(1, 2, 3), mass=1, angular_velocity=(0.1, 5, 0.1))
    run = rc.simulate(world, until=5, step=0.01, scheme=scheme)
    kinetic = run.energy.kinetic
    np.testing.assert_allclose(kinetic, kinetic[0], rtol=1e-11)
    _, x, _, z = run.body(box).orientation.T
    assert (1 - 2 * (x**2 + z**2)).min() < -0.9  # its middle axis turns over


def test_a_ball_slides_rolls_and_spins_over_a_ball():
    """All friction at work where normal, slip and axes turn: second order."""
    g, r, far, mu, rolling, spinning = np.array([0, 0, -9.81]), 0.1, 0.6, 0.15, 0.004, 0.003
    n0 = np.array([0.1, 0.05, 1.0]) / np.sqrt(1.0125)
    v0 = np.array([0.5, 0.3, 0]) - n0 * (n0 @ (0.5, 0.3, 0))
    w0 = np.array([10.0, -20, 15])

    def motion(_, y):
        v, w, n = y[3:6], y[6:], y[:3] / np.linalg.norm(y[:3])
        slip, roll = v - r * np.cross(w, n), w - n * (n @ w)
        force = -(g @ n) - v @ v / far
        friction = -mu * force * slip / np.linalg.norm(slip)
        moment = -rolling * force * roll / np.linalg.norm(roll)
        moment = moment - spinning * force * np.sign(n @ w) * n - r * np.cross(n, friction)
        return [*v, *(g + force * n + friction), *(moment / (0.4 * r**2))]

    exact = solve_ivp(motion, (0, 0.2), [*(far * n0), *v0, *w0], rtol=1e-10, atol=1e-11).y[:, -1]
    errors = []
    for h in (0.01, 0.005):
        world = rc.World(gravity=g)
        world.add_sphere(radius=0.5, fixed=True)
        ball = world.add_sphere(
            radius=r, mass=1, position=far * n0, velocity=v0, angular_velocity=w0
        )
        world.set_contact_law(rc.ContactLaw(sliding=mu, rolling=rolling, spinning=spinning))
        track = rc.simulate(world, until=0.2, step=h).body(ball)
        errors.append([
            np.linalg.norm(track.position[-1] - exact[:3]),
            np.linalg.norm(track.angular_velocity[-1] - exact[6:]),
        ])  # fmt: skip
    errors = np.array(errors)
    assert np.all(errors[0] < (5e-5, 2e-3))
    assert np.all(errors[0] > 3.5 * errors[1])


def test_a_box_that_spins_on_its_corner_keeps_its_energy_to_second_order():
    """It only loses, at the normal of the contact, where the path bends; on the average of three
    halvings with second order, since that happens in single steps."""
    size = np.array([0.2, 0.3, 0.4])
    up = Rotation.align_vectors([[0.15, 0, 1.0]], [size / 2])[0]
    arm = up.apply(size / 2)
    spin = 8 * arm / np.linalg.norm(arm)
    errors = []
    for h in (0.01, 0.005, 0.0025, 0.00125):
        world = rc.World(gravity=(0, 0, -9.81))
        world.add_plane()
        world.add_box(
            size=size, mass=1, position=(0, 0, arm[2]), orientation=np.roll(up.as_quat(), 1),
            velocity=(0.3, 0.1, 0), angular_velocity=spin,
        )  # fmt: skip
        audit = rc.simulate(world, until=0.1, step=h).energy
        total = audit.kinetic + audit.potential
        errors.append(np.abs(total - total[0]).max() / total[0])
        assert np.diff(total).max() < 1e-14 * total[0]
        assert np.abs(audit.remainder).max() < 1e-14 * total[0]
        assert errors[-1] < 0.25 * h**2
    assert errors[0] > 3.4**3 * errors[3]


@pytest.mark.parametrize("held", ["rolling", "spinning"])
def test_turning_that_is_held_follows_the_normal(held):
    """A ball slides over a ball: what must not roll keeps w along n, what must not spin across."""
    law = rc.ContactLaw(**{held: 1.0})
    errors = []
    for h in (0.01, 0.005):
        world = rc.World(gravity=(0, 0, -9.81))
        world.add_sphere(radius=0.5, fixed=True)
        ball = world.add_sphere(
            radius=0.1, mass=1, position=(0, 0, 0.6), velocity=(1, 0, 0),
            angular_velocity=(0, 0, 10) if held == "rolling" else (10, 0, 0),
        )  # fmt: skip
        world.set_contact_law(law)
        track = rc.simulate(world, until=0.1, step=h).body(ball)
        n = track.position[-1] / np.linalg.norm(track.position[-1])
        w = track.angular_velocity[-1]
        wrong = np.cross(w, n) if held == "rolling" else w @ n
        errors.append(np.linalg.norm(wrong))
    assert errors[0] < 0.005
    assert errors[0] > 3.5 * errors[1] or errors[0] < 1e-9


@pytest.mark.parametrize(("share", "rebounds"), [(0.5, False), (1.5, False), (2.5, True)])
def test_an_impact_is_faster_than_two_steps_of_weight(share, rebounds):
    """Where steps are not divided."""
    h, g = 0.01, 9.81
    world = rc.World(gravity=(0, 0, -g))
    world.add_plane()
    speed = share * h * g
    ball = world.add_sphere(
        radius=0.1, mass=1, position=(0, 0, 0.1 + 0.5 * h * speed), velocity=(0, 0, -speed)
    )
    world.set_contact_law(rc.ContactLaw(restitution=1.0))
    run = rc.simulate(world, until=h, step=h, scheme=rc.GapAhead(max_impacts=0))
    v = run.body(ball).velocity[-1, 2]
    assert v == pytest.approx(speed if rebounds else -0.5 * speed, rel=1e-9)
