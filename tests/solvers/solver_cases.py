"""What tests of several solvers share: their names and options, problems of every kind, proofs."""

import itertools
from functools import cache

import numpy as np
import scipy.sparse as sp

import rollcone as rc
import twins

LAWS = ("exact", "associated")
FORMS = ("body", "delassus")
ROWS = (2, 3, 5, 6)
INF = np.inf

ITERATIVE = tuple(name for name in rc.solvers.SOLVERS if name != "reference")
OPTIONS = {
    "gauss-seidel": [
        {"relaxation": 1.0},
        {"local": "exact", "relaxation": 1.0},
        {"order": "symmetric"},
        {"order": "shuffled", "seed": 7},
    ],
    "jacobi": [
        {"B": "scalar"},
        {"B": "block"},
        {"B": "block", "K": "gauss-seidel"},
        {"K": "gauss-seidel", "lambda_": 0.9},
    ],
    "fixed-point": [{"projection": "cone"}],
    "apgd": [{"restart": False}],
    "spectral": [{"memory": 1}],
    "admm": [{"memory": 0}],
    "newton": [{"sweeps": 0}],
}
# Without what solves small problems before the first iteration of the method itself.
PLAIN = {"newton": {"sweeps": 0}}
VARIANTS = [(name, options) for name in ITERATIVE for options in ({}, *OPTIONS.get(name, []))]


def words(value):
    """A readable name of a case."""
    if isinstance(value, dict):
        return ",".join(f"{key}={part}" for key, part in value.items()) or "default"
    return str(value)


@cache
def in_form(problem, form):
    return problem.to_delassus() if form == "delassus" else problem


def started(problem, solver, p, options):
    """The method itself, at the reactions p: for tests of single iterations."""
    method, make = rc.solvers.solver_info(solver).load()
    ready = method(problem, make(**options))
    ready.start(p)
    return ready


def iterates(method, count):
    """Reactions after each of the next iterations."""
    for _ in range(count):
        assert method.advance(1, 0.0) == 1
        yield method.reactions()


# Proofs.


def dense(problem):
    """W and q from the raw data."""
    form = problem.form
    if hasattr(form, "W"):
        return form.W.toarray(), form.q
    H = form.H.toarray()
    return H @ np.linalg.solve(form.mass.matrix().toarray(), H.T), H @ form.v_free + form.b


def twin_residual(problem, solution):
    """The residual of an answer by the slow twin; all sets must be discs."""
    W, q = dense(problem)
    coefficients = problem.cone.radii[:, [0, 2, 4]]
    bounds, soft = problem.bounds.tolist(), problem.compliance
    p = solution.all_reactions()
    return twins.measures(W, q, p, coefficients, problem.law, bounds, soft)["residual"]


def bounded_by_enumeration(W, q, bounds):
    """Each row free, at its lower or at its upper bound: the choice that keeps the law."""
    for choice in itertools.product((None, 0, 1), repeat=len(q)):
        p = np.array([0.0 if c is None else b[c] for c, b in zip(choice, bounds, strict=True)])
        if not np.isfinite(p).all():
            continue
        free = np.flatnonzero([c is None for c in choice])
        rest = q + W @ p
        p[free] = np.linalg.solve(W[np.ix_(free, free)], -rest[free])
        y = W @ p + q
        signs = [
            {None: 0 * y_k, 0: min(y_k, 0), 1: max(y_k, 0)}[c]
            for c, y_k in zip(choice, y, strict=True)
        ]
        if (
            np.all(p >= bounds[:, 0] - 1e-12)
            and np.all(p <= bounds[:, 1] + 1e-12)
            and not any(signs)
        ):
            return p
    raise AssertionError("no choice fits")


def corners(facets):
    angles = 2 * np.pi * np.arange(facets) / facets
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


# Name: the set, its support function, and the gauge (<= 1 inside).
SETS = {
    "disc": (
        rc.Disc(0.7),
        lambda u: 0.7 * np.hypot(*u),
        lambda r: np.hypot(*r) / 0.7,
    ),
    "ellipse": (
        rc.Ellipse(0.7, 0.2),
        lambda u: np.hypot(0.7 * u[0], 0.2 * u[1]),
        lambda r: np.hypot(r[0] / 0.7, r[1] / 0.2),
    ),
    "box": (
        rc.Box(0.7, 0.2),
        lambda u: 0.7 * abs(u[0]) + 0.2 * abs(u[1]),
        lambda r: max(abs(r[0]) / 0.7, abs(r[1]) / 0.2),
    ),
    "flat box": (
        rc.Box(0.0, 0.2),
        lambda u: 0.2 * abs(u[1]),
        lambda r: max(abs(r[1]) / 0.2, INF if abs(r[0]) > 1e-12 else 0.0),
    ),
    "interval": (
        rc.Interval(0.7),
        lambda u: 0.7 * abs(u[0]),
        lambda r: max(abs(r[0]) / 0.7, INF if abs(r[1]) > 1e-12 else 0.0),
    ),
    "pyramid": (
        rc.Polygon(0.7, 4),
        lambda u: 0.7 * max(abs(u[0]), abs(u[1])),
        lambda r: (abs(r[0]) + abs(r[1])) / 0.7,
    ),
    "polygon": (
        rc.Polygon(0.7, 6),
        lambda u: max(0.7 * corners(6) @ u),
        lambda r: max((corners(6) @ [[0.75**0.5, 0.5], [-0.5, 0.75**0.5]]) @ r) / 0.75**0.5 / 0.7,
    ),
}


