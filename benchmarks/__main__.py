"""Run every table and print it as it comes; see the package's docstring."""

from __future__ import annotations

import argparse
import platform
from pathlib import Path

from benchmarks import against_siconos, collection, gauss_seidel_speed, heaps, start_up, stepping
from benchmarks.table import of_module

TABLES = {
    "speed": [
        of_module(
            gauss_seidel_speed, "Cost of a contact update (Gauss-Seidel, body form, one thread)"
        )
    ],
    "siconos": [of_module(against_siconos, "Next to Siconos (5 rows, exact law, CPU time)")],
    "collection": collection.TABLES,
    "heaps": [
        of_module(heaps, "Iterations and time to a residual (3 rows for stacks, 6 for heaps)"),
    ],
    "steps": [of_module(stepping, "Cost of a time step")],
    "start": [of_module(start_up, "Before anything happens")],
}


def row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"default: {' '.join(TABLES)}")
    parser.add_argument("--write", action="store_true", help="also write benchmarks/README.md")
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.tables) - set(TABLES))
    if unknown:
        parser.error(f"no table {', '.join(unknown)}; there are {', '.join(TABLES)}")
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
        for table in TABLES[name]:
            say(f"## {table.title}\n\n{table.text}\n")
            say(row(table.header))
            say(row(tuple("---" for _ in table.header)))
            for cells in table.rows():
                say(row(cells))
            say("")
    if arguments.write:
        Path(__file__).with_name("README.md").write_text("\n".join(lines))


if __name__ == "__main__":
    main()
