"""Races: every problem by every solver, once, whatever happens in between."""

from __future__ import annotations

import pytest
import stub_solvers
from bench_cases import LIMIT, NAMES, Recorder, fill, race, settings, small

import rollcone as rc
from rollcone import bench
from rollcone.bench.results import Outcome, read
from rollcone.bench.settings import default_solvers
from rollcone.solvers.registry import SOLVERS


@pytest.fixture
def folder(tmp_path):
    return fill(tmp_path / "problems")


def test_a_race(folder):
    """Times are ours to take; answers are those of `rc.solve`."""
    seen = []
    made = race(folder, "gauss-seidel", "newton", progress=lambda *words: seen.append(words))
    assert made.problems == tuple(NAMES)
    assert list(made.unreadable) == ["below/damaged.dat"]
    assert "no format known" in made.unreadable["below/damaged.dat"]
    assert len(made.results) == 2 * 2 * 2
    assert {line.status for line in made.results} == {"solved"}
    for line in made.results:
        problem = rc.load_problem(folder / line.problem)
        found = rc.solve(problem, line.solver, line.tolerance, max_iterations=10**6)
        assert (line.residual, line.iterations) == (found.residual, found.iterations)
        assert (line.law, line.rows, line.contacts) == (problem.law, problem.rows, 3)
        assert line.cpu > 0
        assert line.turns == 5
    assert list(read(folder / "solvers.csv")) == made.results
    assert seen[0] == ("reading a.hdf5", 0, 3)
    assert seen[3] == ("a.hdf5: gauss-seidel to 1e-4", 0, 8)
    assert seen[-1] == ("below/b.h5: newton to 1e-8", 7, 8)


def test_running_again_does_nothing(folder):
    first = race(folder, measure=Recorder())
    again = Recorder()
    assert race(folder, measure=again).results == first.results
    assert again.asked == []


def test_a_killed_race_goes_on(folder):
    """All lines but the last whole ones are lost: those alone are measured again."""
    whole = race(folder, "gauss-seidel", "apgd", measure=Recorder())
    path = folder / "solvers.csv"
    content = path.read_bytes()
    path.write_bytes(content[: len(content) * 2 // 3])
    kept = len(list(read(path)))
    again = Recorder()
    assert race(folder, "gauss-seidel", "apgd", measure=again).results == whole.results
    assert path.read_bytes() == content
    assert 0 < kept < 8
    assert len(again.asked) == 8 - kept
    assert again.asked[-1] == ("b.h5", "apgd", 1e-8)


class StopError(Exception):
    pass


def test_an_interrupted_race_goes_on(folder):
    def stop(task):
        raise StopError

    first = Recorder(lambda task: stop(task) if len(first.tasks) == 3 else Outcome("failed"))
    with pytest.raises(StopError):
        race(folder, measure=first)
    again = Recorder()
    race(folder, measure=again)
    assert again.asked == [("b.h5", "gauss-seidel", 1e-4), ("b.h5", "gauss-seidel", 1e-8)]


def test_solvers_are_counted(folder, monkeypatch):
    """A solver of the registry, called for what is missing alone."""
    monkeypatch.setattr(stub_solvers.Counted, "starts", [])
    monkeypatch.setitem(SOLVERS, "counted", stub_solvers.info("Counted"))
    race(folder, "counted")
    one = 1 + 2 * 5  # a problem: the warm-up, then five turns for each tolerance
    assert len(stub_solvers.Counted.starts) == 2 * one
    path = folder / "solvers.csv"
    path.write_bytes(path.read_bytes()[:-3])
    race(folder, "counted")
    assert len(stub_solvers.Counted.starts) == 2 * one + 1 + 5


def test_other_settings_are_not_mixed_up(folder):
    race(folder, measure=Recorder())
    for more, law in (({"time_limit": 3.0}, None), ({"law": "associated"}, "associated")):
        other = Recorder(lambda task: Outcome("failed"))
        made = race(folder, measure=other, **more)
        assert {line.status for line in made.results if law in (None, line.law)} >= {"failed"}
        expected = 4 if law is None else 2  # one of them was of that law
        assert len(other.asked) == expected
    assert {line.status for line in race(folder).results} == {"solved"}


def test_a_changed_file_is_noticed(folder):
    race(folder, measure=Recorder())
    rc.save_fclib(small(seed=7), folder / "a.hdf5")
    again = Recorder(lambda task: Outcome("failed"))
    made = race(folder, measure=again)
    assert again.asked == [("a.hdf5", "gauss-seidel", 1e-4), ("a.hdf5", "gauss-seidel", 1e-8)]
    assert [line.status for line in made.results] == ["failed"] * 2 + ["solved"] * 2


def test_another_version_is_noticed(folder, monkeypatch):
    race(folder, measure=Recorder())
    monkeypatch.setattr("rollcone.bench.results.__version__", "next")
    again = Recorder()
    race(folder, measure=again)
    assert len(again.asked) == 4


def test_after_a_time_out_tighter_tolerances_are_not_tried(folder):
    def judge(task):
        return Outcome("timed out" if task.tolerance <= 1e-6 else "failed")

    recorder = Recorder(judge)
    made = race(folder, measure=recorder, tolerances=(1e-12, 1e-8, 1e-4, 1e-6))
    assert [line.tolerance for line in made.results[:4]] == [1e-4, 1e-6, 1e-8, 1e-12]
    assert [line.status for line in made.results[:4]] == [
        "failed", "timed out", "not tried", "not tried",
    ]  # fmt: skip
    assert len(recorder.asked) == 4
    assert "looser" in made.results[2].note


def test_solvers_that_cannot(folder, monkeypatch):
    """Refused, broken and slow ones are results, not the end."""
    monkeypatch.setitem(SOLVERS, "counted", stub_solvers.info("Counted", laws=("exact",)))
    monkeypatch.setitem(SOLVERS, "broken", stub_solvers.info("Broken"))
    monkeypatch.setitem(SOLVERS, "slow", stub_solvers.info("Slow"))
    made = race(folder, "counted", "broken", tolerances=(1e-4,))
    by = {(line.problem, line.solver): line for line in made.results}
    assert by["a.hdf5", "counted"].status == "solved"
    assert by["below/b.h5", "counted"].status == "not supported"
    assert "does not support the associated law" in by["below/b.h5", "counted"].note
    assert by["a.hdf5", "broken"].status == "failed"
    assert by["a.hdf5", "broken"].note == "ZeroDivisionError: by nothing"
    slow = race(folder, "slow", time_limit=0.01)
    assert [line.status for line in slow.results] == ["timed out", "not tried"] * 2
    assert "time limit" in slow.results[0].note
    assert slow.results[0].residual == 1.0


def test_results_elsewhere(folder, tmp_path):
    made = bench.run(folder, tmp_path / "out" / "deep", settings(), measure=Recorder())
    assert made.path == tmp_path / "out" / "deep" / "solvers.csv"
    assert made.path.exists()
    assert not (folder / "solvers.csv").exists()


def test_default_solvers(monkeypatch):
    """Whatever is added to the registry takes part."""
    monkeypatch.setitem(SOLVERS, "counted", stub_solvers.info("Counted"))
    names = default_solvers()
    assert {"gauss-seidel", "apgd", "newton", "counted"} <= set(names)
    assert not set(names) & {
        "jacobi",
        "modified-newton",
        "fixed-point",
        "extragradient",
        "reference",
    }
    assert bench.Settings().solvers == names


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"solvers": ["gauss-siedel"]}, "did you mean 'gauss-seidel'"),
        ({"law": "convex"}, "law = 'convex'"),
        ({"tolerances": [0.0]}, "tolerance = 0.0"),
        ({"tolerances": [1e-4, "x"]}, "tolerance = 'x'"),
        ({"tolerances": []}, "must have one"),
        ({"time_limit": 0.0}, "time_limit = 0.0"),
        ({"siconos": 1}, "siconos = 1"),
    ],
)
def test_bad_settings(given, words):
    with pytest.raises(rc.InputError, match=words):
        bench.Settings(**given)


