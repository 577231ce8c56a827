"""Candidates that are added and left out, against sorting and picking in NumPy."""

from collections import namedtuple

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rollcone._shared_memory import zeros
from rollcone.collision.grid import make_found
from rollcone.collision.kernels.detect import Found
from rollcone.stepping.kernels.candidate import drop_near, merge_candidates
from rollcone.stepping.kernels.contact import FIRST_TOUCH, LASTING
from rollcone.stepping.kernels.work import CONTACTS, PLACES
from rollcone.stepping.shapes import lasting_of_contacts, passing_of_contacts, row_scratch
from rollcone.stepping.workspace import contacts_of

ROOM = 30
EXACT = namedtuple("Exact", "tolerance h")(0.0, 1.0)  # a solve that leaves no noise


def make_contacts(c, d):
    """Of c contacts with d rows each, in memory of their own."""
    parts = (lasting_of_contacts(c, d, False, False), passing_of_contacts(c, d), row_scratch(c, d))
    return contacts_of({name: array for part in parts for name, array in zeros(part).items()})


def fill(found: Found, keys, rng) -> None:
    """Rows of numbers that tell them apart, under these keys."""
    for array in found:
        array[:] = rng.integers(0, 1000, array.shape)
    found.key[: len(keys)] = keys


def rows(group, c: int) -> dict[str, np.ndarray]:
    return {name: array[:c].copy() for name, array in zip(group._fields, group, strict=True)}


@given(st.integers(0, 2**20), st.integers(0, 15), st.integers(0, 15))
@settings(max_examples=50)
def test_new_ones_go_in_among_the_old(seed, c, fresh):
    """In the order of keys; old ones keep their reactions and shares of restitution."""
    rng = np.random.default_rng(seed)
    keys = rng.permutation(100)[: c + fresh]
    near, seen, work = make_found(ROOM), make_found(ROOM), make_contacts(ROOM, 3)
    fill(near, np.sort(keys[:c]), rng)
    fill(seen, np.sort(keys[c:]), rng)
    work.ahead[:], work.temper[:] = rng.integers(0, 2, ROOM), rng.random(ROOM)
    work.p[:] = rng.random((ROOM, 3))
    work.fresh[:] = 0
    kept = rows(work, c)
    old, new = rows(near, c), rows(seen, fresh)
    merge_candidates(near, c, seen, fresh, work)
    order = np.argsort(np.concatenate([old["key"], new["key"]]))
    for name in Found._fields:
        expected = np.concatenate([old[name], new[name]])[order]
        np.testing.assert_array_equal(rows(near, c + fresh)[name], expected, name)
    is_new = order >= c
    now = rows(work, c + fresh)
    np.testing.assert_array_equal(now["fresh"], is_new)
    assert (now["ahead"][is_new] == 1).all()
    assert (now["temper"][is_new] == 1.0).all()
    for name in ("ahead", "temper", "p"):
        np.testing.assert_array_equal(now[name][~is_new], kept[name], name)


@given(st.integers(0, 2**20), st.integers(0, 15))
@settings(max_examples=50)
def test_what_is_near_and_nothing_else_is_left_out(seed, c):
    """Kept are those that last, touch, or were met on the way, in their order. (When a step
    begins none is: what belongs to the rows of `work` is the same for all.)"""
    rng = np.random.default_rng(seed)
    near, work = make_found(ROOM), make_contacts(ROOM, 3)
    fill(near, np.sort(rng.permutation(100)[:c]), rng)
    near.gap[:] = rng.choice([-1e-3, 1e-7, 1e-3], ROOM)
    work.small[:] = 1e-6
    work.touch_state[:] = rng.choice([FIRST_TOUCH, LASTING], ROOM)
    work.ahead[:] = rng.integers(0, 2, ROOM)
    control = np.zeros(PLACES, dtype=np.int64)
    control[CONTACTS] = c
    before = rows(near, c)
    keep = (work.touch_state == LASTING) | (near.gap <= work.small) | (work.ahead == 1)
    assert drop_near(EXACT, near, work, control) == (not keep[:c].all())
    assert control[CONTACTS] == keep[:c].sum()
    for name in Found._fields:
        np.testing.assert_array_equal(
            rows(near, control[CONTACTS])[name], before[name][keep[:c]], name
        )
