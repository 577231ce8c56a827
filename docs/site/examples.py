"""Pictures and words of all examples, for the gallery.

    python docs/site/examples.py [NAME ...]

runs every script of examples/ and every scene of examples/scenes, in a folder of its own, keeps
pictures in gallery/examples, the words in results/examples.json, and writes gallery/examples.md.
`--page` only writes the page.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

from rollcone._json import write_document

DOCS = Path(__file__).parents[1]
EXAMPLES = DOCS.parent / "examples"
PICTURES, WORDS = DOCS / "gallery" / "examples", DOCS / "results" / "examples.json"
PAGE = DOCS / "gallery" / "examples.md"
_WIDTH, _COLOURS = 900, 128  # of a picture
# Moments (s) that show more than the end does.
_MOMENTS = {"dominoes": 0.4, "newtons_cradle": 0.0, "wrecking_ball": 0.9, "hopper": 1.5}
_HEAD = """# Examples

Scripts of [examples](../../examples) and scenes of [examples/scenes](../../examples/scenes), each
with its picture and what it prints. All of them run as they stand, and are run by the tests.
Copy one and change it."""


def scripts() -> list[Path]:
    return sorted(EXAMPLES.glob("*.py"))


def scenes() -> list[Path]:
    return sorted((EXAMPLES / "scenes").glob("*.toml"))


def page(words: dict[str, str]) -> str:
    """Of all examples, in Markdown."""
    parts = [_HEAD, "## Scripts"]
    for path in scripts():
        what, told = (
            ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))),
            words[path.stem],
        )
        parts += [f"### {path.name}", f"[examples/{path.name}](../../examples/{path.name})"]
        parts += [_described(what or ""), f"![{path.stem}](examples/{path.stem}.png)"]
        parts.append(f"```text\n{told}\n```")
    parts.append("## Scenes")
    for path in scenes():
        command = "analyze" if _analysed(path) else "run"
        parts += [f"### {path.name}", f"`rollcone {command} examples/scenes/{path.name}`"]
        link = f"[The file](../../examples/scenes/{path.name})."
        parts += [f"{_comment(path)} {link}", f"![{path.stem}](examples/scene-{path.stem}.png)"]
    parts.append("## Sweeps and fits")
    for command, folder in (("sweep", "studies"), ("fit", "fits")):
        for path in sorted((EXAMPLES / folder).glob("*.toml")):
            name = f"examples/{folder}/{path.name}"
            parts.append(
                f"- `rollcone {command} {name}`: {_comment(path)} [The file](../../{name})."
            )
    return "\n\n".join(parts) + "\n"


def _described(text: str) -> str:
    """A docstring: what is indented stays as it is."""
    paragraphs = text.split("\n\n")
    return "\n\n".join(
        f"```text\n{_outdented(one)}\n```" if one.startswith("    ") else one.replace("*", "\\*")
        for one in paragraphs
    )


def _outdented(text: str) -> str:
    return "\n".join(line[4:] for line in text.split("\n"))


def _comment(scene: Path) -> str:
    """The lines at the head of a scene file."""
    lines = scene.read_text(encoding="utf-8").split("\n")
    head = [
        line
        for place, line in enumerate(lines)
        if all(x.startswith("#") for x in lines[: place + 1])
    ]
    return " ".join(line.lstrip("# ") for line in head)


def _analysed(scene: Path) -> bool:
    """Whether it is a question of what happens next."""
    return "rollcone analyze" in scene.read_text(encoding="utf-8")


def _call(folder: Path, *arguments: object) -> str:
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode not in (0, 3):  # 3: no motion, which is what some scenes are about
        raise SystemExit(f"{command}: {done.stderr}")
    return done.stdout


def _keep(picture: Path, name: str) -> None:
    image = Image.open(picture).convert("RGB")
    image.thumbnail((_WIDTH, 4 * _WIDTH))
    PICTURES.mkdir(exist_ok=True)
    image.quantize(_COLOURS, dither=Image.Dither.NONE).save(PICTURES / name, optimize=True)


def run_script(path: Path, folder: Path) -> str:
    """What it printed."""
    told = _call(folder, path, "--folder", ".")
    _keep(folder / f"{path.stem}.png", f"{path.stem}.png")
    return lasting(told)


def lasting(told: str) -> str:
    """Without times, which are those of a machine, and without the names of pictures."""
    lines = [
        re.sub(r" ?Open \S+.*$", "", line)
        for line in told.split("\n")
        if not re.search(r"\.\.\.$|^Preparing|^wall time|^ +detection \d+ %", line)
    ]
    return "\n".join(lines).strip()


def run_scene(path: Path, folder: Path) -> None:
    name, picture = path.stem, folder / f"scene-{path.stem}.png"
    if _analysed(path):
        _call(folder, "-m", "rollcone", "analyze", path, "-o", picture)
    else:
        _call(folder, "-m", "rollcone", "run", path, "-o", f"{name}.h5", "--quiet")
        moment = ["--time", _MOMENTS[name]] if name in _MOMENTS else []
        _call(folder, "-m", "rollcone", "render", f"{name}.h5", "-o", picture, "--quiet", *moment)
    _keep(picture, f"scene-{name}.png")


def main(names: list[str], *, only_page: bool) -> None:
    words: dict[str, str] = json.loads(WORDS.read_text()) if WORDS.exists() else {}
    chosen = [path for path in [*scripts(), *scenes()] if path.name in names or not names]
    with tempfile.TemporaryDirectory() as folder:
        for path in chosen if not only_page else []:
            print(path.name, flush=True)
            if path.suffix == ".py":
                words[path.stem] = run_script(path, Path(folder))
                write_document(WORDS, words)
            else:
                run_scene(path, Path(folder))
    PAGE.write_text(page(words), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="such as stair.py or heap.toml; all if not given")
    parser.add_argument("--page", action="store_true", help="only write the page")
    arguments = parser.parse_args()
    main(arguments.names, only_page=arguments.page)
