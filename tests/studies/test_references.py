"""The closed forms that studies compare with, against numbers from elsewhere: fractions worked out
by hand, and the equations of motion integrated by SciPy with slightly smoothed friction."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from rollcone.studies import rolling_disk, rolling_sphere, spinning_sphere
from rollcone.studies.rolling_sphere import CASES, Case, exact, phases, reach


def unit(value: float, small: float) -> float:
    """The sign of a number, smoothed."""
    return value / np.sqrt(value**2 + small**2)


def integrate(case: Case, R: float, g: float, inertia: float, until: float, small=1e-5):
    """Position, speed, angular velocity of a wheel of unit mass; `inertia` over m R^2.

    The friction force opposes the slip, the moment opposes the turning; both smoothed.
    """

    def rates(_, state):
        _, U, W = state
        force = case.sliding * g * unit(U - R * W, small)
        moment = case.rolling * g * unit(W, small)
        return [U, -force, (force * R - moment) / (inertia * R**2)]

    start = [0.0, case.speed, case.turning]
    return solve_ivp(
        rates, (0, until), start, method="Radau", rtol=1e-9, atol=1e-11, dense_output=True
    ).sol


@pytest.mark.parametrize("name", CASES)
def test_sphere_motion(name):
    case = CASES[name]
    until = phases(case)[-1].end + 0.2
    t = np.linspace(0, until, 101)
    found = integrate(case, rolling_sphere.R, rolling_sphere.G, 0.4, until)(t)
    assert np.abs(exact(case, t)[:3] - found).max() < 1e-4


def test_disk_motion():
    t = np.linspace(0, 8, 81)
    case = Case(
        rolling_disk.V0, rolling_disk.V0 / rolling_disk.R, rolling_disk.MU, rolling_disk.RHO
    )
    inertia = rolling_disk.J / (rolling_disk.M * rolling_disk.R**2)
    x, speed, _ = integrate(case, rolling_disk.R, rolling_disk.G, inertia, 8.0)(t)
    way, fall = rolling_disk.exact(t)
    assert np.abs(way - x).max() < 1e-4
    assert np.abs(fall - speed).max() < 1e-4


def test_known_fractions():
    assert pytest.approx(7 / 50, rel=1e-15) == rolling_disk.DECELERATION
    assert pytest.approx(50 / 7, rel=1e-15) == rolling_disk.STOP_TIME
    assert pytest.approx(25 / 7, rel=1e-15) == rolling_disk.DISTANCE
    assert pytest.approx(1.4, rel=1e-15) == rolling_disk.FORCE
    assert pytest.approx(1308.997, abs=1e-3) == rolling_sphere.MASS
    known = {
        "a": [(Fraction(0), Fraction(4375, 981))],
        "b": [(Fraction(0), Fraction(250, 981)), (Fraction(250, 981), Fraction(1250, 327))],
        "c": [(Fraction(0), Fraction(10000, 2943)), (Fraction(10000, 2943), Fraction(5000, 981))],
    }
    ways = {"a": Fraction(21875, 3924), "b": Fraction(8125, 1962), "c": Fraction(6250, 981)}
    for name, spans in known.items():
        found = phases(CASES[name])
        assert [(p.start, p.end) for p in found] == [
            (pytest.approx(float(a), rel=1e-14), pytest.approx(float(b), rel=1e-14))
            for a, b in spans
        ]
        assert found[-1].at(found[-1].end)[0] == pytest.approx(float(ways[name]), rel=1e-14)


def test_reactions_agree_with_rates():
    """m dU/dt = -r_T and 0.4 m R^2 dW/dt = r_T R - m_R, over m g."""
    R, g = rolling_sphere.R, rolling_sphere.G
    for case in CASES.values():
        for phase in phases(case):
            assert phase.speed_rate == pytest.approx(-phase.force * g, rel=1e-14)
            turning = (phase.force * R - phase.moment) * g / (0.4 * R**2)
            assert phase.turning_rate == pytest.approx(turning, rel=1e-13, abs=1e-14)
            assert phase.force <= case.sliding * (1 + 1e-14)
            assert phase.moment <= case.rolling * (1 + 1e-14)


def test_reach_is_the_end_of_the_phases():
    for sliding in (0.01, 0.05, 0.2):
        for rolling in (0.005, 0.02, 0.1):
            last = phases(Case(2.5, 5.0, sliding, rolling))[-1]
            way = float(last.at(last.end)[0])
            assert reach(2.5, sliding, rolling) == pytest.approx(way, rel=1e-13)


def test_spin_rate():
    """By Lagrange's way: the energy of the spin is used up by the moment sigma N over the angle."""
    s = spinning_sphere
    energy = 0.5 * 0.4 * s.R**2 * s.SPIN**2
    angle = s.SPIN**2 / (2 * s.SPIN_RATE)
    assert s.SIGMA * s.G * angle == pytest.approx(energy, rel=1e-14)
    roll = 0.5 * 1.4 * s.SPEED**2
    assert pytest.approx(roll, rel=1e-14) == s.RHO * s.G * s.DISTANCE / s.R
