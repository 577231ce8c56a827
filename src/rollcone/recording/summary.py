"""What happened in a run, in a few lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rollcone._words import count, seconds
from rollcone.analysis.energy import TERMS
from rollcone.friction_models.model import CONE
from rollcone.mechanics.bodies import DYNAMIC, FIXED
from rollcone.mechanics.warnings import no_law
from rollcone.recording.trust import doubts

if TYPE_CHECKING:
    from rollcone.recording.run import Run

_CONTRADICTION = (
    ", but not where joints ask for what cannot be: a motor without a limit of its force against "
    "the end of a range or another motor, loops that cannot close"
)
_OPEN = 1e-6  # m or rad: joints that are open by more are worth a warning


@np.errstate(over="ignore", invalid="ignore")  # energies that are no numbers are shown as such
def summary(run: Run) -> str:
    """Steps, contacts, certificate, energy audit, verdict and time; warnings last."""
    state, words = run.world.state, run.words
    moving = int((state.kind == DYNAMIC).sum())
    counts, steps = run.contact_count, max(run.steps, 1)
    lines = [
        f"{count(run.steps, 'step')} of {run.step:g} s to t = {run.time[-1]:g} s: "
        f"{words['scheme']}, {_friction(words)}, {words['solver']}",
        f"bodies      {moving} dynamic, {int((state.kind == FIXED).sum())} fixed",
        f"contacts    {counts[-1]} at the end, {counts.max()} at most; "
        f"deepest overlap {run.overlap.max():.2g} m",
        *_divided(run),
        *_tempered(run),
        *_joints(run),
        f"residual    {run.residual.max():.1e} at worst (asked: {words['tolerance']}), "
        f"{run.residual_speed.max():.1e} m/s",
        *_limits(run),
        f"solver      {run.iterations.sum() / steps:.1f} iterations per step",
        *_energy_lines(run),
        *_verdict(run),
        f"wall time   {seconds(run.wall_time)}, {seconds(run.wall_time / steps)} per step",
        *_timing(run),
    ]
    return "\n".join([*lines, *(f"warning: {text}" for text in warnings(run))])


def _friction(words: dict[str, str]) -> str:
    """The flow rule of cones, or the model in its place."""
    model = words.get("friction_model", CONE)
    return f"{words['law']} law" if model == CONE else model


@np.errstate(over="ignore", invalid="ignore")
def facts(run: Run) -> dict[str, Any]:
    """The same as plain values, for scripts; energies and work at the end (J)."""
    state, audit = run.world.state, run.energy
    return {
        "version": run.version,
        "steps": run.steps,
        "step": run.step,
        "time": float(run.time[-1]),
        "moments": len(run.time),
        **run.words,
        "bodies": {
            "dynamic": int((state.kind == DYNAMIC).sum()),
            "fixed": int((state.kind == FIXED).sum()),
        },
        "contacts": {"end": int(run.contact_count[-1]), "most": int(run.contact_count.max())},
        "contact_level": run.contact_level,
        "overlap": float(run.overlap.max()),
        "joints": {"count": sum(1 for _ in run.world.joints), "drift": float(run.drift.max())},
        "residual": float(run.residual.max()),
        "residual_speed": float(run.residual_speed.max()),
        "limits": float(run.limits.max()),
        "iterations": int(run.iterations.sum()),
        "unconverged": int(run.unconverged.sum()),
        "converged": run.converged,
        "trusted": run.trusted,
        "doubts": doubts(run),
        "energy": {
            name: float(getattr(audit, name)[-1])
            for name in ("kinetic", "potential", *TERMS, "remainder")
        },
        "wall_time": run.wall_time,
        "timing": run.timing,
        "warnings": warnings(run),
    }


def _timing(run: Run) -> list[str]:
    """Where it went, where that is worth a line."""
    total = sum(run.timing.values())
    if total < 1.0:
        return []
    shares = (f"{name} {100 * taken / total:.0f} %" for name, taken in run.timing.items())
    return ["            " + ", ".join(shares)]


def _tempered(run: Run) -> list[str]:
    lowered = int(run.tempered.sum())
    return [f"rebounds    {lowered} lowered, since they would have made energy"] if lowered else []


def _divided(run: Run) -> list[str]:
    """Return the line on steps that were divided at times of impact, if there are any."""
    divided = int(run.divided.sum())
    return [f"impacts     {count(divided, 'step')} divided at their times"] if divided else []


def _limits(run: Run) -> list[str]:
    """Of friction that depends on speed."""
    words = f"  by speed  {run.limits.max():.1e} at worst, error of friction coefficients"
    return [words] if run.world.laws.vary else []


def _joints(run: Run) -> list[str]:
    number = sum(1 for _ in run.world.joints)
    words = f"joints      {number}, open by {run.drift.max():.1g} m or rad at most"
    return [words] if number else []


def _by_speed(run: Run) -> str:
    """Of coefficients that depend on speed, whose rounds may not end."""
    if not run.world.laws.vary:
        return ""
    return (
        f", coefficients by speed off by {run.limits.max():.1e} of themselves, which smaller "
        "steps mend, but not at impacts"
    )


def warnings(run: Run) -> list[str]:
    """What a user should not overlook."""
    texts = []
    failed = int(run.unconverged.sum())
    if failed:
        texts.append(
            f"{failed} of {run.steps} steps did not converge to {run.words['tolerance']} "
            f"(worst residual {run.residual.max():.1e}{_by_speed(run)}); a larger tolerance or "
            f"max_iterations helps{_CONTRADICTION if len(run.world.joints) else ''}"
        )
    unfinished = int(run.unfinished.sum())
    if unfinished:
        texts.append(
            f"{unfinished} of {run.steps} steps ended before all contacts on the way were found; "
            "a smaller step, or more max_passes of the scheme, helps"
        )
    drift = float(run.drift.max())
    if drift > _OPEN:
        texts.append(
            f"joints were open by up to {drift:.1g} m or rad at the start or the end of a step: "
            "bodies that begin apart, drives that jump or loops that cannot close are moved there "
            "without a force; else a smaller step helps"
        )
    for emitter in run.world.emitters:
        if emitter.waiting:
            due = emitter.placed + emitter.waiting
            texts.append(
                f"{emitter.waiting} of {due} bodies that were to be poured by now found no room "
                f"(of {emitter.count} in all); a larger region or a lower rate helps"
            )
    laws = run.world.laws
    for first, second in run.material_pairs():
        if laws.without_law(first, second):
            texts.append(no_law(laws, first, second))
    audit = run.energy
    energies = audit.gain_warning(), audit.rise_warning() or audit.remainder_warning()
    return [*texts, *filter(None, energies)]


def _verdict(run: Run) -> list[str]:
    """Whether the run is to be trusted, and why not."""
    from textwrap import wrap

    why = doubts(run)
    words = f"not trusted: {'; '.join(why)}" if why else "trusted: converged, no spurious energy"
    return wrap(f"verdict     {words}", 100, subsequent_indent=12 * " ")


def _energy_lines(run: Run) -> list[str]:
    from textwrap import wrap

    audit = run.energy
    head = f"energy (J)  kinetic {_change(audit.kinetic)}, potential {_change(audit.potential)}"
    names = {"gained": "gained at contacts", "changed": "bodies added or changed",
             "implicit": "implicit positions"}  # fmt: skip
    parts = [
        f"{names.get(name, name)} {getattr(audit, name)[-1]:.4g}"
        for name in TERMS
        if np.any(getattr(audit, name))
    ]
    rest = f"remainder {audit.remainder[-1]:.2g}"
    words = "  work      " + ", ".join([*parts, rest])
    return [head, *wrap(words, 80, subsequent_indent=12 * " ", drop_whitespace=True)]


def _change(values: np.ndarray) -> str:
    return f"{values[0]:.6g} -> {values[-1]:.6g}"
