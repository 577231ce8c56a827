"""Velocities that do not obey the joints when a run begins: the least impulses of the joints mend
them, as an impact would, before the first step. No energy comes of it, at any turn per step."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import rollcone as rc

KINDS = ["spherical", "revolute", "prismatic", "fixed", "universal"]


def thrown_pair(kind: str, seed: int, rate: float) -> rc.World:
    """A needle and a plate that a joint holds in free space, at random velocities and rates up to
    `rate` (rad/s)."""
    rng = np.random.default_rng(seed)
    world = rc.World()
    sizes = (4e-3, 4e-3, 0.3), (0.2, 0.2, 4e-3)
    needle, plate = (
        world.add_box(
            size=size, density=1000, position=rng.uniform(-0.1, 0.1, 3),
            orientation=Rotation.random(random_state=rng.integers(99)).as_quat(scalar_first=True),
            velocity=rng.normal(size=3), angular_velocity=rng.uniform(-rate, rate, 3),
        )
        for size in sizes
    )  # fmt: skip
    more = {} if kind == "fixed" else {"point": rng.uniform(-0.1, 0.1, 3)}
    if kind not in ("spherical", "fixed"):
        more["axis"] = (0, 0, 1)
    if kind == "universal":
        more["axis2"] = (1, 0, 0)
    world.add_joint(kind=kind, body=needle, base=plate, **more)
    return world


def motion(state, k=slice(None)) -> tuple[float, np.ndarray, np.ndarray]:
    """Kinetic energy, linear and angular momentum of the bodies of a world, by plain sums."""
    total, linear, angular = 0.0, np.zeros(3), np.zeros(3)
    for i, mass in enumerate(state.mass):
        turn = Rotation.from_quat(state.orientation[i], scalar_first=True)
        turn *= Rotation.from_quat(state.principal[i], scalar_first=True)
        spin = turn.apply(state.inertia[i] * turn.inv().apply(state.angular_velocity[i]))
        v = state.velocity[i]
        total += 0.5 * (mass * v @ v + spin @ state.angular_velocity[i])
        linear += mass * v
        angular += mass * np.cross(state.position[i], v) + spin
    return total, linear, angular


@given(st.sampled_from(KINDS), st.integers(0, 10_000), st.sampled_from([1.0, 30.0, 300.0]))
def test_the_first_step_makes_no_energy(kind, seed, rate):
    world = thrown_pair(kind, seed, rate)
    before = motion(world.state)
    run = rc.simulate(world, until=5e-3, step=5e-3)
    assert run.energy.kinetic[0] == pytest.approx(before[0], rel=1e-12)
    assert run.energy.kinetic[1] <= (1 + 1e-9) * before[0]
    assert run.energy.joints[1] == pytest.approx(np.diff(run.energy.kinetic)[0], rel=1e-6)
    np.testing.assert_allclose(motion(run.world.state)[1], before[1], atol=1e-13)


@given(st.sampled_from(KINDS), st.integers(0, 10_000))
def test_the_impulses_of_a_misfit_keep_both_momenta(kind, seed):
    """In a step in which bodies hardly move, that is all that happens."""
    world = thrown_pair(kind, seed, 30.0)
    _, linear, angular = motion(world.state)
    after = motion(rc.simulate(world, until=1e-9, step=1e-9).world.state)
    np.testing.assert_allclose(after[1], linear, atol=1e-13)
    np.testing.assert_allclose(after[2], angular, atol=1e-9 * np.abs(angular).max())


def test_a_misfit_is_mended_by_the_least_change():
    """Of two balls on a spherical joint, in the metric of the masses: by a plain least square."""
    world = rc.World()
    places, point = ((0.0, 0.0, 0.0), (1.0, 0.2, 0.0)), np.array([0.4, 0.3, 0.1])
    rng, balls = np.random.default_rng(1), []
    for place, radius in zip(places, (0.1, 0.2), strict=True):
        balls.append(
            world.add_sphere(
                radius=radius, density=1000, position=place, velocity=rng.normal(size=3),
                angular_velocity=rng.normal(size=3),
            )
        )  # fmt: skip
    world.add_joint(kind="spherical", body=balls[1], base=balls[0], point=point)
    state = world.state
    G = np.zeros((3, 12))  # of (v, w) of both bodies: rates of the two points
    for i, sign in enumerate((-1.0, 1.0)):
        G[:, 6 * i : 6 * i + 3] = sign * np.eye(3)
    for k in range(3):  # u = w x r: columns by unit rates
        for i, sign in enumerate((-1.0, 1.0)):
            G[:, 6 * i + 3 + k] = sign * np.cross(np.eye(3)[k], point - state.position[i])
    v = np.concatenate([[*state.velocity[i], *state.angular_velocity[i]] for i in (0, 1)])
    inverse = np.concatenate(
        [[1 / state.mass[i]] * 3 + [1 / state.inertia[i, 0]] * 3 for i in (0, 1)]
    )
    wanted = v - inverse * (G.T @ np.linalg.solve(G @ (inverse[:, None] * G.T), G @ v))
    after = rc.simulate(world, until=1e-9, step=1e-9).world.state
    found = np.concatenate([[*after.velocity[i], *after.angular_velocity[i]] for i in (0, 1)])
    np.testing.assert_allclose(found, wanted, atol=1e-7)
    assert np.abs(wanted - v).max() > 0.1


def test_a_step_that_fails_leaves_velocities_as_they_were():
    """Two meshes that meet are an error, in the first step: after it the joint has done nothing."""
    world = thrown_pair("revolute", 3, 30.0)
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    for x in (5.0, 5.1):
        world.add_mesh(vertices=corners, triangles=faces, density=1000, position=(x, 0, 0))
    simulation = rc.Simulation(world, step=1e-3)
    state = simulation.world.state
    before = state.velocity.copy(), state.angular_velocity.copy()
    with pytest.raises(rc.SimulationError):
        simulation.take_step()
    np.testing.assert_array_equal(state.velocity, before[0])
    np.testing.assert_array_equal(state.angular_velocity, before[1])
