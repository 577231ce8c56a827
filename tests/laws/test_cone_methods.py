"""FrictionCone's methods: one point or many, numbers or arrays, against loops and definitions."""

from __future__ import annotations

import numpy as np
import pytest

import rollcone as rc

RNG = np.random.default_rng(8)
N = 12
MU, RHO, SIGMA = RNG.random((3, N))
COEFFICIENTS = {2: (MU,), 3: (MU,), 5: (MU, RHO), 6: (MU, RHO, SIGMA)}
DIMENSIONS = sorted(COEFFICIENTS)
METHODS = ("project", "project_dual", "shift", "contains", "dual_contains")


def points(d: int) -> np.ndarray:
    x = np.random.default_rng(d).normal(size=(N, d))
    x[: N // 2, 0] += 2.0
    return x


@pytest.mark.parametrize("d", DIMENSIONS)
@pytest.mark.parametrize("method", METHODS)
def test_many_points_are_as_a_loop(method: str, d: int) -> None:
    x = points(d)
    many = getattr(rc.FrictionCone(*COEFFICIENTS[d]), method)(x)
    for i in range(N):
        alone = rc.FrictionCone(*(c[i] for c in COEFFICIENTS[d]))
        assert np.array_equal(getattr(alone, method)(x[i]), many[i])
        assert np.array_equal(getattr(alone, method)(x[i : i + 1]), many[i : i + 1])


@pytest.mark.parametrize("method", METHODS)
def test_numbers_are_as_arrays_of_them(method: str) -> None:
    x = points(6)
    few = rc.FrictionCone(0.4, np.full(N, 0.2), 0.1)
    all_arrays = rc.FrictionCone(np.full(N, 0.4), np.full(N, 0.2), np.full(N, 0.1))
    right = getattr(rc.FrictionCone(0.4, 0.2, 0.1), method)(x)
    assert np.array_equal(getattr(few, method)(x), right)
    assert np.array_equal(getattr(all_arrays, method)(x), right)


@pytest.mark.parametrize("method", METHODS)
def test_cones_of_mixed_sets_are_as_their_parts(method: str) -> None:
    sets = [rc.Disc(0.3), rc.Ellipse(0.3, 0.1), rc.Box(0.3, 0.1), rc.Polygon(0.3, 8)]
    cones = [rc.FrictionCone(s, r, 0.05) for s in sets for r in sets]
    mixed = rc.FrictionCone.from_arrays([c.kinds for c in cones], [c.radii for c in cones])
    x = RNG.normal(size=(len(cones), 6))
    found = getattr(mixed, method)(x)
    for cone, point, answer in zip(cones, x, found, strict=True):
        assert np.array_equal(getattr(cone, method)(point), answer)


@pytest.mark.parametrize("d", DIMENSIONS)
def test_no_points(d: int) -> None:
    for cone in (rc.FrictionCone(0.3), rc.FrictionCone(np.zeros(0))):
        nothing = np.zeros((0, d))
        assert cone.project(nothing).shape == cone.project_dual(nothing).shape == (0, d)
        assert cone.shift(nothing).shape == cone.dissipation(nothing, nothing).shape == (0,)
        assert cone.contains(nothing).shape == cone.dual_contains(nothing).shape == (0,)


def test_shift_and_dissipation() -> None:
    y, p = [9.0, 3, 4, -6, 8, -2], [10.0, 0, 0, 0, 0, 0]
    cone = rc.FrictionCone(0.5, 0.25, 0.125)
    assert cone.shift(y) == 0.5 * 5 + 0.25 * 10 + 0.125 * 2
    assert cone.dissipation(y, p) == 10 * cone.shift(y)
    assert cone.dissipation([y, y], [p, p]).tolist() == [52.5, 52.5]
    assert rc.FrictionCone(rc.Ellipse(2.0, 0.5)).shift([0, 3, 16]) == 10
    assert rc.FrictionCone(rc.Box(2.0, 0.5)).shift([0, 3, -16]) == 14
    assert rc.FrictionCone(rc.Polygon(2.0, 4)).shift([0, 3, -16]) == pytest.approx(32, rel=1e-15)
    assert rc.FrictionCone(0.5).shift([7.0, -4.0]) == 2


@pytest.mark.parametrize("size", [1e-290, 1e-9, 1.0, 1e290])
def test_membership(size: float) -> None:
    cone = rc.FrictionCone(1.0, 0.5, 0.25)
    edge = size * np.array([1.0, 0.6, -0.8, 0.3, 0.4, -0.25])  # at all three limits
    dual = size * np.array([1.2, 0.3, 0.4, 0.8, 0.6, 0.8])  # 0.5 + 0.5 + 0.2
    for x, test in ((edge, cone.contains), (dual, cone.dual_contains)):
        assert test(x)
        assert test(0.0 * x)
        assert test(x * [1.1, 1, 1, 1, 1, 1])
        assert not test(x * [1 - 1e-9, 1, 1, 1, 1, 1])
        assert test(x * [1 - 1e-9, 1, 1, 1, 1, 1], tolerance=1e-8)
        assert not test(x * [-1, 1, 1, 1, 1, 1])


def test_projection_on_the_dual_cone() -> None:
    cone = rc.FrictionCone(0.75)
    assert cone.project_dual([5.0, 3, 4]).tolist() == [5, 3, 4]
    assert cone.project_dual([-5.0, 3, 2]).tolist() == [0, 0, 0]  # -x is in K
    assert cone.project_dual([0.0, 3, 4]) == pytest.approx([2.4, 1.92, 2.56], rel=1e-15)


def test_numbers_can_be_read_back() -> None:
    cone = rc.FrictionCone([0.1, 0.2], rc.Polygon(0.3, [4, 6]), 0.4)
    copy = rc.FrictionCone.from_arrays(cone.kinds, cone.radii)
    assert np.array_equal(copy.kinds, cone.kinds)
    assert np.array_equal(copy.radii, cone.radii)
    assert repr(cone) == "FrictionCone(2 contacts, sliding 0.1 to 0.2, rolling 0.3, spinning 0.4)"
    assert repr(rc.FrictionCone(0.5)) == "FrictionCone(one law, sliding 0.5)"


def test_points_are_left_alone() -> None:
    x = points(6)
    before = x.copy()
    cone = rc.FrictionCone(0.3, 0.2, 0.1)
    for method in METHODS:
        getattr(cone, method)(x)
    assert np.array_equal(x, before)
    assert not np.shares_memory(cone.project(x), x)


def test_points_of_any_layout() -> None:
    x = points(6)
    cone = rc.FrictionCone(0.3, 0.2, 0.1)
    assert np.array_equal(cone.project(np.asfortranarray(x)), cone.project(x))
    assert np.array_equal(cone.project(np.repeat(x, 2, axis=0)[::2]), cone.project(x))
    assert np.array_equal(cone.project(x.tolist()), cone.project(x))
    assert np.array_equal(cone.project([3, 1, 2, 0, 0, 0]), cone.project([3.0, 1, 2, 0, 0, 0]))
