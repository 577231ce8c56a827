"""The joints of a world at a moment: rows that hold or are given, forces that are known, stops.

    rows that hold               E v' = -dE/dt v
    motors without a limit       E v' = rate of the speed that they ask for - dE/dt v
    motors at their limit        a force, towards the speed that they ask for
    motors that have their speed as those without a limit; the force it takes is told
    springs, dampers             a force
    friction that slips          a force, against the rate
    limits that are met          a contact without friction
    torques, accelerations       as given by joint, (2) and the variation after (19)

Dry friction of a joint that does not turn is a bounded force that the paper's model has no place
for: it is refused.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray, one_number
from rollcone.analysis.acceleration.displaced import Displaced, rate
from rollcone.analysis.acceleration.places import HeldRow
from rollcone.errors import InputError
from rollcone.mechanics.bodies import Bodies
from rollcone.mechanics.elements import Motor, Spring
from rollcone.mechanics.joints import COORDINATES, UNITS
from rollcone.mechanics.kernels import joint_row as kernels
from rollcone.mechanics.kernels.joint_work import RowArrays, RowWork, row_work
from rollcone.mechanics.signals import Signal, signal_at
from rollcone.mechanics.world import World

_MET = 1e-6  # m or rad: a limit is met
_MOMENT = 1e-3  # s, over which drives that are functions are differentiated


@dataclass
class WorldJoints:
    """Rows are over all N bodies.

    held, acceleration, labels      rows E, e + dE/dt v = 0 included, what they belong to
    force                           (6 N,) of springs and the like
    stops, stop_bias, stop_joints   rows of limits that are met, and their joints
    """

    held: list[FloatArray]
    acceleration: list[float]
    labels: list[HeldRow]
    force: FloatArray
    stops: list[FloatArray]
    stop_bias: list[float]
    stop_joints: list[int]


@dataclass(frozen=True, eq=False)
class _Row:
    """One row at the moment."""

    name: str
    joint: int
    row: FloatArray  # (6 N,)
    value: float
    rate: float
    bias: float


def world_joints(
    world: World,
    moment: Displaced,
    time: float,
    torques: Mapping[str, float],
    accelerations: Mapping[str, float],
    speed_tolerance: float,
) -> WorldJoints:
    """Everything that joints ask for at `time`."""
    found = WorldJoints([], [], [], np.zeros(6 * len(world.state)), [], [], [])
    rows, given = world.joints.rows(), _drives(world, torques, accelerations)
    for i, one in enumerate(_measured(world, moment, rows)):
        _put(world, found, one, rows, i, time, speed_tolerance)
    values = [*torques.values(), *accelerations.values()]
    for k, one in enumerate(_measured(world, moment, given)):
        name = [*torques, *accelerations][k]
        word = "torques" if k < len(torques) else "accelerations"
        number = one_number(f"{word}[{name!r}]", values[k])
        if k < len(torques):
            found.force += number * one.row
        else:
            unit = _unit(given, k)
            _hold(found, one, number, HeldRow(f"drive of {name!r}", unit=unit, given=number))
    return found


def _drives(
    world: World, torques: Mapping[str, float], accelerations: Mapping[str, float]
) -> RowArrays:
    """Rows of given torques, then of given accelerations; a coordinate has one of them."""
    for word, table in (("torques", torques), ("accelerations", accelerations)):
        if not isinstance(table, Mapping):
            raise InputError(
                f"{word} = {table!r}: must be a table of joints and numbers, like {{'elbow': 1.5}}"
            )
    rows = given_rows(world, [*torques, *accelerations])
    labels = [f"torques[{name!r}]" for name in torques]
    labels += [f"accelerations[{name!r}]" for name in accelerations]
    seen: dict[tuple[int, int], str] = {}
    for label, joint, code in zip(labels, rows.joint[:, 0], rows.code[:, 0], strict=True):
        other = seen.setdefault((int(joint), int(code)), label)
        if other != label:
            raise InputError(f"{other}, {label}: are of one coordinate; must be one of the two")
    return rows


def _unit(rows: RowArrays, i: int) -> str:
    """Of the force of a coordinate's row: "N m" for angles, "N" for lengths."""
    (coordinate,) = (name for name, code in COORDINATES.items() if code == rows.code[i, 0])
    return "N m" if UNITS[coordinate] == "rad" else "N"


def _hold(found: WorldJoints, one: _Row, target: float, label: HeldRow) -> None:
    found.held.append(one.row)
    found.acceleration.append(target - one.bias)
    found.labels.append(label)


def _put(
    world: World, found: WorldJoints, one: _Row, rows: RowArrays, i: int, time: float, slow: float
) -> None:
    role, first, second = int(rows.role[i]), float(rows.first[i]), float(rows.second[i])
    number, coordinate, element = world.joints.row_elements()[i]
    label = f"{coordinate} of joint {one.name!r}" if coordinate else f"joint {one.name!r}"
    if role == kernels.HOLD and rows.joint[i, 1] >= 0:
        name = f"gear {world.joints.spec(number).name!r}"
        _hold(found, one, 0.0, HeldRow(name, unit=_unit(rows, i)))
    elif role == kernels.HOLD:
        _hold(found, one, 0.0, HeldRow(label, joint=number))
    elif role in (kernels.LOWER, kernels.UPPER):
        _stop(found, one, 1.0 if role == kernels.LOWER else -1.0, first, label, slow)
    elif role == kernels.FRICTION:
        if second > 0.0 or abs(one.rate) <= slow:
            raise InputError(
                f"friction of the {label}: the analysis of accelerations takes friction of joints "
                "only where they turn or slide, and none that grows with the load"
            )
        found.force -= math.copysign(first, one.rate) * one.row
    elif role in (kernels.SPEED, kernels.TRACK):
        assert isinstance(element, Motor)
        motor = HeldRow(f"motor of the {label}", unit=_unit(rows, i), limit=first)
        _drive(found, one, element, second, time, motor, slow)
    else:
        rest, pace = (0.0, 0.0)
        if isinstance(element, Spring):
            rest, pace = signal_at(element.rest or 0.0, time, _MOMENT)
        limit = float(rows.third[i])
        push = -first * (one.value - rest) - second * (one.rate - pace)
        found.force += min(max(push, -limit), limit) * one.row


