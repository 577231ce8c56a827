"""Joints in the viewer, without a browser: meshes, arrows, clicks, words and curves."""

import numpy as np
import pytest

import rollcone as rc
from joint_runs import STEP, joint_run, joint_world, world_at
from rollcone.view.joint_markers import JointMarkers, markers_at
from rollcone.viewer.arrows import arrows, forces_at
from rollcone.viewer.charts import joint_charts
from rollcone.viewer.element_words import element_words
from rollcone.viewer.facts import body_facts, joint_facts
from rollcone.viewer.server import Viewer

pytest.importorskip("viser")


@pytest.fixture
def viewer():
    with Viewer(joint_run(), port=0) as found:
        yield found


def copies(viewer):
    """Markers and their meshes."""
    groups = markers_at(viewer.run, JointMarkers(viewer.run.world), 0)
    handles = [viewer.server.scene.get_handle_by_name(f"/joints/{k}") for k in range(len(groups))]
    return list(zip(groups, handles, strict=True))


def meshes(viewer):
    return {group.name: (group.numbers, mesh) for group, mesh in copies(viewer)}


def test_meshes_follow_the_joints(viewer):
    run = viewer.run
    viewer.seek(run.time[15])
    viewer.show()
    numbers, mesh = meshes(viewer)["ball"]
    assert mesh.batched_scales[0].tolist() == [0, 0, 0]  # the spherical joint has been removed
    viewer.seek(run.time[7])
    viewer.show()
    world = world_at(run, 7)
    np.testing.assert_allclose(
        mesh.batched_positions[0], world.joint(int(numbers[0])).point, atol=1e-5
    )
    assert (mesh.batched_scales[0] > 0).all()
    _, coil = meshes(viewer)["coil"]
    spring = world.joint("spring")
    np.testing.assert_allclose(coil.batched_scales[0, 2], 0.5 * spring.coordinate(), rtol=1e-5)


def test_the_switch(viewer):
    found = [mesh for _, mesh in meshes(viewer).values()]
    assert all(mesh.visible for mesh in found)
    viewer.set_joints(False)
    viewer.show()
    assert not any(mesh.visible for mesh in found)
    viewer.set_joints(True)
    viewer.show()
    assert all(mesh.visible for mesh in found)


def test_reactions_are_arrows_and_know_that_they_are():
    """Beside contacts, and where these are not recorded."""
    run = joint_run()
    found = arrows(run, 15, 0.1)
    assert found.of_joints.all()  # nothing touches
    point, force, _ = forces_at(run, 15)
    joints = run.joints(15)
    there = np.isfinite(joints.point[:, 0])
    np.testing.assert_array_equal(point, joints.point[there])
    way = np.linalg.norm(found.segments[:, 1] - found.segments[:, 0], axis=1)
    np.testing.assert_allclose(way, 0.1 * np.sort(np.linalg.norm(force, axis=1))[::-1][: len(way)])
    world = rc.World(gravity=(0, 0, -10))
    world.add_plane()
    world.add_sphere(radius=0.5, mass=1.0, position=(0, 0, 0.5))
    world.add_sphere(radius=0.5, mass=2.0, position=(3, 0, 2), name="hung")
    world.add_joint(kind="spherical", body="hung", point=(3, 0, 3))
    for level, flags in (("full", [False, True]), ("none", [True])):
        mixed = rc.simulate(world, until=0.05, step=0.01, contacts=level)
        _, force, of_joints = forces_at(mixed, 5)
        assert of_joints.tolist() == flags
        np.testing.assert_allclose(force[-1], (0, 0, 20), atol=1e-6)


def test_arrows_are_shown_without_contacts(viewer):
    viewer.set_forces(True)
    viewer.seek(viewer.run.time[15])
    viewer.show()
    handle = viewer.server.scene.get_handle_by_name("/forces")
    assert handle.visible
    assert handle.points.shape[0] == arrows(viewer.run, 15, 1.0).acting


def test_clicks_pick_joints_and_what_is_hidden_is_not_picked(viewer):
    """The pin of the motor stands out of its bar at both sides; from the front it is met first."""
    run = viewer.run
    viewer.seek(run.time[7])
    point, number = world_at(run, 7).joint("motor").point, run.world.joint_number("motor")
    eye, ahead = point + np.array([0, -1, 0.02]), (0, 1, 0)
    viewer.pick(eye, ahead)
    viewer.show()
    assert viewer.picked_joint == number
    assert viewer.picked is None
    viewer.set_joints(False)
    viewer.pick(eye, ahead)
    viewer.show()
    assert viewer.picked_joint is None
    assert viewer.picked == run.world.number_of("swung")
    viewer.pick(eye, (0, 0, 1))
    assert viewer.picked is viewer.picked_joint is None


