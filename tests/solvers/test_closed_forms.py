"""One ball on the floor, every iterative solver: answers known by hand.

Under the associated law a closed contact that slides, rolls or spins lifts, so more
normal force goes with the same motion.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
from solver_cases import FORMS, ITERATIVE, LAWS, ROWS, VARIANTS, in_form, words

import rollcone as rc
from balls import INERTIA, MASS, RADIUS, ball

FALL = 1.0
PRESS = MASS * FALL  # normal impulse that stops the fall
ROLL = INERTIA + MASS * RADIUS**2  # inertia about the point of contact


def lifting(coefficient, speed, compliance):
    """r_n of the associated law: -v + r_n / m = c (speed - c r_n compliance)."""
    return (FALL + coefficient * speed) / (1 / MASS + coefficient**2 * compliance)


class Case(NamedTuple):
    """A throw along t1 and what comes of it: r_n by law, r_t1, m_t2 and m_n for that r_n."""

    velocity: tuple
    spin: tuple
    friction: dict
    rows: int  # at least
    normal: dict
    others: tuple  # functions of r_n, or None for zero
    modes: str


NO_LIFT = dict.fromkeys(LAWS, PRESS)
SLIDE = 1 / MASS + RADIUS**2 / INERTIA
STUCK = "sticking, no-rolling, no-spinning"
CASES = {
    "sticks": Case(  # a sliding sphere with enough friction rolls on
        (0.1, 0, -FALL), (0, 0, 0), {"sliding": 0.5}, 2,
        NO_LIFT, (lambda r: -2 / 7 * MASS * 0.1, None, None), "sticking",
    ),
    "slides": Case(
        (5.0, 0, -FALL), (0, 0, 0), {"sliding": 0.3}, 2,
        {"exact": PRESS, "associated": lifting(0.3, 5.0, SLIDE)},
        (lambda r: -0.3 * r, None, None), "sliding",
    ),
    "takes off": Case(
        (0.1, 0, 0.3), (0, 0, 0), {"sliding": 0.5}, 2,
        dict.fromkeys(LAWS, 0.0), (None, None, None), "take-off",
    ),
    "no friction": Case(
        (1.0, 0, -FALL), (0, 0, 0), {"sliding": 0.0}, 2, NO_LIFT, (None, None, None), "sliding",
    ),
    "huge friction": Case(
        (1.0, 0, -FALL), (0, 0, 0), {"sliding": 1e6}, 2,
        NO_LIFT, (lambda r: -2 / 7 * MASS, None, None), "sticking",
    ),
    "rests": Case(
        (0, 0, 0), (0, 0, 0), {"sliding": 0.5}, 2, dict.fromkeys(LAWS, 0.0), (None,) * 3, "",
    ),
    "slow roll stops": Case(
        (0.01, 0, -FALL), (0, 0.01 / RADIUS, 0), {"sliding": 0.5, "rolling": 0.02}, 5,
        NO_LIFT, (lambda r: -MASS * 0.01, lambda r: -ROLL * 0.01 / RADIUS, None),
        "sticking, no-rolling",
    ),
    "fast roll brakes": Case(  # no slip: r_t1 = m R dw
        (1.0, 0, -FALL), (0, 1.0 / RADIUS, 0), {"sliding": 0.5, "rolling": 0.02}, 5,
        {"exact": PRESS, "associated": lifting(0.02, 1.0 / RADIUS, 1 / ROLL)},
        (lambda r: -MASS * RADIUS * 0.02 * r / ROLL, lambda r: -0.02 * r, None),
        "sticking, rolling",
    ),
    "slow spin stops": Case(
        (0, 0, -FALL), (0, 0, 0.5), {"spinning": 0.1}, 6,
        NO_LIFT, (None, None, lambda r: -0.5 * INERTIA), STUCK,
    ),
    "fast spin brakes": Case(
        (0, 0, -FALL), (0, 0, 3.0), {"spinning": 0.1}, 6,
        {"exact": PRESS, "associated": lifting(0.1, 3.0, 1 / INERTIA)},
        (None, None, lambda r: -0.1 * r), "sticking, no-rolling, spinning",
    ),
}  # fmt: skip


def turned(x, rows):
    """The rows (n, t1, t2, w_t1, w_t2, w_n), turned about the normal by an angle of its own."""
    out = np.array(x, dtype=float)
    if rows > 2:
        for k in (1, 3):
            out[k : k + 2] = [[0.6, -0.8], [0.8, 0.6]] @ out[k : k + 2]
    return out[:rows]


@cache
def thrown(name, law, rows):
    """The problem and the reaction."""
    case = CASES[name]
    n, t1, t2, w1, w2, wn = turned(np.take([*case.velocity, *case.spin], [2, 0, 1, 3, 4, 5]), 6)
    if rows == 2:
        (t1, t2, n), (w1, w2, wn) = case.velocity, case.spin
    problem = ball((t1, t2, n), (w1, w2, wn), law, rows, **case.friction)
    normal = case.normal[law]
    slide, roll, spin = (0.0 if f is None else f(normal) for f in case.others)
    return problem, turned([normal, slide, 0, 0, roll, spin], rows)


# F = y + S(y) n changes by mu times as much as y: hopeless for mu = 1e6.
ON_THE_CONE = [("fixed-point", {"projection": "cone"}), ("extragradient", {})]


@pytest.mark.parametrize(("solver", "options"), VARIANTS, ids=words)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("rows", ROWS)
def test_one_ball(rows, law, form, solver, options):
    for name, case in CASES.items():
        if rows < case.rows:
            continue
        problem, reaction = thrown(name, law, rows)
        problem = in_form(problem, form)
        s = rc.solve(problem, solver, tolerance=1e-13, max_iterations=2_000, **options)
        if name == "huge friction" and law == "exact" and (solver, options) in ON_THE_CONE:
            assert s.status is rc.Status.MAX_ITERATIONS
            continue
        assert s.converged, name
        np.testing.assert_allclose(s.reactions[0], reaction, atol=2e-12, err_msg=name)
        assert s.modes(1e-9)[0].startswith(case.modes), name
        if not reaction.any():
            assert not s.reactions.any(), name


@pytest.mark.parametrize("solver", ITERATIVE)
def test_associated_law_lifts(solver):
    """u_n = mu |u_T| + rho |w_R| + sigma |w_n| at a contact that slides, rolls and spins."""
    given = {"sliding": 0.3, "rolling": 0.05, "spinning": 0.04}
    problem = ball((5.0, 0, -1.0), (1.0, 0, 9.0), "associated", **given)
    s = rc.solve(problem, solver, tolerance=1e-14)
    y = s.velocities[0]
    lift = 0.3 * np.hypot(y[1], y[2]) + 0.05 * np.hypot(y[3], y[4]) + 0.04 * abs(y[5])
    assert s.modes(1e-9)[0] == "sliding, rolling, spinning"
    assert y[0] == pytest.approx(lift, abs=1e-12)
    assert abs(np.dot(y, s.reactions[0])) < 1e-12


@pytest.mark.parametrize("solver", ITERATIVE)
def test_compliant_contact_that_sticks(solver):
    """The law is on y + C p: a soft contact that gives way a little does not slide."""
    problem = rc.ContactProblem.from_delassus(
        np.eye(3), [-1, 0.1, 0], sliding=[0.5], compliance=[0, 1, 1]
    )
    s = rc.solve(problem, solver, tolerance=1e-12)
    np.testing.assert_allclose(s.reactions[0], [1.0, -0.05, 0.0], atol=1e-11)
    assert s.modes()[0] == "sticking"
