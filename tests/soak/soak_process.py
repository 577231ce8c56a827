"""One process that runs scenes (soak_worker.py), started anew when it dies."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any

from soak_bodies import Plain
from soak_checks import Verdict

LIMIT = 900.0  # s for a scene, in which kernels may have to be compiled on a busy machine


class ScenesProcess:
    """`examine` a scene as soak_checks.py does; a dead or hanging process is a verdict, too."""

    def __init__(self, limit: float = LIMIT, *options: str) -> None:
        self._command = [
            sys.executable, str(Path(__file__).parent / "soak_worker.py"), str(limit), *options,
        ]  # fmt: skip
        self._process: subprocess.Popen[str] | None = None
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115

    def __enter__(self) -> ScenesProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()

    def examine(self, scene: Plain) -> dict[str, Any]:
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        answer = ""
        try:
            process.stdin.write(json.dumps(scene) + "\n")
            process.stdin.flush()
            answer = process.stdout.readline()
        except BrokenPipeError:
            pass
        if answer:
            return dict(json.loads(answer))
        process.communicate()  # to its end, and its pipes are closed
        code, self._process = process.returncode, None
        self._errors.seek(0)
        words = self._errors.read()
        kind = "hang" if "Timeout" in words else f"crash ({code})"
        return Verdict("failed", kind, words).plain()

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            self._errors.truncate(0)
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
                text=True,
            )  # fmt: skip
        return self._process

    def close(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.communicate()
        self._process = None
        self._errors.close()
