"""A capsule and a box.

While the capsule's core, the points x + s u with |s| <= long, stays out of the box, contacts are
those of

- an end of the capsule with the box, as of a sphere;
- an edge of the box with the inside of the core: their distance along n = u x e / |u x e| is
  linear in time. A capsule that lies across a face meets the edges of that face where it leaves it;
- a corner of the box with the inside of the core, as of a ball of no radius.

The first touch of a box and a capsule that only move along is always one of these. Others of them
that touch are kept, too, so a capsule along a face rests on two. A core that enters the box is
pushed out along the axis of least overlap, of the normals of faces and the u x e.

All is done in the box's axes, with core = (x, u, long, r), and motion = (velocity of the capsule's
centre relative to the box's, angular velocities of the capsule and of the box).
"""

from __future__ import annotations

import math

from rollcone._build.kernels import inlined, kernel
from rollcone.collision.kernels.capsule import LEAN, PARALLEL, SLACK, ball_core
from rollcone.collision.kernels.manifold import put_contact
from rollcone.collision.kernels.plane import box_corner
from rollcone.collision.kernels.sphere_box import ball_box
from rollcone.collision.kernels.vector import (
    across,
    along,
    cross,
    cut,
    dot,
    minus,
    norm,
    times,
    to_body,
    to_world,
)

_EDGES, _CORNERS = 2, 26  # first features; the ends are 0 and 1
_INSIDE = 1e-6  # of the radius: a core that is nearer to the box counts as inside
_FACES_FIRST = 1e-2  # of the radius: overlap along an edge's axis must be less by this


@kernel
def capsule_box(xb, turn, half, vb, wb, xc, axis, r, long, vc, wc, horizon, near, out):
    """Writes the contacts by feature, n from the box to the capsule; returns how many."""
    core = (to_body(turn, minus(xc, xb)), to_body(turn, axis), long, r)
    overlap, k, of_edge = _least_overlap(core, half)
    if overlap > -_INSIDE * r:
        if of_edge:
            return _past_edge(core, half, k, -overlap - r, turn, out)
        return _through_face(core, half, k, near, turn, out)
    motion = (to_body(turn, minus(vc, vb)), to_body(turn, wc), to_body(turn, wb))
    ends = _ends(core, motion, half, horizon, near, turn, out)
    found = _edges(core, motion, half, horizon, near, turn, out, ends)
    return _corners(core, motion, half, horizon, near, turn, out, ends, found)


@inlined
def _put(out, k, feature, gap, n, y, s, core, turn):
    """Contact of the box's point y with the place s of the core."""
    _, u, _, r = core
    arm = along(times(s, u), -r, n)
    put_contact(out, k, feature, gap, to_world(turn, n), to_world(turn, y), to_world(turn, arm))


@inlined
def _ends(core, motion, half, horizon, near, turn, out):
    """Ends over a face, along an edge, closest to the box of all the core, or met on the way (also
    the second, as the capsule turns about the first)."""
    x, u, long, r = core
    v, spin, w = motion
    found = 0
    for end in range(2 if long > 0.0 else 1):
        sign = 1.0 if end else -1.0
        arm = times(sign * long, u)
        velocity = along(v, 1.0, cross(spin, arm))
        kept, gap, way, y = ball_box(
            along(x, 1.0, arm), r, velocity, w, half, SLACK * r, horizon, near
        )
        cuts, beside = 0, 0.0
        for k in range(3):
            if way[k] != 0.0:
                cuts += 1
                beside += u[k] * u[k]
        lean = sign * dot(way, u) if long > 0.0 else 0.0
        flat = lean <= LEAN and (cuts == 1 or (cuts == 2 and beside < LEAN * LEAN))
        if kept and (flat or gap > near or lean * (min(gap, near) + r) <= SLACK * r):
            _put(out, found, end, gap, way, y, sign * long, core, turn)
            found += 1
    return found


@inlined
def _edge_axis(core, k):
    """(unit vector e along the edges, u x e / |u x e| on the capsule's side, |u x e|)."""
    x, u, _, _ = core
    e = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
    m = cross(u, e)
    sine = norm(m)
    if sine == 0.0:
        return e, m, sine
    return e, times((1.0 if dot(m, x) >= 0.0 else -1.0) / sine, m), sine


@inlined
def _crossing(d, u, e, sine):
    """Places on the core and on the edge, d from its middle, where they are closest."""
    s = (dot(d, e) * dot(u, e) - dot(d, u)) / (sine * sine)
    return s, dot(d, e) + s * dot(u, e)


