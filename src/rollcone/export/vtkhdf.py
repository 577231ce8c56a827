"""VTKHDF: surfaces, contacts or joints of a run over time, as ParaView and PyVista read them.

The file has the layout of PolyData with steps. A step names the part whose cells it uses: bodies
that come and go change the cells, so there is one part for each set of bodies that were
there together. Points are written for every step. VTK finds a part's cells by counting those
before, so the one part without cells comes last.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray, IntArray
from rollcone.analysis.forces import contact_forces
from rollcone.recording.run import Run
from rollcone.view.colours import body_values
from rollcone.view.framing import extent
from rollcone.view.output import check_output, write_whole
from rollcone.view.surfaces import BodyGroup, groups, under

SUFFIX = ".vtkhdf"
_VERSION = (2, 0)
_CELLS = ("Vertices", "Lines", "Polygons", "Strips")  # the order of columns in offsets
_WIDE = 1.5  # half width of planes, over half the diagonal of what moves


def save_surfaces(
    run: Run, path: Path | str, *, detail: int = 2, moments: Sequence[int] | None = None
) -> None:
    """All bodies as triangles, with the arrays body (number), speed (m/s), rotation (rad/s) and, if
    contacts were recorded in full, force (N) of the body that a point belongs to.

    detail   of round bodies: 8, 32, 128 triangles of a sphere at 0, 1, 2
    moments  to write, indices into run.time; all if not given
    """
    low, high = extent(run)
    half_width = _WIDE * 0.5 * float(np.linalg.norm(high - low))
    middle = 0.5 * (low + high)
    found = groups(run.world, detail=detail, half_width=half_width, middle=middle)
    names = ["speed", "rotation"]
    if run.contact_level == "full":
        names.append("force")

    def fill(writer: _Writer) -> None:
        parts: dict[bytes, int] = {}
        for k in _moments(run, moments):
            position, orientation = (run.states(n)[k] for n in ("position", "orientation"))
            here = np.isfinite(position[:, 0])
            places = under(run.world, position, orientation, middle)
            points, bodies = _points(found, places, orientation, here)
            key = here.tobytes()
            if key not in parts:
                parts[key] = writer.add_part(len(points), _triangles(found, here))
            values = {name: body_values(run, k, name)[bodies] for name in names}
            writer.add_step(float(run.time[k]), parts[key], points, {"body": bodies, **values})

    _save(path, "Polygons", {"body": np.int64, **dict.fromkeys(names, np.float32)}, fill)


def save_contacts(run: Run, path: Path | str, *, moments: Sequence[int] | None = None) -> None:
    """Points of contact, with the arrays force (N, on the second body), normal, gap (m), bodies."""

    def fill(writer: _Writer) -> None:
        parts: dict[int, int] = {}
        for k in _moments(run, moments):
            found = run.contacts(k)
            count = len(found)
            if count not in parts:
                parts[count] = writer.add_part(count, np.arange(count)[:, None])
            values = {
                "force": contact_forces(found), "normal": found.normal, "gap": found.gap,
                "bodies": found.bodies,
            }  # fmt: skip
            writer.add_step(float(run.time[k]), parts[count], found.point, values)

    kinds = {"force": np.float32, "normal": np.float32, "gap": np.float32, "bodies": np.int64}
    _save(path, "Vertices", kinds, fill, widths={"force": 3, "normal": 3, "bodies": 2})


def save_joints(run: Run, path: Path | str, *, moments: Sequence[int] | None = None) -> None:
    """Points of joints on their bodies, with the arrays joint (number), axis, and force (N) and
    torque (N m) on the body. Gears have no point."""

    def fill(writer: _Writer) -> None:
        parts: dict[int, int] = {}
        for k in _moments(run, moments):
            found = run.joints(k)
            here = np.flatnonzero(np.isfinite(found.point[:, 0]))
            count = len(here)
            if count not in parts:
                parts[count] = writer.add_part(count, np.arange(count)[:, None])
            values = {
                "joint": here, "axis": found.axis[here], "force": found.force[here],
                "torque": found.torque[here],
            }  # fmt: skip
            writer.add_step(float(run.time[k]), parts[count], found.point[here], values)

    vectors = ("axis", "force", "torque")
    kinds = {"joint": np.int64, **dict.fromkeys(vectors, np.float32)}
    _save(path, "Vertices", kinds, fill, widths=dict.fromkeys(vectors, 3))


def _moments(run: Run, moments: Sequence[int] | None) -> list[int]:
    chosen = range(len(run.time)) if moments is None else moments
    return [run.index(k) for k in chosen]


def _points(
    found: list[BodyGroup], position: FloatArray, orientation: FloatArray, here: NDArray[np.bool_]
) -> tuple[FloatArray, IntArray]:
    """Vertices of all bodies that are there, and whose they are."""
    points, bodies = [np.zeros((0, 3))], [np.zeros(0, dtype=np.int64)]
    for group in found:
        shown = here[group.numbers]
        placed = group.place(position, orientation)[shown]
        points.append(placed.reshape(-1, 3))
        bodies.append(np.repeat(group.numbers[shown], len(group.surface.vertices)))
    return np.concatenate(points), np.concatenate(bodies)


def _triangles(found: list[BodyGroup], here: NDArray[np.bool_]) -> IntArray:
    """Of the bodies that are there, by the numbers of `_points`."""
    triangles, first = [np.zeros((0, 3), dtype=np.int64)], 0
    for group in found:
        count, corners = int(here[group.numbers].sum()), len(group.surface.vertices)
        starts = first + corners * np.arange(count)
        triangles.append((starts[:, None, None] + group.surface.triangles).reshape(-1, 3))
        first += count * corners
    return np.concatenate(triangles)


def _save(
    path: Path | str,
    cells: str,
    kinds: dict[str, Any],
    fill: Any,
    widths: dict[str, int] | None = None,
) -> None:
    import h5py

    path = Path(path)
    check_output("export", path, (SUFFIX,))

    def write(made: Path) -> None:
        with h5py.File(made, "w") as file:
            writer = _Writer(file, cells, kinds, widths or {})
            fill(writer)
            writer.finish()

    write_whole("export", path, write)


class _Writer:
    """Appends parts and steps to the datasets of the layout."""

    def __init__(
        self, file: Any, cells: str, kinds: dict[str, Any], widths: dict[str, int]
    ) -> None:
        self._root, self._cells = file.create_group("VTKHDF"), cells
        self._root.attrs["Version"] = np.array(_VERSION, dtype=np.int64)
        self._root.attrs.create("Type", b"PolyData", dtype="S8")
        self._steps = self._root.create_group("Steps")
        self._make("Points", np.float32, 3)
        for name in _CELLS:
            self._make(f"{name}/Connectivity", np.int64)
            self._make(f"{name}/Offsets", np.int64)
        for name, kind in kinds.items():
            self._make(f"PointData/{name}", kind, widths.get(name))
        self._parts: list[dict[str, int]] = []  # points, cells, ids; cells and ids before it
        self._table: list[tuple[float, int, int]] = []  # time, part, first point
        self._points = self._cells_before = self._ids_before = 0

    def add_part(self, points: int, cells: IntArray) -> int:
        """Cells (c, k) of k points each; returns the part's number, -1 without cells."""
        count, corners = cells.shape
        if not count:
            return -1
        part = {"points": points, "cells": count, "ids": count * corners}
        part |= {"cells_before": self._cells_before, "ids_before": self._ids_before}
        self._append(f"{self._cells}/Connectivity", cells.reshape(-1))
        for name in _CELLS:  # one more than there are cells, so every part has some
            size = count if name == self._cells else 0
            self._append(f"{name}/Offsets", corners * np.arange(size + 1))
        self._cells_before += count
        self._ids_before += count * corners
        self._parts.append(part)
        return len(self._parts) - 1

    def _nothing(self) -> dict[str, int]:
        """The last part, without points and cells."""
        for name in _CELLS:
            self._append(f"{name}/Offsets", np.zeros(1, dtype=np.int64))
        before = {"cells_before": self._cells_before, "ids_before": self._ids_before}
        return {"points": 0, "cells": 0, "ids": 0, **before}

    def add_step(
        self, time: float, part: int, points: FloatArray, values: dict[str, NDArray[Any]]
    ) -> None:
        self._table.append((time, part, self._points))
        self._append("Points", points)
        for name, array in values.items():
            self._append(f"PointData/{name}", array)
        self._points += len(points)

    def finish(self) -> None:
        """The tables that tell where a step's points, cells and values begin."""
        root, steps, parts = self._root, self._steps, self._parts
        if any(part < 0 for _, part, _ in self._table):
            parts.append(self._nothing())
        root["NumberOfPoints"] = _column(parts, "points")
        for name in _CELLS:
            used = name == self._cells
            for target, key in (("NumberOfCells", "cells"), ("NumberOfConnectivityIds", "ids")):
                counts = _column(parts, key)
                root[f"{name}/{target}"] = counts if used else np.zeros_like(counts)
        which = np.array([part for _, part, _ in self._table], dtype=np.int64) % len(parts)
        first = np.array([point for _, _, point in self._table], dtype=np.int64)
        steps.attrs["NSteps"] = np.int64(len(which))
        steps["Values"] = np.array([time for time, _, _ in self._table], dtype=np.float64)
        steps["PartOffsets"] = which
        steps["NumberOfParts"] = np.ones_like(which)
        steps["PointOffsets"] = first
        for target, key in (
            ("CellOffsets", "cells_before"),
            ("ConnectivityIdOffsets", "ids_before"),
        ):
            table = np.zeros((len(which), len(_CELLS)), dtype=np.int64)
            table[:, _CELLS.index(self._cells)] = _column(parts, key)[which]
            steps[target] = table
        for name in root["PointData"]:
            steps[f"PointDataOffsets/{name}"] = first

    def _make(self, name: str, kind: Any, width: int | None = None) -> None:
        tail = () if width is None else (width,)
        self._root.create_dataset(
            name, (0, *tail), maxshape=(None, *tail), dtype=kind, chunks=(16384, *tail),
            compression="gzip", compression_opts=1, shuffle=True,
        )  # fmt: skip

    def _append(self, name: str, rows: NDArray[Any]) -> None:
        dataset = self._root[name]
        count = len(dataset)
        dataset.resize(count + len(rows), axis=0)
        dataset[count:] = rows


def _column(parts: list[dict[str, int]], key: str) -> IntArray:
    return np.array([part[key] for part in parts], dtype=np.int64)
