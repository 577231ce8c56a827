"""What every projection on a closed convex cone does, for any mix of sets.

Checked against the definition: supports and maximisers are those of law_cases, not the library's.
`CLOSE` is the error allowed, as a part of the norm of the point.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from law_cases import CoupledLaw, Law
from law_strategies import QUICK, laws, norm, plane_laws, points, round_laws

CLOSE = 3e-15


@QUICK
@given(laws, points(6))
def test_idempotent(law: Law | CoupledLaw, x: np.ndarray) -> None:
    p = law.library().project(x)
    assert norm(law.library().project(p) - p) <= CLOSE * norm(x)


@QUICK
@given(laws, points(6), points(6))
def test_nonexpansive(law: Law | CoupledLaw, x: np.ndarray, z: np.ndarray) -> None:
    p, q = law.library().project([x, z])
    assert norm(p - q) <= norm(x - z) + CLOSE * (norm(x) + norm(z))


@QUICK
@given(laws, points(6))
def test_moreau_decomposition(law: Law | CoupledLaw, x: np.ndarray) -> None:
    """x = p - q with p in K, q in K* and p . q = 0."""
    size = norm(x) or 1.0
    p, q = law.library().project(x), law.library().project_dual(-x)
    assert norm(p - q - x) <= CLOSE * size
    p, q = p / size, q / size
    assert abs(p @ q) <= CLOSE
    assert q[0] - law.support(q[1:]) >= -CLOSE * law.steepness()
    assert p[0] >= 0.0
    for v in law.directions():  # p is within every line around y C
        assert p[1:] @ v <= p[0] * law.support(v) + CLOSE * norm(v)


@QUICK
@given(laws, points(6), st.floats(1e-3, 1e3))
def test_positive_homogeneity(law: Law | CoupledLaw, x: np.ndarray, factor: float) -> None:
    p = law.library().project(x / 1e3)
    scaled = law.library().project(factor * (x / 1e3))
    assert norm(scaled - factor * p) <= CLOSE * norm(factor * (x / 1e3))


@QUICK
@given(laws, points(6), st.integers(-40, 40))
def test_powers_of_two_commute_exactly(law: Law | CoupledLaw, x: np.ndarray, power: int) -> None:
    x = np.where(np.abs(x) < 1e-250, 0.0, x / 2.0**50)
    cone = law.library()
    assert np.array_equal(cone.project(np.ldexp(x, power)), np.ldexp(cone.project(x), power))


@QUICK
@given(laws, points(6), points(6))
def test_dual_inequality(law: Law | CoupledLaw, x: np.ndarray, y: np.ndarray) -> None:
    """y . p >= 0 for p in K and y in K*."""
    p, y = law.library().project(x / (norm(x) or 1.0)), y / (norm(y) or 1.0)
    y[0] = abs(y[0]) + law.support(y[1:])
    assert y @ p >= -CLOSE * law.steepness()


@QUICK
@given(laws, points(6), points(6))
def test_maximum_dissipation(law: Law | CoupledLaw, x: np.ndarray, y: np.ndarray) -> None:
    """Acary and Bourrier 2021 (46): no reaction with this r_n takes out more than r_n S(y)."""
    cone = law.library()
    p, y = cone.project(x / (norm(x) or 1.0)), y / (norm(y) or 1.0)
    most = float(cone.dissipation(y, p))
    assert -(p[1:] @ y[1:]) <= most + CLOSE * law.steepness()

    best = p[0] * np.array([1.0, *law.maximiser(-y[1:])])
    assert cone.contains(best)
    assert abs(-(best[1:] @ y[1:]) - most) <= CLOSE * p[0] * law.steepness()


@QUICK
@given(round_laws, points(6), st.floats(0.0, 7.0), st.floats(0.0, 7.0))
def test_rotations_of_the_plane_commute(
    law: Law | CoupledLaw, x: np.ndarray, first: float, second: float
) -> None:
    turn = np.eye(6)
    for k, angle in ((1, first), (3, second)):
        c, s = np.cos(angle), np.sin(angle)
        turn[k : k + 2, k : k + 2] = [[c, -s], [s, c]]
    cone = law.library()
    assert norm(cone.project(turn @ x) - turn @ cone.project(x)) <= CLOSE * norm(x)


@QUICK
@given(laws, points(6), st.lists(st.sampled_from([-1.0, 1.0]), min_size=5, max_size=5))
def test_mirrors_commute(law: Law | CoupledLaw, x: np.ndarray, signs: list[float]) -> None:
    mirror = np.array([1.0, *signs])
    cone = law.library()
    assert norm(cone.project(mirror * x) - mirror * cone.project(x)) <= CLOSE * norm(x)


@QUICK
@given(plane_laws, points(3))
def test_fewer_rows_are_zero_rows(law: Law, x: np.ndarray) -> None:
    whole = Law(law.sliding).library()
    assert whole.project(np.append(x, np.zeros(3)))[:3].tolist() == whole.project(x).tolist()
    assert whole.project(np.append(x, np.zeros(2)))[:3].tolist() == whole.project(x).tolist()
