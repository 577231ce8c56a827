"""The exact friction cone at the level of accelerations: closed forms, the solvers against each
other and against the solvers for velocities, and the law by other code than Motion's."""

import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rollcone as rc
from rollcone.analysis.acceleration.cone import _turns, pyramid_forces, solve_cone
from rollcone.analysis.acceleration.gauss_newton import ConeEquations, gauss_newton
from rollcone.analysis.acceleration.mode_newton import ModeEquations, Modes, polish, read_modes
from rollcone.analysis.acceleration.natural_map import PATHS, _evaluate, follow
from rollcone.analysis.acceleration.problem import AccelerationProblem
from rollcone.analysis.acceleration.qvi import solve_qvi
from rollcone.analysis.acceleration.scaled import scaled
from rollcone.laws.cone import FrictionCone

sys.path.insert(0, str(Path(__file__).parents[3]))
from benchmarks import acceleration as bench

G = 9.81


def block(angle, mu, velocity=None):
    """A unit cube of 2 kg on the four corners of its base, gravity turned by `angle` towards
    (3, 4) in the plane, so that it lies along no face of a pyramid."""
    M = np.diag([2.0, 2.0, 2.0, 1 / 3, 1 / 3, 1 / 3])
    axes = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    corners = [(x, y, -0.1) for x in (-0.5, 0.5) for y in (-0.5, 0.5)]
    H = np.array([np.hstack([axes, np.cross(np.array(arm), axes)]) for arm in corners])
    pull = G * np.array([0.6 * np.sin(angle), 0.8 * np.sin(angle), -np.cos(angle)])
    f = M @ np.concatenate([pull, np.zeros(3)])
    return AccelerationProblem(M, H, f, mu, velocity=velocity)


def ball(angle, mu, rho, sigma=0.0, spin=0.0):
    """Of 3 kg and 0.5 m on a plane that falls along (3, 4)."""
    R, m = 0.5, 3.0
    M = np.diag([m] * 3 + [0.4 * m * R**2] * 3)
    H = np.zeros((1, 6, 6))
    H[0, 0, 2] = H[0, 1, 0] = H[0, 2, 1] = 1.0
    H[0, 1, 4], H[0, 2, 3] = -R, R
    H[0, 3:, 3:] = np.eye(3)
    pull = m * G * np.array([0.6 * np.sin(angle), 0.8 * np.sin(angle), -np.cos(angle)])
    velocity = np.zeros((1, 6))
    velocity[0, 5] = spin
    f = np.concatenate([pull, np.zeros(3)])
    return AccelerationProblem(M, H, f, [[mu, rho, sigma]], velocity=velocity)


def motion_of(problem, **options):
    answer = solve_cone(problem, **options)
    assert answer.motion is not None, answer.tried
    assert answer.motion.residual < 1e-9
    return answer.motion


def law_error(motion):
    """The natural map of the exact law on the raw data; of forces in units of the largest. Only
    where no block with friction moves."""
    problem = motion.problem
    p, d = motion.forces, problem.rows_per_contact
    a = (problem.A @ p.ravel() + problem.b).reshape(p.shape)
    radii = np.zeros((len(p), 3))
    radii[:, : problem.friction.shape[1]] = problem.friction
    cone = FrictionCone(*radii.T).per_contact(len(p), d)
    a[:, 0] += cone.shift(a)
    ease = float(np.diagonal(problem.A).max())
    most = max(float(np.abs(p).max()), float(np.abs(problem.b).max()) / ease)
    return float(np.abs(p - cone.project(p - a / ease)).max()) / most


def test_a_block_rests_on_an_incline():
    """tan 26 < 0.5: no acceleration, and forces that the pyramid could not have had to give."""
    motion = motion_of(block(np.radians(26.0), 0.5))
    assert motion.modes == "rrrr"
    assert np.abs(motion.accelerations).max() < 1e-12
    total = motion.forces.sum(axis=0)
    want = (
        2.0
        * G
        * np.array([np.cos(np.radians(26.0)), *(-np.sin(np.radians(26.0)) * np.array([0.6, 0.8]))])
    )
    assert total == pytest.approx(want, abs=1e-11)
    assert np.all(np.hypot(*motion.forces[:, 1:].T) <= 0.5 * motion.forces[:, 0] + 1e-12)


