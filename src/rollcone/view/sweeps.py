"""Figures of a study: each measure against the parameters.

A grid or list: curves over the first parameter of numbers, one for each value of the others, with
bars of the standard error of repeats. Drawn points: every run, against each parameter in a panel.
Curves in time: one for each point.
"""

from __future__ import annotations

import math
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from rollcone.sweep.samples import DRAWN
from rollcone.view.studies.style import COLOURS, label, panels

if TYPE_CHECKING:
    from rollcone.sweep.table import SweepResult

_WIDTH, _HEIGHT = 5.2, 3.8  # inches of a panel
_LEGEND = 12  # entries, at most
_MARKS = "osD^vPX<>"


def figures(result: SweepResult) -> dict[str, Any]:
    """By name; empty if there is nothing to draw."""
    numeric = [name for name in result.parameters if _is_numeric(result, name)]
    curves = {name: times for name, times in _curves(result).items() if times}
    scalars = [name for name in result.measures if "[" not in name]
    found = {}
    if numeric and scalars:
        drawn = result.sweep.sampling.method in DRAWN
        found["figure"] = (_scattered if drawn else _lines)(result, scalars, numeric)
    for name, times in curves.items():
        found[f"figure-{name}"] = _in_time(result, name, times)
    return found


def _lines(result: SweepResult, measures: list[str], numeric: list[str]) -> Any:
    x, points = numeric[0], result.points()
    others = [name for name in result.parameters if name != x]
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for point in points:
        groups.setdefault(tuple(str(point[name]) for name in others), []).append(point)
    rows, columns = _shape(len(measures))
    figure, axes = panels(rows, columns, _WIDTH * columns, _HEIGHT * rows, sharex=True)
    for one, measure in zip(axes.flat, measures, strict=False):
        style = zip(cycle(COLOURS), cycle(_MARKS), strict=False)
        for (values, group), (colour, mark) in zip(groups.items(), style, strict=False):
            group = sorted(group, key=lambda point: float(point[x]))
            words = ", ".join(f"{n} = {v}" for n, v in zip(others, values, strict=True))
            one.errorbar(
                [point[x] for point in group], [point[measure] for point in group],
                [point[f"{measure}_error"] for point in group],
                color=colour, marker=mark, markersize=5, capsize=3, linewidth=1.4, label=words,
            )  # fmt: skip
        label(one, x, _with_unit(result, measure), "")
        _scale(one, result, x)
    if others and len(groups) <= _LEGEND:
        axes.flat[0].legend(fontsize=8, frameon=False)
    return _titled(figure, axes, len(measures), result)


def _scattered(result: SweepResult, measures: list[str], numeric: list[str]) -> Any:
    rows, columns = len(measures), len(numeric)
    figure, axes = panels(rows, columns, _WIDTH * columns, _HEIGHT * rows, sharey="row")
    for row, measure in zip(axes, measures, strict=True):
        for one, name in zip(row, numeric, strict=True):
            x = result.column(name).astype(float)
            one.plot(x, result.column(measure).astype(float), "o", color=COLOURS[0], markersize=5)
            label(one, name, _with_unit(result, measure) if name == numeric[0] else "", "")
            _scale(one, result, name)
    return _titled(figure, axes, rows * columns, result)


def _in_time(result: SweepResult, name: str, times: list[float]) -> Any:
    figure, axes = panels(1, 1, _WIDTH * 1.3, _HEIGHT * 1.1)
    points = result.points()
    for point, colour in zip(points, cycle(COLOURS), strict=False):
        values = [point.get(f"{name}[{k}]", math.nan) for k in range(len(times))]
        words = ", ".join(f"{n} = {_short(point[n])}" for n in result.parameters)
        axes[0, 0].plot(times, values, "o-", color=colour, markersize=3, linewidth=1.2, label=words)
    label(axes[0, 0], "time (s)", _with_unit(result, name), "")
    if result.parameters and len(points) <= _LEGEND:
        axes[0, 0].legend(fontsize=8, frameon=False)
    return _titled(figure, axes, 1, result)


def _curves(result: SweepResult) -> dict[str, list[float]]:
    """Measures that are curves, and their times."""
    measures = result.sweep.subject.measures
    return {measure.column: list(getattr(measure, "times", None) or []) for measure in measures}


def _with_unit(result: SweepResult, name: str) -> str:
    units = {measure.column: measure.unit for measure in result.sweep.subject.measures}
    return f"{name} ({units[name]})" if units.get(name) else name


def _titled(figure: Any, axes: Any, used: int, result: SweepResult) -> Any:
    for one in axes.flat[used:]:
        one.set_visible(False)
    if result.sweep.title:
        figure.suptitle(result.sweep.title, fontsize=10)
    return figure


def _scale(axes: Any, result: SweepResult, name: str) -> None:
    parameter = next(p for p in result.sweep.parameters if p.name == name)
    if parameter.log:
        axes.set_xscale("log")
        axes.xaxis.set_minor_formatter("")


def _shape(count: int) -> tuple[int, int]:
    columns = min(count, 3)
    return -(-count // columns), columns


def _is_numeric(result: SweepResult, name: str) -> bool:
    values = [case.point[name] for case in result.cases]
    numbers = all(isinstance(value, int | float) for value in values)
    return bool(numbers and len(np.unique(values)) > 1)


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
