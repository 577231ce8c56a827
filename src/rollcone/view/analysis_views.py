"""From where an analysis is looked at: the plane of gravity in which most happens, from above as
well if something happens across it, and from the front if bodies turn about the axis that neither
view looks along."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.acceleration.motion import Motion
from rollcone.mechanics.bodies import DYNAMIC
from rollcone.mechanics.world import World

_BEHIND = 0.1  # of the distances of bodies that move: that across the view
_ACROSS = 0.05  # of the largest: forces or accelerations that a view along them would hide


@dataclass(frozen=True, eq=False)
class Sight:
    """A view: turn (3, 3) has the rows right, away from the viewer, up."""

    turn: FloatArray
    name: str

    def flat(self, points: FloatArray) -> FloatArray:
        """Right and up (..., 2) of points or directions (..., 3)."""
        return np.asarray(points @ self.turn[[0, 2]].T)

    @property
    def labels(self) -> tuple[str, str]:
        """Of the axes."""
        return _axis_name(self.turn[0]), _axis_name(self.turn[2])


def sights(world: World, motion: Motion | None) -> list[Sight]:
    """One view, two or three."""
    up, across = _frame(world)
    active = [_activity(world, motion, axis) for axis in across]
    main, other = (across[0], across[1]) if active[0] >= active[1] else (across[1], across[0])
    found = [_sight(main, up, "from the side")]
    if _behind(world, other) or (motion is not None and _hidden(motion, main, up, other)):
        right, ahead = across if np.cross(across[0], across[1]) @ up > 0.0 else across[::-1]
        found.append(_sight(right, ahead, "from above"))
        if motion is not None and _turning(motion, np.array([main])) > _ACROSS:
            found.append(_sight(other, up, "from the front"))
    return found


def _sight(right: FloatArray, up: FloatArray, name: str) -> Sight:
    return Sight(np.array([right, np.cross(up, right), up]), name)


def _frame(world: World) -> tuple[FloatArray, list[FloatArray]]:
    """Up, and two directions across it that are axes of the world where that can be."""
    size = float(np.linalg.norm(world.gravity))
    up = -np.asarray(world.gravity) / size if size > 0.0 else np.array([0.0, 0.0, 1.0])
    axes = sorted(np.eye(3), key=lambda axis: abs(float(axis @ up)))[:2]
    first = axes[0] - (axes[0] @ up) * up
    first /= np.linalg.norm(first)
    second = np.cross(up, first)
    return up, sorted((first, second * np.sign(second.sum() or 1.0)), key=lambda d: -d[0])


def _vectors(motion: Motion) -> list[FloatArray]:
    """Forces of contacts and accelerations of bodies (k, 3) in world axes."""
    places, v = motion.problem.places, motion.accelerations.reshape(-1, 6)
    assert places is not None
    forces = np.einsum("ck,ckj->cj", motion.forces[:, :3], places.frames)
    return [forces, v[:, :3]]


def _activity(world: World, motion: Motion | None, axis: FloatArray) -> float:
    """What is seen along an axis: extent, forces, accelerations, each as a share."""
    points = world.state.position[world.state.kind == DYNAMIC]
    total = 0.0
    if motion is not None and motion.problem.places is not None:
        points = np.concatenate([points, motion.problem.places.point])
        for vectors in _vectors(motion):
            most = float(np.abs(vectors).max(initial=0.0))
            total += float(np.abs(vectors @ axis).max(initial=0.0)) / most if most > 0.0 else 0.0
    extent = float(np.ptp(points, axis=0).max(initial=0.0))
    return total + (float(np.ptp(points @ axis)) / extent if extent > 0.0 else 0.0)


def _behind(world: World, other: FloatArray) -> bool:
    """Are bodies that move behind each other?"""
    points = world.state.position[world.state.kind == DYNAMIC]
    extent = float(np.ptp(points, axis=0).max(initial=0.0)) if len(points) else 0.0
    return len(points) > 1 and float(np.ptp(points @ other)) > _BEHIND * extent > 0.0


def _hidden(motion: Motion, main: FloatArray, up: FloatArray, other: FloatArray) -> bool:
    """Does something happen across the first view?"""
    problem = motion.problem
    unit = float(np.abs(problem.free_accelerations).max(initial=0.0))
    forces, linear = _vectors(motion)
    shares = [
        np.abs(forces.sum(axis=0) @ other) / max(np.abs(forces).max(initial=0.0), 1e-300),
        np.abs(linear @ other).max(initial=0.0)
        / max(np.abs(linear).max(initial=0.0), unit, 1e-300),
        _turning(motion, np.array([main, up])),
        _pushed(forces, other),
    ]
    return bool(max(shares) > _ACROSS)


def _turning(motion: Motion, axes: FloatArray) -> float:
    """Angular accelerations about axes (k, 3), as a share of the largest."""
    angular = motion.accelerations.reshape(-1, 6)[:, 3:]
    unit = float(np.abs(motion.problem.free_accelerations).max(initial=0.0))
    most = max(float(np.abs(angular).max(initial=0.0)), unit, 1e-300)
    return float(np.abs(angular @ axes.T).max(initial=0.0)) / most


def _pushed(forces: FloatArray, other: FloatArray) -> float:
    """Forces mostly across the view: such as those of fingers around a part."""
    sizes = np.linalg.norm(forces, axis=1)
    strong = sizes > 0.5 * sizes.max(initial=0.0)
    share = np.abs(forces[strong] @ other) / np.maximum(sizes[strong], 1e-300)
    return float((share > 0.7).any())


def _axis_name(direction: FloatArray) -> str:
    for name, axis in zip("xyz", np.eye(3), strict=True):
        if abs(float(direction @ axis)) > 1.0 - 1e-12:
            return f"{name} (m)" if direction @ axis > 0.0 else f"-{name} (m)"
    return f"along ({', '.join(f'{part:.2g}' for part in direction + 0.0)}) (m)"
