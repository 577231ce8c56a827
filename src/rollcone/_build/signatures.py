"""Types of the arguments that Python passes to compiled kernels.

An entry (a kernel that Python calls) states the type of each argument as an annotation: `int`,
`float`, `bool`, one of the arrays below, or a group, which is a NamedTuple of those. The build
reads the annotations to compile the entry; at run time the same annotations say how to lay out the
arguments in memory, and a text made of them is compared with the one that the library carries.

The name of an array type is that of its numbers and its number of dimensions; all are in C order.
"""

from __future__ import annotations

import sys
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class ArrayType:
    """The name of an array's numbers (a NumPy dtype) and its dimensions."""

    numbers: str
    dimensions: int

    def __str__(self) -> str:
        return f"{self.numbers}[{', '.join(':' * self.dimensions)}]"


@dataclass(frozen=True)
class GroupType:
    """A NamedTuple of arrays and numbers: its class, and name and type of each field."""

    made_by: type
    fields: tuple[tuple[str, ArgumentType], ...]

    def __str__(self) -> str:
        inside = ", ".join(f"{name}: {text_of(kind)}" for name, kind in self.fields)
        return f"{self.made_by.__name__}({inside})"


ArgumentType = ArrayType | GroupType | type

Float1 = Annotated[NDArray[np.float64], ArrayType("float64", 1)]
Float2 = Annotated[NDArray[np.float64], ArrayType("float64", 2)]
Float3 = Annotated[NDArray[np.float64], ArrayType("float64", 3)]
Float4 = Annotated[NDArray[np.float64], ArrayType("float64", 4)]
Int1 = Annotated[NDArray[np.int64], ArrayType("int64", 1)]
Int2 = Annotated[NDArray[np.int64], ArrayType("int64", 2)]
Int3 = Annotated[NDArray[np.int64], ArrayType("int64", 3)]
Int4 = Annotated[NDArray[np.int64], ArrayType("int64", 4)]
Short1 = Annotated[NDArray[np.int32], ArrayType("int32", 1)]
Short2 = Annotated[NDArray[np.int32], ArrayType("int32", 2)]
Byte1 = Annotated[NDArray[np.int8], ArrayType("int8", 1)]
Byte2 = Annotated[NDArray[np.int8], ArrayType("int8", 2)]
Bool1 = Annotated[NDArray[np.bool_], ArrayType("bool", 1)]
Bool2 = Annotated[NDArray[np.bool_], ArrayType("bool", 2)]


@dataclass(frozen=True)
class Signature:
    """Names and types of an entry's arguments, and the types of what it returns."""

    arguments: tuple[tuple[str, ArgumentType], ...]
    returns: tuple[type, ...]

    def __str__(self) -> str:
        inside = ", ".join(f"{name}: {text_of(kind)}" for name, kind in self.arguments)
        return f"({inside}) -> ({', '.join(kind.__name__ for kind in self.returns)})"

    def name_of(self, path: tuple[int, ...]) -> str:
        """Return the name of an argument by its number, or `group.field` by two numbers."""
        name, kind = self.arguments[path[0]]
        if len(path) == 1:
            return name
        assert isinstance(kind, GroupType)
        return f"{name}.{kind.fields[path[1]][0]}"


def signature_of(function: Callable[..., Any]) -> Signature:
    """Return the signature that the annotations of an entry state; TypeError if one is missing."""
    hints = _hints(function, function.__globals__)
    returned = hints.pop("return", None)
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    missing = [name for name in names if name not in hints]
    if missing:
        raise TypeError(f"{function.__qualname__}: no type is stated for {', '.join(missing)}")
    return Signature(
        tuple((name, argument_type(hints[name])) for name in names), tuple(_returned(returned))
    )


def _hints(owner: Any, names: dict[str, Any]) -> dict[str, Any]:
    """Return the annotations of a function or class, evaluated with the names of its module.

    `typing.get_type_hints` does so, too, and takes five times as long.
    """
    found = {}
    for name, hint in owner.__annotations__.items():
        text = getattr(hint, "__forward_arg__", hint)  # NamedTuple wraps texts
        if isinstance(text, str):
            found[name] = names[text] if text in names else eval(text, names)
        else:
            found[name] = text
    return found


def argument_type(hint: Any) -> ArgumentType:
    """Return what an annotation stands for."""
    if hint is int or hint is float or hint is bool:
        return typing.cast(type, hint)
    if isinstance(hint, type):
        return _group(hint)
    found = hint.__metadata__[0] if typing.get_origin(hint) is Annotated else None
    if isinstance(found, ArrayType):
        return found
    raise TypeError(f"{hint!r} is not a type that kernels take")


@cache
def _group(made_by: type) -> GroupType:
    """Return the type of a NamedTuple; TypeError for other classes."""
    if not issubclass(made_by, tuple) or not hasattr(made_by, "_fields"):
        raise TypeError(f"{made_by!r} is not a type that kernels take")
    hints = _hints(made_by, vars(sys.modules[made_by.__module__]))
    return GroupType(made_by, tuple((name, argument_type(hints[name])) for name in made_by._fields))


def text_of(kind: ArgumentType) -> str:
    """Return the text of one type, as the library carries it."""
    return kind.__name__ if isinstance(kind, type) else str(kind)


def words_of(kind: ArgumentType) -> int:
    """Return how many words of 8 bytes an argument takes in a frame of arguments."""
    if isinstance(kind, ArrayType):
        return 5 + 2 * kind.dimensions
    if isinstance(kind, GroupType):
        return sum(words_of(field) for _, field in kind.fields)
    return 1


def _returned(hint: Any) -> Iterator[type]:
    if hint is None:
        return
    for kind in typing.get_args(hint) if typing.get_origin(hint) is tuple else (hint,):
        if kind not in (int, float, bool):
            raise TypeError(f"{kind!r} is not a type that kernels return")
        yield kind
