"""Gauss-Seidel within a time step: against the problem's own residual, other solvers, any number of
threads."""

import numpy as np
import pytest
from cell_cases import random_case
from hypothesis import given
from hypothesis import strategies as st

import rollcone as rc
from rollcone.problem.residual import share_residual
from rollcone.solvers.kernels.block import (
    COLOURS,
    bodies_per_block,
    make_blocks,
    most_blocks,
    rank_bodies,
)
from rollcone.solvers.kernels.cell_work import cell_work

CONVERGED, MAX_ITERATIONS, DIVERGED = 0, 1, 2


@pytest.mark.parametrize("rows", [3, 6])
@pytest.mark.parametrize("straight", [True, False])
@pytest.mark.parametrize("law", ["exact", "associated"])
def test_the_residual_is_that_of_the_problem(rows, straight, law):
    """Measured by code of its own, from blocks and eigenvalues."""
    for seed in range(3):
        case = random_case(seed, rows=rows, straight=straight)
        for most, tolerance in ((1, 1e-13), (7, 1e-13), (60, 1e-13), (1, 1e-5), (7, 1e-5)):
            _, _, residual, speed, p = case.solve(law, tolerance, most)
            problem = case.problem(law)
            y = problem.form.velocities(p.reshape(-1))
            share, fastest, _ = share_residual(problem, p.reshape(-1), y, case.speeds, tolerance)
            assert residual == pytest.approx(share, rel=1e-6, abs=1e-12)
            assert speed == pytest.approx(fastest, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("rows", [3, 6])
@pytest.mark.parametrize("straight", [True, False])
def test_the_same_velocities_as_a_conic_solver(rows, straight):
    """Of the associated law, whose velocities are unique."""
    for seed in range(4):
        case = random_case(seed, rows=rows, straight=straight)
        status, _, residual, _, p = case.solve("associated", 1e-10)
        assert status == CONVERGED
        assert residual <= 1e-10
        problem = case.problem("associated")
        reference = rc.solve(problem, "reference", tolerance=1e-9)
        ours = problem.velocities(p.reshape(-1)).reshape(reference.velocities.shape)
        assert np.abs(ours - reference.velocities).max() < 1e-6


@pytest.mark.parametrize("law", ["exact", "associated"])
def test_the_answer_of_gauss_seidel_outside(law):
    """Both certificates are those of the problem, from the raw numbers."""
    for seed in range(4):
        case = random_case(seed, bodies=20, contacts=26)
        status, _, _, _, p = case.solve(law, 1e-11)
        assert status == CONVERGED
        found = rc.solve(case.problem(law), warm_start=p.reshape(-1), tolerance=1e-9)
        assert found.converged
        assert found.iterations == 0


@pytest.mark.parametrize("hub", [False, True])
@pytest.mark.parametrize("straight", [True, False])
def test_the_same_bits_for_any_number_of_threads(hub, straight):
    for seed in range(2):
        case = random_case(seed, bodies=300, contacts=700, straight=straight, hub=hub)
        one = case.solve(most=150)
        before = rc.threads()
        for threads in (2, 3, 5):
            rc.set_threads(threads)
            try:
                more = case.solve(most=150, threads=threads)
            finally:
                rc.set_threads(before)
            assert one[:4] == more[:4]
            assert np.array_equal(one[4], more[4])


def test_a_start_at_the_answer_takes_one_sweep():
    case = random_case(3)
    p = case.solve(tolerance=1e-9)[4]
    status, sweeps, residual, _, again = case.solve(tolerance=1e-6, start=p)
    assert (status, sweeps) == (CONVERGED, 1)
    assert residual <= 1e-6
    assert np.abs(again - p).max() <= 1e-6 * np.abs(p).max()


def test_too_few_sweeps_are_told():
    status, sweeps, residual, _, _ = random_case(0, contacts=40).solve(tolerance=1e-14, most=3)
    assert status == MAX_ITERATIONS
    assert sweeps == 3
    assert residual > 1e-14


@pytest.mark.parametrize("bad", [np.nan, -np.inf])
def test_numbers_that_are_not_finite(bad):
    case = random_case(0)
    case.b[3, 0] = bad
    assert case.solve()[0] == DIVERGED


def test_units_do_not_matter():
    """Lengths in mm and masses in g: the same sweeps, the same reactions."""
    case, other = random_case(5), random_case(5)
    length, mass = 1e3, 1e3
    other.arms *= length
    other.b[:, :3] *= length
    other.v_free *= length
    other.speeds *= length
    other.radii[:, 2:] *= length
    other.inverse[:, 0] /= mass
    other.inverse[:, 1:] /= mass * length**2
    one, two = case.solve(), other.solve()
    assert one[:2] == two[:2]
    unit = mass * length * np.where(np.arange(6) < 3, 1.0, length)
    assert np.allclose(two[4], one[4] * unit, rtol=1e-6, atol=1e-9 * np.abs(one[4]).max() * unit)


@given(st.integers(0, 10**6), st.integers(1, 200), st.integers(1, 400), st.booleans())
def test_blocks_of_one_colour_share_no_body(seed, n, c, hub):
    """And every contact has one place."""
    random = np.random.default_rng(seed)
    movers = random.integers(0, n + 1, (c, 2)).astype(np.int32)
    movers[(movers == n).all(axis=1), 0] = 0
    if hub:
        movers[: c // 2, 1] = 0

    def whole(*shape):
        return np.zeros(shape, dtype=np.int64)

    rank, place = np.zeros(n, dtype=np.int32), np.zeros(c, dtype=np.int32)
    ends, colours = whole(n + 3), whole(COLOURS + 2)
    rank_bodies(
        random.normal(size=(n, 3)), np.full((n, 3), 0.1), n, rank, whole(n), whole(n), whole(1024)
    )
    assert sorted(rank) == list(range(n))
    shared, used = make_blocks(
        movers, n, rank, whole(c), whole(n), whole(n + 3), whole(n + 3), ends, colours, place
    )
    assert shared <= used <= shared + 1
    blocks = colours[used]
    assert sorted(place) == list(range(c))
    assert ends[blocks - 1] == c
    at = movers[np.argsort(place)]
    for shade in range(shared):  # the remainder is swept by one thread
        seen: dict[int, int] = {}
        for k in range(colours[shade], colours[shade + 1]):
            for body in set(at[(ends[k - 1] if k else 0) : ends[k]].ravel()) - {n}:
                assert seen.setdefault(body, k) == k


@given(st.integers(0, 300_000), st.floats(0.0, 1.0))
def test_there_is_room_for_all_blocks(room, share):
    """Of arrays with room for some bodies, of which a part are there."""
    n = int(share * room)
    assert -(-n // bodies_per_block(n)) <= most_blocks(room)


def test_looks_at_all_errors_are_part_of_the_effort():
    """Of heavy bodies on light ones errors are larger than changes tell: there is a look after
    almost every sweep, of which most contacts are passed by."""
    bodies, contacts, most = 60, 150, 300
    case = random_case(10, bodies=bodies, contacts=contacts, straight=True)
    case.inverse[::2] /= 1e4
    work = cell_work(contacts, bodies, 6, unequal=False)
    status, sweeps, _, _, _ = case.solve(tolerance=1e-2, most=most, work=work)
    assert (status, sweeps) == (MAX_ITERATIONS, most)
    last = work.stamp[:bodies].max()  # sweep in which a body changed
    assert 2 * most < last < 6.5 * most
