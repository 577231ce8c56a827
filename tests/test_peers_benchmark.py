"""The benchmark next to other programs: its scenes, what it measures, and that it does without."""

import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.__main__ import TABLES
from benchmarks.peers import bed_problem, plot, programs, scene, tables
from benchmarks.peers.measure import kinetic_energy, measure, overlap
from benchmarks.peers.programs import Outcome, Variant
from benchmarks.peers.run_rollcone import Rollcone
from benchmarks.peers.scene import DIAMETER, MASS, RADIUS

import rollcone as rc

POSIX = pytest.mark.skipif(os.name != "posix", reason="stands in for a program by a script")


def deepest(position):
    """Every pair, one by one."""
    gaps = np.linalg.norm(position[:, None] - position[None], axis=2)
    return DIAMETER - gaps[np.triu_indices(len(position), 1)].min()


def test_nothing_overlaps_where_spheres_enter():
    poured = scene.pour(100)
    for layer in range(3):
        assert deepest(poured.position[36 * layer : 36 * layer + 36]) < 0
    fallen = 1.5 * scene.PERIOD + 0.5 * 9.81 * scene.PERIOD**2
    assert fallen > DIAMETER  # a layer is out of the way of the next
    assert list(np.unique(poured.time)) == pytest.approx([0.0, 0.045, 0.09])
    assert scene.pour(1000).time[-1] == pytest.approx(1.215)
    loose = scene.loose_bed(200)
    assert deepest(loose.position) < 0
    assert overlap(loose, loose.position) == 0.0
    assert np.array_equal(loose.position, scene.loose_bed(200).position)
    assert not np.array_equal(loose.position, scene.loose_bed(200, seed=2).position)


def test_a_scene_is_kept_in_a_file(tmp_path):
    for made in (scene.pour(40), scene.loose_bed(30)):
        made.save(tmp_path / "scene.npz")
        again = scene.load(tmp_path / "scene.npz")
        assert vars(again).keys() == vars(made).keys()
        for name, value in vars(made).items():
            assert np.array_equal(getattr(again, name), value), name
    assert len(scene.pour(40).walls()) == 1
    centre = np.array([0, 0, 0.1])
    for point, normal in scene.loose_bed(30).walls():  # all face the middle of the box
        assert (centre - point) @ normal > 0


def test_a_settled_bed_does_not_overlap():
    loose = scene.loose_bed(64)
    pressed = 0.97 * loose.position * (DIAMETER - deepest(loose.position)) ** -1 * DIAMETER
    loose = scene.Scene(
        **vars(loose) | {"width": 2 * np.abs(pressed[:, :2]).max() + 0.99 * DIAMETER}
    )
    pressed[:, 2] += 0.98 * RADIUS - pressed[:, 2].min()
    worst = overlap(loose, pressed)
    assert worst == pytest.approx(max(deepest(pressed), 0.02 * RADIUS))
    bed = scene.settled_bed(loose, pressed, worst)
    assert overlap(bed, bed.position) < 1e-12
    assert bed.lead == 0.5


def test_what_is_measured():
    """Against numbers by hand, with an engine whose spheres move as told."""
    flat = scene.pour(2)
    assert overlap(flat, np.array([[0, 0, 1], [0, 0.04, 1]])) == pytest.approx(0.005)
    assert overlap(flat, np.array([[0, 0, 0.0205], [0, 1.0, 1]])) == pytest.approx(0.002)
    velocity, angular = np.array([[2.0, 0, 0]]), np.array([[0, 0, 3.0]])
    energy = 0.5 * MASS * 4 + 0.2 * MASS * RADIUS**2 * 9
    assert kinetic_energy(velocity, angular) == pytest.approx(energy)

    class Sinking:
        """At 0.9 mm/s after 0.25 s, beside one that rests; its own samples see 0.3 mm more."""

        def __init__(self):
            self.time, self.entered, self.calls = 0.0, np.zeros((0, 3)), []

        def add(self, position, velocity):
            self.entered = np.vstack([self.entered, position])
            self.calls.append((round(self.time, 9), len(position)))

        def advance(self, seconds):
            self.time += seconds

        def state(self):
            x = self.entered.copy()
            x[-1, 2] -= 9e-4 * max(self.time - 0.25, 0.0)
            still = np.zeros_like(x)
            return x, still, still

        def overlap(self):
            return 3e-4 if self.time < 0.4 else 0.0

    place = np.array([[0, 0, RADIUS], [1, 0, RADIUS]])
    told = scene.Scene("told", np.array([0.0, 0.1]), place, 0 * place, np.inf, 0.2, 0.8, 0.1)
    engine = Sinking()
    found, last = measure(engine, told)
    assert engine.calls == [(0.0, 1), (0.1, 1)]
    assert engine.time == pytest.approx(1.0)
    assert found["moving"] * DIAMETER == pytest.approx(3e-4)
    assert found["resting"] * DIAMETER == pytest.approx(9e-4 * 0.75)
    assert found["creep"] * DIAMETER == pytest.approx(9e-4 * 0.5)
    assert found["height"] == pytest.approx(DIAMETER)
    assert found["mean_height"] == pytest.approx(last[:, 2].mean())
    assert last[-1, 2] == pytest.approx(RADIUS - 9e-4 * 0.75)


