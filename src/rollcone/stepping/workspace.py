"""The arrays of a step, made once for so many bodies and contacts; they grow between calls."""

from __future__ import annotations

import numpy as np

from rollcone._build.gates import new_gate
from rollcone._check import FloatArray
from rollcone._shared_memory import Arrays, SharedMemory, zeros
from rollcone.collision.grid import Grid, found_shapes, make_found, roomy
from rollcone.collision.kernels.detect import Found
from rollcone.mechanics.bodies import Bodies
from rollcone.mechanics.materials import FIELDS
from rollcone.mechanics.world import World
from rollcone.solvers.kernels.cell_work import CellWork, cell_work
from rollcone.stepping.kernels.work import (
    CONTACTS,
    CUTS,
    FAILS,
    KNOWN,
    LAST,
    LEFT,
    MEETS,
    NEXT,
    NUMBERS,
    PLACES,
    SPAN,
    STARTED,
    STRIKE,
    STRIKES,
    TOLD,
    UNSEEN,
    WHOLE,
    BodyArrays,
    ContactWork,
    Known,
    Motion,
    Pieces,
)
from rollcone.stepping.shapes import (
    UNASKED,
    lasting_of_bodies,
    lasting_of_contacts,
    share,
)

MOST_MISSED = 32  # pairs of a piece that seemed to meet, and do not
MOST_TOLD = 512  # contacts of all pieces of a divided step
_LOADS = ("force", "torque", "driven", "driven_turn")


class Workspace:
    """All that `run_steps` works on besides the bodies themselves (kernels/work.py)."""

    motion: Motion  # the first rows of arrays with room for more bodies
    grid: Grid
    near: Found  # the candidates
    mid: Found  # the same half a step ahead
    seen: Found  # what is found on the way
    contacts: ContactWork
    known: Known
    pieces: Pieces
    cells: CellWork

    def __init__(self, apart: bool = False) -> None:
        """`apart`: bodies that overlap are moved apart after a step."""
        self._apart = apart
        self.control = np.zeros(PLACES, dtype=np.int64)
        self.control[NEXT] = self.control[LAST] = WHOLE
        self.numbers = np.zeros(NUMBERS)
        self.gate = new_gate()
        self._bodies = self._room = -1  # bodies, and room for so many
        self._rows, self._contacts = 0, roomy(0)
        self._unequal = self._soft = self._general = False
        self._joints: Arrays = joint_motion(0)
        self._memory = SharedMemory()
        self._shared: dict[str, Arrays] = {}
        self._of_bodies: Arrays = {}
        self._of_contacts: Arrays = {}
        self._middle: Arrays = {}
        self._loads: Arrays = dict.fromkeys(_LOADS, np.zeros((0, 3)))
        self._rate: FloatArray = np.zeros((0, 3))
        self.sunk: FloatArray = np.zeros(0)  # (n,) m, how deep bodies lay in others at first
        self.known = make_known(0)

    def fit(
        self, bodies: int, rows: int, unequal: bool, soft: bool = False, general: bool = False
    ) -> None:
        """For so many bodies, of unequal moments or not, and rows per contact, which are `soft` or
        not, and have `general` limits or discs that never change. Bodies that are added find room
        most of the time; what is there of contacts stays."""
        if self._bodies < 0:
            self.grid = Grid(bodies, own=False)
        elif bodies != self._bodies:
            self.grid.fit(bodies)
        grown = self.grid.room != self._room
        other_rows = (rows, soft, general) != (self._rows, self._soft, self._general)
        other_moments = unequal != self._unequal
        if not (bodies != self._bodies or grown or other_rows or other_moments):
            return
        new = np.full(bodies - len(self.sunk), UNSEEN)
        self.sunk = np.concatenate([self.sunk, new])
        self.control[CONTACTS] = 0  # what is told of the step before goes with its arrays
        self._bodies, self._room = bodies, self.grid.room
        self._rows, self._unequal, self._soft, self._general = rows, unequal, soft, general
        if grown or other_moments:
            self._of_bodies = zeros(lasting_of_bodies(self._room, unequal, self._apart))
        if other_rows:
            self._make_contacts()
        if grown or other_rows:
            self.pieces = make_pieces(MOST_TOLD, rows, self._room)
        if grown or other_rows or other_moments:
            self._share_memory()
        self._show_bodies()

    def bear(
        self, force: FloatArray, torque: FloatArray, driven: FloatArray, driven_turn: FloatArray,
        rate: FloatArray,
    ) -> None:  # fmt: skip
        """Set the loads of the bodies, the velocities at the end of the step of those that are
        driven, and the rates that all have at its start."""
        self._loads = dict(zip(_LOADS, (force, torque, driven, driven_turn), strict=True))
        self._rate = rate
        self.motion = self.motion._replace(**self._loads)
        if not self._unequal:
            self.motion = self.motion._replace(kick_rate=rate)

    def join(self, joints: Arrays) -> None:
        """Impulses and weights of joints, and the pairs that they join (`joint_motion`)."""
        self._joints = joints
        if self._bodies >= 0:
            self.motion = self.motion._replace(**joints)

    def grow(self) -> None:
        """Room for what the last call was short of."""
        contacts = self.grid.grow()
        if contacts > self._contacts:
            self._contacts = roomy(contacts)
            self._make_contacts()
        self._share_memory()
        self._show_bodies()

    def rejoin(self, state: Bodies) -> None:
        """Take a divided step back that has failed in one of its pieces: bodies, sums and known
        reactions are those that it began with."""
        control, pieces = self.control, self.pieces
        if control[STRIKES] + control[CUTS] == 0:
            return
        start = pieces.start[: len(state)]
        state.position[:], state.orientation[:] = start[:, :3], start[:, 3:7]
        state.velocity[:], state.angular_velocity[:] = start[:, 7:10], start[:, 10:]
        self.numbers[:] = pieces.start_numbers
        self.numbers[MEETS] = 0.0
        known, c = self.known, int(control[STARTED])
        known.key[:c], known.force[:c] = pieces.start_key[:c], pieces.start_force[:c]
        known.moment[:c] = pieces.start_moment[:c]
        control[KNOWN] = c
        control[[STRIKES, CUTS, STRIKE, FAILS, TOLD]] = 0
        self.numbers[[LEFT, SPAN]] = 1.0

    def know(self, known: Known) -> None:
        """Reactions of a step that was made elsewhere."""
        self.control[KNOWN] = len(known.key)
        self._contacts = roomy(len(known.key))
        self.known = make_known(self._contacts)
        for new, old in zip(self.known, known, strict=True):
            new[: len(old)] = old

    def _make_contacts(self) -> None:
        """Their arrays that are there all the time."""
        c = self._contacts
        self.near = make_found(c)
        self._of_contacts = zeros(lasting_of_contacts(c, self._rows, self._soft, self._general))
        self._middle = zeros({k: v for k, v in found_shapes(c).items() if k not in UNASKED})
        if len(self.known.key) < c:
            old, k = self.known, int(self.control[KNOWN])
            self.known = make_known(c)
            for new, known in zip(self.known, old, strict=True):
                new[:k] = known[:k]

    def _share_memory(self) -> None:
        """All other arrays."""
        n, c, d = self._room, self._contacts, self._rows
        self._shared = shared = share(
            self._memory, n, c, d, self._unequal, self._general, self.grid.scratch
        )
        self.seen = Found(**shared["unasked"], **shared["seen"])
        self.mid = Found(**shared["unasked"], **self._middle)
        self.contacts = contacts_of(self._of_contacts | shared["contacts"] | shared["rows"])
        self.cells = cell_work(c, n, d, self._unequal, shared["cells"], self._general)

    def _show_bodies(self) -> None:
        """The first rows of the arrays that have room for more."""
        arrays = self._of_bodies | self._shared["motion"]
        self.motion = motion_of(arrays, self._bodies, self._loads | self._joints)
        self.motion = self.motion._replace(sunk=self.sunk)
        if not self._unequal:
            # Rates are those of the start until impulses come, and those after them to the end.
            self.motion = self.motion._replace(kick_rate=self._rate, end_rate=self.motion.w_new)
        self.grid.lend(self._shared["grid"])


