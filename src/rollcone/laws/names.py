"""Friction sets by name: what reports and refusals call the numbers in `FrictionCone.kinds`."""

from __future__ import annotations

import numpy as np

from rollcone._check import IntArray
from rollcone.laws.kernels.box import BOX
from rollcone.laws.kernels.disc import DISC
from rollcone.laws.kernels.ellipse import ELLIPSE
from rollcone.laws.kernels.ellipsoid import ELLIPSOID
from rollcone.laws.kernels.interval import INTERVAL
from rollcone.laws.kernels.patch import HERTZ, QUADRATIC, UNIFORM

PATCHES = (HERTZ, UNIFORM, QUADRATIC)
COUPLED = (*PATCHES, ELLIPSOID)
_NAMES = {
    DISC: "disc",
    ELLIPSE: "ellipse",
    BOX: "box",
    INTERVAL: "interval",
    HERTZ: "Contensou (hertz)",
    UNIFORM: "Contensou (uniform)",
    QUADRATIC: "Contensou (quadratic)",
    ELLIPSOID: "ellipsoid",
}


def set_name(kind: int) -> str:
    """Such as 'disc' or 'polygon of 6 facets'."""
    return _NAMES.get(kind, f"polygon of {kind} facets")


def coupled_names(kinds: IntArray) -> str:
    """The sets among the sliding ones that couple rows, such as 'Contensou (hertz)'; '' if none."""
    return ", ".join(_NAMES[kind] for kind in COUPLED if np.any(kinds[..., 0] == kind))
