"""The build of the kernel library: compiles its pieces on all cores and links them.

Pieces are kept in a folder of a checkout, by their content, so that only what has changed is
compiled again. One build at a time works in an output folder; a second one waits and then finds the
library there. A build takes effect when its manifest is renamed, so one that is killed leaves all
as it was, and other processes see the old library or the new one.
"""

from __future__ import annotations

import gc
import hashlib
import importlib
import json
import multiprocessing
import os
import pickle
import re
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from pathlib import Path
from typing import Any

from rollcone import __version__
from rollcone._build import library, lock, mode
from rollcone._build.emit import (
    c_compiler,
    emit_object,
    link_library,
    link_whole,
    pack_objects,
)
from rollcone._build.levels import levels, manifest_of, suffix, usable_levels
from rollcone._build.sources import all_sources, kernel_modules, used_sources
from rollcone.errors import LibraryError

_DIGITS = 12  # hexadecimal, in the name of a library's file


def build(
    output: Path | None = None, *, all_levels: bool = False, quick: bool = False,
    anew: bool = False, if_needed: bool = False, jobs: int = 1,
) -> list[Path]:  # fmt: skip
    """Build the library in a folder; return its manifests, one for each level.

    `quick`: pieces are optimised one by one, which takes less time after an edit. `anew`: also
    pieces that were kept are compiled. One that fits already is left alone if `if_needed`.
    """
    wanted = levels() if all_levels else usable_levels()[:1]
    folder = output or writable_folder()
    try:
        with lock.held(folder):
            places = [manifest_of(folder, level, quick) for level in wanted]
            if if_needed and all(map(fits, places)):
                print(f"The kernel library in {folder} is up to date.")
            else:
                _build(places, wanted, quick, anew, jobs)
    except OSError as error:  # no right to write, no room
        raise LibraryError(f"the kernel library cannot be put into {folder}: {error}") from error
    return places


def _build(places: list[Path], wanted: tuple[str, ...], quick: bool, anew: bool, jobs: int) -> None:
    """Build the libraries of the levels that are wanted, with their manifests at `places`."""
    clock, tell = time.perf_counter(), Progress()
    sources = all_sources()  # before they are imported: an edit from here on is seen at next use
    with Workers(jobs) as workers:
        pieces = compile_pieces(workers, anew, sources, tell)
        made = emit_pieces(workers, pieces, wanted, quick, tell)
    manifest = {
        "version": __version__, "entries": stated(), "check_bounds": mode.bounds_checks,
        "writes": written({name: piece.writes for name, (_, piece) in pieces.items()}),
        "sources": {name: sources[name] for name in used_sources()}, "modules": kernel_modules(),
    }  # fmt: skip
    for level, place in zip(wanted, places, strict=True):
        put(made[level], manifest | {"level": level}, place)
    tell.end(f"Kernel library built in {time.perf_counter() - clock:.0f} s: {places[0].parent}")


def writable_folder() -> Path:
    """Return the first of the library's folders that can be written."""
    for folder in library.folders():
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
    names = " nor ".join(map(str, library.folders()))
    raise LibraryError(f"neither {names} can be written; name a folder by --output")


def fits(place: Path) -> bool:
    """Return whether a manifest's library fits the package, and was built as this one is."""
    try:
        found = library.Library(place)
    except LibraryError:
        return False
    if library.misfit(found):
        return False
    asked = (kernel_modules(), mode.bounds_checks)
    return (found.manifest.get("modules"), found.manifest.get("check_bounds")) == asked


def load_kernels() -> None:
    """Import all modules with kernels, as what Numba compiles."""
    mode.compiling = True
    gc.disable()  # a quarter of Numba's time would go to looking for what it keeps anyway
    for name in kernel_modules():
        importlib.import_module(name)


def stated() -> dict[str, str]:
    """Return the text of each entry's signature."""
    from rollcone._build.dispatchers import ENTRIES

    return {name: str(entry.stated) for name, entry in ENTRIES.items()}


