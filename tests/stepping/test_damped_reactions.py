"""Reactions on bodies that are damped, dv/dt = f / m - c v, against statics and closed forms."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import rollcone as rc

G, C, MASS = 9.81, 4.0, 2.0
DAMPED = {"linear_damping": C, "angular_damping": 3.0}


def on_a_plane(gravity, **options):
    world = rc.World(gravity=gravity)
    world.set_contact_law(rc.ContactLaw(sliding=0.3))
    world.add_plane()
    body = world.add_box(size=(1, 1, 0.1), mass=MASS, position=(0, 0, 0.05), **DAMPED, **options)
    return world, body


def last_forces(run: rc.Run) -> tuple[float, float]:
    """Normal and friction force on a body with one plane below it."""
    total = run.contacts(-1).reaction.sum(axis=0)
    return total[0], math.hypot(total[1], total[2])


@pytest.mark.parametrize("scheme", [rc.GapAhead(), rc.DVI(), rc.MoreauJean(0.5)])
@pytest.mark.parametrize("h", [0.05, 0.005])
def test_a_block_at_rest_that_is_pulled(h, scheme):
    world, _ = on_a_plane((0, 0, -G), force=(3.0, 0, 0))
    run = rc.simulate(world, until=20 * h, step=h, scheme=scheme)
    np.testing.assert_allclose(last_forces(run), [MASS * G, 3.0], rtol=1e-10)


@pytest.mark.parametrize("h", [0.05, 0.01])
def test_terminal_velocity_down_an_incline(h):
    """v = a / c (1 - exp(-c t)), a = g (sin - mu cos); the friction force is mu m g cos."""
    slope = math.radians(30)
    world, body = on_a_plane((G * math.sin(slope), 0, -G * math.cos(slope)))
    run = rc.simulate(world, until=3.0, step=h)
    normal = MASS * G * math.cos(slope)
    a = G * math.sin(slope) - 0.3 * normal / MASS
    exact = a / C * -np.expm1(-C * run.time)
    np.testing.assert_allclose(run.body(body).velocity[:, 0], exact, atol=1e-9)
    np.testing.assert_allclose(last_forces(run), [normal, 0.3 * normal], rtol=1e-9)
    audit = run.energy
    assert np.abs(audit.remainder).max() < 1e-9 * audit.scale
    way = run.body(body).position[-1, 0]
    assert audit.sliding[-1] == pytest.approx(-0.3 * normal * way, rel=1e-9)


@pytest.mark.parametrize("kind", ["distance", "spherical", "fixed"])
def test_a_weight_that_hangs(kind):
    world = rc.World(gravity=(0, 0, -G))
    ball = world.add_sphere(radius=0.1, mass=MASS, position=(0, 0, -1), **DAMPED)
    point = {} if kind == "fixed" else {"point": (0, 0, 0)}
    joint = world.add_joint(kind=kind, body=ball, **point)
    run = rc.simulate(world, until=0.5, step=0.02)
    pull = np.linalg.norm(run.joint(joint).force[1:], axis=1)
    np.testing.assert_allclose(pull, MASS * G, rtol=1e-12)


def test_a_motor_against_damping():
    """It takes c J w."""
    world = rc.World()
    wheel = world.add_box(size=(0.2, 0.2, 0.1), mass=1.0, inertia=(0.02, 0.03, 0.05), **DAMPED)
    axis = {"point": (0, 0, 0), "axis": (0, 0, 1)}
    axle = world.add_joint(kind="revolute", body=wheel, angle=rc.Motor(speed=10.0), **axis)
    run = rc.simulate(world, until=0.2, step=0.01)
    effort = run.joint(axle).effort["angle.motor"]
    np.testing.assert_allclose(effort[5:], 3.0 * 0.05 * 10.0, rtol=1e-10)


def test_a_damped_pendulum_is_of_second_order():
    """Its path and the force of its rod, m (l w^2 + g cos a), at all times, and in the second half,
    where steps of any size have the same largest error."""
    length, first, until = 1.0, 1.2, 1.0

    def pendulum(t, s):
        return [s[1], -G / length * math.sin(s[0]) - C * s[1]]

    exact = solve_ivp(pendulum, (0, until), [first, 0.0], rtol=1e-11, atol=1e-12, dense_output=True)
    errors = []
    for h in (0.02, 0.01, 0.005):
        world = rc.World(gravity=(0, 0, -G))
        place = (length * math.sin(first), 0, -length * math.cos(first))
        ball = world.add_sphere(radius=0.05, mass=MASS, position=place, linear_damping=C)
        rod = world.add_joint(kind="distance", body=ball, point=(0, 0, 0))
        run = rc.simulate(world, until=until, step=h)
        angle, rate = exact.sol(run.time)
        error = np.abs(run.body(ball).position[:, 0] - length * np.sin(angle)).max()
        angle, rate = exact.sol(run.time[1:] - 0.5 * h)  # forces are means over a step
        force = MASS * (length * rate**2 + G * np.cos(angle))
        pull = np.linalg.norm(run.joint(rod).force[1:], axis=1)
        off, late = np.abs(pull - force) / (MASS * G), run.time[1:] > 0.5 * until
        assert off.max() < 1.2 * h**2
        errors.append((error, off[late].max()))
        assert np.abs(run.energy.remainder).max() < 1e-13 * run.energy.scale
    rates = np.log2(np.array(errors)[:-1] / np.array(errors)[1:])
    assert np.abs(rates - 2.0).max() < 0.05
    assert (np.array(errors[0]) < 2.4e-4).all()


def test_the_audit_of_damped_turning():
    """A box with unequal moments that swings and spins on a ball joint: the audit explains all, to
    rounding; what closing the joint takes falls with the third power of the step."""
    closed = []
    for h in (0.01, 0.005, 0.0025):
        world = rc.World(gravity=(0, 0, -G))
        place, spin = (0, 0, -0.4), (0.5, 1.0, 6.0)
        box = world.add_box(size=(0.1, 0.3, 0.5), mass=MASS, position=place, **DAMPED)
        box.velocity, box.angular_velocity = np.cross(spin, place), spin
        world.add_joint(kind="spherical", body=box, point=(0, 0, 0))
        audit = rc.simulate(world, until=0.5, step=h).energy
        assert np.abs(audit.remainder).max() < 1e-13 * audit.scale
        assert audit.damping[-1] < -0.8 * audit.scale
        closed.append(-audit.joints[-1] / audit.scale)
    assert 1e-6 > closed[0] > 7 * closed[1] > 49 * closed[2] > 0
