"""The decorators of a build: functions become Numba dispatchers, which compile when they are called
by another kernel, or by the build for the types that an entry states.

Only the process of a build imports this module and the others that know Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

from rollcone._build import mode

# Kernels allocate nothing, so no array needs its references counted. Division by zero gives what
# IEEE arithmetic says. No kernel is called by Numba's own wrappers for Python or C. Numba hands
# `forceinline` down to callees that do not say otherwise.
_OPTIONS: dict[str, Any] = {
    "error_model": "numpy",
    "_nrt": False,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "boundscheck": mode.bounds_checks,
}

ENTRIES: dict[str, Any] = {}  # dispatchers of the entries, by module and name


def _dispatcher(function: Callable[..., Any], **options: Any) -> Any:
    return numba.njit(**_OPTIONS, **options)(function)


def kernel(function: Callable[..., Any]) -> Any:
    """Make a function that other kernels call."""
    return _dispatcher(function, forceinline=False)


def inlined(function: Callable[..., Any]) -> Any:
    """Make a function that is copied into each caller."""
    return _dispatcher(function, forceinline=True)


def entry(function: Callable[..., Any]) -> Any:
    """Make a function that Python calls; it is compiled for the types that it states."""
    made = _dispatcher(function, forceinline=False)
    ENTRIES[f"{function.__module__}.{function.__name__}"] = made
    return made
