"""The largest eigenvalue of small matrices, against LAPACK."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollcone.problem.kernels.eigen import largest_eigenvalue
from rollcone.problem.scaling import largest_eigenvalues


def error(A):
    """Relative to the largest entry of A."""
    found = largest_eigenvalue(A.copy())
    return abs(found - np.linalg.eigvalsh(A)[-1]) / (np.abs(A).max() or 1.0)


@settings(max_examples=300)
@given(
    size=st.sampled_from([1, 2, 3, 5, 6]),
    values=st.lists(
        st.sampled_from([0.0, 1e-15, 1e-8, 0.5, 1.0, 1.0 + 1e-9, -1.0, 3.0]), min_size=6
    ),
    sparse=st.floats(0.0, 1.0),
    power=st.integers(-145, 145),
    seed=st.integers(0, 10**6),
)
def test_against_lapack(size, values, sparse, power, seed):
    """Of full and of sparse matrices, with eigenvalues that are equal, nearly so, or zero."""
    rng = np.random.default_rng(seed)
    Q = np.linalg.qr(rng.normal(size=(size, size)))[0]
    A = (Q * values[:size]) @ Q.T
    B = np.diag(values[:size]) + np.where(rng.random((size, size)) < sparse, 0.0, 1.0) * Q
    for matrix in (A, B):
        assert error(0.5 * (matrix + matrix.T) * 10.0**power) < 3e-14


@pytest.mark.parametrize("size", [1, 2, 3, 5, 6])
def test_by_hand(size):
    assert largest_eigenvalue(np.zeros((size, size))) == 0.0
    assert largest_eigenvalue(3.0 * np.eye(size)) == 3.0
    assert largest_eigenvalue(-2.0 * np.eye(size)) == -2.0
    assert error(np.ones((size, size))) < 1e-14
    assert largest_eigenvalue(np.full((size, size), np.inf)) == np.inf


def test_of_scaled_blocks():
    """The symmetric part of D W D, whatever triangle holds what."""
    rng = np.random.default_rng(0)
    W, D = rng.normal(size=(4, 6, 6)), rng.uniform(0.1, 10.0, (4, 6))
    scaled = W * D[:, :, None] * D[:, None, :]
    expected = np.linalg.eigvalsh(0.5 * (scaled + scaled.transpose(0, 2, 1)))[:, -1]
    np.testing.assert_allclose(largest_eigenvalues(W, D), expected, rtol=1e-13)
