"""The soak: random scenes for a while, what fails is shrunk and written down.

python tests/soak --seconds 3600 --seed 0 --out out/soak
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(1, str(Path(__file__).parent.parent))

from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from soak_bodies import Plain
from soak_checks import GAIN
from soak_process import LIMIT, ScenesProcess
from soak_scenes import random_scene
from soak_shrink import shrink


class Tally:
    """What came of all scenes so far."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.sums: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        self.told: Counter[str] = Counter()
        self.findings: Counter[str] = Counter()
        self.gains: Counter[str] = Counter()

    def add(self, verdict: Plain) -> None:
        self.outcomes[verdict["outcome"]] += 1
        for name in ("steps", "contacts", "unconverged"):
            self.sums[name] += verdict[name]
        self.told.update(set(verdict["told"]))
        if verdict["gain"] > GAIN:
            self.gains[verdict["source"]] += 1
        if verdict["outcome"] in ("refused", "stopped"):
            self.errors[f"{verdict['outcome']}: {verdict['kind']}"] += 1
        if verdict["outcome"] == "failed":
            self.findings[verdict["kind"]] += 1

    def plain(self) -> Plain:
        return {
            "scenes": sum(self.outcomes.values()),
            **self.outcomes,
            **self.sums,
            "gained a tenth of their energy": dict(self.gains),
            "findings": dict(self.findings.most_common()),
            "errors of ours": dict(self.errors.most_common()),
            "warnings of summaries": dict(self.told.most_common()),
        }


def soak(seconds: float, seed: int, out: Path, shrinking: int) -> Tally:
    """Scenes with the seeds from `seed` on; the first of each kind of finding is shrunk."""
    tally, end = Tally(), time.monotonic() + seconds
    out.mkdir(parents=True, exist_ok=True)
    columns = TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()
    with ScenesProcess(LIMIT) as process, Progress(*columns) as progress:
        task = progress.add_task("soak", total=seconds)
        while time.monotonic() < end:
            scene = random_scene(seed)
            verdict = process.examine(scene)
            tally.add(verdict)
            if verdict["outcome"] == "failed":
                if tally.findings[verdict["kind"]] == 1 and shrinking:
                    scene, verdict = _shrunk(process, scene, verdict, shrinking)
                found = {"scene": scene, "kind": verdict["kind"], "detail": verdict["detail"]}
                (out / f"{seed}.json").write_text(json.dumps(found, indent=1) + "\n")
            with (out / "scenes.jsonl").open("a") as log:
                log.write(json.dumps({"seed": seed} | verdict) + "\n")
            (out / "tally.json").write_text(json.dumps(tally.plain(), indent=1) + "\n")
            failed, all_of_them = tally.outcomes["failed"], sum(tally.outcomes.values())
            progress.update(
                task, completed=seconds - max(0.0, end - time.monotonic()),
                description=f"{all_of_them} scenes, {failed} failed (seed {seed})",
            )  # fmt: skip
            seed += 1
    return tally


def _shrunk(
    process: ScenesProcess, scene: Plain, verdict: Plain, tries: int
) -> tuple[Plain, Plain]:
    kind = verdict["kind"]
    smaller = shrink(scene, lambda one: process.examine(one)["kind"] == kind, tries)
    again = process.examine(smaller)
    return (smaller, again) if again["kind"] == kind else (scene, verdict)


def main() -> int:
    parser = argparse.ArgumentParser(prog="soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600.0)
    parser.add_argument("--seed", type=int, default=0, help="of the first scene")
    parser.add_argument("--out", type=Path, default=Path("out/soak"), help="folder of findings")
    parser.add_argument("--shrink", type=int, default=300, help="tries for each kind; 0: none")
    parser.add_argument("--only", action="store_true", help="that one scene, with its verdict")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # with the process that runs scenes
    if given.only:
        with ScenesProcess(LIMIT) as process:
            verdict = process.examine(random_scene(given.seed))
        print(verdict.pop("detail"))
        print(json.dumps(verdict, indent=1))
        return int(verdict["outcome"] == "failed")
    tally = soak(given.seconds, given.seed, given.out, given.shrink)
    print(json.dumps(tally.plain(), indent=1))
    return int(bool(tally.findings))


if __name__ == "__main__":
    sys.exit(main())
