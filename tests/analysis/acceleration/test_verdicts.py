"""Verdicts and certificates where numbers are of very different sizes, or next to nothing."""

from dataclasses import replace

import numpy as np
import pytest

import rollcone as rc
from rollcone.analysis.acceleration.cone import ConeAnswer
from rollcone.analysis.acceleration.enumeration import enumerate_motions
from rollcone.analysis.acceleration.motion import Motion
from rollcone.analysis.acceleration.relaxed import relaxed_motion

P = rc.AccelerationProblem
POINT = [[[0, 1.0], [1, 0]]]  # of a mass in the plane on a floor: normal, tangent


def test_rounding_makes_no_second_motion():
    """Nothing pulls a ball back that runs over another one: it leaves, with no acceleration."""
    world = rc.World()
    world.add_sphere(radius=0.5, fixed=True)
    world.add_sphere(radius=0.2, mass=1, position=(0, 0, 0.7), velocity=(1, 0, 0))
    world.set_contact_law(rc.ContactLaw(sliding=0.3))
    analysis = rc.analyze(world)
    assert (analysis.verdict, analysis.painleve) == ("one motion", "")
    assert analysis.motion.modes == "b"


@pytest.mark.parametrize("force", [(5 * (1 + 1e-8), -10), (1, 5e-9), (5 * (1 + 1e-6), -10)])
def test_what_hardly_moves_is_found(force):
    """Sliding by 1e-8 of g, lifting off by 1e-9 of the push."""
    analysis = rc.analyze(P(mass=np.eye(2), rows=POINT, force=force, friction=[0.5]))
    assert analysis.verdict == "one motion"


def test_a_theorem_is_not_contradicted():
    """Two contacts hold each other by forces of 5e9: more than the enumeration sees."""
    rows = [[[1, 1e-5]], [[-1, 1e-5]]]
    problem = P(
        mass=np.eye(2), rows=rows, force=[0, 0], friction=np.zeros((2, 0)), bias=[[-1.0]] * 2
    )
    analysis = rc.analyze(problem)
    assert analysis.existence.cone == "exists"
    assert analysis.verdict in ("a motion", "one motion", "unknown")
    assert analysis.cone_motions.verdict == "none"
    assert replace(analysis, cone=ConeAnswer(None, ())).verdict == "unknown"


def test_two_motions_of_what_rests_are_no_paradox_of_what_slides():
    """A ball in a wedge that may be held or not, and apart from it a block that slides."""
    angle, rows = np.radians(20.0), np.zeros((3, 2, 5))
    for i, side in enumerate((1, -1)):
        normal = np.array([side * np.cos(angle), np.sin(angle)])
        rows[i, 0, :2], rows[i, 1, :3] = normal, [-normal[1], normal[0], -1]
    rows[2, 0, 4] = rows[2, 1, 3] = 1
    problem = P(
        mass=np.diag([1, 1, 0.4, 1, 1]), rows=rows, force=[0, 1, 0, 0, -10],
        friction=[0.5, 0.5, 0.01], velocity=[[0, 0], [0, 0], [0, 1.0]],
    )  # fmt: skip
    analysis = rc.analyze(problem)
    assert analysis.verdict == "several motions"
    assert analysis.painleve == ""


