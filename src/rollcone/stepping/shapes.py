"""Shapes of the arrays of a step (kernels/work.py), and which of them lie in the same memory.

Stages take turns. While a problem is solved, nobody looks for contacts or moves a body; before and
after, nobody needs the solver's records:

    all the time   where bodies were, free velocities; contacts that are near, their rows, reactions
    solving        cells and bodies of the solver
    else           new and mean velocities, of contacts before and after, forces in world axes; and
        looking        what is seen, boxes and cells of the grid
        rows           normals and arms in the middle of the step, reactions of the step before
"""

from __future__ import annotations

import numpy as np

from rollcone._shared_memory import Arrays, Shapes, SharedMemory, of_kind
from rollcone.collision.grid import found_shapes
from rollcone.solvers.kernels.cell_work import cell_shapes
from rollcone.stepping.kernels.work import LIMITS

UNASKED = ("bodies", "gap")  # of contacts half a step ahead


def lasting_of_bodies(n: int, unequal: bool, apart: bool) -> Shapes:
    """All the time; `unequal`: some body has unequal moments; `apart`: they are moved apart."""
    return {
        **of_kind(np.float64, "start_position", "v_free", "w_free", shape=(n, 3)),
        "start_orientation": ((n, 4), np.float64),
        "kick": ((n,), np.float64),
        "kick_place": ((n if unequal else 0, 4), np.float64),
        "kick_rate": ((n if unequal else 0, 3), np.float64),
        **of_kind(np.float64, "shift", "shift_turn", shape=(n if apart else 0, 3)),
        "inverse": ((n, 7), np.float64),
    }


def passing_of_bodies(n: int, unequal: bool) -> Shapes:
    """Not while solving; `unequal`: some body has unequal moments."""
    return {
        **of_kind(np.float64, "v_new", "w_new", "v_mean", "w_mean", shape=(n, 3)),
        "end_rate": ((n if unequal else 0, 3), np.float64),
        **of_kind(np.float64, "theta", "margin", "pressed", shape=(n,)),
        "parent": ((n,), np.int64),
        "gain": ((n, 3), np.float64),
    }


def lasting_of_contacts(c: int, d: int, soft: bool, general: bool) -> Shapes:
    """All the time; `soft`: some law is compliant; `general`: some has limits that are no discs."""
    one = ("restitution", "small", "slow", "loads", "start", "temper", "pushed", "speeds")
    return {
        "arms": ((c, 6), np.float64),
        "frames": ((c, 3, 3), np.float64),
        "law": ((c,), np.int32),
        "movers": ((c, 2), np.int32),
        **of_kind(np.float64, *one, shape=(c,)),
        **of_kind(np.int8, "touch_state", "ahead", "fresh", "met", "changed", "owed", shape=(c,)),
        **of_kind(np.float64, "bend", "b", "p", shape=(c, d)),
        "soft": ((c if soft else 0, 4), np.float64),
        "limits": ((c if general else 0, LIMITS), np.float64),
        "kinds": ((c if general else 0, 2), np.int64),
    }


def passing_of_contacts(c: int, d: int) -> Shapes:
    """Not while solving."""
    return {
        **of_kind(np.float64, "y_before", "y_after", shape=(c, d)),
        **of_kind(np.float64, "force", "moment", shape=(c, 3)),
    }


def row_scratch(c: int, d: int) -> Shapes:
    """While rows are made."""
    return {
        **of_kind(np.float64, "normal", "mid_normal", shape=(c, 3)),
        "mid_arms": ((c, 6), np.float64),
        "p_known": ((c, d), np.float64),
    }


def share(
    memory: SharedMemory, n: int, c: int, d: int, unequal: bool, general: bool, grid: Shapes
) -> dict[str, Arrays]:
    """The arrays that are not there all the time, of n bodies and c contacts: 'motion', 'contacts',
    'seen' without and with 'unasked', 'grid', 'rows' and 'cells'."""
    memory.put("cells", cell_shapes(c, n, d, unequal, general))
    end = memory.put("motion", passing_of_bodies(n, unequal))
    end = memory.put("contacts", passing_of_contacts(c, d), end)
    memory.put("rows", row_scratch(c, d), end)
    seen = dict(found_shapes(c))
    # Pairs are made before contacts are found; but half a step ahead known contacts are grouped in
    # the memory of the grid while bodies and gaps, which nobody asks for there, are written.
    end = memory.put("unasked", {name: seen.pop(name) for name in UNASKED}, end)
    memory.put("seen", seen, end)
    memory.put("grid", grid, end)
    return memory.arrays()
