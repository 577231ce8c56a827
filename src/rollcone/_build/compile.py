"""From an entry to LLVM code: what the build does with Numba.

Numba compiles a function for given types, and with it the kernels that it calls, and would optimise
and emit each by itself. Here each is only kept as the LLVM code that Numba wrote. The code of an
entry, of the kernels that it calls and of its C function make a piece (`compile_piece`); other
entries that it calls are declared only. `emit.py` makes machine code of one piece or of all.

`_keep_code` and `faster_numba.py` are the only places that override private parts of Numba.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import bytecode, cgutils, codegen, types
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target
from numba.np.arrayobj import populate_array

from rollcone._build import faster_numba
from rollcone._build.dispatchers import ENTRIES, EntryDispatcher, return_type
from rollcone._build.frames import FRAME, PYTHON_WORDS
from rollcone._build.signatures import ArgumentType, GroupType, Signature, words_of
from rollcone._build.unpack import unpack
from rollcone._build.writes import Writes, writes_of

_WORD = ir.IntType(64)
_POINTER = _WORD.as_pointer()
# Functions of Numba's own library that are those of the system's by another name.
_PLAIN_NAMES = {"numba_frexp": "frexp", "numba_ldexp": "ldexp"}
LAYOUT = "the layout of arguments"  # the name of the piece with these two functions
UNPACK, INVOKE = "rollcone_unpack", "rollcone_invoke"


class CompileError(Exception):
    """A kernel cannot be compiled as it states."""


class Piece(NamedTuple):
    """LLVM code of an entry, of the kernels that it calls and of its C function."""

    code: bytes
    writes: Writes  # which of its arguments it writes


class _Code(codegen.JITCodeLibrary):
    """The LLVM code of one function, neither optimised nor emitted, and those that it calls."""

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


def _keep_code() -> Any:
    """Make Numba keep LLVM code from now on; returns its context of types and calls."""
    context = cpu_target.target_context
    context.codegen()._library_class = _Code
    context.get_executable = lambda library, fndesc, env: object()  # by which callers know it
    Dispatcher.add_overload = _keep_overload
    bytecode.FunctionIdentity.from_function = classmethod(_identity)
    faster_numba.use()
    return context


def _keep_overload(dispatcher: Any, compiled: Any) -> None:
    """Remember what was compiled, without making it callable from Python."""
    dispatcher.overloads[tuple(compiled.signature.args)] = compiled


def _identity(
    cls: Any, function: Any, numbered: Any = bytecode.FunctionIdentity.from_function
) -> Any:
    """Return the identity of a function with a number that is the same in every process, so that
    the code of a kernel has the same symbol in all pieces and is linked once."""
    found = numbered.__func__(cls, function)
    inside = [repr(cell.cell_contents) for cell in found.func.__closure__ or ()]
    text = (found.modname, found.func_qualname, found.code.co_code, found.code.co_consts, inside)
    number = int(hashlib.sha256(repr(text).encode()).hexdigest()[:12], 16)
    found.unique_id, found.unique_name = number, f"{found.func_qualname}${number}"
    return found


def symbol_of(name: str) -> str:
    """Return the name of an entry's C function in the library."""
    return name.replace(".", "_")


def compile_piece(name: str) -> Piece:
    """Compile the entry of this name; return its piece."""
    context = _keep_code()
    wrapper = ir.Module(name)
    wrapper.triple = llvm.get_process_triple()
    if name == LAYOUT:
        compiled, public = _write_unpack(context, wrapper), {UNPACK, INVOKE}
        writes = Writes()
    else:
        dispatcher = ENTRIES[name]
        compiled = _compile(dispatcher)
        _write_run(context, wrapper, compiled, dispatcher.stated, symbol_of(name))
        public = {symbol_of(name), dispatcher.symbol}
        writes = writes_of(dispatcher.py_func, compiled.signature.args)
    whole = llvm.parse_assembly(cgutils.normalize_ir_text(str(wrapper)))
    for code in _all_code(compiled.library):
        whole.link_in(code.module, preserve=True)
    for function in whole.functions:
        if name != LAYOUT and function.name == compiled.fndesc.llvm_func_name:
            function.name = ENTRIES[name].symbol
        if function.name in _PLAIN_NAMES:
            function.name = _PLAIN_NAMES[function.name]
    share_all_but(whole, public)
    whole.verify()
    return Piece(bytes(whole.as_bitcode()), writes)


def _compile(dispatcher: EntryDispatcher) -> Any:
    signature = dispatcher.stated
    if sum(words_of(kind) for _, kind in signature.arguments) > FRAME:
        raise CompileError(f"{dispatcher.name} takes more than {FRAME} words of arguments")
    compiled = dispatcher.compile_stated()
    found, stated = compiled.signature.return_type, return_type(signature)
    if found != stated:
        raise CompileError(f"{dispatcher.name} returns {found}; its annotation states {stated}")
    return compiled


def _write_run(context: Any, module: Any, compiled: Any, signature: Signature, symbol: str) -> None:
    """Write the C function `int64 symbol(int64 *frame, int64 *result)` of an entry: it returns 0,
    or a negative number if an operation within it failed."""
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
    several = isinstance(returned, types.BaseTuple)
    values = cgutils.unpack_tuple(builder, value) if several else [value]
    for k, (kind, one) in enumerate(zip(signature.returns, values, strict=False)):
        word = builder.zext(one, _WORD) if kind is bool else one
        at = builder.gep(result, [_WORD(k)])
        builder.store(word, builder.bitcast(at, word.type.as_pointer()))
    failed = builder.and_(status.is_error, builder.not_(status.is_none))
    code = builder.neg(builder.sext(status.code, _WORD))
    builder.ret(builder.select(failed, code, _WORD(0)))


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

    The second runs an entry with a frame of its own. Returns what they call.
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
    return compiled


def _list_at(context: Any, builder: Any, kind: Any, address: Any, length: Any) -> Any:
    """Make a Numba array of int64 at an address."""
    array = context.make_array(kind)(context, builder)
    populate_array(
        array, data=builder.inttoptr(address, _POINTER), shape=[length], strides=[_WORD(8)],
        itemsize=_WORD(8), meminfo=None,
    )  # fmt: skip
    return array._getvalue()


def _all_code(first: Any) -> Iterator[Any]:
    """Yield the code of a function and of all that it calls, each once."""
    waiting, seen = [first], set()
    while waiting:
        code = waiting.pop()
        if id(code) not in seen:
            seen.add(id(code))
            waiting.extend(code.callees)
            yield code


def share_all_but(module: Any, public: set[str]) -> None:
    """Let the linker keep one copy of each function that several pieces have."""
    for function in module.functions:
        if function.name not in public and not function.is_declaration:
            function.linkage = "linkonce_odr"