def set_problem(name, slot, law, rng, contacts=4):
    """Contacts with one set that is not a disc; and per contact a check of the law."""
    friction, support, gauge = SETS[name]
    rows, given, supports, gauges = 3, {"sliding": friction}, [support], [gauge]
    if slot == "rolling":
        rows, given = 6, {"sliding": 0.7, "rolling": friction, "spinning": 0.4}
        supports = [SETS["disc"][1], support, lambda w: 0.4 * abs(w[0])]
        gauges = [SETS["disc"][2], gauge, lambda m: abs(m[0]) / 0.4]
    W, q = random_matrix(rng, contacts * rows), rng.standard_normal(contacts * rows)
    q[::rows] -= 1.0
    problem = rc.ContactProblem.from_delassus(W, q, rows=rows, law=law, **given)

    def check(solution):
        y = W @ solution.all_reactions() + q
        for y_i, p_i in zip(y.reshape(contacts, rows), solution.reactions, strict=True):
            check_law(y_i, p_i, law, supports, gauges)

    return problem, check


def check_law(y, p, law, supports, gauges):
    """One contact: p in K, the velocity in K*, nothing lost but r_n S(y)."""
    groups = [slice(1, 3), slice(3, 5), slice(5, 6)]
    S = sum(f(y[g]) for f, g in zip(supports, groups, strict=False))
    assert p[0] > -1e-9
    for gauge, g in zip(gauges, groups, strict=False):
        assert p[0] * (1 + 1e-9) + 1e-9 >= (gauge(p[g] / p[0]) * p[0] if p[0] > 1e-9 else 0)
    assert y[0] >= (S if law == "associated" else 0.0) - 1e-9
    assert abs(y @ p + (p[0] * S if law == "exact" else 0.0)) <= 1e-9


# Problems; each is built once, for none may be changed.


def random_matrix(rng, size, rank=None):
    B = rng.standard_normal((size, rank or size))
    return B @ B.T / size + (0.0 if rank else 0.1) * np.eye(size)


def friction(rows, contacts, rng):
    """Coefficients of every kind that `rows` has; the first contact has none."""
    given = {"sliding": rng.uniform(0.1, 0.8, contacts)}
    if rows > 3:
        given["rolling"] = rng.uniform(0.01, 0.3, contacts)
    if rows > 5:
        given["spinning"] = rng.uniform(0.01, 0.3, contacts)
    for values in given.values():
        values[0] = 0.0
    return given


@cache
def with_rows(law, rows):
    """Bilateral, bounded, unilateral and prescribed rows beside contacts, every other row soft."""
    rng = np.random.default_rng([3, rows])
    source = rc.problems.random_problem(4, rows=rows, seed=1, law=law).problem.form
    more = rng.normal(size=(4, source.H.shape[1]))
    more[:, 2 * source.mass.size :] = 0.0  # between the first two bodies
    H = sp.vstack([source.H, sp.csr_matrix(more)])
    b = rng.normal(size=H.shape[0])
    b[: 4 * rows : rows] -= 2.0
    return rc.ContactProblem.from_bodies(
        source.mass.blocks,
        H,
        source.v_free,
        b,
        rows=rows,
        law=law,
        bounds=[(-INF, INF), (-0.1, 0.3), (0.0, INF), (0.2, 0.2)],
        compliance=np.where(np.arange(H.shape[0]) % 2, 0.05, 0.0),
        **friction(rows, 4, rng),
    )


@cache
def duplicated(law, rows):
    """Every contact three times: W singular."""
    rng = np.random.default_rng([5, rows])
    source = rc.problems.random_problem(2, rows=rows, seed=2, law=law).problem.form
    given = {name: np.tile(values, 3) for name, values in friction(rows, 2, rng).items()}
    H, b = sp.vstack([source.H] * 3), np.tile(source.b, 3)
    M, v = source.mass.blocks, source.v_free
    return rc.ContactProblem.from_bodies(M, H, v, b, rows=rows, law=law, **given)


@cache
def crowded(law, rows):
    """Eight contacts around one body: more rows than it has ways to move."""
    rng = np.random.default_rng([7, rows])
    H = rng.normal(size=(8 * rows, 6))
    H[::rows] = np.abs(H[::rows])
    v = -np.ones(6)
    given = {name: 0.2 * values for name, values in friction(rows, 8, rng).items()}
    return rc.ContactProblem.from_bodies(np.eye(6)[None], H, v, rows=rows, law=law, **given)


@cache
def chained(law, rows):
    """Bodies joined by one band of a mass matrix: W has to be formed."""
    rng = np.random.default_rng([9, rows])
    size = 6 * rows
    M = sp.diags([np.ones(size - 1), np.full(size, 3.0), np.ones(size - 1)], [-1, 0, 1])
    H, v = rng.normal(size=(4 * rows, size)), rng.normal(size=size)
    b = np.tile(-2.0 * np.eye(rows)[0], 4)
    return rc.ContactProblem.from_bodies(
        M, H, v, b, rows=rows, law=law, **friction(rows, 4, rng), compliance=0.01
    )


@cache
def skewed(law, rows):
    """W with a small part that is not symmetric, as gyroscopic terms make."""
    rng = np.random.default_rng([11, rows])
    size = 4 * rows
    W, turn = random_matrix(rng, size), rng.normal(size=(size, size))
    W += 1e-3 * np.abs(W).max() * (turn - turn.T) / np.abs(turn - turn.T).max()
    q = rng.normal(size=size)
    q[::rows] -= 2.0
    return rc.ContactProblem.from_delassus(W, q, rows=rows, law=law, **friction(rows, 4, rng))


KINDS = (with_rows, duplicated, crowded, chained, skewed)
