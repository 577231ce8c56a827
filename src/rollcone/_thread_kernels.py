"""What kernels need that several threads run at once, on the same arrays.

Such a kernel is called as `kernel(thread, threads, gate, *arguments)`. Threads share the work by
`share`, and meet at `wait(gate, threads)`: what was written before is read after. All must pass the
same gates in the same order. Sums go over chunks of a fixed size and are added in order, so that
they have the same bits for any number of threads:

    for chunk in range(*share(chunk_count(n), thread, threads)):
        parts[chunk] = 0.0
        for i in range(*chunk_range(chunk, n)):
            parts[chunk] += values[i]
    wait(gate, threads)
    total = add_in_order(parts, chunk_count(n))

A thread that waits spins for some microseconds (not if threads outnumber cores), then offers its
core to others, then naps.
"""

from __future__ import annotations

import ctypes
import os
import platform
from typing import Any

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from rollcone._jit import inlined, kernel

CHUNK = 1024  # items of a sum that one thread adds
# Words of a gate, each on a cache line of its own (some processors fetch two lines at once).
_ARRIVED, _OPENED, BROKEN, GATE_WORDS = 0, 16, 32, 48
SPINS = BROKEN + 1  # how often to look before the core is offered: see `_together.py`
_YIELDS = 200  # some 100 microseconds, if no other thread wants the core
_NAP = 20 if os.name == "posix" else 0  # microseconds


class BrokenGateError(Exception):
    """Another thread has failed, and will not come."""


def new_gate() -> np.ndarray[Any, np.dtype[np.int64]]:
    """A gate for one group of threads, on whole cache lines."""
    room = np.zeros(GATE_WORDS + 16, dtype=np.int64)
    first = -room.ctypes.data // 8 % 16
    return room[first : first + GATE_WORDS]


@inlined
def share(n, thread, threads):
    """The first and the end of the items 0 .. n - 1 that are this thread's."""
    return n * thread // threads, n * (thread + 1) // threads


@inlined
def chunk_count(n):
    """How many chunks n items make."""
    return (n + CHUNK - 1) // CHUNK


@inlined
def chunk_range(chunk, n):
    """The first and the end of the items of a chunk."""
    return chunk * CHUNK, min(n, (chunk + 1) * CHUNK)


@inlined
def add_in_order(parts, count):
    """The sum of the chunks' sums."""
    total = 0.0
    for chunk in range(count):
        total += parts[chunk]
    return total


@inlined
def wait(gate, threads):
    """Until all threads are here. It fails if another thread has failed."""
    if threads > 1:
        opened = _read(gate, _OPENED)
        if _add(gate, _ARRIVED, 1) == threads - 1:
            _write(gate, _ARRIVED, 0)
            _write(gate, _OPENED, opened + 1)
        else:
            spins = gate[SPINS]
            while spins > 0 and _read(gate, _OPENED) == opened:
                _pause()
                spins -= 1
            if spins == 0:
                _linger(gate, opened)


@kernel
def _linger(gate, opened):
    """A long wait, for one that has work to do alone or has no core."""
    rounds = 0
    while _read(gate, _OPENED) == opened:
        if _read(gate, BROKEN) != 0:
            raise BrokenGateError("another thread has failed")
        if rounds < _YIELDS:
            _yield_core()
            rounds += 1
        else:
            _nap(_NAP)


def _place(context: Any, builder: Any, signature: Any, gate: Any, index: Any) -> Any:
    array = context.make_array(signature.args[0])(context, builder, gate)
    return builder.gep(array.data, [index])


@intrinsic  # type: ignore[untyped-decorator]
def _read(_: Any, gate: Any, index: Any) -> Any:
    """A word of a gate, and with it all that was written before it."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _place(context, builder, signature, *arguments)
        return builder.load_atomic(place, "acquire", 8)

    return types.int64(gate, types.intp), build


@intrinsic  # type: ignore[untyped-decorator]
def _write(_: Any, gate: Any, index: Any, value: Any) -> Any:
    """Write a word of a gate, after all that was written before."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        gate, index, value = arguments
        place = _place(context, builder, signature, gate, index)
        builder.store_atomic(value, place, "release", 8)
        return context.get_dummy_value()

    return types.none(gate, types.intp, types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def _add(_: Any, gate: Any, index: Any, value: Any) -> Any:
    """Add to a word of a gate, in one piece; what it was."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        gate, index, value = arguments
        place = _place(context, builder, signature, gate, index)
        return builder.atomic_rmw("add", place, value, "acq_rel")

    return types.int64(gate, types.intp, types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def _pause(_: Any) -> Any:
    """Tell the processor that this is a loop that waits."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(32)
        machine = platform.machine().lower()
        if machine in ("x86_64", "amd64"):
            kind = ir.FunctionType(ir.VoidType(), [])
            builder.call(builder.module.declare_intrinsic("llvm.x86.sse2.pause", (), kind), [])
        elif machine in ("aarch64", "arm64"):
            kind = ir.FunctionType(ir.VoidType(), [word])
            hint = builder.module.declare_intrinsic("llvm.aarch64.hint", (), kind)
            builder.call(hint, [word(1)])
        return context.get_dummy_value()

    return types.none(), build


@intrinsic  # type: ignore[untyped-decorator]
def _yield_core(_: Any) -> Any:
    """Let another thread have this core, if one wants it."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(32), [])
        builder.call(cgutils.get_or_insert_function(builder.module, kind, _YIELD_NAME), [])
        return context.get_dummy_value()

    return types.none(), build


@intrinsic  # type: ignore[untyped-decorator]
def _nap(_: Any, time: Any) -> Any:
    """Sleep for so long, in the unit of the system's call."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(32), [ir.IntType(32)])
        call = cgutils.get_or_insert_function(builder.module, kind, _NAP_NAME)
        builder.call(call, arguments)
        return context.get_dummy_value()

    return types.none(types.uint32), build


# The system's calls by names of our own: a kernel from the cache finds them in any process.
_YIELD_NAME, _NAP_NAME = "rollcone_yield_core", "rollcone_nap"


def _name_system_calls() -> None:
    if os.name == "posix":
        library: Any = ctypes.CDLL(None)
        calls = {_YIELD_NAME: library.sched_yield, _NAP_NAME: library.usleep}
    else:
        library = ctypes.WinDLL("kernel32")  # type: ignore[attr-defined,unused-ignore]
        calls = {_YIELD_NAME: library.SwitchToThread, _NAP_NAME: library.Sleep}
    for name, call in calls.items():
        llvmlite.binding.add_symbol(name, ctypes.cast(call, ctypes.c_void_p).value)


_name_system_calls()
