"""Thin disks in motion and at rest on planes: closed forms of rolling, a plain integration of the
equations of motion, disks that fall flat, and what disks cannot meet."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import rollcone as rc
from rollcone.studies import euler_disk
from scenes import G, floor_world

R, M, AXIAL, ACROSS = 0.5, 1.0, 0.6, 0.3
UPRIGHT = rc.rotation((1, 0, 0), 90)  # its axis along -y
UP = np.array([0.0, 0.0, 1.0])
STICKS = rc.ContactLaw(sliding=10.0)


def wheel(world, tilt, velocity, omega, **options):
    """Touching the floor; `tilt` is the angle between its axis, in the x-z plane, and z."""
    return world.add_disk(
        radius=R, mass=M, inertia=(ACROSS, ACROSS, AXIAL), position=(0, 0, R * np.sin(tilt)),
        orientation=rc.rotation((0, 1, 0), np.degrees(tilt)), velocity=velocity,
        angular_velocity=omega, **options,
    )  # fmt: skip


def axes(tilt):
    """Axis a, the way e up along the disk, and the horizontal a x e."""
    a = np.array([np.sin(tilt), 0, np.cos(tilt)])
    e = (UP - np.cos(tilt) * a) / np.sin(tilt)
    return a, e, np.cross(a, e)


def steady(tilt, rate):
    """Velocity and angular velocity of a disk that rolls in a circle, at `rate` about the vertical.

    With w = s a + rate sin(tilt) e and v = R s (a x e), dL/dt = rate UP x L and the
    torque of the contact force m (dv/dt + g UP) at -R e give

        rate sin (A rate cos - C s) = m R^2 s rate sin + m g R cos.
    """
    sine, cosine = np.sin(tilt), np.cos(tilt)
    a, e, b = axes(tilt)
    spin = (ACROSS * rate**2 * sine - M * G * R) * cosine / ((AXIAL + M * R**2) * rate * sine)
    return R * spin * b, spin * a + rate * sine * e


def rolls(t, y):
    """Newton and Euler with a contact force that keeps the lowest point of the rim at rest."""
    q, v, w = y[3:7], y[7:10], y[10:]
    turn = Rotation.from_quat(q, scalar_first=True).as_matrix()
    a = turn[:, 2]
    sine, da = np.hypot(a[0], a[1]), np.cross(w, a)
    e = (UP - a[2] * a) / sine
    r, dr = -R * e, R * (da[2] * a + a[2] * da - e * a[2] * da[2] / sine) / sine
    inertia = turn @ np.diag([ACROSS, ACROSS, AXIAL]) @ turn.T
    lever = np.cross(np.eye(3), r).T @ -np.eye(3)  # lever @ x = r x x
    zero, one = np.zeros((3, 3)), np.eye(3)
    rows = np.block([[M * one, zero, -one], [zero, inertia, -lever], [one, -lever, zero]])
    loads = np.concatenate([-M * G * UP, -np.cross(w, inertia @ w), -np.cross(w, dr)])
    rates = np.linalg.solve(rows, loads)
    dq = 0.5 * np.concatenate([[-w @ q[1:]], q[0] * w + np.cross(w, q[1:])])
    return np.concatenate([v, dq, rates[:6]])


def rolled(tilt, velocity, omega, step, until=0.5):
    world = floor_world(STICKS)
    body = wheel(world, tilt, velocity, omega)
    run = rc.simulate(world, until=until, step=step)
    track = run.body(body)
    energy = run.energy.kinetic + run.energy.potential
    return track.position[-1], track.angular_velocity[-1], np.ptp(energy) / energy[0]


@pytest.mark.parametrize(("tilt", "rate"), [(1.2, 1.5), (np.pi / 3, 6.0), (0.3, 7.0)])
def test_rolling_in_a_circle_is_of_second_order(tilt, rate):
    velocity, omega = steady(tilt, rate)
    until, start = 0.5, np.array([0, 0, R * np.sin(tilt)])
    center = start + np.cross(UP, velocity) / rate
    round_it = Rotation.from_rotvec(rate * until * UP)
    errors, energies = [], []
    for step in (0.01, 0.005, 0.0025):
        place, turning, energy = rolled(tilt, velocity, omega, step, until)
        errors.append([
            np.linalg.norm(place - center - round_it.apply(start - center)),
            np.linalg.norm(turning - round_it.apply(omega)),
        ])  # fmt: skip
        energies.append(energy)
    orders = np.log2(np.array(errors)[:-1] / np.array(errors)[1:])
    assert np.abs(orders - 2.0).max() < 0.2
    assert errors[0][0] < 5e-4
    assert energies[0] < 2e-4
    assert energies[2] < energies[0] / 10


def test_rolling_and_nodding():
    """Not steady: against the equations of motion."""
    tilt, until = np.pi / 3, 0.5
    _, omega = steady(tilt, 6.0)
    _, e, b = axes(tilt)
    omega = omega + 0.5 * b
    velocity = R * np.cross(omega, e)
    turn = Rotation.from_rotvec([0, tilt, 0]).as_quat(scalar_first=True)
    start = np.concatenate([[0, 0, R * np.sin(tilt)], turn, velocity, omega])
    end = solve_ivp(rolls, (0, until), start, rtol=1e-10, atol=1e-12).y[:, -1]
    errors = [
        np.linalg.norm(rolled(tilt, velocity, omega, step, until)[0] - end[:3])
        for step in (0.01, 0.005, 0.0025)
    ]
    assert errors[0] < 5e-4
    assert np.abs(np.diff(np.log2(errors)) + 2.0).max() < 0.2


def test_no_friction():
    """A tilted disk that spins and slides keeps its energy up to second order; its spin about its
    axis, its angular momentum about the vertical and its horizontal velocity to rounding."""
    drifts = []
    for step in (0.01, 0.005, 0.0025):
        world = floor_world()
        body = wheel(world, 1.0, (0.5, 0, 0), (0, 0, 8.0))
        run = rc.simulate(world, until=0.6, step=step, max_substeps=1)
        track = run.body(body)
        np.testing.assert_allclose(track.velocity[:, :2], [(0.5, 0)] * len(run.time), atol=1e-12)
        axis = Rotation.from_quat(track.orientation, scalar_first=True).apply(UP)
        spin = (track.angular_velocity * axis).sum(axis=1)
        about = ACROSS * track.angular_velocity[:, 2] + (AXIAL - ACROSS) * spin * axis[:, 2]
        for values in (spin, about):
            assert np.ptp(values) < 1e-13 * values[0]
        energy = run.energy.kinetic + run.energy.potential
        drifts.append(np.ptp(energy) / energy[0])
        # All that it gains is from undoing overlaps.
        rises = np.diff(energy) - np.diff(run.energy.correction)
        assert rises.max() < 1e-13 * energy[0]
    assert drifts[0] < 2.5e-3
    assert drifts[0] > 3.5 * drifts[1] > 3.5**2 * drifts[2]


@pytest.mark.parametrize(
    "scheme", [rc.GapAhead(), rc.MoreauJean(), rc.MoreauMidpoint()], ids=lambda s: type(s).__name__
)
def test_rolling_friction_stops_an_upright_disk(scheme):
    """dv/dt = -rho m g R / (m R^2 + J); see studies/rolling_disk.py."""
    rho, speed, step = 0.02, 1.0, 0.01
    world = floor_world(rc.ContactLaw(sliding=0.9, rolling=rho))
    body = world.add_disk(
        radius=R, mass=M, inertia=(ACROSS, ACROSS, AXIAL), position=(0, 0, R), orientation=UPRIGHT,
        velocity=(speed, 0, 0), angular_velocity=(0, speed / R, 0),
    )  # fmt: skip
    slows = rho * M * G * R / (M * R**2 + AXIAL)
    run = rc.simulate(world, until=speed / slows + 0.1, step=step, scheme=scheme)
    track = run.body(body)
    way = 0.5 * speed**2 / slows
    assert track.position[-1, 0] == pytest.approx(way, abs=slows * step**2)
    # Upright rolling this slow is unstable: rounding grows until rolling friction holds it.
    assert np.abs(track.position[:, [1, 2]] - (0, R)).max() < 1e-6
    assert np.abs(track.velocity[-1]).max() < 1e-12
    assert np.abs(track.angular_velocity[-1, :2]).max() < 1e-12  # nothing stops it about z


@pytest.mark.parametrize("sliding", [0.0, 0.5])
@pytest.mark.parametrize("step", [0.02, 0.005])
def test_it_falls_flat_and_stays(sliding, step):
    """On the way it gains no energy, and lands within what counts as touching."""
    world = floor_world(rc.ContactLaw(sliding=sliding))
    turn = rc.rotation((1, 0.3, 0), 90 - np.degrees(0.3))
    body = world.add_disk(radius=R, mass=M, position=(0, 0, R * np.cos(0.3)), orientation=turn)
    run = rc.simulate(world, until=1.5, step=step)
    track, energy = run.body(body), run.energy.kinetic + run.energy.potential
    assert energy.max() < (1 + 2e-4) * energy[0]
    assert np.abs(track.velocity[-1]).max() < 1e-12
    assert np.abs(track.angular_velocity[-1]).max() < 1e-12
    last = run.contacts(-1)
    assert len(last) == 3
    assert np.abs(last.gap).max() < 1e-6
    assert last.reaction[:, 0].sum() == pytest.approx(M * G, rel=1e-9)
    assert track.position[:, 2].min() > -1e-4


def test_rest_is_rest():
    world = floor_world(rc.ContactLaw(sliding=0.5))
    turns = [(1, 0, 0, 0), rc.rotation((1, 0, 0), 180), UPRIGHT]
    bodies = [
        world.add_disk(radius=R, mass=M, position=(2 * k, 0, R * (k == 2)), orientation=turn)
        for k, turn in enumerate(turns)
    ]
    start = world.copy()
    run = rc.simulate(world, until=0.5, step=0.01)
    for body in bodies:
        track, before = run.body(body), start.body(body)
        assert np.abs(track.position - before.position).max() < 1e-12
        assert np.abs(track.orientation - before.orientation).max() < 1e-12
    last = run.contacts(-1)
    assert len(last) == 7
    np.testing.assert_allclose(last.reaction[:6, 0], last.reaction[6, 0] / 3, rtol=1e-9)


@pytest.mark.parametrize(("step", "deepest"), [(0.01, 2e-5), (2.5e-3, 1e-6)])
def test_a_disk_that_meets_another_body(step, deepest):
    """A wheel rolls against a ball at rest and the ball is pushed on; while their normal turns they
    overlap by an amount of second order in the step."""
    world = floor_world(STICKS)
    options = {"velocity": (1, 0, 0), "angular_velocity": (0, 2, 0), "orientation": UPRIGHT}
    wheel = world.add_disk(radius=R, mass=M, position=(0, 0, R), **options)
    ball = world.add_sphere(radius=0.2, mass=1, position=(1, 0, 0.2))
    assert world.warnings() == []
    run = rc.simulate(world, until=1.0, step=step)
    way = run.body(ball).position - run.body(wheel).position
    assert np.hypot(way[:, 0], way[:, 2]).min() > R + 0.2 - deepest
    assert run.body(ball).position[-1, 0] > 1.05


def test_a_joint_keeps_them_from_touching():
    world = rc.World(gravity=(0, 0, -G))
    world.add_plane()
    hub = world.add_disk(radius=R, mass=M, position=(0, 0, R), orientation=UPRIGHT)
    axle = world.add_box(size=(0.1, 0.4, 0.1), mass=1, position=(0, 0, R))
    world.add_joint(kind="fixed", body=axle, base=hub)
    world.set_contact_law(STICKS)
    run = rc.simulate(world, until=0.05, step=0.01)
    assert np.abs(run.body(axle).position[-1] - (0, 0, R)).max() < 1e-9


def test_a_disk_that_rolls_keeps_its_energy_with_the_midpoint_scheme():
    """The law is asked of the rates at the end of the step, after the body has turned on freely:
    asked of those in the middle, forty times as much is won."""
    world = euler_disk.world(**euler_disk.CASES["4.1"])
    run = rc.simulate(world, until=1.0, step=1e-3, scheme=rc.MoreauMidpoint())
    total = run.energy.kinetic + run.energy.potential
    assert abs(total[-1] / total[0] - 1.0) < 1e-5
