"""Which arrays a kernel writes, found in Numba's typed code while it is compiled.

Each value of a kernel that is an array, or holds some, is traced back to the arguments that it may
come from: through views, tuples, groups, loops and results of other kernels. An array is written by
an assignment to an item, by an atomic operation, by a kernel that writes it, and by all that may
follow where its address is taken (`array.ctypes`). Whatever is not known here is an error of the
build, so nothing is overlooked in silence, but for one thing: arrays made of addresses that Python
put into a list (`numbers_at`).

A *path* is the number of an argument, and of a field if that is a group. What a value may be is a
set of pairs: (part of the value, path that it comes from). A kernel's `Writes` are in its own
paths, and so can be read for the arguments of any call of it. Entries are compiled each by itself,
so what they write in other entries is told at the end of a build, by `all_writes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from numba.core import compiler, compiler_machinery, ir, types
from numba.core.typed_passes import NopythonTypeInference

from rollcone._build.numba_intrinsics import Reference

Path = tuple[int, ...]
Value = frozenset[tuple[Path, Path]]
_NOTHING: Value = frozenset()
_ANY = -1  # an item of a tuple, by a number that is not known
# Functions that are not kernels, by name: those that write to their first argument, those that
# return it, and those that only read.
_WRITERS = {"write_atomic", "add_atomic"}
_GIVERS = {"by_reference"}
_READERS = {"address_to_read", "read_atomic", "fetch_row", "len"}
_WITHOUT_ARRAYS = (
    types.Number, types.Boolean, types.NoneType, types.RangeType, types.RangeIteratorType,
    types.Callable, types.Module, types.DType, types.UnicodeType, types.SliceType,
)  # fmt: skip


class UnknownUseError(Exception):
    """An operation of which it is not known whether it writes to an array."""


@dataclass(frozen=True)
class Writes:
    """What one compiled kernel does to the arrays of its arguments."""

    paths: frozenset[Path] = frozenset()  # those that it writes
    returned: Value = frozenset()  # what its result may be
    # entries that it calls: name, path of an argument there, path of that array here
    calls: frozenset[tuple[str, Path, Path]] = frozenset()


_FOUND: dict[tuple[Any, Any], Writes] = {}  # by Python function and Numba's types of arguments


def writes_of(function: Any, taken: Any) -> Writes:
    """Return what a kernel writes that has been compiled for these types."""
    try:
        return _FOUND[function, tuple(taken)]
    except KeyError:
        raise UnknownUseError(
            f"{function.__qualname__} calls itself, or was not compiled"
        ) from None


def all_writes(entries: dict[str, Writes]) -> dict[str, frozenset[Path]]:
    """Return the paths that each entry writes, also in other entries that it calls."""
    found = {name: set(one.paths) for name, one in entries.items()}
    grown = True
    while grown:
        grown = False
        for name, one in entries.items():
            before = len(found[name])
            for callee, there, here in one.calls:
                found[name].update(
                    here + path[len(there) :]
                    for path in found.get(callee, ())
                    if path[: len(there)] == there
                )
            grown |= len(found[name]) > before
    return {name: frozenset(paths) for name, paths in found.items()}


class KernelCompiler(compiler.CompilerBase):  # type: ignore[misc]
    """Numba's compiler of kernels, which also notes what they write."""

    def define_pipelines(self) -> list[Any]:
        """Return the passes of Numba's compiler with one more."""
        passes = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_FindWrites, NopythonTypeInference)
        passes.finalize()
        return [passes]


@compiler_machinery.register_pass(mutates_CFG=False, analysis_only=True)  # type: ignore[untyped-decorator]
class _FindWrites(compiler_machinery.AnalysisPass):  # type: ignore[misc]
    _name = "find writes"

    def __init__(self) -> None:
        compiler_machinery.AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        found = _Search(state.func_ir, state.typemap, state.calltypes).run()
        _FOUND[state.func_id.func, tuple(state.args)] = found
        return False


