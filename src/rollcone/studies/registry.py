"""The studies by name."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from rollcone._check import one_of
from rollcone.errors import InputError
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
        StudyInfo("guideway", "balls carry a carriage along a rail (Tasora and Anitescu, 6.2)"),
        StudyInfo("rolling-sphere", "a sphere rolls, slips, slides (Acary and Bourrier 2021, 6.1)"),
        StudyInfo("spinning-sphere", "spin and roll are independent; rest and motion on inclines"),
        StudyInfo(
            "invariance", "one scene turned, moved, mirrored, in other units, in other order"
        ),
        StudyInfo("convergence", "the order of every scheme, on the disk and the sphere"),
        StudyInfo(
            "heap-of-gravel", "angle of repose by rolling friction (Tasora and Anitescu, 6.3)"
        ),
        StudyInfo("sphere-piles", "height and width of piles (Acary and Bourrier 2021, 6.2)"),
        StudyInfo("grain-shapes", "heaps of convex grains, or of spheres with rolling friction"),
        StudyInfo("painleve-rod", "a sliding rod has one motion, none, or two: a map"),
        StudyInfo(
            "contact-analysis", "what happens next: push, ladder, grasp, fixture, arm; closed forms"
        ),
        StudyInfo(
            "euler-disk",
            "a thin disk rolls, slides and settles flat (Le Saux, Leine and Glocker 2005)",
        ),
        StudyInfo("wheel", "a thin wheel slides, then rolls: friction models (Peiret et al. 2016)"),
    )
}


def run(
    name: str,
    *,
    full: bool = False,
    progress: Progress | None = None,
    keep: Path | str | None = None,
    only: str = "",
) -> Study:
    """Run a study; `full` takes finer steps. `progress` is called after every step with the name
    of the run, the steps made and the steps to make.

    For campaigns of many runs, heap-of-gravel, sphere-piles and grain-shapes: `keep` is a folder
    with a file for each run that is done, to go on from; `only` names the runs to simulate, as in
    'mu=0.3 seed=1', and what is told is of these and those that were kept.
    """
    module = STUDIES[one_of("study", name, STUDIES)].load()
    plan = module.FULL if full else module.DEFAULT
    if keep is not None or only:
        plan = _with_campaign(name, plan, None if keep is None else Path(keep), only)
    begin = time.perf_counter()
    study: Study = module.study(plan, progress or (lambda *_: None))
    study.seconds = time.perf_counter() - begin
    return study


def _with_campaign(name: str, plan: Any, keep: Path | None, only: str) -> Any:
    if not hasattr(plan, "campaign"):
        option = "keep" if keep is not None else "only"
        raise InputError(f"{option}: {name} is no campaign of many runs")
    return replace(plan, campaign=replace(plan.campaign, keep=keep, only=only))
