"""Every solver on random problems of every kind, against all bases and the definition."""

import numpy as np
import pytest
from lcp_cases import KINDS, box_on_points, draw, friction, is_solution
from scipy import sparse

import rollcone as rc
from rollcone.lcp import LCP, MLCP, SOLVERS, LcpStatus, all_solutions, solve
from rollcone.lcp.newton import fischer_burmeister
from rollcone.lcp.scaled import scaled

# What must be found: where theory says so. (Newton and SOR are asked less often, below.)
SURE = {
    "p": ("pivoting", "lemke", "newton"),
    "psd": ("pivoting", "lemke"),
    "copositive": ("lemke",),
    "degenerate": ("pivoting", "lemke", "newton"),
    "bounded": ("pivoting", "lemke", "newton"),
    "mixed": ("pivoting", "lemke", "newton"),
}
ONE_SOLUTION = ("p", "degenerate", "bounded", "mixed")


def compare(kind, n, seed):
    """All that can be said of one problem."""
    rng = np.random.default_rng([KINDS.index(kind), n, seed])
    problem = draw(kind, n, rng)
    if rng.random() < 0.3:
        problem = MLCP(sparse.csr_matrix(problem.M), problem.q, problem.lower, problem.upper)
    known = all_solutions(problem)
    where = (kind, n, seed)
    if kind == "none":
        assert not known, where
        return check_none(problem, where)
    assert known, where
    assert all(is_solution(problem, one.z) for one in known), where
    for solver in SURE[kind]:
        found = solve(problem, solver)
        assert found.solved, (*where, found.message)
        assert is_solution(problem, found.z), (*where, solver)
        if kind in ONE_SOLUTION:
            assert len(known) == 1, where
            assert np.allclose(found.z, known[0].z, atol=1e-8, rtol=1e-8), (*where, solver)
        if kind == "psd":  # M z is the same for all solutions
            assert np.allclose(found.w, known[0].w, atol=1e-7), (*where, solver)


def check_none(problem, where):
    """Lemke and proximal points prove that there is no solution, by a d that we check here."""
    M = problem.M.toarray() if problem.is_sparse else problem.M
    for solver in ("lemke", "pivoting"):
        found = solve(problem, solver)
        assert found.status is LcpStatus.INFEASIBLE, (*where, found.message)
        d = found.certificate
        assert d.min() >= 0.0, where
        assert d @ problem.q < -1e-4, where
        assert (M.T @ d).max() < 1e-9, where
    if where[-1] % 10 == 0:
        assert not solve(problem, "newton", max_iterations=50).solved, where


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_against_all_bases(kind):
    """About 1,000 problems in all; those of twelve variables have 4,096 bases."""
    most = 5 if kind == "bounded" else 7
    for seed in range(140):
        compare(kind, 2 + seed % (most - 1), seed)
    compare(kind, 7 if kind == "bounded" else 10, 0)
    compare(kind, 8 if kind == "bounded" else 12, 0)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_against_all_bases_of_larger_problems(kind):
    for seed in range(1000, 1150):
        compare(kind, 2 + seed % (7 if kind == "bounded" else 11), seed)


def test_projected_sor():
    """It converges for symmetric definite matrices at any omega, and for dominant ones at 1."""
    rng = np.random.default_rng(3)
    for k in range(60):
        n = 2 + k % 9
        A = rng.normal(size=(n, n))
        dominant = A + np.diag(1.1 * np.abs(A).sum(axis=1))
        M, omega = (A @ A.T + 0.5 * np.eye(n), 1.5) if k % 2 else (dominant, 1.0)
        upper = rng.choice([0.3, np.inf], n)
        problem = MLCP(sparse.csc_array(M) if k % 3 else M, rng.normal(size=n), 0.0, upper)
        found = solve(problem, "sor", omega=omega)
        assert found.solved, found.message
        assert np.allclose(found.z, solve(problem, "lemke").z, atol=1e-7)


@pytest.mark.parametrize("solver", sorted(SOLVERS))
def test_trivial_problems(solver):
    empty = solve(LCP(np.zeros((0, 0)), []), solver)
    assert empty.solved
    assert empty.z.shape == (0,)
    one = solve(LCP([[2.0]], [-4.0]), solver)
    assert one.solved
    assert one.z[0] == pytest.approx(2.0, rel=1e-9)
    rest = solve(LCP([[2.0]], [4.0]), solver)
    assert (rest.z[0], rest.w[0], rest.residual) == (0.0, 4.0, 0.0)
    fixed = solve(MLCP([[2.0, 1.0], [1.0, 2.0]], [-4.0, 0.0], [0.0, 1.0], [np.inf, 1.0]), solver)
    assert fixed.z == pytest.approx([1.5, 1.0], rel=1e-9)
    assert fixed.basis.tolist() == [0, -1]


