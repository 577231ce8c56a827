"""The figure of a fit: measured against fitted, and chi-square along each coefficient."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rollcone.view.studies.style import COLOURS, GREY, label, panels

if TYPE_CHECKING:
    from rollcone.fit.problem import Target
    from rollcone.fit.result import FitResult

_WIDTH, _HEIGHT = 4.6, 3.6  # inches of a panel
_COLUMNS = 3


def figure(result: FitResult, title: str = "") -> Any:
    """Curves in panels of their own; single values together in one, or each over the coefficient
    if there is one only; then the coefficients."""
    curves = [target for target in result.problem.targets if target.is_curve]
    single = [target for target in result.problem.targets if not target.is_curve]
    alone = len(result.names) == 1
    count = len(curves) + (len(single) if alone else bool(single)) + len(result.names)
    columns = min(count, _COLUMNS)
    rows = -(-count // columns)
    drawn, axes = panels(rows, columns, _WIDTH * columns, _HEIGHT * rows)
    free = iter(axes.flat)
    for target in curves:
        _curve(next(free), result, target)
    for target in single if alone else ():
        _over(next(free), result, target)
    if single and not alone:
        _values(next(free), result, single)
    for number in range(len(result.names)):
        _along(next(free), result, number)
    for one in free:
        one.set_visible(False)
    if title:
        drawn.suptitle(title, fontsize=10)
    return drawn


def _curve(axes: Any, result: FitResult, target: Target) -> None:
    x = np.arange(len(target)) if target.time is None else target.time
    style = {"color": COLOURS[0], "markersize": 3.5, "linewidth": 1.0}
    axes.errorbar(x, target.measured, target.uncertainty, fmt="o", label="measured", **style)
    fitted, error = result.fitted[target.name], result.fitted_error[target.name]
    axes.plot(x, fitted, color=COLOURS[1], linewidth=2.0, label="fitted", zorder=3)
    if error.any():
        band = {"color": COLOURS[1], "alpha": 0.25, "linewidth": 0.0}
        axes.fill_between(x, fitted - error, fitted + error, **band)
    label(axes, "number" if target.time is None else "time (s)", target.label)
    axes.legend(frameon=False, fontsize=9)


def _over(axes: Any, result: FitResult, target: Target) -> None:
    """A value at all points that were simulated, and the one that was measured."""
    parameter, name = result.problem.parameters[0], result.names[0]
    part = result.problem.slices()[list(result.problem.targets).index(target)]
    points, values, _ = result.trace
    measured, given = target.measured[0], target.uncertainty
    axes.axhline(measured, color=COLOURS[0], linewidth=1.5, label="measured")
    if given is not None:
        style = {"color": COLOURS[0], "alpha": 0.2, "linewidth": 0.0}
        axes.axhspan(measured - given[0], measured + given[0], **style)
    axes.plot(points[:, 0], values[:, part], "o", color=GREY, markersize=4, label="simulated")
    error = result.error[name]
    axes.errorbar(
        result.value[name], result.fitted[target.name], result.fitted_error[target.name],
        error if np.isfinite(error) else None, fmt="D", color=COLOURS[1], capsize=4, markersize=6,
        label="fitted", zorder=4,
    )  # fmt: skip
    axes.set_xscale("log" if parameter.log else "linear")
    label(axes, name, target.label)
    axes.legend(frameon=False, fontsize=9)


def _values(axes: Any, result: FitResult, targets: list[Target]) -> None:
    """Each in units of its uncertainty, or of its size: they may be metres and degrees."""
    places = np.arange(len(targets))
    absolute = result.problem.absolute
    unit = np.array([t.uncertainty[0] if t.uncertainty is not None else t.size for t in targets])
    off = np.array([result.fitted[t.name][0] - t.measured[0] for t in targets]) / unit
    error = np.array([result.fitted_error[t.name][0] for t in targets]) / unit
    axes.errorbar(
        np.zeros(len(targets)), places, xerr=1.0 if absolute else None, fmt="o", color=COLOURS[0],
        capsize=4, markersize=6, label="measured",
    )  # fmt: skip
    axes.errorbar(
        off, places, xerr=error if error.any() else None, fmt="D", color=COLOURS[1], capsize=4,
        markersize=6, label="fitted",
    )  # fmt: skip
    words = [
        f"{t.label}\n{t.measured[0]:.5g} measured\n{result.fitted[t.name][0]:.5g} fitted"
        for t in targets
    ]
    axes.set_yticks(places, words, fontsize=8)
    axes.set_ylim(-0.6, len(targets) - 0.4 + 0.4)
    limit = 1.3 * max(1.5 if absolute else 1e-3, np.abs(off).max() + error.max())
    axes.set_xlim(-limit, limit)
    label(axes, "difference / uncertainty" if absolute else "difference / measured", "")
    axes.legend(frameon=False, fontsize=9, loc="upper right", ncols=2)


def _along(axes: Any, result: FitResult, number: int) -> None:
    """Chi-square of all points that were simulated, against one coefficient; the interval."""
    parameter, name = result.problem.parameters[number], result.names[number]
    points, _, chi2 = result.trace
    there = np.isfinite(chi2)
    positive = chi2[there][chi2[there] > 0]
    floor = max(positive.min() if len(positive) else 1e-12, 1e-3 if result.problem.absolute else 0)
    low, high = result.interval[name]
    axes.axvspan(low, high, color=COLOURS[1], alpha=0.2, linewidth=0, label="95 % interval")
    axes.axvline(result.value[name], color=COLOURS[1], linewidth=1.5)
    axes.plot(
        points[there, number], np.maximum(chi2[there], floor), "o", color=COLOURS[0], markersize=4,
        alpha=0.7, label="simulated",
    )  # fmt: skip
    failed = points[~there, number]
    if len(failed):
        top = chi2[there].max()
        axes.plot(failed, np.full(len(failed), top), "x", color=GREY, label="failed")
    axes.set_yscale("log")
    axes.set_xscale("log" if parameter.log else "linear")
    axes.set_xlim(parameter.low, parameter.high)
    error = result.error[name]
    words = f"{name} = {result.value[name]:.5g}"
    words += f" ± {error:.2g}" if np.isfinite(error) else ""
    label(axes, name, "chi-square" if result.problem.absolute else "sum of squares", words)
    axes.legend(frameon=False, fontsize=9)