def _stop(
    found: WorldJoints, one: _Row, sign: float, bound: float, label: str, slow: float
) -> None:
    """A limit that is met, and neither left nor run into."""
    if sign * (one.value - bound) > _MET or sign * one.rate > slow:
        return
    if sign * one.rate < -slow:
        raise InputError(
            f"the {label} runs into its limit {bound:g} at {abs(one.rate):g}: an impact comes "
            "before any acceleration"
        )
    found.stops.append(sign * one.row)
    found.stop_bias.append(sign * one.bias)
    found.stop_joints.append(one.joint)


def _drive(
    found: WorldJoints, one: _Row, motor: Motor, response: float, time: float, label: HeldRow,
    slow: float,
) -> None:  # fmt: skip
    limit = label.limit
    value, pace = signal_at(motor.signal, time, _MOMENT)
    if motor.position is None:
        wanted, target = value, pace
    else:
        wanted, target = pace, _second_rate(motor.signal, time)
        if math.isfinite(limit):
            wanted -= (one.value - value) / response
            target -= (one.rate - pace) / response
    if math.isfinite(limit) and abs(wanted - one.rate) > slow:
        found.force += math.copysign(limit, wanted - one.rate) * one.row
        return
    if abs(wanted - one.rate) > slow:
        raise InputError(
            f"{label.name}: asks for the rate {wanted:g}, which is {one.rate:g} at present; give "
            "the bodies the velocities that the motor wants, or the motor a limit"
        )
    _hold(found, one, target, label)


def _second_rate(signal: Signal, time: float) -> float:
    less, more = (signal_at(signal, time + k * _MOMENT, _MOMENT)[1] for k in (-1, 1))
    return (more - less) / (2.0 * _MOMENT)


def given_rows(world: World, names: list[str]) -> RowArrays:
    """Of coordinates by name: "elbow", or "elbow.slide" where a joint has two."""
    joints, codes = [], []
    for name in names:
        owner, _, coordinate = (name, "", "") if world.joints.has(name) else name.partition(".")
        number = world.joint_number(owner)
        known = world.joints.spec(number).coordinates
        if not coordinate and len(known) == 1:
            coordinate = known[0]
        if coordinate not in known:
            listed = ", ".join(f"'{owner}.{one}'" for one in known) or "none"
            raise InputError(
                f"joint {name!r}: must name one coordinate, of which there is {listed}"
            )
        joints.append((number, -1))
        codes.append((COORDINATES[coordinate], 0))
    m = len(names)
    joint, code = (np.array(x, dtype=np.int64).reshape(-1, 2) for x in (joints, codes))
    zero, whole = np.zeros(m), np.zeros(m, dtype=np.int64)
    factor = np.tile([1.0, 0.0], (m, 1))
    return RowArrays(joint, code, factor, zero, whole, zero, zero, zero, whole)


def _measured(world: World, moment: Displaced, rows: RowArrays) -> list[_Row]:
    m = len(rows.role)
    if not m:
        return []
    now, after, before = (
        _prepared(world, rows, state) for state in (world.state, moment.after, moment.before)
    )
    G, bias = _dense(world, rows, now.G), rate(moment.d, after.bend, before.bend)
    specs = world.joints
    return [
        _Row(
            specs.spec(int(rows.joint[i, 0])).name, int(rows.joint[i, 0]), G[i],
            float(now.value[i]), float(now.rate[i]), float(bias[i]),
        )
        for i in range(m)
    ]  # fmt: skip


def _prepared(world: World, rows: RowArrays, at: Bodies) -> RowWork:
    """Values and rates now, rows and their bend at other places of the bodies."""
    m, state, joints = len(rows.role), world.state, world.joints.arrays()
    n, j = len(state), len(joints.base)
    work = row_work(m, j, n)
    v, w = state.velocity, state.angular_velocity
    kernels.find_bodies(state.kind, joints, rows, work)
    kernels.prepare_rows(
        True, state.kind, state.position, state.orientation, at.position, at.orientation, v, w, w,
        v, w, joints, rows, work,
    )  # fmt: skip
    return work


def _dense(world: World, rows: RowArrays, G: FloatArray) -> FloatArray:
    """(m, 6 N) from blocks."""
    joints, number = world.joints.arrays(), len(world.state)
    dense = np.zeros((len(G), number, 6))
    for i, pair in enumerate(rows.joint):
        for s in range(4):
            joint = pair[s // 2]
            body = -1 if joint < 0 else (joints.base, joints.body)[s % 2][joint]
            if body >= 0:
                dense[i, body] += G[i, s]
    return dense.reshape(len(G), 6 * number)
