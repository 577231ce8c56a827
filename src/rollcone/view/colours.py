"""What colours tell of bodies: a number for each, its range in a run, its colour.

    speed      |v| (m/s)
    rotation   |omega| (rad/s)
    force      sum of the normal reactions on the body (N), mean over the step
    mode       what its contacts do (MODES): the strongest of sliding, rolling, spinning, sticking
               among those that push. In a world without rolling or spinning friction bodies only
               slide or stick, since the others are not part of the law.
    material   by name; its number in the world's table

Maps are Matplotlib's, and can be told apart by the colour-blind. Fixed bodies are grey, but have a
material as others do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray, IntArray, one_of
from rollcone.collision.shapes import endless
from rollcone.errors import InputError
from rollcone.laws.modes import TAKE_OFF
from rollcone.mechanics.bodies import FIXED
from rollcone.recording.run import Run
from rollcone.view.cut import normal_sums
from rollcone.view.moments import spread_moments

QUANTITIES = ("speed", "rotation", "force", "mode", "material")
OF_CONTACTS = ("force", "mode")  # those that need contacts recorded in full
LABELS = {
    "speed": "speed (m/s)",
    "rotation": "angular speed (rad/s)",
    "force": "sum of normal forces (N)",
    "mode": "contacts",
    "material": "material",
}
MODES = ("free", "stick", "spin", "roll", "slide")  # from weak to strong
MODE_COLOURS = ("#56b4e9", "#0072b2", "#cc79a7", "#f0b323", "#d55e00")  # Okabe and Ito's, nearly
_MATERIALS = ("#e69f00", "#56b4e9", "#009e73", "#cc79a7", "#0072b2", "#f0e442", "#d55e00")
STILL = "#c9c5bc"  # of fixed bodies
_MAPS = {"speed": ("viridis", 0.08), "rotation": ("plasma", 0.1), "force": ("YlOrRd", 0.0)}
_SAMPLED = 32  # moments, for the range of a quantity
_MOST = 99.0  # percentile: single peaks are not to darken all others


def body_values(run: Run, moment: int, quantity: str) -> FloatArray:
    """The quantity of every body (n,); of 'mode' the number in MODES, of 'material' that in the
    world's table. NaN: not there."""
    one_of("quantity", quantity, QUANTITIES)
    k = run.index(moment)
    if quantity in ("speed", "rotation"):
        name = "velocity" if quantity == "speed" else "angular_velocity"
        return np.asarray(np.linalg.norm(run.states(name)[k], axis=1))
    if quantity == "material":
        values = run.world.state.material.astype(float)
    else:
        _check_contacts(run, quantity)
        contacts, count = run.contacts(k), len(run.world.state)
        if quantity == "force":
            values = normal_sums(contacts.bodies, contacts.reaction[:, 0], count)
        else:
            values = strongest_modes(contacts.bodies, contacts.mode, count).astype(float)
    values[np.isnan(run.states("position")[k][:, 0])] = np.nan
    return values


def strongest_modes(pairs: IntArray, modes: NDArray[np.str_], bodies: int) -> IntArray:
    """Per body the strongest mode (number in MODES) of contacts (c, 2) with these names (c,)."""
    words, which = np.unique(modes, return_inverse=True)
    ranks = np.array([_rank(word) for word in words], dtype=np.int64)[which]
    strongest = np.zeros(bodies, dtype=np.int64)
    for side in (0, 1):
        np.maximum.at(strongest, pairs[:, side], ranks)
    return strongest


def _rank(mode: str) -> int:
    words = mode.split(", ")
    if TAKE_OFF in words:
        return MODES.index("free")
    for name, word in (("slide", "sliding"), ("roll", "rolling"), ("spin", "spinning")):
        if word in words:
            return MODES.index(name)
    return MODES.index("stick")


def value_range(
    run: Run, quantity: str, moments: Sequence[int] | None = None
) -> tuple[float, float]:
    """From 0 to what nearly all bodies stay below, at these moments or in the whole run; never
    empty. Of modes and materials: all numbers."""
    one_of("quantity", quantity, QUANTITIES)
    _check_contacts(run, quantity)
    if quantity in ("mode", "material"):
        count = len(MODES if quantity == "mode" else run.world.laws.materials)
        return 0.0, float(max(count - 1, 1))
    chosen = spread_moments(run, _SAMPLED) if moments is None else moments
    moving = run.world.state.kind != FIXED
    values = [body_values(run, int(k), quantity)[moving] for k in chosen]
    seen = [found[np.isfinite(found) & (found > 0)] for found in values]
    if not any(len(found) for found in seen):
        return 0.0, 1.0
    if quantity == "force":  # impacts, ten times as large, do not decide
        most = np.median([np.percentile(found, _MOST) for found in seen if len(found)])
    else:
        most = np.percentile(np.concatenate(seen), _MOST)
    return 0.0, float(most)


def body_colours(
    run: Run, moment: int, quantity: str, limits: tuple[float, float] | None = None
) -> NDArray[np.uint8]:
    """Red, green and blue of every body (n, 3). `limits`: ends of the map, `value_range` if not
    given. Bodies that are not there have the colour of fixed ones."""
    from matplotlib.colors import to_rgb

    low, high = value_range(run, quantity) if limits is None else limits
    if not low < high:
        raise InputError(f"limits = {limits!r}: the first must be below the second")
    values = body_values(run, moment, quantity)
    if quantity == "material":
        grey = np.isnan(values)
        palette = np.array([to_rgb(c) for c in material_colours(len(run.world.laws.materials))])
        colours = palette[np.where(grey, 0, values).astype(int)]
    else:
        grey = np.isnan(values) | (run.world.state.kind == FIXED)
        share = np.clip((np.where(grey, low, values) - low) / (high - low), 0.0, 1.0)
        colours = np.array(colour_map(quantity)(share))[:, :3]
    colours[grey] = to_rgb(STILL)
    return np.asarray(np.round(255 * colours), dtype=np.uint8)


def named_colours(run: Run, quantity: str) -> dict[str, str]:
    """What colours mean where they are names: modes, or the materials of bodies that are not
    planes or bowls; else nothing."""
    if quantity == "mode":
        return dict(zip(MODES, MODE_COLOURS, strict=True))
    if quantity != "material":
        return {}
    state, names = run.world.state, run.world.laws.materials
    colours = material_colours(len(names))
    return {names[k]: colours[k] for k in np.unique(state.material[~endless(state.shape)])}


def material_colours(count: int) -> list[str]:
    """As many that differ, by number: Okabe and Ito's, or hues at equal distances."""
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    if count <= len(_MATERIALS):
        return list(_MATERIALS[:count])
    return [to_hex(colour) for colour in colormaps["turbo"](np.linspace(0.05, 0.95, count))]


def colour_map(quantity: str) -> Any:
    """Matplotlib's map of the quantity, not material, over 0 to 1; without what is nearly black."""
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap

    if one_of("quantity", quantity, QUANTITIES) == "mode":
        return ListedColormap(MODE_COLOURS)
    name, darkest = _MAPS[quantity]
    return ListedColormap(colormaps[name](np.linspace(darkest, 1.0, 256)))


def _check_contacts(run: Run, quantity: str) -> None:
    level = run.contact_level
    if quantity in OF_CONTACTS and level != "full":
        raise InputError(
            f"quantity = {quantity!r}: needs the reactions of all contacts, and this run was "
            f"recorded with contacts = {level!r}; take speed, rotation or material, or record with "
            "'full'"
        )
