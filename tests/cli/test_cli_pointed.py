"""`rollcone info --pointed`."""

import numpy as np
import pytest
from cli_cases import run, run_json

import rollcone as rc

pytest.importorskip("clarabel")


@pytest.fixture
def wedged_file(tmp_path, monkeypatch):
    """One mass between a floor and two ceilings, one of them out of reach."""
    monkeypatch.chdir(tmp_path)
    H = np.zeros((9, 6))
    H[0:3, 0:3], H[3:6, 0:3], H[6:9, 3:6] = np.eye(3), -np.eye(3), -np.eye(3)
    problem = rc.ContactProblem.from_bodies(np.ones(6), H, np.zeros(6), sliding=0.3, rows=3)
    rc.save_problem(problem, "wedged.h5")
    return "wedged.h5"


def test_pointed(problem_file):
    facts = run_json("info", problem_file, "--pointed")["pointed"]
    answer = rc.load_problem(problem_file).is_pointed()
    assert facts["verdict"] == answer.verdict == "pointed"
    assert facts["margin"] == answer.margin
    assert facts["independence"] == pytest.approx(answer.independence)
    assert (facts["carriers"], facts["carrying_rows"]) == ([], [])
    assert facts["report"] == answer.report()
    assert "pointed" not in run_json("info", problem_file)


def test_not_pointed(wedged_file):
    facts = run_json("info", wedged_file, "--pointed")["pointed"]
    assert facts["verdict"] == "not pointed"
    assert facts["carriers"] == [0, 1]
    assert facts["imbalance"] < 1e-14
    assert facts["independence"] is None  # no bilateral rows
    assert facts["tolerance"] == 1e-6


@pytest.mark.parametrize("columns", [60, 120])
def test_in_words(wedged_file, columns):
    out = run("info", wedged_file, "--pointed", columns=columns).stdout
    assert max(len(line) for line in out.splitlines()) <= columns
    assert "2 of 3 contacts (0, 1) carry reactions" in " ".join(out.split())
    assert "Not pointed" not in run("info", wedged_file, columns=columns).stdout
