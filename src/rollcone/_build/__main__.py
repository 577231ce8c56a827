"""Builds the kernel library: `python -m rollcone._build`."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from importlib.util import find_spec
from pathlib import Path

_OPTIONS = {
    "--all-levels": "for all kinds of processors of this architecture, as wheels have it; by "
    "default for the best one that this processor can run",
    "--quick": "optimise kernels one by one: less time after an edit, some speed lost",
    "--check-bounds": "report an index out of range as an error of the kernel: slow, for "
    "debugging; needs --output, and is used where ROLLCONE_LIBRARY names that folder",
    "--anew": "compile every kernel again, also those whose code a checkout has kept",
    "--if-needed": "do nothing if the library that is there fits",
}


def main() -> int:
    """Build what the command line asks for; return the exit code."""
    from rollcone._build import mode

    parser = argparse.ArgumentParser(prog="python -m rollcone._build", description=__doc__)
    parser.add_argument(
        "--output", type=Path, metavar="DIR", help="by default where the package looks for it"
    )
    for name, text in _OPTIONS.items():
        parser.add_argument(name, action="store_true", help=text)
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, metavar="N",
        help="processes that work at once; by default one for each core",
    )  # fmt: skip
    given = parser.parse_args()
    if given.check_bounds and not given.output:
        parser.error("--check-bounds needs --output: the library that people use has no checks")
    if not find_spec("numba"):
        print("rollcone: numba is missing: pip install 'rollcone[custom]'", file=sys.stderr)
        return 1
    mode.compiling, mode.bounds_checks = True, given.check_bounds
    from rollcone._build.build import build
    from rollcone.errors import LibraryError

    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        build(
            given.output, all_levels=given.all_levels, quick=given.quick,
            anew=given.anew, if_needed=given.if_needed, jobs=given.jobs,
        )  # fmt: skip
    except LibraryError as error:
        print(f"rollcone: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("rollcone: the build was interrupted; what is compiled is kept", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
