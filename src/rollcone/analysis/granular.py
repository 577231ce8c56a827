"""Granular matter: measures of the spheres of a run or a world.

    heap = rc.granular.grains(run)
    heap.height, heap.mean_radius, heap.angle_of_repose().angle
    heap.packing_fraction((-0.1, -0.1, 0.05), (0.1, 0.1, 0.15))
    heap.coordination().mean, heap.normal_forces().decay

Grains are the dynamic spheres, seen in a frame whose z axis points against gravity and whose floor
is at z = 0. The same measures as functions of plain arrays: heap.py, packing.py, force_network.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollcone._check import FloatArray, IntArray, finite_array
from rollcone.analysis.force_network import (
    Coordination,
    ForceDistribution,
    carrying,
    coordination,
    normal_forces,
)
from rollcone.analysis.heap import Repose, angle_of_repose, heap_height, mean_radius
from rollcone.analysis.packing import packing_fraction, packing_fraction_cylinder
from rollcone.analysis.support import carried, touching_floor, touching_pairs
from rollcone.collision.shapes import BOX, PLANE, SPHERE
from rollcone.errors import InputError
from rollcone.mechanics.bodies import DYNAMIC, FIXED, REMOVED
from rollcone.mechanics.rotations import quaternion_between, rotation_matrix
from rollcone.mechanics.world import World
from rollcone.recording.run import Run

__all__ = [
    "Coordination", "ForceDistribution", "Grains", "Repose", "angle_of_repose", "coordination",
    "grains", "heap_height", "mean_radius", "normal_forces", "packing_fraction",
    "packing_fraction_cylinder", "touching_pairs",
]  # fmt: skip

_UPRIGHT = 1e-6  # sine of the angle by which floors and walls may lean


@dataclass(frozen=True)
class Grains:
    """Spheres at one moment, z up from the floor.

    number    (n,), of the bodies in their world
    position  (n, 3), m
    radius    (n,), m
    base      (n,), which ones are on the floor
    walls     (k, 3), upright planes, and faces of fixed boxes that all grains are before, as
              `angle_of_repose` takes them
    periods   (k, 3), from a grain to its images, of a periodic box (m)
    pairs     (c, 2), grains that touch, by index; -1 is no grain. None if contacts are not known
    force     (c,), their normal forces (N)
    """

    number: IntArray
    position: FloatArray
    radius: FloatArray
    base: NDArray[np.bool_]
    walls: FloatArray
    periods: FloatArray
    pairs: IntArray | None = None
    force: FloatArray | None = None

    def __len__(self) -> int:
        return len(self.number)

    @property
    def height(self) -> float:
        """Of the top of the highest (m)."""
        return heap_height(self.position, self.radius)

    @property
    def mean_radius(self) -> float:
        """Of the base (m): mean distance of the spheres on the floor to their centroid."""
        self._alone("mean_radius")
        return mean_radius(self.position, self.base)

    def angle_of_repose(self, **options: Any) -> Repose:
        """With the options of `angle_of_repose`; walls are those of the world."""
        self._alone("angle_of_repose")
        return angle_of_repose(self.position, self.radius, **({"walls": self.walls} | options))

    def packing_fraction(self, low: ArrayLike, high: ArrayLike) -> float:
        """In a box from corner to corner (m); images of a periodic box count."""
        return packing_fraction(self.position, self.radius, low, high, self.periods)

    def coordination(self) -> Coordination:
        pairs, force = self._contacts()
        return coordination(pairs, force, len(self))

    def normal_forces(self, bins: int = 30, largest: float = 6.0) -> ForceDistribution:
        return normal_forces(self._contacts()[1], bins, largest)

    def _alone(self, measure: str) -> None:
        if self.periods[:, :2].any():
            raise InputError(f"{measure}: in a periodic box there is no heap with a middle")

    def _contacts(self) -> tuple[IntArray, FloatArray]:
        if self.pairs is None or self.force is None:
            raise InputError(
                "contacts are not known: take the grains of a run that was simulated with "
                "contacts='full', at a moment after its start"
            )
        return self.pairs, self.force


def grains(
    source: Run | World, moment: int = -1, *, floor: float | None = None, flying: bool = False
) -> Grains:
    """The dynamic spheres of a run at `run.time[moment]`, or of a world.

    floor   its height (m) against gravity, from the origin; if not given, that of the plane
            that is level, or, if there is none, of the lowest top of a fixed box that is
    flying  also spheres that nothing carries: no chain of contacts leads from them to a body
            that is no grain. By default they are left out

    Where a run has recorded its contacts, those that carry force tell who is on the floor and who
    flies; else a gap below a tenth of the smaller radius counts as a contact (not in a periodic
    box, where `flying` must then be True).
    """
    if not isinstance(source, Run | World):
        raise InputError(f"grains of a {type(source).__name__}: must be a Run or a World")
    world = source if isinstance(source, World) else source.world
    turn = _upright(world)
    number, position = _spheres(source, world, moment)
    radius = world.state.size[number, 0]
    level = _floor(world, turn) if floor is None else float(finite_array("floor", floor))
    position = position @ turn.T - [0.0, 0.0, level]
    periods = turn.T[world.state.period > 0] * world.state.period[world.state.period > 0, None]
    pairs = force = held = None
    if isinstance(source, Run) and source.contact_level == "full" and source.index(moment):
        pairs, force, base = _recorded(source, moment, number, turn[2], level)
        held = carried(pairs[carrying(force)], len(number))
    else:
        base = touching_floor(position, radius)
        if not len(periods):
            held = carried(touching_pairs(position, radius, base), len(number))
    walls = _walls(world, turn, position + level * np.array([0.0, 0.0, 1.0]))
    whole = Grains(number, position, radius, base, walls, periods, pairs, force)
    if flying:
        return whole
    if held is None:
        raise InputError(
            "grains: in a periodic box contacts tell who is in flight; take a run with "
            "contacts='full', at a moment after its start, or ask for flying=True"
        )
    return _part(whole, held)


def _part(whole: Grains, keep: NDArray[np.bool_]) -> Grains:
    """Some of the grains; contacts with those that are left out are left out, too."""
    if not keep.any():
        raise InputError("grains: all spheres are in flight; ask for flying=True")
    pairs, force = whole.pairs, whole.force
    if pairs is not None and force is not None:
        there = np.append(keep, True)  # -1 is no grain, and stays
        stays = there[pairs].all(axis=1)
        index = np.append(np.cumsum(keep) - 1, -1)
        pairs, force = index[pairs[stays]], force[stays]
    return Grains(
        whole.number[keep], whole.position[keep], whole.radius[keep], whole.base[keep],
        whole.walls, whole.periods, pairs, force,
    )  # fmt: skip


def _upright(world: World) -> FloatArray:
    """The matrix to axes whose third points up; the others are the world's where z is up."""
    if not world.gravity.any():
        raise InputError("gravity is zero: there is no up, and no heap")
    up = -world.gravity / np.linalg.norm(world.gravity)
    return np.asarray(rotation_matrix(quaternion_between(up, (0.0, 0.0, 1.0))))


