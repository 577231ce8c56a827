"""Conditions on self-stress against closed forms, an independent program, and sampling."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from acceleration_cases import random_problem, wedged_ball
from rollcone.analysis.acceleration.force_cone import force_cone
from rollcone.analysis.acceleration.problem import AccelerationProblem
from rollcone.analysis.acceleration.self_stress import decide

ANGLE = 0.3


def condition(problem, shape="cone", moving="half"):
    return decide(problem, force_cone(problem, shape, moving), "(35)")


def proven(found):
    """The certificate by sums over the data, in the test's own words."""
    problem = found.problem
    H, E = problem.flat_rows, problem.held
    if found.verdict == "holds":
        x = found.accelerations
        y = problem.bias + (H @ x).reshape(problem.bias.shape)
        unit = max(np.abs(problem.bias).max(), np.abs(problem.b).max(), 1e-300)
        return (
            np.allclose(E @ x, problem.held_acceleration, atol=1e-9)
            and found.cone.margin(y).min() >= -1e-8 * unit
        )
    p, q = found.forces, found.held_forces
    left = H.T @ p.ravel() + E.T @ q
    parts = np.abs(H.T) @ np.abs(p).ravel() + np.abs(E.T) @ np.abs(q)
    work = problem.b @ p.ravel()
    given_work = np.sum(problem.bias * p) - problem.held_acceleration @ q
    size = np.abs(problem.b) @ np.abs(p).ravel()
    return (
        found.cone.outside(p) <= 1e-14
        and np.all(np.abs(left) <= 1e-12 * parts.max())
        and work == pytest.approx(given_work, abs=1e-10 * size)
        and work < 0.0
    )


def generators(cone):
    """Forces whose nonnegative sums are a pyramid's cone, one contact's after the other."""
    found = []
    for i in range(len(cone.against)):
        corners = [np.eye(cone.against.shape[1])[0]]
        for k, rows in enumerate(cone.blocks):
            for row in rows:
                side = cone.radius[i, k] * np.eye(cone.against.shape[1])[row]
                corners = [corner + sign * side for corner in corners for sign in (1.0, -1.0)]
        for corner in corners:
            p = np.zeros_like(cone.against)
            p[i] = corner
            found.append(p.ravel())
    return np.array(found)


def by_generators(problem, cone):
    """The least b.p over null vectors of A, by weights of the cone's corners; None if there is no
    such vector."""
    G = generators(cone)
    null = (problem.A @ G.T) / np.abs(problem.A).max()
    equal = np.vstack([null, np.ones(len(G))])
    right = np.append(np.zeros(len(null)), 1.0)
    answer = linprog(G @ problem.b, A_eq=equal, b_eq=right, method="highs")
    return answer.fun if answer.status == 0 else None


@pytest.mark.parametrize("rows", [2, 3])
@pytest.mark.parametrize("shape", ["cone", "pyramid"])
@pytest.mark.parametrize("share", [0.2, 0.999, 1.001, 3.0])
@pytest.mark.parametrize("closing", [1.0, -1.0])
def test_a_ball_jams_between_walls_that_close_in_if_friction_suffices(rows, shape, share, closing):
    problem = wedged_ball(ANGLE, share * np.tan(ANGLE), closing, rows)
    found = condition(problem, shape)
    assert found.verdict == ("fails" if share > 1.0 and closing > 0.0 else "holds")
    assert found.check()
    assert proven(found)
    if found.verdict == "fails":
        assert list(found.carriers) == [0, 1]
        assert found.work == pytest.approx(-1.0)
        p = found.forces  # along the line between the contacts
        assert p[:, 1] / p[:, 0] == pytest.approx([-np.tan(ANGLE)] * 2)


def test_friction_that_just_suffices_jams():
    found = condition(wedged_ball(ANGLE, np.tan(ANGLE), 1.0))
    assert found.verdict == "fails"
    assert found.imbalance < 1e-12


def test_walls_of_which_one_flees_as_fast_as_the_other_closes_in():
    """The work is zero: the ball goes with the walls."""
    problem = wedged_ball(ANGLE, 1.0, 0.0)
    problem = replace(problem, bias=problem.rows @ np.array([-3.0, 0.5, 1.0, 0.1, 0.2, 0.3]))
    found = condition(problem)
    assert found.verdict == "holds"
    assert problem.rows @ found.accelerations == pytest.approx(-problem.bias)


