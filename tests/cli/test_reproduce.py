"""`rollcone reproduce`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from cli_cases import error_of, run, run_json

from rollcone.mechanics.materials import ContactLaw
from rollcone.studies import STUDIES, rolling_disk


@pytest.fixture(autouse=True)
def quick(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    plan = rolling_disk.Plan(step=0.05, until=9.0)
    monkeypatch.setattr(rolling_disk, "DEFAULT", plan)
    monkeypatch.setattr(rolling_disk, "FULL", replace(plan, step=0.04))


def test_list():
    out = run("reproduce").stdout
    assert all(name in out for name in STUDIES)
    listed = run_json("reproduce")["studies"]
    assert [entry["study"] for entry in listed] == list(STUDIES)


def test_json():
    report = run_json("reproduce", "rolling-disk", "--folder", "pictures")
    assert report["study"] == "rolling-disk"
    assert {row["verdict"] for row in report["rows"]} == {"pass"}
    assert report["figure"] == str(Path("pictures/rolling-disk.png"))
    assert Path(report["figure"]).stat().st_size > 10_000
    assert report["figures"] == [report["figure"]]
    assert report["seconds"] > 0
    row = report["rows"][0]
    assert row["quantity"] == "stopping distance"
    assert row["reference"] == pytest.approx(25 / 7)
    assert row["run"] == "GapAhead, h = 0.05 s"


@pytest.mark.parametrize("columns", [80, 130])
def test_table(columns):
    result = run("reproduce", "rolling-disk", "--full", columns=columns)
    assert result.stderr == ""
    out = result.stdout
    assert max(len(line) for line in out.splitlines()) <= columns
    assert "GapAhead, h = 0.04 s" in out
    assert "3.571429" in out
    assert "Tasora and Anitescu 2013" in out
    assert "picture: rolling-disk.png" in out
    assert "all pass" in out
    assert Path("rolling-disk.png").exists()


def test_failure_is_exit_code_one(monkeypatch):
    monkeypatch.setattr(
        rolling_disk, "ContactLaw", lambda sliding, rolling: ContactLaw(sliding=0.9, rolling=0.0203)
    )
    out = run("reproduce", "rolling-disk", code=3).stdout
    assert "fail" in out
    assert "all pass" not in out


def test_errors_are_one_line():
    text = error_of("reproduce", "rolling-dsik")
    assert "did you mean 'rolling-disk'?" in text
    assert "convergence" in text
    Path("file").write_text("")
    assert "folder file: is a file" in error_of("reproduce", "rolling-disk", "--folder", "file")


def test_points_fit_a_narrow_terminal():
    """All columns whole, errors behind their numbers, none where there is one run."""
    from rich.console import Console

    from rollcone.cli.reproduce import _points

    point = {
        "rho": 0.0045, "2rho/D": 0.2, "angle": 40.51, "angle_error": 0.52, "height": 17.5,
        "height_error": 0.0, "coordination": 3.46, "packing": 0.52, "decay": 1.05,
        "overlap": 0.01412, "overlap_at_end": 5.4321e-05, "seconds": 1283.4,
    }  # fmt: skip
    out = Console(width=80)
    with out.capture() as captured:
        out.print(_points([point]))
    text = captured.get()
    assert "…" not in text
    assert text.splitlines()[-1].split()[:4] == ["0.0045", "0.2", "40.5±0.5", "17.5"]
