"""Plots of a run over time: energy audit, paths of bodies, residual, contacts, joints."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rollcone._check import FloatArray, IntArray, one_of
from rollcone.analysis.energy import CONTACT_TERMS, TERMS
from rollcone.errors import InputError
from rollcone.mechanics.body import Body
from rollcone.recording.run import Run
from rollcone.view.joint_plots import MOST, JointPanel, joint_panels
from rollcone.view.output import check_output, write_whole
from rollcone.view.studies.style import COLOURS, GREY, label

PLOTS = ("energy", "trajectory", "residual", "contacts", "joints")
SUFFIXES = (".png", ".svg", ".pdf")
_LONGEST = 2000  # points of a line; more are not seen
_FEW = 5  # bodies that are shown if none is chosen
_SEEN = 1e-6  # of the energy in motion: work below it gets no line
_FLOOR = 1e-17  # residuals of zero are drawn here, just below rounding
_DECADES = 1e-3  # of residuals that are shown at least
_BELOW = 34.0  # points from the axes to their legend: ticks and label are in between
_LEGEND: dict[str, Any] = {"frameon": False, "fontsize": 9}
# Drawn as what they have taken:
_TAKEN = (*CONTACT_TERMS, "damping", "joints")
_TERM_COLOURS = {
    "sliding": "#D55E00",
    "rolling": "#E69F00",
    "contour": "#661100",
    "spinning": "#CC79A7",
    "impact": "#0072B2",
    "damping": "#56B4E9",
    "joints": "#332288",
    "applied": "#009E73",
    "drive": "#117733",
    "gained": "#AA3377",
    "correction": "#882255",
    "changed": "#999933",
    "implicit": "#44AA99",
}
_MOSAICS = {
    "energy": [["energy"]],
    "trajectory": [["x"], ["y"], ["z"]],
    "residual": [["residual"]],
    "contacts": [["contacts"]],
    "joints": [],  # as many rows as there are panels
    "all": [["energy"] * 6, ["residual"] * 3 + ["contacts"] * 3, ["x", "x", "y", "y", "z", "z"]],
}
_SIZES = {"energy": (8, 4.4), "trajectory": (8, 6.4), "joints": (8, 0.4), "all": (12, 9.5)}
_ROW = 3.2  # inches, as sizes are


def save_plot(
    run: Run,
    path: Path | str,
    what: str = "all",
    bodies: Sequence[Body | str | int] = (),
    title: str = "",
) -> None:
    """To a .png, .svg or .pdf file.

    what    'energy', 'trajectory', 'residual', 'contacts', 'joints', or 'all' of them
    bodies  whose paths are drawn: handles, names or numbers; a few that move if none is given
    """
    from matplotlib.figure import Figure

    path = Path(path)
    one_of("what", what, _MOSAICS)
    check_output("plot", path, SUFFIXES)
    numbers = _chosen(run, bodies)
    (width, height), mosaic = _SIZES.get(what, (8, 3.6)), _MOSAICS[what]
    panels = joint_panels(run) if what in ("joints", "all") else []
    if what == "joints" and not panels:
        raise InputError("what = 'joints': the run has none")
    rows = _panel_rows(len(panels), 1 if what == "joints" else 2)
    height, mosaic = height + _ROW * len(rows), [*mosaic[:-1], *rows, *mosaic[-1:]]
    figure = Figure(figsize=(width, height), dpi=150, layout="constrained")
    figure.get_layout_engine().set(h_pad=0.1)
    axes = figure.subplot_mosaic(mosaic)
    for one in axes.values():
        _set_up(one, run)
    for name, draw in (
        ("energy", draw_energy),
        ("residual", draw_residual),
        ("contacts", draw_contacts),
    ):
        if name in axes:
            draw(axes[name], run)
    for k, panel in enumerate(panels):
        draw_joints(axes[f"joints {k}"], run, panel)
    if "x" in axes:
        draw_trajectory([axes[name] for name in "xyz"], run, numbers)
    if title:
        figure.suptitle(title, fontsize=11, x=0.01, horizontalalignment="left")
    write_whole("plot", path, figure.savefig)


def draw_energy(axes: Any, run: Run) -> None:
    """Kinetic and potential energy, what each mechanism has taken, and what is unexplained."""
    audit = run.energy
    least = audit.potential.min()
    above = "" if least == 0 else " above its least"
    _line(axes, run, audit.kinetic, color="#000000", linewidth=1.8, label="kinetic")
    _line(axes, run, audit.potential - least, color=GREY, linewidth=1.8, label=f"potential{above}")
    for name in TERMS:
        work = getattr(audit, name)
        if np.abs(work).max() > _SEEN * audit.scale:
            taken = name in _TAKEN
            words = f"taken by {name}" if taken else f"work: {name}"
            style = {"color": _TERM_COLOURS[name], "linestyle": "-" if taken else "--"}
            _line(axes, run, -work if taken else work, label=words, **style)
    worst = np.abs(audit.remainder).max()
    words = f"remainder (at most {worst:.2g} J)"
    _line(axes, run, audit.remainder, color="#000000", linestyle=":", label=words)
    label(axes, "time (s)", "energy (J)", "Energy audit")
    _legend(axes, 3)


def draw_trajectory(axes: Sequence[Any], run: Run, numbers: IntArray) -> None:
    """x, y and z of some bodies, on three axes."""
    for k, number in enumerate(numbers):
        position = run.body(int(number)).position
        style = {"color": COLOURS[k % len(COLOURS)], "label": run.world.name_of(int(number))}
        style["linestyle"] = ("-", "--", ":", "-.")[k // len(COLOURS) % 4]
        for one, values in zip(axes, position.T, strict=True):
            _line(one, run, values, **style)
    moving = int((run.world.state.mass > 0).sum())
    title = (
        "Position" if len(numbers) >= moving else f"Position of {len(numbers)} of {moving} bodies"
    )
    stacked = axes[0].get_position().x0 == axes[-1].get_position().x0
    for one, name in zip(axes, "xyz", strict=True):
        bare = stacked and name != "z"
        label(one, "" if bare else "time (s)", f"{name} (m)", title if name == "x" else "")
        one.tick_params(labelbottom=not bare)
        _keep_scale(one)
    if len(numbers):
        lines = axes[0].get_legend_handles_labels()
        axes[0].figure.legend(*lines, **_LEGEND, ncols=6, loc="outside lower left")


def draw_residual(axes: Any, run: Run) -> None:
    """The worst residual since the moment before, and the tolerance that was asked for."""
    residual, idle = run.residual, (run.residual == 0) & (run.contact_count == 0)
    shown = np.where(idle, np.nan, np.maximum(residual, _FLOOR))
    _line(axes, run, shown, color=COLOURS[0], label="worst residual")
    failed = run.unconverged > 0
    if failed.any():
        count = int(run.unconverged.sum())
        words = f"{count} not converged"
        axes.plot(run.time[failed], shown[failed], "x", color=COLOURS[1], markersize=5, label=words)
    asked = re.findall(r"[0-9.]+(?:e[-+]?[0-9]+)?", run.words["tolerance"])
    for k, text in enumerate(asked[:2]):
        name = "" if k else f"tolerance: {run.words['tolerance']}"
        axes.axhline(float(text), color=GREY, linewidth=1, linestyle=(0, (4, 3)), label=name)
    axes.set_yscale("log")
    label(axes, "time (s)", "residual (no unit)", "Residual of the contact law")
    low, high = axes.get_ylim()
    axes.set_ylim(min(low, _DECADES * high), 2.0 * high)
    _legend(axes, 3)


def draw_contacts(axes: Any, run: Run) -> None:
    """How many contacts there are."""
    _line(axes, run, run.contact_count.astype(float), color=COLOURS[0], drawstyle="steps-mid")
    label(axes, "time (s)", "contacts", "Contacts")
    axes.set_ylim(bottom=0, top=None if run.contact_count.any() else 1)
    axes.yaxis.get_major_locator().set_params(integer=True)


def draw_joints(axes: Any, run: Run, panel: JointPanel) -> None:
    """Curves of joints in one unit, the first few."""
    for colour, (words, values) in zip(COLOURS, panel.shown(run).items(), strict=False):
        _line(axes, run, values, color=colour, label=words)
    few = f", the first {MOST} of {len(panel.curves)}" if len(panel.curves) > MOST else ""
    label(axes, "time (s)", panel.upright, panel.title + few)
    _keep_scale(axes)
    _legend(axes, 3)


def _panel_rows(panels: int, columns: int) -> list[list[str]]:
    """Rows of a mosaic six wide, or one; the last of them is shared by those that are left."""
    names = [f"joints {k}" for k in range(panels)]
    rows = [names[k : k + columns] for k in range(0, panels, columns)]
    if columns == 1:
        return rows
    return [[name for name in row for _ in range(6 // len(row))] for row in rows]


def thinned(values: FloatArray, most: int = _LONGEST) -> IntArray:
    """Which of (m,) values to draw: the least and the greatest of each stretch, first and last."""
    count = len(values)
    if count <= most:
        return np.arange(count)
    stretches = np.array_split(np.arange(count), most // 2)
    kept = [0, count - 1]
    for part in stretches:
        kept.append(int(part[np.argmin(np.nan_to_num(values[part], nan=np.inf))]))
        kept.append(int(part[np.argmax(np.nan_to_num(values[part], nan=-np.inf))]))
    return np.unique(kept)


def _line(axes: Any, run: Run, values: FloatArray, **style: Any) -> None:
    kept = thinned(values)
    axes.plot(run.time[kept], values[kept], **({"linewidth": 1.4} | style))


def _chosen(run: Run, bodies: Sequence[Body | str | int]) -> IntArray:
    if len(bodies):
        return np.array([run.world.number_of(body) for body in bodies])
    moving = np.flatnonzero(run.world.state.mass > 0)
    few = np.linspace(0, len(moving) - 1, min(_FEW, len(moving)))
    return np.asarray(moving[few.round().astype(np.int64)])


def _set_up(axes: Any, run: Run) -> None:
    axes.grid(True, color="#e3e3e3", linewidth=0.7)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    start, end = run.time[0], run.time[-1]
    axes.set_xlim(start, end if end > start else start + 1)


def _keep_scale(axes: Any) -> None:
    """Let a coordinate that only rounding moves look at rest."""
    low, high = axes.get_ylim()
    least = 1e-6 * max(abs(low), abs(high), 1e-3)
    if high - low < least:
        axes.set_ylim(0.5 * (low + high) - least, 0.5 * (low + high) + least)


def _legend(axes: Any, columns: int) -> None:
    """Below the axes, where no line is hidden."""
    from matplotlib.transforms import offset_copy

    place = offset_copy(axes.transAxes, axes.figure, y=-_BELOW, units="points")
    where = {"loc": "upper left", "bbox_to_anchor": (0, 0), "bbox_transform": place}
    axes.legend(**_LEGEND, **where, ncols=columns, borderaxespad=0, borderpad=0)
