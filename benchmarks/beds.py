"""Beds of spheres, at rest and flowing, of any size.

A block of 100 spheres to a layer falls from random places and comes to rest, periodic along x and
y. Copies of it side by side are a larger bed, at rest as well. Flowing: gravity then leans by 45
degrees for half a second. Spheres of 45 mm, mu = 0.6, rho = sigma = 5 mm, h = 5 ms.
"""

from __future__ import annotations

import functools
import math

import numpy as np
from numpy.typing import NDArray

import rollcone as rc

D, STEP = 0.045, 5e-3
LAYERS = 7
ACROSS = 10  # spheres along an edge of the block
EDGE = 1.03 * ACROSS * D
MOST = 1_000_000  # spheres that a grid may have
REST, LONGEST = 1e-9, 5.0  # m/s: a block is at rest; s that it may take
STATE = ("position", "orientation", "velocity", "angular_velocity")
State = dict[str, NDArray[np.float64]]


def empty(edge: float = EDGE, flowing: bool = False) -> rc.World:
    lean = math.radians(45) if flowing else 0.0
    world = rc.World(gravity=(9.81 * math.sin(lean), 0, -9.81 * math.cos(lean)))
    world.add_plane()
    world.set_contact_law(rc.ContactLaw(sliding=0.6, rolling=0.005, spinning=0.005))
    world.set_periodic(x=(0.0, edge), y=(0.0, edge))
    return world


def add_spheres(world: rc.World, state: State) -> None:
    world.add_grid(
        shape="sphere", radius=D / 2, density=2028, counts=(len(state["position"]), 1, 1),
        spacing=2 * D, origin=(0, 0, D),
    )  # fmt: skip
    for name in STATE:
        getattr(world.state, name)[1:] = state[name]


def state_of(world: rc.World) -> State:
    return {name: getattr(world.state, name)[1:].copy() for name in STATE}


@functools.cache
def at_rest() -> State:
    """The block, as it comes to rest."""
    world = empty()
    world.add_packing(
        shape="sphere", radius=D / 2, density=2028, count=LAYERS * ACROSS**2, seed=LAYERS,
        low=(0, 0, 0), high=(EDGE, EDGE, 3.2 * LAYERS * D),
    )  # fmt: skip
    simulation = rc.Simulation(world, step=STEP, record_every=10**6)
    while simulation.time < LONGEST and (simulation.time < 1.0 or fastest(world) > REST):
        simulation.advance(simulation.time + 0.1)
    if fastest(world) > REST:
        raise RuntimeError(f"the block still moves by {fastest(world):.0e} m/s")
    return state_of(world)


def fastest(world: rc.World) -> float:
    return float(np.abs(world.state.velocity).max())


@functools.cache
def flowing() -> State:
    """The block, half a second after gravity leans."""
    world = empty(flowing=True)
    add_spheres(world, at_rest())
    rc.Simulation(world, step=STEP, record_every=10**6).advance(0.5)
    return state_of(world)


def bed(spheres: int, flows: bool = False) -> rc.World:
    """About so many: a square number of blocks."""
    block = flowing() if flows else at_rest()
    one = len(block["position"])
    side = min(max(1, round(math.sqrt(spheres / one))), math.isqrt(MOST // one))
    corners = EDGE * np.array([(i, j, 0) for i in range(side) for j in range(side)])
    many = {name: np.tile(values, (side * side, 1)) for name, values in block.items()}
    many["position"] += np.repeat(corners, one, axis=0)
    world = empty(side * EDGE, flows)
    add_spheres(world, many)
    return world


def lattice(layers: int, across: int = 20) -> rc.World:
    """Each sphere on four of the layer below: reactions are known, and all contacts alike."""
    apart = 1.002 * D  # so that neighbours of one layer do not touch
    world = empty(across * apart)
    for layer in range(layers):
        first = (0.25 + 0.5 * (layer % 2)) * apart
        height = D / 2 + layer * math.sqrt(D * D - apart * apart / 2)
        world.add_grid(
            shape="sphere", radius=D / 2, density=2028, counts=(across, across, 1), spacing=apart,
            origin=(first, first, height),
        )  # fmt: skip
    return world
