"""Bodies near each other whose shapes no function treats: disks and ellipsoids with other than
planes and bowls. They are told apart by the balls around them."""

from __future__ import annotations

from rollcone._jit import inlined
from rollcone.collision._shape_kernels import BOX, ball_around, is_endless
from rollcone.collision._sphere_box_kernels import sphere_box
from rollcone.collision._sphere_sphere_kernels import sphere_sphere
from rollcone.collision._vector_kernels import axes, row


@inlined
def near_ball(boxes, a, b, shape, size, orientation, xa, va, wa, xb, vb, horizon, near, out):
    """Is body a near the ball around body b, or will it be within the horizon?"""
    if is_endless(shape[a]):
        return True
    r = ball_around(shape, size, b)
    if boxes is not None and shape[a] == BOX:
        turn, half = axes(orientation, a), row(size, a)
        return sphere_box(xb, r, vb, xa, turn, half, va, wa, horizon, near, out) > 0
    return sphere_sphere(xa, ball_around(shape, size, a), va, xb, r, vb, horizon, near, out) > 0
