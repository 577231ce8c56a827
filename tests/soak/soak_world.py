"""From a plain description (soak_scenes.py) to a world, and what is done to it on the way."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from soak_bodies import Plain

import rollcone as rc
from rollcone.mechanics.elements import element_of
from rollcone.stepping.registry import make_scheme

_COORDINATES = ("angle", "angle2", "slide", "length")


def build_world(scene: Plain) -> rc.World:
    world = rc.World(gravity=scene["gravity"])
    if "periodic" in scene:
        world.set_periodic(**{axis: tuple(ends) for axis, ends in scene["periodic"].items()})
    for law in scene["laws"]:
        set_law(world, law)
    for body in scene["bodies"]:
        add_body(world, body)
    for joint in scene["joints"]:
        add_joint(world, joint)
    for emitter in scene["emitters"]:
        world.add_emitter(**emitter)
    return world


def settings_of(scene: Plain) -> dict[str, Any]:
    """The keywords of a `Simulation`."""
    settings = dict(scene["settings"])
    scheme = dict(settings["scheme"])
    return settings | {"scheme": make_scheme(scheme.pop("name"), scheme)}


def set_law(world: rc.World, plain: Plain) -> None:
    law = dict(plain)
    materials = law.pop("materials")
    if isinstance(law.get("compliance"), dict):
        law["compliance"] = rc.HertzMindlin(**law["compliance"])
    if isinstance(law.get("sliding"), dict):
        law["sliding"] = rc.Stribeck(**law["sliding"])
    world.set_contact_law(rc.ContactLaw(**law), *materials)


def add_body(world: rc.World, plain: Plain) -> rc.Body:
    options = _turned(plain)
    shape = options.pop("shape")
    if shape == "compound":
        options["parts"] = [_turned(part) for part in options["parts"]]
    if "pull" in options:
        options["force"] = _spring(options.pop("pull"))
    if "shake" in options:
        options["motion"] = _shaking(*options.pop("shake"))
        options.pop("fixed")
    return getattr(world, f"add_{shape}")(**options)


def _spring(stiffness: float) -> Callable[[float, rc.Body], np.ndarray]:
    return lambda time, body: -stiffness * body.position


def _shaking(speed: float, frequency: float) -> Callable[[float], tuple[Any, Any]]:
    def motion(time: float) -> tuple[Any, Any]:
        return (0.0, 0.0, speed * math.sin(2 * math.pi * frequency * time)), (0.0, 0.0, 0.0)

    return motion


def _turned(plain: Plain) -> dict[str, Any]:
    options = dict(plain)
    if "turn" in options:
        *axis, angle = options.pop("turn")
        options["orientation"] = rc.rotation(axis, angle)
    return options


def add_joint(world: rc.World, plain: Plain) -> rc.Joint:
    options = dict(plain)
    for coordinate in _COORDINATES:
        if coordinate in options:
            options[coordinate] = [_element(element) for element in options[coordinate]]
    return world.add_joint(**options)


def _element(plain: Plain) -> Any:
    given = dict(plain)
    return element_of(given.pop("element"), given)


def act(world: rc.World, action: Plain) -> None:
    """One of the things that are done before a step; what is gone by then is left alone."""
    kind = action["do"]
    there = {body.name for body in world.bodies}
    if kind == "add":
        add_body(world, action["body"])
    elif kind == "law":
        set_law(world, action["law"])
    elif kind == "gravity":
        world.gravity = action["gravity"]
    elif kind == "join":
        if {action["joint"]["body"], action["joint"].get("base", "floor")} <= there | {"floor"}:
            add_joint(world, action["joint"])
    elif kind == "part":
        if any(spec.name == action["joint"] for _, spec in world.joints):
            world.remove_joint(action["joint"])
    elif action["body"] in there:
        if kind == "remove":
            world.remove(action["body"])
        else:
            assert kind == "kick"
            world.body(action["body"]).velocity = action["velocity"]
