"""Ropes, servos with a limit, friction of redundant joints, and joints that ask for what cannot be:
against closed forms, and what is told of them."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import rollcone as rc

MASS, G = 2.0, 9.81


def hung(kind: str, start: float, **settings) -> rc.Run:
    """A ball on a rope or a rod of 1 m, released at an angle from below."""
    world = rc.World(gravity=(0, 0, -G))
    at = (math.sin(start), 0, -math.cos(start))
    ball = world.add_sphere(radius=0.1, mass=MASS, inertia=(1e-12,) * 3, position=at)
    length = {"length": rc.Limits(upper=1.0)} if kind == "link" else {}
    world.add_joint(kind=kind, body=ball, point=(0, 0, 0), point2=at, name="rope", **length)
    return rc.simulate(world, **settings)


def tension_error(h: float) -> float:
    """Against m g cos + m w^2 in the middle of each step, by Lagrange's equation."""
    run = hung("link", 1.0, until=2.0, step=h)
    assert run.converged
    exact = solve_ivp(
        lambda t, x: (x[1], -G * math.sin(x[0])), (0, 2.0), (1.0, 0.0), rtol=1e-12, atol=1e-12,
        t_eval=run.time[1:] - h / 2,
    ).y  # fmt: skip
    tension = -run.joint("rope").effort["length.limits"][1:]
    return float(np.abs(tension - MASS * (G * np.cos(exact[0]) + exact[1] ** 2)).max())


def test_the_tension_of_a_rope_is_of_second_order():
    coarse, fine = tension_error(0.01), tension_error(0.005)
    assert coarse < 1e-3 * MASS * G
    assert 3.7 < coarse / fine < 4.3


def test_a_taut_rope_is_a_rod():
    rope, rod = (hung(kind, 1.2, until=1.0, step=0.01) for kind in ("link", "distance"))
    np.testing.assert_allclose(rope.body(0).position, rod.body(0).position, atol=1e-11)
    np.testing.assert_allclose(rope.joint("rope").force, rod.joint("rope").force, atol=1e-8)
    assert rope.drift.max() < 1e-13


def test_a_rope_that_goes_taut_takes_what_is_along_it():
    """Thrown sideways and falling: the velocity along the rope is lost at once, as work of the
    limit, and that across it stays."""
    h, errors = 1e-3, []
    for step in (h, h / 2):
        world = rc.World(gravity=(0, 0, -G))
        ball = world.add_sphere(
            radius=0.01, mass=MASS, inertia=(1e-12,) * 3, position=(0.3, 0, 0), velocity=(1.0, 0, 0)
        )
        world.add_joint(
            kind="link", body=ball, point=(0, 0, 0), length=rc.Limits(upper=1.0), name="rope"
        )
        run = rc.simulate(world, until=0.5, step=step)
        # |(0.3 + t, -g t^2 / 2)| = 1
        root = np.roots([G**2 / 4, 0.0, 1.0, 0.6, 0.09 - 1.0])
        time = float(root[(abs(root.imag) < 1e-9) & (root.real > 0)].real[0])
        at, speed = np.array([0.3 + time, -G * time**2 / 2]), np.array([1.0, -G * time])
        lost = MASS * (speed @ at) ** 2 / 2
        errors.append(abs(run.energy.joints[-1] + lost) / lost)
        length = run.joint("rope").coordinate["length"]
        assert length.max() < 1.0 + 1e-13
        taut = run.time > time + step
        np.testing.assert_allclose(length[taut], 1.0, atol=1e-13)
    assert errors[0] < 0.02
    assert errors[1] < 0.7 * errors[0]


def slider(elements, gravity=0.0) -> rc.World:
    world = rc.World(gravity=(-gravity, 0, 0))
    body = world.add_sphere(radius=0.1, mass=MASS)
    world.add_joint(kind="prismatic", body=body, axis=(1, 0, 0), slide=elements, name="guide")
    return world


def slide(world: rc.World, until: float, h: float) -> tuple[rc.Run, np.ndarray, np.ndarray]:
    run = rc.simulate(world, until=until, step=h)
    assert run.converged
    track = run.joint("guide")
    return run, track.coordinate["slide"], track.effort["slide.motor"]


@pytest.mark.parametrize("scheme", [rc.GapAhead(), rc.DVI()], ids=lambda s: s.name)
def test_a_servo_reaches_its_place_as_its_response_says(scheme):
    """All it has until x' = (X - x) / T, then X - x falls as exp(-t / T)."""
    limit, response, target = 20.0, 0.2, 0.3
    a = limit / MASS
    turn = -response + math.sqrt(response**2 + 2 * target / a)  # a t T = X - a t^2 / 2
    left = target - a * turn**2 / 2
    assert left / response**2 < a  # it can brake
    motor = rc.Motor(position=target, limit=limit, response=response)
    errors = []
    for h in (0.004, 0.002):
        run = rc.simulate(slider(motor), until=1.5, step=h, scheme=scheme)
        t = run.time
        exact = np.where(t < turn, a * t**2 / 2, target - left * np.exp(-(t - turn) / response))
        place = run.joint("guide").coordinate["slide"]
        errors.append(np.abs(place - exact).max())
        assert np.abs(run.joint("guide").effort["slide.motor"]).max() <= limit * (1 + 1e-12)
        assert place.max() <= target
    assert errors[0] < 0.01
    assert errors[1] < 0.7 * errors[0]


