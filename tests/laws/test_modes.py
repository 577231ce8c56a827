"""modes() on contacts built by hand: Acary and Bourrier 2021 (21), times spinning."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import rollcone as rc

MU, RHO, SIGMA = 0.5, 0.2, 0.1
U_T, W_R, W_N = np.array([0.6, -0.8]), np.array([-2.0, 0.0]), 3.0


def contact(d: int, slides: bool, rolls: bool, spins: bool) -> tuple[np.ndarray, np.ndarray]:
    """y and p of (21), d rows; a set at its limit opposes the velocity, another is half used."""
    y, p = np.zeros(6), np.zeros(6)
    p[0] = 2.0
    p[1:3] = -MU * p[0] * U_T / np.hypot(*U_T) * (1.0 if slides else 0.5)
    p[3:5] = -RHO * p[0] * W_R / np.hypot(*W_R) * (1.0 if rolls else 0.5)
    p[5] = -SIGMA * p[0] * (1.0 if spins else 0.5)
    y[1:3] = slides * U_T
    y[3:5] = rolls * W_R
    y[5] = spins * W_N
    return y[:d], p[:d]


def cone(d: int) -> rc.FrictionCone:
    return rc.FrictionCone(MU, RHO if d > 3 else 0.0, SIGMA if d > 5 else 0.0)


def name(d: int, slides: bool, rolls: bool, spins: bool) -> str:
    words = ["sliding" if slides else "sticking"]
    words += ["rolling" if rolls else "no-rolling"] if d > 3 else []
    words += ["spinning" if spins else "no-spinning"] if d > 5 else []
    return ", ".join(words)


@pytest.mark.parametrize("d", [2, 3, 5, 6])
def test_every_mode(d: int) -> None:
    for moves in product([False, True], repeat=3):
        y, p = contact(d, *moves)
        assert cone(d).contains(p)
        assert cone(d).modes(y, p) == name(d, *moves)
        power = -(p @ y)  # (43): in all modes friction takes out r_n S(y)
        if d > 2:
            assert power == pytest.approx(float(cone(d).dissipation(y, p)), rel=1e-15)


def test_the_words() -> None:
    assert cone(6).modes(*contact(6, True, False, True)) == "sliding, no-rolling, spinning"
    assert cone(5).modes(*contact(5, False, True, False)) == "sticking, rolling"
    assert cone(3).modes(*contact(3, True, False, False)) == "sliding"


@pytest.mark.parametrize("d", [2, 3, 5, 6])
def test_take_off(d: int) -> None:
    y = np.append(0.3, np.ones(d - 1))
    assert cone(d).modes(y, np.zeros(d)) == "take-off"
    both = cone(d).modes([y, y], [np.zeros(d), contact(d, True, True, True)[1]])
    assert both.tolist() == ["take-off", name(d, True, True, True)]


@pytest.mark.parametrize(("row", "word"), [(2, "sliding"), (4, "rolling"), (5, "spinning")])
def test_each_row_counts_from_the_tolerance_on(row: int, word: str) -> None:
    _, p = contact(6, False, False, False)
    y = np.zeros(6)
    for speed, moves in ((0.9e-3, False), (1.1e-3, True), (-1.1e-3, True), (1e200, True)):
        y[row] = speed
        assert (word in cone(6).modes(y, p, tolerance=1e-3).item().split(", ")) is moves


def test_tiny_reactions_are_take_off_next_to_large_ones() -> None:
    y, p = contact(3, True, False, False)
    names = cone(3).modes([y, y, y], [1e-13 * p, 1e-11 * p, p])
    assert names.tolist() == ["take-off", "sliding", "sliding"]
    assert cone(3).modes(y, 1e-13 * p) == "sliding"  # nothing to compare with


def test_shapes() -> None:
    y, p = contact(5, True, True, False)
    assert cone(5).modes(y, p).shape == ()
    assert cone(5).modes([y], [p]).shape == (1,)
    assert cone(5).modes(np.zeros((0, 5)), np.zeros((0, 5))).shape == (0,)
    with pytest.raises(rc.InputError, match=r"\(1, 5\).*\(2, 5\)"):
        cone(5).modes([y], [p, p])
    with pytest.raises(rc.InputError, match=r"reactions\[0\] = nan"):
        cone(5).modes(y, np.full(5, np.nan))
