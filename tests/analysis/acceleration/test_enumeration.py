"""All motions of small problems, against every basis of the LCP, closed forms and other solvers."""

import numpy as np
import pytest

import rollcone as rc
from acceleration_cases import planar_body, rod
from rollcone.analysis.acceleration import enumeration
from rollcone.analysis.acceleration.enumeration import acceleration_distance, enumerate_motions
from rollcone.analysis.acceleration.from_world import problem_of
from rollcone.analysis.acceleration.mode_newton import polish
from rollcone.analysis.acceleration.natural_map import natural_newton
from rollcone.analysis.acceleration.problem import AccelerationProblem
from rollcone.analysis.acceleration.pyramid import PyramidLCP
from rollcone.analysis.acceleration.scaled import scaled
from rollcone.errors import InputError


def mixed_problem(seed, rows=None, most=3):
    """Contacts of which some slide; none, one or several motions."""
    rng = np.random.default_rng(seed)
    d = rows or int(rng.choice([2, 3]))
    c = int(rng.integers(1, most + 1 if d == 2 else most))
    n = int(rng.integers(max(2, c * d - 2), c * d + 2))
    root = 0.3 * np.tril(rng.normal(size=(n, n))) + np.diag(np.exp(0.3 * rng.normal(size=n)))
    velocity = np.zeros((c, d))
    moving = int(rng.integers(0, c + 1))
    velocity[:moving, 1:] = rng.normal(size=(moving, d - 1))
    return AccelerationProblem(
        mass=root @ root.T,
        rows=rng.normal(size=(c, d, n)),
        force=3.0 * rng.normal(size=n),
        friction=rng.uniform(0.1, 3.0, c),
        velocity=velocity,
        bias=rng.normal(size=(c, d)) * rng.choice([0, 1]),
    )


def by_all_bases(problem):
    """Different motions of the pyramid's LCP, found without cells."""
    form, motions = PyramidLCP(problem), []
    for solution in rc.lcp.all_solutions(form.lcp):
        motion = form.motion(solution.z)
        if motion.certified and all(acceleration_distance(motion, o) > 1e-6 for o in motions):
            motions.append(motion)
    return motions


def agree(motions, others):
    return len(motions) == len(others) and all(
        min(acceleration_distance(one, other) for other in others) < 1e-6 for one in motions
    )


def check_against_bases(seeds):
    counts = set()
    for seed in seeds:
        problem = mixed_problem(seed)
        found, expected = enumerate_motions(problem, "pyramid"), by_all_bases(problem)
        assert found.complete, seed
        assert agree(found.motions, expected), seed
        counts.add(len(expected))
    return counts


@pytest.mark.slow
def test_every_basis_of_the_lcp_gives_the_same_motions():
    assert check_against_bases(range(30)) >= {0, 1, 2}


@pytest.mark.slow
def test_every_basis_of_the_lcp_gives_the_same_motions_at_length():
    assert check_against_bases(range(100, 500)) >= {0, 1, 2, 3}


def random_starts(problem, rng, number):
    """Certified motions by Newton's method from random forces."""
    form, found = scaled(problem), []
    for _ in range(number):
        x = rng.normal(size=form.size) * np.exp(1.5 * rng.normal())
        x[form.normals] = np.abs(x[form.normals])
        with np.errstate(all="ignore"):
            x = polish(form, natural_newton(form, x))
        motion = form.motion(np.nan_to_num(x), "random")
        if motion.certified:
            found.append(motion)
    return found


def check_against_random_starts(seeds):
    verdicts = set()
    for seed in seeds:
        problem = mixed_problem(seed, rows=3, most=4)
        found = enumerate_motions(problem, "cone")
        assert found.complete, seed
        for motion in random_starts(problem, np.random.default_rng(seed), 10):
            assert min(acceleration_distance(motion, o) for o in found.motions) < 1e-5, seed
        assert all(motion.residual < 1e-8 for motion in found.motions)
        verdicts.add(found.verdict)
    return verdicts


def test_no_solver_finds_a_motion_of_the_cone_that_is_not_listed():
    assert check_against_random_starts(range(25)) == {"none", "unique", "several"}


@pytest.mark.slow
def test_no_solver_finds_a_motion_of_the_cone_that_is_not_listed_at_length():
    assert check_against_random_starts(range(1000, 1300)) == {"none", "unique", "several"}


def test_a_motion_that_hardly_moves_is_not_lost():
    """The accelerations of its contacts are below a millionth of what loads do to the others."""
    root = np.diag([1.0, 1e-3])
    problem = AccelerationProblem(
        mass=np.linalg.inv(root @ root),
        rows=np.array([[[1.0, 0.0], [0.0, 0.0]], [[0.0, 1.0], [0.0, 0.0]]]),
        force=np.array([-1.0, 3e-1]),
        friction=0.5,
    )
    found = enumerate_motions(problem, "cone")
    assert found.verdict == "unique"
    assert found.motions[0].modes == "rb"