@pytest.mark.parametrize("h", [0.02, 0.005, pytest.param(0.001, marks=pytest.mark.slow)])
def test_a_servo_that_cannot_brake_in_time_does_the_same_at_every_step(h):
    """It brakes with all it has from where its rate is asked for, and overshoots."""
    limit, response = 4.0, 0.05
    run, place, effort = slide(slider(rc.Motor(position=1.0, limit=limit, response=response)), 6, h)
    a = limit / MASS
    brakes = -response + math.sqrt(response**2 + 2 / a)  # a t T = 1 - a t^2 / 2
    over = a * brakes**2 - 1.0  # as far again as it has come by then
    assert place.max() - 1.0 == pytest.approx(over, rel=10 * h)
    assert np.abs(effort).max() <= limit * (1 + 1e-12)
    assert np.abs(place[run.time > 5] - 1.0).max() < 0.7 * over  # it settles


def test_a_servo_holds_a_load_without_sagging():
    """Its rate is asked for as of what is rigid: no error is needed to make a force."""
    _, place, effort = slide(slider(rc.Motor(position=0.0, limit=30.0), gravity=G), 0.5, 0.01)
    assert np.abs(place).max() < 1e-12
    np.testing.assert_allclose(effort[1:], MASS * G, rtol=1e-9)
    weak = rc.simulate(slider(rc.Motor(position=0.0, limit=10.0), gravity=G), until=0.5, step=0.01)
    fall = (10.0 / MASS - G) * weak.time
    np.testing.assert_allclose(weak.joint("guide").rate["slide"], fall, rtol=1e-9)


def test_a_servo_with_enough_force_follows_a_sine():
    sine = rc.Sine(amplitude=0.2, frequency=1.0)
    world = slider(rc.Motor(position=sine, limit=200.0))
    world.body(0).velocity = (2 * math.pi * 0.2, 0, 0)
    run, place, _ = slide(world, 2.0, 0.005)
    np.testing.assert_allclose(place, 0.2 * np.sin(2 * np.pi * run.time), atol=2e-4)


def test_the_damper_of_a_servo_moves_with_its_rest():
    """No lag behind a rest that moves evenly, whatever the damping."""
    world = slider(rc.Spring(stiffness=50.0, damping=80.0, rest=lambda t: 0.5 * t))
    world.body(0).velocity = (0.5, 0, 0)
    run = rc.simulate(world, until=1.0, step=0.01)
    np.testing.assert_allclose(run.joint("guide").coordinate["slide"], 0.5 * run.time, atol=1e-12)


@pytest.mark.parametrize("compliance", [0.0, 1e-8])
@pytest.mark.parametrize("bearings", [1, 3])
def test_a_heavy_shaft_in_several_bearings_spins_down(bearings, compliance):
    """However three bearings share the weight, friction is mu r m g in all."""
    mu, radius, moment, spin = 0.1, 0.05, 0.02, 20.0
    world = rc.World(gravity=(0, 0, -G))
    shaft = world.add_capsule(
        radius=0.05, length=1.0, mass=MASS, inertia=(1, 1, moment),
        orientation=rc.rotation((0, 1, 0), 90), angular_velocity=(spin, 0, 0),
    )  # fmt: skip
    friction = rc.JointFriction(coefficient=mu, radius=radius)
    for k in range(bearings):
        x = 0.4 * (k - (bearings - 1) / 2)
        world.add_joint(
            kind="revolute", body=shaft, point=(x, 0, 0), axis=(1, 0, 0), angle=friction,
            compliance=compliance, name=f"bearing {k}",
        )  # fmt: skip
    run = rc.simulate(world, until=0.3, step=0.005)
    assert run.converged
    slowed = spin - mu * radius * MASS * G / moment * run.time
    # Springs begin at rest, and swing about what they bear.
    share = 1e-6 if compliance == 0.0 else 0.02
    turning = run.body(shaft).angular_velocity[:, 0]
    np.testing.assert_allclose(spin - turning, spin - slowed, rtol=share, atol=1e-9)
    rubbing = sum(run.joint(f"bearing {k}").effort["angle.friction"][-1] for k in range(bearings))
    assert rubbing == pytest.approx(-mu * radius * MASS * G, rel=share)


