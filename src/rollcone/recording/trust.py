"""What speaks against a run: steps without a solution, and energy that came from nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rollcone._words import count

if TYPE_CHECKING:
    from rollcone.recording.run import Run


def doubts(run: Run) -> list[str]:
    """Return the reasons for which the run is not to be trusted, as parts of a sentence; none if
    every step converged, no joints contradicted each other, and no energy came from nowhere."""
    failed = int(run.unconverged.sum())
    texts = [f"{count(failed, 'step')} did not converge"] if failed else []
    return [*texts, *run.energy.doubts()]
