"""The command line, in process: exit codes, tables, JSON, pictures, errors of one line."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import scipy.sparse as sp
from typer.testing import CliRunner

import rollcone as rc
from rollcone.cli.main import app
from rollcone.solvers import SOLVERS

GAUSS_SEIDEL = ["--solver", "gauss-seidel"]


def balls(law: str = "exact") -> rc.ContactProblem:
    """Balls of 1 kg and radius 0.1 m on a plane, rows (n, t1, t2, w_t1, w_t2): one falls and
    slips, one falls straight, one rises; an axle holds the last one's turn about t1."""
    radius, inertia = 0.1, 0.4 * 0.1**2
    block = np.array(  # n = z, t1 = x, t2 = y; v = (v, omega) of the centre
        [
            [0, 0, 1, 0, 0, 0],
            [1, 0, 0, 0, -radius, 0],
            [0, 1, 0, radius, 0, 0],
            [0, 0, 0, 1, 0, 0],
            [0, 0, 0, 0, 1, 0],
        ]
    )
    axle = np.zeros((1, 18))
    axle[0, 15] = 1.0
    H = np.vstack([np.kron(np.eye(3), block), axle])
    v_free = np.zeros(18)
    v_free[[0, 2, 8, 14]] = 2.0, -1.0, -0.5, 0.25
    return rc.ContactProblem.from_bodies(
        np.tile([1.0] * 3 + [inertia] * 3, 3),
        H,
        v_free,
        sliding=0.3,
        rolling=rc.Ellipse([0.01, 0.01, 0.02], 0.03),
        law=law,
        rows=5,
        bounds=[[-np.inf, np.inf]],
    )


@pytest.fixture
def problem_file(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rc.save_problem(balls(), "balls.h5")
    return Path("balls.h5")


def run(*arguments: object, code: int = 0, columns: int = 80) -> Any:
    result = CliRunner().invoke(
        app, [str(argument) for argument in arguments], env={"COLUMNS": str(columns)}
    )
    assert result.exit_code == code, (result.stdout, result.stderr, result.exception)
    return result


def run_json(*arguments: object, code: int = 0) -> dict[str, Any]:
    result = run(*arguments, "--json", code=code)
    assert result.stderr == ""
    return json.loads(result.stdout)


def error_of(*arguments: object) -> str:
    result = run(*arguments, code=2)
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("error: ")
    return lines[0]


def test_version_and_help():
    assert run("--version").stdout == f"rollcone {rc.__version__}\n"
    for command in ("solve", "info"):
        assert command in run("--help").stdout
        assert "--json" in run(command, "--help", columns=120).stdout


@pytest.mark.parametrize("columns", [80, 120])
def test_solve_prints_tables_that_fit(problem_file, columns):
    out = run("solve", problem_file, columns=columns).stdout
    assert max(len(line) for line in out.splitlines()) <= columns
    assert "balls.h5: 3 contacts x 5 rows + 1 extra row, body form, exact law" in out
    assert "gauss-seidel  converged" in out
    assert "1 take-off" in out
    assert "…" not in out


@pytest.mark.parametrize("law", ["exact", "associated"])
def test_solve_json_agrees_with_the_library(problem_file, law):
    found = run_json("solve", problem_file, *GAUSS_SEIDEL, "--law", law, "--tolerance", 1e-10)
    solution = rc.solve(balls(law), tolerance=1e-10)
    (row,) = found["solvers"]
    assert found["problem"] == {
        "contacts": 3, "rows": 5, "extra_rows": 1, "form": "body", "law": law,
    }  # fmt: skip
    assert (row["solver"], row["converged"], row["status"]) == ("gauss-seidel", True, "converged")
    assert row["iterations"] == solution.iterations
    for name, value in vars(solution.residuals).items():
        assert row[name] == value, name
    assert row["history"] == solution.history.tolist()
    assert row["modes"] == dict(Counter(solution.modes().tolist()))
    assert row["modes"]["take-off"] == 1
    assert 0 < row["setup_time"] < row["time"]
    pace = (row["time"] - row["setup_time"]) / (row["iterations"] * 3) * 1e6
    assert row["us_per_contact_iteration"] == pytest.approx(pace)
    assert found["plot"] is None
    assert found["not_run"] == []


def test_modes_do_not_depend_on_units(problem_file):
    """Metres or millimetres: angles and what contacts do stay the same."""
    problem = balls()
    unit_v = np.tile([1e3] * 3 + [1.0] * 3, 3)
    unit_y = np.array([*[1e3, 1e3, 1e3, 1.0, 1.0] * 3, 1.0])
    H = np.diag(unit_y) @ problem.form.H.toarray() @ np.diag(1 / unit_v)
    M = problem.form.mass.matrix().diagonal() * np.tile([1.0] * 3 + [1e6] * 3, 3)
    other = rc.ContactProblem.from_bodies(
        M, H, problem.form.v_free * unit_v, sliding=0.3,
        rolling=rc.Ellipse([10.0, 10.0, 20.0], 30.0), rows=5, bounds=[[-np.inf, np.inf]],
    )  # fmt: skip
    rc.save_problem(other, "millimetres.h5")
    modes = [
        run_json("solve", name)["solvers"][0]["modes"] for name in (problem_file, "millimetres.h5")
    ]
    assert modes[0] == modes[1]


def test_not_converged_is_exit_code_one(problem_file):
    found = run_json("solve", problem_file, "--max-iterations", 1, "--tolerance", 1e-14, code=1)
    assert found["solvers"][0]["status"] == "max_iterations"
    out = run("solve", problem_file, "--max-iterations", 1, "--tolerance", 1e-14, code=1).stdout
    assert "gauss-seidel: not converged: reached the largest number of iterations" in out
    found = run_json("solve", problem_file, "--time-limit", 0, "--tolerance", 0, code=1)
    assert found["solvers"][0]["status"] == "time_limit"


def test_plot_is_a_picture(problem_file):
    out = run("solve", problem_file, *GAUSS_SEIDEL, "--plot", "picture.png").stdout
    assert "picture.png" in out
    content = Path("picture.png").read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))
    assert (width, height) == (1050, 660)
    assert 15_000 < len(content) < 200_000
    run("solve", problem_file, "--plot", "picture.svg", "--max-iterations", 0, code=1)
    assert Path("picture.svg").read_text().startswith("<?xml")


