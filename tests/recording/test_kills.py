"""Runs that are killed with SIGKILL go on to the bits of the run that was not."""

from __future__ import annotations

import os
import random
import signal
import sys
from functools import partial

import pytest
from run_cases import SETTINGS, UNTIL, assert_same, in_a_child, pouring, write

import rollcone as rc
from rollcone.recording.layout import Joined
from rollcone.recording.part import folder_of

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")

FILE_EVENTS = ("open", "os.rename", "os.remove", "os.mkdir", "shutil.rmtree", "os.rmdir")


@pytest.fixture(scope="module")
def whole() -> rc.Run:
    return rc.simulate(pouring(), until=UNTIL, **SETTINGS)


def killed_at(path, count):
    """A process that kills itself just before it does its count-th thing to files of the run."""
    seen = 0

    def hook(event, arguments):
        nonlocal seen
        if event in FILE_EVENTS and str(path) in str(arguments[0]):
            seen += 1
            if seen == count:
                os.kill(os.getpid(), signal.SIGKILL)

    def work():
        sys.addaudithook(hook)
        go_on(path, flush=0.1)

    return work


def go_on(path, **changes):
    """As a user would after a kill; before anything was written there is nothing to continue."""
    if path.exists() or (folder_of(path) / "checkpoint.h5").exists():
        return rc.resume(path)
    return write(path, **changes)


@pytest.mark.parametrize("first", range(4))
def test_killed_before_anything_it_does_to_files(tmp_path, whole, first):
    """Before each of them: create, flush, make the file, clear away."""
    ended, count = -signal.SIGKILL, 1 + first
    while ended == -signal.SIGKILL:
        path = tmp_path / f"{count}.h5"
        ended = in_a_child(killed_at(path, count))
        if ended == 0:
            break
        if (folder_of(path) / "checkpoint.h5").exists():
            seen = rc.open_run(path)  # what has been written can be read
            assert seen.time[-1] <= UNTIL + 1e-9
        assert_same(go_on(path), whole)
        assert sorted(entry.name for entry in tmp_path.glob(f"{count}.h5*")) == [path.name]
        path.unlink()
        count += 4
    assert ended == 0
    assert count > 12  # there was something to kill


@pytest.mark.parametrize("count", [1, 5, 10])
def test_killed_while_pieces_are_joined(tmp_path, whole, count):
    """HDF5 writes behind the back of Python: in the middle of the file that is being made."""
    path, seen = tmp_path / "out.h5", 0
    append = Joined._append

    def work():
        def killing(self, *arguments):
            nonlocal seen
            append(self, *arguments)
            self._target.flush()
            seen += 1
            if seen == count:
                os.kill(os.getpid(), signal.SIGKILL)

        Joined._append = killing
        go_on(path, flush=0.05)

    for _ in range(2):  # at the end, and when it is continued
        assert in_a_child(work) == -signal.SIGKILL
        assert rc.open_run(path).time[-1] == pytest.approx(UNTIL)
    assert_same(go_on(path), whole)
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@pytest.mark.slow
def test_killed_again_and_again_while_it_is_continued(tmp_path, whole):
    path, count = tmp_path / "out.h5", 6
    kills = 0
    while in_a_child(killed_at(path, count)) == -signal.SIGKILL:
        kills += 1
        count += 1 if kills % 3 == 0 else 0
    assert kills >= 5
    assert_same(rc.open_run(path), whole)


@pytest.mark.slow
def test_killed_at_random_moments(tmp_path, whole):
    """At least twenty times, each time continued and killed again until the run is done."""
    clock = random.Random(7)
    kills = 0
    for number in range(100):
        path = tmp_path / f"{number}.h5"
        while True:
            ended = in_a_child(partial(go_on, path, flush=0.0), clock.uniform(0.02, 0.35))
            kills += ended == -signal.SIGKILL
            if path.exists() and not folder_of(path).exists():
                break
        assert_same(go_on(path), whole)
        if kills >= 25:
            break
    assert kills >= 25
