"""The comparison of two commits: its arithmetic, and a round of one environment with itself."""

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import compare
from benchmarks.compare_worker import SCENES

ROOT = Path(__file__).parents[1]


def side(word, times, bits="a", calibrations=(1.0, 1.0)):
    return compare.Side(
        word, "python", times={"ball": times}, bits={"ball": bits}, calibrations=list(calibrations)
    )


def test_a_round_of_an_environment_with_itself(capsys, monkeypatch, tmp_path):
    """The package of this checkout on both sides."""
    monkeypatch.setattr(compare, "BUILT", tmp_path)
    this = compare.Side("this", sys.executable, ROOT / "src")
    monkeypatch.setattr(compare, "other_side", lambda arguments: this)
    compare.main(["--python", sys.executable, "--rounds", "1", "--scenes", "ball"])
    printed = capsys.readouterr().out
    rows = [line.split(" | ") for line in printed.splitlines() if line.startswith("| ball")]
    assert len(rows[0]) == len(compare.HEADER)
    assert 0.1 < float(rows[0][2]) < 1e4  # us per step
    assert "same |" in printed
    assert "calibration loop: this min" in printed
    assert "load average" in printed
    assert "instructions" in printed
    assert printed.count(str(ROOT / "src" / "rollcone")) == 2


def test_a_row():
    ours, theirs = [9e-6, 1e-6, 1.1e-6, 1.2e-6, 1e-6], [2.1e-6, 2e-6, 2.1e-6, 2.1e-6, 2e-6]
    row = compare.scene_row("ball", side("this", ours), side("other", theirs, "b"))
    assert row[:6] == ("ball", "us per step", "1", "1.1", "2", "2.1")
    assert row[6:] == ("20.0%", "0.500", "other")


def test_what_is_not_resolved():
    """Differences within the spread, those of a busy machine, and those of few rounds."""

    def ratio(ours, theirs, **calibrations):
        return compare.scene_row("ball", side("this", ours, **calibrations), side("other", theirs))[
            7
        ]

    steady = [1e-6] * 5
    assert ratio(steady, [1.05e-6] * 5) == "0.952"
    assert ratio(steady, [1.05e-6, 1.05e-6, 1.2e-6, 1.2e-6, 1.2e-6]) == "0.952, not resolved"
    assert ratio(steady, [1.05e-6] * 5, calibrations=(1.0, 1.2)) == "0.952, not resolved"
    assert ratio(steady[:4], [1.05e-6] * 4) == "0.952, not resolved"


def test_arguments(capsys):
    with pytest.raises(SystemExit):
        compare.parsed([])
    assert "COMMIT or --python must be given" in capsys.readouterr().err
    small = compare.chosen(compare.parsed(["HEAD"]))
    large = compare.chosen(compare.parsed(["HEAD", "--large"]))
    assert large == list(SCENES)
    assert set(large) - set(small) == {"bed of 100,000, sliding"}


def test_counts_of_perf():
    assert compare.Perf.read("123,,instructions:u,1,100.00,,\n") == 123
    assert compare.Perf.read("<not supported>,,instructions:u,0,100.00,,\n") is None


def test_a_clone_of_a_commit(tmp_path, monkeypatch):
    """Made once, and only whole."""
    monkeypatch.setattr(compare, "BUILT", tmp_path / "built")
    monkeypatch.setattr(compare, "ROOT", tmp_path)
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q"], [*identity, "commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    folder = compare.cloned("HEAD")
    assert folder == compare.cloned("HEAD")
    assert folder.parent == tmp_path / "built"
    with pytest.raises(SystemExit, match="no_such"):
        compare.cloned("no_such")
