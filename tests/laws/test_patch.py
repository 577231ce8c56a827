"""The limit curves of patches: against quadrature, the literature, and high precision."""

from __future__ import annotations

import numpy as np
import pytest
from mpmath import mp, mpf
from patch_reference import DIGITS, PRESSURES, by_quadrature, force_and_torque

from rollcone.laws.contensou import PRESSURES as KINDS
from rollcone.laws.kernels.patch import patch, patch_ends

BOUND, SLOPE_BOUND = 2e-15, 1e-14


def curve(pressure: str, u: float) -> tuple[float, float]:
    """(xi, eta) of the library at u."""
    if u <= 1.0:
        return patch(KINDS[pressure], False, u)[:2]
    eta, xi, _ = patch(KINDS[pressure], True, 1.0 / u)
    return xi, eta


@pytest.mark.parametrize("pressure", PRESSURES)
@pytest.mark.parametrize("u", [0.05, 0.5, 0.97, 1.0, 1.04, 2.0, 30.0])
def test_coulombs_law_over_the_patch(pressure: str, u: float) -> None:
    with mp.workdps(30):
        xi, eta = by_quadrature(pressure, u)
    assert curve(pressure, u) == pytest.approx((float(xi), float(eta)), rel=1e-12)


@pytest.mark.parametrize("pressure", PRESSURES)
@pytest.mark.parametrize("outer", [False, True], ids=["inner", "outer"])
def test_every_digit(pressure: str, outer: bool) -> None:
    """w -> 0, w -> 1, where the series takes over, and between: all to rounding."""
    rng = np.random.default_rng(1)
    places = [1.0, 0.5, np.nextafter(0.5, 0.0), *rng.uniform(0.0, 1.0, 40)]
    places += [*(1.0 - 10.0 ** rng.uniform(-16, -1, 30)), *(10.0 ** rng.uniform(-12, 0, 30))]
    with mp.workdps(DIGITS):
        for w in places:
            grow, fall, slope = (mpf(float(part)) for part in patch(KINDS[pressure], outer, w))
            xi, eta = force_and_torque(pressure, 1 / mpf(w) if outer else mpf(w))
            right = (eta, xi) if outer else (xi, eta)
            assert abs(grow / right[0] - 1) <= BOUND, w
            assert abs(fall / right[1] - 1) <= BOUND, w
            if w < 1.0:  # the derivative by a difference: two points 1e-40 apart
                near = mpf(w) + mpf("1e-40")
                ahead = force_and_torque(pressure, 1 / near if outer else near)
                difference = (ahead[1 if outer else 0] - right[0]) / mpf("1e-40")
                assert abs(slope / difference - 1) <= SLOPE_BOUND, w


@pytest.mark.parametrize("pressure", PRESSURES)
def test_ends(pressure: str) -> None:
    """What the start of the nearest point's search takes for granted."""
    kind = KINDS[pressure]
    eta0, xi1, eta1, rise, outer_rise = patch_ends(kind)
    assert patch(kind, False, 0.0) == pytest.approx((0.0, eta0, rise), rel=1e-15)
    assert patch(kind, False, 1.0)[:2] == pytest.approx((xi1, eta1), rel=1e-15)
    assert patch(kind, True, 1.0)[:2] == pytest.approx((eta1, xi1), rel=1e-15)
    assert patch(kind, True, 0.0) == pytest.approx((0.0, 1.0, outer_rise), rel=1e-15)
    assert patch(kind, True, 1e-300)[0] == pytest.approx(outer_rise * 1e-300, rel=1e-15)


def test_known_points_of_hertz() -> None:
    points = {
        0.0: (0.0, 3 * np.pi / 16),
        0.5: (0.55223308, 0.45559229),
        1.0: (9 * np.pi / 32, 9 * np.pi / 128),
        2.0: (0.97427858, 0.10190933),
        4.0: (0.99370740, 0.05022679),
    }
    for u, point in points.items():
        assert curve("hertz", u) == pytest.approx(point, abs=6e-9)


def test_the_series_of_le_saux_leine_and_glocker() -> None:
    """(2.31), second branch, xi > xi*: 1 to the eighth power of eta, and to 4e-4 of eta there."""
    for u in (1.0, 1.5, 2.0, 4.0, 16.0):
        xi, eta = curve("hertz", u)
        left = xi**2 + 5 * eta**2 - 75 / 7 * eta**4 + 1250 / 147 * eta**6
        assert abs(left - 1.0) <= 40.0 * eta**8
        assert abs(left - 1.0) / (10.0 * eta**2) <= 4e-4


@pytest.mark.parametrize("pressure", PRESSURES)
def test_the_curve_is_convex_and_falls(pressure: str) -> None:
    u = np.concatenate([np.linspace(0.0, 1.0, 500), 1.0 / np.linspace(1.0, 0.01, 500)[1:]])
    xi, eta = np.array([curve(pressure, each) for each in u]).T
    turns = np.diff(xi)[:-1] * np.diff(eta)[1:] - np.diff(xi)[1:] * np.diff(eta)[:-1]
    assert np.all(np.diff(xi) > 0)
    assert np.all(np.diff(eta) < 0)
    assert np.all(turns < 1e-15)
