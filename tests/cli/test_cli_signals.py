"""Signals at any moment of a command: no file is left locked or broken, runs go on to the same
bits. In processes of their own."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import rollcone as rc
from rollcone.recording.part import folder_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="signals of Unix"),
]
SCENE = """
[simulation]
until = 0.5
step = 2e-3
[output]
every = 2
flush = 0.02
[world]
gravity = [0, 0, -9.81]
[contact]
sliding = 0.4
rolling = 0.004
[[body]]
shape = "plane"
[[emitter]]
name = "grain"
shape = "sphere"
radius = [0.05, 0.07]
density = 1000
low = [-0.2, -0.2, 0.4]
high = [0.2, 0.2, 0.6]
rate = 60
count = 20
seed = 3
"""
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
ENDS = {0, 130, 143, -signal.SIGINT, -signal.SIGTERM, -signal.SIGKILL}


@pytest.fixture
def scene(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("grains.toml").write_text(SCENE)
    return Path("grains.toml")


def signalled(arguments: list[str], number: int, seconds: float) -> tuple[int, str]:
    """How a command ended that got a signal after so many seconds, and what it said."""
    child = subprocess.Popen(
        [sys.executable, "-m", "rollcone", *arguments], stderr=subprocess.PIPE, text=True,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    time.sleep(seconds)
    child.send_signal(number)
    said = child.communicate(timeout=300)[1]
    assert child.returncode in ENDS, (child.returncode, said)
    assert "Traceback" not in said or child.returncode < 0 or "KeyboardInterrupt" in said, said
    return child.returncode, said


def states(path: Path) -> np.ndarray:
    run = rc.open_run(path)
    try:
        return np.asarray(run.states("position")[:])
    finally:
        run._source.close()


def test_runs_go_on_to_the_same_bits(scene):
    """A run that is signalled again and again: what is there can always be read and continued."""
    begin = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "rollcone", "run", str(scene), "-o", "whole.h5", "-q"], check=True
    )
    took = time.perf_counter() - begin
    whole, draw, path = states(Path("whole.h5")), random.Random(5), Path("cut.h5")
    signals = 0
    for k in range(60):
        there = path.exists() or (folder_of(path) / "checkpoint.h5").exists()
        command = ["resume", str(path)] if there else ["run", str(scene), "-o", str(path)]
        number = SIGNALS[k % 3]
        code, said = signalled([*command, "--quiet"], number, draw.uniform(0.3 * took, took))
        signals += code != 0
        if code in (130, 143) and "continue with" in said:
            assert not folder_of(path).exists()  # gently: the file is made
        if path.exists() or (folder_of(path) / "checkpoint.h5").exists():
            so_far = states(path)
            np.testing.assert_array_equal(so_far, whole[: len(so_far), : so_far.shape[1]])
            if len(so_far) == len(whole):  # done, before or after the file was made: once more
                path.unlink(missing_ok=True)
                shutil.rmtree(folder_of(path), ignore_errors=True)
        if signals >= 24:
            break
    assert signals >= 12
    if path.exists() or folder_of(path).exists():
        rc.resume(path)
        np.testing.assert_array_equal(states(path), whole)


@pytest.mark.parametrize("output", ["grains.vtkhdf", "grains.csv", "grains.glb", "grains.png"])
def test_exports_leave_what_was_there(scene, output):
    """Each is whole, the one that was there before, or not there; the run can be read as ever."""
    run = rc.load_scene(scene).simulate(output="grains.h5")
    wanted = np.asarray(run.states("position")[:])
    del run
    kind = "render" if output.endswith(".png") else "export"
    more = ["--body", "grain 3"] if output.endswith(".csv") else []
    command = [kind, "grains.h5", "-o", output, "--overwrite", "--quiet", *more]
    made = subprocess.run([sys.executable, "-m", "rollcone", *command], capture_output=True)
    if made.returncode:
        pytest.skip(made.stderr.decode())
    whole = Path(output).read_bytes()
    draw = random.Random(output)
    for k in range(9):
        Path(output).write_bytes(b"before")
        code, _ = signalled(command, SIGNALS[k % 3], draw.uniform(0.1, 2.5))
        found = Path(output).read_bytes()
        assert found == b"before" or len(found) >= 0.9 * len(whole)
        left = [p.name for p in Path().iterdir() if p.name.startswith(f".{output}")]
        assert not left or code in (-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT)
        for name in left:
            subprocess.run(["rm", "-r", name], check=True)
        np.testing.assert_array_equal(states(Path("grains.h5")), wanted)


DROPPED = """
import os, signal, time, weakref
from rollcone.cli.main import take_signals
take_signals()
class Thing:
    pass
thing = Thing()
kept = weakref.ref(thing, lambda _: os.kill(os.getpid(), signal.SIGTERM) or time.sleep(0.1))
del thing
time.sleep(60)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_signal_in_a_callback_is_not_lost():
    """Python drops exceptions there, that of the signal too."""
    ended = subprocess.run([sys.executable, "-c", DROPPED], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (143, "")
