"""Mechanisms against closed forms and Lagrange's equations: motion and reactions of second order,
joints that do not open, energy that is accounted for."""

import numpy as np
import pytest
from cartesian_linkages import Hinge
from mechanism_references import Motion, pendulum_reaction
from single_mass_references import driven_flywheel

import rollcone as rc
from mechanisms import (
    GROUND_LINK,
    MECHANISMS,
    PLANE,
    ROD,
    TOP,
    G,
    gyroscope_motion,
    pendulum_world,
    world_of,
)

# The step, and bounds at it: of positions, velocities, turning rates, and of reactions as a share
# of the largest. Half the step makes a quarter of each error.
STEPS = {
    "pendulum": (0.01, 1.5e-4, 9e-4, 1e-3, 5e-4),
    "double pendulum": (0.01, 2e-4, 1e-3, 6e-3, 4e-4),
    "slider-crank": (0.005, 5e-4, 9e-3, 0.04, 9e-3),
    "four-bar": (0.005, 4e-4, 7e-3, 0.012, 3e-3),
}
EACH_PLANE = pytest.mark.parametrize("name", PLANE)


def plane_run(name: str, h: float) -> tuple[rc.Run, Motion]:
    run = rc.simulate(world_of(name), until=0.5, step=h)
    assert run.converged
    assert run.residual.max() <= 1e-12
    return run, PLANE[name].motion(run.time)


def motion_errors(run: rc.Run, motion: Motion) -> np.ndarray:
    """Of positions, velocities and turning rates, each the largest."""
    position, velocity = run.states("position"), run.states("velocity")
    turning = run.states("angular_velocity")
    assert not position[..., 2].any()  # it stays in its plane
    assert not velocity[..., 2].any()
    assert not turning[..., :2].any()
    return np.array(
        [
            np.abs(position[..., :2] - motion.centres).max(),
            np.abs(velocity[..., :2] - motion.velocities).max(),
            np.abs(turning[..., 2] - motion.angular_rates).max(),
        ]
    )


def in_world_axes(force: np.ndarray, hinge: Hinge, middle: Motion, start: Motion) -> np.ndarray:
    """Reactions in joint axes (times, 3), which turn with the base, as (times, 2)."""
    if hinge.second < 0:
        return force[:, :2]
    angle = middle.angles[:, hinge.second] - start.angles[0, hinge.second]
    cosine, sine = np.cos(angle), np.sin(angle)
    x, y = force[:, 0], force[:, 1]
    return np.column_stack([cosine * x - sine * y, sine * x + cosine * y])


def reaction_error(name: str, run: rc.Run) -> float:
    """The largest, of any hinge and step, over the largest reaction. The twin's reactions are those
    in the middle of each step."""
    plane, twin = PLANE[name], PLANE[name].twin
    middle, start = plane.motion(run.time[1:] - run.step / 2), plane.motion([0.0])
    places = np.concatenate([middle.centres, middle.angles[..., None]], axis=2)
    rates = np.concatenate([middle.velocities, middle.angular_rates[..., None]], axis=2)
    states = np.stack([places, rates], axis=1).reshape(len(places), -1)
    exact = np.array([twin.accelerations(state)[1] for state in states])
    worst = 0.0
    for k, hinge in enumerate(plane.hinges):
        track = run.joint(f"hinge {k}")
        force = in_world_axes(track.force[1:], hinge, middle, start)
        worst = max(worst, np.abs(force - exact[:, 2 * k : 2 * k + 2]).max())
        assert np.abs(track.torque).max() < 1e-9  # a hinge without friction in a plane
    return worst / np.abs(exact).max()


@EACH_PLANE
def test_motion_and_reactions_are_of_second_order(name):
    h, *bounds = STEPS[name]
    errors = []
    for step in (h, h / 2):
        run, motion = plane_run(name, step)
        errors.append([*motion_errors(run, motion), reaction_error(name, run)])
        assert run.drift.max() < 1e-13
    coarse, fine = np.array(errors)
    assert (coarse < bounds).all(), coarse
    ratio = coarse / fine
    assert ((ratio > 3.7) & (ratio < 4.7)).all(), ratio


@EACH_PLANE
def test_energy_is_accounted_for(name):
    """Nothing acts but gravity and joints, which do no work: the sum is kept to second order. What
    closing the joints takes after each step is of third order, and nothing is left unexplained."""
    h = STEPS[name][0] / 4  # at larger steps errors of second and third order cancel out
    closed, lost = [], []
    for step in (h, h / 2):
        energy = plane_run(name, step)[0].energy
        total = energy.kinetic + energy.potential
        assert np.abs(np.diff(energy.remainder)).max() < 2e-15 * energy.kinetic.max()
        assert np.abs(energy.remainder).max() < 1e-13 * energy.kinetic.max()
        assert np.diff(energy.joints).max() <= 1e-16 * energy.kinetic.max()  # closing only takes
        closed.append(np.abs(energy.joints).max() / energy.kinetic.max())
        lost.append(np.ptp(total) / energy.kinetic.max())
        assert not energy.drive.any()
    assert lost[0] < 2e-6
    assert lost[0] > 3 * lost[1]
    assert closed[0] < 6e-7
    assert closed[0] > 7 * closed[1]


