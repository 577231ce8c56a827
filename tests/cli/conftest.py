"""A problem file in an empty current folder."""

from pathlib import Path

import pytest
from cli_cases import balls

import rollcone as rc


@pytest.fixture
def problem_file(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rc.save_problem(balls(), "balls.h5")
    return Path("balls.h5")