def test_walls_that_given_rows_move():
    """A wall of its own coordinate is driven at the ball: E x = e in place of a bias."""
    ball = wedged_ball(ANGLE, 1.0, 0.0)
    for push, verdict in ((1.0, "fails"), (-1.0, "holds"), (0.0, "holds")):
        wall = np.zeros((2, 3, 1))
        wall[0, :, 0] = [-np.cos(ANGLE), np.sin(ANGLE), 0.0]  # the wall goes along x
        problem = AccelerationProblem(
            mass=np.diag([*np.diagonal(ball.mass), 7.0]),
            rows=np.concatenate([ball.rows, wall], axis=2),
            force=np.arange(7.0),
            friction=1.0,
            held=np.eye(7)[6:] * 2.0,
            held_acceleration=[2.0 * push],
        )
        found = condition(problem)
        assert found.verdict == verdict
        assert found.check()
        assert proven(found)


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("shape", ["pyramid", "frictionless"])
def test_pyramids_against_weights_of_corners(seed, shape):
    problem = random_problem(seed)
    found = condition(problem, shape)
    least = by_generators(problem, found.cone)
    unit = np.abs(problem.b).max()
    assert found.verdict != "undecided"
    assert found.check()
    assert proven(found)
    if found.verdict == "fails":
        assert least is not None
        assert least < 0.0
    else:
        assert least is None or least >= -1e-7 * unit


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("moving", ["half", "none"])
def test_cones_have_proofs_and_lie_between_inner_and_outer_pyramids(seed, moving):
    problem = random_problem(seed, moving=True)
    cone = condition(problem, "cone", moving)
    assert cone.verdict != "undecided"
    assert cone.check()
    assert proven(cone)
    if condition(problem, "pyramid", moving).verdict == "holds":
        assert cone.verdict == "holds"
    inner = replace(problem, friction=problem.friction / np.sqrt(2.0))
    if condition(inner, "pyramid", moving).verdict == "fails":
        assert cone.verdict == "fails"


@pytest.mark.parametrize("seed", range(25))
def test_linear_and_conic_programs_agree_in_a_plane(seed):
    """A third row that acts on nothing makes discs of intervals, and the program a conic one."""
    flat = random_problem(seed, rows=2)
    rows = np.concatenate([flat.rows, np.zeros((flat.contacts, 1, flat.size))], axis=1)
    bias = np.concatenate([flat.bias, np.zeros((flat.contacts, 1))], axis=1)
    disc = replace(flat, rows=rows, bias=bias, velocity=None)
    first, second = condition(flat, "pyramid"), condition(disc, "cone")
    assert first.verdict == second.verdict
    if first.verdict == "fails":
        assert first.work == pytest.approx(second.work, rel=1e-5)


@pytest.mark.parametrize("seed", range(10))
def test_no_sampled_self_stress_contradicts_a_condition_that_holds(seed):
    """Random forces, brought to the cone and to null vectors of A in turn."""
    problem = random_problem(seed, rows=3)
    found = condition(problem)
    values, vectors = np.linalg.eigh(problem.A)
    null = vectors[:, values < 1e-10 * values[-1]]
    rng = np.random.default_rng(seed)
    least = np.inf
    for _ in range(20):
        p = found.cone.pulled(np.abs(rng.normal(size=problem.bias.shape)))
        for _ in range(200):
            p = found.cone.pulled((null @ (null.T @ p.ravel())).reshape(p.shape))
        size = p[:, 0].sum()
        if size > 1e-6 and np.abs(problem.A @ p.ravel()).max() < 1e-9 * size:
            least = min(least, problem.b @ p.ravel() / size / np.abs(problem.b).max())
    if found.verdict == "holds":
        assert least >= -1e-6
    else:  # what is sampled is no worse than the worst
        unit = np.abs(problem.b).max()
        p = found.forces
        assert problem.b @ p.ravel() / p[:, 0].sum() / unit <= least + 1e-6


def first_with(verdict):
    return next(
        found
        for found in (condition(random_problem(seed, rows=3)) for seed in range(100))
        if found.verdict == verdict
    )


