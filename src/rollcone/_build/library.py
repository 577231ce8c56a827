"""The library of compiled kernels: where it lies, whether it fits, how it is opened.

A wheel brings it in the package's folder `_library`; an install from sources builds it there. In a
checkout whose sources have changed since, and where it is missing or damaged, it is built anew on
first use if Numba is installed, with a message and progress; otherwise an error says what to do.
Where the package's folder cannot be written, it is kept in the user's cache folder.

Its manifest is a file in JSON: name of the library's file, which lies beside it, and its checksum;
version of the package, level of the processor, signature of each entry and the arrays that it
writes, hash of each source file that took part. The manifest's name stays, while each build gives
its library a name of its own. So a build takes effect in one step, when its manifest is renamed.
"""

from __future__ import annotations

import ctypes
import json
import os
import platform
import sys
import zlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from rollcone import __version__
from rollcone._build.levels import manifest_of, usable_levels
from rollcone.errors import LibraryError

PACKAGE = Path(__file__).parents[1]
_MANIFEST = ("file", "version", "level", "entries", "writes", "sources", "checksum")
_BUILD = [sys.executable, "-m", "rollcone._build"]
_MEND = "build it with `python -m rollcone._build` (needs numba: pip install 'rollcone[custom]')"


class Library:
    """A library and its manifest: `path` and `place` are their files."""

    def __init__(self, place: Path) -> None:
        """Open the library of a manifest; LibraryError if it is not whole.

        A build may replace it meanwhile, and remove the old file: then the new one is opened.
        """
        self.place = place
        text = self._text()
        while True:
            try:
                self._open(text)
            except LibraryError:
                before, text = text, self._text()
                if text == before:
                    raise
            else:
                return

    def _text(self) -> bytes:
        try:
            return self.place.read_bytes()
        except OSError as error:
            raise LibraryError(f"the manifest {self.place} cannot be read ({error})") from error

    def _open(self, text: bytes) -> None:
        """Open the library that a manifest names, after a check that it is whole."""
        try:
            self.manifest: dict[str, Any] = dict(json.loads(text))
            missing = [name for name in _MANIFEST if name not in self.manifest]
        except (ValueError, TypeError) as error:
            raise LibraryError(f"the manifest {self.place} cannot be read ({error})") from error
        if missing:
            raise LibraryError(f"the manifest {self.place} lacks {', '.join(missing)}")
        self.path = self.place.with_name(self.manifest["file"])
        try:
            whole = zlib.crc32(self.path.read_bytes()) == self.manifest["checksum"]
        except OSError as error:
            raise LibraryError(f"{self.path} cannot be read ({error})") from error
        if not whole:
            raise LibraryError(f"{self.path} is damaged: its checksum is another")
        self._handle = self._loaded()

    def _loaded(self) -> Any:
        try:
            if self.path.suffix != ".zip":
                return ctypes.CDLL(str(self.path))
            from rollcone._build.object_files import ObjectFiles

            return ObjectFiles(self.path)
        except (OSError, ImportError) as error:
            raise LibraryError(f"{self.path} cannot be loaded ({error}); {_MEND}") from error

    def symbol(self, name: str) -> int:
        """Return the address of a function of the library."""
        return ctypes.cast(getattr(self._handle, name), ctypes.c_void_p).value or 0

    def address_of(self, name: str, signature: str) -> int:
        """Return the address of an entry, whose stated signature must be the library's."""
        known = self.manifest["entries"].get(name)
        if known is None:
            raise LibraryError(f"{self.path} has no kernel {name}; {_MEND}")
        if known != signature:
            raise LibraryError(
                f"{self.path}: {name} was compiled for other arguments: "
                f"{difference(known, signature)}; {_MEND}"
            )
        return self.symbol(name.replace(".", "_"))

    def written_by(self, name: str) -> frozenset[str]:
        """Return the names of the arrays that an entry writes: arguments, or `group.field`."""
        return frozenset(self.manifest["writes"][name])


