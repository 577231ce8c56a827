"""The benchmark of problems that may have no motion, on a few."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import contact_modes
from benchmarks.__main__ import TABLES

from rollcone.analysis.acceleration.existence import existence


def test_rows(monkeypatch):
    monkeypatch.setattr(contact_modes, "SEARCHED", 1)
    flags, counts = TABLES["contact-modes"]
    rows = list(contact_modes.flag_rows(4))
    assert [row[0] for row in rows] == ["wedged", "redundant"]
    assert all(len(row) == len(flags.header) for row in rows)
    rows = list(contact_modes.count_rows((1, 2), 1))
    assert all(len(row) == len(counts.header) for row in rows)
    assert [row[2] for row in rows] == ["1 of 1"] * 4


def check_flags(numbers):
    """Every problem that is flagged has its proof; the arithmetic here is the benchmark's."""
    flagged = 0
    for number in numbers:
        problem = contact_modes.unbiased(("wedged", "redundant")[number % 2], number)
        answer = existence(problem)
        condition = answer.conditions.get("(35)", answer.conditions["(36)"])
        assert condition.verdict != "undecided", number
        if condition.verdict == "fails":
            imbalance, outside, work = contact_modes.proof_errors(problem, condition.forces)
            assert imbalance < 1e-12, number
            assert outside < 1e-14, number
            assert work < -1e-6, number
            flagged += 1
    return flagged


def test_flagged_problems_have_a_proof():
    assert check_flags(range(20)) > 5


@pytest.mark.slow
def test_a_thousand_flagged_problems_have_a_proof():
    assert check_flags(range(1000)) > 300


def test_a_wrong_proof_is_seen():
    problem = next(
        found
        for found in (contact_modes.unbiased("redundant", number) for number in range(20))
        if existence(found).conditions.get("(35)") is not None
        and existence(found).conditions["(35)"].verdict == "fails"
    )
    p = existence(problem).conditions["(35)"].forces
    assert contact_modes.proof_errors(problem, p)[2] < 0.0
    assert contact_modes.proof_errors(problem, -p)[1] > 0.1
    turned = p * np.linspace(1.0, 2.0, len(p))[:, None]
    assert contact_modes.proof_errors(problem, turned)[0] > 1e-6
