"""Rollcone's own problem file: HDF5, every part of it under a checksum.

    attributes            format = "rollcone-problem", version = 1, writer, law, rows, form
    friction/kinds        (n, 2): sets of sliding and rolling; 0 disc, 1 ellipse, 2 box,
                          3 interval, an even number from 4 on: polygon of so many facets
    friction/radii        (n, 5): sliding a, b, rolling a, b (m), spinning (m)
    bounds                (m, 2): lower, upper of the extra rows
    compliance            (N,), N = n * rows + m
    form = "body"         body/H, body/v_free (dofs,), body/b (N,), and body/mass as
                          blocks (bodies, k, k) or as a sparse matrix
    form = "delassus"     delassus/W, delassus/q (N,)

A sparse matrix is a group: data, indices, indptr by rows, attribute shape. Numbers are
float64. The newer HDF5 layout gives checksums to the structure, and the
Fletcher-32 filter to the numbers, so a flipped bit is an error and not an answer.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from rollcone import __version__
from rollcone._check import FloatArray, finite_array, one_of
from rollcone.errors import FileError
from rollcone.laws.cone import ROWS, FrictionCone
from rollcone.problem.bodies import BodyForm
from rollcone.problem.contact_problem import LAWS, ContactProblem, Law
from rollcone.problem.delassus import DelassusForm
from rollcone.problem.mass import BlockMass, MassMatrix, mass_matrix
from rollcone.problem.sparse_parts import csr_from_parts

if TYPE_CHECKING:
    import h5py

FORMAT, VERSION = "rollcone-problem", 1
NAME = f"Rollcone problem file (HDF5, version {VERSION})"
FORMS = ("body", "delassus")

_CHUNK = 2**17  # numbers under one checksum
_MOST_DEFLATE = 1032  # what a compressed byte can at most grow to


def write(problem: ContactProblem, path: Path) -> None:
    """Make the file, which must not exist yet."""
    import h5py

    form = problem.form
    with h5py.File(path, "x", libver=("v110", "v110")) as file:
        file.attrs.update(
            format=np.bytes_(FORMAT),
            version=VERSION,
            writer=np.bytes_(f"rollcone {__version__}"),
            law=np.bytes_(problem.law),
            rows=problem.rows,
            form=np.bytes_("body" if isinstance(form, BodyForm) else "delassus"),
        )
        _put(file, "friction/kinds", problem.cone.kinds)
        _put(file, "friction/radii", problem.cone.radii)
        _put(file, "bounds", problem.bounds)
        _put(file, "compliance", problem.compliance)
        if isinstance(form, BodyForm):
            if isinstance(form.mass, BlockMass):
                _put(file, "body/mass/blocks", form.mass.blocks)
            else:
                _put_sparse(file, "body/mass", form.mass.matrix())
            _put_sparse(file, "body/H", form.H)
            _put(file, "body/v_free", form.v_free)
            _put(file, "body/b", form.b)
        else:
            _put_sparse(file, "delassus/W", form.W)
            _put(file, "delassus/q", form.q)


def _put(file: h5py.File, name: str, array: NDArray[Any]) -> None:
    if not array.size:
        file.create_dataset(name, data=array)
        return
    lines = max(1, _CHUNK // array[:1].size)
    chunks = (min(len(array), lines), *array.shape[1:])
    file.create_dataset(name, data=array, chunks=chunks, fletcher32=True)


def _put_sparse(file: h5py.File, name: str, matrix: sp.csr_matrix) -> None:
    for part in ("data", "indices", "indptr"):
        _put(file, f"{name}/{part}", getattr(matrix, part))
    file[name].attrs["shape"] = np.array(matrix.shape, dtype=np.int64)


def read(path: Path) -> ContactProblem:
    """The problem in the file; raises as it goes, `files.py` words the outcome."""
    import h5py

    with h5py.File(path, "r") as file:
        reader = _Reader(file, path.stat().st_size)
        reader.check_format()
        law = cast(Law, one_of("law", reader.text("law"), LAWS))
        form_name = one_of("form", reader.text("form"), FORMS)
        rows = reader.number("rows")
        if rows not in ROWS:
            raise FileError(f"rows = {rows}: must be one of {', '.join(map(str, ROWS))}")
        kinds = reader.integers("friction/kinds", None, 2)
        radii = reader.floats("friction/radii", len(kinds), 5)
        bounds = reader.floats("bounds", None, 2)
        total = len(kinds) * rows + len(bounds)
        compliance = reader.floats("compliance", total)
        form = reader.bodies(total) if form_name == "body" else reader.delassus(total)
    cone = FrictionCone.from_arrays(kinds, radii)
    return ContactProblem._checked(form, cone, law, rows, bounds, compliance)


class _Reader:
    """Reads nothing whose size is not known to be right, nor from any other file."""

    def __init__(self, file: h5py.File, size: int) -> None:
        self._file = file
        self._size = size  # of the file, in bytes

    def check_format(self) -> None:
        from rollcone.problem.files import SUPPORTED

        if "format" not in self._file.attrs:
            names = sorted(self._file)
            kind = "an FCLIB file" if any(n.startswith("fclib_") for n in names) else "an HDF5 file"
            listed = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
            raise FileError(
                f"{kind} (root groups: {listed or 'none'}), which is not supported; "
                f"supported: {SUPPORTED}"
            )
        name, version = self.text("format"), self.number("version")
        if name != FORMAT:
            raise FileError(f"an HDF5 file of the format {name!r}; supported: {SUPPORTED}")
        if version != VERSION:
            raise FileError(f"version {version} of the format; this Rollcone reads {VERSION}")

    def text(self, name: str) -> str:
        value = self._attribute(self._file, name, ())
        return value.decode() if isinstance(value, bytes) else str(value)

    def number(self, name: str) -> int:
        value = self._attribute(self._file, name, ())
        if not isinstance(value, int | np.integer):
            raise FileError(f"attribute {name} = {value!r}: must be a whole number")
        return int(value)

    def floats(self, name: str, *shape: int | None) -> FloatArray:
        return self._array(name, shape, "fiu").astype(np.float64, copy=False)

    def integers(self, name: str, *shape: int | None) -> NDArray[Any]:
        return self._array(name, shape, "iu")

    def sparse(self, name: str, rows: int | None, columns: int | None) -> sp.csr_matrix:
        shape = self._attribute(self._entry(name), "shape", (2,))
        m, n = (int(number) for number in shape)
        if not _fits((m, n), (rows, columns)):
            raise FileError(f"{name} of shape {(m, n)}: must be {_words((rows, columns))}")
        indptr = self.integers(f"{name}/indptr", m + 1)
        data = self.floats(f"{name}/data", None)
        return csr_from_parts(
            name, data, self.integers(f"{name}/indices", len(data)), indptr, (m, n)
        )

    def bodies(self, total: int) -> BodyForm:
        mass = self._mass()
        H = self.sparse("body/H", total, mass.dofs)
        v_free = finite_array("body/v_free", self.floats("body/v_free", mass.dofs))
        return BodyForm(mass, H, v_free, finite_array("body/b", self.floats("body/b", total)))

    def _mass(self) -> MassMatrix:
        if "body/mass/blocks" in self._file:
            return mass_matrix(self.floats("body/mass/blocks", None, None, None))
        return mass_matrix(self.sparse("body/mass", None, None))

    def delassus(self, total: int) -> DelassusForm:
        W = self.sparse("delassus/W", total, total)
        return DelassusForm(W, finite_array("delassus/q", self.floats("delassus/q", total)))

    def _entry(self, name: str) -> Any:
        import h5py

        group: Any = self._file
        for part in name.split("/"):
            link = group.get(part, getlink=True) if isinstance(group, h5py.Group) else None
            if not isinstance(link, h5py.HardLink):
                raise FileError(f"{name} is missing")
            group = group[part]
        return group

    def _array(self, name: str, shape: tuple[int | None, ...], types: str) -> NDArray[Any]:
        import h5py

        dataset = self._entry(name)
        if not isinstance(dataset, h5py.Dataset) or dataset.dtype.kind not in types:
            whole = "" if "f" in types else "whole "
            raise FileError(f"{name}: must be an array of {whole}numbers")
        if not _fits(dataset.shape, shape):
            raise FileError(f"{name} of shape {dataset.shape}: must be {_words(shape)}")
        stored = min(dataset.id.get_storage_size(), self._size)
        growth = _MOST_DEFLATE if dataset.compression else 1
        if dataset.is_virtual or dataset.external or dataset.nbytes > growth * stored:
            raise FileError(f"{name} of shape {dataset.shape}: not all of it is in the file")
        return np.asarray(dataset[()])

    @staticmethod
    def _attribute(owner: Any, name: str, shape: tuple[int, ...]) -> Any:
        if name not in owner.attrs or owner.attrs.get_id(name).shape != shape:
            raise FileError(f"attribute {name} is missing or not of shape {shape}")
        return owner.attrs[name]


def _fits(shape: tuple[int, ...] | None, wanted: tuple[int | None, ...]) -> bool:
    if shape is None or len(shape) != len(wanted):
        return False
    return all(want in (None, have) for have, want in zip(shape, wanted, strict=True))


def _words(shape: tuple[int | None, ...]) -> str:
    return f"({', '.join('any' if n is None else str(n) for n in shape)})"
