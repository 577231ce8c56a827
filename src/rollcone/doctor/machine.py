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

NEEDED = ("numpy", "scipy", "numba", "llvmlite", "h5py", "clarabel", "pydantic", "matplotlib")
OPTIONAL = ("trimesh", "pycollada", "pyvista", "vtk", "imageio", "viser", "dask", "distributed",
            "pandas", "coal")  # fmt: skip
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
    """Of Rollcone, Python and packages; None for those that are not installed."""
    found: dict[str, str | None] = {"rollcone": __version__}
    found["python"] = f"{platform.python_version()} ({platform.python_implementation()})"
    return found | {name: _version(name) for name in (*NEEDED, *OPTIONAL)}


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def processor() -> str:
    """As kernels are compiled for it: bits of results may differ from one to another."""
    from llvmlite import binding

    chosen = os.environ.get("NUMBA_CPU_NAME")
    return f"{chosen} (NUMBA_CPU_NAME)" if chosen else str(binding.get_host_cpu_name())


def kernels() -> dict[str, Any]:
    """The cache of compiled kernels: the folder of this version, and what others have left."""
    folder = kernel_folder()
    count, size = _content(folder)
    others = [_content(other) for other in folder.parent.glob("*") if other != folder]
    return {
        "folder": _home(str(folder.parent)),
        "version": folder.name,
        "writable": os.access(next(p for p in (folder, *folder.parents) if p.exists()), os.W_OK),
        "kernels": count,
        "bytes": size,
        "bytes_of_other_versions": sum(bytes_ for _, bytes_ in others),
    }


def kernel_folder() -> Path:
    """Where the kernels of this version are kept, as any of them knows."""
    from rollcone.problem.kernels.linear import dot

    return Path(dot._cache.cache_path)


def _content(folder: Path) -> tuple[int, int]:
    """Kernels, and their bytes."""
    sizes = []
    for path in folder.glob("*.nbc"):
        try:
            sizes.append(path.stat().st_size)
        except OSError:  # it has just been replaced
            continue
    return len(sizes), sum(sizes)


def free() -> dict[str, int | None]:
    """Bytes: of memory, and of disk here and where kernels are kept; None where nobody knows."""
    folder = kernel_folder()
    there = next(p for p in (folder, *folder.parents) if p.exists())
    return {"memory": _memory(), "disk": _disk(Path.cwd()), "disk_of_kernels": _disk(there)}


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
