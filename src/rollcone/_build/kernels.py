"""The decorators of compiled functions.

    @entry      called from Python; states the types of its arguments (signatures.py)
    @kernel     called by entries and kernels
    @inlined    the same, copied into each of its callers

In the process of a build they return what Numba compiles; elsewhere an entry is a handle that calls
the library, and the others are plain functions that only compiled code needs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rollcone._build import mode

if mode.compiling:
    from rollcone._build.dispatchers import entry, inlined, kernel
else:
    from rollcone._build.calls import Entry

    def entry(function: Callable[..., Any]) -> Any:
        """Return a handle that calls the compiled function."""
        return Entry(function)

    def kernel(function: Callable[..., Any]) -> Any:
        """Return the function: only compiled code calls it."""
        return function

    inlined = kernel

__all__ = ["entry", "inlined", "kernel"]
