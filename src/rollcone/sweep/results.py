"""What is known of the runs of a study, in its folder.

    runs/<key>/scene.toml    the scene with its values
    runs/<key>/run.h5        the run (or run.h5.part, while it goes on), if runs are kept
    runs/<key>/result.json   what was measured; there when the run is finished
    runs/<key>/error.json    why it failed

Each JSON file is written beside its place and renamed, so it is whole or not there.
"""

from __future__ import annotations

import json
import math
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rollcone.errors import FileError
from rollcone.sweep.case import Case
from rollcone.sweep.measures import Value

_MARK = "study-id"


@dataclass(frozen=True)
class Outcome:
    """values   what was measured, by column; empty if the run failed
    facts    of the run: steps, contacts, residual, unconverged, ... (recording/summary.py)
    error    why it failed; empty if it did not
    seconds  that it took, all in all
    """

    values: dict[str, Value] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
    error: str = ""
    seconds: float = 0.0

    @property
    def failed(self) -> bool:
        return bool(self.error)


def study_folder(path: Path) -> str:
    """Make the folder of a study if need be; its id, by which workers know that they see it."""
    mark = path / _MARK
    try:
        (path / "runs").mkdir(parents=True, exist_ok=True)
        if not mark.exists():
            write_beside(mark, uuid.uuid4().hex)
        return mark.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise FileError(f"folder {path}: {error.strerror or error}") from error


def sees(folder: Path, token: str) -> bool:
    """Is this the study's folder, on this machine?"""
    try:
        return (folder / _MARK).read_text(encoding="utf-8").strip() == token
    except (OSError, UnicodeDecodeError):
        return False


def place(folder: Path, case: Case) -> Path:
    return folder / "runs" / case.key


def read_outcome(where: Path, case: Case) -> Outcome | None:
    """That of a finished run, if it was measured as the case asks; a damaged file counts as none,
    since the run can be made again."""
    try:
        document = json.loads((where / "result.json").read_text(encoding="utf-8"))
        if document["asked"] != plain(case.asked):
            return None
        values = {name: _number(value) for name, value in document["values"].items()}
        facts = dict(document["facts"])
        return Outcome(values, facts, seconds=float(document["seconds"]))
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        OverflowError,
        RecursionError,
    ):
        return None


def write_outcome(where: Path, case: Case, outcome: Outcome) -> None:
    document = {"point": case.point, "repeat": case.repeat, "seconds": outcome.seconds}
    name = "error.json" if outcome.failed else "result.json"
    if outcome.failed:
        document |= {"error": outcome.error}
    else:
        document |= {"asked": case.asked, "values": outcome.values, "facts": outcome.facts}
    try:
        where.mkdir(parents=True, exist_ok=True)
        write_beside(where / "scene.toml", case.text)
        write_beside(where / name, json.dumps(plain(document), indent=1, allow_nan=False))
        if not outcome.failed:
            (where / "error.json").unlink(missing_ok=True)
    except OSError as error:
        raise FileError(f"folder {where}: {error.strerror or error}") from error


def write_beside(path: Path, text: str) -> None:
    """Whole or not at all."""
    beside = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def plain(value: Any) -> Any:
    """For JSON, which has no NaN; as reading gives it back."""
    if isinstance(value, dict):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _number(value: Any) -> Value:
    if isinstance(value, list):
        return [math.nan if entry is None else float(entry) for entry in value]
    return math.nan if value is None else float(value)
