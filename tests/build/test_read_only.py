"""Read-only arrays: refused where a kernel writes to them, and taken as they are elsewhere."""

import re
import subprocess
import sys

import numpy as np
import pytest

from fingerprints.scenes import SCENES
from own_kernels import group_kernels, writing_kernels
from own_kernels.group_kernels import Group, change, newest, sums
from own_kernels.writing_kernels import Pair
from rollcone._build.calls import Entry
from rollcone._build.signatures import ArrayType, GroupType

WRITES = {
    "read": set(),
    "write_first": {"a"},
    "by_entry": {"pair.second"},
    "by_result": {"a", "b"},
    "by_tuple": {"b"},
    "by_stars": {"a"},
    "by_exchange": {"a", "b"},
    "by_group": {"b", "pair.first"},
    "by_array": {"a"},
    "by_slice": {"b"},
    "by_atomic": {"b"},
    "by_address": {"b"},
}


def locked(array: np.ndarray) -> np.ndarray:
    """Return a copy of an array that is read-only."""
    copy = array.copy()
    copy.flags.writeable = False
    return copy


def group() -> Group:
    """Return a group of three rows."""
    whole, line, table = np.zeros(3, dtype=np.int64), np.ones(3), np.ones((3, 4))
    other, flags = np.zeros((3, 2), dtype=np.int64), np.ones(3, dtype=bool)
    return Group(whole, line, table, other, np.ones((3, 2, 5)), flags, 0.5, True, 3)


def arguments_of(entry: Entry) -> tuple[list, list[str]]:
    """Return arguments that an entry takes, all arrays being read-only that it does not write, and
    the names of all its arrays, `group.field` in groups."""
    arguments, names = [], []

    def made(name, kind):
        if not isinstance(kind, ArrayType):
            return kind(2)
        names.append(name)
        array = np.ones((2,) * kind.dimensions, dtype=kind.numbers)
        return array if name in entry._written else locked(array)

    for name, kind in entry._signature.arguments:
        if isinstance(kind, GroupType):
            fields = (made(f"{name}.{field}", own) for field, own in kind.fields)
            arguments.append(kind.made_by(*fields))
        else:
            arguments.append(made(name, kind))
    return arguments, names


def with_locked(entry: Entry, arguments: list, name: str) -> list:
    """Return the arguments with the array of this name read-only."""
    first, _, field = name.partition(".")
    k = [argument for argument, _ in entry._signature.arguments].index(first)
    value = arguments[k]
    lone = value._replace(**{field: locked(getattr(value, field))}) if field else locked(value)
    return [*arguments[:k], lone, *arguments[k + 1 :]]


@pytest.mark.usefixtures("own_kernels")
@pytest.mark.parametrize("name", WRITES)
def test_what_is_written_is_found(name):
    assert getattr(writing_kernels, name)._written == WRITES[name]


@pytest.mark.usefixtures("own_kernels")
@pytest.mark.parametrize("name", WRITES)
def test_arrays_that_are_written_must_be_writeable(name):
    entry = getattr(writing_kernels, name)
    arguments, names = arguments_of(entry)
    assert set(names) >= WRITES[name]
    for call in (entry, entry.without_lock):
        call(*arguments)  # all others are read-only
        for array in WRITES[name]:
            with pytest.raises(TypeError) as caught:
                call(*with_locked(entry, arguments, array))
            said = f"{name}: {array} is read-only, and the kernel writes to it"
            assert str(caught.value) == f"own_kernels.writing_kernels.{said}"


