"""Cases of contact analysis that have closed forms: a pushed block, a ladder, a grasp, fixtures.

block    mass m, 2 a wide, H high, pushed by F at the height z: sticks to mu m g, then has
         F / m - mu g; tips from F z = m g a (less where it slides)
ladder   uniform, on floor and wall: holds from tan th = (1 - mu_f mu_w) / (2 mu_f)
grasp    three fingers push a ball by P: they hold its weight from P = m g / (3 mu), and a
         torque about the vertical up to 3 R sqrt((mu P)^2 - (m g / 3)^2)
fixture  block on an incline: m g (mu cos b -/+ sin b) more along it; a ball in a wedge of half
         angle b, pulled out: friction may hold it from mu = tan b, but need not
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.acceleration.cone import solve_cone
from rollcone.analysis.acceleration.enumeration import enumerate_motions
from rollcone.analysis.acceleration.fixture import fixture
from rollcone.analysis.acceleration.from_world import problem_of
from rollcone.analysis.acceleration.motion import Motion
from rollcone.analysis.acceleration.problem import AccelerationProblem
from rollcone.mechanics.materials import ContactLaw
from rollcone.mechanics.world import World
from rollcone.studies.study import Table
from rollcone.view.studies.contact_analysis import PushMap, Sketch

G = 9.81
NEAR = 1e-6  # to a boundary, either side of it
STILL = 1e-7  # of g: no acceleration


def motion_of(what: World | AccelerationProblem, **options: dict[str, float]) -> Motion:
    """A certified motion."""
    problem = what if isinstance(what, AccelerationProblem) else problem_of(what, **options)  # type: ignore[arg-type]
    motion = solve_cone(problem).motion
    assert motion is not None, "all of these cases have one"
    return motion


def still(motion: Motion) -> bool:
    return bool(np.abs(motion.accelerations).max() < STILL * G)


def boundary(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Where a case ceases to hold, by halving; it holds at `low`."""
    while abs(high - low) > 1e-12 * abs(high):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


# ---- a block that is pushed ----

A, H, M, MU = 0.3, 0.8, 2.0, 0.5  # half width, height, mass, friction


def block(push: float, height: float, mu: float = MU) -> World:
    """On a floor, pushed along x at a height above it."""
    world = World(gravity=(0, 0, -G))
    world.add_plane(name="floor")
    world.add_box(
        size=(2 * A, 0.4, H), mass=M, position=(0, 0, H / 2), force=(push, 0, 0),
        torque=(0, push * (height - H / 2), 0), name="block",
    )  # fmt: skip
    world.set_contact_law(ContactLaw(sliding=mu))
    return world


def block_rows(table: Table) -> Sketch:
    table.run = "block, push at 0.3 m"
    low = 0.3
    starts = boundary(lambda push: still(motion_of(block(push, low))), 0.0, 50.0)
    table.relative("push from which it slides", starts, MU * M * G, NEAR, "N")
    push = 15.0
    moves = motion_of(block(push, low))
    table.relative("acceleration at 15 N", moves.accelerations[0], push / M - MU * G, 1e-9, "m/s2")
    front = _front(moves)
    exact = M * G / 2 + (push * (low - H / 2) + MU * M * G * H / 2) / (2 * A)
    table.relative("normal force of the front edge", front, exact, 1e-9, "N")

    table.run = "block, push at 0.7 m, mu = 2"
    tips = boundary(lambda push: still(motion_of(block(push, 0.7, 2.0))), 0.0, 50.0)
    table.relative("push from which it tips", tips, M * G * A / 0.7, NEAR, "N")

    table.run = "block, push at 0.6 m, 40 N"
    both = motion_of(block(40.0, 0.6))
    modes = sorted(both.modes)
    table.absolute("back edge opens and front edge slides (1)", modes == list("bbss"), 1, 0)
    turn, along = tipping(40.0, 0.6)
    table.relative("angular acceleration", both.accelerations[4], turn, 1e-9, "rad/s2")
    table.relative("acceleration", both.accelerations[0], along, 1e-9, "m/s2")
    return _block_sketch(moves, push, low)


def tipping(push: float, height: float) -> tuple[float, float]:
    """Over the front edge, which slides: angular acceleration and that of the centre along x.

    m a w' = N - m g,   J w' = N (mu H / 2 - a) + F (z - H / 2),   m x'' = F - mu N
    """
    J = M * ((2 * A) ** 2 + H**2) / 12
    N = (push * (height - H / 2) + J * G / A) / (J / (M * A) + A - MU * H / 2)
    return (N - M * G) / (M * A), (push - MU * N) / M


