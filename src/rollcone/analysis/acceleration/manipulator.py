"""The problem from the matrices of the paper: an object and a manipulator (Pang and Trinkle 1996,
(1) to (5)).

The velocities are v = (dq/dt, dtheta/dt), and H = [W^T, -J]; so the forces on joints are -J^T p.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import block_diag

from rollcone._check import bounded_array
from rollcone.analysis.acceleration.problem import AccelerationProblem
from rollcone.errors import InputError


def manipulator_problem(
    *,
    object_mass: ArrayLike,
    wrenches: ArrayLike,
    friction: ArrayLike,
    object_force: ArrayLike,
    joint_mass: ArrayLike | None = None,
    jacobian: ArrayLike | None = None,
    joint_force: ArrayLike | None = None,
    torques: ArrayLike | None = None,
    joint_accelerations: dict[int, float] | None = None,
    velocity: ArrayLike | None = None,
    bias: ArrayLike | None = None,
) -> AccelerationProblem:
    """object_mass          M_obj (n, n)
    wrenches             W (n, 3 c): the columns w_n, w_t, w_o of one contact after the other; two
                         columns each in a plane
    friction             mu (c,)
    object_force         g_obj + h_obj (n,)
    joint_mass           M_man (k, k)
    jacobian             J (3 c, k), rows in the order of the columns of W
    joint_force          g_man + h_man (k,), as (2) has them, on the other side than the torques
    torques              tau (k,); those of joints whose accelerations are given are not read
    joint_accelerations  by joint, where accelerations are given and torques are sought
    velocity             v (c, 3): relative velocities at contacts
    bias                 dW^T/dt dq/dt - dJ/dt dtheta/dt (c, 3)
    """
    M = bounded_array("object_mass", object_mass)
    W = bounded_array("wrenches", wrenches)
    mu = np.atleast_1d(bounded_array("friction", friction))
    if W.ndim != 2 or W.shape[0] != len(M) or not len(mu) or W.shape[1] % len(mu):
        raise InputError(
            f"wrenches of shape {W.shape}: must be ({len(M)}, 3 x contacts), with friction for "
            f"each contact, of which it has {len(mu)}"
        )
    f = bounded_array("object_force", object_force)
    given = joint_accelerations or {}
    if joint_mass is None:
        rows, mass, force = W.T, M, f
    else:
        inertia = bounded_array("joint_mass", joint_mass)
        J = bounded_array("jacobian", jacobian if jacobian is not None else [])
        if J.shape != (W.shape[1], len(inertia)):
            raise InputError(f"jacobian of shape {J.shape}: must be {(W.shape[1], len(inertia))}")
        none = np.zeros(len(inertia))
        load = none if joint_force is None else bounded_array("joint_force", joint_force)
        tau = none.copy() if torques is None else bounded_array("torques", torques).copy()
        if load.shape != none.shape or tau.shape != none.shape:
            raise InputError(f"joint_force, torques: must be of shape {none.shape}")
        for joint in given:
            if not 0 <= joint < len(tau):
                raise InputError(f"joint_accelerations: there is no joint {joint!r} of {len(tau)}")
        tau[list(given)] = 0.0
        rows, mass = np.hstack([W.T, -J]), block_diag(M, inertia)
        force = np.concatenate([f, tau - load])
    held = np.zeros((len(given), len(mass)))
    held[np.arange(len(given)), [len(M) + joint for joint in given]] = 1.0
    return AccelerationProblem(
        mass=mass,
        rows=rows.reshape(len(mu), -1, len(mass)),
        force=force,
        friction=mu,
        velocity=velocity,  # type: ignore[arg-type]
        bias=bias,  # type: ignore[arg-type]
        held=held,
        held_acceleration=np.array(list(given.values()), dtype=float),
    )
