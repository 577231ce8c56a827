"""A scene: a world, and how to simulate it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rollcone.mechanics.world import World

if TYPE_CHECKING:
    from rollcone.analysis.acceleration.analyze import Analysis
    from rollcone.recording.run import Run
    from rollcone.simulation import Simulation


@dataclass(frozen=True)
class Output:
    """every     steps between records
    contacts  what is kept of contacts: 'none', 'summary' or 'full'
    flush     s: at most so much is lost when a run is killed
    """

    every: int = 1
    contacts: str = "full"
    flush: float = 2.0


@dataclass(frozen=True, repr=False)
class Scene:
    """What a scene file says.

    world         built once, when the scene is loaded; it may be changed before `simulate`
    until         s, when the simulation ends
    settings      those of `Simulation` that the file gives: step, scheme, solver and so on
    output        what is recorded
    title         a line about it
    text          the file itself
    analysis      options of `rc.analyze` that the file gives, and the time
    disturbances  those of `rc.fixture`
    """

    world: World
    until: float
    settings: dict[str, Any]
    output: Output = field(default_factory=Output)
    title: str = ""
    text: str = ""
    analysis: dict[str, Any] = field(default_factory=dict)
    disturbances: tuple[dict[str, Any], ...] = ()

    def __repr__(self) -> str:
        return f"Scene({self.title!r}, {self.world!r}, until={self.until:g})"

    def simulate(self, *, progress: bool = False, **changes: Any) -> Run:
        """Simulate a copy of the world; `changes` replace `until` or settings of `Simulation`, such
        as `output`, the run file."""
        until = changes.pop("until", self.until)
        with self.simulation(**changes) as simulation:
            simulation.advance(until, progress=progress)
        return simulation.run

    def analyze(self, **changes: Any) -> Analysis:
        """What happens next at its start; `changes` replace options of `rc.analyze`."""
        from rollcone.analysis.acceleration.analyze import analyze

        return analyze(self.world, **(self.analysis | changes))

    def simulation(self, **changes: Any) -> Simulation:
        """Of a copy of the world, at its start."""
        from rollcone.simulation import Simulation

        output = self.output
        recorded = {"record_every": output.every, "contacts": output.contacts}
        chosen = self.settings | recorded | {"flush": output.flush, "scene": self.text}
        return Simulation(self.world.copy(), **(chosen | changes))


def load_scene(path: str | os.PathLike[str]) -> Scene:
    """The scene in a TOML file; see docs/scenes.md for the format.

    All that is wrong with it is told at once, in a `SceneError`; a file that cannot be read is a
    `FileError`.
    """
    from rollcone.scene.document import read_text
    from rollcone.scene.read import read_scene

    return read_scene(read_text(path), os.fsdecode(path))
