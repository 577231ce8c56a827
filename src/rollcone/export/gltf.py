"""glTF 2.0 in one binary file (.glb): bodies as nodes that an animation moves.

Blender, browsers and viewers of all kinds open it. Bodies share surfaces; a node has a body's
name, place and scale. Bodies that come or go have a scale that jumps from or to zero. Joints are
not in it. glTF has y up, so one node above all turns z there.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray
from rollcone.mechanics.bodies import FIXED
from rollcone.recording.run import Run
from rollcone.view.framing import extent
from rollcone.view.moments import spread_moments
from rollcone.view.output import check_output, write_whole
from rollcone.view.surface_forms import Surface
from rollcone.view.surfaces import BodyGroup, groups, under

SUFFIX = ".glb"
_FLOAT, _UINT = 5126, 5125  # types of numbers
_VERTICES, _INDICES = 34962, 34963  # what a part of the buffer is for
_LONGEST = 1000  # moments; more are thinned
_WIDE = 1.5  # half width of planes, over half the diagonal of what moves
_GONE = 1e-9  # of its size: a scale of zero has no inverse, which some readers want
_COLOURS = {"light": (0.90, 0.55, 0.16), "dark": (0.55, 0.30, 0.07), "still": (0.62, 0.60, 0.56)}
_Z_UP = [-(0.5**0.5), 0.0, 0.0, 0.5**0.5]  # x, y, z, w: by -90 degrees about x


def save_gltf(run: Run, path: Path | str, *, detail: int = 3) -> None:
    """All bodies, moving as they did.

    detail: of round bodies, 8, 32, 128, 512 triangles of a sphere at 0, 1, 2, 3
    """
    path = Path(path)
    check_output("export", path, (SUFFIX,))
    content, buffer = _content(run, detail)
    write_whole("export", path, lambda made: _write(made, content, buffer))


def _content(run: Run, detail: int) -> tuple[dict[str, Any], bytes]:
    low, high = extent(run)
    middle, half = 0.5 * (low + high), _WIDE * 0.5 * float(np.linalg.norm(high - low))
    moments = spread_moments(run, _LONGEST)
    turns = np.array([run.states("orientation")[int(k)] for k in moments])
    places = np.array([run.states("position")[int(k)] for k in moments])
    places = np.array(
        [under(run.world, place, turn, middle) for place, turn in zip(places, turns, strict=True)]
    )
    buffer = _Buffer()
    times = buffer.add(run.time[moments] - run.time[0], "SCALAR", limits=True)
    scene = _Scene(buffer, times)
    for group in groups(run.world, detail=detail, half_width=half, middle=middle):
        moving = run.world.state.kind[group.numbers] != FIXED
        for still in (False, True):
            for k in np.flatnonzero(moving != still):
                number = int(group.numbers[k])
                mesh = scene.mesh(group, still)
                name = run.world.name_of(number)
                scene.add_body(name, mesh, group.scales[k], places[:, number], turns[:, number])
    return scene.document(), bytes(buffer.data)


class _Buffer:
    """The binary part, and the tables that say what is where in it."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []

    def add(
        self, values: NDArray[Any], kind: str, *, target: int | None = None, limits: bool = False
    ) -> int:
        """Floats, or indices if the target says so; returns the accessor's number."""
        code, dtype = (_UINT, "<u4") if target == _INDICES else (_FLOAT, "<f4")
        array = np.ascontiguousarray(values, dtype=dtype)
        view: dict[str, Any] = {
            "buffer": 0,
            "byteOffset": len(self.data),
            "byteLength": array.nbytes,
        }
        if target is not None:
            view["target"] = target
        accessor: dict[str, Any] = {"bufferView": len(self.views), "componentType": code}
        accessor |= {"count": len(array), "type": kind}
        if limits:
            rows = array.reshape(len(array), -1)
            accessor |= {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        self.data += array.tobytes()
        self.views.append(view)
        self.accessors.append(accessor)
        return len(self.accessors) - 1


class _Scene:
    """Nodes, meshes and the animation."""

    def __init__(self, buffer: _Buffer, times: int) -> None:
        self._buffer, self._times = buffer, times
        self._nodes: list[dict[str, Any]] = [{"name": "world", "rotation": _Z_UP, "children": []}]
        self._meshes: list[dict[str, Any]] = []
        self._known: dict[tuple[int, bool], int] = {}
        self._samplers: list[dict[str, Any]] = []
        self._channels: list[dict[str, Any]] = []

    def mesh(self, group: BodyGroup, still: bool) -> int:
        """The group's surface in two tones, or grey; once for all of its bodies."""
        key = (id(group.surface), still)
        if key not in self._known:
            surface = group.surface
            parts = (surface,) if still else surface.two_tone(group.shape)
            colours = ("still",) if still else ("light", "dark")
            shared = {
                "POSITION": self._buffer.add(
                    surface.vertices, "VEC3", target=_VERTICES, limits=True
                ),
                "NORMAL": self._buffer.add(surface.normals(), "VEC3", target=_VERTICES),
            }
            self._meshes.append(
                {
                    "primitives": [
                        self._primitive(part, shared, colour)
                        for part, colour in zip(parts, colours, strict=True)
                        if len(part.triangles)
                    ]
                }
            )
            self._known[key] = len(self._meshes) - 1
        return self._known[key]

    def _primitive(self, part: Surface, shared: dict[str, int], colour: str) -> dict[str, Any]:
        indices = self._buffer.add(part.triangles.reshape(-1), "SCALAR", target=_INDICES)
        return {
            "attributes": shared,
            "indices": indices,
            "material": list(_COLOURS).index(colour),
        }

    def add_body(
        self, name: str, mesh: int, scale: FloatArray, places: FloatArray, turns: FloatArray
    ) -> None:
        """Where it is, (m, 3) and (m, 4), over the times; NaN where it is not there."""
        here = np.isfinite(places[:, 0])
        if not here.any():
            return
        nearest = _nearest(here)
        places, turns = places[nearest], np.roll(turns[nearest], -1, axis=1)  # w last
        flips = np.cumprod(np.where((turns[1:] * turns[:-1]).sum(axis=1) < 0, -1.0, 1.0))
        turns[1:] *= flips[:, None]  # q and -q are one turn; between them readers go the long way
        scales = np.where(here[:, None], scale, _GONE * scale)
        node = {"name": name, "mesh": mesh, "scale": scales[0].tolist()}
        node |= {"translation": places[0].tolist(), "rotation": turns[0].tolist()}
        number = len(self._nodes)
        self._nodes.append(node)
        self._nodes[0]["children"].append(number)
        for target, kind, values, way in (
            ("translation", "VEC3", places, "LINEAR"),
            ("rotation", "VEC4", turns, "LINEAR"),
            ("scale", "VEC3", scales, "STEP"),
        ):
            if (values != values[0]).any():
                self._animate(number, target, self._buffer.add(values, kind), way)

    def _animate(self, node: int, target: str, output: int, way: str) -> None:
        self._channels.append(
            {"sampler": len(self._samplers), "target": {"node": node, "path": target}}
        )
        self._samplers.append({"input": self._times, "output": output, "interpolation": way})

    def document(self) -> dict[str, Any]:
        materials = [
            {
                "name": name,
                "pbrMetallicRoughness": {
                    "baseColorFactor": [*colour, 1.0],
                    "metallicFactor": 0.0,
                    "roughnessFactor": 0.6,
                },
            }
            for name, colour in _COLOURS.items()
        ]
        document: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "Rollcone"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": self._nodes,
            "materials": materials,
            "accessors": self._buffer.accessors,
            "bufferViews": self._buffer.views,
            "buffers": [{"byteLength": len(self._buffer.data)}],
        }
        if self._meshes:
            document["meshes"] = self._meshes
        else:  # a list must not be empty
            self._nodes[0].pop("children")
        if self._channels:
            document["animations"] = [{"channels": self._channels, "samplers": self._samplers}]
        return document


def _nearest(here: NDArray[np.bool_]) -> NDArray[np.int64]:
    """For every moment the last one before it at which the body was there, or else the first."""
    last = np.where(here, np.arange(len(here)), -1)
    seen = np.maximum.accumulate(last)
    return np.asarray(np.where(seen < 0, int(np.argmax(here)), seen))


def _write(path: Path, document: dict[str, Any], buffer: bytes) -> None:
    """Header, JSON and buffer, each filled up to four bytes."""
    text = json.dumps(document, separators=(",", ":"), allow_nan=False).encode()
    text += b" " * (-len(text) % 4)
    data = buffer + b"\0" * (-len(buffer) % 4)
    with path.open("wb") as file:
        file.write(struct.pack("<4sII", b"glTF", 2, 12 + 8 + len(text) + 8 + len(data)))
        file.write(struct.pack("<I4s", len(text), b"JSON") + text)
        file.write(struct.pack("<I4s", len(data), b"BIN\0") + data)