def test_a_block_begins_to_slide_on_an_incline():
    """tan 27 > 0.5: g (sin - mu cos), straight down, which the pyramid does not give."""
    angle = np.radians(27.0)
    motion = motion_of(block(angle, 0.5))
    speed = G * (np.sin(angle) - 0.5 * np.cos(angle))
    assert motion.modes == "ssss"
    want = [0.6 * speed, 0.8 * speed, 0.0, 0.0, 0.0, 0.0]
    assert motion.accelerations == pytest.approx(want, abs=1e-11)
    assert motion.transitions[0].direction == pytest.approx([0.6, 0.8], abs=1e-10)


def test_a_block_that_slides_is_braked():
    """Across the fall line of a plane it is held by mu g cos along its velocity alone."""
    angle, mu = np.radians(20.0), 0.3
    along = np.array([-0.8, 0.6])
    velocity = np.zeros((4, 3))
    velocity[:, 1:] = 2.0 * along
    motion = motion_of(block(angle, mu, velocity))
    want = G * np.sin(angle) * np.array([0.6, 0.8]) - mu * G * np.cos(angle) * along
    assert motion.accelerations[:2] == pytest.approx(want, abs=1e-11)


@pytest.mark.parametrize(
    ("angle", "mu", "rho"), [(5.0, 0.5, 0.06), (20.0, 0.5, 0.06), (20.0, 0.05, 0.01)]
)
def test_a_ball_with_rolling_friction_on_an_incline(angle, mu, rho):
    """It rests if tan <= rho / R, else rolls with 5/7 (g sin - rho/R g cos), or slips."""
    slope = np.radians(angle)
    motion = motion_of(ball(slope, mu, rho, 0.01))
    rolls = 5.0 / 7.0 * G * (np.sin(slope) - rho / 0.5 * np.cos(slope))
    needed = G * np.sin(slope) - rolls
    if np.tan(slope) <= rho / 0.5:
        speed, modes, turning = 0.0, "r", ()
    elif needed <= mu * G * np.cos(slope):
        speed, modes, turning = rolls, "r", ("rolling",)
    else:
        speed, modes, turning = G * (np.sin(slope) - mu * np.cos(slope)), "s", ("rolling",)
    assert motion.accelerations[:3] == pytest.approx([0.6 * speed, 0.8 * speed, 0], abs=1e-11)
    assert (motion.modes, motion.transitions[0].turning) == (modes, turning)


def test_spin_is_braked():
    motion = motion_of(ball(0.0, 0.5, 0.01, 0.02, spin=3.0))
    assert motion.accelerations[5] == pytest.approx(-0.02 * G / (0.4 * 0.25), rel=1e-12)


def test_none_is_found_where_none_exists():
    """A~ = 1 - 2 mu < 0 and b_n < 0: no normal force makes the contact's acceleration >= 0."""
    H = np.array([[[1.0, 0.0], [2.0, 1.0]]])
    jam = AccelerationProblem(np.eye(2), H, [-1.0, 0.0], 1.0, velocity=[[0.0, 1.0]])
    answer = solve_cone(jam, attempts=2)
    assert (answer.motion, answer.certified) == (None, False)
    assert [name for name, _ in answer.tried][-2:] == ["random start"] * 2
    assert min(residual for _, residual in answer.tried) > 1e-3


@pytest.mark.parametrize("number", range(3, 83, 8))
def test_intervals_need_no_cone(number):
    """Planar problems: methods that know no pyramid find what Lemke finds."""
    problem = bench.problem(number)
    form = scaled(problem)
    assert problem.planar
    assert problem.rows_per_contact == 2
    assert solve_cone(problem).motion.solver == "lemke"
    by_lemke = form.motion(pyramid_forces(form), "")
    by_cone = form.motion(solve_qvi(form, np.zeros(form.size)), "")
    assert by_cone.certified
    if np.all(problem.friction < 0.4):  # accelerations are the same where they are unique
        assert by_cone.accelerations == pytest.approx(by_lemke.accelerations, rel=1e-7, abs=1e-7)


def independent(seed, rows):
    """Contacts that do not depend on each other, little friction: one answer."""
    rng = np.random.default_rng(seed)
    M, H = bench.bodies(rng, np.array([1.0, 3.0, 2.0]), 2, rows, wedged=False)
    f = -M @ np.tile([0.0, 9.81, 0.0, 0.3, 0.1, -0.2], 3) + rng.normal(size=18)
    radii = np.array([[0.2, 0.02, 0.01]] * 2)[:, : len(bench.BLOCKS[rows])]
    return AccelerationProblem(M, H, f, radii, bias=rng.normal(size=(2, rows)))


