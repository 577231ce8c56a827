"""Simulations whose bits are compared between threads and processes; can be imported by both."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np

import rollcone as rc

FINGERPRINTS = Path(__file__).with_name("fingerprints.json")
KINDS = ("pouring", "block", "linkage")


def world_of(kind: str) -> rc.World:
    """An emitter and friction of every kind; enough contacts for several threads; joints."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane()
    world.set_contact_law(rc.ContactLaw(sliding=0.4, rolling=0.004, spinning=0.002))
    if kind == "pouring":
        world.add_capsule(
            radius=0.05, length=0.2, density=800, position=(0, 0, 0.3), angular_velocity=(1, 2, 9)
        )
        world.add_emitter(
            shape="sphere", radius=(0.05, 0.07), density=1000, low=(-0.2, -0.2, 0.4),
            high=(0.2, 0.2, 0.6), rate=50, count=8, seed=5,
        )  # fmt: skip
    elif kind == "block":
        world.add_grid(
            shape="sphere", radius=0.05, density=2500, counts=(10, 10, 10), spacing=0.1,
            origin=(0, 0, 0.05),
        )  # fmt: skip
        world.state.velocity[1:, 0] = np.linspace(-0.02, 0.02, 1000)
    else:
        before = None
        for k in range(3):
            body = world.add_sphere(radius=0.1, mass=1, position=(0.3 * k + 0.3, 0, 1))
            base = {} if before is None else {"base": before}
            world.add_joint(
                kind="revolute", body=body, point=(0.3 * k, 0, 1), axis=(0, 1, 0), **base
            )
            before = body
    return world


def settings_of(kind: str) -> dict[str, float]:
    """Some tens of steps, or few of many contacts."""
    return {"step": 2e-3, "until": 0.012 if kind == "block" else 0.3}


def bits(run: rc.Run) -> str:
    """Of all states and residuals."""
    digest = hashlib.sha256()
    for name in ("position", "orientation", "velocity", "angular_velocity"):
        digest.update(np.ascontiguousarray(run.states(name)[:]).tobytes())
    digest.update(run.residual.tobytes())
    return digest.hexdigest()


def simulated(kind: str, threads: int | None = None) -> str:
    if threads is not None:
        rc.set_threads(threads)
    return bits(rc.simulate(world_of(kind), **settings_of(kind)))


if __name__ == "__main__":
    found = {kind: simulated(kind, 1) for kind in KINDS}
    FINGERPRINTS.write_text(json.dumps(found, indent=2) + "\n")
