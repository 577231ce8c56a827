"""Run every table and print it as it comes; see the package's docstring."""

from __future__ import annotations

import argparse
import platform
import re
import sys
from pathlib import Path

from benchmarks import (
    acceleration,
    against_siconos,
    collection,
    compare,
    contact_modes,
    convex,
    cost,
    disk,
    energy,
    fit,
    friction_models,
    friction_sets,
    gauss_seidel_speed,
    granular,
    heaps,
    laws,
    lcp,
    library,
    mechanisms,
    memory,
    one_body,
    one_contact,
    run_files,
    second_order,
    start_up,
    static_heap,
    stepping,
)
from benchmarks.peers import tables as peers
from benchmarks.peers_mechanisms import tables as peers_mechanisms
from benchmarks.table import Table, of_module

TABLES = {
    "speed": [
        of_module(
            gauss_seidel_speed, "Cost of a contact update (Gauss-Seidel, body form, one thread)"
        )
    ],
    "sets": [of_module(friction_sets, "Cost of a projection, by friction set")],
    "siconos": [of_module(against_siconos, "Next to Siconos (5 rows, exact law, CPU time)")],
    "collection": collection.TABLES,
    "heaps": [
        of_module(heaps, "Iterations and time to a residual (3 rows for stacks, 6 for heaps)"),
    ],
    "laws": laws.TABLES,
    "lcp": lcp.TABLES,
    "friction-models": friction_models.TABLES,
    "acceleration": acceleration.TABLES,
    "contact-modes": contact_modes.TABLES,
    "energy": energy.TABLES,
    "rest": second_order.TABLES,
    "steps": [of_module(stepping, "Cost of a time step")],
    "one-contact": [of_module(one_contact, "One body, one contact: a step next to Siconos")],
    "one-body": [of_module(one_body, "One body with a known answer, next to others")],
    "disk": [of_module(disk, "The rolling disk: four simulations of 80 s")],
    "convex": convex.TABLES,
    "mechanisms": [of_module(mechanisms, "Mechanisms")],
    "cost": cost.TABLES,
    "granular": granular.TABLES,
    "static": [of_module(static_heap, "A heap at rest")],
    "memory": [of_module(memory, "Memory of a simulation, by array")],
    "peers": peers.TABLES,
    "gravel": peers.GRAVEL,
    "peers-mechanisms": peers_mechanisms.TABLES,
    "fit": [of_module(fit, "Fits: runs by method")],
    "files": [of_module(run_files, "Run files")],
    "library": [of_module(library, "Build of the kernel library")],
    "start": [of_module(start_up, "From the start of a process to its first step")],
}


HEAD = (
    "# Benchmarks\n\n`make bench` prints these tables. The machine was shared and noisy: trust "
    "ratios, which are taken within one run, not times.\n"
    f"Python {platform.python_version()}, {platform.machine()}.\n"
)


def row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    if sys.argv[1:2] == ["compare"]:
        compare.main(sys.argv[2:])
        return
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        epilog="python -m benchmarks compare COMMIT times this checkout next to another commit.",
    )
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"default: {' '.join(TABLES)}")
    parser.add_argument(
        "--write", action="store_true", help="also put them into benchmarks/README.md"
    )
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.tables) - set(TABLES))
    if unknown:
        parser.error(f"no table {', '.join(unknown)}; there are {', '.join(TABLES)}")
    print(HEAD, flush=True)
    sections = {}
    for name in arguments.tables or TABLES:
        for table in TABLES[name]:
            sections[table.title] = section(table)
    if arguments.write:
        write(Path(__file__).with_name("README.md"), sections)


def section(table: Table) -> str:
    """A table as text, also printed row by row as it comes."""
    lines = [f"## {table.title}\n\n{table.text}\n", row(table.header)]
    lines.append(row(tuple("---" for _ in table.header)))
    print("\n".join(lines), flush=True)
    for cells in table.rows():
        lines.append(row(cells))
        print(lines[-1], flush=True)
    print()
    return "\n".join([*lines, ""])


def write(path: Path, sections: dict[str, str]) -> None:
    """Put new sections in the place of those of the same title; the others stay."""
    old = re.split(r"^(?=## )", path.read_text(), flags=re.MULTILINE)[1:] if path.exists() else []
    kept = {text.splitlines()[0].removeprefix("## "): text.rstrip("\n") + "\n" for text in old}
    titles = [table.title for tables in TABLES.values() for table in tables]
    texts = {title: (kept | sections).get(title, "") for title in titles}
    path.write_text("\n".join([HEAD, *filter(None, texts.values())]))


if __name__ == "__main__":
    main()
