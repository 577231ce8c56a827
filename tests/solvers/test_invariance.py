"""What must not matter: units, the order of contacts, the choice of tangents, who is A or B."""

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from solver_cases import ITERATIVE, LAWS, VARIANTS, dense, with_rows, words

import rollcone as rc
from rollcone.problems.heap import GRAVITY, heap_geometry

FAST = ("gauss-seidel", "apgd", "spectral")
HEAPS = Path(__file__).parents[3] / "shared" / "problems" / "heaps"


def same_iterations(first, second):
    return abs(first.iterations - second.iterations) <= max(2, 0.1 * first.iterations)


def in_units(problem, length, mass, time):
    """The problem in Delassus form with its numbers in other units; and the factors of p."""
    W, q = dense(problem)
    turns = np.tile([0, 0, 0, 1, 1, 1][: problem.rows], problem.contacts)
    lengths = length ** (np.concatenate([turns, np.zeros(problem.extra_rows)]) - 1.0)
    y, p = time * lengths, time / mass * length ** (-2.0) / lengths
    radii = problem.cone.radii / np.array([1, 1, length, length, length])
    rows = p[len(turns) :, None]
    other = rc.ContactProblem.from_delassus(
        W * y[:, None] / p,
        q * y,
        sliding=radii[:, 0],
        rolling=radii[:, 2],
        spinning=radii[:, 4],
        rows=problem.rows,
        law=problem.law,
        bounds=problem.bounds * rows,
        compliance=problem.compliance * y / p,
    )
    return other, p


@pytest.mark.parametrize(("solver", "options"), VARIANTS, ids=words)
@pytest.mark.parametrize("law", LAWS)
def test_units_of_length_mass_and_time(law, solver, options):
    """The same iterations and residuals: to rounding, and to the last bit where all factors
    are powers of four, so that nothing is rounded."""
    for rows in (2, 6):
        problem = with_rows(law, rows).to_delassus()
        found = rc.solve(problem, solver, tolerance=1e-8, max_iterations=60, **options)
        for units, exact in (((4.0**-5, 4.0**4, 4.0**-7), True), ((1e-3, 1e6, 0.3), False)):
            other, factors = in_units(problem, *units)
            again = rc.solve(other, solver, tolerance=1e-8, max_iterations=60, **options)
            history, p = again.history, again.all_reactions() / factors
            assert again.iterations == found.iterations
            if exact:
                np.testing.assert_array_equal(history, found.history)
                np.testing.assert_array_equal(p, found.all_reactions())
            np.testing.assert_allclose(history, found.history, rtol=1e-5, atol=1e-13)
            np.testing.assert_allclose(p, found.all_reactions(), atol=1e-9)


@pytest.mark.parametrize(("solver", "options"), VARIANTS, ids=words)
@pytest.mark.parametrize("law", LAWS)
def test_heap_in_two_units(law, solver, options):
    """In body form, with many contacts and W singular."""
    one, other = (
        rc.solve(
            rc.problems.heap(20, 3, state="shake", units=units, law=law),
            solver,
            tolerance=1e-8,
            max_iterations=40,
            **options,
        )
        for units in ("SI", "scaled")
    )
    assert one.iterations == other.iterations
    np.testing.assert_allclose(one.history, other.history, rtol=1e-5, atol=1e-13)


@pytest.mark.parametrize("law", LAWS)
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


@pytest.mark.parametrize("solver", FAST)
@pytest.mark.parametrize("law", LAWS)
def test_order_of_contacts(law, solver):
    problem = rc.problems.heap(60, 4, state="shake", law=law)
    order = np.random.default_rng(0).permutation(problem.contacts)
    rows = (order[:, None] * 6 + np.arange(6)).reshape(-1)
    other = rebuilt(problem, problem.form.H[rows], order)
    first, second = (rc.solve(p, solver, tolerance=1e-11) for p in (problem, other))
    np.testing.assert_allclose(first.velocities[order], second.velocities, atol=1e-7)


@pytest.mark.parametrize("solver", FAST)
@pytest.mark.parametrize("law", LAWS)
def test_choice_of_tangents(law, solver):
    """Turning (t1, t2) by an angle of its own at each contact turns the rows, nothing else."""
    problem = rc.problems.heap(60, 4, state="shake", law=law)
    angles = np.random.default_rng(1).uniform(0, 2 * np.pi, problem.contacts)
    turns = np.tile(np.eye(6), (problem.contacts, 1, 1))
    for k in (1, 3):
        turns[:, k, k] = turns[:, k + 1, k + 1] = np.cos(angles)
        turns[:, k, k + 1], turns[:, k + 1, k] = np.sin(angles), -np.sin(angles)
    Q = sp.block_diag(list(turns), format="csr")
    other = rebuilt(problem, Q @ problem.form.H)
    first, second = (rc.solve(p, solver, tolerance=1e-11) for p in (problem, other))
    turned = np.einsum("nij,nj->ni", turns, first.velocities)
    np.testing.assert_allclose(turned, second.velocities, atol=1e-8)
    if solver != "spectral":  # whose steps answer to the least change
        assert same_iterations(first, second)


@pytest.mark.parametrize("solver", ITERATIVE)
def test_mirrored_bodies(solver):
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
    first, second = (rc.solve(p, solver, max_iterations=100) for p in (problem, mirrored))
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


@pytest.mark.parametrize("solver", [*ITERATIVE, "reference"])
@pytest.mark.parametrize("law", LAWS)
def test_contact_that_separates_does_not_matter(law, solver):
    """However fast it opens, it must not make the others pass for solved."""
    problem = rc.problems.heap(15, 4, state="shake", law=law)
    alone = rc.solve(problem, solver, tolerance=1e-9)
    # Interior points keep all cones in one problem, whose digits have to do for the fastest, too.
    for speed in (1.0, 1e3 if solver in ("reference", "interior-point") else 1e9):
        beside = with_contact(problem, speed)
        found = rc.solve(beside, solver, tolerance=1e-9)
        assert found.converged
        # An interior point keeps clear of all edges; `auto` looks at the masses of all contacts.
        assert solver in ("interior-point", "auto") or same_iterations(found, alone)
        np.testing.assert_allclose(found.velocities[:-1], alone.velocities, atol=1e-7)


@pytest.mark.parametrize("solver", [*FAST, "reference"])
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
