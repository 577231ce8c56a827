"""Solves in a process of their own, which can be stopped: a solver looks at the clock between
iterations, and one of them may take for ever.

The process reads tasks and writes what it tells and the outcome, each a line of JSON. If nothing
is heard of it for as long as it said, it is killed, and another one takes the next task. Nothing
but the solve counts: Python has started, the problem is read, kernels are loaded before.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from rollcone.bench.measure import Measure, Task
from rollcone.bench.results import FAILED, TIMED_OUT, Outcome
from rollcone.errors import RollconeError

COMMAND = (sys.executable, "-c", "from rollcone.bench.worker import main; main()")
# One thread for everybody: CPU time is then the time that a solve takes.
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "ROLLCONE_THREADS"), "1"
)
_START = 300.0  # s for imports, and to read a large file
_HERE = str(Path(__file__).parents[2])  # where this Rollcone lies


class Worker:
    """Call it with a task; the process starts with the first one. Close it at the end."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._command = command
        self._process: subprocess.Popen[str] | None = None
        self._heard: queue.Queue[str] = queue.Queue()

    def __call__(self, task: Task) -> Outcome:
        try:
            process = self._running()
            assert process.stdin is not None
            process.stdin.write(json.dumps(asdict(task)) + "\n")
            process.stdin.flush()
            return self._wait()
        except BrokenPipeError:
            return self._ended()

    def close(self) -> None:
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        self._listener.join()
        for pipe in (self._process.stdin, self._process.stdout, self._errors):
            with suppress(OSError):  # what nobody has read
                pipe.close()  # type: ignore[union-attr]
        self._process = None

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None:
            self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115, it outlives this call
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                text=True,
                env=os.environ | ONE_THREAD | {"PYTHONPATH": os.pathsep.join(_places())},
            )
            self._heard = queue.Queue()
            listening = (self._process.stdout, self._heard)
            self._listener = threading.Thread(target=_listen, args=listening, daemon=True)
            self._listener.start()
            self._await_start()
        return self._process

    def _await_start(self) -> None:
        """Imports are over; a process that cannot even do that is no failure of a solver."""
        assert self._process is not None
        try:
            if self._heard.get(timeout=_START):
                return
        except queue.Empty:
            self._process.kill()
        raise RollconeError(f"the process that solves does not start: {self._ended().note}")

    def _wait(self) -> Outcome:
        patience, begin = _START, time.perf_counter()
        while True:
            try:
                line = self._heard.get(timeout=patience)
            except queue.Empty:
                self.close()
                wall = time.perf_counter() - begin
                return Outcome(TIMED_OUT, wall=wall, note="did not return, was stopped")
            if not line:
                return self._ended()
            message: dict[str, Any] = json.loads(line)
            if "patience" not in message:
                return Outcome(**message)
            patience, begin = message["patience"], time.perf_counter()

    def _ended(self) -> Outcome:
        """A process that is gone, and its last words."""
        assert self._process is not None
        code = self._process.wait()
        self._errors.seek(0)
        words = self._errors.read().strip().splitlines()[-1:]
        self.close()
        return Outcome(FAILED, note=f"the process ended with code {code}: {''.join(words)}")


def _places() -> list[str]:
    """Where the process finds the same Rollcone, then what it would find anyway."""
    return [_HERE, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]


def _listen(stdout: IO[str], heard: queue.Queue[str]) -> None:
    for line in stdout:
        heard.put(line)
    heard.put("")  # the end


def main() -> None:
    """In the process: tasks from stdin, answers to stdout, on which nobody else may print."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def say(message: dict[str, Any]) -> None:
        print(json.dumps(message), file=answers, flush=True)

    measure = Measure()
    say({"patience": _START})
    for line in sys.stdin:
        task = Task(**json.loads(line))
        say(asdict(measure(task, lambda patience: say({"patience": patience}))))
