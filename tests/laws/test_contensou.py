"""The Coulomb-Contensou set: nearest points against the definition, against brute force and high
precision; its limits; and the cone that it spans."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_cases import COEFFICIENTS
from law_strategies import QUICK, norm, points, radii
from mpmath import mp, mpf
from patch_reference import PRESSURES, force_and_torque, support
from scipy.optimize import minimize_scalar

import rollcone as rc

CLOSE = 3e-15
RATIOS = (1e-8, 1e-3, 0.3, 1.0, 30.0, 1e8)
sets = st.builds(rc.Contensou, radii, radii, st.sampled_from(PRESSURES))


def boundary(one: rc.Contensou, u: np.ndarray) -> np.ndarray:
    """Points (k, 2) of the limit curve, |l_T| and l_n, at the sliding speeds u."""
    found = [force_and_torque(one.pressure, mpf(float(each))) for each in u]
    return np.array(found, dtype=float) * [float(one.first), float(one.spinning)]


@pytest.mark.parametrize("pressure", PRESSURES)
@pytest.mark.parametrize("ratio", RATIOS)
def test_every_digit_of_the_nearest_point(pressure: str, ratio: float) -> None:
    """Points on normals of the curve, whose nearest point is therefore known, to 3e-15."""
    rng = np.random.default_rng(3)
    one = rc.Contensou(0.7, ratio, pressure)
    a, s = (mpf(float(part)) for part in (one.first, one.spinning))
    with mp.workdps(60):
        for _ in range(60):
            u = mpf(10.0 ** rng.uniform(-6, 6))
            y, reach = mpf(10.0 ** rng.uniform(-3, 3)), mpf(10.0 ** rng.uniform(-6, 3))
            xi, eta = force_and_torque(pressure, u)
            size = mp.sqrt((u * s) ** 2 + a**2)
            foot = np.array([a * y * xi, s * y * eta])
            x, z = foot + np.array([u * s, a]) / size * (reach * max(foot))
            angle = rng.uniform(0.0, 2 * np.pi)
            e = np.array([np.cos(angle), np.sin(angle)])
            side = rng.choice([-1.0, 1.0])
            found = one.project([*(float(x) * e), side * float(z)], float(y))
            right = [*(float(foot[0]) * e), side * float(foot[1])]
            assert norm(found - right) <= CLOSE * norm(np.array([float(x), float(z)])), (u, y)


@pytest.mark.parametrize("pressure", PRESSURES)
def test_brute_force(pressure: str) -> None:
    """The least distance over the curve, by a search that knows no derivatives."""
    rng = np.random.default_rng(4)
    one = rc.Contensou(0.6, 0.4, pressure)
    for x, z in rng.uniform(0.0, 1.5, (12, 2)):

        def distance(t: float, x: float = x, z: float = z) -> float:
            return float(np.hypot(*(boundary(one, np.array([np.tan(t)]))[0] - [x, z])))

        ends = np.linspace(0.0, np.pi / 2 - 1e-9, 9)
        k = int(np.argmin([distance(t) for t in ends[1:-1]]))
        best = minimize_scalar(
            distance, bounds=(ends[k], ends[k + 2]), method="bounded", options={"xatol": 1e-10}
        )
        px, _, pz = one.project([x, 0.0, z])
        inside = (px, pz) == (x, z)
        if inside:
            assert z <= np.interp(x, *boundary(one, np.tan(np.linspace(0, 1.57, 200))).T) + 1e-6
        else:
            assert np.hypot(px - x, pz - z) == pytest.approx(best.fun, rel=1e-9)


@QUICK
@given(sets, points(3), points(3), st.floats(0.0, 10.0))
def test_nearest_point_by_definition(
    one: rc.Contensou, q: np.ndarray, other: np.ndarray, scale: float
) -> None:
    """(q - p) . (c - p) <= 0 for c in the set; idempotent, not expansive, growing with scale."""
    q, other = q / (norm(q) or 1.0), other / (norm(other) or 1.0)
    p, c = one.project([q, other], scale)
    size = 1.0 + norm(c)
    assert (q - p) @ (c - p) <= CLOSE * size
    assert norm(one.project(p, scale) - p) <= CLOSE
    assert norm(p - c) <= norm(q - other) + CLOSE
    assert norm(one.project(3.0 * q, 3.0 * scale) - 3.0 * p) <= 3.0 * CLOSE


@QUICK
@given(sets, points(3), points(3))
def test_support_is_the_largest_product(one: rc.Contensou, v: np.ndarray, q: np.ndarray) -> None:
    v = v / (norm(v) or 1.0)
    a, s = float(one.first), float(one.spinning)
    right = float(support(one.pressure, a * np.hypot(*v[:2]), s * abs(v[2])))
    assert one.support(v) == pytest.approx(right, rel=CLOSE, abs=1e-99)
    c = one.project(q / (norm(q) or 1.0))
    assert c @ v <= right + CLOSE
    far = one.project(v * 1e9 * (1.0 + a + s))  # almost the touching point
    assert far @ v == pytest.approx(right, abs=1e-8 * (a + s))


@pytest.mark.parametrize("pressure", PRESSURES)
def test_no_radius_is_a_disc(pressure: str) -> None:
    q = np.random.default_rng(5).normal(size=(50, 3))
    point, disc = rc.Contensou(0.3, 0.0, pressure), rc.Disc(0.3)
    assert np.array_equal(point.project(q, 0.7)[:, :2], disc.project(q[:, :2], 0.7))
    assert not point.project(q, 0.7)[:, 2].any()
    assert np.array_equal(point.support(q), disc.support(q[:, :2]))
    x = np.random.default_rng(6).normal(size=(50, 6))
    same = rc.FrictionCone(0.3, 0.1).project(x)
    found = rc.FrictionCone(rc.Contensou(0.3, 0.0, pressure), 0.1).project(x)
    assert found == pytest.approx(same, abs=4e-16)
    assert not found[:, 5].any()
    assert not rc.Contensou(0.0, 0.2, pressure).project(q).any()


@pytest.mark.parametrize(("pressure", "share"), [("hertz", 3 * np.pi / 16), ("uniform", 2 / 3)])
def test_pure_sliding_and_pure_spinning(pressure: str, share: float) -> None:
    one = rc.Contensou(0.5, 0.2, pressure)
    assert one.project([3.0, -4.0, 0.0], 2.0) == pytest.approx([0.6, -0.8, 0.0], rel=1e-15)
    assert one.project([0.0, 0.0, -9.0], 2.0) == pytest.approx([0, 0, -0.2 * share], rel=1e-15)
    assert one.support([3.0, 4.0, 0.0]) == pytest.approx(2.5, rel=1e-15)
    assert one.support([0.0, 0.0, -3.0]) == pytest.approx(0.3 * share, rel=1e-15)


@pytest.mark.parametrize("pressure", PRESSURES)
def test_scale_from_nothing_to_everything(pressure: str) -> None:
    one = rc.Contensou(1e-60, 1e20, pressure)
    for size in (1e-290, 1.0, 1e200):
        q = np.array([0.6, 0.0, -0.8]) * size
        assert one.project(q, 0.0).tolist() == [0.0, 0.0, 0.0]
        assert one.project(q, 1e305).tolist() == q.tolist()


def test_an_interval_is_left_without_sliding() -> None:
    """Only numbers of a file can say so: a half-axis along the spinning row alone."""
    cone = rc.FrictionCone.from_arrays([[-1, 0]], [[0.0, 0.0, 0.1, 0.1, 0.4]])
    twin = rc.FrictionCone(0.0, 0.1, 0.4 * 3 * np.pi / 16)
    x = np.random.default_rng(7).normal(size=(30, 6))
    for point in x:
        assert cone.project(point[None])[0] == pytest.approx(twin.project(point), abs=4e-16)


@pytest.mark.parametrize("pressure", PRESSURES)
@pytest.mark.parametrize("ratio", [1e-6, 0.1, 1.0, 1e3])
def test_every_digit_of_the_cone(pressure: str, ratio: float) -> None:
    """x = p - t (h, ...) with p on the cone and its polar's boundary point beside: P(x) = p."""
    rng = np.random.default_rng(8)
    one = rc.Contensou(0.7, ratio, pressure)
    a, s = (mpf(float(part)) for part in (one.first, one.spinning))
    cone = rc.FrictionCone(one)
    with mp.workdps(60):
        for _ in range(40):
            u, y = mpf(10.0 ** rng.uniform(-4, 4)), mpf(10.0 ** rng.uniform(-4, 0))
            xi, eta = force_and_torque(pressure, u)
            p = [y, a * y * xi, s * y * eta]
            normal = [-(u * xi + eta), u / a, 1 / s]
            t = mpf(10.0 ** rng.uniform(-4, 2)) / mp.norm(normal)
            x = [float(c + t * n) for c, n in zip(p, normal, strict=True)]
            found = cone.project([x[0], x[1], 0.0, 0.0, 0.0, x[2]])[[0, 1, 5]]
            off = norm(found - np.array([float(c) for c in p]))
            assert off <= CLOSE * norm(np.array(x)), (u, y, off)


