"""Single iterations against their formulas in plain NumPy (iteration_twins.py)."""

import itertools

import numpy as np
import pytest
from iteration_twins import Twin, accelerated, alternating, spectral
from solver_cases import (
    FORMS,
    LAWS,
    ROWS,
    crowded,
    dense,
    in_form,
    iterates,
    started,
    with_rows,
    words,
)

import rollcone as rc
import twins


def guess(problem, seed=0):
    """Reactions to begin with, some of them not admissible."""
    return np.random.default_rng(seed).normal(size=problem.size) + 0.3


def admissible(twin, p):
    return twin.step(p / twin.scale, np.zeros(len(p)), 0.0)


def same(found, expected):
    size = np.abs(expected).max()
    np.testing.assert_allclose(found, expected, atol=1e-11 * size, rtol=0)


# Sweeps.


@pytest.mark.parametrize("K", ["jacobi", "gauss-seidel"])
@pytest.mark.parametrize("B", ["scalar", "diagonal"])
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("rows", ROWS)
def test_map_of_tasora_and_anitescu(rows, law, B, K):
    """Their (46) for B a number or one per group of rows, in the metric of B."""
    problem = with_rows(law, rows)
    twin = Twin(problem, "one" if B == "scalar" else "groups")
    start = guess(problem)
    for omega, mix, form in itertools.product((0.2, 1.0, 1.9), (1.0, 0.6), FORMS):
        options = {"omega": omega, "lambda_": mix, "B": B, "K": K}
        method = started(in_form(problem, form), "jacobi", start, options)
        p = start / twin.scale
        for found in iterates(method, 3):
            p = twin.map46(p, [omega] * twin.n, omega, mix, in_turn=K != "jacobi")
            same(found / twin.scale, p)


def sweeps_of_gauss_seidel(law, form, order):
    """The twin with its steps omega_i = relaxation / (largest eigenvalue of the scaled block), p
    to begin with, and the library's first six sweeps in scaled rows."""
    problem = with_rows(law, 6)
    twin, start = Twin(problem), guess(problem)
    omegas = [1.4 / np.linalg.eigvalsh(twin.block(i))[-1] for i in range(twin.n)]
    options = {"relaxation": 1.4, "order": order}
    method = started(in_form(problem, form), "gauss-seidel", start, options)
    return twin, omegas, start / twin.scale, [p / twin.scale for p in iterates(method, 6)]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("law", LAWS)
def test_gauss_seidel(law, form):
    """The map with K and steps by block, one way each time or to and fro."""
    for order in ("fixed", "symmetric"):
        twin, omegas, p, sweeps = sweeps_of_gauss_seidel(law, form, order)
        for number, found in enumerate(sweeps):
            back = order == "symmetric" and number % 2 == 1
            p = twin.map46(p, omegas, order=range(twin.n)[:: -1 if back else 1])
            same(found, p)


@pytest.mark.parametrize("form", FORMS)
def test_shuffled_sweeps(form):
    """Each sweep in some order of the contacts, not always the same."""
    twin, omegas, p, sweeps = sweeps_of_gauss_seidel("exact", form, "shuffled")
    seen = set()
    for found in sweeps:
        orders = [
            order
            for order in itertools.permutations(range(twin.n))
            if np.allclose(twin.map46(p, omegas, order=order), found, rtol=0, atol=1e-11)
        ]
        assert orders
        seen.add(orders[0])
        p = found
    assert len(seen) > 2


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("law", LAWS)
def test_local_solves_are_the_map_with_blocks(law, form):
    """Gauss-Seidel with local="exact" is Jacobi with B = W_ii^-1 and K, to the last bit."""
    problem = in_form(with_rows(law, 6), form)
    one = started(problem, "gauss-seidel", guess(problem), {"relaxation": 1.0, "local": "exact"})
    options = {"omega": 1.0, "B": "block", "K": "gauss-seidel"}
    other = started(problem, "jacobi", guess(problem), options)
    for p, p_other in zip(iterates(one, 4), iterates(other, 4), strict=True):
        np.testing.assert_array_equal(p, p_other)


