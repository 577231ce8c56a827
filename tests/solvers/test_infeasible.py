"""Problems without a solution end with a proof; others never do."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from solver_cases import FORMS, INF, ITERATIVE, LAWS, ROWS, in_form

import rollcone as rc
from rollcone.problem.infeasibility import proving_part
from rollcone.solvers.divergence import find_proof

SOLVERS = tuple(rc.solvers.SOLVERS)


def solve(problem, solver, **given):
    if solver == "reference":
        pytest.importorskip("clarabel")
    return rc.solve(problem, solver, **given)


def groove(mu, b, law="associated"):
    """A ball in a groove whose walls stand at 0.4 rad to the vertical; it is held from
    mu = tan(0.4) = 0.4228 on."""
    H = []
    for side in (1, -1):
        n = np.array([side * np.cos(0.4), 0.0, np.sin(0.4)])
        t1 = np.array([np.sin(0.4), 0.0, -side * np.cos(0.4)])
        H += [np.r_[e, np.cross(-0.5 * n, e)] for e in (n, t1, np.array([0.0, 1.0, 0.0]))]
    M, v = np.diag([2.0] * 3 + [0.2] * 3), [0, 0, -1.0, 0, 0, 0]
    return rc.ContactProblem.from_bodies(M[None], H, v, b, sliding=mu, rows=3, law=law)


def lattice(across, up, speed, law="associated"):
    """Balls in a square lattice on a floor, between two walls that close in at that speed."""
    bodies, H, b = across * up, [], []
    x, y, z = np.eye(3)

    def touch(first, second, n, closing):
        for e in (n, np.cross(z, n), z):
            row = np.zeros((bodies, 6))
            for body, sign in ((first, -1.0), (second, 1.0)):
                if body is not None:
                    row[body] = sign * np.r_[e, np.cross(-0.5 * sign * n, e)]
            H.append(row.reshape(-1))
        b.extend([-closing, 0.0, 0.0])

    for k in range(bodies):
        left, below = (None if k % across == 0 else k - 1), (None if k < across else k - across)
        touch(left, k, x, speed if left is None else 0.0)
        touch(below, k, y, 0.0)
        if k % across == across - 1:
            touch(None, k, -x, speed)
    M = np.tile(np.diag([1.0] * 3 + [0.1] * 3), (bodies, 1, 1))
    v = np.tile([0.0, -0.05, 0, 0, 0, 0], bodies)
    return rc.ContactProblem.from_bodies(M, H, v, b, sliding=0.5, rows=3, law=law)


def squeezed(law="associated"):
    """A heap with rolling and spinning friction under lids that come down on every third sphere."""
    heap = rc.problems.heap(30, 1, law=law).form
    rng = np.random.default_rng(1)
    H, b = [heap.H], [heap.b]
    for k in range(0, 30, 3):
        n = np.r_[0.5 * rng.normal(size=2), -1.0]
        n /= np.linalg.norm(n)
        t1 = np.cross(n, [1.0, 0, 0]) / np.linalg.norm(np.cross(n, [1.0, 0, 0]))
        frame = (n, t1, np.cross(n, t1))
        block = [np.r_[e, np.cross(-0.02 * n, e)] for e in frame]
        block += [np.r_[np.zeros(3), e] for e in (*frame[1:], n)]
        row = sp.lil_matrix((6, 180))
        row[:, 6 * k : 6 * k + 6] = np.array(block)
        H.append(row.tocsr())
        b.append(np.r_[-0.1, np.zeros(5)])
    return rc.ContactProblem.from_bodies(
        heap.mass.blocks, sp.vstack(H), heap.v_free, np.concatenate(b), sliding=0.5,
        rolling=2e-3, spinning=1e-3, rows=6, law=law,
    )  # fmt: skip


def contradictory(law="associated"):
    """A joint at rest, and a stop that moves against it; a contact has nothing to do with it."""
    H = [[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1], [0, -2, -2]]
    b, bounds = [-1.0, 0.3, 0.2, 0.0, -1.0], [(-INF, INF), (0.0, INF)]
    return rc.ContactProblem.from_bodies(
        np.eye(3), H, np.zeros(3), b, sliding=0.3, rows=3, bounds=bounds, law=law
    )


NO_WAY = {
    "groove": lambda law: groove(0.43, np.tile([-1.0, 0, 0], 2), law),
    "lattice": lambda law: lattice(4, 3, 1.0, law),
    "squeezed heap": squeezed,
    "contradictory rows": contradictory,
}


WITHOUT_FRICTION = ("lattice", "contradictory rows")  # normal reactions alone prove it


def check_proof(problem, proof):
    """From the data, by the formulas for discs."""
    p = proof.reactions
    contacts, rows = problem.split(p)
    normal = contacts[:, 0]
    if problem.law == "exact":
        assert not contacts[:, 1:].any()
    for group, mu in ((slice(1, 3), 0), (slice(3, 5), 2), (slice(5, 6), 4)):
        size = np.linalg.norm(contacts[:, group], axis=1)
        assert (size <= problem.cone.radii[:, mu] * normal * (1 + 1e-12) + 1e-12).all()
    assert (rows[np.isfinite(problem.bounds[:, 0])] >= 0).all()
    assert (rows[np.isfinite(problem.bounds[:, 1])] <= 0).all()
    form = problem.form
    matrix, b = (form.W, form.q) if hasattr(form, "W") else (form.H, form.b)
    matrix = matrix.toarray()
    assert np.abs(matrix.T @ p).max() <= 1e-10 * np.abs(matrix).max() * np.abs(p).sum()
    assert b @ p <= -1e-3 * np.abs(b).max() * np.abs(p).max()
    assert np.abs(p).max() == pytest.approx(1.0)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    ("name", "law"),
    [(name, "associated") for name in NO_WAY] + [(name, "exact") for name in WITHOUT_FRICTION],
)
def test_no_solution(name, law, solver):
    """Long before the iterations are over; the best of all reactions is still there to look at."""
    for form in FORMS:
        problem = in_form(NO_WAY[name](law), form)
        s = solve(problem, solver)
        assert s.status is rc.Status.INFEASIBLE
        assert not s.converged
        assert s.message.startswith("no solution: no velocities meet all contacts and rows (")
        assert s.iterations <= 5_000
        check_proof(problem, s.infeasibility)
        assert rc.infeasibility_of(problem, s.infeasibility.reactions) is not None
        assert np.isfinite(s.reactions).all()


@pytest.mark.parametrize("solver", ["gauss-seidel", "apgd", "admm", "newton"])
@pytest.mark.parametrize("name", ["groove", "squeezed heap"])
def test_friction_proves_nothing_under_the_exact_law(name, solver):
    """Only the associated law lifts contacts that slide."""
    s = rc.solve(NO_WAY[name]("exact"), solver, max_iterations=300)
    assert s.status is not rc.Status.INFEASIBLE
    assert s.infeasibility is None
    proof = rc.solve(NO_WAY[name]("associated"), solver).infeasibility
    assert rc.infeasibility_of(NO_WAY[name]("exact"), proof.reactions) is None


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_self_stress_alone_is_no_harm(solver):
    """Walls at rest, walls that open, one that follows the other: solved as before."""
    for b in (None, np.tile([0.1, 0, 0], 2), [-1.0, 0, 0, 1.0, 0, 0]):
        for form in FORMS:
            s = solve(in_form(groove(0.43, b), form), solver)
            assert s.converged
            assert s.infeasibility is None
    for speed in (0.0, -0.1):
        for form in FORMS:
            s = solve(in_form(lattice(3, 2, speed), form), solver, max_iterations=20_000)
            assert s.converged


@pytest.mark.parametrize("solver", ["gauss-seidel", "apgd", "admm", "newton", "reference"])
@pytest.mark.parametrize("slack", [1e-1, 1e-4, 1e-8])
def test_feasible_by_a_hair(solver, slack):
    """The ball slips out, the faster the closer friction is to its limit."""
    problem = groove(np.tan(0.4) * (1 - slack), np.tile([-1.0, 0, 0], 2))
    for form in FORMS:
        s = solve(in_form(problem, form), solver, max_iterations=100)
        assert s.status is not rc.Status.INFEASIBLE


@pytest.mark.slow
@pytest.mark.parametrize("ratio", [1e4, 1e8])
def test_heavy_bodies_are_not_fixed_ones(ratio):
    """In Delassus form W p nearly vanishes for the weight of a heavy box on light ones."""
    problem = rc.problems.stack(4, mass_ratio=ratio, law="associated").to_delassus()
    for solver in ("apgd", "admm", "newton"):
        s = rc.solve(problem, solver, max_iterations=50)
        assert s.status is not rc.Status.INFEASIBLE


def opposed(contacts, rows, seed, gap, law="associated"):
    """Contacts with a known solution, and the image of each on the other side of its bodies, -H in
    place of H: equal reactions of both cancel out. In the known motion the images open at the speed
    `gap`, so it is a solution if gap >= 0. If not, there is none as soon as a contact is closed:
    with y of that contact and y' of its image, y + y' does not depend on the motion."""
    known = rc.problems.random_problem(contacts, rows=rows, seed=seed, law=law)
    given, radii = known.problem.form, np.tile(known.problem.cone.radii, (2, 1))
    image = known.velocities.copy()
    image[:, 0] += gap
    problem = rc.ContactProblem.from_bodies(
        given.mass.blocks, sp.vstack([given.H, -given.H]), given.v_free,
        np.concatenate([given.b, image.reshape(-1) - given.b]), sliding=radii[:, 0],
        rolling=radii[:, 2] if rows > 3 else 0.0, spinning=radii[:, 4] if rows > 5 else 0.0,
        rows=rows, law=law,
    )  # fmt: skip
    return problem, known


sizes = {
    "contacts": st.integers(1, 6),
    "rows": st.sampled_from(ROWS),
    "seed": st.integers(0, 10**6),
    "law": st.sampled_from(LAWS),
}


@settings(max_examples=60)
@given(
    **sizes,
    gap=st.sampled_from([0.0, 1e-9, 1e-3, 1.0]),
    solver=st.sampled_from(ITERATIVE),
    form=st.sampled_from(FORMS),
)
def test_never_with_a_known_solution(contacts, rows, seed, law, gap, solver, form):
    """Though every contact is part of a self-stress."""
    problem, known = opposed(contacts, rows, seed, gap, law)
    problem = in_form(problem, form)
    assert rc.solve(problem, solver, max_iterations=500).status is not rc.Status.INFEASIBLE
    p = np.concatenate([known.reactions.reshape(-1), np.zeros(contacts * rows)])
    assert rc.solve(problem, solver, warm_start=p, tolerance=1e-6).iterations <= 1


@settings(max_examples=60)
@given(**sizes, gap=st.sampled_from([0.0, 1e-9, 1.0]), noise=st.sampled_from([0.0, 1e-3, 1.0]))
def test_no_candidate_is_taken_for_a_proof(contacts, rows, seed, law, gap, noise):
    """Self-stresses, alone or with something added."""
    problem, _ = opposed(contacts, rows, seed, gap, law)
    rng = np.random.default_rng(seed)
    stress = problem.cone.project(rng.normal(size=(2 * contacts, rows)) + np.eye(rows)[0])
    stress[contacts:] = stress[:contacts]
    candidate = stress + noise * rng.normal(size=stress.shape)
    for form in FORMS:
        part = proving_part(in_form(problem, form))
        assert find_proof(part, candidate.reshape(-1)) is None


@settings(max_examples=30)
@given(
    **sizes,
    gap=st.sampled_from([-0.03, -1.0]),
    solver=st.sampled_from(["admm", "newton"]),
    form=st.sampled_from(FORMS),
)
def test_images_that_close_in(contacts, rows, seed, law, gap, solver, form):
    problem, known = opposed(contacts, rows, seed, gap, law)
    if not known.reactions[:, 0].any():
        return
    problem = in_form(problem, form)
    s = rc.solve(problem, solver)
    assert not s.converged
    if law == "associated":
        assert s.status is rc.Status.INFEASIBLE
        assert rc.infeasibility_of(problem, s.infeasibility.reactions) is not None
        return
    # Friction may lead iterations in circles. But normal reactions of contacts and images prove it.
    p = np.zeros((2, contacts, rows))
    p[:, :, 0] = known.reactions[:, 0]
    assert rc.infeasibility_of(problem, p.reshape(-1)) is not None
    p[:, :, 1] = 0.5 * problem.cone.radii[0, 0] * p[:, :, 0]
    assert rc.infeasibility_of(problem, p.reshape(-1)) is None


@pytest.mark.parametrize("masses", [(1.0, 1e10), (1.0, 1e6, 1e12), (1.0, 1e7, 1e14)])
@pytest.mark.parametrize("solver", ["auto", "admm"])
def test_a_heavy_body_is_not_a_fixed_one(solver, masses):
    """A tower, heavier and heavier, in Delassus form, pushed from below: there is a solution, with
    reactions of the mass above."""
    n, over = len(masses), 1.0 / np.array(masses)
    W = np.diag(over) + np.diag(np.r_[0.0, over[:-1]])
    W -= np.diag(over[:-1], 1) + np.diag(over[:-1], -1)
    q = np.zeros(n)
    q[0] = -1.0
    problem = rc.ContactProblem.from_delassus(
        W, q, rows=3, bounds=[(0.0, INF)] * n, law="associated"
    )
    s = rc.solve(problem, solver, time_limit=0.3)
    assert s.status is not rc.Status.INFEASIBLE