def _spheres(source: Run | World, world: World, moment: int) -> tuple[IntArray, FloatArray]:
    """Numbers and positions of the grains that are there."""
    state = world.state
    there = (state.shape == SPHERE) & (state.mass > 0)
    position = state.position
    if isinstance(source, World):
        there &= state.kind == DYNAMIC
    else:
        position = np.full_like(state.position, np.nan)
        recorded = source.states("position")[source.index(moment)]
        position[: len(recorded)] = recorded
        there &= np.isfinite(position).all(axis=1)
    number = np.flatnonzero(there)
    if not len(number):
        raise InputError("grains: there is no dynamic sphere, and other shapes are no grains")
    return number, position[number]


def _planes(world: World, turn: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Normals (k, 3) and offsets (k,) of all planes, in the upright frame."""
    state = world.state
    found = np.flatnonzero((state.shape == PLANE) & (state.kind != REMOVED))
    axes = [turn @ rotation_matrix(state.orientation[k])[:, 2] for k in found]
    normals = np.array(axes).reshape(-1, 3)
    points = state.position[found] @ turn.T
    return normals, np.asarray((normals * points).sum(axis=1))


def _faces(world: World, turn: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The same of the faces of all fixed boxes; normals point outward."""
    state = world.state
    found = np.flatnonzero((state.shape == BOX) & (state.kind == FIXED))
    axes = [(turn @ rotation_matrix(state.orientation[k])).T for k in found]
    normals = np.array([[n, -n] for n in axes]).reshape(len(found), 6, 3)
    offsets = np.einsum("ijk,ik->ij", normals, state.position[found] @ turn.T)
    offsets += np.tile(state.size[found], 2)
    return normals.reshape(-1, 3), offsets.reshape(-1)


def _floor(world: World, turn: FloatArray) -> float:
    normals, offsets = _planes(world, turn)
    level = offsets[normals[:, 2] > np.sqrt(1.0 - _UPRIGHT**2)]
    if len(level) == 1:
        return float(level[0])
    normals, offsets = _faces(world, turn)
    tops = offsets[normals[:, 2] > np.sqrt(1.0 - _UPRIGHT**2)]
    if len(level) or not len(tops):
        many = f"{len(level)} planes are level" if len(level) else "no plane or fixed box is level"
        raise InputError(f"floor: {many}; give its height in metres, against gravity")
    return float(tops.min())


def _walls(world: World, turn: FloatArray, position: FloatArray) -> FloatArray:
    """Of a box, the face that all grains are before: the inner one of a container's wall."""
    normals, offsets = _faces(world, turn)
    before = (position @ normals.T > offsets).all(axis=0)
    planes = _planes(world, turn)
    normals = np.vstack([planes[0], normals[before]])
    offsets = np.concatenate([planes[1], offsets[before]])
    upright = np.abs(normals[:, 2]) < _UPRIGHT
    return np.column_stack([normals[upright, :2], offsets[upright]])


def _recorded(
    run: Run, moment: int, number: IntArray, up: FloatArray, level: float
) -> tuple[IntArray, FloatArray, NDArray[np.bool_]]:
    """Pairs, normal forces, and which grains are on the floor."""
    contacts = run.contacts(moment)
    index = np.full(len(run.world.state), -1)
    index[number] = np.arange(len(number))
    pairs, force = index[contacts.bodies], contacts.reaction[:, 0]
    some = (pairs >= 0).any(axis=1)
    pairs, force = pairs[some], force[some]
    grain = pairs.max(axis=1)
    low = np.abs(contacts.point[some] @ up - level) < 0.5 * run.world.state.size[number, 0][grain]
    steep = np.abs(contacts.normal[some] @ up) > 0.5
    on_floor = (pairs.min(axis=1) < 0) & low & steep & carrying(force)
    base = np.zeros(len(number), dtype=bool)
    base[grain[on_floor]] = True
    return pairs, force, base
