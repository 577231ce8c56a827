"""Where a run's arrays come from: memory, or a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray
from rollcone.mechanics.world import World


class Source(Protocol):
    """What `Run` reads. `words` are scheme, law, solver and tolerance, for the summary."""

    @property
    def world(self) -> World: ...
    @property
    def step(self) -> float: ...
    @property
    def steps(self) -> int: ...
    @property
    def wall_time(self) -> float: ...
    @property
    def timing(self) -> dict[str, float]: ...
    @property
    def words(self) -> dict[str, str]: ...
    @property
    def level(self) -> str: ...
    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The numbers of materials that have touched."""

    @property
    def scene(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def path(self) -> Path | None: ...

    def column(self, name: str) -> FloatArray:
        """One of NUMBERS (moments.py), of all moments."""

    def number(self, name: str, moment: int) -> float:
        """The same of one moment."""

    def __len__(self) -> int:
        """How many moments there are."""

    def states(self, name: str) -> NDArray[np.float64]:
        """(moments, bodies, 3 or 4), or what can be indexed like that."""

    def track(self, name: str, number: int) -> FloatArray:
        """(moments, 3 or 4) of one body."""

    def joint(self, number: int) -> FloatArray:
        """(moments, JOINT) of joints.py, of one joint; NaN where it is not there."""

    def joints_at(self, moment: int) -> FloatArray:
        """(joints, JOINT) of one moment; joints that came later have NaN or no row."""

    def contact_ends(self) -> NDArray[np.int64]:
        """How many contacts there are up to and with each moment."""

    def contact_rows(self, first: int, last: int) -> dict[str, NDArray[Any]]:
        """The fields CONTACT_FIELDS (frames.py) of some rows; the last is not among them."""

    def summaries(self) -> FloatArray:
        """(moments, SUMMARY), if that is the level."""
