"""Performance profiles as a picture: one panel for each tolerance, one curve for each solver."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rollcone._check import FloatArray
from rollcone._words import power
from rollcone.bench.profiles import profile
from rollcone.view.output import check_output, write_whole
from rollcone.view.studies.style import COLOURS, label, panels

SUFFIXES = (".png", ".pdf", ".svg")
# In grey, curves are told apart by dashes and marks. Seven colours, five dashes, nine marks have
# no common divisor: no two of 315 solvers look alike.
_DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (3, 1.5)))
_MARKS = "osD^vPX<>"
_PER_PANEL, _WIDTH, _HEIGHT = 4.2, 1.2, 3.6  # inches
_LINE, _COLUMNS = 0.22, 4  # of the legend
_LEAST_FACTOR = 2.0  # the axis shows no less
_ROOM = 1.15  # beyond the last rise


def save_profiles(
    times: Sequence[FloatArray],
    tolerances: Sequence[float],
    solvers: Sequence[str],
    path: Path,
    title: str = "",
) -> None:
    """times: for each tolerance (problems, solvers), infinite where a solver failed."""
    check_output("plot", path, SUFFIXES)
    lines = -(-len(solvers) // _COLUMNS)
    width, height = _PER_PANEL * len(tolerances) + _WIDTH, _HEIGHT + _LINE * (lines + 1)
    figure, axes = panels(1, len(tolerances), width, height, sharey=True)
    for one, given, tolerance in zip(axes[0], times, tolerances, strict=True):
        _draw(one, *profile(given))
        y = "share of the problems" if one is axes[0, 0] else ""
        label(one, "factor of the quickest solver's CPU time", y, f"residual of {power(tolerance)}")
    handles, _ = axes[0, 0].get_legend_handles_labels()
    figure.legend(
        handles, solvers, loc="outside lower center", ncols=_COLUMNS, frameon=False, fontsize=9,
        handlelength=4,
    )  # fmt: skip
    if title:
        figure.suptitle(title, fontsize=10)
    write_whole("plot", path, lambda made: figure.savefig(made))


def _draw(axes: Any, tau: FloatArray, share: FloatArray) -> None:
    """Steps, drawn to the edge; where curves lie upon each other the first is the widest."""
    end = max(_LEAST_FACTOR, tau[-1]) ** _ROOM
    x = np.append(tau, end)
    for k, rho in enumerate(share.T):
        axes.step(
            x,
            np.append(rho, rho[-1]),
            where="post",
            label=str(k),
            color=COLOURS[k % len(COLOURS)],
            linestyle=_DASHES[k % len(_DASHES)],
            linewidth=1.4 + 1.6 * (1.0 - k / share.shape[1]),
            marker=_MARKS[k % len(_MARKS)],
            markevery=_marked(x, k, share.shape[1]),
            markersize=5,
        )
    axes.set_xscale("log", base=2)
    axes.set_xlim(1.0, end)
    axes.set_ylim(-0.02, 1.02)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")


def _marked(x: FloatArray, number: int, count: int) -> list[int]:
    """Points that get a mark: some four along the axis, at other places for each solver."""
    places = (np.arange(4) + number / count) / 4.0 * np.log(x[-1])
    return sorted(set(np.searchsorted(np.log(x), places, side="right") - 1))
