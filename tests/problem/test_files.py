"""Problem files: what is saved comes back to the bit; what is damaged is one clear FileError."""

from __future__ import annotations

import tempfile
import zipfile
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import rollcone as rc
from rollcone.problem.bodies import BodyForm
from rollcone.problem.mass import BlockMass, SparseMass

HEAPS = Path(__file__).parents[3] / "shared" / "problems" / "heaps"
SETS = ("disc", "ellipse", "box", "interval", "polygon")


def friction_set(rng: np.random.Generator, kind: str, n: int) -> Any:
    a, b = rng.uniform(0, 1, (2, n))
    if kind == "polygon":
        return rc.Polygon(a, 2 * rng.integers(2, 6, n))
    makers = {"disc": rc.Disc, "interval": rc.Interval}
    return makers[kind](a) if kind in makers else {"ellipse": rc.Ellipse, "box": rc.Box}[kind](a, b)


def random_problem(
    seed: int,
    form: str = "body",
    rows: int = 5,
    contacts: int = 3,
    extra: int = 2,
    sets: tuple[str, str] = ("disc", "disc"),
    law: str = "exact",
) -> rc.ContactProblem:
    rng = np.random.default_rng(seed)
    sliding = friction_set(rng, "disc" if rows == 2 else sets[0], contacts)
    ends = np.array([[-np.inf, np.inf], [0.0, np.inf], [-1.5, 2.5], [0.0, 0.0]])
    total = contacts * rows + extra
    others = {
        "sliding": sliding,
        "rolling": friction_set(rng, sets[1], contacts) if rows > 3 else 0.0,
        "spinning": rng.uniform(0, 0.1, contacts) if rows > 5 else 0.0,
        "law": law,
        "rows": rows,
        "bounds": ends[rng.integers(0, 4, extra)],
        "compliance": rng.uniform(0, 1e-3, total) * rng.integers(0, 2, total),
    }
    if form == "delassus":
        A = rng.normal(size=(total, max(total, 1)))
        skew = rng.normal(size=(total, total))
        W = A @ A.T + 1e-3 * (skew - skew.T)
        return rc.ContactProblem.from_delassus(W, rng.normal(size=total), **others)
    bodies = 4
    G = rng.uniform(-0.3, 0.3, size=(bodies, 6, 6))
    M: Any = G @ G.transpose(0, 2, 1) + 4 * np.eye(6)
    if form == "sparse mass":
        M = sp.block_diag(list(M), format="lil")
        M[0, 23] = M[23, 0] = 0.01
    H = rng.normal(size=(total, bodies * 6)) * (rng.random((total, bodies * 6)) < 0.4)
    v, b = rng.normal(size=bodies * 6), rng.normal(size=total)
    return rc.ContactProblem.from_bodies(M, sp.csr_matrix(H), v, b, **others)


def parts(problem: rc.ContactProblem) -> dict[str, Any]:
    """Every number of a problem, as bytes."""
    form = problem.form
    arrays = {
        "kinds": problem.cone.kinds,
        "radii": problem.cone.radii,
        "bounds": problem.bounds,
        "compliance": problem.compliance,
        "q": problem.q,
    }
    matrix = form.H if isinstance(form, BodyForm) else form.W
    matrices = {"matrix": matrix}
    if isinstance(form, BodyForm):
        arrays |= {"v_free": form.v_free, "b": form.b}
        if isinstance(form.mass, BlockMass):
            arrays["blocks"] = form.mass.blocks
        else:
            matrices["mass"] = form.mass.matrix()
    for name, value in matrices.items():
        arrays |= {f"{name}.{part}": getattr(value, part) for part in ("data", "indices", "indptr")}
    found: dict[str, Any] = {k: (v.shape, v.dtype.str, v.tobytes()) for k, v in arrays.items()}
    more = (problem.law, problem.rows, problem.contacts, problem.asymmetry, matrix.shape)
    return found | {"more": more, "form": type(form)}


