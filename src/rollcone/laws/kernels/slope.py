"""Derivatives of the projections that obey the law: what Newton's method needs of friction.

The nearest point p_j(N, l_j) of the scaled set N C_j has the derivative D_j in l_j (the set's
`slope`). It is homogeneous, p_j = D_j l_j + u_j N, which gives its derivative u_j in N. Then

    dp_j = D_j dl_j + u_j dN

with dN = dx_0 for x_0 > 0 under the exact law, set by set; and for the projection on the cone,
whose N makes half the squared distance least,

    dN = (dx_0 + sum u_j . dl_j) / (1 + sum u_j . p_j / N),

which makes the whole derivative symmetric. Where projections have kinks one of the limits of
derivatives nearby is taken; of a set that is a point, and for N = 0, that is zero.
"""

from __future__ import annotations

from rollcone._build.kernels import entry, inlined, kernel
from rollcone._build.signatures import Float1, Float2, Int1
from rollcone._own_functions import OWN, own_slope
from rollcone.laws.kernels.box import BOX, box_slope
from rollcone.laws.kernels.contensou import contensou_slope
from rollcone.laws.kernels.disc import DISC, disc_slope
from rollcone.laws.kernels.ellipse import ELLIPSE, ellipse_slope
from rollcone.laws.kernels.ellipsoid import ELLIPSOID, ellipsoid_slope
from rollcone.laws.kernels.interval import INTERVAL, interval_slope
from rollcone.laws.kernels.polygon import polygon_slope
from rollcone.laws.kernels.sets import project, project_sets


@inlined
def set_slope(kind, a, b, l1, l2, y):
    """(d11, d12, d22), the derivative of the nearest point of y C in l."""
    if kind == DISC:
        return disc_slope(a, l1, l2, y)
    if kind == ELLIPSE:
        return ellipse_slope(a, b, l1, l2, y)
    if kind == BOX:
        return box_slope(a, b, l1, l2, y)
    if kind == INTERVAL:
        return interval_slope(a, l1, y), 0.0, 0.0
    if kind >= OWN:
        return own_slope(kind, a, b, l1, l2, y)
    return polygon_slope(kind, a, l1, l2, y)


@kernel
def law_project(exact, kinds, radii, x, p):
    """p (6,) = P(x) for x (6,); kinds (2,) and radii (5,) of a contact.

    Contacts of fewer rows have zeros in their place. (One form for all: few seconds to compile.)
    """
    slide, roll = kinds[0], kinds[1]
    a1, b1, a2, b2, s = radii[0], radii[1], radii[2], radii[3], radii[4]
    x0, x1, x2, x3, x4, x5 = x[0], x[1], x[2], x[3], x[4], x[5]
    if exact:
        q = project_sets(slide, a1, b1, roll, a2, b2, s, max(x0, 0.0), x0, x1, x2, x3, x4, x5)
    else:
        q = project(slide, a1, b1, roll, a2, b2, s, x0, x1, x2, x3, x4, x5)
    for k in range(6):
        p[k] = q[k]


@entry
def law_slope(exact: bool, kinds: Int1, radii: Float1, x: Float1, p: Float1, D: Float2) -> None:
    """The same, and the derivative D (6, 6) of P."""
    slide, roll = kinds[0], kinds[1]
    a1, b1, a2, b2, s = radii[0], radii[1], radii[2], radii[3], radii[4]
    x1, x2, x3, x4, x5 = x[1], x[2], x[3], x[4], x[5]
    law_project(exact, kinds, radii, x, p)
    for k in range(6):
        for m in range(6):
            D[k, m] = 0.0
    normal = p[0]
    if not normal > 0.0:
        return
    if slide == ELLIPSOID:
        ellipsoid_slope(a1, a2, s, x, normal, D)
    else:
        D[3, 3], D[3, 4], D[4, 4] = set_slope(roll, a2, b2, x3, x4, normal)
        D[4, 3] = D[3, 4]
        if slide < 0:
            D[1, 1], D[1, 2], D[2, 2], D[1, 5], D[2, 5], D[5, 5] = contensou_slope(
                slide, a1, s, x1, x2, x5, normal
            )
            D[5, 1], D[5, 2] = D[1, 5], D[2, 5]
        else:
            D[1, 1], D[1, 2], D[2, 2] = set_slope(slide, a1, b1, x1, x2, normal)
            D[5, 5] = interval_slope(s, x5, normal)
        D[2, 1] = D[1, 2]
    for k in range(1, 6):  # column 0 holds u for now
        along = 0.0
        for m in range(1, 6):
            along += D[k, m] * x[m]
        D[k, 0] = (p[k] - along) / normal
    D[0, 0] = 1.0
    if not exact:
        _couple(p, D)


@inlined
def _couple(p, D):
    """The normal force gives way to what friction asks for."""
    share = 1.0
    for k in range(1, 6):
        share += D[k, 0] * p[k] / p[0]
    share = 1.0 / share
    D[0, 0] = share
    for k in range(1, 6):
        for m in range(1, 6):
            D[k, m] += share * D[k, 0] * D[m, 0]
    for k in range(1, 6):
        D[k, 0] *= share
        D[0, k] = D[k, 0]
