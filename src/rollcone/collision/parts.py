"""What bodies are made of whose shape does not follow from their size: convex parts, surfaces.

A part is a row of numbers: p (3), r, x (3), turn (9), and two whole numbers, its kind (a code of
shapes.py) and the number of its hull or surface (-1 if it has none). p are the sizes of its core
and r the radius by which that is rounded, as kernels/support.py takes them; x is where the part is
in body axes, turn the components of its own axes, one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rollcone._check import FloatArray, IntArray
from rollcone.collision.hull import Hull
from rollcone.collision.shapes import (
    BOX,
    CAPSULE,
    COMPOUND,
    CONE,
    CONVEX,
    DISK,
    ELLIPSOID,
    MESH,
    SPHERE,
)
from rollcone.collision.triangles import Surface

WIDTH = 16
UNTURNED = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


class Part(NamedTuple):
    """One part of a body."""

    kind: int
    p: tuple[float, float, float] = (0.0, 0.0, 0.0)
    r: float = 0.0
    x: tuple[float, float, float] = (0.0, 0.0, 0.0)
    turn: tuple[float, ...] = UNTURNED
    geometry: Hull | Surface | None = None


class PartArrays(NamedTuple):
    """As kernels take them: rows first[i] to first[i + 1] are those of body i; hulls and surfaces
    are described in `numbers` and `places` (_layout below)."""

    first: IntArray
    rows: FloatArray  # (m, WIDTH)
    kinds: IntArray  # (m, 2): kind, and where in `places` its hull or surface begins
    numbers: FloatArray
    places: IntArray


class Parts:
    """Of all bodies of a world. Bodies are added in the order of their numbers; what is removed
    stays, as rows of bodies do. Equal hulls and surfaces are kept once."""

    def __init__(self) -> None:
        self._owners: list[int] = []
        self._parts: list[Part] = []
        self._shown: PartArrays | None = None
        self._known: dict[bytes, Hull | Surface] = {}

    def add(self, body: int, parts: Sequence[Part], count: int = 1) -> None:
        """So many bodies with the same parts, from the number `body` on."""
        same = [part._replace(geometry=self._once(part.geometry)) for part in parts]
        for number in range(body, body + count):
            self._owners += [number] * len(same)
            self._parts += same
        self._shown = None

    def _once(self, geometry: Hull | Surface | None) -> Hull | Surface | None:
        if geometry is None:
            return None
        key = b"".join(array.tobytes() for array in vars_of(geometry))
        return self._known.setdefault(key, geometry)

    def of(self, body: int) -> list[Part]:
        """The parts of one body; none if its shape follows from its size."""
        start, end = np.searchsorted(self._owners, (body, body + 1))
        return self._parts[start:end]

    def arrays(self, bodies: int) -> PartArrays:
        """For kernels."""
        shown = self._shown
        if shown is None or len(shown.first) != bodies + 1:
            first = np.searchsorted(self._owners, np.arange(bodies + 1)).astype(np.int64)
            if shown is None:
                geometries, begin, numbers, places = self._layout()
                rows = np.array([(*p.p, p.r, *p.x, *p.turn) for p in self._parts]).reshape(
                    -1, WIDTH
                )
                kinds = [
                    (p.kind, -1 if p.geometry is None else begin[geometries[id(p.geometry)]])
                    for p in self._parts
                ]
                kept = np.array(kinds, dtype=np.int64).reshape(-1, 2)
                shown = PartArrays(first, rows, kept, numbers, places)
            self._shown = shown = shown._replace(first=first)
        return shown

    def _layout(self) -> tuple[dict[int, int], list[int], FloatArray, IntArray]:
        """Number of each hull or surface, where each begins in `places`, and the two arrays."""
        geometries: dict[int, int] = {}
        begin: list[int] = []
        numbers, places = _Pile(np.float64), _Pile(np.int64)
        for part in self._parts:
            geometry = part.geometry
            if geometry is not None and id(geometry) not in geometries:
                geometries[id(geometry)] = len(begin)
                place = _put_hull if isinstance(geometry, Hull) else _put_surface
                begin.append(place(geometry, numbers, places))  # type: ignore[arg-type]
        return geometries, begin, numbers.array(), places.array()

    def copy(self) -> Parts:
        twin = Parts()
        twin._owners, twin._parts = list(self._owners), list(self._parts)
        twin._known = dict(self._known)
        return twin

    def tables(self) -> dict[str, FloatArray | IntArray]:
        """As files have it: all parts, and the hulls and surfaces they name."""
        geometries: dict[int, int] = {}
        kept: list[Hull | Surface] = []
        for part in self._parts:
            if part.geometry is not None and id(part.geometry) not in geometries:
                geometries[id(part.geometry)] = len(kept)
                kept.append(part.geometry)
        named = [-1 if p.geometry is None else geometries[id(p.geometry)] for p in self._parts]
        kinds = np.column_stack([self._owners, [p.kind for p in self._parts], named])
        return {
            "parts": np.array([(*p.p, p.r, *p.x, *p.turn) for p in self._parts]).reshape(-1, WIDTH),
            "part_kinds": kinds.astype(np.int64).reshape(-1, 3),
            **_stored(kept),
        }

    @staticmethod
    def from_tables(tables: dict[str, np.ndarray]) -> Parts:
        """From what `tables` gave; a ValueError if that cannot be."""
        found = Parts()
        rows, kinds = tables["parts"], tables["part_kinds"]
        geometries = _restored(tables)
        if rows.ndim != 2 or rows.shape[1] != WIDTH or kinds.shape != (len(rows), 3):
            raise ValueError("parts of bodies: wrong shape")
        if len(kinds) and (
            np.any(np.diff(kinds[:, 0]) < 0) or kinds[:, 2].max() >= len(geometries)
        ):
            raise ValueError("parts of bodies: out of order, or of a hull that is not there")
        for row, (owner, kind, number) in zip(rows.tolist(), kinds.tolist(), strict=True):
            geometry = geometries[number] if number >= 0 else None
            part = Part(kind, tuple(row[:3]), row[3], tuple(row[4:7]), tuple(row[7:]), geometry)
            if not _can_be(part):
                raise ValueError("parts of bodies: a kind that does not fit its hull, or no number")
            found.add(owner, [part])
        return found

    def check(self, shape: IntArray) -> None:
        """A ValueError if bodies of these shapes (n,) do not have such parts."""
        wanted = np.flatnonzero(shape >= CONVEX)
        if set(self._owners) != set(wanted.tolist()):
            raise ValueError("parts of bodies: some are missing, or of bodies that have none")
        for body in wanted:
            kinds = tuple(part.kind for part in self.of(int(body)))
            fits = {
                CONVEX: kinds == (CONVEX,),
                COMPOUND: MESH not in kinds,
                MESH: kinds in ((MESH,), (MESH, CONVEX)),
            }
            if not fits[int(shape[body])]:
                raise ValueError("parts of bodies: they do not fit their shapes")


def _can_be(part: Part) -> bool:
    """Has it numbers, and the geometry that its kind has?"""
    numbers = (*part.p, part.r, *part.x, *part.turn)
    geometry = {CONVEX: Hull, MESH: Surface}.get(part.kind, type(None))
    known = part.kind in (SPHERE, BOX, CAPSULE, DISK, ELLIPSOID, CONE, CONVEX, MESH)
    return known and isinstance(part.geometry, geometry) and bool(np.isfinite(numbers).all())


class _Pile:
    """Arrays one after the other."""

    def __init__(self, kind: type) -> None:
        self._kind, self.size = kind, 0
        self._arrays: list[np.ndarray] = [np.zeros(0, dtype=kind)]

    def put(self, array: np.ndarray) -> int:
        """Where it begins."""
        begin = self.size
        self._arrays.append(np.asarray(array, dtype=self._kind).reshape(-1))
        self.size += array.size
        return begin

    def array(self) -> np.ndarray:
        return np.concatenate(self._arrays)


def _put_hull(hull: Hull, numbers: _Pile, places: _Pile) -> int:
    """places: corners, faces, then where these begin: corners, normals (in numbers), starts of
    faces, loops, starts of neighbours, neighbours (in places)."""
    first, second = hull.neighbours
    ends = places.put(hull.starts), places.put(hull.loops), places.put(first), places.put(second)
    begin = numbers.put(hull.corners), numbers.put(hull.normals)
    return places.put(np.array([len(hull.corners), len(hull.normals), *begin, *ends]))


def _put_surface(surface: Surface, numbers: _Pile, places: _Pile) -> int:
    """places: triangles, boxes of the tree, then where these begin: corners, normals, boxes (in
    numbers), triangles, order, starts of neighbours, neighbours (in places)."""
    order, boxes = surface.tree
    begin = [numbers.put(a) for a in (surface.corners, surface.normals, boxes)]
    ends = [places.put(a) for a in (surface.triangles, order, *surface.neighbours)]
    return places.put(np.array([len(surface.triangles), len(boxes), *begin, *ends]))


def vars_of(geometry: Hull | Surface) -> tuple[np.ndarray, ...]:
    """What it is given by."""
    if isinstance(geometry, Hull):
        return geometry.corners, geometry.starts, geometry.loops
    return geometry.corners, geometry.triangles


def _stored(kept: Sequence[Hull | Surface]) -> dict[str, np.ndarray]:
    """All of them in five arrays: how many corners, loops (0 for a surface) and numbers of
    corners each has; the corners; the starts; the numbers."""
    counts: list[tuple[int, int, int]] = []
    corners: list[np.ndarray] = [np.zeros((0, 3))]
    starts: list[np.ndarray] = [np.zeros(0)]
    numbers: list[np.ndarray] = [np.zeros(0)]
    for geometry in kept:
        corners.append(geometry.corners)
        if isinstance(geometry, Hull):
            starts.append(geometry.starts)
            numbers.append(geometry.loops)
        else:
            numbers.append(geometry.triangles.reshape(-1))
        faces = len(geometry.starts) - 1 if isinstance(geometry, Hull) else 0
        counts.append((len(geometry.corners), faces, len(numbers[-1])))
    return {
        "hulls": np.array(counts, dtype=np.int64).reshape(-1, 3),
        "hull_corners": np.concatenate(corners),
        "hull_starts": np.concatenate(starts).astype(np.int64),
        "hull_numbers": np.concatenate(numbers).astype(np.int64),
    }


def _restored(tables: dict[str, np.ndarray]) -> list[Hull | Surface]:
    counts = tables["hulls"]
    corners, starts, numbers = (tables[f"hull_{name}"] for name in ("corners", "starts", "numbers"))
    given = counts[:, 0].sum(), np.where(counts[:, 1] > 0, counts[:, 1] + 1, 0).sum()
    lengths = len(corners), len(starts), len(numbers)
    if np.any(counts < 0) or (*given, counts[:, 2].sum()) != lengths or corners.shape[1:] != (3,):
        raise ValueError("hulls of bodies: sizes do not fit")
    if not np.isfinite(corners).all():
        raise ValueError("hulls of bodies: corners that are no numbers")
    found: list[Hull | Surface] = []
    c = s = n = 0
    for some, faces, named in counts.tolist():
        here, which = corners[c : c + some], numbers[n : n + named]
        if len(which) and not 0 <= which.min() <= which.max() < some:
            raise ValueError("hulls of bodies: a corner that is not there")
        if faces:
            ends = starts[s : s + faces + 1]
            if ends[0] != 0 or ends[-1] != named or np.any(np.diff(ends) < 3):
                raise ValueError("hulls of bodies: faces that cannot be")
            found.append(Hull(here, ends, which))
            s += faces + 1
        else:
            if named % 3:
                raise ValueError("surfaces of bodies: triangles that cannot be")
            found.append(Surface(here, which.reshape(-1, 3)))
        c, n = c + some, n + named
    return found
