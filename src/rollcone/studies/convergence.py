"""The order of every scheme: on the rolling disk, on the sphere that first slips (case b), and on
a ball that rolls over a ball.

On planes the error is that of the final position (m) after the stop. While rates are constant,
schemes that move positions at the mean velocity are exact; they err in the step in which the rate
of the speed jumps by da, by

    da h^2 f (1 - f) / 2

where f is the place of the jump in the step. f is as good as random as h changes, so each error is
the worst of several starts that shift the moments of the jumps by parts of a step. Schemes that
move positions at v+ err by -h v0 / 2 whatever f is.

Under the associated law a body hovers at h S(y). It starts there: from the floor it would be
thrown up at the speed S(y), to a height that does not shrink with the step.

On the ball, which is fixed, the normal turns. Rolling without slip the angle a from the top obeys
1.4 (R + r) a'' = g sin(a); the error is that of the position before take-off. Schemes that take
the geometry of the start of the step, or look at velocities alone, are of first order there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rollcone._check import FloatArray
from rollcone.mechanics.materials import ContactLaw
from rollcone.mechanics.world import World
from rollcone.recording.run import Run
from rollcone.stepping.dvi import DVI
from rollcone.stepping.gap_ahead import GapAhead
from rollcone.stepping.moreau_jean import MoreauJean
from rollcone.stepping.moreau_midpoint import MoreauMidpoint
from rollcone.stepping.regularised_lcp import RegularisedLCP
from rollcone.studies import rolling_disk as disk
from rollcone.studies import rolling_sphere as sphere
from rollcone.studies.study import Job, Progress, Study, Table, simulate_all
from rollcone.view.studies.convergence import draw

SCHEMES: dict[str, tuple[dict[str, Any], int]] = {
    "GapAhead": ({"scheme": GapAhead()}, 2),
    "MoreauJean(1/2)": ({"scheme": MoreauJean(theta=0.5)}, 2),
    "MoreauMidpoint": ({"scheme": MoreauMidpoint()}, 2),
    "MoreauJean(1)": ({"scheme": MoreauJean(theta=1.0)}, 1),
    "DVI": ({"scheme": DVI()}, 1),
    "DVI, associated law": ({"scheme": DVI(), "law": "associated"}, 1),
    "RegularisedLCP": ({"scheme": RegularisedLCP(), "friction_model": "cone"}, 1),
}
SHORT = {1: 0.05, 2: 0.1}  # what a measured order may lack
SCATTERED = 0.15  # on the ball: schemes of first order lose the contact now and then
SOURCE = "theory of the schemes; errors against the closed forms of both scenes"


@dataclass(frozen=True)
class Plan:
    """steps   h (s)
    shifts  starts per jump of the rates
    """

    steps: tuple[float, ...]
    shifts: int = 4


DEFAULT = Plan(steps=(0.04, 0.02, 0.01, 0.005))
FULL = Plan(steps=(0.04, 0.02, 0.01, 0.005, 0.0025, 0.00125), shifts=8)


@dataclass(frozen=True)
class Scene:
    """A world with several starts, its duration, and where the bodies must end (m)."""

    world: World
    until: float
    reference: FloatArray
    first: int = 1  # number of the first body that counts


def disk_scene(h: float, shifts: int, associated: bool) -> Scene:
    """Disks that stop up to a step later, side by side."""
    scene = World(gravity=(0, 0, -disk.G))
    scene.add_plane()
    scene.set_contact_law(ContactLaw(sliding=disk.MU, rolling=disk.RHO))
    speeds = disk.V0 + disk.DECELERATION * h * np.arange(shifts) / shifts
    for number, speed in enumerate(speeds):
        hover = h * disk.RHO * speed / disk.R if associated else 0.0
        disk.add_disk(scene, speed, hover, y=4 * disk.R * number)
    return Scene(scene, disk.STOP_TIME + 2 * h, speeds**2 / (2 * disk.DECELERATION))


def sphere_scene(h: float, shifts: int, associated: bool) -> Scene:
    """Spheres whose slip ends, and that stop, up to a step later.

    The slip U - R W falls at c = (3.5 mu - 2.5 rho / R) g till it is zero at t1, and the
    angular momentum about the contact, m (R U + 0.4 R^2 W), at rho m g till zero at t2. So
    U - R W = c t1 and R U + 0.4 R^2 W = rho g t2 at the start.
    """
    case, R, G = sphere.CASES["b"], sphere.R, sphere.G
    mu, rho = case.sliding, case.rolling
    scene = World(gravity=(0, 0, -G))
    scene.add_plane()
    scene.set_contact_law(ContactLaw(sliding=mu, rolling=rho))
    slips, rolls = sphere.phases(case)
    reference = []
    for number in range(shifts**2):
        first, second = h * np.array(divmod(number, shifts)) / shifts
        c = (3.5 * mu - 2.5 * rho / R) * G
        start = [c * (slips.end + first), rho * G * (rolls.end + second)]
        U, W = np.linalg.solve([[1.0, -R], [R, 0.4 * R**2]], start)
        one = sphere.Case(float(U), float(W), mu, rho)
        hover = h * (mu * (U - R * W) + rho * W) if associated else 0.0
        sphere.add_sphere(scene, one, y=4 * R * number, hover=hover)
        last = sphere.phases(one)[-1]
        reference.append(float(last.at(last.end)[0]))
    return Scene(scene, rolls.end + 2 * h, np.array(reference))


def ball_scene(h: float, shifts: int, associated: bool) -> Scene:
    """Balls that roll up to the top and down again, each over a fixed one of its own."""
    R, r, G, until = 1.0, 0.25, 9.81, 0.4  # a multiple of every step
    scene = World(gravity=(0, 0, -G))
    scene.set_contact_law(ContactLaw(sliding=1.0))
    places = [4 * R * number for number in range(shifts)]
    for y in places:
        scene.add_sphere(radius=R, position=(0, y, 0), fixed=True)
    angle, reference = -0.3, []
    sine, cosine = np.sin(angle), np.cos(angle)
    away, along = np.array([sine, 0, cosine]), np.array([cosine, 0, -sine])
    for number, y in enumerate(places):
        speed = 1.5 + 0.1 * number / shifts
        scene.add_sphere(
            radius=r, mass=1.0, position=(R + r) * away + (0, y, 0), velocity=speed * along,
            angular_velocity=(0, speed / r, 0),
        )  # fmt: skip
        end = _angle_on_ball(angle, speed / (R + r), G / (1.4 * (R + r)), until)
        reference.append((R + r) * np.sin(end))
    return Scene(scene, until, np.array(reference), first=shifts)


def _angle_on_ball(angle: float, turning: float, rate: float, until: float) -> float:
    """a(until) of a'' = rate sin(a)."""
    from scipy.integrate import solve_ivp

    path = solve_ivp(
        lambda _, a: (a[1], rate * np.sin(a[0])), (0.0, until), (angle, turning), method="DOP853",
        rtol=1e-12, atol=1e-14,
    )  # fmt: skip
    return float(path.y[0, -1])


SCENES: dict[str, Callable[[float, int, bool], Scene]] = {
    "disk": disk_scene,
    "sphere": sphere_scene,
    "ball on a ball": ball_scene,
}
# Where a normal turns, these are of first order only.
PLANE_ONLY = ("MoreauJean(1/2)", "MoreauMidpoint")


def study(plan: Plan, progress: Progress) -> Study:
    jobs, scenes = {}, {}
    for scene_name, make in SCENES.items():
        for name, (settings, _) in SCHEMES.items():
            for h in plan.steps:
                scene = make(h, plan.shifts, settings.get("law") == "associated")
                key = _key(scene_name, name, h)
                once = {"record_every": 1 + round(scene.until / h) // 2}
                jobs[key] = Job(scene.world, scene.until, h, settings | once)
                scenes[key] = scene
    runs = simulate_all(jobs, progress)
    errors = {key: _worst(run, scenes[key]) for key, run in runs.items()}

    table = Table("convergence", SOURCE)
    table.run = f"h = {plan.steps[0]:g} to {plan.steps[-1]:g} s"
    curves: dict[str, dict[str, tuple[FloatArray, float]]] = {}
    for scene_name in SCENES:
        curves[scene_name] = {}
        for name, (_, planned) in SCHEMES.items():
            order = 1 if scene_name == "ball on a ball" and name in PLANE_ONLY else planned
            wrong = np.array([errors[_key(scene_name, name, h)] for h in plan.steps])
            fitted = float(np.polyfit(np.log(plan.steps), np.log(wrong), 1)[0])
            short = SCATTERED if scene_name == "ball on a ball" and order == 1 else SHORT[order]
            table.order(f"{scene_name}, {name}: order", fitted, order, short)
            curves[scene_name][name] = wrong, fitted
    table.converged(runs.values())
    return Study("convergence", table.rows, {"convergence": draw(plan.steps, curves)})


def _key(scene: str, scheme: str, h: float) -> str:
    return f"{scene}, {scheme}, h = {h:g} s"


def _worst(run: Run, scene: Scene) -> float:
    found = run.world.state.position[scene.first :, 0]
    return float(np.abs(found - scene.reference).max())
