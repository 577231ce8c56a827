"""What is kept of recorded moments: names, and their place in memory until they are read or
written to a file."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollcone.analysis.energy import TERMS
from rollcone.mechanics.bodies import STATE
from rollcone.recording.frames import CONTACT_FIELDS, Column, ContactFrames, States
from rollcone.recording.joints import JointStates

LEVELS = ("none", "summary", "full")  # of what is kept of contacts
# Since the moment before.
WORST = ("residual", "residual_speed", "overlap", "drift", "passes", "limits")
SUMMED = ("iterations", "unconverged", "unfinished", "tempered", "divided")
STATISTICS = (*WORST, *SUMMED, "contacts")
WHOLE = (*SUMMED, "passes", "contacts")  # those that are whole numbers
PHASES = ("detection", "rows", "solve", "motion")  # of a step, for `run.timing`
ENERGY = ("kinetic", "potential", *TERMS)
NUMBERS = ("time", "speed", *STATISTICS, *ENERGY)
# Of NUMBERS: those that older files do not have, the latest first.
LATER = ("divided", "implicit", "contour", "limits", "joints", "drift")
JOINTS = "joints/values"  # where they are in a run file
# Of the contacts of a moment: how many of each mode, all normal forces and the largest (N).
SUMMARY = ("sticking", "sliding", "rolling", "spinning", "normal_force", "largest_normal_force")


class Moments:
    """Recorded moments in memory, of contacts as much as `level` says."""

    def __init__(self, bodies: int, level: str) -> None:
        self.level = level
        self._bodies = bodies
        self.clear()

    def clear(self) -> None:
        """Forget them, when they have been written."""
        self.numbers = Column((len(NUMBERS),))
        self.states = States(self._bodies)
        self.joints = JointStates()
        self.contacts = ContactFrames()
        self.summaries = Column((len(SUMMARY),))

    def __len__(self) -> int:
        return self.numbers.count

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All of them, by their names in files (recording/layout.py)."""
        found: dict[str, NDArray[Any]] = {"numbers": self.numbers.array()}
        found |= {f"states/{name}": self.states.all(name) for name in STATE}
        joints = self.joints.all()
        if joints.shape[1]:
            found[JOINTS] = joints
        if self.level == "summary":
            found["summaries"] = self.summaries.array()
        if self.level == "full":
            found["contacts/end"] = self.contacts.ends()
            found |= {f"contacts/{name}": self.contacts.all(name) for name in CONTACT_FIELDS}
        return found

    def column(self, name: str) -> NDArray[np.float64]:
        """One of NUMBERS, of all moments."""
        return self.numbers.array()[:, NUMBERS.index(name)].copy()


def place(name: str) -> str:
    """Where one of NUMBERS is in a run file."""
    if name == "time":
        return name
    return f"energy/{name}" if name in ENERGY else f"statistics/{name}"


def widened(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Numbers (moments, NUMBERS) of an older file, which has fewer; what it lacks is zero."""
    missing = LATER[: len(NUMBERS) - numbers.shape[1]]
    found = np.zeros((len(numbers), len(NUMBERS)))
    found[:, [k for k, name in enumerate(NUMBERS) if name not in missing]] = numbers
    return found


# Matrices of a moment per row, and where each of their columns is in a run file.
MATRICES = {
    "numbers": [place(name) for name in NUMBERS],
    "summaries": [f"contact_summary/{name}" for name in SUMMARY],
}
