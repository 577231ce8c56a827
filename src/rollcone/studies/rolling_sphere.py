"""A sphere on a floor rolls, slips and slides to a stop (Acary and Bourrier 2021, section 6.1).

Radius R, moment of inertia 0.4 m R^2, sliding friction mu, rolling friction rho (a length; mu_r
in the paper), gravity g, N = m g. With the speed U, the angular velocity W and the slip
u = U - R W >= 0 it

    slips    dU/dt = -mu g,   dW/dt = (mu R - rho) g / (0.4 R^2),   r_T = mu N, m_R = rho N
    rolls    dU/dt = -a,      dW/dt = -a / R,   a = 5 rho g / (7 R),   r_T = m a, m_R = rho N
    slides without turning    dU/dt = -mu g,    r_T = mu N,            m_R = mu N R < rho N

It rolls once u = 0, if mu >= 5 rho / (7 R); else it slips till W = 0 and then slides. From a start
without slip it thus gets as far as U0^2 / (2 g min(mu, 5 rho / (7 R))): in both cases U falls at
one constant rate.

The default scheme moves positions at the mean velocity, which is exact while the rate is
constant: it errs only in steps in which the mode changes, at the stop by at most a h^2 / 8,
relative to the distance a^2 h^2 / (4 U0^2).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray
from rollcone.mechanics.materials import ContactLaw
from rollcone.mechanics.world import World
from rollcone.recording.run import Run
from rollcone.simulation import steps_between
from rollcone.studies.study import Job, Progress, Study, Table, first_moment, simulate_all
from rollcone.view.studies.rolling_sphere import draw_cases, draw_map

R, DENSITY, G = 0.5, 2500.0, 9.81
MASS = DENSITY * 4 / 3 * np.pi * R**3
SOURCE = "Acary and Bourrier 2021, section 6.1: data, with g = 9.81 m/s2; closed form"
STILL = 1e-9  # m/s, or rad/s: slower is at rest


@dataclass(frozen=True)
class Case:
    """Speed (m/s), angular velocity (rad/s), friction; what figure 3 of the paper shows."""

    speed: float
    turning: float
    sliding: float
    rolling: float


CASES = {
    "a": Case(2.5, 5.0, 0.2, 0.04),
    "b": Case(2.5, 2.5, 0.2, 0.04),
    "c": Case(2.5, 5.0, 0.05, 0.04),
}


@dataclass(frozen=True)
class Phase:
    """Constant rates from `start` to `end`; reactions in units of N and of N times a metre."""

    mode: str
    start: float
    end: float
    position: float
    speed: float
    turning: float
    speed_rate: float
    turning_rate: float
    force: float
    moment: float

    def at(self, t: FloatArray | float) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Position, speed, angular velocity."""
        t = np.asarray(t) - self.start
        x = self.position + self.speed * t + self.speed_rate * t**2 / 2
        return x, self.speed + self.speed_rate * t, self.turning + self.turning_rate * t


def phases(case: Case) -> list[Phase]:
    """The motion until the stop; u >= 0 and W >= 0 at the start."""
    mu, rho = case.sliding, case.rolling
    rate = 5 * rho * G / (7 * R)
    slip = case.speed - R * case.turning
    mode = "rolls" if slip == 0 and mu * G >= rate else "slips"
    t = x = 0.0
    U, W = case.speed, case.turning
    found: list[Phase] = []
    while mode != "rests":
        dU, dW, force, moment = -mu * G, 0.0, mu, mu * R
        after = "rests"
        if mode == "rolls":
            dU, dW, force, moment = -rate, -rate / R, rate / G, rho
        length = U / -dU
        if mode == "slips":
            dW, moment = (mu * R - rho) * G / (0.4 * R**2), rho
            if dU < R * dW:  # the slip ends before the speed does
                length, after = (U - R * W) / (R * dW - dU), "rolls"
            elif dW < 0:
                length, after = W / -dW, "slides"
        found.append(Phase(mode, t, t + length, x, U, W, dU, dW, force, moment))
        x, U, W = (float(value) for value in found[-1].at(t + length))
        t, mode = t + length, after
    return found


def exact(case: Case, t: FloatArray) -> FloatArray:
    """Position, speed, angular velocity, force over N, moment over N (5, times)."""
    values = np.zeros((5, len(t)))
    for phase in phases(case):
        inside = t >= phase.start
        now = np.minimum(t[inside], phase.end)
        values[:3, inside] = phase.at(now)
        values[3:, inside] = np.array([[phase.force], [phase.moment]])
    values[1:, t >= phase.end] = 0.0
    return values


def reach(speed: float, sliding: FloatArray, rolling: FloatArray) -> FloatArray:
    """The distance (m) from a start without slip."""
    return np.asarray(speed**2 / (2 * G * np.minimum(sliding, 5 * rolling / (7 * R))))


@dataclass(frozen=True)
class Plan:
    """steps     h of the three cases (s); reactions are taken from the first
    map_step  h of the map
    points    of the map, along each axis
    least     smallest mu and rho of the map; they go up to MOST
    """

    steps: tuple[float, ...]
    map_step: float
    points: int
    least: tuple[float, float] = (0.01, 0.002)


MOST = (0.5, 0.1)
DEFAULT = Plan(steps=(0.01, 0.001), map_step=0.02, points=20)
FULL = Plan(steps=(0.01, 0.001, 0.0001), map_step=0.005, points=40)


