"""Problem files: one discrete problem, on disk.

`save_problem` writes Rollcone's own format (hdf5_file.py), `save_fclib` that of the FCLIB
collection (fclib_file.py); `load_problem` reads both, Siconos' text files (siconos_text.py) and
archives of heaps (npz_heap.py). What a file is, is told by its content, not by its
name. Whatever is wrong with a file ends as one `FileError` that names it and says why.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from numpy.typing import ArrayLike

from rollcone.errors import FileError, InputError, RollconeError
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.hdf5_reader import Hdf5Reader

if TYPE_CHECKING:
    from rollcone.problem.fclib_file import FclibFile
    from rollcone.solvers.solution import Solution

FilePath = str | os.PathLike[str]
Content = TypeVar("Content")
SUPPORTED = (
    "Rollcone problem files and FCLIB files (HDF5), Siconos text files (.dat) and archives "
    "of heaps (.npz)"
)

_HDF5 = b"\x89HDF\r\n\x1a\n"
_ZIP = b"PK\x03\x04"
# Siconos begins with the rows per contact and the number of contacts.
_SICONOS_TEXT = re.compile(rb"\s*[235]\s+\d+\s")
_SUFFIXES = (".h5", ".hdf5", ".dat", ".npz")
_SUFFIXES_OF_OTHERS = (".npz", ".npy", ".dat", ".json", ".mat")


def save_problem(problem: ContactProblem, path: FilePath) -> None:
    """Write `problem` to `path` (HDF5: .h5 or .hdf5); loading it again gives the same bits.

    The file appears whole or not at all: it is written beside its place and then moved there.
    """
    from rollcone.problem.hdf5_file import write

    _check_problem(problem)
    _put_in_place(path, lambda draft: write(problem, draft))


def save_fclib(
    problem: ContactProblem,
    path: FilePath,
    *,
    solution: Solution | ArrayLike | None = None,
    guesses: Sequence[Solution | ArrayLike] = (),
    title: str = "",
    description: str = "",
    math_info: str = "",
) -> None:
    """Write `problem` to `path` as FCLIB and Siconos read it: body form global, Delassus form
    local.

    solution, guesses   a `Solution`, or reactions (N,): contacts, then extra rows; the
                        velocities that FCLIB keeps beside them are computed

    Loading gives the same bits but for v_free, which comes back as M^-1 (M v_free). FCLIB has no
    associated law, no spinning friction, no sets but discs, no extra rows but bilateral ones,
    no compliance: such a problem is an `InputError`. The file appears whole or not at all.
    """
    from rollcone.problem.fclib_file import FclibFile, check, reactions, write

    _check_problem(problem)
    check(problem)
    content = FclibFile(
        problem,
        _text("title", title),
        _text("description", description),
        _text("math_info", math_info),
        tuple(reactions(f"guesses[{k}]", problem, guess) for k, guess in enumerate(guesses)),
        None if solution is None else reactions("solution", problem, solution),
    )
    _put_in_place(path, lambda draft: write(content, draft))


def load_problem(path: FilePath) -> ContactProblem:
    """The problem in a file; its content, not its name, tells the format:

    - a Rollcone problem file (HDF5), as `save_problem` writes it
    - an FCLIB file (HDF5): local or global, with 2, 3 or 5 rows per contact; exact law
    - a Siconos text file (.dat): likewise
    - an archive of a heap (.npz, NumPy)

    Anything else, and a damaged file, is a `FileError`.
    """
    return read_file(path)[0]


def load_fclib(path: FilePath) -> FclibFile:
    """The problem in an FCLIB file with its title, description, guesses and solution.

    A stored solution is what some solver left there, often zeros: `rollcone info` shows
    how good it is.
    """
    from rollcone.problem import fclib_file

    def read(checked: Path) -> FclibFile:
        if not _begin(checked).startswith(_HDF5):
            raise FileError("is not an FCLIB file, nor any HDF5 file")
        with Hdf5Reader(checked) as reader:
            return fclib_file.read_all(reader)

    return _worded(path, read)


def may_be_problem(path: FilePath) -> bool:
    """Does the file's name, or how it begins, promise a problem? Damaged ones count."""
    checked = _checked(path)
    if checked.suffix.lower() in _SUFFIXES:
        return True
    try:
        begin = _begin(checked)
    except (OSError, FileError):
        return False
    return begin.startswith((_HDF5, _ZIP)) or bool(_SICONOS_TEXT.match(begin))


