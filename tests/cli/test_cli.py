"""The command as a whole: help, errors of one line, exit codes, pipes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys

import h5py
import pytest
from cli_cases import GAUSS_SEIDEL, error_of, run

import rollcone as rc
from rollcone.solvers import SOLVERS

COMMANDS = [
    "run", "resume", "info", "plot", "view", "render", "export", "schema", "analyze", "solve",
    "sweep", "fit", "reproduce", "doctor", "bench",
]  # fmt: skip


def test_version_and_help():
    assert run("--version").stdout == f"rollcone {rc.__version__}\n"
    for command in ("solve", "info"):
        assert command in run("--help").stdout
        assert "--json" in run(command, "--help", columns=120).stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_plain_and_fits(command):
    text = run(command, "--help").stdout
    assert max(map(len, text.splitlines())) <= 80
    assert not re.search(r"[{}]|\[\[|<\w|\brange\b", text)
    assert text.count("Examples:") == 1


def test_the_list_of_commands_is_not_cut():
    listed = run("--help").stdout.partition("Commands:")[2]
    assert "..." not in listed
    assert [line.split()[0] for line in listed.splitlines() if line] == COMMANDS


def test_python_m_rollcone():
    command = [sys.executable, "-m", "rollcone", "run", "--help"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.stdout.startswith("Usage: rollcone run [OPTIONS] SCENE\n")


def test_help_of_solve():
    words = " ".join(run("solve", "--help", columns=200).stdout.split())
    assert "checked now and then" in words
    assert "in the current folder" in words


def test_errors_are_one_line(problem_file):
    listed = error_of("solve", problem_file, "--solver", "gauss-siedel")
    assert all(name in listed for name in SOLVERS)
    assert "did you mean 'gauss-seidel'?" in listed
    assert "must be one of exact, associated" in error_of("solve", problem_file, "--law", "convex")
    assert "absent.h5: no such file" in error_of("solve", "absent.h5")
    assert "absent.h5: no such file" in error_of("info", "absent.h5", "--json")
    assert "is a directory" in error_of("info", ".")
    assert "--tolerance" in error_of("solve", problem_file, "--tolerance", -1)
    assert "--tolerance" in error_of("solve", problem_file, "--tolerance", "nan")
    assert "--time-limit" in error_of("solve", problem_file, "--time-limit", -1)
    assert "--compare" in error_of("solve", problem_file, "--compare", *GAUSS_SEIDEL)
    assert "must end in .png" in error_of("solve", problem_file, "--plot", "picture.docx")
    assert "there is no folder" in error_of("solve", problem_file, "--plot", "no/picture.png")
    with h5py.File(problem_file, "r+") as file:
        file["compliance"][0] = -1.0
    assert "compliance" in error_of("info", problem_file)


def test_wrong_usage_is_exit_code_two(problem_file):
    assert "--max-iterations" in run("solve", problem_file, "--max-iterations", -1, code=2).stderr
    run("solve", code=2)
    run("slove", problem_file, code=2)


def test_interrupt_is_exit_code_130(problem_file, monkeypatch):
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rollcone.solvers.driver.solve", stop)
    result = run("solve", problem_file, code=130)
    assert (result.stdout, result.stderr) == ("", "interrupted\n")


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="no such pipes here")
@pytest.mark.parametrize("arguments", [["info", "balls.h5"], ["solve", "--help"]])
def test_closed_pipe_ends_quietly(problem_file, arguments):
    """As in `rollcone ... | head -1`: the shell sees 141, nobody sees a traceback."""
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "rollcone.cli.main", *arguments]
    result = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert (result.returncode, result.stderr) == (-signal.SIGPIPE, "")
