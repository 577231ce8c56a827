"""Random joints with what acts on their coordinates, as plain descriptions."""

from __future__ import annotations

from random import Random

from soak_bodies import Plain, direction, short, spread

from rollcone.mechanics.joints import KINDS

_AXES = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0])


def random_joint(random: Random, name: str, bodies: list[str], scale: Plain) -> Plain:
    """Between two of these bodies, or of one with the world; its points near the origin."""
    kind = random.choice([kind for kind in KINDS if kind != "gear"])
    body = random.choice(bodies)
    others = [other for other in bodies if other != body]
    joint: Plain = {"name": name, "kind": kind, "body": body}
    if others and random.random() < 0.6:
        joint["base"] = random.choice(others)
    if kind != "fixed":
        joint["point"] = [short(scale["length"] * c) for c in direction(random)]
    if kind in ("distance", "link"):
        joint["point2"] = [short(scale["length"] * c) for c in direction(random)]
    axes = random.sample(_AXES, 2)
    if kind not in ("spherical", "fixed", "distance", "link"):
        joint["axis"] = (
            axes[0] if kind == "universal" else random.choice((axes[0], direction(random)))
        )
    if kind == "universal":
        joint["axis2"] = axes[1]
    if random.random() < 0.1:
        joint["compliance"] = spread(random, 1e-9, 1e-2)
    for coordinate in KINDS[kind][1]:
        if random.random() < 0.6:
            joint[coordinate] = _elements(random, kind, coordinate, scale)
    return joint


def _elements(random: Random, kind: str, coordinate: str, scale: Plain) -> list[Plain]:
    """One or two of different kinds."""
    turning = coordinate.startswith("angle")
    weight = scale["density"] * scale["length"] ** 3 * scale["gravity"]
    force = short(weight * (scale["length"] if turning else 1.0) * spread(random, 1e-2, 10))
    reach = 1.0 if turning else scale["length"]
    rate = (scale["gravity"] / scale["length"]) ** 0.5 * reach
    if kind == "distance":
        return [{"element": "friction", "limit": force}]
    made = {
        "limits": {"upper": short(8 * reach), "restitution": random.choice((0.0, 0.5, 1.0))},
        "friction": {"limit": force},
        "motor": {"speed": short(rate * random.gauss(0, 1)), "limit": force},
        "spring": {
            "stiffness": short(force / reach * spread(random, 1e-2, 1e4)),
            "damping": random.choice((0.0, short(force / rate))),
        },
    }
    if coordinate != "length":
        made["limits"]["lower"] = short(-reach)
    if random.random() < 0.2:
        wave = {"amplitude": short(0.5 * reach), "frequency": short(rate / reach)}
        made["motor"] = {"position": wave | {"mean": reach}, "limit": force}
    words = random.sample(sorted(made), random.choice((1, 1, 2)))
    return [{"element": word, **made[word]} for word in words]
