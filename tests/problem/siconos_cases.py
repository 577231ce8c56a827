"""What the tests of Siconos' text files share: a writer for each of its storages."""

from __future__ import annotations

import numpy as np
from fclib_cases import Arrays

STORAGES = ("dense", "blocks", "triplets", "columns", "rows")
CSPARSE = "CSparse Version 3.2.0, Sept 12, 2017.  Copyright (c) Timothy A. Davis, 2006-2016\n"


def numbers(values: np.ndarray) -> str:
    return " ".join(f"{value:32.24e}" for value in np.ravel(values)) + "\n"


def whole(values: object) -> str:
    return "\t".join(str(int(value)) for value in np.ravel(values)) + "\t\n"


def matrix_text(A: np.ndarray, storage: str, edges: tuple[list[int], list[int]] = ([], [])) -> str:
    """A in one of the storages; blocks end at `edges` of rows and columns."""
    m, n = A.shape
    code = {"dense": 0, "blocks": 1}.get(storage, 2)
    begin = f"{code}\n{m}\n{n}\n"
    if storage == "dense":
        return begin + f"{m}\t{n}\n" + numbers(A.T)
    if storage == "blocks":
        return begin + blocks_text(A, edges[0] or [m], edges[1] or [n])
    return begin + sparse_text(A, storage)


def blocks_text(A: np.ndarray, row_ends: list[int], column_ends: list[int]) -> str:
    blocks, columns, begin = [], [], [0]
    for top, bottom in zip([0, *row_ends], row_ends, strict=False):
        for k, (left, right) in enumerate(zip([0, *column_ends], column_ends, strict=False)):
            block = A[top:bottom, left:right]
            if block.any():
                blocks.append(block)
                columns.append(k)
        begin.append(len(blocks))
    if not blocks:
        return "0\n"
    sizes = f"{len(blocks)}\n{len(row_ends)}\n{len(column_ends)}\n"
    lists = whole(row_ends) + whole(column_ends) + f"{len(begin)}\n{len(columns)}\n"
    entries = "".join(f"{k}\n{numbers(block.T)}" for k, block in enumerate(blocks))
    return sizes + lists + whole(begin) + whole(columns) + entries


def sparse_text(A: np.ndarray, storage: str) -> str:
    """As CSparse prints, but with all digits."""
    m, n = A.shape
    count = np.count_nonzero(A)
    if storage == "triplets":
        head = f"1\n{CSPARSE}triplet: {m}-by-{n}, nzmax: {count + 3} nnz: {count}\n"
        i, j = np.nonzero(A)
        return head + "".join(f"    {r} {c} : {A[r, c]:.17g}\n" for r, c in zip(i, j, strict=True))
    kind, lines = (2, A.T) if storage == "columns" else (3, A)
    text = f"{kind}\n{CSPARSE}{m}-by-{n}, nzmax: {count} nnz: {count}, 1-norm: 1.5\n"
    done = 0
    for j, line in enumerate(lines):
        here = np.flatnonzero(line)
        text += f"    col {j} : locations {done} to {done + len(here) - 1}\n"
        text += "".join(f"      {i} : {line[i]:.17g}\n" for i in here)
        done += len(here)
    return text


def problem_text(arrays: Arrays, storage: str, last: str = "") -> str:
    """A whole file; H cannot be kept by rows (CSparse prints square matrices only)."""
    A, v, contacts = arrays.matrices, arrays.vectors, len(arrays.mu)
    ends = [arrays.rows * (k + 1) for k in range(contacts)]
    text = f"{arrays.rows}\n{contacts}\n"
    if "M" in A:
        bodies = [6 * (k + 1) for k in range(len(A["M"]) // 6)]
        text += matrix_text(A["M"], storage, (bodies, bodies))
        text += matrix_text(A["H"], storage.replace("rows", "columns"), (bodies, ends))
        text += numbers(v["f"]) + numbers(v["w"])
    else:
        text += matrix_text(A["W"], storage, (ends, ends)) + numbers(v["q"])
    return text + numbers(arrays.mu) + (numbers(arrays.mu_r) if arrays.rows == 5 else "") + last
