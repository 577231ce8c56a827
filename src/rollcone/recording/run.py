"""A run: what a simulation has recorded, in memory or in a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from rollcone._check import FloatArray, IntArray, one_of
from rollcone.analysis.energy import EnergyAudit
from rollcone.errors import InputError, MissingPackageError
from rollcone.mechanics.bodies import STATE
from rollcone.mechanics.body import Body
from rollcone.mechanics.joint import Joint
from rollcone.mechanics.world import World
from rollcone.recording.contacts import RecordedContacts, recorded_contacts, summarise
from rollcone.recording.joints import JointTrack, RecordedJoints, joint_track, recorded_joints
from rollcone.recording.moments import ENERGY, SUMMARY
from rollcone.recording.source import Source
from rollcone.recording.summary import summary
from rollcone.recording.trust import doubts

_ROWS = 100_000  # contacts that are read at once


@dataclass(frozen=True)
class BodyTrack:
    """One body over the recorded times; NaN before it was added and after it was removed."""

    position: FloatArray  # (moments, 3), m
    orientation: FloatArray  # (moments, 4), unit quaternions (w, x, y, z)
    velocity: FloatArray  # (moments, 3), m/s
    angular_velocity: FloatArray  # (moments, 3), rad/s, world axes


class Run:
    """Arrays over the recorded times `time`, the first of them the start.

    residual, residual_speed, overlap, drift, passes, limits  the worst since the moment before
    iterations, unconverged, unfinished, tempered, divided    summed since the moment before

    `rc.simulate` returns one; `rc.open_run` opens one from a file, whose arrays are read
    when they are asked for.
    """

    def __init__(self, source: Source | Callable[[], Source]) -> None:
        """`source` may be a function that opens it, called when the run is first looked at."""
        self._given = source

    @cached_property
    def _source(self) -> Source:
        return self._given() if callable(self._given) else self._given

    @property
    def world(self) -> World:
        """As it is now, or was at the end."""
        return self._source.world

    @property
    def step(self) -> float:
        """h, seconds."""
        return self._source.step

    @property
    def steps(self) -> int:
        """How many were made."""
        return self._source.steps

    @property
    def wall_time(self) -> float:
        """Seconds that the steps took."""
        return self._source.wall_time

    @property
    def timing(self) -> dict[str, float]:
        """Seconds of the steps by phase: detection of contacts, the rows of their problem, its
        solve, and the motion; what Python does in between is not in it."""
        return dict(self._source.timing)

    @property
    def words(self) -> dict[str, str]:
        """Scheme, law, solver and tolerance, as the summary has them."""
        return self._source.words

    @property
    def contact_level(self) -> str:
        """What was kept of contacts: 'none', 'summary' or 'full'."""
        return self._source.level

    @property
    def scene(self) -> str:
        """The scene file that the run was made from; empty if there was none."""
        return self._source.scene

    @property
    def version(self) -> str:
        """Of the Rollcone that made it."""
        return self._source.version

    @property
    def path(self) -> Path | None:
        """The file, if the run is in one."""
        return self._source.path

    @property
    def time(self) -> FloatArray:
        return self._source.column("time")

    def body(self, which: Body | str | int) -> BodyTrack:
        """The track of a body, by its handle, name or number, also if it has been removed."""
        number = self.world.number_of(which)
        return BodyTrack(*(self._source.track(name, number) for name in STATE))

    def frame(self, which: Body | str | int) -> Any:
        """The track of a body as a pandas DataFrame, by time; pandas must be installed."""
        try:
            import pandas as pd
        except ImportError:
            raise MissingPackageError("run.frame needs pandas: pip install pandas") from None
        track, columns = self.body(which), {}
        for name in STATE:
            letters = "wxyz" if name == "orientation" else "xyz"
            for k, letter in enumerate(letters):
                columns[f"{name}_{letter}"] = getattr(track, name)[:, k]
        return pd.DataFrame(columns, index=pd.Index(self.time, name="time"))

    def states(self, name: str) -> FloatArray:
        """'position', 'orientation', 'velocity' or 'angular_velocity' of all bodies,
        (moments, bodies, 3 or 4); of a run in a file, read as it is indexed."""
        return self._source.states(one_of("name", name, STATE))

    def joint(self, which: Joint | str | int) -> JointTrack:
        """The track of a joint, by its handle, name or number, also if it has been removed:
        reactions in the joint's axes, coordinates, rates, and what motors, springs, friction and
        limits do."""
        number = self.world.joint_number(which)
        return joint_track(self.world, number, self._source.joint(number))

    def joints(self, moment: int = -1) -> RecordedJoints:
        """All joints at `time[moment]`, also those that have been removed since: their points, axes
        and reactions in world axes."""
        k = self.index(moment)
        position, orientation = (self._source.states(n)[k] for n in ("position", "orientation"))
        return recorded_joints(self.world, self._source.joints_at(k), position, orientation)

    @property
    def drift(self) -> FloatArray:
        """How far joints were open at the end of a step, m or rad: the most since the moment
        before."""
        return self._source.column("drift")

    def contacts(self, moment: int = -1) -> RecordedContacts:
        """Those of the step that ended at `time[moment]`; the start has none."""
        self._need_contacts("full")
        index = self.index(moment)
        return next(self._contacts(index, index + 1))

    def _contacts(self, first: int, last: int) -> Iterator[RecordedContacts]:
        """Of some moments one after the other, read in large pieces."""
        source, world, ends = self._source, self.world, self._source.contact_ends()
        begins = np.concatenate([[0], ends[:-1]])
        until = begin = 0  # rows that have been read
        for k in range(first, last):
            if k == first or ends[k] > until:
                begin = int(begins[k])
                most = int(np.searchsorted(ends[:last], begin + _ROWS, side="right"))
                until = int(ends[max(most - 1, k)])
                rows = source.contact_rows(begin, until)
            here = slice(begins[k] - begin, ends[k] - begin)
            slow, speed = source.number("residual_speed", k), source.number("speed", k)
            fields = {name: values[here] for name, values in rows.items()}
            yield recorded_contacts(world, fields, self.step, slow, speed)

    def contact_summary(self) -> dict[str, FloatArray]:
        """Over the recorded times: how many contacts stick, slide, roll and spin, the sum of all
        normal forces and the largest one (N)."""
        self._need_contacts("summary", "full")
        if self.contact_level == "summary":
            rows = self._source.summaries()
        else:
            rows = np.array([summarise(found) for found in self._contacts(0, len(self._source))])
        return {name: rows[:, k] for k, name in enumerate(SUMMARY)}

    @property
    def residual(self) -> FloatArray:
        return self._source.column("residual")

    @property
    def residual_speed(self) -> FloatArray:
        return self._source.column("residual_speed")

    @property
    def iterations(self) -> IntArray:
        return self._whole("iterations")

    @property
    def contact_count(self) -> IntArray:
        return self._whole("contacts")

    @property
    def unconverged(self) -> IntArray:
        """Steps whose solve did not converge, or in which joints contradicted each other."""
        return self._whole("unconverged")

    @property
    def overlap(self) -> FloatArray:
        """The deepest, in metres."""
        return self._source.column("overlap")

    @property
    def limits(self) -> FloatArray:
        """By how much coefficients of friction that depend on speed are off those of the speeds
        that came of them, over themselves; 0 where there are none."""
        return self._source.column("limits")

    @property
    def passes(self) -> IntArray:
        """How often the candidates of a step were looked at: the most since the moment before."""
        return self._whole("passes")

    @property
    def unfinished(self) -> IntArray:
        """Steps that ended before all candidates were found (`max_passes` of the scheme)."""
        return self._whole("unfinished")

    @property
    def tempered(self) -> IntArray:
        """Rebounds that were lowered because they would have made energy."""
        return self._whole("tempered")

    @property
    def divided(self) -> IntArray:
        """Steps that were divided at times of impact (`max_impacts` of the scheme)."""
        return self._whole("divided")

    @property
    def converged(self) -> bool:
        """Whether every step met its tolerance, and no joints contradicted each other."""
        return not self.unconverged.any()

    @property
    def trusted(self) -> bool:
        """Whether the run converged (`converged`) and no energy came from nowhere: `energy.rise` is
        at most a hundredth, and `energy.unexplained` a thousandth, of `energy.turnover`.

        Energy that bodies get of overlaps that are undone, of joints that are closed and of
        contacts (by Newton's law of restitution) comes from nowhere, too. The summary says why a
        run is not trusted, and `rollcone run` then ends with exit code 4."""
        return not doubts(self)

    @property
    def energy(self) -> EnergyAudit:
        s = self.world.state
        size = np.where(s.mass > 0, s.size.max(axis=1), 0.0)
        falls = s.mass * size
        blur = (1e-9 * size + 1e-14 * np.abs(s.position).max(axis=1)) / self.step  # m/s
        with np.errstate(over="ignore"):
            rounding = float(s.mass @ blur**2)
        return EnergyAudit(
            time=self.time,
            weight=float(np.linalg.norm(self.world.gravity) * falls.sum()),
            rounding=rounding,
            springy=self.world.laws.softness() is not None,
            **{name: self._source.column(name) for name in ENERGY},
        )

    def material_pairs(self) -> list[tuple[int, int]]:
        """The numbers of all materials that have touched, pair by pair."""
        return self._source.pairs

    def summary(self) -> str:
        """What happened, in a few lines."""
        return summary(self)

    def _whole(self, name: str) -> IntArray:
        return self._source.column(name).astype(np.int64)

    def index(self, moment: int) -> int:
        """`moment` counted from the start; negative ones count from the end."""
        count = len(self._source)
        if not isinstance(moment, int | np.integer):
            raise InputError(f"moment = {moment!r}: must be a whole number, an index into run.time")
        if not -count <= moment < count:
            raise InputError(f"moment = {moment}: must be from {-count} to {count - 1}")
        return int(moment) % count

    def _need_contacts(self, *levels: str) -> None:
        if self.contact_level not in levels:
            raise InputError(
                f"contacts = {self.contact_level!r}: this run has kept no more of its contacts; "
                f"simulate with contacts={levels[-1]!r}"
            )

    def __repr__(self) -> str:
        end, waiting = self.time[-1], sum(emitter.waiting for emitter in self.world.emitters)
        room = f", no room to pour {waiting} more" if waiting else ""
        return f"Run({self.steps} steps of {self.step:g} s to t = {end:g} s, {self.world!r}{room})"
