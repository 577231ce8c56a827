"""Robots in scene files."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from scene_cases import load, problems_of
from test_round_trip import same_worlds

import rollcone as rc
from rollcone.scene.read import read_scene

ROBOTS = Path(__file__).parents[2] / "examples" / "robots"
SCENE = """\
[simulation]
until = 0.02
step = 5e-3

[world]
gravity = [0, 0, -9.81]

[contact]
sliding = 0.8

[[body]]
shape = "plane"

[[robot]]
file = "robots/rover.urdf"
position = [0, 0, 0.11]
name = "scout"

[[robot]]
file = "robots/gripper.urdf"
position = [3, 0, 0]
rotation = { axis = [0, 0, 1], degrees = 90 }
fixed_base = true
joint_positions = { left = 0.02 }
material = "steel"

[[joint]]
kind = "free"
body = "palm"
axis = [0, 0, 1]
slide.motor = { speed = 0.1 }
"""


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(ROBOTS, tmp_path / "robots")
    return tmp_path


def test_robots_as_python_has_them(folder):
    """The same worlds; written, the scene has bodies and joints, and is the same again."""
    world = load(SCENE, folder).world
    twin = rc.World(gravity=(0, 0, -9.81))
    twin.set_contact_law(rc.ContactLaw(sliding=0.8))
    twin.add_plane()
    rc.load_urdf(ROBOTS / "rover.urdf", world=twin, position=(0, 0, 0.11), name="scout")
    turn = rc.rotation((0, 0, 1), 90)
    hand = rc.load_urdf(
        ROBOTS / "gripper.urdf", world=twin, position=(3, 0, 0), orientation=turn, fixed_base=True,
        joint_positions={"left": 0.02}, material="steel",
    )  # fmt: skip
    drive = {"kind": "free", "body": "palm", "axis": (0, 0, 1), "slide": rc.Motor(speed=0.1)}
    twin.add_joint(**drive)
    same_worlds(world, twin)
    np.testing.assert_allclose(hand.bodies["left_finger"].position, (3, -0.035, 0.085), atol=1e-15)
    same_worlds(world, read_scene(world.to_scene(until=1, step=0.01), "written").world)


def test_it_runs(folder):
    run = load(SCENE, folder).simulate()
    assert run.converged
    assert run.drift.max() < 1e-12
    assert run.joint("lift").rate["slide"][-1] == pytest.approx(0.1)
    assert run.joint("scout front_left").coordinate["angle"].shape == run.time.shape


@pytest.mark.parametrize(
    ("piece", "other", "words"),
    [
        ("rover.urdf", "rovr.urdf", "heap.toml:15: robot[0].file = 'robots/rovr.urdf': "),
        ('file = "robots/rover.urdf"\n', "", "heap.toml:14: robot[0].file: is missing"),
        ("left = 0.02", "lft = 0.02", "robot[1].joint_positions: 'lft': there is no such joint"),
        ("left = 0.02", 'left = "a"', "joint_positions.left = 'a': must be a number"),
        ("fixed_base = true", "fixed_bas = true", "did you mean 'fixed_base'?"),
        ("fixed_base = true", "orientation = [1, 0, 0, 0]", "rotation: there is also orientation"),
        ('name = "scout"', "packages = 3", "robot[0].packages = 3: must be a table like"),
        ('body = "palm"', 'body = "plam"', "did you mean 'palm'?"),
    ],
)
def test_what_is_wrong(piece, other, words, folder):
    assert piece in SCENE
    told = problems_of(SCENE.replace(piece, other), folder)
    assert any(words in problem for problem in told), told


def test_what_is_wrong_with_the_robot(folder):
    path = folder / "robots" / "rover.urdf"
    path.write_text(path.read_text().replace('mass value="12"', 'mass value="-12"'))
    (told,) = problems_of(SCENE, folder)
    assert "robot[0].file = 'robots/rover.urdf': " in told
    assert "link 'chassis': <mass> value = '-12': must be one number >= 0" in told
