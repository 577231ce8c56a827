"""A disk with rolling friction rolls to a stop (Tasora and Anitescu 2013, section 6.1).

Radius R, mass M, moment of inertia J, rolling friction rho (a length), gravity g. While it rolls,
with the friction force F at the contact and the moment rho M g that resists,

    M dv/dt = -F,    J dw/dt = F R - rho M g,    v = R w
    dv/dt = -a,      a = rho M g R / (M R^2 + J) = 0.14 m/s2,    F = M a = 1.4 N

so that it stops at v0 / a = 50/7 s after v0^2 / (2 a) = 25/7 m. It would slip if mu < a / g = 1/70.

The disk is simulated as a ball with the disk's mass and moment of inertia. A scheme that moves
positions at v+ is short of the exact distance by h v0 / 2; one that moves them at the mean
velocity errs only in the step of the stop, by at most a h^2 / 8. Under the associated law
bodies hover at the height h S(y) = h (mu |u_T| + rho |w_R|).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray
from rollcone.mechanics.materials import ContactLaw
from rollcone.mechanics.world import World
from rollcone.recording.run import Run
from rollcone.stepping.dvi import DVI
from rollcone.stepping.moreau_jean import MoreauJean
from rollcone.stepping.moreau_midpoint import MoreauMidpoint
from rollcone.studies.study import Job, Progress, Study, Table, first_moment, simulate_all
from rollcone.view.studies.rolling_disk import draw

R, M, J, RHO, MU, G, V0 = 1.0, 10.0, 4.0, 0.02, 0.9, 9.8, 1.0
DECELERATION = RHO * M * G * R / (M * R**2 + J)
STOP_TIME = V0 / DECELERATION
DISTANCE = V0**2 / (2 * DECELERATION)
FORCE = M * DECELERATION
SOURCE = "Tasora and Anitescu 2013, section 6.1: data; closed form"
ASSOCIATED = "DVI, associated law"
STILL = 1e-9  # m/s: slower is at rest


@dataclass(frozen=True)
class Plan:
    """step h (s); the default scheme goes on to `until`, to see that the disk stays at rest."""

    step: float
    until: float


DEFAULT = Plan(step=0.01, until=60.0)
FULL = Plan(step=0.001, until=60.0)


def world(speed: float = V0, hover: float = 0.0) -> World:
    """The disk at the origin, rolling along x; `hover` (m) lifts it."""
    scene = World(gravity=(0, 0, -G))
    scene.add_plane()
    add_disk(scene, speed, hover)
    scene.set_contact_law(ContactLaw(sliding=MU, rolling=RHO))
    return scene


def add_disk(scene: World, speed: float, hover: float = 0.0, y: float = 0.0) -> None:
    scene.add_sphere(
        radius=R,
        mass=M,
        inertia=(J, J, J),
        position=(0, y, R + hover),
        velocity=(speed, 0, 0),
        angular_velocity=(0, speed / R, 0),
    )


def exact(t: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Position and speed."""
    t = np.minimum(t, STOP_TIME)
    return V0 * t - DECELERATION * t**2 / 2, V0 - DECELERATION * t


def study(plan: Plan, progress: Progress) -> Study:
    h, short = plan.step, STOP_TIME + 1.0
    schemes = {
        "MoreauJean(1/2)": MoreauJean(theta=0.5),
        "MoreauMidpoint": MoreauMidpoint(),
        "MoreauJean(1)": MoreauJean(theta=1.0),
        "DVI": DVI(),
    }
    jobs = {"GapAhead": Job(world(), plan.until, h)}
    jobs |= {name: Job(world(), short, h, {"scheme": each}) for name, each in schemes.items()}
    jobs[ASSOCIATED] = Job(
        world(hover=h * RHO * V0 / R), short, h, {"scheme": DVI(), "law": "associated"}
    )
    runs = simulate_all(jobs, progress)

    table = Table("rolling-disk", SOURCE)
    table.run = f"GapAhead, h = {h:g} s"
    _default_rows(table, runs["GapAhead"], h)
    for name in schemes:
        table.run = f"{name}, h = {h:g} s"
        _scheme_row(table, name, runs[name], h)
    table.run = f"{ASSOCIATED}, h = {h:g} s"
    _hover_rows(table, runs[ASSOCIATED], h)
    table.converged(runs.values())
    return Study("rolling-disk", table.rows, {"rolling-disk": draw(runs, exact, h, RHO)})


def _default_rows(table: Table, run: Run, h: float) -> None:
    track = run.body(1)
    speed = np.linalg.norm(track.velocity, axis=1)
    rolling = run.time < STOP_TIME - h
    last = np.flatnonzero(rolling)[-1]
    fall = (speed[0] - speed[last]) / run.time[last]
    force = [float(np.linalg.norm(run.contacts(i).reaction[0, 1:3])) for i in range(1, last + 1)]
    worst = max(force, key=lambda value: abs(value - FORCE))
    rest = speed[run.time > STOP_TIME + 2 * h]
    way = float(track.position[-1, 0])
    table.relative("stopping distance", way, DISTANCE, 2e-6 * (h / 0.01) ** 2, "m")
    table.absolute("stopping time", first_moment(run, speed < STILL), STOP_TIME, h, "s")
    table.relative("deceleration while it rolls", fall, DECELERATION, 1e-9, "m/s2")
    table.relative("friction force, worst step", worst, FORCE, 1e-9, "N")
    words = f"largest speed at rest, to t = {run.time[-1]:g} s"
    table.absolute(words, rest.max(), 0.0, 1e-12, "m/s")


def _scheme_row(table: Table, name: str, run: Run, h: float) -> None:
    """The error that theory foresees, to leading order."""
    way = float(run.body(1).position[-1, 0])
    if name in ("DVI", "MoreauJean(1)"):
        bound = DECELERATION * h**2 / 4
        table.absolute("distance - exact one (-h v0 / 2)", way - DISTANCE, -h * V0 / 2, bound, "m")
    else:
        table.relative("stopping distance", way, DISTANCE, 2e-6 * (h / 0.01) ** 2, "m")


def _hover_rows(table: Table, run: Run, h: float) -> None:
    track = run.body(1)
    for share in (0.2, 0.5, 0.8):
        i = int(np.searchsorted(run.time, share * STOP_TIME))
        height = h * RHO * (V0 - DECELERATION * run.time[i]) / R  # it does not slip
        gap = float(track.position[i, 2] - R)
        table.relative(f"gap at t = {run.time[i]:.3g} s", gap, float(height), 0.02, "m")
