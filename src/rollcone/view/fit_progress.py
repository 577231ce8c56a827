"""What a fit is doing, on stderr and only if that is a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rollcone.sweep.engine import Progress


@contextmanager
def fit_bar(budget: int, hidden: bool = False) -> Iterator[Callable[[Progress], None]]:
    """Gives a function to call with how far a batch of runs is: those of all batches are counted
    against the budget, which is seldom needed."""
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    bar = Bar(
        BarColumn(bar_width=24), TextColumn("{task.description}"), TimeElapsedColumn(),
        console=console, transient=True, disable=hidden or not console.is_terminal,
    )  # fmt: skip
    batches: list[Progress] = []

    with bar:
        task = bar.add_task("starting workers", total=budget)

        def show(progress: Progress) -> None:
            if not batches or batches[-1] is not progress:
                batches.append(progress)
            done = sum(batch.done for batch in batches)
            words = f"run {done} of at most {budget}; batch {len(batches)}: {progress.done} of "
            words += f"{progress.total}, workers: {progress.workers}"
            bar.update(task, completed=done, description=words)

        yield show
