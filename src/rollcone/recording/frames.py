"""Growing arrays: what is kept of every recorded moment."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray
from rollcone.mechanics.bodies import REMOVED, STATE, Bodies

CONTACT_FIELDS: dict[str, tuple[type, tuple[int, ...]]] = {
    "bodies": (np.int64, (2,)),
    "gap": (np.float64, ()),
    "normal": (np.float64, (3,)),
    "point": (np.float64, (3,)),
    "impulse": (np.float64, (6,)),
    "velocity": (np.float64, (6,)),
}


class Column:
    """An array that grows at its end."""

    def __init__(self, shape: tuple[int, ...] = (), dtype: type = np.float64) -> None:
        self._room: NDArray[Any] = np.empty((16, *shape), dtype=dtype)
        self.count = 0

    def append(self, value: Any) -> None:
        self.extend(1)[0] = value

    def extend(self, rows: int) -> NDArray[Any]:
        """Room for more rows, to be filled."""
        end = self.count + rows
        if end > len(self._room):
            more = np.empty(
                (max(end, 2 * len(self._room)), *self._room.shape[1:]), self._room.dtype
            )
            more[: self.count] = self._room[: self.count]
            self._room = more
        first, self.count = self.count, end
        return self._room[first:end]

    def array(self) -> NDArray[Any]:
        return self._room[: self.count]


class States:
    """Positions, orientations and velocities of all bodies at each recorded moment.

    A body that was not there yet, or no longer, has NaN.
    """

    def __init__(self, bodies: int) -> None:
        self._columns = self._make(bodies)
        self._bodies = self._room = bodies

    def append(self, state: Bodies) -> None:
        if len(state) > self._bodies:
            self._widen(len(state))
        for name in STATE:
            row = self._columns[name].extend(1)[0]
            row[self._bodies :] = np.nan
            shown = row[: self._bodies]
            shown[:] = getattr(state, name)
            shown[state.kind == REMOVED] = np.nan

    def of(self, name: str, number: int) -> FloatArray:
        """(moments, 3 or 4) of one body."""
        return np.array(self._columns[name].array()[:, number])

    def all(self, name: str) -> FloatArray:
        """(moments, bodies, 3 or 4), to be read."""
        shown = self._columns[name].array()[:, : self._bodies]
        shown.flags.writeable = False
        return shown

    def _widen(self, bodies: int) -> None:
        if bodies > self._room:
            self._room = bodies + bodies // 2  # so that adding bodies one by one stays cheap
            wider = self._make(self._room)
            for name in STATE:
                old = self._columns[name].array()
                new = wider[name].extend(len(old))
                new[:] = np.nan
                new[:, : self._bodies] = old[:, : self._bodies]
            self._columns = wider
        self._bodies = bodies

    @staticmethod
    def _make(bodies: int) -> dict[str, Column]:
        return {name: Column((bodies, 4 if name == "orientation" else 3)) for name in STATE}


class ContactFrames:
    """The contacts of each recorded moment, one after the other."""

    def __init__(self) -> None:
        self._columns = {
            name: Column(shape, dtype) for name, (dtype, shape) in CONTACT_FIELDS.items()
        }
        self._ends = Column(dtype=np.int64)

    def append(self, count: int, **values: NDArray[Any]) -> None:
        """The fields of `count` contacts; none need be given if there are none."""
        for name, column in self._columns.items() if count else ():
            rows = column.extend(count)
            value = values[name]
            if value.ndim > 1 and value.shape[1] < rows.shape[1]:  # three rows of six
                rows[:, value.shape[1] :] = 0.0
                rows[:, : value.shape[1]] = value
            else:
                rows[:] = value
        self._ends.append(self._columns["gap"].count)

    def all(self, name: str) -> NDArray[Any]:
        """One field of the contacts of all moments."""
        return self._columns[name].array()

    def ends(self) -> NDArray[np.int64]:
        """How many contacts there are up to each moment."""
        return self._ends.array()

    def rows(self, first: int = 0, last: int | None = None) -> dict[str, NDArray[Any]]:
        """All fields of some contacts, copied; the last is not among them."""
        return {name: column.array()[first:last].copy() for name, column in self._columns.items()}
