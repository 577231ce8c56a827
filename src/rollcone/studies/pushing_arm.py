"""An arm of two links pushes a block: the world's problem against that in joint angles by hand.

The arm is in the plane x-z: links of lengths l1, l2 at angles f1 = q1, f2 = q1 + q2 from the floor,
moments of inertia J1, J2 about their middles. Its tip, half a ball of radius r, is at the block's
face. In q1, q2 (Pang and Trinkle 1996, (2)), M q'' + h + g = tau - J^T p with k = m2 l1 l2 / 2,

    M11 = J1 + m1 l1^2 / 4 + J2 + m2 (l1^2 + l2^2 / 4) + 2 k cos q2
    M12 = J2 + m2 l2^2 / 4 + k cos q2,   M22 = J2 + m2 l2^2 / 4
    h   = k sin q2 (-2 q1' q2' - q2'^2, q1'^2)
    g   = g ((m1 / 2 + m2) l1 cos f1 + m2 l2 cos f2 / 2, m2 l2 cos f2 / 2)

and J of the tip's point from each joint: (-dz, 0, dx). The bodies of the world have 18 velocities
and ten rows that joints hold; both must have the same accelerations, forces and torques.
"""

from __future__ import annotations

import math

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.acceleration.cone import solve_cone
from rollcone.analysis.acceleration.from_world import problem_of
from rollcone.analysis.acceleration.manipulator import manipulator_problem
from rollcone.analysis.acceleration.motion import Motion
from rollcone.mechanics.materials import ContactLaw
from rollcone.mechanics.rotations import rotation
from rollcone.mechanics.world import World
from rollcone.studies.contact_cases import G, side_forces
from rollcone.studies.study import Table
from rollcone.view.studies.contact_analysis import Sketch

LENGTHS, MASSES, RADIUS = (0.8, 0.7), (1.0, 0.7), 0.04
BLOCK, MU = 1.5, 0.3
BASE = np.array([0.0, 0.0, 0.3])
Q = np.radians([50.0, -90.0])
RATES = np.array([-0.5, 0.2])
TORQUES = (-6.0, 6.0)
ACCELERATION = -4.0  # of the first joint, where that is given
LENGTH = 0.5  # of the block
AGREE = 1e-9


def _places() -> tuple[FloatArray, FloatArray, FloatArray]:
    """Directions of the links, their joints and the tip."""
    turns = np.cumsum(Q)
    along = np.stack([np.cos(turns), np.zeros(2), np.sin(turns)], axis=1)
    ends = BASE + np.cumsum(np.array(LENGTHS)[:, None] * along, axis=0)
    return turns, along, np.vstack([BASE, ends])


def _tip_velocity() -> FloatArray:
    _, _, points = _places()
    return np.asarray(sum(rate * _lever(points[2] - points[k]) for k, rate in enumerate(RATES)))


def _lever(d: FloatArray) -> FloatArray:
    """Velocity of a point at d from a joint that turns at 1 rad/s."""
    return np.array([-d[2], 0.0, d[0]])


def arm_world() -> World:
    """The block slides away from the arm, which follows it."""
    turns, along, points = _places()
    world = World(gravity=(0, 0, -G))
    world.add_plane(name="floor")
    base, start, pace = None, np.zeros(3), np.cumsum(RATES)
    for k in range(2):
        link = world.add_capsule(
            radius=RADIUS, length=LENGTHS[k], mass=MASSES[k], name=f"link {k}",
            inertia=(_moment(k), _moment(k), 1e-3),
            orientation=rotation((0, 1, 0), 90.0 - math.degrees(turns[k])),
            position=points[k] + 0.5 * LENGTHS[k] * along[k],
            velocity=start + pace[k] * 0.5 * LENGTHS[k] * _lever(along[k]),
            angular_velocity=(0, -pace[k], 0),
        )  # fmt: skip
        world.add_joint(
            kind="revolute", body=link, base=base, point=points[k], axis=(0, -1, 0),
            name=f"joint {k}",
        )  # fmt: skip
        base, start = link, start + pace[k] * LENGTHS[k] * _lever(along[k])
    world.add_box(
        size=(LENGTH, LENGTH, 2 * points[2, 2]), mass=BLOCK, name="block",
        position=(points[2, 0] + RADIUS + LENGTH / 2, 0, points[2, 2]),
        velocity=(_tip_velocity()[0], 0, 0),
    )  # fmt: skip
    world.set_contact_law(ContactLaw(sliding=MU))
    return world


def _moment(k: int) -> float:
    return MASSES[k] * LENGTHS[k] ** 2 / 12


def arm_matrices() -> tuple[FloatArray, FloatArray]:
    """M (2, 2) and h + g (2,)."""
    turns, _, _ = _places()
    (l1, l2), (m1, m2), (J1, J2) = LENGTHS, MASSES, (_moment(0), _moment(1))
    k, (c, s) = m2 * l1 * l2 / 2, (math.cos(Q[1]), math.sin(Q[1]))
    M22 = J2 + m2 * l2**2 / 4
    M12 = M22 + k * c
    M11 = J1 + m1 * l1**2 / 4 + M12 + m2 * l1**2 + k * c
    h = k * s * np.array([-2 * RATES[0] * RATES[1] - RATES[1] ** 2, RATES[0] ** 2])
    g2 = m2 * l2 * G * math.cos(turns[1]) / 2
    g1 = (m1 / 2 + m2) * l1 * G * math.cos(turns[0]) + g2
    return np.array([[M11, M12], [M12, M22]]), h + np.array([g1, g2])


