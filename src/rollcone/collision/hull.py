"""Convex hulls of points: corners, flat faces, neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, IntArray, bounded_array
from rollcone.collision.few_points import MOST, faces_of
from rollcone.errors import InputError

if TYPE_CHECKING:
    from scipy.spatial import ConvexHull

MOST_CORNERS = 4096
_FLAT = 1e-7  # of the size: triangles whose planes differ by less are one face
_THIN = 1e-6  # of the size: what is thinner has no inside


@dataclass(frozen=True, eq=False)
class Hull:
    """`corners` (v, 3) in metres, and faces as loops of corner numbers, counterclockwise as seen
    from outside: face i is loops[starts[i]:starts[i + 1]], with the outward unit normal
    normals[i]."""

    corners: FloatArray
    starts: IntArray
    loops: IntArray

    @property
    def faces(self) -> list[IntArray]:
        return np.split(self.loops, self.starts[1:-1])

    @cached_property
    def triangles(self) -> IntArray:
        """(t, 3): each face as a fan."""
        fans = [np.column_stack([np.full(len(f) - 2, f[0]), f[1:-1], f[2:]]) for f in self.faces]
        return np.concatenate(fans)

    @cached_property
    def normals(self) -> FloatArray:
        """(f, 3), by Newell's sums, which all corners of a face have a say in."""
        return np.array([_normal(self.corners[f]) for f in self.faces])

    @cached_property
    def neighbours(self) -> tuple[IntArray, IntArray]:
        """Corners at the other ends of the edges of corner i: second[first[i]:first[i + 1]]."""
        ends = [np.column_stack([f, np.roll(f, -1)]) for f in self.faces]
        edges = np.unique(np.concatenate([*ends, *(e[:, ::-1] for e in ends)]), axis=0)
        return np.searchsorted(edges[:, 0], np.arange(len(self.corners) + 1)), edges[:, 1].copy()


def _normal(loop: FloatArray) -> FloatArray:
    about = loop - loop.mean(axis=0)
    total = np.cross(about, np.roll(about, -1, axis=0)).sum(axis=0)
    return np.asarray(total / np.linalg.norm(total))


def hull_of(name: str, points: ArrayLike) -> Hull:
    """The convex hull of points (n, 3), which must not lie in a plane."""
    given = bounded_array(name, points)
    if given.ndim != 2 or given.shape[1] != 3 or len(given) < 4:
        raise InputError(
            f"{name} of shape {given.shape}: must be at least four rows of three numbers (m)"
        )
    size = float(np.ptp(given, axis=0).max())
    about = given.mean(axis=0)
    thin = np.linalg.svd(given - about, compute_uv=False)[-1] / np.sqrt(len(given))
    if not thin > _THIN * size:
        raise InputError(
            f"{name}: all lie in one plane, or nearly so; a convex body needs an inside"
        )
    unit = (given - about) / size
    few = faces_of(unit) if len(given) <= MOST else None
    return _of_loops(given, _loops_of_many(name, given, unit) if few is None else few)


def _loops_of_many(name: str, given: FloatArray, unit: FloatArray) -> list[IntArray]:
    """Return the faces of the hull of points (n, 3), found by Qhull from those of extent 1."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        found = ConvexHull(unit)
    except QhullError as error:
        reason = str(error).strip().splitlines()[0]
        raise InputError(f"{name}: there is no convex hull ({reason})") from error
    if len(found.vertices) > MOST_CORNERS:
        raise InputError(
            f"{name}: the hull has {len(found.vertices)} corners, must be at most {MOST_CORNERS}"
        )
    group = _groups(found)
    loops = []
    for label in np.unique(group):
        members = np.flatnonzero(group == label)
        # Of triangles of one face the edges that occur once are its outline.
        normal = found.equations[members[0], :3]
        corners = np.unique(found.simplices[members])
        loops.append(_loop(given, corners, normal))
    return loops


def _of_loops(points: FloatArray, loops: list[IntArray]) -> Hull:
    """Return the hull with these faces; only their corners remain."""
    used = np.array(sorted(set(np.concatenate(loops).tolist())))
    renumber = np.full(len(points), -1)
    renumber[used] = np.arange(len(used))
    # In an order that follows from the corners alone: the same hull has the same bits.
    loops = sorted((_from_least(renumber[loop]) for loop in loops), key=list)
    starts = np.concatenate([[0], np.cumsum([len(loop) for loop in loops])])
    return Hull(points[used].copy(), starts, np.concatenate(loops))


def _from_least(loop: IntArray) -> IntArray:
    return np.roll(loop, -int(loop.argmin()))


def _groups(found: ConvexHull) -> IntArray:
    """A label for each triangle, the same for neighbours in one plane."""
    count, equations = len(found.simplices), found.equations
    label = np.full(count, -1)
    for first in range(count):
        if label[first] >= 0:
            continue
        label[first], waiting = first, [first]
        while waiting:
            for other in found.neighbors[waiting.pop()]:
                alike = np.abs(equations[other] - equations[first]).max() < _FLAT
                if label[other] < 0 and alike:
                    label[other] = first
                    waiting.append(int(other))
    return label


def _loop(points: FloatArray, corners: IntArray, normal: FloatArray) -> IntArray:
    """Corners of a flat face, without those within its edges, counterclockwise about `normal`."""
    from scipy.spatial import ConvexHull

    about = points[corners] - points[corners].mean(axis=0)
    first = about[np.argmax(np.linalg.norm(about, axis=1))]
    second = np.cross(normal, first)
    flat = np.column_stack([about @ first, about @ second]) / (first @ first)
    outline = ConvexHull(flat).vertices if len(corners) > 3 else np.argsort(_angle(flat))
    return np.asarray(corners[outline])


def _angle(flat: FloatArray) -> FloatArray:
    return np.arctan2(flat[:, 1], flat[:, 0])