def body_arrays(world: World) -> BodyArrays:
    """The world as kernels see it."""
    s = world.state
    radii, restitution = world.laws.tables()
    return BodyArrays(
        s.kind, s.shape, s.size, s.position, s.orientation, s.velocity, s.angular_velocity,
        s.mass, s.inertia, s.principal, s.material, s.force, s.torque, s.damping, world.gravity,
        radii.reshape(-1, radii.shape[-1]), restitution, _softness(world),
        _friction(world),
    )  # fmt: skip


def _softness(world: World) -> FloatArray:
    table = world.laws.softness()
    return np.zeros((0, 4)) if table is None else table.reshape(-1, 4)


def _friction(world: World) -> FloatArray:
    table = world.laws.frictions()
    return np.zeros((0, len(FIELDS))) if table is None else table


def joint_motion(bodies: int) -> Arrays:
    """Of bodies with joints; 0 where there are none."""
    return {
        "joint_force": np.zeros((bodies, 3)),
        "joint_torque": np.zeros((bodies, 3)),
        "joint_theta": np.full(bodies, 0.5),
        "joined": np.zeros((0, 2), dtype=np.int32),
    }


def motion_of(arrays: Arrays, bodies: int, loads: Arrays) -> Motion:
    """Return the first rows of these arrays. Until there are new velocities, their place is that of
    zeros."""
    shown = {name: array[:bodies] for name, array in arrays.items()}
    return Motion(**shown, **loads, zero=shown["v_new"], sunk=shown["theta"])


def contacts_of(arrays: Arrays) -> ContactWork:
    """Expected velocities are needed before there are those after the solve."""
    return ContactWork(**arrays, y_expected=arrays["y_after"])


def make_pieces(c: int, d: int, n: int) -> Pieces:
    """Return room for c contacts of d rows of a divided step, and for n bodies."""
    return Pieces(
        np.zeros(c, dtype=np.int64), np.zeros((c, 2), dtype=np.int32), np.zeros(c),
        np.zeros((c, 3)), np.zeros((c, 3)), np.zeros((c, 3, 3)), np.zeros((c, 6)),
        np.zeros((c, d)), np.zeros((c, 3)), np.zeros((c, 3)), np.zeros(MOST_MISSED, dtype=np.int64),
        np.zeros((n, 13)), np.zeros(NUMBERS), np.zeros(c, dtype=np.int64),
        np.zeros((c, 3)), np.zeros((c, 3)),
    )  # fmt: skip


def make_known(c: int) -> Known:
    return Known(np.zeros(c, dtype=np.int64), np.zeros((c, 3)), np.zeros((c, 3)))
