"""Gauss-Seidel against closed forms, known solutions and itself in other forms."""

import numpy as np
import pytest

import rollcone as rc
from balls import ball

LAWS = ("exact", "associated")


def test_sticks():
    """A sliding sphere with enough friction rolls on: u_T = 0 after r_T = 2/7 m u_T."""
    problem = ball((0.1, 0, -1.0), (0, 0, 0))
    s = rc.solve(problem, tolerance=1e-14)
    np.testing.assert_allclose(s.reactions[0], [2.0, -2 / 7 * 2 * 0.1, 0, 0, 0, 0], atol=1e-12)
    np.testing.assert_allclose(s.velocities[0, :3], 0.0, atol=1e-12)
    assert s.modes(1e-9)[0].startswith("sticking")


def test_slides():
    """r_T = -mu r_n, u_T decreases by mu r_n (1/m + R^2/J)."""
    problem = ball((5.0, 0, -1.0), (0, 0, 0), sliding=0.3)
    s = rc.solve(problem, tolerance=1e-14)
    np.testing.assert_allclose(s.reactions[0, :3], [2.0, -0.6, 0], atol=1e-12)
    assert s.velocities[0, 1] == pytest.approx(5.0 - 0.6 * (0.5 + 0.25 / 0.2), abs=1e-12)
    assert s.velocities[0, 0] == pytest.approx(0.0, abs=1e-12)


def test_takes_off():
    s = rc.solve(ball((1.0, 0, 0.3), (0, 1, 0)))
    assert not s.reactions.any()
    assert s.modes()[0] == "take-off"
    np.testing.assert_allclose(s.velocities[0, 0], 0.3)


def test_rolling_friction_stops_a_slow_roll():
    """Rolling without slip at w: m_R = -rho r_n brakes; a slow roll stops for good."""
    fast = rc.solve(ball((1.0, 0, -1.0), (0, 2.0, 0), rolling=0.02), tolerance=1e-14)
    # Moment about the contact point: (J + m R^2) dw = -rho r_n.
    assert fast.body_velocities[4] == pytest.approx(2.0 - 0.02 * 2.0 / (0.2 + 0.5), abs=1e-12)
    slow = rc.solve(ball((0.01, 0, -1.0), (0, 0.02, 0), rolling=0.02), tolerance=1e-14)
    np.testing.assert_allclose(slow.body_velocities, 0.0, atol=1e-13)
    assert slow.modes(1e-9)[0] == "sticking, no-rolling, no-spinning"


def test_spinning_friction():
    s = rc.solve(ball((0, 0, -1.0), (0, 0, 3.0), spinning=0.1), tolerance=1e-14)
    assert s.body_velocities[5] == pytest.approx(3.0 - 0.1 * 2.0 / 0.2, abs=1e-12)


def test_associated_law_lifts():
    """u_n = mu |u_T| + rho |w_R| + sigma |w_n| at a contact that slides, rolls and spins."""
    s = rc.solve(
        ball((5.0, 0, -1.0), (1.0, 0, 9.0), "associated", sliding=0.3, rolling=0.05, spinning=0.04),
        tolerance=1e-14,
    )
    y = s.velocities[0]
    lift = 0.3 * np.hypot(y[1], y[2]) + 0.05 * np.hypot(y[3], y[4]) + 0.04 * abs(y[5])
    assert s.modes(1e-9)[0] == "sliding, rolling, spinning"
    assert y[0] == pytest.approx(lift, abs=1e-12)
    assert abs(np.dot(y, s.reactions[0])) < 1e-12


