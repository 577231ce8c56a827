"""What must not matter: units, the order of contacts, the choice of tangents, who is A or B."""

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import rollcone as rc

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
    speed = si.velocities[:, 0].std() / scaled.velocities[:, 0].std()
    np.testing.assert_allclose(
        si.velocities[:, :3], scaled.velocities[:, :3] * speed, atol=1e-6 * speed
    )


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
    first, second = scaled.velocities, si.velocities
    for rows in (slice(0, 3), slice(3, 5)):  # both in their own unit
        ratio = np.abs(second[:, rows]).max() / np.abs(first[:, rows]).max()
        np.testing.assert_allclose(
            first[:, rows], second[:, rows] / ratio, atol=1e-6 * np.abs(first[:, rows]).max()
        )


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
