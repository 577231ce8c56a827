"""The rolling disk's formulas against the equations of motion, the paper's thin disk, numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from rollcone.analysis import disk_decay
from rollcone.analysis.disk import (
    RollingDisk,
    circular_rolling,
    disk_motion,
    feasibility,
    nutation,
    stationary_rolling,
    upright_nutation,
)
from rollcone.errors import InputError

THIN = RollingDisk(radius=0.0375, mass=0.3048)
THICK = RollingDisk(radius=0.0375, mass=0.3048, transverse=1.3e-4, axial=2.0e-4)
PAPER = RollingDisk(radius=0.0375, mass=0.3048, transverse=1.0716e-4, axial=2.1433e-4)
Q = THIN.gravity / THIN.radius  # g / r
angles = st.floats(0.1, 1.4)
rates = st.floats(-30.0, 30.0)


def placed(alpha, beta, gamma):
    """Orientation (x, y, z, w) of the body: its z axis is the disk's axis."""
    upright = Rotation.from_matrix([[1, 0, 0], [0, 0, -1], [0, 1, 0]]).inv()  # z to +y at angle 0
    return Rotation.from_euler("ZX", [alpha, beta]) * upright * Rotation.from_euler("z", gamma)


def thin_rates(_, state):
    """(5.5) to (5.7) solved for the accelerations; state: beta, alpha', beta', gamma'."""
    beta, a, b, c = state
    S, C = np.sin(beta), np.cos(beta)
    left = np.array([[5 * S**2 + 1, 6 * S], [6 * S, 6]])
    right = -np.array([10 * a * b * S * C + 2 * b * c * C, 10 * a * b * C])
    aa, cc = np.linalg.solve(left, right)
    return [b, aa, (5 * a * a * S * C + 6 * a * c * C + 4 * Q * S) / 5, cc]


