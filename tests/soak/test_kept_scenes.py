"""Scenes that failed once, as small as they could be made: they must not fail again.

`why` in each file says what was wrong."""

import json
from pathlib import Path

import pytest
from soak_checks import examine

KEPT = sorted((Path(__file__).parent / "kept").glob("*.json"))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_kept_scenes(path):
    verdict = examine(json.loads(path.read_text())["scene"])
    assert verdict.outcome != "failed", f"{verdict.kind}: {verdict.detail}"
