"""Scenes of a few bodies, and plain twins of what collision computes about them."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace

import numpy as np
from scipy.optimize import lsq_linear, minimize_scalar
from scipy.spatial.transform import Rotation

from rollcone.collision.clumps import Clumps
from rollcone.collision.contacts import Contacts
from rollcone.collision.detect import Detector
from rollcone.collision.general import Context
from rollcone.collision.parts import Parts
from rollcone.collision.shapes import BOX, PLANE, SPHERE

DYNAMIC, FIXED, REMOVED = 0, 1, 2


@dataclass(frozen=True)
class Scene:
    """The arrays that a detector reads, with velocities and margins."""

    kind: np.ndarray
    shape: np.ndarray
    size: np.ndarray
    position: np.ndarray
    orientation: np.ndarray
    velocity: np.ndarray
    omega: np.ndarray
    margin: np.ndarray
    clumps: Clumps = field(default_factory=Clumps)
    parts: Parts = field(default_factory=Parts)
    context: Context = field(default_factory=Context)
    period: np.ndarray = field(default_factory=lambda: np.zeros(3))
    apart: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def take(self, rows) -> Scene:
        return Scene(*(getattr(self, name)[rows] for name in ROWS))

    def boosted(self, velocity) -> Scene:
        return replace(self, velocity=self.velocity + velocity)

    def moved(self, way) -> Scene:
        return replace(self, position=self.position + way)

    def turned(self, rotation: Rotation) -> Scene:
        orientation = (rotation * turns(self)).as_quat(scalar_first=True)
        return replace(
            self,
            position=np.ascontiguousarray(rotation.apply(self.position)),
            orientation=np.ascontiguousarray(orientation),
            velocity=np.ascontiguousarray(rotation.apply(self.velocity)),
            omega=np.ascontiguousarray(rotation.apply(self.omega)),
        )


ROWS = [
    f.name for f in fields(Scene) if f.name not in ("clumps", "parts", "context", "period", "apart")
]


def turns(scene: Scene) -> Rotation:
    return Rotation.from_quat(scene.orientation, scalar_first=True)


def body(
    shape=SPHERE, size=1.0, at=(0, 0, 0), velocity=(0, 0, 0), omega=(0, 0, 0), turn=None,
    margin=0.0, kind=DYNAMIC,
) -> Scene:  # fmt: skip
    turn = Rotation.identity() if turn is None else turn
    size = np.broadcast_to(np.inf if shape == PLANE else size, 3)
    rows = (size, at, turn.as_quat(scalar_first=True), velocity, omega)
    floats = [np.array([row], dtype=float) for row in rows]
    return Scene(np.array([kind]), np.array([shape]), *floats, np.array([float(margin)]))


def scene(*bodies: Scene) -> Scene:
    return Scene(*(np.concatenate([getattr(b, name) for b in bodies]) for name in ROWS))


def detect(scene: Scene, horizon=0.0, touch=1e-6, detector=None) -> Contacts:
    detector = Detector(touch) if detector is None else detector
    return detector.detect(scene, scene.velocity, scene.omega, horizon, scene.margin)


def random_turn(rng) -> Rotation:
    return Rotation.random(rng=rng)


def random_scene(rng, spheres=40, boxes=4, planes=2, speed=1.0) -> Scene:
    """Spheres among boxes at rest, that do not move but may turn, within planes; in any order."""
    parts = [
        body(
            size=rng.uniform(0.1, 0.4), at=rng.uniform(-1.5, 1.5, 3),
            velocity=speed * rng.normal(size=3), omega=rng.normal(size=3),
            margin=rng.choice([0.0, 0.01]),
        )
        for _ in range(spheres)
    ]  # fmt: skip
    for number in range(boxes):
        parts.append(
            body(
                BOX, rng.uniform(0.2, 0.5, 3), (4.0 * number - 6.0, 0, 0), turn=random_turn(rng),
                velocity=0.1 * speed * rng.normal(size=3), omega=speed * rng.normal(size=3),
            )
        )  # fmt: skip
        near = parts[-1].position[0] + rng.uniform(-1, 1, (6, 3))
        velocity = speed * rng.normal(size=(6, 3))
        parts += [body(size=0.2, at=x, velocity=v) for x, v in zip(near, velocity, strict=True)]
    for _ in range(planes):
        turn = random_turn(rng)
        back = turn.apply([0, 0, -1.5])
        parts.append(body(PLANE, at=back, turn=turn, omega=0.2 * rng.normal(size=3), kind=FIXED))
    return scene(*parts).take(rng.permutation(len(scene(*parts).kind)))


def approach(scene: Scene, contacts: Contacts, c: int) -> float:
    """u_n: normal velocity of B relative to A at contact c."""
    a, b = contacts.bodies[c]
    relative = scene.velocity[b] - scene.velocity[a]
    relative = relative + np.cross(scene.omega[b], contacts.arms[c, 3:])
    relative -= np.cross(scene.omega[a], contacts.arms[c, :3])
    return float(relative @ contacts.normal[c])


def nearest_on_box(x, box: Scene) -> np.ndarray:
    """The point of a solid box nearest to x, by bounded least squares."""
    half, turn = box.size[0], turns(box)[0].as_matrix()
    result = lsq_linear(turn, x - box.position[0], bounds=(-half, half), tol=1e-15, method="bvls")
    return box.position[0] + turn @ result.x


def first_time(distance, reach: float, horizon: float) -> float | None:
    """When a convex distance(t) first falls to `reach`, by bisection; None if it does not."""
    times = np.linspace(0.0, horizon, 41)
    best = times[np.argmin([distance(t) for t in times])]
    around = (max(best - horizon / 40, 0.0), min(best + horizon / 40, horizon))
    found = minimize_scalar(distance, bounds=around, method="bounded", options={"xatol": 1e-10})
    end = min((found.x, best, horizon), key=distance)
    if distance(end) > reach:
        return None
    begin = 0.0
    for _ in range(80):
        middle = 0.5 * (begin + end)
        begin, end = (begin, middle) if distance(middle) <= reach else (middle, end)
    return end
