"""Every reader of files, on damaged ones for a set time, in a process of its own with limited
memory: shortly, and for `ROLLCONE_FUZZ_SECONDS` each as a slow test. And all that has ever failed,
again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import harness
import pytest
from harness import FOUND, attempt
from readers import BY_NAME, READERS

import rollcone as rc

HERE = Path(__file__).parent
KEPT = sorted((HERE / "found").glob("*/*"))
SECONDS = float(os.environ.get("ROLLCONE_FUZZ_SECONDS", "30"))


def fuzz(folder: Path, seconds: float, *readers: str) -> None:
    """What went wrong is told with the file that did it."""
    ended = subprocess.run(
        [sys.executable, str(HERE / "harness.py"), *readers, "--seconds", str(seconds),
         "--folder", str(folder)],
        capture_output=True, text=True, errors="replace",
    )  # fmt: skip
    if ended.returncode not in (0, FOUND):  # a crash, or an input that takes too long
        kept = shutil.copy(folder / "input", folder / "died.bin")
        pytest.fail(f"died with {ended.returncode} on {kept}:\n{ended.stdout}\n{ended.stderr}")
    told = "\n".join(path.read_text() for path in sorted(folder.glob("*.txt")))
    assert ended.returncode == 0, f"{ended.stdout}\n{told}"


def test_all_readers(tmp_path):
    fuzz(tmp_path, 0.1)


@pytest.mark.slow
@pytest.mark.parametrize("reader", BY_NAME)
def test_reader(reader, tmp_path):
    fuzz(tmp_path, SECONDS, reader)


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_once_failed(path, tmp_path):
    error = attempt(BY_NAME[path.parent.name], path.read_bytes(), tmp_path)
    assert error is None, repr(error)


def test_failures_are_found(tmp_path):
    """By a reader that fails now and then, hangs not, and may raise errors of ours."""

    def read(folder, data):
        assert not list(folder.iterdir())
        if data[:1] == b"x":
            raise rc.InputError("an x")
        if len(data) % 2:
            raise KeyError(len(data))
        if len(data) % 5 == 0:
            warnings.warn("five", RuntimeWarning, stacklevel=1)

    reader = harness.Reader("fails", lambda: [b"abcd" * 3], read, READERS[0].mutations)
    failures = harness.Failures(tmp_path)
    assert harness.fuzz(reader, 0.2, 0, failures) > 20
    kinds = {kind.split("-")[1] for kind in failures.found}
    assert kinds == {"KeyError", "RuntimeWarning"}
    assert all((tmp_path / f"{kind}.bin").exists() for kind in failures.found)
