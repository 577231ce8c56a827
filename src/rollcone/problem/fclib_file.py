"""FCLIB problem files (HDF5), the collection's format for friction problems.

One root group per file, `fclib_local` or `fclib_global`, with `_rolling` at the end for five
rows per contact:

    spacedim              2, 3, or 5 (rolling): rows per contact, normal first
    vectors/mu, mu_r      (n,): sliding; rolling (a length)
    local                 u = W r + V l + q,  0 = V^T r + R l + s:  W, V, R, vectors/q, s
    global                M v = H r + G l + f,  u = H^T v + w,  0 = G^T v + b:
                          M, H, G, vectors/f, w, b
    info                  title, description, math_info: texts
    solution              r, u, and v, l where there are such
    guesses/1, 2, ...     the same

solution and guesses stand beside the root group. V, R, s and G, b are there only with bilateral
rows. A matrix is a group of m, n, nz, nzmax and arrays i, p, x:

    nz >= 0    triplets: rows i, columns p; the first nz count, those at one place add up
    nz = -1    compressed columns: rows i, pointers p (n + 1,)
    nz = -2    compressed rows: columns i, pointers p (m + 1,)

The law is the exact one. Stored solutions are what some solver left there, often zeros.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, finite_array
from rollcone.errors import FileError, InputError
from rollcone.laws.cone import FrictionCone
from rollcone.laws.kernels.disc import DISC
from rollcone.laws.names import coupled_names
from rollcone.problem.bodies import BodyForm
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.delassus import DelassusForm
from rollcone.problem.file_forms import global_problem, local_problem
from rollcone.problem.hdf5_reader import Hdf5Reader
from rollcone.problem.mass import ROUNDED
from rollcone.problem.sparse_parts import Integers, csr_from_parts, csr_from_triplets

if TYPE_CHECKING:
    import h5py

    from rollcone.solvers.solution import Solution

NAME = "FCLIB file (HDF5)"
BY_COLUMNS, BY_ROWS = -1, -2
SPACEDIM = {
    "fclib_local": (2, 3),
    "fclib_global": (2, 3),
    "fclib_local_rolling": (5,),
    "fclib_global_rolling": (5,),
}


@dataclass(frozen=True, eq=False)
class FclibFile:
    """What an FCLIB file holds. guesses and solution are reactions p (N,), contacts, then
    bilateral rows, as `warm_start` takes them; `rollcone info` shows how good they are."""

    problem: ContactProblem
    title: str
    description: str
    math_info: str
    guesses: tuple[FloatArray, ...]
    solution: FloatArray | None


def root_groups(reader: Hdf5Reader) -> list[str]:
    """The problems in the file, by the name of their group."""
    return [name for name in reader.names() if name in SPACEDIM]


def read(reader: Hdf5Reader) -> tuple[ContactProblem, str]:
    """The problem and, in words, the format."""
    root = _root(reader)
    rows = reader.number(f"{root}/spacedim")
    if rows not in SPACEDIM[root]:
        allowed = " or ".join(map(str, SPACEDIM[root]))
        raise FileError(f"{root}/spacedim = {rows}: must be {allowed}")
    mu = reader.floats(f"{root}/vectors/mu", None)
    mu_r = reader.floats(f"{root}/vectors/mu_r", len(mu)) if rows == 5 else 0.0
    cone = FrictionCone(mu, mu_r)
    is_local = root.startswith("fclib_local")
    problem, note = (_local if is_local else _global)(reader, root, cone, rows)
    kind = root.removeprefix("fclib_").replace("_", ", ")
    return problem, "; ".join(filter(None, [f"{NAME}, {kind}", note]))


def read_all(reader: Hdf5Reader) -> FclibFile:
    """The problem with its texts, guesses and solution."""
    problem, _ = read(reader)
    info = f"{_root(reader)}/info"
    there = reader.names(info)
    title, description, math_info = (
        reader.text(f"{info}/{name}") if name in there else ""
        for name in ("title", "description", "math_info")
    )
    return FclibFile(
        problem, title, description, math_info, _guesses(reader, problem),
        _reactions(reader, "solution", problem) if "solution" in reader.names() else None,
    )  # fmt: skip


def _root(reader: Hdf5Reader) -> str:
    roots = root_groups(reader)
    if len(roots) != 1:
        names = ", ".join(roots) or "none"
        raise FileError(f"has {len(roots)} FCLIB problems ({names}): must be one")
    return roots[0]


def _local(
    reader: Hdf5Reader, root: str, cone: FrictionCone, rows: int
) -> tuple[ContactProblem, str]:
    size = len(cone.radii) * rows
    q = reader.floats(f"{root}/vectors/q", size)
    W = _matrix(reader, f"{root}/W", size, size)
    extra = 0
    if {"V", "R"} & set(reader.names(root)):
        s = reader.floats(f"{root}/vectors/s", None)
        extra = len(s)
        V = _matrix(reader, f"{root}/V", size, extra)
        R = _matrix(reader, f"{root}/R", extra, extra)
        W, q = sp.bmat([[W, V], [V.T, R]], format="csr"), np.concatenate([q, s])
    return local_problem(W, q, cone, rows, extra), ""


def _global(
    reader: Hdf5Reader, root: str, cone: FrictionCone, rows: int
) -> tuple[ContactProblem, str]:
    size = len(cone.radii) * rows
    f = reader.floats(f"{root}/vectors/f", None)
    w = reader.floats(f"{root}/vectors/w", size)
    M = _matrix(reader, f"{root}/M", len(f), len(f))
    H = _matrix(reader, f"{root}/H", len(f), size)
    G = b = None
    if "G" in reader.names(root):
        b = reader.floats(f"{root}/vectors/b", None)
        G = _matrix(reader, f"{root}/G", len(f), len(b))
    return global_problem(M, H, f, w, cone, rows, G=G, b=b)


def _matrix(reader: Hdf5Reader, name: str, rows: int, columns: int) -> sp.csr_matrix:
    shape = reader.number(f"{name}/m"), reader.number(f"{name}/n")
    if shape != (rows, columns):
        raise FileError(f"{name} of shape {shape}: must be {(rows, columns)}")
    kind = reader.number(f"{name}/nz")
    pointers = {BY_COLUMNS: columns + 1, BY_ROWS: rows + 1}
    if kind < 0 and kind not in pointers:
        raise FileError(f"{name}/nz = {kind}: must be >= 0 (triplets), -1 or -2 (compressed)")
    i, x = reader.integers(f"{name}/i", None), reader.floats(f"{name}/x", None)
    p = reader.integers(f"{name}/p", pointers.get(kind))
    used = kind if kind >= 0 else int(p[-1])
    there = min(len(i), len(x), len(p) if kind >= 0 else len(i))
    if not 0 <= used <= there:
        raise FileError(f"{name}: {used} entries claimed, {there} in the file")
    i, x = i[:used], x[:used]
    if kind == BY_COLUMNS:
        return csr_from_parts(name, x, i, p, (columns, rows)).T.tocsr()
    if kind == BY_ROWS:
        return csr_from_parts(name, x, i, p, shape)
    return csr_from_triplets(name, x, i, p[:used], shape)


def _guesses(reader: Hdf5Reader, problem: ContactProblem) -> tuple[FloatArray, ...]:
    there = reader.names("guesses")
    count = reader.number("guesses/number_of_guesses") if there else 0
    if not 0 <= count <= len(there):
        raise FileError(f"guesses/number_of_guesses = {count}: there are {len(there)} entries")
    return tuple(_reactions(reader, f"guesses/{k + 1}", problem) for k in range(count))


def _reactions(reader: Hdf5Reader, group: str, problem: ContactProblem) -> FloatArray:
    """p (N,) of a solution or guess; velocities follow from it, and some files keep wrong ones."""
    p = reader.floats_or_zeros(f"{group}/r", problem.contacts * problem.rows)
    if problem.extra_rows:
        p = np.concatenate([p, reader.floats_or_zeros(f"{group}/l", problem.extra_rows)])
    return finite_array(group, p)


def check(problem: ContactProblem) -> None:
    """Raise if an FCLIB file cannot hold the problem as it is."""
    sets = problem.cone.kinds[:, : 2 if problem.rows > 3 else 1]
    form = problem.form
    reasons = {
        "the associated law, but problem.with_law('exact')": problem.law != "exact",
        f"contacts of {problem.rows} rows, only of 2, 3 or 5": problem.rows not in (2, 3, 5),
        f"{coupled_names(sets)} as a friction set": coupled_names(sets) != "",
        "friction sets other than discs": np.any(sets != DISC),
        "extra rows with bounds, only bilateral ones": np.any(np.isfinite(problem.bounds)),
        "compliance": np.any(problem.compliance > 0),
        "a W that is not symmetric between contacts and extra rows": isinstance(form, DelassusForm)
        and _coupling(problem, form) > ROUNDED,
    }
    for what, there in reasons.items():
        if there:
            raise InputError(f"problem: an FCLIB file cannot hold {what}; rc.save_problem can")


def _coupling(problem: ContactProblem, form: DelassusForm) -> float:
    """How far V, which alone is stored, is from the lower left part of W."""
    cut = problem.contacts * problem.rows
    V, lower = form.W[:cut, cut:], form.W[cut:, :cut]
    return float(abs(V - lower.T).max() / abs(form.W).max()) if V.nnz + lower.nnz else 0.0


def reactions(name: str, problem: ContactProblem, value: Solution | ArrayLike) -> FloatArray:
    """p (N,) of a solution, or as given."""
    from rollcone.solvers.solution import Solution

    p = finite_array(name, value.all_reactions() if isinstance(value, Solution) else value)
    if p.shape != (problem.size,):
        raise InputError(f"{name} of shape {p.shape}: must be ({problem.size},)")
    return p


def write(content: FclibFile, path: Path) -> None:
    """Make the file, which must not exist yet; its problem was checked."""
    import h5py

    problem = content.problem
    form = problem.form
    kind = "fclib_global" if isinstance(form, BodyForm) else "fclib_local"
    with h5py.File(path, "x") as file:
        root = file.create_group(kind + ("_rolling" if problem.rows == 5 else ""))
        _put_number(root, "spacedim", problem.rows)
        for name in ("title", "description", "math_info"):
            text = getattr(content, name).encode("utf-8", errors="replace")
            # One byte more, for readers in C: their strings end with a zero.
            root[f"info/{name}"] = np.array(text, dtype=f"S{len(text) + 1}")
        root["vectors/mu"] = problem.cone.radii[:, 0]
        if problem.rows == 5:
            root["vectors/mu_r"] = problem.cone.radii[:, 2]
        if isinstance(form, BodyForm):
            _put_global(root, problem, form)
        else:
            _put_local(root, problem, form)
        if content.solution is not None:
            _put_reactions(file.create_group("solution"), problem, content.solution)
        if content.guesses:
            _put_number(file, "guesses/number_of_guesses", len(content.guesses))
        for k, guess in enumerate(content.guesses):
            _put_reactions(file.create_group(f"guesses/{k + 1}"), problem, guess)


def _put_global(root: h5py.Group, problem: ContactProblem, form: BodyForm) -> None:
    cut = problem.contacts * problem.rows
    M = form.mass.matrix()
    root["vectors/f"] = M @ form.v_free
    root["vectors/w"] = form.b[:cut]
    _put_triplets(root, "M", M)
    _put_triplets(root, "H", form.H[:cut].T)
    if problem.extra_rows:
        root["vectors/b"] = form.b[cut:]
        _put_triplets(root, "G", form.H[cut:].T)


def _put_local(root: h5py.Group, problem: ContactProblem, form: DelassusForm) -> None:
    cut = problem.contacts * problem.rows
    root["vectors/q"] = form.q[:cut]
    _put_rows(root, "W", form.W[:cut, :cut])
    if problem.extra_rows:
        root["vectors/s"] = form.q[cut:]
        _put_rows(root, "V", form.W[:cut, cut:])
        _put_rows(root, "R", form.W[cut:, cut:])


def _put_triplets(root: h5py.Group, name: str, matrix: sp.spmatrix) -> None:
    entries = matrix.tocoo()
    _put_matrix(root, name, entries, entries.nnz, entries.row, entries.col)


def _put_rows(root: h5py.Group, name: str, matrix: sp.csr_matrix) -> None:
    _put_matrix(root, name, matrix, BY_ROWS, matrix.indices, matrix.indptr)


def _put_matrix(
    root: h5py.Group, name: str, matrix: sp.spmatrix, kind: int, i: Integers, p: Integers
) -> None:
    if max(matrix.nnz, *matrix.shape) >= 2**31:
        raise InputError(f"{name}: too large for FCLIB, whose numbers of entries end at 2^31 - 1")
    sizes = {"m": matrix.shape[0], "n": matrix.shape[1], "nz": kind, "nzmax": matrix.nnz}
    for part, value in sizes.items():
        _put_number(root, f"{name}/{part}", value)
    root[f"{name}/i"], root[f"{name}/p"] = i.astype(np.int32), p.astype(np.int32)
    root[f"{name}/x"] = matrix.data


def _put_reactions(group: h5py.Group, problem: ContactProblem, p: FloatArray) -> None:
    cut = problem.contacts * problem.rows
    group["r"], group["u"] = p[:cut], problem.velocities(p)[:cut]
    if problem.extra_rows:
        group["l"] = p[cut:]
    if isinstance(problem.form, BodyForm):
        group["v"] = problem.form.body_velocities(p)


def _put_number(group: h5py.Group, name: str, value: int) -> None:
    group[name] = np.array([value], dtype=np.int32)
