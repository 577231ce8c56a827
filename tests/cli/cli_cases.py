"""Shared by the tests of the command line: a small problem, and runs in process."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from typer.testing import CliRunner

import rollcone as rc
from rollcone.cli.main import app

GAUSS_SEIDEL = ["--solver", "gauss-seidel"]


def balls(law: str = "exact") -> rc.ContactProblem:
    """Balls of 1 kg and radius 0.1 m on a plane, rows (n, t1, t2, w_t1, w_t2): one falls and
    slips, one falls straight, one rises; an axle holds the last one's turn about t1."""
    radius, inertia = 0.1, 0.4 * 0.1**2
    block = np.array(  # n = z, t1 = x, t2 = y; v = (v, omega) of the centre
        [
            [0, 0, 1, 0, 0, 0],
            [1, 0, 0, 0, -radius, 0],
            [0, 1, 0, radius, 0, 0],
            [0, 0, 0, 1, 0, 0],
            [0, 0, 0, 0, 1, 0],
        ]
    )
    axle = np.zeros((1, 18))
    axle[0, 15] = 1.0
    H = np.vstack([np.kron(np.eye(3), block), axle])
    v_free = np.zeros(18)
    v_free[[0, 2, 8, 14]] = 2.0, -1.0, -0.5, 0.25
    return rc.ContactProblem.from_bodies(
        np.tile([1.0] * 3 + [inertia] * 3, 3),
        H,
        v_free,
        sliding=0.3,
        rolling=rc.Ellipse([0.01, 0.01, 0.02], 0.03),
        law=law,
        rows=5,
        bounds=[[-np.inf, np.inf]],
    )


def run(*arguments: object, code: int = 0, columns: int = 80) -> Any:
    result = CliRunner().invoke(
        app, [str(argument) for argument in arguments], env={"COLUMNS": str(columns)}
    )
    assert result.exit_code == code, (result.stdout, result.stderr, result.exception)
    return result


def run_json(*arguments: object, code: int = 0) -> dict[str, Any]:
    result = run(*arguments, "--json", code=code)
    assert result.stderr == ""
    return json.loads(result.stdout)


def error_of(*arguments: object) -> str:
    result = run(*arguments, code=1)
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("error: ")
    return lines[0]
