"""All joints at a recorded moment, also those that have been removed since."""

import numpy as np
import pytest

import rollcone as rc
from joint_runs import STEP, joint_run, joint_world, world_at


@pytest.mark.parametrize("moment", [0, 5, 20])
def test_points_axes_and_forces_are_those_of_handles(moment):
    run = joint_run()
    found, world = run.joints(moment), world_at(run, moment)
    for number, spec in enumerate(run.world.joints.ever()):
        there = {"late": moment > 10, "spherical": moment <= 10, "gear": False}
        if not there.get(spec.name, True):
            assert np.isnan(found.point[number]).all()
            assert np.isnan(found.force[number]).all()
            continue
        joint, track = world.joint(number), run.joint(number)
        np.testing.assert_allclose(found.point[number], joint.point, atol=1e-12)
        np.testing.assert_allclose(found.base_point[number], joint.base_point, atol=1e-12)
        np.testing.assert_allclose(found.axis[number], joint.axis, atol=1e-12)
        np.testing.assert_allclose(found.force[number], track.force[moment] @ joint.axes, atol=1e-9)
        np.testing.assert_allclose(
            found.torque[number], track.torque[moment] @ joint.axes, atol=1e-9
        )


def test_forces_are_what_moves_a_body():
    """Newton's second law for a ball that hangs on a spring alone, and for one on a rod."""
    run = joint_run()
    for name, joint in (("hung", "spring"), ("late ball", "late")):
        velocity, number = run.body(name).velocity, run.world.joint_number(joint)
        for k in (15, 20):
            rate = (velocity[k] - velocity[k - 1]) / STEP
            force = run.joints(k).force[number]
            np.testing.assert_allclose(force, rate + np.array([0, 0, 10]), atol=1e-6)
            assert np.linalg.norm(force) > 1.0


def test_a_joint_that_was_removed_is_kept_in_files(tmp_path):
    """With its track and its place; its name is free again."""
    simulation = rc.Simulation(joint_world(), step=STEP, output=tmp_path / "a.h5")
    simulation.advance(0.05)
    simulation.world.remove_joint("spherical")
    run = simulation.advance(0.1)
    simulation.close()
    again = rc.open_run(tmp_path / "a.h5")
    for k in (0, 5, 10):
        for name in ("point", "axis", "force"):
            np.testing.assert_array_equal(
                getattr(again.joints(k), name), getattr(run.joints(k), name)
            )
    force = again.joint("spherical").force
    np.testing.assert_array_equal(force, run.joint("spherical").force)
    assert np.isfinite(force[:6]).all()
    assert np.isnan(force[6:]).all()
    with pytest.raises(rc.InputError, match="has been removed"):
        again.world.joint("spherical")
    world = run.world.copy()
    new = world.add_joint(kind="spherical", body="b0", point=(0, 0, 0), name="spherical")
    assert world.joint("spherical").id == new.id


def test_writing_a_file_changes_nothing(tmp_path):
    """To the bits; joints that come while it is written act, too."""
    runs = []
    for options in ({}, {"output": tmp_path / "a.h5", "flush": 0.0}):
        simulation = rc.Simulation(joint_world(), step=STEP, **options)
        simulation.advance(0.05)
        simulation.world.add_joint(kind="fixed", body="b9", name="stop")
        runs.append(simulation.advance(0.1))
        simulation.close()
    one, other = runs
    for name in ("position", "orientation", "velocity"):
        np.testing.assert_array_equal(np.asarray(other.states(name)), one.states(name))
    assert one.joint("motor").rate["angle"][-1] == pytest.approx(2.0, abs=1e-2)
    np.testing.assert_allclose(one.body("b9").velocity[-1], 0.0, atol=1e-9)


def test_a_run_without_joints():
    world = rc.World()
    world.add_sphere(radius=0.1, mass=1.0)
    assert len(rc.simulate(world, until=0.1, step=0.1).joints()) == 0
    assert len(rc.Simulation(rc.World(), step=0.1).run.joints(0)) == 0
