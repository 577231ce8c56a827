"""`rollcone info` of runs."""

import pytest
from cli_cases import error_of, run, run_json
from cli_runs import hinged_file, rolling_world, run_file

import rollcone as rc

__all__ = ["hinged_file", "run_file"]


def test_the_text_has_the_summary_and_the_state(run_file):
    text = run("info", run_file).stdout
    summary = rc.open_run(run_file).summary()
    assert summary in text
    assert text.startswith("rolling.h5: a run, ")
    assert f"by Rollcone {rc.__version__}" in text
    assert "kept        11 moments, contacts in full" in text
    assert f"finished at t = 0.1 s; to go on: rollcone resume {run_file} --until SECONDS" in text


def test_json(run_file):
    found = run_json("info", run_file)
    assert (found["format"], found["title"]) == ("Rollcone run", "")
    assert found["bytes"] == run_file.stat().st_size
    assert (found["finished"], found["until"], found["moments"]) == (True, 0.1, 11)
    assert found["steps"] == 10
    assert found["residual"] == rc.open_run(run_file).residual.max()


def test_joints(hinged_file, run_file):
    """How many there are, and how far they are open."""
    drift = rc.open_run(hinged_file).drift.max()
    words = f"\njoints      1, open by {drift:.1g} m or rad at most\n"
    assert words in run("info", hinged_file).stdout
    assert run_json("info", hinged_file)["joints"] == {"count": 1, "drift": drift}
    assert "\njoints" not in run("info", run_file).stdout
    assert run_json("info", run_file)["joints"] == {"count": 0, "drift": 0.0}


def test_titles_levels_and_functions(tmp_path):
    path, world = tmp_path / "a.h5", rolling_world()
    world.body("ball").force = lambda t, body: (0, 0, 0)
    options = {"output": path, "contacts": "none", "scene": 'title = "A ball"'}
    with rc.Simulation(world, step=0.01, **options) as simulation:
        simulation.finish(0.05)
    text = run("info", path).stdout
    assert "\nA ball\n" in text
    assert "contacts not kept" in text
    assert "rc.resume(" in text
    assert "force of 'ball'" in text


@pytest.mark.parametrize("name", ["a.h5", "a.h5.part"])
def test_a_run_that_was_stopped(tmp_path, name):
    """While it is still in its folder, and when its file has been made."""
    simulation = rc.Simulation(rolling_world(), step=0.01, output=tmp_path / "a.h5", flush=0)
    simulation.advance(1.0, lambda s: s.time > 0.045 and s.stop())
    words = f"stopped at t = 0.05 s of 1 s; to go on: rollcone resume {tmp_path / 'a.h5'}\n"
    for _ in range(2):
        found = run_json("info", tmp_path / name)
        assert (found["finished"], found["until"]) == (False, 1.0)
        assert found["stands_at"] == pytest.approx(0.05)
        assert found["bytes"] > 1000
        assert run("info", tmp_path / name).stdout.endswith(words)
        simulation.close()


def test_refusals(run_file, tmp_path):
    assert "--pointed is for problem files" in error_of("info", run_file, "--pointed")
    run_file.write_bytes(run_file.read_bytes()[:3000])
    assert "rolling.h5" in error_of("info", run_file)
    assert "no such file" in error_of("info", tmp_path / "none.h5")
