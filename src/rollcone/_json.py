"""JSON documents: numbers that are not finite as null, files that are whole or not there."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

from rollcone.errors import FileError


def plain(value: Any) -> Any:
    """The same with null for numbers that are not finite, which JSON does not have."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return value


def write_whole(path: Path, text: str) -> None:
    """Whole or not at all, also if the process is killed; the folder is made if need be."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(f".{os.getpid()}")
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise FileError(f"folder {path.parent}: {error.strerror or error}") from error


def write_document(path: Path, document: dict[str, Any]) -> None:
    """Indented, for people and for version control."""
    write_whole(path, json.dumps(plain(document), indent=1, allow_nan=False) + "\n")
