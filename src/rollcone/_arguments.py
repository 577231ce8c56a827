"""Names of arguments: unknown, missing or without a name, in the words of all other input."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any, ParamSpec, TypeVar

from rollcone._check import did_you_mean
from rollcone.errors import ArgumentError

P = ParamSpec("P")
R = TypeVar("R")
Kind = TypeVar("Kind", bound=type[Any])


def unknown_argument(name: str, taker: str, known: Iterable[str]) -> ArgumentError:
    """That `taker` has no argument of this name, what may have been meant, and what there is."""
    names = list(known)
    hint = did_you_mean(name, names)
    return ArgumentError(f"unknown argument {name!r}{hint}; {taker} takes {', '.join(names)}")


def named_arguments(*options: type[Any]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """For functions that take arguments by their names: what Python refuses with a TypeError is an
    `ArgumentError`. `options`: TypedDicts of what `**` takes.

    Names are looked at before the call, so a TypeError of what happens inside stays what it is.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        parameters = inspect.signature(function).parameters.values()
        plain = [one for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD]
        by_name = [one for one in parameters if one.kind is one.KEYWORD_ONLY]
        names = [one.name for one in by_name]
        names += [name for kind in options for name in kind.__annotations__]
        known = {*names, *(one.name for one in plain)}
        needed = [one.name for one in by_name if one.default is one.empty]
        taker = function.__qualname__.removesuffix(".__init__").split(".")[-1]

        @functools.wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            if len(args) > len(plain):
                raise ArgumentError(
                    f"{taker}({args[len(plain)]!r}): takes its arguments by their names, "
                    f"{', '.join(names)}"
                )
            for name in kwargs:
                if name not in known:
                    raise unknown_argument(name, taker, names)
            for name in needed:
                if name not in kwargs:
                    raise ArgumentError(f"{name}: must be given; {taker} takes {', '.join(names)}")
            return function(*args, **kwargs)

        return checked

    return decorate


def named_fields(kind: Kind) -> Kind:
    """The same for a dataclass whose fields are given by their names."""
    kind.__init__ = named_arguments()(kind.__init__)
    return kind
