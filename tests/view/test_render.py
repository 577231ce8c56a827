"""Pictures and films: bodies are where they should be, in their colours."""

import os
import subprocess
import sys

import numpy as np
import pytest
from matplotlib.image import imread

import rollcone as rc
from mixed_runs import mixed_run
from rollcone.view.camera import ANGLE, fitted, placed
from rollcone.view.colours import body_colours
from rollcone.view.overlay import Overlay
from rollcone.view.render import _film_moments, render
from rollcone.view.stage import _LIGHT, Stage

pytestmark = pytest.mark.usefixtures("opengl")
SIZE = (160, 120)


def seen_at(camera, point, size=SIZE):
    """Column and row of a point in the picture."""
    back = camera.position - camera.focus
    back = back / np.linalg.norm(back)
    right = np.cross(camera.up, back)
    right /= np.linalg.norm(right)
    away = np.asarray(point, dtype=float) - camera.position
    scale = 0.5 * size[1] / np.tan(np.radians(0.5 * ANGLE)) / -(away @ back)
    x, y = scale * (away @ right), scale * (away @ np.cross(back, right))
    return size[0] / 2 + x, size[1] / 2 - y


@pytest.mark.parametrize("view", ["iso", "front", "side", "top"])
@pytest.mark.parametrize("size", [(160, 120), (100, 300)])
def test_the_camera_sees_everything_and_not_much_more(view, size):
    """Of points: the outermost are as near to one edge as to the one across."""
    points = np.random.default_rng(3).uniform((-1, 2, 0), (4, 3, 1), (40, 3))
    camera = fitted(points, np.zeros(40), view, size[0] / size[1])
    where = np.array([seen_at(camera, point, size) for point in points]) / size - 0.5
    share = np.array([-where.min(axis=0), where.max(axis=0)])  # 0.5 is the edge
    assert 0.42 < share.max() < 0.5
    tight = share.max(axis=0).argmax()
    assert share[0, tight] == pytest.approx(share[1, tight], abs=1e-9)


def test_the_camera_sees_balls_whole():
    point, radius = np.array([[3.0, 2.0, 1.0]]), np.array([0.5])
    camera = fitted(point, radius, "front", 1.0)
    beside, above = (seen_at(camera, point[0] + d, (100, 100)) for d in ((0.5, 0, 0), (0, 0, 0.5)))
    assert 90 < beside[0] < 100
    assert 0 < above[1] < 10


def test_a_camera_by_hand():
    low, high = np.zeros(3), np.full(3, 2.0)
    np.testing.assert_array_equal(placed([5, 0, 0], low, high).focus, 1)
    np.testing.assert_array_equal(placed([5, 0, 0, 1, 2, 3], low, high).focus, (1, 2, 3))
    assert placed([1, 1, 9], low, high).up.tolist() == [0, 1, 0]  # it looks straight down
    for wrong in ([1, 2], [1, 1, 1], [1, 2, np.nan]):
        with pytest.raises(rc.InputError, match="camera"):
            placed(wrong, low, high)


def test_bodies_are_drawn_where_they_are():
    """A big red-hot ball and a cold one; a third has been removed."""
    world = rc.World()
    world.add_sphere(radius=0.3, mass=1.0, position=(-1, 0, 0))
    world.add_sphere(radius=0.3, mass=1.0, position=(1, 0, 0.2), velocity=(0, 1, 0))
    world.add_sphere(radius=0.3, mass=1.0, position=(0, 0, 0))
    world.remove(2)
    run = rc.simulate(world, until=0.1, step=0.1)
    low, high = np.array([-1.5, -0.5, -0.8]), np.array([1.5, 0.5, 0.8])
    camera = fitted(np.array([low, high]), np.zeros(2), "front", SIZE[0] / SIZE[1])
    stage = Stage(run, (low, high), SIZE, camera, "speed", (0.0, 1.0))
    picture = stage.picture(1).astype(float)
    colours = body_colours(run, 1, "speed", (0.0, 1.0)).astype(float)
    for number in (0, 1):
        column, row = seen_at(camera, run.states("position")[1, number])
        found = picture[int(row) - 2 : int(row) + 3, int(column) - 2 : int(column) + 3].mean((0, 1))
        hue, expected = found / found.sum(), colours[number] / colours[number].sum()
        np.testing.assert_allclose(hue, expected, atol=0.08)
    column, row = seen_at(camera, (0, 0, 0))
    nothing = picture[int(row), int(column)]
    assert nothing.min() > 200  # the light background
    stage.close()


