"""Wrong input to the laws: each message names the field, the value and what is allowed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import rollcone as rc

COULOMB = rc.FrictionCone(0.3)

WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "nan": (lambda: rc.FrictionCone(np.nan), "sliding = nan: must be finite"),
    "nan in an array": (lambda: rc.FrictionCone(0.3, [0.1, np.nan]), "rolling[1] = nan: must be"),
    "infinite": (lambda: rc.FrictionCone(0.3, 0.1, np.inf), "spinning = inf: must be finite"),
    "negative": (lambda: rc.FrictionCone(-0.3), "sliding = -0.3: must be from 0 to 1e+100"),
    "one negative": (lambda: rc.FrictionCone(0.3, [0.1, -2.0]), "rolling = -2.0: must be from 0"),
    "huge": (lambda: rc.FrictionCone(1.01e100), "sliding = 1.01e+100: must be from 0 to 1e+100"),
    "text": (lambda: rc.FrictionCone("ice"), "sliding = 'ice': must be a number"),
    "complex": (lambda: rc.FrictionCone(1j), "sliding = 1j: must be a number"),
    "set for spin": (lambda: rc.FrictionCone(0.3, 0.1, rc.Disc(1)), "spinning = Disc(1)"),
    "lengths": (lambda: rc.FrictionCone([1, 2], [1, 2, 3]), "(2,), (3,), (): must be numbers or"),
    "a table": (lambda: rc.FrictionCone(np.ones((2, 2))), "shape (2, 2): must be numbers or one-"),
    "disc": (lambda: rc.Disc(-1.0), "radius = -1.0: must be from 0"),
    "ellipse": (lambda: rc.Ellipse(1.0, -2.0), "second = -2.0: must be from 0"),
    "box": (lambda: rc.Box(np.inf, 1.0), "first = inf: must be finite"),
    "interval": (lambda: rc.Interval(-1.0), "half_width = -1.0: must be from 0"),
    "unequal axes": (lambda: rc.Ellipse([1, 2], [1, 2, 3]), "Ellipse: shapes (), (2,), (3,) do"),
    "odd facets": (lambda: rc.Polygon(0.3, 5), "facets = 5: must be even"),
    "two facets": (lambda: rc.Polygon(0.3, 2), "facets = 2: must be even"),
    "broken facets": (lambda: rc.Polygon(0.3, [4, 6.5]), "facets = [4, 6.5]: must be even"),
    "endless facets": (lambda: rc.Polygon(0.3, 1e300), "facets = 1e+300: must be even"),
    "polygon radius": (lambda: rc.Polygon(np.nan, 4), "radius = nan: must be finite"),
    "four rows": (lambda: COULOMB.project(np.ones(4)), "points of shape (4,): must be (d,) or"),
    "one row": (lambda: COULOMB.project(np.ones((3, 1))), "d = 2, 3, 5 or 6"),
    "a number": (lambda: COULOMB.project(1.0), "points of shape (): must be (d,) or (n, d)"),
    "a stack": (lambda: COULOMB.project(np.ones((2, 2, 3))), "points of shape (2, 2, 3): must"),
    "nan point": (lambda: COULOMB.project([[1, np.nan, 0]]), "points[0, 1] = nan: must be finite"),
    "dual": (lambda: COULOMB.project_dual([1, np.inf, 0]), "points[1] = inf: must be finite"),
    "contains": (lambda: COULOMB.contains(np.ones(4)), "points of shape (4,)"),
    "dual contains": (lambda: COULOMB.dual_contains([np.nan] * 3), "points[0] = nan"),
    "shift": (lambda: COULOMB.shift([1, 2, np.nan]), "velocities[2] = nan: must be finite"),
    "power": (lambda: COULOMB.dissipation(np.ones(3), [np.nan, 0, 0]), "reactions[0] = nan"),
    "power, shapes": (lambda: COULOMB.dissipation(np.ones((2, 3)), np.ones((3, 3))), "one shape"),
    "power, number": (lambda: COULOMB.dissipation(np.ones(3), 1.0), "reactions (): must have one"),
    "count": (lambda: rc.FrictionCone([1, 2]).project(np.ones((3, 3))), "2 friction coefficients"),
    "rolling": (
        lambda: rc.FrictionCone(0.3, 0.1).project(np.ones(3)),
        "rolling friction needs con",
    ),
    "spinning": (lambda: rc.FrictionCone(0.3, 0, 0.1).shift(np.ones(5)), "6 rows or more; these"),
    "plane": (lambda: rc.FrictionCone(rc.Box(1, 1)).project([1, 0]), "sliding must be a number"),
    "triples": (lambda: rc.Disc(0.3).project(np.ones(3)), "points of shape (3,): the last axis"),
    "vectors": (lambda: rc.Disc(0.3).support([np.nan, 0]), "vectors[0] = nan"),
    "scale": (lambda: rc.Disc(0.3).project([1, 0], -1.0), "scale = -1.0: must be >= 0"),
    "nan scale": (lambda: rc.Disc(0.3).project([1, 0], np.nan), "scale = nan: must be finite"),
    "scales": (lambda: rc.Disc(0.3).project([[1, 0]], [1, 2]), "a scale of shape (2,) do not fit"),
    "discs": (lambda: rc.Disc([1, 2]).project(np.ones((3, 2))), "coefficients of shape (2,)"),
    "kinds": (lambda: rc.FrictionCone.from_arrays([[0, 5]], np.ones((1, 5))), "kind 5 of a set"),
    "arrays": (lambda: rc.FrictionCone.from_arrays([0, 0], np.ones(5)), "(2,) and radii (5,)"),
    "patch kind of rolling": (
        lambda: rc.FrictionCone.from_arrays([[0, -1]], np.ones((1, 5))),
        "kind -1 of a set: must be",
    ),
    "beside an ellipsoid": (
        lambda: rc.FrictionCone.from_arrays([[-4, 2]], np.ones((1, 5))),
        "rolling beside an ellipsoid: must be 0 (disc)",
    ),
    "patch axes": (
        lambda: rc.FrictionCone.from_arrays([[-2, 0]], [[1, 2, 1, 1, 0]]),
        "a coupled set: must be twice the same",
    ),
    "patch": (lambda: rc.Contensou(-0.3, 0.1), "sliding = -0.3: must be from 0 to 1e+100"),
    "patch radius": (lambda: rc.Contensou(0.3, -1), "contact_radius = -1.0: must be from 0"),
    "patch too wide": (
        lambda: rc.Contensou(1e60, 1e60),
        "sliding * contact_radius = 9.99",
    ),
    "patch shapes": (
        lambda: rc.Contensou([1, 2], [1, 2, 3]),
        "sliding of shape (2,) and contact_radius of shape (3,)",
    ),
    "pressure": (
        lambda: rc.Contensou(0.3, 0.1, "hertzian"),
        "pressure = 'hertzian': must be one of hertz, uniform, quadratic",
    ),
    "spinning twice": (
        lambda: rc.FrictionCone(rc.Contensou(0.3, 0.1), 0.0, 0.2),
        "spinning = 0.2 beside sliding = Contensou(0.3, 0.1, pressure='hertz'): must be 0",
    ),
    "patch for rolling": (
        lambda: rc.FrictionCone(0.3, rc.Contensou(0.3, 0.1)),
        "a Contensou set is one of sliding and spinning",
    ),
    "patch rows": (
        lambda: rc.FrictionCone(rc.Contensou(0.3, 0.0)).project(np.ones(5)),
        "Contensou (hertz) friction needs contacts with 6 rows; these have 5",
    ),
    "patch pairs": (
        lambda: rc.Contensou(0.3, 0.1).project(np.ones(2)),
        "points of shape (2,): the last axis must have length 3",
    ),
    "coupling": (
        lambda: rc.FrictionCone(0.3, coupling="elipsoid"),  # type: ignore[arg-type]
        "coupling = 'elipsoid': must be one of none, ellipsoid",
    ),
    "ellipsoid of sets": (
        lambda: rc.FrictionCone(rc.Box(1, 1), 0.1, coupling="ellipsoid"),
        "coupling = 'ellipsoid' with sliding = Box(1, 1) and rolling = Disc(0.1): must be numbers",
    ),
    "ellipsoid of a patch": (
        lambda: rc.FrictionCone(rc.Contensou(0.3, 0.1), coupling="ellipsoid"),
        "coupling = 'ellipsoid' with sliding = Contensou(0.3, 0.1",
    ),
    "plane ellipsoid": (
        lambda: rc.FrictionCone(0.3, coupling="ellipsoid").project([1, 0]),
        "sliding must be a number, without coupling",
    ),
    "disc axes": (lambda: rc.FrictionCone.from_arrays([[0, 0]], [[1, 2, 1, 1, 0]]), "twice the"),
}


@pytest.mark.parametrize("name", WRONG)
def test_messages(name: str) -> None:
    call, message = WRONG[name]
    with pytest.raises(rc.InputError) as caught:
        call()
    assert message in str(caught.value)


def test_input_errors_are_value_errors() -> None:
    with pytest.raises(ValueError, match="sliding = -1"):
        rc.FrictionCone(-1)


def test_the_largest_and_the_smallest_coefficients() -> None:
    assert rc.FrictionCone(1e100, 1e100, 1e100).project([-1, 1, 0, 1, 0, 1]) == pytest.approx(
        [1e-100, 1, 0, 1, 0, 1], rel=1e-15
    )
    assert rc.FrictionCone(1e-101).project([1, 1, 0]).tolist() == [1, 0, 0]


def test_a_coefficient_of_zero_needs_no_rows() -> None:
    cone = rc.FrictionCone(0.3, np.zeros(2), 0.0)
    assert cone.project([[1, 0.3, 0], [1, 0, 0.3]]).tolist() == [[1, 0.3, 0], [1, 0, 0.3]]
