"""The benchmark on problems of others: what it counts, and that nothing it runs can break it."""

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import rollcone as rc

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import collection, disk
from benchmarks.collection import Entry, Run

from rollcone.bench.siconos_answers import Answer, Peer

GAUSS_SEIDEL = collection.SOLVERS["gauss-seidel"]


def small():
    return rc.problems.random_problem(3, rows=3, seed=2).problem


def test_goals_read_from_the_history():
    """The first check that met the goal; time in proportion, after the setup."""
    history = np.array([(0, 1.0), (10, 1e-5), (20, 1e-3), (40, 1e-7)])
    found = SimpleNamespace(history=history, iterations=40, time=10.0, setup_time=2.0)
    assert collection.reached(found, 5.0) == ((1e-4, 10, 2.0), (1e-6, 40, 5.0))
    at_once = SimpleNamespace(history=history[3:] * [0, 1], iterations=0, time=0.0, setup_time=0.0)
    assert collection.reached(at_once, 1.0) == ((1e-4, 0, 0.0), (1e-6, 0, 0.0))


def test_runs(monkeypatch):
    run = collection.solve(small, "associated", "gauss-seidel")
    assert [goal for goal, _, _ in run.reached] == list(collection.GOALS)
    steps = [steps for _, steps, _ in run.reached]
    assert 0 < steps[0] < steps[1] < steps[2]
    found = rc.solve(small().with_law("associated"), tolerance=1e-8)
    assert (steps[2], run.residual) == (found.iterations, found.residual)
    rigid = type(GAUSS_SEIDEL)(**vars(GAUSS_SEIDEL) | {"laws": ("exact",)})
    broken = type(GAUSS_SEIDEL)(**vars(GAUSS_SEIDEL) | {"module": "no_such_module"})
    monkeypatch.setitem(collection.SOLVERS, "rigid", rigid)
    monkeypatch.setitem(collection.SOLVERS, "broken", broken)
    assert collection.solve(small, "associated", "rigid") == Run("rigid", note="refused")
    assert collection.solve(small, "exact", "broken").note == "failed: ModuleNotFoundError"


