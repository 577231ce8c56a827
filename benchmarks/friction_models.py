"""Friction models next to the cone: how far off they are, and what their steps cost."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

import rollcone as rc
from benchmarks.stepping import pour
from benchmarks.table import Table
from rollcone._check import FloatArray
from rollcone.friction_models.model import FrictionModel

G, MU, SPEED = 9.81, 0.3, 2.0
TURN = np.radians(20.0)  # between the way and the axis t1 of the contacts
WAY = np.array([np.cos(TURN), np.sin(TURN), 0.0])
SPIN = 15.0  # rad/s, of the tripod
RADIUS, ROLLING = 0.5, 0.04  # m, of the ball
STEP = 5e-3
REPEATS, LIMIT = 3, 10.0  # runs of a cell of the second table, and seconds that one may take
Model = FrictionModel | str


def models() -> dict[str, Model]:
    given: dict[str, Model] = {"cone": "cone"}
    given |= {f"polygonal {k}": rc.PolygonalFriction(facets=k) for k in (4, 8, 16, 32)}
    given |= {f"box {k}": rc.BoxFriction(rounds=k) for k in (0, 2)}
    given |= {f"regularised {k}": rc.RegularisedFriction(rounds=k) for k in (0, 2)}
    return given


def floor(law: rc.ContactLaw) -> rc.World:
    world = rc.World(gravity=(0, 0, -G))
    world.add_plane()
    world.set_contact_law(law)
    return world


def puck() -> rc.World:
    """A flat box that slides on its four corners."""
    world = floor(rc.ContactLaw(sliding=MU))
    world.add_box(size=(0.4, 0.4, 0.1), density=1000, position=(0, 0, 0.05), velocity=SPEED * WAY)
    return world


def tripod(spin: float) -> rc.World:
    """On three feet, whose loads are determined, as those of four corners are not."""
    world = floor(rc.ContactLaw(sliding=MU))
    angle = 2.0 * np.pi * np.arange(3) / 3 + 0.1
    place = 0.25 * np.column_stack([np.cos(angle), np.sin(angle), np.zeros(3)])
    world.add_clump(
        spheres=np.column_stack([place, np.full(3, 0.05)]), center=(0, 0, 0), mass=16.0,
        inertia=(0.2, 0.2, 0.43), position=(0, 0, 0.05), velocity=SPEED * WAY,
        angular_velocity=(0, 0, spin),
    )  # fmt: skip
    return world


def ball() -> rc.World:
    """It rolls without sliding, slowed down by rolling friction."""
    world = floor(rc.ContactLaw(sliding=MU, rolling=ROLLING))
    world.add_sphere(
        radius=RADIUS, density=1000, position=(0, 0, RADIUS), velocity=SPEED * WAY,
        angular_velocity=np.cross((0, 0, 1), SPEED * WAY) / RADIUS,
    )  # fmt: skip
    return world


def stopping(deceleration: float) -> tuple[float, float]:
    """Way and time to rest."""
    return SPEED**2 / (2.0 * deceleration), SPEED / deceleration


PUCK = stopping(MU * G)
BALL = stopping(ROLLING * G / (1.4 * RADIUS))


def aside(vector: FloatArray) -> float:
    """Degrees to the left of the way."""
    across = WAY[0] * vector[1] - WAY[1] * vector[0]
    return float(np.degrees(np.arctan2(across, WAY @ vector)))


def straight(world: rc.World, theory: tuple[float, float], model: Model, step: float) -> list[str]:
    """How far the way is off that of theory, its direction, and that of the last tenth of speed;
    the worst residual, with the number of steps that did not converge if there are any."""
    way, stop = theory
    run = rc.simulate(world, until=1.3 * stop, step=step, friction_model=model)
    track = run.body(1)
    whole = track.position[-1] - track.position[0]
    moving = np.flatnonzero(np.linalg.norm(track.velocity, axis=1) > 0.1 * SPEED)[-1]
    return [
        f"{100 * (np.linalg.norm(whole) / way - 1):+.2f} %",
        f"{aside(whole):+.2f}",
        f"{aside(track.velocity[moving]):+.1f}",
        residual(run),
    ]


def residual(run: rc.Run) -> str:
    failed = int(run.unconverged.sum())
    return f"{run.residual.max():.0e}" + (f", {failed} not converged" if failed else "")


def spinning(model: Model, step: float) -> rc.Run:
    """For 1 s, in which it comes to rest."""
    return rc.simulate(tripod(SPIN), until=1.0, step=step, friction_model=model)


def off_path(run: rc.Run, fine: rc.Run, ratio: int) -> list[str]:
    """The farthest from the path of a run with a step so many times smaller (mm), and how far it
    has turned more or less than that in the end (degrees)."""
    ways = [one.body(1).position for one in (run, fine)]
    away = np.linalg.norm(ways[0] - ways[1][::ratio], axis=1).max()
    turns = [np.trapezoid(one.body(1).angular_velocity[:, 2], one.time) for one in (run, fine)]
    return [f"{1e3 * away:.1f}", f"{np.degrees(turns[0] - turns[1]):+.1f}", residual(run)]


def accuracy_rows(step: float = STEP, ratio: int = 10) -> Iterator[tuple[str, ...]]:
    fine = spinning("cone", step / ratio)
    for name, model in models().items():
        yield (
            name,
            *straight(puck(), PUCK, model, step),
            *off_path(spinning(model, step), fine, ratio),
            *straight(ball(), BALL, model, step),
        )


def boxes(count: int) -> rc.World:
    """Side by side on the floor, all of which slide: four contacts each."""
    world = floor(rc.ContactLaw(sliding=MU))
    for k in range(count):
        place = (0.6 * (k % 4), 0.6 * (k // 4), 0.1)
        world.add_box(size=(0.4, 0.4, 0.2), density=1000, position=place, velocity=SPEED * WAY)
    return world


def tower(count: int) -> rc.World:
    """Boxes on top of each other, at rest."""
    world = floor(rc.ContactLaw(sliding=MU))
    for k in range(count):
        world.add_box(size=(0.4, 0.4, 0.2), density=1000, position=(0, 0, 0.1 + 0.2 * k))
    return world


def heap(spheres: int) -> rc.World:
    """Poured for 0.3 s, with rolling and spinning friction."""
    simulation = rc.Simulation(pour(spheres), step=2e-3, record_every=10**6)
    simulation.advance(0.3)
    return simulation.world


def timed(world: rc.World, model: Model, steps: int) -> tuple[float, rc.Run] | None:
    """Seconds per step, and the run; None if it takes too long, which is looked at after 1, 2, 4
    and so on steps."""
    simulation = rc.Simulation(
        world.copy(), step=STEP, friction_model=model, tolerance=1e-8, contacts="none"
    )
    clock = time.perf_counter()
    while simulation.steps < steps:
        ahead = min(max(1, simulation.steps), steps - simulation.steps)
        simulation.advance(simulation.time + ahead * STEP)
        if time.perf_counter() - clock > LIMIT:
            return None
    return (time.perf_counter() - clock) / steps, simulation.run


def cell(world: rc.World, model: Model, steps: int) -> tuple[float, int, int] | None:
    """The least seconds per step of some runs, the most contacts, steps that did not converge."""
    runs: list[tuple[float, rc.Run]] = []  # the first is for kernels, unless it takes long
    while len(runs) <= REPEATS and sum(seconds for seconds, _ in runs) * steps < LIMIT:
        found = timed(world, model, steps)
        if found is None:
            return None
        runs.append(found)
    run = runs[-1][1]
    least = min(seconds for seconds, _ in runs)
    return least, int(run.contact_count.max()), int(run.unconverged.sum())


def cells_of(world: rc.World, steps: int) -> dict[str, tuple[float, int, int] | None]:
    """By model; where one takes too long, so do its kind with more facets or rounds."""
    found: dict[str, tuple[float, int, int] | None] = {}
    late = set()
    for name, model in models().items():
        kind = name.split()[0]
        found[name] = None if kind in late else cell(world, model, steps)
        if found[name] is None:
            late.add(kind)
    return found


def cost_rows(
    scenes: dict[str, Callable[[], rc.World]] | None = None, steps: int = 32
) -> Iterator[tuple[str, ...]]:
    for name, make in (SCENES if scenes is None else scenes).items():
        world = make()
        found = cells_of(world, steps)
        cone = found.pop("cone")
        assert cone is not None
        cells = [_ratio(one, cone) for one in found.values()]
        yield name, str(cone[1]), f"{1e3 * cone[0]:.2f}" + _failed(cone[2]), *cells


def _ratio(one: tuple[float, int, int] | None, cone: tuple[float, int, int]) -> str:
    return "-" if one is None else f"{one[0] / cone[0]:.1f}" + _failed(one[2])


def _failed(count: int) -> str:
    return f" ({count})" if count else ""


SCENES: dict[str, Callable[[], rc.World]] = {
    "1 box": lambda: boxes(1),
    "4 boxes": lambda: boxes(4),
    "16 boxes": lambda: boxes(16),
    "tower of 4": lambda: tower(4),
    "tower of 8": lambda: tower(8),
    "10 spheres": lambda: heap(10),
    "30 spheres": lambda: heap(30),
    "60 spheres": lambda: heap(60),
}

HEADER = (
    "model",
    *("puck: way", "aside", "in the end", "residual"),
    *("tripod: off path, mm", "turned", "residual"),
    *("ball: way", "aside", "in the end", "residual"),
)

TABLES = [
    Table(
        "Friction models: accuracy",
        "The same scheme (GapAhead) and step (5 ms) for all; polygonal by facets, box and "
        "regularised by rounds.\n\n"
        "A puck (a flat box on four corners, mu = 0.3) slides at 2 m/s, 20 degrees off the axes "
        "of its contacts; a ball of 0.5 m\nrolls that way (rho = 40 mm). How far the way is off "
        "v^2 / 2a, its direction (degrees aside), that at a tenth of the speed,\n"
        "and the worst residual of a step, which is that of the model's own law. A tripod turns at "
        "15 rad/s as well: how far it gets\nfrom the path of a run by the cone at a tenth of the "
        "step (mm), and how much farther it turns (degrees). Not the puck: loads\nof its four "
        "corners are not determined, Lemke's method takes two or three of them, and even with 32 "
        "facets a puck that spins\ncomes to rest 40 mm off.",
        HEADER,
        accuracy_rows,
    ),
    Table(
        "Friction models: time",
        "Wall time of a step of 5 ms by the cone, and of the models as multiples of it: 32 steps "
        "from the same state, tolerance 1e-8,\nthe best of three. In brackets steps that did not "
        "converge; -: 32 steps take more than 10 s. Boxes slide side by side,\ntowers stand, "
        "spheres were poured for 0.3 s and have rolling and spinning friction. One thread "
        "(OPENBLAS_NUM_THREADS=1):\non a busy machine of two cores, a second one made "
        "models 6 to 45 times slower.\nIn some steps of the 60 spheres pivots of box and "
        "regularised models go round by the thousand, until Lemke's method takes over.",
        ("scene", "contacts", "cone, ms", *list(models())[1:]),
        cost_rows,
    ),
]
