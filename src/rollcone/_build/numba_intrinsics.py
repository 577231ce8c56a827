"""What intrinsics.py names, as Numba intrinsics: each states its type and builds LLVM code."""

from __future__ import annotations

import os
import platform
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, lower_getattr_generic, models, register_model
from numba.np.arrayobj import populate_array

_WORD, _DOUBLE = ir.IntType(64), ir.DoubleType()
TABLE_WORDS = 768


class Reference(types.Type):  # type: ignore[misc]
    """Numba's type of a pointer to a group of arrays.

    To Numba a NamedTuple is a value: each use of one of its arrays copies them all. Of a group
    behind a pointer only the field that is named is read.
    """

    def __init__(self, group: Any) -> None:
        self.dtype = group  # the name that PointerModel reads
        super().__init__(name=f"Reference({group})")


@register_model(Reference)  # type: ignore[untyped-decorator]
class ReferenceModel(models.PointerModel):  # type: ignore[misc]
    """A reference is stored as a pointer."""


@infer_getattr  # type: ignore[untyped-decorator]
class ReferenceFields(AttributeTemplate):  # type: ignore[misc]
    """Types of the fields of a group behind a pointer."""

    key = Reference

    def generic_resolve(self, reference: Any, name: str) -> Any:
        group = reference.dtype
        return group.types[group.fields.index(name)] if name in group.fields else None


@lower_getattr_generic(Reference)  # type: ignore[untyped-decorator]
def read_field(context: Any, builder: Any, reference: Any, pointer: Any, name: str) -> Any:
    """Load one field of a group behind a pointer."""
    place = reference.dtype.fields.index(name)
    return builder.load(cgutils.gep_inbounds(builder, pointer, 0, place))


