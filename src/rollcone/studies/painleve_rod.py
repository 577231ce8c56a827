"""A rod whose lower end slides on the floor: Painleve's paradox, on a map.

A uniform rod of mass m and length 2 l leans at the angle th from the floor, turns at the rate w in
its plane, and its lower end slides, the centre being behind it as seen from where the end goes to
(the rod is pushed against its friction). With c = cos th, s = sin th and p_t = mu p_n,

    m x'' = p_t,   m y'' = p_n - m g,   (m l^2 / 3) th'' = l (s p_t - c p_n)
    a_n = y'' - l c th'' + l s w^2 = A p_n / m + b
    A = 1 + 3 c (c - mu s),   b = l s w^2 - g.

    A > 0 > b   one motion: it slides on           A < 0, b < 0   none
    A, b > 0    one motion: it lifts off           A < 0 < b      two: it lifts off, or slides on

A < 0 needs mu > (tan th + 4 / tan th) / 3, which is least, 4/3, at tan th = 2. Where there is no
motion the relaxed model has one: of the forces with a_n = 0 and 0 <= p_t <= mu p_n the nearest to
mu p_n is p_t = 0, p_n = -m b / (1 + 3 c^2): no friction at all, a departure of 1.

A capsule of radius r has l s + r instead of l s as the arm of friction; slip that is turned by phi
out of the plane leaves mu cos phi of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray, IntArray
from rollcone.analysis.acceleration.analyze import analyze
from rollcone.analysis.acceleration.enumeration import enumerate_motions
from rollcone.analysis.acceleration.problem import AccelerationProblem
from rollcone.analysis.acceleration.pyramid import solve_pyramid
from rollcone.analysis.acceleration.relaxed import relaxed_motion
from rollcone.mechanics.materials import ContactLaw
from rollcone.mechanics.rotations import rotation
from rollcone.mechanics.world import World
from rollcone.studies.study import Progress, Study, Table
from rollcone.view.studies.painleve_rod import draw

M, L, G, SPEED = 1.0, 1.0, 9.81, 0.5
RADIUS = 0.05  # of the rod in space
TURNING = math.sqrt(1.3 * G / L)  # rad/s: it lifts off above sin th = 1 / 1.3
LARGEST = 4.0  # mu on the map
SOURCE = "closed form, after Painleve 1895"
CLOSE = 1e-6  # to a boundary: not compared
SLIDES, LIFTS, NONE, TWO = range(4)
REGIONS = ("one: slides on", "one: lifts off", "none", "two")
WORDS = {NONE: "no motion", TWO: "several motions", SLIDES: "one motion", LIFTS: "one motion"}


@dataclass(frozen=True)
class Plan:
    """points   of the map, each way
    line     points along mu for the relaxed model
    """

    points: int
    line: int


DEFAULT = Plan(points=60, line=36)
FULL = Plan(points=100, line=100)


def slope(mu: float, angle: float) -> float:
    """A."""
    c, s = math.cos(angle), math.sin(angle)
    return 1.0 + 3.0 * c * (c - mu * s)


def pull(angle: float, rate: float) -> float:
    """b."""
    return L * math.sin(angle) * rate**2 - G


def least_friction(angle: float) -> float:
    """mu at which A = 0."""
    return (math.tan(angle) + 4.0 / math.tan(angle)) / 3.0


def region(A: float, b: float) -> int:
    if A > 0.0:
        return SLIDES if b < 0.0 else LIFTS
    return NONE if b < 0.0 else TWO


def relaxed_force(mu: float, angle: float) -> float:
    """p_n of the relaxed model at w = 0: that of sliding, or without friction if there is none."""
    A = slope(mu, angle)
    return M * G / (A if A > 0.0 else 1.0 + 3.0 * math.cos(angle) ** 2)


def rod(mu: float, angle: float, rate: float = 0.0) -> AccelerationProblem:
    """In the plane: x, y, turning; the end slides towards -x."""
    c, s = math.cos(angle), math.sin(angle)
    arm = -L * np.array([c, s])
    rows = [[ux, uy, arm[0] * uy - arm[1] * ux] for ux, uy in ((0.0, 1.0), (1.0, 0.0))]
    return AccelerationProblem(
        mass=np.diag([M, M, M * L**2 / 3.0]),
        rows=np.array([rows]),
        force=np.array([0.0, -M * G, 0.0]),
        friction=np.array([mu]),
        velocity=np.array([[0.0, -SPEED]]),
        bias=L * rate**2 * np.array([[s, c]]),
    )


def rod_world(mu: float, angle: float, rate: float, sideways: float) -> World:
    """The same in space, a capsule on a floor; slip turned by `sideways` about the vertical."""
    c, s = math.cos(angle), math.sin(angle)
    turn = np.array([0.0, -rate, 0.0])  # the angle grows
    arm = np.array([-L * c, 0.0, -L * s - RADIUS])
    slip = SPEED * np.array([-math.cos(sideways), math.sin(sideways), 0.0])
    world = World(gravity=(0.0, 0.0, -G))
    world.add_plane(name="floor")
    world.add_capsule(
        radius=RADIUS, length=2.0 * L, mass=M, inertia=(M * L**2 / 3, M * L**2 / 3, 1e-3),
        orientation=rotation((0, 1, 0), 90.0 - math.degrees(angle)), position=(0, 0, -arm[2]),
        velocity=slip - np.cross(turn, arm), angular_velocity=turn, name="rod",
    )  # fmt: skip
    world.set_contact_law(ContactLaw(sliding=mu))
    return world


def space_slope(mu: float, angle: float, sideways: float) -> float:
    """A of the rod in space."""
    c, s = math.cos(angle), math.sin(angle)
    return 1.0 + 3.0 * c * (c - mu * math.cos(sideways) * (s + RADIUS / L))


@dataclass(frozen=True)
class Map:
    """What the enumeration finds at (mu, angle): a region of each point, -1 if too close to tell;
    the worst errors of normal forces and accelerations, and where Lemke's method ended on a ray."""

    mu: FloatArray
    angle: FloatArray
    rate: float
    found: IntArray
    expected: IntArray
    error: float
    rays: IntArray

    @property
    def wrong(self) -> int:
        return int(np.sum(self.found != self.expected))

    @property
    def lifts_from(self) -> float:
        """The angle at which b = 0, if the rod turns fast enough."""
        return math.asin(G / (L * self.rate**2))

    def count(self, which: int) -> int:
        return int(np.sum(self.expected == which))


