"""Problem files: one discrete problem, on disk.

`save_problem` writes Rollcone's own format (hdf5_file.py); `load_problem` reads that and
archives of heaps (npz_heap.py). What a file is, is told by its content, not by its
name. Whatever is wrong with a file ends as one `FileError` that names it and says why.
"""

from __future__ import annotations

import os
import re
import secrets
from contextlib import suppress
from pathlib import Path

from rollcone.errors import FileError, InputError, RollconeError
from rollcone.problem.contact_problem import ContactProblem

FilePath = str | os.PathLike[str]
SUPPORTED = "Rollcone problem files (HDF5) and archives of heaps (.npz)"

_HDF5 = b"\x89HDF\r\n\x1a\n"
_ZIP = b"PK\x03\x04"
# Siconos writes the rows per contact and the number of contacts as its first two lines.
_SICONOS_TEXT = re.compile(rb"\s*[235]\s*\n\s*\d+\s")
_SUFFIXES_OF_OTHERS = (".npz", ".npy", ".dat", ".json", ".mat")


def save_problem(problem: ContactProblem, path: FilePath) -> None:
    """Write `problem` to `path` (HDF5: .h5 or .hdf5); loading it again gives the same bits.

    The file appears whole or not at all: it is written beside its place and then moved there.
    """
    from rollcone.problem.hdf5_file import write

    if not isinstance(problem, ContactProblem):
        raise InputError(f"problem = {problem!r}: must be a ContactProblem")
    if _checked(path).suffix.lower() in _SUFFIXES_OF_OTHERS:
        raise FileError(f"{os.fspath(path)}: problems are saved as HDF5; end the name in .h5")
    target = Path(os.path.realpath(path))
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        write(problem, draft)
        os.replace(draft, target)
    except OSError as error:
        raise FileError(f"{os.fspath(path)}: cannot be written: {_reason(error)}") from error
    finally:
        with suppress(OSError):
            draft.unlink()


def load_problem(path: FilePath) -> ContactProblem:
    """The problem in a file; its content, not its name, tells the format:

    - a Rollcone problem file (HDF5), as `save_problem` writes it
    - an archive of a heap (.npz, NumPy)

    Anything else, and a damaged file, is a `FileError`.
    """
    return read_file(path)[0]


def read_file(path: FilePath) -> tuple[ContactProblem, str]:
    """The problem and, in words, the format it was stored in."""
    checked = _checked(path)
    try:
        return _read(checked)
    except RollconeError as error:
        raise FileError(f"{os.fspath(path)}: {error}") from error
    except OSError as error:
        raise FileError(f"{os.fspath(path)}: cannot be read: {_reason(error)}") from error
    except Exception as error:  # what a damaged file makes the libraries raise has no common type
        reason = f"{type(error).__name__}: {error}"
        raise FileError(f"{os.fspath(path)}: damaged, cannot be read: {reason}") from error


def _read(path: Path) -> tuple[ContactProblem, str]:
    if not path.exists():
        raise FileError("no such file")
    if not path.is_file():
        raise FileError("is a directory, not a file" if path.is_dir() else "is not a plain file")
    with path.open("rb") as file:
        begin = file.read(64)
    if begin.startswith(_HDF5):
        from rollcone.problem import hdf5_file

        return hdf5_file.read(path), hdf5_file.NAME
    if begin.startswith(_ZIP):
        from rollcone.problem import npz_heap

        return npz_heap.read(path), npz_heap.NAME
    if _SICONOS_TEXT.match(begin):
        raise FileError(
            f"looks like a Siconos text file; not supported yet; supported: {SUPPORTED}"
        )
    what = f"begins with {begin[:16]!r}" if begin else "is empty"
    raise FileError(f"{what}, which is no format known here; supported: {SUPPORTED}")


def _checked(path: FilePath) -> Path:
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"path = {path!r}: must be the name of a file, a str or a Path")
    return Path(path)


def _reason(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else str(error)
