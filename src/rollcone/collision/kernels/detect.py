"""Contacts of all bodies in one compiled call: broad phase, groups of pairs, narrow phase.

Arrays have stated capacities. A call that finds one too small writes what it needs to `needs` and
returns -1; nothing is lost, the caller makes room and calls again. A pair of bodies near each other
that the narrow phase cannot treat is told likewise, as 1 + (i << 32 | j), for good.
"""

from __future__ import annotations

from typing import NamedTuple

from rollcone._build.kernels import entry
from rollcone._build.signatures import Byte1, Float1, Float2, Int1, Int2, Short1, Short2
from rollcone.collision.kernels.grid import (
    choose_edge,
    common_velocity,
    count_cells,
    enter_bodies,
    fit_cells,
    pairs_in_cells,
    pairs_with_big,
    sweep_boxes,
)
from rollcone.collision.kernels.kept import boxes_kept, keep_period, same_period, widen_boxes
from rollcone.collision.kernels.narrow import UNTREATED, find_contacts
from rollcone.collision.kernels.order import group_pairs

ENTRIES, PAIRS, CONTACTS, REFUSED = 0, 1, 2, 3  # places in `needs`


class Outlines(NamedTuple):
    """What collision reads of the bodies, one row each."""

    kind: Int1
    shape: Int1
    size: Float2
    position: Float2
    orientation: Float2


class Solids(NamedTuple):
    """What collision reads of the world besides the outlines of its n bodies."""

    first: Int1  # (n + 1,): the balls of clump i are rows first[i] to first[i + 1] of `balls`
    balls: Float2  # (balls, 4): centre in body axes, radius (m)
    period: Float1  # (3,): lengths of the periodic box (m); 0 along axes where it has none
    apart: Int1  # keys i << 32 | j of pairs that do not touch, ascending
    context: Int1  # addresses of convex parts and surfaces (general.py)


class GridWork(NamedTuple):
    """Of the broad phase: for n bodies, and of two growing sizes (entries and pairs). What is not
    `kept`, ends and partners is scratch (grid.py)."""

    frame: Float1  # (3,)
    edges: Float1  # (3,), of the cells
    around: Int1  # (3,), cells from one end of a periodic box to the other; else 0
    sample: Float1
    lower: Float2  # (n, 3)
    upper: Float2
    kept_lower: Float2  # (n, 3): boxes of the pairs that are kept (kernels/kept.py)
    kept_upper: Float2
    kept_kind: Byte1  # (n,)
    kept_period: Float1  # (3,)
    kept: Int1  # (1,): number of pairs that are kept, or -1
    first: Int2
    last: Int2
    big: Int1  # (n,)
    ends: Int1
    starts: Int1  # buckets + 2
    bins: Int1
    cells: Int1  # entries of bodies in cells
    entered: Short1
    pairs: Short2  # (pairs, 2)
    partners: Short1  # (pairs,)
    again_ends: Int1  # (n,), and partners likewise: of `find_again`
    again_partners: Short1
    manifold: Float2  # (64, 11)
    needs: Int1  # (4,)


class Found(NamedTuple):
    """Contacts in the order of their keys; rows up to their number are in use (contacts.py)."""

    bodies: Short2  # (capacity, 2)
    key: Int1
    gap: Float1
    normal: Float2  # (capacity, 3)
    arms: Float2  # (capacity, 6)


