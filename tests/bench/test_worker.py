"""The process that solves: stopped when it must be, and replaced."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from bench_cases import small

import rollcone as rc
from rollcone.bench.measure import Task
from rollcone.bench.worker import Worker

CODE = (
    f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
    "import stub_solvers; stub_solvers.register()\n"
    "from rollcone.bench import measure, worker; measure.SLACK = 0.5; worker.main()\n"
)


@pytest.mark.slow
def test_solvers_in_a_process(tmp_path):
    rc.save_problem(small(), tmp_path / "a.h5")
    path = str(tmp_path / "a.h5")

    def solve(name: str, limit: float):
        return work(Task(path, "exact", name, 1e-6, 1e-6, limit))

    with Worker((sys.executable, "-c", CODE)) as work:
        good = solve("gauss-seidel", 20.0)
        first = work._process
        assert (good.status, good.turns) == ("solved", 5)
        assert good.residual == rc.solve(small(), tolerance=1e-6).residual
        loud = solve("loud", 20.0)
        assert (loud.status, loud.residual) == ("solved", good.residual)
        assert work._process is first
        endless = solve("endless", 0.01)
        assert (endless.status, endless.note) == ("timed out", "did not return, was stopped")
        assert first.poll() is not None
        gone = solve("gone", 20.0)
        assert (gone.status, gone.note) == ("failed", "the process ended with code 7: ")
        last = work._process
    assert last is None


def test_a_process_that_cannot_start():
    """Is no failure of a solver; its last words are told."""
    task = Task("a.h5", "exact", "apgd", 1e-6, 1e-6, 1.0)
    with (
        Worker((sys.executable, "-c", "raise SystemExit('no such thing')")) as work,
        pytest.raises(rc.RollconeError, match=r"does not start.*code 1: no such thing"),
    ):
        work(task)
