"""The tables of a study file as pydantic models: names, meanings and units of all fields."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from pydantic import Field, model_validator

from rollcone._check import whole_number
from rollcone.errors import InputError
from rollcone.scene import fields as f
from rollcone.scene.table import Table, field, needed
from rollcone.sweep.keys import split_key
from rollcone.sweep.measures import MEASURES, AnyMeasure
from rollcone.sweep.samples import DRAWN, METHODS, SCALES, Parameter, Sampling

_MOST = 1_000_000  # values of a parameter, points, repeats


def _few(least: int) -> Any:
    """Whole numbers that lists can have."""

    def check(name: str, value: Any) -> int:
        if whole_number(name, value, least=least) > _MOST:
            raise InputError(f"{name} = {value!r}: must be at most {_MOST:,}")
        return int(value)

    return f.checked(check, {"type": "integer", "minimum": least, "maximum": _MOST})


def _key(name: str, value: Any) -> str:
    return ".".join(split_key(f.text_of(name, value))) and str(value)


def _keys(name: str, value: Any) -> list[str]:
    if not isinstance(value, list) or not value:
        raise InputError(f"{name} = {value!r}: must be a list of keys of the scene")
    return [_key(name, one) for one in value]


def _values(name: str, value: Any) -> list[Any]:
    if not isinstance(value, list) or not value:
        raise InputError(f"{name} = {value!r}: must be a list of at least one value")
    if len(value) > _MOST:
        raise InputError(f"{name}: has {len(value)} values: must have at most {_MOST:,}")
    seen: set[str] = set()
    for one in value:
        if isinstance(one, float) and not math.isfinite(one):
            raise InputError(f"{name} = {one!r}: must be finite")
        if (text := repr(one)) in seen:
            raise InputError(f"{name}: {text} is there twice")
        seen.add(text)
    return value


Key = f.checked(_key, f.TEXT)
Keys = f.checked(_keys, {"type": "array", "items": f.TEXT, "minItems": 1})


class VariedTable(Table):
    """What is varied: one key of the scene, or several that have the same value."""

    name: f.Text = field("Column of the table of results; the end of the key if not given.")
    key: Key = field("Of the scene, such as contact.rolling or body.ball.radius.")
    keys: Keys = field("Several keys, all set to the same value.")
    from_: f.Number = Field(default=None, alias="from", description="The least value.")
    to: f.Number = field("The largest value.")
    scale: f.choice(SCALES) = field("Of the range: linear, or log (equal ratios).", "linear")

    @model_validator(mode="after")
    def _is_whole(self) -> VariedTable:
        if (self.key is None) == (self.keys is None):
            raise InputError("key: one of key and keys must be given")
        if (self.from_ is None) != (self.to is None):
            raise InputError("to: from and to go together")
        if self.from_ is not None and not self.from_ < self.to:
            raise InputError(f"to = {self.to!r}: must be above from = {self.from_!r}")
        if self.from_ is not None and self.scale == "log" and self.from_ <= 0:
            raise InputError(f"from = {self.from_!r}: must be > 0 on a scale of ratios")
        return self

    def parameter(self, values: tuple[Any, ...] = ()) -> Parameter:
        """As a point of a study has it."""
        keys: tuple[str, ...] = tuple(self.keys or [self.key])
        name = self.name or split_key(keys[0])[-1]
        low, high = (float("nan"),) * 2 if self.from_ is None else (self.from_, self.to)
        return Parameter(str(name), keys, values, low, high, self.scale == "log")


class ParameterTable(VariedTable):
    """What is varied, and the values that it takes."""

    values: f.checked(_values, {"type": "array", "minItems": 1}) = field(
        "Any values that the key may have; or give from and to."
    )
    count: _few(2) = field("How many values from `from` to `to`, for a grid or a list.")

    @model_validator(mode="after")
    def _has_values(self) -> ParameterTable:
        if (self.values is None) == (self.from_ is None):
            raise InputError("values: either values, or from and to must be given")
        if self.values is not None and self.count is not None:
            raise InputError(f"count = {self.count}: goes with from and to, not with values")
        return self

    def parameter_for(self, method: str) -> Parameter:
        drawn = method in DRAWN
        if drawn and self.from_ is None:
            raise InputError(
                f"values: sampling.method = {method!r} draws from a range: from and to"
            )
        if not drawn and self.from_ is not None and self.count is None:
            raise InputError(f"count: is missing: how many values a {method} takes of the range")
        if drawn and self.count is not None:
            raise InputError(f"count = {self.count}: belongs to [sampling] with {method!r}")
        values = self.values
        if not drawn and values is None:
            values = self.parameter().spaced(self.count)
        return self.parameter(tuple(values or ()))


class SamplingTable(Table):
    """Which points are taken."""

    method: f.choice(METHODS) = field(
        "grid: every value with every other; list: the first values of all, then the second; "
        "random and latin-hypercube: drawn from the ranges.",
        "grid",
    )
    count: _few(1) = field("How many points are drawn.")
    seed: f.whole(0) = field("Of the drawing.", 0)

    @model_validator(mode="after")
    def _is_counted(self) -> SamplingTable:
        if (self.method in DRAWN) != (self.count is not None):
            if self.method in DRAWN:
                raise InputError(f"count: is missing: how many points {self.method} draws")
            raise InputError(f"count = {self.count}: is for random and latin-hypercube")
        return self

    def sampling(self) -> Sampling:
        return Sampling(self.method, self.count or 0, self.seed)


class StudyTable(Table):
    """What every study has: a scene, changes to it, repeats."""

    title: f.Text = field("A line about the study.")
    scene: f.Text = needed("The scene file, found from the folder of the study file.")
    repeats: _few(1) = field("Runs of each point, with other seeds.", 1)
    keep: f.Flag = field("Keep the run files, to look at.", True)
    set: dict[str, Any] = field('Keys of the scene with other values: "simulation.until" = 1.', {})


class SweepTable(StudyTable):
    """A study: a scene, what is varied, and what is measured."""

    unions: ClassVar[Any] = {"measure": ("kind", MEASURES)}

    sampling: SamplingTable = Field(default_factory=SamplingTable, description="Which points.")
    parameter: list[ParameterTable] = field("What is varied.", [])
    measure: list[AnyMeasure] = field("What is measured of each run.", [])
