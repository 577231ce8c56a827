"""Start a program on a scene, in a process of its own, and read its figures."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LIMIT = 1800.0  # s by the clock for one run
ABSENT = ("ModuleNotFoundError", "ImportError", "cannot open shared object")


@dataclass(frozen=True)
class Variant:
    """A program with settings, and words for them."""

    program: str
    words: str
    settings: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """The figures that measure.py prints; without them, why there are none."""

    figures: dict[str, Any]
    note: str = ""


def command(program: str, package: str = "benchmarks.peers") -> list[str]:
    """What starts it, up to the arguments."""
    if program == "yade":
        return [os.environ.get("YADE", "yade"), "-x", "-n", "-j1", str(HERE / "run_yade.py")]
    pythons = {"rollcone": sys.executable, "siconos": siconos_python()}
    return [pythons.get(program, peers_python()), "-m", f"{package}.run_{program}"]


def peers_python() -> str:
    return os.environ.get("PEERS_PYTHON", sys.executable)


def siconos_python() -> str:
    system = shutil.which("python3", path=os.defpath) or "python3"
    return os.environ.get("SICONOS_PYTHON", system)


def run(
    variant: Variant,
    scene: Path | str,
    final: Path | None = None,
    package: str = "benchmarks.peers",
) -> Outcome:
    """Whatever happens to the process, there is an outcome. `scene` is a file, or what the
    programs of a package know it by."""
    arguments = [str(scene), json.dumps(variant.settings), *([str(final)] if final else [])]
    try:
        done = subprocess.run(
            [*command(variant.program, package), *arguments],
            capture_output=True, text=True, timeout=LIMIT, env=surroundings(), check=False,
            cwd=final.parent if final else None,  # some leave logs where they run
        )  # fmt: skip
    except OSError:
        return Outcome({}, "absent")
    except subprocess.TimeoutExpired:
        return Outcome({}, f"more than {LIMIT:.0f} s")
    if done.returncode:
        missing = any(word in done.stderr for word in ABSENT)
        return Outcome({}, "absent" if missing else "failed")
    return read(done.stdout)


def read(text: str) -> Outcome:
    """The last line that is JSON: some programs talk before and after."""
    for line in reversed(text.splitlines()):
        if line.startswith("{"):
            figures = json.loads(line)
            return Outcome(
                figures if figures["finite"] else {}, "" if figures["finite"] else "blew up"
            )
    return Outcome({}, "failed")


def surroundings() -> dict[str, str]:
    """One thread; the scripts and Rollcone are found wherever they are started."""
    paths = [str(ROOT), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }


def settler() -> str:
    """The program that settles beds: LAMMPS if it is here."""
    test = "from benchmarks.peers.run_lammps import load_lammps; load_lammps()"
    try:
        done = subprocess.run(
            [peers_python(), "-c", test], capture_output=True, env=surroundings(), check=False
        )
    except OSError:
        return "rollcone"
    return "rollcone" if done.returncode else "lammps"
