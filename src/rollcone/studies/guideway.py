"""A linear guideway with recirculating balls (Tasora and Anitescu 2013, section 6.2).

A rail 35 mm wide, four rows of nine balls of radius Rb = 3.2 mm, which touch flat raceways (boxes)
at 45 degrees; a carriage under the load Fy, driven slowly along the rail; rolling friction
rho = zeta Rb with zeta = 0.005, and seals that resist with S = 5.3 N at most. Nobody says what the
contacts are made of: steel, by Hertz and Mindlin, so that it is known how balls share the load.

The manufacturer's formula is zeta Fy + S. Statics say more. A ball between two raceways turns at
V / (2 Rb), and both of its contacts take rho N V / (2 Rb), so one ball resists with rho N / Rb.
Without preload the load is carried by two of the four rows, at 45 degrees: their normal forces
add up to sqrt(2) Fy, and the force is

    F = sqrt(2) (rho / Rb) Fy + S.

The paper reports agreement with the formula of the manufacturer; it does not speak of the factor.
Balls move half as fast as the carriage; where they are in the middle below it, nothing tilts, and
all eighteen that carry have the same load. The resisting force is taken there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.forces import contact_forces
from rollcone.mechanics.elements import Element, JointFriction, Motor
from rollcone.mechanics.hertz import HertzMindlin
from rollcone.mechanics.materials import ContactLaw
from rollcone.mechanics.rotations import rotation
from rollcone.mechanics.world import World
from rollcone.recording.run import Run
from rollcone.studies.study import Job, Progress, Study, Table, simulate_all
from rollcone.view.studies.guideway import draw

RB, BALLS, PITCH, WIDTH = 3.2e-3, 9, 8e-3, 35e-3  # m
ZETA, SEALS, LOAD = 0.005, 5.3, 490.0
MU, STEEL = 0.1, HertzMindlin(young=210e9, poisson=0.3)
SPEED, TRAVEL = 0.01, 4e-4  # m/s; m, of the load relative to the balls, to both sides
SOURCE = "statics of the balls; data of Tasora and Anitescu 2013, section 6.2"
PUBLISHED = "manufacturer's formula zeta Fy + S in Tasora and Anitescu 2013, section 6.2"
_HEIGHT, _FACE, _THICK = 8e-3, 6e-3, 4e-3  # m: of the rows above the middle; of raceways


@dataclass(frozen=True)
class Plan:
    """step h (s); rho over zeta Rb, and loads (N), at which the force is measured."""

    step: float
    shares: tuple[float, ...]
    loads: tuple[float, ...]


DEFAULT = Plan(step=1e-3, shares=(0.5, 1.0, 2.0), loads=(245.0, 980.0))
FULL = Plan(step=5e-4, shares=(0.25, 0.5, 1.0, 1.5, 2.0), loads=(98.0, 245.0, 980.0, 1960.0))


def world(
    rho: float = ZETA * RB,
    load: float = LOAD,
    seals: float = SEALS,
    speed: float = SPEED,
    limit: float = math.inf,
) -> World:
    """The rail along x, the load along -z; a motor drives the joint 'drive' at `speed` with at most
    the force `limit`."""
    scene = World()
    scene.set_contact_law(ContactLaw(sliding=MU, rolling=rho, compliance=STEEL))
    length = (BALLS - 1) * PITCH
    carriage = scene.add_box(
        size=(length + 20e-3, WIDTH + 30e-3, 10e-3),
        mass=1.0,
        position=(-TRAVEL, 0, 28e-3),
        name="carriage",
        force=(0, 0, -load),
    )
    for side, across in (("left", 1.0), ("right", -1.0)):
        for level, up in (("upper", 1.0), ("lower", -1.0)):
            _add_row(scene, f"{side} {level}", across, up, length)
    elements: list[Element] = [Motor(speed=speed, limit=limit)]
    if seals:
        elements.append(JointFriction(limit=seals))
    # At the height of the balls that carry: where it pulls, the carriage does not move by tilting.
    pulled = (-TRAVEL, 0, _HEIGHT)
    scene.add_joint(
        kind="free", body=carriage, point=pulled, axis=(1, 0, 0), slide=elements, name="drive"
    )
    return scene


def _add_row(scene: World, name: str, across: float, up: float, length: float) -> None:
    """Nine balls, the raceway of the rail and that of the carriage, which is screwed to it."""
    normal = np.array([0.0, across, up]) / math.sqrt(2.0)
    middle = np.array([0.0, across * WIDTH / 2, up * _HEIGHT])
    turned = rotation((1, 0, 0), math.degrees(math.atan2(-normal[1], normal[2])))
    away = (RB + _THICK / 2) * normal
    scene.add_box(
        size=(length + 40e-3, _FACE, _THICK),
        fixed=True,
        position=middle - away,
        orientation=turned,
        name=f"rail {name}",
    )
    scene.add_box(
        size=(length + 20e-3, _FACE, _THICK),
        mass=0.05,
        position=middle + away - (TRAVEL, 0, 0),
        orientation=turned,
        name=f"raceway {name}",
    )
    scene.add_joint(kind="fixed", base="carriage", body=f"raceway {name}", name=f"screws {name}")
    for k in range(BALLS):
        x = (k - (BALLS - 1) / 2) * PITCH
        scene.add_sphere(
            radius=RB, density=7800, position=middle + np.array([x, 0, 0]), name=f"ball {name} {k}"
        )


def statics(rho: float, load: float, seals: float) -> float:
    """The resisting force (N)."""
    return math.sqrt(2.0) * rho / RB * load + seals


def force(run: Run) -> FloatArray:
    """The force of the motor (N) over time."""
    return run.joint("drive").effort["slide.motor"]


def middle(run: Run) -> int:
    """The moment at which the balls are in the middle below the load."""
    ball = run.body(f"ball left upper {BALLS // 2}").position[:, 0]
    away = np.abs(run.body("carriage").position[:, 0] - ball)
    return int(np.argmin(away))


def study(plan: Plan, progress: Progress) -> Study:
    h, until = plan.step, 4 * TRAVEL / SPEED
    settings = {"tolerance": 1e-8, "speed_tolerance": 1e-10}
    jobs: dict[str, Job] = {}
    for share in plan.shares:
        for seals in (SEALS, 0.0):
            made = world(rho=share * ZETA * RB, seals=seals)
            jobs[_name(share, LOAD, seals)] = Job(made, until, h, settings)
    for load in plan.loads:
        jobs[_name(1.0, load, SEALS)] = Job(world(load=load), until, h, settings)
    full = statics(ZETA * RB, LOAD, SEALS)
    for part in (0.99, 1.01):
        jobs[_stick(part)] = Job(world(limit=part * full), until, h, settings)
    runs = simulate_all(jobs, progress)

    table = Table("guideway", SOURCE)
    table.run = f"GapAhead, h = {h:g} s"
    _force_rows(table, plan, runs)
    _share_rows(table, runs[_name(1.0, LOAD, SEALS)])
    _stick_rows(table, runs, full)
    table.converged(runs.values())
    curves = {
        seals: [
            (share * ZETA * RB, _measured(runs[_name(share, LOAD, seals)])) for share in plan.shares
        ]
        for seals in (SEALS, 0.0)
    }
    figure = draw(runs[_name(1.0, LOAD, SEALS)], runs[_stick(0.99)], curves)
    return Study("guideway", table.rows, {"guideway": figure})


def _name(share: float, load: float, seals: float) -> str:
    return f"rho {share:g} zeta Rb, {load:g} N, seals {seals:g} N"


def _stick(part: float) -> str:
    return f"driven with {part:g} of the force"


def _measured(run: Run) -> float:
    return float(force(run)[middle(run)])


def _force_rows(table: Table, plan: Plan, runs: dict[str, Run]) -> None:
    cases = [(share, LOAD, seals) for share in plan.shares for seals in (SEALS, 0.0)]
    cases += [(1.0, load, SEALS) for load in plan.loads]
    for share, load, seals in cases:
        words = f"force, rho = {share:g} zeta Rb, Fy = {load:g} N, "
        words += "with seals" if seals else "without"
        exact = statics(share * ZETA * RB, load, seals)
        table.relative(words, _measured(runs[_name(share, load, seals)]), exact, 1e-5, "N")
    source, table.source = table.source, PUBLISHED
    value, formula = _measured(runs[_name(1.0, LOAD, SEALS)]), ZETA * LOAD + SEALS
    table.differs("force, rho = zeta Rb, Fy = 490 N, with seals", value, formula, 1e-2, "N")
    table.source = source


def _share_rows(table: Table, run: Run) -> None:
    """How the balls share the load, at their contacts with the carriage."""
    moment = middle(run)
    loads = {side: _row_loads(run, moment, f"{side} upper") for side in ("left", "right")}
    together = np.concatenate([loads["left"], loads["right"]])
    equal = math.sqrt(2.0) * LOAD / (2 * BALLS)
    table.relative("normal force of a ball, mean", float(together.mean()), equal, 1e-6, "N")
    table.absolute(
        "left against right, worst ball", _worst(loads["left"] / loads["right"]), 0, 1e-6
    )
    table.absolute("carried by the lower rows", _lower(run, moment), 0.0, 1e-9, "N")
    table.relative("vertical force of all balls", _vertical(run, moment), LOAD, 1e-6, "N")


def _worst(ratio: FloatArray) -> float:
    return float(np.abs(ratio - 1.0).max())


def _on_carriage(run: Run, moment: int, row: str) -> tuple[FloatArray, FloatArray]:
    """Normal forces and vertical forces on the carriage of the contacts of a row."""
    found, raceway = run.contacts(moment), run.world.number_of(f"raceway {row}")
    here = np.flatnonzero((found.bodies == raceway).any(axis=1))
    sign = np.where(found.bodies[here, 1] == raceway, 1.0, -1.0)
    return found.reaction[here, 0], sign * contact_forces(found)[here, 2]


def _row_loads(run: Run, moment: int, row: str) -> FloatArray:
    return _on_carriage(run, moment, row)[0]


def _lower(run: Run, moment: int) -> float:
    rows = (_row_loads(run, moment, f"{side} lower") for side in ("left", "right"))
    return float(max(loads.max(initial=0.0) for loads in rows))


def _vertical(run: Run, moment: int) -> float:
    rows = [f"{side} {level}" for side in ("left", "right") for level in ("upper", "lower")]
    return float(sum(_on_carriage(run, moment, row)[1].sum() for row in rows))


def _stick_rows(table: Table, runs: dict[str, Run], full: float) -> None:
    """Below the limit nothing moves, above it does; at rest the force is that of the motor."""
    still, moving = runs[_stick(0.99)], runs[_stick(1.01)]
    last = still.time > still.time[-1] / 2
    speed = np.abs(still.joint("drive").rate["slide"][last]).max()
    table.absolute("speed at 0.99 of the force", float(speed), 0.0, 1e-11, "m/s")
    table.absolute("force that it holds then", float(force(still)[-1]), 0.99 * full, 1e-9, "N")
    speed = moving.joint("drive").rate["slide"][-1]
    table.relative("speed at 1.01 of the force", float(speed), SPEED, 1e-6, "m/s")