def push_map(points: int) -> PushMap:
    """What begins, by push and height: by the first letter of r, s, b that tells it."""
    push = 20.0 * (np.arange(points) + 0.5) / points
    height = H * (np.arange(points) + 0.5) / points
    modes = np.array([[_begins(motion_of(block(F, z))) for F in push] for z in height])
    # it tips at rest from F z = m g a, and when it slides from F (z - H/2) = m g (a - mu H/2)
    rest = M * G * A / height
    slide = M * G * (A - MU * H / 2) / np.maximum(height - H / 2, 1e-9)
    tips = np.where(rest <= MU * M * G, rest, np.maximum(slide, MU * M * G))
    return PushMap(push, height, modes, MU * M * G, np.minimum(tips, 1e3))


def map_rows(table: Table, found: PushMap) -> None:
    table.run = f"block, {len(found.push)} x {len(found.height)} pushes and heights"
    wrong = 0
    for i, tips in enumerate(found.tips_from):
        for j, push in enumerate(found.push):
            begins = "b" if push > tips else "s" if push > found.slides_from else "r"
            wrong += begins != found.modes[i, j]
    table.absolute("points where another thing begins", wrong, 0, 0)


def _begins(motion: Motion) -> str:
    return next((mode for mode in "bs" if mode in motion.modes), "r")


def _front(motion: Motion) -> float:
    places = motion.problem.places
    assert places is not None
    return float(motion.forces[places.point[:, 0] > 0.0, 0].sum())


def _block_sketch(motion: Motion, push: float, height: float) -> Sketch:
    sketch = Sketch("Block, pushed: slides")
    sketch.ground((-0.8, 0), (0.8, 0))
    sketch.outline((-A, 0), (A, 0), (A, H), (-A, H))
    sketch.loads += [(-A - 0.25, height, push, 0.0), (0, H / 2, 0.0, -M * G)]
    sketch.forces += side_forces(motion)
    return sketch


def side_forces(motion: Motion, scale: float = 1.0) -> list[tuple[float, float, float, float]]:
    """At x, z, those of contacts at the same x and z together."""
    places = motion.problem.places
    assert places is not None
    found: dict[tuple[float, float], FloatArray] = {}
    for i, frame in enumerate(places.frames):
        x, _, z = np.round(places.point[i], 6)
        force = frame.T @ motion.forces[i, :3]
        found[x, z] = found.get((x, z), np.zeros(3)) + force
    return [(x, z, scale * f[0], scale * f[2]) for (x, z), f in found.items()]


# ---- a ladder ----

FLOOR, WALL = 0.4, 0.25


def ladder(angle: float) -> AccelerationProblem:
    """A rod of length 2 and mass 1; the wall on the left, in the plane x, y, turning."""
    c, s = math.cos(angle), math.sin(angle)
    rows = []
    for (x, y), normal in (((c, -s), (0.0, 1.0)), ((-c, s), (1.0, 0.0))):
        tangent = (-normal[1], normal[0])
        rows.append([[*u, x * u[1] - y * u[0]] for u in (normal, tangent)])
    return AccelerationProblem(
        mass=np.diag([1.0, 1.0, 1.0 / 3.0]), rows=np.array(rows), force=np.array([0.0, -G, 0.0]),
        friction=np.array([FLOOR, WALL]),
    )  # fmt: skip


def ladder_slides(angle: float) -> FloatArray:
    """Floor's and wall's normal force, angular acceleration, when both ends begin to slide."""
    c, s = math.cos(angle), math.sin(angle)
    rows = [[FLOOR, -1.0, s], [1.0, WALL, c], [c - FLOOR * s, -(WALL * c + s), -1.0 / 3.0]]
    return np.asarray(np.linalg.solve(rows, [0.0, G, 0.0]), dtype=float)


def ladder_rows(table: Table) -> Sketch:
    table.run = f"ladder, mu = {FLOOR:g} on the floor and {WALL:g} at the wall"
    exact = math.atan((1 - FLOOR * WALL) / (2 * FLOOR))
    found = boundary(lambda angle: still(motion_of(ladder(angle))), 1.4, 0.3)
    table.relative("angle down to which it holds", found, exact, NEAR, "rad")
    angle = exact - 0.15
    motion = motion_of(ladder(angle))
    floor, wall, turn = ladder_slides(angle)
    table.relative("angular acceleration, 0.15 rad below", motion.accelerations[2], turn, 1e-9)
    table.relative("normal force of the floor", motion.forces[0, 0], floor, 1e-9, "N")
    table.relative("normal force of the wall", motion.forces[1, 0], wall, 1e-9, "N")
    sketch = Sketch("Ladder: begins to slide")
    c, s = math.cos(angle), math.sin(angle)
    sketch.ground((0, 2.2), (0, 0), (2.4, 0))
    sketch.outline((2 * c, 0), (0, 2 * s))
    p = motion.forces
    sketch.forces += [(2 * c, 0, -p[0, 1], p[0, 0]), (0, 2 * s, p[1, 0], p[1, 1])]
    sketch.loads.append((c, s, 0.0, -G))
    return sketch


