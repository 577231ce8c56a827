"""Convex shapes, compounds and meshes: what a pair costs, next to coal; what heaps of them cost.

Pairs of bodies about 20 mm large, turned at random and moved along their normals until the gap is
between -0.2 and 0.2 mm. Pairs are far from each other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator, default_rng

import rollcone as rc
from benchmarks import coal_pairs
from benchmarks.table import Table
from rollcone.collision.detect import Detector
from rollcone.studies.grains_of_shapes import spread

PAIRS, TURNS = 400, 7
SIZE = 0.01  # m, half the extent of a body
NEAR = 0.02  # of that: the largest gap or overlap
FAR = 0.4  # m, between pairs
COUNTS = (125, 250, 500, 1000, 2000)
STEP = 2e-3
Maker = Callable[[rc.World, dict[str, Any]], Any]


def hull(points: int, seed: int = 0) -> np.ndarray:
    return SIZE * np.array([1.0, 0.9, 0.8]) * spread(points, default_rng(seed))


def icosphere() -> tuple[np.ndarray, np.ndarray]:
    """A ball of 320 triangles, three sizes large."""
    import trimesh

    mesh = trimesh.creation.icosphere(subdivisions=2, radius=3.0 * SIZE)
    return np.asarray(mesh.vertices), np.asarray(mesh.faces)


PARTS = [
    {"shape": "box", "size": (2 * SIZE, SIZE, SIZE), "position": (0, 0, 0)},
    {"shape": "cylinder", "radius": 0.5 * SIZE, "height": SIZE, "position": (0, 0, SIZE)},
]


def add(world: rc.World, kind: str, **options: Any) -> None:
    """A body of that kind."""
    if kind == "box":
        world.add_box(size=2.0 * SIZE * np.array([1.0, 0.8, 0.7]), **options)
    elif kind == "cylinder":
        world.add_cylinder(radius=SIZE, height=1.6 * SIZE, **options)
    elif kind == "ellipsoid":
        world.add_ellipsoid(semi_axes=SIZE * np.array([1.0, 0.8, 0.7]), **options)
    elif kind == "cone":
        world.add_cone(radius=SIZE, height=2.0 * SIZE, **options)
    elif kind == "hull":
        world.add_convex(points=hull(20), **options)
    elif kind == "compound":
        world.add_compound(parts=PARTS, **options)
    elif kind == "mesh":
        vertices, triangles = icosphere()
        world.add_mesh(vertices=vertices, triangles=triangles, **options)
    else:
        world.add_sphere(radius=SIZE, **options)


REACH = {"mesh": 3.0 * SIZE}  # radius of a ball in the place of a body; SIZE for all others
KINDS = (
    ("hull", "hull"), ("box", "hull"), ("box", "box"), ("cylinder", "cylinder"),
    ("ellipsoid", "ellipsoid"), ("cone", "hull"), ("sphere", "mesh"), ("hull", "mesh"),
    ("compound", "compound"),
)  # fmt: skip


@dataclass(frozen=True)
class Pairs:
    """Positions and orientations (2 n, 3) and (2 n, 4), pair by pair."""

    kinds: tuple[str, str]
    position: np.ndarray
    orientation: np.ndarray


def pairs_of(kinds: tuple[str, str], count: int, seed: int = 0) -> Pairs:
    """Apart at first; then the second body of each is moved to a small gap, twice, since the
    nearest points may change."""
    rng = default_rng(seed)
    reach = sum(REACH.get(kind, SIZE) for kind in kinds)
    way = rng.normal(size=(count, 3))
    way *= reach / np.linalg.norm(way, axis=1)[:, None]
    edge = int(np.ceil(count ** (1 / 3)))
    first = FAR * np.stack(np.unravel_index(np.arange(count), (edge,) * 3), axis=1)
    turns = rng.normal(size=(2 * count, 4))
    pairs = Pairs(
        kinds,
        np.stack([first, first + way], axis=1).reshape(-1, 3),
        turns / np.linalg.norm(turns, axis=1)[:, None],
    )
    wanted = rng.uniform(-NEAR, NEAR, count) * SIZE
    for _ in range(2):
        _, found = detected(world_of(pairs), 1, margin=2.0 * SIZE)
        order = np.argsort(-found.gap, kind="stable")  # the least gap of a pair is the last
        pair, second = found.bodies[order, 0] // 2, found.bodies[order, 1]
        sign = np.where(second % 2, 1.0, -1.0)  # normals are from the first to the second
        shift = (sign * (wanted[pair] - found.gap[order]))[:, None] * found.normal[order]
        ways = np.zeros((count, 3))
        ways[pair] = shift
        pairs.position[1::2] += ways
    return pairs


def world_of(pairs: Pairs, spheres: bool = False) -> rc.World:
    """With balls as large as that in the places of all bodies, if asked for."""
    world = rc.World()
    for k, (place, turn) in enumerate(zip(pairs.position, pairs.orientation, strict=True)):
        kind = pairs.kinds[k % 2]
        options = {"mass": 1.0, "position": place, "orientation": turn}
        if spheres:
            world.add_sphere(radius=REACH.get(kind, SIZE), **options)
        else:
            add(world, kind, **options)
    return world


def detected(world: rc.World, turns: int, margin: float = NEAR * SIZE) -> tuple[float, Any]:
    """CPU seconds of one look at all bodies, the least of several, and the contacts."""
    detector, state = Detector(), world.state
    margins = np.full(len(state), margin)
    taken = []
    for _ in range(turns + 1):
        begin = time.process_time()
        found = detector.detect(state, state.velocity, state.angular_velocity, 0.0, margins)
        taken.append(time.process_time() - begin)
    return min(taken), found


def gaps(contacts: Any, count: int) -> np.ndarray:
    """The least gap of each pair; nan where none was found."""
    least = np.full(count, np.inf)
    np.minimum.at(least, contacts.bodies[:, 0] // 2, contacts.gap)
    return np.where(np.isfinite(least), least, np.nan)


def pair_rows(count: int = PAIRS, turns: int = TURNS) -> Iterator[tuple[str, ...]]:
    for kinds in KINDS:
        pairs = pairs_of(kinds, count)
        world = world_of(pairs)
        taken, found = detected(world, turns)
        balls, _ = detected(world_of(pairs, spheres=True), turns)
        ours = (taken - balls) / count
        gap = gaps(found, count)
        looked = np.isfinite(gap)
        cells = (
            " - ".join(kinds), f"{looked.sum()}", f"{len(found.gap) / looked.sum():.1f}",
            f"{1e6 * ours:.2f}",
        )  # fmt: skip
        peer = coal_pairs.measured(pairs, turns)
        if peer is None:
            yield *cells, *[""] * 5
            continue
        apart = looked & (peer.gap > 0.0)
        wrong = np.abs(gap - peer.gap)[apart].max(initial=0.0) / SIZE
        missed = int((~looked & (peer.gap < NEAR * SIZE)).sum())
        yield (
            *cells, f"{1e6 * peer.distance:.1f}", f"{1e6 * peer.patches:.1f}",
            f"{peer.distance / ours:.1f}", f"{peer.patches / ours:.1f}",
            f"{wrong:.0e}" + (f", {missed} missed" if missed else ""),
        )  # fmt: skip


def settled(kind: str, count: int, seconds: float = 0.8) -> rc.Simulation:
    """Bodies of one kind, dropped side by side into a square tray and come to rest."""
    rng: Generator = default_rng(0)
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane()
    edge = max(4, round((count / 8) ** 0.5))
    pitch = 3.0 * SIZE
    for normal in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)):
        world.add_plane(normal=normal, point=-0.5 * edge * pitch * np.array(normal))
    world.set_contact_law(rc.ContactLaw(sliding=0.5))
    for k in range(count):
        layer, rest = divmod(k, edge**2)
        x, y = pitch * (np.array(divmod(rest, edge)) - 0.5 * (edge - 1))
        turn = rng.normal(size=4)
        shift = 0.03 * SIZE * rng.normal(size=2)  # or balls would stand on each other
        place = (x + shift[0], y + shift[1], (layer + 0.6) * pitch)
        add(world, kind, density=2500, position=place, orientation=turn / np.linalg.norm(turn))
    simulation = rc.Simulation(
        world, step=STEP, tolerance=1e-3, record_every=10_000, contacts="none", max_substeps=1
    )
    simulation.advance(seconds)
    return simulation


def heap_rows(
    counts: tuple[int, ...] = COUNTS,
    steps: int = 50,
    seconds: float = 0.8,
    kinds: tuple[str, ...] = ("sphere", "box", "hull"),
) -> Iterator[tuple[str, ...]]:
    rc.set_threads(1)  # others, that wait, would count as CPU time
    for kind in kinds:
        for count in counts:
            simulation = settled(kind, count, seconds)
            before = dict(simulation.run.timing)
            begin = time.process_time()
            simulation.advance(simulation.time + steps * STEP)
            taken = (time.process_time() - begin) / steps
            run = simulation.run
            phases = {name: run.timing[name] - before[name] for name in run.timing}
            total = sum(phases.values())
            shares = [f"{phases[name] / total:.0%}" for name in phases]
            contacts = int(run.contact_count[-1])
            yield (
                kind, f"{count:,}", f"{contacts:,}", f"{1e3 * taken:.2f}",
                f"{1e6 * taken / count:.1f}", *shares, f"{run.residual.max():.0e}",
            )  # fmt: skip


TABLES = [
    Table(
        "Convex shapes: a pair, next to coal",
        (__doc__ or "").strip()
        + "\n\nOurs: one look of the detector at 400 pairs, without the time for balls in the same "
        "places; normal,\ngap and up to four points of every pair (eight of two boxes, of meshes "
        "and compounds). coal: a call from Python for\neach pair, `distance`, and `collide` with "
        "`computeContactPatch` after; both in CPU time. Hulls have 20 corners, "
        "meshes are\nballs of 320 triangles; a compound is a box and a cylinder, four calls of "
        "coal. Least of seven. The last column is\nthe worst difference of distances of pairs "
        "that are apart, over 10 mm.",
        (
            "pair", "pairs near", "points each", "us", "coal distance us", "coal patches us",
            "distance / ours", "patches / ours", "difference",
        ),
        pair_rows,
    ),
    Table(
        "Convex shapes: a step of a settled heap",
        "Bodies of one kind in a square tray, some three layers, 0.8 s after they were dropped; 50 "
        "steps of\n2 ms, sliding 0.5, tolerance 1e-3, one thread, CPU time. Detection, rows, "
        "solve and motion are shares of the time.",
        (
            "bodies", "number", "contacts", "ms per step", "us per body", "detection", "rows",
            "solve", "motion", "residual",
        ),
        heap_rows,
    ),
]  # fmt: skip
