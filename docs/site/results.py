"""Results of `rollcone reproduce --all` for the gallery.

    rollcone reproduce --all --folder out/reproduced
    python docs/site/results.py out/reproduced

copies rows and pictures of all studies to results/ and gallery/, and writes the tables of the pages
in gallery/ anew, between `<!-- results: NAME -->` and `<!-- end -->`.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

from PIL import Image

from rollcone._json import write_document
from rollcone.studies import STUDIES
from rollcone.studies.results_page import LEGEND, summary, table, verdicts

DOCS = Path(__file__).parents[1]
RESULTS, GALLERY = DOCS / "results", DOCS / "gallery"
_BLOCK = re.compile(r"(<!-- results: (\S+) -->\n).*?(\n<!-- end -->)", re.DOTALL)
_COLOURS = 128  # of a picture


def report(name: str) -> dict[str, Any]:
    """The results of a study that are kept with the pages."""
    found: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return found


def filled(page: str) -> str:
    """A page with its tables as the results have them; those of `all` are an overview."""

    def block(found: re.Match[str]) -> str:
        return f"{found[1]}\n{_tables(found[2])}\n{found[3]}"

    return _BLOCK.sub(block, page)


def _tables(name: str) -> str:
    if name != "all":
        return table(report(name)["rows"])
    reports = [report(study) for study in STUDIES]
    lines = ["| study | what | pass | differs |", "|---|---|---|---|"]
    for one in reports:
        name, counts = one["study"], verdicts(one)
        cells = f"[{name}]({name}.md)", STUDIES[name].summary, counts["pass"], counts["differs"]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join([f"{summary(reports)}.", "", *lines, "", LEGEND])


def take(folder: Path) -> None:
    """Copy what a run of all studies has written, and fill the pages."""
    for name in STUDIES:
        found = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        write_document(RESULTS / f"{name}.json", found)
        for figure in found["figures"]:
            picture = Image.open(folder / figure).convert("RGB")
            picture.quantize(_COLOURS, dither=Image.Dither.NONE).save(
                GALLERY / figure, optimize=True
            )
    for path in GALLERY.glob("*.md"):
        path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="what rollcone reproduce --all has written")
    take(parser.parse_args().folder)