def written(writes: dict[str, Any]) -> dict[str, list[str]]:
    """Return the names of the arrays that each entry writes: arguments, or `group.field`."""
    from rollcone._build.dispatchers import ENTRIES
    from rollcone._build.writes import all_writes

    found = all_writes(writes)
    return {
        name: sorted(entry.stated.name_of(path) for path in found[name])
        for name, entry in ENTRIES.items()
    }


def compile_pieces(
    workers: Workers, anew: bool, sources: dict[str, str], tell: Progress
) -> dict[str, tuple[str, Any]]:
    """Return key and piece of each entry."""
    load_kernels()
    from rollcone._build.compile import LAYOUT
    from rollcone._build.dispatchers import ENTRIES
    from rollcone._build.pieces import key_of, text_of

    texts = {name: text_of(name) for name in (LAYOUT, *ENTRIES)}
    if any(sources[name] != library.hash_of(library.PACKAGE / name) for name in used_sources()):
        raise LibraryError("sources of kernels have changed while they were read; start it again")
    keys = {name: key_of(text) for name, text in texts.items()}
    kept = {name: None if anew else recall(key, "piece") for name, key in keys.items()}
    found = {name: (keys[name], pickle.loads(made)) for name, made in kept.items() if made}
    # Entries of one module call much of the same code, which one process then compiles once. The
    # largest modules come first, so that no core waits for them at the end.
    modules: dict[str, list[str]] = {}
    for name in sorted(keys.keys() - found.keys()):
        modules.setdefault(name.rpartition(".")[0], []).append(name)
    tasks = sorted(modules.values(), key=lambda names: -sum(len(texts[name]) for name in names))
    for names, made in workers.each(compile_some, tasks):
        for name, piece in zip(names, made, strict=True):
            keep(keys[name], "piece", pickle.dumps(piece))
            found[name] = keys[name], piece
        tell(f"compiled {len(found)} of {len(keys)} kernels")
    return {name: found[name] for name in sorted(found)}


def compile_some(names: list[str]) -> list[Any]:
    """Compile the pieces of some entries."""
    from rollcone._build.compile import compile_piece
    from rollcone._build.faster_numba import with_deep_frames

    load_kernels()
    return [with_deep_frames(compile_piece)(name) for name in names]


def emit_pieces(
    workers: Workers, pieces: dict[str, tuple[str, Any]], wanted: Iterable[str], quick: bool,
    tell: Progress,
) -> dict[str, list[bytes]]:  # fmt: skip
    """Return the object files of each level: one of the whole, or one for each piece."""
    from rollcone._build.compile import INVOKE, LAYOUT, UNPACK, symbol_of

    codes = [piece.code for _, piece in pieces.values()]
    if not quick:
        public = {symbol_of(name) for name in pieces if name != LAYOUT} | {UNPACK, INVOKE}
        tell("linking and optimising all kernels as a whole")
        whole = link_whole(codes, public)
        tasks = [(whole, level) for level in wanted]
        return {level: [made] for (_, level), made in workers.each(emit_one, tasks)}
    found: dict[str, list[bytes]] = {level: [] for level in wanted}
    how = library.hash_of(library.PACKAGE / "_build" / "emit.py")
    for level in found:
        ending = f"{level}-{how}.o"
        keys = {piece.code: key for key, piece in pieces.values()}
        kept = {code: recall(key, ending) for code, key in keys.items()}
        missing = [(code, level) for code, made in kept.items() if not made]
        for k, ((code, _), made) in enumerate(workers.each(emit_one, missing)):
            keep(keys[code], ending, made)
            kept[code] = made
            tell(f"optimised {k + 1} of {len(missing)} kernels")
        found[level] = [made for made in kept.values() if made]
    return found


