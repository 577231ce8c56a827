"""The fingerprint of a scene: a hash of its arrays, and a few of their numbers.

Rollcone's kernels give the same bits on all x86-64 processors. The vector code and the linear
algebra of NumPy and SciPy need not, nor do the functions of the C library. So the file of
fingerprints records those that it was made with: where they are the same, hashes must be equal;
where they differ, the numbers must agree to TOLERANCE.
"""

from __future__ import annotations

import hashlib
import json
import platform
from pathlib import Path
from typing import Any

import numpy as np
import scipy.linalg  # loads its own linear algebra, which is recorded
from threadpoolctl import threadpool_info

FILE = Path(__file__).with_name("fingerprints.json")
TOLERANCE = 1e-6  # relative to a number and to the largest number of its array
_ROUNDING = 1e-12  # in the array's unit: less is zero
_DIGITS = 16  # hexadecimal, of the hash of a scene
_FEW_DIGITS = 8  # of the hash of a part
_MOST = 6  # numbers of an array that are kept
_DECIMALS = 10  # significant decimal digits of a number that is kept

Fingerprint = dict[str, Any]


def environment() -> dict[str, Any]:
    """Return what may change bits besides Rollcone: versions and the processor's vector level."""
    vectors = np.show_config(mode="dicts")["SIMD Extensions"]
    blas = [one for one in threadpool_info() if one["user_api"] == "blas"]
    words = {f"{one['prefix']} {one['version']} {one.get('architecture')}" for one in blas}
    return {
        "machine": platform.machine(),
        "libc": " ".join(platform.libc_ver()),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "blas": sorted(words),
        "vectors": [*vectors.get("baseline", ()), *vectors.get("found", ())],
    }


def fingerprint(arrays: dict[str, np.ndarray]) -> Fingerprint:
    """Return the hash of all arrays, hashes of parts of them, and some numbers.

    Where names are "case: array", the parts are the cases, and each array over all cases;
    else they are the arrays.
    """
    whole = hashlib.sha256()
    parts: dict[str, Any] = {}
    for name, array in arrays.items():
        described = _bytes(name, array)
        whole.update(described)
        case, _, own = name.rpartition(": ")
        for part in (f"case {case}",) * bool(case) + (own,):
            parts.setdefault(part, hashlib.sha256()).update(described)
    return {
        "hash": whole.hexdigest()[:_DIGITS],
        "parts": {name: part.hexdigest()[:_FEW_DIGITS] for name, part in parts.items()},
        "numbers": {
            name: _numbers(array) for name, array in arrays.items() if _is_kept(name, array)
        },
    }


def _bytes(name: str, array: np.ndarray) -> bytes:
    """Return name, type, shape and values of an array; texts as UTF-8, all NaN alike."""
    array = np.ascontiguousarray(array)
    if array.dtype.kind == "U":
        return f"{name} text {array.shape} ".encode() + "\n".join(array.ravel().tolist()).encode()
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), np.nan, array)
    array = array.astype(array.dtype.newbyteorder("<"))
    return f"{name} {array.dtype.str} {array.shape} ".encode() + array.tobytes()


def _is_kept(name: str, array: np.ndarray) -> bool:
    """Tell whether numbers of an array are kept: results, of arrays with any."""
    last = name.split(": ")[-1]
    words = ("position", "velocity", "reactions", "velocities", "z", "forces 0")
    return last in words and array.size > 0


def _numbers(array: np.ndarray) -> list[float]:
    """Return some entries of an array, evenly spaced, rounded; of one over time, those of a moment
    before rounding has grown: bodies that tumble multiply it at every impact."""
    moment = min(max(1, len(array) // 4), len(array) - 1)
    row = array[moment] if array.ndim == 3 else array
    flat = row[np.isfinite(row)]
    chosen = np.unique(np.linspace(0, len(flat) - 1, _MOST).round().astype(int))
    return [float(f"{flat[k]:.{_DECIMALS}g}") for k in chosen]


def differences(old: Fingerprint, new: Fingerprint) -> list[str]:
    """Return the names of parts that are new, missing, or have another hash."""
    names = dict.fromkeys([*old["parts"], *new["parts"]])
    return [name for name in names if old["parts"].get(name) != new["parts"].get(name)]


def far_numbers(old: Fingerprint, new: Fingerprint) -> list[str]:
    """Return the names of arrays whose numbers differ by more than TOLERANCE, with the numbers."""
    found = []
    for name in dict.fromkeys([*old["numbers"], *new["numbers"]]):
        a, b = (np.array(one["numbers"].get(name, []), dtype=float) for one in (old, new))
        near = a.shape == b.shape and np.all(
            np.abs(a - b) <= _ROUNDING + TOLERANCE * (np.abs(a) + np.abs(a).max(initial=0.0))
        )
        if not near:
            found.append(f"{name}: {a.tolist()} became {b.tolist()}")
    return found


def read() -> dict[str, Any]:
    """Return the recorded file, `environment` and `scenes`; empty where there is none."""
    if not FILE.exists():
        return {"environment": {}, "scenes": {}}
    return json.loads(FILE.read_text())


def write(found: dict[str, Fingerprint]) -> None:
    """Write the file with the present environment: one line for each part of a fingerprint."""
    scenes = []
    for name, one in found.items():
        parts = [f"   {json.dumps(key)}: {json.dumps(value)}" for key, value in one.items()]
        scenes.append(f"  {json.dumps(name)}: {{\n" + ",\n".join(parts) + "\n  }")
    head = f' "environment": {json.dumps(environment())},\n "scenes": {{\n'
    FILE.write_text("{\n" + head + ",\n".join(scenes) + "\n }\n}\n")
