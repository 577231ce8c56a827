"""Mass and inertia: what a body weighs, its principal moments and principal axes.

Moments are about the centre of mass, in kg m2; those of shapes are per kilogram, for a body of
one density, or with a row for each body. An inertia tensor I in body axes is I = P diag(J) P^T:
J are the principal moments, and the columns of P, a rotation, are the principal axes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, bounded_array, positive_number
from rollcone.errors import InputError
from rollcone.mechanics.rotations import quaternion_of_matrix

_ROUNDED = 1e-10  # asymmetry up to which a tensor counts as symmetric; its largest entry is 1
_ZERO = 1e-14  # likewise, what counts as zero: an entry beside the diagonal, a moment


def body_mass(volume: float, mass: float | None = None, density: float | None = None) -> float:
    """The mass (kg) of a body of which the mass or the density (kg/m3) is given."""
    if mass is not None and density is not None:
        raise InputError(f"mass = {mass!r} and density = {density!r}: give one of them, not both")
    if mass is not None:
        return positive_number("mass", mass)
    if volume == 0.0:
        given = "" if density is None else f"density = {density!r}: "
        raise InputError(
            f"{given}what has no volume, a thin disk or a surface, has no density; it needs mass "
            "(kg), unless it is fixed"
        )
    if density is None:
        raise InputError("needs mass or density (kg or kg/m3), unless it is fixed")
    return positive_number("density * volume", positive_number("density", density) * volume)


def sphere_moments(radius: FloatArray | float) -> FloatArray:
    """2/5 r^2 for a solid ball, per kilogram."""
    return np.stack([0.4 * (radius * radius)] * 3, axis=-1)


def box_moments(edges: ArrayLike) -> FloatArray:
    """(b^2 + c^2) / 12 and so on for a solid cuboid with edges (a, b, c), per kilogram."""
    a, b, c = np.moveaxis(np.square(np.asarray(edges, dtype=np.float64)), -1, 0)
    return np.stack([b + c, a + c, a + b], axis=-1) / 12.0


def capsule_volume(radius: FloatArray | float, length: FloatArray | float) -> FloatArray:
    """Of a cylinder of that length with half a ball on each end (m3)."""
    return np.asarray(np.pi * radius * radius * (length + 4.0 / 3.0 * radius))


def capsule_moments(radius: FloatArray | float, length: FloatArray | float) -> FloatArray:
    """For a solid capsule of radius r and length h along z, per kilogram:

    J_z = c r^2 / 2 + (1 - c) 2 r^2 / 5
    J_x = c (h^2 / 12 + r^2 / 4) + (1 - c) (2 r^2 / 5 + h^2 / 4 + 3 h r / 8) = J_y

    with c the share of the cylinder in the volume.
    """
    r, h = radius, length
    c = h / (h + 4.0 / 3.0 * r)
    across = c * (h * h / 12.0 + r * r / 4.0)
    across += (1.0 - c) * (0.4 * r * r + h * h / 4.0 + 0.375 * h * r)
    return np.stack([across, across, c * r * r / 2.0 + (1.0 - c) * 0.4 * r * r], axis=-1)


def disk_moments(radius: FloatArray | float) -> FloatArray:
    """r^2 / 4 across and r^2 / 2 about z for a thin disk, per kilogram."""
    square = np.asarray(radius * radius)
    return np.stack([0.25 * square, 0.25 * square, 0.5 * square], axis=-1)


def ellipsoid_moments(semi_axes: ArrayLike) -> FloatArray:
    """(b^2 + c^2) / 5 and so on for a solid ellipsoid with semi-axes (a, b, c), per kilogram."""
    return 2.4 * box_moments(semi_axes)


def principal_axes(inertia: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Principal moments (3,), and the quaternion that turns principal axes into body axes.

    `inertia` is three moments about the body axes, or a symmetric tensor (3, 3) in body axes.
    Axes are left alone where the tensor is diagonal. All moments must be above zero, or
    the body would turn at any rate for nothing. That one exceeds the sum of the other two
    is allowed: nothing made of matter has such an inertia, but published examples do, and
    the equations of motion do not mind.
    """
    tensor = bounded_array("inertia", inertia)
    if tensor.shape == (3,):
        return _above(0.0, tensor, tensor), np.array([1.0, 0.0, 0.0, 0.0])
    if tensor.shape != (3, 3):
        raise InputError(
            f"inertia of shape {tensor.shape}: must be three moments (3,) or a tensor (3, 3)"
        )
    size = np.abs(tensor).max()
    if np.abs(tensor - tensor.T).max() > _ROUNDED * size:
        raise InputError(f"inertia = {tensor.tolist()}: must be symmetric")
    diagonal = np.diag(tensor).copy()
    if np.abs(tensor - np.diag(diagonal)).max() <= _ZERO * size:
        return _above(0.0, diagonal, tensor), np.array([1.0, 0.0, 0.0, 0.0])
    moments, axes = np.linalg.eigh(0.5 * (tensor + tensor.T))
    axes[:, 0] *= np.sign(np.linalg.det(axes))  # right-handed
    return _above(_ZERO * size, moments, tensor), quaternion_of_matrix(axes)


def _above(zero: float, moments: FloatArray, given: FloatArray) -> FloatArray:
    least = moments.min()
    if least <= zero:
        allowed = "three moments > 0" if given.ndim == 1 else "positive definite"
        raise InputError(
            f"inertia = {given.tolist()} with a principal moment {least:.3g}: must be {allowed}"
        )
    return moments.copy()
