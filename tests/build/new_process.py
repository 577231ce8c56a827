"""Python in a new process, without some packages, with a copy of the package or another library."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import rollcone as rc
from rollcone._build import library

PACKAGE = Path(rc.__file__).parent
TESTS = Path(__file__).parents[1]


def python(
    code: str, *, without: tuple[str, ...] = (), source: Path = PACKAGE.parent, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run code where packages cannot be imported, with the package in the folder `source`."""
    block = f"import sys; sys.modules |= dict.fromkeys({without!r})\n"
    return subprocess.run(
        [sys.executable, "-c", block + code],
        capture_output=True,
        text=True,
        cwd=source,
        env=os.environ | {"PYTHONPATH": os.pathsep.join((str(source), str(TESTS)))} | environment,
    )


def copied_package(folder: Path) -> Path:
    """Copy the package without its library into a folder; return it, for `source`."""
    ignored = shutil.ignore_patterns("__pycache__", "_library")
    shutil.copytree(PACKAGE, folder / "rollcone", ignore=ignored)
    return folder


def library_folder() -> str:
    """Return the folder of the library that this process uses."""
    return str(library.opened().path.parent)
