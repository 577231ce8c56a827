"""Derivatives of the law's projections, against differences of the projections themselves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from patch_reference import PRESSURES

import rollcone as rc
from rollcone.laws.friction_set import FrictionSet
from rollcone.laws.kernels.slope import law_slope

SETS = {
    "disc": rc.Disc(0.7),
    "ellipse": rc.Ellipse(0.7, 0.2),
    "box": rc.Box(0.7, 0.2),
    "interval": rc.Interval(0.7),
    "pyramid": rc.Polygon(0.7, 4),
    "polygon": rc.Polygon(0.7, 6),
}
COUPLED = {
    **{name: {"sliding": rc.Contensou(0.7, 0.6, name)} for name in PRESSURES},
    "thin": {"sliding": rc.Contensou(0.7, 0.01), "rolling": rc.Ellipse(0.3, 0.2)},
    "no radius": {"sliding": rc.Contensou(0.7, 0.0)},
    "ellipsoid": {"sliding": 0.7, "rolling": 0.3, "spinning": 0.4, "coupling": "ellipsoid"},
    "flat ellipsoid": {"sliding": 0.7, "spinning": 0.4, "coupling": "ellipsoid"},
}


def cone_of(name: str, slot: str, rows: int) -> rc.FrictionCone:
    if rows == 2:
        given_ = {"sliding": 0.7}
        return rc.ContactProblem.from_delassus(np.eye(2), np.zeros(2), rows=2, **given_).cone
    given_ = {"sliding": SETS[name]} if slot == "sliding" else {"rolling": SETS[name]}
    given_ = {"sliding": 0.5} | given_
    if rows > 3:
        given_ = {"rolling": 0.3} | given_
    if rows > 5:
        given_["spinning"] = 0.4
    one = rc.ContactProblem.from_delassus(np.eye(rows), np.zeros(rows), rows=rows, **given_)
    return one.cone


def slopes(cone: rc.FrictionCone, exact: bool, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """P(x) and its derivative, for one point (d,)."""
    d = len(x)
    wide, p, D = np.zeros(6), np.empty(6), np.empty((6, 6))
    wide[:d] = x
    law_slope(exact, cone.kinds[0], cone.radii[0], wide, p, D)
    return p[:d], D[:d, :d]


def projected(cone: rc.FrictionCone, exact: bool, x: np.ndarray) -> np.ndarray:
    """P(x) by the public functions: on the cone, or set by set at the normal force max(x_0, 0)."""
    if not exact:
        return cone.project(x[None])[0]
    normal = max(x[0], 0.0)
    wide = np.zeros(6)
    wide[: len(x)] = x
    parts = [[normal]]
    for which, k in ((0, 1), (1, 3)):
        one = FrictionSet(cone.kinds[0, which], *cone.radii[0, 2 * which : 2 * which + 2])
        parts.append(one.project(wide[k : k + 2], normal))
    parts.append([np.clip(wide[5], -cone.radii[0, 4] * normal, cone.radii[0, 4] * normal)])
    return np.concatenate(parts)[: len(x)]


@pytest.mark.parametrize("exact", [True, False], ids=["exact", "associated"])
@given(
    name=st.sampled_from(sorted(SETS)),
    slot=st.sampled_from(["sliding", "rolling"]),
    rows=st.sampled_from([2, 3, 5, 6]),
    seed=st.integers(0, 10**6),
)
def test_slope_is_the_derivative(exact, name, slot, rows, seed):
    """Both one-sided differences in a random direction agree with it, away from kinks."""
    assume(slot == "sliding" or rows > 3)
    assume(rows > 2 or name == "disc")
    rng = np.random.default_rng(seed)
    cone = cone_of(name, slot, rows)
    x = rng.normal(0.5, 1.0, rows)
    np.testing.assert_allclose(slopes(cone, exact, x)[0], projected(cone, exact, x), atol=1e-14)
    check_derivative(cone, exact, x, rng.standard_normal(rows))


@pytest.mark.parametrize("exact", [True, False], ids=["exact", "associated"])
@given(name=st.sampled_from(sorted(COUPLED)), seed=st.integers(0, 10**6))
def test_slope_of_coupled_sets(exact, name, seed):
    rng = np.random.default_rng(seed)
    cone = rc.ContactProblem.from_delassus(np.eye(6), np.zeros(6), rows=6, **COUPLED[name]).cone
    x = rng.normal(0.5, 1.0, 6)
    if rng.random() < 0.2:
        x[1:3] = 0.0  # where |l_T| has no direction
    check_derivative(cone, exact, x, rng.standard_normal(6))


def check_derivative(cone, exact, x, way):
    h = 1e-6
    p, D = slopes(cone, exact, x)
    ahead = (slopes(cone, exact, x + h * way)[0] - p) / h
    behind = (p - slopes(cone, exact, x - h * way)[0]) / h
    assume(np.allclose(ahead, behind, atol=1e-4))  # a kink lies between
    np.testing.assert_allclose(D @ way, (ahead + behind) / 2, atol=2e-4)
    if not exact:
        np.testing.assert_allclose(D, D.T, atol=1e-14)
        values = np.linalg.eigvalsh(D)
        assert values.min() >= -1e-12
        assert values.max() <= 1 + 1e-12


@pytest.mark.parametrize("exact", [True, False], ids=["exact", "associated"])
def test_slope_of_what_sticks_and_of_what_is_open(exact):
    cone = cone_of("disc", "sliding", 6)
    _inside, D = slopes(cone, exact, np.array([2.0, 0.1, -0.2, 0.1, 0.1, -0.3]))
    np.testing.assert_array_equal(D, np.eye(6))
    away, D = slopes(cone, exact, np.array([-3.0, 0.1, -0.2, 0.1, 0.1, -0.3]))
    assert not away.any()
    assert not D.any()


def test_no_friction_no_slope():
    cone = rc.ContactProblem.from_delassus(np.eye(3), np.zeros(3), sliding=0.0, rows=3).cone
    _, D = slopes(cone, True, np.array([2.0, 0.0, 0.5]))
    np.testing.assert_array_equal(D, np.diag([1.0, 0.0, 0.0]))
