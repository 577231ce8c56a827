"""A convex part with the surface of a mesh, triangle by triangle.

Triangles are solid on one side: a part whose centre is behind one does not touch it. Within a
surface the normal of a contact at an edge or a corner must be one that the surface has there,
between the normals of the faces that meet: a ball that rolls over the edge of two triangles
in a plane feels nothing, and a box that slides over it does not catch. Where it would be another
normal, the contact is that of the face, or belongs to the neighbour.
"""

from __future__ import annotations

from rollcone._build.kernels import inlined, kernel
from rollcone.collision.kernels.box_face import keep_four
from rollcone.collision.kernels.convex import touching_points
from rollcone.collision.kernels.part_body import part_reach, part_size
from rollcone.collision.kernels.separation import spread
from rollcone.collision.kernels.support import TRIANGLE, farthest, place_of
from rollcone.collision.kernels.touch import first_touch
from rollcone.collision.kernels.vector import (
    along,
    cross,
    direction,
    dot,
    minus,
    norm,
    times,
    to_body,
    to_world,
)

LEAF = 4  # triangles in a leaf of the tree (triangles.py)
_OUT = 1e-4  # sine of the angle by which a normal may be beyond those of the surface
_TOUCHED = 1e-6  # share of a corner in the nearest point of a triangle, from which on it counts
_NARROW = 1e-4  # of their length: how wide contacts on a line are
_DEEPEST = 0.3  # of the extent of a part: what would be deeper in a face does not touch it
_EVEN = 1e-5  # of the smaller size: gaps that are as good as equal
_ALIKE = 0.999  # cosine of the angle of normals that count as one face


@kernel
def surface_contacts(
    fa, ia, head, moves, xa, wa, xb, turn, wb, c, reach, horizon, near, salt, d, work, found
):
    """Adds the contacts of a part of A with the surface of B to work.all; returns how many there
    are. `head` is where the surface begins in `places`; `turn` are B's axes; moves: 1 if
    B is not fixed."""
    numbers, places, tree = d.numbers, d.places, work.tree
    radius = part_reach(fa, ia) + near + horizon * (norm(c) + reach)
    middle = to_body(turn, minus(place_of(fa), xb))
    count, boxes = places[head], places[head + 1]
    begin, order, leaves = places[head + 4], places[head + 6], (boxes + 1) // 2
    tree[0], waiting = 0, 1
    while waiting > 0:
        waiting -= 1
        box = tree[waiting]
        if not _meets(numbers, begin + 6 * box, middle, radius):
            continue
        if box < leaves - 1:
            tree[waiting], tree[waiting + 1] = 2 * box + 1, 2 * box + 2
            waiting += 2
            continue
        leaf = box - (leaves - 1)
        for k in range(LEAF * leaf, min(LEAF * leaf + LEAF, count)):
            triangle = places[order + k]
            more = _with_triangle(
                fa, ia, head, moves, triangle, middle, radius, xa, wa, xb, turn, wb, c, reach,
                horizon, near, salt, d, work,
            )  # fmt: skip
            found = append(work, more, found)
    return found


@kernel
def append(work, count, found):
    """The first contacts of work.rows to those of work.all: how many there are then. Where there is
    no room, four are kept for each direction of normals, and what still has none is left out."""
    if found + count > work.all.shape[0]:
        for k in range(count):  # work.rows is needed for that
            for m in range(work.all.shape[1]):
                work.kept[k, m] = work.rows[k, m]
        found = gather(work, found)
        for k in range(count):
            for m in range(work.all.shape[1]):
                work.rows[k, m] = work.kept[k, m]
    for k in range(count):
        if found < work.all.shape[0]:
            for m in range(work.all.shape[1]):
                work.all[found, m] = work.rows[k, m]
            found += 1
    return found


@inlined
def _meets(numbers, box, middle, radius):
    """Does the cube of that half edge meet a box of the tree?"""
    meets = True
    for k in range(3):
        meets = meets and middle[k] + radius >= numbers[box + k]
        meets = meets and middle[k] - radius <= numbers[box + 3 + k]
    return meets


@kernel
def surface_is_near(d, head, middle, radius, tree):
    """Is a box of the tree within the cube about `middle`, in the axes of the surface?"""
    begin, leaves = d.places[head + 4], (d.places[head + 1] + 1) // 2
    tree[0], waiting = 0, 1
    while waiting > 0:
        waiting -= 1
        box = tree[waiting]
        if _meets(d.numbers, begin + 6 * box, middle, radius):
            if box >= leaves - 1:
                return True
            tree[waiting], tree[waiting + 1] = 2 * box + 1, 2 * box + 2
            waiting += 2
    return False


@inlined
def _vector(numbers, begin, k):
    return numbers[begin + 3 * k], numbers[begin + 3 * k + 1], numbers[begin + 3 * k + 2]


