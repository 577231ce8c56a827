"""Contacts of two bodies of which one is a cone, a hull, a compound or a mesh, or a disk or an
ellipsoid with another than a plane: as convex parts.

One kernel for all of them, with all arrays in one list of addresses, `at` (general.py):

    0        not in use
    1 to 7   bodies, shape, size, position, orientation, velocity, omega (set for each look)
    8        manifold
    9 on     what bodies are made of, with lengths; then the scratch
"""

from __future__ import annotations

from rollcone._build.intrinsics import by_reference, numbers_at, places_at
from rollcone._build.kernels import entry, inlined, kernel
from rollcone._build.signatures import Int1
from rollcone.collision.kernels.bowl import ball_bowl, bowl_of
from rollcone.collision.kernels.box_face import keep_four
from rollcone.collision.kernels.clip import CLIPPED, mixed
from rollcone.collision.kernels.convex import convex_contacts, guess_of
from rollcone.collision.kernels.convex_work import (
    LOOK,
    MOST_ROWS,
    PARTS,
    SCRATCH,
    TREE,
    ConvexWork,
)
from rollcone.collision.kernels.distance import SIMPLEX
from rollcone.collision.kernels.manifold import MANIFOLD_SHAPE, put_contact
from rollcone.collision.kernels.part_body import (
    Described,
    load_part,
    part_count,
    part_reach,
    part_size,
)
from rollcone.collision.kernels.plane import box_corner, plane_point
from rollcone.collision.kernels.shape import (
    BOWL,
    BOX,
    CAPSULE,
    CONVEX,
    MESH,
    PLANE,
    SPHERE,
    smallest_size,
    turning_radius,
)
from rollcone.collision.kernels.support import (
    FLOATS,
    INTS,
    MOST_POINTS,
    facing,
    farthest,
    place_of,
)
from rollcone.collision.kernels.triangle import append, gather, surface_contacts, surface_is_near
from rollcone.collision.kernels.vector import (
    along,
    axes,
    cross,
    dot,
    minus,
    norm,
    row,
    times,
    to_body,
    to_world,
)

_NAMES = 0x3FFF
_MANY = 48  # contacts of a pair, beyond which four are kept for each direction of normals


@entry
def general_contacts(
    at: Int1, a: int, b: int, x: float, y: float, z: float, horizon: float, near: float
) -> int:
    """Writes the contacts of bodies a and b, shape of a <= shape of b, b at (x, y, z), in the order
    of their features; returns how many, or -1 if their shapes cannot touch."""
    d, work = by_reference(_described(at)), by_reference(_scratch(at))
    out = numbers_at(at[8], MANIFOLD_SHAPE)
    n = at[LOOK]
    position, orientation = numbers_at(at[4], (n, 3)), numbers_at(at[5], (n, 4))
    velocity, omega = numbers_at(at[6], (n, 3)), numbers_at(at[7], (n, 3))
    xa, xb = row(position, a), (x, y, z)
    turn_a, turn_b = axes(orientation, a), axes(orientation, b)
    va, wa, vb, wb = row(velocity, a), row(omega, a), row(velocity, b), row(omega, b)
    work.small[0] = min(smallest_size(d.shape, d.size, a), smallest_size(d.shape, d.size, b))
    if d.shape[a] == PLANE:
        found = _with_plane(d, b, xa, turn_a[2], va, wa, xb, turn_b, vb, wb, horizon, near, work)
    elif d.shape[a] == BOWL:
        bowl = bowl_of(d.size, position, orientation, velocity, omega, a)
        found = _with_bowl(d, b, bowl, xb, turn_b, vb, wb, horizon, near, work)
    elif d.shape[a] == MESH:
        way = near + horizon * (norm(minus(vb, va)) + norm(wa) * _mesh_reach(d, a))
        way += horizon * norm(wb) * _mesh_reach(d, b)
        return -1 if _meshes_are_near(d, a, b, xa, turn_a, xb, turn_b, way, work) else 0
    else:
        reach = norm(wa) * turning_radius(d.shape, d.size, a)
        reach += norm(wb) * turning_radius(d.shape, d.size, b)
        c, found = minus(vb, va), 0
        for k in range(part_count(d, a)):
            load_part(d, a, k, xa, turn_a, work.fa, work.ia)
            if d.shape[b] == MESH:
                head = d.kinds[d.first[b], 1]
                moves = d.first[b + 1] - d.first[b] - 1  # those that move have a hull, too
                found = surface_contacts(
                    work.fa, work.ia, head, moves, xa, wa, xb, turn_b, wb, c, reach, horizon, near,
                    131 * k, d, work, found,
                )  # fmt: skip
            else:
                found = _with_parts(
                    d, b, k, xa, wa, xb, turn_b, wb, c, reach, horizon, near, work, found
                )
    if found < 0:
        return -1
    if d.shape[b] == MESH or found > _MANY:
        found = gather(work, found)
    return _hand_over(work, found, out)


