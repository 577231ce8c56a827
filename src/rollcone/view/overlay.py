"""What is written over a rendered picture: the colours' meaning and the time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollcone.view.colours import LABELS, colour_map

Pixels = NDArray[np.uint8]  # (height, width, 3 or 4)
_DPI = 100
_REFERENCE = 960.0  # a picture of this height has letters of 10 points
_BACKING = {"facecolor": "#ffffff", "alpha": 0.75, "edgecolor": "none"}  # to read on dark things
_MOST_NAMES, _LONGEST = 15, 24  # of a legend, and letters of a name
_ROW, _PATCH = 75, 6  # letters in a row, and as many as the room of a patch


class Overlay:
    """Of all pictures of one film; `on` writes it over one of them."""

    def __init__(
        self,
        size: tuple[int, int],
        quantity: str,
        limits: tuple[float, float],
        names: dict[str, str] | None = None,
    ) -> None:
        """`names`: the colours where they have names, instead of a scale from limit to limit."""
        self._size = size
        self._scale = max(min(size) / _REFERENCE, 0.3)
        self._legend = self._drawn(
            lambda figure: (
                _draw_names(figure, names, self._scale)
                if names
                else _draw_scale(figure, quantity, limits, self._scale)
            )
        )

    def on(self, picture: Pixels, time: float) -> Pixels:
        """The picture (height, width, 3) with legend and time."""
        return _blend(_blend(picture, self._legend), self._time(time))

    def _time(self, time: float) -> Pixels:
        def draw(figure: Any) -> None:
            size = 12 * self._scale
            box = _BACKING | {"boxstyle": "round,pad=0.4"}
            words = f"t = {time:.3f} s"
            figure.text(0.02, 0.025, words, fontsize=size, color="#333333", bbox=box)

        return self._drawn(draw)

    def _drawn(self, draw: Any) -> Pixels:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        width, height = self._size
        figure = Figure(figsize=(width / _DPI, height / _DPI), dpi=_DPI)
        figure.patch.set_alpha(0.0)
        draw(figure)
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        return np.asarray(canvas.buffer_rgba()).copy()


def _draw_names(figure: Any, names: dict[str, str], scale: float) -> None:
    from matplotlib.patches import Patch

    shown = list(names.items())[:_MOST_NAMES]
    patches = [Patch(color=colour, label=_plain(name)) for name, colour in shown]
    if len(names) > len(shown):
        patches.append(Patch(color="none", label=f"and {len(names) - len(shown)} more"))
    columns = _ROW // (_PATCH + max(len(patch.get_label()) for patch in patches))
    figure.legend(
        handles=patches, loc="lower right", ncols=min(len(patches), columns), framealpha=0.75,
        facecolor="#ffffff", edgecolor="none", fontsize=11 * scale, labelcolor="#333333",
        columnspacing=1.2, handlelength=1.2, bbox_to_anchor=(0.99, 0.01),
    )  # fmt: skip


def _plain(name: str) -> str:
    """Names are the user's: nothing in them is a formula, and none is left out."""
    short = name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "\u2026"
    return " " * short.startswith("_") + short.replace("$", r"\$")


def _draw_scale(figure: Any, quantity: str, limits: tuple[float, float], scale: float) -> None:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    axes = figure.add_axes((0.66, 0.062, 0.31, 0.014))
    colours = ScalarMappable(Normalize(*limits), colour_map(quantity))
    bar = figure.colorbar(colours, cax=axes, orientation="horizontal")
    bar.outline.set_visible(False)
    axes.tick_params(labelsize=10 * scale, length=3 * scale, color="#555555", labelcolor="#333333")
    axes.set_title(LABELS[quantity], fontsize=11 * scale, color="#333333", pad=4 * scale)
    _back(figure, axes, 6 * scale)


def _back(figure: Any, axes: Any, pad: float) -> None:
    """A light box behind axes, their numbers and their title."""
    from matplotlib.patches import FancyBboxPatch

    around = axes.get_tightbbox().padded(pad).transformed(figure.transFigure.inverted())
    box = FancyBboxPatch(
        around.p0, around.width, around.height, transform=figure.transFigure, zorder=-1,
        boxstyle="round,pad=0,rounding_size=0.006", **_BACKING,
    )  # fmt: skip
    figure.add_artist(box)


def _blend(picture: Pixels, over: Pixels) -> Pixels:
    """Only where there is something to blend: nearly everywhere there is nothing."""
    shown = over[..., 3] > 0
    rows, columns = (np.flatnonzero(shown.any(axis=k)) for k in (1, 0))
    if not len(rows):
        return picture
    box = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    alpha = over[box][..., 3:] / 255.0
    result = picture.copy()
    result[box] = np.round(alpha * over[box][..., :3] + (1.0 - alpha) * picture[box]).astype(
        np.uint8
    )
    return result
