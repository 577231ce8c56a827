"""A heap of gravel: rolling friction and the angle of repose (Tasora and Anitescu 2013, section
6.3, figures 10 to 13).

10,000 spheres of diameter D = 45 mm fall from 1 m into a tray of 2 m x 2 m, 800 per second;
mu = 0.6, rolling and spinning friction rho = sigma from 0 to 0.01 m, h = 5 ms, 15 s.

What the paper does not say, and what is done here: spheres start at rest at random places of a box
0.3 m wide and 0.4 m high whose bottom is at 1 m; the walls of the tray are high, with the friction
of the spheres; density 2028 kg/m3 (the paper's 20 028 kg/m2 is none, and it does not matter). The
angle of repose is that of `rollcone.analysis.heap`; error bars are standard errors over its
sectors, or over seeds where there are several. The paper's values are in a picture, not in its
text, so the rows hold what the text says: almost flat without rolling friction, a steep cone with
the largest. The measure of that is ours: flatter and steeper than the angle of sliding friction,
atan(mu) = 31 degrees, and by a factor of two at least.

The short form pours fewer spheres into a smaller tray, from lower.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rollcone.analysis.granular import grains
from rollcone.mechanics.materials import ContactLaw
from rollcone.mechanics.world import World
from rollcone.simulation import Simulation, steps_between
from rollcone.studies.campaign import Campaign, Result, Tell, collect, mean_and_error
from rollcone.studies.study import Progress, Study, Table
from rollcone.view.studies.heap_of_gravel import draw, draw_heaps

D, MU, DENSITY, G = 0.045, 0.6, 2028.0, 9.81
FIELDS = (
    "poured", "angle", "angle_error", "height", "coordination", "packing", "decay", "steps",
    "unconverged", "overlap", "overlap_at_end", "seconds", "position",
)  # fmt: skip
SOURCE = "Tasora and Anitescu 2013, section 6.3: what the text says of figures 10 and 11"
SLOPE = math.degrees(math.atan(MU))  # where grains begin to slide
FALL = 3.0  # standard errors by which the angle may fall as rho grows


@dataclass(frozen=True)
class Heap:
    """One run: rho = sigma (m), and the rest, in m and s."""

    rolling: float
    seed: int = 0
    count: int = 10_000
    edge: float = 2.0  # of the tray
    drop: float = 1.0
    width: float = 0.3  # of the box in which spheres start
    rate: float = 800.0
    step: float = 5e-3
    until: float = 15.0
    tolerance: float | None = None

    @property
    def steps(self) -> int:
        return steps_between(0.0, self.until, self.step)

    @property
    def name(self) -> str:
        return f"rho={self.rolling:g} seed={self.seed}"


@dataclass(frozen=True)
class Plan:
    """rolling   values of rho = sigma (m), in rising order
    seeds     runs per value
    heap      what all runs share
    slope     degrees: flat is below, steep above
    unsolved  share of steps that may miss the tolerance
    """

    rolling: tuple[float, ...]
    seeds: int = 1
    heap: Heap = Heap(0.0)
    slope: float = SLOPE
    unsolved: float = 0.0
    campaign: Campaign = field(default_factory=Campaign)

    def cases(self) -> dict[str, Heap]:
        heaps = [
            replace(self.heap, rolling=rho, seed=seed)
            for rho in self.rolling
            for seed in range(self.seeds)
        ]
        return {heap.name: heap for heap in heaps}


SMALL = Heap(0.0, count=400, edge=0.7, drop=0.45, rate=400.0, until=2.5, tolerance=1e-2)
DEFAULT = Plan(rolling=(0.0, 0.0025, 0.01), heap=SMALL)
FULL = Plan(
    rolling=(0.0, 0.001, 0.002, 0.0045, 0.006, 0.01),
    heap=Heap(0.0, tolerance=1e-2),
)


def world(heap: Heap) -> World:
    """The tray, empty, and the emitter."""
    scene = World(gravity=(0, 0, -G))
    scene.add_plane()
    half = heap.edge / 2
    for normal in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)):
        scene.add_plane(normal=normal, point=-half * np.array(normal))
    scene.set_contact_law(ContactLaw(sliding=MU, rolling=heap.rolling, spinning=heap.rolling))
    near = heap.width / 2
    scene.add_emitter(
        shape="sphere", radius=D / 2, density=DENSITY, low=(-near, -near, heap.drop),
        high=(near, near, heap.drop + 0.4), rate=heap.rate, count=heap.count, seed=heap.seed,
    )  # fmt: skip
    return scene


def measure(heap: Heap, tell: Tell) -> Result:
    """Simulate one heap; only its end is recorded."""
    simulation = Simulation(
        world(heap), step=heap.step, tolerance=heap.tolerance, record_every=heap.steps
    )
    run = simulation.advance(heap.until, each_step=lambda moving: tell(moving.steps))
    end = grains(run)
    repose = end.angle_of_repose(axis=(0.0, 0.0))
    height, core = end.height, 0.1 * heap.edge
    inside = (-core, -core, D), (core, core, max(height - 2 * D, 2 * D))
    return {
        "poured": simulation.world.emitters[0].placed,
        "angle": repose.angle,
        "angle_error": repose.error,
        "height": height / D,
        "coordination": end.coordination().mean,
        "packing": end.packing_fraction(*inside),
        "decay": end.normal_forces().decay,
        "steps": run.steps,
        "unconverged": int(run.unconverged.sum()),
        "speed": float(np.linalg.norm(run.states("velocity")[-1], axis=1).max()),
        "overlap": float(run.overlap.max()) / D,
        "overlap_at_end": float(-min(run.contacts().gap.min(), 0.0)) / D,
        "seconds": run.wall_time,
        "position": end.position.round(7).tolist(),
    }


def study(plan: Plan, progress: Progress) -> Study:
    cases = plan.cases()
    results = collect(cases, measure, plan.campaign, progress, FIELDS)
    points = _points(plan, cases, results)
    table = Table("heap-of-gravel", SOURCE)
    heap = plan.heap
    table.run = f"{heap.count} spheres, tray of {heap.edge:g} m, h = {heap.step:g} s"
    _rows(table, plan, points)
    poured = min(result["poured"] for result in results.values())
    table.absolute("spheres poured, least of all runs", poured, heap.count, 0)
    share = sum(r["unconverged"] for r in results.values()) / sum(
        r["steps"] for r in results.values()
    )
    table.run = "all"
    table.most("share of steps that did not converge", share, plan.unsolved)
    first = {cases[name].rolling: result for name, result in reversed(results.items())}
    ends = {rho: (np.array(first[rho]["position"]), heap.until) for rho in (min(first), max(first))}
    figures = {
        "heap-of-gravel": draw(points, plan.slope),
        "heap-of-gravel-pictures": draw_heaps(ends, D / 2, heap.edge),
    }
    return Study("heap-of-gravel", table.rows, figures, points=points)


def _points(plan: Plan, cases: dict[str, Heap], results: dict[str, Result]) -> list[dict[str, Any]]:
    """Means over seeds."""
    points = []
    for rho in plan.rolling:
        same = [results[name] for name in results if cases[name].rolling == rho]
        if same:
            angle, error = _mean(same, "angle")
            height, height_error = _mean(same, "height")
            point = {
                "rho": rho, "2rho/D": 2 * rho / D, "angle": angle,
                "angle_error": error if len(same) > 1 else same[0]["angle_error"],
                "height": height, "height_error": height_error,
            }  # fmt: skip
            point |= {name: _mean(same, name)[0] for name in ("coordination", "packing", "decay")}
            point |= {name: max(r[name] for r in same) for name in ("overlap", "overlap_at_end")}
            points.append(point | {"seconds": _mean(same, "seconds")[0]})
    return points


def _mean(results: list[Result], name: str) -> tuple[float, float]:
    return mean_and_error(result[name] for result in results)


def _rows(table: Table, plan: Plan, points: list[dict[str, Any]]) -> None:
    """Where there is no heap the angle counts as zero: flatter cannot be."""
    angles = {point["rho"]: float(np.nan_to_num(point["angle"])) for point in points}
    errors = [float(np.nan_to_num(point["angle_error"])) for point in points]
    first, last = plan.rolling[0], plan.rolling[-1]
    if first in angles:
        words = f"angle of repose at rho = {first:g} m: flatter than atan(mu)"
        table.most(words, angles[first], plan.slope, "degrees")
    if last in angles:
        words = f"angle of repose at rho = {last:g} m: steeper than atan(mu)"
        table.least(words, angles[last], plan.slope, "degrees")
    if first in angles and last in angles:
        table.most("ratio of the two angles", angles[first] / angles[last], 0.5)
    if len(points) == len(plan.rolling):
        falls = [
            a - b - FALL * math.hypot(*pair)
            for (a, b), pair in zip(
                itertools.pairwise(angles.values()), itertools.pairwise(errors), strict=True
            )
        ]
        words = f"fall of the angle as rho grows, beyond {FALL:g} standard errors"
        table.most(words, max(0.0, *falls), 0.0, "degrees")
