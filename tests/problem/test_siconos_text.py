"""Siconos' text files: every storage, local and global, and what is refused."""

from __future__ import annotations

import re
import tracemalloc
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from fclib_cases import global_arrays, local_arrays
from file_cases import refuse
from siconos_cases import CSPARSE, STORAGES, matrix_text, problem_text

import rollcone as rc
from rollcone.problem import siconos_matrix
from rollcone.problem.bodies import BodyForm
from rollcone.problem.delassus import DelassusForm
from rollcone.problem.files import read_file
from rollcone.problem.siconos_matrix import Tokens, read_matrix

PROBLEMS = Path(__file__).parents[3] / "shared" / "problems"


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "problem.dat"


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("rows", [2, 3, 5])
@pytest.mark.parametrize("last", ["", "1\n", "0"])
@pytest.mark.parametrize("make", [local_arrays, global_arrays])
def test_every_storage(path, make, last, rows, storage):
    arrays = make(rows + 10, rows)
    path.write_text(problem_text(arrays, storage, last))
    problem, words = read_file(path)
    is_global = make is global_arrays
    kind = ("global" if is_global else "local") + (", rolling" if rows == 5 else "")
    assert words == f"Siconos text file, {kind}"
    assert isinstance(problem.form, BodyForm) is is_global
    W, q = arrays.delassus()
    found = problem.to_delassus().form.W.toarray()
    if is_global:
        np.testing.assert_array_equal(problem.form.H.toarray().T, arrays.matrices["H"])
        np.testing.assert_allclose(found, W, rtol=0, atol=1e-13 * np.abs(W).max())
        np.testing.assert_allclose(problem.q, q, rtol=0, atol=1e-13 * np.abs(q).max())
    else:
        np.testing.assert_array_equal(found, W)
        np.testing.assert_array_equal(problem.q, q)
        assert problem.asymmetry > 1e-5
    np.testing.assert_array_equal(problem.cone.radii[:, 0], arrays.mu)
    np.testing.assert_array_equal(
        problem.cone.radii[:, 2], arrays.mu_r if rows == 5 else np.zeros(3)
    )
    assert (problem.rows, problem.contacts, problem.law) == (rows, 3, "exact")


def test_white_space_is_free(path):
    text = problem_text(local_arrays(1, 3), "dense")
    path.write_text(" ".join(text.split()))
    one_line = rc.load_problem(path)
    path.write_text("\r\n \t".join(["", *text.split(), ""]))
    np.testing.assert_array_equal(rc.load_problem(path).form.W.toarray(), one_line.form.W.toarray())


def test_as_many_bodies_as_contact_rows(path):
    """M and W have one shape here: what follows tells local from global."""
    for rows, contacts in ((2, 6), (3, 4)):
        arrays = global_arrays(2, rows, contacts)
        for storage in STORAGES:
            path.write_text(problem_text(arrays, storage, "1"))
            assert isinstance(rc.load_problem(path).form, BodyForm)


def test_blocks_of_any_size():
    rng = np.random.default_rng(3)
    A = rng.normal(size=(9, 7))
    A[3:7] = 0
    A[:3, 2:4] = 0
    for rows, columns in (([3, 7, 9], [2, 4, 7]), ([1, 2, 3, 3, 9], [7]), ([9], [1, 7])):
        text = matrix_text(A, "blocks", (rows, columns))
        tokens = Tokens((text + "0 " * 9).encode())
        found, _ = read_matrix(tokens, "A", (9, 7))
        np.testing.assert_array_equal(found.toarray(), A)
        assert tokens.left == 9
    none, _ = read_matrix(Tokens(b"1 2 3 0 5 5 5"), "A", (2, 3))
    assert (none.shape, none.nnz) == ((2, 3), 0)


def test_list_of_block_rows_may_end_early():
    text = "1 4 4 1 2 2 2 4 2 4 2 1 0 1 1 0 1 2 3 4"
    found, _ = read_matrix(Tokens((text + " 0" * 4).encode()), "A")
    want = np.zeros((4, 4))
    want[:2, 2:] = [[1, 3], [2, 4]]
    np.testing.assert_array_equal(found.toarray(), want)


def test_triplets_at_one_place_add_up(path):
    arrays = local_arrays(1, 2, contacts=1)
    text = f"2 1 2 2 2 1\n{CSPARSE}triplet: 2-by-2, nzmax: 9 nnz: 4\n"
    text += "    0 0 : 1\n 1 1 : 3\n 0 0 : 0.5\n 1 0 : -2.5e-3\n -1 2 0.5"
    path.write_text(text)
    problem = rc.load_problem(path)
    np.testing.assert_array_equal(problem.form.W.toarray(), [[1.5, 0], [-2.5e-3, 3]])
    np.testing.assert_array_equal(problem.q, [-1, 2])
    assert (problem.cone.radii[0, 0], len(arrays.mu)) == (0.5, 1)


