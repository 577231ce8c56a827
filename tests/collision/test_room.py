"""Detection in one call: known pairs again, and what is asked for where there is no room."""

import numpy as np
import pytest
from collision_cases import DYNAMIC, PLANE, REMOVED, Scene, body, random_scene, scene
from test_broad_phase import all_pairs

from rollcone.collision.grid import Grid, make_found, outlines, solids
from rollcone.collision.kernels.detect import (
    CONTACTS,
    ENTRIES,
    PAIRS,
    Found,
    find_again,
    find_all,
    find_pairs,
)

TOUCH, HORIZON = 1e-6, 0.1
ANEW = -1.0  # pairs of earlier calls do not count


class Search:
    """A scene, and arrays with room for all that is found in it."""

    def __init__(self, bodies: Scene, horizon: float = HORIZON, contacts: int = 10_000) -> None:
        self.bodies, self.horizon = bodies, horizon
        self.grid, self.found = Grid(len(bodies.kind)), make_found(contacts)
        self.pairs()

    def given(self) -> tuple:
        s = self.bodies
        return outlines(s), s.velocity, s.omega, self.horizon, s.margin, TOUCH

    def pairs(self) -> np.ndarray:
        return self.grid.pairs(
            self.bodies, self.bodies.velocity, self.bodies.omega, self.horizon, self.bodies.margin,
            TOUCH,
        )  # fmt: skip

    def all(self) -> int:
        shown, v, w, horizon, *rest = self.given()
        read = solids(self.bodies), shown, v, w, horizon, ANEW
        return find_all(*read, *rest, self.grid.work, self.found)

    def again(self, bodies) -> int:
        return find_again(solids(self.bodies), *self.given(), bodies, self.grid.work, self.found)

    def contacts(self, count: int) -> Found:
        return Found(*(array[:count].copy() for array in self.found))


def equal(one: Found, other: Found) -> None:
    for name, a, b in zip(Found._fields, one, other, strict=True):
        np.testing.assert_array_equal(a, b, name)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_the_same_pairs_again(seed):
    """All of them, to the last bit."""
    search = Search(random_scene(np.random.default_rng(seed), speed=2.0))
    count = search.all()
    assert count > 50
    plain = search.contacts(count)
    for array in search.found:
        array[:] = 99
    assert search.again(plain.bodies) == count
    equal(search.contacts(count), plain)


@pytest.mark.parametrize("seed", range(4))
def test_some_pairs_again(seed):
    """Only those that are named, each once, also at another horizon; none if none is named."""
    rng = np.random.default_rng(seed)
    search = Search(random_scene(rng, speed=2.0))
    plain = search.contacts(search.all())
    pair = plain.key >> 8
    chosen = np.isin(pair, rng.choice(np.unique(pair), 12, replace=False))
    search.horizon = 0.5 * HORIZON
    search.pairs()
    sooner = search.contacts(search.all())
    expected = np.isin(sooner.key >> 8, pair[chosen])
    count = search.again(plain.bodies[chosen])
    assert 0 < count == expected.sum() < len(sooner.key)
    equal(search.contacts(count), Found(*(array[expected] for array in sooner)))
    assert search.again(plain.bodies[:0]) == 0


def test_no_room_for_entries():
    """Each of these balls overlaps eight cells at most; what is asked for is enough."""
    bodies = random_scene(np.random.default_rng(0))
    search = Search(bodies)
    needed = int(search.grid.work.starts[-1])
    work = search.grid.work
    search.grid.work = work._replace(cells=work.cells[: needed - 1])
    assert search.all() == -1
    assert search.grid.work.needs.tolist() == [needed, 0, 0, 0]
    there = (bodies.kind != REMOVED) & (bodies.shape != PLANE)
    inside = there & (work.last >= work.first).all(axis=1)
    assert needed == np.prod(work.last - work.first + 1, axis=1)[inside].sum()
    search.grid.work = work._replace(cells=work.cells[:needed], entered=work.entered[:needed])
    assert search.all() > 50


def test_no_room_for_pairs():
    search = Search(random_scene(np.random.default_rng(0)))
    work, plain = search.grid.work, search.contacts(search.all())
    needed = len(all_pairs(search.bodies, work.lower, work.upper))
    for room in (0, 1, needed - 1):
        search.grid.work = work._replace(pairs=work.pairs[:room])
        work.needs[:] = 0
        assert search.all() == -1
        assert work.needs.tolist() == [0, needed, 0, 0]
    search.grid.work = work._replace(pairs=work.pairs[:needed], partners=work.partners[:needed])
    assert search.all() == len(plain.key)
    equal(search.contacts(len(plain.key)), plain)


def test_no_room_for_contacts():
    """The call counts those that it cannot write, and writes nothing beyond its arrays."""
    search = Search(random_scene(np.random.default_rng(0)))
    needed = search.all()
    plain, work = search.contacts(needed), search.grid.work
    whole = search.found
    for room in (0, 1, needed - 1):
        for array in whole:
            array[:] = 99
        for find in (search.all, lambda: search.again(plain.bodies)):
            work.needs[:] = 0
            search.found = Found(*(array[:room] for array in whole))
            assert find() == -1
            assert work.needs[CONTACTS] == needed
            assert work.needs[[ENTRIES, PAIRS]].tolist() == [0, 0]
            assert all((array[room:] == 99).all() for array in whole)
    search.found = make_found(needed)
    assert search.all() == needed
    equal(search.contacts(needed), plain)


def test_no_room_to_name_pairs_again():
    search = Search(random_scene(np.random.default_rng(0)))
    plain = search.contacts(search.all())
    work, needed = search.grid.work, len(np.unique(plain.key >> 8))
    search.grid.work = work._replace(again_partners=work.again_partners[: needed - 1])
    assert search.again(plain.bodies) == -1
    assert work.needs.tolist() == [0, needed, 0, 0]
    search.grid.work = work._replace(again_partners=work.again_partners[:needed])
    assert search.again(plain.bodies) == len(plain.key)


@pytest.mark.slow
def test_room_is_made():
    """Grow until it is enough: one array after the other, and the needs are met and forgotten."""
    close = scene(*(body(at=(1e-3 * i, 0, 0)) for i in range(60)))
    assert (close.kind == DYNAMIC).all()
    grid, found, asked = Grid(60), make_found(0), []
    while True:
        shown = (outlines(close), close.velocity, close.omega, 0.0, ANEW, close.margin, TOUCH)
        count = find_all(solids(close), *shown, grid.work, found)
        if count >= 0:
            break
        asked.append(int(np.flatnonzero(grid.work.needs)[0]))
        contacts = grid.grow()
        assert not grid.work.needs.any()
        if contacts:
            assert contacts == 60 * 59 // 2
            found = make_found(contacts)
    assert asked == [ENTRIES, PAIRS, CONTACTS]
    assert count == find_pairs(close.period, *shown, grid.work) == 60 * 59 // 2