def test_plot_of_an_answer_without_error(problem_file):
    rc.save_problem(rc.ContactProblem.from_delassus(np.eye(3), [1.0, 0, 0], rows=3), "apart.h5")
    found = run_json("solve", "apart.h5", "--plot", "zero.png")
    assert found["solvers"][0]["residual"] == 0.0
    assert Path("zero.png").stat().st_size > 10_000


def test_compare_runs_what_can_run(problem_file):
    found = run_json("solve", problem_file, "--compare", "--time-limit", 5)
    ran = [row["solver"] for row in found["solvers"]]
    skipped = [entry["solver"] for entry in found["not_run"]]
    assert "gauss-seidel" in ran
    assert sorted(ran + skipped) == sorted(SOLVERS)
    assert all(entry["reason"] for entry in found["not_run"])
    assert found["plot"] == "balls-convergence.png"
    assert Path(found["plot"]).read_bytes().startswith(b"\x89PNG")


def test_compare_lists_refusals(problem_file, monkeypatch):
    monkeypatch.delitem(SOLVERS, "reference", raising=False)
    entry = SOLVERS["gauss-seidel"]
    fields = vars(entry) | {"name": "rigid", "extra_rows": False}
    monkeypatch.setitem(SOLVERS, "rigid", type(entry)(**fields))
    fields = vars(entry) | {"name": "absent", "module": "rollcone.solvers.no_such_module"}
    monkeypatch.setitem(SOLVERS, "absent", type(entry)(**fields))
    out = run("solve", problem_file, "--compare", columns=200).stdout
    assert "rigid not run: solver 'rigid' does not support bilateral or bounded rows" in out
    assert "absent not run: failed with ModuleNotFoundError" in out
    assert "does not support bilateral" in error_of("solve", problem_file, "--solver", "rigid")


def test_errors_are_one_line(problem_file):
    listed = error_of("solve", problem_file, "--solver", "gauss-siedel")
    assert all(name in listed for name in SOLVERS)
    assert "did you mean 'gauss-seidel'?" in listed
    assert "must be one of exact, associated" in error_of("solve", problem_file, "--law", "convex")
    assert "absent.h5: no such file" in error_of("solve", "absent.h5")
    assert "absent.h5: no such file" in error_of("info", "absent.h5", "--json")
    assert "is a directory" in error_of("info", ".")
    assert "--tolerance" in error_of("solve", problem_file, "--tolerance", -1)
    assert "--tolerance" in error_of("solve", problem_file, "--tolerance", "nan")
    assert "--time-limit" in error_of("solve", problem_file, "--time-limit", -1)
    assert "--compare" in error_of("solve", problem_file, "--compare", *GAUSS_SEIDEL)
    assert "must end in .png" in error_of("solve", problem_file, "--plot", "picture.docx")
    assert "there is no folder" in error_of("solve", problem_file, "--plot", "no/picture.png")
    with h5py.File(problem_file, "r+") as file:
        file["compliance"][0] = -1.0
    assert "compliance" in error_of("info", problem_file)


def test_wrong_usage_is_exit_code_two(problem_file):
    assert "--max-iterations" in run("solve", problem_file, "--max-iterations", -1, code=2).stderr
    run("solve", code=2)
    run("slove", problem_file, code=2)


def test_interrupt_is_exit_code_130(problem_file, monkeypatch):
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rollcone.solvers.driver.solve", stop)
    assert run("solve", problem_file, code=130).stdout == ""


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
    assert facts["length_range"] == pytest.approx([problem.scaling.lengths.max()] * 2)
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
        bounds=[[0, np.inf], [-1, 1]], compliance=np.eye(14)[3],
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


def test_info_and_solve_without_contacts(problem_file):
    problem = rc.ContactProblem.from_bodies(
        [2.0, 2.0, 2.0], np.eye(3)[:1], [1.0, 0.0, 0.0], bounds=[[-np.inf, np.inf]]
    )
    rc.save_problem(problem, "rows.h5")
    assert run_json("info", "rows.h5")["lambda_range"] is None
    assert "0 contacts x 3 rows + 1 extra row" in run("info", "rows.h5").stdout
    row = run_json("solve", "rows.h5")["solvers"][0]
    assert (row["converged"], row["us_per_contact_iteration"], row["modes"]) == (True, None, {})
    run("solve", "rows.h5")
