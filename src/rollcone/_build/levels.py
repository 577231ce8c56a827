"""Kinds of processors that libraries are built for, and the name of a library's manifest.

On x86-64 there are two: `x86-64-v3` (AVX2, FMA and BMI, processors from about 2013 on) and the
baseline `x86-64`. Results have the same bits on both. Elsewhere there is one.
"""

from __future__ import annotations

import platform
import sys
from pathlib import Path

import numpy  # noqa: F401

_NEEDED = ("AVX2", "FMA3", "BMI", "BMI2", "F16C")


def levels() -> tuple[str, ...]:
    """Return the names of the levels of this architecture, as LLVM has them, the best first."""
    machine = platform.machine().lower()
    return ("x86-64-v3", "x86-64") if machine in ("x86_64", "amd64") else ("generic",)


def usable_levels() -> tuple[str, ...]:
    """Return the levels whose code this processor can run, the best first."""
    found = levels()
    if found[0] == "x86-64-v3" and not _has_v3():
        return found[1:]
    return found


def _has_v3() -> bool:
    """Ask NumPy, which looks at the processor when it is imported."""
    for place in ("numpy._core", "numpy.core"):  # from version 2 on, and before
        module = sys.modules.get(f"{place}._multiarray_umath")
        if features := getattr(module, "__cpu_features__", None):
            return all(features.get(name, True) for name in _NEEDED) and features["AVX2"] is True
    return False


def suffix() -> str:
    """Return the ending of shared libraries on this system."""
    return {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")


def manifest_of(folder: Path, level: str, quick: bool = False) -> Path:
    """Return where the manifest of a level's library lies in a folder; `quick`: of one made while
    editing."""
    return folder / f"kernels-{'quick-' if quick else ''}{level}.json"