def test_forces_that_prove_nothing_are_rejected():
    found = first_with("fails")
    p, q = found.forces, found.held_forces
    tilted, pulling = p.copy(), p.copy()
    tilted[found.carriers[0], 1] += 1e-6
    pulling[found.carriers[0], 0] *= -1.0
    assert replace(found, forces=2.5 * p, held_forces=2.5 * q).check()
    for bad in (tilted, pulling, np.zeros_like(p)):
        assert not replace(found, forces=bad).check()
    assert not replace(found, problem=replace(found.problem, bias=-found.problem.bias,
                       held_acceleration=-found.problem.held_acceleration)).check()  # fmt: skip
    assert not replace(found, verdict="holds").check()
    frictionless = force_cone(found.problem, "frictionless")
    assert not replace(found, cone=frictionless).check()


def test_accelerations_that_prove_nothing_are_rejected():
    found = condition(wedged_ball(ANGLE, 1.0, -1.0))
    x = found.accelerations
    assert found.check()
    assert not replace(found, accelerations=x + 3.0 * np.eye(6)[0]).check()
    assert not replace(found, verdict="fails").check()
    assert not replace(found, verdict="undecided").check()
    driven = replace(found.problem, held=np.eye(6)[:1], held_acceleration=[0.5])
    held = condition(driven)
    assert held.check()
    assert not replace(held, accelerations=held.accelerations + 1e-6 * np.eye(6)[0]).check()


@given(
    seed=st.integers(0, 10_000),
    length=st.sampled_from([1e-3, 1.0, 1e3]),
    mass=st.sampled_from([1e-6, 1.0, 1e4]),
)
def test_units_do_not_matter(seed, length, mass):
    problem = random_problem(seed, rows=6)
    turns = np.array([1.0, 1.0, 1.0, 1.0 / length, 1.0 / length, 1.0 / length])
    changed = replace(
        problem,
        mass=mass * problem.mass,
        rows=problem.rows * turns[:, None],
        bias=problem.bias * turns,
        friction=problem.friction * [1.0, length, length],
    )
    first, second = condition(problem), condition(changed)
    assert first.verdict == second.verdict
    assert second.check()


def test_a_problem_without_contacts_or_without_bias_holds():
    none = AccelerationProblem(
        mass=np.eye(2), rows=np.zeros((0, 3, 2)), force=[1.0, 2.0], friction=0.0
    )
    assert condition(none).verdict == "holds"
    rest = condition(random_problem(5, at_rest=True))
    assert rest.verdict == "holds"
    assert not np.any(rest.accelerations)


def test_a_contact_between_bodies_that_are_not_there_decides_alone():
    """Its rows are zero: any force of it cancels out."""
    for bias, verdict in ((-1.0, "fails"), (1.0, "holds")):
        problem = AccelerationProblem(
            mass=np.eye(2),
            rows=np.zeros((1, 3, 2)),
            force=[0.0, 0.0],
            friction=0.5,
            bias=[[bias, 0.0, 0.0]],
        )
        found = condition(problem)
        assert found.verdict == verdict
        assert found.check()


def test_a_contact_with_little_normal_force_but_much_friction_counts():
    """A rough contact holds against a smooth one that closes in, pressed by next to nothing."""
    H = np.zeros((3, 3, 2))
    H[0, :2], H[1, :2], H[2, :2] = [[0, 1], [1, 0]], [[0, -1], [1, 0]], [[-1, 0], [0, 1]]
    problem = AccelerationProblem(
        mass=np.eye(2),
        rows=H,
        force=[0.0, 0.0],
        friction=[1e6, 0.0, 0.0],
        bias=[[0.5, 0.0, 0.0], [0.5, 0.0, 0.0], [-1.0, 0.0, 0.0]],
    )
    found = condition(problem)
    assert found.verdict == "fails"
    assert found.forces[:, 0] == pytest.approx([1e-6, 1e-6, 1.0])
    assert found.check()


def test_a_condition_on_the_brink_is_undecided():
    """Only p = (1, 1, 0) cancels out, at the edge of the cone, and does no work; but any turn of it
    by a small angle does, and is out of the cone by the square of the angle. No accelerations
    prove the condition: x >= sqrt(x^2 + 1) for none."""
    problem = AccelerationProblem(
        mass=np.eye(1),
        rows=[[[1.0], [-1.0], [0.0]]],
        force=[0.0],
        friction=1.0,
        bias=[[0.0, 0.0, 1.0]],
    )
    found = condition(problem)
    assert found.verdict == "undecided"
    assert not found.check()
    assert "too close to tell" in found.report()
    for angle in (1e-4, 1e-7, 1e-8, 1e-9):
        p = np.array([[1.0, np.cos(angle), -np.sin(angle)]])
        assert not replace(found, verdict="fails", forces=p).check()
