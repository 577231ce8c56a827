"""The build of the kernel library: compiles all entries on all cores and links the result.

One build at a time works in an output folder; a second one waits and then finds the library there.
Files are put in place by a rename, so a build that is killed leaves the old library as it was.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path

from rollcone import __version__
from rollcone._build import library, lock
from rollcone._build.emit import emit_object, link_library, text_module
from rollcone._build.jobs import groups_of
from rollcone._build.levels import file_of, levels, usable_levels
from rollcone._build.sources import kernel_modules, used_sources
from rollcone.errors import LibraryError


class BuildError(Exception):
    """The library cannot be built."""


def build(
    output: Path | None = None, all_levels: bool = False, if_needed: bool = False, jobs: int = 1
) -> list[Path]:
    """Build the library in a folder; return its files, one for each level."""
    wanted = levels() if all_levels else usable_levels()[:1]
    folder = output or writable_folder()
    with lock.held(folder):
        files = [file_of(folder, level) for level in wanted]
        if if_needed and all(fits(path) for path in files):
            print(f"The kernel library in {folder} is up to date.")
            return files
        clock = time.perf_counter()
        tell = Progress()
        try:
            objects, manifest = compile_all(wanted, jobs, tell)
        except Exception as error:
            raise BuildError(f"the kernel library could not be built: {error}") from error
        for level, path in zip(wanted, files, strict=True):
            place(objects[level], manifest | {"level": level}, path)
        tell.end(f"Kernel library built in {time.perf_counter() - clock:.0f} s: {folder}")
    return files


def writable_folder() -> Path:
    """Return the first of the library's folders that can be written."""
    for folder in library.folders():
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
    names = " nor ".join(map(str, library.folders()))
    raise BuildError(f"neither {names} can be written; name a folder by --output")


def fits(path: Path) -> bool:
    """Return whether a file is a library that fits the package."""
    try:
        return path.exists() and not library.misfit(library.Library(path))
    except LibraryError:
        return False


def compile_all(
    wanted: tuple[str, ...], jobs: int, tell: Progress
) -> tuple[dict[str, list[bytes]], dict[str, object]]:
    """Compile all entries; return object files for each level, and the manifest."""
    load_kernels()
    from rollcone._build.dispatchers import ENTRIES

    groups = groups_of(ENTRIES)
    objects: dict[str, list[bytes]] = {level: [] for level in wanted}
    entries: dict[str, str] = {}
    total = len(ENTRIES)
    count = 0
    method = "fork" if "fork" in available_methods() else "spawn"
    with ProcessPoolExecutor(min(jobs, len(groups)), get_context(method), load_kernels) as pool:
        waiting = [pool.submit(compile_group, group, k == 0) for k, group in enumerate(groups)]
        emitting = []
        for done in as_completed(waiting):
            code, texts = done.result()
            entries |= texts
            count += len(texts)
            tell(f"compiled {count} of {total} kernels")
            emitting += [pool.submit(emit_level, code, level) for level in wanted]
        for k, emitted in enumerate(as_completed(emitting)):
            level, content = emitted.result()
            objects[level].append(content)
            tell(f"optimised {k + 1} of {len(emitting)} parts")
    return objects, {"version": __version__, "entries": entries, "sources": used_sources()}


def available_methods() -> list[str]:
    """Return how this system can start processes."""
    from multiprocessing import get_all_start_methods

    return get_all_start_methods()


def load_kernels() -> None:
    """Import all modules with kernels, as what Numba compiles."""
    from rollcone._build import mode

    mode.compiling = True
    for name in kernel_modules():
        importlib.import_module(name)


def compile_group(names: list[str], layout: bool) -> tuple[bytes, dict[str, str]]:
    """Compile some entries into one module; return LLVM code and the texts of signatures."""
    from rollcone._build.compile import link_entries
    from rollcone._build.dispatchers import ENTRIES

    return link_entries({name: ENTRIES[name] for name in names}, layout)


def emit_level(code: bytes, level: str) -> tuple[str, bytes]:
    """Optimise a module for one level."""
    return level, emit_object(code, level)


def place(objects: list[bytes], manifest: dict[str, object], path: Path) -> None:
    """Link a library and put it in place by a rename; as an object file without a compiler."""
    text = emit_object(text_module(library.MANIFEST, json.dumps(manifest)), str(manifest["level"]))
    number = f".{os.getpid()}.tmp"
    made = path.with_name(path.name + number)
    try:
        link_library([*objects, text], made)
        os.replace(made, path)
    finally:
        with suppress(OSError):
            made.unlink()


class Progress:
    """A line that tells how far a build is: over itself on a terminal, else one line a part."""

    def __init__(self) -> None:
        self._clock = time.perf_counter()
        self._line = sys.stdout.isatty()

    def __call__(self, text: str) -> None:
        passed = time.perf_counter() - self._clock
        self._print(f"  {passed:4.0f} s  {text}", "\r" if self._line else "\n")

    def end(self, text: str) -> None:
        """Say how it ended."""
        self._print(text, "\n")

    def _print(self, text: str, end: str) -> None:
        clear = "\x1b[K" if self._line else ""
        print(clear + text, end=end, flush=True)
