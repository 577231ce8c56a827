"""The acceleration problem of a world at a moment (Pang and Trinkle 1996, (20) to (22)).

Every dynamic body has six velocities, (v, w) in world axes, and M = diag(m, R J R^T). Applied
forces are gravity, forces and torques on bodies, damping, those of joints, and -w x (R J R^T w).
Bodies with a prescribed motion are not in v: their velocities and accelerations are part of the
biases.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from scipy.linalg import block_diag

from rollcone._check import FloatArray, IntArray, one_number, positive_number
from rollcone.analysis.acceleration.displaced import displaced
from rollcone.analysis.acceleration.places import HeldRow, JointPlace, Places
from rollcone.analysis.acceleration.problem import AccelerationProblem
from rollcone.analysis.acceleration.world_contacts import (
    WorldContacts,
    touching,
    world_contacts,
)
from rollcone.analysis.acceleration.world_joints import WorldJoints, world_joints
from rollcone.errors import InputError
from rollcone.mechanics.bodies import DYNAMIC
from rollcone.mechanics.body import Body, vector
from rollcone.mechanics.joint_places import joint_places
from rollcone.mechanics.kernels.rotation import multiply
from rollcone.mechanics.rotations import rotation_matrix
from rollcone.mechanics.world import World

SPEED_TOLERANCE = 1e-6  # m/s, rad/s
_NOISE = 1e-7  # of velocity products, v^2 over the smallest body
_MOMENT = 1e-4  # s, over which prescribed velocities are differentiated


def problem_of(
    world: World,
    *,
    time: float = 0.0,
    torques: Mapping[str, float] | None = None,
    accelerations: Mapping[str, float] | None = None,
    speed_tolerance: float = SPEED_TOLERANCE,
) -> AccelerationProblem:
    """The problem of what happens next in a world; the world is left as it is.

    time             s, for motions and drives that depend on it
    torques          by joint, or "joint.coordinate": torque (N m) or force (N) of its drive
    accelerations    likewise: given accelerations, whose torques are then part of the answer
    speed_tolerance  m/s, rad/s: contacts that slide no faster are at rest, and those that close or
                     open no faster last
    """
    if not isinstance(world, World):
        raise InputError(f"world is a {type(world).__name__}: must be a World{hint(world)}")
    time = one_number("time", time)
    slow = positive_number("speed_tolerance", speed_tolerance, zero=True)
    world = world.copy()
    world.drive(time)
    world.check()
    movers = np.flatnonzero(world.state.kind == DYNAMIC)
    if not len(movers):
        poured = "; emitters have not poured yet: simulate first, then analyze(simulation.world)"
        words = "world: has no body that forces can move"
        raise InputError(words + poured * bool(world.emitters))
    found = touching(world)
    joined = [k for _, spec in world.joints for k in (spec.base, spec.body) if k >= 0]
    moment = displaced(world, np.array([*found.bodies.ravel(), *joined], dtype=np.int64))
    contacts = world_contacts(world, found, moment, slow)
    given, asked = ({} if table is None else table for table in (torques, accelerations))
    joints = world_joints(world, moment, time, given, asked, slow)
    problem, e = _assembled(world, time, slow, movers, contacts, joints)
    velocities = np.hstack([world.state.velocity, world.state.angular_velocity])[movers].ravel()
    e = _without_noise(problem, e, moment.pace * np.abs(velocities))
    return replace(problem, held_acceleration=e)


def hint(thing: object) -> str:
    """For scenes and simulations, which have a world."""
    return "; give its .world" if isinstance(getattr(thing, "world", None), World) else ""


def _without_noise(problem: AccelerationProblem, e: FloatArray, products: FloatArray) -> FloatArray:
    """What redundant rows agree on, if they disagree by the rounding of velocity products only."""
    most = float((np.abs(problem.held) @ products).max(initial=0.0))
    agreed = problem.agreed(e)
    return agreed if np.all(np.abs(agreed - e) <= _NOISE * most) else e


def _assembled(
    world: World, time: float, slow: float, movers: IntArray, contacts: WorldContacts,
    joints: WorldJoints,
) -> tuple[AccelerationProblem, FloatArray]:  # fmt: skip
    """The problem but for given accelerations, and these."""
    columns = (6 * movers[:, None] + np.arange(6)).ravel()
    driven = _driven_accelerations(world, time)
    contacts = _with_stops(world, contacts, joints)
    E = np.array(joints.held).reshape(-1, 6 * len(world.state))
    moved = np.abs(E[:, columns]).max(axis=1, initial=0.0) > 0.0
    held = tuple(label for label, used in zip(joints.labels, moved, strict=True) if used)
    mass, load = _inertia(world, time, movers)
    places = Places(
        contacts.bodies, world.names, contacts.point, contacts.frames, movers, held,
        _holding(world, movers, held), contacts.opening, contacts.sharp, contacts.overlap,
        contacts.nearly,
    )  # fmt: skip
    problem = AccelerationProblem(
        mass=mass,
        rows=contacts.rows[:, :, columns],
        force=load + joints.force[columns],
        friction=contacts.friction,
        velocity=contacts.velocity,
        bias=contacts.bias + contacts.rows @ driven,
        held=E[moved][:, columns],
        speed_tolerance=slow,
        places=places,
    )
    return problem, (np.array(joints.acceleration) - E @ driven)[moved]


def _holding(world: World, movers: IntArray, held: tuple[HeldRow, ...]) -> tuple[JointPlace, ...]:
    """The joints of rows by which they hold bodies, and on which body that is told."""
    state, arrays = world.state, world.joints.arrays()
    where = joint_places(arrays, state.position, state.orientation, state.period)
    found = []
    for k in dict.fromkeys(row.joint for row in held if row.joint >= 0):
        body, other = int(arrays.body[k]), int(arrays.base[k])
        point, center = where.body_point[k], where.body_center[k]
        if body not in movers:
            body, other, point, center = other, body, where.base_point[k], where.base_center[k]
        name = world.joints.spec(k).name
        found.append(JointPlace(k, name, body, other, point, point - center))
    return tuple(found)


def _with_stops(world: World, contacts: WorldContacts, joints: WorldJoints) -> WorldContacts:
    """Limits of joints that are met, as contacts without friction after the others."""
    if not joints.stops:
        return contacts
    count, d = len(joints.stops), contacts.rows.shape[1]
    specs = [world.joints.spec(k) for k in joints.stop_joints]
    rows = np.zeros((count, d, contacts.rows.shape[2]))
    rows[:, 0], bias = np.array(joints.stops), np.zeros((count, d))
    bias[:, 0] = joints.stop_bias
    point = np.array([world.state.position[spec.body] for spec in specs])
    return WorldContacts(
        np.concatenate([contacts.bodies, [(spec.base, spec.body) for spec in specs]]),
        np.concatenate([contacts.point, point]),
        np.concatenate([contacts.frames, np.tile(np.eye(3), (count, 1, 1))]),
        np.concatenate([contacts.rows, rows]),
        np.concatenate([contacts.velocity, np.zeros((count, d))]),
        np.concatenate([contacts.bias, bias]),
        np.concatenate([contacts.friction, np.zeros((count, contacts.friction.shape[1]))]),
        contacts.opening,
        contacts.sharp,
        contacts.overlap,
        contacts.nearly,
    )


def _driven_accelerations(world: World, time: float) -> FloatArray:
    """(6 N,) of bodies with a prescribed motion, zero for the others."""
    found = np.zeros((len(world.state), 6))
    for number in world.motions:
        less, more = (world.driven_velocity(number, time + k * _MOMENT) for k in (-1, 1))
        found[number] = (more - less) / (2.0 * _MOMENT)
    return found.ravel()


def _inertia(world: World, time: float, movers: IntArray) -> tuple[FloatArray, FloatArray]:
    """M and the forces on bodies, joints apart."""
    s = world.state
    force, torque = s.force.copy(), s.torque.copy()
    for (number, name), function in world.loads.items():
        value = function(time, Body(world, number))
        (force if name == "force" else torque)[number] = vector(
            f"{name} of {world.name_of(number)!r}", value
        )
    blocks, loads = [], []
    for i in movers:
        R = rotation_matrix(np.array(multiply(*s.orientation[i], *s.principal[i])))
        inertia = R @ np.diag(s.inertia[i]) @ R.T
        v, w = s.velocity[i], s.angular_velocity[i]
        blocks += [s.mass[i] * np.eye(3), inertia]
        loads.append(force[i] + s.mass[i] * (world.gravity - s.damping[i, 0] * v))
        loads.append(torque[i] - s.damping[i, 1] * (inertia @ w) - np.cross(w, inertia @ w))
    return np.asarray(block_diag(*blocks)), np.concatenate(loads)
