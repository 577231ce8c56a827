"""The engine in this process: outcomes, what is kept, what goes on, what fails."""

import json
import sys
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from sweep_cases import POURED, SLIDER, STUDY, write_study

import rollcone as rc
from rollcone.sweep import engine as engine_module
from rollcone.sweep import work
from rollcone.sweep.engine import Engine
from rollcone.sweep.results import Outcome, place

STEADY = SLIDER + "[output]\nevery = 100\n"


def sweep_of(tmp_path, study=STUDY, scene=SLIDER):
    return rc.load_sweep(write_study(tmp_path / "in", study, scene))


def run(sweep, tmp_path, **options):
    return sweep.run(tmp_path / "out", workers=1, **options)


def test_stopping_distances_are_those_of_theory(tmp_path):
    result = run(sweep_of(tmp_path), tmp_path)
    mu = np.array([0.25, 0.5])
    assert result.column("distance") == pytest.approx(1 / (20 * mu), abs=2e-5)
    assert result.column("time") == pytest.approx(1 / (10 * mu), abs=2e-3)
    assert result.column("unconverged").tolist() == [0, 0]
    assert not result.failed


def test_what_is_finished_is_not_done_again(tmp_path, monkeypatch):
    first = run(sweep_of(tmp_path), tmp_path)
    monkeypatch.setattr(work, "read_scene", lambda *_: pytest.fail("simulated again"))
    again = run(sweep_of(tmp_path), tmp_path)
    assert again.rows() == first.rows()


def test_more_values_take_only_their_own_runs(tmp_path):
    run(sweep_of(tmp_path), tmp_path)
    seen = []
    wider = sweep_of(tmp_path, STUDY.replace("0.25, 0.5", "0.25, 0.4, 0.5"))
    with Engine(tmp_path / "out", workers=1) as engine:
        engine.run(wider.cases(), lambda p: seen.append((p.found, p.total)))
    assert seen[0] == (2, 3)


def test_other_measures_of_runs_that_are_kept_need_no_simulation(tmp_path, monkeypatch):
    run(sweep_of(tmp_path), tmp_path)
    monkeypatch.setattr(rc.Simulation, "_take", lambda *_: pytest.fail("simulated again"))
    more = '[[measure]]\nkind = "energy"\nterm = "dissipated"\n'
    result = run(sweep_of(tmp_path, STUDY + more), tmp_path)
    assert result.column("energy") == pytest.approx([0.5, 0.5], rel=1e-4)


def test_runs_that_are_not_kept_leave_their_results(tmp_path):
    result = run(sweep_of(tmp_path, "keep = false\n" + STUDY), tmp_path)
    where = place(tmp_path / "out", result.cases[0])
    assert sorted(path.name for path in where.iterdir()) == ["result.json", "scene.toml"]


def test_a_result_that_is_damaged_is_made_again(tmp_path):
    first = run(sweep_of(tmp_path), tmp_path)
    where = place(tmp_path / "out", first.cases[1])
    (where / "result.json").write_text('{"values": ')
    (where / "run.h5").write_bytes(b"nonsense")
    assert run(sweep_of(tmp_path), tmp_path).points() == first.points()


def test_runs_that_fail_are_listed_and_do_not_stop_the_rest(tmp_path):
    late = STUDY + '[[measure]]\nkind = "energy"\nterm = "kinetic"\ntime = -1.0\n'
    result = run(sweep_of(tmp_path, late), tmp_path)
    words = "energy: time = -1 s: the run is from 0 to 0.6 s"
    assert [error for _, error in result.failed] == [words, words]
    error = json.loads((place(tmp_path / "out", result.cases[0]) / "error.json").read_text())
    assert error["point"] == {"sliding": 0.25}
    assert error["error"] == words
    assert result.column("distance") == pytest.approx([0.2, 0.1], abs=1e-4)  # the rest is kept
    assert np.isnan(result.column("energy")).all()
    mended = run(sweep_of(tmp_path), tmp_path)  # the same runs, measured rightly
    assert not mended.failed
    assert not (place(tmp_path / "out", result.cases[0]) / "error.json").exists()


@pytest.mark.parametrize(
    ("function", "words"),
    [
        ("fails", "KeyError: 'of the user' (sweep_functions.py"),
        ("words", "f = 'no number': a measure must be a number"),
    ],
)
def test_functions_that_fail_are_told(tmp_path, function, words):
    sweep = sweep_of(tmp_path).with_functions({"f": f"sweep_functions:{function}"})
    failed = run(sweep, tmp_path).failed
    assert len(failed) == 2
    assert words in failed[0][1]


def test_a_function_is_a_measure(tmp_path):
    sweep = sweep_of(tmp_path).with_functions({"steps made": "sweep_functions:steps"})
    assert run(sweep, tmp_path).column("steps made").tolist() == [300, 300]


