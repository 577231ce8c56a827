"""What must not matter: units, the order of contacts, the choice of tangents, who is A or B."""

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import rollcone as rc
from rollcone.problems.heap import GRAVITY, heap_geometry

HEAPS = Path(__file__).parents[3] / "shared" / "problems" / "heaps"


def same_iterations(first, second):
    return abs(first.iterations - second.iterations) <= 0.1 * first.iterations


@pytest.mark.parametrize("law", ["exact", "associated"])
@pytest.mark.parametrize("state", ["rest", "shake"])
def test_generated_heap_in_two_units(state, law):
    tolerance = 1e-3 if state == "rest" else 1e-9
    si, scaled = (
        rc.solve(
            rc.problems.heap(80, 3, state=state, units=units, law=law),
            tolerance=tolerance,
            max_iterations=100_000,
        )
        for units in ("SI", "scaled")
    )
    assert si.converged
    assert scaled.converged
    assert same_iterations(si, scaled)
    assert si.residual == pytest.approx(scaled.residual, rel=1e-3)
    length = float(heap_geometry(80, 3).radii.mean())
    speed, turn = np.sqrt(GRAVITY * length), np.sqrt(GRAVITY / length)
    units = np.array([speed] * 3 + [turn] * 3)
    np.testing.assert_allclose(si.velocities / units, scaled.velocities, atol=1e-6)
    for name in ("residual", "cone_violation", "dual_violation"):
        unit = speed if name == "dual_violation" else 1.0
        first, second = getattr(si.residuals, name) / unit, getattr(scaled.residuals, name)
        assert first == pytest.approx(second, rel=1e-3, abs=1e-14), name


@pytest.mark.parametrize("name", ["heap97_rest", "heap97_shake", "heap1k_shake", "pile78"])
def test_stored_heap_in_two_units(name):
    if not HEAPS.is_dir():
        pytest.skip("the stored heaps are not beside this checkout")
    tolerance = 3e-4 if name == "heap97_rest" else 1e-9
    scaled, si = (
        rc.solve(rc.load_problem(HEAPS / f"{name}{suffix}.npz"), tolerance=tolerance)
        for suffix in ("", "_SI")
    )
    assert scaled.converged
    assert si.converged
    assert same_iterations(scaled, si)
    with np.load(HEAPS / f"{name}.npz") as one, np.load(HEAPS / f"{name}_SI.npz") as other:
        length = float(np.mean(other["radii"] / one["radii"]))
        time = np.sqrt(length * one["g"] / other["g"])
    units = np.array([length / time] * 3 + [1.0 / time] * 2)
    size = np.abs(scaled.velocities).max()
    np.testing.assert_allclose(si.velocities / units, scaled.velocities, atol=1e-6 * size)


def rebuilt(problem, H, order=None):
    """The problem with another H, contacts in another order."""
    keep = np.arange(problem.contacts) if order is None else order
    return rc.ContactProblem.from_bodies(
        problem.form.mass.blocks,
        H,
        problem.form.v_free,
        sliding=problem.cone.radii[keep, 0],
        rolling=problem.cone.radii[keep, 2],
        spinning=problem.cone.radii[keep, 4],
        law=problem.law,
    )


@pytest.mark.parametrize("law", ["exact", "associated"])
def test_order_of_contacts(law):
    problem = rc.problems.heap(60, 4, state="shake", law=law)
    order = np.random.default_rng(0).permutation(problem.contacts)
    rows = (order[:, None] * 6 + np.arange(6)).reshape(-1)
    other = rebuilt(problem, problem.form.H[rows], order)
    first, second = (rc.solve(p, tolerance=1e-11, max_iterations=50_000) for p in (problem, other))
    np.testing.assert_allclose(first.velocities[order], second.velocities, atol=1e-7)


@pytest.mark.parametrize("law", ["exact", "associated"])
def test_choice_of_tangents(law):
    """Turning (t1, t2) by an angle of its own at each contact turns the rows, nothing else."""
    problem = rc.problems.heap(60, 4, state="shake", law=law)
    angles = np.random.default_rng(1).uniform(0, 2 * np.pi, problem.contacts)
    turns = np.tile(np.eye(6), (problem.contacts, 1, 1))
    for k in (1, 3):
        turns[:, k, k] = turns[:, k + 1, k + 1] = np.cos(angles)
        turns[:, k, k + 1], turns[:, k + 1, k] = np.sin(angles), -np.sin(angles)
    Q = sp.block_diag(list(turns), format="csr")
    other = rebuilt(problem, Q @ problem.form.H)
    first, second = (rc.solve(p, tolerance=1e-11, max_iterations=50_000) for p in (problem, other))
    turned = np.einsum("nij,nj->ni", turns, first.velocities)
    np.testing.assert_allclose(turned, second.velocities, atol=1e-8)
    assert same_iterations(first, second)


