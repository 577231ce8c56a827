"""A disk that rolls on a floor: its angles and rates, circular rolling, small oscillations.

Le Saux, Leine and Glocker 2005, sections 2.2 and 5. The floor is z = 0, the disk's axis is the z
axis of its body and rises by beta above the floor: upright at 0, flat at pi/2. e_x is the
horizontal diameter, at alpha from the x axis; gamma turns the disk about its axis:

    angular velocity = alpha' z + beta' e_x + gamma' axis

Their formulas are for a thin disk of moments A = m r^2 / 4, C = m r^2 / 2. Here A and C are any,
as of a disk with a thickness that rolls on a rim in the plane of its centre; J = C + m r^2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, positive_number
from rollcone.errors import InputError


@dataclass(frozen=True)
class RollingDisk:
    """radius (m), mass (kg), moments of inertia (kg m^2) about a diameter, A, and about the axis,
    C; gravity (m/s^2). Thin if the moments are not given."""

    radius: float
    mass: float
    transverse: float | None = None
    axial: float | None = None
    gravity: float = 9.81

    def __post_init__(self) -> None:
        for name in ("radius", "mass", "gravity"):
            positive_number(name, getattr(self, name))
        for name in ("transverse", "axial"):
            if getattr(self, name) is not None:
                positive_number(name, getattr(self, name))

    @property
    def A(self) -> float:
        return self.mass * self.radius**2 / 4 if self.transverse is None else self.transverse

    @property
    def C(self) -> float:
        return self.mass * self.radius**2 / 2 if self.axial is None else self.axial

    @property
    def J(self) -> float:
        """About the axis, of the point that touches."""
        return self.C + self.mass * self.radius**2

    @property
    def weight_moment(self) -> float:
        """m g r (N m)."""
        return self.mass * self.gravity * self.radius


@dataclass(frozen=True)
class DiskMotion:
    """By time (n,): angles (rad), rates (rad/s), the slip (n, 2) (m/s) along e_x and across it of
    the point that touches, and the spin about the vertical (rad/s). Flat, alpha and gamma have no
    meaning."""

    alpha: FloatArray
    beta: FloatArray
    gamma: FloatArray
    alpha_rate: FloatArray
    beta_rate: FloatArray
    gamma_rate: FloatArray
    slip: FloatArray
    spin: FloatArray
    radius: float

    @property
    def psi_rate(self) -> FloatArray:
        """Of the point that touches, round the rim (2.18)."""
        return -self.gamma_rate

    @property
    def rim_speed(self) -> FloatArray:
        """gamma_R (2.23), m/s."""
        return self.radius * self.gamma_rate

    @property
    def rho(self) -> FloatArray:
        """-alpha' / gamma' (5.11): radius of the disk over that of the circle it rolls on."""
        return -self.alpha_rate / self.gamma_rate


def disk_motion(
    orientation: ArrayLike, velocity: ArrayLike, angular_velocity: ArrayLike, radius: float
) -> DiskMotion:
    """Of quaternions (n, 4) w, x, y, z and velocities (n, 3) in world axes, as a track has them."""
    q = np.atleast_2d(np.asarray(orientation, dtype=float))
    v = np.atleast_2d(np.asarray(velocity, dtype=float))
    turning = np.atleast_2d(np.asarray(angular_velocity, dtype=float))
    for name, array, columns in (
        ("orientation", q, 4), ("velocity", v, 3), ("angular_velocity", turning, 3),
    ):  # fmt: skip
        if array.shape != (len(q), columns):
            raise InputError(f"{name}: has shape {array.shape}, must have {(len(q), columns)}")
    r = positive_number("radius", radius)
    first, axis = _body_axes(q)
    sine = np.clip(axis[:, 2], -1.0, 1.0)
    cosine = np.hypot(axis[:, 0], axis[:, 1])
    safe = np.where(cosine > 0.0, cosine, 1.0)
    along = np.stack([axis[:, 1], -axis[:, 0], np.zeros(len(q))], axis=1) / safe[:, None]
    along[cosine == 0.0] = (1.0, 0.0, 0.0)
    up = np.cross(along, axis)  # the steepest line of the disk
    p, s, w = (np.einsum("ij,ij->i", turning, each) for each in (along, axis, up))
    across = np.stack([-along[:, 1], along[:, 0], np.zeros(len(q))], axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        alpha_rate = w / cosine
        gamma_rate = s - alpha_rate * sine
    slip_along = np.einsum("ij,ij->i", v, along) - r * s
    slip_across = np.einsum("ij,ij->i", v, across) + r * p * cosine
    turned = np.arctan2(-np.einsum("ij,ij->i", first, up), np.einsum("ij,ij->i", first, along))
    return DiskMotion(
        alpha=np.unwrap(np.arctan2(along[:, 1], along[:, 0])),
        beta=np.arctan2(sine, cosine),
        gamma=np.unwrap(turned),
        alpha_rate=alpha_rate,
        beta_rate=p,
        gamma_rate=gamma_rate,
        slip=np.stack([slip_along, slip_across], axis=1),
        spin=turning[:, 2],
        radius=r,
    )


def circular_rolling(disk: RollingDisk, beta: ArrayLike, rho: ArrayLike) -> FloatArray:
    """gamma'^2 (rad^2/s^2) of rolling on a circle of radius r / rho at constant beta, (5.12):

        m g r sin(beta) / (rho cos(beta) (J - (J - A) rho sin(beta)))

    NaN where there is none: rho sin(beta) must be in 0 .. J / (J - A).
    """
    b, ratio = np.asarray(beta, dtype=float), np.asarray(rho, dtype=float)
    turn = ratio * np.sin(b)
    below = ratio * np.cos(b) * (disk.J - (disk.J - disk.A) * turn)
    with np.errstate(divide="ignore", invalid="ignore"):
        square = disk.weight_moment * np.sin(b) / below
    return np.where(square > 0.0, square, np.nan)


def stationary_rolling(disk: RollingDisk, beta: ArrayLike) -> tuple[FloatArray, ...]:
    """|alpha'|, |gamma'| and the size of the angular velocity when the centre is at rest:
    rho sin(beta) = 1, (5.14), (5.15). alpha'^2 = m g r / (A cos(beta))."""
    b = np.asarray(beta, dtype=float)
    alpha_rate = np.sqrt(disk.weight_moment / (disk.A * np.cos(b)))
    return alpha_rate, alpha_rate * np.abs(np.sin(b)), alpha_rate * np.cos(b)


