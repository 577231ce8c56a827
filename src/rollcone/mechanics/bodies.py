"""The state of all bodies: one array per quantity, one row per body.

A body's row is its number for ever: rows are added at the end, and a body that is removed
keeps its row, marked REMOVED. So a million spheres cost arrays, not objects.

    kind              DYNAMIC, FIXED (at rest or with a prescribed motion), REMOVED
    position          of the centre of mass (m)
    orientation       unit quaternion (w, x, y, z), body axes to world axes
    velocity          m/s, world axes
    angular_velocity  rad/s, world axes
    mass, inertia     kg, and the principal moments kg m2; 0 unless dynamic
    principal         quaternion from principal axes to body axes
    shape, size       collision.shapes; sphere (R, R, R), box half edges, plane infinite, capsule
                      (R, R, half its length + R), clump (least R, least R, reach), disk (R,
                      R + half its thickness, R + edge radius), bowl (R, infinite), ellipsoid
                      semi-axes, cone (R, R, 3/4 of its height), convex, compound and mesh half
                      edges of the box that holds them
    material          its number in the law table
    force, torque     constant, in world axes (N, N m)
    damping           linear and angular rate c (1/s): dv/dt = ... - c v

Beside them are the balls of clumps, `clumps`, the parts of other bodies, `parts`, what kernels are
told of them, `context`, the lengths (3,) of a periodic box, `period`, zero along axes where there
is none, and the pairs that joints keep from touching, `apart` (joints.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray, IntArray
from rollcone.collision.clumps import Clumps
from rollcone.collision.general import Context
from rollcone.collision.parts import Parts
from rollcone.mechanics.kernels.motion import DYNAMIC, FIXED, REMOVED

__all__ = ["DYNAMIC", "FIXED", "REMOVED", "Bodies"]

FIELDS: dict[str, tuple[type, tuple[int, ...]]] = {
    "kind": (np.int64, ()),
    "position": (np.float64, (3,)),
    "orientation": (np.float64, (4,)),
    "velocity": (np.float64, (3,)),
    "angular_velocity": (np.float64, (3,)),
    "mass": (np.float64, ()),
    "inertia": (np.float64, (3,)),
    "principal": (np.float64, (4,)),
    "shape": (np.int64, ()),
    "size": (np.float64, (3,)),
    "material": (np.int64, ()),
    "force": (np.float64, (3,)),
    "torque": (np.float64, (3,)),
    "damping": (np.float64, (2,)),
}
STATE = ("position", "orientation", "velocity", "angular_velocity")


class Bodies:
    """The arrays named above, as attributes; they are replaced when bodies are added."""

    kind: IntArray
    position: FloatArray
    orientation: FloatArray
    velocity: FloatArray
    angular_velocity: FloatArray
    mass: FloatArray
    inertia: FloatArray
    principal: FloatArray
    shape: IntArray
    size: FloatArray
    material: IntArray
    force: FloatArray
    torque: FloatArray
    damping: FloatArray

    def __init__(self) -> None:
        self.clumps, self.parts, self.period = Clumps(), Parts(), np.zeros(3)
        self.context = Context()
        self.apart: IntArray = np.zeros(0, dtype=np.int64)
        self._room: dict[str, NDArray[Any]] = {
            name: np.zeros((4, *shape), dtype=kind) for name, (kind, shape) in FIELDS.items()
        }
        self._show(0)

    def __len__(self) -> int:
        return len(self.kind)

    def add(self, count: int = 1, **rows: Any) -> int:
        """More rows, every field given for all of them or for each; returns the first number."""
        first = len(self)
        end = first + count
        if end > len(self._room["kind"]):
            spare = first // 4 + 4  # a large batch is likely to be the last one
            for name, array in self._room.items():
                room = np.zeros((end + spare, *array.shape[1:]), dtype=array.dtype)
                room[:first] = array[:first]
                self._room[name] = room
        for name in FIELDS:
            self._room[name][first:end] = rows[name]
        self._show(end)
        return first

    @staticmethod
    def of(arrays: Mapping[str, NDArray[Any]], clumps: Clumps, parts: Parts) -> Bodies:
        """From all fields, each with a row per body, the balls of those that are clumps, and
        the parts of others."""
        found = Bodies()
        found.clumps, found.parts = clumps, parts
        found._room = {
            name: np.array(arrays[name], dtype=kind, order="C")
            for name, (kind, _) in FIELDS.items()
        }
        found._show(len(found._room["kind"]))
        return found

    def copy(self) -> Bodies:
        twin = Bodies.__new__(Bodies)
        twin._room = {name: array.copy() for name, array in self._room.items()}
        twin.clumps, twin.parts = self.clumps.copy(), self.parts.copy()
        twin.period, twin.context = self.period.copy(), Context()
        twin.apart = self.apart.copy()
        twin._show(len(self))
        return twin

    def _show(self, count: int) -> None:
        for name in FIELDS:
            setattr(self, name, self._room[name][:count])
