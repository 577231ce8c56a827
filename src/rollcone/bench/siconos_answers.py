"""Siconos on one problem, in a process of its own, judged by our residual.

Siconos 4.4 solves the exact law for two, three or five rows, and by its interior point the
associated law for three; friction sets are discs, there are no extra rows.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from rollcone.bench.results import FAILED, NOT_SUPPORTED, SOLVED, TIMED_OUT, Outcome
from rollcone.bench.worker import ONE_THREAD
from rollcone.errors import MissingPackageError
from rollcone.laws.kernels.disc import DISC
from rollcone.problem.bodies import BodyForm
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.residual import residuals

CHILD = Path(__file__).parent / "outside" / "siconos_solver.py"
# By the name in results, then by rows per contact. Its interior point relaxes the law.
SOLVERS = {
    "siconos NSGS": {2: "FRICTION_2D_NSGS", 3: "FRICTION_3D_NSGS", 5: "ROLLING_FRICTION_3D_NSGS"},
    "siconos NSN_AC": {3: "FRICTION_3D_NSN_AC"},
    "siconos ADMM": {3: "FRICTION_3D_ADMM", 5: "ROLLING_FRICTION_3D_ADMM"},
    "siconos Lemke": {2: "FRICTION_2D_LEMKE"},
    "siconos IPM": {3: "GLOBAL_FRICTION_3D_IPM"},
}
RELAXED = "siconos IPM"
# Beyond the time for a call: starting Python, a round that takes longer.
PATIENCE = 20.0
_NEARLY = 0.9  # of the time limit: who has used so much ran out of time


@dataclass(frozen=True)
class Answer:
    """CPU seconds, iterations, our residual, its own; wall seconds."""

    seconds: float
    iterations: int
    residual: float
    own: float
    wall: float


@dataclass(frozen=True)
class Peer:
    """One of Siconos' solvers on one problem: its answers, or why there are none."""

    solver: str
    answers: tuple[Answer, ...] = ()
    note: str = ""

    def first(self, goal: float) -> Answer | None:
        """The quickest answer whose residual (ours) is at most `goal`."""
        good = [answer for answer in self.answers if answer.residual <= goal]
        return min(good, key=lambda answer: answer.seconds, default=None)

    def best(self) -> Answer | None:
        return min(self.answers, key=lambda answer: answer.residual, default=None)

    def outcome(self, tolerance: float, limit: float) -> Outcome:
        """As a line of results."""
        answer = self.first(tolerance)
        if answer is not None and answer.wall <= limit:
            status, note = SOLVED, ""
        else:
            longest = max((each.wall for each in self.answers), default=0.0)
            late = self.note == "killed" or longest >= _NEARLY * limit
            status, note = (TIMED_OUT if late else FAILED), self.note
            answer = self.best()
        if answer is None:
            return Outcome(status, note=note or "no finite answer")
        numbers = (answer.seconds, answer.wall, answer.iterations, answer.residual)
        return Outcome(status, *numbers, turns=1, note=note)


def find_siconos() -> str:
    """The version of the Siconos that will be used; says what to do if there is none."""
    needed = "import scipy.sparse, siconos.numerics, siconos; print(siconos.__version__)"
    command = [_python(), "-c", needed]
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        found = None
    if found is None or found.returncode:
        raise MissingPackageError(
            f"Siconos: {_python()} has no siconos.numerics, or no SciPy; the environment variable "
            "SICONOS_PYTHON names a Python that has both (Debian: siconos, python3-scipy)"
        )
    return found.stdout.strip()


def unsupported(problem: ContactProblem, name: str) -> str:
    """Why this solver (a name of results) cannot be asked; "" if it can."""
    if problem.rows not in SOLVERS[name]:
        return f"none for {problem.rows} rows per contact"
    if problem.extra_rows:
        return "no extra rows"
    if np.any(problem.cone.kinds != DISC) or problem.compliance.any():
        return "discs without compliance alone"
    if (problem.law == "exact") == (name == RELAXED):
        return f"not the {problem.law} law"
    if name == RELAXED and not isinstance(problem.form, BodyForm):
        return "the body form alone"
    return ""


