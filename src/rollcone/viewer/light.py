"""Colours as amounts of light, which copies of a mesh take; those of maps are sRGB, for the eye."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

PICKED = (255, 20, 140)  # what was clicked
_SRGB = np.arange(256) / 255.0
_LIGHT = np.round(
    255.0 * np.where(_SRGB <= 0.04045, _SRGB / 12.92, ((_SRGB + 0.055) / 1.055) ** 2.4)
).astype(np.uint8)


def linear(colours: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Of sRGB colours (..., 3)."""
    return np.asarray(_LIGHT[colours])
