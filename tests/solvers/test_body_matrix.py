"""LU of I + sum of A T A^T by bodies, against dense matrices."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollcone as rc
from rollcone.solvers import body_matrix
from rollcone.solvers.body_matrix import BodyMatrix
from rollcone.solvers.scaled import BodyMap, ScaledProblem


def dense(count, size, bodies, blocks, T):
    """Sum of A T A^T; the last block row and column, of the missing body, are cut off."""
    K = np.zeros((count + 1, size, count + 1, size))
    for pair, A, t in zip(bodies, blocks, T, strict=True):
        for a in range(2):
            for b in range(2):
                K[pair[a], :, pair[b]] += A[a] @ t @ A[b].T
    return K[:-1, :, :-1].reshape(count * size, count * size)


def laws(rng, n, d, low=-3.0, high=6.0):
    """Positive definite and not symmetric, of very different sizes."""
    G, S = rng.normal(size=(2, n, d, d))
    scale = 10.0 ** rng.uniform(low, high, n)
    skew = 0.5 * (S - np.swapaxes(S, 1, 2))
    return scale[:, None, None] * (G @ np.swapaxes(G, 1, 2) / d + skew)


def pairs(rng, count, n, size, d):
    """Random pairs of bodies, some missing, never a body with itself; blocks to go with them."""
    first = rng.integers(0, count + 1, n)
    second = (first + rng.integers(1, count + 1, n)) % (count + 1)
    second[rng.random(n) < 0.05] = count
    first[rng.random(n) < 0.05] = count
    bodies = np.stack([first, second], axis=1).astype(np.int64)
    blocks = rng.normal(size=(n, 2, size, d))
    blocks[bodies == count] = 0.0
    return bodies, blocks


def check(matrix, K, count, size, rng):
    """|K x - r| against |K| |x|, and the missing body's row."""
    r = rng.normal(size=(count + 1, size))
    r[-1] = 0.0
    x = r.copy()
    matrix.solve(x)
    error = np.abs(K @ x[:-1].reshape(-1) - r[:-1].reshape(-1)).max(initial=0.0)
    scale = np.abs(K).sum(axis=1).max(initial=0.0) * np.abs(x).max(initial=0.0)
    assert error <= 1e-12 * scale
    assert not x[-1].any()
    return r, x


@pytest.mark.slow
@given(
    seed=st.integers(0, 2**32 - 1),
    count=st.integers(1, 40),
    contacts=st.integers(0, 90),
    extra=st.integers(0, 4),
    shape=st.sampled_from([(6, 6), (6, 3), (6, 5), (3, 2), (2, 3), (1, 1)]),
)
def test_solves_what_dense_matrices_solve(seed, count, contacts, extra, shape):
    rng = np.random.default_rng(seed)
    size, d = shape
    bodies, blocks = pairs(rng, count, contacts, size, d)
    lines, line_blocks = pairs(rng, count, extra, size, 1)
    T, t = laws(rng, contacts, d), rng.uniform(0.0, 1e3, extra)
    K = np.eye(count * size) + dense(count, size, bodies, blocks, T)
    K += dense(count, size, lines, line_blocks, t.reshape(-1, 1, 1))
    matrix = BodyMatrix(count, size, bodies, lines)
    assert matrix.factor(blocks, T, line_blocks, t)
    r, x = check(matrix, K, count, size, rng)
    if np.linalg.cond(K) < 1e9:
        expected = np.linalg.solve(K, r[:-1].reshape(-1))
        np.testing.assert_allclose(x[:-1].reshape(-1), expected, atol=1e-5 * np.abs(x).max())


