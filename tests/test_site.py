"""The documentation site: results that are kept with it, its pages, and that it can be built."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import matplotlib.image
import pytest

import rollcone as rc
from rollcone.studies import STUDIES
from rollcone.studies.study import Row

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))


def tool(name):
    """A module of docs/site."""
    specification = importlib.util.spec_from_file_location(name, DOCS / "site" / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def report(name):
    return json.loads((DOCS / "results" / f"{name}.json").read_text())


def test_results_of_all_studies_and_of_no_others():
    kept = {path.stem for path in (DOCS / "results").glob("*.json")} - {"examples"}
    assert kept == set(STUDIES)


@pytest.mark.parametrize("name", STUDIES)
def test_results_are_whole_and_of_the_present_plan(name):
    """Verdicts are taken anew from the numbers."""
    found = report(name)
    assert found["study"] == name
    assert not found["full"]
    plan = asdict(STUDIES[name].load().DEFAULT)
    plan.pop("campaign", None)
    assert found["plan"] == json.loads(json.dumps(plan)), "run rollcone reproduce --all again"
    assert found["rows"]
    for row in (Row(**row) for row in found["rows"]):
        error = {
            "absolute": abs(row.value - row.reference),
            "relative": abs(row.value / (row.reference or 1.0) - 1.0),
            "order": max(0.0, row.reference - row.value),
            "least": max(0.0, row.reference - row.value),
            "most": max(0.0, row.value - row.reference),
        }[row.measure]
        assert row.error == error
        assert (row.verdict == "pass") == (error <= row.tolerance)
        assert row.verdict != "fail"
        assert row.study == name
        assert row.source
        assert row.run


@pytest.mark.parametrize("name", STUDIES)
def test_page_of_a_study(name):
    """Its table is that of the results, its pictures are shown."""
    page = (DOCS / "gallery" / f"{name}.md").read_text()
    assert f"<!-- results: {name} -->" in page
    assert tool("results").filled(page) == page
    for figure in report(name)["figures"]:
        assert f"]({figure})" in page
        assert matplotlib.image.imread(DOCS / "gallery" / figure).std() > 0.05


def test_a_table_that_is_off_is_noticed():
    page = (DOCS / "gallery" / "rolling-disk.md").read_text()
    wrong = page.replace("| 3.571429 |", "| 3.571428 |", 1)
    assert wrong != page
    assert tool("results").filled(wrong) == page


def test_first_page_of_the_gallery():
    page = (DOCS / "gallery" / "index.md").read_text()
    assert tool("results").filled(page) == page
    for name in STUDIES:
        assert page.count(f"]({name}.md)") == 2  # a picture, and a line of the overview
        assert f"\n{name}\n" in page  # and in the table of contents
        assert f"](gallery/{name}.md)" in (DOCS / "studies.md").read_text()


def test_page_of_examples():
    """Every script and scene has its picture and its words, and every script a test."""
    examples = tool("examples")
    words = json.loads(examples.WORDS.read_text())
    same = examples.PAGE.read_text() == examples.page(words)
    assert same, "run python docs/site/examples.py --page"
    tests = "".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    for path in examples.scripts():
        assert words[path.stem]
        assert str(ROOT) not in words[path.stem]
        assert matplotlib.image.imread(examples.PICTURES / f"{path.stem}.png").std() > 0.05
        assert f'example("{path.stem}")' in tests, path.name
    for path in examples.scenes():
        picture = examples.PICTURES / f"scene-{path.stem}.png"
        assert picture.exists(), f"run python docs/site/examples.py {path.name}"
        assert matplotlib.image.imread(picture).std() > 0.02


def test_reference_has_every_public_name():
    pages = "".join(page.read_text() for page in (DOCS / "api").glob("*.md"))
    for name in rc.__all__:
        assert f":: rollcone.{name}\n" in pages or f"## rc.{name}\n" in pages, name


def test_every_page_is_in_a_table_of_contents():
    listed = {"index"}
    for page in PAGES:
        for block in re.findall(r"```\{toctree\}\n(.*?)```", page.read_text(), re.DOTALL):
            names = [line for line in block.splitlines() if line and not line.startswith(":")]
            for name in names:
                found = page.parent.glob(f"{name}.md")
                listed |= {str(path.relative_to(DOCS).with_suffix("")) for path in found}
    assert {str(page.relative_to(DOCS).with_suffix("")) for page in PAGES} == listed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_to_headings_lead_somewhere(page):
    """As a code host makes names of headings."""
    for target, anchor in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", page.read_text()):
        path = (page.parent / target).resolve() if target else page
        if target.startswith("http"):
            continue
        if path == DOCS / "benchmarks.md":
            path = ROOT / "benchmarks" / "README.md"
        headings = re.findall(r"^#+ (.*)$", path.read_text(), re.MULTILINE)
        names = {re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for text in headings}
        assert anchor in names, (target, anchor)


def test_docstrings_become_pages():
    to_rst = tool("docstrings").to_rst
    assert to_rst(["`x` is |y|, see a_b."]) == ["``x`` is \\|y\\|, see a\\_b.", ""]
    table = ["name    what it is,", "        and more", "a, b, c", "        three"]
    assert to_rst(table) == [
        "``name``", "    what it is,", "    and more", "``a, b, c``", "    three", "",
    ]  # fmt: skip
    code = ["world = World()", "world.add_plane()"]
    assert to_rst(code) == ["::", "", *(f"    {line}" for line in code), ""]
    assert to_rst(["    y = H v"]) == ["::", "", "        y = H v", ""]


def test_links_of_files_lead_to_pages(tmp_path):
    for_site = tool("pages").for_site
    page = DOCS / "solvers.md"
    text = "[a](../benchmarks/README.md#x-y) [b](profiles.md) [c](../examples) [d](https://e.org/f)"
    assert for_site(text, page) == (
        "[a](benchmarks.md#x-y) [b](profiles.md) [c](gallery/examples.md) [d](https://e.org/f)"
    )
    text = for_site(
        "<!-- file: ../benchmarks/README.md -->\nx\n<!-- end -->", DOCS / "benchmarks.md"
    )
    assert "](../benchmarks/peers.png)" in text


def test_reference_of_commands():
    text = tool("commands").reference()
    assert "## rollcone reproduce\n" in text
    assert "## rollcone bench solvers\n" in text
    assert "| `--all` | All studies;" in text
    assert "{rollcone." not in text  # values of the code, not their names


@pytest.mark.slow
def test_site(tmp_path):
    """Without a warning, and without anything from elsewhere."""
    pytest.importorskip("myst_parser")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    done = subprocess.run([*command, DOCS, tmp_path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for page in tmp_path.rglob("*.html"):
        for tag in re.findall(r"<(?:script|link|img|iframe)\b[^>]*>", page.read_text()):
            assert not re.search(r"(?:src|href)=\"(?:https?:)?//", tag), (page.name, tag)
    assert (tmp_path / "_static" / "tex-svg.js").stat().st_size > 1e6
    assert 'class="math' in (tmp_path / "theory.html").read_text()
    assert "add_sphere" in (tmp_path / "api" / "worlds.html").read_text()
    assert "heap-of-gravel" in (tmp_path / "searchindex.js").read_text()
