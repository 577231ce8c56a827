"""From entries to LLVM code: what the build does with Numba.

Numba compiles a function for given types, and with it those that it calls, and would optimise and
emit each by itself. Here each is only kept as the LLVM code that Numba wrote (a piece); all pieces
that an entry needs are linked into one module, which is then optimised as a whole (emit.py).

This file and its neighbours `dispatchers.py`, `numba_intrinsics.py` are the only ones that know
Numba, and `_keep_pieces` the only place that overrides private parts of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba.core import cgutils, codegen, types
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target
from numba.np import numpy_support
from numba.np.arrayobj import populate_array

from rollcone._build.frames import FRAME, PYTHON_WORDS
from rollcone._build.numba_intrinsics import Reference
from rollcone._build.signatures import (
    ArgumentType,
    ArrayType,
    GroupType,
    Signature,
    signature_of,
    words_of,
)
from rollcone._build.unpack import unpack

_WORD = ir.IntType(64)
_POINTER = _WORD.as_pointer()
# Functions of Numba's own library that are those of the system's by another name.
_PLAIN_NAMES = {"numba_frexp": "frexp", "numba_ldexp": "ldexp"}
UNPACK, INVOKE = "rollcone_unpack", "rollcone_invoke"


class BuildError(Exception):
    """A kernel cannot be compiled as it states."""


class _Piece(codegen.JITCodeLibrary):
    """The LLVM code of one function, neither optimised nor emitted, and the pieces it calls."""

    def add_llvm_module(self, ll_module: Any) -> None:
        self._final_module.link_in(ll_module)

    def add_linking_library(self, library: Any) -> None:
        self._linking_libraries.append(library)

    def finalize(self) -> None:
        self._finalized = True

    @property
    def module(self) -> Any:
        return self._final_module

    @property
    def callees(self) -> list[Any]:
        return list(self._linking_libraries)


def _keep_pieces() -> Any:
    """Make Numba keep pieces from now on; returns its context of types and calls."""
    context = cpu_target.target_context
    context.codegen()._library_class = _Piece
    context.get_executable = lambda library, fndesc, env: object()  # by which callers know it
    Dispatcher.add_overload = _keep_overload
    return context


def _keep_overload(dispatcher: Any, compiled: Any) -> None:
    """Remember what was compiled, without making it callable from Python."""
    dispatcher.overloads[tuple(compiled.signature.args)] = compiled


def symbol_of(name: str) -> str:
    """Return the name that an entry (module and function) has in the library."""
    return name.replace(".", "_")


def link_entries(entries: dict[str, Any], layout: bool) -> tuple[bytes, dict[str, str]]:
    """Compile entries, dispatchers by name, and link them with all that they call.

    Returns LLVM code of one module, and the text of each entry's signature. With `layout` the
    module has the functions that lay out arguments, too.
    """
    context = _keep_pieces()
    wrappers = ir.Module("entries")
    wrappers.triple = llvm.get_process_triple()
    found, texts, exported = [], {}, []
    for name, dispatcher in entries.items():
        signature = signature_of(dispatcher.py_func)
        compiled = _compile(name, dispatcher, signature)
        _write_run(context, wrappers, symbol_of(name), compiled, signature)
        found.append(compiled.library)
        texts[name] = str(signature)
        exported.append(symbol_of(name))
    if layout:
        found.append(_write_unpack(context, wrappers))
        exported += [UNPACK, INVOKE]
    whole = llvm.parse_assembly(cgutils.normalize_ir_text(str(wrappers)))
    for piece in _all_pieces(found):
        whole.link_in(piece.module, preserve=True)
    for name, plain in _PLAIN_NAMES.items():
        for function in whole.functions:
            if function.name == name:
                function.name = plain
    _hide_all_but(whole, exported)
    whole.verify()
    return whole.as_bitcode(), texts


def _compile(name: str, dispatcher: Any, signature: Signature) -> Any:
    taken = tuple(numba_type(kind) for _, kind in signature.arguments)
    dispatcher.compile(taken)
    compiled = dispatcher.overloads[taken]
    returned = compiled.signature.return_type
    stated = tuple(_NUMBERS[kind] for kind in signature.returns)
    given = (
        () if returned == types.none
        else tuple(returned) if isinstance(returned, types.BaseTuple)
        else (returned,)
    )  # fmt: skip
    given = tuple(types.int64 if isinstance(one, types.Integer) else one for one in given)
    if given != stated:
        raise BuildError(f"{name} returns {given}; its annotation states {stated}")
    if sum(words_of(kind) for _, kind in signature.arguments) > FRAME:
        raise BuildError(f"{name} takes more than {FRAME} words of arguments")
    return compiled


_NUMBERS = {int: types.int64, float: types.float64, bool: types.boolean}


def numba_type(kind: ArgumentType) -> Any:
    """Return Numba's type of an argument; a group is passed by reference."""
    if isinstance(kind, GroupType):
        return Reference(_group_type(kind))
    return _plain_type(kind)


def _plain_type(kind: ArgumentType) -> Any:
    if isinstance(kind, ArrayType):
        numbers = numpy_support.from_dtype(np.dtype(kind.numbers))
        return types.Array(numbers, kind.dimensions, "C")
    if isinstance(kind, GroupType):
        return _group_type(kind)
    return _NUMBERS[kind]


