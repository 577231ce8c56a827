"""A run: what a simulation has recorded, in memory."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray, IntArray, one_of
from rollcone.analysis.energy import TERMS, EnergyAudit, StepWork, kinetic, potential
from rollcone.errors import InputError
from rollcone.laws.modes import classify
from rollcone.mechanics.bodies import STATE
from rollcone.mechanics.body import Body
from rollcone.mechanics.world import World
from rollcone.recording.frames import Column, ContactFrames, States
from rollcone.recording.summary import summary

if TYPE_CHECKING:
    from rollcone.stepping.step import Step, StepReport

_WORST = ("residual", "residual_speed", "overlap", "passes")
_SUMMED = ("iterations", "unconverged", "unfinished", "tempered")
_STATISTICS = (*_WORST, *_SUMMED, "contacts")
_ENERGY = ("kinetic", "potential", *TERMS)
_NUMBERS = ("time", "speed", *_STATISTICS, *_ENERGY)  # of every recorded moment


@dataclass(frozen=True)
class BodyTrack:
    """One body over the recorded times; NaN before it was added and after it was removed."""

    position: FloatArray  # (moments, 3), m
    orientation: FloatArray  # (moments, 4), unit quaternions (w, x, y, z)
    velocity: FloatArray  # (moments, 3), m/s
    angular_velocity: FloatArray  # (moments, 3), rad/s, world axes


@dataclass(frozen=True)
class RecordedContacts:
    """The contacts of one step, in the order of their keys. Rows are n, t1, t2, w_t1, w_t2, w_n."""

    bodies: IntArray  # (c, 2): numbers of A and B
    gap: FloatArray  # (c,), m, where contacts were looked for (start of the step, or middle)
    normal: FloatArray  # (c, 3), from A to B
    point: FloatArray  # (c, 3), m
    impulse: FloatArray  # (c, 6), on B, of the whole step: N s, N m s
    reaction: FloatArray  # (c, 6), the same over the step: mean force and moment, N, N m
    velocity: FloatArray  # (c, 6), of B relative to A after the step: m/s, rad/s
    mode: NDArray[np.str_]  # (c,): 'sliding, no-rolling, no-spinning', 'take-off', ...

    def __len__(self) -> int:
        return len(self.gap)


class Run:
    """Arrays over the recorded times `time`, the first of them the start.

    residual, residual_speed, overlap, passes        the worst since the moment before
    iterations, unconverged, unfinished, tempered    summed since the moment before
    """

    def __init__(self, world: World, time: float, step: float, words: dict[str, str]) -> None:
        self.world = world
        self.step = step
        self.words = words  # scheme, law, solver, tolerance: for the summary
        self.steps = 0
        self.wall_time = 0.0
        self._states = States(len(world.state))
        self._contacts = ContactFrames()
        self._numbers = Column((len(_NUMBERS),))
        self.work = StepWork()
        self.last: StepReport | None = None
        self._pending = dict.fromkeys(_STATISTICS, 0.0)
        self._energies = self.energies()
        self._put(time, None)

    @property
    def time(self) -> FloatArray:
        return self._column("time")

    def body(self, which: Body | str | int) -> BodyTrack:
        """The track of a body, by its handle, name or number, also if it has been removed."""
        number = self.world.number_of(which)
        s = self._states
        return BodyTrack(
            s.of("position", number),
            s.of("orientation", number),
            s.of("velocity", number),
            s.of("angular_velocity", number),
        )

    def states(self, name: str) -> FloatArray:
        """'position', 'orientation', 'velocity' or 'angular_velocity' of all bodies,
        (moments, bodies, 3 or 4)."""
        return self._states.all(one_of("name", name, STATE))

    def contacts(self, moment: int = -1) -> RecordedContacts:
        """Those of the step that ended at `time[moment]`; the start has none."""
        count = len(self.time)
        if not isinstance(moment, int | np.integer):
            raise InputError(f"moment = {moment!r}: must be a whole number, an index into run.time")
        if not -count <= moment < count:
            raise InputError(f"moment = {moment}: must be from {-count} to {count - 1}")
        found = self._contacts.at(moment % count)
        found.pop("key")
        y, impulse = found["velocity"], found["impulse"]
        size = self.world.state.size[found["bodies"]].min(axis=(1, 2))
        units = np.ones_like(y)
        units[:, 3:] = size[:, None]
        tolerance = max(2.0 * self.residual_speed[moment], 1e-9 * self._column("speed")[moment])
        return RecordedContacts(
            reaction=impulse / self.step, mode=classify(y * units, impulse, tolerance), **found
        )

    @property
    def residual(self) -> FloatArray:
        return self._column("residual")

    @property
    def residual_speed(self) -> FloatArray:
        return self._column("residual_speed")

    @property
    def iterations(self) -> IntArray:
        return self._column("iterations").astype(np.int64)

    @property
    def contact_count(self) -> IntArray:
        return self._column("contacts").astype(np.int64)

    @property
    def unconverged(self) -> IntArray:
        """Steps whose solve did not converge."""
        return self._column("unconverged").astype(np.int64)

    @property
    def overlap(self) -> FloatArray:
        """The deepest, in metres."""
        return self._column("overlap")

    @property
    def passes(self) -> IntArray:
        """How often the candidates of a step were looked at: the most since the moment before."""
        return self._column("passes").astype(np.int64)

    @property
    def unfinished(self) -> IntArray:
        """Steps that ended before all candidates were found (`max_passes` of the scheme)."""
        return self._column("unfinished").astype(np.int64)

    @property
    def tempered(self) -> IntArray:
        """Rebounds that were lowered because they would have made energy."""
        return self._column("tempered").astype(np.int64)

    @property
    def converged(self) -> bool:
        """Every step?"""
        return not self.unconverged.any()

    @property
    def energy(self) -> EnergyAudit:
        s = self.world.state
        falls = s.mass * np.where(s.mass > 0, s.size.max(axis=1), 0.0)
        return EnergyAudit(
            time=self.time,
            weight=float(np.linalg.norm(self.world.gravity) * falls.sum()),
            **{name: self._column(name) for name in _ENERGY},
        )

    def material_pairs(self) -> list[tuple[int, int]]:
        """The numbers of all materials that have touched, pair by pair."""
        material = self.world.state.material[self._contacts.all("bodies")]
        return [(int(a), int(b)) for a, b in np.unique(np.sort(material, axis=1), axis=0)]

    def summary(self) -> str:
        """What happened, in a few lines."""
        return summary(self)

    def energies(self) -> tuple[float, float]:
        """Kinetic and potential energy of the world as it is (J)."""
        return kinetic(self.world), potential(self.world)

    def note_changes(self) -> None:
        """Before a step: what was done to the world since the last is work, too."""
        energies = self.energies()
        self.work.changed += sum(energies) - sum(self._energies)
        self._energies = energies

    def note(self, report: StepReport) -> None:
        """After some steps: their work and statistics."""
        self.steps += report.steps
        self.last = report
        self._energies = self.energies()
        self.work = replace(report.work, changed=self.work.changed)
        pending = self._pending
        for name in _WORST:
            pending[name] = max(pending[name], getattr(report, name))
        for name in _SUMMED:
            pending[name] += getattr(report, name)
        pending["contacts"] = report.contacts

    def record(self, time: float, step: Step) -> None:
        """Keep the present state."""
        self._put(time, step)
        for name in _STATISTICS:
            self._pending[name] = 0.0

    def _column(self, name: str) -> FloatArray:
        return self._numbers.array()[:, _NUMBERS.index(name)].copy()

    def _put(self, time: float, step: Step | None) -> None:
        speed = 0.0 if step is None else step.speed
        statistics = self._pending.values()
        self._numbers.append((time, speed, *statistics, *self._energies, *self.work.values()))
        self._states.append(self.world.state)
        if step is None:
            empty = np.zeros((0, 3))
            none = np.zeros((0, 2), dtype=np.int64)
            self._contacts.append(
                0, bodies=none, key=none[:, 0], gap=empty[:, 0], normal=empty, point=empty,
                impulse=empty, velocity=empty,
            )  # fmt: skip
            return
        found = step.contacts()
        self._contacts.append(
            len(found), bodies=found.bodies, key=found.key, gap=found.gap, normal=found.normal,
            point=found.point, impulse=step.reactions, velocity=step.velocities(),
        )  # fmt: skip

    def __repr__(self) -> str:
        end = self.time[-1]
        return f"Run({self.steps} steps of {self.step:g} s to t = {end:g} s, {self.world!r})"
