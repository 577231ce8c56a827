"""ADMM: few factorisations, theory where there is one, hard heaps and stacks, honest ends."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from iteration_twins import Twin
from solver_cases import KINDS, LAWS, ROWS, iterates, started, twin_residual, words

import rollcone as rc
from rollcone.solvers.coupling import BodyCoupling, MatrixCoupling
from rollcone.solvers.extrapolation import Extrapolation


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("coupling", [BodyCoupling, MatrixCoupling])
def test_few_factorisations(coupling, law, monkeypatch):
    """One at the start and one for each change of h, which get rarer."""
    problem = rc.problems.heap(40, 2, law=law)
    problem = problem if coupling is BodyCoupling else problem.to_delassus()
    calls, plain = [], coupling.factor

    def counted(self, equations):
        calls.append(equations.T[0, 0, 0])
        return plain(self, equations)

    monkeypatch.setattr(coupling, "factor", counted)
    method = started(problem, "admm", np.zeros(problem.size), {})
    method.advance(2_000, 0.0)
    assert method.factors == len(calls) <= 15
    lengths = np.array(calls)
    ratios = np.maximum(lengths[1:] / lengths[:-1], lengths[:-1] / lengths[1:])
    assert (ratios >= 2.0 - 1e-12).all()


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_stays_at_a_solution(kind, law):
    """x = p there, so nothing moves, whatever else is chosen."""
    problem = kind(law, 6)
    p = rc.solve(problem, "newton", tolerance=1e-14).all_reactions()
    for options in ({}, {"relaxation": 0.5}, {"relaxation": 1.9, "memory": 0}):
        method = started(problem, "admm", p, options)
        for found in iterates(method, 30):
            np.testing.assert_allclose(found, p, rtol=0, atol=1e-11 * np.abs(p).max())


@settings(max_examples=40)
@given(
    contacts=st.integers(1, 12),
    rows=st.sampled_from(ROWS),
    seed=st.integers(0, 10**6),
    relaxation=st.floats(0.1, 1.9),
)
def test_every_iteration_leads_closer(contacts, rows, seed, relaxation):
    """The map of s = x + h y is averaged: for the associated law, as long as h is kept,

        |s_(k+1) - s*|^2 <= |s_k - s*|^2 - (2 - a) / a |s_(k+1) - s_k|^2     (Bauschke, Combettes)

    for every solution s* = p* + h y*."""
    known = rc.problems.random_problem(contacts, rows=rows, seed=seed, law="associated")
    twin, h = Twin(known.problem), 10.0
    best = (known.reactions.reshape(-1), known.velocities.reshape(-1))
    goal = best[0] / twin.scale + h * best[1] * twin.scale
    options = {"relaxation": relaxation, "memory": 0}
    method = started(known.problem, "admm", np.zeros(known.problem.size), options)
    s = twin.q * h
    for _ in range(20):
        method.advance(1, 0.0)
        new = method.scaled.unit * (method.x + h * method.y)
        gain = (2 - relaxation) / relaxation * np.sum((new - s) ** 2)
        room = np.sum((s - goal) ** 2) - gain + 1e-9 * np.sum(goal**2)
        assert np.sum((new - goal) ** 2) <= room
        s = new


@pytest.mark.parametrize("ratio", [1.0, 1e2, 1e4])
@pytest.mark.parametrize("law", LAWS)
def test_heavy_boxes_on_light_ones(law, ratio):
    """Redundant contacts and mass ratios: some tens of iterations, one factor or two."""
    problem = rc.problems.stack(10, mass_ratio=ratio, law=law)
    s = rc.solve(problem, "admm", tolerance=1e-9)
    assert s.converged
    assert s.iterations <= 50
    assert twin_residual(problem, s) <= 1.01e-9


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("state", ["rest", "shake"])
@pytest.mark.parametrize("seed", [0, 1])
def test_heaps(law, state, seed):
    """Hyperstatic, W singular; certified by the slow twin."""
    problem = rc.problems.heap(60, seed, law=law, state=state)
    s = rc.solve(problem, "admm", tolerance=1e-8)
    assert s.converged
    assert s.iterations <= 1_500
    assert twin_residual(problem, s) <= 1.01e-8


def test_agrees_with_the_reference():
    """Velocities of the associated law are unique, also where reactions are not."""
    pytest.importorskip("clarabel")
    for problem in (
        rc.problems.heap(25, 3, law="associated"),
        rc.problems.stack(5, push=0.5, mass_ratio=100.0, law="associated"),
    ):
        s, sure = (rc.solve(problem, one, tolerance=1e-10) for one in ("admm", "reference"))
        assert s.converged
        assert sure.converged
        size = np.abs(problem.q).max()
        np.testing.assert_allclose(s.velocities, sure.velocities, rtol=0, atol=1e-7 * size)


@pytest.mark.parametrize("sliding", [1.0, 2.0, 5.0, 10.0])
def test_strong_friction(sliding):
    """Shaken heaps on which accelerated gradients run in circles, from two on for good."""
    for seed in (0, 1):
        problem = rc.problems.heap(60, seed, state="shake", sliding=sliding)
        s = rc.solve(problem, "admm", tolerance=1e-6)
        assert s.converged, (seed, s)
        assert twin_residual(problem, s) <= 1.01e-6


@pytest.mark.parametrize("options", [{}, {"memory": 0}, {"relaxation": 1.5}], ids=words)
def test_both_forms_take_the_same_path(options):
    """By bodies and by the matrix W, contact by contact the same until rounding shows."""
    problem = rc.problems.heap(15, 1, state="shake")
    one, other = (
        started(p, "admm", np.zeros(p.size), options) for p in (problem, problem.to_delassus())
    )
    for p, p_other in zip(iterates(one, 20), iterates(other, 20), strict=True):
        np.testing.assert_allclose(p, p_other, rtol=0, atol=1e-7 * np.abs(p).max())


def test_it_says_when_nothing_helps():
    """A groove that closes in under the exact law, its walls at 0.4 rad to the vertical, and enough
    friction to hold a point: no answer, no proof, and no going on for ever."""
    c, s = np.cos(0.4), np.sin(0.4)
    H, b = np.array([[c, s], [s, -c], [-c, s], [s, c]]), [-1, 0, -1, 0]
    walls = rc.ContactProblem.from_delassus(H @ H.T, b, sliding=0.43, rows=2)
    s = rc.solve(walls, "admm")
    assert s.status is rc.Status.STALLED
    assert "no longer falls" in s.message
    assert s.iterations < 5_000


def test_memory_has_a_limit():
    with pytest.raises(rc.InputError, match="memory = 1001: must be at most 1000"):
        rc.solve(rc.problems.heap(5), "admm", memory=1001)


def test_extrapolation_of_a_linear_map():
    """In n dimensions n differences say all about x -> B x + c: its fixed point is next."""
    rng = np.random.default_rng(3)
    B, c = 0.3 * rng.normal(size=(6, 6)), rng.normal(size=6)
    best = np.linalg.solve(np.eye(6) - B, c)
    for memory, last in ((6, 1e-7), (3, 1.0)):
        extrapolation, x, away = Extrapolation(memory, 6), np.zeros(6), []
        for _ in range(8):
            image = B @ x + c
            further = extrapolation.next_point(image - x, image)
            x = image if further is None else further
            away.append(np.linalg.norm(x - best))
        assert away[0] > 0.1
        assert away[-1] < last
    extrapolation.forget()
    assert extrapolation.next_point(image - x, image) is None
    assert Extrapolation(0, 6).next_point(image - x, image) is None
