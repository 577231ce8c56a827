"""What samples of a run say: how far hinges are open, energy, position, creep, the stop."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.spatial.transform import Rotation

from benchmarks.peers_mechanisms.scenes import FRAME, Mechanism, rod_ways

LAST = 5.0  # s at the end of a run, over which creep is taken


def figures(
    mechanism: Mechanism, samples: Mapping[str, np.ndarray], angles: np.ndarray, rates: np.ndarray
) -> dict[str, float]:
    """`angles` and `rates` are the reference's.

    drift     the widest gap of a hinge (m)
    energy    the worst error, over the largest kinetic energy; where it is conserved
    position  the worst error of a centre as long as positions are compared (m)
    creep     where friction holds at the end: mean speed then (rad/s)
    past      a stop: by how much at the end, and at worst (rad)
    """
    found = {"drift": drift(mechanism, samples)}
    until = round(mechanism.compared / FRAME) + 1
    error = samples["position"] - centers(mechanism, angles)
    found["position"] = float(np.linalg.norm(error[:until], axis=2).max())
    turned = angle_about_hinge(samples["orientation"][:, 0])
    if mechanism.friction:
        last = round(LAST / FRAME)
        found["creep"] = float(abs(turned[-1] - turned[-1 - last]) / LAST)
    elif mechanism.stop is not None:
        found["past"] = float(turned[-1] - mechanism.stop)
        found["past at worst"] = float(turned.max() - mechanism.stop)
    else:
        total = energy(mechanism, samples)
        scale = largest_kinetic(mechanism, angles, rates)
        found["energy"] = float(np.abs(total - total[0]).max() / scale)
    return found


def centers(mechanism: Mechanism, angles: np.ndarray) -> np.ndarray:
    """(..., n, 3)."""
    ways = rod_ways(mechanism, angles)
    return np.asarray(np.cumsum(ways, axis=-2) - 0.5 * ways)


def drift(mechanism: Mechanism, samples: Mapping[str, np.ndarray]) -> float:
    """Of the first hinge, those between rods, and the last."""
    place, turn = samples["position"], samples["orientation"]
    begins, ends = [], []
    for k, way in enumerate(mechanism.ways):
        half = Rotation.from_quat(np.roll(turn[:, k], -1, axis=1)).apply(0.5 * way)
        begins.append(place[:, k] - half)
        ends.append(place[:, k] + half)
    gaps = [begins[0], *(b - a for a, b in zip(ends, begins[1:], strict=False))]
    if mechanism.closed:
        gaps.append(ends[-1] - mechanism.corners[-1])
    return float(np.linalg.norm(gaps, axis=2).max())


def energy(mechanism: Mechanism, samples: Mapping[str, np.ndarray]) -> np.ndarray:
    mass, inertia = (
        np.array([getattr(rod, name) for rod in mechanism.rods]) for name in ("mass", "inertia")
    )
    height = samples["position"][..., 2] * mechanism.gravity
    moving = 0.5 * (samples["velocity"] ** 2).sum(axis=2)
    turning = 0.5 * (samples["angular_velocity"] ** 2).sum(axis=2)
    return np.asarray((height + moving) @ mass + turning @ inertia)


def largest_kinetic(mechanism: Mechanism, angles: np.ndarray, rates: np.ndarray) -> float:
    """Of the reference."""
    mass, inertia = (
        np.array([getattr(rod, name) for rod in mechanism.rods]) for name in ("mass", "inertia")
    )
    ahead = rates[..., None] * rod_ways(mechanism, angles + 0.5 * np.pi)
    velocity = np.cumsum(ahead, axis=1) - 0.5 * ahead
    return float((0.5 * (velocity**2).sum(axis=2) @ mass + 0.5 * rates**2 @ inertia).max())


def angle_about_hinge(orientation: np.ndarray) -> np.ndarray:
    """(frames,), by which a body has turned, from -pi to pi."""
    turned = -2.0 * np.arctan2(orientation[:, 2], orientation[:, 0])
    return np.asarray((turned + np.pi) % (2.0 * np.pi) - np.pi)