def only_answer(problem):
    """By the solver for velocities."""
    assert np.linalg.eigvalsh(problem.A)[0] > 1e-6
    parts = dict(zip(("sliding", "rolling", "spinning"), problem.friction.T, strict=False))
    contacts = rc.ContactProblem.from_delassus(
        problem.A, problem.b, rows=problem.rows_per_contact, **parts
    )
    return rc.solve(contacts, "newton", tolerance=1e-12).reactions


def agrees(motion, want):
    return motion.forces == pytest.approx(want, abs=1e-8 * np.abs(want).max(initial=1.0))


@pytest.mark.parametrize("rows", [3, 5, 6])
@pytest.mark.parametrize("seed", range(5))
def test_the_only_answer_is_found(seed, rows):
    problem = independent(seed, rows)
    want = only_answer(problem)
    form = scaled(problem)
    zero = np.zeros(form.size)
    for x in (solve_qvi(form, zero), *(follow(form, zero, path) for path in PATHS)):
        assert form.motion(x, "").certified
        assert agrees(form.motion(x, ""), want)
    assert agrees(motion_of(problem), want)


@pytest.mark.parametrize(
    "solver",
    [
        lambda form: polish(form, pyramid_forces(form)),
        lambda form: gauss_newton(form, np.zeros(form.size)),
        lambda form: gauss_newton(form, pyramid_forces(form)),
    ],
    ids=["modes of the pyramid", "gauss-newton", "gauss-newton from the pyramid"],
)
def test_methods_that_may_fail_find_the_only_answer_or_none(solver):
    found = 0
    for seed, rows in product(range(5), (3, 5, 6)):
        problem = independent(seed, rows)
        form = scaled(problem)
        motion = form.motion(solver(form), "")
        if motion.certified:
            found += 1
            assert agrees(motion, only_answer(problem))
    assert found >= 11


def test_the_qvi_is_of_contacts_at_rest():
    velocity = np.zeros((4, 3))
    velocity[2, 1] = 1.0
    form = scaled(block(0.1, 0.3, velocity))
    with pytest.raises(rc.InputError, match="contact 2 moves with friction"):
        solve_qvi(form, np.zeros(form.size))


@given(number=st.integers(0, 10**6), size=st.floats(0.0, 1e-4))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_polish_is_exact_near_an_answer(number, size):
    """Forces that are a little off, but not their modes."""
    problem = bench.problem(number)
    form = scaled(problem)
    x = form.unknowns(motion_of(problem).forces)
    noise = np.random.default_rng(number).normal(size=form.size)
    off = x + size * noise
    if read_modes(form, off).key() == read_modes(form, x).key():
        assert form.error(polish(form, off)) < 1e-12


def test_redundant_forces_are_moved_to_where_friction_bears_them():
    """Two contacts in one place, mu 0.1 and 1: half the load each is too much for the first."""
    H = np.array([[[1.0, 0.0], [0.0, 1.0]]] * 2)
    problem = AccelerationProblem(np.eye(2), H, [-1.0, 0.4], [0.1, 1.0])
    form = scaled(problem)
    rest = Modes(np.ones(2, dtype=bool), np.zeros(2, dtype=bool))
    equations = ModeEquations(form, rest, np.zeros(4))
    u, met = equations.solve()
    assert met
    assert form.motion(equations.unknowns(u), "").forces == pytest.approx(
        np.array([[0.5, -0.2], [0.5, -0.2]])
    )
    moved = form.motion(equations.spread(u), "")
    assert moved.residual < 1e-14
    p = moved.forces
    assert p.sum(axis=0) == pytest.approx([1.0, -0.4])
    assert np.all(np.abs(p[:, 1]) < [0.1, 1.0] * p[:, 0] - 0.01)  # well inside, not just allowed


def slopes(function, z, step=1e-6):
    shifts = step * np.eye(len(z))
    return np.array([(function(z + e) - function(z - e)) / (2 * step) for e in shifts]).T


@pytest.mark.parametrize("number", [1, 4, 12, 3])
def test_derivatives(number):
    """Of (33), of the equations of modes and of the natural map: against differences."""
    form = scaled(bench.problem(number))
    rng = np.random.default_rng(number)
    x = rng.normal(size=form.size)
    equations = ConeEquations(form)
    z = equations.start(x) + 0.1 * rng.normal(size=equations.start(x).shape)
    values, V = equations.evaluate(z)
    assert values.shape == z.shape  # as many equations as unknowns
    assert pytest.approx(slopes(lambda z: equations.evaluate(z)[0], z), abs=1e-6) == V
    _, J = _evaluate(form, x)
    assert pytest.approx(slopes(lambda x: _evaluate(form, x)[0], x), abs=1e-6) == J
    touch = np.ones(len(form.normals), dtype=bool)
    modes = ModeEquations(form, Modes(touch, rng.random(len(form.of)) < 0.6), x)
    u = modes.start
    assert pytest.approx(slopes(modes.values, u), abs=1e-6) == modes.jacobian(u)


