"""K = I + sum of A_i T_i A_i^T over contacts, factored by bodies.

Contact i joins at most two bodies: A_i has two blocks (size, d), as in `Pairs`, and T_i
(d, d) need not be symmetric. Extra rows are further contacts with d = 1. K is

    bodies x bodies blocks,    K_ab += A_ia T_i A_ib^T

of which only those of touching bodies are not zero. It is made once for a pattern of
contacts: bodies in an order with few new blocks (approximate minimum degree), and dense fronts
of bodies that go together. Then any number of times: LU = K, with exchanges of rows
within the block of a body only, and solutions of K x = r.

Where the symmetric part of every T_i is positive semidefinite, that of K is at least I, and so
are those of all pivots: none is singular. Elsewhere digits may be lost, since bodies are not
exchanged; who needs them refines x by the residual.
"""

from __future__ import annotations

import numpy as np

from rollcone._check import FloatArray, IntArray
from rollcone.solvers.kernels import body_matrix as numbers
from rollcone.solvers.kernels import elimination
from rollcone.solvers.kernels import minimum_degree as ordering

_WIDEST = 6  # bodies in a front that takes in zeros
_SLACK = 0.15  # and the part of it that may be zeros


class BodyMatrix:
    """LU of K for one pattern: bodies (n, 2) of contacts and (m, 2) of extra rows.

    A missing body has the number `count`, one past the last.
    """

    def __init__(
        self, count: int, size: int, contacts: IntArray, lines: IntArray | None = None
    ) -> None:
        self.count, self.size = count, size
        bodies = contacts if lines is None or not len(lines) else np.concatenate([contacts, lines])
        self._eliminate(*self._order_bodies(bodies))
        self._find_targets(contacts, lines)
        columns = count * size
        self._swaps = np.empty(columns, dtype=np.int64)
        self._inverse, self._x = np.empty(columns), np.empty(columns)

    @property
    def stored_blocks(self) -> int:
        """Blocks (size, size) of the factors, with the zeros that fronts took in."""
        return len(self._panels) // self.size**2

    def _order_bodies(self, bodies: IntArray) -> tuple[IntArray, IntArray]:
        """The graph of bodies, as starts and neighbours, and `order`."""
        n = self.count
        starts, neighbours = _integers(n + 2), _integers(2 * len(bodies))
        self._order = _integers(n)
        ordering.fill_neighbours(bodies, n, starts, _integers(n), neighbours)
        space = 4 * (int(starts[n]) + n)
        lists = [_integers(n + 1) for _ in range(12)]
        while not ordering.minimum_degree(
            starts, neighbours, ordering.Quotient(_integers(space), *lists), self._order
        ):
            space *= 2
        return starts, neighbours

    def _eliminate(self, starts: IntArray, neighbours: IntArray) -> None:
        """Fronts, their rows, and where they lie in memory."""
        n = self.count
        self._column, parent, counts, front = (_integers(n) for _ in range(4))
        work = np.empty((4, n + 1), dtype=np.int64)
        graph = (starts, neighbours, self._order, self._column)
        elimination.elimination_tree(*graph, parent, counts, work)
        elimination.postorder(self._order, self._column, parent, counts, work)
        first = _integers(n + 1)
        fronts = elimination.find_fronts(parent, counts, _WIDEST, _SLACK, first, front, work[0])
        self._first, self._front = first[: fronts + 1], front
        above, mark, self._begin = _integers(fronts), _integers(fronts), _integers(fronts + 1)
        tree = (self._first, front, above, mark, self._begin)
        total = elimination.count_rows(*graph, parent, *tree)
        self._rows, self._place, self._run = (_integers(total) for _ in range(3))
        elimination.fill_rows(*graph, *tree, self._rows)
        elimination.place_rows(self._first, above, self._begin, self._rows, self._place, self._run)
        self._child, self._sibling, self._panel, self._schur = (_integers(fronts) for _ in range(4))
        places = (self._child, self._sibling, self._panel, self._schur)
        panels, work_length = elimination.place_fronts(
            self.size, self._first, above, self._begin, *places, mark, _integers(fronts)
        )
        self._panels, self._work = np.empty(panels), np.empty(work_length)
        longest = np.diff(self._first) + np.diff(self._begin)
        self._line = np.empty(self.size * int(longest.max(initial=0)))

    def _find_targets(self, contacts: IntArray, lines: IntArray | None) -> None:
        """Where the blocks of contacts go."""
        self._diagonal = np.empty((self.count, 2), dtype=np.int64)
        fronts = (self._first, self._begin, self._panel)
        elimination.find_diagonals(self.size, *fronts, self._diagonal)
        self._targets = self._targets_of(contacts)
        self._line_targets = None if lines is None or not len(lines) else self._targets_of(lines)

    def _targets_of(self, bodies: IntArray) -> IntArray:
        targets = np.empty((len(bodies), 2, 2, 3), dtype=np.int64)
        elimination.find_targets(
            self.size,
            self.count,
            bodies,
            self._column,
            self._first,
            self._front,
            self._begin,
            self._rows,
            self._panel,
            targets,
        )
        return targets

    def factor(
        self,
        blocks: FloatArray,
        T: FloatArray,
        line_blocks: FloatArray | None = None,
        t: FloatArray | None = None,
    ) -> bool:
        """LU of K for T (n, d, d) and t (m,); False if the block of a pivot has no inverse."""
        numbers.fill_identity(self.size, self._diagonal, self._panels)
        self._add(blocks, T, self._targets)
        if self._line_targets is not None:
            assert line_blocks is not None
            assert t is not None
            self._add(line_blocks, t.reshape(-1, 1, 1), self._line_targets)
        return bool(
            numbers.factor(
                self.size,
                self._first,
                self._begin,
                self._place,
                self._run,
                self._child,
                self._sibling,
                self._panel,
                self._schur,
                self._panels,
                self._work,
                self._swaps,
                self._inverse,
            )
        )

    @property
    def orientation(self) -> int:
        """The sign of the determinant of K, as factored: 1 or -1."""
        rows = np.arange(len(self._swaps)) % self.size
        exchanges = np.count_nonzero(self._swaps != rows)
        return -1 if (exchanges + np.count_nonzero(self._inverse < 0.0)) % 2 else 1

    def _add(self, blocks: FloatArray, T: FloatArray, targets: IntArray) -> None:
        d = blocks.shape[3]
        left, right = np.empty((2, 2 * d * self.size))
        numbers.add_contacts(blocks, T, targets, left, right, self._panels)

    def solve(self, r: FloatArray) -> None:
        """r <- K^-1 r in place, r (count + 1, size); the row of the missing body is left alone."""
        numbers.solve(
            self.size,
            self._order,
            self._first,
            self._begin,
            self._rows,
            self._panel,
            self._panels,
            self._swaps,
            self._inverse,
            self._x,
            self._line,
            r,
        )


def _integers(n: int) -> IntArray:
    return np.empty(n, dtype=np.int64)
