"""How a run in progress is kept so that a kill loses little: files renamed into place, as Rollcone
does, next to SQLite in WAL mode. One flush is the moments of two seconds and a checkpoint. Each
variant is synced to the disk, best of several flushes; then what a finished run costs."""

from __future__ import annotations

import io
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import rollcone as rc
from rollcone.recording.layout import write_image, write_moments

HEADER = ("what is kept", "size", "files renamed", "SQLite, WAL", "SQLite / files")
Arrays = dict[str, np.ndarray]
FLUSHES = 12


def table() -> Iterator[tuple[str, ...]]:
    for name, moments, bodies, contacts in (
        ("one ball, 2,000 moments", 2000, 2, 1),
        ("1,000 spheres, 50 moments", 50, 1000, 1600),
        ("10,000 spheres, 5 moments", 5, 10_000, 16_000),
    ):
        segment, checkpoint = sample(moments, bodies, contacts)
        files, sqlite = (best(way, segment, checkpoint) for way in (by_files, by_sqlite))
        size = sum(a.nbytes for part in (segment, checkpoint) for a in part.values())
        yield (
            name, f"{size / 1e6:.2g} MB", f"{1e3 * files:.1f} ms", f"{1e3 * sqlite:.1f} ms",
            f"{sqlite / files:.1f}",
        )  # fmt: skip
    yield from finished()


def sample(moments: int, bodies: int, contacts: int) -> tuple[Arrays, Arrays]:
    """Random numbers of the shapes that a run has."""
    random = np.random.default_rng(1)
    shapes: dict[str, tuple[int, ...]] = {"numbers": (moments, 23)}
    shapes |= {f"states/{k}": (moments, bodies, 3) for k in range(4)}
    shapes |= {f"contacts/{k}": (moments * contacts, 6) for k in range(4)}
    kept = {f"bodies/{k}": (bodies, 3) for k in range(10)} | {"force": (contacts, 6)}
    return (
        {name: random.normal(size=shape) for name, shape in shapes.items()},
        {name: random.normal(size=shape) for name, shape in kept.items()},
    )


def best(way: Callable[[Path, Arrays, Arrays], Iterator[None]], *arrays: Arrays) -> float:
    """Seconds of one flush."""
    with tempfile.TemporaryDirectory() as folder:
        times, clock = [], time.perf_counter()
        for _ in way(Path(folder), *arrays):
            times.append(time.perf_counter() - clock)
            clock = time.perf_counter()
    return min(times[1:])


def by_files(folder: Path, segment: Arrays, checkpoint: Arrays) -> Iterator[None]:
    for k in range(FLUSHES):
        write_image(folder / f"{k}.h5", lambda file: write_moments(file, segment))
        write_image(folder / "checkpoint.h5", lambda file: write_moments(file, checkpoint))
        yield


def by_sqlite(folder: Path, segment: Arrays, checkpoint: Arrays) -> Iterator[None]:
    base = sqlite3.connect(folder / "run.db", isolation_level=None)
    base.execute("pragma journal_mode = wal")
    base.execute("pragma synchronous = full")
    base.execute("create table segment (id integer primary key, data blob)")
    base.execute("create table checkpoint (id integer primary key, data blob)")
    for k in range(FLUSHES):
        base.execute("begin immediate")
        base.execute("insert into segment values (?, ?)", (k, packed(segment)))
        base.execute("insert or replace into checkpoint values (1, ?)", (packed(checkpoint),))
        base.execute("commit")
        yield
    base.close()


def packed(arrays: Arrays) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **arrays)  # type: ignore[arg-type]
    return stream.getvalue()


def finished() -> Iterator[tuple[str, ...]]:
    """A real run, written and read."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane()
    world.add_grid(
        shape="sphere", radius=0.02, density=2500, counts=(25, 20, 2), spacing=0.05,
        origin=(0, 0, 0.03),
    )  # fmt: skip
    settings: dict[str, Any] = {"until": 0.4, "step": 4e-3}
    rc.simulate(world, **settings)  # kernels
    plain = min(timed(lambda: rc.simulate(world, **settings)) for _ in range(3))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out.h5"

        def write() -> None:
            rc.simulate(world, **settings, output=path, overwrite=True)

        written = min(timed(write) for _ in range(3))
        size = path.stat().st_size
        opened = min(timed(lambda: rc.open_run(path).summary()) for _ in range(3))
        track = min(timed(lambda: rc.open_run(path).body(500)) for _ in range(3))
    name = "1,000 spheres, 101 moments:"
    yield f"{name} simulated in memory", "", f"{1e3 * plain:.0f} ms", "", ""
    yield f"{name} into a file", f"{size / 1e6:.2g} MB", f"{1e3 * written:.0f} ms", "", ""
    yield f"{name} opened, summary", "", f"{1e3 * opened:.0f} ms", "", ""
    yield f"{name} opened, one track", "", f"{1e3 * track:.0f} ms", "", ""


def timed(work: Callable[[], object]) -> float:
    clock = time.perf_counter()
    work()
    return time.perf_counter() - clock
