"""What the tests of FCLIB files share: plain arrays, and a writer of its own for each storage."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import scipy.sparse as sp

import rollcone as rc

STORAGES = ("triplets", "columns", "rows")


@dataclass
class Arrays:
    """A friction problem as FCLIB words it, dense; G, b or V, R, s may have no columns."""

    rows: int
    mu: np.ndarray
    mu_r: np.ndarray
    matrices: dict[str, np.ndarray]
    vectors: dict[str, np.ndarray] = field(default_factory=dict)

    @property
    def root(self) -> str:
        kind = "global" if "M" in self.matrices else "local"
        return f"fclib_{kind}{'_rolling' if self.rows == 5 else ''}"

    def delassus(self) -> tuple[np.ndarray, np.ndarray]:
        """W and q of all rows, by the formulas."""
        A, v = self.matrices, self.vectors
        if "M" in A:
            H = np.hstack([A["H"], A["G"]])
            inverse = np.linalg.inv(A["M"])
            return H.T @ inverse @ H, H.T @ inverse @ v["f"] + np.r_[v["w"], v["b"]]
        return np.block([[A["W"], A["V"]], [A["V"].T, A["R"]]]), np.r_[v["q"], v["s"]]


def local_arrays(seed: int, rows: int, contacts: int = 3, extra: int = 0) -> Arrays:
    rng = np.random.default_rng(seed)
    n = rows * contacts
    B = rng.normal(size=(n + extra, n + extra + 2)) * (rng.random((n + extra, n + extra + 2)) < 0.6)
    full = B @ B.T
    skew = np.triu(rng.normal(size=(n, n)), 1) * (full[:n, :n] != 0)
    W = full[:n, :n] + 1e-3 * (skew - skew.T)
    q = rng.normal(size=n + extra)
    return Arrays(
        rows, rng.uniform(0, 1, contacts), rng.uniform(0, 0.1, contacts),
        {"W": W, "V": full[:n, n:], "R": full[n:, n:]}, {"q": q[:n], "s": q[n:]},
    )  # fmt: skip


def global_arrays(seed: int, rows: int, contacts: int = 3, extra: int = 0) -> Arrays:
    rng = np.random.default_rng(seed)
    n, dofs = rows * contacts, 12
    L = np.kron(np.eye(2), np.ones((6, 6))) * rng.uniform(-0.3, 0.3, (dofs, dofs))
    H = rng.normal(size=(dofs, n + extra)) * (rng.random((dofs, n + extra)) < 0.5)
    return Arrays(
        rows, rng.uniform(0, 1, contacts), rng.uniform(0, 0.1, contacts),
        {"M": L @ L.T + 2 * np.eye(dofs), "H": H[:, :n], "G": H[:, n:]},
        {"f": rng.normal(size=dofs), "w": rng.normal(size=n), "b": rng.normal(size=extra)},
    )  # fmt: skip


def write_by_hand(path: Path, arrays: Arrays, storage: str = "triplets") -> None:
    with h5py.File(path, "w") as file:
        root = file.create_group(arrays.root)
        root["spacedim"] = np.array([arrays.rows], dtype=np.int32)
        root["vectors/mu"] = arrays.mu
        if arrays.rows == 5:
            root["vectors/mu_r"] = arrays.mu_r
        for name, vector in arrays.vectors.items():
            if name not in "sb" or len(vector):
                root[f"vectors/{name}"] = vector
        for name, matrix in arrays.matrices.items():
            if name not in "GVR" or matrix.size:
                put_matrix(root, name, matrix, storage)


def put_matrix(root: Any, name: str, dense: np.ndarray, storage: str = "triplets") -> None:
    """All three with unused entries at the end, triplets with some entries in two parts."""
    if name in root:
        del root[name]
    if storage == "triplets":
        i, p = np.nonzero(dense)
        x = dense[i, p]
        half = x[::3] / 2
        i, p = np.r_[i, i[::3]], np.r_[p, p[::3]]
        x = np.r_[x, half]
        x[: len(i) - len(half) : 3] -= half
        nz = len(x)
        i, p, x = np.r_[i, 0], np.r_[p, 0], np.r_[x, 1e9]
    else:
        packed = sp.csc_matrix(dense) if storage == "columns" else sp.csr_matrix(dense)
        nz = -1 if storage == "columns" else -2
        i, p, x = np.r_[packed.indices, 7], packed.indptr, np.r_[packed.data, 1e9]
    numbers = {"m": dense.shape[0], "n": dense.shape[1], "nz": nz, "nzmax": len(x)}
    for part, value in numbers.items():
        root[f"{name}/{part}"] = np.array([value], dtype=np.int32)
    root[f"{name}/i"], root[f"{name}/p"] = i.astype(np.int32), p.astype(np.int32)
    root[f"{name}/x"] = x


def plain_problem(
    seed: int, form: str, rows: int, contacts: int = 3, extra: int = 0
) -> rc.ContactProblem:
    """A problem that an FCLIB file can hold."""
    arrays = (local_arrays if form == "delassus" else global_arrays)(seed, rows, contacts, extra)
    others = {
        "sliding": arrays.mu,
        "rolling": arrays.mu_r if rows == 5 else 0.0,
        "rows": rows,
        "bounds": [[-np.inf, np.inf]] * extra,
    }
    if form == "delassus":
        return rc.ContactProblem.from_delassus(*arrays.delassus(), **others)
    A, v = arrays.matrices, arrays.vectors
    M = A["M"].copy()
    if form == "sparse mass":
        M[0, 11] = M[11, 0] = 0.01
    H = np.hstack([A["H"], A["G"]]).T
    return rc.ContactProblem.from_bodies(
        sp.csr_matrix(M), H, np.linalg.solve(M, v["f"]), np.r_[v["w"], v["b"]], **others
    )
