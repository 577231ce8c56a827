"""`rollcone info`."""

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from cli_cases import balls, run, run_json

import rollcone as rc


def test_info_of_bodies(problem_file):
    facts = run_json("info", problem_file)
    problem = balls()
    assert facts["format"].startswith("Rollcone problem file (HDF5")
    assert (facts["contacts"], facts["rows"], facts["extra_rows"]) == (3, 5, 1)
    assert facts["extra_row_kinds"] == {"bilateral": 1, "unilateral": 0, "bounded": 0}
    assert (facts["form"], facts["bodies"], facts["dofs"]) == ("body", 3, 18)
    assert facts["friction"]["sliding"] == {
        "unit": "", "sets": [{"set": "disc", "contacts": 3, "first": [0.3, 0.3]}],
    }  # fmt: skip
    rolling = {"set": "ellipse", "contacts": 3, "first": [0.01, 0.02], "second": [0.03, 0.03]}
    assert facts["friction"]["rolling"] == {"unit": "m", "sets": [rolling]}
    assert facts["matrix"]["entries"] == problem.form.H.nnz
    assert facts["matrix"]["density"] == problem.form.H.nnz / (16 * 18)
    assert facts["q_norm"] == pytest.approx(np.linalg.norm(problem.q), rel=1e-15)
    assert facts["lambda_range"] == pytest.approx([problem.scaling.lambdas.max()] * 2)
    assert facts["length_range"] == pytest.approx([problem.scaling.units[:, 3:].max()] * 2)
    assert (facts["approaching"], facts["fastest_approach"]) == (2, 1.0)
    for columns in (80, 120):
        out = run("info", problem_file, columns=columns).stdout
        assert max(len(line) for line in out.splitlines()) <= columns
        assert "ellipse 0.01 to 0.02 by 0.03 m (3)" in out
        assert "2 of 3 contacts approach, fastest at 1 m/s" in out
        assert "1 bilateral" in out


def test_info_of_delassus_form(problem_file):
    W = sp.eye(14, format="lil")
    W[0, 1] = 1e-3
    problem = rc.ContactProblem.from_delassus(
        W.tocsr(), np.ones(14), sliding=rc.Polygon(0.5, [4, 6]), rolling=0.1, spinning=[0.2, 0.1],
        rows=6, bounds=[[0, np.inf], [-1, 1]], compliance=np.eye(14)[3],
    )  # fmt: skip
    rc.save_problem(problem, "delassus.h5")
    facts = run_json("info", "delassus.h5")
    assert facts["asymmetry"] == pytest.approx(1e-3)
    assert facts["extra_row_kinds"] == {"bilateral": 0, "unilateral": 1, "bounded": 1}
    assert facts["compliance_rows"] == 1
    assert (facts["dofs"], facts["matrix"]["name"], facts["approaching"]) == (None, "W", 0)
    names = [row["set"] for row in facts["friction"]["sliding"]["sets"]]
    assert names == ["polygon of 4 facets", "polygon of 6 facets"]
    assert facts["friction"]["spinning"]["sets"][0]["first"] == [0.1, 0.2]
    out = run("info", "delassus.h5").stdout
    assert "off by 1.0e-03 of its largest entry" in out
    assert "interval 0.1 to 0.2 m (2)" in out


def test_coupled_sets_are_named(problem_file):
    """In both reports, with what they bound."""
    W, q = np.eye(12), np.tile([-1.0, 2, 0, 0, 0, 1], 2)
    given = {"sliding": rc.Contensou([0.5, 0.4], 0.2), "rolling": 0.1, "rows": 6}
    rc.save_problem(rc.ContactProblem.from_delassus(W, q, **given), "patch.h5")
    facts = run_json("info", "patch.h5")
    assert facts["coupled"] == "Contensou (hertz)"
    assert [row["set"] for row in facts["friction"]["sliding"]["sets"]] == ["Contensou (hertz)"]
    assert facts["friction"]["spinning"]["sets"][0]["first"] == pytest.approx([0.08, 0.1])
    out = run("info", "patch.h5").stdout
    assert "exact law, Contensou (hertz)" in out
    assert "Contensou (hertz) 0.4 to 0.5 (2)" in out
    assert "Contensou (hertz)" in run("solve", "patch.h5", columns=120).stdout.splitlines()[0]
    given = {"sliding": 0.5, "rolling": 0.1, "spinning": 0.02, "rows": 6, "coupling": "ellipsoid"}
    rc.save_problem(rc.ContactProblem.from_delassus(W, q, **given), "ellipsoid.h5")
    friction = run_json("info", "ellipsoid.h5")["friction"]
    assert {row["sets"][0]["set"] for row in friction.values()} == {"ellipsoid"}


def test_info_and_solve_without_contacts(problem_file):
    problem = rc.ContactProblem.from_bodies(
        [2.0, 2.0, 2.0], np.eye(3)[:1], [1.0, 0.0, 0.0], bounds=[[-np.inf, np.inf]], rows=3
    )
    rc.save_problem(problem, "rows.h5")
    assert run_json("info", "rows.h5")["lambda_range"] is None
    assert "0 contacts x 3 rows + 1 extra row" in run("info", "rows.h5").stdout
    row = run_json("solve", "rows.h5")["solvers"][0]
    assert (row["converged"], row["us_per_contact_iteration"], row["modes"]) == (True, None, {})
    run("solve", "rows.h5")


def test_info_of_fclib_file(problem_file):
    problem = rc.ContactProblem.from_bodies(
        np.ones(6), np.eye(6), [-1.0, 0, 0, -2.0, 0, 0], sliding=0.3, rows=3
    )
    exact = np.array([1.0, 0, 0, 2.0, 0, 0])
    rc.save_fclib(
        problem, "fclib.hdf5", solution=exact, guesses=[np.zeros(6), 0.5 * exact],
        title="Two [bold] blocks", description="made by hand",
    )  # fmt: skip
    facts = run_json("info", "fclib.hdf5")
    assert facts["format"] == "FCLIB file (HDF5), global"
    assert (facts["title"], facts["description"]) == ("Two [bold] blocks", "made by hand")
    assert facts["math_info"] == ""
    assert facts["solution_residual"] < 1e-15
    assert facts["guess_residuals"] == pytest.approx([1.0, 0.5])
    out = run("info", "fclib.hdf5").stdout
    assert "Two [bold] blocks" in out
    assert f"residual {facts['solution_residual']:.1e}" in out
    assert "2, residual 1.0e+00, 5.0e-01" in out
    rc.save_fclib(problem, "bare.hdf5", guesses=[exact] * 9)
    facts = run_json("info", "bare.hdf5")
    assert facts["solution_residual"] is None
    assert len(facts["guess_residuals"]) == 9
    out = run("info", "bare.hdf5").stdout
    assert "solution" not in out
    assert "title" not in out
    assert "9, residual" in out
    assert ", ..." in out
    assert "title" not in run_json("info", problem_file)


def test_info_of_siconos_text(problem_file):
    Path("ball.dat").write_text("3 1 0 3 3 3 3  2 0 0  0 2 0  0 0 2  -1 0.5 0  0.3 1")
    facts = run_json("info", "ball.dat")
    assert facts["format"] == "Siconos text file, local"
    assert (facts["contacts"], facts["rows"], facts["approaching"]) == (1, 3, 1)
    assert "Siconos text file, local" in run("info", "ball.dat").stdout
