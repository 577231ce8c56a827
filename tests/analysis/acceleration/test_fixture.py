"""Fixtures against statics by hand and all solutions of the LCP."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from acceleration_cases import ladder, planar_body, random_problem, wedged_ball
from rollcone.analysis.acceleration.closure import force_closure, form_closure
from rollcone.analysis.acceleration.contact_balance import ContactBalance
from rollcone.analysis.acceleration.equilibrium import equilibrium, load_factor
from rollcone.analysis.acceleration.fixture import fixture
from rollcone.analysis.acceleration.force_cone import force_cone
from rollcone.analysis.acceleration.problem import AccelerationProblem
from rollcone.analysis.acceleration.pyramid import PyramidLCP
from rollcone.errors import InputError
from rollcone.lcp import all_solutions

G = 9.81


def all_motions(problem, side):
    """A stand-in for the search of contact modes, in a plane: all bases of the LCP."""
    row, least = side
    form = PyramidLCP(problem)
    found = [form.motion(answer.z) for answer in all_solutions(form.lcp)]
    return SimpleNamespace(
        motions=[motion for motion in found if row @ motion.accelerations >= least], complete=True
    )


def block(angle, friction):
    """A point mass on an incline: x down the slope, y off it, z across."""
    H = np.zeros((1, 3, 3))
    H[0] = [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    force = G * np.array([np.sin(angle), -np.cos(angle), 0.0])
    return AccelerationProblem(mass=np.eye(3), rows=H, force=force, friction=friction)


def disc(friction, force, normals):
    """A disc of radius 1 in a plane, pushed by what it touches."""
    return planar_body([-np.array(u) for u in normals], normals, friction, force, 1.0, 0.5)


def leaning(angle):
    return [(np.sin(angle), np.cos(angle)), (-np.sin(angle), np.cos(angle))]


@pytest.mark.parametrize("share", [0.5, 1.0 - 1e-6, 1.0, 1.0 + 1e-6, 2.0])
def test_a_block_on_an_incline_holds_if_friction_suffices(share):
    found = fixture(block(0.3, share * np.tan(0.3)))
    assert found.weak.verdict == ("holds" if share >= 1.0 else "gives way")
    assert found.weak.check()
    if share < 1.0:
        assert found.strong.verdict == "fails"
        assert found.weak.motion[0] > 0.0  # down the slope


def test_margins_of_a_block_on_an_incline():
    angle, mu = 0.3, 0.4
    down, press = G * np.sin(angle), G * np.cos(angle)
    found = fixture(block(angle, mu), disturbances=np.eye(3), both=True)
    limit = mu * press
    expected = [limit - down, limit + down, press - down / mu, np.inf]
    expected += [np.sqrt(limit**2 - down**2)] * 2
    assert [one.factor for one in found.margins] == pytest.approx(expected)
    assert all(one.proven for one in found.margins)
    assert found.margin == pytest.approx(limit - down)
    assert found.worst is found.margins[0]
    assert np.linalg.norm(found.worst.forces[0, 1:]) == pytest.approx(limit)
    assert found.worst.motion[0] > 0.0
    assert "number 0 is the worst" in found.report()


@pytest.mark.parametrize("floor", [0.2, 0.5])
@pytest.mark.parametrize("wall", [0.0, 0.3, 0.9])
@pytest.mark.parametrize("share", [0.999, 1.001])
def test_a_ladder_holds_if_it_is_steep_enough(floor, wall, share):
    steep = np.arctan((1.0 - floor * wall) / (2.0 * floor))
    found = fixture(ladder(share * steep, floor, wall))
    assert found.weak.verdict == ("holds" if share > 1.0 else "gives way")
    assert found.weak.check()


def test_how_much_a_man_on_a_ladder_may_weigh():
    """A load at the top, on a smooth wall: floor friction mu (1 + s) = (1/2 + s) / tan(angle)."""
    angle, mu = 1.2, 0.3
    problem = ladder(angle, mu, 0.0)
    top = G * np.array([0.0, -1.0, -np.cos(angle)])
    found = fixture(problem, disturbances=[top])
    expected = (mu * np.tan(angle) - 0.5) / (1.0 - mu * np.tan(angle))
    assert found.margins[0].factor == pytest.approx(expected)
    assert found.margins[0].proven


def test_a_disc_in_a_v_is_strong_without_friction():
    found = fixture(disc(0.3, [0.0, -G, 0.0], leaning(0.7)))
    assert found.verdicts == {
        "weak": "holds",
        "strong": "holds",
        "form closure": "open",
        "force closure": "open",
    }
    assert "without friction" in found.strong.reason


def test_a_disc_between_parallel_walls_may_fall_or_stick():
    """Friction could hold it at any normal force, but it falls as well if there is none."""
    problem = disc(0.3, [0.0, -G, 0.0], [(1.0, 0.0), (-1.0, 0.0)])
    found = fixture(problem, search=all_motions)
    assert found.weak.verdict == "holds"
    assert found.strong.verdict == "fails"
    assert found.strong.motion.accelerations == pytest.approx([0.0, -G, 0.0])
    assert fixture(problem).strong.verdict == "fails"  # by enumeration
    assert fixture(problem, search=None).strong.verdict == "undecided"


def test_a_block_on_an_incline_is_strong_by_search():
    angle, mu = 0.3, 0.4
    flat = planar_body([(0.0, 0.0)], [(0.0, 1.0)], mu, [G * np.sin(angle), -G * np.cos(angle), 0.0])
    found = fixture(flat, disturbances=[[1.0, 0.0, 0.0]], search=all_motions)
    assert found.strong.verdict == "holds"
    weak = G * (mu * np.cos(angle) - np.sin(angle))
    assert found.margins[0].factor == pytest.approx(weak)
    assert found.strong_margins[0] == pytest.approx(weak, rel=1e-4)


def test_a_search_that_is_not_complete_proves_nothing():
    def gave_up(problem, side):
        return SimpleNamespace(motions=[], complete=False)

    flat = planar_body([(0.0, 0.0)], [(0.0, 1.0)], 0.4, [1.0, -G, 0.0])
    assert fixture(flat, search=gave_up).strong.verdict == "undecided"


@pytest.mark.parametrize("seed", range(25))
def test_strong_and_weak_against_all_solutions(seed):
    problem = random_problem(seed, rows=2, at_rest=True)
    c = min(problem.contacts, 2)
    problem = replace(
        problem, rows=problem.rows[:c], friction=problem.friction[:c], velocity=None, bias=None
    )
    found = fixture(problem, search=all_motions)
    form = PyramidLCP(problem)
    size = np.abs(problem.mobility @ problem.force).max()
    speeds = [
        np.abs(form.motion(answer.z).accelerations).max() / size
        for answer in all_solutions(form.lcp)
    ]
    assert speeds  # a motion always exists at rest
    assert (found.strong.verdict == "holds") == (max(speeds) < 1e-6)
    if found.weak.verdict == "gives way":
        assert min(speeds) > 1e-6


@pytest.mark.parametrize("seed", range(20))
def test_margins_are_where_equilibria_end(seed):
    problem = random_problem(seed, at_rest=True)
    rng = np.random.default_rng(seed)
    balance = ContactBalance(problem, force_cone(problem, "cone"))
    if equilibrium(balance, problem.force).verdict != "holds":
        p = balance.cone.pulled(np.abs(rng.normal(size=problem.bias.shape)))
        problem = replace(problem, force=-problem.flat_rows.T @ p.ravel())
    found = load_factor(balance, problem.force, rng.normal(size=problem.size))
    assert found.proven
    if np.isinf(found.factor):
        further = problem.force + 1e3 * found.unit * found.disturbance
        assert equilibrium(balance, further).verdict == "holds"
        return
    for share, verdict in ((0.999, "holds"), (1.001, "gives way")):
        factor = share * found.factor + (share - 1.0) * found.unit
        if factor >= 0.0:
            held = equilibrium(balance, problem.force + factor * found.disturbance)
            assert held.verdict == verdict
            assert held.check()


def test_forces_and_motions_that_prove_nothing_are_rejected():
    held = fixture(block(0.3, 0.4)).weak
    bad = held.forces.copy()
    bad[0, 1] *= 1.0 + 1e-6
    assert held.check()
    assert not replace(held, forces=bad).check()
    assert not replace(held, load=1.001 * held.load).check()
    assert not replace(held, verdict="gives way").check()
    slips = fixture(block(0.3, 0.2)).weak
    assert slips.check()
    assert not replace(slips, motion=-slips.motion).check()
    assert not replace(slips, motion=slips.motion - [0.0, 0.1, 0.0]).check()
    stiff = force_cone(block(0.3, 0.4), "cone")
    assert not replace(slips, cone=stiff).check()


def test_a_load_that_only_endless_forces_would_hold_is_not_held():
    """The wrench is (p_n - p_1, p_2): to have (0, 1) takes p_n = sqrt(p_1^2 + 1) = p_1."""
    problem = AccelerationProblem(
        mass=np.eye(2),
        rows=[[[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]]],
        force=[0.0, -1.0],
        friction=1.0,
    )
    found = fixture(problem).weak
    assert found.verdict == "undecided"  # nor is there a motion: x >= sqrt(x^2 + 1) for none
    for size in (1e3, 1e6, 1e9, 1e12):
        p = np.array([[size, np.sqrt(size**2 - 1.0), 1.0]])
        assert not replace(found, verdict="holds", forces=p, held_forces=np.zeros(0)).check()


def three_around(friction):
    angles = np.array([0.0, 2.0, 4.0]) * np.pi / 3.0
    normals = [(-np.cos(a), -np.sin(a)) for a in angles]
    return disc(friction, [0.0, 0.0, 0.0], normals)


def test_closure_of_a_disc():
    """Three contacts around it: it turns without friction, and is held with it."""
    smooth, rough = fixture(three_around(0.0)), fixture(three_around(0.5))
    assert (smooth.form.verdict, smooth.force.verdict) == ("open", "open")
    assert (rough.form.verdict, rough.force.verdict) == ("open", "closed")
    turn = smooth.form.motion
    assert np.abs(turn[:2]).max() < 1e-9 * abs(turn[2])
    p = rough.force.forces
    problem = three_around(0.5)
    assert np.abs(problem.flat_rows.T @ p.ravel()).max() < 1e-9
    assert np.all(np.abs(p[:, 1]) < 0.5 * p[:, 0])


def test_form_closure_of_a_square():
    """A pinwheel of contacts lets it turn one way, a second one that way as well; three contacts
    never hold it."""
    points = [(1.0, 0.3), (-0.3, 1.0), (-1.0, -0.3), (0.3, -1.0)]
    normals = [(-1.0, 0.0), (0.0, -1.0), (1.0, 0.0), (0.0, 1.0)]
    other = [(1.0, -0.3), (0.3, 1.0), (-1.0, 0.3), (-0.3, -1.0)]
    turning = planar_body(points, normals, 0.0, [0.0, 0.0, 0.0])
    assert fixture(turning).form.verdict == "open"  # all turn it the same way
    mixed = planar_body(points + other, normals + normals, 0.0, [0.0, 0.0, 0.0])
    assert fixture(mixed).form.verdict == "closed"
    assert fixture(mixed).force.verdict == "closed"
    three = replace(mixed, rows=mixed.rows[:3], friction=mixed.friction[:3], velocity=None,
                    bias=None)  # fmt: skip
    free = fixture(three).form
    assert free.verdict == "open"
    assert np.all(three.rows[:, 0] @ free.motion >= -1e-9 * np.abs(free.motion).max())


@pytest.mark.parametrize("seed", range(20))
def test_force_closure_is_to_hold_a_load_either_way_along_each_coordinate(seed):
    problem = random_problem(seed, at_rest=True)
    for shape, found in (("frictionless", form_closure(problem)), ("cone", force_closure(problem))):
        balance = ContactBalance(problem, force_cone(problem, shape))
        if found.verdict == "open":
            x = found.motion
            assert np.abs(problem.held @ x).max(initial=0.0) < 1e-9 * np.abs(x).max()
            assert balance.cone.margin(problem.rows @ x).min() > -1e-9 * np.abs(x).max()
            assert equilibrium(balance, problem.mass @ x).verdict == "gives way"
        else:
            axes = np.vstack([np.eye(problem.size), -np.eye(problem.size)])
            assert {equilibrium(balance, axis).verdict for axis in axes} == {"holds"}


def test_force_closure_holds_any_disturbance():
    found = fixture(three_around(0.5), disturbances=np.eye(3), both=True)
    assert np.isinf(found.margin)
    assert "at any size" in found.report()


def test_a_ball_between_parallel_walls_holds_what_goes_through_its_centre():
    problem = wedged_ball(0.0, 0.5, 0.0, force=(0.0, -1.0, 0.0))
    found = fixture(problem, disturbances=np.eye(6)[:3], both=True)
    assert found.weak.verdict == "holds"
    assert np.isinf(found.margin)
    # Turning about the line through both contacts meets no friction.
    assert found.force.verdict == "open"
    assert np.flatnonzero(np.abs(found.force.motion) > 1e-9).tolist() == [3]
    turned = fixture(problem, disturbances=np.eye(6)[3:], both=True)
    factors = [one.factor for one in turned.margins]
    assert factors == pytest.approx([0.0, 0.0] + 4 * [np.inf], abs=1e-12)


def test_plain_answers_are_json():
    found = fixture(block(0.3, 0.4), disturbances=np.eye(3), both=True)
    plain = json.loads(json.dumps(found.plain(), allow_nan=False))
    assert plain["margins"][3]["infinite"]
    assert plain["verdicts"]["weak"] == "holds"


def test_what_moves_is_no_fixture():
    problem = block(0.3, 0.4)
    with pytest.raises(InputError, match="bias has an entry of 1"):
        fixture(replace(problem, bias=[[1.0, 0.0, 0.0]]))
    with pytest.raises(InputError, match="velocity"):
        fixture(replace(problem, velocity=[[0.0, 1.0, 0.0]]))
    with pytest.raises(InputError, match="disturbances of shape"):
        fixture(problem, disturbances=np.eye(4))
    with pytest.raises(InputError, match=r"disturbances\[1\]"):
        fixture(problem, disturbances=[[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
