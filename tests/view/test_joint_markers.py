"""Markers of joints are where the joints are, and there when they are."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import rollcone as rc
from joint_runs import joint_run, joint_world, world_at
from rollcone.view.joint_markers import JointMarkers, from_z, markers_at
from rollcone.view.joint_surfaces import coil, coil_path, cylinder

MOMENTS = (0, 7, 20)
NAMES = {
    "spherical": {"ball"},
    "revolute": {"pin"},
    "prismatic": {"rail"},
    "cylindrical": {"pin"},
    "universal": {"pin", "cross"},
    "fixed": {"cube"},
    "distance": {"rod", "knob"},
    "point-on-line": {"rail"},
    "point-on-plane": {"plate"},
    "link": {"rod", "knob"},
    "free": {"pin"},
    "spring": {"coil", "knob"},
    "motor": {"pin"},
}


def ends(group, k):
    """Middle and both ends along z of one marker."""
    z = Rotation.from_quat(np.roll(group.orientation[k], -1)).apply((0, 0, group.scales[k, 2]))
    return group.position[k], group.position[k] - z, group.position[k] + z


def shown(run, moment, joint):
    """Name of the marker: middle and ends, of one joint."""
    number = run.world.joint_number(joint)
    return [
        (group.name, *ends(group, k))
        for group in markers_at(run, JointMarkers(run.world), moment)
        for k in np.flatnonzero((group.numbers == number) & group.there)
    ]


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("name", NAMES)
def test_markers_are_at_their_joints(name, moment):
    """As the handles have them in a world with bodies moved there."""
    run = joint_run()
    if name == "spherical" and moment == 20:
        assert not shown(run, moment, name)  # it has been removed
        return
    joint = world_at(run, moment).joint(run.world.joint_number(name))
    found = [marker for marker in shown(run, moment, name) if marker[0] != "arm"]
    assert {marker[0] for marker in found} == NAMES[name]
    for what, middle, low, high in found:
        if what in ("rod", "coil"):
            points = sorted([joint.point.tolist(), joint.base_point.tolist()])
            np.testing.assert_allclose(sorted([low.tolist(), high.tolist()]), points, atol=1e-9)
        elif what == "knob":
            gap = [np.linalg.norm(middle - p) for p in (joint.point, joint.base_point)]
            assert min(gap) < 1e-9
        elif what in ("ball", "cube", "plate"):
            np.testing.assert_allclose(middle, joint.point, atol=1e-9)
        if what in ("pin", "rail", "plate"):
            np.testing.assert_allclose(np.cross(high - low, joint.axis), 0, atol=1e-9)
            np.testing.assert_allclose(np.cross(middle - joint.point, joint.axis), 0, atol=1e-9)
            along = sorted((end - joint.point) @ joint.axis for end in (low, high))
            assert along[0] < 0 < along[1]  # the point is between the ends


def test_the_second_axis_of_a_universal_joint_is_the_body_s():
    """It stays at right angles to the first, while the body turns."""
    run = joint_run()
    joint = world_at(run, 20).joint("universal")
    (cross,) = [marker for marker in shown(run, 20, "universal") if marker[0] == "cross"]
    way = (cross[3] - cross[2]) / np.linalg.norm(cross[3] - cross[2])
    body = Rotation.from_quat(np.roll(joint.body.orientation, -1))
    given = np.array([1.0, -2.0, 0.0]) / np.sqrt(5)  # the body was not turned when it was joined
    np.testing.assert_allclose(np.abs(way @ body.apply(given)), 1.0, atol=1e-9)
    assert abs(way @ joint.axis) < 1e-6


def test_arms_lead_to_points_outside_a_body():
    """The capsule reaches 0.35 m from its centre, and its joint is 0.42 m away; the joint of the
    base is within its box, and that of the ball is its centre."""
    run = joint_run()
    assert not [marker for marker in shown(run, 15, "late") if marker[0] == "arm"]
    (arm,) = [marker for marker in shown(run, 7, "revolute") if marker[0] == "arm"]
    joint = world_at(run, 7).joint("revolute")
    points = sorted([joint.point.tolist(), joint.body.position.tolist()])
    np.testing.assert_allclose(sorted([arm[2].tolist(), arm[3].tolist()]), points, atol=1e-9)


def test_joints_come_and_go():
    run = joint_run()
    there = [bool(shown(run, k, "late")) for k in range(21)]
    assert there == [k > 10 for k in range(21)]
    there = [bool(shown(run, k, "spherical")) for k in range(21)]
    assert there == [k <= 10 for k in range(21)]
    assert not shown(run, 5, "gear")


def test_pins_reach_through_both_bodies():
    """Two bars side by side, of 0.2 m each: the pin is longer than both, but not by much."""
    world = rc.World()
    for y in (0.0, 0.2):
        world.add_box(size=(1, 0.2, 0.2), mass=1.0, position=(0, y, 0), name=f"bar {y}")
    world.add_joint(
        kind="revolute", body="bar 0.2", base="bar 0.0", point=(0.4, 0.05, 0), axis=(0, 1, 0)
    )
    run = rc.Simulation(world, step=0.1).run
    ((_, _, low, high),) = shown(run, 0, 0)
    reach = sorted([low[1], high[1]])
    assert -0.3 < reach[0] < -0.1
    assert 0.3 < reach[1] < 0.5


def test_balls_stand_out_of_bars():
    """Of a crank 0.1 m long, 20 mm wide; not of a cube that is held at its middle."""
    world = rc.World()
    crank = world.add_box(size=(0.1, 0.02, 0.03), mass=1.0)
    rod = world.add_box(size=(0.3, 0.02, 0.02), mass=1.0, position=(0.2, 0, 0))
    world.add_joint(kind="spherical", body=rod, base=crank, point=(0.05, 0, 0))
    cube = world.add_box(size=(0.1, 0.1, 0.1), mass=1.0, position=(1, 0, 0))
    world.add_joint(kind="spherical", body=cube, point=(1, 0, 0))
    run = rc.Simulation(world, step=0.1).run
    (balls,) = markers_at(run, JointMarkers(run.world), 0)
    assert 0.01 < balls.scales[0, 0] < 0.015
    assert balls.scales[1, 0] < 0.025


def test_a_free_joint_is_a_thin_pin():
    """It holds nothing, and must not look as if it did."""
    run = joint_run()
    groups = markers_at(run, JointMarkers(run.world), 0)
    radius = {
        run.world.joints.ever()[number].kind: scales[0]
        for group in groups
        if group.name == "pin"
        for number, scales in zip(group.numbers, group.scales, strict=True)
    }
    assert radius["free"] < 0.5 * radius["cylindrical"]


def test_sizes_are_of_the_smaller_body_and_never_of_a_plane():
    world = rc.World()
    world.add_plane(name="ground")
    small = world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 1))
    large = world.add_box(size=(9, 9, 9), mass=1.0, position=(0, 0, 20))
    for base in ("ground", large, None):
        world.add_joint(kind="spherical", body=small, base=base, point=(0, 0, 1))
    run = rc.Simulation(world, step=0.1).run
    groups = markers_at(run, JointMarkers(run.world), 0)
    (balls,) = [group for group in groups if group.name == "ball"]
    assert len(balls.scales) == 3
    np.testing.assert_allclose(balls.scales, balls.scales[0, 0])
    assert 0.01 < balls.scales[0, 0] < 0.1


def test_a_link_across_the_edge_of_a_periodic_box_is_short():
    world = rc.World()
    world.set_periodic(x=(0, 4))
    one = world.add_sphere(radius=0.1, mass=1.0, position=(3.9, 0, 0))
    two = world.add_sphere(radius=0.1, mass=1.0, position=(4.3, 0, 0))
    world.add_joint(kind="distance", base=one, body=two, name="rod")
    run = rc.Simulation(world, step=0.1).run
    (rod,) = [marker for marker in shown(run, 0, "rod") if marker[0] == "rod"]
    assert np.linalg.norm(rod[3] - rod[2]) == pytest.approx(0.4)
    np.testing.assert_allclose(max(rod[2][0], rod[3][0]), 0.3)  # about the body, in the box


def test_many_joints_are_few_groups():
    world = rc.World()
    balls = world.add_grid(counts=(400, 1, 1), spacing=1.0, shape="sphere", radius=0.3, density=1.0)
    for k in range(399):
        world.add_joint(kind="distance", base=balls[k], body=balls[k + 1])
    run = rc.Simulation(world, step=0.1).run
    groups = markers_at(run, JointMarkers(run.world), 0)
    assert [len(group.numbers) for group in groups] == [399] * 3
    (rods,) = [group for group in groups if group.name == "rod"]
    np.testing.assert_allclose(rods.position[:, 0], np.arange(399) + 0.5)
    np.testing.assert_allclose(rods.scales[:, 2], 0.5)


def test_a_world_without_joints_or_bodies():
    for world in (rc.World(), joint_world()):
        markers = JointMarkers(world)
        state = world.state
        found = markers.at(state.position, state.orientation, np.zeros(0, dtype=bool))
        assert not any(group.there.any() for group in found)


@settings(max_examples=60, deadline=None)
@given(st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda d: np.linalg.norm(d) > 1e-3))
def test_turns_to_a_direction(direction):
    (q,) = from_z(np.array([direction]))
    found = Rotation.from_quat(np.roll(q, -1)).apply((0, 0, 1))
    wanted = np.array(direction) / np.linalg.norm(direction)
    assert abs(found @ wanted) == pytest.approx(1.0, abs=1e-9)
    assert np.linalg.norm(q) == pytest.approx(1.0)


def volume(surface):
    """By the divergence theorem: of a closed surface whose triangles look outward."""
    a, b, c = (surface.vertices[surface.triangles[:, k]] for k in range(3))
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0


def test_a_cylinder_is_closed_and_looks_outward():
    n = 24
    assert volume(cylinder(n)) == pytest.approx(n * np.sin(2 * np.pi / n), rel=1e-12)
    middles = cylinder(n).vertices[cylinder(n).triangles].mean(axis=1)
    normals = np.cross(
        *np.diff(cylinder(n).vertices[cylinder(n).triangles], axis=1).transpose(1, 0, 2)
    )
    assert ((middles * normals).sum(axis=1) > 0).all()


def test_a_coil_leads_from_end_to_end_and_looks_outward():
    path = coil_path(16)
    np.testing.assert_allclose(path[[0, -1]], [(0, 0, -1), (0, 0, 1)], atol=1e-12)
    assert np.hypot(path[:, 0], path[:, 1]).max() == pytest.approx(1.0)
    surface = coil(8)
    assert np.abs(surface.vertices[:, :2]).max() < 1.3
    # But for its two small ends the wire is closed: its volume is that of a bent cylinder.
    length = np.linalg.norm(np.diff(path * (1, 1, 6), axis=0), axis=1).sum()
    section = 8 * np.sin(2 * np.pi / 8) / 2 * 0.16**2
    assert 6 * volume(surface) == pytest.approx(length * section, rel=0.1)