def read_file(path: FilePath) -> tuple[ContactProblem, str]:
    """The problem and, in words, the format it was stored in."""
    return _worded(path, _read)


def _worded(path: FilePath, read: Callable[[Path], Content]) -> Content:
    """What `read` finds in the file; whatever it raises becomes a FileError with its name."""
    checked = _checked(path)
    try:
        return read(checked)
    except RollconeError as error:
        raise FileError(f"{os.fspath(path)}: {error}") from error
    except OSError as error:
        raise FileError(f"{os.fspath(path)}: cannot be read: {_reason(error)}") from error
    except Exception as error:  # what a damaged file makes the libraries raise has no common type
        reason = f"{type(error).__name__}: {error}"
        raise FileError(f"{os.fspath(path)}: damaged, cannot be read: {reason}") from error


def _read(path: Path) -> tuple[ContactProblem, str]:
    begin = _begin(path)
    if begin.startswith(_HDF5):
        with Hdf5Reader(path) as reader:
            return _read_hdf5(reader)
    if begin.startswith(_ZIP):
        from rollcone.problem import npz_heap

        return npz_heap.read(path), npz_heap.NAME
    if _SICONOS_TEXT.match(begin):
        from rollcone.problem import siconos_text

        try:
            return siconos_text.read(path)
        except RollconeError as error:  # two numbers at the begin do not make sure that it is one
            raise FileError(f"as a {siconos_text.NAME}: {error}") from error
    what = f"begins with {begin[:16]!r}" if begin else "is empty"
    raise FileError(f"{what}, which is no format known here; supported: {SUPPORTED}")


def _begin(path: Path) -> bytes:
    if not path.exists():
        raise FileError("no such file")
    if not path.is_file():
        raise FileError("is a directory, not a file" if path.is_dir() else "is not a plain file")
    with path.open("rb") as file:
        return file.read(64)


def _read_hdf5(reader: Hdf5Reader) -> tuple[ContactProblem, str]:
    from rollcone.problem import fclib_file, hdf5_file

    if fclib_file.root_groups(reader):
        return fclib_file.read(reader)
    if hdf5_file.has_format(reader):
        return hdf5_file.read(reader), hdf5_file.NAME
    names = reader.names()
    listed = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
    raise FileError(f"an HDF5 file (root groups: {listed or 'none'}); supported: {SUPPORTED}")


def _put_in_place(path: FilePath, write: Callable[[Path], None]) -> None:
    """Have the file written beside its place and move it there."""
    if _checked(path).suffix.lower() in _SUFFIXES_OF_OTHERS:
        raise FileError(f"{os.fspath(path)}: problems are saved as HDF5; end the name in .h5")
    target = Path(os.path.realpath(path))
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        write(draft)
        os.replace(draft, target)
    except OSError as error:
        raise FileError(f"{os.fspath(path)}: cannot be written: {_reason(error)}") from error
    finally:
        with suppress(OSError):
            draft.unlink()


def _check_problem(problem: ContactProblem) -> None:
    if not isinstance(problem, ContactProblem):
        raise InputError(f"problem = {problem!r}: must be a ContactProblem")


def _text(name: str, value: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{name} = {value!r}: must be text")
    return value


def _checked(path: FilePath) -> Path:
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"path = {path!r}: must be the name of a file, a str or a Path")
    return Path(path)


def _reason(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else str(error)
