"""The benchmarks of beds and heaps: what their rows say, on small ones."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import beds, granular_solvers, static_heap
from benchmarks.granular_solvers import GOALS, SAME, STEPS

from rollcone.problem.residual import residuals


def test_a_heap_at_rest():
    row = dict(zip(static_heap.HEADER[4:], static_heap.rested(40, 0.5)[4:], strict=True))
    assert row["rested, s"] == "0.5"
    assert float(row["energy, J"]) <= float(row["largest, J"]) < 1e-15
    assert float(row["creep / D"]) < 1e-6
    assert row["steps not converged"].startswith("0 of ")


@pytest.fixture
def found(monkeypatch):
    """The case of a small lattice."""
    monkeypatch.setattr(granular_solvers, "bed", lambda spheres, flows: beds.lattice(3, across=4))
    return granular_solvers.case(48, False)


def test_reactions_of_the_step_before(found):
    assert found.share == 1.0
    assert residuals(found.problem, found.start(warm=True).ravel()).residual < 0.1
    assert residuals(found.problem, found.start(warm=False).ravel()).residual == 1.0


def test_contacts_that_were_not_there_begin_at_zero(found, monkeypatch):
    kept = found.stepper.kept()
    half = {name: kept[name][::2] for name in ("key", "force", "moment")}
    monkeypatch.setattr(type(found.stepper), "kept", lambda stepper: half)
    again = granular_solvers.case(48, False)
    none = np.all(again.known == 0.0, axis=1)
    assert again.share == pytest.approx(1.0 - none.mean())
    assert 0.4 < none.mean() < 0.6


@pytest.mark.parametrize(
    "solver",
    [
        pytest.param(name, marks=pytest.mark.slow)
        if name.startswith("apgd") or name in SAME
        else name
        for name in ("gauss-seidel", "apgd", *STEPS, *SAME)
    ],
)
def test_cells_of_solvers(found, solver, monkeypatch):
    """The first goal is reached; the others would take seconds."""
    monkeypatch.setattr(granular_solvers, "GOALS", GOALS[:1])
    (cell,) = granular_solvers.cells_of(found, "exact", solver, True, 5.0)
    assert cell.endswith(" s")


def test_what_is_not_reached():
    assert granular_solvers.filled([], 0.02) == ["(2e-02)", "", ""]
    assert granular_solvers.filled(["1, 1 s"], 2e-4) == ["1, 1 s", "(2e-04)", ""]
    assert granular_solvers.filled(["a", "b", "c"], 1e-9) == ["a", "b", "c"]
