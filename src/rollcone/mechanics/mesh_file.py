"""Triangles from files, by trimesh."""

from __future__ import annotations

import io
import logging
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from rollcone._check import FloatArray, IntArray
from rollcone.errors import InputError

FORMATS = ("stl", "obj", "ply", "off", "glb", "gltf", "dae")
_MOST_BYTES = 500_000_000


def read_mesh(path: str | os.PathLike[str], name: str = "path") -> tuple[FloatArray, IntArray]:
    """Vertices (v, 3) and triangles (t, 3) of all that a file holds, in the file's units; `name` is
    what errors begin with."""
    place = Path(path)
    if not place.is_file():
        raise InputError(f"{name} = {str(place)!r}: there is no such file")
    kind = place.suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise InputError(f"{name} = {str(place)!r}: must end in one of {', '.join(FORMATS)}")
    if place.stat().st_size > _MOST_BYTES:
        raise InputError(f"{name} = {str(place)!r}: larger than {_MOST_BYTES} bytes")
    try:
        import trimesh
    except ImportError as error:
        raise InputError(
            f"{name}: files of meshes need trimesh; pip install 'rollcone[mesh]'"
        ) from error
    try:
        with _in_silence():
            # What is in memory is read no further than it goes, whatever lengths it states.
            source = io.BytesIO(place.read_bytes()) if kind == "glb" else place
            mesh: Any = trimesh.load(source, file_type=kind, force="mesh", process=False)
        corners = np.array(mesh.vertices, dtype=np.float64).reshape(-1, 3)
        triangles = np.array(mesh.faces, dtype=np.int64).reshape(-1, 3)
    except MemoryError:
        raise
    except Exception as error:  # whatever its readers stumble over
        words = str(error) or type(error).__name__
        raise InputError(f"{name} = {str(place)!r}: cannot be read as {kind} ({words})") from error
    if not len(triangles):
        raise InputError(f"{name} = {str(place)!r}: holds no triangles")
    return corners, triangles


@contextmanager
def _in_silence() -> Iterator[None]:
    """Trimesh logs tracebacks of what it tries in vain, and warns; what matters is raised."""
    log = logging.getLogger("trimesh")
    before = log.level
    log.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        log.setLevel(before)