def angular_momentum_about_contact(disk, alpha, beta, a, b, c):
    """World axes, and the place of the contact from the centre; rolling, so v = -w x arm."""
    along = np.array([math.cos(alpha), math.sin(alpha), 0.0])
    across = np.array([-math.sin(alpha), math.cos(alpha), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    axis = math.cos(beta) * across + math.sin(beta) * up
    steep = np.cross(along, axis)
    turning = a * up + b * along + c * axis
    arm = -disk.radius * steep
    inertia = disk.A * turning + (disk.C - disk.A) * (turning @ axis) * axis
    return inertia, disk.mass * np.cross(turning, -arm), arm


@pytest.mark.parametrize("disk", [THIN, THICK])
@given(beta=angles, a=rates, b=st.floats(-3.0, 3.0), c=rates)
def test_balance_of_momentum_gives_the_equations_behind_the_nutation(disk, beta, a, b, c):
    """L' = arm x F, F = m v' + m g up, differentiated numerically along the accelerations that the
    three equations of `nutation` say."""
    S, C, square = math.sin(beta), math.cos(beta), disk.mass * disk.radius**2
    s, w = a * S + c, a * C
    G = -disk.A * w * w * S / C + disk.J * w * s + disk.weight_moment * S
    bb = G / (disk.A + square)
    ss, ww = -square / disk.J * w * b, (w * S / C - disk.C / disk.A * s) * b
    aa = (ww + a * S * b) / C
    cc = ss - aa * S - a * C * b
    d = 1e-6

    def moved(t):
        return angular_momentum_about_contact(
            disk, a * t, beta + b * t, a + aa * t, b + bb * t, c + cc * t
        )

    (L1, P1, _), (L0, P0, _) = moved(d), moved(-d)
    arm = moved(0.0)[2]
    force = (P1 - P0) / (2 * d) + disk.mass * disk.gravity * np.array([0, 0, 1.0])
    rest = (L1 - L0) / (2 * d) - np.cross(arm, force)
    size = disk.J * (100 + a * a + c * c + b * b) / C
    assert np.abs(rest).max() < 1e-6 * size


@given(alpha=st.floats(-3.0, 3.0), beta=st.floats(-1.4, 1.4), gamma=st.floats(-3.0, 3.0),
       a=rates, b=rates, c=rates)  # fmt: skip
def test_angles_and_rates(alpha, beta, gamma, a, b, c):
    """Against SciPy's rotations, differentiated numerically."""
    d = 1e-6
    now = placed(alpha, beta, gamma)
    after = placed(alpha + a * d, beta + b * d, gamma + c * d)
    before = placed(alpha - a * d, beta - b * d, gamma - c * d)
    turning = (after * before.inv()).as_rotvec() / (2 * d)
    velocity = np.array([0.3, -0.2, 0.1])
    found = disk_motion(np.roll(now.as_quat(), 1), velocity, turning, 0.05)
    assert found.beta[0] == pytest.approx(beta, abs=1e-9)
    for angle, right in ((found.alpha[0], alpha), (found.gamma[0], gamma)):
        assert math.remainder(angle - right, 2 * math.pi) == pytest.approx(0.0, abs=1e-8)
    measured = (found.alpha_rate[0], found.beta_rate[0], found.gamma_rate[0])
    assert measured == pytest.approx((a, b, c), abs=1e-5 / math.cos(beta) ** 2)
    axis = now.apply([0, 0, 1.0])
    steep = np.array([0, 0, 1.0]) - axis[2] * axis
    point = velocity + np.cross(turning, -0.05 * steep / np.linalg.norm(steep))
    assert np.hypot(*found.slip[0]) == pytest.approx(np.hypot(point[0], point[1]), abs=1e-7)
    R = now.as_matrix()
    flat = 1 - R[2, 2] ** 2
    row = [R[2, 0] * R[2, 2] / flat, R[2, 1] * R[2, 2] / flat, -1.0]
    psi_rate = row @ now.inv().apply(turning)  # (2.18)
    assert found.psi_rate[0] == pytest.approx(psi_rate, abs=1e-5 / flat)
    assert found.rim_speed[0] == pytest.approx(-0.05 * psi_rate, abs=1e-5 / flat)


def test_motion_says_what_is_wrong():
    with pytest.raises(InputError, match="velocity: has shape"):
        disk_motion(np.ones((3, 4)), np.ones((2, 3)), np.ones((3, 3)), 0.1)
    with pytest.raises(InputError, match="radius"):
        disk_motion(np.ones((3, 4)), np.ones((3, 3)), np.ones((3, 3)), 0.0)


@given(beta=angles, share=st.floats(0.05, 1.15))
def test_circular_rolling_of_a_thin_disk(beta, share):
    """(5.12), and the accelerations of (5.5) to (5.7) vanish."""
    rho = share / math.sin(beta)
    square = float(circular_rolling(THIN, beta, rho))
    printed = 4 * Q * math.sin(beta) / ((6 - 5 * share) * rho * math.cos(beta))
    assert square == pytest.approx(printed, rel=1e-12)
    c = math.sqrt(square)
    assert np.abs(thin_rates(0.0, [beta, -rho * c, 0.0, c])).max() < 1e-9 * Q * (1 + square)
    mu = 0.3
    printed = (1 - share) * 4 * math.sin(beta) / ((6 - 5 * share) * math.cos(beta)) / mu
    assert float(feasibility(THIN, beta, rho, mu)) == pytest.approx(abs(printed), rel=1e-12)
    centrifugal = (1 / rho - math.sin(beta)) * THIN.radius * (rho * c) ** 2  # (5.26)
    assert abs(centrifugal) / (mu * THIN.gravity) == pytest.approx(abs(printed), rel=1e-9)


@pytest.mark.parametrize("beta", [0.3, 1.2, 1.5])
def test_a_disk_that_leans_to_the_other_side(beta):
    """Sizes, and the friction that it takes, are the same; also of a circle that is so narrow that
    (5.28) changes its sign."""
    for left, right in zip(
        stationary_rolling(THIN, -beta), stationary_rolling(THIN, beta), strict=True
    ):
        assert left == right
    for rho in (0.5, 1.0, 4.0):
        chi = feasibility(THIN, beta, rho, 0.3)
        assert feasibility(THIN, -beta, -rho, 0.3) == chi > 0


def test_gamma_goes_on_beyond_a_turn():
    """Rolling upright at 10 rad/s for three turns."""
    time = np.linspace(0, 2.0, 201)
    turn = Rotation.from_rotvec(np.outer(10 * time, [0, 1, 0])) * Rotation.from_euler(
        "x", np.pi / 2
    )
    q = turn.as_quat(scalar_first=True)
    motion = disk_motion(q, np.zeros((201, 3)), np.tile([0, 10.0, 0], (201, 1)), 1.0)
    assert abs(motion.gamma[-1] - motion.gamma[0]) == pytest.approx(20.0, rel=1e-12)


def test_no_circular_rolling_outside_the_range():
    assert np.isnan(circular_rolling(THIN, 0.5, 1.21 / math.sin(0.5)))
    assert np.isnan(circular_rolling(THIN, 0.5, -1.0))


@given(beta=angles)
def test_stationary_rolling(beta):
    rho = 1 / math.sin(beta)
    alpha_rate, gamma_rate, size = stationary_rolling(THIN, beta)
    root = math.sqrt(rho**2 - 1)
    assert gamma_rate**2 == pytest.approx(4 * Q / (rho * root), rel=1e-9)
    assert alpha_rate**2 == pytest.approx(4 * Q * rho / root, rel=1e-9)
    assert size**2 == pytest.approx(4 * Q * math.sqrt(1 - 1 / rho**2), rel=1e-9)
    assert stationary_rolling(THICK, beta)[1] ** 2 == pytest.approx(
        float(circular_rolling(THICK, beta, rho)), rel=1e-9
    )
    frequency = nutation(THIN, beta, -alpha_rate, gamma_rate)
    assert frequency == pytest.approx(0.8 * Q * (4 * rho**2 - 1) / (rho * root), rel=1e-9)


@given(beta=angles, share=st.floats(0.05, 1.15))
def test_nutation_of_a_thin_disk_is_the_printed_one(beta, share):
    rho = share / math.sin(beta)
    c = math.sqrt(float(circular_rolling(THIN, beta, rho)))
    a = -rho * c
    printed = a * a + (14 * a * c * math.sin(beta) + 12 * c * c - 4 * Q * math.cos(beta)) / 5
    assert float(nutation(THIN, beta, a, c)) == pytest.approx(printed, rel=1e-9, abs=1e-9 * a * a)


def period(state, until):
    """Between maxima of beta, by (5.5) to (5.7)."""

    def top(_, x):
        return x[2]

    top.direction = -1
    found = solve_ivp(
        thin_rates, (0, until), state, method="DOP853", rtol=1e-11, atol=1e-12, events=top
    )
    return float(np.diff(found.t_events[0]).mean())


@pytest.mark.parametrize(("beta", "share"), [(0.3, 0.1), (0.9, 0.7), (1.3, 1.0)])
def test_small_oscillations_have_the_linear_period(beta, share):
    rho = share / math.sin(beta)
    c = math.sqrt(float(circular_rolling(THIN, beta, rho)))
    frequency = math.sqrt(float(nutation(THIN, beta, -rho * c, c)))
    measured = period([beta, -rho * c, 1e-4, c], 60 / frequency)
    assert measured == pytest.approx(2 * math.pi / frequency, rel=1e-6)


def test_oscillation_of_the_papers_disk():
    """Section 4.1: 1.117 s, 5.625 rad/s; the linear one of the upright disk is 5.54 rad/s."""
    start = [0.0, 0.0, -10 * math.sin(0.035), 10 * math.cos(0.035)]
    measured = period(start, 12.0)
    assert measured == pytest.approx(1.117, abs=5e-4)
    assert 2 * math.pi / measured == pytest.approx(5.625, abs=2e-3)
    upright = math.sqrt(upright_nutation(THIN, start[3]))
    assert upright == pytest.approx(math.sqrt(0.8 * (3 * start[3] ** 2 - Q)), rel=1e-12)


MU, EPS = 0.3, 2e-3
LAWS = {
    "dry contour": (
        disk_decay.contour_decay(THIN, 3e-4), 3,
        math.sqrt(6) * 3e-4 * THIN.mass**1.5 * Q**2 * THIN.radius**3,
    ),
    "viscous contour": (
        disk_decay.viscous_contour_decay(THIN, 1e-4), 4, 6e-4 * Q**2 * THIN.mass * THIN.radius**4,
    ),
    "dry rolling": (
        disk_decay.rolling_decay(THIN, 1e-5), 1,
        2 * math.sqrt(6) / 3 * 1e-5 * Q * math.sqrt(THIN.mass),
    ),
    "viscous rolling": (
        disk_decay.viscous_rolling_decay(THIN, 1e-6), 0, 8e-6 / (3 * THIN.mass * THIN.radius**2),
    ),
    "Contensou": (
        disk_decay.contensou_decay(THIN, MU, EPS), -1,
        math.pi * math.sqrt(2) / (4 * math.sqrt(3)) * MU * EPS
        / (THIN.radius**2 * math.sqrt(THIN.mass)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LAWS)
def test_laws_of_decay(name):
    """The constants of the paper (right dimensions), the solution of E' = -a E^k, the fit."""
    law, exponent, rate = LAWS[name]
    assert law.exponent == exponent
    assert law.rate == pytest.approx(rate, rel=1e-12)
    start = 1e-3
    span = (
        0.9 * law.duration(start) if exponent > 0 else 3.0 / (law.rate * start ** (law.power - 1))
    )
    t = np.linspace(0.0, span, 50)
    found = solve_ivp(
        lambda _, e: -law.rate * e**law.power, (0, span), [start], t_eval=t, rtol=1e-10, atol=1e-20
    )
    assert np.allclose(law.energy(t, start), found.y[0], rtol=1e-7)
    fit = disk_decay.fit_decay(5.0 + t, law.energy(t, start))
    assert fit.law.exponent == pytest.approx(exponent, abs=1e-4)
    assert fit.law.rate == pytest.approx(rate, rel=1e-3)
    if exponent > 0:
        assert fit.final_time == pytest.approx(5.0 + law.duration(start), rel=1e-5)
        assert law.energy(2 * law.duration(start), start) == 0.0
    else:
        assert law.duration(start) == math.inf


def test_decay_is_the_power_of_stationary_rolling():
    """The moments of each friction at one beta near pi/2, for a disk that is not thin."""
    beta = math.pi / 2 - 1e-4
    a, c, _ = (float(each) for each in stationary_rolling(THICK, beta))
    weight, cosine = THICK.mass * THICK.gravity, math.cos(beta)
    e = 1.5 * THICK.weight_moment * cosine
    spin = a - c * math.sin(beta)
    powers = {
        disk_decay.contour_decay(THICK, 3e-4): 3e-4 * weight * THICK.radius * c,
        disk_decay.viscous_contour_decay(THICK, 2.0): 2.0 * (THICK.radius * c) ** 2,
        disk_decay.rolling_decay(THICK, 1e-5): 1e-5 * weight * c * cosine,
        disk_decay.viscous_rolling_decay(THICK, 2.0): 2.0 * (c * cosine) ** 2,
        disk_decay.contensou_decay(THICK, MU, EPS): 3 * math.pi / 16 * MU * weight * EPS * spin,
    }
    for law, power in powers.items():
        assert law.rate * e**law.power == pytest.approx(power, rel=1e-6)


def test_fit_of_the_turning():
    law = LAWS["dry contour"][0]
    t = np.linspace(0.0, 0.9 * law.duration(1e-3), 40)
    fit = disk_decay.fit_turning(t, law.energy(t, 1e-3) ** -0.5)
    assert fit.law.exponent == pytest.approx(3.0, abs=1e-4)


def test_fit_says_what_is_wrong():
    t = np.linspace(0.0, 1.0, 20)
    with pytest.raises(InputError, match="n >= 8"):
        disk_decay.fit_decay(t[:5], 1.0 - t[:5])
    with pytest.raises(InputError, match="above zero"):
        disk_decay.fit_decay(t, 0.5 - t)
