"""The benchmark of cost: its clock, its scenes, and that it does without other programs."""

import sys
import time
from pathlib import Path

import numpy as np
import pytest

import rollcone as rc
from rollcone.stepping import step as stepper

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import cost
from benchmarks.__main__ import TABLES

LAW = rc.ContactLaw(sliding=0.2, rolling=4e-5)


def test_the_clock_counts_what_it_stands_for(monkeypatch):
    true = stepper.run_steps
    with cost.KernelClock() as clock:
        run = rc.simulate(cost.ball(LAW, 2.5), until=0.05, step=1e-3)
    assert stepper.run_steps is true
    assert 0.0 < clock.kernels < run.wall_time
    monkeypatch.setattr(stepper, "run_steps", lambda *a: time.sleep(0.02) or 7)
    with cost.KernelClock() as clock:
        assert stepper.run_steps(1, 2) == 7
        assert stepper.run_steps() == 7
    assert clock.kernels >= 0.04


def test_a_row_of_the_table():
    """The ball slows down by 5 rho g / (7 R)."""
    found = cost.measured(cost.ball(LAW, 2.5), 1e-3, 200, turns=2, record_every=50)
    cells, run = found.cells("ball"), found.run
    assert cells[:3] == ("ball", "1 ms", "1")
    assert (run.steps, len(run.time)) == (200, 5)
    speed = 2.5 - 0.2 * 5 * 4e-5 * 9.81 / (7 * 0.5)
    assert run.states("velocity")[-1, -1, 0] == pytest.approx(speed, abs=1e-12)
    each = 1e6 * run.wall_time / run.steps
    assert cells[3:5] == (f"{each:.1f}", f"{each:.2f}")
    assert 0 < float(cells[5].rstrip("%")) <= 100
    assert found.cpu > 0


def test_impacts_are_measured(monkeypatch):
    monkeypatch.setattr(cost, "BALLS", 3)
    found = cost.measured(cost.column(0.0), 5e-3, 120)
    run = found.run
    name, h, overlap, up, *_, seconds = cost.impact_cells("column", found, 0.09)
    assert float(seconds) == pytest.approx(found.cpu / 0.6, abs=0.006)
    assert (name, h, overlap) == ("column", "5 ms", "2.0e+00")
    velocity = run.states("velocity")[:, 1:, 2]
    assert float(up) == pytest.approx(velocity.max(), rel=0.05)
    np.testing.assert_allclose(run.states("position")[0, 1:, 2], 1.0225 + 0.065 * np.arange(3))


def test_without_the_others(monkeypatch, tmp_path):
    monkeypatch.setenv("PEERS_PYTHON", str(tmp_path / "nowhere"))
    assert cost.peer_seconds("mujoco") == 0.0
    monkeypatch.setenv("PEERS_PYTHON", sys.executable)
    monkeypatch.setattr(cost, "CHILD", tmp_path / "child.py")
    cost.CHILD.write_text("import a_program_that_is_not_here")
    assert cost.peer_seconds("mujoco") == 0.0
    cost.CHILD.write_text("import sys; print('says a lot'); print({'mujoco': 2e-6}[sys.argv[1]])")
    assert cost.peer_seconds("mujoco") == 2e-6


def test_the_part_is_listed():
    assert TABLES["cost"] is cost.TABLES
    titles = [table.title for tables in TABLES.values() for table in tables]
    assert len(set(titles)) == len(titles)