def test_rollcone_is_an_engine():
    """A sphere that slides, then rolls, and stops where theory says; another enters later."""
    slide, spin = 0.6 * 9.81, 9.81 * (0.6 * RADIUS - 0.01) / (0.4 * RADIUS)  # decelerations, m/s2
    rolls = 1 / (slide + spin)  # when it begins to roll, s
    way = (
        rolls - 0.5 * slide * rolls**2 + (1 - slide * rolls) ** 2 / (2 * 0.01 * 9.81 / RADIUS / 1.4)
    )
    place = np.array([[0, 0, RADIUS], [1, 0, 0.05]])
    fall = scene.Scene(
        "fall",
        np.array([0.0, 0.2]),
        place,
        np.array([[1.0, 0, 0], [0, 0, 0]]),
        np.inf,
        0.0,
        0.8,
        0.1,
    )
    engine = Rollcone(fall, {"step": 2.5e-3})
    found, last = measure(engine, fall)
    assert last[0] == pytest.approx([way, 0, RADIUS], abs=2e-4)
    assert last[1] == pytest.approx([1, 0, RADIUS], abs=1e-6)
    assert engine.simulation.steps == 320
    assert found["creep"] < 1e-9
    assert found["energy"] < 1e-12
    assert found["moving"] == engine.simulation.run.overlap.max() / DIAMETER
    assert found["cpu"] > 0


