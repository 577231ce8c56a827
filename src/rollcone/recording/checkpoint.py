"""All that a simulation needs to go on as if it had not stopped: to the same bits.

World, laws, reactions of the last step with the keys of their contacts, sums of the energy audit,
statistics since the last record, emitters and their random generators, settings. Python
functions (forces, motions) cannot be kept; their names are.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from rollcone.collision.clumps import Clumps
from rollcone.collision.parts import Parts
from rollcone.mechanics.bodies import FIELDS
from rollcone.mechanics.hertz import HertzMindlin
from rollcone.mechanics.joints import JointSpec
from rollcone.mechanics.materials import ContactLaw
from rollcone.mechanics.stribeck import Stribeck
from rollcone.mechanics.world import World
from rollcone.recording.checks import (
    check_balls,
    check_bodies,
    check_gears,
    check_joint,
    check_kept,
)
from rollcone.recording.layout import put
from rollcone.recording.texts import attribute, bytes_of, put_text

if TYPE_CHECKING:
    from rollcone.simulation import Simulation


def write_checkpoint(file: Any, simulation: Simulation, more: dict[str, Any]) -> None:
    """Into the group `checkpoint`; `more` is kept with it (plain values)."""
    world, recorder = simulation.world, simulation.recorder
    group = file.create_group("checkpoint")
    for name in FIELDS:
        put(group, f"bodies/{name}", getattr(world.state, name))
    put(group, "bodies/balls", world.state.clumps.table())
    for name, table in world.state.parts.tables().items():
        put(group, f"bodies/{name}", table)
    for name, values in simulation.kept().items():
        put(group, f"kept/{name}", values)
    notes = {
        "settings": simulation.settings.plain(),
        "words": recorder.words,
        "level": recorder.level,
        "world": _world_notes(world),
        "recorder": recorder.state(),
        **more,
    }
    _put_notes(group, json.dumps(notes))


def _put_notes(group: Any, text: str) -> None:
    put_text(group, "notes", text)
    group["notes"].attrs["crc32"] = zlib.crc32(text.encode())


def copy_checkpoint(source: Any, target: Any) -> None:
    """Copy the group `checkpoint` to another file, array by array: HDF5's copy of a whole group can
    end the process where the file is damaged (seen in HDF5 2.0)."""
    group = target.create_group("checkpoint")
    for part in ("bodies", "kept"):
        for name, values in source[f"checkpoint/{part}"].items():
            put(group, f"{part}/{name}", values[()])
    _put_notes(group, bytes_of(source["checkpoint/notes"]).decode())


def read_notes(file: Any) -> dict[str, Any]:
    """What is kept in words and numbers."""
    entry = file["checkpoint/notes"]
    text = bytes_of(entry)
    if zlib.crc32(text) != attribute(entry, "crc32"):
        raise ValueError("the checksum of its notes is wrong")
    notes: dict[str, Any] = json.loads(text)
    return notes


def read_kept(file: Any) -> dict[str, np.ndarray]:
    """What `Simulation.kept` gave."""
    return check_kept({name: values[()] for name, values in file["checkpoint/kept"].items()})


def read_world(file: Any, notes: dict[str, Any]) -> World:
    """The world of a checkpoint, without the functions that moved or pushed its bodies."""
    kept = notes["world"]
    world = World(gravity=kept["gravity"])
    for name in kept["materials"]:
        world.laws.number(name)
    if kept["default_law"] is not None:
        world.laws.set(_law(kept["default_law"]), ())
    for materials, law in kept["laws"]:
        world.laws.set(_law(law), tuple(materials))
    group = file["checkpoint/bodies"]
    arrays = {name: group[name][()] for name in FIELDS}
    check_bodies(arrays, kept["names"], len(world.laws.materials))
    # Files of before clumps, parts and periodic boxes have none of them.
    balls = group["balls"][()] if "balls" in group else Clumps().table()
    check_balls(balls, arrays["shape"])
    parts = Parts()
    if "parts" in group:
        parts = Parts.from_tables({name: group[name][()] for name in Parts().tables()})
    parts.check(arrays["shape"])
    world.adopt(kept["names"], arrays, Clumps.from_table(balls), parts)
    if kept.get("periodic"):
        world.set_periodic(**kept["periodic"])
    for plain, turns in kept.get("joints", ()):
        world.joints.add(None if plain is None else _joint(plain, world), turns)
    check_gears(world.joints.specs)
    for number, plain in kept.get("removed_joints", ()):
        if world.joints.specs[number] is not None:
            raise ValueError(f"joint {number}: has been removed, and is there")
        world.joints.removed[number] = _joint(plain, world)
    for plain, state in kept["emitters"]:
        world.add_emitter(**plain, state=state)
    return world


def _joint(plain: dict[str, Any], world: World) -> JointSpec:
    return check_joint(JointSpec.from_plain(plain), len(world.state))


def _law(kept: dict[str, Any]) -> ContactLaw:
    """Of what `asdict` made of it; older files have fewer fields."""
    compliance, sliding = kept.get("compliance", 0.0), kept["sliding"]
    if isinstance(compliance, dict):
        compliance = HertzMindlin(**compliance)
    if isinstance(sliding, dict):
        sliding = Stribeck(**sliding)
    fields = kept | {"compliance": compliance, "sliding": sliding}
    if not kept.get("contact_radius"):  # older files name the pressure of no patch
        fields.pop("pressure", None)
    return ContactLaw(**fields)


def _world_notes(world: World) -> dict[str, Any]:
    laws = world.laws
    return {
        "gravity": world.gravity.tolist(),
        "periodic": world.periodic,
        "names": list(world.names),
        "materials": laws.materials,
        "default_law": asdict(laws.default) if laws.default_is_set else None,
        "laws": [(materials, asdict(law)) for materials, law in laws.pairs.items()],
        "joints": world.joints.plain(),
        "removed_joints": [(k, spec.plain()) for k, spec in world.joints.removed.items()],
        "emitters": [(emitter.plain(), emitter.state()) for emitter in world.emitters],
        "functions": world.functions(),
    }
