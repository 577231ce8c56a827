"""The arrays of a step, made once for so many bodies and contacts; they grow between calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rollcone._thread_kernels import new_gate
from rollcone.collision._detect_kernels import Found
from rollcone.collision.grid import Grid, make_found, roomy
from rollcone.mechanics.world import World
from rollcone.solvers._cell_work import CellWork, cell_work
from rollcone.stepping._work import (
    KNOWN,
    NUMBERS,
    PLACES,
    BodyArrays,
    ContactWork,
    Known,
    Motion,
)


class Workspace:
    """All that `run_steps` works on besides the bodies themselves (_work.py)."""

    motion: Motion  # the first rows of arrays with room for more bodies
    grid: Grid
    near: Found  # the candidates
    mid: Found  # the same half a step ahead
    seen: Found  # what is found on the way
    contacts: ContactWork
    known: Known
    cells: CellWork
    _all: Motion

    def __init__(self) -> None:
        self.control = np.zeros(PLACES, dtype=np.int64)
        self.numbers = np.zeros(NUMBERS)
        self.gate = new_gate()
        self._bodies = self._room = -1  # bodies, and room for so many
        self._rows, self._contacts = 0, roomy(0)
        self.known = make_known(0)

    def fit(self, bodies: int, rows: int) -> None:
        """For so many bodies and rows per contact. Bodies that are added find room most of the
        time; what is there of contacts stays."""
        grown = bodies > self._room
        if grown:
            self._room = bodies if self._bodies < 0 else roomy(bodies)
            self._all = make_motion(self._room)
        if bodies != self._bodies:
            shown = {name: array[:bodies] for name, array in self._all._asdict().items()}
            self.motion = Motion(**shown)
            if self._bodies < 0:
                self.grid = Grid(bodies)
            else:
                self.grid.fit(bodies)
            self._bodies = bodies
        if rows != self._rows:
            self._rows = rows
            self._fit_contacts()
        elif grown:
            self._make_cells()

    def grow(self) -> None:
        """Room for what the last call was short of."""
        contacts = self.grid.grow()
        if contacts > self._contacts:
            self._contacts = roomy(contacts)
            self._fit_contacts()

    def know(self, known: Known) -> None:
        """Reactions of a step that was made elsewhere."""
        self.control[KNOWN] = len(known.key)
        self._contacts = roomy(len(known.key))
        self.known = make_known(self._contacts)
        for new, old in zip(self.known, known, strict=True):
            new[: len(old)] = old

    def _make_cells(self) -> None:
        """The reactions of the step before are not needed during a solve: their room is used."""
        self.cells = cell_work(self._contacts, self._room, self._rows, self.contacts.p_known)

    def _fit_contacts(self) -> None:
        c = self._contacts
        self.near, self.mid, self.seen = make_found(c), make_found(c), make_found(c)
        self.contacts = make_contacts(c, self._rows)
        self._make_cells()
        if len(self.known.key) < c:
            old, k = self.known, int(self.control[KNOWN])
            self.known = make_known(c)
            for new, known in zip(self.known, old, strict=True):
                new[:k] = known[:k]


def body_arrays(world: World) -> BodyArrays:
    """The world as kernels see it."""
    s = world.state
    return BodyArrays(
        s.kind, s.shape, s.size, s.position, s.orientation, s.velocity, s.angular_velocity,
        s.mass, s.inertia, s.principal, s.material, s.force, s.torque, s.damping, world.gravity,
        *world.laws.tables(),
    )  # fmt: skip


def make_motion(n: int) -> Motion:
    """Of n bodies."""
    shapes = {"start_orientation": (n, 4), "inverse": (n, 7), "theta": (n,), "margin": (n,)}
    shapes |= {"driven": (n, 6), "gain": (n, 2), "parent": (n,)}
    return Motion(**_arrays(Motion._fields, shapes, (n, 3)))


def make_contacts(c: int, d: int) -> ContactWork:
    """Of c contacts with d rows each."""
    whole = ("touch_state", "ahead", "fresh", "met")
    one = ("restitution", "small", "slow", "loads", "start", "temper", "speeds")
    rows = ("bend", "b", "p", "p_known", "y_before", "y_after", "y_expected")
    shapes: dict[str, tuple[int, ...]] = dict.fromkeys((*whole, *one), (c,))
    shapes |= dict.fromkeys(rows, (c, d))
    shapes |= {"arms": (c, 6), "mid_arms": (c, 6), "frames": (c, 3, 3), "radii": (c, 5)}
    shapes |= {"movers": (c, 2)}
    work = ContactWork(**_arrays(ContactWork._fields, shapes, (c, 3)))
    return work._replace(y_expected=work.y_after)  # which are not there at the same time


def _arrays(
    names: tuple[str, ...], shapes: Mapping[str, tuple[int, ...]], usual: tuple[int, ...]
) -> dict[str, Any]:
    """Zeros under these names."""
    whole = ("parent", "touch_state", "ahead", "fresh", "met", "movers")
    return {
        name: np.zeros(shapes.get(name, usual), dtype=np.int64 if name in whole else np.float64)
        for name in names
    }


def make_known(c: int) -> Known:
    return Known(np.zeros(c, dtype=np.int64), np.zeros((c, 3)), np.zeros((c, 3)))
