"""The time-stepping schemes by name."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from rollcone._check import one_of
from rollcone.stepping.dvi import DVI
from rollcone.stepping.gap_ahead import GapAhead
from rollcone.stepping.moreau_jean import MoreauJean
from rollcone.stepping.moreau_midpoint import MoreauMidpoint
from rollcone.stepping.regularised_lcp import RegularisedLCP
from rollcone.stepping.scheme import Scheme

SCHEMES: dict[str, type[Scheme]] = {
    scheme.__name__: scheme
    for scheme in (GapAhead, DVI, MoreauJean, MoreauMidpoint, RegularisedLCP)
}


def make_scheme(name: str, options: dict[str, Any]) -> Scheme:
    """By its name and the fields of its class."""
    kind = SCHEMES[one_of("scheme", name, SCHEMES)]
    for option in options:
        one_of(f"option of {name}", option, [field.name for field in fields(kind)])
    return kind(**options)