def mapped(points: int, rate: float, tell: Callable[[int], object]) -> Map:
    """The number of motions on a grid."""
    mu = LARGEST * (np.arange(points) + 0.5) / points
    angle = 0.5 * math.pi * (np.arange(points) + 0.5) / points
    found, expected, rays = (np.full((points, points), -1) for _ in range(3))
    error = 0.0
    for i, th in enumerate(angle):
        for j, friction in enumerate(mu):
            A, b = slope(friction, th), pull(th, rate)
            if min(abs(A), abs(b)) < CLOSE:
                continue
            problem = rod(friction, th, rate)
            answer = enumerate_motions(problem)
            expected[i, j] = region(A, b)
            found[i, j] = _seen(answer.verdict, [motion.modes for motion in answer.motions])
            for motion in answer.motions:
                force = 0.0 if motion.modes == "b" else -M * b / A
                error = max(error, abs(motion.forces[0, 0] - force) / (M * abs(b)))
            if expected[i, j] == NONE:
                rays[i, j] = solve_pyramid(problem)[1].ray is not None
        tell(i + 1)
    return Map(mu, angle, rate, found, expected, error, rays)


def _seen(verdict: str, modes: list[str]) -> int:
    if verdict == "unique":
        return SLIDES if modes == ["s"] else LIFTS
    if verdict == "none":
        return NONE
    return TWO if sorted(modes) == ["b", "s"] else -1


def paradox_from(angle: float) -> float:
    """The friction from which there is no motion at rate 0, by halving."""
    low, high = 0.0, 100.0
    while high - low > 1e-12 * high:
        middle = 0.5 * (low + high)
        none = enumerate_motions(rod(middle, angle)).verdict == "none"
        low, high = (low, middle) if none else (middle, high)
    return high


