"""Random scenes from a seed, as plain descriptions that JSON can hold.

gravity, periodic, threads   of the world
laws                         [{"materials": [...], fields of ContactLaw}]
bodies, joints, emitters     what the world's `add_...` take (soak_bodies.py)
settings                     of `Simulation`; the scheme by its name and fields
steps                        how many
actions                      what is done to the world before a step: add, remove, kick,
                             law, gravity, join, part
extreme                      are numbers taken from far away?
"""

from __future__ import annotations

from random import Random

from soak_bodies import (
    IN_BOWLS,
    MOVING,
    WITH_CONTOURS,
    Plain,
    direction,
    ground,
    moving_body,
    short,
    spread,
)
from soak_joints import random_joint

from rollcone.friction_models.registry import model_class
from rollcone.solvers.registry import SOLVERS

MATERIALS = ("default", "rubber")
_UNABLE = {"interior-point", "reference"}  # to take sets that couple rows


def random_scene(seed: int) -> Plain:
    """The scene of that seed, always the same."""
    random = Random(seed)
    extreme = random.random() < 0.35
    scale = _scale(random, extreme)
    settings = _settings(random, scale)
    laws = _laws(random, scale, settings)
    contours = any("contour" in law or "contour_viscosity" in law for law in laws)
    kinds = ["plane"] * 5 + ["box"] * 3 + ["height_field"] * 2 + ["bowl"] + ["none"]
    floor = random.choice(kinds)
    if contours and floor == "height_field":
        floor = "plane"
    shapes = WITH_CONTOURS if contours else IN_BOWLS if floor == "bowl" else MOVING
    if floor == "bowl":
        shapes = tuple(shape for shape in shapes if shape in IN_BOWLS)
    if random.random() < 0.4:
        shapes = (random.choice(shapes),)
    elif random.random() < 0.8 or floor == "height_field":
        shapes = tuple(shape for shape in shapes if shape != "mesh")  # two do not touch
    scene: Plain = {
        "seed": seed,
        "extreme": extreme,
        "threads": random.choice((1, 1, 2)),
        "gravity": _gravity(random, scale),
        "laws": laws,
        "bodies": [] if floor == "none" else [ground(random, "floor", floor, scale)],
        "joints": [],
        "emitters": [],
        "settings": settings,
        "steps": random.choice((10, 20, 40, 80)),
        "actions": [],
    }
    count = random.choice((1, 2, 3, 4, 6, 9, 14))
    if random.random() < 0.04:  # more than 30 bodies, more than 50 contacts: other paths
        count, scene["steps"] = random.choice((40, 80)), 10
        settings.pop("solver", None)  # those to compare with take minutes
    if "friction_model" in settings or settings["scheme"]["name"] == "RegularisedLCP":
        count = min(count, 4)  # pivoting takes minutes for a hundred contacts in deep overlap
    for k in range(count):
        scene["bodies"].append(_body(random, f"b{k}", shapes, scale, scene))
    if floor != "bowl" and random.random() < 0.1:
        scene["periodic"] = {"x": [0.0, 40 * scale["length"]], "y": [0.0, 40 * scale["length"]]}
        scene["bodies"] = [body for body in scene["bodies"] if body["shape"] != "height_field"]
        scene["bodies"] = [_level(body) for body in scene["bodies"]]
    if random.random() < 0.3:
        names = [body["name"] for body in scene["bodies"] if body["name"] != "floor"]
        for k in range(random.choice((1, 1, 2, 4))):
            scene["joints"].append(random_joint(random, f"j{k}", names, scale))
    if random.random() < 0.08:
        scene["emitters"].append(_emitter(random, scale, settings["step"]))
    if random.random() < 0.5:
        _act(random, scene, shapes, scale)
    if random.random() < 0.3:
        settings["record_every"], scene["chunk"] = random.choice((2, 5)), random.choice((1, 10))
    functions = any("pull" in body or "shake" in body for body in scene["bodies"])
    if scene["joints"] or functions or any("compliance" in law for law in laws):
        settings.pop("max_substeps", None)
    return scene


