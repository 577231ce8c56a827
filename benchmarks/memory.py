"""What arrays cost in a simulation of spheres at rest, besides its record.

Bytes per sphere and per contact, with the room that arrays have to spare; 20,000 spheres in
columns, three contacts each, all friction at work. The goal is 300 bytes per sphere and 500 per
contact.
"""

from __future__ import annotations

from collections.abc import Iterator

import rollcone as rc
from rollcone.analysis.memory import BODY, CONTACT, array_sizes

HEADER = ("group", "array", "bytes per sphere", "bytes per contact")
RADIUS, STEP = 0.01, 1e-3


def bed(counts: tuple[int, int, int]) -> rc.Simulation:
    """After three steps."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane()
    world.add_grid(
        shape="sphere", radius=RADIUS, density=2500, counts=counts, spacing=2 * RADIUS,
        origin=(0, 0, RADIUS),
    )  # fmt: skip
    world.set_contact_law(rc.ContactLaw(sliding=0.6, rolling=0.002, spinning=0.002))
    simulation = rc.Simulation(world, step=STEP, tolerance=1e-2, contacts="none")
    simulation.advance(3 * STEP)
    return simulation


def table() -> Iterator[tuple[str, ...]]:
    simulation = bed((40, 50, 10))
    last = simulation.last
    assert last is not None
    counts = {BODY: len(simulation.world.state), CONTACT: last.contacts}
    sizes = [size for size in array_sizes(simulation) if size.each in counts]
    for size in sizes:
        share = f"{size.bytes / counts[size.each]:.0f}"
        yield size.group, size.name, *((share, "") if size.each == BODY else ("", share))
    for group in dict.fromkeys(size.group for size in sizes):
        yield f"**{group}**", "", *totals([s for s in sizes if s.group == group], counts)
    yield "**all**", "", *totals(sizes, counts)


def totals(sizes: list, counts: dict[str, int]) -> Iterator[str]:
    for each in (BODY, CONTACT):
        total = sum(size.bytes for size in sizes if size.each == each)
        yield f"**{total / counts[each]:.0f}**"