def study(plan: Plan, progress: Progress) -> Study:
    table, total = Table("painleve-rod", SOURCE), 2 * plan.points
    maps = [
        mapped(plan.points, 0.0, lambda k: progress("map, at rest", k, total)),
        mapped(plan.points, TURNING, lambda k: progress("map, turning", plan.points + k, total)),
    ]
    for one in maps:
        table.run = f"{plan.points} x {plan.points} points, w = {one.rate:.4g} rad/s"
        _map_rows(table, one)
    table.run = "halving of mu, w = 0"
    for tangent in (2.0, 1.0, 4.0):
        angle = math.atan(tangent)
        words = f"friction from which there is no motion, tan th = {tangent:g}"
        # Closer than this the force of sliding is 1e7 times the weight.
        table.relative(words, paradox_from(angle), least_friction(angle), 1e-7)
    relaxed = _relaxed_rows(table, plan.line)
    _space_rows(table)
    picture = draw(maps, relaxed, REGIONS, least_friction, relaxed_force)
    return Study("painleve-rod", table.rows, {"painleve-rod": picture})


def _map_rows(table: Table, one: Map) -> None:
    table.absolute("points at which the number of motions differs", one.wrong, 0, 0)
    for number, words in enumerate(REGIONS):
        seen = int(np.sum(one.found == number))
        table.absolute(f"points with {words}", seen, one.count(number), 0)
    table.absolute("normal forces, worst error over m b", one.error, 0.0, 1e-9)
    none = one.expected == NONE
    share = float(np.mean(one.rays[none])) if none.any() else 1.0
    table.absolute("points without a motion where Lemke ends on a ray, share", share, 1.0, 0)


@dataclass(frozen=True)
class Line:
    """The relaxed model at tan th = 2: departures and normal forces by mu."""

    angle: float
    mu: FloatArray
    departure: FloatArray
    force: FloatArray


def _relaxed_rows(table: Table, points: int) -> Line:
    angle = math.atan(2.0)
    mu = 0.2 + 1.8 * (np.arange(points) + 0.5) / points
    departure, force = np.zeros(points), np.zeros(points)
    for i, friction in enumerate(mu):
        answer = relaxed_motion(rod(friction, angle))
        departure[i] = answer.departure
        force[i] = np.nan if answer.motion is None else answer.motion.forces[0, 0]
    none = np.array([slope(friction, angle) < 0.0 for friction in mu])
    exact = np.array([relaxed_force(friction, angle) for friction in mu])
    table.run = f"relaxed model, tan th = 2, {points} values of mu from 0.2 to 2"
    worst = np.abs(departure - none).max()
    table.absolute("departure from Coulomb's law, 1 where no motion is", worst, 0.0, 1e-6)
    error = float(np.abs(force / exact - 1.0).max())
    table.absolute("normal forces, worst relative error", error, 0.0, 1e-6)
    return Line(angle, mu, departure, force)


def _space_rows(table: Table) -> None:
    """In each region with and without sideways slip; what the cone's enumeration says."""
    cases = (
        (1.0, 60.0, 0.0, 0.0), (2.5, 60.0, 0.0, 0.0), (2.5, 60.0, 0.0, 40.0),
        (2.5, 60.0, 0.0, 75.0), (1.0, 60.0, TURNING, 30.0), (2.5, 60.0, TURNING, 0.0),
        (2.5, 60.0, TURNING, 40.0), (2.5, 40.0, TURNING, 0.0),
    )  # fmt: skip
    for mu, degrees, rate, sideways in cases:
        angle, turned = math.radians(degrees), math.radians(sideways)
        A, b = space_slope(mu, angle, turned), pull(angle, rate)
        answer = analyze(rod_world(mu, angle, rate, turned))
        which = region(A, b)
        table.run = f"capsule, mu = {mu:g}, {degrees:g} deg, w = {rate:.4g}, phi = {sideways:g} deg"
        count = {NONE: 0, TWO: 2}.get(which, 1)
        table.absolute(f"motions, {WORDS[which]}", len(answer.motions), count, 0)
        agrees = float(answer.verdict == WORDS[which])
        table.absolute("verdict as by closed form (1)", agrees, 1.0, 0)
        forces = sorted(float(motion.forces[0, 0]) for motion in answer.motions)
        if which in (SLIDES, TWO):
            table.relative("normal force", forces[-1], -M * b / A, 1e-6, "N")
