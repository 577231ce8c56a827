"""Interior point: its equations, the turns of its path, and problems that defeat other methods."""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solver_cases import FORMS, KINDS, LAWS, ROWS, in_form, started, twin_residual

import rollcone as rc
from rollcone.solvers.coupling import Equations, coupling
from rollcone.solvers.interior_path import InteriorPath
from rollcone.solvers.kernels import path as kernels
from rollcone.solvers.scaled import ScaledProblem


def cones_of(path):
    """Per cone x, z and the scaling W, also of normal reactions and bounds, which are cones of one
    row."""
    problem, scaled = path._problem, path._scaled
    p, rows = problem.split(path.p)
    for i in range(problem.contacts):
        yield np.array([p[i, 0]]), np.array([path.s[i]]), None
        for g, (j, k) in enumerate(path._slots[i]):
            used = [row for row in (j, k) if row > 0]
            if used:
                a = scaled.radii[i][[row - 1 for row in used]]
                n = 1 + len(used)
                w = path._w[i, g, :n]
                W = np.block([[w[:1, None], w[None, 1:]], [w[1:, None], np.eye(n - 1)]])
                W[1:, 1:] += np.outer(w[1:], w[1:]) / (1.0 + w[0])
                yield np.r_[p[i, 0], p[i, used] / a], path.z[i, g, :n], path._eta[i, g] * W
    for k, (low, high) in enumerate(scaled.bounds):
        if low < high and np.isfinite(low):
            yield np.array([rows[k] - low]), path.bounds[k, :1], None
        if low < high and np.isfinite(high):
            yield np.array([high - rows[k]]), path.bounds[k, 1:], None


def times(a, b):
    """Jordan's product."""
    return np.r_[a @ b, a[0] * b[1:] + b[0] * a[1:]]


def somewhere(problem, seed=0):
    """A point off the path, and off what the velocities say."""
    rng = np.random.default_rng(seed)
    path = InteriorPath(ScaledProblem(problem))
    path.factor()
    way = path.direction(0.3 * path.m, 1.0)
    path.move(0.6 * min(1.0, path.way_to_the_edge(way)), way)
    path.s = path.s * rng.uniform(0.7, 1.4, path.s.shape)
    path.z[:, :, 0] *= rng.uniform(1.0, 1.5, path.z.shape[:2])
    path.look()
    assert path.factor()
    return path


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_directions_solve_the_linear_equations(kind, law, rows, form):
    """lambda o (W^-1 dx + W dz) = target e - keep lambda o lambda for every cone, with W z =
    W^-1 x = lambda and W J W = eta^2 J; and R falls by as much as `keep` says."""
    path = somewhere(in_form(kind(law, rows), form))
    R, state = path._R.copy(), path.state()
    rigid = np.ones(len(R), dtype=bool)  # bilateral rows have a compliance of their own
    path._problem.split(rigid)[1][:] = np.isfinite(path._scaled.bounds).any(axis=1)
    here = [(x, z, np.sqrt(x / z)[:, None] if W is None else W) for x, z, W in cones_of(path)]
    for x, z, W in here:
        np.testing.assert_allclose(W @ z, np.linalg.solve(W, x), rtol=1e-9, atol=1e-12)
        J = np.diag([1.0] + [-1.0] * (len(x) - 1))
        np.testing.assert_allclose(W @ J @ W, (W @ J @ W)[0, 0] * J, atol=1e-9 * W[0, 0] ** 2)
    for target, keep in ((0.0, 1.0), (0.5 * path.m, 1.0), (path.m, 0.0)):
        way = path.direction(target, keep)
        part = 0.01 * min(1.0, path.way_to_the_edge(way))
        path.move(part, way)
        there, R_there = list(cones_of(path)), path._R.copy()
        path.restore(state)
        for (x, z, W), (x_there, z_there, _) in zip(here, there, strict=True):
            unit = np.r_[1.0, np.zeros(len(x) - 1)]
            size = W @ z
            moved = np.linalg.solve(W, x_there - x) + W @ (z_there - z)
            asked = target * unit - keep * times(size, size)
            scale = max(times(size, size)[0], target)
            np.testing.assert_allclose(times(size, moved) / part, asked, atol=1e-6 * scale)
        np.testing.assert_allclose(((R_there - R) / part + keep * R)[rigid], 0.0, atol=1e-8)


def near_the_edge(m, slides, seed):
    """One contact with sliding friction, on the path but for some noise: p, s, z and half axes."""
    rng = np.random.default_rng(seed)
    axes = np.r_[1.0, rng.uniform(0.3, 2.0, 2)]
    r, side = rng.uniform(0.5, 2.0), rng.normal(size=2)
    full = 1.0 - m * rng.uniform(0.5, 2.0) if slides else rng.uniform(0.1, 0.9)
    x = r * np.r_[1.0, full * side / np.linalg.norm(side)]
    z = m / (x[0] ** 2 - x[1:] @ x[1:]) * np.r_[x[0], -x[1:]] * rng.uniform(0.8, 1.25)
    return (x * axes)[None], np.array([m / r]), z, axes[None]


