"""How Python calls the entries of the kernel library."""

from __future__ import annotations

import ctypes
import struct
import threading
from collections.abc import Callable, Collection
from functools import lru_cache, update_wrapper
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from rollcone._build import library
from rollcone._build.frames import FRAME, PYTHON_WORDS, program_of
from rollcone._build.signatures import (
    ArgumentType,
    ArrayType,
    GroupType,
    Signature,
    signature_of,
    text_of,
)
from rollcone.errors import LibraryError

_FORMATS = {int: "q", float: "d", bool: "?7x"}  # of struct, a word each
_NUMBERS = {int: ctypes.c_int64, float: ctypes.c_double}
_OPENING = threading.RLock()
_addressof = ctypes.addressof
_UNREAD = ctypes.c_int64()  # room for the result of a function that returns nothing


class Entry:
    """A function of the kernel library; a call lays out its arguments and runs it.

    The library is opened at the first call.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self._ready: tuple[Any, ...] = ()  # what `_quick` gives, after the first call

    def __call__(self, *arguments: Any) -> Any:
        # All in one function, since a call from Python costs half a microsecond in all.
        invoke, program, length, python, run, count, make, read = self._ready or self._open()
        if len(arguments) != count:
            self._check_count(arguments)
        result = _UNREAD if make is None else make()
        try:
            status = invoke(arguments, program, length, python, run, _addressof(result))
        except TypeError as error:
            self._refuse(arguments, error)
        if status:
            self._fail(status, arguments)
        if make is None:
            return None
        return result.value if read is None else read(result)

    def without_lock(self, *arguments: Any) -> Any:
        """Call the function with Python's global lock released, so that other threads run, too.

        They must not change the arrays in the meantime.
        """
        if not self._ready:
            self._open()
        frame, result = (ctypes.c_int64 * FRAME)(), (ctypes.c_int64 * max(1, self._returned))()
        self._check_count(arguments)
        try:
            status = layout().unpack(arguments, *self._program, ctypes.addressof(frame))
        except TypeError as error:
            self._refuse(arguments, error)
        if status == 0:
            status = self._released(ctypes.addressof(frame), ctypes.addressof(result))
        return self._values(status, arguments, result)

    def open_in(self, opened: library.Library) -> None:
        """Call the function of this library, which is not the package's."""
        with _OPENING:
            self._prepare(opened)
            self._ready = self._quick()

    def _open(self) -> tuple[Any, ...]:
        """Find the function in the library, before it is called for the first time."""
        with _OPENING:  # several threads may make first calls at once
            if not self._ready:
                self._prepare(library.opened())
                self._ready = self._quick()
        return self._ready

    def _prepare(self, opened: library.Library) -> None:
        function: Any = self.__wrapped__  # type: ignore[attr-defined]
        self._name = f"{function.__module__}.{function.__name__}"
        self._signature = signature_of(function)
        address = opened.address_of(self._name, str(self._signature))
        self._written = opened.written_by(self._name)
        self._kept = np.array(program_of(self._signature, self._written), dtype=np.int64)
        self._program = (self._kept.ctypes.data, len(self._kept), layout().python.ctypes.data)
        self._returned = len(self._signature.returns)
        self._unpack_result = struct.Struct(
            "".join(_FORMATS[kind] for kind in self._signature.returns)
        )
        self._released = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(address)
        self._run = address

    def _quick(self) -> tuple[Any, ...]:
        """Return what `__call__` needs: `invoke` and what it is given besides the arguments, their
        number, what makes room for the result and what reads it."""
        make, read = _result_of(self._signature.returns)
        return (layout().invoke, *self._program, self._run, self._count, make, read)

    @property
    def _count(self) -> int:
        return len(self._signature.arguments)

    def _check_count(self, arguments: tuple[Any, ...]) -> None:
        if len(arguments) != self._count:
            raise TypeError(f"{self._name} takes {self._count} arguments, not {len(arguments)}")

    def _values(self, status: int, arguments: tuple[Any, ...], result: Any) -> Any:
        if status:
            self._fail(status, arguments)
        found = self._unpack_result.unpack(result) if self._returned else ()
        return found[0] if len(found) == 1 else found or None

    def _refuse(self, arguments: tuple[Any, ...], error: TypeError) -> NoReturn:
        """Raise the error of an argument that is no number, where Python only says so."""
        for (name, kind), value in zip(self._signature.arguments, arguments, strict=True):
            if found := misfit(name, kind, value, self._written):
                raise TypeError(f"{self._name}: {found}") from error
        raise error

    def _fail(self, status: int, arguments: tuple[Any, ...]) -> NoReturn:
        """Raise the error that a status stands for."""
        if status > 0:
            name, kind = self._signature.arguments[status - 1]
            found = misfit(name, kind, arguments[status - 1], self._written)
            raise TypeError(f"{self._name}: {found or f'{name} is an array of another C type'}")
        raise LibraryError(
            f"{self._name} ended with status {status}: an operation within it failed, such as an "
            "index out of range; please report it with the scene or the call that led to it"
        )


