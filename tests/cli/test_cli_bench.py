"""`rollcone bench solvers`."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import matplotlib.image
import pytest
from cli_cases import balls, error_of, run, run_json

import rollcone as rc
from rollcone.bench import race, settings
from rollcone.bench.measure import Measure
from rollcone.cli import bench


class Inside(Measure):
    """In the place of the process that solves."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(race, "Worker", Inside)
    Path("problems").mkdir()
    rc.save_problem(balls(), "problems/balls.h5")
    rc.save_problem(rc.problems.random_problem(3, rows=3, seed=2).problem, "problems/random.h5")
    Path("problems/broken.dat").write_text("x")
    return "problems"


BOTH = ["--solver", "gauss-seidel", "--solver", "apgd"]


@pytest.mark.slow
def test_table(folder):
    result = run("bench", "solvers", folder, *BOTH)
    assert result.stderr == ""
    out = result.stdout
    assert max(len(line) for line in out.splitlines()) <= 80
    for words in ("residual of 1e-4", "residual of 1e-12", "2 problems, 10 s for each solve"):
        assert words in out
    assert "cannot be read: broken.dat: begins with b'x'" in out
    line = out.partition("residual of 1e-8")[2].partition("apgd")[2].splitlines()[0]
    assert line.split()[:4] == ["2", "0", "0", "0"]
    assert "results: problems/solvers.csv" in out
    assert "profiles: problems/solvers.png" in out
    assert matplotlib.image.imread("problems/solvers.png").std() > 0.05
    with open("problems/solvers.csv", newline="") as file:
        assert len(list(csv.DictReader(file))) == 2 * 2 * 3


def test_json_and_again(folder, monkeypatch):
    asked = ["bench", "solvers", folder, *BOTH, "--tolerance", "1e-4", "--output", "out"]
    report = run_json(*asked)
    assert report["csv"] == "out/solvers.csv"
    assert report["unreadable"][0]["file"] == "broken.dat"
    assert report["unsolved"] == [{"tolerance": 1e-4, "problems": []}]
    assert [row["solver"] for row in report["rows"]] == ["gauss-seidel", "apgd"]
    for row in report["rows"]:
        assert (row["problems"], row["solved"], row["failed"]) == (2, 2, 0)
        assert row["median_ratio"] >= 1
    assert sum(row["wins"] for row in report["rows"]) >= 2

    def refuse(*_):
        raise AssertionError("nothing is to be solved")

    monkeypatch.setattr(Inside, "__call__", refuse)
    Path("out/solvers.png").unlink()
    assert run_json(*asked) == report
    assert Path("out/solvers.png").exists()
    Path("problems/balls.h5").unlink()
    recalled = run_json("bench", "solvers", folder, "--plot-only", "--output", "out")
    assert recalled == report | {"unreadable": []}
    one = ["--plot-only", "--output", "out", "--solver", "apgd"]
    assert [row["wins"] for row in run_json("bench", "solvers", folder, *one)["rows"]] == [2]


def test_failures_are_not_the_end(folder):
    """Problems that nobody solves are named; the exit code is 0."""
    asked = ["--tolerance", "1e-300", "--time-limit", "0.01", *BOTH]
    out = run("bench", "solvers", folder, *asked).stdout
    assert "solved by nobody: balls.h5, random.h5" in out


def test_unsupported_solvers_are_not_drawn(folder, monkeypatch):
    from dataclasses import replace

    from rollcone.solvers.registry import SOLVERS

    drawn = []
    monkeypatch.setattr(
        "rollcone.view.profiles.save_profiles", lambda *words: drawn.append(words[2])
    )
    exact = replace(SOLVERS["apgd"], name="rigid", laws=("exact",))
    monkeypatch.setitem(SOLVERS, "rigid", exact)
    asked = [*BOTH, "--solver", "rigid", "--law", "associated", "--tolerance", "1e-2"]
    report = run_json("bench", "solvers", folder, *asked)
    assert [row["not_supported"] for row in report["rows"]] == [0, 0, 2]
    assert drawn == [["gauss-seidel", "apgd"]]


def test_errors_are_one_line(folder, monkeypatch):
    assert "no such folder" in error_of("bench", "solvers", "nowhere")
    assert "did you mean 'apgd'?" in error_of("bench", "solvers", folder, "--solver", "apdg")
    assert "law = 'convex'" in error_of("bench", "solvers", folder, "--law", "convex")
    assert "tolerance = 0.0" in error_of("bench", "solvers", folder, "--tolerance", 0)
    assert "time_limit = -1" in error_of("bench", "solvers", folder, "--time-limit", -1)
    assert "solvers.csv: no such file" in error_of("bench", "solvers", folder, "--plot-only")
    monkeypatch.setenv("SICONOS_PYTHON", "no-such-python")
    text = error_of("bench", "solvers", folder, "--siconos")
    assert "no-such-python has no siconos.numerics" in text
    assert "SICONOS_PYTHON" in text


def test_help_tells_the_defaults():
    text = " ".join(run("bench", "solvers", "--help").stdout.split())
    told = tuple(float(word) for word in bench.TOLERANCES.split(", "))
    assert (told, bench.TIME_LIMIT) == (settings.TOLERANCES, settings.TIME_LIMIT)
    assert bench.TOLERANCES in text
    assert "solvers" in run("bench", "--help").stdout


def test_problems_to_race_on(tmp_path, monkeypatch):
    """Few of them here; the collection itself has tests of its own."""
    few = [("one", balls()), ("two", balls("associated"))]
    module = sys.modules[rc.problems.write_collection.__module__]
    monkeypatch.setattr(module, "collection", lambda: iter(few))
    monkeypatch.chdir(tmp_path)
    assert run("bench", "problems", "made").stdout == "2 problems in made\n"
    assert sorted(path.name for path in Path("made").iterdir()) == ["one.h5", "two.h5"]
    assert rc.load_problem("made/two.h5").law == "associated"