def asked_of(coupled, soft, target, p, s, axes, w, eta, lam):
    """The step of one contact by itself, y held, in 60 digits: Newton's equations as they are
    written in kernels/path.py, solved for dp."""
    with mp.workdps(60):
        p, soft, axes, lam = ([mp.mpf(float(v)) for v in each] for each in (p, soft, axes, lam))
        w1, w2 = (mp.mpf(float(v)) for v in w[1:])
        w0, s, target = mp.sqrt(1 + w1**2 + w2**2), mp.mpf(float(s)), mp.mpf(target)
        share = 1 / (1 + w0)
        W = mp.mpf(float(eta)) * mp.matrix(
            [[w0, w1, w2], [w1, 1 + w1 * w1 * share, w1 * w2 * share],
             [w2, w1 * w2 * share, 1 + w2 * w2 * share]]
        )  # fmt: skip
        L = mp.matrix([lam, [lam[1], lam[0], 0], [lam[2], 0, lam[0]]])
        inverse = W**-1
        c = inverse * (L**-1 * (mp.matrix([target, 0, 0]) - L * mp.matrix(lam)))
        A, right = inverse * inverse, c.copy()
        A[0, :], right[0] = coupled * A[0, :], coupled * c[0] + target / p[0] - s
        for j in (1, 2):
            A[j, :], right[j] = A[j, :] / axes[j], right[j] / axes[j]
            A[:, j] = A[:, j] / axes[j]
        A[0, 0] += s / p[0]
        for j in range(3):
            A[j, j] += soft[j]
        return [float(v) for v in mp.lu_solve(A, right)]


@pytest.mark.parametrize("coupled", [0.0, 1.0])
@pytest.mark.parametrize("compliance", [0.0, 1e-3, 1.0, 1e3])
@pytest.mark.parametrize("slides", [False, True])
def test_no_digits_are_lost_near_the_edges(coupled, compliance, slides):
    """T grows as 1 / m, and what is asked of a contact nearly cancels out."""
    slots = np.zeros((1, 5, 2), dtype=np.int64)
    slots[0, 0] = 1, 2
    for m in (1e-3, 1e-7, 1e-12):
        for seed in range(5):
            p, s, cone, axes = near_the_edge(m, slides, seed)
            z, (w, lam, c) = np.zeros((1, 5, 3)), np.zeros((3, 1, 5, 3))
            z[0, 0] = cone
            eta, T, out = np.ones((1, 5)), np.zeros((1, 3, 3)), np.zeros((1, 3))
            soft = compliance * np.array([[1.0, 2.0, 0.5]])
            assert kernels.scale_cones(slots, axes, p, s, z, w, eta, lam)
            kernels.fill_blocks(coupled, slots, axes, soft, p, s, w, eta, T)
            still = (np.zeros((1, 3)), np.zeros(1), np.zeros((1, 5, 3)))
            kernels.right_sides(
                coupled, slots, axes, soft, 0.1 * m, 1.0, 0.0, p, s, w, eta, lam, T,
                np.zeros((1, 3)), *still, c, out,
            )  # fmt: skip
            exact = asked_of(
                coupled, soft[0], 0.1 * m, p[0], s[0], axes[0], w[0, 0], eta[0, 0], lam[0, 0]
            )
            rounding = 1e-13 * np.abs(exact).max()
            if slides and compliance:  # that of p itself
                rounding += 1e-15 * p[0, 0]
            np.testing.assert_allclose(-out[0], exact, rtol=0, atol=rounding)


@pytest.mark.parametrize("form", FORMS)
def test_orientation_is_the_sign_of_the_determinant(form):
    """Against NumPy, with T that are not positive: both signs come up."""
    problem = in_form(rc.problems.heap(8, 1), form)
    scaled = ScaledProblem(problem)
    coupled, equations = coupling(scaled), Equations(scaled)
    size, signs = problem.size, set()
    basis = np.eye(size)
    change = scaled.velocity_map().changes
    W = np.stack([change(column) for column in basis], axis=1)
    for seed in range(12):
        equations.T[:] = np.random.default_rng(seed).normal(size=equations.T.shape)
        T = np.zeros((size, size))
        d = problem.rows
        for i in range(problem.contacts):
            T[i * d : i * d + d, i * d : i * d + d] = equations.T[i]
        assert coupled.factor(equations)
        sign, _ = np.linalg.slogdet(np.eye(size) + T @ W)
        assert coupled.orientation == sign
        signs.add(sign)
    assert signs == {1.0, -1.0}


