"""The benchmark of complementarity problems, on small ones."""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import lcp
from benchmarks.__main__ import TABLES

from rollcone.lcp import solve


def test_rows(monkeypatch):
    monkeypatch.setattr(lcp, "REPEATS", 1)
    pivoting, others = TABLES["lcp"]
    assert [table.rows for table in TABLES["lcp"]] == [lcp.pivoting_rows, lcp.solver_rows]
    rows = list(lcp.pivoting_rows((4, 2, 2)))
    assert [row[0] for row in rows] == ["lattice", "contacts", "contacts, jammed"]
    assert all(len(row) == len(pivoting.header) for row in rows)
    assert rows[0][1] == "64"
    assert rows[1][1] == str(8 * 6 + 12 * 2)
    rows = list(lcp.solver_rows((3, 2, 2)))
    assert all(len(row) == len(others.header) for row in rows)
    assert rows[1][-1] == "no diagonal"


def test_problems_are_what_they_are_said_to_be():
    """Monotone, not symmetric, some variables at a bound and some not."""
    for name, problem in lcp.problems(6, 2, 10):
        M = problem.M.toarray()
        assert np.linalg.eigvalsh(M + M.T).min() > 0.0, name
        assert np.abs(M - M.T).max() > 0.01 * np.abs(M).max(), name
        found = solve(problem)
        assert found.solved
        bounded = ~problem.free
        assert 0 < np.sum(found.basis[bounded] == 0) < bounded.sum()
