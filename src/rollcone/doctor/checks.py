"""A self-test of some seconds: each check has a number that was reached and a bound on it.

Only spheres on a plane and one form of contact problem.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from rollcone import thread_count
from rollcone.errors import RollconeError
from rollcone.mechanics.materials import ContactLaw
from rollcone.mechanics.world import World
from rollcone.recording.part import folder_of
from rollcone.recording.run import Run
from rollcone.resuming import resume
from rollcone.simulation import Simulation, simulate

_STOP = 21875 / 3924  # m: where the ball stops, in closed form
_SIDE = 10  # spheres along each edge of the block
_CONTACTS = 2000  # with fewer, one thread solves them
_STEP = 2e-3  # s


@dataclass(frozen=True)
class Check:
    """What was looked at, the number that came of it and the bound that it must not pass."""

    name: str
    meaning: str
    value: float | None
    bound: float
    error: str = ""
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        return not self.error and self.value is not None and self.value <= self.bound

    def plain(self) -> dict[str, Any]:
        return asdict(self) | {"passed": self.passed}


def self_test() -> Iterator[Check]:
    """One check after the other, as they are done; an error of any kind is a check that failed."""
    for name, (meaning, bound, measure) in _CHECKS.items():
        begin, value, error = time.perf_counter(), None, ""
        try:
            value = float(measure())
        except RollconeError as failure:
            error = str(failure)
        except Exception as failure:  # whatever is broken here is what is looked for
            error = f"{type(failure).__name__}: {failure}"
        yield Check(name, meaning, value, bound, error, time.perf_counter() - begin)


def _floor() -> World:
    world = World(gravity=(0.0, 0.0, -9.81))
    world.add_plane()
    world.set_contact_law(ContactLaw(sliding=0.2, rolling=0.04))
    return world


def _rolling_ball() -> float:
    """Off its place (m), or still moving (m/s)."""
    world = _floor()
    ball = world.add_sphere(
        radius=0.5, density=2500.0, position=(0.0, 0.0, 0.5), velocity=(2.5, 0.0, 0.0),
        angular_velocity=(0.0, 5.0, 0.0),
    )  # fmt: skip
    track = simulate(world, until=5.0, step=_STEP).body(ball)
    off = track.position[-1] - (_STOP, 0.0, 0.5)
    return float(max(np.abs(off).max(), np.abs(track.velocity[-1]).max()))


def _known_problem() -> float:
    """Off the velocities (m/s) that are the only solution, of size 1."""
    from rollcone.problems.known import random_problem
    from rollcone.solvers.driver import solve

    known = random_problem(20, seed=1, law="associated")
    solution = solve(known.problem, solver="gauss-seidel", tolerance=1e-12, max_iterations=20_000)
    if not solution.converged:
        raise RollconeError(f"not converged: residual {solution.residual:.1e}")
    return float(np.abs(solution.velocities - known.velocities).max())


def _block() -> World:
    """Spheres that touch, in a cube, some with a push."""
    world = _floor()
    world.set_contact_law(ContactLaw(sliding=0.5, rolling=0.002, spinning=0.001))
    world.add_grid(
        shape="sphere", radius=0.05, density=2500.0, counts=(_SIDE, _SIDE, _SIDE),
        spacing=(0.1, 0.1, 0.1), origin=(0.0, 0.0, 0.05), name="grain",
    )  # fmt: skip
    world.state.velocity[1:, 0] = np.linspace(-0.02, 0.02, _SIDE**3)
    return world


def _block_run(threads: int) -> Run:
    with thread_count.using_threads(threads):
        return simulate(_block(), until=10 * _STEP, step=_STEP, record_every=10)


def _heap() -> float:
    """The worst residual of its steps."""
    run = _block_run(thread_count.threads())
    if run.contact_count[-1] < _CONTACTS or not run.converged:
        raise RollconeError(f"{run.contact_count[-1]} contacts, converged: {run.converged}")
    return float(run.residual.max())


def _threads() -> float:
    """Numbers that are not the same on one thread and on two."""
    alone, together = _block_run(1), _block_run(2)
    return _different(alone, together)


def _different(one: Run, other: Run) -> float:
    names = ("position", "orientation", "velocity", "angular_velocity")
    pairs = [(np.asarray(one.states(n)[:]), np.asarray(other.states(n)[:])) for n in names]
    return float(sum((a.view(np.int64) != b.view(np.int64)).sum() for a, b in pairs))


def _run_file() -> float:
    """Numbers of a run that was left in the middle and continued which are not those of one that
    was not."""
    world = _floor()
    for k in range(8):
        world.add_sphere(radius=0.1, density=1000.0, position=(0.15 * k, 0.05 * k, 0.1 + 0.07 * k))
    until = 0.4
    whole = simulate(world, until=until, step=_STEP, record_every=10)
    with TemporaryDirectory(prefix="rollcone-doctor-") as folder:
        path = Path(folder) / "run.h5"
        left = Simulation(world.copy(), step=_STEP, record_every=10, output=path, flush=0.0)
        left.advance(until / 2)
        copy = path.with_name("copy.h5")
        shutil.copytree(folder_of(path), folder_of(copy))  # all that a kill would leave
        left.close()
        return _different(resume(copy, until=until), whole)


_CHECKS: dict[str, tuple[str, float, Callable[[], float]]] = {
    "rolling ball": (f"m off its stop at {_STOP:.6f} m (closed form)", 3e-7, _rolling_ball),
    "known problem": ("m/s off the solution of 20 contacts", 1e-8, _known_problem),
    "block of spheres": (f"residual of {_SIDE**3} spheres, at worst", 1e-3, _heap),
    "threads": ("numbers that differ between 1 and 2 threads", 0.0, _threads),
    "run file": ("numbers that differ after a run was left and resumed", 0.0, _run_file),
}
