"""Time this checkout next to another commit: python -m benchmarks compare COMMIT

Both sides run the scenes of compare_worker.py, each in processes of its own that take turns, after
a first process per side that compiles what there is to compile. The order of the two sides changes
from round to round. With one thread, the default, times are those of the CPU, which suffer less
where others use the machine; with several they are those of the clock.

    minimum, median   of the rounds
    spread            (third quartile - minimum) / minimum, the larger of the two sides
    ratio             minimum of this checkout over minimum of the other; "not resolved" where it
                      differs from 1 by less than the spread or that of the calibration, and
                      where there are fewer than FEW rounds
    calibration       a fixed loop of Python and NumPy in the same process, in which the load of
                      the machine shows

The other commit is cloned to out/compare and installed there into an environment of its own, once.
With --python the given Python runs it instead, and nothing is installed: the sources of COMMIT, or
without a COMMIT the Rollcone that is installed for that Python.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles

from benchmarks.compare_worker import LARGE, SCENES

ROOT = Path(__file__).parent.parent
WORKER = Path(__file__).with_name("compare_worker.py")
BUILT = ROOT / "out" / "compare"
FEW = 5  # rounds, below which no difference counts
START = "new process to its first step"
START_CPU = f"{START}, CPU"
HEADER = (
    "scene", "unit", "this: min", "median", "other: min", "median", "spread", "ratio", "bits",
)  # fmt: skip
# Steps of which instructions are counted.
_COUNTED = {
    "ball": 2000, "ball, every step recorded": 200, "stack of ten boxes": 200, "pendulum": 100,
    "bed of 1,000, sliding": 4, "bed of 1,000, rolling": 4, "bed of 100,000, sliding": 1,
}  # fmt: skip


@dataclass
class Side:
    """A Python with a Rollcone, and what its processes have measured.

    times         seconds of each round, by scene; START and START_CPU are among them
    calibrations  seconds of the calibration loop, of all processes
    bits          hash of the end of each scene
    """

    word: str
    python: str
    source: Path | None = None  # a folder `src`, in the place of what is installed
    threads: int = 1
    where: str = ""  # the package that was imported
    times: dict[str, list[float]] = field(default_factory=dict)
    calibrations: list[float] = field(default_factory=list)
    bits: dict[str, str] = field(default_factory=dict)

    def environment(self, **more: str) -> dict[str, str]:
        """Return the environment of its processes.

        Both sides keep the bytecode of all modules in one folder: else a new process would parse
        the modules of one side and load those of the other, depending on how they were installed.
        """
        dropped = ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE")
        inherited = {name: text for name, text in os.environ.items() if name not in dropped}
        own = {
            "ROLLCONE_THREADS": str(self.threads),
            "PYTHONPYCACHEPREFIX": str(BUILT / "bytecode"),
        }
        path = {} if self.source is None else {"PYTHONPATH": str(self.source)}
        return inherited | path | own | more

    def command(self, scenes: list[str], steps: int | None = None) -> list[str]:
        """Return the command that runs scenes."""
        some = [] if steps is None else ["--steps", str(steps)]
        return [self.python, str(WORKER), *some, *scenes]

    def warm_up(self, scenes: list[str], **environment: str) -> None:
        """Run each scene for a step, so that all kernels are compiled."""
        self._finish(self._start(self.command(scenes, 1), **environment))

    def run(self, scenes: list[str]) -> None:
        """Run all scenes in a new process and note what they took."""
        begin = time.perf_counter()
        process = self._start(self.command(scenes))
        assert process.stdout is not None
        first = process.stdout.readline()
        seconds = time.perf_counter() - begin
        lines = self._finish(process)
        start = json.loads(first)
        self.where = str(Path(start["package"]).parent)
        self.times.setdefault(START, []).append(seconds)
        self.times.setdefault(START_CPU, []).append(start["cpu"])
        clock = "cpu" if self.threads == 1 else "seconds"
        for found in map(json.loads, lines):
            self.times.setdefault(found["scene"], []).append(found[clock])
            self.calibrations.append(found["calibration"])
            self.bits[found["scene"]] = found["bits"]

    def _start(self, command: list[str], **environment: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=self.environment(**environment), cwd=tempfile.gettempdir(),
        )  # fmt: skip

    def _finish(self, process: subprocess.Popen[str]) -> list[str]:
        """Wait for the end of a process and return the lines that it has printed since."""
        out, error = process.communicate()
        if process.returncode:
            sys.exit(f"{self.word}: the process of its scenes failed\n{error}")
        return out.splitlines()


def main(given: list[str] | None = None) -> None:
    arguments = parsed(given)
    this = Side("this", sys.executable, ROOT / "src", arguments.threads)
    other = other_side(arguments)
    scenes = chosen(arguments)
    for side in (this, other):
        print(f"{side.word}: warming up ...", file=sys.stderr, flush=True)
        side.warm_up(scenes)
    before = load()
    for number in range(arguments.rounds):
        for side in (this, other) if number % 2 == 0 else (other, this):
            side.run(scenes)
        print(f"round {number + 1} of {arguments.rounds}", file=sys.stderr, flush=True)
    print(f"this:  {this.where}\nother: {other.where}\n")
    print_rows([HEADER, ("---",) * len(HEADER)])
    print_rows(scene_row(name, this, other) for name in (*scenes, START, START_CPU))
    print(f"\n{calibration_words(this, other)}\nload average: {before} before, {load()} after")
    print_instructions(arguments.instructions, scenes, this, other)


def parsed(given: list[str] | None) -> argparse.Namespace:
    """Return the arguments of the command line, checked."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks compare", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("commit", nargs="?", metavar="COMMIT", help="of this repository")
    parser.add_argument("--rounds", type=int, default=20, help="processes per side; default 20")
    parser.add_argument("--scenes", nargs="+", choices=list(SCENES), metavar="SCENE",
                        help=f"of {', '.join(SCENES)}")  # fmt: skip
    parser.add_argument("--large", action="store_true", help="also 100,000 spheres")
    parser.add_argument("--python", help="of the other side; nothing is installed then")
    parser.add_argument("--threads", type=int, default=1, help="of each simulation; default 1")
    parser.add_argument(
        "--instructions", action="store_true",
        help="count instructions by valgrind where perf cannot: a minute per scene",
    )  # fmt: skip
    arguments = parser.parse_args(given)
    if arguments.commit is None and arguments.python is None:
        parser.error("COMMIT or --python must be given")
    if arguments.rounds < 1:
        parser.error("--rounds must be at least 1")
    return arguments


