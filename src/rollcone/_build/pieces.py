"""What a piece of the library is made of, as a text whose hash names its file in the cache.

A piece has the code of one entry, of the kernels that it calls, and values of the constants that
they name. Of other entries it knows only what they state. So an edit of one kernel changes the
pieces that contain it, and no others.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType, ModuleType
from typing import Any

import numba
from numba.core.dispatcher import Dispatcher

from rollcone._build import mode
from rollcone._build.compile import LAYOUT
from rollcone._build.dispatchers import ENTRIES, EntryDispatcher
from rollcone._build.library import PACKAGE, hash_of
from rollcone._build.unpack import unpack

_MAKERS = ("compile", "dispatchers", "numba_intrinsics", "signatures", "frames")


def text_of(name: str) -> str:
    """Return all that the piece of an entry depends on."""
    first = unpack if name == LAYOUT else ENTRIES[name]
    parts = [_common(), name, "" if name == LAYOUT else str(ENTRIES[name].stated)]
    waiting, seen = [first.py_func], set()
    while waiting:
        function = waiting.pop()
        if function in seen:
            continue
        seen.add(function)
        parts.append(
            f"{function.__module__}.{function.__qualname__}\n{inspect.getsource(function)}"
        )
        for label, value in _named(function, function.__code__):
            if isinstance(value, EntryDispatcher):
                parts.append(f"{label} = {value.name}{value.stated}")
            elif isinstance(value, Dispatcher):
                waiting.append(value.py_func)
            elif isinstance(value, type) and hasattr(value, "_fields"):
                parts.append(f"{label} = {value._fields}")
            elif isinstance(value, (int, float, str, tuple)):
                parts.append(f"{label} = {value!r}")
    return "\n".join([*parts[:3], *sorted(parts[3:])])


def key_of(text: str) -> str:
    """Return the hash of a piece's text."""
    return hashlib.sha256(text.encode()).hexdigest()[:24]


@lru_cache(maxsize=1)
def _common() -> str:
    """Return what all pieces depend on: Numba, and the modules that make code."""
    makers = [hash_of(PACKAGE / "_build" / f"{name}.py") for name in _MAKERS]
    return " ".join([numba.__version__, str(mode.bounds_checks), *makers])


def _named(function: Any, code: CodeType) -> Iterator[tuple[str, Any]]:
    """Yield the globals that a function names, and what it names of modules among them."""
    for name in code.co_names:
        value = function.__globals__.get(name)
        if isinstance(value, ModuleType):
            for inside in code.co_names:
                if value.__name__.startswith("rollcone") and hasattr(value, inside):
                    yield f"{name}.{inside}", getattr(value, inside)
        elif value is not None:
            yield name, value
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _named(function, constant)
