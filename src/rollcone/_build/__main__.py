"""Builds the kernel library: `python -m rollcone._build`.

--output DIR    where to put it; by default where the package looks for it
--all-levels    for all kinds of processors of this architecture, as wheels have it; by default
                for the best one that this processor can run
--quick         optimise kernels one by one: less time after an edit, some speed lost
--if-needed     do nothing if the library that is there fits
--jobs N        processes that work at once; by default one for each core
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
    from rollcone._build.build import build
    from rollcone.errors import LibraryError

    parser = argparse.ArgumentParser(
        prog="python -m rollcone._build",
        usage=__doc__,
        add_help=True,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("--output", type=Path)
    parser.add_argument("--all-levels", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--if-needed", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    try:
        build(
            given.output, all_levels=given.all_levels, quick=given.quick,
            if_needed=given.if_needed, jobs=given.jobs,
        )  # fmt: skip
    except LibraryError as error:
        print(f"rollcone: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
