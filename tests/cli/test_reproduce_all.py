"""`rollcone reproduce --all`: what is finished is kept, errors stop nothing, one page tells all."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from cli_cases import error_of, run, run_json
from matplotlib.figure import Figure

from rollcone import studies
from rollcone.studies import all_studies, invariance, registry, rolling_disk, sphere_piles
from rollcone.studies.study import Study, Table

NAMES = ("rolling-disk", "invariance")


def fake(name, rows):
    """A study without a simulation, and with a small picture."""

    def study(plan, progress):
        table = Table(name, "somebody 1999, section 2")
        table.run = f"h = {plan.step:g} s"
        for k in range(rows):
            progress("a run", k + 1, rows)
            table.relative(f"quantity |{k}|", 1.0 + 1e-6 * k, 1.0, 1e-3, "m")
        return Study(name, table.rows, {name: Figure(figsize=(1, 1))})

    return study


@pytest.fixture(autouse=True)
def quick(monkeypatch, tmp_path):
    """Two studies that take a moment; the names of those that are run."""
    monkeypatch.chdir(tmp_path)
    few = {name: studies.STUDIES[name] for name in NAMES}
    for module in (all_studies, registry, studies):
        monkeypatch.setattr(module, "STUDIES", few)
    monkeypatch.setattr(rolling_disk, "study", fake("rolling-disk", 13))
    monkeypatch.setattr(invariance, "study", fake("invariance", 8))
    made: list[str] = []

    def counted(name, **options):
        made.append(name)
        return registry.run(name, **options)

    monkeypatch.setattr(all_studies, "run", counted)
    return made


def test_one_page_and_what_is_finished_is_kept(quick, monkeypatch):
    first = run("reproduce", "--all").stdout.splitlines()
    assert first[0].split()[:3] == ["rolling-disk", "13", "pass"]
    assert first[1].split()[:3] == ["invariance", "8", "pass"]
    assert first[2] == "results: reproduced/results.md, and results.json"
    assert first[3] == "21 rows: 21 pass, 0 differ from what is published, 0 fail"
    page = Path("reproduced/results.md").read_text()
    assert "| h = 0.01 s | quantity \\|0\\| (m) | 1 | 1 | 0 | 1.0e-03 rel. | pass |\n" in page
    assert "|  | quantity \\|7\\| (m) | 1 | 1.000007 | 7.0e-06 | 1.0e-03 rel. | pass |\n" in page
    assert "Reference: somebody 1999, section 2." in page
    assert "![rolling-disk](rolling-disk.png)" in page
    assert Path("reproduced/rolling-disk.png").stat().st_size > 100
    report = json.loads(Path("reproduced/results.json").read_text())
    assert report["verdicts"] == {"pass": 21}
    assert [one["study"] for one in report["studies"]] == list(NAMES)

    again = run_json("reproduce", "--all")
    assert quick == list(NAMES)  # nothing was run again
    assert again["studies"] == report["studies"]
    assert "(kept)" in run("reproduce", "--all").stdout

    monkeypatch.setattr(invariance, "DEFAULT", invariance.Plan(step=0.02, until=1.0))
    run("reproduce", "--all")
    assert quick == [*NAMES, "invariance"]  # another plan
    monkeypatch.setattr(all_studies, "__version__", "another")
    run("reproduce", "--all")
    assert quick == [*NAMES, "invariance", *NAMES]


@pytest.mark.parametrize("spoil", ["cut", "no picture", "other rows"])
def test_what_is_not_whole_is_made_again(quick, spoil):
    run("reproduce", "--all")
    path = Path("reproduced/rolling-disk.json")
    if spoil == "cut":
        path.write_text(path.read_text()[:200])
    elif spoil == "no picture":
        Path("reproduced/rolling-disk.png").unlink()
    else:
        path.write_text(path.read_text().replace('"verdict"', '"verdicts"'))
    run("reproduce", "--all")
    assert quick == [*NAMES, "rolling-disk"]


def test_an_interrupt_loses_the_study_at_hand(quick, monkeypatch):
    def interrupted(plan, progress):
        raise KeyboardInterrupt

    whole = invariance.study
    monkeypatch.setattr(invariance, "study", interrupted)
    assert "interrupted" in run("reproduce", "--all", code=130).stderr
    page = Path("reproduced/results.md").read_text()
    assert "## rolling-disk" in page
    assert "## invariance" not in page
    monkeypatch.setattr(invariance, "study", whole)
    run("reproduce", "--all")
    assert quick == [*NAMES, "invariance"]


def test_an_error_stops_nothing_and_is_told(quick, monkeypatch):
    def broken(plan, progress):
        raise ZeroDivisionError("no | good")

    monkeypatch.setattr(rolling_disk, "study", broken)
    result = run("reproduce", "--all", code=3)
    assert "rolling-disk      error: ZeroDivisionError: no | good" in result.stdout
    assert "8 pass, 0 differ" in result.stdout
    assert "studies ended by an error: 1" in result.stdout
    assert (
        "Ended by an error: ZeroDivisionError: no \\| good"
        in Path("reproduced/results.md").read_text()
    )
    report = run_json("reproduce", "--all", code=3)
    assert report["verdicts"] == {"pass": 8, "error": 1}
    assert quick == [*NAMES, "rolling-disk"]  # it is tried again, the other is kept


def test_a_row_that_fails_is_exit_code_three(monkeypatch):
    def wrong(plan, progress):
        table = Table("invariance", "nobody")
        table.absolute("one", float("nan"), 1.0, 0.1)
        table.differs("two", 2.0, 1.0, 0.1)
        return Study("invariance", table.rows)

    monkeypatch.setattr(invariance, "study", wrong)
    out = run("reproduce", "--all", code=3).stdout
    assert "invariance        1 differs, 1 fail" in out
    assert "15 rows: 13 pass, 1 differ from what is published, 1 fail" in out
    page = Path("reproduced/results.md").read_text()
    assert "one | 1 | nan | nan | 1.0e-01 | **fail** |" in page
    assert run("reproduce", "--all", code=3).stdout.count("kept") == 2


def test_full_plans_have_a_folder_of_their_own():
    run("reproduce", "--all", "--folder", "here")
    out = run("reproduce", "--all", "--full", "--folder", "here").stdout
    assert "results: here/full/results.md" in out
    assert "h = 0.001 s" in Path("here/full/results.md").read_text()
    assert "h = 0.01 s" in Path("here/results.md").read_text()


def test_campaigns_keep_their_runs(monkeypatch):
    name = "sphere-piles"
    for module in (all_studies, registry, studies):
        monkeypatch.setattr(module, "STUDIES", {name: registry.StudyInfo(name, "")})
    seen = []

    def study(plan, progress):
        seen.append(plan.campaign.keep)
        return Study(name, [])

    monkeypatch.setattr(sphere_piles, "study", study)
    run("reproduce", "--all")
    assert seen == [Path("reproduced/runs") / all_studies.__version__ / name]
    run("reproduce", "--all")
    assert len(seen) == 1  # where runs are kept is no part of the plan
    plan = replace(sphere_piles.DEFAULT, seeds=2)
    monkeypatch.setattr(sphere_piles, "DEFAULT", plan)
    run("reproduce", "--all")
    assert len(seen) == 2


def test_wrong_words():
    assert "STUDY = wheel: does not go with --all" in error_of("reproduce", "wheel", "--all")
    assert "--only = mu=1: does not go" in error_of("reproduce", "--all", "--only", "mu=1")
    Path("file").write_text("")
    assert "folder file: is a file" in error_of("reproduce", "--all", "--folder", "file")
