"""The references for one wheel or mass, against their equations integrated piece by piece."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mechanism_references import integrate
from single_mass_references import (
    damped_spring,
    driven_flywheel,
    rubbing_spring,
    rubbing_spring_stop,
    sliding_mass,
    sliding_stop,
)

TIMES = np.linspace(0, 3, 61)


@pytest.mark.parametrize("damping", [0.0, 0.4, math.sqrt(4 * 0.7 * 50.0), 30.0])
def test_damped_spring_obeys_its_equation(damping):
    m, k = 0.7, 50.0
    states = integrate(lambda _, y: [y[1], -(damping * y[1] + k * y[0]) / m], [0.3, -1.0], TIMES)
    position, velocity = damped_spring(m, k, damping, 0.3, -1.0, TIMES)
    np.testing.assert_allclose(position, states[:, 0], rtol=0, atol=1e-11)
    np.testing.assert_allclose(velocity, states[:, 1], rtol=0, atol=1e-10)


def test_flywheel_rises_then_keeps_its_speed():
    angle, speed, torque = driven_flywheel(0.2, 0.5, 2.0, 10.0, [0.0, 1.0, 2.0])
    np.testing.assert_allclose(angle, [0, 3.75, 10.0 * 10 / 7.5 / 2 + 10 * (2 - 10 / 7.5)])
    np.testing.assert_allclose(speed, [0, 7.5, 10])
    np.testing.assert_allclose(torque, [2, 2, 0.5])


@given(st.floats(0.1, 10), st.floats(0, 5), st.floats(0.1, 10), st.floats(0.1, 50))
def test_work_of_the_motor_goes_to_motion_and_friction(moment, friction, surplus, target):
    times = np.linspace(0, 2 * target * moment / surplus, 9)
    angle, speed, torque = driven_flywheel(moment, friction, friction + surplus, target, times)
    assert torque[3] == friction + surplus
    assert torque[-1] == friction
    work = torque[3] * angle[4] + friction * (angle[-1] - angle[4])  # the target is met at times[4]
    assert work == pytest.approx(moment * speed[-1] ** 2 / 2 + friction * angle[-1], rel=1e-12)
    assert speed[-1] == pytest.approx(target)


@given(st.floats(0.1, 10), st.floats(0.1, 10), st.floats(0.1, 5), st.sampled_from([-1, 1]))
def test_slide_spends_its_energy(mass, friction, speed, sign):
    stop, distance = sliding_stop(mass, friction, sign * speed)
    assert friction * abs(distance) == pytest.approx(mass * speed**2 / 2)
    assert np.sign(distance) == sign
    position, velocity = sliding_mass(mass, friction, sign * speed, [0.0, stop / 2, stop, 2 * stop])
    np.testing.assert_allclose(position, distance * np.array([0, 0.75, 1, 1]), rtol=1e-12)
    np.testing.assert_allclose(
        velocity, sign * speed * np.array([1, 0.5, 0, 0]), rtol=0, atol=1e-14 * speed
    )


@pytest.mark.parametrize("start", [0.5, -0.5, 0.43, 0.11, 0.05, -0.02])
def test_rubbing_spring_goes_by_half_cycles(start):
    """Each half-cycle integrated with constant friction, until the spring cannot pull it off."""
    m, k, S = 0.8, 40.0, 2.0
    half = math.pi * math.sqrt(m / k)
    time, place, inner = 0.0, start, np.linspace(0, half, 17)
    while k * abs(place) > S:
        push = math.copysign(S, place)
        swing = integrate(
            lambda _, y, push=push: [y[1], (push - k * y[0]) / m], [place, 0.0], inner
        )
        position, velocity = rubbing_spring(m, k, S, start, time + inner)
        np.testing.assert_allclose(position, swing[:, 0], rtol=0, atol=1e-12)
        np.testing.assert_allclose(velocity, swing[:, 1], rtol=0, atol=1e-11)
        time, place = time + half, swing[-1, 0]
    assert rubbing_spring_stop(m, k, S, start) == pytest.approx((time, place), abs=1e-12)
    position, velocity = rubbing_spring(m, k, S, start, time + np.array([0.0, 1.0, 10.0]))
    np.testing.assert_allclose(position, place, rtol=0, atol=1e-12)
    np.testing.assert_allclose(velocity, 0, rtol=0, atol=1e-14)
    assert abs(place) <= S / k


@given(st.floats(0.1, 5), st.floats(1, 100), st.floats(0.05, 5), st.floats(-2, 2))
def test_rubbing_spring_loses_what_friction_takes(mass, stiffness, friction, start):
    stop, place = rubbing_spring_stop(mass, stiffness, friction, start)
    half = math.pi * math.sqrt(mass / stiffness)
    turning = half * np.arange(round(stop / half) + 1)
    position, velocity = rubbing_spring(mass, stiffness, friction, start, turning)
    path = np.sum(np.abs(np.diff(position)))
    lost = stiffness * (start**2 - place**2) / 2
    assert friction * path == pytest.approx(lost, rel=1e-9, abs=1e-12)
    assert abs(place) <= friction / stiffness * (1 + 1e-9)
    np.testing.assert_allclose(velocity, 0, rtol=0, atol=1e-10)
