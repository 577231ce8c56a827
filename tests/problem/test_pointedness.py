"""Is the friction cone pointed: one ball or box, by hand."""

import numpy as np
import pytest
from pointed_cases import (
    BOTH,
    CEILING,
    DOWN,
    FLOOR,
    FORMS,
    INF,
    UP,
    ball,
    both_forms,
    in_groove,
    prove,
    verdict,
)

import rollcone as rc

pytest.importorskip("clarabel")


# One ball, by hand.


@both_forms
@pytest.mark.parametrize("rows", [2, 3, 5, 6])
@pytest.mark.parametrize("strength", [0.0, 0.3, 1e3])
def test_one_contact_is_pointed(rows, strength, form):
    given = {"sliding": strength}
    if rows > 3:
        given["rolling"] = strength
    if rows > 5:
        given["spinning"] = 0.1 * strength
    assert verdict(form(ball(FLOOR, rows, tangents=[np.eye(3)[0]], **given))) == "pointed"


@both_forms
@pytest.mark.parametrize("mu", [0.0, 0.3])
def test_between_two_walls(mu, form):
    problem = form(ball(in_groove(0.0), 6, sliding=mu, rolling=0.01))
    answer = problem.is_pointed()
    assert prove(problem, answer) == "not pointed"
    assert not answer
    np.testing.assert_array_equal(answer.carriers, [0, 1])
    np.testing.assert_allclose(answer.reactions.reshape(2, 6)[:, 0], 1.0, atol=1e-7)
    assert answer.imbalance < (1e-14 if form is FORMS["bodies"] else 1e-7)


SETS = {
    "disc": lambda mu: mu,
    "ellipse": lambda mu: rc.Ellipse(mu, 0.01),
    "box": lambda mu: rc.Box(mu, 0.01),
    "interval": rc.Interval,
    "pyramid": lambda mu: rc.Polygon(mu, 4),
    "hexagon": lambda mu: rc.Polygon(mu, 6),
}


@both_forms
@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("angle", [0.1, 0.5, 1.2])
def test_wedged_in_a_groove(angle, name, form):
    """Two forces on a body cancel only along the line of their points, here horizontal, at
    `angle` to both normals: wedged just if mu >= tan(angle)."""
    for side, expected in ((-1e-3, "pointed"), (1e-3, "not pointed")):
        sliding = SETS[name](np.tan(angle) * (1 + side))
        problem = form(ball(in_groove(angle), sliding=sliding))
        answer = problem.is_pointed()
        assert answer.verdict == expected
        assert bool(answer) == (side < 0)
        if name == "disc":
            prove(problem, answer)


@both_forms
@pytest.mark.parametrize("contacts", [3, 5])
def test_wedged_in_a_cup(contacts, form):
    """Normals rise at 0.6 to the horizontal all around: no force points down if mu < tan(0.6)."""
    turn = 2 * np.pi * np.arange(contacts) / contacts + 0.3
    ring = np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=1)
    normals = np.cos(0.6) * ring + np.sin(0.6) * FLOOR
    tangents = np.sin(0.6) * ring - np.cos(0.6) * FLOOR
    for side, expected in ((-1e-3, "pointed"), (1e-3, "not pointed")):
        mu = np.tan(0.6) * (1 + side)
        assert verdict(form(ball(normals, tangents=tangents, sliding=mu))) == expected


@both_forms
@pytest.mark.parametrize(("mu", "rho"), [(0.0, 0.04), (0.2, 0.0), (0.2, 0.04)])
def test_walls_that_press_past_each_other(mu, rho, form):
    """Two parallel walls a distance w apart press at points offset by e: the couple N e needs
    friction, mu N w, and rolling resistance, 2 rho N."""
    w, offset = 1.0, mu * 1.0 + 2 * rho
    for side, expected in ((-1e-3, "not pointed"), (1e-3, "pointed")):
        e = offset * (1 + side)
        points = np.array([[0.5 * e, 0.0, -0.5 * w], [-0.5 * e, 0.0, 0.5 * w]])
        walls = np.array([FLOOR, CEILING])
        problem = form(ball(walls, 5, points=points, sliding=mu, rolling=rho))
        assert verdict(problem) == expected


@both_forms
@pytest.mark.parametrize("row", [1, 2, 3, 4, 5])
def test_every_row_can_help(row, form):
    """A bilateral row that needs the reaction c r_n in one row of the contact: c <= coefficient."""
    coefficients = np.array([0.3, 0.3, 0.07, 0.07, 0.02])
    H = np.zeros((7, 6))
    H[:6] = np.eye(6)
    for side, expected in ((-1e-3, "not pointed"), (1e-3, "pointed")):
        H[6] = 0.0
        H[6, [0, row]] = 1.0, -coefficients[row - 1] * (1 + side)
        problem = rc.ContactProblem.from_bodies(
            np.ones(6), H, np.zeros(6), rows=6, bounds=[BOTH],
            sliding=0.3, rolling=0.07, spinning=0.02,
        )  # fmt: skip
        assert verdict(form(problem)) == expected


# Extra rows and compliance.