@intrinsic  # type: ignore[untyped-decorator]
def by_reference(_: Any, group: Any) -> Any:
    """Return a reference to a group, which lies in the frame of the kernel that calls this."""

    def keep(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return cgutils.alloca_once_value(builder, arguments[0])

    return Reference(group)(group), keep


@intrinsic  # type: ignore[untyped-decorator]
def address_to_read(_: Any, array: Any) -> Any:
    """Return the address of an array's items, at which nothing is written. (`array.ctypes.data` is
    the address of an array that is written.)"""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        made = context.make_array(signature.args[0])(context, builder, arguments[0])
        return builder.ptrtoint(made.data, _WORD)

    return types.int64(array), build


@intrinsic  # type: ignore[untyped-decorator]
def numbers_at(_: Any, address: Any, shape: Any) -> Any:
    """Return the array of float64 of this shape, a tuple, at an address."""
    return _array_at(types.float64, shape)


@intrinsic  # type: ignore[untyped-decorator]
def places_at(_: Any, address: Any, shape: Any) -> Any:
    """Return the array of int64 of this shape, a tuple, at an address."""
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


def _at(builder: Any, address: Any, kind: Any) -> Any:
    return builder.inttoptr(address, kind.as_pointer())


@intrinsic  # type: ignore[untyped-decorator]
def read_word(_: Any, address: Any) -> Any:
    """Return the int64 at an address."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_at(builder, arguments[0], _WORD))

    return types.int64(types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def read_int(_: Any, address: Any) -> Any:
    """Return the int32 at an address, as int64."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.sext(builder.load(_at(builder, arguments[0], ir.IntType(32))), _WORD)

    return types.int64(types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def write_word(_: Any, address: Any, value: Any) -> Any:
    """Write an int64 to an address."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[1], _at(builder, arguments[0], _WORD))
        return context.get_dummy_value()

    return types.none(types.int64, types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def write_double(_: Any, address: Any, value: Any) -> Any:
    """Write a float64 to an address."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[1], _at(builder, arguments[0], ir.DoubleType()))
        return context.get_dummy_value()

    return types.none(types.int64, types.float64), build


def _call_at(returned: Any, arguments: tuple[Any, ...]) -> Any:
    """Build a call of the C function of these types whose address is the first value."""

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        taken = [context.get_value_type(one) for one in arguments]
        function = ir.FunctionType(context.get_value_type(returned), taken)
        return builder.call(_at(builder, values[0], function), values[1:])

    return returned(types.int64, *arguments), build


@intrinsic  # type: ignore[untyped-decorator]
def call_without(_: Any, address: Any) -> Any:
    """Call int64 f() at an address."""
    return _call_at(types.int64, ())


@intrinsic  # type: ignore[untyped-decorator]
def to_int(_: Any, address: Any, value: Any) -> Any:
    """Call int64 f(int64) at an address: Python's conversion of an object to a whole number."""
    return _call_at(types.int64, (types.int64,))


@intrinsic  # type: ignore[untyped-decorator]
def to_double(_: Any, address: Any, value: Any) -> Any:
    """Call double f(int64) at an address: Python's conversion of an object to a number."""
    return _call_at(types.float64, (types.int64,))


@intrinsic  # type: ignore[untyped-decorator]
def call_for_number(_: Any, address: Any, numbers: Any) -> Any:
    """Call double f(double, ...) at an address with the numbers of a tuple."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        values = cgutils.unpack_tuple(builder, arguments[1])
        kind = ir.FunctionType(_DOUBLE, [_DOUBLE] * len(values))
        return builder.call(_at(builder, arguments[0], kind), values)

    return types.float64(types.int64, types.UniTuple(types.float64, len(numbers))), build


@intrinsic  # type: ignore[untyped-decorator]
def call_for_two(_: Any, address: Any, numbers: Any) -> Any:
    """Call void f(double, ..., double *out) at an address with the numbers of a tuple; return the
    two numbers that it writes."""
    return _call_for(2, numbers)


@intrinsic  # type: ignore[untyped-decorator]
def call_for_three(_: Any, address: Any, numbers: Any) -> Any:
    """Call such a function that writes three numbers."""
    return _call_for(3, numbers)


def _call_for(count: int, numbers: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        values = cgutils.unpack_tuple(builder, arguments[1])
        out = cgutils.alloca_once(builder, ir.ArrayType(_DOUBLE, count))
        first = cgutils.gep_inbounds(builder, out, 0, 0)
        kind = ir.FunctionType(ir.VoidType(), [*[_DOUBLE] * len(values), _DOUBLE.as_pointer()])
        builder.call(_at(builder, arguments[0], kind), [*values, first])
        found = [builder.load(cgutils.gep_inbounds(builder, out, 0, k)) for k in range(count)]
        return context.make_tuple(builder, signature.return_type, found)

    taken = types.UniTuple(types.float64, len(numbers))
    return types.UniTuple(types.float64, count)(types.int64, taken), build


@intrinsic  # type: ignore[untyped-decorator]
def table_of_functions(_: Any) -> Any:
    """Return the address of the library's table of functions (_own_functions.py), TABLE_WORDS
    int64, zero at first."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        table = builder.module.globals.get("rollcone_functions")
        if table is None:
            kind = ir.ArrayType(_WORD, TABLE_WORDS)
            table = ir.GlobalVariable(builder.module, kind, "rollcone_functions")
            table.initializer = ir.Constant(kind, None)
            table.linkage = "weak"  # pieces share one
        return builder.ptrtoint(table, _WORD)

    return types.int64(), build


@intrinsic  # type: ignore[untyped-decorator]
def ticks(_: Any) -> Any:
    """Return a counter of the processor, of unknown rate; 0 where there is none."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(_WORD, [])
        counter = builder.module.declare_intrinsic("llvm.readcyclecounter", (), kind)
        return builder.call(counter, [])

    return types.int64(), build


_WRITE, _KEEP, _DATA = 1, 3, 1  # operands of a prefetch: for writing, all cache levels, data


@intrinsic  # type: ignore[untyped-decorator]
def fetch_row(_: Any, array: Any, i: Any) -> Any:
    """Ask for the cache line where row i of an array (n, k) begins."""

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


def _place(context: Any, builder: Any, signature: Any, array: Any, index: Any) -> Any:
    made = context.make_array(signature.args[0])(context, builder, array)
    return builder.gep(made.data, [index])


@intrinsic  # type: ignore[untyped-decorator]
def read_atomic(_: Any, array: Any, index: Any) -> Any:
    """Return a word of an int64 array, after which all that was written before it is seen."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _place(context, builder, signature, *arguments)
        return builder.load_atomic(place, "acquire", 8)

    return types.int64(array, types.intp), build


@intrinsic  # type: ignore[untyped-decorator]
def write_atomic(_: Any, array: Any, index: Any, value: Any) -> Any:
    """Write a word of an int64 array, after all that was written before."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, index, value = arguments
        place = _place(context, builder, signature, array, index)
        builder.store_atomic(value, place, "release", 8)
        return context.get_dummy_value()

    return types.none(array, types.intp, types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def add_atomic(_: Any, array: Any, index: Any, value: Any) -> Any:
    """Add to a word of an int64 array in one piece; returns what it was."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, index, value = arguments
        place = _place(context, builder, signature, array, index)
        return builder.atomic_rmw("add", place, value, "acq_rel")

    return types.int64(array, types.intp, types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def pause(_: Any) -> Any:
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


_POSIX = os.name == "posix"
_OFFER, _SLEEP = ("sched_yield", "usleep") if _POSIX else ("SwitchToThread", "Sleep")


@intrinsic  # type: ignore[untyped-decorator]
def offer_core(_: Any) -> Any:
    """Let another thread have this core, if one wants it."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(32), [])
        builder.call(cgutils.get_or_insert_function(builder.module, kind, _OFFER), [])
        return context.get_dummy_value()

    return types.none(), build


@intrinsic  # type: ignore[untyped-decorator]
def sleep(_: Any, time: Any) -> Any:
    """Sleep, in the unit of the system's call: microseconds, or milliseconds on Windows."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(32), [ir.IntType(32)])
        call = cgutils.get_or_insert_function(builder.module, kind, _SLEEP)
        builder.call(call, arguments)
        return context.get_dummy_value()

    return types.none(types.uint32), build
