"""Every example in the README and the docs runs; every script in examples/ too."""

import importlib.util
import re
from pathlib import Path

import matplotlib.image
import pytest

import rollcone as rc

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_code_blocks_run(path, tmp_path, monkeypatch):
    """The Python blocks of a page, one after the other, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", path.read_text(), re.DOTALL):
        exec(compile(block, path.name, "exec"), names)
    assert path.name == "architecture.md" or "rc" in names


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text()):
        assert target.startswith("http") or (path.parent / target).exists(), target


def example(name):
    specification = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_pour_example(tmp_path, capsys):
    run = example("pour_heap").main(spheres=12, folder=tmp_path, until=0.3)
    assert run.converged
    assert run.contact_count[-1] >= 12
    assert run.states("position")[-1, 1:, 2].min() > 0.9 * 0.0225 - 1e-4
    assert matplotlib.image.imread(tmp_path / "heap.png").std() > 0.05
    assert rc.load_problem(tmp_path / "heap.h5").contacts == run.contact_count[-1]
    out = capsys.readouterr().out
    assert "energy (J)" in out
    assert f"Open {tmp_path / 'heap.png'}" in out


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
