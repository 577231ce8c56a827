"""`rollcone solve`: tables, lines, JSON, pictures."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from cli_cases import GAUSS_SEIDEL, balls, error_of, run, run_json

import rollcone as rc
from rollcone.cli import solve_report
from rollcone.solvers import SOLVERS

UNFINISHED = ("--max-iterations", 1, "--tolerance", 1e-14)


@pytest.mark.parametrize("columns", [80, 120])
def test_tables_that_fit(problem_file, columns):
    out = run("solve", problem_file, columns=columns).stdout
    assert max(len(line) for line in out.splitlines()) <= columns
    assert "balls.h5: 3 contacts x 5 rows + 1 extra row, body form, exact law" in out
    assert re.search("auto +converged", out)
    assert "gap, J" in out
    assert re.search(r"^ +1  take-off", out, re.MULTILINE)
    assert "…" not in out
    out = run("solve", problem_file, *UNFINISHED, code=3, columns=columns).stdout
    assert re.search(r"^auto +not converged +1 ", out, re.MULTILINE)


@pytest.mark.parametrize("columns", [60, 40])
def test_lines_where_tables_do_not_fit(problem_file, columns):
    out = run("solve", problem_file, *UNFINISHED, code=3, columns=columns).stdout
    lines = out.splitlines()
    assert max(len(line) for line in lines) <= columns
    assert "auto: not converged" in lines
    assert "…" not in out
    (row,) = run_json("solve", problem_file, *UNFINISHED, code=3)["solvers"]
    shown = [
        ("residual", "residual"), ("speed, m/s", "residual_speed"), ("FCLIB", "residual_fclib"),
        ("dissipation gap, J", "dissipation_gap"), ("reactions off cone", "cone_violation"),
        ("off dual cone, m/s", "dual_violation"),
    ]  # fmt: skip
    for words, key in shown:
        number = "0" if row[key] == 0 else f"{row[key]:.1e}"
        assert re.search(rf"^{words} +{re.escape(number)} *$", out, re.MULTILINE), words


@pytest.mark.parametrize(("kinds", "last"), [(5, None), (6, "and 1 more kind"), (9, "and 4 more")])
def test_only_the_most_frequent_modes(problem_file, monkeypatch, capsys, kinds, last):
    report = run_json("solve", problem_file)
    report["solvers"][0]["modes"] = {f"kind-{i}": 20 - i for i in range(kinds)}
    monkeypatch.setenv("COLUMNS", "80")
    solve_report.show(report)
    out = capsys.readouterr().out
    assert [f"kind-{i}" in out for i in range(kinds)] == [i < 5 for i in range(kinds)]
    assert "more kind" not in out if last is None else f"...  {last}" in out


@pytest.mark.parametrize("law", ["exact", "associated"])
def test_solve_json_agrees_with_the_library(problem_file, law):
    found = run_json("solve", problem_file, *GAUSS_SEIDEL, "--law", law, "--tolerance", 1e-10)
    solution = rc.solve(balls(law), "gauss-seidel", tolerance=1e-10)
    (row,) = found["solvers"]
    assert found["problem"] == {
        "contacts": 3, "rows": 5, "extra_rows": 1, "form": "body", "law": law,
        "coupled": "",
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
    found = run_json("solve", problem_file, "--max-iterations", 1, "--tolerance", 1e-14, code=3)
    assert found["solvers"][0]["status"] == "max_iterations"
    out = run("solve", problem_file, "--max-iterations", 1, "--tolerance", 1e-14, code=3).stdout
    assert "auto: not converged: reached the largest number of iterations" in out
    found = run_json("solve", problem_file, "--time-limit", 0, "--tolerance", 0, code=3)
    assert found["solvers"][0]["status"] == "time_limit"


def test_plot_is_a_picture(problem_file):
    out = run("solve", problem_file, *GAUSS_SEIDEL, "--plot", "picture.png").stdout
    assert "picture.png" in out
    content = Path("picture.png").read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))
    assert (width, height) == (1050, 660)
    assert 15_000 < len(content) < 200_000
    run("solve", problem_file, "--plot", "picture.svg", "--max-iterations", 0, code=3)
    assert Path("picture.svg").read_text().startswith("<?xml")


def test_plot_of_an_answer_without_error(problem_file):
    rc.save_problem(rc.ContactProblem.from_delassus(np.eye(3), [1.0, 0, 0], rows=3), "apart.h5")
    found = run_json("solve", "apart.h5", "--plot", "zero.png")
    assert found["solvers"][0]["residual"] == 0.0
    assert Path("zero.png").stat().st_size > 10_000


@pytest.mark.parametrize("option", [["--compare"], ["--plot", "balls-convergence.png"]])
def test_answer_without_its_picture(problem_file, monkeypatch, option):
    """A disk that is full when the picture is written costs the picture, not the answer."""

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("matplotlib.figure.Figure.savefig", full)
    result = run("solve", problem_file, *option)
    assert re.search("auto +converged", result.stdout)
    assert "drawn" not in result.stdout
    (line,) = result.stderr.splitlines()
    assert line.startswith("warning: plot balls-convergence.png: cannot be written: No space")
    run("solve", problem_file, *option, *UNFINISHED[2:], "--time-limit", 0, code=3)


def test_compare_where_no_picture_can_be(problem_file):
    Path("balls-convergence.png").mkdir()
    result = run("solve", problem_file, "--compare", "--json")
    assert '"plot": null' in result.stdout
    assert result.stderr == "warning: plot balls-convergence.png: is a folder\n"


def test_plot_is_refused_before_the_solve(problem_file, monkeypatch):
    monkeypatch.setattr("rollcone.solvers.driver.solve", lambda *_, **__: pytest.fail("solved"))
    assert "is a folder" in error_of("solve", problem_file, "--plot", _folder("a.png"))
    assert "there is no folder" in error_of("solve", problem_file, "--plot", "no/picture.png")
    monkeypatch.setattr("os.access", lambda _, mode: mode != os.W_OK)
    assert "cannot be written there" in error_of("solve", problem_file, "--plot", "b.png")


def _folder(name: str) -> str:
    Path(name).mkdir()
    return name


def test_tables_come_before_the_picture(problem_file):
    out = run("solve", problem_file, "--compare", "--time-limit", 5).stdout
    assert re.search("(?s)gauss-seidel +converged.*convergence drawn in balls-conv", out)
    assert out.splitlines()[-1] == "convergence drawn in balls-convergence.png"


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
    fields = vars(entry) | {"name": "rigid", "extra_rows": ()}
    monkeypatch.setitem(SOLVERS, "rigid", type(entry)(**fields))
    fields = vars(entry) | {"name": "absent", "module": "rollcone.solvers.no_such_module"}
    monkeypatch.setitem(SOLVERS, "absent", type(entry)(**fields))
    out = run("solve", problem_file, "--compare", columns=200).stdout
    assert "rigid not run: solver 'rigid' does not support bilateral rows" in out
    assert "absent not run: failed with ModuleNotFoundError" in out
    assert "does not support bilateral" in error_of("solve", problem_file, "--solver", "rigid")


ASSOCIATED = ("--law", "associated")


def test_price_of_the_associated_law(problem_file):
    """One table more, or lines; in JSON the library's own figures. Nothing for the exact law."""
    assert run_json("solve", problem_file)["solvers"][0]["price"] is None
    assert "price" not in run("solve", problem_file).stdout
    price = rc.relaxation_price(rc.solve(balls("associated"), tolerance=1e-10), tolerance=1e-10)
    assert price.largest_lift > 0.1
    given = ("solve", problem_file, *ASSOCIATED, "--tolerance", 1e-10)
    found = run_json(*given)["solvers"][0]["price"]
    exact = found.pop("exact")
    assert found == {name: value for name, value in vars(price).items() if name != "exact"}
    assert (exact["converged"], exact["residual"]) == (True, price.exact.residual)
    assert exact["iterations"] == price.exact.iterations
    figures = [f"{value:.1e}" for value in found.values()]
    for columns in (80, 120):
        out = run(*given, columns=columns).stdout
        assert max(len(line) for line in out.splitlines()) <= columns
        line = out.split("associated law  ")[1].splitlines()[2]
        assert sorted(line.split()) == sorted(["auto", *figures])
        assert "~" not in out.split("contacts, by")[0]
        assert "in a step h" in out
    out = run(*given, columns=40).stdout
    assert "\nprice of the associated law" in out
    shown = re.findall(r"^  ([a-z, /]+?)  +(\S+) *$", out, re.MULTILINE)
    assert shown[:6] == [
        ("residual, exact law", f"{price.residual:.1e}"),
        ("speed, m/s", f"{price.residual_speed:.1e}"),
        ("difference, m/s", f"{price.velocity_difference:.1e}"),
        ("relative", f"{price.relative_difference:.1e}"),
        ("largest lift, m/s", f"{price.largest_lift:.1e}"),
        ("mean lift, m/s", f"{price.mean_lift:.1e}"),
    ]


