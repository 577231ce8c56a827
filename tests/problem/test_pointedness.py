"""Is the friction cone pointed: closed forms, linear programs, problems made to be so or not.

Every answer's proof is checked here once more, from the formulas alone.
"""

import itertools
import sys

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

import rollcone as rc
import twins
from rollcone.problem.residual import residuals

pytest.importorskip("clarabel")

INF = np.inf
BOTH, UP, DOWN = (-INF, INF), (0.0, INF), (-INF, 0.0)
FORMS = {"bodies": lambda problem: problem, "delassus": rc.ContactProblem.to_delassus}
both_forms = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)


def prove(problem, answer):
    """The answer's own numbers, by plain arithmetic on discs; returns the verdict."""
    n, d, m = problem.contacts, problem.rows, problem.extra_rows
    radii = problem.cone.radii[:, [0, 2, 4]]
    lower, upper = problem.bounds.T
    if answer.verdict == "pointed" and answer.velocities is not None:
        matrix, cause = raw(problem), answer.body_velocities
        cause = answer.impulses if cause is None else cause
        y = matrix @ cause
        rounding = 1e-13 * (np.abs(matrix) @ np.abs(cause)).max()
        np.testing.assert_allclose(y, answer.velocities, rtol=0, atol=rounding)
        contacts, rows = y[: n * d].reshape(n, d), y[n * d :]
        for u, coefficients in zip(contacts, radii, strict=True):
            assert u[0] - twins.shift(u, coefficients) > 1 - 1e-9 - 10 * rounding
        assert (rows[np.isinf(upper) & np.isfinite(lower)] > 1 - 1e-9).all()
        assert (rows[np.isinf(lower) & np.isfinite(upper)] < -1 + 1e-9).all()
        held = np.abs(rows[np.isinf(upper) & np.isinf(lower)])
        assert held.max(initial=0.0) < 1e-6 * np.abs(y).max()
    if answer.verdict == "not pointed":
        p = answer.reactions
        contacts, rows = p[: n * d].reshape(n, d), p[n * d :]
        for each, coefficients in zip(contacts, radii, strict=True):
            for c, group in zip(coefficients, twins.groups(d), strict=False):
                assert np.linalg.norm(each[group]) <= c * each[0] * (1 + 1e-12)
        assert (contacts[:, 0] >= 0).all()
        assert (rows[np.isfinite(upper)] <= 0).all()
        assert (rows[np.isfinite(lower)] >= 0).all()
        assert np.abs(p).max() > 0
        matrix = raw(problem).T
        near = 1e-12 if hasattr(problem.form, "H") else 1e-6
        assert np.abs(matrix @ p).max() <= near * np.abs(matrix).max() * np.abs(p).max()
        np.testing.assert_array_equal(answer.carriers, np.flatnonzero(contacts[:, 0]))
        np.testing.assert_array_equal(answer.carrying_rows, np.flatnonzero(rows))
    if m == 0:
        assert answer.margin <= answer.imbalance
    return answer.verdict


def raw(problem):
    return (problem.form.W if hasattr(problem.form, "W") else problem.form.H).toarray()


def verdict(problem):
    return prove(problem, problem.is_pointed())


def ball(normals, rows=3, radius=0.5, tangents=None, points=None, extra=(), **given):
    """A ball of 2 kg touched from outside; t1 lies in the plane of its normal and z."""
    H = []
    for i, n in enumerate(np.atleast_2d(normals)):
        t1 = np.cross([0, 1.0, 0], n) if tangents is None else tangents[i]
        t2 = np.cross(n, t1)
        arm = -radius * n if points is None else points[i]
        block = [np.r_[e, np.cross(arm, e)] for e in (n, t1, t2)]
        block += [np.r_[np.zeros(3), e] for e in (t1, t2, n)]
        H += block[:1] + block[1:2] if rows == 2 else block[:rows]
    inertia = 0.4 * 2.0 * radius**2
    H = np.array([*H, *extra])
    return rc.ContactProblem.from_bodies(
        np.diag([2.0] * 3 + [inertia] * 3)[None], H, np.zeros(6), rows=rows, **given
    )


