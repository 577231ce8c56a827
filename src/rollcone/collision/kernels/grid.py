"""Broad phase: every pair of swept boxes that overlap, each once, from a uniform grid.

Each body is entered in every cell that its box overlaps; cells are hashed to buckets. A pair is
reported in one cell only, the one that holds the lowest corner of the boxes' intersection.
Both bodies are entered there exactly once, so nothing is missed or found twice, for any mix
of sizes; hash collisions and the clamping of far cells cost time, nothing else. Bodies that would
take too many cells, and planes and bowls, are `big`: compared with all others one by one.

In a periodic box (`period`, (3,): its lengths, 0 along axes where it has none) edges of cells are
such that a whole number of them fits, `around`, and cells that far apart are one. Two boxes are
compared at their nearest images; a body that would go round the whole box is big.

Boxes are swept by the motion relative to a frame that moves as most bodies do, so what all have in
common makes no box longer.
"""

from __future__ import annotations

import math

import numpy as np

from rollcone._build.kernels import inlined, kernel
from rollcone.collision.kernels.order import insert_sorted
from rollcone.collision.kernels.shape import half_extent, is_endless, smallest_size, turning_radius
from rollcone.collision.kernels.vector import norm, row
from rollcone.mechanics.kernels.motion import DYNAMIC, REMOVED

SAMPLES = 101
EDGE_BINS = 402  # edges of 2^-100 to 2^100 m, two bins to a factor of two
_MOST_CELLS = 100.0
_FEW = 16  # bodies that may be big without need to ask for larger cells
_LARGE = 4  # bins above the median: from there on, boxes three cells long, a body may be big
_FARTHEST = 2.0**50  # cells beyond count as one
_ROUNDING = 2.0**-50
_LOW_BITS = 2**21 - 1
_MIXER = -7046029254386353131  # odd; its bits are those of the golden section


