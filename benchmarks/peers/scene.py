"""The scenes that all programs are given: spheres of 45 mm, with the moments at which they enter.

A pour: layers of 36 enter 1 m above a plane, one every 45 ms at 1.5 m/s downward, 800 spheres per
second, each layer with an offset and each sphere with a jitter of its own. A bed: loose spheres in
an open box, to be settled. Runs in any Python with NumPy, whatever program it has besides.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

RADIUS, DENSITY, GRAVITY = 0.0225, 2028.0, 9.81
DIAMETER = 2 * RADIUS
MASS = DENSITY * 4 / 3 * np.pi * RADIUS**3
INERTIA = 0.4 * MASS * RADIUS**2
SLIDING, TURNING = 0.6, 0.01  # mu; rho and sigma in metres
FRAME = 5e-3  # s: spheres enter at whole multiples of it

LAYER, ROW = 36, 6
PITCH = 1.35 * DIAMETER
PERIOD = 9 * FRAME


@dataclass(frozen=True)
class Scene:
    """Spheres enter at `time` (s) with `position` and `velocity`."""

    name: str
    time: np.ndarray  # (spheres,), rising
    position: np.ndarray  # (spheres, 3), m
    velocity: np.ndarray  # (spheres, 3), m/s
    width: float  # of the box with its floor at z = 0 and open above, m; infinite: a plane alone
    lead: float  # s that pass before anything is measured
    duration: float  # s that are measured
    every: float  # s between samples

    def save(self, path: Path) -> None:
        np.savez(path, **asdict(self))

    def walls(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Point and inward normal of every plane."""
        planes = [(np.zeros(3), np.array([0.0, 0.0, 1.0]))]
        if np.isfinite(self.width):
            for axis in (0, 1):
                for sign in (-1.0, 1.0):
                    normal = np.zeros(3)
                    normal[axis] = -sign
                    planes.append((-0.5 * self.width * normal, normal))
        return planes


def load(path: str | Path) -> Scene:
    with np.load(path) as data:
        values = {name: data[name] for name in data.files}
    return Scene(**{name: value if value.ndim else value.item() for name, value in values.items()})


def pour(spheres: int, duration: float = 3.0, seed: int = 1) -> Scene:
    random = np.random.default_rng(seed)
    layer, place = np.divmod(np.arange(spheres), LAYER)
    offset = random.uniform(-0.5, 0.5, (layer.max() + 1, 2)) * PITCH
    jitter = random.uniform(-0.15, 0.15, (spheres, 2)) * DIAMETER
    grid = np.column_stack(np.divmod(place, ROW)) - 0.5 * (ROW - 1)
    across = PITCH * grid + offset[layer] + jitter
    return Scene(
        name=f"pour of {spheres:,}",
        time=np.round(layer * PERIOD / FRAME) * FRAME,
        position=np.column_stack([across, np.full(spheres, 1.0)]),
        velocity=np.tile([0.0, 0.0, -1.5], (spheres, 1)),
        width=np.inf,
        lead=0.0,
        duration=duration,
        every=FRAME,
    )


def tray(spheres: int, duration: float) -> Scene:
    """The same pour into a tray of 2 m x 2 m, as heap-of-gravel has it, from half a metre higher,
    since heaps of 10,000 are a metre high; sampled less often."""
    low = pour(spheres, duration)
    place = low.position + np.array([0.0, 0.0, 0.5])
    return replace(low, name=f"{spheres:,} into a tray", position=place, width=2.0, every=0.05)


def loose_bed(spheres: int, seed: int = 1) -> Scene:
    """About ten diameters deep, whatever its size; 2 s are enough for it to settle."""
    random = np.random.default_rng(seed)
    pitch = 1.25 * DIAMETER
    row = round(9 * (spheres / 1000) ** 0.5)
    layer, place = np.divmod(np.arange(spheres), row * row)
    grid = np.column_stack([*np.divmod(place, row), layer]) + 0.5
    grid[:, :2] -= 0.5 * row
    return Scene(
        name=f"bed of {spheres:,}",
        time=np.zeros(spheres),
        position=pitch * grid + random.uniform(-0.12, 0.12, (spheres, 3)) * DIAMETER,
        velocity=random.uniform(-0.3, 0.3, (spheres, 3)),
        width=pitch * row,
        lead=0.0,
        duration=2.0,
        every=0.05,
    )


def settled_bed(loose: Scene, position: np.ndarray, overlap: float) -> Scene:
    """A second to measure, after half a second in which each program comes to a rest of its own.

    `overlap` is the worst of `position` (m): all is spread by as much, and the box made to fit, so
    that nothing overlaps.
    """
    place = position * DIAMETER / (DIAMETER - overlap)
    place[:, 2] += RADIUS - place[:, 2].min()
    return Scene(
        name=f"settled {loose.name}",
        time=np.zeros(len(position)),
        position=place,
        velocity=np.zeros_like(place),
        width=max(loose.width, 2 * float(np.abs(place[:, :2]).max()) + DIAMETER),
        lead=0.5,
        duration=1.0,
        every=0.05,
    )
