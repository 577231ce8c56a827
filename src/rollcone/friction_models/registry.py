"""The friction models by name."""

from __future__ import annotations

from dataclasses import asdict, fields
from importlib import import_module
from typing import Any

from rollcone._check import one_of
from rollcone.errors import InputError
from rollcone.friction_models.model import CONE, FrictionModel

_CLASSES = {  # by the names of models, which are those of their modules, too
    "polygonal": "PolygonalFriction",
    "box": "BoxFriction",
    "regularised": "RegularisedFriction",
}
NAMES = tuple(_CLASSES)


def model_class(name: str) -> type[FrictionModel]:
    """Return the class of the model called `name`, imported when it is needed."""
    found: type[FrictionModel] = getattr(
        import_module(f"rollcone.friction_models.{name}"), _CLASSES[name]
    )
    return found


def friction_model(value: str | FrictionModel) -> FrictionModel | None:
    """By its name with default settings, or as it is; None for the cone."""
    if isinstance(value, FrictionModel):
        return value
    if not isinstance(value, str):
        raise InputError(
            f"friction_model = {value!r}: must be one of {', '.join((CONE, *NAMES))}, "
            "or a model such as rc.PolygonalFriction(facets=16)"
        )
    name = one_of("friction_model", value, (CONE, *NAMES))
    return None if name == CONE else model_class(name)()


def make_model(name: str, options: dict[str, Any]) -> FrictionModel | None:
    """By its name and the fields of its class."""
    one_of("friction_model", name, (CONE, *NAMES))
    known = [] if name == CONE else [field.name for field in fields(model_class(name))]
    for option in options:
        if option not in known:
            there = f"must be one of {', '.join(known)}" if known else "it has none"
            raise InputError(f"option {option!r} of friction model {name!r}: {there}")
    return None if name == CONE else model_class(name)(**options)


def plain_model(model: FrictionModel | None) -> dict[str, Any]:
    """Name and fields, for files."""
    return {"name": CONE} if model is None else {"name": model.name} | asdict(model)