def test_mass_of_six_digits(path):
    """Where entries are printed with six digits, two that differ in the last are the same."""
    arrays = global_arrays(8, 3)
    M = arrays.matrices["M"] = np.vectorize(lambda x: float(f"{x:.6g}"))(arrays.matrices["M"])
    M[1, 0] += 2e-6
    path.write_text(problem_text(arrays, "triplets"))
    problem, words = read_file(path)
    assert words.endswith("; M symmetric to its six digits: took the mean with M^T")
    np.testing.assert_array_equal(problem.form.mass.matrix().toarray(), (M + M.T) / 2)
    path.write_text(problem_text(arrays, "dense"))  # all digits: it is truly not symmetric
    problem, words = read_file(path)
    assert "M is not symmetric (off by" in words
    assert isinstance(problem.form, DelassusForm)
    M[1, 0] += 1e-3
    path.write_text(problem_text(arrays, "triplets"))
    problem, words = read_file(path)
    assert "M is not symmetric (off by" in words
    W, q = arrays.delassus()
    np.testing.assert_allclose(problem.form.W.toarray(), W, rtol=0, atol=1e-13)
    np.testing.assert_allclose(problem.q, q, rtol=0, atol=1e-13)


# Words of a local file of two contacts x 3 rows with a full W, by their place:
# dense: 3, 2, 0, 6, 6; 6, 6, W (from 7), q (from 43), mu (49, 50)
# blocks: 3, 2, 1, 6, 6; 4, 2, 2; 3, 6; 3, 6; 3, 4; 0, 2, 4 (from 14); 0, 1, 0, 1; 0, first block
WRONG = {
    "no format known here": ("dense", {1: "2.5"}),
    "rows = 6.5: must be a whole number": ("dense", {3: "6.5"}),
    "neither local.*H of shape .6, 9.*H: storage": ("dense", {1: "3"}),
    "storage = 3: must be 0, 1 or 2": ("dense", {2: "3"}),
    r"first matrix of shape \(6, 5\): must be square": ("dense", {4: "5"}),
    r"its entries have the shape \(6, 7\)": ("dense", {6: "7"}),
    "the first matrix: could not convert string to float: b'x'": ("dense", {9: "x"}),
    "must be finite": ("dense", {8: "inf"}),
    "W has an entry 1e[+]200": ("dense", {8: "1e200"}),
    "eigenvalue .* must be positive semidefinite": ("dense", {7: "-1e3"}),
    "q.*must be finite": ("dense", {44: "nan"}),
    "sliding = -1.0": ("dense", {50: "-1"}),
    "number of blocks = -4": ("blocks", {5: "-4"}),
    "lists of 3 and 4, must be 3 and 5": ("blocks", {5: "5"}),
    "ends of block rows: must rise to 6": ("blocks", {9: "7"}),
    "ends of block columns: must rise to 6": ("blocks", {10: "7"}),
    "lists of 4 and 4, must be 3 and 4": ("blocks", {12: "4"}),
    "lists of 0 and 4": ("blocks", {12: "0"}),
    "lists of 3 and 9": ("blocks", {13: "9"}),
    "first blocks must rise from 0 to 4": ("blocks", {15: "5"}),
    "must rise from 0": ("blocks", {14: "1"}),
    "block column 2 of 2": ("blocks", {18: "2"}),
    "blocks must be numbered from 0 to 3": ("blocks", {21: "1"}),
    "sparse matrix of kind 2: not what is printed": ("triplets", {5: "2"}),
    "sparse matrix of kind 1: not what is printed": ("columns", {5: "1"}),
    "sparse matrix of kind 4": ("columns", {5: "4"}),
    "must go on as CSparse prints": ("triplets", {6: "Sparse"}),
    r"must go on as": ("triplets", {18: "nzmax"}),
}


@pytest.mark.parametrize("reason", WRONG)
def test_wrong_words(path, reason):
    storage, changes = WRONG[reason]
    arrays = local_arrays(4, 3, contacts=2)
    arrays.matrices["W"] = np.eye(6) + 0.01
    lines = problem_text(arrays, storage).splitlines()
    words = [[*line.split(), "\n"] for line in lines]  # line ends matter to CSparse's words
    flat = [word for line in words for word in line]
    places = [k for k, word in enumerate(flat) if word != "\n"]
    path.write_text(" ".join(flat))
    assert rc.load_problem(path).contacts == 2
    for at, word in changes.items():
        flat[places[at]] = word
    path.write_text(" ".join(flat))
    refuse(path, reason)


REPLACED = {
    "its entries have the shape .6, 7": ("triplets", "6-by-6", "6-by-7"),
    "first matrix: 1440 wanted, 152 left": ("triplets", "nnz: 36", "nnz: 360"),
    "lines of row, column : value": ("triplets", "0 0 :", "0 0 0"),
    "whole number": ("triplets", "2 2 :", "2 2.5 :"),
    "first matrix.rows: 0 to 6; must be from 0 to 5": ("triplets", "0 3 :", "6 3 :"),
    "first matrix.columns: 0 to 6": ("triplets", "0 3 :", "0 6 :"),
    "6 lines 'col', and 36": ("columns", "col 3", "3"),
    "locations do not fit": ("columns", "col 3", "col 4"),
    "locations do not fit the entries": ("rows", "12 to 17", "12 to 18"),
    "first matrix.indices: 0 to 6": ("columns", "      5 :", "      6 :"),
    "could not convert": ("rows", "locations", "places"),
}


