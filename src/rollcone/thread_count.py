"""How many threads a simulation may use.

    rc.threads()        what is used now
    rc.set_threads(4)   for this process

Results have the same bits for any number. At first it is the environment variable ROLLCONE_THREADS,
or else the CPUs that this process may use, at most 8. A forked process begins with one: its parent
or its siblings are likely to use the others.
"""

from __future__ import annotations

import operator
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from rollcone.errors import InputError

_USUAL_LIMIT = 8
_LARGEST = 1024
_VARIABLE = "ROLLCONE_THREADS"

_chosen: int | None = None
_forked = False


def threads() -> int:
    """How many threads a simulation of this process uses."""
    return _chosen if _chosen is not None else 1 if _forked else _at_first()


def set_threads(n: int) -> None:
    """Use `n` threads in this process from now on, 1 to 1024."""
    global _chosen
    _chosen = _checked("n", n)


def reason() -> str:
    """Why so many."""
    if _chosen is not None:
        return "rc.set_threads"
    if _forked:
        return "a forked process"
    if os.environ.get(_VARIABLE, "").strip():
        return f"{_VARIABLE} is set"
    many = usable_cpus()
    return f"{many} CPUs may be used{f', and {_VARIABLE} is not set' if many > threads() else ''}"


@contextmanager
def using_threads(n: int) -> Iterator[None]:
    """So many for a while."""
    global _chosen
    before = _chosen
    set_threads(n)
    try:
        yield
    finally:
        _chosen = before


def say_if_forked() -> None:
    """On stderr, once: that a forked process uses fewer threads than its parent would."""
    if _forked and _chosen is None and _at_first() > 1:
        _say_forked()


@lru_cache(maxsize=1)
def _say_forked() -> None:
    text = "a forked process uses one thread; rc.set_threads(n) in it asks for more"
    print(f"rollcone: {text}", file=sys.stderr, flush=True)


@lru_cache(maxsize=1)
def _at_first() -> int:
    text = os.environ.get(_VARIABLE, "")
    if not text.strip():
        return min(usable_cpus(), _USUAL_LIMIT)
    try:
        return _checked(_VARIABLE, int(text))
    except ValueError:
        raise InputError(f"{_VARIABLE} = {text!r}: must be a whole number from 1 to 1024") from None


def usable_cpus() -> int:
    """How many CPUs this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _checked(name: str, value: object) -> int:
    words = f"{name} = {value!r}: must be a whole number from 1 to {_LARGEST}"
    if isinstance(value, bool):
        raise InputError(words)
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise InputError(words) from None
    if not 1 <= number <= _LARGEST:
        raise InputError(words)
    return number


def _after_fork() -> None:
    global _chosen, _forked
    _chosen, _forked = None, True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