def _scale(random: Random, extreme: bool) -> Plain:
    length = spread(random, 1e-6, 1e3) if extreme and random.random() < 0.5 else 0.0
    length = length or spread(random, 0.02, 2)
    pull = spread(random, 1e-3, 1e4) if extreme and random.random() < 0.3 else 9.81
    speed = short((pull * length) ** 0.5 * spread(random, 0.1, 3))
    density = spread(random, 1e-3, 1e6) if extreme and random.random() < 0.3 else 1000.0
    return {
        "length": length,
        "gravity": pull,
        "speed": speed,
        "density": density,
        "apart": random.random() < 0.6,  # does nothing overlap at first?
        "room": random.choice((0.5, 1.5, 3.0)),  # how far apart, in lengths
        "extreme": extreme,
    }


def _gravity(random: Random, scale: Plain) -> list[float]:
    kind = random.random()
    if kind < 0.15:
        return [0.0, 0.0, 0.0]
    if kind < 0.3:
        x, y, _ = direction(random)
        return [short(0.3 * scale["gravity"] * x), short(0.3 * scale["gravity"] * y), -9.81]
    return [0.0, 0.0, -scale["gravity"]]


def _body(random: Random, name: str, shapes: tuple[str, ...], scale: Plain, scene: Plain) -> Plain:
    """A new one, or one like another: in the same place, or stacked on it."""
    others = [body for body in scene["bodies"] if body["name"] != "floor"]
    if others and random.random() < 0.12:
        twin = {**random.choice(others), "name": name}
        if random.random() < 0.5:
            x, y, z = twin["position"]
            twin["position"] = [x, y, short(z + scale["length"] * random.uniform(0.5, 2))]
        return twin
    body = moving_body(random, name, shapes, scale)
    if len(scene["laws"]) > 1 and random.random() < 0.5:
        body["material"] = "rubber"
    return body


def _level(body: Plain) -> Plain:
    return body | {"normal": [0.0, 0.0, 1.0]} if body["shape"] == "plane" else body


def _settings(random: Random, scale: Plain) -> Plain:
    natural = (scale["length"] / scale["gravity"]) ** 0.5
    settings: Plain = {"step": short(natural * spread(random, 1e-3, 0.3))}
    if scale["extreme"] and random.random() < 0.2:
        settings["step"] = spread(random, 1e-9, 1)
    names = ["GapAhead"] * 8 + ["DVI"] * 3 + ["MoreauJean"] * 2
    name = random.choice([*names, "MoreauMidpoint", "RegularisedLCP"])
    scheme: Plain = {"name": name}
    if random.random() < 0.15:
        scheme["projection"] = True
    if name == "MoreauJean":
        scheme["theta"] = random.choice((0.5, 0.5, 0.75, 1.0))
    if name == "GapAhead" and random.random() < 0.1:
        scheme["max_passes"] = random.choice((1, 3))
    settings["scheme"] = scheme
    if name == "DVI" and random.random() < 0.4:
        settings["law"] = "associated"
    modelled = name == "RegularisedLCP"
    if name != "DVI" and random.random() < 0.12:
        settings["friction_model"] = random.choice(("polygonal", "box", "regularised", "cone"))
        modelled = settings["friction_model"] != "cone"
    if random.random() < 0.35:
        if modelled:
            model = settings.get("friction_model", "regularised")
            settings["solver"] = random.choice(model_class(model).solvers)
        else:
            settings["solver"] = random.choice([*SOLVERS])
            settings["max_iterations"] = random.choice((20, 200, 1000))
    if random.random() < 0.4:
        settings["tolerance"] = spread(random, 1e-12, 1e-2)
    if random.random() < 0.1:
        settings["warm_start"] = False
    if random.random() < 0.1 and name == "GapAhead" and not modelled:
        settings["max_substeps"] = random.choice((1, 8))
    return settings


def _laws(random: Random, scale: Plain, settings: Plain) -> list[Plain]:
    found = [{"materials": [], **_law(random, scale, settings)}]
    if random.random() < 0.25:
        pair = random.choice((["rubber", "default"], ["rubber", "rubber"]))
        found.append({"materials": pair, **_law(random, scale, settings)})
    return found


