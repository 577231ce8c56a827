"""`rollcone sweep`: tables, files, codes."""

import csv
import json
import sys
from pathlib import Path

import pytest
from cli_cases import run, run_json

sys.path.insert(0, str(Path(__file__).parents[1] / "sweep"))
from sweep_cases import STUDY, write_study


@pytest.fixture
def study(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return write_study(tmp_path).relative_to(tmp_path)


def test_a_study_is_tabulated_and_kept(study):
    said = run("sweep", study, "--workers", 1).stdout
    assert "2 points, 2 runs" in said
    first, second = (line.split() for line in said.splitlines()[2:4])
    assert first[:2] == ["0.25", "1"]
    assert float(first[2]) == pytest.approx(0.2, abs=1e-4)
    assert float(second[2]) == pytest.approx(0.1, abs=1e-4)
    folder = Path("study-sweep")
    assert (folder / "figure.png").stat().st_size > 5000
    with open(folder / "results.csv") as file:
        rows = list(csv.DictReader(file))
    assert [row["sliding"] for row in rows] == ["0.25", "0.5"]
    assert run("sweep", study, "--workers", 1).stdout.splitlines()[:4] == said.splitlines()[:4]


def test_json_has_points_runs_and_files(study):
    found = run_json("sweep", study, "--workers", 1, "-o", "other")
    assert [point["sliding"] for point in found["points"]] == [0.25, 0.5]
    assert found["failed"] == []
    assert all(Path(path).exists() for path in found["files"])
    json.dumps(found, allow_nan=False)


def test_a_check_runs_nothing(study):
    assert run("sweep", study, "--check").stdout == (
        "study.toml: no mistakes; 2 points, 2 runs, 600 steps\n"
    )
    assert run_json("sweep", study, "--check")["runs"] == 2
    assert not Path("study-sweep").exists()


def test_runs_that_fail_are_listed_with_code_3(study):
    study.write_text(STUDY + '[[measure]]\nkind = "energy"\nterm = "kinetic"\ntime = -1.0\n')
    said = run("sweep", study, "--workers", 1, code=3).stdout
    assert "2 runs failed:" in said
    assert "sliding = 0.25, repeat 0: energy: time = -1 s" in said
    assert run("sweep", study, "--workers", 1, "--quiet", code=3).stdout == ""


def test_mistakes_are_told_one_a_line(study):
    study.write_text(STUDY.replace("stop-time", "stop").replace("contact.sliding", "contact"))
    lines = run("sweep", study, code=1).stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("error: study.toml:12: measure[1].kind = 'stop': must be one of")


@pytest.mark.parametrize("options", [["--workers", 0], ["--workers", 2, "--scheduler", "x"]])
def test_wrong_options_are_refused(study, options):
    assert "workers = " in run("sweep", study, *options, code=1).stderr


def test_a_folder_that_cannot_be_made_is_told(study):
    Path("file").write_text("")
    assert "file" in run("sweep", study, "-o", "file/x", code=1).stderr


def test_runs_that_did_not_converge_are_told(study):
    scene = Path("slider.toml")
    coarse = "step = 2e-3\ntolerance = 1e-17\nmax_iterations = 1"
    scene.write_text(scene.read_text().replace("step = 2e-3", coarse))
    said = run("sweep", study, "--workers", 1).stdout
    assert "warning: 2 runs had steps that did not converge" in said
