"""The benchmark of one body: Rollcone's rows, and that it does without other programs."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import one_body
from benchmarks.__main__ import TABLES


def test_rollcone_stops_where_theory_says():
    found = one_body.rollcone(0.02)
    for case, way in one_body.EXACT.items():
        assert found[case] == pytest.approx(way, rel=1e-4)
    assert found["creep"] < 1e-12
    cells = one_body.cells("Rollcone", "as it comes", 0.02, found | {"a": 1.01 * found["a"]})
    assert cells[2:4] == ("20", "+1 %")


def test_without_other_programs(monkeypatch):
    monkeypatch.setenv("PEERS_PYTHON", "/no/such/python")
    assert one_body.of_others("mujoco", "as it comes", 0.01) == {}
    row = one_body.cells("mujoco", "as it comes", 0.01, {})
    assert len(row) == len(one_body.HEADER)
    assert row[3] == "not here"
    assert TABLES["one-body"][0].rows is one_body.table