def test_forces_between_redundant_hinges_do_not_grow():
    """A door on three hinges with friction, for a thousand steps."""
    world = rc.World(gravity=(0, 0, -G))
    door = world.add_box(size=(1, 0.04, 2), mass=20.0, position=(0.5, 0, 1))
    door.angular_velocity, door.velocity = (0, 0, 2.0), (0, 1.0, 0)
    friction = rc.JointFriction(coefficient=0.2, radius=0.01)
    for z in (0.2, 1.0, 1.8):
        world.add_joint(
            kind="revolute", body=door, point=(0, 0, z), axis=(0, 0, 1), angle=friction,
            name=f"hinge {z}",
        )  # fmt: skip
    run = rc.simulate(world, until=2.0, step=0.002)
    assert run.converged
    force = np.array([run.joint(f"hinge {z}").force for z in (0.2, 1.0, 1.8)])[:, 1:]
    np.testing.assert_allclose(force[..., 2].sum(axis=0), 20 * G, rtol=1e-9)
    np.testing.assert_allclose(force[..., 2], 20 * G / 3, rtol=1e-3)  # shares of the first step
    assert np.linalg.norm(force, axis=2).max() < 20 * G


def test_a_motor_against_an_end_is_told():
    """A prescribed speed and the end of the range: no force is enough. It is told, nothing moves
    past the end, and when the motor turns back all is well again."""
    way = rc.TimeTable(times=[0.0, 0.2, 0.21, 1.0], values=[1.0, 1.0, -1.0, -1.0])
    world = slider([rc.Motor(speed=way), rc.Limits(upper=0.1)])
    run = rc.simulate(world, until=0.3, step=0.01)
    place = run.joint("guide").coordinate["slide"]
    assert not run.converged
    assert run.residual.max() > 1e-6
    assert "ask for what cannot be" in run.summary()
    assert place.max() <= 0.1 + 1e-12
    back = run.time > 0.23
    assert not run.unconverged[back].any()
    np.testing.assert_allclose(run.joint("guide").rate["slide"][back], -1.0, atol=1e-12)
    assert np.abs(run.joint("guide").effort["slide.motor"][back]).max() < 1e-6
    with pytest.raises(rc.NotConvergedError, match="no solution"):
        rc.simulate(world, until=0.3, step=0.01, strict=True)


def test_a_loop_that_cannot_close_is_told_and_stays_where_it_is():
    world = rc.World(gravity=(0, 0, -G))
    body = world.add_sphere(radius=0.1, mass=1.0, position=(1, 0, 0))
    world.add_joint(kind="distance", body=body, point=(0, 0, 0))
    world.add_joint(kind="distance", body=body, point=(5, 0, 0), distance=3.0)  # 1 + 3 < 5
    run = rc.simulate(world, until=0.2, step=0.01)
    assert run.drift.max() == pytest.approx(1.0)
    assert "loops that cannot close" in run.summary()
    place = run.body(body).position
    assert (place[1:, 0] > 0.9).all()
    assert (place[1:, 0] < 2.1).all()
    assert np.abs(place[1:, 1:]).max() < 0.5


def test_bodies_that_begin_apart_are_told():
    world = rc.World()
    body = world.add_sphere(radius=0.1, mass=1.0, position=(1, 0, 0))
    world.add_joint(kind="distance", body=body, point=(0, 0, 0), distance=1.3)
    run = rc.simulate(world, until=0.1, step=0.01)
    assert run.drift[1] == pytest.approx(0.3)
    assert run.drift[2:].max() < 1e-13
    assert "bodies that begin apart" in run.summary()


@pytest.mark.parametrize(
    ("drive", "leap"),
    [
        (lambda t: 0.0 if t < 0.05 else 0.7, 0.7),
        (lambda t: t if t < 0.0512 else 0.7 + t, 0.7),
        (lambda t: 0.4, 0.4),  # at the start
        (lambda t: max(0.0, t - 0.053), 0.0),  # a corner is no leap
        (lambda t: 0.1 * math.sin(9 * t), 0.0),
        (rc.TimeTable(times=[0.0, 0.05, 0.1], values=[0.0, 0.2, 0.0]), 0.0),
    ],
)
def test_drives_that_leap_are_told(drive, leap):
    run = rc.simulate(slider(rc.Motor(position=drive)), until=0.1, step=0.01)
    assert run.drift.max() == pytest.approx(leap, abs=1e-9)
    assert ("drives that jump" in run.summary()) == (leap > 0.0)
    value = drive(0.1) if callable(drive) else 0.0
    assert run.joint("guide").coordinate["slide"][-1] == pytest.approx(value, abs=1e-12)
    assert abs(run.joint("guide").rate["slide"]).max() < 5.0  # not of the leap


def test_a_drive_that_fails_is_told_with_its_joint():
    def drive(t: float) -> float:
        return 1.0 / (0.0 if t > 0.05 else 1.0)

    words = r"slide of joint 'guide': its drive fails near t = 0.05 s: ZeroDivisionError"
    with pytest.raises(rc.SimulationError, match=words):
        rc.simulate(slider(rc.Motor(speed=drive)), until=0.1, step=0.01)