def test_joints_are_drawn_unless_they_are_not_to_be():
    """The hook of a ball, above it, and the arm that leads there."""
    world = rc.World()
    world.add_sphere(radius=0.5, mass=1.0)
    world.add_joint(kind="spherical", body=0, point=(0, 0, 1))
    run = rc.Simulation(world, step=0.1).run
    low, high = np.full(3, -1.6), np.full(3, 1.6)
    camera = fitted(np.array([low, high]), np.zeros(2), "front", SIZE[0] / SIZE[1])
    dark = {}
    for joints in (True, False):
        stage = Stage(run, (low, high), SIZE, camera, "speed", (0.0, 1.0), joints=joints)
        picture = stage.picture(0).astype(float)
        stage.close()
        where = [seen_at(camera, point) for point in ((0, 0, 1), (0, 0, 0.7), (0.4, 0, 1))]
        dark[joints] = [picture[int(row), int(column)].mean() < 160 for column, row in where]
    assert dark == {True: [True, True, False], False: [False] * 3}


def test_the_camera_makes_room_for_where_bodies_hang(tmp_path):
    """A hook far above a ball is in the picture, near its upper edge."""
    world = rc.World()
    world.add_sphere(radius=0.3, mass=1.0)
    world.add_joint(kind="distance", body=0, point=(0, 0, 3))
    render(rc.Simulation(world, step=0.1).run, tmp_path / "a.png", size=SIZE, view="front")
    picture = imread(tmp_path / "a.png")[..., :3].mean(axis=2)
    rows = np.flatnonzero((picture[:, 76:84] < 0.5).any(axis=1))
    assert rows.min() < 0.2 * SIZE[1]
    assert rows.max() > 0.7 * SIZE[1]


def test_floors_have_shadows_and_walls_hide_nothing():
    """A ball over a floor, a wall right before the camera. Light comes from `_LIGHT`."""
    world = rc.World(gravity=(0, 0, -10))
    world.add_plane()
    world.add_plane(normal=(0, 1, 0), point=(0, -1.5, 0))
    world.add_sphere(radius=0.3, mass=1.0, position=(0, 0, 1))
    run = rc.simulate(world, until=0.01, step=0.01)
    low, high = np.array([-1.0, -1.0, 0.0]), np.array([1.0, 1.0, 2.0])
    camera = placed([0, -8, 6], low, high)
    stage = Stage(run, (low, high), SIZE, camera, "speed", (0.0, 1.0))
    picture = stage.picture(0).astype(float)
    stage.close()

    def brightness(point):
        column, row = seen_at(camera, point)
        return picture[int(row), int(column)].sum()

    foot = np.array([0, 0, 1]) - _LIGHT / _LIGHT[2]  # where the ray through its centre ends
    assert brightness((0, 0, 1)) < 300  # dark violet, through the wall
    assert 500 < brightness(foot) < brightness((-1, 0.5, 0)) - 50


def test_grains_far_from_the_origin_are_seen(tmp_path):
    """A millionth of a metre wide, a kilometre away: beyond single precision."""
    world = rc.World()
    world.add_sphere(radius=1e-6, mass=1e-12, position=(1e3, 0, 0))
    render(rc.simulate(world, until=0.1, step=0.1), tmp_path / "a.png", size=SIZE)
    picture = imread(tmp_path / "a.png")[..., :3]
    assert picture[60, 80].sum() < 1.5 < picture[60, 10].sum()  # dark in the middle, light beside


def test_turning_is_seen():
    world = rc.World()
    world.add_sphere(radius=1.0, mass=1.0, angular_velocity=(0, 0, np.pi))
    run = rc.simulate(world, until=0.5, step=0.25)
    low, high = np.full(3, -1.0), np.full(3, 1.0)
    camera = fitted(np.zeros((1, 3)), np.ones(1), "front", 4 / 3)
    stage = Stage(run, (low, high), SIZE, camera, "speed", (0, 1))
    pictures = [stage.picture(k).astype(float) for k in range(3)]
    stage.close()
    assert np.abs(pictures[1] - pictures[0]).mean() > 0.5  # by 45 degrees
    swapped = np.abs(pictures[2] - pictures[0])  # by 90: light and dark octants change places
    assert np.percentile(swapped[40:80, 60:100], 50) > 5


def test_an_overlay_leaves_the_rest_alone():
    grey = np.full((240, 320, 3), 128, dtype=np.uint8)
    for quantity, names in (("speed", {}), ("mode", {"free": "#56b4e9", "_$x$y$": "#0072b2"})):
        over = Overlay((320, 240), quantity, (0.0, 2.0), names)
        drawn = over.on(grey, 1.5)
        changed = (drawn != grey).any(axis=2)
        assert changed[200:, :100].any()  # the time
        assert changed[200:, 200:].any()  # the legend
        assert not changed[:180].any()
        assert (over.on(grey, 2.5)[:, 160:] == drawn[:, 160:]).all()
        assert (over.on(grey, 2.5)[:, :160] != drawn[:, :160]).any()
    assert (grey == 128).all()