def outcomes(
    problem: ContactProblem, name: str, tolerances: tuple[float, ...], limit: float
) -> list[Outcome]:
    """One for each tolerance, from one run of the process."""
    why = unsupported(problem, name)
    if why:
        return [Outcome(NOT_SUPPORTED, note=f"Siconos: {why}") for _ in tolerances]
    peer = run(problem, SOLVERS[name][problem.rows], limit)
    return [peer.outcome(tolerance, limit) for tolerance in tolerances]


def run(problem: ContactProblem, solver: str, limit: float) -> Peer:
    """Whatever happens to the process, there is a Peer."""
    with tempfile.TemporaryDirectory() as folder:
        path, answers = Path(folder) / "problem.npz", Path(folder) / "answers"
        answers.mkdir()
        write_problem(problem, path)
        note = _watched([str(CHILD), str(path), solver, str(limit), str(answers)], answers, limit)
        return Peer(solver, _read(problem, answers), note)


def run_python(arguments: list[str], **more: Any) -> subprocess.Popen[str]:
    """Start the Python that has Siconos, on one thread."""
    environment = os.environ | ONE_THREAD | more.pop("env", {})
    return subprocess.Popen([_python(), *arguments], text=True, env=environment, **more)


def _python() -> str:
    system = shutil.which("python3", path=os.defpath) or "python3"
    return os.environ.get("SICONOS_PYTHON", system)


def _watched(arguments: list[str], answers: Path, limit: float) -> str:
    """Run it until it ends, or gives no answer for too long; '' if all went well."""
    with tempfile.TemporaryFile("w+") as errors:
        try:
            process = run_python(arguments, stdout=subprocess.DEVNULL, stderr=errors)
        except OSError:
            return "absent"
        try:
            if not _ends(process, answers, 1.25 * limit + PATIENCE):
                return "killed"
        finally:
            process.kill()
            process.wait()
        errors.seek(0)
        missing = "ModuleNotFoundError" in errors.read()
    return "" if process.returncode == 0 else "absent" if missing else "crashed"


def _ends(process: subprocess.Popen[str], answers: Path, patience: float) -> bool:
    """Wait as long as answers come."""
    seen, since = 0, time.perf_counter()
    while time.perf_counter() - since < patience:
        try:
            process.wait(0.05)
            return True
        except subprocess.TimeoutExpired:
            there = len(list(answers.iterdir()))
            if there > seen:
                seen, since = there, time.perf_counter()
    return False


def write_problem(problem: ContactProblem, path: Path) -> None:
    """As outside/siconos_solver.py reads it."""
    form = problem.form
    W = form.delassus.W if isinstance(form, BodyForm) else form.W
    parts: dict[str, Any] = {
        **_sparse("W", W),
        "q": problem.q,
        "mu": problem.cone.radii[:, 0],
        "mu_r": problem.cone.radii[:, 2],
        "rows": problem.rows,
    }
    if isinstance(form, BodyForm):
        M = form.mass.matrix()
        parts |= {**_sparse("M", M), **_sparse("H", form.H.T), "f": M @ form.v_free, "b": form.b}
    np.savez(path, **parts)


def _sparse(name: str, matrix: Any) -> dict[str, Any]:
    by_rows = sp.csr_matrix(matrix)
    parts = {part: getattr(by_rows, part) for part in ("data", "indices", "indptr", "shape")}
    return {f"{name}_{part}": value for part, value in parts.items()}


def _read(problem: ContactProblem, folder: Path) -> tuple[Answer, ...]:
    """Answers that are not finite are left out."""
    found = []
    for path in sorted(folder.glob("[0-9]*.npz")):
        with np.load(path) as data:
            p = data["reactions"]
            if np.isfinite(p).all():
                seconds, iterations = float(data["seconds"]), int(data["iterations"])
                ours, own = residuals(problem, p).residual, float(data["residual"])
                found.append(Answer(seconds, iterations, ours, own, float(data["wall"])))
    return tuple(found)