def test_siconos_is_asked_by_two_solvers(monkeypatch):
    monkeypatch.setattr(collection, "run_siconos", lambda problem, solver, limit: solver)
    assert collection.peers(small(), 1.0) == ["FRICTION_3D_NSGS", "FRICTION_3D_NSN_AC"]
    six = rc.problems.random_problem(1, rows=6, seed=1).problem
    assert collection.peers(six, 1.0) == []


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty place for files, one solver, no Siconos."""
    monkeypatch.setattr(collection, "FOLDER", tmp_path / "problems")
    monkeypatch.setattr(collection, "SOLVERS", {"gauss-seidel": GAUSS_SEIDEL})
    monkeypatch.setenv("SICONOS_PYTHON", str(tmp_path / "nowhere"))
    collection.entries.cache_clear()
    yield tmp_path / "problems"
    collection.entries.cache_clear()


def test_tables_of_a_folder(folder, capsys):
    (folder / "kind").mkdir(parents=True)
    rc.save_problem(small(), folder / "kind" / "a.h5")
    (folder / "kind" / "broken.dat").write_text("nothing of the kind")
    (row,) = collection.solved_rows("exact")
    assert row[:2] == ("gauss-seidel", "1")
    assert [cell.split(":")[0] for cell in row[2:]] == ["1", "1", "1"]
    good, bad = collection.which_rows()
    assert good[:5] == ("kind/a.h5", "3", "3", "body", "0")
    assert good[5].isdigit()
    assert good[6].startswith("gauss-seidel, ")
    assert good[7:] == ("absent", "absent")
    assert bad[:2] == ("kind/broken.dat", "cannot be read")
    assert len(good) == len(bad) == len(collection.which_header())
    assert list(collection.unsolved_rows()) == [("none", "", "", "", "")]
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("1/2 kind/a.h5: ")
    assert "broken.dat" in lines[1]


def test_problems_that_stand_in(folder):
    made = collection.sources()
    assert all(name.startswith("made: ") for name in made)
    for load in made.values():
        assert isinstance(load(), rc.ContactProblem)


def test_what_the_tables_say(monkeypatch):
    goals = ((1e-4, 10, 0.5), (1e-6, 30, 0.9))
    slow, fast, near = Run("a", 1e-7, goals), Run("b", 2e-7, ((1e-6, 70, 0.1),)), Run("a", 2e-5)
    answers = (Answer(0.25, 40, 3e-5, 1e-9, 0.25), Answer(0.75, 80, 4e-7, 1e-12, 0.75))
    peers = [Peer("NSGS", answers), Peer("X", answers[:1], "killed")]
    facts = ("7", "3", "body", "0")
    refused = Run("b", note="refused")
    entries = [
        Entry("one", facts, {"exact": [slow, fast], "associated": [slow, refused]}, peers),
        Entry("two", facts, {"exact": [near, refused], "associated": [near, refused]}, []),
        Entry("three", facts, {"exact": [near, refused], "associated": [slow, refused]}, peers),
    ]
    monkeypatch.setattr(collection, "entries", lambda: (entries, []))
    monkeypatch.setattr(collection, "SOLVERS", ("a", "b"))
    assert list(collection.solved_rows("exact")) == [
        ("a", "3", "1: 10, 0.5 s", "1: 30, 0.9 s", "0"),
        ("b", "1", "0", "1: 70, 0.1 s", "0"),
        ("Siconos NSGS", "2", "2: 40, 0.5 s", "2: 80, 1.5 s", "0"),
        ("Siconos, other", "2", "2: 40, 0.5 s", "0", "0"),
    ]
    assert list(collection.solved_rows("associated"))[1:] == [("b", "0", "0", "0", "0")]
    one, two, _ = collection.which_rows()
    assert one[5:8] == ("30", "70", "b, 0.1 s")
    assert one[8] == "0.75 s; 4e-07 (own 1e-12)"
    assert one[9] == "not reached; 3e-05 (own 1e-09); killed"
    assert two[5:] == ("(2e-05)", "refused", "none", "no such law", "no such law")
    assert list(collection.unsolved_rows()) == [
        ("two", "exact", "7", "2e-05 (a)", ""),
        ("three", "exact", "7", "2e-05 (a)", "4e-07"),
        ("two", "associated", "7", "2e-05 (a)", ""),
    ]
    assert collection.goal_cell([(10, 1.0), None, (20, 2.0), (90, 4.0)]) == "3: 20, 7 s"


def test_disk_table(monkeypatch):
    """Eight rows, of which those of Siconos' time per step are told where it is there."""
    monkeypatch.setattr(disk, "STEPS", 20)
    for answer, last in (({"seconds": 1.0}, None), (None, "absent")):
        disk.siconos.cache_clear()
        monkeypatch.setattr(disk.one_contact, "siconos", lambda rolling, answer=answer: answer)
        rows = list(disk.table())
        assert [row[:3] for row in rows[:3]] == [
            ("4.1", "midpoint", "20"), ("4.1", "GapAhead", "20"), ("4.2", "midpoint", "20"),
        ]  # fmt: skip
        assert len(rows) == 8
        for row in rows:
            assert len(row) == len(disk.HEADER)
            assert row[3] == "moves"
            each = float(row[5])
            assert row[6] == last or float(row[6]) == pytest.approx(1e6 / each, rel=0.1)
    disk.siconos.cache_clear()


def test_disk_at_rest_is_told():
    """It lies on its face, and is pushed to a stop."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane()
    world.set_contact_law(rc.ContactLaw(sliding=0.5))
    world.add_disk(radius=0.1, mass=1.0, velocity=(0.5, 0, 0), name="disk")
    run = rc.simulate(world, until=0.2, step=1e-3)
    assert float(disk.rest(run)) == pytest.approx(0.5 / (0.5 * 9.81), abs=0.06)
