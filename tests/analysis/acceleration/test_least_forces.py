"""Forces of redundant contacts: those a person would write down, and no others by accident."""

import math

import numpy as np
import pytest

import rollcone as rc
from acceleration_cases import rod
from rollcone.analysis.acceleration.cone import solve_cone
from rollcone.analysis.acceleration.enumeration import enumerate_motions
from rollcone.analysis.acceleration.from_world import problem_of
from rollcone.analysis.acceleration.least_forces import least_forces, redundancy


def floor(sliding=0.5):
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane(name="floor")
    world.set_contact_law(rc.ContactLaw(sliding=sliding))
    return world


def test_a_box_at_rest_has_no_friction_and_equal_corners():
    world = floor()
    world.add_box(size=(0.4, 0.4, 0.4), mass=1, position=(0, 0, 0.2))
    motion = least_forces(solve_cone(problem_of(world)).motion)
    assert motion.forces[:, 0] == pytest.approx(9.81 / 4, abs=1e-9)
    assert motion.forces[:, 1:] == pytest.approx(0.0, abs=1e-9)
    assert redundancy(motion) == 12 - 6
    assert motion.certified


def test_a_box_that_slides_keeps_friction_at_its_limit():
    world = floor()
    world.add_box(size=(0.4, 0.4, 0.4), mass=1, position=(0, 0, 0.2), force=(7, 0, 0))
    before = solve_cone(problem_of(world)).motion
    after = least_forces(before)
    assert after.accelerations == pytest.approx(before.accelerations, abs=1e-9)
    friction = np.linalg.norm(after.forces[:, 1:], axis=1)
    assert friction == pytest.approx(0.5 * after.forces[:, 0], abs=1e-9)
    assert redundancy(after) == 1  # corners across share weight along one diagonal
    assert np.sum(after.forces**2) <= np.sum(before.forces**2) * (1.0 + 1e-9)


def test_forces_that_are_unique_stay():
    motion = solve_cone(rod(1.0, 1.0, 0.0, 1.0)).motion
    assert redundancy(motion) == 0
    assert least_forces(motion) is motion


@pytest.mark.parametrize("seed", range(8))
def test_no_other_forces_with_the_same_motion_are_less(seed):
    """A box with loads at random, against forces of other solvers and mixtures with them."""
    rng = np.random.default_rng(seed)
    world = floor(0.6)
    world.add_box(
        size=(0.4, 0.6, 0.3), mass=2, position=(0, 0, 0.15),
        force=(*rng.uniform(-6, 6, 2), 0.0), torque=(*rng.uniform(-1, 1, 2), rng.uniform(-1, 1)),
    )  # fmt: skip
    problem = problem_of(world)
    for found in enumerate_motions(problem, "cone").motions:
        best = least_forces(found)
        assert best.residual < 1e-8
        assert best.accelerations == pytest.approx(found.accelerations, abs=1e-7)
        for share in (0.1, 0.5, 1.0):
            mixed = best.forces + share * (found.forces - best.forces)
            assert np.sum(mixed**2) >= np.sum(best.forces**2) - 1e-7


def test_what_a_joint_holds_leaves_no_force_to_its_contacts():
    """A box on a fixed joint lies on the floor: any force would do, none is the least."""
    world = floor()
    box = world.add_box(size=(0.2, 0.2, 0.2), mass=1, position=(0, 0, 0.1))
    world.add_joint(kind="fixed", body=box)
    world.add_box(size=(0.2, 0.2, 0.2), mass=0.5, position=(1, 0, 0.1))
    analysis = rc.analyze(world)
    assert analysis.verdict == "one motion"
    held, free = analysis.motion.forces[:4], analysis.motion.forces[4:]
    assert held == pytest.approx(0.0, abs=1e-9)
    assert free[:, 0] == pytest.approx(0.5 * 9.81 / 4, abs=1e-9)


def test_a_contact_that_pulls_is_not_certified():
    """A contact below the hinge of an arm whose acceleration is given: no force moves it, and the
    size of forces is that of the load, not that of what would move it."""
    world = floor()
    arm = world.add_box(size=(1.0, 0.1, 0.04), mass=2, position=(0.5, 0, 0.02))
    world.add_joint(kind="revolute", body=arm, point=(0, 0, 0.02), axis=(0, -1, 0), name="hinge")
    problem = problem_of(world, accelerations={"hinge": 1.0})
    assert not problem.A.any()
    motion = solve_cone(problem).motion
    assert np.all(motion.forces[:, 0] >= -1e-9)
    inertia = 2 * (1.0 + 0.04**2) / 12 + 2 * 0.25
    torque = motion.held_forces[-1]
    assert torque == pytest.approx(inertia + 2 * 9.81 * 0.5, rel=1e-9)
    pulled = motion.forces.copy()
    pulled[0, 0] -= 1.0
    assert not type(motion)(problem, pulled).certified


@pytest.mark.slow
@pytest.mark.parametrize("off", [0.0, 1e-9, -1e-9, 1e-7, -1e-7])
def test_at_the_limit_of_friction_there_are_no_ghosts(off):
    """On a slope of 30 degrees with mu = tan 30 (1 + off), rest and sliding are one motion."""
    angle = math.radians(30.0)
    normal = np.array([-math.sin(angle), 0.0, math.cos(angle)])
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane(normal=normal)
    world.add_box(
        size=(0.4, 0.4, 0.2), mass=1, position=0.1 * normal, orientation=rc.rotation((0, 1, 0), -30)
    )
    world.set_contact_law(rc.ContactLaw(sliding=math.tan(angle) * (1.0 + off)))
    analysis = rc.analyze(world, most_cells=300)
    assert analysis.verdict in ("one motion", "a motion")
    assert np.linalg.norm(analysis.motion.accelerations) < 1e-5
