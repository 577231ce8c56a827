"""What is wrong with a URDF file is told with its line, its link or joint, and what is allowed."""

import os

import pytest
from urdf_cases import ARM, joint, link, robot, saved

import rollcone as rc
from rollcone.errors import FileError, InputError
from rollcone.urdf.read import read_robot
from rollcone.urdf.tree import DEEPEST, MOST_BYTES

PAIR = robot(link("a"), link("b"), joint("j", "a", "b"))


def test_the_pair_is_right(tmp_path):
    made = read_robot(saved(tmp_path, PAIR))
    assert list(made.links) == ["a", "b"]
    assert not made.notes


CHANGED = [  # a piece of PAIR, what it becomes, and what is told
    ('mass value="1.0"', 'mass value="-1"', ["link 'a'", "<mass> value = '-1'", ">= 0"]),
    ('mass value="1.0"', 'mass value="nan"', ["link 'a'", "<mass> value = 'nan'"]),
    ('mass value="1.0"', 'mass value="1e300"', ["<mass> value = '1e300'", "at most 1e+12"]),
    ('mass value="1.0"', 'mass value="1_0"', ["<mass> value = '1_0'", "one number"]),
    ('mass value="1.0"', 'mass value="1 2"', ["<mass> value = '1 2'", "one number"]),
    ('mass value="1.0"', 'mass value="one"', ["<mass> value = 'one'", "one number"]),
    ('mass value="1.0"', "mass", ["<mass> value is missing"]),
    ('mass value="1.0"', 'mass value="0"', ["<mass> value = 0", "there is an inertia"]),
    ('ixx="0.01"', 'ixx="-0.01"', ["<inertia> ixx = -0.01", "positive definite"]),
    ('ixx="0.01"', 'ixx="0.03"', ["<inertia> ixx = 0.03", "sum of the other two"]),
    ('ixy="0"', 'ixy="0.02"', ["<inertia>", "ixy = 0.02", "positive definite"]),
    ('ixx="0.01"', "", ["<inertia> ixx is missing"]),
    ("<inertial>", "<inertial><mass value='1'/>", ["<mass> is there 2 times"]),
    ('link name="b"', 'link name="a"', ["link 'a'", "line 2 has that name already"]),
    ('link name="b"', "link", ["<link> name is missing"]),
    ('link name="b"', 'link name=" "', ["<link> name = ' '"]),
    ('child link="b"', 'child link="bb"', ["joint 'j'", "<child> link = 'bb'", "mean 'b'"]),
    ('parent link="a"', 'parent link="b"', ["joint 'j'", "around to itself"]),
    ('type="continuous"', 'type="revolut"', ["type = 'revolut'", "did you mean 'revolute'"]),
    ('type="continuous"', 'type="revolute"', ["joint 'j'", "<limit> is missing", "continuous"]),
    ('<child link="b"/>', "", ["<joint> has no <child>"]),
    ('<child link="b"/>', '<child link="b"/><axis xyz="0 0 0"/>', ["<axis> xyz", "not be zero"]),
    ('<child link="b"/>', '<child link="b"/><axis xyz="0 inf 0"/>', ["<axis> xyz = '0 inf 0'"]),
    ('<child link="b"/>', '<child link="b"/><origin xyz="0 0"/>', ["<origin> xyz", "three"]),
    ('<child link="b"/>', '<child link="b"/><origin rpy="0 0 x"/>', ["<origin> rpy = '0 0 x'"]),
    ('<child link="b"/>', '<child link="b"/><mimic joint="i"/>', ["<mimic> joint = 'i'"]),
    ('<child link="b"/>', '<child link="b"/><mimic joint="j"/>', ["it follows itself"]),
    ('<child link="b"/>', '<child link="b"/><dynamics damping="-1"/>', ["damping = '-1'", ">= 0"]),
    ('<child link="b"/>', '<child link="b"/><limit effort="-1"/>', ["<limit> effort = '-1'"]),
]


@pytest.mark.parametrize(("piece", "other", "words"), CHANGED)
def test_one_thing_wrong(piece, other, words, tmp_path):
    assert piece in PAIR
    path = saved(tmp_path, PAIR.replace(piece, other, 1))
    with pytest.raises(InputError) as told:
        read_robot(path)
    text = str(told.value)
    assert text.startswith(f"{path}:")
    assert int(text.removeprefix(f"{path}:").split(":")[0]) > 0
    for word in words:
        assert word in text


GEOMETRY = [
    ("<box size='1 1 -1'/>", "<box> size = '1 1 -1': must be three numbers > 0"),
    ("<box/>", "<box> size is missing"),
    ("<sphere radius='0'/>", "<sphere> radius = '0': must be one number > 0"),
    ("<cylinder radius='1'/>", "<cylinder> length is missing"),
    ("<cilinder radius='1'/>", "did you mean 'cylinder'?"),
    ("<box size='1 1 1'/><sphere radius='1'/>", "<geometry> has <box>, <sphere>: must have one of"),
    ("", "<geometry> has nothing: must have one of box, sphere, cylinder, capsule, mesh"),
    ("<mesh/>", "<mesh> filename is missing"),
    ("<mesh filename='a.stl' scale='1 0 1'/>", "<mesh> scale = '1 0 1'"),
]


@pytest.mark.parametrize(("geometry", "words"), GEOMETRY)
def test_shapes(geometry, words, tmp_path):
    collision = f"<collision><geometry>{geometry}</geometry></collision>"
    path = saved(tmp_path, robot(link("a", shapes=collision)))
    with pytest.raises(InputError) as told:
        read_robot(path)
    assert words in str(told.value)
    assert "link 'a'" in str(told.value)


