"""W + C of all rows of a problem, as pivoting methods take it: dense where it is small."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy

from rollcone._check import FloatArray, IntArray
from rollcone.problem.bodies import PairForm, Pairs
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.delassus import DelassusForm

DENSE = 400  # rows


class Entries(NamedTuple):
    """Of a matrix, each at a place of its own."""

    rows: IntArray
    columns: IntArray
    values: FloatArray


def matrix_like(W: Any, entries: Entries, shape: tuple[int, int]) -> Any:
    """Sparse if W is, else an array."""
    if scipy.sparse.issparse(W):
        return scipy.sparse.csc_array((entries.values, (entries.rows, entries.columns)), shape)
    matrix = np.zeros(shape)
    matrix[entries.rows, entries.columns] = entries.values
    return matrix


def mobility(problem: ContactProblem) -> Any:
    """W + C (N, N): an array up to DENSE rows, else sparse by columns."""
    form, size = problem.form, problem.size
    if size > DENSE:
        W = form.W if isinstance(form, DelassusForm) else form.delassus.W
        return scipy.sparse.csc_array(W + scipy.sparse.diags(problem.compliance))
    if isinstance(form, PairForm):
        rows = np.concatenate([_rows(form, pairs) for pairs in form.all_pairs])
        W = rows @ rows.T
    else:
        W = (form.W if isinstance(form, DelassusForm) else form.delassus.W).toarray()
    W[np.diag_indices(size)] += problem.compliance
    return W


def _rows(form: PairForm, pairs: Pairs) -> FloatArray:
    """H A^T of these rows, dense: W of two of them is their product."""
    n, _, k, d = pairs.blocks.shape
    bodies = len(form.z_free)  # and the one that is missing
    rows = np.zeros((n, d, bodies, k))
    for side in range(2):
        rows[np.arange(n), :, pairs.bodies[:, side]] += pairs.blocks[:, side].transpose(0, 2, 1)
    return rows.reshape(n * d, bodies * k)
