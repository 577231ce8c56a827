"""Fuzzing that is led by what code an input reaches, with atheris: for a long look at one reader.

    pip install "rollcone[fuzz]"
    python tests/fuzz/guided.py scene --seconds 600 --folder out

Inputs that reach new code are kept in the folder `reached` and changed further; failures as
harness.py keeps them.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import random
import sys
from pathlib import Path

import atheris

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]
PACKAGE = Path(__file__).parents[2] / "src"
KERNELS = [  # called as compiled code
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
    for path in PACKAGE.rglob("*.py")
    if b"rollcone._build.kernels" in path.read_bytes()
]
with atheris.instrument_imports(
    include=[
        "rollcone.scene", "rollcone.urdf", "rollcone.problem", "rollcone.recording",
        "rollcone.mechanics", "rollcone.settings", "rollcone.resuming", "rollcone.sweep",
        "rollcone.fit",
        "tomllib", "trimesh",
    ],
    exclude=KERNELS,
    enable_loader_override=False,
):  # fmt: skip
    from harness import Failures, attempt, limit_memory
    from readers import BY_NAME

    BY_NAME["scene"].seeds()  # imports what it reads with

LONGEST = 2**20  # bytes of an input


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("reader", choices=sorted(BY_NAME))
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, required=True)
    asked = parser.parse_args()
    reader, reached = BY_NAME[asked.reader], asked.folder / "reached"
    reached.mkdir(parents=True, exist_ok=True)
    seeds = reader.seeds()
    for k, data in enumerate(seeds):
        (reached / f"seed-{k}").write_bytes(data)
        attempt(reader, data, asked.folder)
    os.fsync = lambda file: None
    faulthandler.enable()
    limit_memory()
    failures = Failures(asked.folder)

    def read(data: bytes) -> None:
        error = attempt(reader, data, asked.folder)
        if error is not None:
            known = set(failures.found)
            failures.add(reader.name, error, data)
            for kind in set(failures.found) - known:
                print(f"FAILED {kind}", flush=True)

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        draw = random.Random(seed)
        if draw.random() < 0.3:
            return bytes(atheris.Mutate(data, most))
        return draw.choice(reader.mutations)(data, draw.choice(seeds), draw)[:most]

    options = [f"-max_total_time={asked.seconds}", f"-max_len={LONGEST}", f"-seed={asked.seed}",
               "-timeout=60", "-rss_limit_mb=0", f"-artifact_prefix={asked.folder}/"]  # fmt: skip
    atheris.Setup([sys.argv[0], *options, str(reached)], read, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
