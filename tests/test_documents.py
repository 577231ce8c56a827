"""Every example in the README and the docs runs; every script in examples/ too."""

import importlib.util
import os
import re
from pathlib import Path

import matplotlib.image
import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from typer.testing import CliRunner

from rollcone.cli.main import app
from rollcone.fit.schema import markdown as fit_markdown
from rollcone.sweep.schema import markdown as study_markdown

ROOT = Path(__file__).parents[1]
STUDIES = sorted((ROOT / "examples" / "studies").glob("*.toml"))
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
# Of these the others are: of studies and names, or parts of the site.
EXAMPLES = [page for page in DOCUMENTS if page.parent.name not in ("gallery", "api")]
WITHOUT = (
    "architecture.md",
    "benchmarks.md",
    "changelog.md",
    "commands.md",
    "index.md",
    "kernels.md",
)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_code_blocks_run(path, tmp_path, monkeypatch):
    """The Python blocks of a page, one after the other, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)  # as a script's own folder is
    names: dict[str, object] = {}
    save_files(path.read_text())
    for block in re.findall(r"```python\n(.*?)```", path.read_text(), re.DOTALL):
        exec(compile(block, path.name, "exec"), names)
    assert path.name in WITHOUT or "rc" in names


def save_files(page):
    """Blocks after 'Save this as `name`:'."""
    for name, text in re.findall(r"Save this as `(.*?)`:\n\n```\w*\n(.*?)```", page, re.DOTALL):
        Path(name).write_text(text)


def test_commands_on_an_own_scene(tmp_path, monkeypatch):
    """What docs/scenes.md says to type; the page in the browser has tests of its own."""
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "scenes.md").read_text()
    save_files(page)
    typed = re.findall(r"^rollcone (\S+ slope\.\S+.*?)(?:   .*)?$", page, re.MULTILINE)
    assert len(typed) == 5
    for words in typed:
        if not words.startswith("view"):
            result = CliRunner().invoke(app, words.split())
            assert result.exit_code == 0, (words, result.output)
    assert {"slope.h5", "slope.png", "slope-trajectory.png"} <= set(os.listdir())


def test_commands_on_an_own_study(tmp_path, monkeypatch):
    """What docs/sweeps.md says to type gives the table that it shows."""
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "sweeps.md").read_text()
    save_files(page)
    shown = page.split("$ rollcone sweep study.toml\n")[1].split("```")[0]
    result = CliRunner().invoke(app, ["sweep", "study.toml", "--workers", "1"])
    assert result.exit_code == 0, result.output
    assert shown in result.stdout
    assert study_markdown() in page


def test_commands_on_an_own_fit(tmp_path, monkeypatch):
    """What docs/fit.md says to type gives the table that it shows."""
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "fit.md").read_text()
    save_files(page)
    shown = page.split("$ rollcone fit rolling.toml\n")[1].split("```")[0]
    result = CliRunner().invoke(app, ["fit", "rolling.toml", "--workers", "1"])
    assert result.exit_code == 0, result.output
    assert shown in result.stdout
    assert fit_markdown() in page


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: path.name)
def test_studies_have_no_mistakes(path):
    result = CliRunner().invoke(app, ["sweep", str(path), "--check"])
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_no_code_block_is_left_out(path):
    assert path in EXAMPLES or "```python" not in path.read_text()


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text()):
        assert target.startswith("http") or (path.parent / target).exists(), target


def example(name):
    specification = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_friction_models_example(tmp_path):
    module = example("friction_models")
    paths = module.main(folder=tmp_path)
    ends = {name: way[-1] for name, way in paths.items()}
    exact = module.DISTANCE * np.array([np.cos(module.ANGLE), np.sin(module.ANGLE)])
    for name in ("cone (Coulomb's law)", "regularised"):
        assert np.linalg.norm(ends[name] - exact) < 1e-3
    wrong = [np.linalg.norm(ends[f"polygonal, {n} facets"] - exact) for n in (8, 4)]
    assert 0.02 < wrong[0] < wrong[1] < 0.3
    assert 0.05 < np.linalg.norm(ends["box"] - exact) < 0.3
    assert matplotlib.image.imread(tmp_path / "friction_models.png").std() > 0.05


def test_heap_example(tmp_path, capsys):
    solution = example("heap_problem").main(spheres=40, folder=tmp_path)
    assert solution.converged
    assert (tmp_path / "heap_problem.h5").exists()
    picture = matplotlib.image.imread(tmp_path / "heap_problem.png")
    assert picture.shape[0] > 300
    assert picture.std() > 0.05
    white = (picture[:, :, :3] == 1.0).all(axis=2)
    for lines in (white.all(axis=1), white.all(axis=0)):  # no blank margins
        assert not lines[:40].all()
        assert not lines[-40:].all()
    out = capsys.readouterr().out
    assert f"Open {tmp_path / 'heap_problem.png'}; try: .venv/bin/rollcone solve" in out
    assert "converged" in out
    assert "sticking" not in out


def told(folder, name, capsys):
    """What a script printed, after a look at its picture."""
    assert matplotlib.image.imread(folder / f"{name}.png").std() > 0.05
    out = capsys.readouterr().out
    assert f"Open {folder / f'{name}.png'}" in out
    assert "warning" not in out
    return out


def test_dominoes_example(tmp_path, capsys):
    module = example("dominoes")
    run = module.main(dominoes=4, folder=tmp_path, until=0.8)
    out = told(tmp_path, "dominoes", capsys)
    assert "4 of 4 dominoes fell" in out
    up = Rotation.from_quat(np.roll(run.states("orientation")[:, 1:], -1, axis=2).reshape(-1, 4))
    lean = np.degrees(np.arccos(up.as_matrix()[:, 2, 2])).reshape(-1, 4)
    times = run.time[(lean > 20).argmax(axis=0)]
    np.testing.assert_array_equal(times, module.fall_times(run))
    assert (np.diff(times) > 0).all()
    speed = 3 * 0.025 / (times[-1] - times[0])
    assert f"at {speed:.2f} m/s" in out
    assert lean[-1, -1] == pytest.approx(90, abs=0.1)  # nothing holds the last one up


def test_stack_example(tmp_path, capsys):
    run = example("box_stack").main(boxes=3, folder=tmp_path, until=1.0)
    told(tmp_path, "box_stack", capsys)
    place = np.array([(0, 0, 0.05), (0, 0, 0.15), (0, 0, 0.25)])
    assert np.abs(run.states("position")[-1, 1:] - place).max() < 1e-12


@pytest.mark.slow
def test_euler_disk_example(tmp_path, capsys):
    """It lies on three points in the end, at rest; friction that is dry gives n = 3."""
    run, fit = example("euler_disk").main(folder=tmp_path)
    assert f"n = {fit.law.exponent:.3f}" in told(tmp_path, "euler_disk", capsys)
    assert fit.law.exponent == pytest.approx(3.0, rel=0.01)
    flat = run.contact_count == 3
    assert flat[-1]
    assert run.time[flat][0] == pytest.approx(fit.final_time, abs=0.02)
    track, lies = run.body("disk"), run.time > run.time[flat][0] + 0.1
    assert np.abs(track.angular_velocity[lies]).max() < 1e-9
    assert np.abs(track.position[lies] - track.position[-1]).max() < 1e-9
    last = run.contacts(-1)
    assert len(last) == 3
    assert np.abs(last.gap).max() < 1e-7
    assert last.reaction[:, 0].sum() == pytest.approx(0.43867 * 9.81, rel=1e-2)


@pytest.mark.slow
def test_contact_analysis_example(tmp_path, capsys):
    found = example("contact_analysis").main(folder=tmp_path)
    out = told(tmp_path, "contact_analysis", capsys)
    fates = [sorted(contact.words for contact in one.motion.transitions) for one in found]
    assert [one.verdict for one in found] == ["one motion"] * 4
    assert fates[0] == ["stays rolling"] * 4
    assert fates[1] == ["breaks"] * 2 + ["stays rolling"] * 2
    assert fates[2] == ["starts to slide"] * 4
    assert fates[3] == ["breaks"] * 2 + ["starts to slide"] * 2
    assert found[2].motion.accelerations[0] == pytest.approx((52 - 0.5 * 98.1) / 10)
    assert "52 N, 0 m above the centre: 'block' starts to slide on 'floor'." in out


def test_stair_example(tmp_path, capsys):
    module = example("stair")
    run = module.main(folder=tmp_path, until=0.7)
    told(tmp_path, "stair", capsys)
    track, audit = run.body("box"), run.energy
    corners = np.array(np.meshgrid(*[(-0.5, 0.5)] * 3)).reshape(3, -1).T * module.SIZE
    turns = Rotation.from_quat(np.roll(track.orientation, -1, axis=1)).as_matrix()
    points = track.position[:, None] + corners @ turns.transpose(0, 2, 1)
    step = np.clip(np.floor(points[..., 0] / 0.3 + 0.5), -1, 6)
    floor = np.where((step < 0) | (step > 5), 0.0, 0.2 * (6 - step))
    beside = np.abs(points[..., 0] / 0.3 + 0.5 - np.round(points[..., 0] / 0.3 + 0.5)) < 0.02
    assert (points[..., 2] > floor - 2e-3)[~beside].all()
    assert np.diff(audit.kinetic + audit.potential).max() < 1e-3 * audit.kinetic.max()
    assert track.position[-1, 2] < track.position[0, 2] - 0.4  # two steps and more


def test_cradle_example(tmp_path, capsys):
    run = example("newtons_cradle").main(folder=tmp_path)
    out = told(tmp_path, "newtons_cradle", capsys)
    after = run.states("velocity")[-1]
    np.testing.assert_allclose(after[:, 0], [0, 0, 0, 0, 1, -1 / 3, 2 / 3, 2 / 3], atol=1e-11)
    assert np.abs(after[:, 1:]).max() < 1e-12
    assert "(0, 0, 0, 0, 1) with gaps (above), (-0.3333, 0.6667, 0.6667) without" in out


def test_gripper_example(tmp_path, capsys):
    """The motor's 20 N are 10 N at each finger; the box stays where friction holds it."""
    module = example("gripper")
    run = module.main(folder=tmp_path, hold=0.5)
    out = told(tmp_path, "gripper", capsys)
    assert "The box is 0.2000 m up. Each finger presses with 10 N" in out
    assert (tmp_path / "gripper.h5").exists()
    for finger in ("left_finger", "right_finger"):
        assert module.pressing(run, finger) == pytest.approx(10, rel=1e-9)
    reaction = run.contacts(-1).reaction
    assert module.MU * reaction[:, 0].sum() > module.MASS * module.G
    held = run.time >= module.START + module.TIME
    way = run.body("box").position - run.body("left_finger").position
    assert np.ptp(way[held], axis=0).max() < 1e-12
    assert run.body("box").position[-1, 2] == pytest.approx(0.23, abs=1e-4)


@pytest.mark.slow
def test_rover_example(tmp_path, capsys):
    """On the flat, where it drives at the speed of its wheels once these have theirs; then over
    the step."""
    module = example("rover")
    run = module.main(folder=tmp_path, until=1.0, flat=True)
    assert "the rover drove" in told(tmp_path, "rover", capsys)
    speed = run.body("chassis").velocity[-1]
    assert speed == pytest.approx([module.SPEED * module.RADIUS, 0, 0], abs=1e-6)
    run = module.main(folder=tmp_path, until=1.6)  # the front wheels are on the step
    told(tmp_path, "rover", capsys)
    for wheel, height in (("front_left", module.STEP), ("rear_right", 0.0)):
        axle = run.body(f"{wheel}_wheel").position[-1]
        assert axle[2] == pytest.approx(module.RADIUS + height, abs=1e-4)
    assert run.body("chassis").velocity[-1, 0] > 0.25
