"""Archives of heaps: NumPy .npz files with M_diag, H, v_free, q and the coefficients.

    H_data, H_indices, H_indptr, H_shape    H (N, dofs) by rows; N = 5 per contact
    M_diag, v_free (dofs,); q (N,)          y = W p + q, W = H M^-1 H^T, q = H v_free + b
    mu, mu_r (n,)                           sliding, rolling (a length)

Other entries are not looked at. Arrays are read as plain numbers from their
bytes, after their headers were compared with the size of the entry: nothing is
unpickled, and no header decides how much memory is taken.
"""

from __future__ import annotations

import zipfile
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from rollcone._check import FloatArray
from rollcone.errors import FileError
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.hdf5_reader import MOST_DEFLATE
from rollcone.problem.sparse_parts import csr_from_parts

NAME = "archive of a heap (NumPy .npz)"
ENTRIES = ("H_data", "H_indices", "H_indptr", "H_shape", "M_diag", "v_free", "q", "mu", "mu_r")
ROWS = 5


def read(path: Path) -> ContactProblem:
    """The problem in body form, exact law."""
    size = path.stat().st_size
    with zipfile.ZipFile(path) as archive:
        names = [name.removesuffix(".npy") for name in archive.namelist()]
        missing = [name for name in ENTRIES if name not in names]
        if missing:
            raise FileError(
                f"an archive without {', '.join(missing)}: not a heap; it has "
                f"{', '.join(names[:8]) or 'nothing'}{', ...' if len(names) > 8 else ''}"
            )
        part = {name: _array(archive, name, size) for name in ENTRIES}
    shape = _integers("H_shape", part["H_shape"])
    if shape.shape != (2,):
        raise FileError(f"H_shape of shape {shape.shape}: must be two numbers")
    q, v_free = _floats(part["q"]), _floats(part["v_free"])
    H = csr_from_parts(
        "H",
        _floats(part["H_data"]),
        _integers("H_indices", part["H_indices"]),
        _integers("H_indptr", part["H_indptr"]),
        (int(shape[0]), int(shape[1])),
    )
    if H.shape != (q.size, v_free.size):
        raise FileError(f"H of shape {H.shape}: must be {(q.size, v_free.size)}, as q and v_free")
    if part["M_diag"].ndim != 1:
        raise FileError(f"M_diag of shape {part['M_diag'].shape}: must be one-dimensional")
    return ContactProblem.from_bodies(
        _floats(part["M_diag"]),
        H,
        v_free,
        q - H @ v_free,  # so that y = W p + q holds to rounding; zero where q is the free motion
        sliding=_floats(part["mu"]),
        rolling=_floats(part["mu_r"]),
        rows=ROWS,
    )


def _array(archive: zipfile.ZipFile, name: str, size: int) -> NDArray[Any]:
    entry = archive.getinfo(f"{name}.npy")
    if entry.file_size > MOST_DEFLATE * min(entry.compress_size, size):
        raise FileError(f"{name}: claims {entry.file_size} bytes, more than the file can hold")
    with archive.open(entry) as file:
        version = npy.read_magic(file)
        header = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
        if version not in header:
            raise FileError(f"{name}: version {version} of the array format is not supported")
        shape, by_columns, dtype = header[version](file)
        content = file.read()  # to the end, so that the archive's checksum is compared
    if dtype.kind not in "fiu":
        raise FileError(f"{name} of type {dtype}: must be numbers")
    if prod(shape) * dtype.itemsize != len(content):
        raise FileError(f"{name} of shape {shape}: does not fit its {len(content)} bytes")
    return np.frombuffer(content, dtype).reshape(shape, order="F" if by_columns else "C")


def _floats(array: NDArray[Any]) -> FloatArray:
    return array.astype(np.float64)


def _integers(name: str, array: NDArray[Any]) -> NDArray[Any]:
    if array.dtype.kind not in "iu":
        raise FileError(f"{name} of type {array.dtype}: must be whole numbers")
    return array.astype(np.int64)
