"""The processor's clock in kernels: what a part of a long call takes."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from rollcone._jit import inlined


@intrinsic  # type: ignore[untyped-decorator]
def ticks(_: Any) -> Any:
    """Of a counter of unknown rate; always 0 where there is none."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(64), [])
        counter = builder.module.declare_intrinsic("llvm.readcyclecounter", (), kind)
        return builder.call(counter, [])

    return types.int64(), build


@inlined
def lap(sums, place, last):
    """Adds the ticks since `last` to sums[place]; what the clock says now."""
    now = ticks()
    sums[place] += now - last
    return now
