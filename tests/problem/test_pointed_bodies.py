"""Is the friction cone pointed: many bodies, linear programs, problems made to be so or not."""

import itertools
import sys

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from pointed_cases import (
    BOTH,
    CEILING,
    INF,
    ball,
    both_forms,
    in_groove,
    prove,
    verdict,
)
from scipy.optimize import linprog

import rollcone as rc
import twins
from rollcone.problem.residual import residuals

pytest.importorskip("clarabel")


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
        rc.MissingPackageError, match=r"is_pointed needs Clarabel: pip install clar"
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