@given(seed=st.integers(0, 2**32 - 1), slack=st.sampled_from([0.0, 0.5, 1.0]))
def test_fronts_with_more_or_fewer_zeros(seed, slack):
    """How columns are gathered in fronts changes nothing but time."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 60))
    bodies, blocks = pairs(rng, count, 2 * count, 2, 3)
    T = laws(rng, len(bodies), 3)
    K = np.eye(2 * count) + dense(count, 2, bodies, blocks, T)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(body_matrix, "_SLACK", slack)
        patch.setattr(body_matrix, "_WIDEST", 100)
        matrix = BodyMatrix(count, 2, bodies)
    assert matrix.factor(blocks, T)
    check(matrix, K, count, 2, rng)


def heap(bodies):
    scaled = ScaledProblem(rc.problems.heap(bodies))
    form = BodyMap.of(scaled)
    return form.z.shape[0] - 1, form.contacts.bodies, form.contacts.blocks


def test_heap_and_same_bits():
    """Twice the same, also after other numbers and from a new matrix; extreme sizes."""
    rng = np.random.default_rng(3)
    count, bodies, blocks = heap(80)
    T, other = laws(rng, len(bodies), 6, -8.0, 10.0), laws(rng, len(bodies), 6)
    K = np.eye(6 * count) + dense(count, 6, bodies, blocks, T)
    matrix = BodyMatrix(count, 6, bodies)
    assert matrix.factor(blocks, T)
    r, x = check(matrix, K, count, 6, rng)
    assert matrix.factor(blocks, other)
    for again in (matrix, BodyMatrix(count, 6, bodies)):
        assert again.factor(blocks, T)
        for _ in range(2):
            y = r.copy()
            again.solve(y)
            assert (x == y).all()


def test_the_order_keeps_factors_small():
    """A chain of bodies in any order has no new blocks; a heap has a few times its own."""
    rng = np.random.default_rng(5)
    names = rng.permutation(300)
    chain = np.stack([names[:-1], names[1:]], axis=1)
    assert BodyMatrix(300, 1, chain).stored_blocks < 3 * 300 * 1.3
    count, bodies, _ = heap(1000)
    assert BodyMatrix(count, 6, bodies).stored_blocks < 35_000


@pytest.mark.parametrize("count", [60, 3000])
def test_a_body_that_touches_all_others(count):
    """A tray: whether it goes last by its degree or unasked, nothing is joined by it."""
    rng = np.random.default_rng(count)
    others = np.arange(count)
    others = others[others != count // 3]
    bodies = np.stack([np.full(count - 1, count // 3), others], axis=1)
    blocks, T = rng.normal(size=(count - 1, 2, 3, 2)), laws(rng, count - 1, 2)
    matrix = BodyMatrix(count, 3, bodies)
    assert matrix.stored_blocks < 3.5 * count
    assert matrix.factor(blocks, T)
    if count < 100:
        K = np.eye(3 * count) + dense(count, 3, bodies, blocks, T)
        check(matrix, K, count, 3, rng)


@pytest.mark.parametrize("count", [0, 1, 7])
def test_without_contacts(count):
    """K = I, also where all contacts are between missing bodies."""
    rng = np.random.default_rng(0)
    for n in (0, 2):
        bodies, blocks = np.full((n, 2), count, dtype=np.int64), np.zeros((n, 2, 6, 3))
        matrix = BodyMatrix(count, 6, bodies)
        assert matrix.factor(blocks, laws(rng, n, 3))
        r, x = check(matrix, np.eye(6 * count), count, 6, rng)
        assert (r == x).all()


def test_a_contact_of_a_body_with_itself():
    """Parts of one body that touch: all four blocks fall on its own."""
    rng = np.random.default_rng(1)
    bodies, blocks = np.array([[0, 0], [0, 1]]), rng.normal(size=(2, 2, 6, 3))
    T = laws(rng, 2, 3, 0.0, 1.0)
    matrix = BodyMatrix(2, 6, bodies)
    assert matrix.factor(blocks, T)
    check(matrix, np.eye(12) + dense(2, 6, bodies, blocks, T), 2, 6, rng)


def test_rows_within_a_body_are_exchanged():
    """A diagonal of zeros within a block is no obstacle."""
    bodies, blocks = np.array([[0, 1]]), np.zeros((1, 2, 2, 2))
    blocks[0, 0] = np.eye(2)
    T = np.array([[[-1.0, 2.0], [3.0, -1.0]]])
    matrix = BodyMatrix(1, 2, bodies)
    assert matrix.factor(blocks, T)
    r = np.array([[2.0, 3.0], [0.0, 0.0]])
    matrix.solve(r)
    np.testing.assert_allclose(r, [[1.0, 1.0], [0.0, 0.0]], atol=1e-15)


@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf])
def test_says_when_there_is_no_inverse(value):
    """I - I is singular; what is not a number is not factored. The next one is, again."""
    bodies, blocks = np.array([[0, 2], [0, 1]]), np.zeros((2, 2, 3, 1))
    blocks[0, 0, 1] = blocks[1, 1, 2] = 1.0
    matrix = BodyMatrix(2, 3, bodies)
    for which in range(2):
        T = np.ones((2, 1, 1))
        T[which] = value
        assert not matrix.factor(blocks, T)
    assert matrix.factor(blocks, np.ones((2, 1, 1)))