def test_the_force_of_a_pendulum():
    """Its hinge in closed form, and by the momentum that it gives."""
    h = 0.005
    run, _ = plane_run("pendulum", h)
    middle = PLANE["pendulum"].motion(run.time[1:] - h / 2)
    theta, rate = middle.coordinates[:, 0], middle.rates[:, 0]
    radial, tangential = pendulum_reaction(ROD, theta, rate, G)
    force = run.joint("hinge 0").force[1:]
    up = np.column_stack([-np.sin(theta), np.cos(theta)])
    along = np.column_stack([np.cos(theta), np.sin(theta)])
    exact = radial[:, None] * up + tangential[:, None] * along
    assert np.abs(force[:, :2] - exact).max() < 3e-4 * np.abs(exact).max()
    momentum = ROD.mass * np.diff(run.states("velocity")[:, 0], axis=0) / h
    np.testing.assert_allclose(force, momentum + ROD.mass * G * np.array([0, 1, 0]), atol=1e-10)


def gyroscope_errors(h: float) -> np.ndarray:
    run = rc.simulate(world_of("gyroscope"), until=0.2, step=h)
    assert run.converged
    assert run.drift.max() < 1e-13
    motion = gyroscope_motion(run.time)
    tracks = [run.joint(name) for name in ("outer", "inner", "spin")]
    angles = np.stack([track.coordinate["angle"] for track in tracks], axis=1)
    rates = np.stack([track.rate["angle"] for track in tracks], axis=1)
    assert angles[-1, 2] > 11.0  # almost two turns, counted on
    return np.array(
        [
            np.abs(angles - motion.coordinates + motion.coordinates[0]).max(),
            np.abs(rates - motion.rates).max(),
            np.abs(run.states("position")[:, 2] - motion.rotor_centres).max() / TOP.distance,
            np.abs(run.states("angular_velocity") - motion.angular_velocities).max(),
        ]
    )


def test_a_gyroscope_in_its_gimbal():
    coarse, fine = gyroscope_errors(0.002), gyroscope_errors(0.001)
    assert (coarse < (2e-3, 0.08, 2e-3, 0.08)).all(), coarse
    ratio = coarse / fine
    assert ((ratio > 3.7) & (ratio < 4.4)).all(), ratio


@pytest.mark.parametrize("h", [0.01, 0.003])
def test_a_wheel_on_a_motor_with_a_limit(h):
    """Full torque until the speed is reached, then that of friction."""
    moment, friction, limit, target = 0.3, 0.4, 1.5, 5.0
    world = rc.World(gravity=(0, 0, -G))
    wheel = world.add_sphere(radius=0.1, mass=2.0, inertia=(0.2, 0.1, moment))
    world.add_joint(
        kind="revolute", body=wheel, point=(0, 0, 0), axis=(0, 0, 1), name="shaft",
        angle=[rc.Motor(speed=target, limit=limit), rc.JointFriction(limit=friction)],
    )  # fmt: skip
    run = rc.simulate(world, until=2.1, step=h)
    angle, speed, torque = driven_flywheel(moment, friction, limit, target, run.time)
    track = run.joint("shaft")
    np.testing.assert_allclose(track.coordinate["angle"], angle, atol=2 * h**2)
    np.testing.assert_allclose(track.rate["angle"], speed, atol=1e-9)
    reached = target * moment / (limit - friction)
    steady = np.abs(run.time - reached) > h
    steady[0] = False  # before the first step nothing acts
    motor, rubbing = track.effort["angle.motor"], track.effort["angle.friction"]
    np.testing.assert_allclose(motor[steady], torque[steady], atol=1e-9)
    np.testing.assert_allclose(rubbing[1:], -friction, atol=1e-9)
    np.testing.assert_allclose(track.torque[1:, 2], motor[1:] + rubbing[1:], atol=1e-9)
    energy = run.energy
    turned = np.diff(track.coordinate["angle"])
    np.testing.assert_allclose(energy.drive[-1], (motor[1:] * turned).sum(), rtol=1e-9)
    np.testing.assert_allclose(energy.joints[-1], -friction * angle[-1], rtol=h**2)
    assert np.abs(energy.remainder).max() < 1e-9 * energy.kinetic.max()


@pytest.mark.parametrize(
    "scheme", [rc.DVI(), rc.MoreauJean(theta=0.5), rc.MoreauMidpoint()], ids=lambda s: s.name
)
def test_other_schemes_converge_to_the_same_motion(scheme):
    """Of first order at least; DVI, which closes joints by velocities, leaves an error O(h^2)."""
    errors, open_by = [], []
    for h in (0.01, 0.005):
        run = rc.simulate(pendulum_world(), until=0.5, step=h, scheme=scheme)
        assert run.converged
        errors.append(motion_errors(run, PLANE["pendulum"].motion(run.time)))
        open_by.append(run.drift.max())
    assert (errors[0] < (0.02, 0.12, 0.12)).all(), errors
    assert (errors[0] / errors[1] > 1.8).all(), errors
    if scheme.name == "DVI":
        assert open_by[0] < 1e-3
        assert open_by[0] / open_by[1] > 3.5
    else:
        assert open_by[0] < 1e-13


# Energy lost in 100 s at h = 0.01 s, as a share of the largest kinetic energy (as measured, and
# some more): it falls in all of them.
LOST = {
    "pendulum": 4e-3,
    "double pendulum": 3e-3,
    "slider-crank": 0.25,
    "four-bar": 0.13,
    "gyroscope": 0.07,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MECHANISMS)
def test_long_runs(name):
    run = rc.simulate(world_of(name), until=100.0, step=0.01, record_every=10)
    assert run.converged
    size = TOP.distance if name == "gyroscope" else GROUND_LINK
    assert run.drift.max() < 1e-6 * size
    energy = run.energy
    total = energy.kinetic + energy.potential
    change = (total - total[0]) / energy.kinetic.max()
    assert change.min() > -LOST[name]
    assert change.max() < 0.02 * LOST[name] + 1e-4
    assert np.abs(energy.remainder + energy.correction).max() < LOST[name] * energy.kinetic.max()
