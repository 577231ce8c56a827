"""A progress bar for studies, on stderr and only if that is a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rollcone.sweep.engine import Progress


@contextmanager
def sweep_bar(hidden: bool = False) -> Iterator[Callable[[Progress], None]]:
    """Gives a function to call with how far a study is: runs, failures, workers, time left."""
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    bar = Bar(
        BarColumn(bar_width=24), TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.description}"), TimeElapsedColumn(), TextColumn("left"),
        TimeRemainingColumn(), console=console, transient=True,
        disable=hidden or not console.is_terminal, speed_estimate_period=600,
    )  # fmt: skip

    with bar:
        task = bar.add_task("starting workers", total=None)

        def show(progress: Progress) -> None:
            failed = f", {progress.failed} failed" if progress.failed else ""
            at_work = f"workers: {progress.workers}" if progress.workers else "starting workers"
            words = f"{progress.done} of {progress.total} runs{failed}, {at_work}"
            bar.update(task, completed=progress.steps_made, total=progress.steps, description=words)

        yield show
