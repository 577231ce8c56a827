"""Rollcone's own problem file: HDF5, every part of it under a checksum.

    attributes            format = "rollcone-problem", version = 1, writer, law, rows, form
    friction/kinds        (n, 2): sets of sliding and rolling; 0 disc, 1 ellipse, 2 box,
                          3 interval, an even number from 4 on: polygon of so many facets; of
                          sliding also -1, -2, -3 Contensou (hertz, uniform, quadratic
                          pressure), -4 ellipsoid over all friction rows
    friction/radii        (n, 5): sliding a, b, rolling a, b (m), spinning (m); of Contensou
                          mu, mu, rolling a, b, mu times the contact radius
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
from rollcone._check import finite_array, one_of
from rollcone.errors import FileError
from rollcone.laws.cone import ROWS, FrictionCone
from rollcone.problem.bodies import BodyForm
from rollcone.problem.contact_problem import LAWS, ContactProblem, Law
from rollcone.problem.delassus import DelassusForm
from rollcone.problem.hdf5_reader import Hdf5Reader, fits, shape_words
from rollcone.problem.mass import BlockMass, MassMatrix, mass_matrix
from rollcone.problem.sparse_parts import csr_from_parts

if TYPE_CHECKING:
    import h5py

FORMAT, VERSION = "rollcone-problem", 1
NAME = f"Rollcone problem file (HDF5, version {VERSION})"
FORMS = ("body", "delassus")

_CHUNK = 2**17  # numbers under one checksum


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


def read(reader: Hdf5Reader) -> ContactProblem:
    """The problem in the file; raises as it goes, `files.py` words the outcome."""
    _check_format(reader)
    law = cast(Law, one_of("law", _text(reader, "law"), LAWS))
    form_name = one_of("form", _text(reader, "form"), FORMS)
    rows = _number(reader, "rows")
    if rows not in ROWS:
        raise FileError(f"rows = {rows}: must be one of {', '.join(map(str, ROWS))}")
    kinds = reader.integers("friction/kinds", None, 2)
    radii = reader.floats("friction/radii", len(kinds), 5)
    bounds = reader.floats("bounds", None, 2)
    total = len(kinds) * rows + len(bounds)
    compliance = reader.floats("compliance", total)
    form = _bodies(reader, total) if form_name == "body" else _delassus(reader, total)
    cone = FrictionCone.from_arrays(kinds, radii)
    return ContactProblem._checked(form, cone, law, rows, bounds, compliance)


def has_format(reader: Hdf5Reader) -> bool:
    """Does the file say what it is?"""
    return reader.has_attribute("format")


def _check_format(reader: Hdf5Reader) -> None:
    name, version = _text(reader, "format"), _number(reader, "version")
    if name != FORMAT:
        raise FileError(f"an HDF5 file of the format {name!r}, not {FORMAT!r}")
    if version != VERSION:
        raise FileError(f"version {version} of the format; this Rollcone reads {VERSION}")


def _text(reader: Hdf5Reader, name: str) -> str:
    value = reader.attribute("", name)
    return value.decode() if isinstance(value, bytes) else str(value)


def _number(reader: Hdf5Reader, name: str) -> int:
    value = reader.attribute("", name)
    if not isinstance(value, int | np.integer):
        raise FileError(f"attribute {name} = {value!r}: must be a whole number")
    return int(value)


def _bodies(reader: Hdf5Reader, total: int) -> BodyForm:
    mass = _mass(reader)
    H = _sparse(reader, "body/H", total, mass.dofs)
    v_free = finite_array("body/v_free", reader.floats("body/v_free", mass.dofs))
    return BodyForm(mass, H, v_free, finite_array("body/b", reader.floats("body/b", total)))


def _mass(reader: Hdf5Reader) -> MassMatrix:
    if "blocks" in reader.names("body/mass"):
        return mass_matrix(reader.floats("body/mass/blocks", None, None, None))
    return mass_matrix(_sparse(reader, "body/mass", None, None))


def _delassus(reader: Hdf5Reader, total: int) -> DelassusForm:
    W = _sparse(reader, "delassus/W", total, total)
    return DelassusForm(W, finite_array("delassus/q", reader.floats("delassus/q", total)))


def _sparse(reader: Hdf5Reader, name: str, rows: int | None, columns: int | None) -> sp.csr_matrix:
    m, n = (int(number) for number in reader.attribute(name, "shape", 2))
    if not fits((m, n), (rows, columns)):
        raise FileError(f"{name} of shape {(m, n)}: must be {shape_words((rows, columns))}")
    indptr = reader.integers(f"{name}/indptr", m + 1)
    data = reader.floats(f"{name}/data", None)
    return csr_from_parts(name, data, reader.integers(f"{name}/indices", len(data)), indptr, (m, n))
