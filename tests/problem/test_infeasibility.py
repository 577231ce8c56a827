"""Proofs that there is no solution, by themselves: they must refuse what is none."""

import numpy as np
import pytest
from pointed_cases import ball, in_groove

import rollcone as rc

CLOSING = np.tile([-1.0, 0.0, 0.0], 2)
ANGLE = 0.4
LEAN = np.tan(ANGLE)  # friction that lets the walls hold the ball
STRESS = np.array([1.0, LEAN, 0.0, 1.0, -LEAN, 0.0])
INF = np.inf


def groove(mu=0.43, b=CLOSING, law="associated"):
    """A ball between two walls that close in; t1 of the first wall points up, of the other down."""
    given = ball(in_groove(ANGLE), tangents=_up(), sliding=mu, law=law).form
    return rc.ContactProblem.from_bodies(
        given.mass.blocks, given.H, [0, 0, -1.0, 0, 0, 0], b, sliding=mu, rows=3, law=law
    )


def _up():
    return [np.array([np.sin(ANGLE), 0.0, -s * np.cos(ANGLE)]) for s in (1, -1)]


def test_a_proof_by_hand():
    """The stress along the line through both contacts, closing at their speed."""
    for problem in (groove(), groove().to_delassus()):
        for p in (STRESS, 1e-8 * STRESS, 1e8 * STRESS):
            proof = rc.infeasibility_of(problem, p)
            np.testing.assert_allclose(proof.reactions, STRESS, atol=1e-12)
            assert 0.0 <= proof.imbalance < 1e-14
            assert proof.cone_violation < 1e-15
            assert proof.carriers.tolist() == [0, 1]
            assert "2 of 2 contacts (0, 1)" in proof.report()
    assert rc.infeasibility_of(groove(), STRESS).descent == pytest.approx(1.0)
    one = rc.infeasibility_of(groove(b=[-1.0, 0, 0, 0.5, 0, 0]), STRESS)  # in the mean a fourth
    assert one.descent == pytest.approx(0.25)


@pytest.mark.parametrize("metres", [1e-3, 1.0, 1e4])
@pytest.mark.parametrize("kilograms", [1e-6, 1e6])
def test_no_units(metres, kilograms):
    plain = groove()
    unit_v = np.array([metres] * 3 + [1.0] * 3)
    H = metres * plain.form.H.toarray() / unit_v
    M = kilograms * plain.form.mass.blocks[0] * np.outer(metres / unit_v, metres / unit_v)
    other = rc.ContactProblem.from_bodies(
        M[None], H, plain.form.v_free * unit_v, metres * CLOSING, sliding=0.43, rows=3,
        law="associated",
    )  # fmt: skip
    for form in (lambda one: one, lambda one: one.to_delassus()):
        first, second = (rc.infeasibility_of(form(one), STRESS) for one in (plain, other))
        assert second.descent == pytest.approx(first.descent)
        assert second.imbalance < 1e-13


@pytest.mark.parametrize(
    ("problem", "p"),
    [
        (groove(law="exact"), STRESS),
        (groove(0.42), STRESS),  # outside the cones
        (groove(), np.array([1.0, 0.42, 0, 1.0, -0.42, 0])),  # not in balance
        (groove(), np.array([1.0, LEAN + 1e-9, 0, 1.0, -LEAN, 0])),  # hardly
        (groove(), -STRESS),
        (groove(), np.zeros(6)),
        (groove(b=-CLOSING), STRESS),  # opening
        (groove(b=None), STRESS),
        (groove(b=[1.0, 0, 0, -1.0, 0, 0]), STRESS),  # one opens as the other closes
        (groove(b=[-1.0, 0, 0, 1.0 - 1e-13, 0, 0]), STRESS),  # hardly
    ],
    ids=str,
)
def test_what_proves_nothing(problem, p):
    for form in (problem, problem.to_delassus()):
        assert rc.infeasibility_of(form, p) is None


def rows(bounds, b, compliance=0.0, law="associated", H=((1.0,), (1.0,))):
    return rc.ContactProblem.from_bodies(
        np.eye(1), np.array(H), [0.3], b, bounds=bounds, compliance=compliance, law=law
    )


def test_extra_rows():
    """Two rows ask a point for different speeds; reactions along directions without bound."""
    free, up, down, closed = (-INF, INF), (0.0, INF), (-INF, 0.0), (-5.0, 5.0)
    wrong, right = [0.0, 1.0], [0.5, 0.5]
    pull = np.array([1.0, -1.0])
    for bounds in ([free, free], [up, free], [free, down], [up, down]):
        proof = rc.infeasibility_of(rows(bounds, wrong), pull)
        assert proof.carrying_rows.tolist() == [0, 1]
        assert "2 of 2 extra rows" in proof.report()
        assert rc.infeasibility_of(rows(bounds, right), pull) is None
        assert rc.infeasibility_of(rows(bounds, wrong), -pull) is None
    for bounds in ([closed, free], [free, up], [down, down]):
        assert rc.infeasibility_of(rows(bounds, wrong), pull) is None
    assert rc.infeasibility_of(rows([free, free], wrong, [0.0, 1e-9]), pull) is None


def test_the_transpose_of_w():
    """y.p = q.p asks for W^T p = 0, not for W p = 0."""
    bounds, q, p = [(0, INF)] * 2, [-1.0, 0.0], np.array([1.0, 0.0])
    held = np.array([[0.0, 0.0], [1.0, 1.0]])  # y of the first row is -1 whatever the reactions
    for W, proven in ((held, True), (held.T, False)):
        problem = rc.ContactProblem.from_delassus(W, q, bounds=bounds, law="associated")
        assert (rc.infeasibility_of(problem, p) is not None) == proven


def test_wrong_input():
    with pytest.raises(rc.InputError, match=r"p of shape \(3,\): must be \(6,\)"):
        rc.infeasibility_of(groove(), [1.0, 0.0, 0.0])
    with pytest.raises(rc.InputError, match=r"p\[0\] = nan: must be finite"):
        rc.infeasibility_of(groove(), np.full(6, np.nan))


@pytest.mark.slow
def test_bodies_that_are_fast_by_themselves():
    """Walls that hardly close in, at so small an angle that a body as fast as this one gets out in
    time: no reactions at all are a solution."""
    d, b = 2e-11, np.zeros(6)
    H = np.array([[1, d, 0], [0, 1, 0], [0, 0, 1], [-1, d, 0], [0, 1, 0], [0, 0, 1.0]])
    b[[0, 3]] = -50 * d
    p = np.array([1.0, 0, 0, 1, 0, 0])
    for speed, proven in ((100.0, False), (0.1, False), (1e-7, True)):
        problem = rc.ContactProblem.from_bodies(
            np.eye(3)[None], H, [0, speed, 0], b, sliding=0.5, rows=3
        )
        assert (rc.infeasibility_of(problem, p) is not None) == proven
        assert (rc.solve(problem).iterations == 0) == (speed > 50.0)
