"""The process in which scenes run, so that a crash or a hang is a finding and not the end.

A line of JSON in, a scene; a line out, the verdict. Where a scene takes longer than the limit, or
the process crashes, faulthandler writes where it was to stderr, and the process ends.
"""

from __future__ import annotations

import faulthandler
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from soak_checks import examine


def main() -> None:
    limit = float(sys.argv[1])
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", buffering=1)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever is printed
    faulthandler.enable()
    for line in sys.stdin:
        faulthandler.dump_traceback_later(limit, exit=True)
        verdict = examine(json.loads(line))
        faulthandler.cancel_dump_traceback_later()
        answers.write(json.dumps(verdict.plain()) + "\n")


if __name__ == "__main__":
    main()
