"""A progress bar for simulations, on stderr and only if that is a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rollcone.simulation import Simulation

_EVERY = 0.1  # s between looks


@contextmanager
def simulation_bar(
    simulation: Simulation, until: float, hidden: bool = False
) -> Iterator[Callable[[], None]]:
    """Gives a function to call after every call of steps: it shows simulated time, contacts,
    residual, simulated seconds per second, and the time left."""
    if hidden:
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    progress = Progress(
        BarColumn(bar_width=12),
        TextColumn("{task.description}"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    start = simulation.time
    task = progress.add_task("first step", total=until - start)
    last, begin = 0.0, time.perf_counter()

    def show() -> None:
        nonlocal last
        report = simulation.last
        if time.perf_counter() - last < _EVERY or report is None:
            return
        last = time.perf_counter()
        done = simulation.time - start
        progress.update(
            task,
            completed=done,
            description=f"t = {simulation.time:.3g}/{until:.3g} s, {report.contacts} contacts, "
            f"residual {report.residual:.0e}, {done / max(last - begin, 1e-9):.2g} s/s",
        )

    with progress:
        yield show