def test_words():
    run = joint_run()
    number = run.world.joint_number("motor")
    track = run.joint(number)
    facts = joint_facts(run, number, track, 15)
    assert facts["kind"] == "revolute"
    assert facts["base"] == "the world"
    angle, rate = track.coordinate["angle"][15], track.rate["angle"][15]
    assert facts["angle"] == f"{angle:.4g} rad, {rate:.4g} rad/s"
    assert rate == pytest.approx(2.0, abs=1e-3)  # what the motor was asked for
    assert facts["angle.motor"] == f"{track.effort['angle.motor'][15]:.4g} N m (2 rad/s)"
    assert facts["angle.friction"].endswith("N m (at most 0.1 N m)")
    force = [float(part) for part in facts["force"].removesuffix(" N").split(", ")]
    np.testing.assert_allclose(force, run.joints(15).force[number], rtol=1e-3, atol=1e-6)
    late = run.world.joint_number("late")
    assert joint_facts(run, late, run.joint(late), 5)["state"] == "not there at this time"
    assert body_facts(run, run.world.number_of("swung"), 15)["joints"] == "motor"
    assert "joints" not in body_facts(run, run.world.number_of("b0"), 15)  # removed


@pytest.mark.parametrize(
    ("element", "coordinate", "words"),
    [
        (rc.Limits(lower=-1, upper=2), "angle", "-1 to 2 rad"),
        (rc.Limits(upper=0.5, restitution=0.3), "length", "up to 0.5 m, restitution 0.3"),
        (rc.Limits(lower=0.5), "slide", "from 0.5 m"),
        (rc.JointFriction(limit=5.3), "slide", "at most 5.3 N"),
        (
            rc.JointFriction(coefficient=0.1, radius=0.01),
            "angle2",
            "coefficient 0.1, radius 0.01 m",
        ),
        (rc.Motor(speed=12.0, limit=0.8), "angle", "12 rad/s, at most 0.8 N m"),
        (rc.Motor(position=rc.Sine(amplitude=1, frequency=3)), "slide", "to a sine of 3 Hz"),
        (rc.Motor(speed=abs), "slide", "a function"),
        (rc.Spring(stiffness=60, damping=0.5, rest=0.0), "slide", "60 N/m, 0.5 N s/m, rest 0 m"),
        (rc.Spring(damping=2, limit=9), "angle", "2 N m s/rad, at most 9 N m"),
    ],
)
def test_words_of_elements(element, coordinate, words):
    assert element_words(element, coordinate) == words


def test_rounding_is_told_as_zero():
    """The bar turns about y and does not leave its plane; its hinge stays where it is."""
    run = joint_run()
    facts = body_facts(run, run.world.number_of("swung"), 15)
    assert facts["ang. velocity"].startswith("0, 2, 0 ")
    number = run.world.joint_number("motor")
    assert joint_facts(run, number, run.joint(number), 15)["point"] == "3, 4, 0 m"


def test_the_picked_joint_has_another_colour(viewer):
    motor = viewer.run.world.joint_number("motor")
    point = world_at(viewer.run, 0).joint("motor").point
    (mesh,) = [mesh for group, mesh in copies(viewer) if motor in group.numbers]
    before = np.array(mesh.batched_colors)
    viewer.pick(point + np.array([0, -1, 0.02]), (0, 1, 0))
    viewer.show()
    changed = (np.array(mesh.batched_colors) != before).any(axis=1)
    assert changed.sum() == 1
    viewer.pick(point, (0, 0, -1))
    viewer.show()
    np.testing.assert_array_equal(mesh.batched_colors, before)


def test_curves():
    """Coordinates and efforts; forces of a joint that has neither."""
    run, motor = joint_run(), joint_run().joint("motor")
    chart, efforts = joint_charts(run.time, motor)
    np.testing.assert_array_equal(chart.curves["angle (rad)"], motor.coordinate["angle"])
    assert list(efforts.curves) == ["angle.friction (N m)", "angle.motor (N m)"]
    np.testing.assert_array_equal(
        efforts.curves["angle.motor (N m)"][1:], motor.effort["angle.motor"][1:]
    )
    turning, sliding = joint_charts(run.time, run.joint("cylindrical"))
    assert [*turning.curves, *sliding.curves] == ["angle (rad)", "slide (m)"]
    (late,) = joint_charts(run.time, run.joint("late"))
    assert np.isfinite(late.limits).all()
    assert np.isnan(late.curves["length (m)"][:11]).all()
    assert np.ptp(late.limits) == pytest.approx(2.0)  # its length only rounds
    (held,) = joint_charts(run.time, run.joint("fixed"))
    force = np.linalg.norm(run.joint("fixed").force, axis=1)
    np.testing.assert_allclose(held.curves["force (N)"][1:], force[1:])


def test_a_run_that_gets_joints(viewer):
    simulation = rc.Simulation(joint_world(), step=STEP)
    run = simulation.advance(0.02)
    with Viewer(run, port=0) as growing:
        before = len(growing.server.scene.get_handle_by_name("/joints/0").batched_positions)
        simulation.world.add_joint(kind="spherical", body="b0", point=(0, 0, 0), name="new")
        simulation.advance(0.04)
        growing.refresh()
        growing.seek(growing.clock.end)
        growing.show()
        after = growing.server.scene.get_handle_by_name("/joints/0")
        assert len(after.batched_positions) == before + 1
        assert (after.batched_scales > 0).all()
