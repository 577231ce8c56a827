"""A word to the processor of what is needed soon, so that memory is not waited for. (Called from
kernels; _jit knows this file.)"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

_WRITE, _KEEP, _DATA = 1, 3, 1  # what for, how near, and not instructions


@intrinsic  # type: ignore[untyped-decorator]
def fetch_row(_: Any, array: Any, i: Any) -> Any:
    """The cache line where row i of an array (n, k) begins: it will be read and written."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        shown = context.make_array(kind)(context, builder, arguments[0])
        begin = context.get_constant(types.intp, 0)
        place = cgutils.get_item_pointer(
            context, builder, kind, shown, [arguments[1], begin], wraparound=False
        )
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        call = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        hint = builder.module.declare_intrinsic("llvm.prefetch", [byte], call)
        builder.call(hint, [builder.bitcast(place, byte), word(_WRITE), word(_KEEP), word(_DATA)])
        return context.get_dummy_value()

    return types.none(array, types.intp), build
