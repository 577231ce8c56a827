"""Pages are Markdown files as a code host shows them; here is what the site does differently.

Links to files outside the folder of the site lead to the pages that show these files. What is
between `<!-- file: ../CHANGELOG.md -->` and `<!-- end -->` is replaced by the text of that file,
without its title.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[1]
ROOT = DOCS.parent
# Files and folders of the project that have a page of the site.
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks": "benchmarks.md",
    "benchmarks/README.md": "benchmarks.md",
    "examples": "gallery/examples.md",
    "examples/scenes": "gallery/examples.md",
}
_LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)]*)?(\))")
_FILE = re.compile(r"^<!-- file: (\S+) -->$.*?^<!-- end -->$", re.MULTILINE | re.DOTALL)


def for_site(text: str, page: Path) -> str:
    """The text of a page with files put in and links that hold within the site."""

    def file_text(found: re.Match[str]) -> str:
        path = (page.parent / found[1]).resolve()
        body = path.read_text(encoding="utf-8").split("\n", 1)[1]
        return _relinked(body, path, page)

    return _FILE.sub(file_text, _relinked(text, page, page))


def _relinked(text: str, source: Path, page: Path) -> str:
    """Links as they are in `source`, for a page of the site."""

    def link(found: re.Match[str]) -> str:
        begin, target, anchor, end = found.groups()
        if ":" in target:
            return found[0]
        path = (source.parent / target).resolve()
        path = DOCS / PAGES.get(_from(path, ROOT), path)
        return f"{begin}{_from(path, page.parent)}{anchor or ''}{end}"

    return _LINK.sub(link, text)


def _from(path: Path, folder: Path) -> str:
    return Path(os.path.relpath(path, folder)).as_posix()


def _read(app: Any, name: str, source: list[str]) -> None:
    page = Path(app.env.doc2path(name))
    if page.suffix == ".md":
        source[0] = for_site(source[0], page)


def setup(app: Any) -> dict[str, Any]:
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
