"""The residual of one or more solves against their iterations, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rollcone.errors import FileError
from rollcone.view.output import check_output

if TYPE_CHECKING:
    from rollcone.solvers.solution import Solution

SUFFIXES = (".png", ".pdf", ".svg")

# Okabe and Ito's colours, told apart by colour-blind eyes too.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
_GREY = "#666666"
# Beyond this ratio of iteration counts, a straight axis would hide the quick solvers.
_WIDE = 10
# The legend has room for so many within the axes.
_BESIDE = 3
# Residuals of zero are drawn here, just below rounding.
_FLOOR = 1e-17


def check_path(path: Path) -> None:
    """Refuse a name that no picture can be written to, before any work is done."""
    check_output("plot", path, SUFFIXES)


def save_convergence(
    solutions: Sequence[Solution], path: Path, tolerance: float, title: str = ""
) -> None:
    """Draw one line per solve: a dot ends one that converged, a cross one that did not."""
    from matplotlib.figure import Figure

    check_path(path)
    lines = (len(solutions) + 1) // 2 if len(solutions) > _BESIDE else 0
    figure = Figure(figsize=(7.0, 4.4 + 0.2 * lines), dpi=150, layout="constrained")
    axes = figure.add_subplot()
    for number, solution in enumerate(solutions):
        _draw(axes, solution, _COLOURS[number % len(_COLOURS)])
    _finish(axes, solutions, tolerance, title)
    try:
        figure.savefig(path)
    except OSError as error:
        raise FileError(f"plot {path}: cannot be written: {error.strerror or error}") from error


def _draw(axes: Any, solution: Solution, colour: str) -> None:
    iterations, residual = _visible(solution)
    label = f"{solution.solver}: {solution.iterations} iterations, {solution.time:.3g} s"
    marker = "o" if solution.converged else "X"
    if not solution.converged:
        label += ", not converged"
    axes.plot(iterations, residual, color=colour, linewidth=1.6, label=label)
    axes.plot(iterations[-1:], residual[-1:], marker, color=colour, markersize=7, clip_on=False)


def _visible(solution: Solution) -> tuple[Any, Any]:
    """Iterations and residuals that a logarithmic axis can show."""
    history = solution.history[np.isfinite(solution.history[:, 1])]
    return history[:, 0], np.maximum(history[:, 1], _FLOOR)


def _finish(axes: Any, solutions: Sequence[Solution], tolerance: float, title: str) -> None:
    axes.set_yscale("log")
    counts = [solution.iterations for solution in solutions]
    last = max(counts, default=0)
    if last > _WIDE * max(1, min(counts, default=0)):
        axes.set_xscale("symlog", linthresh=1, linscale=0.5)
    axes.set_xlim(0, max(1, last))
    if tolerance > 0:
        axes.axhline(tolerance, color=_GREY, linewidth=1, linestyle=(0, (4, 3)), zorder=0)
        axes.annotate(
            f"tolerance\n{tolerance:g}",
            (1, tolerance),
            xycoords=("axes fraction", "data"),
            xytext=(8, 0),
            textcoords="offset points",
            verticalalignment="center",
            fontsize=8,
            color=_GREY,
        )
    axes.set_xlabel("iterations")
    axes.set_ylabel("residual (no unit)")
    axes.grid(True, which="major", color="#e3e3e3", linewidth=0.7)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    if title:
        axes.set_title(title, fontsize=10, loc="left")
    if len(solutions) > _BESIDE:  # within the axes so many would hide the lines
        axes.figure.legend(frameon=False, fontsize=8, loc="outside lower center", ncols=2)
    else:
        axes.legend(frameon=False, fontsize=9, loc="best")