def world(case: Case) -> World:
    scene = World(gravity=(0, 0, -G))
    scene.add_plane()
    scene.set_contact_law(ContactLaw(sliding=case.sliding, rolling=case.rolling))
    add_sphere(scene, case)
    return scene


def add_sphere(
    scene: World, case: Case, y: float = 0.0, hover: float = 0.0, material: str = "default"
) -> None:
    scene.add_sphere(
        radius=R,
        density=DENSITY,
        position=(0, y, R + hover),
        velocity=(case.speed, 0, 0),
        angular_velocity=(0, case.turning, 0),
        material=material,
    )


def map_world(sliding: FloatArray, rolling: FloatArray) -> World:
    """A sphere for every pair of coefficients, side by side; they never meet."""
    scene = World(gravity=(0, 0, -G))
    scene.add_plane(material="floor")
    for number, (mu, rho) in enumerate(zip(sliding.flat, rolling.flat, strict=True)):
        name = f"sphere {number}"
        add_sphere(scene, CASES["a"], y=4 * R * number, material=name)
        scene.set_contact_law(ContactLaw(sliding=mu, rolling=rho), name, "floor")
    return scene


def study(plan: Plan, progress: Progress) -> Study:
    jobs = {
        f"case {name}, h = {h:g} s": Job(world(case), phases(case)[-1].end + 0.5, h)
        for h in plan.steps
        for name, case in CASES.items()
    }
    axes = [
        np.geomspace(least, most, plan.points) for least, most in zip(plan.least, MOST, strict=True)
    ]
    sliding, rolling = np.meshgrid(*axes, indexing="ij")
    far = reach(CASES["a"].speed, sliding, rolling)
    slowest = 2 * far.max() / CASES["a"].speed + 1.0
    settings = {"record_every": steps_between(0.0, slowest, plan.map_step)}
    scene = map_world(sliding, rolling)
    jobs["map"] = Job(scene, slowest, plan.map_step, settings)
    runs = simulate_all(jobs, progress)

    table = Table("rolling-sphere", SOURCE)
    for name, case in CASES.items():
        for h in plan.steps:
            table.run = f"GapAhead, h = {h:g} s"
            run = runs[f"case {name}, h = {h:g} s"]
            _motion_rows(table, f"case {name}", case, run)
            if h == plan.steps[0]:
                _reaction_rows(table, f"case {name}", case, run)
    table.run = f"GapAhead, h = {plan.map_step:g} s"
    found = runs["map"].world.state.position[1:, 0].reshape(far.shape)
    _map_rows(table, found, far, runs["map"], plan)
    table.converged(runs.values())
    h = plan.steps[0]
    shown = {name: runs[f"case {name}, h = {h:g} s"] for name in CASES}
    figures = {
        "rolling-sphere": draw_cases(shown, CASES, exact, R, MASS * G),
        "rolling-sphere-map": draw_map(axes, found, far, R),
    }
    return Study("rolling-sphere", table.rows, figures)


def _motion_rows(table: Table, name: str, case: Case, run: Run) -> None:
    h, track = run.step, run.body(1)
    U, W = track.velocity[:, 0], track.angular_velocity[:, 1]
    conditions = {"rolls": np.abs(U - R * W) < STILL, "slides": np.abs(W) < STILL}
    words = {"rolls": "slip ends", "slides": "turning ends"}
    parts = phases(case)
    for phase in parts[1:]:
        time = first_moment(run, conditions[phase.mode])
        table.absolute(f"{name}: {words[phase.mode]}", time, phase.start, h, "s")
    stop = parts[-1].end
    table.absolute(f"{name}: stops", first_moment(run, np.abs(U) < STILL), stop, h, "s")
    way = float(parts[-1].at(stop)[0])
    # 1e-4 at h = 0.01 s, 1e-6 at 0.001 s
    table.relative(f"{name}: distance", track.position[-1, 0], way, (h / 0.01) ** 2 * 1e-4, "m")


def _reaction_rows(table: Table, name: str, case: Case, run: Run) -> None:
    """The worst of all steps within a phase."""
    h, weight = run.step, MASS * G
    for phase in phases(case):
        begins = run.time[1:] - h > phase.start - 1e-9 * h
        inside = 1 + np.flatnonzero(begins & (run.time[1:] < phase.end))
        reaction = np.array([run.contacts(int(i)).reaction[0] for i in inside])
        for words, unit, rows, part in (
            ("friction force", "N", slice(1, 3), phase.force),
            ("rolling moment", "N m", slice(3, 5), phase.moment),
        ):
            sizes = np.linalg.norm(reaction[:, rows], axis=1)
            worst = sizes[np.argmax(np.abs(sizes - part * weight))]
            table.relative(f"{name}, {phase.mode}: {words}", worst, part * weight, 1e-9, unit)


def _map_rows(table: Table, found: FloatArray, far: FloatArray, run: Run, plan: Plan) -> None:
    start = CASES["a"].speed
    rate = start**2 / (2 * far.min())
    bound = 1.01 * (rate * plan.map_step / (2 * start)) ** 2
    worst = np.argmax(np.abs(found / far - 1.0))
    words = f"map of {found.size} spheres: distance, the worst"
    table.relative(words, found.flat[worst], far.flat[worst], bound, "m")
    speed = np.linalg.norm(run.world.state.velocity, axis=1).max()
    table.absolute("map: largest speed at the end", speed, 0.0, STILL, "m/s")
