"""Kernels and arrays by their addresses.

A large kernel that calls another has that one compiled into it. Through an address a kernel is
compiled once, and only where it is needed: `address_of` gives that of a kernel for one signature,
`call_pair` and `call_alone` call it. Arrays go likewise: `numbers_at` and `places_at` are arrays at
an address, which their owner has to keep alive. (Compiled by what _jit decorates, and part of its
hash.)
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

# Signatures: (context, two bodies, place of the second, horizon, near), and the context alone.
PAIR = types.int64(
    types.int64, types.int64, types.int64, types.float64, types.float64, types.float64,
    types.float64, types.float64,
)  # fmt: skip
ALONE = types.int64(types.int64)


def address_of(kernel: Any, signature: Any) -> int:
    """Of one that `addressed` made, compiled or loaded for that signature."""
    kernel.compile(signature)
    found = kernel.overloads[signature.args]
    return int(found.library.get_pointer_to_function(found.fndesc.llvm_cfunc_wrapper_name))


@intrinsic  # type: ignore[untyped-decorator]
def call_pair(
    _: Any, address: Any, context: Any, a: Any, b: Any, x: Any, y: Any, z: Any, horizon: Any,
    near: Any,
) -> Any:  # fmt: skip
    """Call the kernel at that address, of signature PAIR."""
    return _call(PAIR)


@intrinsic  # type: ignore[untyped-decorator]
def call_alone(_: Any, address: Any, context: Any) -> Any:
    """Call the kernel at that address, of signature ALONE."""
    return _call(ALONE)


def _call(kind: Any) -> Any:
    def call(target: Any, builder: Any, signature: Any, values: Any) -> Any:
        taken = [target.get_value_type(one) for one in kind.args]
        function = ir.FunctionType(target.get_value_type(kind.return_type), taken)
        return builder.call(builder.inttoptr(values[0], function.as_pointer()), values[1:])

    return kind.return_type(types.int64, *kind.args), call


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
