"""The four simulations of the rolling disk, next to Siconos' time for a step of a ball.

The disk of Le Saux, Leine and Glocker 2005, section 4: 80 s in steps of 0.1 ms, with Coulomb's law
(4.1, 4.2) or that of Coulomb and Contensou (4.3, 4.4), without and with contour friction; by the
paper's scheme (Moreau's midpoint rule, least change of coordinates) and by ours. One run each on
one core, by the clock, kernels loaded before. Where the disk has come to lie flat before 80 s it
has three contacts from then on, and where it rolls nearly flat GapAhead divides steps. Siconos has
neither this disk nor these laws: the last column is its time per step of the ball of the table of
one contact (3 rows for 4.1, else 5 rows with rolling friction; the best of several), measured in
the same run, over ours per step here.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import rollcone as rc
from benchmarks import one_contact
from rollcone.stepping.scheme import Scheme
from rollcone.studies.euler_disk import CASES, world

HEADER = (
    "simulation", "scheme", "steps", "rest from, s", "seconds", "us per step", "Siconos / this",
)  # fmt: skip
STEP = 1e-4  # s
STEPS = 800_000
RECORDS = 1000  # per run
SCHEMES: dict[str, Scheme] = {
    "midpoint": rc.MoreauMidpoint(metric="coordinates"), "GapAhead": rc.GapAhead(),
}  # fmt: skip
_REST = 1e-6  # m/s and rad/s


@cache
def siconos(rolling: float) -> float | None:
    """Its seconds per step; None where it is not installed."""
    found = one_contact.siconos(rolling)
    return None if found is None else found["seconds"]


def simulate(name: str, scheme: Scheme, steps: int) -> rc.Run:
    return rc.simulate(
        world(**CASES[name]), until=steps * STEP, step=STEP, scheme=scheme, contacts="none",
        record_every=max(1, steps // RECORDS),
    )  # fmt: skip


def rest(run: rc.Run) -> str:
    """From when on it is at rest."""
    track = run.body("disk")
    fast = (abs(track.velocity) > _REST).any(axis=1) | (abs(track.angular_velocity) > _REST).any(
        axis=1
    )
    return "moves" if fast[-1] else f"{run.time[fast].max():.1f}"


def table() -> Iterator[tuple[str, ...]]:
    for name in CASES:
        for words, scheme in SCHEMES.items():
            simulate(name, scheme, 2)  # loads the kernels
            run = simulate(name, scheme, STEPS)
            assert run.converged
            seconds = run.wall_time / run.steps
            peer = siconos(0.01 if CASES[name] else 0.0)
            ratio = "absent" if peer is None else f"{peer / seconds:.1f}"
            yield (
                name, words, f"{run.steps:,}", rest(run), f"{run.wall_time:.1f}",
                f"{1e6 * seconds:.1f}", ratio,
            )  # fmt: skip