def test_no_problems(tmp_path):
    with pytest.raises(rc.FileError, match="no such folder"):
        race(tmp_path / "nowhere")
    (tmp_path / "a.dat").write_text("x")
    with pytest.raises(rc.FileError, match="is not a folder"):
        race(tmp_path / "a.dat")
    with pytest.raises(rc.FileError, match=r"no problem file that can be read \(a.dat: begins"):
        race(tmp_path)
    assert not (tmp_path / "solvers.csv").exists()


def test_recalled(folder):
    """From the file alone; problems that lack a solver are left out."""
    judge = Recorder(lambda task: Outcome("solved", task.tolerance, 1.0, 1, 0.0, 1))
    whole = race(folder, "gauss-seidel", "apgd", measure=judge)
    for path in (folder / "a.hdf5", folder / "below" / "b.h5"):
        path.unlink()
    assert bench.recall(folder).results == whole.results
    some = bench.recall(folder, ["apgd"], [1e-8])
    assert (some.solvers, some.tolerances, some.time_limit) == (("apgd",), (1e-8,), LIMIT)
    assert [line.cpu for line in some.results] == [1e-8, 1e-8]
    assert bench.recall(folder, law="associated").problems == ("below/b.h5",)
    path = folder / "solvers.csv"
    path.write_bytes(path.read_bytes()[:-3])
    cut = bench.recall(folder)
    assert (cut.problems, cut.left_out) == (("a.hdf5",), ("below/b.h5",))


def test_recalled_of_the_last_state_alone(folder):
    race(folder, "gauss-seidel", "apgd", measure=Recorder())
    rc.save_fclib(small(seed=7), folder / "a.hdf5")
    race(folder, "apgd", measure=Recorder(lambda task: Outcome("failed")))
    made = bench.recall(folder)
    assert (made.problems, made.left_out) == (("below/b.h5",), ("a.hdf5",))
    assert {line.status for line in bench.recall(folder, ["apgd"]).results[-2:]} == {"failed"}


def test_nothing_to_recall(folder):
    with pytest.raises(rc.FileError, match="no such file"):
        bench.recall(folder)
    race(folder, measure=Recorder())
    with pytest.raises(rc.InputError, match=r"solver = 'apgd'.*there are gauss-seidel"):
        bench.recall(folder, ["apgd"])
    with pytest.raises(rc.InputError, match=r"tolerance = 0.1"):
        bench.recall(folder, tolerances=[0.1])
    with pytest.raises(rc.InputError, match="no results of 7 s"):
        bench.recall(folder, time_limit=7.0)
