"""Robots from URDF files move as they should."""

import math

import numpy as np
import pytest
from urdf_cases import joint, link, robot, saved, shape

import rollcone as rc
from rollcone.mechanics.rotations import rotation_matrix

G = 9.81
PENDULUM = robot(
    '<link name="wall"/>',
    """
  <link name="rod">
    <inertial>
      <origin xyz="0 0.03 -0.4"/>
      <mass value="2"/>
      <inertia ixx="0.05" iyy="0.06" izz="0.02"/>
    </inertial>
  </link>""",
    joint("hinge", "wall", "rod", more='<origin xyz="0 0 1" rpy="0 0 1"/><axis xyz="0 1 0"/>'),
)


def test_a_pendulum(tmp_path):
    """T = 2 pi sqrt(I / (m g l)) (1 + a^2 / 16), with I about the hinge and the amplitude a."""
    world, amplitude = rc.World(gravity=(0, 0, -G)), 0.1
    made = rc.load_urdf(
        saved(tmp_path, PENDULUM), world=world, fixed_base=True,
        joint_positions={"hinge": amplitude},
    )  # fmt: skip
    about = 0.06 + 2 * 0.4**2
    period = 2 * math.pi * math.sqrt(about / (2 * G * 0.4)) * (1 + amplitude**2 / 16)
    run = rc.simulate(world, until=3 * period, step=2e-3)
    angle = run.joint(made.joints["hinge"]).coordinate["angle"]
    falls = np.flatnonzero((angle[:-1] > 0) & (angle[1:] <= 0))
    share = angle[falls] / (angle[falls] - angle[falls + 1])
    times = run.time[falls] + share * 2e-3
    assert np.diff(times) == pytest.approx(period, rel=2e-5)
    total = run.energy.kinetic + run.energy.potential
    assert np.ptp(total) < 1e-5 * run.energy.kinetic.max()
    assert run.drift.max() < 1e-12


def spun(tmp_path, more):
    """A wheel that turns at 10 rad/s about its axle, without gravity."""
    text = robot('<link name="wall"/>', link("wheel", inertia=0.02), joint("j", "wall", "wheel",
                 more=f'<axis xyz="0 0 1"/>{more}'))  # fmt: skip
    made = rc.load_urdf(saved(tmp_path, text), fixed_base=True)
    made.bodies["wheel"].angular_velocity = (0, 0, 10)
    return rc.simulate(made.world, until=0.5, step=1e-3).joint("j").rate["angle"]


def test_damping(tmp_path):
    """w = w0 exp(-c t / I)."""
    rate = spun(tmp_path, '<dynamics damping="0.04"/>')
    assert rate[-1] == pytest.approx(10 * math.exp(-1), rel=2e-3)


def test_friction(tmp_path):
    """w = w0 - M t / I."""
    rate = spun(tmp_path, '<dynamics friction="0.2"/>')
    assert rate[-1] == pytest.approx(10 - 0.2 / 0.02 * 0.5, rel=1e-9)


def test_ranges_hold(tmp_path):
    limit = '<axis xyz="0 0 -1"/><limit lower="-0.1" upper="0.2"/>'
    text = robot('<link name="wall"/>', link("a"), joint("j", "wall", "a", "prismatic", limit))
    made = rc.load_urdf(saved(tmp_path, text), fixed_base=True, position=(0, 0, 2))
    made.world.gravity = (0, 0, -G)
    run = rc.simulate(made.world, until=0.5, step=5e-3)
    assert run.joint("j").coordinate["slide"][-1] == pytest.approx(0.2, abs=1e-12)
    assert run.body("a").position[-1, 2] == pytest.approx(1.8, abs=1e-12)


def test_a_joint_follows(tmp_path):
    """A wheel that another drives by a gear of -3: I w' = M with I = I1 + 9 I2."""
    text = robot(
        '<link name="wall"/>', link("a", inertia=0.02), link("b", inertia=0.01),
        joint("i", "wall", "a", more='<axis xyz="0 0 1"/>'),
        joint("j", "wall", "b", more='<origin xyz="1 0 0"/><axis xyz="0 0 1"/>'
              '<mimic joint="i" multiplier="-3" offset="0.5"/>'),
    )  # fmt: skip
    made = rc.load_urdf(saved(tmp_path, text), fixed_base=True)
    made.bodies["a"].torque = (0, 0, 0.11)
    run = rc.simulate(made.world, until=1.0, step=5e-3)
    first, second = (run.joint(name).coordinate["angle"] for name in "ij")
    assert np.abs(second - 0.5 + 3 * first).max() < 1e-11
    assert first[-1] == pytest.approx(0.5, rel=1e-9)


