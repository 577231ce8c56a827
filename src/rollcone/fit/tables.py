"""The tables of a fit file as pydantic models: those of a study, with targets for measures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, ClassVar, Union

import numpy as np
from pydantic import Discriminator, Field, ValidationInfo, create_model, model_validator

from rollcone._check import FloatArray, bounded_array, positive_number
from rollcone.errors import InputError
from rollcone.fit.calibrate import BUDGET, METHODS, Options
from rollcone.fit.curve_file import MOST, read_curve
from rollcone.fit.problem import Coefficient, Target
from rollcone.scene import fields as f
from rollcone.scene.table import Table, field, needed
from rollcone.sweep.measures import MEASURES, Measure, Numbers, Series, measure
from rollcone.sweep.tables import StudyTable, VariedTable


class CoefficientTable(VariedTable):
    """What is looked for, and where."""

    start: f.Number = field("Where to begin; if none is given, the whole ranges are looked at.")

    @model_validator(mode="after")
    def _has_a_range(self) -> CoefficientTable:
        if self.from_ is None:
            raise InputError("from: is missing: from and to are the range that is looked at")
        self.coefficient()
        return self

    def coefficient(self) -> Coefficient:
        plain = self.parameter()
        ends = (plain.low, plain.high)  # where the scene is checked
        return Coefficient(plain.name, plain.keys, ends, *ends, plain.log, self.start)


def _deviation(name: str, value: Any) -> Any:
    if not isinstance(value, list):
        return positive_number(name, value)
    given = bounded_array(name, f.floats(name, value))
    if given.ndim != 1 or not len(given) or (given <= 0).any():
        raise InputError(f"{name} = {value!r}: must be a number > 0, or a list of them")
    return given.tolist()


_DEVIATION: dict[str, Any] = {
    "anyOf": [f.ABOVE_ZERO, {"type": "array", "items": f.ABOVE_ZERO, "minItems": 1}]
}


class TargetTable(Table):
    """What was measured; the other keys say what it is, as those of a measure do."""

    value_: f.Number = Field(  # measures have a function `value`
        default=None, alias="value", description="The measured number."
    )
    values: Numbers = field("Those of a curve, at `times`.")
    file: f.Text = field("A curve from a text file with columns time, value, uncertainty.")
    uncertainty: f.checked(_deviation, _DEVIATION) = field(
        "Standard deviation of what was measured: one number, or one for each of a curve."
    )
    weight: f.Positive = field("Of its squared residuals, besides the uncertainty.", 1.0)

    @model_validator(mode="after")
    def _is_measured(self, info: ValidationInfo) -> TargetTable:
        fields = {"value": self.value_, "values": self.values, "file": self.file}
        given = [name for name, content in fields.items() if content is not None]
        if len(given) != 1:
            words = "is missing" if not given else f"{' and '.join(given)} are given"
            raise InputError(f"value: {words}: one of value, values and file is what was measured")
        times = getattr(self, "times", None)
        if given != ["value"] and not isinstance(self, Series):
            raise InputError(f"{given[0]}: a {self.kind} is one number: give its value")  # type: ignore[attr-defined]
        if self.file is not None and {"take", "time", "times"} & self.model_fields_set:
            raise InputError("file: it has the times; leave out take, time and times")
        if (self.values is None) != (times is None):
            raise InputError("times: values and times go together, as many of one as of the other")
        if self.values is not None and len(self.values) > MOST:
            raise InputError(f"values: are more than {MOST:,}; take fewer")
        folder = (info.context or {}).get("folder", Path())
        self.target(folder)
        return self

    def target(self, folder: Path) -> Target:
        """A curve's file is found from `folder`."""
        curve: dict[str, FloatArray] = {} if self.file is None else read_curve(folder / self.file)
        if "uncertainty" in curve and self.uncertainty is not None:
            raise InputError("uncertainty: the file has it already; leave one out")
        measured = curve.get("value", self.values if self.values is not None else self.value_)
        times = curve.get("time", getattr(self, "times", None))
        uncertainty = curve.get("uncertainty", self.uncertainty)
        return Target(
            self.column,  # type: ignore[attr-defined]
            np.asarray(measured, dtype=float),
            None if uncertainty is None else np.asarray(uncertainty, dtype=float),
            None if times is None else np.asarray(times, dtype=float),
            self.weight,
            self.unit,  # type: ignore[attr-defined]
        )

    def measure(self, target: Target) -> Measure:
        """What a run is asked for."""
        own = set(TargetTable.model_fields)
        asked = {name: entry for name, entry in self.given().items() if name not in own}
        if target.time is not None:
            asked["times"] = target.time.tolist()
        return measure(asked | {"name": target.name})


TARGETS: dict[str, type[Table]] = {
    kind: create_model(f"{known.__name__}Target", __base__=(TargetTable, known))  # type: ignore[call-overload]
    for kind, known in MEASURES.items()
}
AnyTarget = Annotated[Union[tuple(TARGETS.values())], Discriminator("kind")]  # noqa: UP007


class FitOptionsTable(Table):
    """How to look."""

    method: f.choice(METHODS) = field(
        "least-squares (SciPy's, with differences), derivative-free (for runs that scatter), or "
        "auto: the one that suits.",
        "auto",
    )
    tolerance: f.Positive = field("Of coefficients, as part of their ranges.")
    budget: f.whole(1) = field("The most runs, repeats counted.", BUDGET)
    step: f.Positive = field("Of differences, as part of a range (least-squares).")

    @model_validator(mode="after")
    def _are_parts(self) -> FitOptionsTable:
        self.options()
        return self

    def options(self) -> Options:
        return Options(**self.given())


class FitTable(StudyTable):
    """A fit: a scene, what is looked for, and what was measured."""

    unions: ClassVar[Any] = {"target": ("kind", TARGETS)}

    fit: FitOptionsTable = Field(default_factory=FitOptionsTable, description="How to look.")
    parameter: list[CoefficientTable] = needed("What is looked for: [[parameter]].")
    target: list[AnyTarget] = needed("What was measured: [[target]].")
