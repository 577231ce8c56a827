"""Scenes that failed once, as small as they could be made: they must not fail again.

`why` in each file says what was wrong."""

import json
from pathlib import Path

import pytest
from soak_checks import examine

KEPT = {path.stem: json.loads(path.read_text()) for path in Path(__file__).parent.glob("kept/*")}


def cases():
    """By name; those that take long, or kernels that no other test needs, are marked so."""
    for name, kept in sorted(KEPT.items()):
        yield pytest.param(name, marks=[pytest.mark.slow] if kept.get("slow") else [])


@pytest.mark.parametrize("name", list(cases()))
def test_kept_scenes(name):
    verdict = examine(KEPT[name]["scene"])
    assert verdict.outcome != "failed", f"{verdict.kind}: {verdict.detail}"
