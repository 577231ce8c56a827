"""What scenes are made with: their register, arrays that are kept of a run, shared worlds."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

import rollcone as rc

Arrays = dict[str, np.ndarray]
STATES = ("position", "orientation", "velocity", "angular_velocity")
COLUMNS = (
    "residual", "residual_speed", "iterations", "contact_count", "unconverged", "overlap", "drift",
    "limits", "passes", "unfinished", "tempered",
)  # fmt: skip
ENERGIES = (
    "kinetic", "potential", "applied", "damping", "drive", "sliding", "rolling", "contour",
    "spinning", "impact", "gained", "joints", "correction",
)  # fmt: skip
CONTACTS = ("bodies", "gap", "normal", "point", "impulse", "velocity", "mode")

SLIDING = rc.ContactLaw(sliding=0.4)
ROLLING = rc.ContactLaw(sliding=0.4, rolling=0.004, spinning=0.002)
GRAVITY = (0, 0, -9.81)
CORNERS = np.array([(0, 0, 0), (0.3, 0, 0), (0, 0.25, 0), (0.05, 0.05, 0.28)])
FACES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]

SCENES: dict[str, Callable[[], Arrays]] = {}


def scene(function: Callable[[], Arrays]) -> Callable[[], Arrays]:
    """Register a scene under the name of its function."""
    SCENES[function.__name__] = function
    return function


def arrays_of(run: rc.Run) -> Arrays:
    """Return all that a run has recorded, but for times by the clock; contacts of the last step."""
    found = {"time": run.time}
    found |= {name: run.states(name)[:] for name in STATES}
    found |= {name: getattr(run, name) for name in COLUMNS}
    found |= {name: getattr(run.energy, name) for name in ENERGIES}
    if run.contact_level == "full":
        contacts = run.contacts(-1)
        found |= {f"contact {name}": getattr(contacts, name) for name in CONTACTS}
    if run.contact_level == "summary":
        found |= {f"all {name}": values for name, values in run.contact_summary().items()}
    for name in (joint.name for _, joint in run.world.joints):
        track = run.joint(name)
        found |= {f"{name} {field}": getattr(track, field) for field in ("force", "torque")}
        for field in ("coordinate", "rate", "effort"):
            values = getattr(track, field)
            found |= {f"{name} {field} {key}": values[key] for key in sorted(values)}
    return found


def simulated(world: rc.World, steps: int, step: float = 5e-3, **settings: object) -> Arrays:
    """Simulate a number of steps and return the arrays of the run."""
    return arrays_of(rc.simulate(world, until=steps * step, step=step, **settings))


def several(cases: dict[str, Arrays]) -> Arrays:
    """Join the arrays of several cases, each name headed by that of its case."""
    return {
        f"{case}: {name}": array for case, found in cases.items() for name, array in found.items()
    }


def floor(law: rc.ContactLaw = SLIDING, **plane: object) -> rc.World:
    """Return a world with a floor at z = 0 in gravity along -z."""
    world = rc.World(gravity=GRAVITY)
    world.add_plane(name="floor", **plane)
    world.set_contact_law(law)
    return world


def thrown_balls(count: int, law: rc.ContactLaw, seed: int = 1, speed: float = 1.0) -> rc.World:
    """Return balls of different sizes in a column, thrown at random between four narrow walls."""
    rng = np.random.default_rng(seed)
    world = rc.World(gravity=GRAVITY)
    world.set_contact_law(law)
    world.add_container(shape="tray", size=(0.42, 0.42, 1.0), walls="planes")
    for k in range(count):
        world.add_sphere(
            radius=rng.uniform(0.05, 0.1), density=1000,
            position=(*rng.uniform(-0.1, 0.1, 2), 0.1 + 0.21 * k),
            velocity=speed * rng.normal(size=3), angular_velocity=5 * speed * rng.normal(size=3),
        )  # fmt: skip
    return world


def bed(law: rc.ContactLaw, counts: tuple[int, int, int]) -> rc.World:
    """Return a block of touching spheres on a floor, sheared by their velocities."""
    world = floor(law)
    world.add_grid(
        shape="sphere", radius=0.05, density=2500, counts=counts, spacing=0.1, origin=(0, 0, 0.05)
    )
    world.state.velocity[1:, 0] = np.linspace(-0.02, 0.02, math.prod(counts))
    return world


def every_shape(law: rc.ContactLaw, bowl: bool = False) -> rc.World:
    """Return one body of each shape above a floor, in two layers that meet as they fall.

    In a bowl there are only the shapes that can touch it.
    """
    world = rc.World(gravity=GRAVITY)
    world.set_contact_law(law)
    if bowl:
        world.add_bowl(radius=2.0)
    else:
        world.add_plane()
    add = [
        partial(world.add_sphere, radius=0.1),
        partial(world.add_box, size=(0.2, 0.16, 0.12)),
        partial(world.add_capsule, radius=0.06, length=0.2),
        partial(world.add_clump, spheres=[(0, 0, 0, 0.08), (0.1, 0, 0, 0.06), (0, 0.08, 0, 0.05)]),
        partial(world.add_disk, radius=0.12, thickness=0.04, edge_radius=0.01),
    ]
    if not bowl:
        parts = [
            {"shape": "box", "size": (0.2, 0.08, 0.08)},
            {"shape": "capsule", "radius": 0.03, "length": 0.2, "position": (0, 0, 0.12)},
        ]
        add += [
            partial(world.add_cylinder, radius=0.08, height=0.15),
            partial(world.add_cone, radius=0.1, height=0.2),
            partial(world.add_ellipsoid, semi_axes=(0.12, 0.08, 0.06)),
            partial(world.add_convex, points=CORNERS),
            partial(world.add_compound, parts=parts),
            partial(world.add_mesh, vertices=CORNERS, triangles=FACES),
        ]
    for k, body in enumerate(add):
        row, layer = divmod(k, 2)
        body(
            density=1000, position=(0.24 * (row - 1), 0.03 * k - 0.1, 0.22 + 0.3 * layer),
            orientation=rc.rotation((1, k, 2), 35 * k + 10), velocity=(0.3, -0.1 * layer, -1.0),
            angular_velocity=(1, 2 - k, 0.5 * k),
        )  # fmt: skip
    return world


def ground() -> dict[str, object]:
    """Return the arguments of a height field with two gentle hills."""
    x, y = np.meshgrid(np.linspace(-1, 1, 13), np.linspace(-1, 1, 13), indexing="ij")
    return {"heights": np.round(0.06 * np.cos(3 * x) * np.cos(2 * y), 4), "size": (2.4, 2.4)}


def resumed(world: rc.World, steps: int, step: float = 5e-3) -> Arrays:
    """Return the arrays of a run that is resumed halfway, which must be those of a whole run."""
    whole = simulated(world, steps, step)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.h5"
        rc.simulate(world, until=(steps // 2) * step, step=step, output=path)
        again = arrays_of(rc.resume(path, until=steps * step))
    assert all(whole[name].tobytes() == again[name].tobytes() for name in whole)
    return again


def by_two_threads(world: rc.World, steps: int) -> Arrays:
    """Return the arrays of a run by two threads, which must be those of a run by one."""
    before = rc.threads()
    try:
        rc.set_threads(1)
        one = simulated(world, steps, 2e-3, tolerance=1e-6)
        rc.set_threads(2)
        two = simulated(world, steps, 2e-3, tolerance=1e-6)
    finally:
        rc.set_threads(before)
    assert all(one[name].tobytes() == two[name].tobytes() for name in one)
    return two