def emit_one(task: tuple[bytes, str]) -> bytes:
    """Optimise one module, in a process of its own."""
    return emit_object(*task)


def put(objects: list[bytes], manifest: dict[str, Any], place: Path) -> None:
    """Link a library, or pack its object files where there is no C compiler, under a name made of
    its content; then put its manifest at `place` by a rename. That is when it replaces the one
    before, whose file is removed."""
    linked = bool(c_compiler())
    made = place.with_name(f"{place.stem}.{os.getpid()}.tmp")
    try:
        (link_library if linked else pack_objects)(objects, made)
        content = made.read_bytes()
        number = hashlib.sha256(content).hexdigest()[:_DIGITS]
        path = place.with_name(f"{place.stem}-{number}{suffix() if linked else '.zip'}")
        if not path.exists() or path.read_bytes() != content:
            os.replace(made, path)
        made.write_text(json.dumps(manifest | {"file": path.name, "checksum": zlib.crc32(content)}))
        os.replace(made, place)
    finally:
        with suppress(OSError):
            made.unlink()
    remove_old(place, path)


def remove_old(place: Path, new: Path) -> None:
    """Remove libraries of earlier builds with this manifest, if the system lets; processes that
    have opened them keep them."""
    old = re.compile(rf"{re.escape(place.stem)}(-[0-9a-f]{{{_DIGITS}}})?\.(so|dylib|dll|zip)")
    for path in place.parent.iterdir():
        if path != new and old.fullmatch(path.name):
            with suppress(OSError):
                path.unlink()


def kept_pieces() -> Path | None:
    """Return the folder of a checkout where pieces are kept."""
    return library.PACKAGE.parents[1] / "build" / "pieces" if library.is_checkout() else None


def recall(key: str, ending: str) -> bytes | None:
    """Return what was kept under a key."""
    folder = kept_pieces()
    with suppress(OSError):
        return (folder / f"{key}.{ending}").read_bytes() if folder else None
    return None


def keep(key: str, ending: str, content: bytes) -> None:
    """Keep something under a key, where that is possible."""
    folder = kept_pieces()
    with suppress(OSError):
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            made = folder / f"{key}.{os.getpid()}.tmp"
            made.write_bytes(content)
            os.replace(made, folder / f"{key}.{ending}")


def begin_worker(parent: int, bounds_checks: bool) -> None:
    """Prepare a process that compiles: it ends soon after its parent has ended in any way."""
    mode.compiling, mode.bounds_checks = True, bounds_checks

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class Workers:
    """Processes that share the work of a build; they start when there is some."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)

    def each(self, function: Any, tasks: list[Any]) -> Iterable[tuple[Any, Any]]:
        """Yield each task with its result, as they come."""
        if len(tasks) < 2 or self._count < 2:
            yield from ((task, function(task)) for task in tasks)
            return
        if self._pool is None:
            methods = multiprocessing.get_all_start_methods()
            start = multiprocessing.get_context("fork" if "fork" in methods else "spawn")
            given = (os.getpid(), mode.bounds_checks)
            self._pool = ProcessPoolExecutor(self._count, start, begin_worker, given)
        futures = {self._pool.submit(function, task): task for task in tasks}
        for future in as_completed(futures):
            yield futures[future], future.result()


class Progress:
    """A line that tells how far a build is: over itself on a terminal, else now and then."""

    def __init__(self) -> None:
        self._clock = self._last = time.perf_counter()
        self._line = sys.stdout.isatty()

    def __call__(self, text: str) -> None:
        now = time.perf_counter()
        if self._line or now - self._last > 10.0:
            self._last = now
            self._print(f"  {now - self._clock:4.0f} s  {text}", "\r" if self._line else "\n")

    def end(self, text: str) -> None:
        """Say how it ended."""
        self._print(text, "\n")

    def _print(self, text: str, end: str) -> None:
        clear = "\x1b[K" if self._line else ""
        print(clear + text, end=end, flush=True)
