"""The table of a race, from results written by hand."""

from __future__ import annotations

import math

import numpy as np
from bench_cases import result

from rollcone.bench import Line, profile, table, times, unsolved

SOLVERS, GOALS = ("x", "y", "z"), (1e-4, 1e-8)
RESULTS = [
    result("p", "x", "solved", 1.0),
    result("p", "y", "solved", 1.04),  # 4 % behind: wins, too
    result("p", "z", "not supported", math.nan),
    result("q", "x", "solved", 6.0),
    result("q", "y", "solved", 2.0),
    result("q", "z", "failed", 0.1),  # quick to fail
    result("r", "x", "timed out", 9.0),
    result("r", "y", "solved", 3.0),
    result("r", "z", "solved", 30.0),
    result("p", "x", "timed out", tolerance=1e-8),
    result("p", "y", "failed", tolerance=1e-8),
    result("p", "z", "not supported", tolerance=1e-8),
    result("q", "x", "solved", 5.0, tolerance=1e-8),
    result("q", "y", "not tried", tolerance=1e-8),
    result("q", "z", "failed", tolerance=1e-8),
    result("r", "x", "not tried", tolerance=1e-8),
    result("r", "y", "failed", tolerance=1e-8),
    result("r", "z", "failed", tolerance=1e-8),
]


def test_times():
    expected = [[1.0, 1.04, np.inf], [6.0, 2.0, np.inf], [np.inf, 3.0, 30.0]]
    assert times(RESULTS, SOLVERS, 1e-4).tolist() == expected
    assert times(RESULTS, ("z", "y"), 1e-4)[2].tolist() == [30.0, 3.0]


def test_lines():
    lines = table(RESULTS, SOLVERS, GOALS)
    assert lines[:3] == [
        Line(1e-4, "x", 3, 2, 0, 1, 0, 1, 2.0),  # ratios 1 and 3
        Line(1e-4, "y", 3, 3, 0, 0, 0, 3, 1.0),
        Line(1e-4, "z", 3, 1, 1, 0, 1, 0, 10.0),
    ]
    assert lines[3] == Line(1e-8, "x", 3, 1, 0, 2, 0, 1, 1.0)
    for line in lines:
        counts = (line.solved, line.failed, line.timed_out, line.not_supported)
        assert sum(counts) == line.problems
    assert (lines[4].timed_out, lines[4].wins) == (1, 0)
    assert math.isnan(lines[4].median_ratio)


def test_what_nobody_solved():
    assert unsolved(RESULTS, SOLVERS, GOALS) == {1e-4: [], 1e-8: ["p", "r"]}
    assert unsolved(RESULTS, ["z"], GOALS)[1e-4] == ["p", "q"]


def test_the_table_and_the_profile_agree():
    _, share = profile(times(RESULTS, SOLVERS, 1e-4))
    solved = [line.solved / line.problems for line in table(RESULTS, SOLVERS, GOALS)[:3]]
    assert share[-1].tolist() == solved
