"""Gears hold their ratio over many turns, on fixed and moving carriers; angles are counted on, also
at more than half a turn per step; what joins two free bodies keeps their momentum."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollcone as rc
from rollcone.mechanics.rotations import rotation_matrix


def wheel(world: rc.World, x: float, moment: float, rate: float = 0.0, **options) -> rc.Body:
    return world.add_sphere(
        radius=0.1, mass=1.0, inertia=(1, 1, moment), position=(x, 0, 0),
        angular_velocity=(0, 0, rate), **options,
    )  # fmt: skip


def hinge(world: rc.World, body: rc.Body, base: rc.Body | None = None, **options) -> rc.Joint:
    return world.add_joint(
        kind="revolute", body=body, base=base, point=body.position, axis=(0, 0, 1), **options
    )


@given(st.floats(-4, 4).filter(lambda r: abs(r) > 0.2), st.floats(0.1, 5), st.floats(0.1, 5))
def test_two_geared_wheels(ratio, first, second):
    """q1 = r q2; a torque T on the second: (J2 + r^2 J1) q2'' = T. Its teeth bear r J1 q2''."""
    world = rc.World()
    a, b = wheel(world, 0.0, first), wheel(world, 1.0, second, torque=(0, 0, 2.0))
    joints = [hinge(world, a, name="a"), hinge(world, b, name="b")]
    world.add_joint(kind="gear", joints=joints, ratio=ratio)
    run = rc.simulate(world, until=0.5, step=0.05)
    growth = 2.0 / (second + ratio**2 * first)
    angle = growth * run.time**2 / 2
    np.testing.assert_allclose(run.joint("b").coordinate["angle"], angle, atol=1e-9)
    np.testing.assert_allclose(run.joint("a").coordinate["angle"], ratio * angle, atol=1e-9)
    assert run.energy.kinetic[-1] == pytest.approx(2.0 * angle[-1])


def test_a_gear_over_many_turns_of_a_chain_of_rods():
    """Twelve turns of a motor, two hinges off centre, gravity that pushes and pulls: the ratio is
    kept to rounding."""
    world = rc.World(gravity=(0, -9.81, 0))
    a = world.add_sphere(radius=0.1, mass=1.0, inertia=(1, 1, 0.5), position=(0.3, 0, 0))
    b = world.add_sphere(radius=0.1, mass=2.0, inertia=(1, 1, 0.2), position=(2, 0.4, 0))
    drive = rc.Motor(speed=rc.Sine(amplitude=4.0, frequency=0.1, mean=8.0))
    one = world.add_joint(
        kind="revolute", body=a, point=(0, 0, 0), axis=(0, 0, 1), angle=drive, name="one"
    )
    two = world.add_joint(kind="revolute", body=b, point=(2, 0, 0), axis=(0, 0, 1), name="two")
    world.add_joint(kind="gear", joints=[two, one], ratio=-2.5)
    run = rc.simulate(world, until=10.0, step=0.01)
    first, second = (run.joint(name).coordinate["angle"] for name in ("one", "two"))
    assert first[-1] > 12 * 2 * math.pi
    np.testing.assert_allclose(second, -2.5 * first, rtol=0, atol=1e-11)
    assert run.drift.max() < 1e-12


def test_rack_and_pinion():
    """An angle geared to a slide: s = r q."""
    world = rc.World()
    pinion, rack = wheel(world, 0.0, 0.5), wheel(world, 2.0, 1.0, force=(3, 0, 0))
    turn = hinge(world, pinion)
    slide = world.add_joint(kind="prismatic", body=rack, axis=(1, 0, 0), name="rack")
    world.add_joint(kind="gear", joints=[slide, turn], ratio=0.2)
    run = rc.simulate(world, until=1.0, step=0.01)
    exact = 3.0 / (1.0 + 0.5 / 0.2**2) * run.time**2 / 2
    np.testing.assert_allclose(run.joint("rack").coordinate["slide"], exact, atol=1e-10)


def test_a_screw():
    """The angle and the slide of one cylindrical joint: it goes down by its pitch per turn."""
    pitch, moment = 0.05, 0.02
    world = rc.World(gravity=(0, 0, -9.81))
    nut = world.add_sphere(radius=0.1, mass=1.0, inertia=(1, 1, moment))
    screw = world.add_joint(kind="cylindrical", body=nut, point=(0, 0, 0), axis=(0, 0, 1))
    world.add_joint(
        kind="gear", joints=[(screw, "slide"), (screw, "angle")], ratio=pitch / (2 * math.pi)
    )
    run = rc.simulate(world, until=4.0, step=0.01)
    lead = pitch / (2 * math.pi)
    fall = 9.81 / (1 + moment / lead**2)
    track = run.joint(screw)
    np.testing.assert_allclose(track.coordinate["slide"], -fall * run.time**2 / 2, atol=1e-9)
    np.testing.assert_allclose(track.coordinate["angle"], track.coordinate["slide"] / lead)
    assert track.coordinate["angle"][-1] < -2 * math.pi


def test_an_epicyclic_gear():
    """Sun, carrier, planet and ring: three rows of bodies on a moving carrier. With the ring held
    the carrier turns at ws Zs / (Zs + Zr); kinetic energy gives the acceleration of the sun."""
    sun_radius, planet_radius = 0.2, 0.15
    ring_radius, arm = sun_radius + 2 * planet_radius, sun_radius + planet_radius
    torque, moment, mass = 0.7, (0.03, 0.08, 0.01), 1.0
    world = rc.World()
    sun = world.add_sphere(radius=0.01, mass=mass, inertia=(1, 1, moment[0]), torque=(0, 0, torque))
    carrier = world.add_sphere(radius=0.01, mass=mass, inertia=(1, 1, moment[1]))
    planet = world.add_sphere(
        radius=0.01, mass=mass, inertia=(1, 1, moment[2]), position=(arm, 0, 0)
    )
    held = world.add_joint(kind="revolute", body=carrier, point=(0, 0, 0), axis=(0, 0, 1), name="c")
    own = world.add_joint(
        kind="revolute", body=planet, base=carrier, point=(arm, 0, 0), axis=(0, 0, 1), name="p"
    )
    on_carrier = world.add_joint(
        kind="revolute", body=sun, base=carrier, point=(0, 0, 0), axis=(0, 0, 1), name="s"
    )
    # Against the carrier: sun and planet turn against each other; so do ring (held) and planet.
    world.add_joint(kind="gear", joints=[own, on_carrier], ratio=-sun_radius / planet_radius)
    world.add_joint(kind="gear", joints=[own, held], ratio=-ring_radius / planet_radius)
    run = rc.simulate(world, until=2.0, step=0.01)
    assert run.converged
    share = sun_radius / (sun_radius + ring_radius)  # of the carrier
    planet_rate = share * (1 - ring_radius / planet_radius)
    inertia = moment[0] + (moment[1] + mass * arm**2) * share**2 + moment[2] * planet_rate**2
    rate = torque / inertia * run.time
    turning = run.states("angular_velocity")[:, :, 2]
    assert rate[-1] * run.time[-1] / 2 > 2 * 2 * math.pi  # two turns of the sun and more
    for k, factor in enumerate((1.0, share, planet_rate)):
        np.testing.assert_allclose(turning[:, k], factor * rate, rtol=0, atol=3e-4 * rate[-1])
    np.testing.assert_allclose(turning[:, 1], share * turning[:, 0], rtol=0, atol=1e-10)
    np.testing.assert_allclose(turning[:, 2], planet_rate * turning[:, 0], rtol=0, atol=1e-10)


@pytest.mark.parametrize("rate", [50.0, -200.0, 1000.0])
def test_angles_at_more_than_half_a_turn_per_step(rate):
    """At h = 0.1 s: up to sixteen turns per step, of a wheel and of one that hangs on it."""
    world = rc.World()
    a = wheel(world, 0.0, 0.5, rate)
    b = wheel(world, 0.0, 0.5, -rate)
    hinge(world, a, name="a")
    hinge(world, b, a, name="b", collide=False)
    run = rc.simulate(world, until=2.0, step=0.1)
    np.testing.assert_allclose(run.joint("a").coordinate["angle"], rate * run.time, rtol=1e-9)
    np.testing.assert_allclose(run.joint("b").coordinate["angle"], -2 * rate * run.time, rtol=1e-9)


def momenta(run: rc.Run) -> tuple[np.ndarray, np.ndarray]:
    """Linear and angular momentum over time, of all bodies."""
    s = run.world.state
    x, v, w = (run.states(name) for name in ("position", "velocity", "angular_velocity"))
    turns = run.states("orientation")
    linear = np.einsum("b,tbk->tk", s.mass, v)
    angular = np.einsum("b,tbk->tk", s.mass, np.cross(x, v))
    for b in range(len(s.mass)):
        R = np.array([rotation_matrix(q) for q in turns[:, b]])
        P = rotation_matrix(s.principal[b])
        axes = R @ P
        own = np.einsum("tji,tj->ti", axes, w[:, b]) * s.inertia[b]
        angular += np.einsum("tij,tj->ti", axes, own)
    return linear, angular


KINDS = ("spherical", "revolute", "prismatic", "cylindrical", "universal", "fixed", "distance")


@pytest.mark.parametrize("kind", KINDS)
def test_joints_between_free_bodies_keep_momentum(kind):
    """Linear momentum to rounding; angular momentum to second order in h over a given time."""
    change = []
    for h in (0.01, 0.005):
        world = rc.World()
        for x, moments, turning in (
            (0.0, (0.1, 0.2, 0.25), (1, -2, 0.5)),
            (0.7, (0.3, 0.2, 0.15), (-0.5, 1, 2)),
        ):
            world.add_box(
                size=(0.1, 0.1, 0.1), mass=1.0 + x, inertia=moments, position=(x, 0, 0),
                velocity=(0.2, -x, 0.4), angular_velocity=turning,
            )  # fmt: skip
        given = {"point": (0.3, 0.1, 0.2)} if kind != "fixed" else {}
        if kind == "distance":
            given = {"point": (0.1, 0.1, 0), "point2": (0.6, 0.2, 0)}
        elif kind not in ("spherical", "fixed"):
            given["axis"] = (1, 2, 2)
        if kind == "universal":
            given["axis2"] = (2, -2, 1)
        world.add_joint(kind=kind, body=1, base=0, **given)
        run = rc.simulate(world, until=1.0, step=h)
        linear, angular = momenta(run)
        assert np.ptp(linear, axis=0).max() < 1e-12
        later = angular[round(0.1 / h) :]  # velocities did not fit at the start
        change.append(np.ptp(later, axis=0).max() / np.abs(angular).max())
    assert change[0] < 3e-3
    assert change[1] < 0.3 * change[0] + 1e-12