# ---- a grasp by three fingers ----

BALL, TIP, WEIGHT = 0.1, 0.02, 0.5 * G  # radii, m g
GRIP = 0.6  # mu


def grasp() -> World:
    """A ball of 0.5 kg between fingers on slides `finger k`, which push it from three sides."""
    world = World(gravity=(0, 0, -G))
    ball = world.add_sphere(radius=BALL, mass=0.5, name="ball")
    for k in range(3):
        turn = 2.0 * math.pi * k / 3.0
        out = np.array([math.cos(turn), math.sin(turn), 0.0])
        tip = world.add_sphere(radius=TIP, mass=0.05, position=(BALL + TIP) * out)
        world.add_joint(kind="prismatic", body=tip, axis=-out, name=f"finger {k}")
    world.set_contact_law(ContactLaw(sliding=GRIP))
    assert ball.id == 0
    return world


def squeezed(push: float) -> dict[str, dict[str, float]]:
    return {"torques": {f"finger {k}": push for k in range(3)}}


def grasp_rows(table: Table) -> Sketch:
    table.run = f"grasp, mu = {GRIP:g}"
    world, exact = grasp(), WEIGHT / (3 * GRIP)
    found = boundary(lambda push: not still(motion_of(world, **squeezed(push))), 0.01, 50.0)
    table.relative("least push that holds the weight", found, exact, NEAR, "N")
    weak = motion_of(world, **squeezed(0.8 * exact))
    table.relative("acceleration at 0.8 of it", weak.accelerations[2], -0.2 * G, 1e-9, "m/s2")
    push = 2.0 * exact
    problem = problem_of(world, **squeezed(push))  # type: ignore[arg-type]
    loads = np.zeros((2, problem.size))
    loads[0, 2], loads[1, 5] = -WEIGHT, 1.0
    answer = fixture(problem, loads, search=None)
    heavier, turning = answer.margins
    table.relative("margin of more weight at twice the push", heavier.factor, 1.0, 1e-6)
    most = 3 * BALL * math.sqrt((GRIP * push) ** 2 - (WEIGHT / 3) ** 2)
    table.relative("torque that it holds", turning.factor, most, 1e-6, "N m")
    proven = float(heavier.proven and turning.proven)
    table.absolute("margins proven by forces and motion (1)", proven, 1, 0)
    return _grasp_sketch(problem, turning.forces, push)


def _grasp_sketch(problem: AccelerationProblem, forces: FloatArray, push: float) -> Sketch:
    """From above, at the largest torque."""
    sketch = Sketch("Grasp, largest torque")
    sketch.circles.append((0.0, 0.0, BALL))
    assert problem.places is not None
    for i, (frame, point) in enumerate(
        zip(problem.places.frames, problem.places.point, strict=True)
    ):
        sign = 1.0 if problem.places.bodies[i, 1] == 0 else -1.0
        f = sign * frame.T @ forces[i, :3]
        sketch.forces.append((point[0], point[1], f[0], f[1]))
        out = point / np.linalg.norm(point)
        tip = (BALL + TIP) * out
        sketch.circles.append((float(tip[0]), float(tip[1]), TIP))
        far = (BALL + 2 * TIP) * out + 0.33 * 0.3 * out
        sketch.loads.append((far[0], far[1], -push * out[0], -push * out[1]))
    return sketch


# ---- fixtures ----

SLOPE = math.radians(15.0)
HALF = math.radians(20.0)  # of the wedge


def incline_block() -> World:
    """A flat block on a slope: gravity leans towards x."""
    world = World(gravity=(G * math.sin(SLOPE), 0, -G * math.cos(SLOPE)))
    world.add_plane(name="slope")
    world.add_box(size=(0.8, 0.8, 0.2), mass=M, position=(0, 0, 0.1), name="block")
    world.set_contact_law(ContactLaw(sliding=MU))
    return world


