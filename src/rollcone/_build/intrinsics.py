"""Operations of kernels that Python has no words for: pointers, atomic access, the system's calls.

In the process of a build these are Numba intrinsics (numba_intrinsics.py); elsewhere only their
names exist, so that modules with kernels can be imported.
"""

from __future__ import annotations

from typing import Any

from rollcone._build import mode

_NAMES = (
    "add_atomic", "address_to_read", "by_reference", "call_for_number", "call_for_three",
    "call_for_two", "call_without", "fetch_row", "numbers_at", "offer_core", "pause", "places_at",
    "read_atomic", "read_int", "read_word", "sleep", "table_of_functions", "ticks", "to_double",
    "to_int", "write_atomic", "write_double", "write_word",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(name)
    if not mode.compiling:
        return None
    from rollcone._build import numba_intrinsics

    return getattr(numba_intrinsics, name)
