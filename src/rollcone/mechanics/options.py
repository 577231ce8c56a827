"""What can be said of a body besides its shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict

from numpy.typing import ArrayLike

from rollcone.mechanics.body import Load

Motion = Callable[[float], tuple[ArrayLike, ArrayLike]]


class BodyOptions(TypedDict, total=False):
    """What every `add_...` takes besides the shape; all by keyword.

    position          of the centre of mass (m)
    orientation       unit quaternion (w, x, y, z), body axes to world axes; rc.rotation makes it
                      of an axis and an angle
    velocity          m/s; with fixed=True the body keeps it for ever
    angular_velocity  rad/s, world axes; likewise
    mass | density    kg, or kg/m3: one of them, for bodies that are not fixed
    inertia           principal moments about the body axes (3,) or a tensor (3, 3), kg m2;
                      if not given, that of the homogeneous body
    principal_axes    unit quaternion, axes of three principal moments to body axes
    material          a name, 'default' if not given
    fixed             True: not moved by forces
    motion            a function of time that returns velocity and angular velocity; the body
                      follows it whatever touches it
    force, torque     constants, or functions of time and body (N, N m, world axes)
    linear_damping    c in dv/dt = ... - c v (1/s); none if not given
    angular_damping   likewise for the angular momentum
    name              to find the body again; made up if not given
    """

    position: ArrayLike
    orientation: ArrayLike
    velocity: ArrayLike
    angular_velocity: ArrayLike
    mass: float
    density: float
    inertia: ArrayLike
    principal_axes: ArrayLike
    material: str
    fixed: bool
    motion: Motion
    force: Load
    torque: Load
    linear_damping: float
    angular_damping: float
    name: str
