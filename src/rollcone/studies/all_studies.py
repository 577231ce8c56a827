"""All studies, one after the other: what is finished is kept, and one page tells all.

In the folder, or for full plans in `full` there, are `NAME.json` of every study that is finished,
its pictures, and `results.md` and `results.json`, written anew after each study. A finished study
of the same version and plan is not run again; campaigns keep each of their runs, too, in `runs`.
So whatever stops the whole loses the study at hand, or one run of it. A study that ends with an
error does not stop the others, and is run again the next time.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rollcone import __version__
from rollcone._json import write_document, write_whole
from rollcone.studies.registry import STUDIES, run
from rollcone.studies.results_page import page, verdicts
from rollcone.studies.study import Row

# Called with the study, what it simulates, and the steps made and to make.
AllProgress = Callable[[str, str, int, int], object]


@dataclass(frozen=True)
class Outcome:
    """What came of one study: its report, or its name and the `error` that ended it."""

    report: dict[str, Any]
    kept: bool = False  # from before

    @property
    def name(self) -> str:
        return str(self.report["study"])

    @property
    def passed(self) -> bool:
        counts = verdicts(self.report)
        return not (counts["fail"] or counts["error"])


def reproduce_all(
    folder: Path | str,
    *,
    full: bool = False,
    progress: AllProgress | None = None,
    finished: Callable[[Outcome], object] | None = None,
) -> list[Outcome]:
    """Run every study that is not finished in the folder; `finished` is called after each."""
    where = Path(folder) / "full" if full else Path(folder)
    outcomes: list[Outcome] = []
    for name in STUDIES:
        outcome = _kept(where, name, full) or _new(where, name, full, progress)
        outcomes.append(outcome)
        reports = [one.report for one in outcomes]
        write_whole(where / "results.md", page(reports, full=full))
        write_document(where / "results.json", document(reports, full=full))
        if finished is not None:
            finished(outcome)
    return outcomes


def document(reports: Sequence[dict[str, Any]], *, full: bool) -> dict[str, Any]:
    """All reports in one, and the verdicts counted."""
    return {
        "version": __version__,
        "full": full,
        "verdicts": dict(sum((verdicts(one) for one in reports), Counter[str]())),
        "seconds": sum(one.get("seconds", 0.0) for one in reports),
        "studies": reports,
    }


def _new(where: Path, name: str, full: bool, progress: AllProgress | None) -> Outcome:
    def tell(words: str, done: int, total: int) -> None:
        if progress is not None:
            progress(name, words, done, total)

    plan = _plan(name, full)
    runs = where / "runs" / __version__ / name if hasattr(plan, "campaign") else None
    try:
        study = run(name, full=full, progress=tell, keep=runs)
        pictures = study.save(where)
    except Exception as error:  # of any kind: the other studies go on, and this is told
        return Outcome({"study": name, "error": f"{type(error).__name__}: {error}"})
    made = {"version": __version__, "full": full, "plan": _plain_plan(plan)}
    report = study.report() | {"figures": [path.name for path in pictures]} | made
    write_document(where / f"{name}.json", report)
    return Outcome(report)


def _kept(where: Path, name: str, full: bool) -> Outcome | None:
    """None if it is not there, or not whole, or of another version or plan."""
    try:
        report = json.loads((where / f"{name}.json").read_text(encoding="utf-8"))
        for row in report["rows"]:
            Row(**row)
        same = report["plan"] == _plain_plan(_plan(name, full))
        drawn = all((where / figure).is_file() for figure in report["figures"])
        found = report["version"] == __version__ and same and drawn
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return Outcome(report, kept=True) if found else None


def _plan(name: str, full: bool) -> Any:
    module = STUDIES[name].load()
    return module.FULL if full else module.DEFAULT


def _plain_plan(plan: Any) -> dict[str, Any]:
    """As read from a file; where and how a campaign keeps its runs does not matter."""
    values = {key: value for key, value in asdict(plan).items() if key != "campaign"}
    return dict(json.loads(json.dumps(values)))