OPTIONS = [
    {},
    {"relaxation": 1.0},
    {"local": "exact", "relaxation": 1.0},
    {"order": "symmetric"},
    {"order": "shuffled", "seed": 7},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("d", [2, 3, 5, 6])
def test_known_solutions(d, law, options):
    """Random problems built around a solution: velocities come back, in both forms.

    The seed is one for which the exact law has no second solution, as random plane
    problems often have."""
    known = rc.problems.random_problem(8, rows=d, seed=5, law=law)
    found = [
        rc.solve(form, tolerance=1e-11, max_iterations=100_000, **options)
        for form in (known.problem, known.problem.to_delassus())
    ]
    assert all(s.converged for s in found)
    assert found[0].iterations == found[1].iterations
    for s in found:
        np.testing.assert_allclose(s.velocities, known.velocities, atol=1e-7)


@pytest.mark.parametrize(
    "sets",
    [
        {"sliding": rc.Ellipse(0.5, 0.1)},
        {"sliding": rc.Box(0.4, 0.2), "rolling": rc.Ellipse(0.05, 0.1)},
        {"sliding": rc.Polygon(0.5, 4)},
        {"sliding": rc.Polygon(0.5, 8), "rolling": 0.1, "spinning": 0.1},
    ],
    ids=str,
)
@pytest.mark.parametrize("law", LAWS)
def test_other_sets(sets, law):
    """Sets that are not discs: the answer is in K, obeys maximum dissipation, is certified."""
    source = rc.problems.random_problem(6, rows=6, seed=4, law=law).problem.to_delassus()
    problem = rc.ContactProblem.from_delassus(source.form.W, source.q, rows=6, law=law, **sets)
    s = rc.solve(problem, tolerance=1e-12, max_iterations=100_000)
    assert s.converged
    assert problem.cone.contains(s.reactions).all()
    if law == "exact":
        power = -np.sum(s.velocities * s.reactions, axis=1)
        most = problem.cone.dissipation(s.velocities, s.reactions)
        np.testing.assert_allclose(power, most, atol=1e-9)
        assert s.velocities[:, 0].min() > -1e-9


def test_bilateral_rows_are_linear_algebra():
    rng = np.random.default_rng(0)
    root = rng.normal(size=(5, 8))
    W, q = root @ root.T, rng.normal(size=5)
    bounds = np.tile([-np.inf, np.inf], (5, 1))
    problem = rc.ContactProblem.from_delassus(W, q, bounds=bounds)
    s = rc.solve(problem, tolerance=1e-13, max_iterations=100_000)
    np.testing.assert_allclose(s.row_reactions, np.linalg.solve(W, -q), rtol=1e-9)
    soft = rc.ContactProblem.from_delassus(W, q, bounds=bounds, compliance=0.7)
    s = rc.solve(soft, tolerance=1e-13, max_iterations=100_000)
    np.testing.assert_allclose(s.row_reactions, np.linalg.solve(W + 0.7 * np.eye(5), -q), rtol=1e-9)


def test_bounded_rows():
    """A seal -S <= p <= S on a sliding mass: holds below its limit, drags at it above."""
    for speed, force, left in ((0.5, -1.0, 0.0), (3.0, -4.0, 1.0)):
        problem = rc.ContactProblem.from_bodies([2.0], [[1.0]], [speed], bounds=[(-4.0, 4.0)])
        s = rc.solve(problem, tolerance=1e-13)
        assert s.row_reactions[0] == pytest.approx(force)
        assert s.body_velocities[0] == pytest.approx(left, abs=1e-13)


@pytest.mark.parametrize("form", ["body", "delassus"])
def test_contacts_with_extra_rows_and_compliance(form):
    """All kinds of rows at once; checked by the law itself, on the raw data."""
    rng = np.random.default_rng(3)
    known = rc.problems.random_problem(5, rows=5, seed=1).problem
    H = np.vstack([known.form.H.toarray(), rng.normal(size=(3, known.form.H.shape[1]))])
    H[-3:, 12:] = 0.0
    size = len(H)
    compliance = np.where(np.arange(size) % 2, 0.05, 0.0)
    bounds = [(-np.inf, np.inf), (-0.1, 0.3), (0.0, np.inf)]
    problem = rc.ContactProblem.from_bodies(
        known.form.mass.blocks,
        H,
        known.form.v_free,
        rng.normal(size=size),
        sliding=np.full(5, 0.4),
        rolling=0.1,
        bounds=bounds,
        compliance=compliance,
    )
    s = rc.solve(
        problem if form == "body" else problem.to_delassus(),
        tolerance=1e-12,
        max_iterations=100_000,
    )
    assert s.converged
    p = s.all_reactions()
    y = (
        H @ (known.form.v_free + np.linalg.solve(known.form.mass.matrix().toarray(), H.T @ p))
        + problem.form.b
    )
    np.testing.assert_allclose(
        np.concatenate([s.velocities.reshape(-1), s.row_velocities]), y, atol=1e-10
    )
    rows = (y + compliance * p)[-3:]
    assert abs(rows[0]) < 1e-9
    assert -0.1 - 1e-12 <= p[-2] <= 0.3 + 1e-12
    assert rows[1] <= 1e-9 or p[-2] == pytest.approx(-0.1)
    assert rows[1] >= -1e-9 or p[-2] == pytest.approx(0.3)
    assert p[-1] >= 0
    assert rows[2] >= -1e-9
    assert abs(p[-1] * rows[2]) < 1e-9
    warm = rc.solve(problem, tolerance=1e-12, max_iterations=100_000, warm_start=0.5 * p)
    assert warm.converged
    np.testing.assert_allclose(warm.velocities, s.velocities, atol=1e-9)


def test_not_converged_is_a_status():
    problem = rc.problems.heap(50, 1)
    s = rc.solve(problem, tolerance=1e-12, max_iterations=7)
    assert not s.converged
    assert s.status is rc.Status.MAX_ITERATIONS
    assert s.iterations == 7
    assert "not converged" in s.message
    assert s.residual == pytest.approx(s.history[:, 1].min())


def test_impossible_problem_says_so():
    """Approach that nothing can stop (W = 0): no answer, and no crash."""
    problem = rc.ContactProblem.from_delassus(np.zeros((3, 3)), [-1.0, 0, 0], sliding=[0.3])
    assert not rc.solve(problem, max_iterations=200).converged


def test_time_limit():
    s = rc.solve(rc.problems.heap(100, 1), tolerance=0.0, max_iterations=10**8, time_limit=0.05)
    assert s.status is rc.Status.TIME_LIMIT


def test_warm_start():
    problem = rc.problems.heap(60, 1, state="shake")
    cold = rc.solve(problem, tolerance=1e-9)
    assert rc.solve(problem, tolerance=1.1e-9, warm_start=cold).iterations == 0
    assert rc.solve(problem, tolerance=1.1e-9, warm_start=cold.all_reactions()).iterations == 0
    near = rc.solve(problem, tolerance=1e-9, warm_start=0.99 * cold.all_reactions())
    assert 0 < near.iterations < cold.iterations
    with pytest.raises(rc.InputError, match="warm_start has 3 numbers"):
        rc.solve(problem, warm_start=[1.0, 2.0, 3.0])


@pytest.mark.parametrize("order", ["fixed", "shuffled"])
def test_same_bits(order):
    problem = rc.problems.heap(60, 1, state="shake")
    first, second = (rc.solve(problem, order=order, max_iterations=50) for _ in range(2))
    np.testing.assert_array_equal(first.reactions, second.reactions)
    again = rc.solve(rc.problems.heap(60, 1, state="shake"), order=order, max_iterations=50)
    np.testing.assert_array_equal(first.reactions, again.reactions)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"solver": "gauss-siedel"}, ["gauss-siedel", "did you mean 'gauss-seidel'", "reference"]),
        ({"relax": 1.0}, ["relax", "relaxation", "local", "order"]),
        ({"relaxation": 2.5}, ["relaxation", "2.5"]),
        ({"local": "newton"}, ["local", "projection", "exact"]),
        ({"tolerance": -1.0}, ["tolerance", "-1.0"]),
        ({"tolerance": float("nan")}, ["tolerance", "nan"]),
        ({"max_iterations": 1.5}, ["max_iterations", "1.5"]),
        ({"seed": -1}, ["seed", "-1"]),
        ({"seed": 2**64}, ["seed", "2^63"]),
        ({"tol": 1e-8}, ["tol", "did you mean", "tolerance"]),
        ({"max_iterations": True}, ["max_iterations", "True"]),
    ],
)
def test_wrong_arguments(arguments, words):
    problem = ball((0, 0, -1.0), (0, 0, 0))
    with pytest.raises(rc.InputError) as caught:
        rc.solve(problem, **arguments)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("mu", [0.0, 1e-9, 1e6])
