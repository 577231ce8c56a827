"""`rollcone doctor`: what it tells, what it keeps to itself, and its verdict."""

from __future__ import annotations

import getpass
import json
import platform
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from cli_cases import run, run_json

import rollcone as rc
from rollcone import thread_count
from rollcone._build import library
from rollcone.doctor import checks, machine
from rollcone.errors import LibraryError

COMMANDS = ("rolling ball", "known problem", "block of spheres", "threads", "run file")


def test_all_is_well_here(tmp_path, monkeypatch):
    """Each check reaches a number within its bound; nothing is left behind."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    threads, chosen = rc.threads(), thread_count._chosen
    document = run_json("doctor")
    assert document["passed"] is True
    assert [check["name"] for check in document["checks"]] == list(COMMANDS)
    for check in document["checks"]:
        assert 0 <= check["value"] <= check["bound"]
        assert check["error"] == ""
    assert document["versions"]["rollcone"] == rc.__version__
    assert document["versions"]["numpy"] == np.__version__
    assert document["threads"]["used"] == rc.threads() == threads
    assert thread_count._chosen == chosen
    kernels = document["kernels"]
    assert kernels["kernels"] > 10
    assert kernels["bytes"] > 1e5
    assert kernels["version"] == rc.__version__
    assert kernels["level"] in document["platform"]["processor"]
    assert kernels["level"] in kernels["file"]
    assert list(tmp_path.iterdir()) == []


def failing(monkeypatch, **changes):
    """A self-test of these alone: name and a function, or what it raises."""
    found = {name: ("m off", 0.5, measure) for name, measure in changes.items()}
    monkeypatch.setattr(checks, "_CHECKS", found)


def test_a_check_that_fails(monkeypatch):
    def broken():
        raise ZeroDivisionError("by nought")

    failing(monkeypatch, fine=lambda: 0.5, off=lambda: 0.6, nothing=lambda: np.nan, broken=broken)
    result = run("doctor", code=3)
    lines = result.stdout.splitlines()[-5:]
    assert lines[0].startswith("ok      fine: 0.5 m off (at most 0.5); ")
    assert lines[1].startswith("FAILED  off: 0.6 m off (at most 0.5); ")
    assert lines[2].startswith("FAILED  nothing: nan m off")
    assert lines[3].startswith("FAILED  broken: ZeroDivisionError: by nought; ")
    assert lines[4] == "verdict     3 of 4 checks failed"
    document = json.loads(run("doctor", "--json", code=3).stdout)
    assert [check["passed"] for check in document["checks"]] == [True, False, False, False]
    assert document["checks"][2]["value"] is None
    assert run("doctor", "--quiet", code=3).stdout == ""


def test_what_is_told(monkeypatch):
    failing(monkeypatch, fine=lambda: 0.0)
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")
    monkeypatch.setitem(
        machine.versions.__globals__, "OPTIONAL", ("numpy", "a-package-that-is-not")
    )
    out = run("doctor").stdout
    assert "not installed: a-package-that-is-not" in out
    assert f"threads     {rc.threads()}: " in out
    assert "environment NUMBA_NUM_THREADS=2" in out
    assert out.splitlines()[-1] == "verdict     all is well"
    assert max(len(line) for line in out.splitlines()) <= 120


def test_no_names_of_people_or_machines(monkeypatch, tmp_path):
    """The home folder is ~, also in the place of the kernel library."""
    home = tmp_path / "jane-doe"
    monkeypatch.setattr(Path, "home", lambda: home)
    manifest = {"level": "x86-64", "version": "0.0", "entries": {}}
    (home / "kernels").mkdir(parents=True)
    (home / "kernels" / "abc.so").touch()
    moved = SimpleNamespace(path=home / "kernels" / "abc.so", manifest=manifest)
    monkeypatch.setattr(library, "opened", lambda: moved)
    failing(monkeypatch, fine=lambda: 0.0)
    for out in (run("doctor").stdout, run("doctor", "--json").stdout):
        assert "jane-doe" not in out
        assert "~/kernels" in out
        assert not set(re.findall(r"[\w-]+", out)) & {platform.node(), getpass.getuser()}


@pytest.mark.parametrize(
    ("chosen", "forked", "variable", "words"),
    [
        (3, False, "", "rc.set_threads"),
        (None, True, "", "a forked process"),
        (None, False, "2", "ROLLCONE_THREADS is set"),
        (None, False, "", "CPUs may be used"),
    ],
)
def test_why_so_many_threads(monkeypatch, chosen, forked, variable, words):
    monkeypatch.setattr(thread_count, "_chosen", chosen)
    monkeypatch.setattr(thread_count, "_forked", forked)
    monkeypatch.setenv("ROLLCONE_THREADS", variable)
    thread_count._at_first.cache_clear()
    assert words in thread_count.reason()
    thread_count._at_first.cache_clear()


def test_missing_library_is_told(monkeypatch):
    def refuse():
        raise LibraryError("no kernel library fits: there is none")

    failing(monkeypatch, fine=lambda: 0.0)
    monkeypatch.setattr(library, "opened", refuse)
    found = machine.kernels()
    assert (found["file"], found["bytes"]) == (None, None)
    assert "kernels     no kernel library fits: there is none" in run("doctor").stdout


@pytest.mark.slow
def test_wrong_physics_is_noticed(monkeypatch):
    """The ball with other friction, and a thread that changes a bit."""
    monkeypatch.setattr(checks, "_STOP", checks._STOP + 1e-6)
    assert checks._rolling_ball() > checks._CHECKS["rolling ball"][1]
    one = checks._block_run(1)
    monkeypatch.setattr(checks, "_block_run", lambda threads: one if threads == 1 else other)
    world = checks._block()
    world.state.velocity[5, 1] = 1e-15
    other = rc.simulate(world, until=0.02, step=2e-3, record_every=10)
    assert checks._threads() > 0
