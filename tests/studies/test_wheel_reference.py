"""The wheel's reference against Lagrange's equations in Euler angles, and its own balances."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from rollcone.errors import InputError
from rollcone.studies.wheel_reference import Start, Wheel, axes_of, reference

WHEEL = Wheel()


@pytest.fixture(scope="module")
def whole():
    return reference(3.0)


def lagrange(start: Start, until: float, small: float):
    """x, y, psi, theta, phi and their rates, friction smoothed: -mu N c / sqrt(c^2 + small^2).

    With z = R cos(theta) put in, and the spin s = phi' + psi' sin(theta) about the axis,

        L = m/2 (x'^2 + y'^2 + (R sin(theta) theta')^2) + It/2 (theta'^2 + (psi' cos(theta))^2)
            + Ia/2 s^2 - m g R cos(theta)

    and N = m (g + z''), so that N and theta'' are the roots of two linear equations.
    """
    R, m, Ia, It, mu, g = (
        WHEEL.radius, WHEEL.mass, WHEEL.axial, WHEEL.transverse, WHEEL.sliding, WHEEL.gravity,
    )  # fmt: skip

    def rates(_, state):
        _, _, psi, theta, _, vx, vy, dpsi, dtheta, dphi = state
        S, C = np.sin(theta), np.cos(theta)
        ahead = np.array([np.cos(psi), np.sin(psi)])  # the horizontal diameter
        left = np.array([-np.sin(psi), np.cos(psi)])  # the axis, seen from above
        spin = dphi + dpsi * S
        # How the rim's point moves with each angle, in the plane of the floor.
        by_psi, by_theta, by_phi = -R * S * ahead, R * C * left, -R * ahead
        slip = np.array([vx, vy]) + by_psi * dpsi + by_theta * dtheta + by_phi * dphi
        d = -mu * slip / np.sqrt(slip @ slip + small**2)  # friction is d N
        forces = (
            -m * R**2 * S * C * dtheta**2
            - It * dpsi**2 * S * C
            + Ia * spin * dpsi * C
            + m * g * R * S
        )
        # (It + m R^2 S^2) a - (d . by_theta) N = forces;  m R S a + N = m g - m R C theta'^2
        A = np.array([[It + m * R**2 * S**2, -d @ by_theta], [m * R * S, 1.0]])
        a, N = np.linalg.solve(A, [forces, m * g - m * R * C * dtheta**2])
        F = d * N
        spin_rate = F @ by_phi / Ia
        about_z = F @ by_psi - Ia * spin_rate * S - Ia * spin * C * dtheta
        ddpsi = (about_z / It + 2 * C * S * dpsi * dtheta) / C**2
        ddphi = spin_rate - ddpsi * S - dpsi * C * dtheta
        return [vx, vy, dpsi, dtheta, dphi, F[0] / m, F[1] / m, ddpsi, a, ddphi]

    def slopes(_, state):
        tiny = 1e-30j * np.eye(10)  # differences of analytic functions have no rounding this way
        return np.array([rates(0, state + one) for one in tiny]).T.imag / 1e-30

    first = [0, 0, 0, np.radians(start.tilt), 0, start.speed, 0, start.turning, 0, 0]
    found = solve_ivp(
        rates, (0, until), first, "Radau", rtol=1e-9, atol=1e-10, dense_output=True, jac=slopes
    )
    assert found.success
    return found.sol


def place(angles):
    """Centre, wheel's axis, velocity and angular velocity, of (10, times)."""
    x, y, psi, theta, _, vx, vy, dpsi, dtheta, dphi = angles
    S, C, zero = np.sin(theta), np.cos(theta), np.zeros_like(psi)
    ahead = np.array([np.cos(psi), np.sin(psi), zero])
    axis = np.array([-np.sin(psi) * C, np.cos(psi) * C, S])
    turning = dtheta * ahead + dphi * axis + dpsi * np.array([zero, zero, zero + 1])
    centre = np.array([x, y, WHEEL.radius * C])
    return centre.T, axis.T, np.array([vx, vy, -WHEEL.radius * S * dtheta]).T, turning.T


@pytest.mark.slow
def test_against_lagrange(whole):
    t = np.linspace(0, 3, 61)
    motion = whole.at(t)
    found = place(lagrange(Start(), 3.0, small=1e-6)(t))
    ours = (
        motion.position, axes_of(motion.orientation), motion.velocity, motion.angular_velocity,
    )  # fmt: skip
    for one, other in zip(ours, found, strict=True):
        assert np.abs(one - other).max() < 2e-5


def test_it_slides_and_then_rolls(whole):
    assert whole.slip_ends == pytest.approx(2.006823, abs=5e-7)
    assert [phase.mode for phase in whole.phases] == ["slides", "rolls"]
    motion = whole.at(np.linspace(0, 3, 301))
    rolls = motion.time > whole.slip_ends
    share = np.linalg.norm(motion.friction, axis=1) / (WHEEL.sliding * motion.normal_force)
    assert share[~rolls] == pytest.approx(1.0, abs=1e-12)
    assert share[rolls].max() < 0.63
    assert np.abs(motion.slip[rolls]).max() < 1e-10
    speed = np.linalg.norm(motion.slip[~rolls], axis=1)[:, None]
    wanted = -WHEEL.sliding * motion.normal_force[~rolls, None] * motion.slip[~rolls] / speed
    assert np.abs(motion.friction[~rolls] - wanted).max() < 1e-12


def test_balances(whole):
    """Energy, momentum and the gap; and the rates of energy, by differences, are those of work."""
    motion = whole.at(np.linspace(0, 3, 301))
    assert np.abs(motion.energy - motion.energy[0] - motion.work).max() < 1e-10
    assert np.abs(motion.gap).max() < 1e-11
    assert motion.normal_force.min() > 0
    h = 1e-3
    for middle in (0.3, 1.1, 1.9, 2.5):
        before, now, after = (whole.at(middle + d) for d in (-h, 0.0, h))
        power = (now.friction * now.slip).sum()
        assert (after.energy - before.energy) / (2 * h) == pytest.approx(power, abs=1e-4)
        force = now.friction[0] + [0, 0, now.normal_force[0] - WHEEL.mass * WHEEL.gravity]
        push = WHEEL.mass * (after.velocity - before.velocity)[0] / (2 * h)
        assert push == pytest.approx(force, abs=1e-4)


def test_the_point_that_touches(whole):
    """The lowest point of the rim, by search over the rim; its speed, from the rotation."""
    for t in (0.0, 0.7, 1.6, 2.6):
        motion = whole.at(t)
        q = np.roll(motion.orientation[0], -1)
        angle = np.linspace(0, 2 * np.pi, 200_001)
        rim = WHEEL.radius * np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
        there = Rotation.from_quat(q).apply(rim)
        lowest = there[np.argmin(there[:, 2])]
        assert np.abs(lowest - motion.arm[0]).max() < 1e-4
        assert (motion.position[0] + lowest)[2] == pytest.approx(0.0, abs=1e-8)
        speed = motion.velocity[0] + np.cross(motion.angular_velocity[0], motion.arm[0])
        assert speed == pytest.approx(motion.slip[0], abs=1e-11)


def test_orientation_follows_the_angular_velocity(whole):
    h = 1e-4
    for t in (0.5, 2.5):
        a, b = (Rotation.from_quat(np.roll(whole.at(s).orientation[0], -1)) for s in (t, t + h))
        turned = (b * a.inv()).as_rotvec() / h
        assert turned == pytest.approx(whole.at(t + h / 2).angular_velocity[0], abs=1e-5)


def test_converges_with_the_tolerance(whole):
    times, ends = [], []
    for tolerance in (1e-7, 1e-9):
        rough = reference(3.0, tolerance=tolerance)
        times.append(abs(rough.slip_ends - whole.slip_ends))
        ends.append(np.abs(rough.at(3.0).position - whole.at(3.0).position).max())
    assert times[1] < 1e-9
    assert ends[1] < 1e-8
    assert times[1] < times[0] or times[0] < 1e-10


@pytest.mark.parametrize("start", [Start(tilt=-20.0), Start(turning=2.0)])
def test_the_other_sign_falls_flat(start):
    found = reference(3.0, start=start)
    assert found.phases[-1].ended_by == "falls flat"
    assert found.end == pytest.approx(0.56, abs=0.01)
    assert np.isnan(found.slip_ends)
    with pytest.raises(InputError, match="must be in 0"):
        found.at(1.0)


def test_mirrored():
    """In the plane of x and z: y changes its sign, and so do tilt and turning."""
    one, other = (reference(0.5, start=s) for s in (Start(), Start(tilt=-20.0, turning=2.0)))
    mirror = np.array([1.0, -1.0, 1.0])
    assert one.at(0.5).position == pytest.approx(mirror * other.at(0.5).position, abs=1e-12)


def test_an_upright_wheel_slides_and_rolls_straight():
    """v falls at mu g and the spin grows at mu m g R / Ia till they meet."""
    rate = WHEEL.sliding * WHEEL.gravity
    meets = 6.0 / (rate * (1 + WHEEL.mass * WHEEL.radius**2 / WHEEL.axial))
    found = reference(meets + 0.5, start=Start(tilt=0.0, turning=0.0))
    assert found.slip_ends == pytest.approx(meets, rel=1e-12)
    way = 6.0 * meets - rate * meets**2 / 2 + (6.0 - rate * meets) * 0.5
    assert found.at(meets + 0.5).position[0] == pytest.approx([way, 0.0, 0.5], abs=1e-9)