def test_spinning_is_left_out_and_units_change_nothing():
    """A sphere on a floor: W by hand, the same solution in other units."""
    one = scene.Scene(
        "one",
        np.zeros(1),
        np.array([[0, 0, RADIUS]]),
        np.array([[1.0, 0, 0]]),
        np.inf,
        0.01,
        0.5,
        0.1,
    )
    bed = bed_problem.Bed(one)
    problem = bed_problem.without_spinning(bed.problem())
    assert (problem.contacts, problem.rows) == (1, 5)
    W = problem.to_delassus().form.W.toarray()
    turn = 1 / (0.4 * MASS * RADIUS**2)
    np.testing.assert_allclose(np.diag(W), [1 / MASS, 3.5 / MASS, 3.5 / MASS, turn, turn])
    scaled = bed_problem.in_radii(problem)
    np.testing.assert_allclose(scaled.form.W.diagonal(), [1, 3.5, 3.5, 2.5, 2.5])
    a, b = (rc.solve(p, tolerance=1e-12) for p in (problem, scaled))
    unit = MASS * 9.81 * scene.FRAME * np.array([1, 1, 1, RADIUS, RADIUS])
    np.testing.assert_allclose(a.reactions, b.reactions * unit, rtol=1e-9, atol=1e-15)
    general, stepped = bed_problem.ours(problem, 1e-6), bed_problem.of_step(bed, 1e-6)
    assert 0 < general[0] < np.inf
    assert 0 < stepped[0] < np.inf
    assert stepped[1] == "a step's"


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Puts Python code in the place of every other program."""

    def install(code: str) -> None:
        script, text = tmp_path / "fake", tmp_path / "fake.py"
        text.write_text(f"import json, sys, time\n{code}")
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{text}" "$@"\n')
        script.chmod(0o755)
        monkeypatch.setenv("PEERS_PYTHON", str(script))
        monkeypatch.setenv("YADE", str(script))

    return install


@POSIX
def test_whatever_a_program_does(program, tmp_path, monkeypatch):
    lammps = Variant("lammps", "", {"young": 1e7})
    program(
        'print("hello"); print(json.dumps({"finite": True, "got": sys.argv[3:]})); print("bye")'
    )
    assert programs.run(lammps, tmp_path / "a.npz").figures["got"] == [
        str(tmp_path / "a.npz"), '{"young": 10000000.0}',
    ]  # fmt: skip
    assert programs.run(Variant("yade", ""), tmp_path / "a.npz").figures["finite"]
    program('print(json.dumps({"finite": False}))')
    assert programs.run(lammps, tmp_path).note == "blew up"
    program("import a_program_that_is_not_here")
    assert programs.run(lammps, tmp_path) == Outcome({}, "absent")
    assert programs.settler() == "rollcone"
    program("1 / 0")
    assert programs.run(lammps, tmp_path).note == "failed"
    program('print("says nothing")')
    assert programs.run(lammps, tmp_path).note == "failed"
    assert programs.settler() == "lammps"
    monkeypatch.setattr(programs, "LIMIT", 0.2)
    program("time.sleep(600)")
    assert programs.run(lammps, tmp_path).note.startswith("more than")
    monkeypatch.setenv("PEERS_PYTHON", str(tmp_path / "nowhere"))
    assert programs.run(lammps, tmp_path).note == "absent"
    assert programs.settler() == "rollcone"


FIGURES = {
    "cpu": 3.456, "wall": 4.0, "moving": 0.03217, "resting": 0.00394, "energy": 2e-9, "creep": 3e-4,
    "height": 0.2712, "mean_height": 0.0471, "finite": True,
}  # fmt: skip


def test_tables_and_picture(tmp_path, monkeypatch):
    assert TABLES["peers"] is tables.TABLES
    monkeypatch.setattr(tables, "RESULTS", tmp_path / "out" / "peers.json")
    answers = {"lammps": Outcome(FIGURES), "rollcone": Outcome(FIGURES | {"cpu": 1.0})}
    absent = Outcome({}, "absent")
    monkeypatch.setattr(tables, "run", lambda variant, path: answers.get(variant.program, absent))
    rows = list(tables.pour_rows())
    assert all(len(row) == len(tables.HEADER) for row in rows)
    assert rows[6] == (
        "lammps", "Hertz, 7e7 Pa", "3.46", "4.00", "3.2 %", "0.39 %", "2e-09", "3e-04", "0.271",
        "0.0471",
    )  # fmt: skip
    assert [row[2] for row in rows if row[0] == "yade"] == ["absent"]
    kept = json.loads(tables.RESULTS.read_text())
    assert {result["program"] for result in kept} == {"lammps", "rollcone"}
    monkeypatch.setenv("PEERS", "yade,lammps")
    assert {row[0] for row in tables.pour_rows()} == {"yade", "lammps", "chrono"}
    plot.draw(kept, tmp_path / "peers.png")
    assert (tmp_path / "peers.png").stat().st_size > 10_000


def test_a_row_of_the_contact_problem():
    theirs = bed_problem.Peer("NSGS", (bed_problem.Answer(20.0, 1000, 1e-2, 1e-3, 20.5),), "killed")
    row = bed_problem.row(2000, 1e-2, theirs, theirs.answers[0], 0.1, "apgd", 100)
    assert row == ("2000", "1e-02", "1000", "10.00", "20.00", "apgd", "100", "0.50", "0.100", "200")
    row = bed_problem.row(2000, 1e-3, theirs, None, 0.1, "apgd", 100)
    assert row[2:5] == ("not in 20 s", "", "")
    assert row[-1] == "> 200"
    nobody = bed_problem.Peer("NSGS", note="absent")
    assert bed_problem.row(2000, 1e-3, nobody, None, np.inf, "", 0)[2:] == (
        "absent", "", "", "not reached", "", "", "", "",
    )  # fmt: skip
    assert len(row) == len(bed_problem.HEADER)
