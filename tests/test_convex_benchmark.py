"""The benchmark of convex shapes: its pairs, its heaps, and that it does without coal."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import coal_pairs, convex
from benchmarks.__main__ import TABLES


@pytest.mark.parametrize("kinds", [("hull", "hull"), ("ellipsoid", "ellipsoid")])
def test_pairs_are_near(kinds):
    pairs = convex.pairs_of(kinds, 20)
    _, found = convex.detected(convex.world_of(pairs), 1)
    gap = convex.gaps(found, 20)
    assert np.isfinite(gap).all()
    assert np.abs(gap).max() < 2 * convex.NEAR * convex.SIZE


@pytest.mark.skipif(coal_pairs.coal is None, reason="coal is not installed")
@pytest.mark.parametrize("kinds", convex.KINDS)
def test_distances_are_those_of_coal(kinds):
    pairs = convex.pairs_of(kinds, 30)
    _, found = convex.detected(convex.world_of(pairs), 1)
    gap, peer = convex.gaps(found, 30), coal_pairs.measured(pairs, 1)
    apart = np.isfinite(gap) & (peer.gap > 0.0)
    assert apart.sum() > 5
    assert gap[apart] == pytest.approx(peer.gap[apart], abs=1e-8)


def test_without_coal(monkeypatch):
    monkeypatch.setattr(coal_pairs, "coal", None)
    monkeypatch.setattr(convex, "KINDS", (("box", "box"),))
    (row,) = convex.pair_rows(8, 1)
    assert row[0] == "box - box"
    assert len(row) == len(convex.TABLES[0].header)
    assert row[4:] == ("",) * 5


def test_a_row_of_a_heap(monkeypatch):
    monkeypatch.setattr(convex.rc, "set_threads", lambda n: None)  # it would last
    (row,) = convex.heap_rows((8,), 2, 0.01, ("box",))
    assert row[:2] == ("box", "8")
    assert len(row) == len(convex.TABLES[1].header)
    assert sum(float(cell.rstrip("%")) for cell in row[5:9]) == pytest.approx(100, abs=2)


def test_the_part_is_listed():
    assert TABLES["convex"] is convex.TABLES