def chosen(arguments: argparse.Namespace) -> list[str]:
    """Return the names of the scenes to run."""
    if arguments.scenes:
        return list(arguments.scenes)
    return [name for name in SCENES if arguments.large or name not in LARGE]


def other_side(arguments: argparse.Namespace) -> Side:
    """Return the other side, cloned and installed where that is needed."""
    if arguments.commit is None:
        return Side("other", arguments.python, threads=arguments.threads)
    folder = cloned(arguments.commit)
    if arguments.python is not None:
        return Side("other", arguments.python, folder / "src", arguments.threads)
    return Side("other", installed(folder), threads=arguments.threads)


def cloned(commit: str) -> Path:
    """Return a clone of this repository at a commit, made on first use."""
    name = git(ROOT, "rev-parse", "--verify", f"{commit}^{{commit}}")
    folder = BUILT / name[:12]
    if not (folder / ".git").exists():
        BUILT.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=BUILT) as temporary:
            new = Path(temporary) / "clone"
            git(ROOT, "clone", "--quiet", "--no-checkout", str(ROOT), str(new))
            git(new, "checkout", "--quiet", "--detach", name)
            new.rename(folder)
    return folder


def installed(folder: Path) -> str:
    """Return the Python of a clone's own environment, made on first use."""
    environment = folder / ".venv"
    python, ready = environment / "bin" / "python", environment / ".ready"
    if os.name == "nt":
        python = environment / "Scripts" / "python.exe"
    if not ready.exists():
        print(f"installing {folder.name} (once) ...", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, str(folder)], check=True)
        ready.touch()
    return str(python)


def git(folder: Path, *arguments: str) -> str:
    """Return what a git command prints; the program ends where it fails."""
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"git {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout.strip()


def scene_row(name: str, this: Side, other: Side) -> tuple[str, ...]:
    """Return the cells of a scene: times in microseconds per step, or in milliseconds."""
    factor, unit = (1e3, "ms") if name in (START, START_CPU) else (1e6, "us per step")
    ours, theirs = this.times[name], other.times[name]
    bits = ("same" if this.bits[name] == other.bits[name] else "other") if name in SCENES else ""
    cells = [f"{factor * value:.4g}" for times in (ours, theirs) for value in least_and_mid(times)]
    wide = max(spread(ours), spread(theirs))
    least = max(wide, spread(this.calibrations), spread(other.calibrations))
    resolved = len(ours) >= FEW and abs(min(ours) / min(theirs) - 1.0) > least
    ratio = f"{min(ours) / min(theirs):.3f}{'' if resolved else ', not resolved'}"
    return name, unit, *cells, f"{wide:.1%}", ratio, bits


def least_and_mid(times: list[float]) -> tuple[float, float]:
    """Return minimum and median."""
    return min(times), median(times)


