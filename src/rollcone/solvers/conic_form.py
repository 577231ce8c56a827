"""The contact problem as a conic program in velocities, W never formed.

    minimise  1/2 (v - v_free)^T M (v - v_free)   subject to   H v + b + s n in K*

In x = L^T (v - v_free), M = L L^T, masses are one. K* = { y : u_n >= S(y) } is made of
linear rows and second-order cones with one auxiliary t per set,

    u_n - t_1 - t_2 - t_3 >= 0,   (t, a u_1, b u_2) in the second-order cone   disc, ellipse
                                  t + c . u >= 0 for every vertex c            polygon, interval

(a box is two intervals). All rows are speeds; divided by sqrt(lambda) of their contact
they are blind to units. An extra row with its reaction in p_0 + [lower, upper], p_0 the
smallest that it may have and lower <= 0 <= upper, is y = y+ - y-, y+ and y- >= 0, at the
cost -lower y+ + upper y-; a side without bound has no such variable. Compliance C adds
variables of unit mass with the columns sqrt(C). With X = (x, auxiliaries), E y the rows
of y in the cones, and a unit of speed divided out:

    minimise 1/2 X^T P X + c^T X,   G X + g in the cones,   g = E (q + s n)

Its dual variables z meet P X + c = G^T z, of which the rows of x say M (v - v_free) = H^T p
with p = p_0 + E^T z; the rows of t, that all cones of a contact share the same r_n.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp

from rollcone._check import FloatArray, IntArray
from rollcone.errors import InputError, MissingPackageError
from rollcone.laws.kernels.box import BOX
from rollcone.laws.kernels.disc import DISC
from rollcone.laws.kernels.ellipse import ELLIPSE
from rollcone.laws.kernels.interval import INTERVAL
from rollcone.laws.names import coupled_names
from rollcone.problem.bodies import BodyForm
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.mass import BlockMass

_NULL = 1e-14  # eigenvalues of W below this share of the largest are taken as zero
# A bound so far from what the problem's speeds can ask for is left out: it would spoil the
# numbers of the others, and the residual knows it.
_FAR = 1e8


class ConicForm:
    """P, c, G and the sizes of the cones: equal to zero, at least zero, second-order (3 each)."""

    def __init__(self, problem: ContactProblem) -> None:
        mass, base = _mass_and_base(problem)
        soft = np.flatnonzero(problem.compliance)
        roots = sp.diags(np.sqrt(problem.compliance), format="csc")[:, soft]
        self._base = sp.csr_matrix(sp.hstack([base, roots]))
        self._q = problem.q
        cut = problem.contacts * problem.rows
        self._least = np.zeros(problem.size)  # p_0
        self._least[cut:] = np.clip(0.0, problem.bounds[:, 0], problem.bounds[:, 1])

        drive = self._base.T @ self._least
        self._unit = _speed(problem, drive)

        table = _Table(problem.size)
        _put_contacts(table, problem)
        _put_extra_rows(table, problem, (problem.bounds.T - self._least[cut:]) / self._unit)
        self._E, T, cost = table.finish()
        self.sizes = table.sizes
        self._normals = self._E[:, : cut : problem.rows]
        weightless = sp.csr_matrix((len(cost), len(cost)))
        self.P = sp.csc_matrix(sp.block_diag([mass, sp.eye(len(soft)), weightless]))
        self.c = np.concatenate([-drive / self._unit, cost])
        self.G = sp.csc_matrix(sp.hstack([self._E @ self._base, T]))
        self.G.eliminate_zeros()

    def offset(self, shift: FloatArray) -> FloatArray:
        """g for the shift s (n,) of the contacts."""
        return np.asarray(self._E @ self._q + self._normals @ shift) / self._unit

    def velocities(self, X: FloatArray) -> FloatArray:
        """y + C p (N,), without the shift."""
        return np.asarray(self._base @ X[: self._base.shape[1]] * self._unit + self._q)

    def reactions(self, z: FloatArray) -> FloatArray:
        """p (N,)."""
        return np.asarray(self._least + self._E.T @ z * self._unit)


class _Table:
    """Collects the rows E y + T t by kind of cone, and the costs of the auxiliary t."""

    EQUAL, LINEAR, SECOND = range(3)

    def __init__(self, size: int) -> None:
        self.sizes = [0, 0, 0]
        self._size = size
        self._costs = [np.zeros(0)]
        self._entries: list[tuple[int, Any]] = []

    def variables(self, costs: FloatArray) -> IntArray:
        """New auxiliary variables; returns their columns, which follow those of y."""
        first = self._size + sum(map(len, self._costs))
        self._costs.append(costs)
        return first + np.arange(len(costs))

    def rows(self, kind: int, count: int) -> IntArray:
        """New rows of one kind; returns their numbers."""
        self.sizes[kind] += count
        return self.sizes[kind] - count + np.arange(count)

    def put(self, kind: int, rows: IntArray, columns: IntArray, values: Any) -> None:
        self._entries.append((kind, np.broadcast_arrays(rows, columns, values)))

    def finish(self) -> tuple[sp.csr_matrix, sp.csr_matrix, FloatArray]:
        """E, T and the costs."""
        start = np.cumsum([0, *self.sizes])
        rows = np.concatenate([start[kind] + part[0].ravel() for kind, part in self._entries])
        columns = np.concatenate([part[1].ravel() for _, part in self._entries])
        values = np.concatenate([part[2].ravel() for _, part in self._entries])
        costs = np.concatenate(self._costs)
        shape = (int(start[-1]), self._size + len(costs))
        whole = sp.csr_matrix((values, (rows, columns)), shape)
        whole.eliminate_zeros()
        return whole[:, : self._size], whole[:, self._size :], costs


def _put_contacts(table: _Table, problem: ContactProblem) -> None:
    """u_n - sum t >= 0, and each t above the support function of its set."""
    first = problem.rows * np.arange(problem.contacts)
    weights = 1.0 / np.sqrt(problem.scaling.lambdas)
    normals = table.rows(table.LINEAR, problem.contacts)
    table.put(table.LINEAR, normals, first, weights)
    for of, row, faces in _sets(problem):
        count, k, width = faces.shape
        kind, slopes = (table.SECOND, [1.0, 0.0, 0.0]) if k == 3 else (table.LINEAR, [1.0] * k)
        rows = table.rows(kind, count * k).reshape(count, k)
        t = table.variables(np.zeros(count))
        columns = (first[of] + row)[:, None, None] + np.arange(width)
        table.put(kind, rows[:, :, None], columns, faces * weights[of, None, None])
        table.put(kind, rows, t[:, None], slopes)
        table.put(table.LINEAR, normals[of], t, -1.0)


def _sets(problem: ContactProblem) -> Iterator[tuple[IntArray, int, FloatArray]]:
    """(contacts, first row, faces (count, k, width)): k = 3 for (t, a u_1, b u_2), otherwise
    one face per vertex. Sets that are a point are left out."""
    kinds, radii, d = problem.cone.kinds, problem.cone.radii, problem.rows
    coupled = coupled_names(kinds[radii.any(axis=1)])
    if coupled:
        raise InputError(
            f"{coupled} as a friction set: conic programs of Clarabel are posed here for sets that "
            "bound sliding, rolling and spinning each by itself"
        )
    kinds = np.where(kinds < 0, DISC, kinds)  # those left are points
    intervals = [(5, radii[:, 4])] if d > 5 else []
    for row, slot in ((1, 0), (3, 1)) if d > 3 else ((1, 0),):
        kind, a, b = kinds[:, slot], radii[:, 2 * slot], radii[:, 2 * slot + 1]
        line = (kind == BOX) | (kind == INTERVAL) | (d == 2)
        intervals += [(row, np.where(line, a, 0.0)), (row + 1, np.where(kind == BOX, b, 0.0))]
        for value in np.unique(kind[~line]):
            of = np.flatnonzero((kind == value) & (np.maximum(a, b) > 0))
            yield of, row, _faces(int(value), a[of], b[of])
    for row, half in intervals:
        of = np.flatnonzero(half)
        yield of, row, half[of, None, None] * np.array([[1.0], [-1.0]])


def _faces(kind: int, a: FloatArray, b: FloatArray) -> FloatArray:
    """Of sets in the plane, (count, k, 2)."""
    if kind in (DISC, ELLIPSE):
        faces = np.zeros((len(a), 3, 2))
        faces[:, 1, 0], faces[:, 2, 1] = a, b
        return faces
    angles = 2.0 * np.pi * np.arange(kind) / kind
    corners = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return np.asarray(a[:, None, None] * corners)


def _put_extra_rows(table: _Table, problem: ContactProblem, bounds: FloatArray) -> None:
    """y - y+ + y- = 0 with y+, y- >= 0 at a cost; a row with lower = upper is p_0 alone."""
    lower, upper = bounds * np.sqrt(problem.scaling.row_lambdas)
    of = np.flatnonzero(lower < upper)
    rows = table.rows(table.EQUAL, len(of))
    weights = 1.0 / np.sqrt(problem.scaling.row_lambdas[of])
    table.put(table.EQUAL, rows, problem.contacts * problem.rows + of, weights)
    for sign, costs in ((-1.0, -lower[of]), (1.0, upper[of])):
        here = np.flatnonzero(costs < _FAR)
        t = table.variables(costs[here])
        table.put(table.EQUAL, rows[here], t, sign)
        table.put(table.LINEAR, table.rows(table.LINEAR, len(here)), t, 1.0)


def _speed(problem: ContactProblem, drive: FloatArray) -> float:
    """The largest speed to be resisted, and the largest cost of x; contacts that separate
    do not count."""
    scale = problem.scaling
    q, row_q = problem.split(problem.q)
    shift = problem.cone.shift(q) if len(q) else np.zeros(0)
    speeds = np.maximum(shift - q[:, 0], 0.0) / np.sqrt(scale.lambdas)
    row_speeds = np.abs(row_q) / np.sqrt(scale.row_lambdas)
    return float(np.concatenate([speeds, row_speeds, np.abs(drive)]).max(initial=0.0)) or 1.0


def _mass_and_base(problem: ContactProblem) -> tuple[Any, Any]:
    """(P, B) with y = B x + q and P x = B^T p; the diagonal of P is one."""
    form = problem.form
    if not isinstance(form, BodyForm):
        base = _root(problem, form.W.toarray())
        return sp.eye(base.shape[1]), sp.csr_matrix(base)
    mass = form.mass
    if isinstance(mass, BlockMass):
        places = np.arange(mass.bodies + 1)
        shape = (mass.dofs, mass.dofs)
        factor = sp.bsr_matrix((mass.inverse_factor, places[:-1], places), shape)
        return sp.eye(mass.dofs), form.H @ factor.T
    scale = sp.diags(1.0 / np.sqrt(mass.matrix().diagonal()))
    return scale @ mass.matrix() @ scale, form.H @ scale


def _root(problem: ContactProblem, W: FloatArray) -> FloatArray:
    """B with W = B B^T, from the eigenvectors of W with its rows scaled to one unit."""
    scaling = problem.scaling
    speeds = np.sqrt(scaling.lambdas)[:, None] / scaling.units
    units = np.concatenate([speeds.reshape(-1), np.sqrt(scaling.row_lambdas)])
    values, vectors = np.linalg.eigh(0.5 * (W + W.T) / units / units[:, None])
    largest = np.abs(values).max(initial=0.0)
    if values.min(initial=0.0) < -1e-9 * largest:
        raise InputError(
            f"W has the eigenvalue {values[0] / largest:.1e} times the largest: "
            "solver 'reference' needs a positive semidefinite W"
        )
    kept = values > _NULL * largest
    return np.asarray(units[:, None] * vectors[:, kept] * np.sqrt(values[kept]))


def import_clarabel(user: str) -> Any:
    """The package, for what `user` does; loaded when it is needed."""
    try:
        import clarabel
    except ImportError:
        raise MissingPackageError(f"{user} needs Clarabel: pip install clarabel") from None
    return clarabel


def clarabel_settings(clarabel: Any, tolerance: float, *, updates: bool = False) -> Any:
    """Of its solver: silent, one thread (the same bits on every machine; never far slower, on busy
    ones faster). `updates`: other data may follow, which presolving would forbid."""
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.direct_solve_method = "qdldl"
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = tolerance
    if updates:
        settings.presolve_enable = settings.chordal_decomposition_enable = False
    return settings
