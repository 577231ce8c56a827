"""The friction cone as compiled code: projection and shift, for any mix of sets.

Six numbers stand for a point, x0 normal, (x1, x2) sliding, (x3, x4) rolling, x5 spinning; rows that
a contact does not have are zero. A set is (kind, a, b). A negative kind of the sliding set couples
rows: that of a patch the spinning row, the ellipsoid all of them; `spin` is then the half-axis
along the spinning row.

Projection on K = { (y, l_1, l_2, ...) : y >= 0, l_i in y C_i }: the normal part y
is the root of the increasing function

    F(y) = y - x0 - sum_i phi_i(y),   phi_i(y) = support_i(l_i - P_{y C_i}(l_i))

(for discs see Tasora and Anitescu 2013, appendix C). Each set gives the tangent
line alpha - beta y of its phi. They are convex, so Newton's step
y = (x0 + sum alpha) / (1 + sum beta), started at y = max(x0, 0), climbs to the
root and never passes it; where phi is piecewise linear it ends, exactly, after
at most one step per piece. F(0) >= 0 means the apex. y is kept as a fraction N / D.

A step that ends at the limit of a set with a large coefficient must not hold on
to it by a rounding: the next tangents are taken a hair ahead, where the set is
left behind if the root is beyond, and gives no progress if it is not.
"""

from __future__ import annotations

import math

from rollcone._build.kernels import entry, inlined, kernel
from rollcone._build.signatures import Float1, Float2, Int1, Int2
from rollcone._own_functions import OWN, own_line, own_project, own_support
from rollcone.laws.kernels.box import BOX, box_line, box_project, box_support
from rollcone.laws.kernels.contensou import contensou_line, contensou_project, contensou_support
from rollcone.laws.kernels.disc import DISC, disc_line, disc_project, disc_support
from rollcone.laws.kernels.ellipse import ELLIPSE, ellipse_line, ellipse_project, ellipse_support
from rollcone.laws.kernels.ellipsoid import (
    ELLIPSOID,
    ellipsoid_line,
    ellipsoid_project,
    ellipsoid_support,
)
from rollcone.laws.kernels.interval import (
    INTERVAL,
    interval_line,
    interval_project,
    interval_support,
)
from rollcone.laws.kernels.patch import patch_ends
from rollcone.laws.kernels.polygon import polygon_line, polygon_project, polygon_support

_MAX_STEPS = 100
_AHEAD = 1.0 + 3.0 * 2.0**-52
_BEHIND = 1.0 - 8.0 * 2.0**-52  # by so little rounding brings a step back
_BEYOND = 1e200  # a scale past which any set that is not a point holds the unit disc


@inlined
def set_line(kind, a, b, l1, l2, N, D):
    """(alpha, beta): the tangent line of the set's resistance at y = N / D."""
    if kind == DISC:
        return disc_line(a, l1, l2, N, D)
    if kind == ELLIPSE:
        return ellipse_line(a, b, l1, l2, N, D)
    if kind == BOX:
        return box_line(a, b, l1, l2, N, D)
    if kind == INTERVAL:
        return interval_line(a, l1, N, D)
    if kind >= OWN:
        return own_line(kind, a, b, l1, l2, N / D)
    return polygon_line(kind, a, l1, l2, N, D)


@inlined
def set_project(kind, a, b, l1, l2, N, D):
    """The nearest point of (N / D) C to l."""
    if kind == DISC:
        return disc_project(a, l1, l2, N, D)
    if kind == ELLIPSE:
        return ellipse_project(a, b, l1, l2, N, D)
    if kind == BOX:
        return box_project(a, b, l1, l2, N, D)
    if kind == INTERVAL:
        return interval_project(a, l1, N, D), 0.0
    if kind >= OWN:
        return own_project(kind, a, b, l1, l2, N / D)
    return polygon_project(kind, a, l1, l2, N, D)


