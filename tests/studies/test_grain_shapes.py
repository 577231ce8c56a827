"""The study of grain shapes: its grains, its measures, its verdicts."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

import rollcone as rc
from rollcone.studies import grain_shapes
from rollcone.studies.campaign import Campaign
from rollcone.studies.grains_of_shapes import KINDS, add, grain

D = grain_shapes.D


def test_grains_have_the_volume_of_their_spheres():
    world, grains = rc.World(), [grain(3, k, D) for k in range(60)]
    for one in grains:
        add(world, one, convex=True, density=1000.0)
        add(world, one, convex=False, density=1000.0)
    mass = world.state.mass.reshape(-1, 2)
    assert mass[:, 0] == pytest.approx(mass[:, 1], rel=1e-9)
    volume = np.array([4 / 3 * math.pi * one.radius**3 for one in grains])
    assert mass[:, 1] == pytest.approx(1000 * volume)
    assert {one.kind for one in grains} == set(KINDS)
    radii = np.array([one.radius for one in grains])
    assert 0.45 * D <= radii.min() < 0.47 * D < 0.53 * D < radii.max() <= 0.55 * D


def test_grains_are_not_slender():
    for k in range(60):
        one = grain(0, k, D)
        if one.kind == "cylinder":
            sides = np.array([2 * one.sizes["radius"], one.sizes["height"]])
        elif one.kind == "hull":
            assert 12 <= len(one.sizes["points"]) <= 20
            continue
        else:
            sides = one.sizes["size" if one.kind == "box" else "semi_axes"]
        assert sides.min() / sides.max() >= 0.6 - 1e-12


def test_a_grain_is_the_same_whenever_it_is_asked_for():
    a, b = grain(1, 7, D), grain(1, 7, D)
    assert (a.radius, a.kind) == (b.radius, b.kind)
    assert (a.orientation == b.orientation).all()
    assert (grain(2, 7, D).orientation != a.orientation).any()


def test_layers_keep_clear_of_what_lies_there():
    heap = replace(grain_shapes.DEFAULT.heap, rolling=0.1, count=15)
    scene = grain_shapes.world(heap)
    for layer in range(2):  # the first has not moved
        grain_shapes.add_layer(scene, heap, layer)
    z = scene.state.position[scene.state.mass > 0, 2]
    assert len(z) == 15
    assert z[:9] == pytest.approx(heap.drop * D)
    assert z[9:] == pytest.approx((heap.drop + grain_shapes.ROOM) * D)
    assert not scene.warnings()


def test_measures_of_a_cone():
    """Small spheres fill a cone of 30 degrees, 0.1 m high."""
    rng, radius = np.random.default_rng(0), 0.003
    points = rng.uniform((-0.18, -0.18, 0.0), (0.18, 0.18, 0.1), (60_000, 3))
    slope = math.tan(math.radians(30))
    inside = points[:, 2] < 0.1 - slope * np.linalg.norm(points[:, :2], axis=1)
    found = grain_shapes.heap_measures(points[inside], np.full(inside.sum(), radius), 0.48)
    assert found["angle"] == pytest.approx(30.0, abs=1.5)
    assert found["centre"] * D == pytest.approx(0.025, rel=0.02)
    assert found["height"] * D == pytest.approx(0.1, rel=0.1)


def point(rho, value, error=0.1):
    names = grain_shapes.MEASURES
    return {"rho": rho} | dict.fromkeys(names, value) | {f"{n}_error": error for n in names}


def test_where_spheres_do_the_same():
    curve = [point(0.0, math.nan), point(0.1, 2.0), point(0.3, 4.0)]
    assert grain_shapes.match(curve, point(-1, 3.0), "height") == pytest.approx(
        (0.2, math.hypot(0.1, 0.1) / 10.0)
    )
    assert grain_shapes.match(curve, point(-1, 1.0), "angle")[0] == pytest.approx(0.05)
    assert math.isnan(grain_shapes.match(curve, point(-1, 5.0), "height")[0])


def kept_study(folder, values, **changes):
    """With results as a campaign would have kept them: a value of all measures for each rho / R,
    -1 for convex grains."""
    heap = replace(grain_shapes.DEFAULT.heap, count=7)
    rolling = tuple(rho for rho in values if rho >= 0.0)
    plan = grain_shapes.Plan(rolling, 2, heap, campaign=Campaign(keep=folder))
    for name, case in plan.cases().items():
        result = dict.fromkeys(grain_shapes.FIELDS, 0.001)
        result |= dict.fromkeys(grain_shapes.MEASURES, values[case.rolling] + 0.01 * case.seed)
        result |= {"poured": 7, "unconverged": 0, "steps": 10, "position": [], "orientation": []}
        document = {"case": vars(case), "result": result | changes}
        (folder / f"{name.replace(' ', '_')}.json").write_text(json.dumps(document))
    return grain_shapes.study(plan, lambda *_: None)


@pytest.mark.parametrize(
    ("values", "changes", "wrong"),
    [
        ({-1.0: 3.0, 0.0: 1.0, 0.1: 2.0, 0.2: 4.0}, {}, []),
        ({-1.0: 3.0, 0.0: 3.5, 0.2: 4.0}, {}, ["rho = 0 R over convex"] * 3),
        ({-1.0: 5.0, 0.0: 1.0, 0.2: 4.0}, {}, ["rho = 0.2 R over convex"] * 3),
        ({-1.0: 3.0, 0.0: 1.0, 0.2: 4.0}, {"poured": 6}, ["poured"]),
        ({-1.0: 3.0, 0.0: 1.0, 0.2: 4.0}, {"overlap_at_end": 0.1}, ["overlap"]),
        ({-1.0: 3.0, 0.0: 1.0, 0.2: 4.0}, {"gained": 0.1}, ["gained"]),
        ({-1.0: 3.0, 0.0: 1.0, 0.2: 4.0}, {"remainder": -0.1}, ["unexplained"]),
        ({-1.0: 3.0, 0.0: 1.0, 0.2: 4.0}, {"residual": 0.1}, ["residual"]),
        ({-1.0: 3.0, 0.0: 1.0, 0.2: 4.0}, {"unconverged": 5}, ["share of steps"]),
    ],
)  # fmt: skip
def test_verdicts(monkeypatch, tmp_path, values, changes, wrong):
    monkeypatch.setattr(grain_shapes, "draw_heaps", lambda *_: None)
    study = kept_study(tmp_path, values, **changes)
    failed = [row.quantity for row in study.rows if row.verdict == "fail"]
    assert len(failed) == len(wrong)
    assert all(word in text for word, text in zip(wrong, failed, strict=True))
    assert [point["heap"] for point in study.points[:1]] == ["convex"]
    json.dumps(replace(study, seconds=1.0).report(), allow_nan=False)


def test_part_of_a_campaign_is_told(monkeypatch, tmp_path):
    """Spheres alone: nothing to compare with, and no failure."""
    monkeypatch.setattr(grain_shapes, "draw_heaps", lambda *_: None)
    kept_study(tmp_path, {-1.0: 3.0, 0.0: 1.0, 0.2: 4.0})
    for path in tmp_path.glob("convex*"):
        path.unlink()
    heap = replace(grain_shapes.DEFAULT.heap, count=7)
    campaign = Campaign(keep=tmp_path, only="rolling=0")
    study = grain_shapes.study(
        grain_shapes.Plan((0.0, 0.2), 2, heap, campaign=campaign), lambda *_: None
    )
    assert study.passed
    assert len(study.points) == 2