@pytest.mark.parametrize("count", [4, 8])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_a_box_on_many_points(count, kind):
    """Redundant rows: a symmetric answer, each point an equal share; and the parts of symmetry."""
    W, q = box_on_points(count)
    problem = LCP(sparse.csc_array(W) if kind == "sparse" else W, q)
    found = solve(problem, tolerance=1e-13)
    assert found.solved
    assert found.singular
    assert "proximal points" in found.message
    assert "rows" in found.message
    assert found.residual <= 1e-13
    if count == 4:
        assert np.abs(found.z - 0.25).max() < 1e-12
    assert found.z[:4] == pytest.approx(np.full(4, found.z[0]), abs=1e-12)
    assert found.z.sum() == pytest.approx(1.0, abs=1e-12)
    refused = solve(problem, proximal="never")
    assert refused.status is LcpStatus.SINGULAR
    assert solve(problem, "lemke").z.sum() == pytest.approx(1.0, abs=1e-12)


def test_warm_start():
    """The basis of a problem nearby saves the pivots; so does its z; Lemke tries it first."""
    rng = np.random.default_rng(0)
    A = rng.normal(size=(60, 60))
    M, q = A @ A.T + np.eye(60), rng.normal(size=60)
    first = solve(LCP(M, q), start=np.zeros(60))
    assert first.iterations >= 1
    near = LCP(M, q * (1 + 1e-9))
    for start in (first, first.z):
        again = solve(near, start=start)
        assert (again.iterations, again.factorisations, again.solved) == (0, 1, True)
    assert solve(near, "lemke").iterations > 10
    assert solve(near, "lemke", start=first).iterations == 0
    assert solve(near, "newton", start=first).iterations < solve(near, "newton").iterations
    assert solve(near, "sor", start=first).iterations < solve(near, "sor").iterations


def test_contacts_in_saddle_point_form():
    """[M -H^T; H C] with free velocities, sparse, next to the Delassus form of the same."""
    rng = np.random.default_rng(5)
    H, mass = rng.normal(size=(40, 30)), 0.5 + rng.random(30)
    pull, gap, C = rng.normal(size=30), rng.random(40), 1e-3 * np.eye(40)
    M = sparse.bmat([[sparse.diags(mass), -H.T], [H, C]])
    lower = np.append(np.full(30, -np.inf), np.zeros(40))
    q = np.append(mass * pull, gap)
    W = H @ np.diag(1 / mass) @ H.T + C
    small = solve(LCP(W, gap - H @ pull), "lemke", tolerance=1e-12)
    for solver in ("pivoting", "lemke", "newton"):
        whole = solve(MLCP(M, q, lower), solver, tolerance=1e-11)
        assert whole.solved, whole.message
        assert np.allclose(whole.z[30:], small.z, atol=1e-9)


@pytest.mark.parametrize("contacts", [1, 4, 12, 30])
def test_polygonal_friction(contacts):
    """Copositive, with redundant contacts (Anitescu and Potra): Lemke solves it, and the forces are
    in the friction pyramids and opposed to what slides."""
    for seed in range(3):
        problem, facets, mu = friction(contacts, np.random.default_rng(seed))
        found = solve(problem, "lemke", tolerance=1e-12)
        assert found.solved, found.message
        normal, pushed = found.z[:contacts], found.z[contacts:-contacts].reshape(-1, facets)
        assert np.all(pushed.sum(axis=1) <= mu * normal + 1e-12)
        speeds = found.w[contacts:-contacts].reshape(-1, facets) - found.z[-contacts:, None]
        assert np.all(np.sum(speeds * pushed, axis=1) <= 1e-12)
        assert found.w[:contacts].min() >= -1e-12