def in_groove(angle):
    """Normals of two walls, each inclined by `angle` to the vertical plane between them."""
    return np.array([[s * np.cos(angle), 0.0, np.sin(angle)] for s in (1, -1)])


FLOOR, CEILING = np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, -1.0])


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


# Many bodies.


def lattice(side, lid, *, length=1.0, mass_ratio=1.0, mu=0.3):
    """Spheres in a cubic lattice in a box, with or without its three far walls."""
    from rollcone.problems.geometry import GROUND, contact_matrix, sphere_masses

    cells = list(itertools.product(range(side), repeat=3))
    pairs, normals, points = [], [], []
    for number, cell in enumerate(cells):
        for axis in np.eye(3):
            far = tuple(int(c) for c in cell + axis)
            if far in cells:
                pairs.append((number, cells.index(far)))
            elif lid:
                pairs.append((number, GROUND))
            if far in cells or lid:
                normals.append(axis)
                points.append(cell + 0.5 * axis)
            if cell @ axis == 0:
                pairs.append((GROUND, number))
                normals.append(axis)
                points.append(cell - 0.5 * axis)
    rng = np.random.default_rng(0)
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    n = len(cells)
    H = contact_matrix(
        n, np.array(pairs), normals @ turn, length * np.array(points) @ turn,
        length * np.array(cells) @ turn, 5,
    )  # fmt: skip
    M = sphere_masses(np.full(n, 0.5 * length), 1e3) * mass_ratio ** rng.random((n, 1, 1))
    return rc.ContactProblem.from_bodies(
        M, H, np.zeros(6 * n), sliding=mu, rolling=0.02 * length, rows=5
    )


@both_forms
@pytest.mark.parametrize("lid", [True, False])
def test_box_full_of_spheres(lid, form):
    """A lid locks all of them in: every line of spheres is braced between two walls."""
    problem = form(lattice(3, lid))
    answer = problem.is_pointed()
    assert prove(problem, answer) == ("not pointed" if lid else "pointed")
    assert len(answer.carriers) == (108 if lid else 0)


def test_masses_and_units_do_not_matter():
    margins = []
    for more in ({}, {"length": 1e3}, {"length": 1e-3}, {"mass_ratio": 1e12}):
        problem = lattice(2, False, **more)
        answer = problem.is_pointed()
        assert prove(problem, answer) == "pointed"
        margins.append(answer.margin)
        assert verdict(lattice(2, True, **more)) == "not pointed"
    np.testing.assert_allclose(margins, margins[0], rtol=1e-7)


@both_forms
def test_heap_in_two_units(form):
    si, scaled = (form(rc.problems.heap(40, units=units)) for units in ("SI", "scaled"))
    one, other = si.is_pointed(), scaled.is_pointed()
    assert prove(si, one) == prove(scaled, other) == "pointed"
    assert one.margin == pytest.approx(other.margin, rel=1e-6)
    assert one.margin == pytest.approx(one.imbalance, rel=1e-6)


@pytest.mark.parametrize("mu", [0.0, 0.5, 10.0])
def test_boxes_on_the_floor(mu):
    """Friction under a box needs normal forces that nothing holds down; a ceiling does."""
    tower = rc.problems.stack(3, sliding=mu)
    assert verdict(tower) == "pointed"
    H = tower.form.H.toarray()
    held = rc.ContactProblem.from_bodies(
        tower.form.mass.blocks, np.vstack([H, ceiling_rows()]),
        tower.form.v_free, sliding=mu, rows=3,
    )  # fmt: skip
    assert verdict(held) == "not pointed"


def ceiling_rows():
    """A fixed point that touches the middle of the top of the third box from above."""
    rows = np.zeros((3, 18))
    for row, e in zip(rows, (CEILING, *np.eye(3)[:2]), strict=True):
        row[12:] = np.r_[e, np.cross([0, 0, 0.5], e)]
    return rows


# Against a linear program, which needs no cones of second order.