def test_price_where_the_exact_law_is_not_solved(problem_file):
    """Within the same limits; differences are then approximate, or left out."""
    given = ("solve", problem_file, *ASSOCIATED, "--tolerance", 0)
    for limit in (("--max-iterations", 0), ("--time-limit", 0)):
        found = run_json(*given, *limit, code=3)["solvers"][0]["price"]
        assert found["velocity_difference"] is None
        assert not found["exact"]["converged"]
        assert found["exact"]["iterations"] == 0
        out = run(*given, *limit, code=3).stdout
        assert re.search(r"^auto +\S+ +\S+ +- +- ", out, re.MULTILINE)
        assert "exact law, for the price: not converged, residual" in out
    out = run(*given, "--max-iterations", 40, code=3).stdout
    assert re.search(r"^auto +\S+ +\S+ +~\S+e\S+ +~\S+e\S+ ", out, re.MULTILINE)


def test_price_of_every_solver(problem_file, monkeypatch):
    """One exact answer, from the best associated one, serves all."""
    monkeypatch.delitem(SOLVERS, "reference", raising=False)
    entry = SOLVERS["gauss-seidel"]
    monkeypatch.setitem(SOLVERS, "twin", type(entry)(**vars(entry) | {"name": "twin"}))
    solved = []

    def counted(problem: rc.ContactProblem, **given: object) -> rc.Solution:
        solved.append(problem.law)
        return rc.solve(problem, **given)

    monkeypatch.setattr("rollcone.solvers.relaxation.solve", counted)
    rows = run_json("solve", problem_file, *ASSOCIATED, "--compare")["solvers"]
    assert {"gauss-seidel", "twin"} <= {row["solver"] for row in rows}
    assert all(row["price"]["largest_lift"] > 0.1 for row in rows)
    assert solved == ["exact"]
    refusing = type(entry)(**vars(entry) | {"laws": ("exact",)})
    for name in list(SOLVERS):
        monkeypatch.setitem(SOLVERS, name, refusing)
    assert run_json("solve", problem_file, *ASSOCIATED, "--compare", code=3)["solvers"] == []


