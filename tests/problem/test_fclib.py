"""FCLIB files: written and read back, and read from files made by hand."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import scipy.sparse as sp
from fclib_cases import (
    STORAGES,
    global_arrays,
    local_arrays,
    plain_problem,
    put_matrix,
    write_by_hand,
)
from file_cases import parts, refuse
from hypothesis import given, settings
from hypothesis import strategies as st

import rollcone as rc
from rollcone.problem.bodies import BodyForm
from rollcone.problem.delassus import DelassusForm
from rollcone.problem.files import read_file
from rollcone.problem.mass import BlockMass, SparseMass

PROBLEMS = Path(__file__).parents[3] / "shared" / "problems"
FORMS = ("body", "sparse mass", "delassus")


def fclib_round_trip(problem: rc.ContactProblem, **others: Any) -> rc.FclibFile:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a problem.bin"
        rc.save_fclib(problem, path, **others)
        assert [file.name for file in Path(folder).iterdir()] == [path.name]
        found = rc.load_fclib(path)
        assert parts(rc.load_problem(path)) == parts(found.problem)
        return found


def same(found: rc.ContactProblem, want: rc.ContactProblem) -> None:
    inexact = ("v_free", "q") if isinstance(want.form, BodyForm) else ()  # come by M^-1 f
    have, wanted = parts(found), parts(want)
    assert {k: v for k, v in have.items() if k not in inexact} == {
        k: v for k, v in wanted.items() if k not in inexact
    }
    np.testing.assert_allclose(
        found.q, want.q, rtol=0, atol=1e-13 * (1 + np.abs(want.q).max(initial=0))
    )


@settings(max_examples=25)
@given(
    seed=st.integers(0, 2**32),
    form=st.sampled_from(FORMS),
    rows=st.sampled_from([2, 3, 5]),
    contacts=st.integers(1, 4),
    extra=st.integers(0, 3),
    guesses=st.integers(0, 3),
    text=st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=40),
)
def test_round_trip(seed, form, rows, contacts, extra, guesses, text):
    problem = plain_problem(seed, form, rows, contacts, extra)
    p = np.random.default_rng(seed).normal(size=(guesses + 1, problem.size))
    found = fclib_round_trip(problem, solution=p[0], guesses=p[1:], title=text, description=text)
    same(found.problem, problem)
    assert (found.title, found.description, found.math_info) == (text, text, "")
    np.testing.assert_array_equal(found.solution, p[0])
    assert len(found.guesses) == guesses
    for guess, want in zip(found.guesses, p[1:], strict=True):
        np.testing.assert_array_equal(guess, want)


def test_nothing_stored_beside_the_problem():
    found = fclib_round_trip(plain_problem(1, "body", 3), math_info="unique")
    assert (found.title, found.description, found.math_info) == ("", "", "unique")
    assert (found.guesses, found.solution) == ((), None)
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.title = "other"


def test_what_is_written_is_what_fclib_means(tmp_path):
    problem = plain_problem(3, "body", 5, extra=2)
    solution = rc.solve(problem, max_iterations=5)
    path = tmp_path / "problem.hdf5"
    nothing = np.zeros(problem.size)
    rc.save_fclib(problem, path, solution=solution, guesses=[nothing], title="Heap")
    with h5py.File(path) as file:
        root, end = file["fclib_global_rolling"], file["solution"]
        full = {}
        for name in ("M", "H", "G"):
            m, n, nz = (int(root[name][part][0]) for part in ("m", "n", "nz"))
            i, p, x = (root[name][part][()] for part in "ipx")
            assert (i.dtype, p.dtype, nz) == (np.int32, np.int32, len(x))
            full[name] = sp.coo_matrix((x, (i, p)), shape=(m, n)).toarray()
        f, w, b = (root[f"vectors/{name}"][()] for name in "fwb")
        r, u, v, rows = (end[name][()] for name in "ruvl")
        assert int(root["spacedim"][0]) == 5
        assert int(file["guesses/number_of_guesses"][0]) == 1
        assert sorted(file["guesses/1"]) == ["l", "r", "u", "v"]
        assert root["info/title"].dtype == np.dtype("S5")  # with the zero that ends it in C
    np.testing.assert_array_equal(r, solution.reactions.reshape(-1))
    np.testing.assert_array_equal(rows, solution.row_reactions)
    np.testing.assert_allclose(full["M"] @ v, full["H"] @ r + full["G"] @ rows + f, atol=1e-12)
    np.testing.assert_allclose(u, full["H"].T @ v + w, atol=1e-12)
    np.testing.assert_allclose(full["G"].T @ v + b, solution.row_velocities, atol=1e-12)


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("rows", [2, 3, 5])
@pytest.mark.parametrize("extra", [0, 2])
@pytest.mark.parametrize("make", [local_arrays, global_arrays])
def test_files_made_by_hand(tmp_path, make, extra, rows, storage):
    arrays = make(rows, rows, extra=extra)
    path = tmp_path / "problem.hdf5"
    write_by_hand(path, arrays, storage)
    problem, words = read_file(path)
    W, q = arrays.delassus()
    form = problem.to_delassus().form
    np.testing.assert_allclose(form.W.toarray(), W, rtol=0, atol=1e-13 * np.abs(W).max())
    np.testing.assert_allclose(problem.q, q, rtol=0, atol=1e-13 * np.abs(q).max())
    np.testing.assert_array_equal(problem.cone.radii[:, 0], arrays.mu)
    np.testing.assert_array_equal(problem.cone.radii[:, 2], arrays.mu_r if rows == 5 else 0 * q[:3])
    assert (problem.rows, problem.contacts, problem.law) == (rows, 3, "exact")
    np.testing.assert_array_equal(problem.bounds, [[-np.inf, np.inf]] * extra or np.zeros((0, 2)))
    is_global = make is global_arrays
    assert isinstance(problem.form, BodyForm) is is_global
    kind = ("global" if is_global else "local") + (", rolling" if rows == 5 else "")
    assert words == f"FCLIB file (HDF5), {kind}"
    if not is_global and storage != "triplets":  # there entries come in two parts
        np.testing.assert_array_equal(form.W.toarray(), W)
        assert problem.asymmetry > 1e-5


@pytest.mark.parametrize("keep", [np.triu, np.tril])
def test_one_triangle_of_the_mass_is_mirrored(tmp_path, keep):
    arrays = global_arrays(4, 3)
    W, q = arrays.delassus()
    arrays.matrices["M"] = keep(arrays.matrices["M"])
    write_by_hand(tmp_path / "half.hdf5", arrays)
    problem, words = read_file(tmp_path / "half.hdf5")
    assert words.endswith(f"; {'upper' if keep is np.triu else 'lower'} triangle of M, mirrored")
    assert isinstance(problem.form.mass, BlockMass)
    np.testing.assert_allclose(problem.to_delassus().form.W.toarray(), W, atol=1e-13)
    np.testing.assert_allclose(problem.q, q, atol=1e-13)


def test_zeros_do_not_hide_blocks_or_triangles(tmp_path):
    arrays = global_arrays(4, 3)
    write_by_hand(tmp_path / "zeros.hdf5", arrays)
    M = arrays.matrices["M"]
    with h5py.File(tmp_path / "zeros.hdf5", "r+") as file:
        group = file["fclib_global/M"]
        i, j = np.indices(M.shape)
        for part, value in {"i": i, "p": j, "x": np.triu(M)}.items():
            del group[part]
            group[part] = value.reshape(-1)
        group["nz"][...] = M.size
    problem, words = read_file(tmp_path / "zeros.hdf5")
    assert "upper triangle of M, mirrored" in words
    np.testing.assert_array_equal(problem.form.mass.matrix().toarray(), M)
    assert isinstance(problem.form.mass, BlockMass)


@pytest.mark.parametrize("extra", [0, 2])
@pytest.mark.parametrize("size", [1e-2, 1e-8])
def test_unsymmetric_mass_gives_its_own_delassus_form(tmp_path, size, extra):
    arrays = global_arrays(5, 3, extra=extra)
    arrays.matrices["M"][1, 0] += 2 * size
    arrays.matrices["M"][7, 9] -= size
    write_by_hand(tmp_path / "chute.hdf5", arrays)
    problem, words = read_file(tmp_path / "chute.hdf5")
    assert "M is not symmetric (off by" in words
    W, q = arrays.delassus()
    assert isinstance(problem.form, DelassusForm)
    np.testing.assert_allclose(problem.form.W.toarray(), W, rtol=0, atol=1e-13)
    np.testing.assert_allclose(problem.q, q, rtol=0, atol=1e-13)
    assert 0.01 * size < problem.asymmetry < 10 * size


def test_rounding_of_the_mass_is_no_asymmetry(tmp_path):
    arrays = global_arrays(5, 3)
    arrays.matrices["M"][1, 0] *= 1 + 1e-15
    write_by_hand(tmp_path / "problem.hdf5", arrays)
    problem, words = read_file(tmp_path / "problem.hdf5")
    assert words == "FCLIB file (HDF5), global"
    assert isinstance(problem.form, BodyForm)


def test_text_of_any_encoding_and_reactions_never_written(tmp_path):
    path = tmp_path / "problem.hdf5"
    write_by_hand(path, local_arrays(1, 3))
    with h5py.File(path, "r+") as file:
        file["fclib_local/info/description"] = np.bytes_(b"\xa8Rewriting")
        file["fclib_local/info/title"] = np.array(b"Caf\xc3\xa9", dtype="S40")
        for name in "ru":
            file.create_dataset(f"solution/{name}", shape=(9,), dtype="f8")
        file["guesses/number_of_guesses"] = 1
        file["guesses/1/r"] = np.arange(9)
    found = rc.load_fclib(path)
    assert (found.title, found.description) == ("Café", "\ufffdRewriting")
    np.testing.assert_array_equal(found.solution, np.zeros(9))
    np.testing.assert_array_equal(found.guesses, [np.arange(9.0)])
    with h5py.File(path, "r+") as file:
        file["fclib_local/info/math_info"] = "of variable length"
    assert rc.load_fclib(path).math_info == "(text of variable length, not read)"
    with h5py.File(path, "r+") as file:
        del file["fclib_local/info/math_info"]
        file["fclib_local/info/math_info"] = 3
    assert rc.load_problem(path).contacts == 3
    with pytest.raises(rc.FileError, match="math_info: must be text"):
        rc.load_fclib(path)


def test_no_contacts_and_no_bodies(tmp_path):
    rows = rc.ContactProblem.from_bodies(
        [2.0, 2.0, 2.0], np.eye(3)[:1], [1.0, 0.0, 0.0], bounds=[[-np.inf, np.inf]], rows=3
    )
    same(fclib_round_trip(rows).problem, rows)
    same(fclib_round_trip(rows.to_delassus()).problem, rows.to_delassus())
    empty = rc.ContactProblem.from_delassus(np.zeros((0, 0)), [], rows=2)
    same(fclib_round_trip(empty).problem, empty)
    fixed = rc.ContactProblem.from_bodies(np.zeros((0, 6, 6)), np.zeros((6, 0)), [], rows=3)
    assert fclib_round_trip(fixed).problem.contacts == 2


REFUSED = {
    r"the associated law, but problem.with_law\('exact'\)": {"law": "associated"},
    "contacts of 6 rows, only of 2, 3 or 5": {"rows": 6},
    "friction sets other than discs": {"sliding": rc.Ellipse(0.3, 0.1)},
    "ellipsoid as a friction set": {"sliding": 0.3, "coupling": "ellipsoid"},
    "sets other than discs; rc.save_problem can": {"rolling": rc.Box(0.3, 0.3)},
    "extra rows with bounds, only bilateral": {"bounds": [[0, np.inf]]},
    "with bounds, only bilateral ones": {"bounds": [[-np.inf, np.inf], [-1, 1]]},
    "compliance": {"compliance": 1e-9},
}


@pytest.mark.parametrize("reason", REFUSED)
def test_what_an_fclib_file_cannot_hold(tmp_path, reason):
    options = {"rows": 5, "sliding": 0.3} | REFUSED[reason]
    size = 2 * options["rows"] + len(options.get("bounds", []))
    problem = rc.ContactProblem.from_delassus(np.eye(size), np.ones(size), **options)
    with pytest.raises(rc.InputError, match=f"FCLIB file cannot hold .*{reason}"):
        rc.save_fclib(problem, tmp_path / "problem.hdf5")
    assert not list(tmp_path.iterdir())


def test_unsymmetric_coupling_with_extra_rows(tmp_path):
    W = np.eye(5)
    W[0, 3] = 0.5
    free = {"rows": 3, "bounds": [[-np.inf, np.inf]] * 2}
    for lower, holds in ((0.5 + 1e-15, True), (0.5 + 1e-9, False), (-0.5, False)):
        W[3, 0] = lower
        problem = rc.ContactProblem.from_delassus(W, np.ones(5), **free)
        if holds:
            found = fclib_round_trip(problem).problem.form.W.toarray()
            assert found[0, 3] == found[3, 0] == 0.5
        else:
            with pytest.raises(rc.InputError, match="not symmetric between contacts and extra"):
                rc.save_fclib(problem, tmp_path / "problem.hdf5")


def test_wrong_arguments(tmp_path):
    problem = plain_problem(1, "body", 3)
    path = tmp_path / "problem.hdf5"
    for reason, options in {
        r"solution of shape \(3,\): must be \(9,\)": {"solution": np.zeros(3)},
        r"guesses\[1\].* must be finite": {"guesses": [np.zeros(9), np.full(9, np.nan)]},
        "title = 3: must be text": {"title": 3},
    }.items():
        with pytest.raises(rc.InputError, match=reason):
            rc.save_fclib(problem, path, **options)
    with pytest.raises(rc.InputError, match="must be a ContactProblem"):
        rc.save_fclib("problem", path)
    with pytest.raises(rc.FileError, match="saved as HDF5"):
        rc.save_fclib(problem, tmp_path / "problem.dat")
    with pytest.raises(rc.FileError, match="cannot be written"):
        rc.save_fclib(problem, tmp_path / "nowhere" / "problem.hdf5")
    assert not list(tmp_path.iterdir())
    rc.save_problem(problem, path)
    with pytest.raises(rc.FileError, match="has 0 FCLIB problems"):
        rc.load_fclib(path)
    path.write_bytes(b"3\n1\n")
    with pytest.raises(rc.FileError, match="is not an FCLIB file"):
        rc.load_fclib(path)


def replace(name: str, value: Any) -> Any:
    def change(file: h5py.File) -> None:
        path = f"fclib_global_rolling/{name}"
        if path in file:
            del file[path]
        if value is not None:
            file[path] = value

    return change


CHANGES = {
    "spacedim is missing": replace("spacedim", None),
    "spacedim = 3: must be 5": replace("spacedim", [3]),
    "spacedim: must be an array of whole numbers": replace("spacedim", [5.0]),
    r"spacedim of shape \(2,\)": replace("spacedim", [5, 5]),
    "vectors/mu is missing": replace("vectors/mu", None),
    "mu_r of shape": replace("vectors/mu_r", np.ones(2)),
    "= -1.0": replace("vectors/mu", -np.ones(3)),
    "w of shape": replace("vectors/w", np.ones(14)),
    "f.* must be finite": replace("vectors/f", np.full(12, np.nan)),
    "w has an entry 1e[+]200": replace("vectors/w", np.full(15, 1e200)),
    r"M of shape \(11, 12\): must be \(12, 12\)": replace("M/m", [11]),
    r"H of shape \(12, 10*\)": replace("H/n", np.array([10**12])),
    "nz = -3: must be >= 0": replace("H/nz", [-3]),
    "H: 1000 entries claimed": replace("H/nz", [1000]),
    "H: 10* entries claimed": replace("H/nz", np.array([10**12])),
    "entries claimed, 3 in the file": replace("H/p", [0, 1, 2]),
    "H.rows: .* must be from 0 to 11": replace("H/i", np.full(400, 12)),
    "H.columns: -1 to": replace("H/p", np.full(400, -1)),
    "H.data.*finite": replace("H/x", np.full(400, np.inf)),
    "M.*masses must be > 0": replace("M/x", np.full(400, -1.0)),
    "M is not positive definite": lambda f: put_matrix(
        f["fclib_global_rolling"], "M", np.eye(12) + 9 * (np.eye(12, k=7) + np.eye(12, k=-7))
    ),
    "b is missing": replace("vectors/b", None),
    "G/m is missing": replace("G/m", None),
    r"has 2 FCLIB problems \(fclib_global_rolling, fclib_local\)": lambda f: f.create_group(
        "fclib_local"
    ),
}


@pytest.mark.parametrize("reason", CHANGES)
def test_wrong_content(tmp_path, reason):
    path = tmp_path / "problem.hdf5"
    write_by_hand(path, global_arrays(6, 5, extra=2))
    with h5py.File(path, "r+") as file:
        CHANGES[reason](file)
    refuse(path, reason)


COMPRESSED = {
    "W.indptr: must rise": ("p", [0, 5, 3, 5, 5, 5, 5, 5, 5, 5]),
    "W: 100 entries claimed, 82 in the file": ("p", [0, *[100] * 9]),
    "W: -4 entries claimed": ("p", [0, *[-4] * 9]),
    "p of shape": ("p", [0, 81]),
    "W.indices: 9 to 9": ("i", np.full(82, 9)),
    "W.data.*finite": ("x", np.full(82, np.nan)),
}


@pytest.mark.parametrize("reason", COMPRESSED)
@pytest.mark.parametrize("storage", ["rows", "columns"])
def test_wrong_compressed_matrix(tmp_path, storage, reason):
    path = tmp_path / "problem.hdf5"
    arrays = local_arrays(6, 3)
    arrays.matrices["W"] += 20 * np.eye(9) + 1e-3  # no zeros: 81 entries, and one not used
    write_by_hand(path, arrays, storage)
    part, value = COMPRESSED[reason]
    with h5py.File(path, "r+") as file:
        del file[f"fclib_local/W/{part}"]
        file[f"fclib_local/W/{part}"] = value
    refuse(path, reason)


STORED = {
    r"solution/r of shape \(8,\)": ("solution/r", np.zeros(8)),
    "solution.*finite": ("solution/r", np.full(9, np.nan)),
    "number_of_guesses = 7": ("guesses/number_of_guesses", [7]),
    "number_of_guesses = -1": ("guesses/number_of_guesses", [-1]),
    "guesses/2/r is missing": ("guesses/number_of_guesses", [2]),
    "guesses/1/r: must be an array of numbers": ("guesses/1/r", np.array([b"a"] * 9)),
}


@pytest.mark.parametrize("reason", STORED)
def test_wrong_reactions_leave_the_problem_readable(tmp_path, reason):
    path = tmp_path / "problem.hdf5"
    rc.save_fclib(plain_problem(1, "body", 3), path, solution=np.ones(9), guesses=[np.ones(9)])
    name, value = STORED[reason]
    with h5py.File(path, "r+") as file:
        del file[name]
        file[name] = value
    assert rc.load_problem(path).contacts == 3
    with pytest.raises(rc.FileError, match=reason):
        rc.load_fclib(path)


def test_given_files():
    if not PROBLEMS.exists():
        pytest.skip("the problems made by others are not here")
    for path in sorted(PROBLEMS.glob("*/*.hdf5")):
        found = rc.load_fclib(path)
        again = fclib_round_trip(found.problem, guesses=found.guesses, title=found.title)
        same(again.problem, found.problem)
        assert again.title == found.title != ""
    half = rc.load_problem(PROBLEMS / "coulomb3d/CubeH8.hdf5").form.mass
    assert isinstance(half, SparseMass)
    assert abs(half.matrix() - half.matrix().T).max() == 0
    assert half.matrix().nnz > 5000
    chute = rc.load_problem(PROBLEMS / "rolling/Chute-ndof-768-nc-4-3.hdf5")
    assert chute.asymmetry == pytest.approx(1.8e-3, rel=0.05)
