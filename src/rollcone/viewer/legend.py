"""The legend of colours, as a little HTML."""

from __future__ import annotations

from html import escape

import numpy as np

from rollcone.view.colours import LABELS, STILL, colour_map

_STOPS = 9  # of the gradient


def legend(quantity: str, limits: tuple[float, float], names: dict[str, str]) -> str:
    """A bar with its ends, or a patch for each of the colours that have names."""
    if names:
        if quantity == "mode":
            names = names | {"fixed": STILL}
        return _box("".join(_patch(colour, escape(name)) for name, colour in names.items()))
    from matplotlib.colors import to_hex

    stops = ", ".join(to_hex(c) for c in colour_map(quantity)(np.linspace(0.0, 1.0, _STOPS)))
    style = f"height:10px;border-radius:3px;background:linear-gradient(90deg,{stops})"
    bar = f'<div style="{style}"></div>'
    low, high = limits
    ends = f"<span>{low:.3g}</span><span>{LABELS[quantity]}</span><span>{high:.3g}+</span>"
    row = f'<div style="display:flex;justify-content:space-between">{ends}</div>'
    return _box(bar + row)


def _patch(colour: str, name: str) -> str:
    square = (
        f'<span style="display:inline-block;width:10px;height:10px;border-radius:2px;'
        f'background:{colour};margin-right:4px"></span>'
    )
    style = "display:inline-block;margin-right:10px;overflow-wrap:anywhere"
    return f'<span style="{style}">{square}{name}</span>'


def _box(inside: str) -> str:
    return (
        f'<div style="font-size:12px;line-height:1.6;padding:2px 12px;opacity:0.85">{inside}</div>'
    )