@entry
def find_pairs(
    period: Float1,
    outlines: Outlines,
    velocity: Float2,
    omega: Float2,
    horizon: float,
    reach: float,
    margin: Float1,
    touch: float,
    grid: GridWork,
) -> int:
    """Broad phase: the number of `grid.pairs` that may meet within the horizon, or -1.

    Those of the call before may serve again, unless `reach` is negative.
    """
    kind, shape = outlines.kind, outlines.shape
    common_velocity(kind, shape, velocity, grid.sample, grid.frame)
    sweep_boxes(
        shape, outlines.size, outlines.position, outlines.orientation, velocity, omega,
        grid.frame, horizon, margin, touch, grid.lower, grid.upper,
    )  # fmt: skip
    if reach >= 0.0 and grid.kept[0] >= 0 and same_period(period, grid.kept_period):  # noqa: SIM102
        if boxes_kept(
            kind, grid.lower, grid.upper, grid.kept_kind, grid.kept_lower, grid.kept_upper
        ):
            return grid.kept[0]
    grid.kept[0] = -1
    lower, upper = grid.kept_lower, grid.kept_upper
    widen_boxes(
        kind, shape, outlines.size, velocity, grid.frame, reach, grid.lower, grid.upper,
        grid.kept_kind, lower, upper,
    )  # fmt: skip
    keep_period(period, grid.kept_period)
    edge = choose_edge(kind, shape, lower, upper, grid.bins)
    fit_cells(period, edge, grid.edges, grid.around)
    entries, large = count_cells(
        kind, shape, lower, upper, grid.edges, grid.around, grid.first, grid.last,
        grid.big, grid.starts,
    )  # fmt: skip
    if entries > grid.cells.shape[0]:
        grid.needs[ENTRIES] = entries
        return -1
    enter_bodies(grid.around, grid.first, grid.last, grid.starts, grid.cells, grid.entered)
    count = pairs_in_cells(
        period, grid.around, kind, lower, upper, grid.first, grid.starts, grid.cells,
        grid.entered, grid.pairs,
    )  # fmt: skip
    count = pairs_with_big(
        period, kind, shape, lower, upper, grid.first, grid.last, grid.big[:large], grid.pairs,
        count,
    )  # fmt: skip
    if count > grid.pairs.shape[0]:
        grid.needs[PAIRS] = count
        return -1
    if reach >= 0.0:
        grid.kept[0] = count
    group_pairs(grid.pairs[:count], grid.ends, grid.partners)
    return count


@entry
def find_all(
    solids: Solids,
    outlines: Outlines,
    velocity: Float2,
    omega: Float2,
    horizon: float,
    reach: float,
    margin: Float1,
    touch: float,
    grid: GridWork,
    found: Found,
) -> int:
    """The number of contacts of all bodies that touch, or meet within the horizon; or -1."""
    period = solids.period
    count = find_pairs(period, outlines, velocity, omega, horizon, reach, margin, touch, grid)
    if count < 0:
        return -1
    return touch_pairs(
        solids, outlines, velocity, omega, horizon, margin, touch, grid.ends, grid.partners, grid,
        found,
    )  # fmt: skip


@entry
def find_again(
    solids: Solids,
    outlines: Outlines,
    velocity: Float2,
    omega: Float2,
    horizon: float,
    margin: Float1,
    touch: float,
    bodies: Short2,
    grid: GridWork,
    found: Found,
) -> int:
    """The same for the pairs of contacts that are known, (c, 2) in the order of their keys."""
    ends, partners = grid.again_ends, grid.again_partners
    count, last_a, last_b = 0, -1, -1
    ends[:] = 0
    for i in range(bodies.shape[0]):
        a, b = bodies[i, 0], bodies[i, 1]
        if a != last_a or b != last_b:
            if count < partners.shape[0]:
                partners[count] = b
            count += 1
            ends[a] = count
        last_a, last_b = a, b
    if count > partners.shape[0]:
        grid.needs[PAIRS] = count
        return -1
    for i in range(1, ends.shape[0]):
        ends[i] = max(ends[i], ends[i - 1])
    return touch_pairs(
        solids, outlines, velocity, omega, horizon, margin, touch, ends, partners, grid, found
    )


@entry
def touch_pairs(
    solids: Solids,
    outlines: Outlines,
    velocity: Float2,
    omega: Float2,
    horizon: float,
    margin: Float1,
    touch: float,
    ends: Int1,
    partners: Short1,
    grid: GridWork,
    found: Found,
) -> int:
    """Find the contacts of the grouped pairs (narrow phase); return their number, or -1."""
    count = find_contacts(
        solids.first, solids.balls, solids.context, solids.period, solids.apart, ends, partners,
        outlines.shape, outlines.size, outlines.position, outlines.orientation, velocity, omega,
        horizon, margin, touch,
        grid.manifold, found.bodies, found.key, found.gap, found.normal, found.arms,
    )  # fmt: skip
    if count <= UNTREATED:
        grid.needs[REFUSED] = 1 + UNTREATED - count
        return -1
    if count > found.key.shape[0]:
        grid.needs[CONTACTS] = count
        return -1
    return count
