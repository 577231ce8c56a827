"""Random worlds in which nothing gives energy: no drives, no loads but gravity, no springs.

`passive_world(seed)` is the same for the same seed, and no two bodies overlap in it at the start.
Bodies are rods, needles, plates, coins, capsules, boxes, cylinders, hulls, compounds and clumps
from 1 mm to 10 m, alone or up to four; they fall on a plane, a box, into a bowl, on a mesh or a
height field, or meet each other in free space, where nothing acts from outside. Some are joined.
Steps of 0.5 to 20 ms, sliding friction of 0 to 2, now and then rolling, spinning, Stribeck or
Coulomb-Contensou friction; restitution 0 or 0.5.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import rollcone as rc

GRAVITY = 9.81
GROUNDS = ("plane", "box", "bowl", "mesh", "height field", "free")
JOINTS = ("spherical", "revolute", "prismatic", "cylindrical", "universal", "fixed", "distance")
_IN_BOWLS = ("rod", "needle", "plate", "capsule", "box", "clump", "hull")  # coins have flat rims
_MOST_STEPS, _LEAST_STEPS = 150, 40


@dataclass(frozen=True)
class PassiveWorld:
    """A world and how it is to be simulated.

    bodies    what it is made of, such as "rod + coin"
    ground    one of GROUNDS
    size      smallest size of the bodies, m
    length    largest size of the bodies, m
    """

    seed: int
    world: rc.World
    bodies: str
    ground: str
    joined: bool
    step: float
    steps: int
    restitution: float
    size: float
    length: float


def passive_world(
    seed: int, grounds: Sequence[str] = GROUNDS, most_bodies: int = 4, most_steps: int = _MOST_STEPS
) -> PassiveWorld:
    """Return the random world of that seed; others if they are chosen among less than all.

    Bodies that overlap at the start hold energy that the audit knows nothing of: such a world is
    made anew, from other random numbers.
    """
    attempt = 0
    while True:
        random = Random(seed if attempt == 0 else f"{seed}, attempt {attempt}")
        made = _random_world(random, seed, grounds, most_bodies, most_steps)
        if not any("overlap" in warning for warning in made.world.warnings()):
            return made
        attempt += 1


def _random_world(
    random: Random, seed: int, grounds: Sequence[str], most_bodies: int, most_steps: int
) -> PassiveWorld:
    length = _spread(random, 1e-3, 10.0)
    step = _spread(random, 5e-4, 2e-2)
    ground = random.choice(grounds)
    restitution = random.choice((0.0, 0.5))
    free = ground == "free"
    world = rc.World(gravity=(0.0, 0.0, 0.0 if free else -GRAVITY))
    world.set_contact_law(_law(random, length, restitution))
    _add_ground(random, world, ground, length)
    count = random.choice((2, 3, 4)) if free else random.choice((1, 1, 1, 2, 2, 3, 4))
    count = min(count, most_bodies)
    names = _IN_BOWLS if ground == "bowl" else tuple(BODIES)
    chosen, least = [], math.inf
    for k in range(count):
        name = random.choice(names)
        chosen.append(name)
        least = min(least, _add_body(random, world, name, k, length, step, ground))
    joined = count > 1 and random.random() < 0.3
    if joined:
        _join(random, world, count, length)
    natural = math.sqrt(length / GRAVITY)
    steps = int(min(max(6.0 * natural / step, _LEAST_STEPS), most_steps))
    return PassiveWorld(
        seed, world, " + ".join(sorted(set(chosen))), ground, joined, step, steps, restitution,
        least, length,
    )  # fmt: skip


def _spread(random: Random, low: float, high: float) -> float:
    """Return a number between low and high, each order of magnitude as likely."""
    return float(10.0 ** random.uniform(math.log10(low), math.log10(high)))


def _direction(random: Random) -> list[float]:
    return [random.gauss(0.0, 1.0) for _ in range(3)]


def _law(random: Random, length: float, restitution: float) -> rc.ContactLaw:
    """Return a contact law without compliance, which stores energy."""
    sliding: Any = random.choice((0.0, random.uniform(0.0, 1.0), random.uniform(0.0, 2.0)))
    options: dict[str, Any] = {"restitution": restitution}
    if random.random() < 0.3:
        options["rolling"] = random.uniform(0.0, 0.05) * length
    if random.random() < 0.3:
        options["spinning"] = random.uniform(0.0, 0.02) * length
    elif random.random() < 0.15 and sliding > 0.0:
        options["contact_radius"] = random.uniform(0.001, 0.02) * length
    if random.random() < 0.1 and sliding > 0.0:
        sliding = rc.Stribeck(static=1.5 * sliding, kinetic=sliding, speed=0.1 * math.sqrt(length))
    return rc.ContactLaw(sliding=sliding, **options)


def _add_ground(random: Random, world: rc.World, ground: str, length: float) -> None:
    wide = 12.0 * length
    if ground == "plane":
        tilt = [random.gauss(0.0, 0.2), random.gauss(0.0, 0.2), 1.0]
        world.add_plane(normal=tilt if random.random() < 0.3 else (0.0, 0.0, 1.0))
    elif ground == "box":  # smaller than what falls on it, so that edges are met, or wider
        edge = length * random.choice((0.3, 1.0, 8.0))
        world.add_box(size=(edge, edge, edge), position=(0.0, 0.0, -0.5 * edge), fixed=True)
        world.add_plane(point=(0.0, 0.0, -edge))
    elif ground == "bowl":
        world.add_bowl(radius=length * random.uniform(2.0, 6.0))
    elif ground == "mesh":
        _add_pyramid(world, wide, random.uniform(0.1, 0.5) * length)
    elif ground == "height field":
        n, rough = random.randint(3, 8), random.choice((0.05, 0.3)) * length
        heights = [[rough * random.uniform(-1.0, 0.0) for _ in range(n)] for _ in range(n)]
        world.add_height_field(heights=heights, size=(wide, wide))


def _add_pyramid(world: rc.World, wide: float, height: float) -> None:
    """A flat pyramid of four slopes, as a fixed mesh open below."""
    a = 0.5 * wide
    corners = [[-a, -a, -height], [a, -a, -height], [a, a, -height], [-a, a, -height], [0, 0, 0]]
    world.add_mesh(
        vertices=corners, triangles=[[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]], fixed=True
    )


def _add_body(
    random: Random, world: rc.World, name: str, k: int, length: float, step: float, ground: str
) -> float:
    """Add a body in a room of its own and return its smallest size (m)."""
    natural = math.sqrt(GRAVITY * length)
    rate = random.choice((0.0, 1.0, 5.0)) * math.sqrt(GRAVITY / length)
    if random.random() < 0.25:
        rate = random.uniform(0.0, 1.0) / step
    height = length * (0.75 + 1.2 * k) + 0.5 * length * random.random()
    if ground == "bowl":
        height = length * (0.75 + 0.9 * k)
    spread = 0.3 * length
    place = [random.uniform(-spread, spread), random.uniform(-spread, spread), height]
    velocity = [random.choice((0.0, 1.0)) * natural * c for c in _direction(random)]
    if ground == "free":  # towards each other
        velocity = [-natural * (c / length) * random.random() for c in place]
        velocity[0] += 0.1 * natural * random.gauss(0.0, 1.0)
    options = {
        "name": f"body {k}",
        "position": place,
        "velocity": velocity,
        "angular_velocity": [rate * c / math.sqrt(3.0) for c in _direction(random)],
        "orientation": rc.rotation(_direction(random), random.uniform(0.0, 360.0)),
        "density": 1000.0,
    }
    return BODIES[name](random, world, length, options)


def _thin(random: Random, length: float) -> float:
    return length / _spread(random, 30.0, 300.0)


def _add_box(world: rc.World, edges: list[float], options: dict[str, Any]) -> float:
    world.add_box(size=edges, **options)
    return min(edges)


def _rod(random: Random, world: rc.World, length: float, options: dict[str, Any]) -> float:
    a = _thin(random, length)
    return _add_box(world, [length, a, a * random.uniform(1.0, 2.0)], options)


def _needle(random: Random, world: rc.World, length: float, options: dict[str, Any]) -> float:
    a = _thin(random, length)
    return _add_box(world, [a, a, length], options)


def _plate(random: Random, world: rc.World, length: float, options: dict[str, Any]) -> float:
    edges = [length, length * random.uniform(0.3, 1.0), _thin(random, length)]
    return _add_box(world, edges, options)


def _box(random: Random, world: rc.World, length: float, options: dict[str, Any]) -> float:
    return _add_box(world, [length * random.uniform(0.3, 1.0) for _ in range(3)], options)


def _coin(random: Random, world: rc.World, length: float, options: dict[str, Any]) -> float:
    thickness = _thin(random, length)
    edge = random.choice((0.0, 0.3)) * thickness
    world.add_disk(radius=0.5 * length, thickness=thickness, edge_radius=edge, **options)
    return thickness


def _capsule(random: Random, world: rc.World, length: float, options: dict[str, Any]) -> float:
    radius = 0.5 * length / random.choice((2.0, 10.0, 100.0))
    world.add_capsule(radius=radius, length=length - 2.0 * radius, **options)
    return 2.0 * radius


def _cylinder(random: Random, world: rc.World, length: float, options: dict[str, Any]) -> float:
    radius = 0.5 * length * random.uniform(0.1, 1.0)
    world.add_cylinder(radius=radius, height=length, **options)
    return min(2.0 * radius, length)


def _hull(random: Random, world: rc.World, length: float, options: dict[str, Any]) -> float:
    flat = random.choice((1.0, 0.1))
    points = [
        [0.3 * length * c * s for c, s in zip(_direction(random), (1.0, 1.0, flat), strict=True)]
        for _ in range(random.randint(6, 14))
    ]
    world.add_convex(points=points, **options)
    return 0.3 * flat * length


def _compound(random: Random, world: rc.World, length: float, options: dict[str, Any]) -> float:
    thin = length / random.uniform(8.0, 40.0)
    parts = [
        {"shape": "box", "size": [length, thin, thin]},
        {"shape": "box", "size": [thin, 0.6 * length, thin], "position": [0.3 * length, 0.0, thin]},
    ]
    world.add_compound(parts=parts, **options)
    return thin


def _clump(random: Random, world: rc.World, length: float, options: dict[str, Any]) -> float:
    radius = length / random.choice((4.0, 10.0))
    places = [(k / 3.0 - 0.5) * (length - 2.0 * radius) for k in range(4)]
    spheres = [[x, 0.2 * radius * random.random(), 0.0, radius] for x in places]
    world.add_clump(spheres=spheres, **options)
    return 2.0 * radius


BODIES: dict[str, Callable[[Random, rc.World, float, dict[str, Any]], float]] = {
    "rod": _rod, "needle": _needle, "plate": _plate, "coin": _coin, "capsule": _capsule,
    "box": _box, "cylinder": _cylinder, "hull": _hull, "compound": _compound, "clump": _clump,
}  # fmt: skip


def _join(random: Random, world: rc.World, count: int, length: float) -> None:
    """Join each body to the one before it, or some of them, at a point between the two."""
    for k in range(1, count):
        if k > 1 and random.random() < 0.4:
            continue
        a, b = (world.body(f"body {i}").position for i in (k - 1, k))
        kind = random.choice(JOINTS)
        options: dict[str, Any] = {"point": [0.5 * (x + y) for x, y in zip(a, b, strict=True)]}
        if kind == "distance":
            options = {"point": list(a), "point2": list(b)}
        elif kind == "fixed":
            options = {}
        elif kind != "spherical":
            options["axis"] = (0.0, 0.0, 1.0)
        if kind == "universal":
            options["axis2"] = (1.0, 0.0, 0.0)
        if kind == "revolute" and random.random() < 0.5:
            options["axis"] = _direction(random)
        ends = [f"body {k - 1}", f"body {k}"]
        random.shuffle(ends)
        world.add_joint(kind=kind, base=ends[0], body=ends[1], **options)