def corners(kind, a, b):
    if kind == "box":
        return np.array(list(itertools.product((-a, a), (-b, b))))
    angles = 2 * np.pi * np.arange(kind) / kind
    return a * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def self_stress_by_linear_program(H, generators):
    """Is there p = sum of generators, weights >= 0 that sum to one, with H^T p = 0?"""
    n, d = len(generators), generators[0].shape[1]
    columns = [
        H[i * d : (i + 1) * d].T @ g for i, rays in enumerate(generators) for g in rays
    ]  # fmt: skip
    A = np.column_stack(columns)
    assert n * d == len(H)
    found = linprog(
        np.zeros(A.shape[1]), A_eq=np.vstack([A, np.ones(A.shape[1])]),
        b_eq=np.r_[np.zeros(len(A)), 1.0],
    )  # fmt: skip
    return found.status == 0


@pytest.mark.parametrize("rows", [3, 5, 6])
@pytest.mark.parametrize("kind", ["box", 4, 6])
def test_agrees_with_a_linear_program(kind, rows):
    found = []
    for seed in range(8):
        rng = np.random.default_rng([seed, rows])
        n = 3
        a, b, c, e, spin = rng.uniform(0.1, 0.8, 5)
        slide = rc.Box(a, b) if kind == "box" else rc.Polygon(a, kind)
        roll = rc.Box(c, e) if kind == "box" else rc.Polygon(c, kind)
        given = {"sliding": slide}
        factors = [np.ones((1, 1)), corners(kind, a, b)]
        if rows > 3:
            given["rolling"] = roll
            factors.append(corners(kind, c, e))
        if rows > 5:
            given["spinning"] = spin
            factors.append(np.array([[-spin], [spin]]))
        rays = np.array([np.concatenate(parts) for parts in itertools.product(*factors)])
        dofs = 4 if rows == 3 else 5
        H = rng.normal(size=(n * rows, dofs))
        problem = rc.ContactProblem.from_bodies(
            rng.uniform(0.5, 2.0, dofs), H, np.zeros(dofs), rows=rows, **given
        )
        expected = "not pointed" if self_stress_by_linear_program(H, [rays] * n) else "pointed"
        assert problem.is_pointed().verdict == expected
        assert problem.to_delassus().is_pointed().verdict == expected
        found.append(expected)
    assert len(set(found)) == 2  # both answers were put to the test


# Made to be pointed, or not.

shapes = st.tuples(
    st.integers(1, 6), st.sampled_from([2, 3, 5, 6]), st.integers(0, 1), st.integers(0, 2**32 - 1)
)


def random_parts(shape):
    n, rows, m, seed = shape
    rng = np.random.default_rng(seed)
    radii = 10 ** rng.uniform(-4, 0.5, (n, 3)) * (rng.random((n, 3)) < 0.8)
    radii[:, 1] *= rows > 3
    radii[:, 2] *= rows > 5
    given = dict(zip(("sliding", "rolling", "spinning"), radii.T, strict=True))
    return n, rows, m, rng, radii, {**given, "rows": rows, "bounds": [BOTH] * m}


def in_cone(rng, radii, rows):
    p = np.zeros(rows)
    p[0] = rng.uniform(0.1, 1.0)
    for c, group in zip(radii, twins.groups(rows), strict=False):
        direction = rng.normal(size=len(p[group]))
        p[group] = c * p[0] * rng.uniform(0, 1) * direction / np.linalg.norm(direction)
    return p


def braced(shape):
    """A problem with H random, less the part of it that feels the reactions p, and p. Some
    contacts have none."""
    n, rows, m, rng, radii, given = random_parts(shape)
    p = np.concatenate([*(in_cone(rng, radii[i], rows) for i in range(n)), rng.normal(size=m)])
    strength = 10 ** rng.uniform(-3, 0, n) * np.r_[1, rng.random(n - 1) < 0.6]
    p[: n * rows] *= np.repeat(strength, rows)
    H = rng.normal(size=(n * rows + m, 6 * n))
    H -= np.outer(p, p @ H) / (p @ p)
    return rc.ContactProblem.from_bodies(np.ones(6 * n), H, np.zeros(6 * n), **given), p