@inlined
def set_support(kind, a, b, v1, v2):
    """max { c . v : c in C }."""
    if kind == DISC:
        return disc_support(a, v1, v2)
    if kind == ELLIPSE:
        return ellipse_support(a, b, v1, v2)
    if kind == BOX:
        return box_support(a, b, v1, v2)
    if kind == INTERVAL:
        return interval_support(a, v1)
    if kind >= OWN:
        return own_support(kind, a, b, v1, v2)
    return polygon_support(kind, a, v1, v2)


@kernel
def coupled_line(kind, a1, rolling, a2, b2, spin, x1, x2, x3, x4, x5, N, D):
    """The sum of the tangent lines of all rows at y = N / D."""
    if kind == ELLIPSOID:
        return ellipsoid_line(a1, a2, spin, x1, x2, x3, x4, x5, N, D)
    alpha1, beta1 = contensou_line(kind, a1, spin, math.sqrt(x1 * x1 + x2 * x2), abs(x5), N, D)
    alpha2, beta2 = set_line(rolling, a2, b2, x3, x4, N, D)
    return alpha1 + alpha2, beta1 + beta2


@kernel
def coupled_project(kind, a1, rolling, a2, b2, spin, x1, x2, x3, x4, x5, N, D):
    """The nearest point of the sets times N / D."""
    if kind == ELLIPSOID:
        return ellipsoid_project(a1, a2, spin, x1, x2, x3, x4, x5, N, D)
    p1, p2, p5 = contensou_project(kind, a1, spin, x1, x2, x5, N, D)
    p3, p4 = set_project(rolling, a2, b2, x3, x4, N, D)
    return p1, p2, p3, p4, p5


@kernel
def coupled_support(kind, a1, rolling, a2, b2, spin, y1, y2, y3, y4, y5):
    if kind == ELLIPSOID:
        return ellipsoid_support(a1, a2, spin, y1, y2, y3, y4, y5)
    roll = set_support(rolling, a2, b2, y3, y4)
    return contensou_support(kind, a1, spin, y1, y2, y5) + roll


@inlined
def shift(sliding, a1, b1, rolling, a2, b2, spin, y1, y2, y3, y4, y5):
    """S(y), the sum of the support functions at the friction rows of y."""
    if sliding < 0:
        return coupled_support(sliding, a1, rolling, a2, b2, spin, y1, y2, y3, y4, y5)
    return (
        set_support(sliding, a1, b1, y1, y2)
        + set_support(rolling, a2, b2, y3, y4)
        + interval_support(spin, y5)
    )


@kernel
def project_coupled(kind, a1, rolling, a2, b2, spin, x0, x1, x2, x3, x4, x5):
    """`project` where phi is not quite convex: Newton's steps may pass the root, and come back.

    From y = 0 it may climb for ever along the limit of one row group if that of another is
    narrower by far, so the roots of sliding alone and spinning alone are tried first.
    """
    if x0 + coupled_support(kind, a1, rolling, a2, b2, spin, x1, x2, x3, x4, x5) <= 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    low, high = max(x0, 0.0), math.inf
    half = spin if kind == ELLIPSOID else spin * patch_ends(kind)[0]
    slides = (x0 + a1 * math.sqrt(x1 * x1 + x2 * x2)) / (1.0 + a1 * a1)
    y = max(low, max(slides, (x0 + half * abs(x5)) / (1.0 + half * half)))
    for _ in range(_MAX_STEPS):
        alpha, beta = coupled_line(
            kind, a1, rolling, a2, b2, spin, x1, x2, x3, x4, x5, y * _AHEAD, 1.0
        )
        new = (x0 + alpha) / (1.0 + beta)
        if new > y:
            low = y
        elif new >= y * _BEHIND:
            break
        else:
            high = y
        y = new if low < new < high else 0.5 * (low + high)
    p = coupled_project(kind, a1, rolling, a2, b2, spin, x1, x2, x3, x4, x5, y, 1.0)
    return y, p[0], p[1], p[2], p[3], p[4]


