"""The problem files in a folder: which there are, and what is in them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rollcone.errors import FileError
from rollcone.problem.contact_problem import ContactProblem, Law
from rollcone.problem.files import load_problem, may_be_problem


@dataclass(frozen=True)
class ProblemFile:
    """A file that can be read, and the law under which its problem is solved."""

    name: str  # its path in the folder
    path: Path
    checksum: str
    contacts: int
    rows: int
    law: Law

    def load(self) -> ContactProblem:
        return load_problem(self.path).with_law(self.law)


def find_problems(
    folder: Path, law: Law | None, tell: Callable[[str, int, int], object]
) -> tuple[list[ProblemFile], dict[str, str]]:
    """Those that can be read, by name, and why others cannot. Hidden files and those that are
    clearly something else are passed over. `tell` gets words and how many of how many are read."""
    if not folder.is_dir():
        raise FileError(f"{folder}: {'is not a folder' if folder.exists() else 'no such folder'}")
    paths = [path for path in _files(folder) if may_be_problem(path)]
    found, unreadable = [], {}
    for number, path in enumerate(paths):
        name = path.relative_to(folder).as_posix()
        tell(f"reading {name}", number, len(paths))
        try:
            found.append(_read(name, path, law))
        except FileError as error:
            unreadable[name] = str(error).removeprefix(f"{path}: ")
    return found, unreadable


def _files(folder: Path) -> list[Path]:
    """All files below, hidden ones left out, in the order of their names."""
    found = []
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(where, name) for name in names if not name.startswith(".")]
    return sorted(path for path in found if path.is_file())


def _read(name: str, path: Path, law: Law | None) -> ProblemFile:
    problem = load_problem(path)
    with path.open("rb") as file:
        checksum = hashlib.file_digest(file, "sha256").hexdigest()[:16]
    return ProblemFile(name, path, checksum, problem.contacts, problem.rows, law or problem.law)
