"""The benchmark of projections: it times what it says."""

import sys
from pathlib import Path

import numpy as np

import rollcone as rc

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import bare_kernels, friction_sets


def test_cost_of_a_projection_names_every_set():
    rows = list(friction_sets.table(count=20))
    assert [row[0] for row in rows] == list(friction_sets.CONES)
    assert all(float(cell) >= 0.0 for row in rows for cell in row[1:])


def test_projections_that_are_timed():
    """Set by set: the sets' own nearest points, at the normal force of each point."""
    x = friction_sets.points(30)
    out, normal = np.empty_like(x), np.maximum(x[:, 0], 0.0)
    cone = friction_sets.CONES["Contensou, uniform"].per_contact(30, 6)
    bare_kernels.opened().project_all_sets(cone.kinds, cone.radii, x, out)
    patch = rc.Contensou(0.5, 0.1, "uniform").project(x[:, [1, 2, 5]], normal)
    assert np.array_equal(out[:, [1, 2, 5]], patch)
    assert np.array_equal(out[:, 3:5], rc.Disc(0.05).project(x[:, 3:5], normal))
