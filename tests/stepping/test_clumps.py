"""Clumps in motion: like a sphere if they are one, at rest on their balls, what is conserved."""

import numpy as np
import pytest

import rollcone as rc
from rollcone.mechanics.rotations import rotation_matrix

G = 9.81
TETRAPOD = [(0.1, 0.1, 0.1, 0.1), (0.1, -0.1, -0.1, 0.1), (-0.1, 0.1, -0.1, 0.1),
            (-0.1, -0.1, 0.1, 0.1)]  # fmt: skip
DUMBBELL = [(-0.2, 0, 0, 0.1), (0.2, 0, 0, 0.1)]


def floor(sliding: float = 0.4, **law: float) -> rc.World:
    world = rc.World(gravity=(0, 0, -G))
    world.add_plane()
    world.set_contact_law(rc.ContactLaw(sliding=sliding, **law))
    return world


def test_one_ball_moves_like_a_sphere():
    """It falls with spin, hits another, rolls and stops, as spheres do."""

    def moved(first: bool) -> rc.Run:
        world = floor(rolling=0.01, spinning=0.01, restitution=0.4)
        moving = {"position": (0, 0, 0.5), "velocity": (1, 0.2, 0), "angular_velocity": (3, 2, 1)}
        if first:
            world.add_clump(spheres=[(0, 0, 0, 0.1)], mass=2.0, **moving)
        else:
            world.add_sphere(radius=0.1, mass=2.0, **moving)
        world.add_sphere(radius=0.2, mass=1.0, position=(0.7, 0.1, 0.2))
        return rc.simulate(world, until=1.0, step=5e-3)

    clump, sphere = moved(True), moved(False)
    assert sphere.contact_count.max() >= 2
    for name in ("position", "orientation", "velocity", "angular_velocity"):
        np.testing.assert_allclose(clump.states(name), sphere.states(name), atol=1e-9)


@pytest.mark.parametrize("scheme", [rc.GapAhead(), rc.DVI(), rc.MoreauJean(), rc.MoreauMidpoint()])
def test_a_dumbbell_rests_on_two_points(scheme):
    world = floor()
    body = world.add_clump(spheres=DUMBBELL, density=1000, position=(0, 0, 0.1))
    run = rc.simulate(world, until=0.2, step=5e-3, scheme=scheme)
    last = run.contacts(-1)
    assert len(last) == 2
    np.testing.assert_allclose(last.reaction[:, 0], 0.5 * body.mass * G, rtol=1e-9)
    np.testing.assert_allclose(np.sort(last.point[:, 0]), (-0.2, 0.2), atol=1e-12)
    np.testing.assert_allclose(run.body(body).position[-1], (0, 0, 0.1), atol=1e-12)


def test_a_tetrapod_falls_and_comes_to_rest_on_three_points():
    world = floor()
    pod = world.add_clump(
        spheres=TETRAPOD, density=1000, position=(0, 0, 0.6),
        orientation=rc.rotation((1, 2, 3), 40), angular_velocity=(1, 0, 2),
    )  # fmt: skip
    run = rc.simulate(world, until=1.5, step=5e-3, record_every=20)
    track, last = run.body(pod), run.contacts(-1)
    assert len(last) == 3
    assert last.reaction[:, 0].sum() == pytest.approx(pod.mass * G, rel=1e-6)
    assert np.abs(track.velocity[-1]).max() < 1e-9
    heights = np.sort((rotation_matrix(track.orientation[-1]) @ pod.spheres[:, :3].T)[2])
    heights += track.position[-1, 2] - 0.1
    np.testing.assert_allclose(heights[:3], 0, atol=1e-6)
    assert heights[3] > 0.2
    assert abs(run.energy.remainder[-1]) < 0.05 * run.energy.potential[0]


