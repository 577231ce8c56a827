"""Which theorem ensures a motion, against all solutions of the LCP."""

import json
from dataclasses import replace

import numpy as np
import pytest

from acceleration_cases import ladder, random_problem, wedged_ball
from rollcone.analysis.acceleration.existence import existence
from rollcone.analysis.acceleration.places import Places
from rollcone.analysis.acceleration.problem import AccelerationProblem
from rollcone.analysis.acceleration.pyramid import PyramidLCP
from rollcone.lcp import all_solutions


def small(seed, moving=False, rows=2):
    """At most two contacts, so that all bases of the LCP can be tried, and three coordinates, so
    that there is self-stress; in every third problem two contacts face each other."""
    problem = random_problem(seed, rows=rows, moving=moving)
    c, n = min(problem.contacts, 2), min(problem.size, 3)
    H = problem.rows[:c, :, :n].copy()
    if seed % 3 == 0:
        H[-1, 0] = -H[0, 0]
    return replace(
        problem,
        mass=problem.mass[:n, :n],
        force=problem.force[:n],
        held=problem.held[:1, :n],
        held_acceleration=problem.held_acceleration[:1],
        rows=H,
        friction=problem.friction[:c],
        velocity=problem.velocity[:c],
        bias=problem.bias[:c],
    )


def motions(problem):
    form = PyramidLCP(problem)
    return [form.motion(answer.z) for answer in all_solutions(form.lcp)]


CASES = [(seed, rows) for rows, seeds in ((1, 15), (2, 25), (3, 1)) for seed in range(seeds)]
MORE = [pytest.param(seed, 3, marks=pytest.mark.slow) for seed in range(1, 40)]


@pytest.mark.parametrize(("seed", "rows"), CASES + MORE)
def test_motions_exist_where_a_theorem_says_so_and_not_where_none_can(seed, rows):
    problem = small(seed, rows=rows)
    found = existence(problem)
    certified = [motion for motion in motions(problem) if motion.certified]
    if found.pyramid == "exists":
        assert certified
    if found.pyramid == "none":
        assert not certified
    assert "undecided" not in (found.cone, found.pyramid, found.relaxed)
    for condition in found.conditions.values():
        assert condition.check()


def test_all_answers_occur_in_these_problems():
    found = [existence(small(seed, rows=rows)) for seed, rows in CASES]
    assert {one.pyramid for one in found} == {"exists", "none", "not guaranteed"}
    assert {one.theorem for one in found} >= {"", "Theorem 4", "Theorem 5", "(36)"}


@pytest.mark.parametrize("seed", range(15))
def test_without_friction_a_motion_exists_if_and_only_if_36_holds(seed):
    problem = replace(small(seed), friction=0.0)
    found = existence(problem)
    assert found.cone == ("exists" if motions(problem) else "none")
    assert found.cone == found.pyramid == found.relaxed
    assert (found.conditions["(36)"].verdict == "holds") == (found.cone == "exists")


def test_a_body_on_one_contact_has_a_motion_by_theorem_4():
    H = np.zeros((1, 3, 3))
    H[0] = np.eye(3)
    problem = AccelerationProblem(
        mass=np.eye(3), rows=H, force=[1.0, 0.0, -9.81], friction=0.3, bias=[[-5.0, 1.0, 2.0]]
    )
    found = existence(problem)
    assert (found.cone, found.pyramid, found.theorem) == ("exists", "exists", "Theorem 4")
    assert found.definiteness == pytest.approx(1.0)
    assert "Theorem 6" in found.report()


def test_a_system_at_rest_has_a_motion_by_corollary_1():
    found = existence(wedged_ball(0.3, 1.0, 0.0))
    assert (found.cone, found.theorem) == ("exists", "Corollary 1")
    assert found.definiteness == pytest.approx(0.0, abs=1e-12)


def test_a_jammed_ball_is_not_guaranteed_one_and_names_who_is_to_blame():
    names = ("left wall", "right wall", "ball")
    places = Places(
        bodies=np.array([[0, 2], [1, 2]]),
        names=names,
        point=np.zeros((2, 3)),
        frames=np.zeros((2, 3, 3)),
        movers=np.array([2]),
    )
    problem = replace(wedged_ball(0.3, 1.0, 2.0), places=places)
    found = existence(problem)
    assert (found.cone, found.pyramid, found.theorem) == ("not guaranteed", "not guaranteed", "")
    assert found.conditions["(36)"].verdict == "holds"
    assert "'ball' on 'left wall', 'ball' on 'right wall'" in found.report()


def test_parallel_walls_that_close_in_leave_no_motion_in_any_model():
    found = existence(wedged_ball(0.0, 0.5, 1.0))
    assert found.cone == found.pyramid == found.relaxed == "none"
    assert "whatever the friction" in found.report()


@pytest.mark.parametrize("seed", range(20))
def test_moving_contacts_have_no_theorem_but_the_relaxed_model(seed):
    problem = random_problem(seed, rows=3, moving=True)
    found = existence(problem)
    if problem.all_rest or found.cone == "none":
        return
    assert (found.cone, found.pyramid, found.theorem) == ("not guaranteed", "not guaranteed", "")
    weaker = found.conditions.get("(49), moving blocks without friction")
    printed = found.conditions["(49)"]
    assert (weaker is None) == (printed.verdict == "holds")
    held = "holds" in (printed.verdict, weaker and weaker.verdict)
    assert found.relaxed == ("exists" if held else "not guaranteed")


@pytest.mark.parametrize("seed", range(15))
def test_a_relaxed_motion_can_be_found_where_it_exists(seed):
    """That of the proof of Proposition 3: moving blocks without friction, others as they are."""
    problem = small(seed, moving=True)
    found = existence(problem)
    freed = replace(problem, friction=np.where(problem.moves, 0.0, problem.friction))
    if found.relaxed == "exists":
        assert any(motion.certified for motion in motions(freed))
    if found.relaxed == "none":
        assert not motions(freed)


def test_a_ball_that_slides_out_of_a_wedge():
    """(49) as printed: only friction that opposes the slip counts. It jams one way alone."""
    problem = wedged_ball(0.3, 1.0, 1.0)
    for way, verdict in ((-1.0, "holds"), (1.0, "fails")):
        velocity = np.zeros((2, 3))
        velocity[:, 1] = way
        found = existence(replace(problem, velocity=velocity))
        assert found.conditions["(49)"].verdict == verdict
        assert found.relaxed == "exists"  # without friction nothing holds the ball


def test_plain_answers_are_json():
    for problem in (wedged_ball(0.3, 1.0, 2.0), ladder(1.0, 0.5, 0.5)):
        text = json.dumps(existence(problem).plain(), allow_nan=False)
        assert json.loads(text)["conditions"]["(35)"]["verdict"] in ("holds", "fails")
