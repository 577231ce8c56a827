"""Every study at coarse steps: all verdicts pass, and fail if the physics is changed."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import matplotlib.image
import numpy as np
import pytest
from study_cases import PLANS, failures, quick

from rollcone import studies
from rollcone.errors import FileError, InputError
from rollcone.mechanics.materials import ContactLaw
from rollcone.studies import (
    contact_cases,
    convergence,
    invariance,
    painleve_rod,
    pushing_arm,
    rolling_disk,
    rolling_sphere,
)
from rollcone.studies.study import Row, Study, Table

KEYS = ("study", "quantity", "reference", "source", "value", "error", "tolerance", "verdict")


@cache
def result(name: str) -> Study:
    """Made by the first test of this process that asks for it."""
    return quick(name)


# The wheel takes as long as all others; what slow ones are about has tests of its own.
NO_STEPS = ("painleve-rod", "contact-analysis")  # nothing is simulated
SLOW = ("wheel", "contact-analysis", "euler-disk", "heap-of-gravel", "grain-shapes")
NAMES = [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in PLANS]


@pytest.mark.parametrize("name", NAMES)
def test_study_passes(name):
    study = result(name)
    assert failures(study) == []
    assert study.passed
    if name not in NO_STEPS:
        assert "steps that did not converge" in study.rows[-1].quantity
    quantities = [(row.quantity, row.run) for row in study.rows]
    assert len(set(quantities)) == len(quantities)
    for row in study.rows:
        assert row.study == name
        assert row.source
        assert row.run
        assert row.error <= row.tolerance or row.verdict == "differs"
        measured = {
            "absolute": abs(row.value - row.reference),
            "relative": abs(row.value / (row.reference or 1.0) - 1.0),
            "order": max(0.0, row.reference - row.value),
            "least": max(0.0, row.reference - row.value),
            "most": max(0.0, row.value - row.reference),
        }
        assert row.error == measured[row.measure]


@pytest.mark.parametrize("name", NAMES)
def test_report_and_pictures(name, tmp_path):
    study = replace(result(name), seconds=1.0)
    report = json.loads(json.dumps(study.report(), allow_nan=False))
    assert report["study"] == name
    assert all(set(KEYS) <= set(row) for row in report["rows"])
    for path in study.save(tmp_path / "new"):
        picture = matplotlib.image.imread(path)
        assert picture.shape[1] >= 1200
        assert picture.std() > 0.05


def test_every_study_has_a_test():
    assert list(PLANS) == list(studies.STUDIES)
    for info in studies.STUDIES.values():
        module = info.load()
        assert type(module.DEFAULT) is type(module.FULL)


def test_run_by_name(monkeypatch):
    module, plan = PLANS["invariance"]
    monkeypatch.setattr(module, "DEFAULT", replace(plan, until=0.06))
    monkeypatch.setattr(module, "FULL", replace(plan, until=0.1))
    calls = []
    study = studies.run("invariance", progress=lambda *call: calls.append(call))
    runs = len(invariance.VIEWS) + 1
    assert [done for _, done, _ in calls] == list(range(1, 3 * runs + 1))
    assert {total for _, _, total in calls} == {3 * runs}
    assert study.seconds > 0
    calls.clear()
    studies.run("invariance", full=True, progress=lambda *call: calls.append(call))
    assert len(calls) == 5 * runs
    with pytest.raises(InputError, match="did you mean 'invariance'"):
        studies.run("invariances")


@pytest.mark.parametrize(
    ("name", "coefficient"),
    [
        ("rolling-disk", "rolling"),
        ("rolling-sphere", "rolling"),
        ("rolling-sphere", "sliding"),
        ("spinning-sphere", "rolling"),
        ("spinning-sphere", "sliding"),
        ("spinning-sphere", "spinning"),
        ("painleve-rod", "sliding"),
        pytest.param("wheel", "sliding", marks=pytest.mark.slow),
    ],
)
def test_fails_if_a_coefficient_is_off_by_a_percent(monkeypatch, name, coefficient):
    module, _ = PLANS[name]

    def wrong(**coefficients: float) -> ContactLaw:
        coefficients[coefficient] = 1.01 * coefficients.get(coefficient, 0.0)
        return ContactLaw(**coefficients)

    monkeypatch.setattr(module, "ContactLaw", wrong)
    assert failures(quick(name))


@pytest.mark.slow
def test_contact_analysis_fails_if_the_friction_is_another(monkeypatch):
    """Of the worlds: block, grasp, slope and arm tell."""
    for module in (contact_cases, pushing_arm):
        monkeypatch.setattr(
            module, "ContactLaw", lambda sliding: ContactLaw(sliding=1.01 * sliding)
        )
    failed = failures(quick("contact-analysis"))
    assert "push from which it slides" in failed
    assert "least push that holds the weight" in failed
    assert "force that it holds up the slope" in failed
    assert "normal force of the tip" in failed


def test_rod_fails_if_its_inertia_is_another(monkeypatch):
    right = painleve_rod.rod

    def wrong(*arguments):
        problem = right(*arguments)
        return replace(problem, mass=problem.mass * np.array([1.0, 1.0, 1.01]))

    monkeypatch.setattr(painleve_rod, "rod", wrong)
    failed = failures(quick("painleve-rod"))
    assert "normal forces, worst error over m b" in failed
    assert "friction from which there is no motion, tan th = 2" in failed


def test_convergence_fails_if_the_answer_is_another(monkeypatch):
    monkeypatch.setattr(
        convergence,
        "ContactLaw",
        lambda sliding, rolling=0.0: ContactLaw(sliding=sliding, rolling=1.01 * rolling),
    )
    failed = failures(quick("convergence"))
    assert "disk, GapAhead: order" in failed
    assert "sphere, GapAhead: order" in failed


def test_invariance_fails_if_a_view_is_wrong(monkeypatch):
    """The boost is forgotten where the scene is made."""
    right = invariance.world
    monkeypatch.setattr(
        invariance,
        "world",
        lambda view: right(replace(view, boost=(0.0, 0.0, 0.0)) if any(view.boost) else view),
    )
    failed = failures(quick("invariance"))
    assert failed == ["boosted, with the floor: worst deviation", "all at once: worst deviation"]


def test_distance_is_that_of_the_named_scheme():
    """First-order schemes are short by h v0 / 2; the others are exact to a h^2 / 8."""
    rows = {
        row.run.split(", h")[0]: row
        for row in result("rolling-disk").rows
        if "distance" in row.quantity
    }
    h = 0.05
    for name in ("DVI", "MoreauJean(1)"):
        assert rows[name].value == pytest.approx(-h / 2, rel=0.02)
    for name in ("GapAhead", "MoreauJean(1/2)", "MoreauMidpoint"):
        assert rows[name].value == pytest.approx(25 / 7, abs=0.14 * h**2 / 8 * 1.001)


def test_steps_that_fail_are_told(monkeypatch):
    """A number from a run that was not solved must not pass."""
    right = rolling_disk.Job
    monkeypatch.setattr(
        rolling_disk,
        "Job",
        lambda world, until, step, settings=None: right(
            world, until, step, {**(settings or {}), "max_iterations": 1, "warm_start": False}
        ),
    )
    assert "steps that did not converge" in failures(quick("rolling-disk"))


def test_table_verdicts():
    table = Table("name", "source")
    table.relative("right", 1.0 + 1e-9, 1.0, 1e-8, "m")
    table.relative("wrong", 1.0 + 1e-7, 1.0, 1e-8)
    table.absolute("nothing", np.nan, 0.0, 1.0)
    table.order("high", 2.5, 2.0, 0.1)
    table.order("low", 1.89, 2.0, 0.1)
    table.order("none", np.nan, 2.0, 0.1)
    assert [row.verdict for row in table.rows] == ["pass", "fail", "fail", "pass", "fail", "fail"]
    assert table.rows[0] == Row(
        "name", "right", 1.0, "source", 1.0 + 1e-9, abs(1.0 + 1e-9 - 1.0), 1e-8, "pass", "relative",
        "m", "",
    )  # fmt: skip
    assert not Study("name", table.rows).passed


def test_differs_is_no_failure():
    row = Row("name", "q", 1.0, "source", 2.0, 1.0, 0.1, "differs", "absolute", "", "")
    assert Study("name", [row]).passed


def test_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="folder"):
        result("rolling-disk").save(tmp_path / "file" / "folder")


def test_map_has_a_sphere_for_every_pair():
    sliding, rolling = np.meshgrid([0.1, 0.3], [0.01, 0.02], indexing="ij")
    world = rolling_sphere.map_world(sliding, rolling)
    laws = [world.laws.law(body.material, "floor") for body in world.bodies[1:]]
    assert [law.sliding for law in laws] == list(sliding.flat)
    assert [law.rolling for law in laws] == list(rolling.flat)
    y = np.array([body.position[1] for body in world.bodies[1:]])
    assert np.diff(y).min() > 2 * rolling_sphere.R


def test_starts_shift_the_jumps_by_parts_of_a_step():
    """Slip ends and stops of the spheres are on a grid within one step."""
    h, shifts = 0.1, 3
    scene = convergence.sphere_scene(h, shifts, False)
    first, second = rolling_sphere.phases(rolling_sphere.CASES["b"])
    found = []
    for body in scene.world.bodies[1:]:
        start = rolling_sphere.Case(body.velocity[0], body.angular_velocity[1], 0.2, 0.04)
        slips, rolls = rolling_sphere.phases(start)
        found.append(((slips.end - first.end) / h, (rolls.end - second.end) / h))
    grid = np.arange(shifts) / shifts
    assert np.allclose(found, [(a, b) for a in grid for b in grid], atol=1e-12)
    stops = convergence.disk_scene(h, shifts, False).world.state.velocity[1:, 0] / 0.14
    assert np.allclose(stops - 50 / 7, h * grid, atol=1e-12)