def test_free_rotation_keeps_energy_and_momentum():
    world = rc.World()
    body = world.add_clump(
        spheres=[(0, 0, 0, 0.2), (0.3, 0, 0, 0.1), (0, 0.25, 0.1, 0.15)], density=1000,
        velocity=(1, 0, 0), angular_velocity=(3, 0.1, 5),
    )  # fmt: skip
    run = rc.simulate(world, until=2.0, step=0.01)
    state = world.state
    axes = rotation_matrix(state.principal[0])
    tensor = axes @ np.diag(state.inertia[0]) @ axes.T
    track = run.body(body)
    momentum = [
        (turn := rotation_matrix(q)) @ tensor @ turn.T @ w
        for q, w in zip(track.orientation, track.angular_velocity, strict=True)
    ]
    np.testing.assert_allclose(momentum, np.tile(momentum[0], (201, 1)), rtol=1e-11)
    np.testing.assert_allclose(run.energy.kinetic, run.energy.kinetic[0], rtol=1e-12)
    assert np.ptp(track.angular_velocity, axis=0).min() > 0.1  # it does tumble
    assert np.ptp(state.inertia[0]) > 0.1 * state.inertia.max()


def test_clumps_that_collide_keep_momentum():
    """And lose the energy that the audit says, with friction and rebound."""
    world = rc.World()
    world.set_contact_law(rc.ContactLaw(sliding=0.3, restitution=0.5))
    bodies = [
        world.add_clump(
            spheres=TETRAPOD, density=1000, position=(0.6 * k, 0.1 * k, 0.05 * k),
            velocity=(1.0 - k, 0, 0), angular_velocity=(0, k, 1),
        )
        for k in range(3)
    ]  # fmt: skip
    run = rc.simulate(world, until=0.6, step=1e-3)
    assert run.contact_count.max() > 0
    mass = bodies[0].mass
    total = mass * run.states("velocity").sum(axis=1)
    np.testing.assert_allclose(total, np.tile(total[0], (len(total), 1)), atol=1e-10 * mass)
    energy = run.energy
    assert energy.kinetic[-1] < 0.99 * energy.kinetic[0]
    assert abs(energy.remainder[-1]) < 1e-3 * energy.kinetic[0]
    overlap = max(-run.contacts(k).gap.min(initial=0.0) for k in range(len(run.time)))
    assert overlap < 1e-4


def test_a_heap_of_clumps_holds():
    """Dumbbells on boxes and capsules: all stay where they lie."""
    world = floor(0.8)
    world.add_box(size=(0.6, 0.6, 0.2), density=1000, position=(0, 0, 0.1))
    top = world.add_clump(spheres=DUMBBELL, density=1000, position=(0, 0, 0.3))
    world.add_capsule(
        radius=0.1, length=0.6, fixed=True, position=(1.2, 0, 0.1),
        orientation=rc.rotation((1, 0, 0), 90),
    )  # fmt: skip
    world.add_clump(spheres=DUMBBELL, density=1000, position=(1.2, 0, 0.3), name="beam")
    run = rc.simulate(world, until=0.3, step=5e-3)
    np.testing.assert_allclose(run.body(top).position[-1], (0, 0, 0.3), atol=1e-9)
    assert run.body("beam").position[-1, 2] < 0.3  # on the capsule it is not held: it falls
    pairs = {tuple(pair) for pair in run.contacts(-1).bodies.tolist()}
    assert (1, 2) in pairs


@pytest.mark.slow
def test_a_run_goes_on(tmp_path):
    """A file of it, cut and resumed: the same bits."""

    def world() -> rc.World:
        found = floor(rolling=1e-3)
        found.add_emitter(
            shape="clump", spheres=DUMBBELL, density=1000, low=(-0.2, -0.2, 0.6),
            high=(0.2, 0.2, 1.9), rate=20, count=3, seed=2,
        )  # fmt: skip
        found.add_clump(spheres=TETRAPOD, density=1000, position=(0, 0, 0.3))
        return found

    whole = rc.simulate(world(), until=0.3, step=5e-3)
    path = tmp_path / "run.h5"
    rc.simulate(world(), until=0.15, step=5e-3, output=path)
    run = rc.resume(path, until=0.3)
    assert run.world.state.position.tobytes() == whole.world.state.position.tobytes()
    assert run.world.body(3).spheres.tobytes() == whole.world.body(3).spheres.tobytes()
    assert len(run.world.state) == 5
