"""Fits of simulations: closed forms are found again, and nothing is simulated twice."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import numpy as np
import pytest
from test_fit_files import SCENE

import rollcone as rc
from rollcone.fit.fit import Simulations
from rollcone.fit.seeds import run_seed
from rollcone.sweep import work
from rollcone.sweep.results import Outcome
from rollcone.view.fits import figure

EXAMPLES = Path(__file__).parents[2] / "examples" / "fits"
RADIUS, SPEED, G = 0.5, 1.0, 9.81
EXACT = 0.7 * RADIUS * SPEED**2 / (0.04 * G)  # m, where a ball with rho = 0.04 m stops
FIT = f"""
scene = "ball.toml"
[set]
"simulation.until" = 2.5
"simulation.step" = 0.02
"output.every" = 25
"body.ball.velocity.0" = {SPEED}
"body.ball.angular_velocity.1" = {SPEED / RADIUS}
[[parameter]]
key = "contact.rolling"
from = 0.03
to = 0.08
start = 0.05
[[target]]
kind = "stop-distance"
body = "ball"
value = {EXACT}
uncertainty = 0.02
"""


@pytest.fixture
def ball(tmp_path):
    (tmp_path / "ball.toml").write_text(SCENE)
    (tmp_path / "fit.toml").write_text(FIT)
    return tmp_path / "fit.toml"


@pytest.fixture
def runs(monkeypatch):
    """Keys of the simulations that are made."""
    made = []
    finished = work._finished
    monkeypatch.setattr(work, "_finished", lambda *a: (made.append(a[0].key), finished(*a))[1])
    return made


def test_the_rolling_coefficient_of_a_stopping_distance(ball, tmp_path, runs, monkeypatch):
    """That of the closed form, 0.7 R v^2 / (rho g). The power fails on the way: what was done is
    not simulated again, and the third time nothing is."""
    carried = work.carry_out

    def dies(case, where, tell):
        if len(runs) == 4:
            raise OSError("the power failed")
        return carried(case, where, tell)

    monkeypatch.setattr(work, "carry_out", dies)
    with pytest.raises(OSError, match="the power failed"):
        rc.load_fit(ball).run(tmp_path / "out", workers=1)
    monkeypatch.setattr(work, "carry_out", carried)
    found = rc.load_fit(ball).run(tmp_path / "out", workers=1)
    assert len(runs) == len(set(runs)) == found.runs <= 25
    assert found.value["rolling"] == pytest.approx(0.04, rel=5e-4)  # the error of the step
    assert found.error["rolling"] == pytest.approx(0.04 * 0.02 / EXACT, rel=0.02)
    assert found.warnings == []
    again = rc.load_fit(ball).run(tmp_path / "out", workers=1)
    assert again.value == found.value
    assert len(runs) == found.runs
    check_saved(found, tmp_path / "saved")


def check_saved(found, folder):
    folder.mkdir()
    paths = found.save(folder, "A ball")
    assert [path.name for path in paths] == ["fit.json", "trace.csv", "fit.png"]
    facts = json.loads(paths[0].read_text())
    assert facts["parameters"][0]["value"] == found.value["rolling"]
    table = np.genfromtxt(paths[1], delimiter=",", names=True)
    assert len(table) == found.runs
    best = table[np.argmin(table["chi2"])]
    assert best["rolling"] == pytest.approx(0.04, rel=5e-4)
    assert best["stopdistance"] == pytest.approx(EXACT, rel=1e-4)
    assert paths[2].stat().st_size > 10_000
    assert figure(found).axes[0].get_ylabel() == "stop-distance (m)"


def test_runs_in_which_nothing_stops(ball, tmp_path):
    """The ball still rolls at the end of all runs: told, with the first of them."""
    ball.write_text(FIT.replace('until" = 2.5', 'until" = 0.1'))
    with pytest.raises(rc.SimulationError, match=r"none of 6 runs gave what is measured") as error:
        rc.load_fit(ball).run(tmp_path / "out", workers=1)
    assert "stop-distance has no value: what is measured does not come about" in str(error.value)


GRAINS = """
[[grid]]
shape = "sphere"
counts = [2, 1, 1]
spacing = 1.0
radius = [0.1, 0.2]
density = 2500
origin = [5, 5, 1]
seed = 7
"""


class Recorder:
    """An engine that keeps cases and measures nothing."""

    def run(self, cases, show):
        self.cases = cases
        return [Outcome({"stop-distance": 1.0}) for _ in cases]


def test_every_point_of_a_scene_draws_anew(ball, tmp_path):
    """Seeds differ between repeats and between points, and are the same the next time; a scene in
    which nothing is random is left as it is."""
    points = np.array([[0.04], [0.05]])
    (tmp_path / "ball.toml").write_text(SCENE + GRAINS)
    ball.write_text("repeats = 2\n" + FIT)
    seeds = []
    for _ in range(2):
        engine = Recorder()
        Simulations(rc.load_fit(ball), engine, lambda progress: None)(points)
        seeds.append([tomllib.loads(case.text)["grid"][0]["seed"] for case in engine.cases])
    assert seeds[0] == seeds[1]
    assert seeds[0] == [7 + run_seed([x], k) for x in (0.04, 0.05) for k in (0, 1)]
    assert len(set(seeds[0])) == 4
    (tmp_path / "ball.toml").write_text(SCENE)
    ball.write_text(FIT)
    steady = rc.load_fit(ball)
    Simulations(steady, engine, lambda progress: None)(points)
    assert "seed" not in engine.cases[0].text


def test_runs_that_do_not_converge_are_told(ball, tmp_path):
    """One iteration does not do for the steps; the fit goes on and tells how many runs."""
    words = "had steps that did not converge"
    few = 'fit = { budget = 2 }\n[set]\n"simulation.max_iterations" = 1'
    ball.write_text(FIT.replace("[set]", few))
    found = rc.load_fit(ball).run(tmp_path / "out", workers=1)
    assert f"{found.runs} of {found.runs} runs {words}" in found.warnings


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "truth"),
    [
        ("rolling_ball", {"rolling": 0.04}),
        ("spinning_ball", {"spinning": 0.002}),
        ("slide_and_bounce", {"sliding": 0.3, "restitution": 0.7}),
    ],
)
def test_examples_find_what_they_were_made_with(name, truth, tmp_path):
    found = rc.load_fit(EXAMPLES / f"{name}.toml").run(tmp_path, workers=1)
    assert found.warnings == []
    assert found.converged
    for key, value in truth.items():
        low, high = found.interval[key]
        assert low <= value <= high
    if name == "rolling_ball":
        assert found.value["rolling"] == pytest.approx(0.04, rel=1e-6)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_examples_are_right(path):
    assert rc.load_fit(path).title