def nutation(
    disk: RollingDisk, beta: ArrayLike, alpha_rate: ArrayLike, gamma_rate: ArrayLike
) -> FloatArray:
    """Frequency squared (rad^2/s^2) of small oscillations about circular rolling; below zero, the
    disk falls. (5.22) for a thin disk, alpha'^2 + (14 alpha' gamma' sin(beta) + 12 gamma'^2
    - 4 g cos(beta) / r) / 5; here of any A, C. While it rolls, s and w are functions of beta:

        (A + m r^2) beta'' = G = -A w^2 tan(beta) + J w s + m g r sin(beta)
        ds/dbeta = -(m r^2 / J) w,   dw/dbeta = w tan(beta) - (C / A) s

    and the frequency squared is -dG/dbeta / (A + m r^2).
    """
    b = np.asarray(beta, dtype=float)
    sine, cosine = np.sin(b), np.cos(b)
    w = np.asarray(alpha_rate) * cosine
    s = np.asarray(alpha_rate) * sine + np.asarray(gamma_rate)
    square = disk.mass * disk.radius**2
    s_slope = -square / disk.J * w
    w_slope = w * sine / cosine - disk.C / disk.A * s
    slope = -2 * disk.A * w * w_slope * sine / cosine - disk.A * (w / cosine) ** 2
    slope += disk.J * (w_slope * s + w * s_slope) + disk.weight_moment * cosine
    return np.asarray(-slope / (disk.A + square))


def upright_nutation(disk: RollingDisk, gamma_rate: float) -> float:
    """Frequency squared of an upright disk that rolls straight ahead: 4/5 (3 gamma'^2 - g / r) if
    thin; below zero, it falls."""
    return float(nutation(disk, 0.0, 0.0, gamma_rate))


def feasibility(disk: RollingDisk, beta: ArrayLike, rho: ArrayLike, sliding: float) -> FloatArray:
    """chi (5.28): friction of circular rolling over mu m g. Above 1 the disk cannot roll so."""
    b = np.asarray(beta, dtype=float)
    turn = np.asarray(rho, dtype=float) * np.sin(b)
    mu = positive_number("sliding", sliding)
    share = disk.J - (disk.J - disk.A) * turn
    top = disk.mass * disk.radius**2 * np.abs((1 - turn) * np.tan(b))
    return np.asarray(top / (np.abs(share) * mu))


def _body_axes(q: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The x and the z axis of bodies, in the world (n, 3)."""
    w, x, y, z = (q / np.linalg.norm(q, axis=1)[:, None]).T
    first = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], axis=1)
    third = np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=1)
    return first, third