def located_block(lift: float = 0.0) -> AccelerationProblem:
    """A box 0.6 x 0.6 x 0.2 on three locators, two at its side x = -0.3 and one at y = -0.3;
    the three have friction."""
    places = [
        ((-0.2, -0.2, -0.1), (0, 0, 1)), ((0.2, -0.2, -0.1), (0, 0, 1)),
        ((0.0, 0.2, -0.1), (0, 0, 1)), ((-0.3, -0.2, 0.0), (1, 0, 0)),
        ((-0.3, 0.2, 0.0), (1, 0, 0)), ((0.0, -0.3, 0.0), (0, 1, 0)),
    ]  # fmt: skip
    rows = []
    for point, normal in places:
        axes = [np.roll(np.array(normal, dtype=float), k) for k in range(3)]
        rows.append([np.concatenate([u, np.cross(point, u)]) for u in axes])
    inertia = M * np.array([0.36 + 0.04, 0.36 + 0.04, 0.72]) / 12
    return AccelerationProblem(
        mass=np.diag([M, M, M, *inertia]), rows=np.array(rows),
        friction=np.array([MU, MU, MU, 0.0, 0.0, 0.0]),
        force=np.array([0, 0, -M * G + lift, 0, 0, 0]),
    )  # fmt: skip


def wedge(mu: float, pull: float) -> AccelerationProblem:
    """A ball in the plane between walls that lean out by HALF; `pull` is out of it, along y."""
    rows = []
    for side in (1.0, -1.0):
        normal = side * math.cos(HALF), math.sin(HALF)
        tangent = -side * math.sin(HALF), math.cos(HALF)
        arm = (-normal[0], -normal[1])
        rows.append([[*u, arm[0] * u[1] - arm[1] * u[0]] for u in (normal, tangent)])
    return AccelerationProblem(
        mass=np.diag([1.0, 1.0, 0.4]), rows=np.array(rows), force=np.array([0.0, pull, 0.0]),
        friction=np.full(2, mu),
    )  # fmt: skip


def fixture_rows(table: Table) -> Sketch:
    table.run = "fixture, block on a slope of 15 degrees"
    along = np.eye(6)[:1]
    answer = fixture(problem_of(incline_block()), along, both=True, search=None)
    for found, sign, words in zip(answer.margins, (-1.0, 1.0), ("down", "up"), strict=True):
        exact = M * G * (MU * math.cos(SLOPE) + sign * math.sin(SLOPE))
        table.relative(f"force that it holds {words} the slope", found.factor, exact, 1e-6, "N")

    table.run = "fixture, box on 3 + 2 + 1 locators"
    answer = fixture(located_block(), np.eye(6)[[2, 0]])
    up, away = answer.margins
    table.relative("lift that it holds", up.factor, M * G, 1e-6, "N")
    table.relative("force away from the side that it holds", away.factor, MU * M * G, 1e-6, "N")
    table.absolute("strong (1)", answer.strong.verdict == "holds", 1, 0)
    lifted = fixture(located_block(1.01 * M * G))
    table.absolute("lifted by 1.01 m g, it gives way (1)", lifted.weak.verdict == "gives way", 1, 0)

    table.run = "fixture, ball in a wedge, pulled out"
    held = boundary(
        lambda mu: fixture(wedge(mu, 1.0), search=None).weak.verdict != "holds", 0.0, 2.0
    )
    table.relative("friction from which it may be held", held, math.tan(HALF), NEAR)
    answer = fixture(wedge(0.6, 1.0), search=enumerate_motions)
    table.absolute("weak (1)", answer.weak.verdict == "holds", 1, 0)
    table.absolute("not strong (1)", answer.strong.verdict == "fails", 1, 0)
    motion = answer.strong.motion
    leaves = math.nan if motion is None else float(motion.accelerations[1])
    table.relative("acceleration of the motion that leaves", leaves, 1.0, 1e-9, "m/s2")
    pressed = fixture(wedge(0.6, -1.0), search=enumerate_motions)
    table.absolute("pushed in, strong (1)", pressed.strong.verdict == "holds", 1, 0)
    return _wedge_sketch(answer.forces)


def _wedge_sketch(forces: FloatArray | None) -> Sketch:
    sketch = Sketch("Wedge: may hold the ball")
    sketch.circles.append((0.0, 0.0, 1.0))
    assert forces is not None
    for side, p in zip((1.0, -1.0), forces, strict=True):
        normal = np.array([side * math.cos(HALF), math.sin(HALF)])
        tangent = np.array([-side * math.sin(HALF), math.cos(HALF)])
        sketch.ground(-normal - 0.8 * tangent, -normal + 0.9 * tangent)
        f = p[0] * normal + p[1] * tangent
        sketch.forces.append((-normal[0], -normal[1], f[0], f[1]))
    sketch.loads.append((0.0, 0.0, 0.0, 1.0))
    return sketch