@settings(max_examples=25)
@given(shapes)
def test_self_stress_made_to_order(shape):
    problem, p = braced(shape)
    n, rows = shape[:2]
    for each in (problem, problem.to_delassus()):
        answer = each.is_pointed()
        assert prove(each, answer) == "not pointed"
        assert answer.imbalance < (1e-12 if each is problem else 1e-6)
        if problem.size <= 6 * n:  # there is no other
            np.testing.assert_array_equal(answer.carriers, np.flatnonzero(p[: n * rows : rows]))


def test_rounding_of_the_matrix_proves_nothing():
    """W as computed may be opened by a hair where H cannot be opened at all."""
    problem, _ = braced((1, 2, 2, 2438570690))
    assert verdict(problem) == "not pointed"
    assert problem.to_delassus().is_pointed().verdict != "pointed"


@settings(max_examples=25)
@given(shapes)
def test_opening_made_to_order(shape):
    """H random, changed such that a chosen v opens every contact and leaves other rows at rest."""
    n, rows, m, rng, radii, given = random_parts(shape)
    y = rng.normal(size=(n, rows))
    y[:, 0] = [twins.shift(u, c) + rng.uniform(0.1, 1.0) for u, c in zip(y, radii, strict=True)]
    H = rng.normal(size=(n * rows + m, 6 * n))
    v = rng.normal(size=6 * n)
    H += np.outer(np.r_[y.reshape(-1), np.zeros(m)] - H @ v, v) / (v @ v)
    problem = rc.ContactProblem.from_bodies(np.ones(6 * n), H, np.zeros(6 * n), **given)
    assert verdict(problem) == "pointed"
    assert verdict(problem.to_delassus()) == "pointed"


@pytest.mark.parametrize("rows", [2, 3, 5, 6])
def test_random_problems_in_both_forms(rows):
    for seed in range(4):
        problem = rc.problems.random_problem(6, rows=rows, seed=seed).problem
        assert verdict(problem) == verdict(problem.to_delassus())


# A W that is not symmetric, or not definite.


def test_unsymmetric_matrix():
    """Gyroscopic terms, W = H (M + G)^-1 H^T with G skew: H^T p = 0 is what matters."""
    for side, expected in ((-1e-2, "pointed"), (1e-2, "not pointed")):
        problem = ball(in_groove(0.4), sliding=np.tan(0.4) * (1 + side))
        root = np.random.default_rng(0).normal(size=(6, 6))
        M = problem.form.mass.matrix().toarray() + 0.1 * (root - root.T)
        H = problem.form.H.toarray()
        W = H @ np.linalg.solve(M, H.T)
        turning = rc.ContactProblem.from_delassus(
            W, np.zeros(6), sliding=np.tan(0.4) * (1 + side), rows=3
        )
        answer = turning.is_pointed()
        assert turning.asymmetry > 1e-3
        assert answer.verdict == expected
        assert "symmetric part" in answer.report()
        assert "symmetric part" not in problem.is_pointed().report()


def test_indefinite_matrix():
    W = np.kron(np.array([[1.0, 2.0], [2.0, 1.0]]), np.eye(3))
    problem = rc.ContactProblem.from_delassus(W, np.zeros(6), sliding=0.3, rows=3)
    with pytest.raises(rc.InputError, match="negative eigenvalue: is_pointed needs a positive"):
        problem.is_pointed()


# The answer.


def test_undecided():
    """A tolerance finer than W can be known: neither proof reaches it."""
    problem = ball(in_groove(0.0), sliding=0.3).to_delassus()
    answer = problem.is_pointed(tolerance=1e-12)
    assert answer.verdict == "undecided"
    assert answer.reactions is None
    assert answer.velocities is None
    with pytest.raises(rc.RollconeError, match=r"neither true nor false\. Undecided: the numbers"):
        bool(answer)
    assert "tolerance 1.0e-12" in str(answer)
    assert problem.is_pointed().verdict == "not pointed"