def _law(random: Random, scale: Plain, settings: Plain) -> Plain:
    """A contact law that the scheme, the model and the solver admit."""
    scheme, length, wild = settings["scheme"]["name"], scale["length"], scale["extreme"]
    mu = random.choice((0.0, 0.1, 0.3, 0.6, 1.0))
    if wild and random.random() < 0.3:
        mu = spread(random, 1e-6, 1e6)
    law: Plain = {"sliding": mu}
    model = settings.get("friction_model", "regularised" if scheme == "RegularisedLCP" else "cone")
    plain = model != "cone"
    turning = random.random()
    if turning < 0.25:
        law["rolling"] = short(length * spread(random, 1e-4, 1))
        law["spinning"] = random.choice((0.0, short(0.1 * length)))
    elif turning < 0.5 and not plain:
        law |= _special(random, mu, length, settings)
    if scheme != "MoreauMidpoint" and random.random() < 0.3:
        law["restitution"] = random.choice((0.2, 0.5, 0.9, 1.0))
    if scheme in ("GapAhead", "DVI") and random.random() < 0.12:
        if random.random() < 0.5:
            young = spread(random, 1e6, 1e12)
            law["compliance"] = {"young": young, "poisson": 0.3}
        else:
            weight = scale["density"] * length**3 * scale["gravity"]
            law["compliance"] = short(length / weight * spread(random, 1e-8, 1e-2))
    return law


def _special(random: Random, mu: float, length: float, settings: Plain) -> Plain:
    """What only the exact law of the cone has, or most solvers."""
    coupled = settings.get("solver") not in _UNABLE
    kind = random.choice(("patch", "ellipsoid", "contour", "viscous", "stribeck"))
    if kind == "patch" and coupled:
        pressure = random.choice(("hertz", "uniform", "quadratic"))
        return {"contact_radius": short(length * spread(random, 1e-3, 0.1)), "pressure": pressure}
    if kind == "ellipsoid" and coupled:
        return {"coupling": "ellipsoid", "rolling": 0.1 * length, "spinning": 0.1 * length}
    if settings.get("law") == "associated":
        return {}
    if kind == "contour":
        return {"contour": spread(random, 1e-3, 1), "contour_viscosity": random.choice((0.0, 0.1))}
    if kind == "viscous":
        return {"rolling": short(0.01 * length), "rolling_viscosity": spread(random, 1e-6, 1e2)}
    if kind == "stribeck":
        falls = {"static": mu + 0.2, "kinetic": mu, "speed": spread(random, 1e-3, 1)}
        return {"sliding": falls}
    return {}


def _emitter(random: Random, scale: Plain, step: float) -> Plain:
    length = scale["length"]
    return {
        "shape": "sphere",
        "radius": [0.1 * length, 0.3 * length],
        "density": scale["density"],
        "low": [-length, -length, 4 * length],
        "high": [length, length, 8 * length],
        "rate": short(random.uniform(0.1, 0.5) / step),
        "count": random.randint(1, 6),
    }


def _act(random: Random, scene: Plain, shapes: tuple[str, ...], scale: Plain) -> None:
    """Things that are done on the way."""
    names = [body["name"] for body in scene["bodies"] if body["name"] != "floor"]
    added = len(names)
    for _ in range(random.choice((1, 2, 4))):
        kind = random.choice(("add", "remove", "kick", "kick", "law", "gravity", "join", "part"))
        action: Plain = {"before": random.randrange(1, scene["steps"]), "do": kind}
        if kind == "add":
            action["body"] = moving_body(random, f"b{added}", shapes, scale)
            added += 1
        elif kind in ("remove", "kick"):
            action["body"] = random.choice(names)
        elif kind == "law":
            action["law"] = {"materials": [], "sliding": random.choice((0.0, 0.5, 2.0))}
        elif kind == "gravity":
            action["gravity"] = [short(scale["gravity"] * c) for c in direction(random)]
        elif kind == "join":
            if scene["settings"].get("max_substeps", 1) > 1:
                continue
            name = f"later {len(scene['actions'])}"
            action["joint"] = random_joint(random, name, names, scale)
        elif not scene["joints"]:
            continue
        else:
            action["joint"] = random.choice(scene["joints"])["name"]
        if kind == "kick":
            action["velocity"] = [short(scale["speed"] * c) for c in direction(random)]
        scene["actions"].append(action)
    scene["actions"].sort(key=lambda action: action["before"])
