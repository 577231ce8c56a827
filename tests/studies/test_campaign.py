"""Campaigns: runs are kept one by one, and a campaign that was stopped goes on."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

import numpy as np
import pytest

from rollcone.errors import FileError, InputError
from rollcone.studies import heap_of_gravel, run, sphere_piles
from rollcone.studies.campaign import Campaign, collect, mean_and_error


@dataclass(frozen=True)
class Square:
    number: int
    steps: int = 3


CASES = {f"n={k} odd={k % 2}": Square(k) for k in range(4)}


def measure(case, tell):
    for step in range(case.steps):
        tell(step + 1)
    return {"square": case.number**2, "nothing": float("nan")}


class StopError(Exception):
    pass


def measure_up_to_two(case, tell):
    if case.number == 2:
        raise StopError
    return measure(case, tell)


def squares(campaign=Campaign(), cases=CASES, measure=measure, progress=lambda *_: None):  # noqa: B008
    return {name: r["square"] for name, r in collect(cases, measure, campaign, progress).items()}


ALL = {name: case.number**2 for name, case in CASES.items()}


def test_progress_is_told():
    calls = []
    assert squares(progress=lambda *call: calls.append(call)) == ALL
    assert {total for *_, total in calls} == {12}
    assert sorted({done for _, done, _ in calls}) == list(range(1, 13))
    assert list(dict.fromkeys(name for name, *_ in calls)) == list(CASES)


def test_a_stopped_campaign_goes_on(tmp_path):
    campaign = Campaign(keep=tmp_path / "new")
    with pytest.raises(StopError):
        squares(campaign, measure=measure_up_to_two)
    assert len(list((tmp_path / "new").iterdir())) == 2
    made = []

    def noted(case, tell):
        made.append(case.number)
        return measure(case, tell)

    assert squares(campaign, measure=noted) == ALL
    assert made == [2, 3]
    assert squares(campaign, measure=measure_up_to_two) == ALL  # nothing is left to simulate
    kept = collect(CASES, measure_up_to_two, campaign, lambda *_: None)
    assert np.isnan(kept["n=3 odd=1"]["nothing"])


def test_a_kept_run_of_another_case_does_not_count(tmp_path):
    campaign = Campaign(keep=tmp_path)
    squares(campaign)
    other = {name: replace(case, steps=5) for name, case in CASES.items()}
    with pytest.raises(StopError):
        squares(campaign, other, measure=measure_up_to_two)


def test_only_some():
    assert squares(Campaign(only="odd=1")) == {"n=1 odd=1": 1, "n=3 odd=1": 9}
    assert squares(Campaign(only="odd=0 n=2")) == {"n=2 odd=0": 4}
    with pytest.raises(InputError, match=r"only = 'n=7'.*'n=0 odd=0'"):
        squares(Campaign(only="n=7"))


def test_only_some_beside_those_that_are_kept(tmp_path):
    campaign = Campaign(keep=tmp_path)
    squares(replace(campaign, only="n=0"))
    assert squares(replace(campaign, only="n=1")) == {"n=0 odd=0": 0, "n=1 odd=1": 1}


@pytest.mark.slow
def test_two_processes(tmp_path):
    calls = []
    campaign = Campaign(keep=tmp_path, workers=2)
    assert squares(campaign, progress=lambda *call: calls.append(call)) == ALL
    assert len(list(tmp_path.glob("*.json"))) == 4
    assert {total for *_, total in calls} == {12}


def test_damaged_files_are_told(tmp_path):
    campaign = Campaign(keep=tmp_path)
    squares(campaign)
    path = next(tmp_path.iterdir())
    for text in ("{", "[]", ""):
        path.write_text(text)
        with pytest.raises(FileError, match=path.name):
            squares(campaign)
    with pytest.raises(FileError, match="folder"):
        squares(Campaign(keep=path / "below"))


@pytest.mark.parametrize(("field", "value"), [("height", "abc"), ("position", None), ("steps", {})])
def test_damaged_results_are_told(monkeypatch, tmp_path, field, value):
    """None: the field is missing."""
    monkeypatch.setattr(sphere_piles, "draw_piles", lambda *_: None)
    heights = {1e-5: 1.0, 1e-3: 2.0, 0.1: 2.4, 1.0: 2.5}
    piles_study(tmp_path, heights)
    path = sorted(tmp_path.iterdir())[0]
    document = json.loads(path.read_text())
    del document["result"][field]
    if value is not None:
        document["result"][field] = value
    path.write_text(json.dumps(document))
    plan = piles_plan(tmp_path, heights)
    with pytest.raises(FileError, match=f"{path.name}.*remove it"):
        sphere_piles.study(plan, lambda *_: None)


def test_mean_and_error():
    assert mean_and_error([1.0, 3.0, float("nan")]) == (2.0, 1.0)
    assert mean_and_error([5.0]) == (5.0, 0.0)
    assert np.isnan(mean_and_error([])).all()


def test_studies_without_runs_have_none_to_keep(tmp_path):
    with pytest.raises(InputError, match="keep: invariance is no campaign"):
        run("invariance", keep=tmp_path)
    with pytest.raises(InputError, match="only: invariance is no campaign"):
        run("invariance", only="rotated")


def gravel_study(tmp_path, angles):
    """With results as a campaign would have kept them."""
    heap = replace(heap_of_gravel.SMALL, count=7)
    plan = heap_of_gravel.Plan(
        tuple(angles), heap=heap, campaign=Campaign(keep=tmp_path, only=f"rho={max(angles):g}")
    )
    for name, case in plan.cases().items():
        result = dict.fromkeys(
            ("height", "coordination", "packing", "decay", "overlap", "overlap_at_end", "seconds"),
            1.0,
        )
        result |= {"angle": angles[case.rolling], "angle_error": 1.0, "poured": 7, "steps": 10}
        result |= {"unconverged": 0, "position": [[0.0, 0.0, 0.0225]]}
        document = {"case": vars(case), "result": result}
        (tmp_path / f"{name.replace(' ', '_')}.json").write_text(json.dumps(document))
    return heap_of_gravel.study(plan, lambda *_: None)


@pytest.mark.parametrize(
    ("angles", "wrong"),
    [
        ({0.0: 9.0, 0.005: 37.0, 0.01: 36.5}, []),
        ({0.0: float("nan"), 0.01: 33.0}, []),
        ({0.0: 32.0, 0.01: 65.0}, ["flatter"]),
        ({0.0: 9.0, 0.01: 30.0}, ["steeper"]),
        ({0.0: 24.0, 0.01: 45.0}, ["ratio"]),
        ({0.0: 9.0, 0.005: 50.0, 0.01: 40.0}, ["fall of the angle"]),
    ],
)
def test_gravel_verdicts(monkeypatch, tmp_path, angles, wrong):
    monkeypatch.setattr(heap_of_gravel, "draw_heaps", lambda *_: None)
    study = gravel_study(tmp_path, angles)
    failed = [row.quantity for row in study.rows if row.verdict == "fail"]
    assert len(failed) == len(wrong)
    assert all(word in text for word, text in zip(wrong, failed, strict=True))
    assert [point["2rho/D"] for point in study.points] == [2 * rho / 0.045 for rho in angles]
    json.dumps(replace(study, seconds=1.0).report(), allow_nan=False)


def piles_plan(tmp_path, heights):
    """Of mu = 0.1."""
    pile = replace(sphere_piles.FULL.pile, count=7)
    plan = replace(sphere_piles.FULL, sliding=(0.1,), rolling=tuple(heights), seeds=1, pile=pile)
    return replace(plan, campaign=Campaign(keep=tmp_path, only="mu=0.1"))


def piles_study(tmp_path, heights):
    """With results as a campaign would have kept them; nan: all rolled away."""
    plan = piles_plan(tmp_path, heights)
    for name, case in plan.cases().items():
        height = heights[case.rolling]
        gone = height != height
        result = {
            "height": height,
            "radius": height if gone else 9 / height,
            "left": 0 if gone else 7,
        }
        result |= {"poured": 7, "steps": 10, "unconverged": 0, "speed": 0.0, "end": 1.0}
        result["position"] = [] if gone else [[0.0, 0.0, 0.01]]
        document = {"case": vars(case), "result": result}
        (tmp_path / f"{name.replace(' ', '_')}.json").write_text(json.dumps(document))
    return sphere_piles.study(plan, lambda *_: None)


@pytest.mark.parametrize(
    ("heights", "wrong"),
    [
        ({1e-5: 1.0, 1e-3: 2.0, 0.1: 2.4, 1.0: 2.5}, []),
        ({1e-5: float("nan"), 1e-4: 1.0, 0.1: 2.4, 1.0: 2.5}, []),
        ({1e-5: 1.6, 1e-3: 2.0, 0.1: 2.4, 1.0: 2.5}, ["mu_r = 1e-05"]),
        ({1e-5: 1.0, 1e-3: 2.0, 0.1: 2.0, 1.0: 3.5}, ["spread"]),
        ({1e-5: 1.0, 1e-3: 1.0, 0.1: 1.0, 1.0: 1.0}, ["plateau of the height", "mean radius"]),
    ],
)
def test_piles_verdicts(monkeypatch, tmp_path, heights, wrong):
    monkeypatch.setattr(sphere_piles, "draw_piles", lambda *_: None)
    failed = [row.quantity for row in piles_study(tmp_path, heights).rows if row.verdict == "fail"]
    assert len(failed) == len(wrong)
    assert all(word in text for word, text in zip(wrong, failed, strict=True))


def test_spheres_that_leave_the_plane_are_taken_away():
    scene = sphere_piles.world(sphere_piles.Pile(0.3, 0.1))
    for x in (0.59, 0.61, -0.61):
        scene.add_sphere(radius=0.01, mass=1.0, position=(x, 0, 0.01))
    sphere_piles._take_away(scene)
    assert len(scene.bodies) == 2
