"""The one decorator for compiled kernels, and where their machine code is kept.

Numba's own cache watches only the file a kernel lives in, not the files of the
kernels that it calls. Ours lies in a folder named by a hash of all the files with
kernels, so an edit to any of them starts a fresh one. (A constant that a kernel
uses must therefore stand in such a file.) Each compiled signature is one
file named by a hash of its key and put in place by a rename: there is no index
for two processes to fight over, and nothing global in Numba is changed.

The folder is the user's cache folder, or `ROLLCONE_CACHE_DIR`. What lies there and can be
read is used, also where nothing can be written. A kernel that cannot be kept is compiled
anew in each process, which says so once on stderr. That kernels are being compiled is said once,
too, if stderr is a terminal.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import numba
from numba.core import caching
from numba.core.registry import CPUDispatcher

_PACKAGE = Path(__file__).parent
_KEEP_DAYS = 30
# Kernels allocate nothing, so no array needs its references counted, which takes longer than many
# a small kernel; nor is one called from C.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` on first call (cached, no fastmath, IEEE division)."""
    dispatcher = numba.njit(**_OPTIONS)(function)
    dispatcher._cache = _KernelCache(function)
    return dispatcher


def threaded(function: Callable[..., Any]) -> Any:
    """A kernel that several threads run at once (`_together.py`): it lets go of Python's lock.

    Others keep the lock: a short call would wait for it whenever another thread has work to do,
    and that thread would see arrays half written.
    """
    dispatcher = numba.njit(nogil=True, **_OPTIONS)(function)
    dispatcher._cache = _KernelCache(function)
    return dispatcher


def addressed(function: Callable[..., Any]) -> Any:
    """A kernel that other kernels call through its address (`_address_kernels.py`)."""
    options = {name: value for name, value in _OPTIONS.items() if name != "no_cfunc_wrapper"}
    dispatcher = numba.njit(**options)(function)
    dispatcher._cache = _KernelCache(function)
    return dispatcher


def inlined(function: Callable[..., Any]) -> Any:
    """A small kernel that only other kernels call: always put in place, never cached itself.

    It lacks what Python would need to call it, which took 7 % of the time to compile a step.
    """
    dispatcher = numba.njit(forceinline=True, no_cpython_wrapper=True, **_OPTIONS)(function)
    dispatcher.__class__ = _ForKernels
    return dispatcher


def stage(function: Callable[..., Any]) -> Any:
    """A part of a large kernel, written out in its place before types are known.

    It is not compiled by itself: groups of arrays would be copied at every call, and code that
    calls code would be optimised again at every level.
    """
    return numba.njit(inline="always", **_OPTIONS)(function)


@lru_cache(maxsize=1)
def cache_folder() -> Path:
    """The folder for this version of the sources, made on first use where that is possible."""
    root = _user_cache()
    folder = root / _source_hash()
    with suppress(OSError):
        if not folder.exists():
            folder.mkdir(parents=True, exist_ok=True)
            _forget_old(root)
    return folder


@lru_cache(maxsize=1)
def _say_not_kept() -> None:
    text = f"kernels cannot be kept in {_user_cache()}; set ROLLCONE_CACHE_DIR to a folder"
    print(f"rollcone: {text} that can be written", file=sys.stderr)


@lru_cache(maxsize=1)
def _say_compiling() -> None:
    """Once, and only to a person."""
    if sys.stderr.isatty():
        text = "rollcone: compiling kernels, once for each kind of scene; a minute or two ..."
        print(text, file=sys.stderr, flush=True)


def _user_cache() -> Path:
    chosen = os.environ.get("ROLLCONE_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if platform.system() == "Windows":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "rollcone" / "kernels"
    if platform.system() == "Darwin":
        return Path.home() / "Library" / "Caches" / "rollcone" / "kernels"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rollcone" / "kernels"


def _source_hash() -> str:
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for path in sorted(_PACKAGE.rglob("*.py")):
        content = path.read_bytes()
        if b"_jit" in content:  # it has kernels
            digest.update(path.relative_to(_PACKAGE).as_posix().encode())
            digest.update(content)
    return digest.hexdigest()[:20]


def _forget_old(root: Path) -> None:
    """Remove the folders of earlier versions that have not grown for a month."""
    limit = time.time() - _KEEP_DAYS * 86400
    for folder in root.iterdir():
        if folder.is_dir() and folder.stat().st_mtime < limit:
            shutil.rmtree(folder, ignore_errors=True)


class _ForKernels(CPUDispatcher):
    """Refuses calls from Python, for which there is no code."""

    def add_overload(self, cres: Any) -> None:
        self.overloads[tuple(cres.signature.args)] = cres

    def _compile_for_args(self, *_args: Any, **_kws: Any) -> None:
        raise TypeError(f"{self.py_func.__qualname__} can be called by kernels alone")


class _Locator(caching._CacheLocator):
    """Tells Numba our folder; the folder's name already stands for the sources."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def get_cache_path(self) -> str:
        return str(cache_folder())

    def ensure_cache_path(self) -> None:
        """Nothing to do: a folder that cannot be written may still be read."""

    def get_source_stamp(self) -> str:
        return os.path.basename(self.get_cache_path())

    def get_disambiguator(self) -> str:
        return str(self._function.__code__.co_firstlineno)

    @classmethod
    def from_function(cls, function: Callable[..., Any], _file: str) -> _Locator:
        return cls(function)


class _Implementation(caching.CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012


class _OneFilePerKey(caching.IndexDataCacheFile):
    """Numba's index and numbered data files, replaced by one file per key."""

    def _path(self, key: object) -> str:
        name = hashlib.sha256(f"{self._index_name} {key!r}".encode()).hexdigest()[:32]
        return os.path.join(self._cache_path, name + ".nbc")

    def save(self, key: object, data: object) -> None:
        content = self._dump(data)
        try:
            with self._open_for_write(self._path(key)) as file:
                file.write(content)
        except OSError:
            _say_not_kept()

    def load(self, key: object) -> Any:
        try:
            with open(self._path(key), "rb") as file:
                return pickle.load(file)
        except Exception:  # absent, or damaged in any way: compile again
            _say_compiling()
            return None

    def flush(self) -> None:
        """Nothing to do: there is no index."""


class _KernelCache(caching.FunctionCache):
    _impl_class = _Implementation

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        base = f"{function.__module__}.{self._impl.filename_base}"
        self._cache_file = _OneFilePerKey(self._cache_path, base, "")
