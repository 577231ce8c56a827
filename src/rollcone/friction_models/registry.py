"""The friction models by name."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

from rollcone._check import one_of
from rollcone.errors import InputError
from rollcone.friction_models.box import BoxFriction
from rollcone.friction_models.model import CONE, FrictionModel
from rollcone.friction_models.polygonal import PolygonalFriction
from rollcone.friction_models.regularised import RegularisedFriction

MODELS: dict[str, type[FrictionModel]] = {
    model.name: model for model in (PolygonalFriction, BoxFriction, RegularisedFriction)
}


def friction_model(value: str | FrictionModel) -> FrictionModel | None:
    """By its name with default settings, or as it is; None for the cone."""
    if isinstance(value, FrictionModel):
        return value
    if not isinstance(value, str):
        raise InputError(
            f"friction_model = {value!r}: must be one of {', '.join((CONE, *MODELS))}, "
            "or a model such as rc.PolygonalFriction(facets=16)"
        )
    name = one_of("friction_model", value, (CONE, *MODELS))
    return None if name == CONE else MODELS[name]()


def make_model(name: str, options: dict[str, Any]) -> FrictionModel | None:
    """By its name and the fields of its class."""
    one_of("friction_model", name, (CONE, *MODELS))
    known = [] if name == CONE else [field.name for field in fields(MODELS[name])]
    for option in options:
        if option not in known:
            there = f"must be one of {', '.join(known)}" if known else "it has none"
            raise InputError(f"option {option!r} of friction model {name!r}: {there}")
    return None if name == CONE else MODELS[name](**options)


def plain_model(model: FrictionModel | None) -> dict[str, Any]:
    """Name and fields, for files."""
    return {"name": CONE} if model is None else {"name": model.name} | asdict(model)
