"""CPU time (user and system, of all processes) and wall time to build the kernel library.

From nothing: every kernel is compiled. For comparison, at commit cdebddf Numba compiled the one
form that the demo's heap needs in 48 CPU s on the machine of these figures, at its first use.
Pieces are kept in a checkout by their content, so after an edit only those that contain the edited
kernel are compiled; `--quick` joins them by the linker, else all are optimised as a whole.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

HEADER = ("build", "CPU s", "wall s", "kB")


def table() -> Iterator[tuple[str, ...]]:
    """Yield the table's rows."""
    with tempfile.TemporaryDirectory() as folder:
        for name, options in (
            ("from nothing, for this processor", ["--anew"]),
            ("from nothing, for all levels", ["--anew", "--all-levels"]),
            ("all pieces kept, optimised as a whole", []),
            ("all pieces kept, joined by the linker", ["--quick"]),
        ):
            cpu, wall = build(Path(folder), options)
            size = sum(path.stat().st_size for path in Path(folder).glob("kernels-*"))
            yield name, f"{cpu:.1f}", f"{wall:.1f}", f"{size / 1000:.0f}"
            for path in Path(folder).glob("kernels-*"):
                path.unlink()


def build(folder: Path, options: list[str]) -> tuple[float, float]:
    """Build once; return CPU and wall time (s)."""
    before, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-m", "rollcone._build", "--output", str(folder), *options]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=dict(os.environ))
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - clock
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall
