"""The energy audit: each term from recorded arrays by plain NumPy, closed forms, and its sum."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rollcone as rc
from scenes import RADIUS, G, ball_on_floor, floor_world, heap, kinetic_energy

TERMS = (
    "applied", "damping", "drive", "sliding", "rolling", "contour", "spinning", "impact",
    "gained", "correction", "changed", "implicit",
)  # fmt: skip
vectors = st.tuples(*[st.floats(-3, 3)] * 3)


def work_on_a_ball(run: rc.Run, ball: rc.Body) -> dict[str, np.ndarray]:
    """Work of each row of a ball's contact with the floor, step by step, from its velocities."""
    track, h = run.body(ball), run.step
    v, w = track.velocity, track.angular_velocity
    arm = np.array([0, 0, -RADIUS])
    p = ball.mass * (np.diff(v, axis=0) - h * run.world.gravity)
    moment = ball.inertia[0] * np.diff(w, axis=0) - np.cross(arm, p)
    u = v + np.cross(w, arm)
    u, w = 0.5 * (u[1:] + u[:-1]), 0.5 * (w[1:] + w[:-1])
    return {
        "impact": p[:, 2] * u[:, 2],
        "sliding": (p * u)[:, :2].sum(axis=1),
        "rolling": (moment * w)[:, :2].sum(axis=1),
        "spinning": moment[:, 2] * w[:, 2],
    }


@pytest.mark.parametrize("scheme", [rc.GapAhead(max_impacts=0), rc.DVI(), rc.MoreauJean(0.8)])
@given(v=vectors, w=vectors, height=st.sampled_from([0.0, 0.03]))
@settings(max_examples=8)
def test_the_work_of_each_row(scheme, v, w, height):
    """A ball lands, slips, rolls and spins: every term by its definition."""
    law = rc.ContactLaw(sliding=0.3, rolling=0.02, spinning=0.01)
    world, ball = ball_on_floor(law, height, velocity=(v[0], v[1], -abs(v[2])), angular_velocity=w)
    run = rc.simulate(world, until=0.3, step=0.01, scheme=scheme)
    parts, audit = work_on_a_ball(run, ball), run.energy
    scale = audit.kinetic.max() + 1.0
    lost = sum(parts.values()) <= 0
    for name, work in parts.items():
        expected = np.cumsum(np.where(lost, work, 0.0))
        np.testing.assert_allclose(getattr(audit, name)[1:], expected, atol=1e-9 * scale)
    expected = np.cumsum(np.where(lost, 0.0, sum(parts.values())))
    np.testing.assert_allclose(audit.gained[1:], expected, atol=1e-9 * scale)


def test_energies_are_those_of_the_recorded_states():
    world, _ = heap(4, rc.ContactLaw(sliding=0.3))
    world.add_box(size=(0.1, 0.2, 0.3), mass=2, position=(3, 0, 2), angular_velocity=(3, 2, 1))
    run = rc.simulate(world, until=0.2, step=0.01, tolerance=1e-6)
    x, q, v, w = (
        run.states(name) for name in ("position", "orientation", "velocity", "angular_velocity")
    )
    kinetic = [kinetic_energy(world, q[k], v[k], w[k]) for k in range(len(x))]
    np.testing.assert_allclose(run.energy.kinetic, kinetic, rtol=1e-12)
    potential = G * (world.state.mass * x[..., 2]).sum(axis=1)
    np.testing.assert_allclose(run.energy.potential, potential, rtol=1e-12)


def test_the_remainder_is_what_is_left():
    world, _ = heap(4, rc.ContactLaw(sliding=0.3))
    audit = rc.simulate(world, until=0.3, step=0.01, tolerance=1e-6).energy
    work = sum(getattr(audit, name) for name in TERMS)
    np.testing.assert_allclose(audit.work, work, rtol=1e-14)
    total = audit.kinetic + audit.potential
    np.testing.assert_allclose(audit.remainder, total - total[0] - work, atol=1e-14)
    taken = ("sliding", "rolling", "contour", "spinning", "impact", "implicit", "damping")
    lost = sum(getattr(audit, name) for name in taken)
    np.testing.assert_allclose(audit.dissipated, -lost, rtol=1e-14)
    assert all(getattr(audit, name)[0] == 0.0 for name in TERMS)


def test_friction_takes_what_coulomb_says():
    """Case b: mu m g times the way slipped, 1/2 (U0 - R Omega0) t1, and rho m g times the angle."""
    world, ball = ball_on_floor(
        rc.ContactLaw(sliding=0.2, rolling=0.04),
        velocity=(2.5, 0, 0),
        angular_velocity=(0, 2.5, 0),
    )
    audit = rc.simulate(world, until=4.2, step=0.004).energy
    weight, t1 = ball.mass * G, 250 / 981
    slipped = 0.5 * (2.5 - 1.25) * t1
    assert audit.sliding[-1] == pytest.approx(-0.2 * weight * slipped, rel=1e-4)
    peak = 2.5 + 5.886 * t1
    turned = 0.5 * (2.5 + peak) * t1 + 0.5 * peak**2 / (981 / 875)
    assert audit.rolling[-1] == pytest.approx(-0.04 * weight * turned, rel=1e-4)
    assert audit.dissipated[-1] == pytest.approx(audit.kinetic[0], rel=1e-12)
    assert np.abs(audit.remainder).max() < 1e-12 * audit.potential[0]


@pytest.mark.parametrize("scheme", [rc.GapAhead(), rc.MoreauJean(), rc.MoreauMidpoint()])
def test_nothing_is_left_in_lasting_contact(scheme):
    """Rolling, sliding, spinning balls with loads, at a large step."""
    world, _ = ball_on_floor(
        rc.ContactLaw(sliding=0.2, rolling=0.02, spinning=0.01),
        velocity=(2, 1, 0),
        angular_velocity=(1, -2, 7),
        force=(800, -300, 50),
        torque=(10, 200, -30),
        linear_damping=0.3,
        angular_damping=0.2,
    )
    audit = rc.simulate(world, until=2, step=0.02, scheme=scheme).energy
    assert np.abs(audit.remainder).max() < 1e-11 * audit.scale
    for name in ("applied", "damping", "sliding", "rolling", "spinning"):
        assert abs(getattr(audit, name)[-1]) > 1.0, name


def test_applied_work_is_force_times_way():
    world = rc.World()
    body = world.add_sphere(
        radius=0.5, mass=2, force=(3, 4, 0), torque=(0, 0, 5), velocity=(1, 0, 0)
    )
    run = rc.simulate(world, until=1, step=0.1)
    way = run.body(body).position[:, :2] @ [3, 4]
    angle = 2 * np.arctan2(run.body(body).orientation[:, 3], run.body(body).orientation[:, 0])
    angle = np.unwrap(angle)
    np.testing.assert_allclose(run.energy.applied, way + 5 * angle, rtol=1e-12)


def test_a_damped_body_loses_its_energy_to_damping():
    """m v0^2 (exp(-2 c t) - 1) / 2, exactly; likewise for a spin."""
    world = rc.World()
    body = world.add_sphere(
        radius=0.5,
        mass=2,
        velocity=(3, 0, 0),
        angular_velocity=(0, 4, 0),
        linear_damping=0.5,
        angular_damping=0.25,
    )
    run = rc.simulate(world, until=2, step=0.1)
    lost = 9.0 * np.expm1(-run.time) + 8 * body.inertia[0] * np.expm1(-0.5 * run.time)
    np.testing.assert_allclose(run.energy.damping, lost, atol=1e-13)


def test_a_tumbling_box_under_a_torque():
    """The step works exactly: T+ - T = torque . w_mean h."""
    world = rc.World(gravity=(0, 0, -G))
    world.add_box(
        size=(0.1, 0.2, 0.5), mass=2, angular_velocity=(3, 5, 1), torque=(0.1, -0.2, 0.3),
        force=(1, 2, 3), angular_damping=0.3,
    )  # fmt: skip
    audit = rc.simulate(world, until=1, step=0.02).energy
    undamped = world.copy()
    undamped.state.damping[:] = 0
    exact = rc.simulate(undamped, until=1, step=0.02).energy
    assert np.abs(exact.remainder).max() < 1e-12 * exact.scale
    assert np.abs(audit.remainder).max() < 1e-3 * audit.scale


def test_a_sliding_box_that_yaws_leaves_little():
    """Contacts that turn with the body: at most of second order per unit of time."""
    left = []
    for h in (0.02, 0.01):
        world = floor_world(rc.ContactLaw(sliding=0.3))
        world.add_box(
            size=(0.3, 0.2, 0.1), mass=1, position=(0, 0, 0.05), velocity=(2, 0, 0),
            angular_velocity=(0, 0, 5),
        )  # fmt: skip
        audit = rc.simulate(world, until=0.3, step=h, tolerance=1e-6, max_iterations=500).energy
        left.append(np.abs(audit.remainder).max() / audit.scale)
    assert left[0] < 1e-3
    assert left[1] < max(left[0] / 3, 1e-6)


def test_a_belt_drives():
    """The belt puts in its speed times the friction's impulse: m v V; the slip takes the rest."""
    speed, mu = 4.0, 0.3
    world = rc.World(gravity=(0, 0, -G))
    world.add_plane(velocity=(speed, 0, 0))
    ball = world.add_sphere(radius=RADIUS, mass=2, position=(0, 0, RADIUS))
    world.set_contact_law(rc.ContactLaw(sliding=mu))
    run = rc.simulate(world, until=1, step=0.01)
    audit = run.energy
    np.testing.assert_allclose(audit.drive, 2 * speed * run.body(ball).velocity[:, 0], atol=1e-10)
    assert np.abs(audit.remainder).max() < 1e-12 * audit.scale
    slipped = 0.5 * speed * (2 / 7 * speed / (mu * G))
    assert audit.sliding[-1] == pytest.approx(-mu * 2 * G * slipped, rel=1e-3)
    assert audit.kinetic[-1] == pytest.approx(audit.drive[-1] + audit.sliding[-1], rel=1e-10)


def test_a_turntable_and_a_lift_drive():
    """A floor that turns and rises: lifting work m g V t, and a balance that closes."""
    world = rc.World(gravity=(0, 0, -G))
    world.add_plane(motion=lambda t: ((0, 0, 0.5), (0, 0, 2)))
    ball = world.add_sphere(radius=RADIUS, mass=2, position=(1, 0, RADIUS), velocity=(0, 0, 0.5))
    world.set_contact_law(rc.ContactLaw(sliding=0.0))
    run = rc.simulate(world, until=1, step=0.01)
    np.testing.assert_allclose(run.energy.drive, 2 * G * 0.5 * run.time, atol=1e-9)
    assert np.abs(run.energy.remainder).max() < 1e-9
    world.set_contact_law(rc.ContactLaw(sliding=0.3))
    run = rc.simulate(world, until=1, step=0.01)
    assert np.hypot(*run.body(ball).velocity[-1, :2]) > 0.1
    assert np.abs(run.energy.remainder).max() < 1e-3 * run.energy.scale


def test_what_is_done_by_hand_is_told():
    """Bodies added, removed, pushed or lifted between steps: `changed`, and the sum closes."""
    world, ball = ball_on_floor(rc.ContactLaw())
    mass = ball.mass
    added = 0.5 * 3.0 * 4.0 + 3.0 * G * 5.0

    def meddle(simulation):
        here = simulation.world
        if simulation.steps == 2:
            here.body("ball").velocity = (2, 0, 0)
        if simulation.steps == 4:
            here.add_sphere(radius=0.1, mass=3, position=(9, 0, 5), velocity=(0, 2, 0), name="new")
        if simulation.steps == 6:
            here.remove("ball")
        if simulation.steps == 8:
            here.gravity = (0, 0, -2 * G)

    run = rc.simulate(world, until=0.1, step=0.01, each_step=meddle)
    changed = np.diff(run.energy.changed)
    np.testing.assert_allclose(changed[[2, 4]], [2 * mass, added], rtol=1e-9)
    assert changed[6] == pytest.approx(-(2 * mass + mass * G * RADIUS), rel=1e-9)
    height = run.body("new").position[8, 2]
    assert changed[8] == pytest.approx(3 * G * height, rel=1e-9)
    assert np.abs(np.delete(changed, [2, 4, 6, 8])).max() < 1e-9
    assert np.abs(run.energy.remainder).max() < 1e-8


def corner_strikes(sliding: float, scheme) -> rc.Run:
    """A rod that strikes the floor with its corner while it slides, e = 1, and has 1 J; no
    gravity."""
    angle = 1.0
    world = rc.World()
    world.add_plane()
    world.add_box(
        size=(1, 0.02, 0.02),
        mass=1,
        orientation=(np.cos(angle / 2), 0, np.sin(angle / 2), 0),
        position=(0, 0, 0.5 * np.sin(angle) + 0.02),
        velocity=(-1, 0, -1),
    )
    world.set_contact_law(rc.ContactLaw(sliding=sliding, restitution=1))
    return rc.simulate(world, until=0.06, step=0.02, scheme=scheme)


def end_energy(run: rc.Run) -> float:
    q, v, w = (run.states(name)[-1] for name in ("orientation", "velocity", "angular_velocity"))
    return kinetic_energy(run.world, q, v, w)


def rebound(run: rc.Run) -> float:
    """The least u_n after the first step whose contacts act."""
    struck = next(
        k for k in range(len(run.time)) if len(run.contacts(k)) and run.contacts(k).impulse.any()
    )
    return run.contacts(struck).velocity[:, 0].min()


def test_newtons_law_with_friction_can_add_energy():
    """The known paradox, where the law is taken at its word: all the work of that contact is
    gained, it is what the bodies have more, and there is a warning."""
    run = corner_strikes(0.3, rc.DVI())
    more = end_energy(run) - 1.0
    assert more > 0.05
    assert run.energy.gained[-1] == pytest.approx(more, rel=1e-9)
    assert "warning: contacts added" in run.summary()
    assert rebound(run) == pytest.approx(1.0, rel=1e-6)  # -e u_n
    assert not run.tempered.any()


def test_the_default_scheme_lowers_rebounds_that_would_add_energy():
    run = corner_strikes(0.3, rc.GapAhead())
    assert run.tempered.sum() > 0
    assert 0.0 <= rebound(run) < 1.0
    assert end_energy(run) < 1.0
    assert run.energy.gained[-1] == 0.0
    assert run.energy.dissipated[-1] == pytest.approx(1.0 - end_energy(run), rel=1e-9)
    assert "contacts added" not in run.summary()


@pytest.mark.parametrize("scheme", [rc.GapAhead(), rc.DVI()])
def test_without_friction_a_full_rebound_keeps_its_energy(scheme):
    smooth = corner_strikes(0.0, scheme)
    np.testing.assert_allclose(smooth.energy.kinetic, 1.0, rtol=1e-10)
    assert rebound(smooth) == pytest.approx(1.0, rel=1e-6)
    assert not smooth.tempered.any()
    assert "contacts added" not in smooth.summary()


def test_friction_is_booked_as_friction_while_overlap_is_undone():
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane()
    ball = world.add_sphere(
        radius=0.1, mass=1, inertia=(1e9,) * 3, position=(0, 0, 0.097), velocity=(1, 0, 0)
    )
    world.set_contact_law(rc.ContactLaw(sliding=0.2))
    run = rc.simulate(world, until=0.1, step=0.01)
    lost = 0.5 * (1 - run.body(ball).velocity[-1, 0] ** 2)
    assert run.energy.gained[-1] > 0
    assert run.energy.sliding[-1] == pytest.approx(-lost, rel=1e-9)


STEEL = rc.HertzMindlin(young=210e9, poisson=0.3)


@pytest.mark.parametrize(("compliance", "step"), [(1e-4, 1e-3), (STEEL, 1e-6), (STEEL, 1e-3)])
def test_springs_that_give_back_what_they_took_add_nothing(compliance, step):
    """A compliant ball that rebounds, and falls again."""
    world = floor_world(rc.ContactLaw(compliance=compliance))
    world.add_sphere(radius=0.05, mass=1.0, position=(0, 0, 0.05 + step), velocity=(0, 0, -1.0))
    run = rc.simulate(world, until=700 * step, step=step)
    audit = run.energy
    if step < 1e-3 or compliance == 1e-4:
        assert audit.gained[-1] > 0.3  # of 0.5 J, in one rebound at least
    assert audit.gain_warning() == ""
    assert "contacts added" not in run.summary()


@pytest.mark.parametrize("compliance", [1e-4, STEEL])
def test_springs_that_were_pushed_in_at_the_start_add_energy(compliance):
    """k d^2 / 2, or 2/5 K d^2.5 of Hertz."""
    depth, step, stored = 5e-3, 1e-3, 0.5 * 1e4 * 5e-3**2
    if compliance is STEEL:
        depth, step = 2e-5, 2e-6
        stored = 0.4 * 4 / 3 * STEEL.normal_modulus * 0.05**0.5 * depth**2.5
    world = floor_world(rc.ContactLaw(compliance=compliance))
    ball = world.add_sphere(radius=0.05, mass=1.0, position=(0, 0, 0.05 - depth))
    run = rc.simulate(world, until=100 * step, step=step)
    assert run.body(ball).velocity[:, 2].max() > 0.1
    assert "pushed in at the start" in run.energy.gain_warning()
    assert "contacts added" in run.summary()
    added = float(run.energy.gain_warning().split()[2])
    assert added == pytest.approx(stored, rel=1e-2)


def test_what_closing_a_joint_takes_is_told():
    """A pendulum without gravity at a radian per step: closing its joint takes two thirds of the
    energy in 64 turns, and the audit says so; a fiftieth of that step takes 4e-5 of it."""
    world = rc.World()
    rod = world.add_box(
        size=(1, 0.05, 0.05), mass=2.0, position=(0.5, 0, 0), velocity=(0, 0, -10),
        angular_velocity=(0, 20, 0),
    )  # fmt: skip
    world.add_joint(kind="revolute", body=rod, point=(0, 0, 0), axis=(0, 1, 0))
    fast = rc.simulate(world, until=20.0, step=0.05).energy
    taken = fast.kinetic[0] - fast.kinetic[-1]
    assert taken > 0.5 * fast.kinetic[0]
    assert fast.joints[-1] == pytest.approx(-taken, rel=1e-9)
    assert np.abs(fast.remainder).max() < 1e-12 * fast.kinetic[0]
    slow = rc.simulate(world, until=0.4, step=0.001).energy  # of 1.3 turns: 8e-7
    assert abs(slow.joints[-1]) < 1e-5 * slow.kinetic[0]