@inlined
def project(sliding, a1, b1, rolling, a2, b2, spin, x0, x1, x2, x3, x4, x5):
    """The nearest point of the cone; the squares of the x must not overflow."""
    if sliding < 0:
        return project_coupled(sliding, a1, rolling, a2, b2, spin, x0, x1, x2, x3, x4, x5)
    N, D = max(x0, 0.0), 1.0
    ahead = N
    for _ in range(_MAX_STEPS):
        alpha1, beta1 = set_line(sliding, a1, b1, x1, x2, ahead, D)
        alpha2, beta2 = set_line(rolling, a2, b2, x3, x4, ahead, D)
        alpha3, beta3 = interval_line(spin, x5, ahead, D)
        newN = x0 + alpha1 + alpha2 + alpha3
        newD = 1.0 + beta1 + beta2 + beta3
        if not newN * D > N * newD:
            break
        N, D = newN, newD
        ahead = N * _AHEAD
    if N <= 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    p1, p2 = set_project(sliding, a1, b1, x1, x2, N, D)
    p3, p4 = set_project(rolling, a2, b2, x3, x4, N, D)
    p5 = interval_project(spin, x5, N, D)
    return N / D, p1, p2, p3, p4, p5


@inlined
def project_sets(sliding, a1, b1, rolling, a2, b2, spin, normal, x0, x1, x2, x3, x4, x5):
    """Each row group by itself: x0 on the half-line, friction on the sets times `normal`."""
    if sliding < 0:
        p = coupled_project(sliding, a1, rolling, a2, b2, spin, x1, x2, x3, x4, x5, normal, 1.0)
        return max(x0, 0.0), p[0], p[1], p[2], p[3], p[4]
    p1, p2 = set_project(sliding, a1, b1, x1, x2, normal, 1.0)
    p3, p4 = set_project(rolling, a2, b2, x3, x4, normal, 1.0)
    return max(x0, 0.0), p1, p2, p3, p4, interval_project(spin, x5, normal, 1.0)


@kernel
def project_law(exact, sliding, a1, b1, rolling, a2, b2, spin, normal, x0, x1, x2, x3, x4, x5):
    """`project_sets` under the exact law, else `project`, for sets of any kind. It is a function of
    its own, not put in place, where sets of all kinds would be compiled several times over."""
    if exact:
        return project_sets(sliding, a1, b1, rolling, a2, b2, spin, normal, x0, x1, x2, x3, x4, x5)
    return project(sliding, a1, b1, rolling, a2, b2, spin, x0, x1, x2, x3, x4, x5)


@inlined
def project_contact(exact, sliding, a1, b1, rolling, a2, b2, spin, normal, x0, x1, x2, x3, x4, x5):
    """`project_law`, put in place for discs, which most sets are."""
    if sliding == DISC and rolling == DISC:
        return project_on_discs(exact, a1, a2, spin, normal, x0, x1, x2, x3, x4, x5)
    return project_law(
        exact, sliding, a1, b1, rolling, a2, b2, spin, normal, x0, x1, x2, x3, x4, x5
    )


@inlined
def project_on_discs(exact, mu, rho, sigma, normal, x0, x1, x2, x3, x4, x5):
    """`project_law` for discs of radii mu and rho: the compiler knows the kinds."""
    if exact:
        return project_sets(DISC, mu, mu, DISC, rho, rho, sigma, normal, x0, x1, x2, x3, x4, x5)
    return project(DISC, mu, mu, DISC, rho, rho, sigma, x0, x1, x2, x3, x4, x5)


@kernel
def power_of_two(size):
    """The power of two next to `size`, so that dividing by it is exact; 1 for zero."""
    if size == 0.0:
        return 1.0
    return math.ldexp(1.0, min(max(math.frexp(size)[1], -1000), 1000))


