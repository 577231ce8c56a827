"""The file of results: what is added comes back, whatever a kill leaves of its last line."""

from __future__ import annotations

import math
import os

import pytest
from bench_cases import result
from hypothesis import given
from hypothesis import strategies as st

import rollcone as rc
from rollcone.bench.results import COLUMNS, NAN, ResultFile, read

LINES = [
    result("a", "x", "solved", 1e-5),
    result("folder/b, with a comma", 'x "y"', "failed", note="it said 'no', and more"),
    result("b", "y", "not supported", NAN, residual=NAN, note="ä"),
]


def written(path, lines=LINES):
    with ResultFile(path) as file:
        for line in lines:
            file.add(line)
    return path


def same(found, lines=LINES):
    return [repr(line) for line in found] == [repr(line) for line in lines]


def test_round_trip(tmp_path):
    path = written(tmp_path / "new" / "solvers.csv")
    assert same(read(path))
    assert path.read_text().splitlines()[0] == ",".join(COLUMNS)
    with ResultFile(path) as file:
        assert same(file.results.values())
        assert set(file.results) == {line.key for line in LINES}
    again = result("a", "x", "failed")
    written(path, [again])  # of the same key: the last one counts
    with ResultFile(path) as file:
        assert file.results[again.key] == again
        assert len(file.results) == len(LINES)


@given(st.data())
def test_cut_anywhere(tmp_path_factory, data):
    """Whole lines are kept, the rest is gone, and more can be added."""
    path = written(tmp_path_factory.mktemp("cut") / "solvers.csv")
    content = path.read_bytes()
    cut = data.draw(st.integers(0, len(content)))
    path.write_bytes(content[:cut])
    whole = max(0, content[:cut].count(b"\n") - 1)
    written(path, LINES[whole:])
    assert path.read_bytes() == content
    assert same(read(path))


def test_every_line_is_there_at_once(tmp_path):
    path = tmp_path / "solvers.csv"
    with ResultFile(path) as file:
        for number, line in enumerate(LINES, 1):
            file.add(line)
            assert same(read(path), LINES[:number])


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("a,b,c\n", "3 of 16 columns"),
        ("\n", "line 3"),
        (",".join(["x"] * 16) + "\n", "could not convert"),
        (",".join(["x", "x", "x", "x"] + ["1"] * 11 + [""]) + "\n", "status '1'"),
    ],
)
def test_damaged_lines_are_told(tmp_path, wrong, words):
    path = written(tmp_path / "solvers.csv")
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:2], wrong, *lines[2:]]))
    for use in (lambda: list(read(path)), lambda: ResultFile(path)):
        with pytest.raises(rc.FileError, match="line 3: damaged") as error:
            use()
        assert words in str(error.value)


@pytest.mark.parametrize("content", [b"time,x\n1,2\n", b"\xff\xfe\n"])
def test_other_files_are_left_alone(tmp_path, content):
    path = tmp_path / "solvers.csv"
    path.write_bytes(content)
    with pytest.raises(rc.FileError, match="no table of results"):
        ResultFile(path)
    assert path.read_bytes() == content


@pytest.mark.skipif(os.name != "posix", reason="folders are protected otherwise")
def test_no_place_for_it(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(rc.FileError, match=r"cannot be written.*--output"):
        ResultFile(tmp_path / "file" / "solvers.csv")


def test_numbers_that_are_none(tmp_path):
    (_, _, last) = read(written(tmp_path / "solvers.csv"))
    assert math.isnan(last.cpu)
    assert math.isnan(last.residual)
