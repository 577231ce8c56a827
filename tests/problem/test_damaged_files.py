"""Problem files: what is damaged is one clear FileError, never a wrong problem."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
import pytest
from file_cases import load_or_refuse, parts, random_problem, refuse

import rollcone as rc


@pytest.fixture
def saved(tmp_path) -> Path:
    path = tmp_path / "problem.h5"
    rc.save_problem(random_problem(7, sets=("ellipse", "polygon")), path)
    return path


def test_missing_directory_empty_and_text(tmp_path):
    refuse(tmp_path / "absent.h5", "no such file")
    refuse(tmp_path, "is a directory")
    for name, content, reason in (
        ("empty.h5", b"", "is empty"),
        (
            "text.hdf5",
            b"5\n1\n0\n",
            "as a Siconos text file: the first matrix: rows: 1 wanted, 0 left",
        ),
        ("words.h5", b"once upon a time", "no format known here; supported: Rollcone"),
        ("signature.h5", b"\x89HDF\r\n\x1a\n", "cannot be read"),
        ("signature.npz", b"PK\x03\x04", "cannot be read"),
    ):
        (tmp_path / name).write_bytes(content)
        refuse(tmp_path / name, reason)


def test_truncated_anywhere(saved):
    whole = saved.read_bytes()
    for size in np.linspace(0, len(whole) - 1, 150).astype(int):
        saved.write_bytes(whole[:size])
        assert load_or_refuse(saved) is None, size


def test_flipped_bits_never_change_a_number(saved):
    whole, want = saved.read_bytes(), parts(rc.load_problem(saved))
    rng = np.random.default_rng(0)
    refused = 0
    for position in rng.integers(0, len(whole), 200):
        damaged = bytearray(whole)
        damaged[position] ^= 1 << rng.integers(8)
        saved.write_bytes(damaged)
        found = load_or_refuse(saved)
        refused += found is None
        assert found is None or parts(found) == want, position
    assert refused > 100


def test_overwritten_stretches(saved):
    whole, want = saved.read_bytes(), parts(rc.load_problem(saved))
    rng = np.random.default_rng(1)
    for _ in range(100):
        at, size = rng.integers(0, len(whole)), rng.integers(2, 2000)
        saved.write_bytes(whole[:at] + rng.bytes(size) + whole[at + size :])
        found = load_or_refuse(saved)
        assert found is None or parts(found) == want, at


CHANGES = {
    "version 2 of the format": lambda f: f.attrs.modify("version", 2),
    "version.*must be a whole number": lambda f: f.attrs.create("version", 1.5),
    "of the format 'other'": lambda f: f.attrs.create("format", np.bytes_("other")),
    "attribute law: must be .* text of fixed length": lambda f: f.attrs.create("law", "exact"),
    "law = 'exakt': must be one of.*did you mean 'exact'": lambda f: f.attrs.create(
        "law", np.bytes_("exakt")
    ),
    "rows = 4: must be one of 2, 3, 5, 6": lambda f: f.attrs.modify("rows", 4),
    "form = 'global'": lambda f: f.attrs.create("form", np.bytes_("global")),
    "attribute rows is missing": lambda f: f.attrs.__delitem__("rows"),
    "attribute shape": lambda f: f["body/H"].attrs.create("shape", [1, 2, 3]),
    "body/H of shape": lambda f: f["body/H"].attrs.create("shape", [17, 10**15]),
    "delassus/W is missing": lambda f: f.attrs.create("form", np.bytes_("delassus")),
    "compliance is missing": lambda f: f.__delitem__("compliance"),
    "body/v_free.*finite": lambda f: f["body/v_free"].write_direct(np.full(24, np.nan)),
    "body/b.*finite": lambda f: f["body/b"].write_direct(np.full(17, np.inf)),
    "radii.*must be finite": lambda f: f["friction/radii"].__setitem__((0, 0), np.nan),
    "radii = -1": lambda f: f["friction/radii"].__setitem__((0, 0), -1.0),
    "radii of a disc": lambda f: f["friction/kinds"].__setitem__((0, 0), 0),
    "kind 7 of a set": lambda f: f["friction/kinds"].__setitem__((0, 0), 7),
    "kind -5 of a set": lambda f: f["friction/kinds"].__setitem__((0, 0), -5),
    "bounds": lambda f: f["bounds"].__setitem__(0, [np.nan, 1.0]),
    "compliance": lambda f: f["compliance"].__setitem__(0, -1.0),
    "body/H.indices": lambda f: f["body/H/indices"].__setitem__(0, 24),
    "indices: -1": lambda f: f["body/H/indices"].__setitem__(0, -1),
    "body/H.indptr": lambda f: f["body/H/indptr"].__setitem__(3, 0),
    "body/H.data.*finite": lambda f: f["body/H/data"].__setitem__(0, np.nan),
    "M is not symmetric": lambda f: f["body/mass/blocks"].__setitem__((0, 0, 1), 99.0),
    "masses must be > 0": lambda f: f["body/mass/blocks"].__setitem__((0, 0, 0), -99.0),
}


@pytest.mark.parametrize("reason", CHANGES)
def test_wrong_content(saved, reason):
    with h5py.File(saved, "r+") as file:
        CHANGES[reason](file)
    refuse(saved, reason)


REPLACED = {
    "compliance of shape": ("compliance", np.zeros(16)),
    "friction/radii of shape": ("friction/radii", np.zeros((4, 5))),
    "friction/kinds.*whole": ("friction/kinds", np.zeros((3, 2))),
    "bounds of shape": ("bounds", np.zeros(4)),
    "body/b: must be an array": ("body/b", np.array(["a"] * 17, dtype="S1")),
    "body/mass/blocks of shape": ("body/mass/blocks", np.zeros((4, 36))),
    r"M of shape \(4, 6, 3\)": ("body/mass/blocks", np.zeros((4, 6, 3))),
    "body/H/indices of shape": ("body/H/indices", np.zeros(3, dtype=int)),
}


@pytest.mark.parametrize("reason", REPLACED)
def test_wrong_shapes_and_types(saved, reason):
    name, value = REPLACED[reason]
    with h5py.File(saved, "r+") as file:
        del file[name]
        file[name] = value
    refuse(saved, reason)


def test_absurd_sizes_are_not_believed(saved):
    with h5py.File(saved, "r+") as file:
        for name, columns in (("friction/kinds", 2), ("bounds", 2)):
            dtype = file[name].dtype
            del file[name]
            file.create_dataset(name, shape=(10**13, columns), dtype=dtype, chunks=(1024, columns))
    refuse(saved, "friction/kinds of shape.*not all of it is in the file")


def test_nothing_is_read_from_other_files(saved, tmp_path):
    other = tmp_path / "other.h5"
    rc.save_problem(random_problem(7), other)
    with h5py.File(saved, "r+") as file:
        del file["compliance"]
        file["compliance"] = h5py.ExternalLink(str(other), "compliance")
    refuse(saved, "compliance is missing")
    with h5py.File(saved, "r+") as file:
        del file["compliance"]
        raw = [(str(other), 0, 17 * 8)]
        file.create_dataset("compliance", shape=(17,), dtype="f8", external=raw)
    refuse(saved, "not all of it is in the file")


def test_other_hdf5_files_are_named(tmp_path):
    path = tmp_path / "other.hdf5"
    with h5py.File(path, "w") as file:
        file.create_group("fclib")
        file.create_group("solution")
    refuse(path, r"an HDF5 file \(root groups: fclib, solution\); supported: Rollcone")
    with h5py.File(path, "w"):
        pass
    refuse(path, r"an HDF5 file \(root groups: none\)")
