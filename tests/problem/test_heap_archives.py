"""The .npz archives of heaps: read, and refused when damaged."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from file_cases import load_or_refuse, parts, refuse, round_trip

import rollcone as rc
from rollcone.problem.bodies import BodyForm

HEAPS = Path(__file__).parents[3] / "shared" / "problems" / "heaps"


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
    "4 contacts, but there are 3 friction coefficients": {"mu": np.ones(3), "mu_r": np.ones(3)},
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
