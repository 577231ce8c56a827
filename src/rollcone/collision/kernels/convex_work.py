"""Scratch of the kernels for convex parts and surfaces ."""

from __future__ import annotations

from typing import NamedTuple

from rollcone._check import FloatArray, IntArray
from rollcone.collision.kernels.clip import CLIPPED
from rollcone.collision.kernels.distance import SIMPLEX
from rollcone.collision.kernels.manifold import MANIFOLD_SHAPE
from rollcone.collision.kernels.support import FLOATS, INTS, MOST_POINTS

# Places in the list of addresses (kernels/general.py).
LOOK, PARTS, NUMBERS, SCRATCH = 1, 9, 13, 20
MOST_ROWS = 512  # contacts of a pair before some of them are chosen
TREE = 64  # boxes of a tree that wait, at most one for each level and one more


class ConvexWork(NamedTuple):
    """All arrays that the contacts of one pair of bodies need."""

    fa: FloatArray  # a part of A, and of B (kernels/support.py)
    fb: FloatArray
    ia: IntArray
    ib: IntArray
    simplex: FloatArray
    mine: FloatArray  # (MOST_POINTS, 4): the face of A, and of B
    other: FloatArray
    one: FloatArray  # faces as they are clipped
    two: FloatArray
    rows: FloatArray  # contacts of two parts
    all: FloatArray  # of all parts of the two bodies
    tree: IntArray  # boxes still to be looked at
    small: FloatArray  # (1,), the smaller size of the two bodies
    kept: FloatArray  # some of `rows`, for a while


SHAPES: dict[str, tuple[int, ...]] = {
    "fa": (FLOATS,),
    "fb": (FLOATS,),
    "ia": (INTS,),
    "ib": (INTS,),
    "simplex": SIMPLEX,
    "mine": (MOST_POINTS, 4),
    "other": (MOST_POINTS, 4),
    "one": CLIPPED,
    "two": CLIPPED,
    "rows": (CLIPPED[0], MANIFOLD_SHAPE[1]),
    "all": (MOST_ROWS, MANIFOLD_SHAPE[1]),
    "tree": (TREE,),
    "small": (1,),
    "kept": (8, MANIFOLD_SHAPE[1]),
}