@entry
def project_points(kinds: Int2, radii: Float2, points: Float2, out: Float2) -> None:
    """`project` of every row of `points` (n, d), whatever its size."""
    d = points.shape[1]
    for i in range(points.shape[0]):
        size = 0.0
        for k in range(d):
            size = max(size, abs(points[i, k]))
        unit = power_of_two(size)
        x0 = points[i, 0] / unit
        x1 = points[i, 1] / unit
        x2 = points[i, 2] / unit if d > 2 else 0.0
        x3 = points[i, 3] / unit if d > 3 else 0.0
        x4 = points[i, 4] / unit if d > 3 else 0.0
        x5 = points[i, 5] / unit if d > 5 else 0.0
        p = project(
            kinds[i, 0],
            radii[i, 0],
            radii[i, 1],
            kinds[i, 1],
            radii[i, 2],
            radii[i, 3],
            radii[i, 4],
            x0,
            x1,
            x2,
            x3,
            x4,
            x5,
        )
        for k in range(d):
            out[i, k] = p[k] * unit


@entry
def shift_points(kinds: Int2, radii: Float2, points: Float2, out: Float1) -> None:
    """S of every row of `points` (n, d), whatever its size."""
    d = points.shape[1]
    for i in range(points.shape[0]):
        size = 0.0
        for k in range(1, d):
            size = max(size, abs(points[i, k]))
        unit = power_of_two(size)
        y1 = points[i, 1] / unit
        y2 = points[i, 2] / unit if d > 2 else 0.0
        y3 = points[i, 3] / unit if d > 3 else 0.0
        y4 = points[i, 4] / unit if d > 3 else 0.0
        y5 = points[i, 5] / unit if d > 5 else 0.0
        out[i] = unit * shift(
            kinds[i, 0],
            radii[i, 0],
            radii[i, 1],
            kinds[i, 1],
            radii[i, 2],
            radii[i, 3],
            radii[i, 4],
            y1,
            y2,
            y3,
            y4,
            y5,
        )


@entry
def project_set_points(
    kind: Int1, a: Float1, b: Float1, scale: Float1, points: Float2, out: Float2
) -> None:
    """Nearest point of scale_i C_i to each row of `points` (n, 2)."""
    for i in range(points.shape[0]):
        unit = power_of_two(max(abs(points[i, 0]), abs(points[i, 1])))
        l1, l2 = points[i, 0] / unit, points[i, 1] / unit
        y = min(scale[i] / unit, _BEYOND)
        p1, p2 = set_project(kind[i], a[i], b[i], l1, l2, y, 1.0)
        out[i, 0] = p1 * unit
        out[i, 1] = p2 * unit


@entry
def support_set_points(kind: Int1, a: Float1, b: Float1, vectors: Float2, out: Float1) -> None:
    """Support of each C_i at each row of `vectors` (n, 2)."""
    for i in range(vectors.shape[0]):
        unit = power_of_two(max(abs(vectors[i, 0]), abs(vectors[i, 1])))
        v1, v2 = vectors[i, 0] / unit, vectors[i, 1] / unit
        out[i] = unit * set_support(kind[i], a[i], b[i], v1, v2)


@entry
def project_contensou_points(
    kind: Int1, a: Float1, s: Float1, scale: Float1, points: Float2, out: Float2
) -> None:
    """Nearest point of scale_i C_i to each row of `points` (n, 3): l_t1, l_t2, l_n."""
    for i in range(points.shape[0]):
        unit = power_of_two(max(abs(points[i, 0]), max(abs(points[i, 1]), abs(points[i, 2]))))
        l1, l2, l5 = points[i, 0] / unit, points[i, 1] / unit, points[i, 2] / unit
        y = min(scale[i] / unit, _BEYOND)
        p = contensou_project(kind[i], a[i], s[i], l1, l2, l5, y, 1.0)
        for k in range(3):
            out[i, k] = p[k] * unit


@entry
def support_contensou_points(
    kind: Int1, a: Float1, s: Float1, vectors: Float2, out: Float1
) -> None:
    """Support of each C_i at each row of `vectors` (n, 3)."""
    for i in range(vectors.shape[0]):
        unit = power_of_two(max(abs(vectors[i, 0]), max(abs(vectors[i, 1]), abs(vectors[i, 2]))))
        v1, v2, v5 = vectors[i, 0] / unit, vectors[i, 1] / unit, vectors[i, 2] / unit
        out[i] = unit * contensou_support(kind[i], a[i], s[i], v1, v2, v5)