@pytest.mark.parametrize("K", ["jacobi", "gauss-seidel"])
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("rows", ROWS)
def test_blocks_solve_one_contact(rows, law, K):
    """B = W_ii^-1: x in K, y_i + W_ii (x - p_i) / omega in K* (the shift added under the exact
    law), complementary; in the problem's own units."""
    problem = with_rows(law, rows)
    W, q = dense(problem)
    W = W + np.diag(problem.compliance)
    start, cut = guess(problem), problem.contacts * rows
    for omega, mix, form in itertools.product((0.5, 1.3), (1.0, 0.6), FORMS):
        options = {"omega": omega, "lambda_": mix, "B": "block", "K": K}
        method = started(in_form(problem, form), "jacobi", start, options)
        (new,) = iterates(method, 1)
        now = start.copy()
        for i in range(problem.contacts):
            here = slice(i * rows, (i + 1) * rows)
            x = start[here] + (new[here] - start[here]) / mix
            y = (W @ now + q)[here] + W[here, here] @ (x - start[here]) / omega
            mu = problem.cone.radii[i, [0, 2, 4]]
            if law == "exact":
                y[0] += twins.shift(y, mu)
            np.testing.assert_allclose(x, twins.project(x, mu), atol=1e-12)
            assert y[0] >= twins.shift(y, mu) - 1e-9
            assert abs(x @ y) < 1e-9
            if K != "jacobi":
                now[here] = new[here]
        for k in range(cut, len(now)):
            y = (W @ now + q)[k]
            x = np.clip(start[k] - omega * y / W[k, k], *problem.bounds[k - cut])
            assert new[k] == pytest.approx(mix * x + (1 - mix) * start[k], abs=1e-12)
            if K != "jacobi":
                now[k] = new[k]


@pytest.mark.parametrize("B", ["scalar", "diagonal", "block"])
@pytest.mark.parametrize("law", LAWS)
def test_first_omega_of_jacobi(law, B):
    """From the largest eigenvalue of B W, which is estimated from below.

    A contact without friction shows it: r_n = -omega B u_n from no reactions."""
    problem = rc.problems.random_problem(8, rows=3, seed=3).problem
    problem = rc.ContactProblem.from_delassus(
        dense(problem)[0], np.tile([-1.0, 0, 0], 8), sliding=np.zeros(8), law=law
    )
    twin = Twin(problem, "one" if B == "scalar" else "groups")
    BW, gain = twin.W, twin.scale**2
    if B == "block":
        inverse = [np.linalg.inv(twin.block(i)) for i in range(8)]
        BW = np.concatenate([inverse[i] @ twin.W[twin.contact(i)] for i in range(8)])
        gain = 1 / np.diag(dense(problem)[0])  # without friction r_n alone counts
    (p,) = iterates(started(problem, "jacobi", np.zeros(24), {"B": B}), 1)
    omegas = p[::3] / gain[::3]
    np.testing.assert_allclose(omegas, omegas[0], rtol=1e-9)
    top = omegas[0] * max(1.0, np.abs(np.linalg.eigvals(BW)).max())
    least = {"exact": 1.2, "associated": 1.6}[law]
    assert least <= top * (1 + 1e-9)
    assert top < 1.1 * least


# All reactions at once.


@pytest.mark.parametrize(
    ("solver", "options"),
    [
        ("fixed-point", {}),
        ("fixed-point", {"projection": "cone"}),
        ("extragradient", {}),
    ],
    ids=words,
)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("rows", ROWS)
def test_fixed_point_and_extragradient(rows, law, solver, options):
    """(64) and (65) of Acary and Bourrier in scaled rows with the rho used; the rule for rho:
    rho |F(x) - F(p)| <= 0.9 |x - p|, longer by half after less than a third of that."""
    problem = with_rows(law, rows)
    twin, cone = Twin(problem), solver == "extragradient" or bool(options)
    used = []
    for form in FORMS:
        method = started(in_form(problem, form), solver, guess(problem), options)
        p, rho, ratio, rhos = admissible(twin, guess(problem)), method.rho, 1.0, []
        for found in iterates(method, 15):
            F = twin.modified(twin.velocities(p), cone)
            x = twin.step(p, F, method.rho, cone)
            F_x = twin.modified(twin.velocities(x), cone)
            most = rho * (1.5 if 0 < ratio < 0.3 else 1.0)
            ratio = method.rho * np.linalg.norm(F_x - F) / np.linalg.norm(x - p)
            assert ratio <= 0.9 * (1 + 1e-9)
            if method.rho != pytest.approx(most):  # only because that would have been too long
                far = twin.step(p, F, most, cone)
                change = np.linalg.norm(twin.modified(twin.velocities(far), cone) - F)
                assert most * change > 0.9 * np.linalg.norm(far - p)
                assert method.rho <= most * 2 / 3 * (1 + 1e-12)
            rho = method.rho
            p = x if solver == "fixed-point" else twin.step(p, F_x, rho, cone)
            same(found / twin.scale, p)
            rhos.append(rho)
        used.append(rhos)
    np.testing.assert_allclose(used[0], used[1], rtol=1e-8)