@pytest.mark.parametrize("kind", [-1, -2, -3, -4])
def test_axes_as_unequal_as_can_be(kind: int) -> None:
    """Half-axes from 1e-100 to 1e100: Moreau's conditions hold to rounding."""
    rng = np.random.default_rng(10)
    axes = [(a, s) for a in (1e-100, 1e-40, 1.0, 1e100) for s in (1e-100, 1.0, 1e40, 1e100)]
    a, s = np.repeat(axes, 50, axis=0).T
    radii = np.column_stack([a, a, np.full((len(a), 2), 0.1), s])
    cone = rc.FrictionCone.from_arrays(np.tile([kind, 0], (len(a), 1)), radii)
    x = rng.normal(size=(len(a), 6)) * 10.0 ** rng.uniform(-8, 0, (len(a), 6))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    p = cone.project(x)
    q = p - x
    assert np.abs(np.sum(p * q, axis=1)).max() <= 2e-14
    assert np.all(cone.shift(q) - q[:, 0] <= CLOSE * (1.0 + a + s))
    assert np.abs(cone.project(p) - p).max() <= CLOSE


def test_one_set_per_contact() -> None:
    rng = np.random.default_rng(9)
    mu, eps, x = rng.random(6), rng.choice(COEFFICIENTS, 6), rng.normal(size=(6, 6))
    together = rc.FrictionCone(rc.Contensou(mu, eps, "uniform"), 0.1)
    for i in range(6):
        alone = rc.FrictionCone(rc.Contensou(mu[i], eps[i], "uniform"), 0.1)
        assert together.project(x)[i].tolist() == alone.project(x[i]).tolist()
        assert together.shift(x)[i] == alone.shift(x[i])
    assert repr(rc.FrictionCone(rc.Contensou(0.5, 0.2), 0.1)) == (
        "FrictionCone(one law, sliding 0.5, rolling 0.1, spinning 0.1, Contensou (hertz))"
    )
    assert repr(rc.Contensou([0.5, 0.0], 0.2)) == "Contensou(0 to 0.5, 0.2, pressure='hertz')"


def test_modes_are_those_of_the_velocities() -> None:
    cone = rc.FrictionCone(rc.Contensou(0.5, 0.2))
    y, p = [[0, 1, 0, 0, 0, 2.0], [0, 0, 0, 0, 0, 0]], [[1, -0.1, 0, 0, 0, -0.01]] * 2
    assert cone.modes(y, p).tolist() == [
        "sliding, no-rolling, spinning",
        "sticking, no-rolling, no-spinning",
    ]