@pytest.mark.usefixtures("own_kernels")
def test_fields_of_a_group():
    """`change` writes to all arrays of its group but the flags; `sums` and `newest` only read."""
    assert change._written == {"g.whole", "g.line", "g.table", "g.other", "g.solid"}
    read_only = Group(*(locked(np.asarray(a)) for a in group()[:6]), 0.5, True, 3)
    assert newest(read_only, 2) == 3.0
    out = np.zeros(7)
    assert sums(read_only, out) == (0.5, True, 3)
    assert out[1] == 3.0
    assert change(group()._replace(flags=read_only.flags), 1) == 4
    for field in ("whole", "line", "table", "other", "solid"):
        g = group()._replace(**{field: getattr(read_only, field)})
        with pytest.raises(TypeError, match=rf"change: g\.{field} is read-only, and the kernel"):
            change(g, 1)
    with pytest.raises(TypeError, match="sums: out is read-only"):
        sums(read_only, locked(out))


@pytest.mark.usefixtures("own_kernels")
def test_a_refused_call_writes_nothing():
    a = locked(np.zeros(2))
    with pytest.raises(TypeError):
        writing_kernels.write_first(a, np.ones(2))
    assert not a.any()


@pytest.mark.usefixtures("own_kernels")
def test_a_mapped_file_is_read_without_a_copy(tmp_path):
    np.save(tmp_path / "numbers.npy", np.array([3.0, 4.0]))
    mapped = np.asarray(np.load(tmp_path / "numbers.npy", mmap_mode="r"))
    assert writing_kernels.read(mapped, np.ones(2)) == 6.0
    with pytest.raises(TypeError, match="a is read-only"):
        writing_kernels.write_first(mapped, np.ones(2))


UNKNOWN = """
import sys
from rollcone._build import mode
mode.compiling = True
sys.path.insert(0, sys.argv[1])
import unknown_kernels
from rollcone._build.compile import compile_piece
compile_piece("unknown_kernels.fill")
"""
KERNEL = """
from __future__ import annotations
from rollcone._build.kernels import entry
from rollcone._build.signatures import Float1
@entry
def fill(a: Float1) -> None:
    a.fill(1.0)
"""


def test_an_operation_that_is_not_known_ends_the_build(tmp_path):
    (tmp_path / "unknown_kernels.py").write_text(KERNEL)
    call = [sys.executable, "-c", UNKNOWN, str(tmp_path)]
    ended = subprocess.run(call, capture_output=True, text=True)
    assert ended.returncode == 1
    said = ended.stderr.splitlines()[-1]
    assert re.search(
        r"UnknownUseError: fill hands an array to array\.fill, which may write to it$", said
    )


SHORT = (
    "balls_with_rolling_friction", "every_shape_on_a_floor", "joints_by_every_scheme_and_solver",
    "problems_by_every_solver", "linear_complementarity",
)  # fmt: skip


@pytest.mark.parametrize("scene", SHORT)
def test_nothing_else_is_written(scene, monkeypatch):
    """Arrays that no kernel is known to write to are the same after each call of a run."""
    call, seen = Entry.__call__, set()

    def watched(entry, *arguments):
        if not entry._ready:
            entry._open()
        named = list(arrays_of(entry, arguments))
        outputs = [array for name, array in named if name in entry._written]
        inputs = [
            (name, array, array.tobytes())
            for name, array in named
            if not any(np.may_share_memory(array, other) for other in outputs)
        ]
        result = call(entry, *arguments)
        for name, array, before in inputs:
            assert array.tobytes() == before, (entry._name, name)
        seen.add(entry._name)
        return result

    monkeypatch.setattr(Entry, "__call__", watched)
    SCENES[scene]()
    assert len(seen) > 5


def arrays_of(entry: Entry, arguments: tuple):
    """Yield the arrays of a call with their names."""
    for (name, kind), value in zip(entry._signature.arguments, arguments, strict=True):
        if isinstance(kind, GroupType):
            for field, array in zip(kind.fields, value, strict=True):
                if isinstance(field[1], ArrayType):
                    yield f"{name}.{field[0]}", array
        elif isinstance(kind, ArrayType):
            yield name, value


def test_the_kernels_of_groups_are_those_that_are_tested():
    entries = {name for name, one in vars(writing_kernels).items() if isinstance(one, Entry)}
    assert entries == set(WRITES)
    assert isinstance(group_kernels.change, Entry)
    assert Pair._fields == ("first", "second")
