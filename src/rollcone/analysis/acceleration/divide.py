"""How cells are divided: by what a point of them violates most."""

from __future__ import annotations

import math

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.acceleration.cells import Axis, Cell, Choice, Mode, Rest, Sector
from rollcone.analysis.acceleration.scaled import Scaled

WIDTH = math.radians(0.25)  # half of the narrowest sector
_QUARTERS = tuple(Sector(k * math.pi / 2.0, math.pi / 4.0) for k in range(4))
_WAYS = (Axis(1), Axis(-1))
_LITTLE = 1e-6  # of violations: by which width counts among sectors that violate nothing


def undecided(form: Scaled) -> Cell:
    """The cell of all motions."""
    return Cell((None,) * len(form.normals), (None,) * len(form.of))


def divided(form: Scaled, cell: Cell, x: FloatArray, width: float = WIDTH) -> list[Cell]:
    """The cells that a cell is made of; none if it is decided and its sectors are narrow."""
    contacts, blocks = _violations(form, cell, x, width)
    if contacts.max(initial=-1.0) >= 0.0:
        i = int(np.argmax(contacts))
        return [cell.with_contact(i, mode) for mode in Mode]
    if blocks.max(initial=-1.0) < 0.0:
        return []
    k = int(np.argmax(blocks))
    known = cell.blocks[k]
    choices: list[Choice] = [Rest(), *(_QUARTERS if form.wide[k] else _WAYS)]
    if isinstance(known, Sector):
        half = 0.5 * known.half
        choices = [Sector(known.middle + side * half, half) for side in (-1.0, 1.0)]
    return [cell.with_block(k, choice) for choice in choices]


def _violations(
    form: Scaled, cell: Cell, x: FloatArray, width: float
) -> tuple[FloatArray, FloatArray]:
    """Of contacts and blocks: how far the point is from the law; -1 for those that are decided."""
    y = form.accelerations(x)
    contacts = np.minimum(x[form.normals], y[form.normals]).clip(0.0)
    contacts[[mode is not None for mode in cell.contacts]] = -1.0
    q, g = form.in_blocks(x), form.in_blocks(y)
    speed = np.linalg.norm(g, axis=1, keepdims=True)
    blocks = np.linalg.norm(form.limits(x)[:, None] * g + speed * q, axis=1)
    for k, choice in enumerate(cell.blocks):
        if isinstance(choice, Sector) and choice.half > width:
            blocks[k] = (blocks[k] + _LITTLE) * choice.half
        elif choice is not None or cell.opened(form, k):
            blocks[k] = -1.0
    return contacts, blocks
