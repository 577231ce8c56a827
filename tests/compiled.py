"""Small kernels that only kernels can call, made callable from tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba


def compiled(function: Any) -> Callable[..., Any]:
    """`function` within a kernel that takes the same arguments."""
    return numba.njit(error_model="numpy")(lambda *arguments: function(*arguments))
