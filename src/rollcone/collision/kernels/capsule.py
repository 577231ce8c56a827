"""A capsule with a sphere, a plane and another capsule.

A capsule is all that is no farther than r from its core, the points s u with |s| <= half about its
centre, u its axis. Two capsules touch where their cores are r_A + r_B apart, so contacts are
those of

- a ball with a core: a sphere, or the end of another capsule. It moves past the core along a
  straight line, at the velocity relative to the core's closest point when the step starts. The
  distance is convex in time, so Newton's method climbs to the first touch, as for a box.
- two cores that cross: their distance along n = u_A x u_B / |u_A x u_B| is d.n, linear in time.

The first touch of two segments that only move along is always one of these. Capsules side by side
touch at the ends of the part that they have in common, each the end of one of them.
"""

from __future__ import annotations

from rollcone._build.kernels import inlined, kernel
from rollcone.collision.kernels.manifold import put_contact
from rollcone.collision.kernels.plane import plane_point
from rollcone.collision.kernels.vector import (
    across,
    along,
    cross,
    cut,
    direction,
    dot,
    loose_cut,
    minus,
    norm,
    times,
)

# Share of the radii: an end that reaches over another by no more is level with it, so that rounding
# does not decide which of two ends at the same place is taken. The gap is off by its square.
SLACK = 1e-5
# Share of the radii: cores that part by no more over their length are parallel, with ends alone.
PARALLEL = 4e-4
LEAN = 0.3  # sine: what leans no more against another may yet fall flat on it
_ON_CORE = 1e-12
_STEPS = 60
_ROUNDING = 1e-14


@inlined
def _closest(p, u, half, reach, slack, spare):
    """(place on the core, way from there to p, gap)."""
    s = loose_cut(dot(p, u), half, slack)
    away = along(p, -s, u)
    distance = norm(away)
    if distance > _ON_CORE * reach:
        return s, direction(away, distance), distance - reach
    return s, spare, distance - reach


@kernel
def ball_core(p, v, u, half, w, reach, slack, spare, horizon, near):
    """(kept, gap, way from the core to the ball, place s on the core) of a ball and a capsule.

    The ball at p moves with v, both relative to the capsule's centre; the capsule turns with w.
    `reach` is the sum of the radii. A core reaches over its ends by `slack`. `spare` is
    the way out of a core that holds p. Beyond `near` all are those of the first touch.
    """
    s, way, gap = _closest(p, u, half, reach, slack, spare)
    t, still = 0.0, gap
    if gap > near:
        c = minus(v, cross(w, times(s, u)))
        enough = near + _ROUNDING * (norm(p) + reach)
        for _ in range(_STEPS):
            closing = -dot(way, c)
            if still <= enough or not still - near <= closing * (horizon - t):
                break
            t += (still - near) / closing
            s, way, still = _closest(along(p, t, c), u, half, reach, slack, spare)
        gap = still - t * dot(way, c)
        if still > enough:
            return False, gap, way, s
    return True, gap, way, s


@inlined
def capsule_sphere(xs, r, vs, xc, u, rc, half, vc, wc, horizon, near, out):
    """The contact, if any; returns their number."""
    kept, gap, way, s = ball_core(
        minus(xs, xc), minus(vs, vc), u, half, wc, r + rc, 0.0, across(u), horizon, near
    )
    if not kept:
        return 0
    put_contact(out, 0, 0, gap, times(-1.0, way), times(-r, way), along(times(s, u), rc, way))
    return 1


@inlined
def capsule_plane(xp, up, vp, wp, xc, u, r, half, vc, wc, horizon, near, out):
    """The ends, 0 on the side of -z and 1 of +z; returns how many."""
    found = 0
    for end in range(2 if half > 0.0 else 1):
        arm = times(half if end else -half, u)
        place, velocity = along(xc, 1.0, arm), along(vc, 1.0, cross(wc, arm))
        kept, gap, foot = plane_point(xp, up, vp, wp, place, r, velocity, horizon, near)
        if kept:
            put_contact(out, found, end, gap, up, foot, along(arm, -r, up))
            found += 1
    return found


@kernel
def capsule_capsule(xa, ua, ra, half_a, va, wa, xb, ub, rb, half_b, vb, wb, horizon, near, out):
    """The ends of A, 0 and 1, those of B, 2 and 3, the crossing, 4; returns how many."""
    d, c, m = minus(xb, xa), minus(vb, va), cross(ua, ub)
    reach, sine = ra + rb, norm(m)
    crossing = sine * (half_a + half_b) > PARALLEL * reach
    n = direction(m, sine) if crossing else across(ua)
    if dot(n, d) < 0.0:
        n = times(-1.0, n)
    found = 0
    for end in range(4):
        # The end of one at p from the centre of the other; `side` is 1 if it is one of A.
        side, sign = (1.0 if end < 2 else -1.0), (1.0 if end % 2 else -1.0)
        one, half, w = (ua, half_a, wa) if end < 2 else (ub, half_b, wb)
        other, limit, spin = (ub, half_b, wb) if end < 2 else (ua, half_a, wa)
        if half == 0.0 and sign > 0.0:
            continue
        arm = times(sign * half, one)
        p, v = along(arm, -side, d), along(cross(w, arm), -side, c)
        spare = times(-side, n)
        kept, gap, way, s = ball_core(
            p, v, other, limit, spin, reach, SLACK * reach, spare, horizon, near
        )
        # Over the inside of the other core; two ends that are closest to each other count as A's.
        lean = sign * dot(way, one) if half > 0.0 else 0.0
        if end < 2:
            over = abs(s) != limit or lean * (min(gap, near) + reach) <= SLACK * reach
        else:
            over = abs(s) < limit - SLACK * reach
        if kept and over and (gap > near or lean <= LEAN):
            normal, on_core = times(-side, way), times(s, other)
            arm_a, arm_b = (arm, on_core) if end < 2 else (on_core, arm)
            put_contact(
                out, found, end, gap, normal, along(arm_a, ra, normal), along(arm_b, -rb, normal)
            )
            found += 1
    if crossing:
        kept, gap, s, q = _cross(d, c, n, m, ua, half_a, wa, ub, half_b, wb, reach, horizon, near)
        if kept:
            arm_a, arm_b = along(times(s, ua), ra, n), along(times(q, ub), -rb, n)
            put_contact(out, found, 4, gap, n, arm_a, arm_b)
            found += 1
    return found


@inlined
def _cross(d, c, n, m, ua, half_a, wa, ub, half_b, wb, reach, horizon, near):
    """(kept, gap, places on the cores of A and B) of cores that cross; n along m = u_A x u_B."""
    gap, square = dot(d, n) - reach, dot(m, m)
    s, q = dot(cross(d, ub), m) / square, dot(cross(d, ua), m) / square
    if gap > near:
        on_a, on_b = times(cut(s, half_a), ua), times(cut(q, half_b), ub)
        slip = minus(along(c, 1.0, cross(wb, on_b)), cross(wa, on_a))
        closing = -dot(slip, n)
        if not gap - near <= closing * horizon:
            return False, gap, s, q
        there = along(d, (gap - near) / closing, slip)
        s, q = dot(cross(there, ub), m) / square, dot(cross(there, ua), m) / square
    return abs(s) <= half_a and abs(q) <= half_b, gap, s, q
