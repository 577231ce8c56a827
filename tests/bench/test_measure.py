"""One solve: what counts, and what does not."""

from __future__ import annotations

import numpy as np
import pytest
import stub_solvers
from bench_cases import LIMIT, small
from stub_solvers import Counted

import rollcone as rc
from rollcone.bench import measure
from rollcone.bench.measure import Measure, Task
from rollcone.solvers.registry import SOLVERS


@pytest.fixture
def task(tmp_path, monkeypatch):
    """A function that makes one, for a stub."""
    rc.save_problem(small(), tmp_path / "a.h5")
    monkeypatch.setattr(Counted, "starts", [])

    def make(method: str, tolerance: float = 1e-6, law: str = "exact") -> Task:
        monkeypatch.setitem(SOLVERS, method.lower(), stub_solvers.info(method))
        path = str(tmp_path / "a.h5")
        return Task(path, law, method.lower(), tolerance, 1e-8, LIMIT)

    return make


def test_turns(task, monkeypatch):
    """A warm-up for each problem and solver; then several turns if it is quick, else one."""
    solve = Measure()
    told = []
    assert solve(task("Counted"), told.append).turns == measure.TURNS
    assert len(Counted.starts) == 1 + measure.TURNS
    assert set(told) == {1.25 * LIMIT + measure.SLACK}
    monkeypatch.setattr(measure, "QUICK", 0.0)
    assert solve(task("Counted", 1e-4)).turns == 1
    assert len(Counted.starts) == 2 + measure.TURNS
    solve(task("Counted", law="associated"))
    assert len(Counted.starts) == 4 + measure.TURNS


def test_a_law_is_asked_for(task):
    found = Measure()(task("Counted", law="associated"))
    expected = rc.solve(small().with_law("associated"), tolerance=1e-6)
    assert found.residual == expected.residual
    assert found.residual != rc.solve(small(), tolerance=1e-6).residual


def test_solved_is_what_the_residual_says(task, monkeypatch):
    """Whatever the solver says of itself."""
    monkeypatch.setattr(rc.Solution, "residual", 2e-6)
    found = Measure()(task("Counted", 1e-6))
    assert (found.status, found.residual) == ("failed", 2e-6)


def test_an_answer_that_comes_too_late(task):
    """After its first iterations it is as good as asked for."""
    given = vars(task("Tardy", 0.9)) | {"tightest": 0.9}
    late = Measure()(Task(**given | {"time_limit": 0.09}))
    assert (late.status, late.residual < 0.9) == ("timed out", True)
    assert Measure()(Task(**given)).status == "solved"


def test_a_file_that_is_gone(task):
    gone = Task(**vars(task("Counted")) | {"path": "gone.h5"})
    found = Measure()(gone)
    assert (found.status, found.note) == ("failed", "FileError: gone.h5: no such file")


def test_a_proof_that_there_is_no_answer_is_one(tmp_path):
    """Walls that close in on a point."""
    H = [[1.0, 0], [0, 1], [-1, 0], [0, 1]]
    walls = rc.ContactProblem.from_bodies(
        np.eye(2), H, np.zeros(2), [-1, 0, -1, 0], sliding=0.5, rows=2
    )
    rc.save_problem(walls, tmp_path / "walls.h5")
    found = Measure()(Task(str(tmp_path / "walls.h5"), "exact", "apgd", 1e-6, 1e-8, LIMIT))
    assert found.status == "solved"
    assert found.residual > 1e-6
    assert "no solution" in found.note
