"""The factor of a basis: updates against numpy on the submatrix; singular bases."""

import numpy as np
import pytest
from scipy import sparse

from rollcone.lcp.factor import BasisFactor, SingularBasisError


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_updates_over_long_sequences(kind):
    rng = np.random.default_rng(0)
    n = 80
    M = rng.normal(size=(n, n)) * (rng.random((n, n)) < 0.2) + 6.0 * np.eye(n)
    factor = BasisFactor(sparse.csc_array(M) if kind == "sparse" else M)
    inside = rng.random(n) < 0.5
    for _ in range(400):
        inside[rng.choice(n, rng.integers(1, 4), replace=False)] ^= True
        F = np.flatnonzero(inside)
        factor.choose(F)
        b = rng.normal(size=F.size)
        expected = np.linalg.solve(M[np.ix_(F, F)], b)
        assert np.abs(factor.solve(b) - expected).max() < 1e-10
    assert factor.updates > 300
    assert 1 < factor.factorisations < 100
    pair = rng.normal(size=(F.size, 2))
    assert np.allclose(M[np.ix_(F, F)] @ factor.solve(pair), pair)
    if factor.refresh():
        assert np.allclose(factor.solve(b), expected)
    assert not factor.refresh()


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("off", [0.0, 1e-14])
def test_singular_bases_name_their_rows(kind, off):
    """Rows 2 and 5 are the same, or nearly; found at once and by an update."""
    M = np.diag(np.arange(1.0, 9.0))
    M[2, 2] = M[2, 5] = M[5, 2] = M[5, 5] = 1.0
    M[5, 5] += off
    matrix = sparse.csc_array(M) if kind == "sparse" else M
    factor = BasisFactor(matrix)
    with pytest.raises(SingularBasisError, match=r"singular in rows 2, 5$") as caught:
        factor.choose(np.array([0, 2, 3, 5]))
    assert caught.value.rows.tolist() == [2, 5]
    factor.choose(np.array([0, 1, 2, 3]))
    with pytest.raises(SingularBasisError, match="rows 2, 5"):
        factor.choose(np.array([0, 1, 2, 3, 5]))
    factor.choose(np.array([0, 3]))
    assert factor.solve(np.array([2.0, 8.0])) == pytest.approx([2.0, 2.0])


def test_a_basis_of_nothing():
    factor = BasisFactor(np.eye(3))
    factor.choose(np.array([], dtype=np.int64))
    assert factor.solve(np.zeros(0)).shape == (0,)
    factor.choose(np.array([1]))
    assert factor.solve(np.array([3.0])) == pytest.approx([3.0])
    factor.choose(np.array([], dtype=np.int64))
    assert factor.solve(np.zeros(0)).shape == (0,)
