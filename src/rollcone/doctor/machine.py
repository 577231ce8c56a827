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
from rollcone._build import library
from rollcone._build.levels import usable_levels
from rollcone.errors import LibraryError

NEEDED = ("numpy", "scipy", "h5py", "clarabel", "pydantic", "matplotlib")
OPTIONAL = ("trimesh", "pycollada", "pyvista", "vtk", "imageio", "viser", "dask", "distributed",
            "pandas", "coal")  # fmt: skip
BUILDING = ("numba", "llvmlite")  # which build the kernel library, and nothing else needs
_VARIABLES = ("ROLLCONE_", "NUMBA_", "OMP_", "MKL_", "OPENBLAS_", "HDF5_", "SLURM_CPUS")


def machine() -> dict[str, Any]:
    """All of it, as plain values."""
    return {
        "versions": versions(),
        "platform": {
            "system": f"{platform.system()} {platform.release()}",
            "machine": platform.machine(),
            "processor": processor(),
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
    """Return the versions of Rollcone, Python and packages; None for those not installed."""
    found: dict[str, str | None] = {"rollcone": __version__}
    found["python"] = f"{platform.python_version()} ({platform.python_implementation()})"
    building = {name: version for name in BUILDING if (version := _version(name))}
    return found | {name: _version(name) for name in (*NEEDED, *OPTIONAL)} | building


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def processor() -> str:
    """Return the name of the processor, where the system tells it, and its level for kernels."""
    name = platform.processor()
    if sys.platform == "linux":
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        found = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
        name = found[0] if found else name
    return f"{name or platform.machine()} ({usable_levels()[0]})"


def kernels() -> dict[str, Any]:
    """Return file, level, version, number of kernels and bytes of the opened kernel library.

    If none can be opened, `error` says why and the others are None.
    """
    try:
        found = library.opened()
    except LibraryError as error:
        facts = dict.fromkeys(("file", "level", "version", "kernels", "bytes"))
        return {**facts, "error": _home(str(error))}
    return {
        "file": _home(str(found.path)),
        "level": found.manifest["level"],
        "version": found.manifest["version"],
        "kernels": len(found.manifest["entries"]),
        "bytes": found.path.stat().st_size,
        "error": "",
    }


def free() -> dict[str, int | None]:
    """Return the free bytes of memory, and of disk in this folder; None where nobody knows."""
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
