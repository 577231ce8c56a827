"""Where two faces that look at each other cover each other, seen along a normal.

The face of one part, the reference, is extended along n to a prism; what is left of the other's
face or edge within that prism has up to as many corners as both together. Points are rows
(x, y, z, name); where an edge is cut, the name is made of those of its ends and of the side that
cuts it, so that it is the same from step to step.
"""

from __future__ import annotations

from rollcone._build.kernels import inlined, kernel
from rollcone.collision.kernels.support import MOST_POINTS
from rollcone.collision.kernels.vector import cross, dot, minus, norm

CLIPPED = (2 * MOST_POINTS + 8, 4)  # shape of the scratch for points
CUT = 1 << 20  # in the names of points where an edge is cut
_MIX = (40503, 30011)  # odd numbers that scatter names


@inlined
def point_of(poly, k):
    return poly[k, 0], poly[k, 1], poly[k, 2]


@inlined
def mixed(a, b):
    """A whole number made of two, with 20 bits."""
    return ((a + 1) * _MIX[0] + (b + 1) * _MIX[1]) & 0xFFFFF


@kernel
def clip(reference, sides, up, other, count, slop, one, two):
    """The points of `other` within the prism of the reference, a loop of so many points that is
    counterclockwise about `up`; they are left in `one`: how many. Corners outside by no more
    than `slop` count as inside."""
    for k in range(count):
        for m in range(4):
            one[k, m] = other[k, m]
    for side in range(sides):
        a, b = point_of(reference, side), point_of(reference, (side + 1) % sides)
        out = cross(minus(b, a), up)
        length = norm(out)
        if length == 0.0:
            continue
        kept = 0
        open_end = count == 2
        for k in range(count):
            p, q = point_of(one, k), point_of(one, (k + 1) % count)
            at_p, at_q = dot(minus(p, a), out) / length, dot(minus(q, a), out) / length
            if at_p <= slop:
                for m in range(4):
                    two[kept, m] = one[k, m]
                kept += 1
            crosses = (at_p <= slop) != (at_q <= slop)
            if crosses and not (open_end and k == 1) and kept < two.shape[0]:
                t = min(max(at_p / (at_p - at_q), 0.0), 1.0)
                for m in range(3):
                    two[kept, m] = one[k, m] + t * (one[(k + 1) % count, m] - one[k, m])
                ends = int(one[k, 3]) + int(one[(k + 1) % count, 3])
                names = int(reference[side, 3]) + int(reference[(side + 1) % sides, 3])
                two[kept, 3] = CUT | mixed(ends, names)
                kept += 1
        count = min(kept, one.shape[0])
        for k in range(count):
            for m in range(4):
                one[k, m] = two[k, m]
        if count == 0:
            break
    return count
