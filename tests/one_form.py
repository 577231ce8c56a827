"""Kernels of a step in one form for all tests.

A world without boxes, capsules, clumps or disks runs kernels that know none of them. Compiled for
every mix of shapes that tests use they would take minutes; so tests run the form that knows all
shapes, and periodic boxes. tests/collision/test_switches.py compares it with the others. Likewise
contacts have six rows also where three would do; `make test-all` runs the tests a second time as it
is.
"""

import os

from rollcone.collision import detect, grid
from rollcone.mechanics.materials import LawTable
from rollcone.stepping import step

own_rows = LawTable.rows.fget  # before it is changed
OWN_ROWS = "ROLLCONE_TEST_OWN_ROWS" in os.environ


def all_shapes(bodies: grid.BodyArrays) -> grid.Solids:
    clumps = bodies.clumps.rows(len(bodies.shape))
    return (), (), clumps, bodies.period, bodies.apart, grid.described(bodies)


def use_one_form() -> None:
    detect.solids = step.solids = all_shapes
    step.apart_switch = lambda scheme: ()  # also where no positions are moved apart
    if not OWN_ROWS:
        LawTable.rows = property(lambda table: 6)  # type: ignore[method-assign]
