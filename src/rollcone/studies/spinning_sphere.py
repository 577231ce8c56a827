"""Spinning and rolling friction act on their own parts of the motion; rest and motion on inclines.

A ball of radius R with moment of inertia 0.4 m R^2 on a floor; sigma and rho are the spinning and
rolling friction (lengths), g gravity:

    spin     d w_n/dt = -sigma g / (0.4 R^2)     whatever it rolls
    roll     d v/dt = -5 rho g / (7 R)           whatever it spins, in any direction, straight

so sigma alone leaves rolling untouched for ever, and rho alone leaves the spin. On an incline at
the angle alpha a ball rests if tan(alpha) <= rho / R and a block if tan(alpha) <= mu. Beyond that,

    ball     a = g (sin alpha - (rho / R) cos alpha) / 1.4
    block    a = g (sin alpha - mu cos alpha)

from m a = m g sin alpha - F and 0.4 m R^2 (a / R) = F R - rho m g cos alpha.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray
from rollcone.mechanics.body import Body
from rollcone.mechanics.materials import ContactLaw
from rollcone.mechanics.rotations import quaternion_between
from rollcone.mechanics.world import World
from rollcone.recording.run import Run
from rollcone.studies.study import Job, Progress, Study, Table, first_moment, simulate_all
from rollcone.view.studies.spinning_sphere import draw

R, DENSITY, G = 0.5, 2500.0, 9.81
SPIN, SPEED = 5.0, 2.5  # rad/s, m/s
SIGMA, RHO = 0.01, 0.04  # m
SPIN_RATE = SIGMA * G / (0.4 * R**2)
ROLL_RATE = 5 * RHO * G / (7 * R)
DISTANCE = SPEED**2 / (2 * ROLL_RATE)
STEEPNESS = 0.1  # both rho / R of the ball and mu of the block on the incline
BOX = (0.6, 0.4, 0.2)  # m, edges of the block
STILL = 1e-9  # m/s, or rad/s: slower is at rest
# What the balls on the floor do: rolling and spinning friction, speed, spin.
BALLS = {
    "spin, sigma": (0.0, SIGMA, 0.0, SPIN),
    "spin, rho": (RHO, 0.0, 0.0, SPIN),
    "roll, sigma": (0.0, SIGMA, SPEED, 0.0),
    "roll and spin, both": (RHO, SIGMA, SPEED, SPIN),
}
SOURCE = "closed form"


@dataclass(frozen=True)
class Plan:
    """step        h (s)
    until       how long motions that never end, and rest, are watched (s)
    slide       how long bodies go down the incline (s)
    directions  in which a ball rolls
    """

    step: float
    until: float
    slide: float
    directions: int


DEFAULT = Plan(step=0.01, until=60.0, slide=10.0, directions=8)
FULL = Plan(step=0.001, until=60.0, slide=10.0, directions=16)


def floor(azimuths: FloatArray) -> tuple[World, dict[str, Body]]:
    """All balls of the floor in one world, far apart."""
    scene = World(gravity=(0, 0, -G))
    scene.add_plane(material="floor")
    bodies = {}
    for number, (name, (rho, sigma, speed, spin)) in enumerate(BALLS.items()):
        scene.set_contact_law(ContactLaw(sliding=0.5, rolling=rho, spinning=sigma), name, "floor")
        where = (100.0, 10.0 * number, R)
        bodies[name] = _ball(scene, where, (speed, 0.0), spin, material=name)
    scene.set_contact_law(ContactLaw(sliding=0.5, rolling=RHO, spinning=SIGMA), "any", "floor")
    for angle in azimuths:
        ahead = np.array([np.cos(angle), np.sin(angle)])
        bodies[_azimuth(angle)] = _ball(
            scene, (*(20.0 * ahead), R), SPEED * ahead, SPIN, material="any"
        )
    return scene, bodies


def _azimuth(angle: float) -> str:
    return f"{np.degrees(angle):.1f} degrees"


def _ball(
    scene: World, where: tuple[float, ...], v: tuple[float, float] | FloatArray, spin: float,
    material: str,
) -> Body:  # fmt: skip
    """Rolls at the velocity v = (v_x, v_y) without slip."""
    return scene.add_sphere(
        radius=R,
        density=DENSITY,
        position=where,
        velocity=(v[0], v[1], 0),
        angular_velocity=(-v[1] / R, v[0] / R, spin),
        material=material,
    )


def incline(share: float) -> tuple[World, FloatArray]:
    """A plane with tan(alpha) = share * STEEPNESS, a ball and a block at rest on it;
    and the direction down (3,)."""
    alpha = np.arctan(share * STEEPNESS)
    normal = np.array([np.sin(alpha), 0.0, np.cos(alpha)])
    down = np.array([np.cos(alpha), 0.0, -np.sin(alpha)])
    scene = World(gravity=(0, 0, -G))
    scene.add_plane(normal=normal, material="floor")
    scene.set_contact_law(ContactLaw(sliding=0.5, rolling=STEEPNESS * R), "ball", "floor")
    scene.set_contact_law(ContactLaw(sliding=STEEPNESS), "block", "floor")
    scene.add_sphere(radius=R, density=DENSITY, position=R * normal, material="ball", name="ball")
    scene.add_box(
        size=BOX,
        density=DENSITY,
        position=BOX[2] / 2 * normal + np.array([0.0, 5.0, 0.0]),
        orientation=quaternion_between((0, 0, 1), normal),
        material="block",
        name="block",
    )
    return scene, down


def study(plan: Plan, progress: Progress) -> Study:
    azimuths = 2 * np.pi * (np.arange(plan.directions) + 0.1) / plan.directions
    scene, bodies = floor(azimuths)
    flat, steep = incline(0.999), incline(1.001)
    jobs = {
        "floor": Job(scene, plan.until, plan.step),
        "incline, rest": Job(flat[0], plan.until, plan.step),
        "incline, motion": Job(steep[0], plan.slide, plan.step),
    }
    runs = simulate_all(jobs, progress)
    table = Table("spinning-sphere", SOURCE)
    table.run = f"GapAhead, h = {plan.step:g} s"
    run = runs["floor"]
    _spin_rows(table, run, bodies)
    _direction_rows(table, run, bodies, azimuths)
    _rest_rows(table, runs["incline, rest"])
    _motion_rows(table, runs["incline, motion"], steep[1])
    table.converged(runs.values())
    tracks = {name: run.body(bodies[name]) for name in BALLS}
    rays = [run.body(bodies[_azimuth(angle)]) for angle in azimuths]
    picture = draw(run.time, tracks, rays, (SPIN, SPIN_RATE), (SPEED, ROLL_RATE))
    return Study("spinning-sphere", table.rows, {"spinning-sphere": picture})


def _spin_rows(table: Table, run: Run, bodies: dict[str, Body]) -> None:
    h, t = run.step, run.time
    for name in ("spin, sigma", "roll and spin, both"):
        spin = run.body(bodies[name]).angular_velocity[:, 2]
        wrong = np.abs(spin - np.maximum(SPIN - SPIN_RATE * t, 0.0))
        time = first_moment(run, np.abs(spin) < STILL)
        table.absolute(f"{name}: spin, worst moment", wrong.max(), 0.0, 1e-9, "rad/s")
        table.absolute(f"{name}: spin ends", time, SPIN / SPIN_RATE, h, "s")
    track = run.body(bodies["roll and spin, both"])
    speed, way = track.velocity[:, 0], track.position[:, 0] - track.position[0, 0]
    stop = first_moment(run, np.abs(speed) < STILL)
    table.absolute("roll and spin, both: roll ends", stop, SPEED / ROLL_RATE, h, "s")
    bound = (ROLL_RATE * h / (2 * SPEED)) ** 2
    table.relative("roll and spin, both: distance", way[-1], DISTANCE, 1.01 * bound, "m")
    words = f"to t = {t[-1]:g} s"
    spin = run.body(bodies["spin, rho"]).angular_velocity[:, 2]
    worst = spin[np.argmax(np.abs(spin - SPIN))]
    table.relative(f"spin, rho: spin {words}, the worst", worst, SPIN, 1e-12, "rad/s")
    speed = run.body(bodies["roll, sigma"]).velocity[:, 0]
    worst = speed[np.argmax(np.abs(speed - SPEED))]
    table.relative(f"roll, sigma: speed {words}, the worst", worst, SPEED, 1e-12, "m/s")


def _direction_rows(table: Table, run: Run, bodies: dict[str, Body], azimuths: FloatArray) -> None:
    ways, aside = [], []
    for angle in azimuths:
        position = run.body(bodies[_azimuth(angle)]).position
        x, y = (position - position[0])[:, :2].T
        ways.append(float(np.hypot(x[-1], y[-1])))
        aside.append(np.abs(y * np.cos(angle) - x * np.sin(angle)).max() / DISTANCE)
    count = f"{len(azimuths)} directions"
    table.absolute(f"{count}: deviation / distance, worst", max(aside), 0.0, 1e-9)
    spread = (max(ways) - min(ways)) / DISTANCE
    table.absolute(f"{count}: spread of distances / distance", spread, 0.0, 1e-9)


def _rest_rows(table: Table, run: Run) -> None:
    for name, size in (("ball", R), ("block", BOX[2])):
        moved = run.body(name).position - run.body(name).position[0]
        far = np.linalg.norm(moved, axis=1).max() / size
        words = f"{name}, tan = 0.999 of the limit: way / size to t = {run.time[-1]:g} s"
        table.absolute(words, far, 0.0, 1e-12)


def _motion_rows(table: Table, run: Run, down: FloatArray) -> None:
    sine, cosine = -down[2], down[0]
    end = run.time[-1]
    for name, rate in (
        ("ball", G * (sine - STEEPNESS * cosine) / 1.4),
        ("block", G * (sine - STEEPNESS * cosine)),
    ):
        position = run.body(name).position
        way = float((position[-1] - position[0]) @ down)
        words = f"{name}, tan = 1.001 of the limit: acceleration"
        table.relative(words, 2 * way / end**2, rate, 1e-6, "m/s2")