def test_extreme_friction(mu):
    problem = ball((1.0, 0, -1.0), (0, 0, 0), sliding=mu, rows=3)
    s = rc.solve(problem, tolerance=1e-12)
    assert s.converged
    expected = 1.0 - mu * 2.0 * (0.5 + 0.25 / 0.2) if mu < 1 else 0.0
    assert s.velocities[0, 1] == pytest.approx(expected, abs=1e-10)


def test_redundant_contacts():
    """The same contact ten times: W singular, velocities as with one."""
    one = ball((5.0, 0, -1.0), (0, 0, 0), sliding=0.3, rows=3)
    H = np.tile(one.form.H.toarray(), (10, 1))
    ten = rc.ContactProblem.from_bodies(
        one.form.mass.blocks, H, one.form.v_free, sliding=np.full(10, 0.3)
    )
    s = rc.solve(ten, tolerance=1e-12)
    assert s.converged
    np.testing.assert_allclose(
        s.body_velocities, rc.solve(one, tolerance=1e-13).body_velocities, atol=1e-10
    )


@pytest.mark.parametrize("options", [{}, {"local": "exact"}], ids=str)
def test_strong_coupling_of_normal_and_tangent(options):
    """One contact, mu = 5, W_nt near its limit: plain steps run in a circle, these do not."""
    k = 10.0
    a = 0.6 * np.sqrt(k)
    problem = rc.ContactProblem.from_delassus(
        [[1, a, 0], [a, k, 0], [0, 0, k]], [-1, -3 * np.sqrt(k), 0.3], sliding=[5.0]
    )
    s = rc.solve(problem, tolerance=1e-10, **options)
    assert s.converged
    assert s.velocities[0, 0] > -1e-9
    assert problem.cone.contains(s.reactions).all()


