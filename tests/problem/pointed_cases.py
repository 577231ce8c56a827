"""What the tests of pointedness share: balls, and the proofs of answers checked once more, from
the formulas alone."""

import numpy as np
import pytest

import rollcone as rc
import twins

pytest.importorskip("clarabel")

INF = np.inf
BOTH, UP, DOWN = (-INF, INF), (0.0, INF), (-INF, 0.0)
FORMS = {"bodies": lambda problem: problem, "delassus": rc.ContactProblem.to_delassus}
both_forms = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)


def prove(problem, answer):
    """The answer's own numbers, by plain arithmetic on discs; returns the verdict."""
    n, d, m = problem.contacts, problem.rows, problem.extra_rows
    radii = problem.cone.radii[:, [0, 2, 4]]
    lower, upper = problem.bounds.T
    if answer.verdict == "pointed" and answer.velocities is not None:
        matrix, cause = raw(problem), answer.body_velocities
        cause = answer.impulses if cause is None else cause
        y = matrix @ cause
        rounding = 1e-13 * (np.abs(matrix) @ np.abs(cause)).max()
        np.testing.assert_allclose(y, answer.velocities, rtol=0, atol=rounding)
        contacts, rows = y[: n * d].reshape(n, d), y[n * d :]
        for u, coefficients in zip(contacts, radii, strict=True):
            assert u[0] - twins.shift(u, coefficients) > 1 - 1e-9 - 10 * rounding
        assert (rows[np.isinf(upper) & np.isfinite(lower)] > 1 - 1e-9).all()
        assert (rows[np.isinf(lower) & np.isfinite(upper)] < -1 + 1e-9).all()
        held = np.abs(rows[np.isinf(upper) & np.isinf(lower)])
        assert held.max(initial=0.0) < 1e-6 * np.abs(y).max()
    if answer.verdict == "not pointed":
        p = answer.reactions
        contacts, rows = p[: n * d].reshape(n, d), p[n * d :]
        for each, coefficients in zip(contacts, radii, strict=True):
            for c, group in zip(coefficients, twins.groups(d), strict=False):
                assert np.linalg.norm(each[group]) <= c * each[0] * (1 + 1e-12)
        assert (contacts[:, 0] >= 0).all()
        assert (rows[np.isfinite(upper)] <= 0).all()
        assert (rows[np.isfinite(lower)] >= 0).all()
        assert np.abs(p).max() > 0
        matrix = raw(problem).T
        near = 1e-12 if hasattr(problem.form, "H") else 1e-6
        assert np.abs(matrix @ p).max() <= near * np.abs(matrix).max() * np.abs(p).max()
        np.testing.assert_array_equal(answer.carriers, np.flatnonzero(contacts[:, 0]))
        np.testing.assert_array_equal(answer.carrying_rows, np.flatnonzero(rows))
    if m == 0:
        assert answer.margin <= answer.imbalance
    return answer.verdict


def raw(problem):
    return (problem.form.W if hasattr(problem.form, "W") else problem.form.H).toarray()


def verdict(problem):
    return prove(problem, problem.is_pointed())


def ball(normals, rows=3, radius=0.5, tangents=None, points=None, extra=(), **given):
    """A ball of 2 kg touched from outside; t1 lies in the plane of its normal and z."""
    H = []
    for i, n in enumerate(np.atleast_2d(normals)):
        t1 = np.cross([0, 1.0, 0], n) if tangents is None else tangents[i]
        t2 = np.cross(n, t1)
        arm = -radius * n if points is None else points[i]
        block = [np.r_[e, np.cross(arm, e)] for e in (n, t1, t2)]
        block += [np.r_[np.zeros(3), e] for e in (t1, t2, n)]
        H += block[:1] + block[1:2] if rows == 2 else block[:rows]
    inertia = 0.4 * 2.0 * radius**2
    H = np.array([*H, *extra])
    return rc.ContactProblem.from_bodies(
        np.diag([2.0] * 3 + [inertia] * 3)[None], H, np.zeros(6), rows=rows, **given
    )


def in_groove(angle):
    """Normals of two walls, each inclined by `angle` to the vertical plane between them."""
    return np.array([[s * np.cos(angle), 0.0, np.sin(angle)] for s in (1, -1)])


FLOOR, CEILING = np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, -1.0])