def difference(old: str, new: str) -> str:
    """Tell where two signatures begin to differ."""
    k = next((k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), 0)
    begin = max(old.rfind("(", 0, k), old.rfind(", ", 0, k)) + 1
    return f"it has `{old[begin : k + 30].strip()}`, the source `{new[begin : k + 30].strip()}`"


@lru_cache(maxsize=1)
def opened() -> Library:
    """Return the library for this processor, built anew if it has to be and can be."""
    problem = f"there is none in {' or '.join(map(str, folders()))}"
    for place in candidates():
        try:
            found = Library(place)
        except LibraryError as error:
            problem = str(error)
            continue
        problem = misfit(found)
        if not problem:
            return found
    return _built(problem)


def candidates() -> Iterator[Path]:
    """Yield the manifests of libraries for this processor, the best first."""
    for quick in (False, True):
        for folder in folders():
            for level in usable_levels():
                place = manifest_of(folder, level, quick)
                if place.exists():
                    yield place


def folders() -> Iterator[Path]:
    """Yield where libraries may lie: a folder that was named, or the package's and the user's."""
    chosen = os.environ.get("ROLLCONE_LIBRARY")
    yield Path(chosen) if chosen else PACKAGE / "_library"
    if not chosen:
        yield user_folder()


def user_folder() -> Path:
    """Return the folder of this version in the user's cache folder."""
    import hashlib

    if platform.system() == "Windows":
        root = Path(os.environ.get("LOCALAPPDATA", Path.home()))
    elif platform.system() == "Darwin":
        root = Path.home() / "Library" / "Caches"
    else:
        root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    place = hashlib.sha256(str(PACKAGE).encode()).hexdigest()[:12]
    return root / "rollcone" / f"library-{__version__}-{place}"


def misfit(library: Library) -> str:
    """Tell why a library does not fit this package; an empty text if it does."""
    version = library.manifest.get("version")
    if version != __version__:
        return f"{library.path} is of version {version}, the package of {__version__}"
    changed = next(changed_sources(library), None)
    return f"{changed} has changed since {library.path} was built" if changed else ""


def changed_sources(library: Library) -> Iterator[str]:
    """Yield the source files of a checkout that are not those that the library was built from."""
    if not is_checkout():
        return
    for name, digest in library.manifest["sources"].items():
        path = PACKAGE / name
        if not path.exists() or hash_of(path) != digest:
            yield name


def is_checkout() -> bool:
    """Return whether the package runs from a checkout, where sources may be edited."""
    return (PACKAGE.parents[1] / "pyproject.toml").exists()


def hash_of(path: Path) -> str:
    """Return the length and the checksum of a file's content: enough to see an edit."""
    content = path.read_bytes()
    return f"{len(content)}-{zlib.crc32(content):08x}"


def _built(problem: str) -> Library:
    """Build the library and open it; LibraryError if that cannot be."""
    import subprocess
    from importlib.util import find_spec

    if not find_spec("numba"):
        raise LibraryError(f"no kernel library fits: {problem}; {_MEND}")
    if chosen := os.environ.get("ROLLCONE_LIBRARY"):
        again = f"`python -m rollcone._build --output {chosen}`, with the options it was built with"
        raise LibraryError(f"no kernel library fits: {problem}; build it again by {again}")
    print(f"rollcone: building the kernel library, once ({problem}) ...", file=sys.stderr)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(
        [*_BUILD, "--if-needed", *(["--quick"] if is_checkout() else [])],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        for line in process.stdout or ():
            print(line, end="", file=sys.stderr, flush=True)
    if process.returncode:
        raise LibraryError(f"the kernel library could not be built ({problem}); {_MEND}")
    for place in candidates():
        try:
            found = Library(place)
        except LibraryError:
            continue
        if not misfit(found):
            return found
    raise LibraryError(f"the kernel library that was just built does not fit; {_MEND}")
