"""Random bodies, as plain descriptions: dicts of numbers, texts and lists.

A description is what `World.add_...` takes, with `shape` for its name, `name` for the body's own,
and `turn` (axis and angle in degrees) in the place of `orientation`. `pull` is a spring to the
origin (N/m), a function of the body; `shake` a motion up and down (m/s, Hz), a function of time.
"""

from __future__ import annotations

import math
from random import Random
from typing import Any

Plain = dict[str, Any]

MOVING = (
    "sphere", "box", "capsule", "cylinder", "disk", "cone", "ellipsoid", "clump", "convex",
    "compound", "mesh",
)  # fmt: skip
IN_BOWLS = ("sphere", "box", "capsule", "clump", "disk", "convex")
WITH_CONTOURS = ("sphere", "box", "capsule", "cylinder", "disk", "ellipsoid")
# A closed surface, and the corners of an octahedron.
_OCTAHEDRON = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]
_FACES = [
    [0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5],
]  # fmt: skip


def short(value: float) -> float:
    """Three digits will do, and read better."""
    return float(f"{value:.3g}")


def spread(random: Random, low: float, high: float) -> float:
    """Each order of magnitude as likely."""
    return short(10.0 ** random.uniform(math.log10(low), math.log10(high)))


def direction(random: Random) -> list[float]:
    return [short(random.gauss(0, 1)) for _ in range(3)]


def turn(random: Random) -> list[float]:
    """An axis and an angle; often square to the axes, where contacts are redundant."""
    if random.random() < 0.4:
        axis = random.choice(([1, 0, 0], [0, 1, 0], [0, 0, 1]))
        return [*map(float, axis), random.choice((0.0, 45.0, 90.0, 180.0))]
    return [*direction(random), short(random.uniform(0, 360))]


def form(random: Random, shape: str, size: float) -> Plain:
    """What only this shape has; `size` is about half its width."""

    def length(low: float = 0.3, high: float = 1.0) -> float:
        return short(size * random.uniform(low, high))

    if shape == "sphere":
        return {"radius": length()}
    if shape == "box":
        thin = 0.01 if random.random() < 0.1 else 1.0
        return {"size": [2 * length(), 2 * length(), short(2 * length() * thin)]}
    if shape == "capsule":
        return {"radius": length(0.05, 0.5), "length": random.choice((0.0, 2 * length()))}
    if shape == "cylinder":
        return {"radius": length(), "height": 2 * length(0.05, 1.0)}
    if shape == "cone":
        return {"radius": length(), "height": 2 * length()}
    if shape == "ellipsoid":
        return {"semi_axes": [length(0.1), length(0.1), length(0.1)]}
    if shape == "disk":
        radius, thickness = length(), random.choice((0.0, length(0.05, 0.5)))
        edge = random.choice((0.0, short(0.49 * min(thickness, radius))))
        return {"radius": radius, "thickness": thickness, "edge_radius": edge}
    if shape == "clump":
        places = [[short(random.uniform(-size, size)) / 2 for _ in range(3)] for _ in range(4)]
        return {"spheres": [[*place, length(0.2, 0.6)] for place in places[: random.randint(1, 4)]]}
    if shape == "convex":
        corners = random.randint(4, 12)
        return {"points": [[short(size * c) for c in direction(random)] for _ in range(corners)]}
    if shape == "compound":
        return {"parts": [_part(random, size) for _ in range(random.randint(1, 3))]}
    assert shape == "mesh"
    scale = [length() for _ in range(3)]
    corners = [[c * s for c, s in zip(corner, scale, strict=True)] for corner in _OCTAHEDRON]
    return {"vertices": corners, "triangles": _FACES}


def _part(random: Random, size: float) -> Plain:
    shape = random.choice(("sphere", "box", "capsule", "cylinder", "cone", "ellipsoid", "convex"))
    place = [short(random.uniform(-size, size)) for _ in range(3)]
    return {
        "shape": shape,
        **form(random, shape, size / 2),
        "position": place,
        "turn": turn(random),
    }