def test_mirrored_bodies():
    """Swapping A and B: n, t and w change sign and so do all rows of H and of the frame."""
    problem = rc.problems.heap(40, 4, state="shake")
    flipped = rebuilt(problem, -problem.form.H)
    mirrored = rc.ContactProblem.from_bodies(
        problem.form.mass.blocks,
        flipped.form.H,
        -problem.form.v_free,
        sliding=problem.cone.radii[:, 0],
        rolling=problem.cone.radii[:, 2],
        spinning=problem.cone.radii[:, 4],
    )
    first, second = rc.solve(problem, tolerance=1e-10), rc.solve(mirrored, tolerance=1e-10)
    np.testing.assert_array_equal(first.reactions, second.reactions)
    np.testing.assert_array_equal(first.body_velocities, -second.body_velocities)


def with_contact(problem, normal_speed):
    """The problem with one more contact, of a body of its own, that separates at a speed."""
    extra = sp.csr_matrix((np.ones(6), (range(6), [2, 0, 1, 3, 4, 5])), shape=(6, 6))
    v = np.zeros(6)
    v[2] = normal_speed
    more = sp.csr_matrix(sp.block_diag([problem.form.H, extra]))
    return rc.ContactProblem.from_bodies(
        np.concatenate([problem.form.mass.blocks, np.eye(6)[None]]),
        more,
        np.concatenate([problem.form.v_free, v]),
        sliding=np.append(problem.cone.radii[:, 0], 0.5),
        rolling=np.append(problem.cone.radii[:, 2], 0.1),
        spinning=np.append(problem.cone.radii[:, 4], 0.1),
        law=problem.law,
    )


@pytest.mark.parametrize("solver", ["gauss-seidel", "reference"])
@pytest.mark.parametrize("law", ["exact", "associated"])
def test_contact_that_separates_does_not_matter(law, solver):
    """However fast it opens, it must not make the others pass for solved."""
    problem = rc.problems.heap(15, 4, state="shake", law=law)
    alone = rc.solve(problem, solver, tolerance=1e-9)
    for speed in (1.0, 1e9 if solver == "gauss-seidel" else 1e3):
        beside = with_contact(problem, speed)
        found = rc.solve(beside, solver, tolerance=1e-9)
        assert found.converged
        assert found.iterations == pytest.approx(alone.iterations, abs=2)
        np.testing.assert_allclose(found.velocities[:-1], alone.velocities, atol=1e-7)


@pytest.mark.parametrize("solver", ["gauss-seidel", "reference"])
def test_force_as_a_row_or_as_a_velocity(solver):
    """A prescribed force, given as a row with lower = upper or through v_free."""
    problem = rc.problems.stack(3)
    H = problem.form.H.toarray()
    pull = np.zeros((1, H.shape[1]))
    pull[0, -4] = -1.0  # down, on the top box
    blocks = problem.form.mass.blocks
    row = rc.ContactProblem.from_bodies(
        blocks, np.vstack([H, pull]), np.zeros(18), sliding=0.5, rows=3, bounds=[(2.0, 2.0)]
    )
    free = rc.ContactProblem.from_bodies(blocks, H, 2.0 * pull[0], sliding=0.5, rows=3)
    first, second = (rc.solve(p, solver, tolerance=1e-8) for p in (row, free))
    assert first.converged
    assert second.converged
    np.testing.assert_allclose(first.body_velocities, second.body_velocities, atol=1e-7)
    for found in (first, second):
        assert found.reactions[:4, 0].sum() == pytest.approx(2.0, rel=1e-6)


@pytest.mark.parametrize("tilt", [1.0, 1e8, 1e16])
def test_body_that_cannot_tilt(tilt):
    """A huge inertia against rolling, none against spinning: the normal row is not forgotten."""
    n, t1, t2 = np.eye(3)[[2, 0, 1]]
    arm = np.array([0.1, 0.0, -0.5])
    H = [np.r_[e, np.cross(arm, e)] for e in (n, t1, t2)]
    H += [np.r_[np.zeros(3), e] for e in (t1, t2, n)]
    M = np.diag([1.0, 1, 1, tilt, tilt, 0.1])
    s = rc.solve(
        rc.ContactProblem.from_bodies(
            M[None], H, [0.1, 0, -1, 0, 0, 5.0], sliding=[0.3], rolling=0.01, spinning=0.01
        ),
        tolerance=1e-9,
    )
    assert s.converged
    assert abs(s.velocities[0, 0]) < 1e-8
    if tilt > 1:
        assert s.velocities[0, 1] == pytest.approx(0.0363613, abs=1e-6)