def test_a_planar_joint(tmp_path):
    """What pushes a puck at its rim turns it about the normal alone, and it stays on its plane."""
    text = robot(
        '<link name="table"/>', link("puck", 2.0, inertia=0.05),
        joint("j", "table", "puck", "planar", '<axis xyz="0 0.6 0.8"/>'),
    )  # fmt: skip
    made = rc.load_urdf(saved(tmp_path, text), fixed_base=True)
    normal = np.array([0, 0.6, 0.8])
    puck = made.bodies["puck"]
    puck.force, puck.torque = (1, 0, 3), (0.1, 0.2, 0.3)
    run = rc.simulate(made.world, until=1.0, step=5e-3)
    track = run.body(puck)
    assert np.abs(track.position @ normal).max() < 1e-12
    force = np.array([1, 0, 3]) - normal * 2.4
    np.testing.assert_allclose(track.velocity[-1], force / 2, atol=1e-9)
    np.testing.assert_allclose(track.angular_velocity[-1], normal * 0.36 / 0.05, atol=1e-9)
    turn = rotation_matrix(track.orientation[-1])
    np.testing.assert_allclose(turn @ normal, normal, atol=1e-11)
    assert made.joints["j"].kind == "point-on-plane"
    assert any("joint 'j': planar, so three points" in note for note in made.notes)


def arm_of_three(tmp_path):
    """Three boxes that overlap in a row, a joint between neighbours; and one without a shape."""
    box = shape('<box size="1 1 1"/>')
    text = robot(
        link("a", shapes=box), link("b", shapes=box), link("c", shapes=box), link("d"),
        joint("i", "a", "b", more='<origin xyz="0.4 0 0"/>'),
        joint("j", "b", "c", more='<origin xyz="0.4 0 0"/>'),
        joint("k", "c", "d", more='<origin xyz="0.1 0 0"/>'),
    )  # fmt: skip
    return rc.load_urdf(saved(tmp_path, text))


def test_which_links_touch(tmp_path):
    """All but neighbours; what has no shape touches none."""
    made = arm_of_three(tmp_path)
    names = {body.id: name for name, body in made.bodies.items()}
    apart = {
        names[int(key) >> 32] + names[int(key) & 0xFFFFFFFF] for key in made.world.joints.apart()
    }
    assert apart == {"ab", "bc", "cd", "ad", "bd"}
    run = rc.simulate(made.world, until=5e-3, step=5e-3)
    touching = {tuple(sorted(names[k] for k in pair)) for pair in run.contacts(-1).bodies.tolist()}
    assert touching == {("a", "c")}


def test_links_without_shapes_at_one_place(tmp_path):
    """A wrist of three axes that meet in a point."""
    axes = {"a": "1 0 0", "b": "0 1 0", "c": "0 0 1"}
    turning = [
        joint(f"to {name}", parent, name, more=f'<axis xyz="{axis}"/>')
        for parent, (name, axis) in zip(("wall", "a", "b"), axes.items(), strict=True)
    ]
    text = robot('<link name="wall"/>', *map(link, axes), *turning)
    made = rc.load_urdf(saved(tmp_path, text), fixed_base=True)
    made.bodies["c"].torque = (0.01, 0.02, 0.03)
    run = rc.simulate(made.world, until=0.05, step=5e-3)
    assert run.contact_count.max() == 0
    np.testing.assert_allclose(
        run.body("c").angular_velocity[-1], [0.05 / 3, 0.05, 0.15], rtol=1e-2
    )


def test_a_link_of_two_shapes_stands(tmp_path):
    """A pillar on a slab, with the centre of mass where the file has it."""
    slab = shape('<box size="0.4 0.4 0.1"/>', '<origin xyz="0 0 0.05"/>')
    pillar = shape('<cylinder radius="0.1" length="0.4"/>', '<origin xyz="0 0 0.3"/>')
    mass = '<mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/>'
    inertial = f'<inertial><origin xyz="0 0 0.3"/>{mass}</inertial>'
    text = robot(f'<link name="a">{inertial}{slab}{pillar}</link>')
    world = rc.World(gravity=(0, 0, -G))
    world.add_plane()
    made = rc.load_urdf(saved(tmp_path, text), world=world, position=(0, 0, 0.01))
    run = rc.simulate(world, until=0.1, step=5e-3)
    assert run.body("a").position[-1] == pytest.approx([0, 0, 0.3], abs=1e-9)
    assert made.bodies["a"].shape == "compound"
    assert run.contacts(-1).reaction[:, 0].sum() == pytest.approx(2 * G, rel=1e-6)


def test_robots_in_one_world(tmp_path):
    world = rc.World()
    path = saved(tmp_path, PENDULUM)
    for name in ("left", "right"):
        made = rc.load_urdf(path, world=world, fixed_base=True, name=name, material="steel")
        assert list(made.bodies) == ["rod"]
        assert made.bodies["rod"].name == f"{name} rod"
        assert made.joints["hinge"].name == f"{name} hinge"
        assert made.bodies["rod"].material == "steel"
    assert len(world.bodies) == 2
