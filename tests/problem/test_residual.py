"""Every residual against its slow twin, and against what it must be at a solution."""

import numpy as np
import pytest

import rollcone as rc
import twins
from rollcone.problem.residual import residuals


def random_case(d, n, m, law, seed, symmetric=True):
    rng = np.random.default_rng(seed)
    size = n * d + m
    root = rng.normal(size=(size, size + 3))
    W = root @ root.T / size
    if not symmetric:
        W += 0.01 * rng.normal(size=W.shape)
    q = rng.normal(size=size)
    q[0] = -1.0  # something to resist
    bounds = np.sort(rng.normal(size=(m, 2)), axis=1)
    if m > 1:
        bounds[0] = -np.inf, np.inf
    coefficients = rng.uniform(0.05, 1.5, (n, 3))
    coefficients[0] = 0.0
    coefficients[:, 1] *= d >= 5
    coefficients[:, 2] *= d == 6
    compliance = rng.uniform(0, 0.3, size) * (rng.random(size) < 0.5)
    problem = rc.ContactProblem.from_delassus(
        W,
        q,
        sliding=coefficients[:, 0],
        rolling=coefficients[:, 1],
        spinning=coefficients[:, 2],
        law=law,
        bounds=bounds,
        compliance=compliance,
    )
    p = rng.normal(size=size) + 1.0
    return problem, (W, q, p, coefficients, law, bounds, compliance)


@pytest.mark.parametrize("law", ["exact", "associated"])
@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("m", [0, 3])
@pytest.mark.parametrize("d", [2, 3, 5, 6])
def test_twin(d, m, symmetric, law):
    for seed in range(3):
        problem, raw = random_case(d, 4, m, law, seed, symmetric)
        found = residuals(problem, raw[2])
        for name, expected in twins.measures(*raw).items():
            assert getattr(found, name) == pytest.approx(expected, rel=1e-10, abs=1e-13), name


@pytest.mark.parametrize("law", ["exact", "associated"])
@pytest.mark.parametrize("d", [2, 3, 5, 6])
def test_zero_at_a_known_solution_and_nowhere_near(d, law):
    known = rc.problems.random_problem(12, rows=d, seed=5, law=law)
    p = known.reactions.reshape(-1)
    at = residuals(known.problem, p)
    assert max(at.residual, at.residual_fclib, at.cone_violation) < 1e-14
    assert abs(at.dissipation_gap) < 1e-12
    assert at.dual_violation < 1e-13
    beside = residuals(known.problem, p + 1e-3)
    assert beside.residual > 1e-5


def test_other_law_is_not_met():
    known = rc.problems.random_problem(12, rows=6, seed=5, law="exact")
    other = residuals(known.problem.with_law("associated"), known.reactions.reshape(-1))
    assert other.residual > 1e-3


def test_strong_friction_does_not_hide_penetration():
    """Zero reactions with u_n < 0 are wrong by |u_n|, however large mu is."""
    for mu in (0.3, 1e3, 1e6):
        problem = rc.ContactProblem.from_delassus(np.eye(3), [-1.0, 1.0, 0.0], sliding=[mu])
        assert residuals(problem, np.zeros(3)).residual_speed == pytest.approx(1.0)


@pytest.mark.parametrize("law", ["exact", "associated"])
@pytest.mark.parametrize("size", [1e8, 1e15, 1e16, 1e17, 1e30, 1e149])
def test_huge_reactions_do_not_hide_penetration(size, law):
    """Between walls that close: reactions cancel out, and y is lost in their rounding."""
    H, b = [[1.0, 0], [0, 1], [-1, 0], [0, 1]], [-1.0, 0, -1, 0]
    walls = rc.ContactProblem.from_bodies(
        np.ones(2), H, np.zeros(2), b, sliding=0.5, rows=2, law=law
    )
    joints = rc.ContactProblem.from_delassus(
        [[1.0, -1], [-1, 1]], [-1.0, -1], bounds=[(-np.inf, np.inf), (0.0, np.inf)]
    )
    for problem, p in ((walls, [size, 0, size, 0]), (joints, [size, size])):
        assert residuals(problem, np.array(p)).residual > 0.1
        s = rc.solve(problem, warm_start=p, max_iterations=100)
        assert not s.converged


def test_rounding_alone_is_small():
    """What large reactions hide is no more than their rounding."""
    known = rc.problems.random_problem(12, rows=6, seed=5)
    p = known.reactions.reshape(-1)
    assert 0.0 < residuals(known.problem, p).residual < 1e-14


def test_nothing_drives_the_problem():
    problem = rc.ContactProblem.from_delassus(np.eye(3), np.zeros(3), sliding=[0.5])
    assert residuals(problem, np.zeros(3)).residual == 0.0
    assert residuals(problem, np.array([1.0, 0.0, 0.0])).residual == np.inf
    warm = rc.solve(problem, warm_start=[1.0, 0.0, 0.0])
    assert warm.converged
    assert not warm.reactions.any()


def test_block_that_cannot_move():
    """W = 0: the contact's velocity is what it is; the law holds or it does not."""
    for normal, broken in ((0.2, False), (-0.2, True)):
        problem = rc.ContactProblem.from_delassus(
            np.zeros((3, 3)), [normal, 0.0, 0.0], sliding=[0.5]
        )
        found = residuals(problem, np.zeros(3))
        assert np.isfinite(found.residual)
        assert (found.residual > 0.5) == broken


@pytest.mark.parametrize("factor", [1e-149, 1e149])
def test_extreme_sizes(factor):
    _, raw = random_case(6, 3, 0, "exact", 1)
    W, q, p, c = raw[:4]
    plain = residuals(
        rc.ContactProblem.from_delassus(W, q, sliding=c[:, 0], rolling=c[:, 1], spinning=c[:, 2]),
        p,
    )
    scaled = residuals(
        rc.ContactProblem.from_delassus(
            W, q * factor, sliding=c[:, 0], rolling=c[:, 1], spinning=c[:, 2]
        ),
        p * factor,
    )
    assert scaled.residual == pytest.approx(plain.residual, rel=1e-12)
    assert scaled.residual_speed == pytest.approx(plain.residual_speed * factor, rel=1e-12)
