"""The reference for the gyroscope: energy and momenta from its bodies, Euler's equations, steady
precession."""

import math

import numpy as np
import pytest
from gyroscope_reference import Gyroscope, GyroscopeMotion, gyroscope
from mechanism_references import integrate

G = 9.81
TIMES = np.linspace(0, 2, 81)
TOP = Gyroscope((0.02, 0.011), (0.008, 0.0045), (0.006, 0.0035), 0.9, 0.12)
BARE = Gyroscope((0.0, 0.0), (0.0, 0.0), (0.006, 0.0035), 0.9, 0.12)
STARTS = [
    ((0.3, 0.7, -0.2), (0.0, 0.0, 90.0)),
    ((0.0, 2.2, 0.5), (1.0, -2.0, 25.0)),
    ((0.1, 0.4, 0.0), (-3.0, 1.0, 0.0)),
]


def moments(top: Gyroscope) -> np.ndarray:
    """About the bodies' own centres and axes, in the order of the bodies."""
    (ao, to), (ai, ti), (ar, tr) = top.outer, top.inner, top.rotor
    return np.array([(to, ao, to), (ti, ai, ti), (tr, tr, ar)])


def integrals(top: Gyroscope, motion: GyroscopeMotion) -> np.ndarray:
    """Energy, momentum about z, momentum of the rotor about its axis, from bodies in space."""
    R, W = motion.orientations, motion.angular_velocities
    local = np.einsum("tbji,tbj->tbi", R, W)
    spin = np.einsum("tbij,tbj->tbi", R, moments(top) * local)
    centre = motion.rotor_centres
    velocity = np.cross(W[:, 2], centre)
    energy = np.sum(spin * W, axis=(1, 2)) / 2 + top.mass * np.sum(velocity**2, axis=1) / 2
    energy += top.mass * G * centre[:, 2]
    vertical = np.sum(spin, axis=1)[:, 2] + top.mass * np.cross(centre, velocity)[:, 2]
    return np.stack([energy, vertical, np.sum(spin[:, 2] * R[:, 2, :, 2], axis=1)], axis=1)


@pytest.mark.parametrize(("angles", "rates"), STARTS)
def test_energy_and_both_momenta_are_kept(angles, rates):
    """Three integrals determine the three rates: together with kinematics this is all."""
    motion = gyroscope(TOP, angles, rates, G, TIMES)
    values = integrals(TOP, motion)
    assert np.all(np.ptp(values, axis=0) < 1e-10 * np.max(np.abs(values)))
    assert np.ptp(motion.coordinates[:, 1]) > 0.1  # it nutates
    np.testing.assert_allclose(motion.coordinates[0], angles, rtol=0, atol=0)
    np.testing.assert_allclose(motion.rates[0], rates, rtol=0, atol=1e-13)


@pytest.mark.parametrize(("angles", "rates"), STARTS)
def test_rates_are_those_of_angles_and_orientations(angles, rates):
    h, at = 1e-3, 0.8
    motion = gyroscope(TOP, angles, rates, G, at + h * np.arange(-3, 4))
    stencil = np.array([-1, 9, -45, 0, 45, -9, 1]) / (60 * h)
    slope = np.tensordot(stencil, motion.coordinates, axes=1)
    np.testing.assert_allclose(slope, motion.rates[3], rtol=0, atol=1e-6)
    R = motion.orientations[3]
    hat = np.tensordot(stencil, motion.orientations, axes=1) @ R.swapaxes(1, 2)
    W = np.stack([hat[:, 2, 1], hat[:, 0, 2], hat[:, 1, 0]], axis=1)
    np.testing.assert_allclose(
        W, motion.angular_velocities[3], rtol=0, atol=1e-4
    )  # spins by 0.09 per h
    np.testing.assert_allclose(
        R @ R.swapaxes(1, 2), np.broadcast_to(np.eye(3), (3, 3, 3)), rtol=0, atol=1e-15
    )


@pytest.mark.parametrize(("angles", "rates"), STARTS)
def test_without_rings_it_is_a_heavy_top(angles, rates):
    """Euler's equations J W' = J W x W + torque in the rotor's axes, and R' = R hat(W)."""
    motion = gyroscope(BARE, angles, rates, G, TIMES)
    J = moments(BARE)[2] + BARE.mass * BARE.distance**2 * np.array([1, 1, 0])
    pull = BARE.mass * G * BARE.distance

    def slope(_, state):
        W, R = state[:3], state[3:].reshape(3, 3)
        torque = pull * np.array([R[2, 1], -R[2, 0], 0])  # (0, 0, l) x R^T (0, 0, -m g)
        return np.concatenate([(np.cross(J * W, W) + torque) / J, np.cross(R, W).ravel()])

    R = motion.orientations[0, 2]
    states = integrate(slope, [*(R.T @ motion.angular_velocities[0, 2]), *R.ravel()], TIMES)
    np.testing.assert_allclose(
        motion.orientations[:, 2], states[:, 3:].reshape(-1, 3, 3), rtol=0, atol=1e-9
    )


def test_precession_can_be_steady():
    """At a right angle D' = 0: m g l = p psi' keeps theta for good."""
    pull, spin_rate = TOP.mass * G * TOP.distance, 60.0
    rate = pull / (TOP.rotor[0] * spin_rate)
    motion = gyroscope(TOP, (0.0, math.pi / 2, 0.0), (rate, 0.0, spin_rate), G, TIMES)
    exact = np.stack([rate * TIMES, np.full_like(TIMES, math.pi / 2), spin_rate * TIMES], axis=1)
    np.testing.assert_allclose(motion.coordinates, exact, rtol=0, atol=1e-11)
    centre = TOP.distance * np.stack(
        [np.sin(rate * TIMES), -np.cos(rate * TIMES), 0 * TIMES], axis=1
    )
    np.testing.assert_allclose(motion.rotor_centres, centre, rtol=0, atol=1e-11)
