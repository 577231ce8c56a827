"""Versions, machine, threads, kernels, memory and disk: what a report of a fault needs, and nothing
that tells who made it: no names of users or machines, and the home folder as ~."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

from rollcone import __version__, thread_count
from rollcone._build.levels import usable_levels
from rollcone.errors import LibraryError

NEEDED = ("numpy", "scipy", "h5py", "clarabel", "pydantic", "matplotlib")
OPTIONAL = ("numba", "llvmlite", "trimesh", "pycollada", "pyvista", "vtk", "imageio", "viser",
            "dask", "distributed", "pandas", "coal")  # fmt: skip
_VARIABLES = ("ROLLCONE_", "NUMBA_", "OMP_", "MKL_", "OPENBLAS_", "HDF5_", "SLURM_CPUS")


def machine() -> dict[str, Any]:
    """All of it, as plain values."""
    return {
        "versions": versions(),
        "platform": {
            "system": f"{platform.system()} {platform.release()}",
            "machine": platform.machine(),
            "processor": usable_levels()[0],
            "cpus": os.cpu_count(),
            "usable_cpus": thread_count.usable_cpus(),
        },
        "threads": {"used": thread_count.threads(), "why": thread_count.reason()},
        "kernels": kernels(),
        "free": free(),
        "environment": {
            name: _home(value)
            for name, value in sorted(os.environ.items())
            if name.startswith(_VARIABLES)
        },
    }


def versions() -> dict[str, str | None]:
    """Of Rollcone, Python and packages; None for those that are not installed."""
    found: dict[str, str | None] = {"rollcone": __version__}
    found["python"] = f"{platform.python_version()} ({platform.python_implementation()})"
    return found | {name: _version(name) for name in (*NEEDED, *OPTIONAL)}


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def kernels() -> dict[str, Any]:
    """The library of compiled kernels: its file, processors that it is for, kernels and bytes; or
    why there is none."""
    from rollcone._build import library

    try:
        found = library.opened()
    except LibraryError as error:
        return {"file": None, "level": None, "kernels": 0, "bytes": 0, "error": _home(str(error))}
    return {
        "file": _home(str(found.path)),
        "level": found.manifest["level"],
        "kernels": len(found.manifest["entries"]),
        "bytes": found.path.stat().st_size,
        "error": "",
    }


def free() -> dict[str, int | None]:
    """Bytes of memory, and of disk in the current folder; None where nobody knows."""
    return {"memory": _memory(), "disk": _disk(Path.cwd())}


def _memory() -> int | None:
    if sys.platform == "linux":
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return 1024 * int(line.split()[1])
    return None


def _disk(folder: Path) -> int | None:
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None


def _home(text: str) -> str:
    """A path as others may see it."""
    home = str(Path.home())
    return text.replace(home, "~") if len(home) > 1 else text