@pytest.mark.parametrize(
    ("mu", "turn", "slip", "motions"),
    [(1.0, 0.0, -1.0, "s"), (1.0, 5.0, -1.0, "b"), (2.0, 0.0, -1.0, ""), (2.0, 5.0, -1.0, "sb"),
     (2.0, 0.0, 1.0, "s"), (2.0, 5.0, 1.0, "b")],
)  # fmt: skip
def test_painleves_rod(mu, turn, slip, motions):
    """At tan(angle) = 2 the paradox needs mu > 4/3 and a slip towards the foot."""
    found = enumerate_motions(rod(mu, np.arctan(2.0), turn, slip))
    assert found.complete
    assert sorted(motion.modes for motion in found.motions) == sorted(motions)


def box_on_floor(force, sliding=0.4):
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane(normal=(0, 0, 1))
    world.add_box(size=(1, 1, 0.6), mass=2, position=(0, 0, 0.3), force=force)
    world.set_contact_law(rc.ContactLaw(sliding=sliding))
    return problem_of(world)


@pytest.mark.parametrize("model", ["pyramid", "cone"])
@pytest.mark.parametrize(("push", "modes"), [(0.0, "rrrr"), (5.0, "rrrr"), (9.0, "ssss")])
def test_a_box_on_four_redundant_corners_has_one_motion(push, modes, model):
    found = enumerate_motions(box_on_floor((push, 0.0, 0.0)), model)
    assert found.verdict == "unique"
    assert found.motions[0].modes == modes
    expected = max(push / 2.0 - 0.4 * 9.81, 0.0)
    assert found.motions[0].accelerations == pytest.approx([expected, 0, 0, 0, 0, 0], abs=1e-9)


def test_a_family_of_motions_is_told_by_its_ends():
    """Sliding friction undoes what the normal force does along the normal: any will do."""
    H = np.array([[[1.0, 0.0], [1.0, 1.0]]])
    problem = AccelerationProblem(
        mass=np.eye(2), rows=H, force=np.zeros(2), friction=1.0, velocity=[[0.0, 1.0]]
    )  # a_n = (1 - 1) p_n + 0: p_n is free, and moves the body along the tangent
    found = enumerate_motions(problem)
    assert found.verdict == "several"
    ((one, other),) = found.families
    assert one.certified
    assert other.certified
    pushes = sorted(motion.forces[0, 0] for motion in (one, other))
    assert pushes[1] > pushes[0] + 1.0
    for motion in (one, other):
        assert motion.accelerations == pytest.approx([0.0, -motion.forces[0, 0]], abs=1e-9)


def test_a_side_condition_leaves_out_the_others():
    problem = rod(2.0, np.arctan(2.0), 5.0, -1.0)
    lifts, slides = sorted(enumerate_motions(problem).motions, key=lambda one: one.forces[0, 0])
    row = np.array([0.0, 1.0, 0.0])
    middle = 0.5 * float(row @ (lifts.accelerations + slides.accelerations))
    sign = np.sign(row @ (lifts.accelerations - slides.accelerations))
    found = enumerate_motions(problem, side=(sign * row, sign * middle))
    assert found.complete
    assert agree(found.motions, [lifts])


def test_a_search_that_ends_early_says_so():
    found = enumerate_motions(box_on_floor((5.0, 0.0, 0.0)), most_cells=5)
    assert not found.complete
    assert found.verdict == "unknown"


def test_cells_that_may_hold_a_motion_leave_the_list_incomplete(monkeypatch):
    """Where the motion of a cell cannot be made exact nothing is proven."""
    monkeypatch.setattr(enumeration, "polish", lambda form, x: np.full(form.size, 7.0))
    found = enumerate_motions(rod(1.0, 1.0, 0.0, 1.0))
    assert not found.motions
    assert not found.complete
    assert found.verdict == "unknown"


def test_no_contacts_have_one_motion():
    problem = AccelerationProblem(
        mass=np.eye(2), rows=np.zeros((0, 3, 2)), force=np.array([1.0, 2.0]), friction=0.0
    )
    found = enumerate_motions(problem)
    assert found.verdict == "unique"
    assert found.motions[0].accelerations == pytest.approx([1.0, 2.0])


def test_wrong_arguments_are_named():
    problem = planar_body([(0.0, -1.0)], [(0.0, 1.0)], 0.5, [0.0, -1.0, 0.0])
    with pytest.raises(InputError, match="model = 'disc'"):
        enumerate_motions(problem, "disc")
    with pytest.raises(InputError, match="most_cells = 0"):
        enumerate_motions(problem, most_cells=0)
