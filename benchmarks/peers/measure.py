"""One program through one scene: what it costs, and how good the heap is.

Each run_NAME.py gives `main` a class with the methods of `Engine`, and is started as

    python -m benchmarks.peers.run_NAME scene.npz '{"setting": value}' [final.npy]

It prints one line of JSON; final.npy is given the positions at the end. Time is that of `advance`
alone, without import, entering of spheres and sampling.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from scipy.spatial import cKDTree

from benchmarks.peers.scene import DIAMETER, FRAME, INERTIA, MASS, RADIUS, Scene, load

REST = 0.5  # s: the end of a run, over which creep and overlap at rest are taken


class Engine(Protocol):
    def add(self, position: np.ndarray, velocity: np.ndarray) -> None:
        """Spheres enter."""

    def advance(self, seconds: float) -> None:
        """A whole multiple of FRAME."""

    def state(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Positions, velocities and angular velocities, in the order of entering."""

    def overlap(self) -> float:
        """The engine's own, the worst since the last call (m); 0 if it keeps none."""


def overlap(scene: Scene, position: np.ndarray) -> float:
    """The deepest between spheres, and of a sphere in a wall, m."""
    pairs = cKDTree(position).query_pairs(DIAMETER, output_type="ndarray")
    between = np.linalg.norm(position[pairs[:, 0]] - position[pairs[:, 1]], axis=1)
    worst = DIAMETER - between.min(initial=DIAMETER)
    for point, normal in scene.walls():
        worst = max(worst, RADIUS - ((position - point) @ normal).min(initial=np.inf))
    return float(worst)


def kinetic_energy(velocity: np.ndarray, angular: np.ndarray) -> float:
    return float(0.5 * (MASS * (velocity**2).sum() + INERTIA * (angular**2).sum()))


def measure(engine: Engine, scene: Scene) -> tuple[dict[str, Any], np.ndarray]:
    """Figures for the tables, and the last positions."""
    frames, every = round((scene.lead + scene.duration) / FRAME), round(scene.every / FRAME)
    lead, rest = round(scene.lead / FRAME), frames - round(REST / FRAME)
    entered, cpu, wall, done = 0, 0.0, 0.0, 0
    moving, resting, rested = 0.0, 0.0, None
    while done < frames:
        due = int(np.searchsorted(scene.time, (done + 0.5) * FRAME))
        if due > entered:
            engine.add(scene.position[entered:due], scene.velocity[entered:due])
            entered = due
        next_entry = round(scene.time[due] / FRAME) if due < len(scene.time) else frames
        goal = min(done + every, next_entry, frames)
        if done < rest:
            goal = min(goal, rest)
        if done < lead:
            goal = min(goal, lead)
        clock = time.process_time(), time.perf_counter()
        engine.advance((goal - done) * FRAME)
        if done >= lead:
            cpu += time.process_time() - clock[0]
            wall += time.perf_counter() - clock[1]
        done = goal
        position, velocity, angular = engine.state()
        worst = max(overlap(scene, position), engine.overlap())
        if done <= rest:
            moving = max(moving, worst if done > lead else 0.0)
            rested = position.copy() if done == rest else rested
        else:
            resting = max(resting, worst)
    assert rested is not None
    creep = np.linalg.norm(position - rested, axis=1).max()
    figures = {
        "spheres": entered,
        "cpu": cpu / scene.duration,
        "wall": wall / scene.duration,
        "moving": moving / DIAMETER,
        "resting": resting / DIAMETER,
        "energy": kinetic_energy(velocity, angular),
        "creep": creep / DIAMETER,
        "height": float(position[:, 2].max() + RADIUS),
        "mean_height": float(position[:, 2].mean()),
        "finite": bool(np.isfinite(position).all()),
    }
    return figures, position


def main(make: Callable[[Scene, dict[str, Any]], Engine], arguments: list[str]) -> None:
    scene, settings = load(arguments[0]), json.loads(arguments[1])
    figures, position = measure(make(scene, settings), scene)
    if len(arguments) > 2:
        np.save(arguments[2], position)
    print(json.dumps(figures))
    sys.stdout.flush()
