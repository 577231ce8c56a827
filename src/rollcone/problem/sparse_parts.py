"""Sparse matrices from the parts that files hold, trusted only after a look at each."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from rollcone._check import FloatArray, finite_array
from rollcone.errors import InputError

Integers = NDArray[np.integer[Any]]


def csr_from_parts(
    name: str, data: FloatArray, indices: Integers, indptr: Integers, shape: tuple[int, int]
) -> sp.csr_matrix:
    """Compressed rows: entries of row i are data[indptr[i] : indptr[i + 1]]."""
    rows, columns = shape
    if rows < 0 or columns < 0:
        raise InputError(f"{name} of shape {shape}: must be >= 0")
    if data.ndim != 1 or indices.shape != data.shape or indptr.shape != (rows + 1,):
        raise InputError(
            f"{name}: data {data.shape}, indices {indices.shape} and indptr {indptr.shape} "
            f"do not make a matrix of shape {shape}"
        )
    if indptr[0] != 0 or indptr[-1] != len(data) or np.any(indptr[1:] < indptr[:-1]):
        raise InputError(f"{name}.indptr: must rise from 0 to {len(data)}, the number of entries")
    _check_range(f"{name}.indices", indices, columns)
    finite_array(f"{name}.data", data)
    return sp.csr_matrix((data, indices, indptr), shape=shape)


def csr_from_triplets(
    name: str, data: FloatArray, rows: Integers, columns: Integers, shape: tuple[int, int]
) -> sp.csr_matrix:
    """Entries data at (rows, columns), in any order; those at the same place add up.

    The caller has compared `shape` with something that is in the file: memory is taken for it.
    """
    _check_range(f"{name}.rows", rows, shape[0])
    _check_range(f"{name}.columns", columns, shape[1])
    finite_array(f"{name}.data", data)
    return sp.coo_matrix((data, (rows, columns)), shape=shape).tocsr()


def _check_range(name: str, indices: Integers, end: int) -> None:
    if len(indices) and not 0 <= indices.min() <= indices.max() < end:
        raise InputError(f"{name}: {indices.min()} to {indices.max()}; must be from 0 to {end - 1}")