def round_trip(problem: rc.ContactProblem) -> rc.ContactProblem:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a problem.bin"
        rc.save_problem(problem, path)
        assert [file.name for file in Path(folder).iterdir()] == [path.name]
        return rc.load_problem(path)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 2**32),
    form=st.sampled_from(["body", "sparse mass", "delassus"]),
    rows=st.sampled_from([2, 3, 5, 6]),
    contacts=st.integers(1, 5),
    extra=st.integers(0, 4),
    sets=st.tuples(st.sampled_from(SETS), st.sampled_from(SETS)),
    law=st.sampled_from(["exact", "associated"]),
)
def test_round_trip_is_exact(seed, form, rows, contacts, extra, sets, law):
    problem = random_problem(seed, form, rows, contacts, extra, sets, law)
    assert parts(round_trip(problem)) == parts(problem)


@pytest.mark.parametrize("rows", [2, 3, 5, 6])
@pytest.mark.parametrize("extra", [0, 3])
def test_round_trip_without_contacts(rows, extra):
    problem = random_problem(1, "body", rows, contacts=0, extra=extra)
    assert parts(round_trip(problem)) == parts(problem)


def test_round_trip_without_bodies():
    problem = rc.ContactProblem.from_bodies(np.zeros((0, 6, 6)), np.zeros((6, 0)), [], sliding=0.5)
    assert parts(round_trip(problem)) == parts(problem)


def test_round_trip_keeps_rare_numbers():
    q = np.array([-0.0, 5e-324, 1e150, 1 / 3, -1e-300, 0.1])
    problem = rc.ContactProblem.from_delassus(np.eye(6), q, sliding=[1e100, 1e-99], rows=3)
    assert parts(round_trip(problem)) == parts(problem)


def test_round_trip_of_more_than_one_chunk():
    problem = rc.ContactProblem.from_delassus(
        sp.eye(300_000, format="csr"), np.linspace(-1, 1, 300_000), sliding=0.3, rows=3
    )
    assert parts(round_trip(problem)) == parts(problem)


def test_mass_keeps_its_kind():
    assert isinstance(random_problem(3, "sparse mass").form.mass, SparseMass)
    assert isinstance(round_trip(random_problem(3, "sparse mass")).form.mass, SparseMass)


def test_formed_delassus_keeps_its_entries():
    problem = random_problem(5).to_delassus()
    again = round_trip(problem)
    problem.form.W.sort_indices()
    assert parts(again) == parts(problem) | {"more": parts(again)["more"]}


def test_save_replaces_and_leaves_nothing_behind(tmp_path):
    path = tmp_path / "problem.h5"
    rc.save_problem(random_problem(1), path)
    rc.save_problem(random_problem(2), str(path))
    assert parts(rc.load_problem(path)) == parts(random_problem(2))
    with pytest.raises(rc.FileError, match=r"nowhere.*cannot be written"):
        rc.save_problem(random_problem(1), tmp_path / "nowhere" / "problem.h5")
    with pytest.raises(rc.FileError, match="cannot be written"):
        rc.save_problem(random_problem(1), path / "inside a file.h5")
    (tmp_path / "folder").mkdir()
    with pytest.raises(rc.FileError, match="cannot be written"):
        rc.save_problem(random_problem(1), tmp_path / "folder")
    with pytest.raises(rc.InputError, match="must be a ContactProblem"):
        rc.save_problem({"W": 1}, path)  # type: ignore[arg-type]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["folder", "problem.h5"]


# ---- damage ----


@pytest.fixture
def saved(tmp_path) -> Path:
    path = tmp_path / "problem.h5"
    rc.save_problem(random_problem(7, sets=("ellipse", "polygon")), path)
    return path


def refuse(path: Path, match: str) -> None:
    with pytest.raises(rc.FileError, match=match) as caught:
        rc.load_problem(path)
    assert path.name in str(caught.value)


def load_or_refuse(path: Path) -> rc.ContactProblem | None:
    try:
        return rc.load_problem(path)
    except rc.FileError:
        return None


