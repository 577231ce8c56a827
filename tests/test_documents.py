"""Every example in the README and the docs runs; every script in examples/ too."""

import importlib.util
import re
from pathlib import Path

import matplotlib.image
import pytest

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


def test_heap_example(tmp_path, capsys):
    where = ROOT / "examples" / "heap_problem.py"
    specification = importlib.util.spec_from_file_location("heap_problem", where)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    solution = module.main(spheres=40, folder=tmp_path)
    assert solution.converged
    assert (tmp_path / "heap.h5").exists()
    picture = matplotlib.image.imread(tmp_path / "heap.png")
    assert picture.shape[0] > 300
    assert picture.std() > 0.05
    white = (picture[:, :, :3] == 1.0).all(axis=2)
    for lines in (white.all(axis=1), white.all(axis=0)):  # no blank margins
        assert not lines[:40].all()
        assert not lines[-40:].all()
    out = capsys.readouterr().out
    assert f"Open {tmp_path / 'heap.png'}; try: .venv/bin/rollcone solve" in out
    assert "converged" in out
    assert "sticking" not in out
