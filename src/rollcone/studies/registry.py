"""The studies by name."""

from __future__ import annotations

import time
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from rollcone._check import one_of
from rollcone.studies.study import Progress, Study


@dataclass(frozen=True)
class StudyInfo:
    """A study's module has `study(plan, progress)` and the plans DEFAULT and FULL."""

    name: str
    summary: str

    def load(self) -> Any:
        return import_module(f"rollcone.studies.{self.name.replace('-', '_')}")


STUDIES: dict[str, StudyInfo] = {
    info.name: info
    for info in (
        StudyInfo("rolling-disk", "a disk rolls to a stop (Tasora and Anitescu 2013, 6.1)"),
        StudyInfo("rolling-sphere", "a sphere rolls, slips, slides (Acary and Bourrier 2021, 6.1)"),
        StudyInfo("spinning-sphere", "spin and roll are independent; rest and motion on inclines"),
        StudyInfo(
            "invariance", "one scene turned, moved, mirrored, in other units, in other order"
        ),
        StudyInfo("convergence", "the order of every scheme, on the disk and the sphere"),
    )
}


def run(name: str, *, full: bool = False, progress: Progress | None = None) -> Study:
    """Run a study; `full` takes finer steps. `progress` is called after every step with the name
    of the run, the steps made and the steps to make."""
    module = STUDIES[one_of("study", name, STUDIES)].load()
    begin = time.perf_counter()
    study: Study = module.study(
        module.FULL if full else module.DEFAULT, progress or (lambda *_: None)
    )
    study.seconds = time.perf_counter() - begin
    return study
