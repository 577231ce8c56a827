"""Valid files of every format, damaged at random: a FileError or a problem, nothing else."""

from __future__ import annotations

import tempfile
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import h5py
import numpy as np
import pytest
import siconos_cases
from fclib_cases import STORAGES, global_arrays, local_arrays, plain_problem, write_by_hand
from file_cases import random_problem
from hypothesis import given, settings
from hypothesis import strategies as st
from test_heap_archives import heap_entries

import rollcone as rc

NUMBERS = (
    b"0", b"-1", b"1000000000000", b"99999999999999999999", b"2147483648", b"1e308", b"1e-320",
    b"nan", b"-inf", b"0.5", b"-0.0", b"x", b":", b"col", b"1" * 400,
)  # fmt: skip
BLOBS = (b"\0" * 8, b"\xff" * 8, b"\xff" * 4 + b"\x7f", (10**12).to_bytes(8, "little"), b"\x01\0\0")


def by_fclib(kind: str, rows: int, storage: str) -> Callable[[Path], None]:
    arrays = (global_arrays if kind == "global" else local_arrays)(3, rows, 2, extra=1)
    return lambda path: write_by_hand(path, arrays, storage)


def by_siconos(kind: str, rows: int, storage: str) -> Callable[[Path], None]:
    arrays = (global_arrays if kind == "global" else local_arrays)(3, rows, 2)
    return lambda path: path.write_text(siconos_cases.problem_text(arrays, storage))


def save_heap(path: Path) -> None:
    with path.open("wb") as file:
        np.savez(file, **heap_entries())


BINARY: dict[str, Callable[[Path], None]] = {
    "own, bodies": lambda path: rc.save_problem(random_problem(7, contacts=2), path),
    "own, Delassus": lambda path: rc.save_problem(random_problem(7, "delassus", contacts=2), path),
    "fclib, with solutions": lambda path: rc.save_fclib(
        plain_problem(3, "body", 5, 2, 1), path, solution=np.ones(11), guesses=[np.ones(11)]
    ),
    "heap": save_heap,
} | {
    f"fclib, {kind}, {rows} rows, {storage}": by_fclib(kind, rows, storage)
    for kind, rows in (("local", 2), ("local", 5), ("global", 3), ("global", 5))
    for storage in STORAGES
}
TEXT = {
    f"{kind}, {rows} rows, {storage}": by_siconos(kind, rows, storage)
    for kind, rows in (("local", 2), ("local", 5), ("global", 3), ("global", 5))
    for storage in siconos_cases.STORAGES
}


@cache
def valid(name: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "problem"
        (BINARY | TEXT)[name](path)
        assert rc.load_problem(path).contacts > 0
        return path.read_bytes()


def load_damaged(path: Path, content: bytes) -> None:
    """Only a FileError may come out, and no memory but some times the file is taken."""
    path.write_bytes(content)
    tracemalloc.start()
    for load in (rc.load_problem, rc.load_fclib):
        with suppress(rc.FileError):
            load(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5e6 + 100 * len(content), peak


places = st.floats(0, 1, exclude_max=True)
edits = st.lists(
    st.tuples(
        st.sampled_from(["flip", "put", "cut", "drop", "double", "splice"]),
        places,
        places,
        st.integers(0, 255),
    ),
    min_size=1,
    max_size=4,
)


def damaged(content: bytes, edit: tuple[str, float, float, int], other: bytes) -> bytes:
    what, begin, end, byte = edit
    a = int(begin * len(content))
    b = min(a + 1 + int(200 * end**3), len(content))
    if what == "flip":
        return content[:a] + bytes([byte ^ content[a]]) + content[a + 1 :] if content else content
    if what == "put":
        blob = BLOBS[byte % len(BLOBS)]
        return content[:a] + blob + content[a + len(blob) :]
    if what == "cut":
        return content[:a]
    if what == "drop":
        return content[:a] + content[b:]
    if what == "double":
        return content[:b] + content[a:]
    c = int(end * len(other))
    return content[:a] + other[c : c + b - a] + content[b:]


@settings(max_examples=60)
@given(name=st.sampled_from(sorted(BINARY)), other=st.sampled_from(sorted(BINARY)), edits=edits)
def test_binary_files(tmp_path_factory, name, other, edits):
    content = valid(name)
    for edit in edits:
        content = damaged(content, edit, valid(other))
    load_damaged(tmp_path_factory.getbasetemp() / "damaged.bin", content)


@settings(max_examples=60)
@given(
    name=st.sampled_from(sorted(TEXT)),
    other=st.sampled_from(sorted(TEXT)),
    edits=edits,
    words=st.lists(
        st.tuples(places, st.sampled_from([12, 10**9]), st.sampled_from(NUMBERS)), max_size=2
    ),
)
def test_texts(tmp_path_factory, name, other, edits, words):
    content = valid(name)
    for place, most, word in words:  # half of them among the sizes at the begin
        lines = content.split(b"\n")
        at = int(place * min(len(lines), most))
        lines[at] = b" ".join([*lines[at].split()[:-1], word])
        content = b"\n".join(lines)
    for edit in edits[: 4 - 2 * len(words)]:
        content = damaged(content, edit, valid(other))
    load_damaged(tmp_path_factory.getbasetemp() / "damaged.dat", content)


@pytest.mark.parametrize("name", ["fclib, with solutions", "own, bodies", "own, Delassus"])
@pytest.mark.parametrize("huge", [10**12, -1])
def test_no_size_in_hdf5_is_believed(tmp_path, name, huge):
    """Every number, one after the other, is replaced; and every array by a huge one."""
    path = tmp_path / "problem.h5"
    names: list[str] = []
    path.write_bytes(valid(name))
    with h5py.File(path) as file:
        file.visititems(lambda name, entry: names.append(name) if hasattr(entry, "shape") else None)
    for entry in names:
        path.write_bytes(valid(name))
        with h5py.File(path, "r+") as file:
            size, shape, dtype = file[entry].size, file[entry].shape, file[entry].dtype
            del file[entry]
            if size == 1 and dtype.kind == "i":
                file[entry] = np.array([huge])
            elif shape and huge > 0:
                file.create_dataset(entry, shape=(huge, *shape[1:]), dtype=dtype)
            else:
                continue
        load_damaged(path, path.read_bytes())


def test_given_files_all_load():
    problems = Path(__file__).parents[3] / "shared" / "problems"
    if not problems.exists():
        pytest.skip("the problems made by others are not here")
    paths = [path for path in sorted(problems.glob("*/*")) if path.is_file()]
    assert len(paths) > 20
    for path in paths:
        problem = rc.load_problem(path)
        assert (problem.law, problem.extra_rows) == ("exact", 0)
        assert problem.contacts > 0
