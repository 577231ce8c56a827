"""Siconos on one problem, in a process of its own, judged by our residual."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import rollcone as rc
from rollcone.problem.residual import residuals

CHILD = Path(__file__).with_name("siconos_collection.py")
# By rows per contact: the one that everyone uses, and another that did well.
SOLVERS = {
    2: ("FRICTION_2D_NSGS", "FRICTION_2D_LEMKE"),
    3: ("FRICTION_3D_NSGS", "FRICTION_3D_NSN_AC"),
    5: ("ROLLING_FRICTION_3D_NSGS", "ROLLING_FRICTION_3D_ADMM"),
}
# Beyond the time that the solver is told: starting Python, one round that takes longer.
PATIENCE = 20.0


@dataclass(frozen=True)
class Answer:
    """After a round: CPU seconds and iterations so far, our residual, its own."""

    seconds: float
    iterations: int
    residual: float
    own: float


@dataclass(frozen=True)
class Peer:
    """One of Siconos' solvers on one problem: its answers, or why there are none."""

    solver: str
    answers: tuple[Answer, ...] = ()
    note: str = ""

    def first(self, goal: float) -> Answer | None:
        """The first answer whose residual (ours) is at most `goal`."""
        return next((answer for answer in self.answers if answer.residual <= goal), None)

    def best(self) -> Answer | None:
        return min(self.answers, key=lambda answer: answer.residual, default=None)


def peers(problem: rc.ContactProblem, limit: float) -> list[Peer]:
    """Both solvers for this kind of contact; none where Siconos has no such law."""
    plain = problem.cone.kernel_kinds is None and not problem.compliance.any()
    if problem.rows not in SOLVERS or problem.extra_rows or not plain:
        return []
    return [run(problem, solver, limit) for solver in SOLVERS[problem.rows]]


def run(problem: rc.ContactProblem, solver: str, limit: float) -> Peer:
    """Whatever happens to the process, there is a Peer."""
    delassus = problem.to_delassus()
    system = shutil.which("python3", path=os.defpath) or "python3"
    python = os.environ.get("SICONOS_PYTHON", system)
    with tempfile.TemporaryDirectory() as folder:
        path, answers = Path(folder) / "problem.npz", Path(folder) / "answers.npz"
        _write(delassus, path)
        command = [python, str(CHILD), str(path), solver, str(limit), str(answers)]
        note = _watched(command, limit + PATIENCE)
        return Peer(solver, _read(delassus, answers) if answers.exists() else (), note)


def _watched(command: list[str], seconds: float) -> str:
    """Run it; '' if all went well, else what did not."""
    alone = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    try:
        result = subprocess.run(
            command, capture_output=True, text=True, timeout=seconds, env=alone, check=False
        )
    except OSError:
        return "absent"
    except subprocess.TimeoutExpired:  # it has been killed
        return "killed"
    missing = "ModuleNotFoundError" in result.stderr
    return "" if result.returncode == 0 else "absent" if missing else "crashed"


def _write(problem: rc.ContactProblem, path: Path) -> None:
    W = problem.form.W
    np.savez(
        path,
        W_data=W.data,
        W_indices=W.indices,
        W_indptr=W.indptr,
        W_shape=W.shape,
        q=problem.q,
        mu=problem.cone.radii[:, 0],
        mu_r=problem.cone.radii[:, 2],
        rows=problem.rows,
    )


def _read(problem: rc.ContactProblem, path: Path) -> tuple[Answer, ...]:
    """Answers that are not finite are left out."""
    with np.load(path) as data:
        columns = [data[name] for name in ("seconds", "iterations", "reactions", "residual")]
    return tuple(
        Answer(float(seconds), int(iterations), residuals(problem, p).residual, float(own))
        for seconds, iterations, p, own in zip(*columns, strict=True)
        if np.isfinite(p).all()
    )
