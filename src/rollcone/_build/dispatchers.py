"""The decorators of a build: functions become Numba dispatchers.

Numba compiles a kernel when another kernel calls it. An entry is compiled by itself, for the types
that it states; kernels that call it only declare it, and the linker finds it by its symbol.

Only the process of a build imports this module and the others that know Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
from numba.core import funcdesc, types, typing
from numba.core.registry import CPUDispatcher, cpu_target
from numba.np import numpy_support

from rollcone._build import mode
from rollcone._build.numba_intrinsics import Reference
from rollcone._build.signatures import (
    ArgumentType,
    ArrayType,
    GroupType,
    Signature,
    signature_of,
)
from rollcone._build.writes import KernelCompiler

# Kernels allocate nothing, so no array needs its references counted. Division by zero gives what
# IEEE arithmetic says. No kernel is called by Numba's own wrappers for Python or C. `forceinline`
# is said of each kernel, since Numba hands it down to callees that do not say otherwise.
_OPTIONS: dict[str, Any] = {
    "error_model": "numpy",
    "_nrt": False,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "boundscheck": mode.bounds_checks,
    "pipeline_class": KernelCompiler,
}
_NUMBERS = {int: types.int64, float: types.float64, bool: types.boolean}

ENTRIES: dict[str, EntryDispatcher] = {}  # by module and name


def kernel(function: Callable[..., Any]) -> Any:
    """Make a function that other kernels call."""
    return numba.njit(forceinline=False, **_OPTIONS)(function)


def inlined(function: Callable[..., Any]) -> Any:
    """Make a function that is copied into each caller."""
    return numba.njit(forceinline=True, **_OPTIONS)(function)


def entry(function: Callable[..., Any]) -> Any:
    """Make a function that Python calls; it is compiled for the types that it states."""
    made = numba.njit(forceinline=False, **_OPTIONS)(function)
    made.__class__ = EntryDispatcher
    ENTRIES[made.name] = made
    return made


class EntryDispatcher(CPUDispatcher):
    """The dispatcher of an entry: declared where kernels call it, compiled by `compile_stated`."""

    @property
    def name(self) -> str:
        return f"{self.py_func.__module__}.{self.py_func.__name__}"

    @property
    def symbol(self) -> str:
        """The name of the compiled function, as other kernels call it."""
        return "kernel_" + self.name.replace(".", "_")

    @property
    def stated(self) -> Signature:
        return signature_of(self.py_func)

    def compile(self, sig: Any) -> Any:
        """Declare the function, for the stated types whatever a caller has: Numba converts numbers
        and refuses the rest."""
        signature = self.stated
        taken, returned = argument_types(signature), return_type(signature)
        if taken not in self.overloads:
            described = funcdesc.PythonFunctionDescriptor(
                True, self.py_func.__module__, self.py_func.__name__, self.symbol, "", {},
                returned, {}, tuple(name for name, _ in signature.arguments), (),
                mangler=lambda *_args, **_options: self.symbol, argtypes=taken, env_name="",
            )  # fmt: skip
            known_by = object()
            cpu_target.target_context.insert_user_function(known_by, described, [])
            self.overloads[taken] = SimpleNamespace(
                signature=typing.signature(returned, *taken), entry_point=known_by,
                objectmode=False, fndesc=described,
            )  # fmt: skip
        return self.overloads[taken].entry_point

    def compile_stated(self) -> Any:
        """Compile the function itself; returns Numba's result."""
        taken = argument_types(self.stated)
        self.overloads.pop(taken, None)
        super().compile(taken)
        return self.overloads.pop(taken)


def argument_types(signature: Signature) -> tuple[Any, ...]:
    """Return Numba's types of arguments; a group is passed by reference."""
    return tuple(
        Reference(_group_type(kind)) if isinstance(kind, GroupType) else _plain_type(kind)
        for _, kind in signature.arguments
    )


def return_type(signature: Signature) -> Any:
    """Return Numba's type of what an entry returns."""
    found = [_NUMBERS[kind] for kind in signature.returns]
    if len(found) == 1:
        return found[0]
    return types.BaseTuple.from_types(found) if found else types.none


def _plain_type(kind: ArgumentType) -> Any:
    if isinstance(kind, ArrayType):
        numbers = numpy_support.from_dtype(np.dtype(kind.numbers))
        return types.Array(numbers, kind.dimensions, "C")
    return _NUMBERS[kind]  # type: ignore[index]


def _group_type(kind: GroupType) -> Any:
    # In memory a bool of a group is a word, as all else is.
    fields = [types.int64 if field is bool else _plain_type(field) for _, field in kind.fields]
    return types.NamedTuple(fields, kind.made_by)
