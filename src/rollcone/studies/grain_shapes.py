"""The shape of grains, and rolling friction of spheres in its place (Tasora and Anitescu 2013,
section 6.3: "to some extent, the macroscopic effect of rolling friction in granular media is
similar to the effect of dealing with nonspherical particles").

A heap of mixed convex grains without rolling friction (grains_of_shapes.py) is poured into a tray,
and heaps of spheres of the same volumes with rolling and spinning friction rho = sigma. Asked for
is the rho at which spheres make the same heap.

D = 20 mm, 2500 kg/m3, mu = 0.5, h = 2 ms. Sixteen grains at a time (nine in the short form), on a
grid of 1.75 D that is turned at random, start at 0.6 m/s downwards, every 60 ms, 10 D (7 D) above
the floor, and at least 2 D above the highest. Rolling friction is given over R = D / 2.
Three measures, the same for both, in which a grain is a sphere of its volume about its centre:

    height   mean of the five highest tops, over D
    centre   mean height of all centres, over D
    angle    of repose, degrees, by `rollcone.analysis.heap` about the axis of pouring

Where a curve of spheres rises through the value of the convex heap, between two values of rho,
there is rho by linear interpolation; its error is that of both heights over the slope. What is
poured is never wholly at rest: cylinders and ellipsoids roll along the floor as spheres do.

The paper has no numbers for this. The rows hold its claim: spheres without rolling friction make
flatter heaps than convex grains, and some rolling friction makes up for it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.random import default_rng

from rollcone._check import FloatArray
from rollcone.analysis.heap import angle_of_repose
from rollcone.mechanics.materials import ContactLaw
from rollcone.mechanics.world import World
from rollcone.simulation import Simulation, steps_between
from rollcone.studies.campaign import Campaign, Result, Tell, collect, mean_and_error
from rollcone.studies.grains_of_shapes import add, grain
from rollcone.studies.study import Progress, Study, Table
from rollcone.view.studies.grain_shapes import draw, draw_heaps

D, MU, DENSITY, G = 0.02, 0.5, 2500.0, 9.81
PITCH, SPEED, EVERY = 1.75, 0.6, 0.06  # of a layer: diameters, m/s, s
ROOM = 2.0  # diameters, from the highest grain to the next layer
HIGHEST = 5  # grains that tell the height
MOVING = 0.01  # m/s: slower grains count as at rest
MEASURES = ("height", "centre", "angle")
FIELDS = (
    *MEASURES, "angle_error", "poured", "moving", "steps", "unconverged", "residual", "gained",
    "remainder", "overlap", "overlap_at_end", "contacts", "seconds", "position", "orientation",
)  # fmt: skip
SOURCE = "Tasora and Anitescu 2013, section 6.3: what its text says of shape and rolling friction"
CONVEX = math.nan  # the rolling friction of no sphere
_UNTOLD = ("rho", "moving", "gained", "remainder", "overlap_at_end")


@dataclass(frozen=True)
class Heap:
    """One run; `rolling` is rho / R of spheres, and negative for convex grains."""

    rolling: float
    seed: int = 0
    count: int = 1000
    edge: float = 24.0  # of the tray, diameters
    drop: float = 10.0  # where grains start, diameters, or above the highest
    side: int = 4  # grains along the edge of a layer
    settle: float = 1.2  # s, after the last layer
    step: float = 2e-3
    tolerance: float = 1e-3

    @property
    def convex(self) -> bool:
        return self.rolling < 0.0

    @property
    def until(self) -> float:
        return -(-self.count // self.side**2) * EVERY + self.settle

    @property
    def steps(self) -> int:
        return steps_between(0.0, self.until, self.step)

    @property
    def name(self) -> str:
        kind = "convex" if self.convex else f"rolling={self.rolling:g}"
        return f"{kind} seed={self.seed}"


@dataclass(frozen=True)
class Plan:
    """rolling   values of rho / R, in rising order
    seeds     runs per value, and of convex grains
    heap      what all runs share
    unsolved  share of steps that may miss the tolerance
    """

    rolling: tuple[float, ...]
    seeds: int
    heap: Heap = Heap(0.0)
    unsolved: float = 0.01
    campaign: Campaign = field(default_factory=Campaign)

    def cases(self) -> dict[str, Heap]:
        heaps = [
            replace(self.heap, rolling=rho, seed=seed)
            for rho in (-1.0, *self.rolling)
            for seed in range(self.seeds)
        ]
        return {heap.name: heap for heap in heaps}


DEFAULT = Plan(
    rolling=(0.0, 0.1, 0.2, 0.3), seeds=2, heap=Heap(0.0, count=180, edge=14.0, drop=7.0, side=3)
)
FULL = Plan(rolling=(0.0, 0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4), seeds=3)


def world(heap: Heap) -> World:
    """The tray, empty."""
    scene = World(gravity=(0, 0, -G))
    scene.add_plane()
    for normal in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)):
        scene.add_plane(normal=normal, point=-0.5 * heap.edge * D * np.array(normal))
    rho = 0.0 if heap.convex else 0.5 * D * heap.rolling
    scene.set_contact_law(ContactLaw(sliding=MU, rolling=rho, spinning=rho))
    return scene


def add_layer(scene: World, heap: Heap, layer: int) -> None:
    turn = default_rng((heap.seed, layer, 1)).uniform(0.0, 2.0 * math.pi)
    highest = max(scene.state.position[scene.state.mass > 0.0, 2], default=0.0)
    z = max(heap.drop * D, highest + ROOM * D)
    first = layer * heap.side**2
    for k in range(first, min(first + heap.side**2, heap.count)):
        x, y = PITCH * D * (np.array(divmod(k - first, heap.side)) - 0.5 * (heap.side - 1))
        place = x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)
        add(
            scene, grain(heap.seed, k, D), heap.convex, density=DENSITY,
            position=(*place, z), velocity=(0, 0, -SPEED),
        )  # fmt: skip


def poured(heap: Heap, tell: Tell) -> Simulation:
    """All of a heap, in the end of its run."""
    # A cylinder that rolls nearly flat would divide the steps of the whole heap.
    simulation = Simulation(
        world(heap), step=heap.step, tolerance=heap.tolerance, record_every=heap.steps,
        max_substeps=1,
    )  # fmt: skip
    layers = -(-heap.count // heap.side**2)
    for layer in range(layers):
        add_layer(simulation.world, heap, layer)
        simulation.advance((layer + 1) * EVERY)
        tell(simulation.steps)
    simulation.advance(heap.until, each_step=lambda moving: tell(moving.steps))
    return simulation


def measure(heap: Heap, tell: Tell) -> Result:
    simulation = poured(heap, tell)
    run, state = simulation.run, simulation.world.state
    dynamic = state.mass > 0.0
    position = state.position[dynamic]
    radius = np.array([grain(heap.seed, k, D).radius for k in range(len(position))])
    audit, contacts = run.energy, run.contacts()
    return {
        **heap_measures(position, radius, heap.edge * D),
        "poured": len(position),
        "moving": float((np.linalg.norm(state.velocity[dynamic], axis=1) > MOVING).mean()),
        "steps": run.steps,
        "unconverged": int(run.unconverged.sum()),
        "residual": float(run.residual.max()),
        "gained": float(audit.gained[-1] / audit.scale),
        "remainder": float(audit.remainder[-1] / audit.scale),
        "overlap": float(run.overlap.max()) / D,
        "overlap_at_end": float(-min(contacts.gap.min(), 0.0)) / D,
        "contacts": int(run.contact_count[-1]) / len(position),
        "seconds": run.wall_time,
        "position": position.round(7).tolist(),
        "orientation": state.orientation[dynamic].round(7).tolist(),
    }


def heap_measures(position: FloatArray, radius: FloatArray, edge: float) -> dict[str, float]:
    """Of spheres at these places, in a tray of that edge (m)."""
    walls = [(*normal, -0.5 * edge) for normal in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    repose = angle_of_repose(position, radius, axis=(0.0, 0.0), walls=walls)
    tops = np.sort(position[:, 2] + radius)[-HIGHEST:]
    return {
        "height": float(tops.mean()) / D,
        "centre": float(position[:, 2].mean()) / D,
        "angle": repose.angle,
        "angle_error": repose.error,
    }


def study(plan: Plan, progress: Progress) -> Study:
    cases = plan.cases()
    results = collect(cases, measure, plan.campaign, progress, FIELDS)
    convex = [r for name, r in results.items() if cases[name].convex]
    points = [
        _point(f"rho/R = {rho:g}", rho, same)
        for rho in plan.rolling
        if (same := [r for name, r in results.items() if cases[name].rolling == rho])
    ]
    shape = _point("convex", CONVEX, convex) if convex else None
    table = Table("grain-shapes", SOURCE)
    heap, seeds = plan.heap, plan.seeds
    table.run = f"{heap.count} grains, h = {heap.step:g} s, {seeds} seed{'s' * (seeds > 1)}"
    matches = {}
    if shape and len(points) == len(plan.rolling):
        matches = {name: match(points, shape, name) for name in MEASURES}
        _rows(table, points, shape, matches)
    _run_rows(table, plan, list(results.values()))
    figures = {"grain-shapes": draw(points, shape, matches)}
    shown = _shown(cases, results, matches)
    if shown:
        figures["grain-shapes-pictures"] = draw_heaps(shown, D, heap.edge * D)
    rows = [_told(point) for point in ([shape] if shape else []) + points]
    return Study("grain-shapes", table.rows, figures, points=rows)


def match(points: list[dict[str, Any]], shape: dict[str, Any], name: str) -> tuple[float, float]:
    """rho / R at which spheres have the convex heap's value of a measure, and its error; nan if
    the curve of spheres never gets there."""
    x = [point["rho"] for point in points]
    y = np.nan_to_num([point[name] for point in points])  # no heap: nothing is flatter
    wanted = shape[name]
    for k in range(len(x) - 1):
        if y[k] <= wanted < y[k + 1]:
            slope = (y[k + 1] - y[k]) / (x[k + 1] - x[k])
            error = math.hypot(shape[name + "_error"], points[k + 1][name + "_error"]) / slope
            return x[k] + (wanted - y[k]) / slope, error
    return math.nan, math.nan


def _point(heap: str, rho: float, same: list[Result]) -> dict[str, Any]:
    """Means over seeds."""
    point: dict[str, Any] = {"heap": heap, "rho": rho}
    for name in MEASURES:
        point[name], point[name + "_error"] = mean_and_error(r[name] for r in same)
    if len(same) == 1:
        point["angle_error"] = same[0]["angle_error"]
    point |= {name: mean_and_error(r[name] for r in same)[0] for name in ("contacts", "moving")}
    point |= {name: max(r[name] for r in same) for name in ("overlap", "overlap_at_end")}
    point |= {name: max((r[name] for r in same), key=abs) for name in ("gained", "remainder")}
    return point | {"seconds": mean_and_error(r["seconds"] for r in same)[0]}


def _told(point: dict[str, Any]) -> dict[str, Any]:
    """What the table has room for."""
    return {name: value for name, value in point.items() if name not in _UNTOLD}


def _rows(
    table: Table,
    points: list[dict[str, Any]],
    shape: dict[str, Any],
    matches: dict[str, tuple[float, float]],
) -> None:
    first, last = points[0], points[-1]
    for name in MEASURES:
        value = float(np.nan_to_num(first[name])) / shape[name]
        table.most(f"{name}, spheres of rho = {first['rho']:g} R over convex grains", value, 1.0)
    for name in MEASURES:
        value = float(np.nan_to_num(last[name])) / shape[name]
        table.least(f"{name}, spheres of rho = {last['rho']:g} R over convex grains", value, 1.0)
    found = {name: rho for name, (rho, _) in matches.items() if math.isfinite(rho)}
    for name, rho in found.items():
        words = f"{name}: rho / R at which spheres do as convex grains, no more than the largest"
        table.most(words, rho, last["rho"])
    if len(found) == len(MEASURES):
        ratio = max(found.values()) / max(min(found.values()), 1e-9)
        table.most("the three rho / R: largest over least", ratio, 3.0)


def _run_rows(table: Table, plan: Plan, runs: list[Result]) -> None:
    least = min(run["poured"] for run in runs)
    table.absolute("grains poured, least of all runs", least, plan.heap.count, 0)
    table.run = "all"
    table.most("overlap at the end over D", max(run["overlap_at_end"] for run in runs), 0.01)
    left = max(abs(run["remainder"]) for run in runs)
    table.most("energy that the audit leaves unexplained, share", left, 0.05)
    table.most("energy gained at contacts, share", max(run["gained"] for run in runs), 0.05)
    table.most("residual", max(run["residual"] for run in runs), plan.heap.tolerance)
    share = sum(run["unconverged"] for run in runs) / sum(run["steps"] for run in runs)
    table.most("share of steps that did not converge", share, plan.unsolved)


def _shown(
    cases: dict[str, Heap], results: dict[str, Result], matches: dict[str, tuple[float, float]]
) -> dict[str, tuple[Heap, Result]]:
    """The first convex heap, and of spheres those without rolling friction and nearest to it."""
    rho = float(np.nan_to_num(np.mean([m[0] for m in matches.values()]))) if matches else 0.0
    spheres = {cases[name].rolling for name in results if not cases[name].convex}
    asked = {-1.0: "Convex grains, no rolling friction"}
    if spheres:
        near = min(spheres, key=lambda one: abs(one - rho))
        for one in dict.fromkeys((near, min(spheres))):
            asked[one] = rf"Spheres, $\rho / R$ = {one:g}"
    first = {cases[name].rolling: name for name in reversed(results)}
    return {
        words: (cases[first[one]], results[first[one]])
        for one, words in asked.items()
        if one in first
    }
