"""Contacts whose sliding and spinning, or all of whose friction, share one limit: every solver."""

import numpy as np
import pytest
import scipy.sparse as sp
from solver_cases import FORMS, LAWS, OPTIONS, in_form, random_matrix, words

import rollcone as rc

MU, RADIUS = 0.4, 0.3
SOLVERS = [name for name in rc.solvers.SOLVERS if name not in ("interior-point", "reference")]
VARIANTS = [(name, options) for name in SOLVERS for options in ({}, *OPTIONS.get(name, [])[1:2])]


def hertz(u):
    """Force and torque of a patch under the pressure of Hertz (shares of mu and mu * radius)."""
    if u <= 1:
        xi = 3 * np.pi / 32 * u * (4 - u**2)
        return xi, 3 * np.pi / 128 * (8 - 8 * u**2 + 3 * u**4)
    angle, root = np.arcsin(1 / u), np.sqrt(1 - 1 / u**2)
    xi = 3 / 16 * ((4 * u - u**3) * angle + (u**2 + 2) * root)
    return xi, 3 / 64 * ((8 - 8 * u**2 + 3 * u**4) * angle + (6 * u - 3 * u**3) * root)


def dissipation(y):
    """Power per normal force of a Contensou contact with rolling friction 0.1."""
    slide, spin = MU * np.hypot(y[1], y[2]), MU * RADIUS * abs(y[5])
    xi, eta = hertz(slide / spin) if spin > 1e-4 * slide else (1.0, 0.0)
    return xi * slide + eta * spin + 0.1 * np.hypot(y[3], y[4])


def several(law, **friction):
    """Five bodies' worth of rows that depend on each other."""
    rng = np.random.default_rng(2)
    W, q = random_matrix(rng, 30), rng.standard_normal(30)
    q[::6] -= 1.0
    return rc.ContactProblem.from_delassus(W, q, rows=6, law=law, **friction)


CONTENSOU = {"sliding": rc.Contensou(MU, RADIUS), "rolling": 0.1}
ELLIPSOID = {"sliding": 0.4, "rolling": 0.1, "spinning": 0.2, "coupling": "ellipsoid"}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("u", [0.2, 1.0, 3.0])
@pytest.mark.parametrize(("solver", "options"), VARIANTS, ids=words)
def test_a_puck_that_slides_and_spins(solver, options, u, law, form):
    """Built from its answer: velocities after the step, and the reaction that they ask for."""
    spin = 2.0
    v = u * RADIUS * spin
    mass, inertia, r_n = 2.0, 0.5, 3.0
    xi, eta = hertz(u)
    p = r_n * np.array([1.0, -MU * xi * 0.6, -MU * xi * 0.8, 0.0, 0.0, -MU * RADIUS * eta])
    lift = MU * (xi * v + eta * RADIUS * spin) if law == "associated" else 0.0
    y = np.array([lift, 0.6 * v, 0.8 * v, 0.0, 0.0, spin])
    masses = np.array([mass] * 3 + [inertia] * 3)
    problem = rc.ContactProblem.from_bodies(
        np.diag(masses)[None], np.eye(6), y - p / masses, rows=6, law=law,
        sliding=rc.Contensou(MU, RADIUS),
    )  # fmt: skip
    s = rc.solve(in_form(problem, form), solver, tolerance=1e-13, max_iterations=5_000, **options)
    assert s.converged
    np.testing.assert_allclose(s.reactions[0], p, atol=1e-11)
    np.testing.assert_allclose(s.velocities[0], y, atol=1e-11)
    assert s.modes(1e-9)[0] == "sliding, no-rolling, spinning"


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("friction", [CONTENSOU, ELLIPSOID], ids=["Contensou", "ellipsoid"])
def test_solvers_agree(friction, law):
    problem = several(law, **friction)
    sure = rc.solve(problem, "newton", tolerance=1e-13)
    assert sure.converged
    for solver, options in VARIANTS:
        s = rc.solve(problem, solver, tolerance=1e-9, max_iterations=50_000, **options)
        assert s.converged, (solver, options)
        away = np.abs(s.velocities - sure.velocities).max()
        assert away <= 1e-6, (solver, options, away)