@kernel
def _with_triangle(
    fa, ia, head, moves, triangle, center, radius, xa, wa, xb, turn, wb, c, reach, horizon, near,
    salt, d, work,
):  # fmt: skip
    """Contacts with one triangle to work.rows: how many. center: of the part, on the surface, which
    can touch what is no farther from there than `radius`."""
    numbers, places, fb, ib = d.numbers, d.places, work.fb, work.ib
    first, corners = places[head + 5] + 3 * triangle, places[head + 2]
    a = _vector(numbers, corners, places[first])
    b = _vector(numbers, corners, places[first + 1])
    e = _vector(numbers, corners, places[first + 2])
    middle = times(1.0 / 3.0, along(along(a, 1.0, b), 1.0, e))
    wide = max(norm(minus(a, middle)), norm(minus(b, middle)), norm(minus(e, middle)))
    if norm(minus(middle, center)) > radius + wide:
        return 0
    ib[0], ib[1], fb[15] = TRIANGLE, moves, 0.0
    for k in range(3):
        ib[2 + k] = places[first + k]
    for k in range(3):
        x = along(xb, 1.0, to_world(turn, a if k == 0 else b if k == 1 else e))
        for m in range(3):
            fb[16 + 3 * k + m] = x[m]
    middle = along(xb, 1.0, to_world(turn, middle))
    for m in range(3):
        fb[m] = middle[m]
    up = to_world(turn, _vector(numbers, places[head + 3], triangle))
    if dot(minus(place_of(fa), middle), up) < 0.0:
        return 0
    down, small = (-up[0], -up[1], -up[2]), part_size(fa, ia)
    wider = near + horizon * reach
    if _is_beside(fa, ia, fb, up, c, horizon, wider, numbers, places):
        return 0
    close, t, gap, n = first_touch(
        work.fa, work.ia, work.fb, work.ib, numbers, places, small, down, c, horizon, near, wider,
        work.simplex, work.mine,
    )  # fmt: skip
    if not close:
        return 0
    core, flat = gap + fa[15], norm(cross(n, up)) <= _OUT and dot(n, up) < 0.0
    if not flat and _is_normal(head, turn, n, d, work):
        if -dot(n, up) <= _OUT:
            return 0  # it is the neighbour's
    else:
        n, flat = down, True
        core = spread(fa, ia, fb, ib, numbers, places, n)
        if core < -_DEEPEST * _extent(fa, ia, numbers, places, up):
            return 0
    return touching_points(
        fa, ia, fb, ib, numbers, places, small, xa, wa, along(xb, t, c), wb, c, t, n, core, horizon,
        near, (salt + _quarter(turn, n), salt + 1009 * triangle), flat, work,
    )  # fmt: skip


@inlined
def _is_beside(fa, ia, fb, up, c, horizon, wider, numbers, places):
    """Does the normal of a triangle, or that of one of its edges in its plane, keep the part away
    from it? Most triangles near a part are told so, without a look at their distance."""
    beside = False
    for k in range(4):
        first, second = 16 + 3 * (k % 3), 16 + 3 * ((k + 1) % 3)
        x = (fb[first], fb[first + 1], fb[first + 2])
        n = up
        if k < 3:
            n = cross(minus((fb[second], fb[second + 1], fb[second + 2]), x), up)
            n = direction(n, norm(n))
        p = farthest(fa, ia, numbers, places, (-n[0], -n[1], -n[2]))
        away = dot(minus(p, x), n) - fa[15] - horizon * max(0.0, dot(c, n))
        beside = beside or away > wider
        if beside:
            break
    return beside


@inlined
def _extent(f, i, numbers, places, n):
    """Of the core of a part, along n."""
    low = farthest(f, i, numbers, places, (-n[0], -n[1], -n[2]))
    return dot(minus(farthest(f, i, numbers, places, n), low), n)


@inlined
def _quarter(turn, n):
    """A number for where a normal looks, on the mesh: corners of a part that go on from triangle to
    triangle stay the same contacts, those on two sides of a valley do not become one."""
    a, b, c = to_body(turn, n)
    return 7 * (round(a) + 1) + 29 * (round(b) + 1) + 101 * (round(c) + 1)


@inlined
def _share(work, k):
    """Of corner k of the triangle in the point of it that is nearest to the part."""
    total, s, fb = 0.0, work.simplex, work.fb
    for row in range(4):
        same = s[row, 9] > 0.0
        for m in range(3):
            same = same and s[row, 6 + m] == fb[16 + 3 * k + m]
        total += s[row, 9] if same else 0.0
    return total


