"""The writing side of a run: what is noted after every call and kept of every recorded moment."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rollcone import __version__
from rollcone._check import FloatArray
from rollcone.analysis.energy import StepWork, kinetic, potential, read_work
from rollcone.mechanics.world import World
from rollcone.recording.contacts import recorded_contacts, summarise
from rollcone.recording.frames import ContactFrames
from rollcone.recording.moments import NUMBERS, PHASES, STATISTICS, SUMMED, WORST, Moments

if TYPE_CHECKING:
    from rollcone.stepping.step import Step, StepReport


class Recorder:
    """Statistics, the energy audit and the moments that have been recorded: a `Source`."""

    def __init__(self, world: World, step: float, words: dict[str, str], level: str) -> None:
        self.world, self.step, self.words, self.level = world, step, words, level
        self.steps = 0
        self.wall_time = 0.0  # s
        self.timing = dict.fromkeys(PHASES, 0.0)  # s
        self._timed = (0.0,) * len(PHASES)  # of the stepper, so far
        self.work = StepWork()
        self.pending = dict.fromkeys(STATISTICS, 0.0)
        self.last: StepReport | None = None
        self.last_time: float | None = None  # of the last record
        self.moments = Moments(len(world.state), level)
        self._pairs: set[tuple[int, int]] = set()
        self._energies = self._present_energies()  # after the last step
        self.scene, self.version = "", __version__
        self.path: Path | None = None

    def note_changes(self) -> None:
        """Before a step: what was done to the world since the last is work, too."""
        energies = self._present_energies()
        self.work.changed += sum(energies) - sum(self._energies)
        self._energies = energies

    def note(self, report: StepReport) -> None:
        """After some steps: their work and statistics."""
        self.steps += report.steps
        self.last = report
        for name, now, before in zip(PHASES, report.timing, self._timed, strict=True):
            self.timing[name] += now - before
        self._timed = report.timing
        self._energies = self._present_energies()
        self.work = replace(report.work, changed=self.work.changed)
        pending = self.pending
        for name in WORST:
            pending[name] = float(np.maximum(pending[name], getattr(report, name)))  # NaN stays
        for name in SUMMED:
            pending[name] += getattr(report, name)
        pending["contacts"] = report.contacts

    def record(self, time: float, step: Step | None) -> None:
        """Keep the present state; `step` is the one that led here, if there was one."""
        speed = 0.0 if step is None else step.speed
        moments = self.moments
        moments.numbers.append(
            (time, speed, *self.pending.values(), *self._energies, *self.work.values())
        )
        moments.states.append(self.world.state)
        moments.joints.append(self.world, step)
        self._record_contacts(None if step is None or not step.count else step, speed)
        self.pending = dict.fromkeys(STATISTICS, 0.0)
        self.last_time = time

    def _record_contacts(self, step: Step | None, speed: float) -> None:
        """None: there are none."""
        moments = self.moments
        if step is None:
            moments.contacts.append(0)
            moments.summaries.append(0.0)
            return
        found = step.contacts()
        material = np.sort(self.world.state.material[found.bodies], axis=1)
        both = np.unique((material[:, 0] << 32) | material[:, 1])  # quicker than rows
        self._pairs.update((int(pair >> 32), int(pair & 0xFFFFFFFF)) for pair in both)
        if self.level == "none":
            return
        fields = {
            "bodies": found.bodies, "gap": found.gap, "normal": step.normals,
            "point": found.point, "impulse": step.impulses, "velocity": step.velocities(),
        }  # fmt: skip
        if self.level == "full":
            moments.contacts.append(len(found), **fields)
            return
        once = ContactFrames()
        once.append(len(found), **fields)
        slow = self.pending["residual_speed"]
        contacts = recorded_contacts(self.world, once.rows(), self.step, slow, speed)
        moments.summaries.append(summarise(contacts))

    def _present_energies(self) -> tuple[float, float]:
        """Kinetic and potential energy of the world as it is (J)."""
        return kinetic(self.world), potential(self.world)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        return sorted(self._pairs)

    def column(self, name: str) -> FloatArray:
        return self.moments.column(name)

    def number(self, name: str, moment: int) -> float:
        return float(self.moments.numbers.array()[moment, NUMBERS.index(name)])

    def __len__(self) -> int:
        return len(self.moments)

    def states(self, name: str) -> FloatArray:
        return self.moments.states.all(name)

    def track(self, name: str, number: int) -> FloatArray:
        return self.moments.states.of(name, number)

    def joint(self, number: int) -> FloatArray:
        return self.moments.joints.of(number)

    def joints_at(self, moment: int) -> FloatArray:
        return self.moments.joints.at(moment)

    def contact_ends(self) -> NDArray[np.int64]:
        return self.moments.contacts.ends()

    def contact_rows(self, first: int, last: int) -> dict[str, NDArray[Any]]:
        return self.moments.contacts.rows(first, last)

    def summaries(self) -> FloatArray:
        return self.moments.summaries.array()

    def state(self) -> dict[str, Any]:
        """What a checkpoint keeps of it; floats keep their bits in JSON."""
        return {
            "steps": self.steps,
            "wall_time": self.wall_time,
            "timing": dict(self.timing),
            "work": self.work.values(),
            "pending": dict(self.pending),
            "pairs": self.pairs,
            "last_time": self.last_time,
            "energies": self._energies,
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.steps, self.wall_time = state["steps"], state["wall_time"]
        self.timing = self.timing | state.get("timing", {})
        self.work = read_work(state["work"])
        self.pending = dict.fromkeys(STATISTICS, 0.0) | state["pending"]
        self._pairs = {(a, b) for a, b in state["pairs"]}
        self.last_time = state["last_time"]
        kinetic_energy, potential_energy = state["energies"]
        self._energies = kinetic_energy, potential_energy