@pytest.mark.parametrize("law", LAWS)
def test_contensou_law(law):
    """By the definition: y in K* (with the shift), and friction takes r_n S(y)."""
    s = rc.solve(several(law, **CONTENSOU), tolerance=1e-13)
    assert len(set(s.modes(1e-9))) > 1
    for y, p in zip(s.velocities, s.reactions, strict=True):
        S = dissipation(y)
        assert y[0] >= (S if law == "associated" else 0.0) - 1e-10
        assert abs(y @ p + (p[0] * S if law == "exact" else 0.0)) <= 1e-10
        for u in (0.0, 0.3, 1.0, 3.0, 100.0):  # p is within lines around the set
            xi, eta = hertz(u)
            force, torque = np.hypot(p[1], p[2]) / MU, abs(p[5]) / (MU * RADIUS)
            assert u * force + torque <= p[0] * (u * xi + eta) + 1e-10 * (1 + u)


@pytest.mark.parametrize("law", LAWS)
def test_ellipsoid_law(law):
    s = rc.solve(several(law, **ELLIPSOID), tolerance=1e-13)
    axes = np.array([0.4, 0.4, 0.1, 0.1, 0.2])
    for y, p in zip(s.velocities, s.reactions, strict=True):
        S = np.linalg.norm(axes * y[1:])
        assert y[0] >= (S if law == "associated" else 0.0) - 1e-10
        assert abs(y @ p + (p[0] * S if law == "exact" else 0.0)) <= 1e-10
        assert np.linalg.norm(p[1:] / axes) <= p[0] + 1e-10


def test_ellipsoid_as_the_cone_of_clarabel():
    """The associated law of one second-order cone per contact, posed by hand."""
    clarabel = pytest.importorskip("clarabel")
    problem = several("associated", **ELLIPSOID)
    W, q = problem.form.W, problem.form.q
    axes = np.tile(1.0 / np.array([1.0, 0.4, 0.4, 0.1, 0.1, 0.2]), 5)
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    cones = [clarabel.SecondOrderConeT(6)] * 5
    P, A = sp.csc_matrix(sp.triu(W)), sp.csc_matrix(-sp.diags(axes))
    answer = clarabel.DefaultSolver(P, q, A, np.zeros(30), cones, settings).solve()
    p = rc.solve(problem, tolerance=1e-12).all_reactions()
    assert 0.5 * p @ (W @ p) + q @ p == pytest.approx(answer.obj_val, rel=1e-9)
    np.testing.assert_allclose(p, answer.x, atol=1e-5)


@pytest.mark.parametrize("solver", ["interior-point", "reference"])
@pytest.mark.parametrize(
    ("friction", "name"),
    [(CONTENSOU, r"Contensou \(hertz\)"), (ELLIPSOID, "ellipsoid")],
    ids=["Contensou", "ellipsoid"],
)
def test_refused_by_name(friction, name, solver):
    with pytest.raises(rc.InputError, match=f"'{solver}' does not support {name}"):
        rc.solve(several("exact", **friction), solver)


@pytest.mark.parametrize("solver", ["hybrid", "auto"])
def test_interior_point_is_passed_by(solver):
    s = rc.solve(
        several("exact", **CONTENSOU), solver, tolerance=0.0, max_iterations=3000, sweeps=5
    )
    assert "newton" in s.message
    assert "interior-point" not in s.message


def test_friction_models_and_pointedness_refuse():
    problem = several("exact", **CONTENSOU)
    with pytest.raises(rc.InputError, match=r"Contensou \(hertz\): friction models take numbers"):
        rc.solve(problem, friction_model="polygonal")
    pytest.importorskip("clarabel")
    with pytest.raises(rc.InputError, match=r"Contensou \(hertz\) as a friction set"):
        problem.is_pointed()


def test_no_solution_is_still_proven():
    """Two fixed walls that close in: reactions without friction prove it for any set."""
    H = np.zeros((12, 6))
    H[0, 0], H[6, 0] = 1.0, -1.0
    H[1:6, 1:6] = H[7:12, 1:6] = np.eye(5)
    b = np.zeros(12)
    b[0] = b[6] = -1.0
    problem = rc.ContactProblem.from_bodies(
        np.eye(6)[None], H, np.zeros(6), b, rows=6, sliding=rc.Contensou(0.3, 0.2)
    )
    assert rc.solve(problem, "gauss-seidel", max_iterations=2000).status is rc.Status.INFEASIBLE
