"""Write fingerprints.json anew and print what has changed: python tests/fingerprints/record.py

Names of scenes may follow; the fingerprints of the others then stay as they are.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from fingerprints.fingerprint import differences, environment, fingerprint, read, write
from fingerprints.scenes import SCENES

_SHOWN = 8  # names of parts that are printed for a scene


def main(names: list[str]) -> None:
    unknown = sorted(set(names) - set(SCENES))
    if unknown:
        sys.exit(f"no scene {', '.join(unknown)}; there are {', '.join(SCENES)}")
    recorded = read()
    old, before, now = recorded["scenes"], recorded["environment"], environment()
    for key in dict.fromkeys([*before, *now]):
        if before and before.get(key) != now.get(key):
            print(f"{key}: {before.get(key)} became {now.get(key)}")
    found = {}
    for name in SCENES:
        if names and name not in names:
            found |= {name: old[name]} if name in old else {}
            continue
        begin = time.perf_counter()
        found[name] = fingerprint(SCENES[name]())
        seconds = time.perf_counter() - begin
        print(f"{seconds:6.2f} s  {name}: {change(old.get(name), found[name])}", flush=True)
    for name in sorted(set(old) - set(SCENES)):
        print(f"{name}: removed")
    write(found)


def change(old: dict | None, new: dict) -> str:
    """Tell in words how a fingerprint differs from the recorded one."""
    if old is None:
        return "new"
    if old["hash"] == new["hash"]:
        return "same bits"
    names = differences(old, new)
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"CHANGED: {', '.join(names[:_SHOWN])}{more} of {len(new['parts'])} parts"


if __name__ == "__main__":
    main(sys.argv[1:])
