"""Joints in scene files: what is read, what is written, and what is refused."""

import numpy as np
import pytest
from joint_cases import bits, mechanisms, spun
from scene_cases import SMALL, load, problems_of
from test_round_trip import STEPS, same_worlds

import rollcone as rc
from rollcone.mechanics.joints import KINDS
from rollcone.mechanics.rotations import rotation_matrix
from rollcone.scene.read import read_scene


def test_every_kind_and_element_after_some_steps():
    """The same joints, to the bit, and the same next steps."""
    world = mechanisms()
    assert {spec.kind for _, spec in world.joints} == set(KINDS)
    words = {e.word for _, s in world.joints for row in s.elements.values() for e in row}
    assert words == {"limits", "friction", "motor", "spring"}
    run = rc.simulate(world, until=0.1, step=5e-3)
    assert run.converged
    assert run.contact_count[-1] > 0
    moved = run.world
    twin = read_scene(moved.to_scene(**STEPS), "twin").world
    same_worlds(moved, twin)
    assert len(moved.joints) == len(twin.joints) + 1  # one was removed
    on = [rc.simulate(each, until=0.15, step=5e-3, start_time=0.1) for each in (moved, twin)]
    kept = [body.id for body in moved.bodies]
    for name in ("position", "orientation", "velocity", "angular_velocity"):
        one, other = (run.states(name) for run in on)
        assert one[:, kept].tobytes() == other.tobytes(), name
    for _, spec in moved.joints:
        one, other = (run.joint(spec.name) for run in on)
        np.testing.assert_array_equal(one.force, other.force)
        for name, values in one.effort.items():
            np.testing.assert_array_equal(values, other.effort[name])


def test_turns_are_kept():
    moved = rc.simulate(spun(), until=0.5, step=5e-3).world
    twin = read_scene(moved.to_scene(**STEPS), "twin").world
    angle, slide = twin.joint("revolute 0").coordinate(), twin.joint("prismatic 1").coordinate()
    assert angle == moved.joint("revolute 0").coordinate() == pytest.approx(35, rel=1e-9)
    assert slide == pytest.approx(3.5, rel=1e-9)
    same_worlds(moved, twin)
    runs = [rc.simulate(each, until=0.1, step=5e-3) for each in (moved, twin)]
    assert bits(runs[0]) == bits(runs[1])
    assert runs[1].joint("revolute 0").coordinate["angle"][-1] == pytest.approx(42, rel=1e-9)


FILE = """\
[simulation]
until = 0.1
step = 5e-3
[world]
gravity = [0, 0, -9.81]
[[body]]
shape = "box"
size = [0.4, 0.1, 0.1]
mass = 2
position = [0.2, 0, 0]
name = "arm"
[[body]]
shape = "sphere"
radius = 0.1
mass = 3
position = [0.4, 0, 1]
name = "bob"
[[joint]]
kind = "revolute"
name = "hinge"
body = "arm"
point = [0, 0, 0]
axis = [0, 1, 0]
angle.motor = { speed = 2.0, limit = 5 }
angle.limits = { lower = -1, upper = 1 }
[[joint]]
kind = "link"
body = "bob"
base = "arm"
point = [0.4, 0, 0]
[joint.length]
spring = { stiffness = 100, damping = 1, rest = 0.9 }
limits.upper = 2.1
[[joint]]
kind = "prismatic"
name = "rail"
body = "bob"
axis = [0, 0, 1]
slide.friction = { limit = 5.3 }
slide.motor.position.amplitude = 0.1
slide.motor.position.frequency = 2
[[joint]]
kind = "gear"
joints = ["hinge", ["rail", "slide"]]
ratio = 3
"""


def same_in_python() -> rc.World:
    world = rc.World(gravity=(0, 0, -9.81))
    arm = world.add_box(size=(0.4, 0.1, 0.1), mass=2, position=(0.2, 0, 0), name="arm")
    bob = world.add_sphere(radius=0.1, mass=3, position=(0.4, 0, 1), name="bob")
    hinge = world.add_joint(
        kind="revolute", name="hinge", body=arm, point=(0, 0, 0), axis=(0, 1, 0),
        angle=[rc.Limits(lower=-1, upper=1), rc.Motor(speed=2, limit=5)],
    )  # fmt: skip
    spring = rc.Spring(stiffness=100, damping=1, rest=0.9)
    world.add_joint(
        kind="link", body=bob, base=arm, point=(0.4, 0, 0), length=[spring, rc.Limits(upper=2.1)]
    )
    drive = rc.Motor(position=rc.Sine(amplitude=0.1, frequency=2))
    world.add_joint(
        kind="prismatic", name="rail", body=bob, axis=(0, 0, 1),
        slide=[drive, rc.JointFriction(limit=5.3)],
    )  # fmt: skip
    world.add_joint(kind="gear", joints=[hinge, "rail"], ratio=3)
    return world


