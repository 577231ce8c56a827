"""Small worlds that several tests simulate, and plain twins of what is measured in them."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

import rollcone as rc

G = 9.81
RADIUS, DENSITY = 0.5, 2500.0


def floor_world(law: rc.ContactLaw | None = None, gravity: float = G) -> rc.World:
    """A floor at z = 0, in gravity along -z."""
    world = rc.World(gravity=(0, 0, -gravity))
    world.add_plane(name="floor")
    world.set_contact_law(rc.ContactLaw() if law is None else law)
    return world


def ball_on_floor(
    law: rc.ContactLaw | None = None, height: float = 0.0, **options
) -> tuple[rc.World, rc.Body]:
    """The sphere of Acary and Bourrier 2021, section 6.1, at a height above the floor."""
    world = floor_world(law)
    given = {"density": DENSITY, "position": (0, 0, RADIUS + height), "name": "ball"} | options
    return world, world.add_sphere(radius=RADIUS, **given)


def heap(
    count: int, law: rc.ContactLaw, seed: int = 1, speed: float = 1.0
) -> tuple[rc.World, list[rc.Body]]:
    """Balls of different sizes at random places over a floor, thrown at random, not overlapping."""
    rng = np.random.default_rng(seed)
    world = floor_world(law)
    balls = []
    for k in range(count):
        radius = rng.uniform(0.05, 0.1)
        place = [*rng.uniform(-0.1, 0.1, 2), 0.1 + 0.21 * k]
        balls.append(
            world.add_sphere(
                radius=radius,
                density=1000,
                position=place,
                velocity=speed * rng.normal(size=3),
                angular_velocity=5 * speed * rng.normal(size=3),
            )
        )
    return world, balls


def matrix(q) -> np.ndarray:
    """R(q) of a quaternion (w, x, y, z) by SciPy."""
    return Rotation.from_quat(np.roll(q, -1)).as_matrix()


def inertia_tensors(world: rc.World, orientation) -> np.ndarray:
    """Inertia of every body in world axes (n, 3, 3), for orientations (n, 4)."""
    state = world.state
    tensors = np.zeros((len(state), 3, 3))
    for i in range(len(state)):
        axes = matrix(orientation[i]) @ matrix(state.principal[i])
        tensors[i] = axes @ np.diag(state.inertia[i]) @ axes.T
    return tensors


def kinetic_energy(world: rc.World, orientation, velocity, omega) -> float:
    """sum (m |v|^2 + w.I w) / 2, of the dynamic bodies."""
    total = 0.0
    for i, tensor in enumerate(inertia_tensors(world, orientation)):
        total += 0.5 * world.state.mass[i] * velocity[i] @ velocity[i]
        total += 0.5 * omega[i] @ tensor @ omega[i]
    return total


def angular_momentum(world: rc.World, position, orientation, velocity, omega) -> np.ndarray:
    """About the origin, of the dynamic bodies (3,)."""
    total = np.zeros(3)
    for i, tensor in enumerate(inertia_tensors(world, orientation)):
        total += world.state.mass[i] * np.cross(position[i], velocity[i]) + tensor @ omega[i]
    return total
