"""The benchmark of friction models, on small scenes."""

import sys
from pathlib import Path

import numpy as np
import pytest

import rollcone as rc

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import friction_models
from benchmarks.__main__ import TABLES


def test_accuracy_rows(monkeypatch):
    """The cone meets theory; the pyramid lets the puck turn to the diagonal, 25 degrees aside."""
    few = {"cone": "cone", "polygonal 4": rc.PolygonalFriction(facets=4)}
    monkeypatch.setattr(friction_models, "models", lambda: few)
    cone, pyramid = friction_models.accuracy_rows(step=0.02, ratio=2)
    header = TABLES["friction-models"][0].header
    assert len(cone) == len(pyramid) == len(header)
    assert [cone[k] for k in (1, 8)] == ["+0.00 %", "+0.00 %"]
    assert [abs(float(cone[k])) for k in (2, 3, 9, 10)] == [0.0] * 4
    assert float(pyramid[3]) == pytest.approx(25.0, abs=1.0)
    assert float(pyramid[5]) > 10 * float(cone[5])


def test_aside_is_to_the_left():
    assert friction_models.aside(np.array([0.0, 1.0, 0.0])) == pytest.approx(70.0)
    assert friction_models.aside(np.array([1.0, 0.0, 0.0])) == pytest.approx(-20.0)


def test_cost_rows(monkeypatch):
    few = {"cone": "cone", "box": rc.BoxFriction(rounds=0), "slow": rc.BoxFriction()}
    monkeypatch.setattr(friction_models, "models", lambda: few)
    monkeypatch.setattr(friction_models, "REPEATS", 1)
    found = friction_models.cell(friction_models.boxes(2), "cone", 3)
    assert found is not None
    assert found[1:] == (8, 0)
    timed = friction_models.timed
    monkeypatch.setattr(
        friction_models,
        "timed",
        lambda world, model, steps: None if model is few["slow"] else timed(world, model, steps),
    )
    (row,) = friction_models.cost_rows({"1 box": lambda: friction_models.boxes(1)}, steps=3)
    assert row[:2] == ("1 box", "4")
    assert float(row[3]) > 0.0
    assert row[4] == "-"


def test_a_run_that_takes_too_long_is_left(monkeypatch):
    monkeypatch.setattr(friction_models, "LIMIT", 0.0)
    assert friction_models.timed(friction_models.tower(1), "cone", 4) is None


def test_scenes():
    assert friction_models.heap(3).state.position[1:, 2].max() < 0.2
    assert len(friction_models.tower(3).bodies) == 4