def _result_of(returns: tuple[type, ...]) -> tuple[Any, Any]:
    """Return a type that has room for the result, and a function that reads it from there.

    There is no room where nothing is returned, and no function where the room's `value` is read.
    """
    if not returns:
        return None, None
    if len(returns) == 1 and returns[0] in _NUMBERS:
        return _NUMBERS[returns[0]], None
    unpack = struct.Struct("".join(_FORMATS[kind] for kind in returns)).unpack
    room = ctypes.c_int64 * len(returns)
    return (room, unpack) if len(returns) > 1 else (room, lambda result: unpack(result)[0])


def misfit(name: str, kind: ArgumentType, value: Any, written: Collection[str] = ()) -> str:
    """Tell why a value does not fit an argument: its name, what it is, what is expected; an empty
    text if it does. `written`: names of arrays that must be writeable."""
    if isinstance(kind, GroupType):
        if type(value) is not kind.made_by:
            return f"{name} is {describe(value, kind)}, expected {kind.made_by.__name__}"
        values: Any = value
        fields = zip(kind.fields, values, strict=True)
        inside = (misfit(f"{name}.{field}", own, one, written) for (field, own), one in fields)
        return next(filter(None, inside), "")
    found, expected = describe(value, kind), text_of(kind)
    if found != expected:
        return f"{name} is {found}, expected {expected}"
    if name in written and not value.flags.writeable:
        return f"{name} is read-only, and the kernel writes to it"
    return ""


def describe(value: Any, kind: ArgumentType) -> str:
    """Return the type of a value in the words of signatures.py."""
    if type(value) is np.ndarray:
        text = str(ArrayType(value.dtype.name, value.ndim))
        if not value.dtype.isnative:
            return f"{text} in the other byte order"
        if not value.flags.c_contiguous:
            return f"{text} not in C order"
        return text if value.flags.aligned else f"{text} not aligned"
    if kind in (int, bool) and isinstance(value, (bool, int, np.integer)):
        return text_of(kind)
    if kind is float and isinstance(value, (int, float, np.floating, np.integer)):
        return text_of(kind)
    return f"{type(value).__name__} {value!r:.60}"


class _Layout:
    """The library's functions that lay out arguments, and where Python keeps what they read."""

    def __init__(self) -> None:
        opened = library.opened()
        api = ctypes.pythonapi
        calls = (api.PyLong_AsLongLong, api.PyFloat_AsDouble, api.PyErr_Occurred)
        addresses = [ctypes.cast(call, ctypes.c_void_p).value or 0 for call in calls]
        self.python: NDArray[np.int64] = np.array(
            [object.__basicsize__, tuple.__basicsize__, *addresses, id(np.ndarray)], dtype=np.int64
        )
        assert len(self.python) == PYTHON_WORDS
        word, pointer = ctypes.c_int64, ctypes.c_void_p
        unpack = ctypes.PYFUNCTYPE(word, ctypes.py_object, *[word] * 4)
        # Words, too, but ctypes converts integers to pointers in half the time.
        invoke = ctypes.PYFUNCTYPE(word, ctypes.py_object, *[pointer] * 5)
        self.unpack = unpack(opened.symbol("rollcone_unpack"))
        self.invoke = invoke(opened.symbol("rollcone_invoke"))
        self._check()

    def _check(self) -> None:
        """Compare what the library reads of known objects with what Python says of them."""
        numbers, flags = np.arange(6.0).reshape(2, 3), np.zeros(4, dtype=np.int8)
        kinds = (("a", ArrayType("float64", 2)), ("b", ArrayType("int8", 1)), ("c", int))
        program = np.array(program_of(Signature((*kinds, ("d", float)), ())), dtype=np.int64)
        frame = (ctypes.c_int64 * 18)()
        status = self.unpack(
            (numbers, flags, 5, 2.5), program.ctypes.data, len(program), self.python.ctypes.data,
            ctypes.addressof(frame),
        )  # fmt: skip
        (half,) = struct.unpack("q", struct.pack("d", 2.5))
        expected = [
            0, 0, 6, 8, numbers.ctypes.data, 2, 3, 24, 8, 0, 0, 4, 1, flags.ctypes.data, 4, 1,
            5, half,
        ]  # fmt: skip
        if status or list(frame) != expected:
            raise LibraryError(
                "the kernel library cannot read arrays of this Python and NumPy "
                f"({np.__version__}): CPython with NumPy 1.26 or newer is needed"
            )


@lru_cache(maxsize=1)
def layout() -> _Layout:
    """Return the functions that lay out arguments, checked once in each process."""
    return _Layout()
