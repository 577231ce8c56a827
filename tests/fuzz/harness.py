"""Damaged files for a set time: `python tests/fuzz/harness.py scene run --seconds 60`.

A reader may return or raise `RollconeError`; any other error or warning is a failure, as are an
input that takes too long, more memory than is fair, and a process that dies. Each input is the file
`input` in the folder before it is read, so that it is there after a crash, too. Failures are
kept in the folder by their kind, the shortest input of each.
"""

from __future__ import annotations

import argparse
import faulthandler
import hashlib
import os
import random
import resource
import shutil
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from readers import BY_NAME, READERS, Reader  # noqa: E402

import rollcone as rc  # noqa: E402

FOUND = 10  # exit code; that of an input that takes too long is 1
INPUT_SECONDS = 30.0  # a hang; a busy machine takes a second or two at most
FAIR_MEMORY = 2**30  # bytes beyond those that the process has when it begins


class Failures:
    """By kind: where in Rollcone an error came from, and its type."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.found: dict[str, bytes] = {}

    def add(self, reader: str, error: BaseException, data: bytes) -> None:
        frames = traceback.extract_tb(error.__traceback__)
        ours = [f for f in frames if "/rollcone/" in f.filename] or frames
        place = f"{Path(ours[-1].filename).stem}.{ours[-1].name}"
        kind = f"{reader}-{type(error).__name__}-{place}"
        if kind in self.found and len(self.found[kind]) <= len(data):
            return
        self.found[kind] = data
        (self.folder / f"{kind}.bin").write_bytes(data)
        told = "".join(traceback.format_exception(error))
        (self.folder / f"{kind}.txt").write_text(told, errors="replace")


def attempt(reader: Reader, data: bytes, folder: Path) -> BaseException | None:
    """Read one input; what went wrong, if it is not an error on purpose."""
    (folder / "input").write_bytes(data)
    place = folder / "place"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    faulthandler.dump_traceback_later(INPUT_SECONDS, exit=True)  # with code 1
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            reader.read(place, data)
    except rc.RollconeError as error:
        words = str(error)
        return None if words and len(words) < 20_000 else AssertionError("no words, or a book")
    except Exception as error:
        return error
    finally:
        faulthandler.cancel_dump_traceback_later()
    return None


def fuzz(reader: Reader, seconds: float, seed: int, failures: Failures) -> int:
    """So many inputs were read in so many seconds."""
    draw, seeds, count = random.Random(f"{reader.name} {seed}"), reader.seeds(), 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        data = draw.choice(seeds)
        kinds = range(len(reader.mutations))
        for k in sorted(draw.choices(kinds, k=draw.choice([1, 1, 2]))):  # bytes come last
            data = reader.mutations[k](data, draw.choice(seeds), draw)
        error = attempt(reader, data, failures.folder)
        if error is not None:
            failures.add(reader.name, error, data)
        count += 1
    return count


def limit_memory() -> None:
    """Of the addresses that the process may use: what it has now, and a fair amount."""
    pages = int(Path("/proc/self/statm").read_text().split()[0]) if sys.platform == "linux" else 0
    if pages:
        most = pages * resource.getpagesize() + FAIR_MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


def name_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("readers", nargs="*", default=[], help="all, if none is named")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each reader")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, help="where failures are kept")
    asked = parser.parse_args()
    folder = asked.folder or Path(tempfile.mkdtemp(prefix="rollcone-fuzz-"))
    folder.mkdir(parents=True, exist_ok=True)
    os.fsync = lambda file: None  # what is written here need not last
    faulthandler.enable()
    chosen = [BY_NAME[name] for name in asked.readers] or READERS
    for reader in chosen:  # before memory is limited: libraries are loaded, kernels are there
        for data in reader.seeds()[: None if asked.seconds >= 1.0 else 1]:
            error = attempt(reader, data, folder)
            if error is not None:
                raise AssertionError(f"{reader.name}: a valid file fails") from error
    limit_memory()
    failures = Failures(folder)
    for reader in chosen:
        print(f"{reader.name}", end=" ", flush=True)
        count = fuzz(reader, asked.seconds, asked.seed, failures)
        print(f"{count} inputs", flush=True)
    for kind in sorted(failures.found):
        print(f"FAILED {kind}: {folder / kind}.bin, {len(failures.found[kind])} bytes")
    return FOUND if failures.found else 0


if __name__ == "__main__":
    sys.exit(main())