@pytest.mark.parametrize("solver", ["fixed-point", "extragradient"])
def test_rho_by_hand(solver):
    """W has the eigenvalues 1.9 and 0.1: rho |F(x) - F(p)| is so many times rho |x - p|."""
    W, bounds = [[1.0, 0.9], [0.9, 1.0]], [(-np.inf, np.inf)] * 2
    for q, expected in (
        ((1.0, 1.0), [2 / 3 / 1.9] * 4),
        ((1.0, -1.0), [1.0, 1.5, 1.5**2, 1.5**3, 1.5**3, 1.5**3]),
    ):
        problem = rc.ContactProblem.from_delassus(W, q, bounds=bounds)
        method = started(problem, solver, np.zeros(2), {})
        rhos = [method.rho for _ in iterates(method, len(expected))]
        np.testing.assert_allclose(rhos, expected, rtol=1e-12)


@pytest.mark.parametrize("restart", [True, False], ids=["restart", "plain"])
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("rows", ROWS)
def test_apgd(rows, law, restart):
    """Nesterov's iterates, and (p - z)^T W (p - z) <= L |p - z|^2 after each."""
    problem = with_rows(law, rows)
    twin = Twin(problem)
    for form in FORMS:
        method = started(in_form(problem, form), "apgd", guess(problem), {"restart": restart})
        plain = accelerated(twin, admissible(twin, guess(problem)), restart)
        for found, (p, z, L) in zip(iterates(method, 20), plain, strict=False):
            same(found / twin.scale, p)
            change = found / twin.scale - z
            if np.linalg.norm(change) < 1e-9 * np.linalg.norm(p):
                break  # rounding
            assert change @ twin.W @ change <= L * (change @ change) * (1 + 1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_apgd_converges_with_the_square(seed):
    """f(p_k) - f(p*) <= 2 L |p_0 - p*|^2 / (k + 1)^2 for the associated law without restarts
    (Beck and Teboulle 2009), L twice the largest eigenvalue for the doubling."""
    known = rc.problems.random_problem(12, rows=6, seed=seed, law="associated")
    twin = Twin(known.problem)
    best = known.reactions.reshape(-1) / twin.scale

    def f(p):
        return p @ twin.W @ p / 2 + twin.q @ p

    L = 2 * np.linalg.eigvalsh(twin.W)[-1]
    method = started(known.problem, "apgd", np.zeros(known.problem.size), {"restart": False})
    for k, p in enumerate(iterates(method, 200), start=1):
        above = f(p / twin.scale) - f(best)
        assert -1e-12 <= above <= 2 * L * (best @ best) / (k + 1) ** 2


@pytest.mark.parametrize("memory", [1, 4])
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("kind", "rows"), [*((with_rows, d) for d in ROWS), (crowded, 2)])
def test_spectral(kind, rows, law, memory):
    """p + t d with the two lengths of Barzilai and Borwein in turn; no error is above the first,
    nor above twice the largest of the last `memory`."""
    problem = kind(law, rows)
    twin = Twin(problem)
    for form in FORMS:
        method = started(in_form(problem, form), "spectral", guess(problem), {"memory": memory})
        plain = spectral(twin, admissible(twin, guess(problem)), memory)
        for found, (p, errors) in zip(iterates(method, 20), plain, strict=False):
            if errors[-1] < 1e-9 * errors[0]:
                break
            np.testing.assert_allclose(found / twin.scale, p, atol=1e-9 * np.abs(p).max())
            assert errors[-1] <= 2 * max(errors[:-1][-memory:])
            assert errors[-1] <= errors[0]


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("rows", ROWS)
def test_admm(rows, law):
    """p = P(x - h y) and s <- s + a (p - x), with h as the moves of x and y ask for."""
    problem = with_rows(law, rows)
    twin = Twin(problem)
    changes = set()
    for form, relaxation in itertools.product(FORMS, (0.4, 1.0, 1.6)):
        options = {"relaxation": relaxation, "memory": 0}
        method = started(in_form(problem, form), "admm", guess(problem), options)
        plain = alternating(twin, admissible(twin, guess(problem)), relaxation, 0)
        for found, (p, h) in zip(iterates(method, 60), plain, strict=False):
            same(found / twin.scale, p)
            changes.add(h)
    assert len(changes) > 1


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("kind", [with_rows, crowded])
def test_admm_with_extrapolation(kind, law):
    """The same from the point where |r_k - sum g_j (r_j - r_(j-1))| is least."""
    problem = kind(law, 6)
    twin = Twin(problem)
    for form, memory in itertools.product(FORMS, (2, 5)):
        options = {"relaxation": 1.2, "memory": memory}
        method = started(in_form(problem, form), "admm", guess(problem), options)
        plain = alternating(twin, admissible(twin, guess(problem)), 1.2, memory)
        for found, (p, _) in zip(iterates(method, 12), plain, strict=False):
            np.testing.assert_allclose(found / twin.scale, p, atol=1e-6 * np.abs(p).max())