def test_no_solution_is_told_with_its_proof(tmp_path, monkeypatch):
    """Walls that close in on a point: the sentence in place of a price, and the proof as JSON."""
    H = np.array([[1.0, 0], [0, 1], [-1, 0], [0, 1]])
    walls = rc.ContactProblem.from_bodies(
        np.eye(2), H, np.zeros(2), [-1, 0, -1, 0], sliding=0.5, rows=2, law="associated"
    )
    monkeypatch.chdir(tmp_path)
    rc.save_problem(walls, "walls.h5")
    for columns in (100, 40):
        out = " ".join(run("solve", "walls.h5", code=3, columns=columns).stdout.split())
        assert "auto: no solution: no velocities meet all contacts and rows" in out
        assert "2 of 2 contacts (0, 1) close in at 1.0e+00 of the largest speed" in out
        assert "not converged" not in out
        assert "price" not in out
    (row,) = run_json("solve", "walls.h5", "--solver", "admm", code=3)["solvers"]
    assert (row["converged"], row["status"], row["price"]) == (False, "infeasible", None)
    proof = row["infeasibility"]
    assert (proof["contacts"], proof["extra_rows"]) == ([0, 1], [])
    assert 0 <= proof["imbalance"] < 1e-12
    assert proof["cone_violation"] <= 1e-12
    assert proof["descent"] == pytest.approx(1.0)
    assert np.abs(H.T @ proof["reactions"]).max() < 1e-12
    (row,) = run_json("solve", "walls.h5", "--law", "exact", "--max-iterations", 50, code=3)[
        "solvers"
    ]
    assert row["infeasibility"]["contacts"] == [0, 1]
    assert row["modes"] == {}
