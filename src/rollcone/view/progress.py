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
    start: float, until: float, hidden: bool = False
) -> Iterator[Callable[[Simulation], None]]:
    """Gives a function to call after every step: simulated time, contacts, residual, time left."""
    if hidden:
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    progress = Progress(
        TextColumn("simulating"),
        BarColumn(),
        TextColumn("{task.description}"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    task = progress.add_task("preparing kernels (compiled once per version)", total=until - start)
    last = 0.0

    def show(now: Simulation) -> None:
        nonlocal last
        report = now.run.last
        if time.perf_counter() - last < _EVERY or report is None:
            return
        last = time.perf_counter()
        words = f"t = {now.time:.3g} of {until:.3g} s, {report.contacts} contacts, residual "
        progress.update(
            task, completed=now.time - start, description=f"{words}{report.residual:.0e}"
        )

    with progress:
        yield show