def _group_type(kind: GroupType) -> Any:
    # In memory a bool of a group is a word, as all else is.
    fields = [types.int64 if field is bool else _plain_type(field) for _, field in kind.fields]
    return types.NamedTuple(fields, kind.made_by)


def _write_run(
    context: Any, module: Any, symbol: str, compiled: Any, signature: Signature
) -> None:
    """Write the C function `int64 symbol(int64 *frame, int64 *result)` of an entry."""
    function = ir.Function(module, ir.FunctionType(_WORD, [_POINTER, _POINTER]), symbol)
    builder = ir.IRBuilder(function.append_basic_block())
    frame, result = function.args
    taken, values, place = compiled.signature.args, [], 0
    for (_, kind), numba_kind in zip(signature.arguments, taken, strict=True):
        at = builder.gep(frame, [_WORD(place)])
        values.append(_argument(context, builder, at, kind, numba_kind))
        place += words_of(kind)
    callee = context.declare_function(module, compiled.fndesc)
    returned = compiled.signature.return_type
    status, value = context.call_conv.call_function(builder, callee, returned, taken, values)
    given = () if returned == types.none else (returned,)
    if isinstance(returned, types.BaseTuple):
        given, values = tuple(returned), cgutils.unpack_tuple(builder, value)
    else:
        values = [value]
    for k, (kind, one) in enumerate(zip(given, values if given else (), strict=True)):
        at = builder.gep(result, [_WORD(k)])
        if isinstance(kind, types.Integer):
            one = context.cast(builder, one, kind, types.int64)
        elif kind == types.boolean:
            one = builder.zext(one, _WORD)
        builder.store(one, builder.bitcast(at, one.type.as_pointer()))
    code = builder.sext(status.code, _WORD)
    failed = builder.and_(status.is_error, builder.not_(status.is_none))
    builder.ret(builder.select(failed, builder.neg(code), _WORD(0)))


def _argument(context: Any, builder: Any, at: Any, kind: ArgumentType, numba_kind: Any) -> Any:
    """Load one argument from its place in the frame."""
    if isinstance(kind, GroupType):
        return builder.bitcast(at, context.get_value_type(numba_kind))
    if kind is bool:
        return builder.icmp_signed("!=", builder.load(at), _WORD(0))
    value_type = context.get_value_type(numba_kind)
    return builder.load(builder.bitcast(at, value_type.as_pointer()))


def _write_unpack(context: Any, module: Any) -> Any:
    """Write the two C functions that lay out arguments, all of whose arguments are int64:

    int64 rollcone_unpack(arguments, program, length, python, frame)
    int64 rollcone_invoke(arguments, program, length, python, run, result)

    The second runs an entry with a frame of its own. Returns the piece that they call.
    """
    numbers = types.Array(types.int64, 1, "C")
    taken = (types.int64, numbers, numbers, types.int64)
    unpack.compile(taken)
    compiled = unpack.overloads[taken]
    layout = ir.Function(module, ir.FunctionType(_WORD, [_WORD] * 5), UNPACK)
    builder = ir.IRBuilder(layout.append_basic_block())
    arguments, program, length, python, frame = layout.args
    values = [
        arguments, _list_at(context, builder, numbers, program, length),
        _list_at(context, builder, numbers, python, _WORD(PYTHON_WORDS)), frame,
    ]  # fmt: skip
    callee = context.declare_function(module, compiled.fndesc)
    _, unfit = context.call_conv.call_function(builder, callee, types.int64, taken, values)
    builder.ret(unfit)

    invoke = ir.Function(module, ir.FunctionType(_WORD, [_WORD] * 6), INVOKE)
    builder = ir.IRBuilder(invoke.append_basic_block())
    *common, run, result = invoke.args
    frame = builder.alloca(_WORD, FRAME)
    unfit = builder.call(layout, [*common, builder.ptrtoint(frame, _WORD)])
    with builder.if_then(builder.icmp_signed("!=", unfit, _WORD(0))):
        builder.ret(unfit)
    kind = ir.FunctionType(_WORD, [_POINTER, _POINTER])
    call = builder.inttoptr(run, kind.as_pointer())
    builder.ret(builder.call(call, [frame, builder.inttoptr(result, _POINTER)]))
    return compiled.library


def _list_at(context: Any, builder: Any, kind: Any, address: Any, length: Any) -> Any:
    array = context.make_array(kind)(context, builder)
    populate_array(
        array, data=builder.inttoptr(address, _POINTER), shape=[length], strides=[_WORD(8)],
        itemsize=_WORD(8), meminfo=None,
    )  # fmt: skip
    return array._getvalue()


def _all_pieces(first: Iterable[Any]) -> Iterator[Any]:
    """Yield pieces and all that they call, each once."""
    waiting, seen = list(first), set()
    while waiting:
        piece = waiting.pop()
        if id(piece) not in seen:
            seen.add(id(piece))
            waiting.extend(piece.callees)
            yield piece


def _hide_all_but(module: Any, exported: list[str]) -> None:
    """Make all functions and data internal to the module but those that are exported."""
    keep = set(exported)
    for one in (*module.functions, *module.global_variables):
        if one.name not in keep and not one.is_declaration:
            one.linkage = "internal"