def test_heavy_on_light():
    """Ten tonnes on a gram."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane()
    world.add_sphere(radius=0.01, mass=0.001, position=(0, 0, 0.01))
    world.add_sphere(radius=1, mass=1e4, position=(0, 0, 1.02))
    world.set_contact_law(rc.ContactLaw(sliding=0.5))
    analysis = rc.analyze(world)
    assert analysis.verdict == "one motion"
    assert analysis.motion.forces[:, 0] == pytest.approx([9.81e4 + 9.81e-3, 9.81e4])


def test_a_block_that_hardly_lifts_hides_no_other_motion():
    """A rod with two motions, and apart from it a block that lifts by 6e-7 of g."""
    x, z = 0.25, -0.5 * np.sin(np.pi / 3)
    rows = np.zeros((2, 2, 5))
    rows[0, 0, :3], rows[0, 1, :3] = [0, 1, x], [1, 0, -z]
    rows[1, 0, 4] = rows[1, 1, 3] = 1
    problem = P(
        mass=np.diag([1, 1, 1 / 12, 1, 1]), rows=rows, force=[0, -9.81, 0, 20, 6e-6],
        friction=[2.5, 2.5], velocity=[[0, 1], [0, 0]], bias=[[-z * 49, 0], [0, 0]],
    )  # fmt: skip
    found = enumerate_motions(problem, "cone")
    assert sorted(motion.modes for motion in found.motions) == ["bb", "sb"]


def test_a_family_that_a_sliding_contact_makes():
    """Its normal force moves nothing, so that it may be any; its friction does."""
    problem = P(
        mass=np.diag([1, 10, 1.0]),
        rows=[[[-1, -1, 0], [0, 0, -1]], [[-1, 0, -1], [0, 0, -1]], [[0, 0, 0], [1, 1, 0.0]]],
        force=[2.1, 3.262, -0.9], friction=[0.5, 0.3, 2], velocity=[[0, -1], [0, 0], [0, -1.0]],
    )  # fmt: skip
    for model in ("pyramid", "cone"):
        found = enumerate_motions(problem, model)
        assert found.verdict == "several"
        assert len(found.families) == 1


def test_the_ends_of_a_family_are_among_the_motions():
    """Beside it a mass rests on two contacts, whose forces are made even."""
    rows = np.zeros((3, 2, 4))
    rows[0, :, :2] = [[1, 0], [1, 1]]  # friction undoes what the normal force does
    rows[1:, :, 2:] = [[0, 1], [1, 0]]
    problem = P(
        mass=np.eye(4), rows=rows, force=[0, 0, 0, -10], friction=[1.0, 0.5, 0.5],
        velocity=[[0, 1.0], [0, 0], [0, 0]],
    )  # fmt: skip
    analysis = rc.analyze(problem)
    assert analysis.verdict == "several motions"
    (ends,) = analysis.cone_motions.families
    for end in ends:
        assert any(end is motion for motion in analysis.motions)
        assert end.forces[1:, 0] == pytest.approx([5.0, 5.0], abs=1e-6)


def test_forces_without_end_certify_nothing():
    """They would raise the scale of their own errors."""
    problem = P(
        mass=[[1.0]], rows=[[[0.0], [1.0]]], force=[0], friction=[1.0], velocity=[[0, 1.0]],
        bias=[[-9.0, 0]],
    )  # fmt: skip
    assert not Motion(problem, np.array([[1e10, -1e10]])).certified
    assert rc.analyze(problem).verdict == "no motion"


def test_a_light_block_does_not_hide_behind_a_heavy_one():
    light = 1e-8
    rows = np.zeros((2, 2, 4))
    rows[:, :, :2][0], rows[:, :, 2:][1] = POINT[0], POINT[0]
    problem = P(
        mass=np.diag([1, 1, light, light]), rows=rows, force=[0, -10, 20 * light, -10 * light],
        friction=[0.5, 0.5],
    )  # fmt: skip

    def certified(*force):
        return Motion(problem, np.array([[10.0, 0.0], light * np.array(force)])).certified

    assert certified(10.0, -5.0)
    assert not certified(10.0, 5.0)
    assert not certified(20.0, -10.0)


def test_small_forces_and_openings_are_no_excuse():
    rows = np.zeros((2, 2, 4))
    rows[:, :, :2][0], rows[:, :, 2:][1] = POINT[0], POINT[0]
    problem = P(mass=np.eye(4), rows=rows, force=[0, -1, 0, 0], friction=[0.5, 0.5])
    assert Motion(problem, np.array([[1.0, 0], [0, 0]])).certified
    assert not Motion(problem, np.array([[1.0, 0], [1e-4, 0]])).certified


def test_a_motion_by_coulombs_law_is_not_missed_by_the_relaxed_model():
    problem = P(
        mass=np.diag([0.2117, 1.858]),
        rows=[
            [[-1.415, 0.2583], [-0.02186, 1.452], [1.93, -0.4063]],
            [[-0.622, 0.4323], [-1.935, 0.6193], [0.3524, 0.2318]],
        ],
        force=[4.974, -1.359], friction=[1.927, 1.18],
        velocity=[[0, -0.04822, -1.671], [0, 0, 0]],
        bias=[[1.444, -0.3631, -1.339], [-1.476, 0.09205, 1.972]],
    )  # fmt: skip
    assert enumerate_motions(problem, "pyramid").verdict == "unique"
    found = relaxed_motion(problem, "pyramid")
    assert not found.complete or found.distance == pytest.approx(0.0, abs=1e-9)


def test_a_light_part_in_the_air_is_not_held():
    problem = P(
        mass=np.diag([1.0, 1e10]), rows=[[[0, 1.0]]], force=[-10, -10e10], friction=np.zeros((1, 0))
    )
    found = rc.fixture(problem)
    assert found.weak.verdict != "holds"
    assert found.strong.verdict != "holds"


def test_a_part_that_slips_by_little_is_not_held():
    problem = P(mass=np.eye(2), rows=POINT, force=[0.5 * (1 + 1e-7), -1], friction=[0.5])
    assert rc.fixture(problem).strong.verdict != "holds"


def test_overlaps_and_small_gaps_are_told():
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane(name="floor")
    world.add_sphere(radius=0.1, mass=1, position=(0, 0, 0.09), name="deep")
    world.add_sphere(radius=0.1, mass=1, position=(1, 0, 0.1 + 1e-6), name="high")
    analysis = rc.analyze(world)
    places = analysis.problem.places
    assert places.overlap == (("'deep' on 'floor'", pytest.approx(0.01)),)
    assert places.nearly == (("'high' on 'floor'", pytest.approx(1e-6)),)
    assert "Nearly touch" in analysis.report()