def test_missing_directory_empty_and_text(tmp_path):
    refuse(tmp_path / "absent.h5", "no such file")
    refuse(tmp_path, "is a directory")
    for name, content, reason in (
        ("empty.h5", b"", "is empty"),
        ("text.hdf5", b"5\n1\n0\n", "no format known here; supported: Rollcone"),
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
    whole = saved.read_bytes()
    rng = np.random.default_rng(1)
    for _ in range(100):
        at, size = rng.integers(0, len(whole)), rng.integers(2, 2000)
        saved.write_bytes(whole[:at] + rng.bytes(size) + whole[at + size :])
        load_or_refuse(saved)


CHANGES = {
    "version 2 of the format": lambda f: f.attrs.modify("version", 2),
    "version.*must be a whole number": lambda f: f.attrs.create("version", 1.5),
    "of the format 'other'": lambda f: f.attrs.create("format", "other"),
    "law = 'exakt': must be one of.*did you mean 'exact'": lambda f: f.attrs.create("law", "exakt"),
    "rows = 4: must be one of 2, 3, 5, 6": lambda f: f.attrs.modify("rows", 4),
    "form = 'global'": lambda f: f.attrs.create("form", "global"),
    "attribute rows is missing": lambda f: f.attrs.__delitem__("rows"),
    "attribute shape": lambda f: f["body/H"].attrs.create("shape", [1, 2, 3]),
    "body/H of shape": lambda f: f["body/H"].attrs.create("shape", [17, 10**15]),
    "delassus/W is missing": lambda f: f.attrs.create("form", "delassus"),
    "compliance is missing": lambda f: f.__delitem__("compliance"),
    "body/v_free.*finite": lambda f: f["body/v_free"].write_direct(np.full(24, np.nan)),
    "body/b.*finite": lambda f: f["body/b"].write_direct(np.full(17, np.inf)),
    "radii.*must be finite": lambda f: f["friction/radii"].__setitem__((0, 0), np.nan),
    "radii = -1": lambda f: f["friction/radii"].__setitem__((0, 0), -1.0),
    "radii of a disc": lambda f: f["friction/kinds"].__setitem__((0, 0), 0),
    "kind 7 of a set": lambda f: f["friction/kinds"].__setitem__((0, 0), 7),
    "kind -4 of a set": lambda f: f["friction/kinds"].__setitem__((0, 0), -4),
    "bounds": lambda f: f["bounds"].__setitem__(0, [np.nan, 1.0]),
    "compliance": lambda f: f["compliance"].__setitem__(0, -1.0),
    "body/H.indices": lambda f: f["body/H/indices"].__setitem__(0, 24),
    "indices: -1": lambda f: f["body/H/indices"].__setitem__(0, -1),
    "body/H.indptr": lambda f: f["body/H/indptr"].__setitem__(3, 0),
    "body/H.data.*finite": lambda f: f["body/H/data"].__setitem__(0, np.nan),
    "M is not symmetric": lambda f: f["body/mass/blocks"].__setitem__((0, 0, 1), 99.0),
    "positive definite": lambda f: f["body/mass/blocks"].__setitem__((0, 0, 0), -99.0),
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
        file.create_group("fclib_local")
        file.create_group("solution")
    refuse(path, r"FCLIB file \(root groups: fclib_local, solution\).*supported: Rollcone")
    with h5py.File(path, "w"):
        pass
    refuse(path, r"an HDF5 file \(root groups: none\)")


# ---- archives of heaps ----


def heap_entries(contacts: int = 4, bodies: int = 3) -> dict[str, Any]:
    rng = np.random.default_rng(11)
    H = sp.csr_matrix(
        rng.normal(size=(5 * contacts, 6 * bodies)) * (rng.random((5 * contacts, 6 * bodies)) < 0.4)
    )
    v = rng.normal(size=6 * bodies)
    entries = {f"H_{part}": getattr(H, part) for part in ("data", "indices", "indptr", "shape")}
    return entries | {
        "M_diag": rng.uniform(1, 2, 6 * bodies),
        "v_free": v,
        "q": H @ v + 0.01,
        "mu": np.full(contacts, 0.3),
        "mu_r": np.full(contacts, 0.01),
        "remark": np.array("not read"),
    }


def test_heap_archive(tmp_path):
    entries = heap_entries()
    for name, save in (("heap.npz", np.savez), ("packed.data", np.savez_compressed)):
        path = tmp_path / name
        with path.open("wb") as file:
            save(file, **entries)
        problem = rc.load_problem(path)
        assert (problem.contacts, problem.rows, problem.law) == (4, 5, "exact")
        assert isinstance(problem.form, BodyForm)
        np.testing.assert_allclose(problem.q, entries["q"], rtol=0, atol=1e-15)
        np.testing.assert_array_equal(problem.cone.radii[:, 0], entries["mu"])
        np.testing.assert_array_equal(problem.cone.radii[:, 2], entries["mu_r"])
        np.testing.assert_allclose(problem.form.b, 0.01, atol=1e-15)


HEAP_CHANGES = {
    "without mu_r: not a heap": {"mu_r": None},
    "H_indices of type float64: must be whole": {"H_indices": np.zeros(140)},
    "H.indices": {"H_indices": lambda old: old + 5},
    "H_shape": {"H_shape": np.array([20, 18, 1])},
    "do not make a matrix": {"H_shape": np.array([2**60, 18])},
    "H of shape": {"v_free": np.zeros(17)},
    "M_diag of shape": {"M_diag": np.eye(18)},
    "must have 12 columns": {"M_diag": np.ones(12)},
    "masses must be > 0": {"M_diag": np.zeros(18)},
    "friction coefficients for 4 contacts": {"mu": np.ones(3), "mu_r": np.ones(3)},
    "must be from 0": {"mu": -np.ones(4)},
    "finite": {"q": np.full(20, np.nan)},
    "of type object: must be numbers": {"q": np.array([{}, 1], dtype=object)},
    "of type complex128: must be numbers": {"q": np.zeros(20, dtype=complex)},
}


@pytest.mark.parametrize("reason", HEAP_CHANGES)
def test_wrong_heap_archive(tmp_path, reason):
    entries = heap_entries()
    for name, value in HEAP_CHANGES[reason].items():
        entries[name] = value(entries[name]) if callable(value) else value
    path = tmp_path / "heap.npz"
    np.savez(path, **{name: value for name, value in entries.items() if value is not None})
    refuse(path, reason)


def test_heap_header_that_lies(tmp_path):
    path = tmp_path / "heap.npz"
    np.savez(path, **heap_entries())
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    content["q.npy"] = content["q.npy"].replace(b"(20,), }          ", b"(20000000000000,),}", 1)
    with zipfile.ZipFile(path, "w") as archive:
        for name, value in content.items():
            archive.writestr(name, value)
    refuse(path, r"q of shape \(20000000000000,\): does not fit")


def test_damaged_heap_archive(tmp_path):
    path = tmp_path / "heap.npz"
    np.savez(path, **heap_entries())
    whole, want = path.read_bytes(), parts(rc.load_problem(path))
    rng = np.random.default_rng(2)
    for size in np.linspace(0, len(whole) - 1, 80).astype(int):
        path.write_bytes(whole[:size])
        assert load_or_refuse(path) is None, size
    for position in rng.integers(0, len(whole), 200):
        damaged = bytearray(whole)
        damaged[position] ^= 1 << rng.integers(8)
        path.write_bytes(damaged)
        found = load_or_refuse(path)
        assert found is None or parts(found) == want, position


@pytest.mark.parametrize("name", ["heap97_rest_SI", "pile78"])
def test_given_heaps(name, tmp_path):
    source = HEAPS / f"{name}.npz"
    if not source.exists():
        pytest.skip("the heaps are not here")
    problem = rc.load_problem(source)
    with np.load(source, allow_pickle=False) as raw:
        W = sp.csr_matrix((raw["W_data"], raw["W_indices"], raw["W_indptr"]), shape=raw["W_shape"])
        q, p = raw["q"], np.random.default_rng(0).normal(size=len(raw["q"]))
    np.testing.assert_allclose(problem.q, q, rtol=0, atol=1e-15 * np.abs(q).max())
    scale = np.abs(W @ p).max()
    np.testing.assert_allclose(problem.velocities(p) - problem.q, W @ p, rtol=0, atol=1e-12 * scale)
    assert parts(round_trip(problem)) == parts(problem)