Z = np.eye(6)[2]
ROWS = {
    "twice the same bilateral row": ([Z, 3 * Z], [BOTH, BOTH], "not pointed"),
    "two independent ones": ([Z, np.eye(6)[0]], [BOTH, BOTH], "pointed"),
    "the floor from both sides": ([Z, Z], [UP, DOWN], "not pointed"),
    "the floor twice": ([Z, 2 * Z], [UP, UP], "pointed"),
    "the floor twice, downwards": ([Z, 2 * Z], [DOWN, DOWN], "pointed"),
    "bounds that are not zero": ([Z, Z], [(-3.0, INF), (-INF, 5.0)], "not pointed"),
    "a bounded row helps nobody": ([Z, Z], [BOTH, (-1.0, 1.0)], "pointed"),
    "a row that moves nothing": ([0 * Z], [BOTH], "not pointed"),
    "more rows than velocities": (np.vander([1.0, 2, 3, 4, 5, 6, 7], 6), [BOTH] * 7, "not pointed"),
}


@both_forms
@pytest.mark.parametrize("name", ROWS)
def test_extra_rows_alone(name, form):
    extra, bounds, expected = ROWS[name]
    problem = rc.ContactProblem.from_bodies(
        np.full(6, 2.0), np.array(extra), np.zeros(6), rows=3, bounds=bounds
    )
    assert verdict(form(problem)) == expected


def test_rows_that_carry_little():
    """p = (1, 1e-5, 1) is what it takes, and not p = (1, 0, 1), which is nearly as good; the last
    row only seems to carry something."""
    H = np.array([[1.0, 0, 0], [0, 1.0, 0], [-1.0, -1e-5, 0], [0, 0, 1.0]])
    problem = rc.ContactProblem.from_bodies(np.ones(3), H, np.zeros(3), rows=3, bounds=[UP] * 4)
    answer = problem.is_pointed()
    assert prove(problem, answer) == "not pointed"
    np.testing.assert_array_equal(answer.carrying_rows, [0, 1, 2])
    np.testing.assert_allclose(answer.reactions, [1.0, 1e-5, 1.0, 0.0], rtol=1e-12)
    assert answer.imbalance < 1e-14


def test_compliant_row_carries_nothing():
    H = np.array([Z, 3 * Z])
    for soft, expected in (([0.0, 1e-9], "pointed"), ([0.0, 0.0], "not pointed")):
        problem = rc.ContactProblem.from_bodies(
            np.ones(6), H, np.zeros(6), rows=3, bounds=[BOTH, BOTH], compliance=soft
        )
        assert verdict(problem) == verdict(problem.to_delassus()) == expected


@both_forms
@pytest.mark.parametrize(
    ("extra", "bounds", "expected"),
    [
        (Z, BOTH, "not pointed"),  # holds the ball down on the floor
        (Z, UP, "pointed"),
        (Z, DOWN, "not pointed"),  # a ceiling
        (Z, (-1.0, 1.0), "pointed"),
        (np.eye(6)[0], BOTH, "pointed"),
        (np.eye(6)[5], BOTH, "pointed"),
    ],
)
def test_a_row_at_a_ball_on_the_floor(extra, bounds, expected, form):
    tangents = [np.eye(3)[0]]
    problem = ball(FLOOR, tangents=tangents, sliding=0.5, extra=[extra], bounds=[bounds])
    assert verdict(form(problem)) == expected


@both_forms
@pytest.mark.parametrize(
    ("soft", "expected"),
    [
        ([0], "pointed"),  # a normal row
        ([1], "pointed"),  # friction in the plane of the groove
        ([2, 5], "not pointed"),  # friction along the groove
        ([3, 4], "pointed"),
        ([], "not pointed"),
    ],
)
@pytest.mark.parametrize("size", [1e-12, 1.0])
def test_compliance_carries_no_self_stress(soft, size, expected, form):
    compliance = np.zeros(6)
    compliance[soft] = size
    problem = form(ball(in_groove(0.4), sliding=2 * np.tan(0.4), compliance=compliance))
    answer = problem.is_pointed()
    assert answer.verdict == expected
    if expected == "not pointed":
        assert prove(problem, answer) == expected
        assert not answer.reactions[soft].any()


def test_contact_that_nothing_can_move():
    """Both bodies fixed: any reaction acts on nothing."""
    problem = ball([FLOOR, FLOOR], tangents=np.eye(3)[[0, 0]], sliding=0.5)
    W = problem.to_delassus().form.W.toarray()
    W[:3], W[:, :3] = 0.0, 0.0
    fixed = rc.ContactProblem.from_delassus(W, np.zeros(6), sliding=0.5, rows=3)
    answer = fixed.is_pointed()
    assert prove(fixed, answer) == "not pointed"
    np.testing.assert_array_equal(answer.carriers, [0])
    assert "1 of 2 contacts (0) carries reactions" in answer.report()


def test_nothing_at_all():
    problem = rc.ContactProblem.from_bodies(np.ones(6), np.zeros((0, 6)), np.zeros(6), rows=3)
    for each in (problem, problem.to_delassus()):
        answer = each.is_pointed()
        assert answer
        assert answer.margin == answer.independence == INF
