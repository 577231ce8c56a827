"""Functions of the user's own that kernels call by address: those of friction sets and of shapes.

The library has one table with PLACES rows of three addresses, empty at first. A kind of set or of
convex part from OWN on stands for a row of it, kind - OWN:

    set     void project(double a, double b, double l1, double l2, double y, double *p)
                p (2,), the nearest point of y C to l
            double support(double a, double b, double v1, double v2)
                max { c . v : c in C }
            void slope(double a, double b, double l1, double l2, double y, double *d)
                d (3,), the derivative d11, d12, d22 of that nearest point in l; null if there is
                none, and differences are taken
    part    void support(double p, double q, double s, double d1, double d2, double d3, double *x)
                x (3,), the point of the core that is the farthest in the direction d, both along
                the part's axes; it lies within +- p, +- q, +- s

a and b are the lengths of the set's row group, p, q, s those of the part (support.py). A function
must give the same result for the same arguments, and may be called by several threads at once. What
an empty row gives is no number. There is no interface for this yet but `set_functions`.
"""

from __future__ import annotations

import math

from rollcone._build.intrinsics import (
    call_for_number,
    call_for_three,
    call_for_two,
    read_word,
    table_of_functions,
    write_word,
)
from rollcone._build.kernels import entry, inlined, kernel

OWN = 1 << 32  # the kind of the first row
PLACES = 256
_PROJECT, _SUPPORT, _SLOPE, _ROW = 0, 1, 2, 3
_SMALL = 1e-7  # of a length, in a difference
_NEAR_APEX = 1e-9  # of the scale at which a set would reach the point


@entry
def set_functions(row: int, first: int, second: int, third: int) -> bool:
    """Put three addresses into a row of the table; return whether there is such a row."""
    if row < 0 or row >= PLACES:
        return False
    address = table_of_functions() + 8 * _ROW * row
    write_word(address, first)
    write_word(address + 8, second)
    write_word(address + 16, third)
    return True


@inlined
def _function(kind, which):
    """Return an address of a kind's row; 0 if there is none."""
    row = kind - OWN
    return read_word(table_of_functions() + 8 * (_ROW * row + which)) if row < PLACES else 0


@kernel
def own_project(kind, a, b, l1, l2, y):
    """Return the nearest point of y C to l."""
    address = _function(kind, _PROJECT)
    return call_for_two(address, (a, b, l1, l2, y)) if address != 0 else (math.nan, math.nan)


@kernel
def own_support(kind, a, b, v1, v2):
    """Return max { c . v : c in C }."""
    address = _function(kind, _SUPPORT)
    return call_for_number(address, (a, b, v1, v2)) if address != 0 else math.nan


@kernel
def own_line(kind, a, b, l1, l2, y):
    """Return (alpha, beta), the tangent line of the resistance at y; see disc.py.

    With the derivative u in y of the nearest point p, beta = u . p / y; p = D l + u y.
    """
    y = max(y, _NEAR_APEX * math.sqrt(l1 * l1 + l2 * l2) / max(a, b))
    p1, p2 = own_project(kind, a, b, l1, l2, y)
    if p1 == l1 and p2 == l2:
        return 0.0, 0.0
    address = _function(kind, _SLOPE)
    if address != 0:
        d11, d12, d22 = call_for_three(address, (a, b, l1, l2, y))
        e1, e2 = d11 * l1 + d12 * l2, d12 * l1 + d22 * l2
    else:
        q1, q2 = own_project(kind, a, b, (1.0 + _SMALL) * l1, (1.0 + _SMALL) * l2, y)
        e1, e2 = (q1 - p1) / _SMALL, (q2 - p2) / _SMALL
    beta = max(0.0, ((p1 - e1) * p1 + (p2 - e2) * p2) / (y * y))
    return own_support(kind, a, b, l1 - p1, l2 - p2) + beta * y, beta


@kernel
def own_slope(kind, a, b, l1, l2, y):
    """Return (d11, d12, d22), the derivative of the nearest point of y C in l."""
    if max(a, b) * y == 0.0:
        return 0.0, 0.0, 0.0
    address = _function(kind, _SLOPE)
    if address != 0:
        return call_for_three(address, (a, b, l1, l2, y))
    step = _SMALL * (math.sqrt(l1 * l1 + l2 * l2) + max(a, b) * y)
    p1, p2 = own_project(kind, a, b, l1, l2, y)
    q1, q2 = own_project(kind, a, b, l1 + step, l2, y)
    r1, r2 = own_project(kind, a, b, l1, l2 + step, y)
    return (q1 - p1) / step, 0.5 * (q2 - p2 + r1 - p1) / step, (r2 - p2) / step


@kernel
def own_farthest(kind, p, q, s, d1, d2, d3):
    """Return the farthest point of a core in the direction d, both along the part's axes."""
    address = _function(kind, 0)
    nothing = math.nan, math.nan, math.nan
    return call_for_three(address, (p, q, s, d1, d2, d3)) if address != 0 else nothing
