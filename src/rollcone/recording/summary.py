"""What happened in a run, in a few lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rollcone.analysis.energy import TERMS
from rollcone.mechanics.bodies import DYNAMIC, FIXED

if TYPE_CHECKING:
    from rollcone.recording.run import Run


def summary(run: Run) -> str:
    """Steps, contacts, certificate, energy audit and time; warnings last."""
    state, words = run.world.state, run.words
    moving = int((state.kind == DYNAMIC).sum())
    counts, steps = run.contact_count, max(run.steps, 1)
    lines = [
        f"{run.steps} steps of {run.step:g} s to t = {run.time[-1]:g} s: {words['scheme']}, "
        f"{words['law']} law, {words['solver']}",
        f"bodies      {moving} dynamic, {int((state.kind == FIXED).sum())} fixed",
        f"contacts    {counts[-1]} at the end, {counts.max()} at most; "
        f"deepest overlap {run.overlap.max():.2g} m{_tempered(run)}",
        f"residual    {run.residual.max():.1e} at worst (asked: {words['tolerance']}), "
        f"{run.residual_speed.max():.1e} m/s; "
        f"{run.iterations.sum() / steps:.1f} iterations per step",
        *_energy_lines(run),
        f"wall time   {run.wall_time:.3g} s, {1e6 * run.wall_time / steps:.0f} us per step",
    ]
    return "\n".join([*lines, *(f"warning: {text}" for text in warnings(run))])


def _tempered(run: Run) -> str:
    count = int(run.tempered.sum())
    return f"; {count} rebounds lowered, to make no energy" if count else ""


def warnings(run: Run) -> list[str]:
    """What a user should not overlook."""
    texts = []
    failed = int(run.unconverged.sum())
    if failed:
        texts.append(
            f"{failed} of {run.steps} steps did not converge to {run.words['tolerance']} "
            f"(worst residual {run.residual.max():.1e}); a larger tolerance or max_iterations helps"
        )
    unfinished = int(run.unfinished.sum())
    if unfinished:
        texts.append(
            f"{unfinished} of {run.steps} steps ended before all contacts on the way were found; "
            "a smaller step, or more max_passes of the scheme, helps"
        )
    laws = run.world.laws
    for first, second in run.material_pairs():
        if laws.without_law(first, second):
            texts.append(
                f"no contact law was set for {laws.name(first)!r} and {laws.name(second)!r}: "
                "they touch without friction (world.set_contact_law)"
            )
    gain = run.energy.gain_warning()
    return [*texts, gain] if gain else texts


def _energy_lines(run: Run) -> list[str]:
    audit = run.energy
    head = f"energy (J)  kinetic {_change(audit.kinetic)}, potential {_change(audit.potential)}"
    parts = [
        f"{name} {getattr(audit, name)[-1]:.4g}" for name in TERMS if np.any(getattr(audit, name))
    ]
    rest = f"remainder {audit.remainder[-1]:.2g}"
    return [head, f"  work      {', '.join([*parts, rest])}"]


def _change(values: np.ndarray) -> str:
    return f"{values[0]:.6g} -> {values[-1]:.6g}"