def by_hand(accelerations: dict[int, float] | None = None) -> Motion:
    """In the block's coordinates and joint angles; contacts: the tip, then the block's corners."""
    turns, _, points = _places()
    half, high = LENGTH / 2, points[2, 2]
    tip = points[2] + [RADIUS, 0.0, 0.0]
    x, y, z = np.eye(3)
    places = [((-half, 0.0, 0.0), (x, y, z))]
    places += [((a * half, b * half, -high), (z, x, y)) for a in (-1, 1) for b in (-1, 1)]
    W = np.array([[*u, *np.cross(r, u)] for r, axes in places for u in axes]).T
    J = np.zeros((15, 2))
    J[:3] = np.stack([_lever(tip - points[k]) for k in range(2)], axis=1)
    pace = np.cumsum(RATES)
    # the tip's centre is drawn towards the joints: its face is left behind
    drawn = sum(
        pace[k] ** 2 * LENGTHS[k] * np.array([math.cos(turns[k]), 0, math.sin(turns[k])])
        for k in range(2)
    )
    bias = np.zeros((5, 3))
    bias[0] = drawn
    slip = np.zeros((5, 3))
    slip[1:, 1] = _tip_velocity()[0]
    slip[0, 2] = -(J[2] @ RATES)
    inertia, load = arm_matrices()
    size = BLOCK * np.array([LENGTH**2 + (2 * high) ** 2] * 2 + [2 * LENGTH**2]) / 12
    problem = manipulator_problem(
        object_mass=np.diag([BLOCK] * 3 + list(size)), wrenches=W, friction=np.full(5, MU),
        object_force=[0, 0, -BLOCK * G, 0, 0, 0], joint_mass=inertia, jacobian=J,
        joint_force=load, torques=TORQUES, joint_accelerations=accelerations, velocity=slip,
        bias=bias,
    )  # fmt: skip
    motion = solve_cone(problem).motion
    assert motion is not None
    return motion


def arm_rows(table: Table) -> Sketch:
    first: Motion | None = None
    torques = {f"joint {k}": torque for k, torque in enumerate(TORQUES)}
    mixed = {"joint 1": TORQUES[1]}, {"joint 0": ACCELERATION}
    for words, (given, asked) in {"torques": (torques, {}), "mixed": mixed}.items():
        motion = solve_cone(problem_of(arm_world(), torques=given, accelerations=asked)).motion
        assert motion is not None
        other = by_hand({0: ACCELERATION} if asked else None)
        table.run = f"arm pushes a block, {words} given"
        _compare(table, motion, other)
        first = first or motion
    assert first is not None
    return _arm_sketch(first)


def _compare(table: Table, world: Motion, hand: Motion) -> None:
    bodies = world.accelerations.reshape(3, 6)
    turns = -bodies[:2, 4]
    joints = np.array([turns[0], turns[1] - turns[0]])
    size = np.abs(hand.accelerations).max()
    table.absolute("worst residual of (1) to (12)", world.residual, 0.0, 1e-10)
    table.absolute("worst residual, in joint angles", hand.residual, 0.0, 1e-10)
    off = np.abs(bodies[2] - hand.accelerations[:6]).max() / size
    table.absolute("accelerations of the block, worst difference", off, 0.0, AGREE)
    off = np.abs(joints - hand.accelerations[6:]).max() / size
    table.absolute("accelerations of the joints, worst difference", off, 0.0, AGREE)
    tip = _tip_force(world)
    table.relative("normal force of the tip", tip, hand.forces[0, 0], AGREE, "N")
    held = [row.name for row in world.problem.places.held] if world.problem.places else []
    if "drive of 'joint 0'" in held:
        torque = world.held_forces[held.index("drive of 'joint 0'")]
        table.relative("torque of the first joint", torque, hand.held_forces[0], AGREE, "N m")
    weight = BLOCK * G + _tip_friction(world)
    push = (tip - MU * weight) / BLOCK
    table.relative("block by Newton's law", bodies[2, 0], push, 1e-8, "m/s2")


def _tip(motion: Motion) -> tuple[int, float]:
    """The contact of the tip, and the sign of forces on the block."""
    places = motion.problem.places
    assert places is not None
    block = places.names.index("block")
    i = int(np.argmax(np.abs(places.frames[:, 0, 0])))
    return i, 1.0 if places.bodies[i, 1] == block else -1.0


def _tip_force(motion: Motion) -> float:
    return float(motion.forces[_tip(motion)[0], 0])


def _tip_friction(motion: Motion) -> float:
    """Downwards on the block."""
    i, sign = _tip(motion)
    assert motion.problem.places is not None
    return float(-sign * (motion.problem.places.frames[i].T @ motion.forces[i, :3])[2])


def _arm_sketch(motion: Motion) -> Sketch:
    _, along, points = _places()
    sketch = Sketch("Arm pushes a block")
    high = 2 * points[2, 2]
    left = points[2, 0] + RADIUS
    sketch.ground((-0.2, 0), (left + LENGTH + 0.3, 0))
    sketch.outline((left, 0), (left + LENGTH, 0), (left + LENGTH, high), (left, high))
    for k in range(2):
        across = RADIUS * np.array([-along[k, 2], along[k, 0]])
        a, b = points[k, [0, 2]], points[k + 1, [0, 2]]
        sketch.outline(a + across, b + across, b - across, a - across)
    sketch.circles += [(float(x), float(z), RADIUS) for x, _, z in points]
    i, sign = _tip(motion)
    forces = side_forces(motion)
    assert motion.problem.places is not None
    x, _, z = np.round(motion.problem.places.point[i], 6)
    sketch.forces += [
        (px, pz, sign * fx, sign * fz) if (px, pz) == (x, z) else (px, pz, fx, fz)
        for px, pz, fx, fz in forces
    ]
    sketch.loads.append((left + LENGTH / 2, points[2, 2], 0.0, -BLOCK * G))
    return sketch
