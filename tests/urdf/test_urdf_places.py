"""Where links are: against yourdfpy, which reads the same files on its own."""

import numpy as np
import pytest
from urdf_cases import ARM, ROBOTS, joint, link, robot, saved

import rollcone as rc
from rollcone.mechanics.rotations import rotation_matrix

CHAIN = robot(
    link("a"),
    link("b"),
    link("c"),
    link("d"),
    joint("i", "a", "b", more='<origin xyz="0.1 0 0.3" rpy="0.2 0.1 0"/><axis xyz="1 2 3"/>'),
    joint("j", "b", "c", more='<axis xyz="0 1 0"/><mimic joint="i" multiplier="-2" offset="0.3"/>'),
    joint("k", "c", "d", more='<origin xyz="0 0.2 0"/><axis xyz="0 0 1"/><mimic joint="i"/>'),
)


def compare(path, joint_positions, **options):
    yourdfpy = pytest.importorskip("yourdfpy")
    twin = yourdfpy.URDF.load(str(path), load_meshes=False, build_scene_graph=True)
    made = rc.load_urdf(path, joint_positions=joint_positions, **options)
    twin.update_cfg(joint_positions)
    place = made.link_pose(twin.base_link)
    for name in twin.link_map:
        expected = twin.get_transform(name)
        position, orientation = made.link_pose(name)
        root = rotation_matrix(place[1])
        got = root.T @ (position - place[0])
        np.testing.assert_allclose(got, expected[:3, 3], atol=1e-12)
        turn = root.T @ rotation_matrix(orientation)
        np.testing.assert_allclose(turn, expected[:3, :3], atol=1e-12)
    for name, value in joint_positions.items():
        assert made.joints[name].coordinate() == pytest.approx(value, abs=1e-12)
    return made


@pytest.mark.filterwarnings("ignore")  # of yourdfpy and what it loads
@pytest.mark.parametrize("seed", range(4))
def test_an_arm(seed, tmp_path):
    """At zero, and at random angles; anywhere, turned anyhow."""
    draw = np.random.default_rng(seed)
    angles = {"shoulder": draw.uniform(-2, 2.5), "elbow": draw.uniform(-3, 3)}
    angles["slide"] = draw.uniform(-0.5, 0.5)
    given = dict.fromkeys(angles, 0.0) if seed == 0 else angles
    turn = draw.normal(size=4)
    place = {"position": draw.normal(size=3), "orientation": turn / np.linalg.norm(turn)}
    made = compare(saved(tmp_path, ARM), given, fixed_base=True, **place)
    np.testing.assert_allclose(made.link_pose("base")[0], place["position"])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("angle", [0.0, 0.7])
def test_joints_that_follow(angle, tmp_path):
    """Two that follow one; then one that follows one that follows, which yourdfpy does not know."""
    made = compare(saved(tmp_path, CHAIN), {"i": angle})
    assert made.joints["j"].coordinate() == pytest.approx(0.3 - 2 * angle, abs=1e-12)
    assert made.joints["k"].coordinate() == pytest.approx(angle, abs=1e-12)
    longer = saved(tmp_path, CHAIN.replace('<mimic joint="i"/>', '<mimic joint="j"/>'))
    made = rc.load_urdf(longer, joint_positions={"i": angle})
    assert made.joints["k"].coordinate() == pytest.approx(0.3 - 2 * angle, abs=1e-12)
    assert {gear.kind for gear in made.gears.values()} == {"gear"}


@pytest.mark.filterwarnings("ignore")
def test_our_robots():
    compare(ROBOTS / "gripper.urdf", {"lift": 0.1, "left": 0.03}, fixed_base=True)
    compare(ROBOTS / "rover.urdf", {"front_left": 0.4, "rear_right": -7.0}, position=(1, 2, 3))


def test_links_are_asked_for_by_name(tmp_path):
    made = rc.load_urdf(saved(tmp_path, ARM), fixed_base=True)
    with pytest.raises(rc.InputError, match=r"link = 'lowr': there is none .did you mean 'lower'"):
        made.link_pose("lowr")
    assert "6 links, 3 joints" in repr(made)


def test_a_range_without_zero(tmp_path):
    limit = '<limit lower="0.2" upper="1"/>'
    path = saved(tmp_path, robot(link("a"), link("b"), joint("j", "a", "b", "revolute", limit)))
    made = rc.load_urdf(path)
    assert made.joints["j"].coordinate() == pytest.approx(0.2)
    assert any("0 is not in its range, so it begins at 0.2" in note for note in made.notes)


def test_a_joint_that_would_follow_out_of_its_range(tmp_path):
    follow = '<limit lower="0" upper="1"/><mimic joint="i" offset="-1"/>'
    text = robot(
        link("a"), link("b"), link("c"), joint("i", "a", "b"),
        joint("j", "a", "c", "revolute", follow),
    )  # fmt: skip
    path = saved(tmp_path, text)
    with pytest.raises(rc.InputError, match="follows 'i' to -1: must be from 0 to 1; begin else"):
        rc.load_urdf(path)
    assert rc.load_urdf(path, joint_positions={"i": 1.5}).joints["j"].coordinate() == 0.5