def test_compliant_contact_that_sticks():
    """The law is on y + C p: a soft contact that gives way a little does not slide."""
    problem = rc.ContactProblem.from_delassus(
        np.eye(3), [-1, 0.1, 0], sliding=[0.5], compliance=[0, 1, 1]
    )
    s = rc.solve(problem, tolerance=1e-12)
    np.testing.assert_allclose(s.reactions[0], [1.0, -0.05, 0.0], atol=1e-11)
    assert s.modes()[0] == "sticking"


@pytest.mark.parametrize("skew", [0.1, 1.0, 5.0])
def test_unsymmetric_matrix(skew):
    """A gyroscopic part in W: the answer still obeys the law on the raw data."""
    W = np.eye(3) + skew * np.array([[0, 0, 0], [0, 0, 1.0], [0, -1.0, 0]])
    q = np.array([-1.0, 1.0, 0.3])
    s = rc.solve(rc.ContactProblem.from_delassus(W, q, sliding=[10.0]), tolerance=1e-10)
    assert s.converged
    np.testing.assert_allclose(s.reactions[0], np.linalg.solve(W, -q), atol=1e-8)


@pytest.mark.parametrize("thing", [None, "heap.h5", (np.eye(3), np.zeros(3))])
def test_not_a_problem(thing):
    with pytest.raises(rc.InputError, match="must be a ContactProblem"):
        rc.solve(thing)
    with pytest.raises(rc.InputError, match=r"pass its \.problem"):
        rc.solve(rc.problems.random_problem(2))