@kernel
def common_velocity(kind, shape, velocity, sample, frame):
    """Median velocity of some hundred bodies, axis by axis: a few fast ones do not count."""
    n = kind.shape[0]
    step = n // SAMPLES + 1
    for k in range(3):
        count = 0
        for i in range(0, n, step):
            if kind[i] != REMOVED and not is_endless(shape[i]):
                sample[count] = velocity[i, k]
                count += 1
        insert_sorted(sample, count)
        frame[k] = sample[count // 2] if count > 0 else 0.0


@kernel
def sweep_boxes(
    shape, size, position, orientation, velocity, omega, frame, horizon, margin, touch, lower, upper
):
    """Boxes along the world's axes that hold each body on its way through the horizon.

    They are widened by the margin, by what counts as touching, by the way of the farthest
    point as the body turns, and by rounding. Planes and bowls have no end.
    """
    for i in range(shape.shape[0]):
        if is_endless(shape[i]):
            lower[i], upper[i] = -math.inf, math.inf
            continue
        half = half_extent(shape, size, orientation, i)
        wider = margin[i] + touch * smallest_size(shape, size, i)
        wider += horizon * norm(row(omega, i)) * turning_radius(shape, size, i)
        for k in range(3):
            start, way = position[i, k], horizon * (velocity[i, k] - frame[k])
            reach = half[k] + wider
            speed = abs(velocity[i, k]) + abs(frame[k])
            reach += _ROUNDING * (abs(start) + horizon * speed + reach)
            lower[i, k] = start + min(way, 0.0) - reach
            upper[i, k] = start + max(way, 0.0) + reach


@kernel
def choose_edge(kind, shape, lower, upper, bins):
    """Edge of the cells: 1.4 to 2 times the median length of the boxes, more if many were big.

    For spheres of like size, packed densely, 1.3 to 1.9 lengths do best, and are much alike.
    """
    bins[:] = 0
    total = 0
    for i in range(kind.shape[0]):
        if kind[i] != REMOVED and not is_endless(shape[i]):
            longest = 0.0
            for k in range(3):
                longest = max(longest, upper[i, k] - lower[i, k])
            mantissa, exponent = math.frexp(longest)
            place = 2 * exponent + (mantissa > math.sqrt(0.5)) + EDGE_BINS // 2
            bins[min(max(place, 0), EDGE_BINS - 1)] += 1
            total += 1
    place, below = 0, bins[0]
    longer = total  # boxes in bins from `place` + _LARGE on
    for b in range(_LARGE):
        longer -= bins[b]
    while place + _LARGE < EDGE_BINS and (2 * below < total or longer > _FEW):
        longer -= bins[place + _LARGE]
        place += 1
        below += bins[place]
    return 2.0 ** (0.5 * (place - EDGE_BINS // 2))


@kernel
def fit_cells(period, edge, edges, around):
    """Edges (3,) of the cells and their number around a periodic box (3,), near `edge`."""
    for k in range(3):
        edges[k], around[k] = edge, 0
        if period[k] > 0.0:
            around[k] = max(math.floor(min(period[k] / edge, _FARTHEST)), 1)
            edges[k] = period[k] / around[k]


@inlined
def _cell(x, edge):
    """Number of the cell along one axis; never falls where x grows."""
    return math.floor(min(max(x / edge, -_FARTHEST), _FARTHEST))


@inlined
def _name(i, j, k):
    """One number for a cell; the same for cells that are millions of cells apart."""
    return (i & _LOW_BITS) << 42 | (j & _LOW_BITS) << 21 | (k & _LOW_BITS)


@inlined
def _image_name(around, i, j, k):
    """The same for all cells that are images of each other."""
    return _name(_wrapped(i, around[0]), _wrapped(j, around[1]), _wrapped(k, around[2]))


@inlined
def _wrapped(i, around):
    return i % around if around > 0 else i


@inlined
def _bucket(name, buckets):
    """Bucket of a cell, for a power of two of them."""
    return ((name * _MIXER) >> 32) & (buckets - 1)


@kernel
def count_cells(
    kind, shape, lower, upper, edges, around, first, last, big, starts
):  # fmt: skip
    """Cells `first` to `last` (n, 3) of each body, none for a big one; (entries, bodies in `big`).

    starts[b + 2] counts the entries of bucket b.
    """
    starts[:] = 0
    buckets = starts.shape[0] - 2
    entries, found = 0, 0
    for i in range(kind.shape[0]):
        first[i], last[i] = 0, -1
        if kind[i] == REMOVED:
            continue
        cells = math.inf
        if not is_endless(shape[i]):
            cells = 1.0
            for k in range(3):
                first[i, k] = _cell(lower[i, k], edges[k])
                last[i, k] = _cell(upper[i, k], edges[k])
                cells *= float(last[i, k] - first[i, k] + 1)
                if 0 < around[k] <= last[i, k] - first[i, k]:
                    cells = math.inf  # round the whole box
        if cells > _MOST_CELLS:
            first[i], last[i] = 0, -1
            big[found] = i
            found += 1
            continue
        entries += int(cells)
        for a in range(first[i, 0], last[i, 0] + 1):
            for b in range(first[i, 1], last[i, 1] + 1):
                for c in range(first[i, 2], last[i, 2] + 1):
                    name = _image_name(around, a, b, c)
                    starts[_bucket(name, buckets) + 2] += 1
    return entries, found


@kernel
def enter_bodies(around, first, last, starts, cells, bodies):
    """Lists of the buckets: names of `cells` and `bodies` from starts[b] to starts[b + 1]."""
    buckets = starts.shape[0] - 2
    for b in range(2, buckets + 2):
        starts[b] += starts[b - 1]
    for i in range(first.shape[0]):
        for a in range(first[i, 0], last[i, 0] + 1):
            for b in range(first[i, 1], last[i, 1] + 1):
                for c in range(first[i, 2], last[i, 2] + 1):
                    name = _image_name(around, a, b, c)
                    place = starts[_bucket(name, buckets) + 1]
                    starts[_bucket(name, buckets) + 1] = place + 1
                    cells[place], bodies[place] = name, i


@inlined
def _overlap(lower, upper, i, j):
    """All six comparisons at once: one branch to guess for the processor instead of six."""
    return (
        (lower[i, 0] <= upper[j, 0])
        & (lower[j, 0] <= upper[i, 0])
        & (lower[i, 1] <= upper[j, 1])
        & (lower[j, 1] <= upper[i, 1])
        & (lower[i, 2] <= upper[j, 2])
        & (lower[j, 2] <= upper[i, 2])
    )


@inlined
def is_periodic(period):
    """Is there a periodic box, along any axis?"""
    return period[0] > 0.0 or period[1] > 0.0 or period[2] > 0.0


@inlined
def _overlap_images(periodic, period, lower, upper, i, j):
    """Does box i overlap the image of box j that is nearest to it?"""
    if not periodic:
        return _overlap(lower, upper, i, j)
    for k in range(3):
        shift = period[k] * _turns(period, lower, upper, i, j, k)
        if lower[i, k] > upper[j, k] + shift or lower[j, k] + shift > upper[i, k]:
            return False
    return True


@inlined
def _turns(period, lower, upper, i, j, k):
    """So many lengths of the box farther is the image of box j that is nearest to box i."""
    apart = 0.5 * (lower[i, k] - lower[j, k]) + 0.5 * (upper[i, k] - upper[j, k])
    if period[k] > 0.0 and abs(apart) < _FARTHEST * period[k]:  # planes have no end
        return int(np.rint(apart / period[k]))
    return 0


@inlined
def _store(pairs, found, i, j):
    """The pair, lower number first, if there is room."""
    if found < pairs.shape[0]:
        pairs[found, 0], pairs[found, 1] = min(i, j), max(i, j)


@kernel
def pairs_in_cells(
    period, around, kind, lower, upper, first, starts, cells, bodies, pairs
):  # fmt: skip
    """Pairs of bodies in the grid; their number, also of those for which there was no room."""
    found, periodic = 0, is_periodic(period)
    for bucket in range(starts.shape[0] - 2):
        end = starts[bucket + 1]
        for p in range(starts[bucket], end):
            i, name = bodies[p], cells[p]
            for q in range(p + 1, end):
                if cells[q] != name:
                    continue
                j = bodies[q]
                if kind[i] != DYNAMIC and kind[j] != DYNAMIC:
                    continue
                if not _overlap_images(periodic, period, lower, upper, i, j):
                    continue
                a, b, c = first[j, 0], first[j, 1], first[j, 2]
                if periodic:
                    a += around[0] * _turns(period, lower, upper, i, j, 0)
                    b += around[1] * _turns(period, lower, upper, i, j, 1)
                    c += around[2] * _turns(period, lower, upper, i, j, 2)
                a, b, c = max(first[i, 0], a), max(first[i, 1], b), max(first[i, 2], c)
                if _image_name(around, a, b, c) == name:
                    _store(pairs, found, i, j)
                    found += 1
    return found


@kernel
def pairs_with_big(period, kind, shape, lower, upper, first, last, big, pairs, found):
    """Adds the pairs with a big body to the `found` so far; their number."""
    periodic = is_periodic(period)
    for g in range(big.shape[0]):
        i = big[g]
        for j in range(kind.shape[0]):
            other_big = last[j, 0] < first[j, 0]
            if kind[j] == REMOVED or (other_big and j <= i):
                continue
            if kind[i] != DYNAMIC and kind[j] != DYNAMIC:
                continue
            if not _overlap_images(periodic, period, lower, upper, i, j):
                continue
            if is_endless(shape[i]) and is_endless(shape[j]):
                continue
            _store(pairs, found, i, j)
            found += 1
    return found
