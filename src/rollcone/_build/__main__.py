"""Builds the kernel library: `python -m rollcone._build`.

    --output DIR    where to put it; by default where the package looks for it
    --all-levels    for all kinds of processors of this architecture, as wheels have it; by default
                    for the best one that this processor can run
    --if-needed     do nothing if the library that is there fits
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path


def main() -> int:
    """Build what the command line asks for; return the exit code."""
    from rollcone._build import mode

    mode.compiling = True
    from rollcone._build.build import BuildError, build

    parser = argparse.ArgumentParser(prog="python -m rollcone._build", description=__doc__)
    parser.add_argument("--output", type=Path)
    parser.add_argument("--all-levels", action="store_true")
    parser.add_argument("--if-needed", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    try:
        build(given.output, given.all_levels, given.if_needed, given.jobs)
    except BuildError as error:
        print(f"rollcone: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
