"""Time of one projection on the friction cone, six rows, for each kind of sliding set.

Random points, a third of them inside the cone or nearly so. `set by set` is the nearest point of
each set at a given normal force, all that the exact law asks of an iteration; `cone` the nearest
point of the whole cone, of the associated law. One thread, the best of several runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

import rollcone as rc
from benchmarks import bare_kernels

HEADER = ("sliding set", "set by set, ns", "cone, ns")
POINTS, TURNS = 50_000, 9
CONES = {
    "disc": rc.FrictionCone(0.5, 0.05, 0.01),
    "ellipse": rc.FrictionCone(rc.Ellipse(0.5, 0.3), 0.05, 0.01),
    "box": rc.FrictionCone(rc.Box(0.5, 0.3), 0.05, 0.01),
    "polygon, 8 facets": rc.FrictionCone(rc.Polygon(0.5, 8), 0.05, 0.01),
    "ellipsoid": rc.FrictionCone(0.5, 0.05, 0.01, coupling="ellipsoid"),
    "Contensou, hertz": rc.FrictionCone(rc.Contensou(0.5, 0.1, "hertz"), 0.05),
    "Contensou, uniform": rc.FrictionCone(rc.Contensou(0.5, 0.1, "uniform"), 0.05),
    "Contensou, quadratic": rc.FrictionCone(rc.Contensou(0.5, 0.1, "quadratic"), 0.05),
}


def points(count: int) -> np.ndarray:
    """(count, 6): friction rows as large as normal ones, and a third of them much smaller."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(count, 6))
    x[::3, 1:] *= [0.3, 0.3, 0.03, 0.03, 0.01]
    x[::3, 0] = np.abs(x[::3, 0])
    return x


def nanoseconds(work: Callable[[], object], count: int) -> float:
    work()
    best = np.inf
    for _ in range(TURNS):
        clock = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - clock)
    return best / count * 1e9


def table(count: int = POINTS) -> Iterator[tuple[str, ...]]:
    x = points(count)
    out = np.empty_like(x)
    project_all_sets = bare_kernels.opened().project_all_sets
    for name, one in CONES.items():
        cone = one.per_contact(count, 6)
        sets = (cone.kinds, cone.radii, x, out)
        apart = nanoseconds(lambda sets=sets: project_all_sets(*sets), count)
        whole = nanoseconds(lambda cone=cone: cone.project(x), count)
        yield name, f"{apart:.0f}", f"{whole:.0f}"
