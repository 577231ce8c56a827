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

import llvmlite
import numba
import numpy as np
from numba.core.dispatcher import Dispatcher

from rollcone._build import mode
from rollcone._build.compile import LAYOUT, CompileError
from rollcone._build.dispatchers import ENTRIES, EntryDispatcher
from rollcone._build.library import PACKAGE, hash_of
from rollcone._build.unpack import unpack

_MAKERS = ("compile", "dispatchers", "numba_intrinsics", "signatures", "frames", "writes")


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
        source = inspect.getsource(function)
        parts.append(f"{function.__module__}.{function.__qualname__}\n{source}")
        for label, value in (*_named(function, function.__code__), *_kept(function)):
            if isinstance(value, Dispatcher) and not isinstance(value, EntryDispatcher):
                waiting.append(value.py_func)
            parts.append(f"{label} = {_told(label, value)}")
    return "\n".join([*parts[:3], *sorted(parts[3:])])


def key_of(text: str) -> str:
    """Return the hash of a piece's text."""
    return hashlib.sha256(text.encode()).hexdigest()[:24]


@lru_cache(maxsize=1)
def _common() -> str:
    """Return what all pieces depend on: Numba, and the modules that make code."""
    makers = [hash_of(PACKAGE / "_build" / f"{name}.py") for name in _MAKERS]
    versions = (numba.__version__, llvmlite.__version__, np.__version__)
    return " ".join([*versions, str(mode.bounds_checks), *makers])


def _told(label: str, value: Any) -> str:
    """Return what compiled code depends on of a value that a kernel names; CompileError for kinds
    of values that are not known here."""
    if isinstance(value, EntryDispatcher):
        return f"{value.name}{value.stated}"
    if isinstance(value, Dispatcher):
        return f"{value.py_func.__module__}.{value.py_func.__qualname__}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {value.tobytes().hex()}"
    if isinstance(value, type):
        return f"{value.__module__}.{value.__qualname__} {getattr(value, '_fields', ())}"
    if isinstance(value, (int, float, str, tuple, np.generic)):
        return repr(value)
    if callable(value):  # functions of Python, NumPy and Numba, which are pinned or built in
        return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', '')}"
    raise CompileError(f"{label} is of {type(value)}, which no kernel can depend on")


def _kept(function: Any) -> Iterator[tuple[str, Any]]:
    """Yield the values that a function has besides its code: defaults and those of closures."""
    for k, value in enumerate(function.__defaults__ or ()):
        yield f"default {k}", value
    for k, cell in enumerate(function.__closure__ or ()):
        yield f"closure {k}", cell.cell_contents


def _named(function: Any, code: CodeType) -> Iterator[tuple[str, Any]]:
    """Yield the globals that a function names, and what it names of modules among them."""
    for name in code.co_names:
        value = function.__globals__.get(name)
        if isinstance(value, ModuleType):
            for inside in code.co_names:
                if hasattr(value, inside) and not isinstance(getattr(value, inside), ModuleType):
                    yield f"{name}.{inside}", getattr(value, inside)
        elif value is not None:
            yield name, value
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _named(function, constant)