@given(number=st.integers(0, 10**6))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_answers_obey_the_law(number):
    motion = motion_of(bench.problem(number))
    assert law_error(motion) < 1e-10
    zero = ConeEquations(scaled(motion.problem))
    x = zero.form.unknowns(motion.forces)
    assert np.abs(zero.evaluate(zero.start(x))[0]).max() < 1e-10  # Theorem 2


@pytest.mark.parametrize("number", range(12))
def test_units_do_not_matter(number):
    """Tonnes, and degrees of freedom in thousandths: the solvers see the same numbers."""
    problem = bench.problem(8 * number + 4)
    unit = np.tile([1.0, 1.0, 1.0, 1e-3, 1e-3, 1e-3], problem.size // 6)
    other = AccelerationProblem(
        1e-3 * problem.mass * unit[:, None] * unit,
        problem.rows * unit,
        1e-3 * problem.force * unit,
        problem.friction,
        bias=problem.bias,
    )
    first, second = scaled(problem), scaled(other)
    assert pytest.approx(first.A, rel=1e-9, abs=1e-9) == second.A
    assert second.b == pytest.approx(first.b, rel=1e-9, abs=1e-9)
    assert second.radii == pytest.approx(first.radii)
    p = 1e-3 * motion_of(problem).forces  # kN
    assert second.motion(second.unknowns(p), "").residual < 1e-11


def test_a_start_is_used():
    problem = bench.problem(0)
    motion = motion_of(problem)
    again = motion_of(problem, start=motion.forces)
    assert again.solver == "start"
    assert again.forces == pytest.approx(motion.forces, rel=1e-9, abs=1e-9)
    with pytest.raises(rc.InputError, match="start of shape"):
        solve_cone(problem, start=np.zeros(3))


THREE = np.array([[[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
LIMITS = {  # problem, and the acceleration of a unit mass
    "no friction": (AccelerationProblem(np.eye(3), THREE, [0.3, 0.0, -1.0], 0.0), [0.3, 0, 0]),
    "one row": (AccelerationProblem(np.eye(3), THREE[:, :1], [1, 2, -1.0], [[]]), [1, 2, 0]),
    "no load": (AccelerationProblem(np.eye(3), THREE, np.zeros(3), 0.5), [0, 0, 0]),
    "held": (
        AccelerationProblem(np.eye(3), THREE, [1.0, 0.3, -1.0], 0.5, held=np.eye(3)),
        [0, 0, 0],
    ),
    "slides": (
        AccelerationProblem(np.eye(3), THREE, [0, 0, -1.0], 0.5, velocity=[[0, 3.0, 4.0]]),
        [-0.3, -0.4, 0],
    ),
}


@pytest.mark.parametrize("name", LIMITS)
def test_limit_cases_by_every_solver(name):
    problem, want = LIMITS[name]
    form = scaled(problem)
    for solver, attempt in _turns(form, None, 1, 0):
        motion = form.motion(attempt(), solver)
        assert motion.residual < 1e-12, solver
        assert motion.accelerations == pytest.approx(want, abs=1e-12)


def test_no_contacts():
    free = AccelerationProblem(np.eye(3), np.zeros((0, 3, 3)), [0.0, 0.0, -1.0], np.zeros(0))
    assert motion_of(free).accelerations == pytest.approx([0.0, 0.0, -1.0])


def unsolved(make, numbers):
    return [n for n in numbers if not solve_cone(make(n)).certified]


def test_sixty_problems_that_have_an_answer():
    assert unsolved(bench.problem, range(60)) == []
    for n in range(60):
        assert bench.problem(n).all_rest


def test_problems_with_sliding_contacts_made_around_an_answer():
    assert not all(bench.made(n).all_rest for n in range(40))
    assert unsolved(bench.made, range(40)) == []


@pytest.mark.slow
def test_a_thousand_problems_that_have_an_answer():
    assert len(unsolved(bench.problem, range(bench.COUNT))) <= 1
    assert len(unsolved(bench.made, range(bench.COUNT))) <= 10
