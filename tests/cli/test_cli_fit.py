"""`rollcone fit`: what it prints, exit codes, files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cli_cases import error_of, run, run_json

SCENE = """
[simulation]
until = 1.0
step = 0.02
[output]
every = 12
[world]
gravity = [0, 0, -9.81]
[contact]
sliding = 0.2
spinning = 0.02
[[body]]
shape = "plane"
[[body]]
shape = "sphere"
name = "ball"
radius = 0.5
density = 2500
position = [0, 0, 0.5]
angular_velocity = [0, 0, 4]
"""
FIT = """
scene = "ball.toml"
[[parameter]]
key = "contact.spinning"
from = 0.001
to = 0.04
start = 0.03
[[target]]
name = "spin"
kind = "body"
body = "ball"
quantity = "spin"
times = [0.25, 0.5, 0.75, 1.0]
values = [3.50, 3.03, 2.54, 2.03]
uncertainty = 0.05
"""


@pytest.fixture
def fit(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("ball.toml").write_text(SCENE)
    Path("spin.toml").write_text(FIT)
    return Path("spin.toml")


def test_what_it_prints_and_writes(fit):
    out = run("fit", fit, "--workers", 1).stdout
    lines = [line.split() for line in out.splitlines()]
    (row,) = (words for words in lines if words[:1] == ["spinning"])
    assert float(row[1]) == pytest.approx(0.02, abs=0.001)  # w falls by sigma g / (0.4 R^2) = 1.96
    assert row[2] == "±"
    assert "least-squares: " in out
    assert "chi-square" in out
    assert "wrote spin-fit/fit.png" in out
    assert {"fit.json", "trace.csv", "fit.png"} <= set(os.listdir("spin-fit"))
    facts = run_json("fit", fit, "--workers", 1)
    assert facts["converged"]
    assert facts["parameters"][0]["value"] == pytest.approx(float(row[1]), abs=1e-3)
    assert facts["warnings"] == []


def test_check_only_looks(fit):
    out = run("fit", fit, "--check").stdout
    assert out == "spin.toml: no mistakes; spinning from 4 measured numbers, at most 300 runs\n"
    assert run_json("fit", fit, "--check")["measured"] == 4
    assert sorted(os.listdir()) == ["ball.toml", "spin.toml"]
    fit.write_text(FIT.replace("to = 0.04", "to = 0.0004"))
    assert "parameter[0].to = 0.0004: must be above from" in error_of("fit", fit, "--check")


def test_not_converged_is_an_exit_code(fit):
    fit.write_text("fit = { budget = 2 }\n" + FIT)
    quiet = run("fit", fit, "--workers", 1, "--quiet", code=3)
    assert (quiet.stdout, quiet.stderr) == ("", "")
    result = run("fit", fit, "--workers", 1, code=3)
    assert "warning: not converged (least squares: stopped by the budget of 2 runs)" in (
        " ".join(result.stdout.split())
    )
