"""One scene seen from elsewhere: turned, shifted, from a moving frame, in a mirror, in other
units, with its bodies in another order. The motion must be the same.

With an orthogonal Q, a shift s, a boost V and units of length, mass and time L, M, T,

    x' = L (Q x + s + V t),    v' = (L / T) (Q v + V),    w' = det(Q) Q w / T,    R' = Q R S

where S = diag(det Q, 1, 1) mirrors a body into itself. Gravity, friction lengths, densities and
the step change with the units, and the floor moves with the boost. In the scene three balls roll,
spin and collide, a block falls on a corner and another slides under a ball. It does not turn: for a
block that slides and turns at once on four corners the law has many answers, since it does not say
how the corners share the load, and which one is found is not the same from every point of view.

A deviation is relative to the radius of the balls, to the largest speeds of the scene, and to 1 for
orientations.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray
from rollcone.mechanics.materials import ContactLaw
from rollcone.mechanics.rotations import quaternion_from, quaternion_of_matrix, rotation_matrix
from rollcone.mechanics.world import World
from rollcone.recording.run import Run
from rollcone.studies.study import Job, Progress, Study, Table, simulate_all
from rollcone.view.studies.invariance import draw

R, DENSITY = 0.1, 1000.0
EDGES = np.array([0.4, 0.3, 0.2])
GRAVITY = np.array([0.0, 0.0, -9.81])
FLOOR = ContactLaw(sliding=0.3, rolling=0.002, spinning=0.001, restitution=0.4)
BETWEEN = ContactLaw(sliding=0.2, rolling=0.001, spinning=0.0005, restitution=0.6)
# Position, velocity, angular velocity; and how the blocks are turned.
ITEMS = {
    "rolls": ((-0.5, 0.02, R), (1.5, 0.0, 0.0), (0.0, 15.0, 3.0)),
    "waits": ((0.0, 0.0, R), (0.0, 0.0, 0.0), (0.0, 0.0, 8.0)),
    "falls": ((0.1, -0.6, 2 * R), (0.3, 0.4, 0.0), (2.0, -1.0, 4.0)),
    "slides": ((0.9, 0.5, EDGES[2] / 2), (-0.8, 0.1, 0.0), (0.0, 0.0, 0.0)),
    "rides": ((0.9, 0.5, EDGES[2] + R), (-0.8, 0.1, 0.0), (0.0, 0.0, 0.0)),
    "tumbles": ((-0.6, -0.6, 1.6), (0.2, -0.3, 0.0), (1.0, -2.0, 0.5)),
}
BLOCKS = {
    "slides": rotation_matrix(quaternion_from((0, 0, 1), 0.4)),
    "tumbles": rotation_matrix(quaternion_from((1, 0.5, 0.2), 0.7)),
}
SOURCE = "symmetry"


@dataclass(frozen=True)
class View:
    """How the scene is looked at."""

    Q: FloatArray
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)
    boost: tuple[float, float, float] = (0.0, 0.0, 0.0)
    length: float = 1.0
    mass: float = 1.0
    time: float = 1.0
    order: tuple[str, ...] = ("floor", *ITEMS)

    @property
    def sign(self) -> float:
        return float(np.sign(np.linalg.det(self.Q)))

    @property
    def S(self) -> FloatArray:
        return np.diag([self.sign, 1.0, 1.0])


_ROTATION = rotation_matrix(quaternion_from((1.0, -2.0, 0.5), 1.1))
_SAME = np.eye(3)
VIEWS = {
    "rotated": View(_ROTATION),
    "shifted by 100 m": View(_SAME, shift=(80.0, -60.0, 5.0)),
    "boosted, with the floor": View(_SAME, boost=(3.0, -2.0, 1.0)),
    "mirrored": View(np.diag([1.0, -1.0, 1.0])),
    "in mm, g, ms": View(_SAME, length=1e3, mass=1e3, time=1e3),
    "bodies in another order": View(
        _SAME, order=("rides", "falls", "floor", "waits", "tumbles", "slides", "rolls")
    ),
    "all at once": View(
        _ROTATION @ np.diag([-1.0, 1.0, 1.0]),
        (5.0, -3.0, 1.0),
        (-0.7, 0.4, 2.0),
        1e3,
        1e-3,
        1e6,
        ("falls", "rolls", "tumbles", "floor", "rides", "slides", "waits"),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """step h and duration (s)."""

    step: float
    until: float


DEFAULT = Plan(step=0.005, until=1.0)
FULL = Plan(step=0.001, until=1.0)


def world(view: View) -> World:
    L, T = view.length, view.time
    scene = World(gravity=L / T**2 * view.Q @ GRAVITY)
    boost = L / T * np.array(view.boost)
    for name in view.order:
        if name == "floor":
            point = L * np.array(view.shift)
            normal = view.Q @ (0.0, 0.0, 1.0)
            scene.add_plane(
                normal=normal, point=point, velocity=boost, material="floor", name="floor"
            )
            continue
        x, v, w = (np.array(value) for value in ITEMS[name])
        turned = BLOCKS.get(name, _SAME)
        options = {
            "density": DENSITY * view.mass / L**3,
            "position": L * (view.Q @ x + view.shift),
            "velocity": L / T * view.Q @ v + boost,
            "angular_velocity": view.sign * view.Q @ w / T,
            "orientation": quaternion_of_matrix(view.Q @ turned @ view.S),
            "material": "body",
            "name": name,
        }
        if name in BLOCKS:
            scene.add_box(size=L * EDGES, **options)  # type: ignore[arg-type]
        else:
            scene.add_sphere(radius=L * R, **options)  # type: ignore[arg-type]
    scene.set_contact_law(_scaled(FLOOR, L), "body", "floor")
    scene.set_contact_law(_scaled(BETWEEN, L), "body", "body")
    return scene


def _scaled(law: ContactLaw, length: float) -> ContactLaw:
    return ContactLaw(
        sliding=law.sliding,
        rolling=law.rolling * length,
        spinning=law.spinning * length,
        restitution=law.restitution,
    )


def study(plan: Plan, progress: Progress) -> Study:
    jobs = {"as it is": Job(world(View(_SAME)), plan.until, plan.step)}
    for name, view in VIEWS.items():
        jobs[name] = Job(world(view), plan.until * view.time, plan.step * view.time)
    runs = simulate_all(jobs, progress)
    first = runs["as it is"]
    table = Table("invariance", SOURCE)
    table.run = f"GapAhead, h = {plan.step:g} s"
    deviations = {name: deviation(first, runs[name], view) for name, view in VIEWS.items()}
    for name, values in deviations.items():
        table.absolute(f"{name}: worst deviation", values.max(), 0.0, 1e-9)
    table.converged(runs.values())
    picture = draw(first, list(ITEMS), deviations)
    return Study("invariance", table.rows, {"invariance": picture})


def deviation(first: Run, other: Run, view: View) -> FloatArray:
    """At every moment the largest difference of the second run, seen back through its view."""
    L, T, Q = view.length, view.time, view.Q
    worst = np.zeros(len(first.time))
    tracks = [first.body(name) for name in ITEMS]
    speed = max(np.linalg.norm(track.velocity, axis=1).max() for track in tracks)
    turning = max(np.linalg.norm(track.angular_velocity, axis=1).max() for track in tracks)
    for name, one in zip(ITEMS, tracks, strict=True):
        two = other.body(name)
        moved = np.array(view.shift) + first.time[:, None] * np.array(view.boost)
        x = (two.position / L - moved) @ Q
        v = (two.velocity * T / L - np.array(view.boost)) @ Q
        w = view.sign * two.angular_velocity * T @ Q
        axes = Q.T @ _matrices(two.orientation) @ view.S - _matrices(one.orientation)
        for difference, size in (
            (x - one.position, R),
            (v - one.velocity, speed),
            (w - one.angular_velocity, turning),
            (axes.reshape(len(worst), 9), 1.0),
        ):
            worst = np.maximum(worst, np.linalg.norm(difference, axis=1) / size)
    return worst


def _matrices(quaternions: FloatArray) -> FloatArray:
    return np.array([rotation_matrix(q) for q in quaternions])
