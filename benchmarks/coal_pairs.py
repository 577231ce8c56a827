"""The same pairs in coal, where it is installed: CPU seconds per pair, and distances."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

if TYPE_CHECKING:
    from benchmarks.convex import Pairs

try:
    import coal
except ImportError:  # it is optional
    coal = None

_FINE = 1e-12, 1000  # tolerance and iterations, for distances to compare


@dataclass(frozen=True)
class Peer:
    """Seconds per pair of `distance`, and of `collide` with patches; gaps (n,), of more digits
    than the timed ones."""

    distance: float
    patches: float
    gap: np.ndarray


def convex(points: np.ndarray) -> Any:
    corners = points[np.unique(ConvexHull(points).simplices)]
    listed = coal.StdVec_Vec3s()
    for corner in corners:
        listed.append(corner)
    return coal.ConvexBase.convexHull(listed, True, "Qt")


def mesh(vertices: np.ndarray, triangles: np.ndarray) -> Any:
    model = coal.BVHModelOBBRSS()
    model.beginModel(len(triangles), len(vertices))
    for triangle in triangles:
        model.addTriangle(*(vertices[k] for k in triangle))
    model.endModel()
    return model


def parts_of(kind: str) -> list[tuple[Any, np.ndarray]]:
    """Shapes of coal and where they are in our body's axes."""
    from benchmarks import convex as ours

    none, size = np.zeros(3), ours.SIZE
    if kind == "box":
        return [(coal.Box(*(2.0 * size * np.array([1.0, 0.8, 0.7]))), none)]
    if kind == "cylinder":
        return [(coal.Cylinder(size, 1.6 * size), none)]
    if kind == "ellipsoid":
        return [(coal.Ellipsoid(*(size * np.array([1.0, 0.8, 0.7]))), none)]
    if kind == "cone":  # ours is about its centre of mass
        return [(coal.Cone(size, 2.0 * size), np.array([0.0, 0.0, 0.5 * size]))]
    if kind == "hull":
        points = ours.hull(20)
        return [(convex(points), -centroid(points))]
    if kind == "mesh":
        return [(mesh(*ours.icosphere()), none)]
    if kind == "compound":
        box, cylinder = ours.PARTS
        volumes = np.array([np.prod(box["size"]), np.pi * 0.25 * size**3])
        middle = volumes @ np.array([box["position"], cylinder["position"]]) / volumes.sum()
        return [
            (coal.Box(*box["size"]), box["position"] - middle),
            (coal.Cylinder(cylinder["radius"], cylinder["height"]), cylinder["position"] - middle),
        ]
    return [(coal.Sphere(size), none)]


def centroid(points: np.ndarray) -> np.ndarray:
    """Of the hull, by tetrahedra to a point inside."""
    hull = ConvexHull(points)
    inside = points.mean(axis=0)
    corners = points[hull.simplices] - inside
    volumes = np.abs(np.linalg.det(corners))
    return np.asarray(inside + volumes @ corners.sum(axis=1) / 4.0 / volumes.sum())


def measured(pairs: Pairs, turns: int) -> Peer | None:
    """None without coal."""
    if coal is None:
        return None
    shapes = [parts_of(kind) for kind in pairs.kinds]
    axes = Rotation.from_quat(np.roll(pairs.orientation, -1, axis=1)).as_matrix()
    poses = [[], []]  # type: ignore[var-annotated]
    for k, (place, turn) in enumerate(zip(pairs.position, axes, strict=True)):
        poses[k % 2].append([coal.Transform3s(turn, place + turn @ x) for _, x in shapes[k % 2]])
    solids = [[shape for shape, _ in parts] for parts in shapes]
    gap = np.empty(len(poses[0]))

    def distances(fine: bool = False) -> None:
        request, result = coal.DistanceRequest(), coal.DistanceResult()
        if fine:
            request.gjk_tolerance, request.gjk_max_iterations = _FINE
        for n, (first, second) in enumerate(zip(*poses, strict=True)):
            least = np.inf
            for a, pose_a in zip(solids[0], first, strict=True):
                for b, pose_b in zip(solids[1], second, strict=True):
                    result.clear()
                    least = min(least, coal.distance(a, pose_a, b, pose_b, request, result))
            gap[n] = least

    def patches() -> None:
        request, result = coal.CollisionRequest(), coal.CollisionResult()
        request.num_max_contacts = 20
        asked, found = coal.ContactPatchRequest(), coal.ContactPatchResult()
        for first, second in zip(*poses, strict=True):
            for a, pose_a in zip(solids[0], first, strict=True):
                for b, pose_b in zip(solids[1], second, strict=True):
                    result.clear()
                    found.clear()
                    coal.collide(a, pose_a, b, pose_b, request, result)
                    if result.isCollision():
                        coal.computeContactPatch(a, pose_a, b, pose_b, result, asked, found)

    count = len(gap)
    seconds = _least(distances, turns) / count, _least(patches, turns) / count
    distances(fine=True)
    return Peer(*seconds, gap)


def _least(call: Callable[[], None], turns: int) -> float:
    taken = []
    for _ in range(turns):
        begin = time.process_time()
        call()
        taken.append(time.process_time() - begin)
    return min(taken)