def test_a_file_says_the_same_as_python(tmp_path):
    scene = load(FILE, tmp_path)
    same_worlds(scene.world, same_in_python())
    run = rc.simulate(same_in_python(), until=0.1, step=5e-3)
    assert bits(scene.simulate()) == bits(run)


def test_raw_fields_say_where_a_joint_is(tmp_path):
    """A joint that is given on its bodies, against one that is given in the world."""
    turn = rc.rotation((1, 2, 3), 40)
    body = f"{SMALL}position = [1, 2, 3]\norientation = {turn.tolist()}\n"
    point, axis = np.array([1.5, 2, 3]), np.array([0, 0.6, 0.8])
    plain = f"point = {point.tolist()}\naxis = {axis.tolist()}\n"
    joint = '[[joint]]\nkind = "revolute"\nbody = "sphere 0"\n'
    twin = load(body + joint + plain, tmp_path).world.joint(0)
    np.testing.assert_allclose(twin.spec.base_point, point)
    local = rotation_matrix(turn).T @ (point - (1, 2, 3))
    np.testing.assert_allclose(twin.spec.body_point, local)
    np.testing.assert_allclose(rotation_matrix(twin.spec.base_frame)[:, 2], axis)
    raw = "".join(
        f"{name} = {list(getattr(twin.spec, name))}\n"
        for name in ("base_point", "body_point", "base_frame", "body_frame")
    )
    found = load(body + joint + raw + "turns = [12.566370614359172, 0]\n", tmp_path).world.joint(0)
    assert found.spec == twin.spec
    assert found.coordinate() == pytest.approx(4 * np.pi)


WRONG = [
    ('body = "arm"', 'body = "amr"', "21: joint[0].body: body 'amr'", "(did you mean 'arm'?)"),
    ('base = "arm"', 'base = "bop"', "29: joint[1].base: body 'bop'", "(did you mean 'bob'?)"),
    ('base = "arm"', 'base = "bob"', "29: joint[1].base: 'bob' cannot be joined to itself", ""),
    ('"revolute"', '"revolut"', "19: joint[0].kind = 'revolut': must be one of spherical", "'rev"),
    ("axis = [0, 1, 0]", "", "18: joint[0].axis: must be given for a joint of the", "'revolute'"),
    ("axis = [0, 1, 0]", "axis = [0, 0, 0]", "23: joint[0].axis = [0.0, 0.0, 0.0]: must", ""),
    ("speed = 2.0", "speed = 2.0, position = 1", "24: joint[0].angle.motor: must have a speed", ""),
    ("speed = 2.0, limit = 5", "", "24: joint[0].angle.motor: must have a speed or a", "not both"),
    ('["hinge", ', '["hing", ', "44: joint[3].joints: joint 'hing': there is none", "'hinge'?)"),
    ('["hinge", ', '["gear 3", ', "44: joint[3].joints: joint 'gear 3': there is none", ""),
    ('["rail", "slide"]', '["rail", "angle"]', "44: joint[3].joints = 'angle': must be", "slide"),
    ('["rail", "slide"]', '["rail"]', "44: joint[3].joints = ['rail']: must be a joint, or", ""),
    (', ["rail", "slide"]', "", "44: joint[3].joints = ['hinge']: must be two joints", ""),
    ('["rail", "slide"]', "3", "44: joint[3].joints = ['hinge', 3]: must be two names of", ""),
    ("ratio = 3", "", "42: joint[3].ratio: must be given for a joint of the kind 'gear'", ""),
    ("ratio = 3", "ratio = 0", "45: joint[3].ratio = 0: must not be zero", ""),
    ("slide.friction", "angle.friction", "39: joint[2].angle: no coordinate of the kind", "slide"),
    ("limit = 5 }", "limit = nan }", "24: joint[0].angle.motor.limit = nan: must be finite", ""),
    ("limit = 5 }", "limit = -5 }", "24: joint[0].angle.motor.limit = -5: must be one number", ""),
    ("limit = 5.3", "limit = -5.3", "39: joint[2].slide.friction.limit = -5.3: must be one", ">="),
    ("limit = 5.3", "limit = 0", "39: joint[2].slide.friction: must have a limit or a", ""),
    ("lower = -1", "lower = 2", "25: joint[0].angle.limits.lower = 2: must be below upper = 1", ""),
    ("lower = -1", "lower = nan", "25: joint[0].angle.limits.lower = nan: must be finite", ""),
    ("lower = -1, upper = 1", "", "25: joint[0].angle.limits: lower, upper: one of them", ""),
    ("upper = 1 }", "uper = 1 }", "25: joint[0].angle.limits.uper: unknown key", "'upper'?)"),
    ("speed = 2.0", "speed = true", "24: joint[0].angle.motor.speed = True: must be a number", ""),
    ("speed = 2.0", "speed = 'x'", "24: joint[0].angle.motor.speed = 'x': must be a number", ""),
    ("speed = 2.0", "speed = { times = [0, true], values = [1, 2] }",
     "24: joint[0].angle.motor.speed.times = [0, True]: must be numbers", ""),
    ("speed = 2.0", "speed = { times = [1, 0], values = [1, 2] }",
     "24: joint[0].angle.motor.speed.times = [1.0, 0.0]: must be numbers, each above", ""),
    ("speed = 2.0", "speed = { frequency = 2 }", "24: joint[0].angle.motor.speed = {'freq", "ampl"),
    ("position.frequency = 2", "position.frequency = 0",
     "41: joint[2].slide.motor.position.frequency = 0", "> 0"),
    ("angle.motor", "angle.engine", "24: joint[0].angle.engine: unknown key", "limits, motor"),
    ("angle.motor = { speed = 2.0, limit = 5 }", "angle.motor = 3",
     "24: joint[0].angle.motor = 3: must be a table with speed, position, limit", ""),
    ("rest = 0.9", "rest = inf", "32: joint[1].length.spring.rest = inf: must be a number", ""),
    ("stiffness = 100, damping = 1, ", "", "32: joint[1].length.spring: must have a stiffness", ""),
    ("limits.upper = 2.1", "limits.upper = 'x'", "33: joint[1].length.limits.upper = 'x'", ""),
    ("slide.friction = { limit = 5.3 }", "angle = 3", "39: joint[2].angle = 3: must be a", ""),
    ('name = "rail"', 'name = "hinge"', "36: joint[2].name = 'hinge': a joint has that name", ""),
    ('name = "rail"', "name = 3", "36: joint[2].name = 3: must be a text", ""),
    ('name = "rail"', "nmae = 'rail'", "36: joint[2].nmae: unknown key (did you mean 'name'?)", ""),
    ('name = "rail"', "turns = [1, 2, 3]", "36: joint[2].turns = [1.0, 2.0, 3.0]: must be two", ""),
    ('name = "rail"', "turns = [0, 0]", "38: joint[2].axis: there is also turns; give one", "both"),
    ("axis = [0, 0, 1]", "turns = [0, 0]", "34: joint[2].base_point: must be given", ""),
    ("point = [0.4, 0, 0]", "compliance = -1", "30: joint[1].compliance = -1: must be one", ">= 0"),
    ("point = [0.4, 0, 0]", "collide = 'yes'", "30: joint[1].collide = 'yes': must be true", ""),
    ("mass = 2", "fixed = true", "21: joint[0].body: 'arm' is not moved by forces, nor", ""),
]  # fmt: skip


@pytest.mark.parametrize(("line", "wrong", "message", "more"), WRONG)
def test_what_is_wrong_is_told_with_its_line(line, wrong, message, more, tmp_path):
    assert FILE.count(line) >= 1
    problems = problems_of(FILE.replace(line, wrong, 1), tmp_path)
    told = [problem for problem in problems if problem.startswith(f"heap.toml:{message}")]
    assert told, problems
    assert more in told[0]


def test_several_problems_at_once(tmp_path):
    text = FILE.replace('body = "arm"', 'body = "amr"').replace("limit = 5.3", "limit = -1")
    (problem,) = problems_of(text, tmp_path)  # the tables come before the world
    assert "slide.friction.limit = -1" in problem
    text = FILE.replace('body = "arm"', 'body = "amr"').replace('base = "arm"', 'base = "am"')
    problems = problems_of(text, tmp_path)
    assert [problem.split(": ")[1] for problem in problems][:2] == [
        "joint[0].body",
        "joint[1].base",
    ]


def test_joints_that_are_no_tables(tmp_path):
    for text, message in (
        ("joint = 3\n", "joint = 3: must be tables that begin with [[joint]]"),
        ("joint = [3]\n", "joint[0]: is 3: must be a table that begins with [[joint]]"),
    ):
        assert any(message in problem for problem in problems_of(text + SMALL, tmp_path))
    (problem,) = problems_of(SMALL + "[joint]\nkind = 'fixed'\n", tmp_path)
    assert "must be tables that begin with [[joint]]" in problem


def test_functions_are_named():
    world = same_in_python()
    world.add_joint(
        kind="free", body="bob", axis=(0, 0, 1), name="seal",
        angle=rc.Motor(speed=lambda t: t), slide=rc.Spring(stiffness=1, rest=np.sin),
    )  # fmt: skip
    words = r"angle.motor.speed of 'seal', slide.spring.rest of 'seal': a Python function"
    with pytest.raises(rc.InputError, match=words):
        world.to_scene(**STEPS)
    world.remove_joint("seal")
    assert "seal" not in world.to_scene(**STEPS)