class _Search:
    """The search in one kernel; it repeats until no value grows, since loops hand values back."""

    def __init__(self, code: Any, kinds: dict[str, Any], calls: dict[Any, Any]) -> None:
        self._kinds, self._call_types = kinds, calls
        self._name = code.func_id.func_qualname
        self._values: dict[str, Value] = {}
        self._paths: set[Path] = set()
        self._returned: set[tuple[Path, Path]] = set()
        self._calls: set[tuple[str, Path, Path]] = set()
        lines = [line for block in code.blocks.values() for line in block.body]
        self._lines = [line for line in lines if self._matters(line)]

    def run(self) -> Writes:
        """Return what was found."""
        size = -1
        while size != (size := self._size()):
            for line in self._lines:
                self._visit(line)
        return Writes(frozenset(self._paths), frozenset(self._returned), frozenset(self._calls))

    def _size(self) -> int:
        return sum(map(len, self._values.values()))

    def _matters(self, line: Any) -> bool:
        """Return whether a line can hand on an array or write to one."""
        if isinstance(line, ir.Assign):
            calls = isinstance(line.value, ir.Expr) and line.value.op in ("call", "getattr")
            return calls or self._holds(line.target) or _in_place(line.value)
        return isinstance(line, (ir.SetItem, ir.StaticSetItem, ir.Return))

    def _holds(self, variable: Any) -> bool:
        return _holds_arrays(self._kinds[variable.name])

    def _visit(self, line: Any) -> None:
        if isinstance(line, ir.Return):
            self._returned |= self._value(line.value)
        elif isinstance(line, (ir.SetItem, ir.StaticSetItem)):
            self._write(self._value(line.target))
        else:
            found = self._result(line.value)
            if found and self._holds(line.target):
                name = line.target.name
                self._values[name] = self._values.get(name, _NOTHING) | found

    def _write(self, value: Value) -> None:
        self._paths.update(path for part, path in value if not part)

    def _value(self, variable: Any) -> Value:
        return self._values.get(variable.name, _NOTHING)

    def _result(self, made: Any) -> Value:
        """Return what the right-hand side of an assignment may be."""
        if isinstance(made, ir.Arg):
            return frozenset([((), (made.index,))])
        if isinstance(made, ir.Var):
            return self._value(made)
        if not isinstance(made, ir.Expr):
            return _NOTHING  # a constant
        if made.op == "call":
            return self._called(made)
        if made.op == "getattr":
            return self._attribute(made)
        if made.op == "build_tuple":
            return _together(enumerate(map(self._value, made.items)))
        if made.op in ("getitem", "static_getitem", "getiter"):
            return self._item(made)
        if _in_place(made) and isinstance(self._kinds[made.lhs.name], types.Array):
            self._write(self._value(made.lhs))
        return frozenset().union(*(self._value(one) for one in made.list_vars()))

    def _attribute(self, made: Any) -> Value:
        kind, value = self._kinds[made.value.name], self._value(made.value)
        group = kind.dtype if isinstance(kind, Reference) else kind
        if isinstance(group, types.BaseNamedTuple):
            return _select(value, (group.fields.index(made.attr),))
        if made.attr == "ctypes":
            self._write(value)
        return value

    def _item(self, made: Any) -> Value:
        if not isinstance(self._kinds[made.value.name], types.BaseTuple):
            return self._value(made.value)  # a view
        place = made.index if made.op == "static_getitem" else _ANY
        chosen = _select(self._value(made.value), (place if isinstance(place, int) else _ANY,))
        return _together([(_ANY, chosen)]) if isinstance(place, slice) else chosen

    def _called(self, made: Any) -> Value:
        kind = self._kinds[made.func.name]
        given = self._arguments(made)
        if not given and not self._value(made.func):
            return _NOTHING
        if isinstance(kind, types.NamedTupleClass):
            return given
        if isinstance(kind, types.Dispatcher):
            return self._called_kernel(kind.dispatcher, self._call_types[made].args, given)
        name = _name_of(kind)
        if name in _WRITERS:
            self._write(_select(given, (0,)))
        elif name in _GIVERS:
            return _select(given, (0,))
        elif name not in _READERS:
            raise UnknownUseError(f"{self._name} hands an array to {name}, which may write to it")
        return _NOTHING

    def _arguments(self, made: Any) -> Value:
        """Return the arguments of a call as a tuple."""
        if any(self._holds(variable) for _, variable in made.kws):
            raise UnknownUseError(f"{self._name} hands on an array by the name of an argument")
        given = _together(enumerate(map(self._value, made.args)))
        if made.vararg is None or not self._value(made.vararg):
            return given
        first = len(made.args)
        listed = enumerate(self._kinds[made.vararg.name].types, start=first)
        items = ((k, _select(self._value(made.vararg), (k - first,))) for k, _ in listed)
        return given | _together(items)

    def _called_kernel(self, dispatcher: Any, taken: Any, given: Value) -> Value:
        if name := getattr(dispatcher, "name", ""):  # an entry
            self._calls.update((name, there, here) for there, here in given)
            return _NOTHING
        callee = writes_of(dispatcher.py_func, taken)
        for path in callee.paths:
            self._write(_select(given, path))
        for name, there, path in callee.calls:
            chosen = _select(given, path)
            self._calls.update((name, there + part, here) for part, here in chosen)
        handed = {
            (part + rest, here)
            for part, path in callee.returned
            for rest, here in _select(given, path)
        }
        return frozenset(handed)


def _name_of(kind: Any) -> str:
    """Return the name of a function that is no kernel: Numba's, NumPy's, or a method of arrays."""
    key = getattr(kind, "typing_key", kind)
    if isinstance(key, tuple):
        return f"array.{key[-1]}"
    return str(getattr(key, "__name__", None) or getattr(key, "_name", key))


def _in_place(made: Any) -> bool:
    return isinstance(made, ir.Expr) and made.op == "inplace_binop"


def _holds_arrays(kind: Any) -> bool:
    if isinstance(kind, types.BaseTuple):
        return any(map(_holds_arrays, kind.types))
    if isinstance(kind, types.BoundFunction):  # a method, such as array.fill
        return _holds_arrays(kind.this)
    return not isinstance(kind, _WITHOUT_ARRAYS)


def _together(values: Iterable[tuple[int, Value]]) -> Value:
    """Return the value whose items or fields have these values."""
    return frozenset(((k, *part), path) for k, value in values for part, path in value)


def _select(value: Value, path: Path) -> Value:
    """Return the value of a part of a value."""
    return frozenset(_selected(value, path))


def _selected(value: Value, path: Path) -> Iterator[tuple[Path, Path]]:
    for part, origin in value:
        common = min(len(part), len(path))
        if all(_ANY in (a, b) or a == b for a, b in zip(part, path, strict=False)):
            yield part[common:], origin + path[common:]