@inlined
def _edges(core, motion, half, horizon, near, turn, out, found):
    """Edges that face the capsule, and meet the inside of its core."""
    x, u, long, r = core
    v, spin, w = motion
    ends = found
    for k in range(3):
        e, n, sine = _edge_axis(core, k)
        if sine * (long + half[k]) <= PARALLEL * r:
            continue
        for corner in range(8):
            y = box_corner(half, corner)
            if corner >> k & 1 or not _faces(n, y, half, (LEAN, LEAN, LEAN)):
                continue
            y = along(y, -y[k], e)
            d = minus(x, y)
            gap = dot(d, n) - r
            s, q = _crossing(d, u, e, sine)
            if gap > near:
                on_box = along(y, cut(q, half[k]), e)
                on_core = times(cut(s, long), u)
                slip = minus(along(v, 1.0, cross(spin, on_core)), cross(w, on_box))
                closing = -dot(slip, n)
                if not gap - near <= closing * horizon:
                    continue
                s, q = _crossing(along(d, (gap - near) / closing, slip), u, e, sine)
            inside = abs(s) < long - SLACK * r and abs(q) <= half[k] + SLACK * r
            if gap > -r and inside and _is_new(out, ends, found, s, core, turn):
                _put(out, found, _EDGES + 8 * k + corner, gap, n, along(y, q, e), s, core, turn)
                found += 1
    return found


@inlined
def _corners(core, motion, half, horizon, near, turn, out, ends, found):
    """Corners that face the capsule, and meet the inside of its core."""
    x, u, long, r = core
    v, spin, w = motion
    lean = (
        SLACK + LEAN * abs(u[0]),
        SLACK + LEAN * abs(u[1]),
        SLACK + LEAN * abs(u[2]),
    )
    for corner in range(8):
        y = box_corner(half, corner)
        velocity = minus(cross(w, y), v)
        kept, gap, way, s = ball_core(
            minus(y, x), velocity, u, long, spin, r, 0.0, across(u), horizon, near
        )
        n = times(-1.0, way)
        if not kept or abs(s) >= long - SLACK * r or not _faces(n, y, half, lean):
            continue
        if _is_new(out, ends, found, s, core, turn):
            _put(out, found, _CORNERS + corner, gap, n, y, s, core, turn)
            found += 1
    return found


@inlined
def _faces(n, y, half, lean):
    """Does n lead out of the box at y, but for `lean`?"""
    out = True
    for k in range(3):
        out = out and n[k] * y[k] >= -lean[k] * half[k]
    return out


@inlined
def _is_new(out, first, found, s, core, turn):
    """Is there room, and no other contact at the place s of the core? (Edges meet at corners.)"""
    _, u, _, r = core
    axis = to_world(turn, u)
    new = found < out.shape[0]
    for k in range(first, found):
        new = new and abs(dot((out[k, 8], out[k, 9], out[k, 10]), axis) - s) > 4.0 * SLACK * r
    return new


@inlined
def _least_overlap(core, half):
    """(overlap of core and box along the axis where it is least, its number, is it an edge's)."""
    x, u, long, r = core
    least, number, of_edge = math.inf, 0, False
    for k in range(3):
        overlap = half[k] + long * abs(u[k]) - abs(x[k])
        if overlap < least:
            least, number = overlap, k
    for k in range(3):
        _, n, sine = _edge_axis(core, k)
        overlap = dot(half, (abs(n[0]), abs(n[1]), abs(n[2]))) - dot(x, n)
        if sine > 0.0 and overlap < least - (0.0 if of_edge else _FACES_FIRST * r):
            least, number, of_edge = overlap, k, True
    return least, number, of_edge


@inlined
def _through_face(core, half, k, near, turn, out):
    """The ends of the part of the core that is over face k, pushed out of it."""
    x, u, long, r = core
    low, high = -long, long
    for j in range(3):
        if j != k and u[j] != 0.0:
            one, other = (-half[j] - x[j]) / u[j], (half[j] - x[j]) / u[j]
            low, high = max(low, min(one, other)), min(high, max(one, other))
    if not high - low > SLACK * r:
        low = high = cut(0.5 * (low + high), long)
    side = 1.0 if x[k] >= 0.0 else -1.0
    n = (side if k == 0 else 0.0, side if k == 1 else 0.0, side if k == 2 else 0.0)
    found = 0
    for end in range(2 if high > low else 1):
        s = high if end else low
        place = along(x, s, u)
        depth = half[k] - dot(place, n)
        if -depth - r <= near:
            _put(out, found, end, -depth - r, n, along(place, depth, n), s, core, turn)
            found += 1
    return found


@inlined
def _past_edge(core, half, k, gap, turn, out):
    """The edge that faces the capsule, and the place of the core that is deepest under it."""
    x, u, long, _ = core
    e, n, sine = _edge_axis(core, k)
    corner = 0
    for j in range(3):
        if j != k and n[j] >= 0.0:
            corner |= 1 << j
    y = box_corner(half, corner)
    y = along(y, -y[k], e)
    s, q = _crossing(minus(x, y), u, e, sine)
    y = along(y, cut(q, half[k]), e)
    _put(out, 0, _EDGES + 8 * k + corner, gap, n, y, cut(s, long), core, turn)
    return 1