def test_tolerance_is_what_counts_as_zero():
    problem = ball(in_groove(0.4), sliding=np.tan(0.4) * (1 - 1e-3))
    margin = problem.is_pointed().margin
    assert problem.is_pointed(0.9 * margin).verdict == "pointed"
    assert problem.is_pointed(1.1 * margin).verdict == "not pointed"
    for wrong in (0.0, -1.0, 1.0, INF, np.ones(2)):
        with pytest.raises(rc.InputError, match="tolerance"):
            problem.is_pointed(wrong)


def test_what_the_report_says():
    pointed = rc.problems.stack(1).is_pointed()
    assert pointed.report() == str(pointed)
    for words in (
        "Pointed: 4 contacts can all open",
        "margin",
        "Theorem 2",
        "nothing about the ex",
    ):
        assert words in str(pointed)
    extra = [np.eye(6)[2], np.eye(6)[2]]
    problem = ball(in_groove(0.0), sliding=0.3, extra=extra[:1], bounds=[BOTH])
    wedged = problem.is_pointed()
    assert "2 of 2 contacts (0, 1) carry reactions" in str(wedged)
    assert "Theorem 1" in str(wedged)
    rows = rc.ContactProblem.from_bodies(
        np.ones(6), np.array(extra), np.zeros(6), rows=3, bounds=[BOTH, BOTH]
    )
    assert "2 of 2 extra rows (0, 1) carry" in str(rows.is_pointed())
    many = lattice(2, True).is_pointed()
    assert "36 of 36 contacts (0, 1, 2, 3, 4, 5, ...) carry" in str(many)
    assert repr(many).startswith("Pointedness(verdict='not pointed'")


def test_what_follows_from_a_self_stress():
    """Under the associated law: any multiple added to a solution is a solution if q.p = 0; there
    is none if q.p < 0, here walls that close in."""
    wedged = ball(in_groove(0.3), sliding=0.5, law="associated")
    p = wedged.is_pointed().reactions
    H, M = wedged.form.H, wedged.form.mass.blocks
    fall = np.array([0.1, 0.2, -1.0, 0.5, 0.0, 0.3])
    given = {"sliding": 0.5, "rows": 3, "law": "associated"}
    falls = rc.ContactProblem.from_bodies(M, H, fall, **given)
    assert abs(falls.q @ p) < 1e-12
    solution = rc.solve(falls, "reference", tolerance=1e-9)
    assert solution.converged
    for factor in (0.5, 10.0):
        assert residuals(falls, solution.all_reactions() + factor * p).residual < 1e-8
    closing = rc.ContactProblem.from_bodies(M, H, fall, np.tile([-1.0, 0, 0], 2), **given)
    assert closing.q @ p < -0.1
    assert "no velocities meet all contacts" in rc.solve(closing, "reference").message
    pointed = ball(in_groove(0.3), sliding=0.2, law="associated")
    closing = rc.ContactProblem.from_bodies(
        M, H, fall, np.tile([-1.0, 0, 0], 2), **{**given, "sliding": 0.2}
    )
    assert pointed.is_pointed()
    assert rc.solve(closing, "reference").converged


def test_without_clarabel(monkeypatch):
    monkeypatch.setitem(sys.modules, "clarabel", None)
    with pytest.raises(
        rc.MissingPackageError, match=r'is_pointed needs Clarabel: pip install "rol'
    ):
        rc.problems.stack(1).is_pointed()


def test_mass_that_couples_bodies():
    """A mass matrix without blocks: columns are bodies of their own."""
    problem = lattice(2, False)
    M = problem.form.mass.matrix() + sp.kron(np.ones((8, 8)), sp.diags([1.0, 0, 0, 0, 0, 0]))
    for lid, expected in ((False, "pointed"), (True, "not pointed")):
        H = lattice(2, lid).form.H
        coupled = rc.ContactProblem.from_bodies(
            M, H, np.zeros(48), sliding=0.3, rolling=0.02, rows=5
        )
        assert verdict(coupled) == expected