@pytest.mark.parametrize("reason", REPLACED)
def test_wrong_sparse_matrix(path, reason):
    storage, old, new = REPLACED[reason]
    arrays = local_arrays(4, 3, contacts=2)
    arrays.matrices["W"] = np.eye(6) + 0.01
    text = problem_text(arrays, storage)
    assert old in text
    path.write_text(text.replace(old, new, 1))
    refuse(path, reason)


def test_rows_of_a_matrix_that_is_not_square(path):
    arrays = global_arrays(4, 3)
    text = problem_text(arrays, "columns")
    before, H = text.rsplit("\n2\nCSparse", 1)
    path.write_text(f"{before}\n3\nCSparse{H}")
    refuse(path, "H: sparse matrix of kind 3: not what is printed, or not square")


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("make", [local_arrays, global_arrays])
def test_cut_anywhere_or_continued(path, make, storage):
    text = problem_text(make(4, 5, contacts=2), storage)
    last = len(text.rstrip().rsplit(None, 1)[0])
    for end in [*np.linspace(6, last, 20).astype(int), last]:
        path.write_text(text[:end])
        refuse(path, "wanted|neither|left|must")
    for more in ("2", "0 0", "1 1", "-1", "nan", "end", "0.5"):
        path.write_text(text + more)
        refuse(path, "after mu|neither")


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("make", [local_arrays, global_arrays])
def test_no_size_is_believed(path, make, storage):
    """Every whole number of the file, one after the other, claims more than there is."""
    text = problem_text(make(4, 2, contacts=1), storage)
    for found in re.finditer(r"(?<=\s)\d+(?=[\s-])|(?<=by-)\d+|(?<=nnz: )\d+", text):
        for claim in ("1000000000000", "-1"):
            path.write_text(text[: found.start()] + claim + text[found.end() :])
            tracemalloc.start()
            with suppress(rc.FileError):
                rc.load_problem(path)
            assert tracemalloc.get_traced_memory()[1] < 3e6
            tracemalloc.stop()


def test_empty_matrix_of_claimed_size(path):
    for n in (10**7, 10**12):
        blocks = f"3 2 1 {n} {n} 0 1 2 3"
        triplets = f"3 2 2 {n} {n} 1\n{CSPARSE}triplet: {n}-by-{n}, nzmax: 0 nnz: 0\n1 2 3"
        for text in (blocks, triplets):
            path.write_text(text)
            tracemalloc.start()
            refuse(path, "numbers left in the file")
            assert tracemalloc.get_traced_memory()[1] < 3e6
            tracemalloc.stop()


def test_numbers_are_read_piece_by_piece(path, monkeypatch):
    monkeypatch.setattr(siconos_matrix, "_PIECE", 7)
    arrays = local_arrays(4, 3)
    for storage in STORAGES:
        path.write_text(problem_text(arrays, storage))
        problem = rc.load_problem(path)
        np.testing.assert_array_equal(problem.form.W.toarray(), arrays.matrices["W"])
        np.testing.assert_array_equal(problem.q, arrays.vectors["q"])


def test_endless_word(path):
    text = problem_text(local_arrays(4, 3), "dense").split()
    for word in ("9" * 10**6, "x" * 10**6):
        path.write_text(" ".join([*text[:9], word, *text[10:]]))
        refuse(path, "a word of 1000000 letters: must be a number$")


def test_garbage_that_begins_well(path):
    for garbage in (b"\xff\x00" * 50_000, b"1 " * 100_000, b"9" * 100_000, b"col : " * 20_000):
        for begin in (
            b"3\n5\n",
            b"3 5 0 15 15 15 15 ",
            b"3 5 1 15 15 ",
            b"3 5 2 15 15 1\nCSparse ",
        ):
            path.write_bytes(begin + garbage)
            with pytest.raises(rc.FileError):
                rc.load_problem(path)


def test_given_files():
    if not PROBLEMS.exists():
        pytest.skip("the problems made by others are not here")
    for path in sorted(PROBLEMS.glob("*/*.dat")):
        problem, words = read_file(path)
        assert words.startswith("Siconos text file")
        W = problem.to_delassus().form.W.toarray()
        np.linalg.cholesky(W + W.T + 1e-6 * np.abs(W).max() * np.eye(len(W)))  # semidefinite
        assert problem.asymmetry < 2e-3
    text = rc.load_problem(PROBLEMS / "rolling/GRFC3D_Chute-ndof-768-nc-4-3.dat")
    full = rc.load_problem(PROBLEMS / "rolling/Chute-ndof-768-nc-4-3.hdf5")
    W = full.form.W.toarray()
    np.testing.assert_allclose(text.form.W.toarray(), W, rtol=0, atol=5e-6 * np.abs(W).max())
    np.testing.assert_allclose(text.q, full.q, rtol=0, atol=1e-4 * np.abs(full.q).max())
    np.testing.assert_array_equal(text.cone.radii, full.cone.radii)
