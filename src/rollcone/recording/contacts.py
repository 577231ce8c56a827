"""The contacts of one recorded moment, as a user sees them, and what is told of all of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray, IntArray
from rollcone.laws.modes import TAKE_OFF, classify
from rollcone.mechanics.world import World

_SHOWN = 20  # contacts that a printed table has


@dataclass(frozen=True, repr=False)
class RecordedContacts:
    """The contacts of one step, in the order of their keys. Rows are n, t1, t2, w_t1, w_t2, w_n."""

    bodies: IntArray  # (c, 2): numbers of A and B
    gap: FloatArray  # (c,), m, where contacts were looked for (start of the step, or middle)
    normal: FloatArray  # (c, 3), from A to B
    point: FloatArray  # (c, 3), m
    impulse: FloatArray  # (c, 6), on B, of the whole step: N s, N m s
    reaction: FloatArray  # (c, 6), the same over the step: mean force and moment, N, N m
    velocity: FloatArray  # (c, 6), of B relative to A after the step: m/s, rad/s
    mode: NDArray[np.str_]  # (c,): 'sliding, no-rolling, no-spinning', 'take-off', ...
    names: tuple[str, ...] = field(default=(), compare=False)  # of the bodies, by number

    def __len__(self) -> int:
        return len(self.gap)

    def __repr__(self) -> str:
        """A table of the first of them; the arrays hold all."""
        count = len(self)
        head = f"{count} contact{'' if count == 1 else 's'}"
        if not count:
            return head
        rows = [("bodies", "gap (m)", "normal (N)", "friction (N)", "mode")]
        for k in range(min(count, _SHOWN)):
            r = self.reaction[k]
            pair = " - ".join(self.names[number] for number in self.bodies[k])
            friction = f"{np.hypot(r[1], r[2]):.4g}"
            rows.append((pair, f"{self.gap[k]:.2g}", f"{r[0]:.4g}", friction, str(self.mode[k])))
        widths = [max(len(row[k]) for row in rows) for k in range(5)]
        lines = [
            "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
            for row in rows
        ]
        more = [f"... and {count - _SHOWN} more"] if count > _SHOWN else []
        return "\n".join([head, *lines, *more])


@np.errstate(over="ignore", invalid="ignore")  # what is no number in a file is none here
def recorded_contacts(
    world: World, fields: dict[str, NDArray[Any]], step: float, residual_speed: float, speed: float
) -> RecordedContacts:
    """From what is kept of them: forces, and modes to what the step's residual tells apart."""
    y, impulse = fields["velocity"], fields["impulse"]
    size = world.state.size[fields["bodies"]].min(axis=(1, 2))
    units = np.ones_like(y)
    units[:, 3:] = size[:, None]
    tolerance = max(2.0 * residual_speed, 1e-9 * speed)
    mode = classify(y * units, impulse, tolerance)
    return RecordedContacts(reaction=impulse / step, mode=mode, names=world.names, **fields)


@np.errstate(over="ignore", invalid="ignore")
def summarise(contacts: RecordedContacts) -> list[float]:
    """SUMMARY (moments.py) of the contacts of one moment; those that take off count for none."""
    force = contacts.reaction[:, 0]
    words = np.char.split(contacts.mode[contacts.mode != TAKE_OFF], ", ")
    modes = [word for row in words.tolist() for word in row]
    counts = [modes.count(word) for word in ("sticking", "sliding", "rolling", "spinning")]
    return [*counts, float(force.sum()), float(force.max(initial=0.0))]
