"""Random scenes: some by default, more in `make test-all`, as many as there is time for in
`make soak`. And the tools themselves: what fails is seen, and shrunk."""

import json

import pytest
from soak_checks import examine
from soak_process import ScenesProcess
from soak_scenes import random_scene
from soak_shrink import shrink

import rollcone as rc
from rollcone.analysis.energy import EnergyAudit
from rollcone.stepping.step import Step


def plain_kernels(scene):
    """Does it run on kernels that other tests need, too?"""
    settings = scene["settings"]
    others = "solver" in settings or "friction_model" in settings or scene["emitters"]
    return not others and all(law.keys() <= PLAIN for law in scene["laws"])


PLAIN = {"materials", "sliding", "rolling", "spinning", "restitution", "compliance"}
QUICK = [seed for seed in range(60) if plain_kernels(random_scene(seed))][:16]


def check(seed):
    verdict = examine(random_scene(seed))
    assert verdict.outcome != "failed", f"{verdict.kind}: {verdict.detail}"


@pytest.mark.parametrize("seed", QUICK)
def test_random_scenes(seed):
    check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 220))
def test_more_random_scenes(seed):
    check(seed)


def test_scenes_are_plain_and_repeat():
    for seed in range(50):
        scene = random_scene(seed)
        assert json.loads(json.dumps(scene)) == scene == random_scene(seed)


def ball(**changes):
    """A ball that falls on a floor."""
    body = {"name": "b0", "shape": "sphere", "radius": 0.1, "mass": 1.0, "position": [0, 0, 0.2]}
    return {
        "gravity": [0.0, 0.0, -9.81],
        "laws": [{"materials": [], "sliding": 0.3}],
        "bodies": [{"name": "floor", "shape": "plane"}, body],
        "joints": [],
        "emitters": [],
        "settings": {"step": 0.01, "scheme": {"name": "GapAhead"}},
        "steps": 20,
        "actions": [],
    } | changes


def test_a_sound_scene_passes():
    verdict = examine(ball())
    assert (verdict.outcome, verdict.steps, verdict.unconverged) == ("passed", 20, 0)
    assert verdict.contacts > 0


def test_an_error_of_ours_is_no_finding():
    scene = ball()
    scene["bodies"][1]["radius"] = -1.0
    verdict = examine(scene)
    assert verdict.outcome == "refused"
    assert "radius" in verdict.detail


def breaking(monkeypatch, change):
    """Let every call of steps end with a change of the world or of its report."""
    take = Step.take

    def broken(self, time, steps=1):
        report = take(self, time, steps)
        change(self.world, report)
        return report

    monkeypatch.setattr(Step, "take", broken)


def not_finite(world, report):
    world.state.velocity[1] = float("nan")


def stretched(world, report):
    world.state.orientation[1] *= 1.01


def no_residual(world, report):
    report.residual = float("nan")


def not_told(world, report):
    report.residual = report.residual_speed = 1.0


def given_back(world, report):
    report.work.sliding += 1.0


def fails(world, report):
    raise IndexError("no such row")


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (not_finite, "state not finite"),
        (stretched, "quaternion"),
        (no_residual, "residual not finite"),
        (not_told, "residual not told"),
        (given_back, "wrong sign"),
        (fails, "IndexError"),
    ],
)
def test_what_is_wrong_is_found(monkeypatch, change, kind):
    breaking(monkeypatch, change)
    verdict = examine(ball())
    assert verdict.outcome == "failed"
    assert kind in verdict.kind


def faster(world, report):
    world.state.velocity[1, 0] += 0.1


def test_momentum_that_comes_from_nowhere(monkeypatch):
    breaking(monkeypatch, faster)
    scene = ball(gravity=[0.0, 0.0, 0.0])
    del scene["bodies"][0]
    scene["bodies"].insert(0, {**scene["bodies"][0], "name": "b1", "position": [0, 0, 9]})
    assert examine(scene).kind == "momentum"


def test_energy_from_nowhere_must_be_told(monkeypatch):
    """A ball that is pushed within the step: the audit of a passive scene is open, and in any scene
    the summary must say that the energy rose."""
    breaking(monkeypatch, faster)
    assert examine(ball()).kind == "audit open"
    other = {"step": 0.01, "scheme": {"name": "DVI"}}
    verdict = examine(ball(settings=other))
    assert verdict.outcome == "passed"
    assert verdict.gain > 0.1
    assert any("energy rose" in words for words in verdict.told)
    monkeypatch.setattr(EnergyAudit, "rise_warning", lambda self: "")
    monkeypatch.setattr(EnergyAudit, "remainder_warning", lambda self: "")
    assert examine(ball(settings=other)).kind == "gain not told"


def test_a_failing_scene_is_shrunk():
    """To the one body and the one step that it takes."""
    scene = next(s for s in map(random_scene, range(100)) if len(s["bodies"]) > 9)
    guilty = scene["bodies"][5]["name"]

    def wrong(one):
        return any(body["name"] == guilty for body in one["bodies"]) and one["steps"] >= 3

    small = shrink(scene, wrong, tries=2000)
    assert [body["name"] for body in small["bodies"]] == [guilty]
    assert small["steps"] == 3
    assert small["actions"] == small["joints"] == small["laws"] == []
    assert "velocity" not in small["bodies"][0]


@pytest.mark.slow
def test_a_dead_or_hanging_process_is_a_finding():
    with ScenesProcess() as process:
        assert process.examine(ball())["outcome"] == "passed"
        process._process.kill()
        assert process.examine(ball())["kind"].startswith("crash")
        assert process.examine(ball())["outcome"] == "passed"  # by a new one
    with ScenesProcess(limit=0.01) as process:
        verdict = process.examine(ball(steps=100_000))
    assert verdict["kind"] == "hang"
    assert "File" in verdict["detail"]  # where it was


def test_threads_are_left_as_they_were():
    before = rc.threads()
    examine(ball(threads=2))
    assert rc.threads() == before
