"""The proofs of pointedness by themselves: they must refuse what is none."""

import numpy as np
import pytest

import rollcone as rc
from rollcone.problem.rigid_part import carriers_in_words, rigid_part

INF = np.inf
# Two contacts of a point of 4 kg, opposed, mu = 0.5; a row that holds it along the normals, one
# that pushes it down, and one with two bounds.
H = np.vstack([np.eye(3), np.diag([-1.0, 1.0, -1.0]), [2.0, 0, 0], [0, 0, 1.0], [0, 1.0, 0]])


def part_of(form="bodies", rows=slice(None), **given):
    bounds = np.array([(-INF, INF), (-INF, 7.0), (-1.0, 1.0)])
    chosen = np.r_[0:6, 6 + np.arange(3)[rows]]
    problem = rc.ContactProblem.from_bodies(
        np.full(3, 4.0), H[chosen], np.zeros(3), sliding=0.5, rows=3, bounds=bounds[rows], **given
    )
    return rigid_part(problem if form == "bodies" else problem.to_delassus())


both_forms = pytest.mark.parametrize("form", ["bodies", "delassus"])


@both_forms
def test_numbers_without_units(form):
    """p = R s, R y = B x and, in bodies, T^T H^T p = B^T s, with contacts of size one."""
    part = part_of(form)
    np.testing.assert_array_equal(part.rows, range(8))  # not the row with two bounds
    np.testing.assert_array_equal(part.bilateral, [6])
    np.testing.assert_array_equal(part.openers, [0, 3, 7])
    assert part.R[7] < 0  # pushes down
    rng = np.random.default_rng(0)
    x, s = rng.normal(size=part.B.shape[1]), rng.normal(size=8)
    y, v = part.velocities(x)
    np.testing.assert_allclose(part.R * y[:8], part.B @ x, atol=1e-15)
    p = part.reactions(s)
    np.testing.assert_allclose(p[:8], part.R * s)
    if form == "bodies":
        np.testing.assert_allclose(part.T.T @ (H.T @ p), part.B.T @ s, atol=1e-15)
        np.testing.assert_allclose(y, H @ v, atol=1e-15)
    block = part.B[:3] @ part.B[:3].T if form == "bodies" else part.B[:3, :3]
    assert np.linalg.eigvalsh(block.toarray())[-1] == pytest.approx(1.0)


@both_forms
def test_imbalance_of_what_is_no_self_stress(form):
    part = part_of(form)
    both = np.array([1.0, 0.2, 0, 1.0, -0.2, 0, 0, 0])
    braced = part.imbalance(both)
    assert 1e-16 < braced < 1e-7  # exactly zero, but rounding might hide as much
    assert part.imbalance(3 * both) == pytest.approx(braced, rel=1e-12)
    one = part.imbalance(np.array([1.0, 0, 0, 0, 0, 0, 0, 0]))
    assert one == pytest.approx(1.0)  # one force and nothing against it
    assert part.imbalance(np.array([3.0, 0, 0, 1.0, 0, 0, 0, 0])) == pytest.approx(0.5)
    assert part.imbalance(np.zeros(8)) == INF
    outside = np.array([1.0, 0.6, 0, 1.0, -0.6, 0, 0, 0])
    assert part.imbalance(outside) == INF
    assert part.imbalance(-both) == INF
    pulls = np.array([0.0, 0, 0, 0, 0, 0, 0, -1.0])
    assert part.imbalance(pulls) == INF
    np.testing.assert_array_equal(part.project(pulls), 0.0)
    holds = np.array([-0.5, 0, 0, 0, 0, 0, -1.0, 2.0])
    np.testing.assert_array_equal(part.project(holds), [0, 0, 0, 0, 0, 0, -1.0, 2.0])


@both_forms
def test_margin_of_what_opens_nothing(form):
    """Only contact 0, opened along its normal, while contact 1 closes."""
    part = part_of(form, rows=slice(0, 0))
    x = np.eye(part.B.shape[1])[0]
    assert part.margin(x, INF) == pytest.approx(-1.0)
    assert part.margin(0 * x, INF) == 0.0


@both_forms
def test_bilateral_rows_that_move_cost_their_share(form):
    """One contact, opened by a motion that the bilateral row forbids: no proof at all."""
    problem = rc.ContactProblem.from_bodies(
        np.full(3, 4.0), H[[0, 1, 2, 6]], np.zeros(3), sliding=0.5, rows=3, bounds=[(-INF, INF)]
    )
    part = rigid_part(problem if form == "bodies" else problem.to_delassus())
    independence, _ = part.independence()
    assert independence == pytest.approx(1.0)
    x = np.eye(part.B.shape[1])[0]
    y, _ = part.velocities(x)
    assert part.slowest(y) > 0
    assert part.margin(x, independence) < 0


def test_rounding_is_no_margin():
    """0.1 + 0.2 - 0.3 is above zero in floating point, and opens nothing."""
    rows = np.array([[0.1, 0.2, -0.3], [1.0, -0.5, 0.0], [0.0, 0.0, 0.0]])
    problem = rc.ContactProblem.from_bodies(np.ones(3), rows, np.zeros(3), rows=3)
    part = rigid_part(problem)
    y, _ = part.velocities(np.ones(3))
    assert part.slowest(y) > 0
    assert part.margin(np.ones(3), INF) < 0
    assert part.margin(np.array([1.0, 1.0, 0.999]), INF) > 0


def test_least_singular_value():
    rows = np.array([[1.0, 0, 0], [np.cos(0.1), np.sin(0.1), 0], [0, 0, 5.0]])
    problem = rc.ContactProblem.from_bodies(
        np.full(3, 4.0), rows, np.zeros(3), rows=3, bounds=[(-INF, INF)] * 3
    )
    for each in (problem, problem.to_delassus()):
        value, s = rigid_part(each).independence()
        assert value == pytest.approx(np.sqrt(1 - np.cos(0.1)), rel=1e-9)
        np.testing.assert_allclose(np.abs(s), [0.5**0.5, 0.5**0.5, 0], atol=1e-12)


def test_carriers_in_words():
    problem = rc.ContactProblem.from_delassus(
        np.eye(10), np.zeros(10), sliding=0.3, rows=3, bounds=[(0.0, np.inf)]
    )
    one, two, none = np.array([0]), np.array([0, 2]), np.array([], dtype=int)
    assert carriers_in_words(problem, two, none) == "2 of 3 contacts (0, 2)"
    assert carriers_in_words(problem, none, one) == "1 of 1 extra row (0)"
    both = "2 of 3 contacts (0, 2) and 1 of 1 extra row (0)"
    assert carriers_in_words(problem, two, one) == both