def test_a_function_that_was_changed_measures_anew(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    values = []
    for number in (1, 2):
        (tmp_path / "mine.py").write_text(f"def f(run):\n    return {number}.0  # {'x' * number}\n")
        sys.modules.pop("mine", None)
        sweep = sweep_of(tmp_path).with_functions({"f": "mine:f"})
        values.append(run(sweep, tmp_path).column("f").tolist())
    assert values == [[1.0, 1.0], [2.0, 2.0]]


def test_one_value_of_several_repeats_has_no_error(tmp_path):
    study = """
scene = "slider.toml"
repeats = 3
[[measure]]
kind = "heap-angle"
"""
    result = run(sweep_of(tmp_path, study, POURED), tmp_path)
    outcomes = [Outcome({"heap-angle": 12.0}), *result.outcomes[1:]]
    point = replace(result, outcomes=outcomes).points()[0]
    assert point["heap-angle"] == 12.0
    assert np.isnan(point["heap-angle_error"])


def test_repeats_are_averaged(tmp_path):
    study = """
scene = "slider.toml"
repeats = 4
[[measure]]
name = "x"
kind = "body"
body = "grain 0"
quantity = "position"
axis = "x"
"""
    result = run(sweep_of(tmp_path, study, POURED), tmp_path)
    x = result.column("x")
    assert len(set(x)) == 4
    point = result.points()[0]
    assert point["x"] == pytest.approx(x.mean())
    assert point["x_error"] == pytest.approx(x.std(ddof=1) / 2)
    assert point["runs"] == 4


def test_a_stopped_study_goes_on_to_the_same_bits(tmp_path, monkeypatch):
    """Stopped by Ctrl-C in the middle of its first run."""
    monkeypatch.setattr(engine_module, "_LOOK", 0.02)
    scene = STEADY.replace("step = 2e-3", "step = 5e-6")
    whole = sweep_of(tmp_path, STUDY, scene).run(tmp_path / "whole", workers=1)
    sweep = sweep_of(tmp_path, STUDY, scene)
    interrupted = threading.Event()

    def interrupt(progress):
        if next(iter(work._running), None) and next(iter(work._running)).steps > 1000:
            interrupted.set()
            import signal

            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt), Engine(tmp_path / "out", workers=1) as engine:
        engine.run(sweep.cases(), interrupt)
    assert interrupted.is_set()
    first = place(tmp_path / "out", sweep.cases()[0])
    stopped = rc.open_run(first / "run.h5")
    assert 1000 < stopped.steps < 120_000
    result = run(sweep, tmp_path)
    assert result.column("distance").tolist() == whole.column("distance").tolist()


def test_a_run_that_another_process_holds_is_waited_for(tmp_path, monkeypatch):
    fcntl = pytest.importorskip("fcntl")
    sweep = sweep_of(tmp_path)
    where = place(tmp_path / "out", sweep.cases()[0])
    part = where / "run.h5.part"
    part.mkdir(parents=True)
    monkeypatch.setattr(work, "_LOOK", 0.05)
    held = open(part / "lock", "a+")  # noqa: SIM115
    fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    threading.Thread(target=lambda: (time.sleep(0.3), held.close())).start()
    assert not run(sweep, tmp_path).failed


def test_a_run_that_another_process_keeps_is_left_alone(tmp_path, monkeypatch):
    fcntl = pytest.importorskip("fcntl")
    sweep = sweep_of(tmp_path)
    part = place(tmp_path / "out", sweep.cases()[0]) / "run.h5.part"
    part.mkdir(parents=True)
    monkeypatch.setattr(work, "_LOOK", 0.01)
    monkeypatch.setattr(work, "_PATIENCE", 0.05)
    with open(part / "lock", "a+") as held:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        failed = run(sweep, tmp_path).failed
    assert len(failed) == 1
    assert "another command is at work on this run" in failed[0][1]
    assert part.exists()


def test_files_of_a_study_hold_the_same_numbers(tmp_path):
    import h5py
    import pandas as pd

    curve = """
[[measure]]
name = "x"
kind = "body"
body = "block"
quantity = "position"
axis = "x"
times = [0.0, 0.1]
"""
    result = run(sweep_of(tmp_path, STUDY + curve), tmp_path)
    paths = result.save()
    assert [path.name for path in paths] == [
        "results.csv", "results.h5", "figure.png", "figure-x.png",
    ]  # fmt: skip
    table = pd.read_csv(paths[0])
    assert table["distance"].tolist() == result.column("distance").tolist()
    moved = [0.1 - mu * 10 * 0.1**2 / 2 for mu in (0.25, 0.5)]
    assert table["x[1]"].tolist() == pytest.approx(moved, abs=1e-5)
    with h5py.File(paths[1]) as file:
        assert file["distance"][:].tolist() == result.column("distance").tolist()
        assert file.attrs["study"] == STUDY + curve
    assert result.frame()["distance"].tolist() == result.column("distance").tolist()


@pytest.mark.parametrize("workers", [0, -1, 1.5, "two"])
def test_wrong_numbers_of_workers_are_refused(tmp_path, workers):
    with pytest.raises(rc.InputError, match="workers"):
        Engine(tmp_path / "out", workers=workers)


def test_an_empty_column_name_is_told(tmp_path):
    result = run(sweep_of(tmp_path), tmp_path)
    with pytest.raises(rc.InputError, match="must be one of run, sliding"):
        result.column("nothing")