def spread(times: list[float]) -> float:
    """Return (third quartile - minimum) / minimum."""
    if len(times) < 2:
        return 0.0
    return quantiles(times, n=4, method="inclusive")[2] / min(times) - 1.0


def calibration_words(this: Side, other: Side) -> str:
    """Return minimum, median and spread of the calibration loop of both sides."""
    words = [
        f"{side.word} min {1e3 * min(times):.2f} ms, median {1e3 * median(times):.2f} ms, "
        f"spread {spread(times):.1%}"
        for side in (this, other)
        for times in [side.calibrations]
    ]
    return f"calibration loop: {'; '.join(words)}"


def load() -> str:
    """Return the load average of the last minute."""
    with contextlib.suppress(AttributeError, OSError):
        return f"{os.getloadavg()[0]:.2f}"
    return "unknown"


def print_instructions(wanted: bool, scenes: list[str], this: Side, other: Side) -> None:
    """Print instructions per step of both sides, by the first counter that works."""
    counter = Perf() if Perf.works() else Callgrind() if wanted and Callgrind.works() else None
    if counter is None:
        hint = "" if wanted else "; --instructions counts them by valgrind, if it is installed"
        print(f"instructions: perf cannot count them here{hint}")
        if wanted:
            print("instructions: nor is there a valgrind that works")
        return
    header = (f"instructions per step, {counter.word}", "this", "other", "ratio")
    print()
    print_rows([header, ("---",) * len(header)])
    for name in scenes:
        ours, theirs = (per_step(counter, side, name) for side in (this, other))
        print_rows([(name, f"{ours:,.0f}", f"{theirs:,.0f}", f"{ours / theirs:.4f}")])


def per_step(counter: Perf | Callgrind, side: Side, name: str) -> float:
    """Return instructions per step: those of 3 n steps less those of n, over 2 n."""
    steps = _COUNTED[name]
    side.warm_up([name], **counter.environment)
    few, many = (counter.count(side, side.command([name], n)) for n in (steps, 3 * steps))
    return (many - few) / (2 * steps)


class Perf:
    """Instructions in user mode by the processor's counter."""

    word = "perf"
    environment = {"PYTHONHASHSEED": "0"}  # noqa: RUF012
    options = ("stat", "-x", ",", "-e", "instructions:u")

    @classmethod
    def works(cls) -> bool:
        """Tell whether perf is here and may count."""
        if shutil.which("perf") is None:
            return False
        done = subprocess.run(["perf", *cls.options, "true"], capture_output=True, text=True)
        return done.returncode == 0 and cls.read(done.stderr) is not None

    @staticmethod
    def read(text: str) -> int | None:
        """Return the count that perf has printed, None where it could not count."""
        found = re.search(r"^(\d+),[^,]*,instructions", text, re.MULTILINE)
        return int(found[1]) if found else None

    def count(self, side: Side, command: list[str]) -> int:
        """Return the instructions of a command."""
        done = subprocess.run(
            ["perf", *self.options, *command], capture_output=True, text=True, check=True,
            env=side.environment(**self.environment), cwd=tempfile.gettempdir(),
        )  # fmt: skip
        count = self.read(done.stderr)
        if count is None:
            sys.exit(f"perf has not counted: {done.stderr}")
        return count


class Callgrind:
    """Instructions of the timed steps by valgrind.

    Its processor lacks the widest vectors: kernels that are compiled on first use are compiled for
    the plainest x86-64 processor on both sides.
    """

    word = "valgrind"
    environment = {  # noqa: RUF012
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": "",
        "PYTHONHASHSEED": "0",
    }

    @staticmethod
    def works() -> bool:
        """Tell whether valgrind is here and runs."""
        if None in map(shutil.which, ("valgrind", "callgrind_control")):
            return False
        return subprocess.run(["valgrind", "--version"], capture_output=True).returncode == 0

    def count(self, side: Side, command: list[str]) -> int:
        """Return the instructions of a command."""
        with tempfile.TemporaryDirectory() as folder:
            valgrind = ["valgrind", "--tool=callgrind", "--instr-atstart=no"]
            valgrind.append(f"--callgrind-out-file={folder}/out")
            done = subprocess.run(
                [*valgrind, *command, "--callgrind"], capture_output=True, text=True, cwd=folder,
                env=side.environment(**self.environment),
            )  # fmt: skip
        found = re.search(r"Collected : (\d+)", done.stderr)
        if done.returncode or found is None:
            sys.exit(f"valgrind failed: {done.stderr[-2000:]}")
        return int(found[1])


def print_rows(rows: object) -> None:
    """Print rows of a Markdown table."""
    for cells in rows:  # type: ignore[attr-defined]
        print("| " + " | ".join(cells) + " |", flush=True)