@pytest.mark.parametrize("quantity", ["speed", "material"])
def test_words_can_be_read_on_black(quantity):
    names = {f"a long name of a material {k}": "#0072b2" for k in range(40)}
    over = Overlay((640, 480), quantity, (0.0, 2.0), names if quantity == "material" else {})
    drawn = over.on(np.zeros((480, 640, 3), dtype=np.uint8), 1.5).astype(int).sum(axis=2)
    for half in (drawn[:, :200], drawn[:, 200:]):
        rows, columns = (np.flatnonzero(half.any(axis=k)) for k in (1, 0))
        words = half[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        assert words.size < 0.25 * half.size
        assert np.median(words) > 500  # light, with darker letters
        assert words[2:-2, 2:-2].min() < 350


@pytest.mark.parametrize("colour", ["speed", "mode", "material"])
def test_pictures(tmp_path, colour):
    path = tmp_path / "a.png"
    render(mixed_run(), path, time=0.1, colour=colour, size=SIZE)
    picture = imread(path)
    assert picture.shape[:2] == (120, 160)
    assert len(np.unique((255 * picture).astype(int).reshape(-1, picture.shape[2]), axis=0)) > 200


def test_the_moments_of_a_film():
    run = mixed_run()  # 0.5 s, recorded every 0.01 s
    assert _film_moments(run, 10, 1.0) == [0, 10, 20, 30, 40, 50]
    assert _film_moments(run, 20, 2.0) == [0, 10, 20, 30, 40, 50]
    assert _film_moments(run, 150, 1.0)[:6] == [0, 1, 1, 2, 3, 3]
    assert _film_moments(rc.Simulation(rc.World(), step=0.1).run, 25, 1.0) == [0]
    for fps, speed in ((0, 1), (25, -1), (np.inf, 1)):
        with pytest.raises(rc.InputError, match=r"fps|speed"):
            _film_moments(run, fps, speed)


def film_frames(path):
    """What ffmpeg makes of the film, (frames, height, width, 3)."""
    ffmpeg = pytest.importorskip("imageio_ffmpeg").get_ffmpeg_exe()
    command = [ffmpeg, "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    pixels = subprocess.run(command, capture_output=True, check=True).stdout
    return np.frombuffer(pixels, dtype=np.uint8).reshape(-1, SIZE[1], SIZE[0], 3).astype(float)


def test_a_film(tmp_path):
    path, told = tmp_path / "a.mp4", []
    render(mixed_run(), path, size=SIZE, fps=10, progress=lambda *done: told.append(done))
    assert told == [(k + 1, 6) for k in range(6)]
    frames = film_frames(path)
    assert len(frames) == 6
    assert np.abs(frames[5] - frames[0]).mean() > 0.2
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.mp4"]


@pytest.mark.slow
def test_without_opengl_there_is_an_error_and_no_crash():
    code = "from rollcone.view.stage import open_plotter; open_plotter((64, 64))"
    environment = os.environ | {"VTK_DEFAULT_OPENGL_WINDOW": "vtkOSOpenGLRenderWindow"}
    found = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    if found.returncode == 0:
        pytest.skip("OSMesa is installed here")
    last = found.stderr.strip().splitlines()[-1]
    assert last.startswith("rollcone.errors.RollconeError: this machine has no OpenGL")
    assert "WARN" not in found.stderr


def test_without_the_packages_the_error_says_what_to_install(tmp_path, monkeypatch):
    with monkeypatch.context() as without:
        without.setattr("rollcone.view.render.find_spec", lambda _: None)
        with pytest.raises(rc.MissingPackageError, match=r"pip install 'rollcone\[render\]'"):
            render(mixed_run(), tmp_path / "a.mp4", size=SIZE)
    monkeypatch.setitem(sys.modules, "pyvista", None)
    with pytest.raises(rc.MissingPackageError, match=r"pip install 'rollcone\[render\]'"):
        render(mixed_run(), tmp_path / "a.png", size=SIZE)
    assert not list(tmp_path.iterdir())


def test_refusals(tmp_path):
    run = mixed_run()
    for name, options, words in (
        ("a.gif", {}, "must end in .png, .mp4"),
        ("a.png", {"colour": "sped"}, "did you mean 'speed'"),
        ("a.png", {"view": "isoo"}, "did you mean 'iso'"),
        ("a.png", {"size": (10, 100)}, "from 64 to 8192"),
        ("a.mp4", {"size": (101, 100)}, "even numbers"),
        ("a.png", {"time": 7.0}, "from 0 to 0.5 s"),
        ("a.mp4", {"time": 0.1}, "is for a picture"),
        ("a.png", {"camera": (1, 2)}, "camera = "),
        ("a.mp4", {"fps": 0}, "fps = 0"),
    ):
        with pytest.raises(rc.InputError, match=words):
            render(run, tmp_path / name, **options)
    assert not list(tmp_path.iterdir())
