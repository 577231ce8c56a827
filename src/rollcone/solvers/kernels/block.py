"""In which order contacts are swept: blocks that are near in space, blocks in colours.

Bodies are ranked along a Morton curve, and every few of them that follow each other make a block.
A contact belongs to the block of its first body on the curve. Blocks of one colour have no body in
common, so threads may sweep them at once, in any order: colours and blocks depend on the
problem alone, not on the threads. Contacts of bodies with very many of them (hubs), and blocks for
which no colour is left, make the remainder, which one thread sweeps.
"""

from __future__ import annotations

import math

import numpy as np

from rollcone._build.kernels import entry, inlined
from rollcone._build.signatures import Float2, Int1, Short1, Short2

COLOURS = 60
_HUB = 48  # contacts of a body, from which on they go to the remainder
_BITS, _DIGIT = 10, 1024
_RANKED = 200  # bodies, from which on their order in memory matters
_SHORT, _LONG = 32, 128  # bodies of a block: most, and most where there are very many
_MANY = 1024  # blocks that are enough for any number of threads


@inlined
def bodies_per_block(n):
    """Small problems need many blocks for threads; in large ones long blocks keep to fewer places
    in memory."""
    return max(4, min(n // 64, _SHORT), min(n // _MANY, _LONG))


def most_blocks(n: int) -> int:
    """Of up to n bodies: 80 of four each, 77 of five and more; 1,056 of the short ones and somewhat
    longer ones; or the long ones."""
    return max(80, min(-(-n // _SHORT), _MANY + _SHORT), -(-n // _LONG))


@inlined
def spread(x):
    """The ten bits of x, two zeros after each."""
    x = (x | x << 16) & 0x30000FF
    x = (x | x << 8) & 0x300F00F
    x = (x | x << 4) & 0x30C30C3
    return (x | x << 2) & 0x9249249


@entry
def rank_bodies(
    position: Float2, size: Float2, n: int, rank: Short1, order: Int1, code: Int1, counts: Int1
) -> None:
    """rank (n,): the place of each body along a Morton curve through cells of the bodies' mean
    size; cells repeat after 1,024 along each axis, so that strays cost nothing. Few bodies stay in
    the order in which they are."""
    if n < _RANKED:
        for i in range(n):
            rank[i] = i
        return
    edge, used = 0.0, 0
    for i in range(n):
        if size[i, 0] < math.inf:
            edge += 2.0 * size[i, 0]
            used += 1
    scale = used / edge if edge > 0.0 else 1.0
    for i in range(n):
        code[i] = 0
        for k in range(3):
            x = position[i, k] * scale
            cell = np.int64(math.floor(x)) & (_DIGIT - 1) if abs(x) < 2.0**60 else np.int64(0)
            code[i] |= spread(cell) << k
        rank[i] = i
    for digit in range(3):
        sort_by_digit(code, digit * _BITS, n, rank, order, counts)
        for k in range(n):
            rank[k] = order[k]
    for k in range(n):
        rank[order[k]] = k


@inlined
def sort_by_digit(code, shift, n, source, target, counts):
    """The bodies in `source` into `target`, by one digit of their codes; equals keep order."""
    for k in range(_DIGIT):
        counts[k] = 0
    for k in range(n):
        counts[(code[source[k]] >> shift) & (_DIGIT - 1)] += 1
    total = 0
    for k in range(_DIGIT):
        total, counts[k] = total + counts[k], total
    for k in range(n):
        digit = (code[source[k]] >> shift) & (_DIGIT - 1)
        target[counts[digit]] = source[k]
        counts[digit] += 1


@entry
def make_blocks(
    movers: Short2,
    n: int,
    rank: Short1,
    block: Int1,
    mark: Int1,
    starts: Int1,
    colour: Int1,
    ends: Int1,
    colours: Int1,
    place: Short1,
) -> tuple[int, int]:
    """place (c,): where each contact goes; ends: of the blocks, by colour; colours
    (COLOURS + 2,): the first block of each colour in use, of the remainder, and the end.

    block (c,), mark (n,), starts and colour (blocks + 2,) are scratch. Returns the number of
    colours in use and, after it, that with the remainder: one more, or the same.
    """
    c, per = movers.shape[0], bodies_per_block(n)
    blocks = (n + per - 1) // per
    find_blocks(movers, n, rank, per, blocks, mark, block)
    for k in range(blocks + 2):
        starts[k] = 0
    for i in range(c):
        starts[block[i] + 1] += 1
    for k in range(blocks + 1):
        starts[k + 1] += starts[k]
    for i in range(c):
        place[starts[block[i]]] = i  # for now, the contact at a place
        starts[block[i]] += 1
    for k in range(blocks, -1, -1):
        starts[k + 1] = starts[k]
    starts[0] = 0
    colour_blocks(movers, n, blocks, starts, place, mark, colour)
    return order_blocks(blocks, starts, colour, ends, colours, block, place)


@inlined
def find_blocks(movers, n, rank, per, blocks, mark, block):
    """The block of every contact; `blocks` is the remainder."""
    for i in range(n):
        mark[i] = 0
    for i in range(movers.shape[0]):
        for s in range(2):
            if movers[i, s] < n:
                mark[movers[i, s]] += 1
    for i in range(movers.shape[0]):
        least, hub = n, False
        for s in range(2):
            body = movers[i, s]
            if body < n:
                least = min(least, rank[body])
                hub = hub or mark[body] > _HUB
        block[i] = blocks if hub else least // per


@inlined
def colour_blocks(movers, n, blocks, starts, contacts, mark, colour):
    """The first colour that no block with a common body has; COLOURS where none is left."""
    for i in range(n):
        mark[i] = 0
    for k in range(blocks):
        taken = np.int64(0)
        for e in range(starts[k], starts[k + 1]):
            for s in range(2):
                body = movers[contacts[e], s]
                if body < n:
                    taken |= mark[body]
        shade = 0
        while shade < COLOURS and taken >> shade & 1:
            shade += 1
        colour[k] = shade
        if shade == COLOURS:
            continue
        for e in range(starts[k], starts[k + 1]):
            for s in range(2):
                body = movers[contacts[e], s]
                if body < n:
                    mark[body] |= np.int64(1) << shade
    colour[blocks] = COLOURS


@inlined
def order_blocks(blocks, starts, colour, ends, colours, contacts, place):
    """Blocks by colour, those without contacts left out; contacts that follow each other stay so.
    `place` has the contact at each place of the blocks in their first order."""
    for e in range(contacts.shape[0]):
        contacts[e] = place[e]
    done, count, used, shared = 0, 0, 0, 0
    colours[0] = 0
    for shade in range(COLOURS + 1):
        for k in range(blocks + 1):
            if colour[k] != shade or starts[k] == starts[k + 1]:
                continue
            for e in range(starts[k], starts[k + 1]):
                place[contacts[e]] = done
                done += 1
            ends[count] = done
            count += 1
        if count > colours[used]:
            used += 1
            colours[used] = count
        if shade == COLOURS - 1:
            shared = used
    return shared, used