@inlined
def _mesh_reach(d, body):
    return norm(row(d.rows, d.first[body]))


@inlined
def _meshes_are_near(d, a, b, xa, turn_a, xb, turn_b, way, work):
    """Is the ball around the smaller one near a triangle of the other? Those two cannot touch."""
    small, large = _mesh_reach(d, b), _mesh_reach(d, a)
    middle, body = to_body(turn_a, minus(xb, xa)), a
    if small > large:
        small, middle, body = large, to_body(turn_b, minus(xa, xb)), b
    return surface_is_near(d, d.kinds[d.first[body], 1], middle, small + way, work.tree)


@kernel
def _described(at):
    n, m, balls = at[LOOK], at[PARTS + 3], at[PARTS + 10]
    return Described(
        places_at(at[2], (n,)), numbers_at(at[3], (n, 3)), places_at(at[PARTS], (n + 1,)),
        numbers_at(at[PARTS + 1], (m, 16)), places_at(at[PARTS + 2], (m, 2)),
        numbers_at(at[PARTS + 4], (at[PARTS + 5],)), places_at(at[PARTS + 6], (at[PARTS + 7],)),
        places_at(at[PARTS + 8], (n + 1,)), numbers_at(at[PARTS + 9], (balls, 4)),
    )  # fmt: skip


@kernel
def _scratch(at):
    return ConvexWork(
        numbers_at(at[SCRATCH], (FLOATS,)),
        numbers_at(at[SCRATCH + 1], (FLOATS,)),
        places_at(at[SCRATCH + 2], (INTS,)),
        places_at(at[SCRATCH + 3], (INTS,)),
        numbers_at(at[SCRATCH + 4], SIMPLEX),
        numbers_at(at[SCRATCH + 5], (MOST_POINTS, 4)),
        numbers_at(at[SCRATCH + 6], (MOST_POINTS, 4)),
        numbers_at(at[SCRATCH + 7], CLIPPED),
        numbers_at(at[SCRATCH + 8], CLIPPED),
        numbers_at(at[SCRATCH + 9], (CLIPPED[0], MANIFOLD_SHAPE[1])),
        numbers_at(at[SCRATCH + 10], (MOST_ROWS, MANIFOLD_SHAPE[1])),
        places_at(at[SCRATCH + 11], (TREE,)),
        numbers_at(at[SCRATCH + 12], (1,)),
        numbers_at(at[SCRATCH + 13], (8, MANIFOLD_SHAPE[1])),
    )


@kernel
def _with_parts(d, b, k, xa, wa, xb, turn, wb, c, reach, horizon, near, work, found):
    """Of the part of A that is loaded with all parts of B."""
    for m in range(part_count(d, b)):
        load_part(d, b, m, xb, turn, work.fb, work.ib)
        way = norm(minus(place_of(work.fb), place_of(work.fa)))
        far = part_reach(work.fa, work.ia) + part_reach(work.fb, work.ib)
        if way > far + near + horizon * (norm(c) + reach):
            continue
        small = min(part_size(work.fa, work.ia), part_size(work.fb, work.ib))
        count = convex_contacts(
            d.numbers, d.places, small, guess_of(work.fa, work.fb), xa, wa, xb, wb, c, reach,
            horizon, near, 131 * k + 17 * m, work,
        )  # fmt: skip
        found = append(work, count, found)
    return found


@kernel
def _outline(d, work, down):
    """Points of the part of B that may touch first what is flat or hollow, in the direction
    `down`, to work.other: how many."""
    f, i, poly = work.fb, work.ib, work.other
    if i[0] == CONVEX:
        head = i[1]
        corners, begin = d.places[head], d.places[head + 2]
        lowest = dot(farthest(f, i, d.numbers, d.places, down), down)
        within, count = 2.0 * part_reach(f, i), MOST_POINTS + 1
        while count > MOST_POINTS:  # of very many corners the lowest
            count = 0
            for k in range(corners):
                x = _corner_place(d, f, begin, k)
                if dot(x, down) >= lowest - within * norm(down):
                    if count < MOST_POINTS:
                        poly[count, 0], poly[count, 1], poly[count, 2] = x[0], x[1], x[2]
                        poly[count, 3] = k
                    count += 1
            within *= 0.5
        return count
    if i[0] == BOX:
        for corner in range(8):
            _put_point(poly, corner, f, box_corner((f[12], f[13], f[14]), corner), corner)
        return 8
    if i[0] == CAPSULE:
        _put_point(poly, 0, f, (0.0, 0.0, -f[14]), 0)
        _put_point(poly, 1, f, (0.0, 0.0, f[14]), 1)
        return 2
    return facing(f, i, d.numbers, d.places, down, poly)[0]