def test_a_path_that_turns_back():
    """m grows for a while on the path of this heap; to its end it is followed all the same."""
    problem = rc.problems.heap(60, 5, rows=5)
    method = started(problem, "interior-point", np.zeros(problem.size), {"polish": False})
    heights, signs = [], []
    for _ in range(60):
        method.advance(1, 0.0)
        heights.append(method._path.m)
        signs.append(method._path._coupling.orientation)
        if heights[-1] < 1e-9 * method._path.unit:
            break
    assert min(signs) == -1
    assert np.diff(np.log(heights)).max() > 0.02
    assert heights[-1] < 1e-9 * method._path.unit
    s = rc.solve(problem, "interior-point", tolerance=1e-12)
    assert s.converged
    assert twin_residual(problem, s) <= 1.01e-12


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("rows", [3, 5, 6])
@pytest.mark.parametrize("seed", [0, 3])
def test_heaps_to_rounding(law, rows, seed):
    """Hyperstatic heaps at rest, certified by the slow twin."""
    problem = rc.problems.heap(60, seed, rows=rows, law=law)
    s = rc.solve(problem, "interior-point", tolerance=1e-12)
    assert s.converged
    assert twin_residual(problem, s) <= 1.01e-12
    assert s.iterations <= 100


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=pytest.mark.slow) for seed in range(3)])
def test_contacts_on_the_verge_of_rolling(seed):
    """Without spinning friction some hundred contacts of such a heap are at the limit and hardly
    move: the path must be followed to where the cones are a 1e-9 away."""
    problem = rc.problems.heap(430, seed, rows=5, law="associated")
    s = rc.solve(problem, "interior-point", tolerance=1e-8)
    assert s.converged
    assert twin_residual(problem, s) <= 1.01e-8
    assert s.iterations <= 150


@pytest.mark.parametrize("seed", range(4))
def test_frames(seed):
    """Rolling coefficients of ten radii hold spheres like welds: sweeps fail, and most runs of
    Newton's method."""
    problem = rc.problems.heap(40, seed, rows=5, rolling=10.0)
    s = rc.solve(problem, "interior-point", tolerance=1e-10)
    assert s.converged
    assert twin_residual(problem, s) <= 1.01e-10


@pytest.mark.parametrize("law", LAWS)
def test_heavy_on_light(law):
    """Densities that grow a thousandfold with height: the loads of contacts do, too."""
    problem = rc.problems.heap(60, 1, rows=6, mass_ratio=1e3, law=law)
    s = rc.solve(problem, "interior-point", tolerance=1e-9)
    assert s.converged
    assert twin_residual(problem, s) <= 1.01e-9


@settings(max_examples=40)
@given(
    contacts=st.integers(1, 12),
    rows=st.sampled_from(ROWS),
    seed=st.integers(0, 10**6),
    law=st.sampled_from(LAWS),
)
def test_known_solutions(contacts, rows, seed, law):
    """Velocities are unique under the associated law."""
    known = rc.problems.random_problem(contacts, rows=rows, seed=seed, law=law)
    s = rc.solve(known.problem, "interior-point", tolerance=1e-10)
    assert s.converged
    if s.iterations:  # else no reactions are needed
        assert twin_residual(known.problem, s) <= 1.01e-10
    if law == "associated":
        scale = np.abs(known.problem.q).max()
        np.testing.assert_allclose(s.velocities, known.velocities, atol=1e-6 * scale)


@pytest.mark.parametrize("law", LAWS)
def test_without_polish_it_says_where_it_ends(law):
    problem = rc.problems.heap(30, 1, law=law)
    s = rc.solve(problem, "interior-point", tolerance=1e-15, polish=False)
    assert s.status is rc.Status.STALLED
    assert "path" in s.message
    assert s.residual < 1e-4


def test_polygons_are_refused_by_name():
    problem = rc.ContactProblem.from_delassus(
        np.eye(3), [-1.0, 1.0, 0.0], sliding=rc.Polygon(0.3, 6), rows=3
    )
    with pytest.raises(rc.InputError, match="'interior-point' does not support polygons"):
        rc.solve(problem, "interior-point")


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("speed", [1e12, 1e90])
def test_numbers_far_apart(speed, law):
    """One contact opens very fast: an answer or an honest end, never an exception."""
    problem = rc.ContactProblem.from_delassus(
        np.eye(6), [speed, 0, 0, -1, 0.3, 0], sliding=0.3, rows=3, law=law
    )
    s = rc.solve(problem, "interior-point")
    assert s.converged
    np.testing.assert_allclose(s.reactions[0], 0.0, atol=1e-9)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(
    "bounds", [[(1e90, np.inf), (-1e90, 1e90)], [(1.0, 1.0 + 2.3e-16), (-1e-300, 1e-300)]]
)
def test_bounds_far_apart_and_close_together(bounds, law):
    problem = rc.ContactProblem.from_delassus(
        np.eye(5), [-1, 0.3, 0, 0.1, 0.2], sliding=0.3, rows=3, bounds=bounds, law=law
    )
    s = rc.solve(problem, "interior-point")
    assert s.converged or not s.residual <= 1e-8
