"""What the process of a program does.

    python -m benchmarks.peers_mechanisms.run_NAME 'mechanism' '{"step": 5e-3}' samples.npz

runs the mechanism, keeps position, orientation (w first), velocity and angular velocity of all
bodies every 5 ms in the file, and prints a line of JSON: microseconds of CPU per step, the best of
five runs of the first half second. Runs in any Python with NumPy.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from benchmarks.peers_mechanisms.scenes import FRAME, MECHANISMS, Mechanism

NAMES = ("position", "orientation", "velocity", "angular_velocity")
SHORT, TURNS = 100, 5  # frames, runs that are timed
State = tuple[np.ndarray, ...]


class Engine(Protocol):
    def advance(self, frames: int) -> None:
        """So many times 5 ms."""

    def state(self) -> State:
        """Arrays (n, 3), (n, 4), (n, 3), (n, 3), by `NAMES`."""


Make = Callable[[Mechanism, dict[str, Any]], Engine]


def sampled(engine: Engine, frames: int) -> dict[str, np.ndarray]:
    states = [engine.state()]
    for _ in range(frames):
        engine.advance(1)
        states.append(engine.state())
    return dict(zip(NAMES, map(np.array, zip(*states, strict=True)), strict=True))


def cpu(engine: Engine, frames: int) -> float:
    """Seconds, at one go."""
    clock = time.process_time()
    engine.advance(frames)
    return time.process_time() - clock


def substeps(settings: dict[str, Any]) -> int:
    """In a frame."""
    return round(FRAME / settings["step"])


def main(make: Make, arguments: list[str]) -> None:
    mechanism, settings = MECHANISMS[arguments[0]], json.loads(arguments[1])
    samples = sampled(make(mechanism, settings), mechanism.frames)
    np.savez(arguments[2], **samples)
    finite = all(np.isfinite(values).all() for values in samples.values())
    best = min(cpu(make(mechanism, settings), SHORT) for _ in range(TURNS))
    us = 1e6 * best / (SHORT * substeps(settings))
    print(json.dumps({"us": us, "finite": bool(finite)}))
