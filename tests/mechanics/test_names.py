"""Names kept in runs are those of a plain list."""

import random

import pytest

import rollcone as rc
from rollcone.mechanics.names import Names

WORDS = ("grain", "sphere", "a b", "")
ODD = (
    "grain",
    "grain 01",
    "grain -1",
    "grain 1.5",
    "grain ",
    "7",
    "grain 1 2",
    "grain ²",
    "x" * 40,
)


def test_against_a_list():
    """Runs, single names and made-up ones in any order."""
    choose = random.Random(5)
    names, plain = Names(), []
    for _ in range(300):
        word, first, count = choose.choice(WORDS), choose.randrange(60), choose.randrange(1, 6)
        run = [f"{word} {k}" for k in range(first, first + count)]
        taken = [k for k in range(first, first + count) if f"{word} {k}" in plain]
        assert names.first_taken(word, range(first, first + count)) == (taken or [None])[0]
        if not taken:
            names.add_run(word, first, count)
            plain += run
        elif choose.random() < 0.3:
            names.make_up(word, count)
            for _ in range(count):
                k = len(plain)
                while f"{word} {k}" in plain:
                    k += 1
                plain.append(f"{word} {k}")
        odd = choose.choice(ODD)
        if odd not in plain:
            assert names.body(odd) == -1
            names.add(odd)
            plain.append(odd)
    assert len(names) == len(plain) > 300
    for twin in (names, names.copy(), Names(plain)):
        assert list(twin) == plain
        assert [twin.of(k) for k in range(len(plain))] == plain
        assert [twin.body(name) for name in plain] == list(range(len(plain)))
        assert twin.body("nobody") == twin.body("grain 999") == -1


def test_a_copy_is_its_own():
    names = Names(["grain 0"])
    twin = names.copy()
    twin.add("grain 1")
    assert (len(names), len(twin)) == (1, 2)
    assert names.body("grain 1") == -1


def test_made_up_names_leave_out_what_is_taken():
    world = rc.World()
    world.add_sphere(radius=1, mass=1, name="sphere 3")
    made = world.add_grid(shape="sphere", radius=0.1, mass=1, counts=(4, 1, 1), spacing=1)
    assert [body.name for body in made] == ["sphere 1", "sphere 2", "sphere 4", "sphere 5"]
    assert world.add_sphere(radius=1, mass=1).name == "sphere 6"  # 5 is taken by now


def test_a_name_that_was_taken_while_pouring():
    world = rc.World()
    emitter = world.add_emitter(
        shape="sphere", radius=0.1, mass=1, rate=1, count=9, low=(0, 0, 0), high=(9, 9, 9), name="g"
    )
    world.add_sphere(radius=0.1, mass=1, position=(-1, 0, 0), name="g 2")
    emitter.emit(world, 1.0)
    with pytest.raises(rc.InputError, match="name = 'g 2': a body has that name already"):
        emitter.emit(world, 5.0)
    assert emitter.placed == len(world.state) - 1 == 2
