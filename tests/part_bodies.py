"""Bodies that are made of parts, which several tests share."""

from __future__ import annotations

import numpy as np

import rollcone as rc

BLOB = np.random.default_rng(0).normal(size=(20, 3)) * 0.3


def torus(large: float, small: float, around: int = 48, across: int = 24):
    """Vertices and triangles, about z."""
    u, v = np.meshgrid(
        2 * np.pi * np.arange(around) / around, 2 * np.pi * np.arange(across) / across,
        indexing="ij",
    )  # fmt: skip
    ring = large + small * np.cos(v)
    vertices = np.stack([ring * np.cos(u), ring * np.sin(u), small * np.sin(v)], axis=-1)
    number = np.arange(around * across).reshape(around, across)
    b, d = np.roll(number, -1, axis=0), np.roll(number, -1, axis=1)
    c = np.roll(b, -1, axis=1)
    triangles = np.stack([np.stack([number, b, c], -1), np.stack([number, c, d], -1)])
    return vertices.reshape(-1, 3), triangles.reshape(-1, 3)


PARTS = [
    {"shape": "box", "size": (1, 0.2, 0.2)},
    {"shape": "sphere", "radius": 0.2, "position": (1.5, 0, 0)},
    {
        "shape": "cylinder", "radius": 0.15, "height": 0.5, "position": (-1.5, 0, 0),
        "orientation": (0.8, 0.6, 0, 0),
    },
    {"shape": "cone", "radius": 0.15, "height": 0.3, "position": (0, 0, 1)},
    {"shape": "capsule", "radius": 0.1, "length": 0.3, "position": (0, 2, 0)},
    {"shape": "ellipsoid", "semi_axes": (0.1, 0.3, 0.1), "position": (0, -2, 0)},
    {"shape": "convex", "points": BLOB, "position": (0, 0, -2), "orientation": (0.6, 0, 0.8, 0)},
]  # fmt: skip


def world_of_parts(*, mesh: bool = True) -> rc.World:
    """One of each shape, on and above a floor; the mesh is a ring that is held."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.set_contact_law(rc.ContactLaw(sliding=0.5))
    world.add_plane()
    world.add_cone(radius=0.3, height=0.8, density=1000, position=(0, 0, 0.21), name="cone")
    world.add_convex(points=BLOB, density=1000, position=(2, 0, 0.8), name="blob")
    world.add_convex(points=0.5 * BLOB, density=1000, position=(2, 3, 0.8), name="small")
    world.add_compound(parts=PARTS, density=1000, position=(7, 0, 3), name="tool")
    if mesh:
        vertices, triangles = torus(0.4, 0.1)
        world.add_mesh(
            vertices=vertices, triangles=triangles, fixed=True, position=(-2, 0, 0.5), name="ring"
        )
    heights = 0.2 * np.random.default_rng(1).random((5, 7))
    world.add_height_field(heights=heights, size=(2, 3), position=(-6, 0, 0), name="ground")
    return world