def test_trees(tmp_path):
    three = [link("a"), link("b"), link("c")]
    cases = {
        robot(*three, joint("i", "a", "c"), joint("j", "b", "c")): "is the child of joint 'i' alr",
        robot(*three, joint("i", "a", "b")): "links 'a', 'c' are children of no joint",
        robot(*three, joint("i", "b", "c"), joint("j", "c", "b")): "joints lead from it around",
        robot(*three[:2], joint("i", "a", "b"), joint("j", "b", "a")): "around to itself",
        robot(): "<robot> has no <link>",
    }
    for text, words in cases.items():
        with pytest.raises(InputError, match=words):
            read_robot(saved(tmp_path, text))


def test_mimics(tmp_path):
    three = [link("a"), link("b"), link("c")]
    first = joint("i", "a", "b", more='<mimic joint="j"/>')
    loop = robot(*three, first, joint("j", "b", "c", more='<mimic joint="i"/>'))
    with pytest.raises(InputError, match="it follows itself"):
        read_robot(saved(tmp_path, loop))
    with pytest.raises(InputError, match="must be revolute, continuous, prismatic; it is fixed"):
        read_robot(saved(tmp_path, robot(*three, first, joint("j", "b", "c", "fixed"))))


def test_ranges(tmp_path):
    limit = '<limit lower="1" upper="-1" effort="1" velocity="1"/>'
    text = robot(link("a"), link("b"), joint("j", "a", "b", "prismatic", limit))
    with pytest.raises(InputError, match="<limit> lower = 1: must not be above upper = -1"):
        read_robot(saved(tmp_path, text))


BOMB = """<!DOCTYPE robot [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<robot name="&b;"/>"""
NO_URDF = {
    "": "no element found",
    "robot": "syntax error",
    "<robot>": "no element found",
    "<robot><link></robot>": "mismatched tag",
    "<sdf/>": "the root element is <sdf>: must be <robot>",
    "<robot xmlns:xacro='x'><xacro:include filename='a'/></robot>": "is a xacro file",
    "<?xml version='1.0' encoding='klingon'?><robot/>": "is not XML",
    BOMB: "<!DOCTYPE> is not taken",
    "<robot>" + "<a>" * DEEPEST + "</a>" * DEEPEST + "</robot>": "is nested deeper than 50",
}


@pytest.mark.parametrize("text", NO_URDF, ids=range(len(NO_URDF)))
def test_no_urdf_at_all(text, tmp_path):
    with pytest.raises(FileError) as told:
        read_robot(saved(tmp_path, text))
    assert NO_URDF[text] in str(told.value)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(FileError, match=r"none\.urdf: cannot be read: No such file"):
        rc.load_urdf(tmp_path / "none.urdf")
    with pytest.raises(FileError, match="is a directory"):
        rc.load_urdf(tmp_path)
    with pytest.raises(FileError, match="cannot be read"):
        rc.load_urdf("a\0b")
    with pytest.raises(InputError, match="path = 3: must be the name of a file"):
        rc.load_urdf(3)
    huge = tmp_path / "huge.urdf"
    with huge.open("wb") as file:
        os.truncate(file.fileno(), MOST_BYTES + 1)
    with pytest.raises(FileError, match="has more than 50000000 bytes"):
        rc.load_urdf(huge)


def test_what_load_urdf_is_told(tmp_path):
    path = saved(tmp_path, ARM)
    wrong = {
        "position = [0.0, 0.0]: must be three": {"position": [0.0, 0.0]},
        "orientation = .* has length 2": {"orientation": (2, 0, 0, 0)},
        "fixed_base = 1: must be True or False": {"fixed_base": 1},
        "name = '': must be a text": {"name": ""},
        "material = 3: must be a text": {"material": 3},
        "meshes = 'hul': must be one of hull, box .did you mean 'hull'": {"meshes": "hul"},
        "'elbw': there is no such joint .did you mean 'elbow'": {"joint_positions": {"elbw": 1}},
        "'mount': it has none of its own": {"joint_positions": {"mount": 1}},
        "'shoulder' = 3: must be from -2 to 2.5": {"joint_positions": {"shoulder": 3}},
        "'elbow' = nan: must be finite": {"joint_positions": {"elbow": float("nan")}},
    }
    for words, options in wrong.items():
        with pytest.raises(InputError, match=words.replace("[", r"\[").replace("]", r"\]")):
            rc.load_urdf(path, **({"fixed_base": True} | options))


def test_what_moves_has_a_mass(tmp_path):
    with pytest.raises(InputError, match=r"link 'base': has no mass, but can move: .* fixed_base"):
        rc.load_urdf(saved(tmp_path, ARM))
    text = robot(link("a"), '<link name="b"/>', joint("j", "a", "b"))
    with pytest.raises(InputError, match="link 'b': has no mass, but can move: must have an <in"):
        rc.load_urdf(saved(tmp_path, text))
    with pytest.raises(InputError, match=r"link 'a': inertia = .* must be positive definite"):
        rc.load_urdf(saved(tmp_path, robot(link("a", inertia=0.0))))


def test_a_world_is_left_alone(tmp_path):
    """A name that is taken, found late: nothing of the robot is added."""
    world = rc.World()
    world.add_sphere(radius=1, mass=1, name="slider")
    with pytest.raises(InputError, match="link 'slider': name = 'slider': a body has that name"):
        rc.load_urdf(saved(tmp_path, ARM), world=world, fixed_base=True)
    assert len(world.bodies) == 1
    assert not len(world.joints)
    rc.load_urdf(saved(tmp_path, ARM), world=world, fixed_base=True, name="left")
    assert world.body("left slider").mass == 1.0
    assert world.joint("left elbow").kind == "revolute"
