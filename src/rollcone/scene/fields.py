"""Types of the fields of a scene: each is checked by the function that checks it in the Python
API, so that both say the same, and tells an editor what it is by a JSON Schema."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields as fields_of
from typing import Annotated, Any

from pydantic import PlainValidator, ValidationInfo, WithJsonSchema

from rollcone._check import (
    did_you_mean,
    one_number,
    one_of,
    positive_number,
    whole_number,
)
from rollcone.errors import InputError
from rollcone.friction_models.model import CONE, FrictionModel
from rollcone.friction_models.registry import NAMES, make_model, model_class
from rollcone.laws.cone import COUPLINGS
from rollcone.laws.contensou import PRESSURES
from rollcone.lcp.registry import SOLVERS as LINEAR_SOLVERS
from rollcone.mechanics.body import direction, edges, vector
from rollcone.mechanics.clump import ball_rows
from rollcone.mechanics.containers import CONTAINERS
from rollcone.mechanics.distributions import KEYS as DISTRIBUTIONS
from rollcone.mechanics.elements import force_limit, range_end
from rollcone.mechanics.generators import grid_counts, grid_spacing
from rollcone.mechanics.hertz import HertzMindlin, OneOrTwo, one_or_two
from rollcone.mechanics.inertia import principal_axes
from rollcone.mechanics.materials import ContactLaw
from rollcone.mechanics.new_joint import two_angles
from rollcone.mechanics.periodic import periodic_ends
from rollcone.mechanics.recipe import SIZES
from rollcone.mechanics.rotations import rotation, unit_quaternion
from rollcone.mechanics.signals import Signal, signal_of
from rollcone.mechanics.stribeck import Stribeck
from rollcone.solvers.registry import SOLVERS, solver_info
from rollcone.stepping.registry import SCHEMES
from rollcone.stepping.scheme import Scheme

Schema = dict[str, Any]
NUMBER: Schema = {"type": "number"}
ABOVE_ZERO: Schema = {"type": "number", "exclusiveMinimum": 0}
_NOT_NEGATIVE: Schema = {"type": "number", "minimum": 0}
_POISSON: Schema = {"type": "number", "exclusiveMinimum": -1, "maximum": 0.5}
_NUMBERS: Schema = {"type": "array", "items": ABOVE_ZERO, "minItems": 1}
TEXT: Schema = {"type": "string", "minLength": 1}
AUTO = "auto"
_SOLVER_NAMES = list(dict.fromkeys([AUTO, *SOLVERS, *LINEAR_SOLVERS]))


def suggestion(word: str, known: Iterable[str]) -> str:
    """What an unknown key may have meant, or else the keys there are."""
    words = sorted(known)
    return "unknown key" + (did_you_mean(word, words) or f"; there are {', '.join(words)}")


def checked(check: Callable[[str, Any], Any], schema: Schema) -> Any:
    def validate(value: Any, info: ValidationInfo) -> Any:
        return check(str(info.field_name).rstrip("_"), value)  # from_ is `from` in a file

    return Annotated[Any, PlainValidator(validate), WithJsonSchema(schema)]


def numbers(check: Callable[[str, Any], Any], schema: Schema) -> Any:
    """Lists of numbers: what is given stays as it is, but whole numbers become floats."""

    def validate(name: str, value: Any) -> Any:
        given = floats(name, value)
        check(name, given)
        return given

    return checked(validate, schema)


def floats(name: str, value: Any) -> Any:
    """Whole numbers in lists as floats; True and False are no numbers."""
    if not isinstance(value, list):
        return value
    if any(isinstance(entry, bool) for entry in value):
        raise InputError(f"{name} = {value!r}: must be numbers, not true or false")
    try:
        return [float(e) if isinstance(e, int) else floats(name, e) for e in value]
    except OverflowError:
        raise InputError(f"{name} = {value!r}: must be finite numbers") from None


def list_of(schema: Schema, count: int) -> Schema:
    return {"type": "array", "items": schema, "minItems": count, "maxItems": count}


def _one_or_two(schema: Schema) -> list[Schema]:
    return [schema, list_of(schema, 2)]


def _law_part(name: str, value: Any) -> float:
    part: float = getattr(ContactLaw(**{name: value}), name)
    return part


def _sliding(name: str, value: Any) -> float | Stribeck:
    if isinstance(value, dict):
        _has_keys(value, _STRIBECK)
        return Stribeck(**value)
    return _law_part(name, value)


def _compliance(name: str, value: Any) -> OneOrTwo | HertzMindlin:
    if isinstance(value, dict):
        _has_keys(value, _ELASTIC)
        return HertzMindlin(**{key: floats(key, entry) for key, entry in value.items()})
    allowed = "a number, [normal, tangential], or { young = 210e9, poisson = 0.3 }"
    return one_or_two(name, floats(name, value), _not_negative, allowed)


def _not_negative(name: str, value: Any) -> float:
    return positive_number(name, value, zero=True)


def text_of(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise InputError(f"{name} = {value!r}: must be a text")
    return value


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise InputError(f"{name} = {value!r}: must be true or false, without quotes")
    return value


def _names(count: int | None) -> Callable[[str, Any], list[str]]:
    words = "two names" if count == 2 else "a list of names"

    def check(name: str, value: Any) -> list[str]:
        if (
            not isinstance(value, list)
            or not all(isinstance(entry, str) and entry for entry in value)
            or (count is not None and len(value) != count)
        ):
            raise InputError(f"{name} = {value!r}: must be {words}")
        return value

    return check


def _joint_names(name: str, value: Any) -> Any:
    """How many is asked by the gear."""
    entries = value if isinstance(value, list) and value else [None]
    for entry in entries:
        for word in entry if isinstance(entry, list) and entry else [entry]:
            if not isinstance(word, str) or not word:
                raise InputError(
                    f"{name} = {value!r}: must be two names of joints, or [name, coordinate]"
                )
    return value


def _numbers_by_name(name: str, value: Any) -> dict[str, float]:
    if not isinstance(value, dict):
        raise InputError(f"{name} = {value!r}: must be a table like {{ elbow = 1.5 }}")
    return {key: one_number(key, number) for key, number in value.items()}


def _texts_by_name(name: str, value: Any) -> dict[str, str]:
    if not isinstance(value, dict):
        raise InputError(f'{name} = {value!r}: must be a table like {{ arm = "meshes" }}')
    return {key: text_of(key, text) for key, text in value.items()}


def _signal(name: str, value: Any) -> Signal:
    if isinstance(value, dict):
        value = {key: floats(key, entry) for key, entry in value.items()}
    return signal_of(name, value)


def _as_given(_: str, value: Any) -> Any:
    return value


def with_orientation(fields: dict[str, Any], others: tuple[str, ...]) -> dict[str, Any]:
    """A rotation as the orientation that it is; `others` are not to be given with it."""
    if "rotation" in fields:
        for other in others:
            if other in fields:
                raise InputError(f"rotation: there is also {other}; give one of them, not both")
        fields["orientation"] = fields.pop("rotation")
    return fields


def whole(least: int) -> Any:
    """Whole numbers from `least` on."""
    schema = {"type": "integer", "minimum": least}
    return checked(lambda name, value: whole_number(name, value, least=least), schema)


def choice(words: Iterable[str]) -> Any:
    """One of some words."""
    allowed = list(words)
    return checked(lambda name, value: one_of(name, value, allowed), {"enum": allowed})


def _named(kind: str, value: Any, allowed: Iterable[str]) -> tuple[str, dict[str, Any]]:
    """A name, or a table with a name and more."""
    if not isinstance(value, dict):
        return one_of(kind, value, allowed), {}
    rest = dict(value)
    if "name" not in rest:
        raise InputError(f"name: is missing; must be one of {', '.join(allowed)}")
    return one_of("name", rest.pop("name"), allowed), rest


def _check_keys(given: dict[str, Any], made: Any) -> None:
    known = [field.name for field in fields_of(made)]
    for name in given:
        if name not in known:
            raise InputError(f"{name}: {suggestion(name, [*known, 'name'])}")


def _scheme(kind: str, value: Any) -> Scheme:
    name, given = _named(kind, value, SCHEMES)
    _check_keys(given, SCHEMES[name])
    return SCHEMES[name](**given)


def _model(kind: str, value: Any) -> str | FrictionModel:
    name, given = _named(kind, value, [CONE, *NAMES])
    if name != CONE:
        _check_keys(given, model_class(name))
    return make_model(name, given) or CONE


def _named_schema(name: str, made: Any) -> Schema:
    """A table of a name and the fields of its class."""
    keys: Schema = {field.name: {} for field in fields_of(made)}
    return {
        "type": "object",
        "properties": {"name": {"const": name}} | keys,
        "required": ["name"],
        "additionalProperties": False,
    }


def _tables_of(kinds: Mapping[str, Any]) -> list[Schema]:
    return [_named_schema(name, made) for name, made in kinds.items()]


def _solver(kind: str, value: Any) -> tuple[str, dict[str, Any]]:
    name, given = _named(kind, value, _SOLVER_NAMES)
    if name == AUTO:
        for option in given:
            raise InputError(f"{option}: name the solver that it belongs to")
        return AUTO, {}
    if name in LINEAR_SOLVERS and name in SOLVERS:  # checked with the friction model, if any
        return name, given
    info: Any = LINEAR_SOLVERS[name] if name in LINEAR_SOLVERS else solver_info(name)
    options = info.load()[1]
    _check_keys(given, options)
    options(**given)
    return name, given


def _has_keys(given: dict[str, Any], wanted: dict[str, str]) -> None:
    """All of them and no others; `wanted` has an example of each value."""
    for key in given:
        if key not in wanted:
            raise InputError(f"{key}: {suggestion(key, wanted)}")
    for key in wanted:
        if key not in given:
            raise InputError(f"{key}: is missing: must be like {wanted[key]}")


def rotation_of(name: str, value: Any) -> list[float]:
    """The orientation that it says."""
    if not isinstance(value, dict):
        raise InputError(f"{name} = {value!r}: must be like {{ axis = [0, 0, 1], degrees = 30 }}")
    _has_keys(value, _ROTATION)
    turn = rotation(floats("axis", value["axis"]), value["degrees"])
    return [float(entry) for entry in turn]


def _periodic(name: str, value: Any) -> dict[str, list[float]]:
    if not isinstance(value, dict):
        raise InputError(f"{name} = {value!r}: must be like {{ x = [0, 1] }}")
    return periodic_ends({axis: floats(axis, ends) for axis, ends in value.items()})


_ROTATION = {"axis": "[0, 0, 1]", "degrees": "30"}
_ELASTIC = {"young": "210e9", "poisson": "0.3"}
_STRIBECK = {"static": "0.4", "kinetic": "0.3", "speed": "0.01"}
_DISTRIBUTIONS: list[Schema] = [
    {
        "type": "object",
        "properties": {"distribution": {"const": name}}
        | {key: _NUMBERS if key in ("values", "shares") else NUMBER for key in keys},
        "required": ["distribution", *keys],
        "additionalProperties": False,
    }
    for name, keys in DISTRIBUTIONS.items()
]
_RANGE: Schema = {"anyOf": [ABOVE_ZERO, list_of(ABOVE_ZERO, 2), *_DISTRIBUTIONS]}
VECTOR, _QUATERNION = list_of(NUMBER, 3), list_of(NUMBER, 4)
_SINE: Schema = {"amplitude": NUMBER, "frequency": ABOVE_ZERO, "mean": NUMBER, "phase": NUMBER}
_TIMES: Schema = {"type": "array", "items": NUMBER, "minItems": 1}
_SIGNALS: list[Schema] = [
    NUMBER,
    {
        "type": "object",
        "properties": _SINE,
        "required": ["amplitude", "frequency"],
        "additionalProperties": False,
    },
    {
        "type": "object",
        "properties": {"times": _TIMES, "values": _TIMES},
        "required": ["times", "values"],
        "additionalProperties": False,
    },
]
_JOINT: Schema = {"anyOf": [TEXT, list_of(TEXT, 2)]}

Number = checked(one_number, NUMBER)
Positive = checked(positive_number, ABOVE_ZERO)
NotNegative = checked(_not_negative, _NOT_NEGATIVE)
Vector = numbers(vector, VECTOR)
Direction = numbers(direction, VECTOR)
Quaternion = numbers(unit_quaternion, _QUATERNION)
Rotation = checked(
    rotation_of,
    {
        "type": "object",
        "properties": {"axis": VECTOR, "degrees": NUMBER},
        "required": list(_ROTATION),
        "additionalProperties": False,
    },
)
Periodic = checked(
    _periodic,
    {
        "type": "object",
        "properties": {axis: list_of(NUMBER, 2) for axis in "xyz"},
        "additionalProperties": False,
    },
)
Balls = numbers(ball_rows, {"type": "array", "items": _QUATERNION, "minItems": 1})
Edges = numbers(edges, list_of(ABOVE_ZERO, 3))
Inertia = numbers(
    lambda _, value: principal_axes(value), {"anyOf": [list_of(ABOVE_ZERO, 3), list_of(VECTOR, 3)]}
)
Flag = checked(_flag, {"type": "boolean"})
Text = checked(text_of, TEXT)
TwoNames = checked(_names(2), list_of(TEXT, 2))
Names = checked(_names(None), {"type": "array", "items": TEXT})
Coefficient = checked(_law_part, _NOT_NEGATIVE)
Sliding = checked(
    _sliding,
    {
        "anyOf": [
            _NOT_NEGATIVE,
            {
                "type": "object",
                "properties": {
                    "static": _NOT_NEGATIVE,
                    "kinetic": _NOT_NEGATIVE,
                    "speed": ABOVE_ZERO,
                },
                "required": list(_STRIBECK),
                "additionalProperties": False,
            },
        ]
    },
)
Pressure = choice(PRESSURES)
Coupling = choice(COUPLINGS)
Restitution = checked(_law_part, {"type": "number", "minimum": 0, "maximum": 1})
Compliance = checked(
    _compliance,
    {
        "anyOf": [
            *_one_or_two(_NOT_NEGATIVE),
            {
                "type": "object",
                "properties": {
                    "young": {"anyOf": _one_or_two(ABOVE_ZERO)},
                    "poisson": {"anyOf": _one_or_two(_POISSON)},
                },
                "required": list(_ELASTIC),
                "additionalProperties": False,
            },
        ]
    },
)
NumbersByName = checked(_numbers_by_name, {"type": "object", "additionalProperties": NUMBER})
TextsByName = checked(_texts_by_name, {"type": "object", "additionalProperties": TEXT})
RangeEnd = checked(range_end, NUMBER)
ForceLimit = checked(force_limit, ABOVE_ZERO)
SignalField = checked(_signal, {"anyOf": _SIGNALS})
JointNames = checked(_joint_names, list_of(_JOINT, 2))
TwoAngles = numbers(two_angles, list_of(NUMBER, 2))
Counts = checked(lambda _, value: grid_counts(value), list_of({"type": "integer", "minimum": 1}, 3))
Spacing = numbers(
    lambda _, value: grid_spacing(value), {"anyOf": [ABOVE_ZERO, list_of(ABOVE_ZERO, 3)]}
)
# Checked with their shape, by the recipe.
Range = numbers(_as_given, _RANGE)
EdgeRanges = numbers(_as_given, list_of(_RANGE, 3))
MadeShape = choice(SIZES)
ContainerShape = choice(CONTAINERS)
SchemeField = checked(_scheme, {"anyOf": [{"enum": list(SCHEMES)}, *_tables_of(SCHEMES)]})
_MODEL_TABLES = _tables_of({name: model_class(name) for name in NAMES})
ModelField = checked(_model, {"anyOf": [{"enum": [CONE, *NAMES]}, *_MODEL_TABLES]})
_SOLVER: Schema = {"enum": _SOLVER_NAMES}
_SOLVER_TABLE: Schema = {"type": "object", "properties": {"name": _SOLVER}, "required": ["name"]}
SolverField = checked(_solver, {"anyOf": [_SOLVER, _SOLVER_TABLE]})
