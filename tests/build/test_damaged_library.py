"""A library that is missing, damaged or of another version: one error that says how to mend it."""

import shutil
from pathlib import Path

import pytest
from new_process import copied_package, library_folder, python

from rollcone._build import library

CALL = "import rollcone as rc; rc.Disc(0.5).support([3.0, 4.0])"
MEND = "build it with `python -m rollcone._build` (needs numba: pip install 'rollcone[custom]')"
NO_NUMBA = ("numba", "llvmlite")


def error_of(folder, **named) -> str:
    """Call a kernel with the library of a folder, where there is no Numba; return the error."""
    ended = python(CALL, without=NO_NUMBA, ROLLCONE_LIBRARY=str(folder), **named)
    assert ended.returncode == 1
    head, _, message = ended.stderr.splitlines()[-1].partition(": ")
    assert head == "rollcone.errors.LibraryError"
    assert message.count(MEND) == 1
    assert message.endswith(MEND)
    return message


@pytest.fixture
def copy(tmp_path) -> Path:
    """The file of a copy of the library, alone in a folder with its manifest."""
    folder, found = tmp_path / "copy", library.opened()
    folder.mkdir()
    shutil.copy(found.place, folder)
    return Path(shutil.copy(found.path, folder))


def manifest_in(folder: Path) -> Path:
    """Return the only manifest of a folder."""
    (found,) = folder.glob("*.json")
    return found


def test_missing(tmp_path):
    assert f"there is none in {tmp_path}" in error_of(tmp_path)


@pytest.mark.parametrize("share", [0.0, 0.001, 0.5, 0.99])
def test_truncated(copy, share):
    content = copy.read_bytes()
    copy.write_bytes(content[: int(share * len(content))])
    assert f"{copy} is damaged" in error_of(copy.parent)


def test_one_bit_that_differs(copy):
    content = bytearray(copy.read_bytes())
    content[len(content) // 2] ^= 1
    copy.write_bytes(content)
    assert f"{copy} is damaged" in error_of(copy.parent)


@pytest.mark.parametrize("text", [None, "", "{", "[]", "{}", "null"])
def test_manifest(copy, text):
    """A manifest that is missing, empty, cut off, or none."""
    path = manifest_in(copy.parent)
    path.unlink()
    if text is not None:
        path.write_text(text)
    message = error_of(copy.parent)
    expected = f"the manifest {path}" if text is not None else f"there is none in {copy.parent}"
    assert expected in message


def test_a_library_whose_file_is_missing(copy):
    copy.unlink()
    assert f"{copy} cannot be read" in error_of(copy.parent)


def test_another_file(copy):
    copy.write_text("not a library")
    assert f"{copy} is damaged" in error_of(copy.parent)


def test_another_library(copy):
    """A shared library, but not of kernels."""
    import _ctypes

    shutil.copy(_ctypes.__file__, copy)
    assert f"{copy} is damaged" in error_of(copy.parent)


def test_another_version(copy, tmp_path):
    package = copied_package(tmp_path)
    path = package / "rollcone" / "__init__.py"
    text = path.read_text()
    assert text.count('__version__ = "0.1.0"') == 1
    path.write_text(text.replace('__version__ = "0.1.0"', '__version__ = "9.9.9"'))
    message = error_of(copy.parent, source=package)
    assert f"{copy} is of version 0.1.0, the package of 9.9.9" in message


def test_a_kernel_that_the_library_lacks(tmp_path):
    package = copied_package(tmp_path)
    path = package / "rollcone" / "laws" / "kernels" / "sets.py"
    path.write_text(path.read_text().replace("def support_set_points(", "def support_points("))
    caller = package / "rollcone" / "laws" / "friction_set.py"
    caller.write_text(caller.read_text().replace("support_set_points", "support_points"))
    message = error_of(library_folder(), source=package)
    assert "has no kernel rollcone.laws.kernels.sets.support_points" in message
