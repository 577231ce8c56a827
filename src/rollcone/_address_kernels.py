"""Kernels and arrays by their addresses.

A large kernel that calls another has that one compiled into it, in each of its own forms. Through
an address a kernel is compiled once, and only where it is needed: `address_of` gives that of a
kernel for one signature, `call_pair` calls it. Arrays go likewise: `numbers_at` and `places_at` are
arrays at an address (which their owner has to keep alive).
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

# (context, two bodies, place of the second, horizon, near): the number of contacts
PAIR = types.int64(
    types.int64, types.int64, types.int64, types.float64, types.float64, types.float64,
    types.float64, types.float64,
)  # fmt: skip


def address_of(kernel: Any) -> int:
    """Of one that `addressed` made: compiled, or loaded, for PAIR."""
    kernel.compile(PAIR)
    found = kernel.overloads[PAIR.args]
    return int(found.library.get_pointer_to_function(found.fndesc.llvm_cfunc_wrapper_name))


@intrinsic  # type: ignore[untyped-decorator]
def call_pair(
    _: Any,
    address: Any,
    context: Any,
    a: Any,
    b: Any,
    x: Any,
    y: Any,
    z: Any,
    horizon: Any,
    near: Any,
) -> Any:
    """Call the kernel at that address."""

    def call(target: Any, builder: Any, signature: Any, values: Any) -> Any:
        kinds = [target.get_value_type(kind) for kind in PAIR.args]
        function = ir.FunctionType(target.get_value_type(PAIR.return_type), kinds)
        pointer = builder.inttoptr(values[0], function.as_pointer())
        return builder.call(pointer, values[1:])

    return PAIR.return_type(types.int64, *PAIR.args), call


@intrinsic  # type: ignore[untyped-decorator]
def numbers_at(_: Any, address: Any, shape: Any) -> Any:
    """An array of float64, of a shape that is a tuple."""
    return _array_at(types.float64, shape)


@intrinsic  # type: ignore[untyped-decorator]
def places_at(_: Any, address: Any, shape: Any) -> Any:
    """An array of int64, of a shape that is a tuple."""
    return _array_at(types.int64, shape)


def _array_at(kind: Any, shape: Any) -> Any:
    found = types.Array(kind, len(shape), "C")

    def make(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        lengths = [
            context.cast(builder, value, one, types.intp)
            for value, one in zip(cgutils.unpack_tuple(builder, values[1]), shape, strict=True)
        ]
        bytes_of = context.get_abi_sizeof(context.get_data_type(kind))
        steps = [context.get_constant(types.intp, bytes_of)]
        for length in lengths[:0:-1]:
            steps.insert(0, builder.mul(steps[0], length))
        array = context.make_array(found)(context, builder)
        data = builder.inttoptr(values[0], array.data.type)
        populate_array(
            array, data=data, shape=lengths, strides=steps, itemsize=steps[-1], meminfo=None
        )
        return array._getvalue()

    return found(types.int64, shape), make
