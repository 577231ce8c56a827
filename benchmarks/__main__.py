"""Run every table and print it as it comes; see the package's docstring."""

from __future__ import annotations

import argparse
import platform
from pathlib import Path

from benchmarks import against_siconos, gauss_seidel_speed, heaps, start_up

TABLES = {
    "speed": (gauss_seidel_speed, "Cost of a contact update (Gauss-Seidel, body form, one thread)"),
    "siconos": (against_siconos, "Next to Siconos (5 rows, exact law, CPU time)"),
    "heaps": (
        heaps,
        "Sweeps and time to a residual (Gauss-Seidel, 3 rows for stacks, 6 for heaps)",
    ),
    "start": (start_up, "Before anything happens"),
}


def row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"default: {' '.join(TABLES)}")
    parser.add_argument("--write", action="store_true", help="also write benchmarks/README.md")
    arguments = parser.parse_args()
    lines: list[str] = []

    def say(text: str) -> None:
        print(text, flush=True)
        lines.append(text)

    say(
        "# Benchmarks\n\n`make bench` prints these tables. The machine was shared and noisy: trust "
        "ratios, which are taken within one run, not times.\n"
        f"Python {platform.python_version()}, {platform.machine()}.\n"
    )
    for name in arguments.tables or TABLES:
        module, title = TABLES[name]
        say(f"## {title}\n\n{(module.__doc__ or '').strip()}\n")
        say(row(module.HEADER))
        say(row(tuple("---" for _ in module.HEADER)))
        for cells in module.table():
            say(row(cells))
        say("")
    if arguments.write:
        Path(__file__).with_name("README.md").write_text("\n".join(lines))


if __name__ == "__main__":
    main()