def moving_body(random: Random, name: str, shapes: tuple[str, ...], scale: Plain) -> Plain:
    """Somewhere above the origin. `scale`: length, speed and density of the scene, and whether it
    is extreme."""
    shape = random.choice(shapes)
    length, speed, wild = scale["length"], scale["speed"], scale["extreme"]
    size = length * (
        spread(random, 1e-3, 3) if wild and random.random() < 0.3 else random.uniform(0.2, 1)
    )
    body: Plain = {"name": name, "shape": shape, **form(random, shape, size)}
    body["position"] = _place(random, name, size, scale)
    body["turn"] = turn(random)
    if wild and random.random() < 0.5:
        body["mass"] = spread(random, 1e-9, 1e9)
    elif shape == "disk" or random.random() < 0.2:
        body["mass"] = short(scale["density"] * length**3 * random.uniform(0.5, 2))
    else:
        body["density"] = scale["density"]
    fast = spread(random, 1e-3, 1e3) if wild and random.random() < 0.3 else 1.0
    if random.random() < 0.6:
        body["velocity"] = [short(speed * fast * c) for c in direction(random)]
    if random.random() < 0.5:
        body["angular_velocity"] = [short(speed * fast / size * c) for c in direction(random)]
    if random.random() < 0.1:
        body["force"] = [short(scale["density"] * length**3 * c) for c in direction(random)]
    if random.random() < 0.1:
        body["linear_damping"] = body["angular_damping"] = spread(random, 1e-2, 1e2)
    if random.random() < 0.06:
        body["pull"] = short(scale["density"] * length**2 * scale["gravity"])
    if random.random() < 0.05:
        body["inertia"] = _moments(random, scale, wild)
    return body


def _moments(random: Random, scale: Plain, wild: bool) -> list[float]:
    """Of some body: none is more than the sum of the others."""
    least = 1e-9 if wild else 0.1
    x, y, z = (spread(random, least, 1) for _ in range(3))
    unit = 0.1 * scale["density"] * scale["length"] ** 5
    return [short(unit * (y + z)), short(unit * (x + z)), short(unit * (x + y))]


def _place(random: Random, name: str, size: float, scale: Plain) -> list[float]:
    """Anywhere within the scene's room; or in a cell of its own, where nothing overlaps."""
    length, reach = scale["length"], scale["room"] * scale["length"]
    if not scale["apart"]:
        low = 0.3 * length
        return [
            short(random.uniform(-reach, reach)),
            short(random.uniform(-reach, reach)),
            short(random.uniform(low, 2 * reach)),
        ]
    number = int(name[1:])
    cell, far = 4 * length, 1.7 * max(size, 0.3 * length)
    x, y, z = number % 2 - 0.5, number // 2 % 2 - 0.5, number // 4
    return [short(cell * x), short(cell * y), short(far + cell * z)]


def ground(random: Random, name: str, kind: str, scale: Plain) -> Plain:
    """What does not move, or moves as it is told."""
    length = scale["length"]
    if kind == "plane":
        tilted = random.random() < 0.3
        normal = [short(0.2 * random.gauss(0, 1)) for _ in range(2)] if tilted else [0.0, 0.0]
        return {"name": name, "shape": "plane", "normal": [*normal, 1.0]}
    if kind == "bowl":
        radius = short(length * scale["room"] * random.uniform(4, 8))
        return {"name": name, "shape": "bowl", "radius": radius}
    wide = 4 * scale["room"] * length
    if kind == "height_field":
        n, rough = random.randint(2, 7), length * random.choice((0.0, 0.2, 0.5))
        heights = [[short(rough * random.uniform(-1, 0)) for _ in range(n)] for _ in range(n)]
        return {"name": name, "shape": kind, "heights": heights, "size": [wide, wide]}
    assert kind == "box"
    body: Plain = {"name": name, "shape": "box", "size": [wide, wide, length], "fixed": True}
    body["position"] = [0.0, 0.0, short(-length / 2)]
    if random.random() < 0.15:
        body["shake"] = [short(0.3 * scale["speed"]), spread(random, 1, 100)]
    elif random.random() < 0.3:  # a belt, or a table that turns
        body["velocity"] = [short(scale["speed"] * c) for c in (random.gauss(0, 1), 0.0, 0.0)]
        body["angular_velocity"] = [0.0, 0.0, short(random.gauss(0, 1))]
    return body
