"""Nothing of a file is dropped in silence: all of it is used or told."""

import pytest
from urdf_cases import ARM, joint, link, robot, saved

import rollcone as rc

MORE = """
  <material name="red"><color rgba="1 0 0 1"/></material>
  <gazebo reference="a"><mu1>0.2</mu1></gazebo>
  <gazebo/>
  <transmission name="t"><type>simple</type></transmission>
  words
  <link name="b" kind="odd">
    <visual><geometry><box size="1 1 1"/></geometry></visual>
    <inertial>
      <origin xyz="0 0 0" unit="mm"/>
      <mass value="1"/><inertia ixx="1" iyy="1" izz="1"/>
    </inertial>
  </link>
  <joint name="j" type="continuous">
    <parent link="a"/><child link="b"/>
    <axis xyz="0 0 2"/>
    <limit lower="-1" upper="1" effort="3" velocity="2"/>
    <calibration rising="0"/>
    <safety_controller k_velocity="1"/>
  </joint>
"""
TOLD = [
    "<gazebo> in <robot> is not used: it is for another simulator (2 places: lines",
    "<transmission> in <robot> is not used: add motors",
    "<material> in <robot> is not used: colours",
    "text in <robot> is not used (1 place: line",
    "<visual> in <link> is not used: it is for the eye",
    "attribute 'kind' of <link> is not used",
    "attribute 'unit' of <origin> is not used",
    "attribute 'lower' of <limit> is not used",
    "attribute 'upper' of <limit> is not used",
    "<calibration> in <joint> is not used: it is for controllers",
    "<safety_controller> in <joint> is not used",
    "joint 'j': the axis has the length 2; only its direction counts",
    "joints 'j': limits of effort and velocity are those of motors",
    "link 'a': has no collision shape; it is a ball of radius",
    "link 'b': has no collision shape; it is a ball of radius",
]


def test_what_is_told(tmp_path):
    made = rc.load_urdf(saved(tmp_path, robot(link("a"), MORE)))
    for words in TOLD:
        assert sum(words in note for note in made.notes) == 1, words
    assert len(made.notes) == len(TOLD)
    assert all(note.endswith(".") for note in made.notes)
    assert (made.limits["j"].effort, made.limits["j"].velocity) == (3, 2)
    assert made.limits["j"].lower is None


def test_every_attribute_and_element(tmp_path):
    """Each is misspelt in turn: an error, or a note with its name."""
    pieces = ARM.split("<")
    for k, piece in enumerate(pieces):
        if not piece or piece[0] in "/" or piece.startswith("robot"):
            continue
        tag = piece.split()[0].rstrip("/>")
        words = [*piece.split(">")[0].rstrip("/").split(" ")[1:]]
        for name in [word.split("=")[0] for word in words if "=" in word]:
            other = piece.replace(f" {name}=", f" {name}q=", 1)
            check(tmp_path, "<".join([*pieces[:k], other, *pieces[k + 1 :]]), f"{name}q")
        if f"<{tag}" in ARM and piece.split(">")[0].endswith("/"):
            other = piece.replace(tag, f"{tag}q", 1)
            check(tmp_path, "<".join([*pieces[:k], other, *pieces[k + 1 :]]), f"<{tag}q>")


def check(tmp_path, text, word):
    made, told = None, ""
    try:
        made = rc.load_urdf(saved(tmp_path, text), fixed_base=True)
    except rc.RollconeError as error:
        told = str(error)
    if made is None:
        assert told.startswith(str(tmp_path))
    else:
        assert any(word in note for note in made.notes), word


def test_joints_of_other_kinds(tmp_path):
    """What a floating or a fixed joint has no use for."""
    more = '<axis xyz="0 0 1"/><limit effort="1"/><dynamics damping="1"/><mimic joint="j"/>'
    for kind in ("floating", "fixed"):
        text = robot(link("a"), link("b"), joint("j", "a", "b", kind, more))
        made = rc.load_urdf(saved(tmp_path, text))
        for tag in ("axis", "limit", "dynamics", "mimic"):
            assert any(f"<{tag}> in <joint> is not used" in note for note in made.notes)
        assert not made.joints
        assert len(made.world.bodies) == (2 if kind == "floating" else 1)
    text = robot('<link name="world"/>', link("b"), joint("j", "world", "b", "floating"))
    made = rc.load_urdf(saved(tmp_path, text))
    assert list(made.bodies) == ["b"]
    assert made.link_pose("world")[0] == pytest.approx([0, 0, 0])


def test_joints_of_one_value(tmp_path):
    limit = '<axis xyz="0 0 1"/><limit lower="0.5" upper="0.5"/>'
    text = robot(
        link("a"), link("b"), link("c"), joint("i", "a", "b", "prismatic", limit),
        joint("j", "b", "c", more='<mimic joint="i" multiplier="2"/>'),
    )  # fmt: skip
    made = rc.load_urdf(saved(tmp_path, text))
    assert len(made.world.bodies) == 1
    assert made.link_pose("c")[0] == pytest.approx([0, 0, 0.5])
    assert any("joint 'i': has but one value, 0.5, so it is a fixed joint" in n for n in made.notes)
    assert any("joint 'j': has but one value, 1, so it is a fixed joint" in n for n in made.notes)


def test_links_without_inertia(tmp_path):
    made = rc.load_urdf(saved(tmp_path, ARM), fixed_base=True)
    assert any("link 'tool': has no inertia; it adds none" in note for note in made.notes)
    assert any("link 'base': has no shape and does not move" in note for note in made.notes)
    assert set(made.bodies) == {"upper", "bracket", "lower", "slider", "tool"}