def test_many_solutions_are_counted():
    """Two positive solutions and the trivial one; a face of solutions is told as singular."""
    two = all_solutions(LCP([[1.0, 2.0], [2.0, 1.0]], [-1.0, -1.0]))
    points = sorted(one.z.tolist() for one in two)
    assert np.allclose(points, [(0.0, 1.0), (1 / 3, 1 / 3), (1.0, 0.0)], atol=1e-14)
    assert [one.singular for one in two] == [False] * 3
    face = all_solutions(LCP([[1.0, 1.0], [1.0, 1.0]], [-1.0, -1.0]))
    assert {tuple(one.z) for one in face} >= {(1.0, 0.0), (0.0, 1.0)}
    inner = all_solutions(MLCP([[1.0, 1.0], [1.0, 1.0]], [-1.0, -1.0], -np.inf))
    assert len(inner) == 1
    assert inner[0].singular
    assert all_solutions(LCP([[-1.0]], [-1.0])) == []
    with pytest.raises(rc.InputError, match=r"1048576 bases: enumeration takes 100000 at most"):
        all_solutions(LCP(np.eye(20), np.ones(20)))
    assert solve(LCP([[-1.0]], [-1.0]), "enumeration").status is LcpStatus.NONE_FOUND


def test_a_ray_that_proves_nothing():
    """Copositive, but not plus: Lemke ends on a ray although z = (1/2, 1) is a solution."""
    problem = LCP([[0.0, 1.0], [2.0, 0.0]], [-1.0, -1.0])
    found = solve(problem, "lemke")
    assert found.status is LcpStatus.RAY
    assert found.ray.verified
    assert found.certificate is None
    assert "does not prove" in found.message
    for t in (0.0, 1.0, 1e6):  # w + z0 cover is complementary to z all along
        z = found.ray.z + t * found.ray.direction
        w = problem.w(z) + found.ray.height + t * found.ray.climb
        assert z.min() >= 0.0
        assert w.min() >= -1e-12
        assert abs(z @ w) <= 1e-12
    (only,) = all_solutions(problem)
    assert only.z == pytest.approx([0.5, 1.0])
    alone = solve(LCP([[-1.0]], [-1.0]), "lemke")  # no solution: w = -z - 1 < 0
    assert alone.status is LcpStatus.INFEASIBLE
    assert alone.certificate.tolist() == [1.0]


def test_lemke_on_matrices_of_no_class():
    """Solved, a proof that there is no solution, or a ray: the first two are always true."""
    rng = np.random.default_rng(4)
    ends = []
    for _ in range(150):
        n = int(rng.integers(2, 6))
        problem = LCP(rng.normal(size=(n, n)), rng.normal(size=n))
        found, known = solve(problem, "lemke"), all_solutions(problem)
        ends.append(found.status)
        if found.solved:
            assert min(np.abs(found.z - one.z).max() for one in known) < 1e-8
        elif found.status is LcpStatus.INFEASIBLE:
            assert not known
        else:
            assert found.status is LcpStatus.RAY
            assert found.ray.verified
    assert {LcpStatus.SOLVED, LcpStatus.INFEASIBLE, LcpStatus.RAY} == set(ends)


def test_derivatives_of_the_newton_method():
    """By differences, away from kinks, for every kind of bounds."""
    rng = np.random.default_rng(6)
    lower = np.array([0.0, -np.inf, -1.0, -np.inf, 0.5])
    upper = np.array([np.inf, 1.0, 2.0, np.inf, 0.5])
    data = scaled(MLCP(np.eye(5), np.zeros(5), lower, upper))
    for _ in range(20):
        z, w, h = rng.normal(size=5), rng.normal(size=5), 1e-6
        _, by_z, by_w = fischer_burmeister(data, z, w)
        up, down = (fischer_burmeister(data, z + s * h, w)[0] for s in (1, -1))
        assert np.allclose((up - down) / (2 * h), by_z, atol=1e-4)
        up, down = (fischer_burmeister(data, z, w + s * h)[0] for s in (1, -1))
        assert np.allclose((up - down) / (2 * h), by_w, atol=1e-4)


def test_limits_are_told():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(30, 30))
    problem = LCP(A @ A.T + 1e-3 * np.eye(30), rng.normal(size=30))
    for solver in ("lemke", "newton", "sor"):
        found = solve(problem, solver, max_iterations=1)
        assert found.status is LcpStatus.MAX_ITERATIONS, solver
        assert found.iterations <= 1
        assert found.residual == problem.residual(found.z) > 1e-10
    none = solve(problem, "pivoting", max_iterations=0, start=np.zeros(30))
    assert none.status is LcpStatus.MAX_ITERATIONS
    assert "reached the largest number" in none.message