@inlined
def _corner_place(d, f, begin, k):
    """Corner k of a hull, in the world."""
    at = begin + 3 * k
    x = (d.numbers[at], d.numbers[at + 1], d.numbers[at + 2])
    return along(place_of(f), 1.0, _turned(f, x))


@inlined
def _turned(f, x):
    return to_world(((f[3], f[4], f[5]), (f[6], f[7], f[8]), (f[9], f[10], f[11])), x)


@inlined
def _put_point(poly, k, f, x, name):
    point = along(place_of(f), 1.0, _turned(f, x))
    poly[k, 0], poly[k, 1], poly[k, 2], poly[k, 3] = point[0], point[1], point[2], name


@kernel
def _with_plane(d, b, xp, up, vp, wp, xb, turn, vb, wb, horizon, near, work):
    found, down = 0, times(-1.0, up)
    for k in range(part_count(d, b)):
        load_part(d, b, k, xb, turn, work.fb, work.ib)
        r, count = work.fb[15], 0
        for m in range(_outline(d, work, down)):
            place = (work.other[m, 0], work.other[m, 1], work.other[m, 2])
            arm = minus(place, xb)
            velocity = along(vb, 1.0, cross(wb, arm))
            kept, gap, foot = plane_point(xp, up, vp, wp, place, r, velocity, horizon, near)
            if kept:
                name = mixed(int(work.other[m, 3]), 131 * k) & _NAMES
                put_contact(work.rows, count, name, gap, up, foot, along(arm, -r, up))
                count += 1
        count = keep_four(work.rows, count, part_size(work.fb, work.ib))
        found = append(work, count, found)
    return found


@kernel
def _with_bowl(d, b, bowl, xb, turn, vb, wb, horizon, near, work):
    """-1 where a part has edges or sides that are round."""
    found = 0
    for k in range(part_count(d, b)):
        load_part(d, b, k, xb, turn, work.fb, work.ib)
        kind, count = work.ib[0], 0
        if kind != SPHERE and kind != CAPSULE and kind != BOX and kind != CONVEX:
            return -1
        down = minus(xb, along(bowl[0], bowl[2], bowl[1]))
        for m in range(_outline(d, work, down)):
            arm = minus((work.other[m, 0], work.other[m, 1], work.other[m, 2]), xb)
            name = mixed(int(work.other[m, 3]), 131 * k) & _NAMES
            count = ball_bowl(
                bowl, xb, vb, wb, arm, work.fb[15], name, horizon, near, work.rows, count
            )
        count = keep_four(work.rows, count, part_size(work.fb, work.ib))
        for m in range(count):  # the bowl is A here
            for j in range(3):
                work.rows[m, 2 + j] = -work.rows[m, 2 + j]
                one, other = work.rows[m, 5 + j], work.rows[m, 8 + j]
                work.rows[m, 5 + j], work.rows[m, 8 + j] = other, one
        found = append(work, count, found)
    return found


@kernel
def _hand_over(work, found, out):
    """The contacts in the order of their features, of which no two are the same; where there
    is not room for all, the deepest."""
    rows = work.all
    while found > out.shape[0]:
        worst = 0
        for k in range(1, found):
            if rows[k, 1] > rows[worst, 1]:
                worst = k
        found -= 1
        for m in range(rows.shape[1]):
            rows[worst, m] = rows[found, m]
    for k in range(found):
        place = k
        while place > 0 and out[place - 1, 0] > rows[k, 0]:
            for m in range(rows.shape[1]):
                out[place, m] = out[place - 1, m]
            place -= 1
        for m in range(rows.shape[1]):
            out[place, m] = rows[k, m]
    for k in range(1, found):
        if out[k, 0] <= out[k - 1, 0]:
            out[k, 0] = out[k - 1, 0] + 1.0
    if found > 0 and out[found - 1, 0] > _NAMES:  # as rare as can be
        for k in range(found):
            out[k, 0] = k
    return found
