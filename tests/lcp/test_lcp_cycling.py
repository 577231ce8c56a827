"""Problems on which pivoting rules go round in circles or take very long, and do not here."""

from fractions import Fraction

import numpy as np
import pytest

from rollcone.lcp import LCP, all_solutions, solve
from rollcone.lcp.kernels.lemke import GO_ON, pivots
from rollcone.lcp.lemke import Tableau
from rollcone.lcp.pivoting import Pivots
from rollcone.lcp.scaled import scaled


def murty(n):
    """Murty's example, ordered for the rule of the greatest index: 2^n - 1 single pivots."""
    return LCP(np.tril(np.full((n, n), 2.0), -1) + np.eye(n), -np.ones(n))


@pytest.mark.parametrize("n", [3, 5, 7])
def test_murtys_exponential_example(n):
    single = solve(murty(n), tries=0, start=np.zeros(n))
    assert (single.iterations, single.solved) == (2**n - 1, True)
    block = solve(murty(n), start=np.zeros(n))
    assert block.solved
    assert block.iterations <= n
    assert solve(murty(n), "lemke").iterations <= 2 * n
    assert single.z.tolist() == block.z.tolist() == [1.0] + [0.0] * (n - 1)


def circling(rng):
    """Small P matrices (definite and not symmetric) on which block pivots alone never end."""
    while True:
        A = rng.normal(size=(4, 4))
        M = 0.2 * np.eye(4) + 0.02 * A @ A.T + A - A.T
        problem = LCP(M, -rng.random(4))
        alone = Pivots(scaled(problem), 1e-10, 10**6, 300)
        if not alone.solve(np.full(4, -1, dtype=np.int8)):
            yield problem


def test_block_pivots_alone_cycle_and_the_guard_ends_it():
    found = circling(np.random.default_rng(0))
    for _ in range(5):
        problem = next(found)
        guarded = Pivots(scaled(problem), 1e-10, 10, 300)
        assert guarded.solve(np.full(4, -1, dtype=np.int8))
        (only,) = all_solutions(problem)
        solved = solve(problem, start=np.zeros(4))
        assert np.allclose(solved.z, only.z, atol=1e-12)


def plain_lemke(M, q, choose):
    """Lemke's method in fractions, ties broken by `choose`; True if a basis comes back."""
    n = len(q)
    rows = [
        [Fraction(int(i == j)) for j in range(n)] + [-Fraction(int(v)) for v in M[i]]
        + [Fraction(-1), Fraction(int(q[i]))]
        for i in range(n)
    ]  # fmt: skip
    basis, entering, seen = list(range(n)), 2 * n, set()
    row = min(range(n), key=lambda i: (q[i], i))
    while True:
        pivot = rows[row][entering]
        rows[row] = [v / pivot for v in rows[row]]
        for i in range(n):
            if i != row:
                factor = rows[i][entering]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[row], strict=True)]
        left, basis[row] = basis[row], entering
        if left == 2 * n:
            return False
        entering = left + n if left < n else left - n
        if (tuple(basis), entering) in seen:
            return True
        seen.add((tuple(basis), entering))
        ratios = {i: rows[i][-1] / rows[i][entering] for i in range(n) if rows[i][entering] > 0}
        if not ratios:
            return False
        ties = [i for i in ratios if ratios[i] == min(ratios.values())]
        row = choose(ties, basis)


def test_degenerate_ties_that_make_lemke_cycle():
    """Kostreva's example: a P matrix, q = -(1, 1, 1); all three variables tie at once."""
    M, q = np.array([[1, 2, 0], [0, 1, 2], [2, 0, 1]]), np.array([-1, -1, -1])

    def unlucky(ties, basis):
        return next((i for i in ties if basis[i] != 6), ties[0])  # never z0, if another can go

    assert plain_lemke(M, q, unlucky)
    found = solve(LCP(M, q), "lemke")
    assert found.solved
    assert found.z == pytest.approx([1 / 3] * 3)


def test_degenerate_problems_end():
    """Integers of size 1: ties at nearly every pivot."""
    rng = np.random.default_rng(2)
    for _ in range(60):
        n = int(rng.integers(4, 25))
        A = rng.integers(-1, 2, (n, n)).astype(float)
        q = -A @ A.T @ np.ones(n) * rng.integers(0, 2, n)
        problem = LCP(A @ A.T + np.eye(n), q)
        found = solve(problem, "lemke")
        assert found.solved
        assert found.iterations < 5 * n
        assert np.allclose(found.z, solve(problem).z, atol=1e-9)


def lexically_positive(tableau):
    """Is every row of (b, B^-1) one whose first entry that is not zero is positive?"""
    inverse = np.linalg.inv(tableau._columns(tableau.basic))
    rows = np.column_stack([inverse @ tableau.q, inverse])
    rows[np.abs(rows) < 1e-9] = 0.0
    return all(row[np.flatnonzero(row)[0]] > 0.0 for row in rows)


def test_the_lexicographic_rule():
    """What proves that no basis comes back holds after every pivot, though ties are many."""
    rng = np.random.default_rng(7)
    checked = 0
    for _ in range(40):
        n = int(rng.integers(3, 9))
        M = np.tril(rng.integers(-1, 2, (n, n)), -1) + np.triu(rng.integers(0, 2, (n, n)))
        tableau = Tableau(LCP(M + np.eye(n), -rng.integers(0, 2, n).astype(float)), 0)
        if tableau.q.min() == 0.0:
            continue
        tableau._begin()
        code = GO_ON
        while code == GO_ON:
            assert lexically_positive(tableau)
            checked += 1
            work = (tableau.T, tableau.b, tableau.basic, tableau.nonbasic, tableau.where)
            code = pivots(*work, tableau.position, 1, 1e-10, 1e-11, 1e-6)
    assert checked > 80
