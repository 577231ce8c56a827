"""`rollcone run` and `resume`: files, exit codes, Ctrl-C, scripts."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from cli_cases import error_of, run, run_json

import rollcone as rc
from rollcone.recording.part import folder_of

SCENE = """
title = "A ball that rolls to a stop"
[simulation]
until = 0.5
step = 5e-3
[output]
every = 10
[world]
gravity = [0, 0, -9.81]
[contact]
sliding = 0.2
rolling = 0.04
[[body]]
shape = "plane"
[[body]]
shape = "sphere"
name = "ball"
radius = 0.5
density = 2500
position = [0, 0, 0.5]
velocity = [2.5, 0, 0]
angular_velocity = [0, 5, 0]
"""
MAIN = """
from rollcone.cli.main import main
main()
"""


@pytest.fixture
def scene(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "ball.toml"
    path.write_text(SCENE)
    return path


def command(*arguments: object) -> list[str]:
    """Return the command line of a process of its own."""
    return [sys.executable, "-c", MAIN, *map(str, arguments)]


def test_run_writes_a_file_and_says_what_happened(scene):
    out = run("run", scene).stdout
    assert "100 steps of 0.005 s to t = 0.5 s" in out
    assert "rollcone view ball.h5" in out
    found = rc.open_run("ball.h5")
    assert len(found.time) == 11
    assert found.scene == SCENE
    whole = rc.load_scene(scene).simulate()
    np.testing.assert_array_equal(found.states("position")[:], whole.states("position"))
    assert max(map(len, out.splitlines())) <= 110


def test_quiet_and_json(scene):
    result = run("run", scene, "--quiet", "-o", "quiet.h5")
    assert (result.stdout, result.stderr) == ("", "")
    facts = run_json("run", scene, "-o", "json.h5")
    assert (facts["steps"], facts["finished"], facts["file"]) == (100, True, "json.h5")
    assert facts["residual"] <= 1e-12
    assert facts["warnings"] == []
    assert facts["energy"]["kinetic"] > 0


def test_check_only_looks(scene):
    out = run("run", scene, "--check").stdout
    assert out == f"{scene}: no mistakes; 2 bodies, 100 steps of 0.005 s\n"
    assert run_json("run", scene, "--check")["steps"] == 100
    scene.write_text(SCENE.replace("radius = 0.5", "radius = -0.5").replace("rolling", "roling"))
    result = run("run", scene, "--check", code=1)
    assert result.stdout == ""
    assert "contact.roling" in result.stderr
    assert "did you mean 'rolling'" in result.stderr
    assert "radius = -0.5" in result.stderr
    assert run("run", scene, code=1).stderr == result.stderr
    assert sorted(os.listdir()) == ["ball.toml"]


def test_warnings_before_the_first_step(scene):
    """Of overlap, on stderr and in the document; they change no exit code."""
    scene.write_text(SCENE.replace("position = [0, 0, 0.5]", "position = [0, 0, 0.4]"))
    told = "bodies overlap at the start: 'plane 0' and 'ball' by 0.1 m"
    checked = run("run", scene, "--check")
    assert checked.stderr == f"warning: {told}\n"
    assert checked.stdout == f"{scene}: 1 warning, no error; 2 bodies, 100 steps of 0.005 s\n"
    assert run_json("run", scene, "--check")["warnings"] == [told]
    assert run("run", scene, "--check", "--quiet").stderr == ""
    short = ("run", scene, "--until", 0.01, "--overwrite")
    assert run(*short).stderr == f"warning: {told}\n"
    assert run(*short, "--quiet").stderr == ""
    assert run_json(*short)["warnings"] == [told]


def test_a_missing_law_is_told_before_and_after_in_the_same_words(scene):
    scene.write_text(SCENE.replace("[contact]\nsliding = 0.2\nrolling = 0.04\n", ""))
    result = run("run", scene, "--until", 0.01)
    told = result.stderr.splitlines()[0]
    assert told.startswith("warning: no contact law was set for 'default' and 'default'")
    assert told in result.stdout
    assert len(run_json("run", scene, "--until", 0.01, "--overwrite")["warnings"]) == 1


def test_a_scene_is_no_run(scene):
    Path("ball-all.png").touch()
    for arguments in (
        ("info", scene), ("plot", scene), ("render", scene, "-o", "ball-all.png"),
        ("export", scene, "-o", "ball-all.png"), ("view", scene), ("resume", scene),
    ):  # fmt: skip
        assert f"{scene}: is a scene, not a run" in error_of(*arguments)
        assert f"rollcone run {scene}" in error_of(*arguments)
    assert "no such file" in error_of("plot", "absent.toml")


def test_what_exists_is_kept(scene):
    run("run", scene, "--until", 0.1)
    before = Path("ball.h5").read_bytes()
    assert "ball.h5: exists already; overwrite=True (--overwrite)" in error_of("run", scene)
    assert Path("ball.h5").read_bytes() == before
    run("run", scene, "--until", 0.2, "--overwrite")
    assert rc.open_run("ball.h5").time[-1] == pytest.approx(0.2)
    assert "there is no folder" in error_of("run", scene, "-o", "no/out.h5")
    assert "No such file" in error_of("run", "absent.toml")
    assert "no such file" in error_of("resume", "absent.h5")
    for until in ("nan", -1, 1e300):
        assert "until" in error_of("run", scene, "--until", until, "-o", "x.h5")
    assert sorted(os.listdir()) == ["ball.h5", "ball.toml"]


def test_resume(scene):
    run("run", scene, "--until", 0.2)
    assert "finished" in error_of("resume", "ball.h5")
    assert "--until 0.1 is not later" in error_of("resume", "ball.h5", "--until", 0.1)
    out = run("resume", "ball.h5", "--until", 0.5).stdout
    assert "100 steps" in out
    whole = rc.load_scene(scene).simulate()
    found = rc.open_run("ball.h5").states("position")[:]
    np.testing.assert_array_equal(found, whole.states("position"))


def test_strict(scene):
    scene.write_text(SCENE.replace("step = 5e-3", "step = 5e-3\ntolerance = 0\nmax_iterations = 1"))
    run("run", scene, "-o", "loose.h5", code=4)
    result = run("run", scene, "--strict", code=3)
    assert "error: at t = " in result.stderr
    assert "ball.h5 has the run up to there" in result.stderr
    assert 0 < rc.open_run("ball.h5").steps < 100
    facts = json.loads(run("run", scene, "--strict", "-o", "b.h5", "--json", code=3).stdout)
    assert facts["finished"] is False


@pytest.mark.skipif(os.name != "posix", reason="signals of Unix")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_signals_end_a_run_gently(scene, number, code):
    """SIGTERM comes twice, as some batch systems send it; afterwards signals are as before."""
    scene.write_text(SCENE.replace("until = 0.5", "until = 10000"))
    before = [signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM)]
    checkpoint = folder_of(Path("ball.h5")) / "checkpoint.h5"

    def send():
        while not checkpoint.exists():
            time.sleep(0.01)
        time.sleep(0.2)
        for _ in range(2 if number == signal.SIGTERM else 1):
            os.kill(os.getpid(), number)

    sender = threading.Thread(target=send)
    sender.start()
    try:
        result = run("run", scene, "--quiet", code=code)
    finally:
        sender.join()
        for s, handler in zip((signal.SIGINT, signal.SIGTERM), before, strict=True):
            signal.signal(s, handler)
    assert result.stderr.count("finishing the step") == 1
    assert "continue with: rollcone resume ball.h5" in result.stderr
    assert sorted(os.listdir()) == ["ball.h5", "ball.toml"]
    found = rc.open_run("ball.h5")
    later = found.steps * 5e-3 + 0.1
    run("resume", "ball.h5", "--until", later, "--quiet")
    whole = rc.load_scene(scene).simulate(until=later)
    mine = rc.open_run("ball.h5").states("position")[:]
    np.testing.assert_array_equal(mine, whole.states("position"))


@pytest.mark.skipif(os.name != "posix", reason="signals of Unix")
@pytest.mark.slow
def test_interrupt_and_resume(scene):
    """Ctrl-C, in a process of its own: the file is whole, and goes on to the same bits."""
    scene.write_text(SCENE.replace("until = 0.5", "until = 10000"))
    child = subprocess.Popen(command("run", scene), stderr=subprocess.PIPE, text=True)
    while not (folder_of(Path("ball.h5")) / "checkpoint.h5").exists():
        time.sleep(0.05)
    time.sleep(2.5)  # past the kernels, into the steps
    child.send_signal(signal.SIGINT)
    assert child.wait(60) == 130
    words = child.stderr.read()
    child.stderr.close()
    assert "continue with: rollcone resume ball.h5" in words
    assert "Traceback" not in words
    found = rc.open_run("ball.h5")
    assert not folder_of(Path("ball.h5")).exists()
    later = found.steps * 5e-3 + 0.5
    run("resume", "ball.h5", "--until", later)
    whole = rc.load_scene(scene).simulate(until=later)
    found = rc.open_run("ball.h5").states("position")[:]
    np.testing.assert_array_equal(found, whole.states("position"))


def test_a_run_that_is_not_trusted(scene):
    """The file is written, the summary says why, and the exit code is 4: of run and of resume."""
    assert run_json("run", scene, "-o", "good.h5")["trusted"] is True
    deep = SCENE.replace("step = 5e-3", 'step = 5e-3\nscheme = "DVI"')
    scene.write_text(deep.replace("position = [0, 0, 0.5]", "position = [0, 0, 0.4]"))
    result = run("run", scene, "--until", 0.2, code=4)
    assert "verdict     not trusted: the energy rose by" in result.stdout
    assert "wrote       ball.h5" in result.stdout
    found = rc.open_run("ball.h5")
    assert found.converged
    assert not found.trusted
    facts = run_json("info", "ball.h5")
    assert (facts["converged"], facts["trusted"]) == (True, False)
    assert facts["doubts"]
    assert run("run", scene, "-q", "-o", "quiet.h5", code=4).output == ""
    run("resume", "ball.h5", "--until", 0.4, code=4)
