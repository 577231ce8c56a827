"""Motion of a gyroscope in a gimbal, by Lagrange's equations. Nothing here uses the library."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from mechanism_references import Numbers, integrate


@dataclass(frozen=True)
class Gyroscope:
    """Outer ring, inner ring and rotor about one fixed point, the origin; gravity along -z.

    The outer ring turns by psi about z. The inner ring turns in it by theta about its x axis, the
    rotor turns in the inner one by phi about its z axis. At zero angles the axes of all bodies are
    those of the world. Rings are centred at the origin and lie in their own x-z plane, which holds
    both their shafts: their moments are diag(transverse, axial, transverse). The rotor's are
    diag(transverse, transverse, axial) about its own centre, at `distance` along its z axis.
    """

    outer: tuple[float, float]  # axial and transverse moment
    inner: tuple[float, float]
    rotor: tuple[float, float]
    mass: float  # of the rotor
    distance: float


class GyroscopeMotion(NamedTuple):
    """Angles (psi, theta, phi), and the three bodies: outer ring, inner ring, rotor."""

    coordinates: np.ndarray  # (times, 3)
    rates: np.ndarray
    orientations: np.ndarray  # (times, bodies, 3, 3), from the body's axes to the world's
    angular_velocities: np.ndarray  # (times, bodies, 3), in world axes
    rotor_centres: np.ndarray  # (times, 3)


def gyroscope(
    top: Gyroscope,
    start_angles: tuple[float, float, float],
    start_rates: tuple[float, float, float],
    g: float,
    times: Numbers,
) -> GyroscopeMotion:
    """Free motion from given angles and rates; (psi, theta, phi) throughout.

    T = (D psi'^2 + K theta'^2 + A (phi' + psi' cos theta)^2) / 2, V = m g l cos theta, with
    D = T_outer + T_inner cos^2 theta + (A_inner + T_rotor + m l^2) sin^2 theta, K = T_inner +
    T_rotor + m l^2. Kept are p = A (phi' + psi' cos theta) and D psi' + p cos theta, hence
    K theta'' = D' psi'^2 / 2 - p psi' sin theta + m g l sin theta.
    """
    axial, transverse = top.rotor[0], top.rotor[1] + top.mass * top.distance**2
    upright, flat = top.outer[1] + top.inner[1], top.outer[1] + top.inner[0] + transverse
    K, pull = top.inner[1] + transverse, top.mass * g * top.distance

    def turning(theta: float) -> float:
        return upright * math.cos(theta) ** 2 + flat * math.sin(theta) ** 2

    theta = start_angles[1]
    spin = axial * (start_rates[2] + start_rates[0] * math.cos(theta))
    vertical = turning(theta) * start_rates[0] + spin * math.cos(theta)

    def rates(theta: float) -> tuple[float, float]:
        psi_rate = (vertical - spin * math.cos(theta)) / turning(theta)
        return psi_rate, spin / axial - psi_rate * math.cos(theta)

    def slope(_: float, state: np.ndarray) -> list[float]:
        _, theta, _, theta_rate = state
        psi_rate, phi_rate = rates(theta)
        sine = math.sin(theta)
        push = (flat - upright) * math.cos(theta) * psi_rate**2 - spin * psi_rate + pull
        return [psi_rate, theta_rate, phi_rate, sine * push / K]

    states = integrate(slope, [*start_angles, start_rates[1]], times)
    psi_rates, phi_rates = np.array([rates(theta) for theta in states[:, 1]]).T
    turns = np.stack([psi_rates, states[:, 3], phi_rates], axis=1)
    return _gimbal(top.distance, states[:, :3], turns)


def _gimbal(distance: float, angles: np.ndarray, rates: np.ndarray) -> GyroscopeMotion:
    """The three bodies: R = Rz(psi), Rz(psi) Rx(theta), Rz(psi) Rx(theta) Rz(phi)."""
    outer = _turns(angles[:, 0], 2)
    inner = outer @ _turns(angles[:, 1], 0)
    rotor = inner @ _turns(angles[:, 2], 2)
    shafts = np.stack([outer[:, :, 2], outer[:, :, 0], inner[:, :, 2]], axis=1)
    return GyroscopeMotion(
        angles,
        rates,
        np.stack([outer, inner, rotor], axis=1),
        np.cumsum(shafts * rates[..., None], axis=1),
        distance * rotor[:, :, 2],
    )


def _turns(angles: np.ndarray, axis: int) -> np.ndarray:
    """Rotation matrices about a coordinate axis."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R = np.zeros((len(angles), 3, 3))
    R[:, axis, axis] = 1
    R[:, i, i] = R[:, j, j] = np.cos(angles)
    R[:, j, i] = np.sin(angles)
    R[:, i, j] = -R[:, j, i]
    return R