@kernel
def _is_normal(head, turn, n, d, work):
    """Is -n a normal of the surface where the part is nearest: at a corner all of whose neighbours
    are lower along it, or at an edge beside which both are?"""
    out = to_body(turn, (-n[0], -n[1], -n[2]))
    ib, corners, begin, second = work.ib, d.places[head + 2], d.places[head + 7], d.places[head + 8]
    one, other, touched = -1, -1, 0
    for k in range(3):
        if _share(work, k) > _TOUCHED:
            touched += 1
            other = one
            one = ib[2 + k]
    allowed = touched == 1 or touched == 2
    if allowed:
        x = _vector(d.numbers, corners, one)
        if touched == 2:
            e = minus(_vector(d.numbers, corners, other), x)
            e = direction(e, norm(e))
            out = along(out, -dot(out, e), e)
        for m in range(d.places[begin + one], d.places[begin + one + 1]):
            corner = d.places[second + m]
            beside = touched == 1
            if touched == 2:
                for k in range(d.places[begin + other], d.places[begin + other + 1]):
                    beside = beside or d.places[second + k] == corner
            e = minus(_vector(d.numbers, corners, corner), x)
            allowed = allowed and (not beside or dot(out, e) <= _OUT * norm(e))
    return allowed


@kernel
def gather(work, found):
    """Of the contacts in work.all, four for each direction of normals; returns how many are left,
    in front."""
    all_rows, rows = work.all, work.rows
    kept = 0
    while kept < found:
        best = kept
        for k in range(kept, found):
            if all_rows[k, 1] < all_rows[best, 1]:
                best = k
        n = (all_rows[best, 2], all_rows[best, 3], all_rows[best, 4])
        count, rest = 0, kept
        for k in range(kept, found):
            alike = dot(n, (all_rows[k, 2], all_rows[k, 3], all_rows[k, 4])) > _ALIKE
            if alike:
                place = _place(rows, count, all_rows, k)
                if place >= 0:
                    for m in range(rows.shape[1]):
                        rows[place, m] = all_rows[k, m]
                    count = max(count, place + 1)
            else:
                for m in range(rows.shape[1]):
                    all_rows[rest, m] = all_rows[k, m]
                rest += 1
        if _in_line(rows, count):
            count = _keep_ends(rows, count, _EVEN * work.small[0])
        count = keep_four(rows, count, work.small[0])
        # The rest moves up by as many as are kept of these.
        for k in range(rest - 1, kept - 1, -1):
            for m in range(rows.shape[1]):
                all_rows[k + count, m] = all_rows[k, m]
        for k in range(count):
            for m in range(rows.shape[1]):
                all_rows[kept + k, m] = rows[k, m]
        found, kept = rest + count, kept + count
    return found


@inlined
def _farthest_row(rows, count, start):
    best, most = start, 0.0
    for k in range(count):
        far = 0.0
        for m in range(5, 8):
            far += (rows[k, m] - rows[start, m]) ** 2
        if far > most * (1.0 + 1e-6):
            best, most = k, far
    return best


@inlined
def _in_line(rows, count):
    """Do more than two contacts lie on a line?"""
    one = _farthest_row(rows, count, 0)
    other = _farthest_row(rows, count, one)
    e = minus(_arm(rows, other), _arm(rows, one))
    square, wide = dot(e, e), 0.0
    for k in range(count):
        away = cross(minus(_arm(rows, k), _arm(rows, one)), e)
        wide = max(wide, dot(away, away))
    return count > 2 and wide <= (_NARROW * square) ** 2


@inlined
def _keep_ends(rows, count, even):
    """The ends of the line, and the deepest contact in between if it is deeper; how many."""
    one = _farthest_row(rows, count, 0)
    other = _farthest_row(rows, count, one)
    deepest = min(one, other)
    for k in range(count):
        if rows[k, 1] < rows[deepest, 1] - even:
            deepest = k
    kept = 0
    for k in range(count):
        if k in (one, other, deepest):
            for m in range(rows.shape[1]):
                rows[kept, m] = rows[k, m]
            kept += 1
    return kept


@inlined
def _arm(rows, k):
    return rows[k, 5], rows[k, 6], rows[k, 7]


@inlined
def _place(rows, count, all_rows, k):
    """Where row k goes: to the place of one that is the same, if it is nearer, else to the end; -1
    where it goes nowhere. The same are contacts at one place, or of one corner of a part with
    two triangles."""
    place = count if count < rows.shape[0] else -1
    for j in range(count):
        far = 0.0
        for m in range(5, 8):
            far += (rows[j, m] - all_rows[k, m]) ** 2
        size = all_rows[k, 5] ** 2 + all_rows[k, 6] ** 2 + all_rows[k, 7] ** 2
        if far <= 1e-14 * size or rows[j, 0] == all_rows[k, 0]:
            place = j if all_rows[k, 1] < rows[j, 1] else -1
            break
    return place
