"""A collection of generated problems for benchmarks: moderate in size, easy to hopeless for sweeps.

Some 50 to 1,000 contacts each; heaps at rest and shaken, towers, arches, chains, mass ratios up to
1e6. Everything follows from the code and fixed seeds: the same problems everywhere.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from rollcone.errors import FileError, InputError
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.files import FilePath, save_problem
from rollcone.problems.arch import arch
from rollcone.problems.chain import chain
from rollcone.problems.heap import heap
from rollcone.problems.stack import stack

Recipes = Iterator[tuple[str, Callable[[], ContactProblem]]]


def collection() -> Iterator[tuple[str, ContactProblem]]:
    """Names and problems, made one by one as they are asked for; exact law, in body form.

    A name begins with the family (heap, heavy-heap, stack, arch, chain) and has only letters,
    digits and hyphens.
    """
    for recipes in (_heaps, _heavy_heaps, _stacks, _arches, _chains):
        for name, make in recipes():
            yield name, make()


def write_collection(folder: FilePath) -> list[Path]:
    """Write every problem of `collection` to `folder`, as NAME.h5; the files, in their order.

    The folder is made where there is none; files of the same names in it are replaced.
    """
    if not isinstance(folder, str | os.PathLike):
        raise InputError(f"folder = {folder!r}: must be the name of a folder, a str or a Path")
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{place}: cannot be made a folder: {error.strerror or error}") from error
    paths = []
    for name, problem in collection():
        paths.append(place / f"{name}.h5")
        save_problem(problem, paths[-1])
    return paths


def _heaps() -> Recipes:
    """All equal in density: four sizes, at rest and shaken, one of them also in scaled units."""
    for spheres, seed in ((30, 1), (100, 2), (200, 3), (430, 4)):
        for rows in (3, 5, 6):
            for state in ("rest", "shake"):
                name = f"heap-{spheres}-{state}-rows{rows}"
                make = partial(heap, spheres, seed, state=state, rows=rows)
                yield name, make
                if spheres == 100:
                    yield f"{name}-scaled", partial(make, units="scaled")


def _heavy_heaps() -> Recipes:
    for spheres, seed in ((60, 5), (200, 6)):
        for rows in (3, 6):
            for ratio in (1e1, 1e3, 1e6):
                name = f"heavy-heap-{spheres}-rows{rows}-{_ratio(ratio)}"
                yield name, partial(heap, spheres, seed, rows=rows, mass_ratio=ratio)


def _stacks() -> Recipes:
    """Low and high, at rest; and low, with the top box pushed."""
    for boxes, push in ((15, 0.0), (50, 0.0), (15, 0.5)):
        for ratio in (1.0, 1e3, 1e6):
            name = f"stack-{boxes}{'-pushed' if push else ''}-{_ratio(ratio)}"
            yield name, partial(stack, boxes, push=push, mass_ratio=ratio)


def _arches() -> Recipes:
    """Half circles that stand and that slide apart, and flat arches under a heavy keystone."""
    for stones in (15, 49):
        yield f"arch-{stones}-standing", partial(arch, stones)
        yield f"arch-{stones}-sliding", partial(arch, stones, sliding=0.25)
        for ratio in (1e3, 1e6):
            name = f"arch-{stones}-flat-{_ratio(ratio)}"
            yield name, partial(arch, stones, angle=60.0, mass_ratio=ratio)


def _chains() -> Recipes:
    """At rest and sliding; the anchor as light as a link, or heavy."""
    for links in (15, 50):
        for words, weight in (("rest", 0.25), ("sliding", 1.0)):
            for ratio in (1.0, 1e6):
                name = f"chain-{links}-{words}-{_ratio(ratio)}"
                yield name, partial(chain, links, weight=weight, mass_ratio=ratio)


def _ratio(value: float) -> str:
    """A mass ratio in a name: ratio1, ratio10, ratio1000, ratio1e6."""
    return f"ratio{value:.0f}" if value < 1e4 else f"ratio{value:.0e}".replace("e+0", "e")
