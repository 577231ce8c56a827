"""Euler's disk: figures 4 to 7, 9 and 10 of Le Saux, Leine and Glocker 2005, and times by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.disk_decay import DecayLaw
from rollcone.view.studies.style import COLOURS, EXACT, GREY, label, panels

if TYPE_CHECKING:
    from rollcone.studies.euler_disk_measures import Oscillation, Trace
    from rollcone.studies.euler_disk_rows import Steps, Times

_LINE = {"color": COLOURS[0], "linewidth": 0.8}
_FRICTION = {
    "4.1": "Coulomb",
    "4.2": "Coulomb and contour",
    "4.3": "Coulomb-Contensou",
    "4.4": "Coulomb-Contensou and contour",
}


def draw_case(one: Trace, name: str) -> Any:
    """Trajectory, height, slip, psi', beta and energy."""
    figure, axes = panels(3, 2, 10.0, 9.0)
    t, now = one.time[one.moving], one.moving
    (path, height), (slip, psi), (beta, energy) = axes
    path.plot(one.position[now, 0], one.position[now, 1], **_LINE)
    path.set_aspect("equal", adjustable="datalim")
    height.plot(t, 1e3 * one.position[now, 2], **_LINE)
    slip.plot(t, one.slip[now], **_LINE)
    rim = np.abs(one.motion.psi_rate[now])
    psi.plot(t, rim, **_LINE)
    if rim.max() > 10.0 * rim.min():
        psi.set_yscale("log")
    beta.plot(t, np.abs(one.motion.beta[now]), **_LINE)
    energy.plot(t, one.energy[now], **_LINE)
    energy.set_ylim(0.0, 1.05 * one.energy[0])
    if one.slip.max() < 1e-3:
        slip.set_ylim(-1e-4, 1e-3)  # a line at zero is seen
    label(path, "x (m)", "y (m)", f"{name}, {_FRICTION[name]}: path of the centre")
    label(height, "time (s)", "height (mm)", "Height of the centre")
    label(slip, "time (s)", "slip (m/s)", "Slip of the contact")
    label(psi, "time (s)", r"$|\dot\psi|$ (rad/s)", "Contact point round the rim")
    label(beta, "time (s)", r"$|\beta|$ (rad)", "Tilt, 0 is upright")
    label(energy, "time (s)", "energy (J)", "Mechanical energy")
    return figure


def draw_chi(runs: dict[str, tuple[Trace, Oscillation]], slides: float) -> Any:
    """Figure 10 of all runs: chi, with rapid slip marked; and the frequency of beta."""
    figure, axes = panels(len(runs), 2, 10.0, 2.4 * len(runs))
    for (name, (one, beats)), (chi, frequency) in zip(runs.items(), axes, strict=True):
        t, now = one.time[one.moving], one.moving
        chi.plot(t, one.chi[now], **_LINE)
        chi.axhline(1.0, color=GREY, linewidth=0.8, linestyle="--")
        rapid = one.slip[now] > slides
        if rapid.any():
            chi.plot(t[rapid], np.full(rapid.sum(), 2.1), "|", color=COLOURS[1])
            end = (t[rapid][-1], 2.1)
            chi.annotate(
                "rapid slip", end, (6, -3), textcoords="offset points", fontsize=8,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0},
            )  # fmt: skip
        chi.set_ylim(0.0, 2.3)
        frequency.plot(beats.time, beats.measured, ".", color=COLOURS[1], ms=3, label="measured")
        frequency.plot(beats.time, beats.formula, color=COLOURS[0], lw=1.0, label="(5.22)")
        frequency.set_ylim(0.0, 1.4 * np.median(beats.measured[-len(beats.measured) // 4 :]))
        label(chi, "time (s)", r"$\chi$", f"{name}, {_FRICTION[name]}: friction of rolling")
        label(frequency, "time (s)", "rad/s", "Frequency of the tilt")
    axes[0, 1].legend(frameon=False, fontsize=8, loc="lower right")
    return figure


def draw_decays(ends: dict[str, tuple[FloatArray, FloatArray]], laws: dict[str, DecayLaw]) -> Any:
    """Figure 9: energy over its first value, by time over the law's time to a fifth of it."""
    figure, axes = panels(1, 1, 8.0, 5.0)
    one = axes[0, 0]
    for number, (name, (t, e)) in enumerate(ends.items()):
        since, law = t - t[0], laws[name]
        fall = law.energy(since, float(e[0])) / e[0]
        unit = float(np.interp(-0.2, -fall, since))
        words = f"{name}, n = {law.exponent:g}"
        one.plot(since / unit, e / e[0], color=COLOURS[number], linewidth=2.0, label=words)
        one.plot(since / unit, fall, **(EXACT | {"label": "laws" if number == 4 else None}))
    one.set_xlim(0.0, 1.2)
    one.set_ylim(0.0, 1.0)
    one.legend(frameon=False, fontsize=8)
    label(one, "time / time to a fifth", "energy / first energy", "Energy of the last stage")
    return figure


def draw_steps(times: Steps, exact: dict[str, Times], published: dict[str, Times]) -> Any:
    """Slide and stop of 4.2, stop of 4.4, by step and scheme; by events and in the paper."""
    figure, axes = panels(1, 3, 11.0, 4.0)
    shown = (
        ("4.2", "slide", "slip of 20 mm/s"),
        ("4.2", "stop", "stops"),
        ("4.4", "stop", "stops"),
    )
    schemes = list(dict.fromkeys(scheme for _, scheme, _ in times))
    for one, (case, field, words) in zip(axes[0], shown, strict=True):
        for number, scheme in enumerate(schemes):
            found = sorted((h, getattr(v, field)) for (c, s, h), v in times.items()
                           if (c, s) == (case, scheme))  # fmt: skip
            steps, values = zip(*found, strict=True)
            one.semilogx(steps, values, "o-", ms=4, color=COLOURS[number], label=scheme)
        one.axhline(
            getattr(exact[case], field), color=GREY, linewidth=1.0, linestyle="--",
            label="by events",
        )  # fmt: skip
        one.plot([1e-4], [getattr(published[case], field)], "k*", ms=11, label="the paper")
        label(one, "step (s)", "time (s)", f"{case}: {words}")
    axes[0, 0].legend(frameon=False, fontsize=8)
    return figure
