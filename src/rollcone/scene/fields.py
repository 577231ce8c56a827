"""Types of the fields of a scene: each is checked by the function that checks it in the Python
API, so that both say the same, and tells an editor what it is by a JSON Schema."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields as fields_of
from pathlib import Path
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
from rollcone.friction_models.registry import MODELS, make_model
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
from rollcone.mechanics.made_of_parts import (
    PART_SIZES,
    PLACE,
    height_grid,
    scale_factor,
    two_lengths,
)
from rollcone.mechanics.materials import ContactLaw
from rollcone.mechanics.mesh_file import FORMATS
from rollcone.mechanics.new_joint import two_angles
from rollcone.mechanics.part_forms import point_rows
from rollcone.mechanics.periodic import periodic_ends
from rollcone.mechanics.recipe import SIZES
from rollcone.mechanics.rotations import rotation, unit_quaternion
from rollcone.mechanics.signals import Signal, signal_of
from rollcone.mechanics.stribeck import Stribeck
from rollcone.solvers.registry import SOLVERS, solver_info
from rollcone.stepping.registry import SCHEMES
from rollcone.stepping.scheme import Scheme

Schema = dict[str, Any]
_NUMBER: Schema = {"type": "number"}
_ABOVE_ZERO: Schema = {"type": "number", "exclusiveMinimum": 0}
_NOT_NEGATIVE: Schema = {"type": "number", "minimum": 0}
_POISSON: Schema = {"type": "number", "exclusiveMinimum": -1, "maximum": 0.5}
_NUMBERS: Schema = {"type": "array", "items": _ABOVE_ZERO, "minItems": 1}
_TEXT: Schema = {"type": "string", "minLength": 1}
AUTO = "auto"
_SOLVER_NAMES = list(dict.fromkeys([AUTO, *SOLVERS, *LINEAR_SOLVERS]))


def suggestion(word: str, known: Iterable[str]) -> str:
    """What an unknown key may have meant, or else the keys there are."""
    words = sorted(known)
    return "unknown key" + (did_you_mean(word, words) or f"; there are {', '.join(words)}")


def _checked(check: Callable[[str, Any], Any], schema: Schema) -> Any:
    def validate(value: Any, info: ValidationInfo) -> Any:
        return check(str(info.field_name), value)

    return Annotated[Any, PlainValidator(validate), WithJsonSchema(schema)]


def _numbers(check: Callable[[str, Any], Any], schema: Schema) -> Any:
    """Lists of numbers: what is given stays as it is, but whole numbers become floats."""

    def validate(name: str, value: Any) -> Any:
        given = _floats(name, value)
        check(name, given)
        return given

    return _checked(validate, schema)


def _floats(name: str, value: Any) -> Any:
    """Whole numbers in lists as floats; True and False are no numbers."""
    if not isinstance(value, list):
        return value
    if any(isinstance(entry, bool) for entry in value):
        raise InputError(f"{name} = {value!r}: must be numbers, not true or false")
    try:
        return [float(e) if isinstance(e, int) else _floats(name, e) for e in value]
    except OverflowError:
        raise InputError(f"{name} = {value!r}: must be finite numbers") from None


def _list(schema: Schema, count: int) -> Schema:
    return {"type": "array", "items": schema, "minItems": count, "maxItems": count}


def _one_or_two(schema: Schema) -> list[Schema]:
    return [schema, _list(schema, 2)]


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
        return HertzMindlin(**{key: _floats(key, entry) for key, entry in value.items()})
    allowed = "a number, [normal, tangential], or { young = 210e9, poisson = 0.3 }"
    return one_or_two(name, _floats(name, value), _not_negative, allowed)


def _not_negative(name: str, value: Any) -> float:
    return positive_number(name, value, zero=True)


def _text(name: str, value: Any) -> str:
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
    return {key: _text(key, text) for key, text in value.items()}


def _signal(name: str, value: Any) -> Signal:
    if isinstance(value, dict):
        value = {key: _floats(key, entry) for key, entry in value.items()}
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


def _file(endings: Iterable[str]) -> Any:
    """A path, from the folder of the scene file."""
    allowed = [f".{ending}" for ending in endings]

    def validate(value: Any, info: ValidationInfo) -> str:
        name = str(info.field_name)
        place = Path((info.context or {}).get("folder", ".")) / _text(name, value)
        if place.suffix.lower() not in allowed:
            raise InputError(f"{name} = {value!r}: must end in one of {', '.join(allowed)}")
        if "\0" in value or not place.is_file():
            raise InputError(f"{name} = {value!r}: there is no such file in the scene's folder")
        return str(place)

    return Annotated[Any, PlainValidator(validate), WithJsonSchema(_TEXT)]


def _triangles(name: str, value: Any) -> list[list[int]]:
    rows: list[Any] = value if isinstance(value, list) and value else [None]
    for row in rows:
        if (
            not isinstance(row, list)
            or len(row) != 3
            or not all(isinstance(k, int) and not isinstance(k, bool) and k >= 0 for k in row)
        ):
            raise InputError(f"{name}: {row!r} must be three numbers of vertices, from 0")
    return rows


def _parts(name: str, value: Any) -> list[dict[str, Any]]:
    """Checked with their body; here, keys, and rotations become orientations."""
    if not isinstance(value, list) or not all(isinstance(part, dict) for part in value):
        raise InputError(f'{name} = {value!r}: must be like [{{ shape = "sphere", radius = 1 }}]')
    found = []
    for k, part in enumerate(value):
        known = (*PLACE, "rotation", *PART_SIZES.get(str(part.get("shape")), part))
        for key in part:
            if key not in known:
                raise InputError(f"{name}[{k}].{key}: {suggestion(key, known)}")
        given = {key: _floats(f"{name}[{k}].{key}", entry) for key, entry in part.items()}
        if "rotation" in given:
            if "orientation" in given:
                raise InputError(f"{name}[{k}].rotation: there is also orientation; give one")
            given["orientation"] = _rotation(f"{name}[{k}].rotation", given.pop("rotation"))
        found.append(given)
    return found


def whole(least: int) -> Any:
    """Whole numbers from `least` on."""
    schema = {"type": "integer", "minimum": least}
    return _checked(lambda name, value: whole_number(name, value, least=least), schema)


def choice(words: Iterable[str]) -> Any:
    """One of some words."""
    allowed = list(words)
    return _checked(lambda name, value: one_of(name, value, allowed), {"enum": allowed})


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
    name, given = _named(kind, value, [CONE, *MODELS])
    if name != CONE:
        _check_keys(given, MODELS[name])
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


def _rotation(name: str, value: Any) -> list[float]:
    """The orientation that it says."""
    if not isinstance(value, dict):
        raise InputError(f"{name} = {value!r}: must be like {{ axis = [0, 0, 1], degrees = 30 }}")
    _has_keys(value, _ROTATION)
    turn = rotation(_floats("axis", value["axis"]), value["degrees"])
    return [float(entry) for entry in turn]


def _periodic(name: str, value: Any) -> dict[str, list[float]]:
    if not isinstance(value, dict):
        raise InputError(f"{name} = {value!r}: must be like {{ x = [0, 1] }}")
    return periodic_ends({axis: _floats(axis, ends) for axis, ends in value.items()})


_ROTATION = {"axis": "[0, 0, 1]", "degrees": "30"}
_ELASTIC = {"young": "210e9", "poisson": "0.3"}
_STRIBECK = {"static": "0.4", "kinetic": "0.3", "speed": "0.01"}
_DISTRIBUTIONS: list[Schema] = [
    {
        "type": "object",
        "properties": {"distribution": {"const": name}}
        | {key: _NUMBERS if key in ("values", "shares") else _NUMBER for key in keys},
        "required": ["distribution", *keys],
        "additionalProperties": False,
    }
    for name, keys in DISTRIBUTIONS.items()
]
_RANGE: Schema = {"anyOf": [_ABOVE_ZERO, _list(_ABOVE_ZERO, 2), *_DISTRIBUTIONS]}
_VECTOR, _QUATERNION = _list(_NUMBER, 3), _list(_NUMBER, 4)
_SINE: Schema = {"amplitude": _NUMBER, "frequency": _ABOVE_ZERO, "mean": _NUMBER, "phase": _NUMBER}
_TIMES: Schema = {"type": "array", "items": _NUMBER, "minItems": 1}
_SIGNALS: list[Schema] = [
    _NUMBER,
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
_JOINT: Schema = {"anyOf": [_TEXT, _list(_TEXT, 2)]}

Number = _checked(one_number, _NUMBER)
Positive = _checked(positive_number, _ABOVE_ZERO)
NotNegative = _checked(_not_negative, _NOT_NEGATIVE)
Vector = _numbers(vector, _VECTOR)
Direction = _numbers(direction, _VECTOR)
Quaternion = _numbers(unit_quaternion, _QUATERNION)
Rotation = _checked(
    _rotation,
    {
        "type": "object",
        "properties": {"axis": _VECTOR, "degrees": _NUMBER},
        "required": list(_ROTATION),
        "additionalProperties": False,
    },
)
Periodic = _checked(
    _periodic,
    {
        "type": "object",
        "properties": {axis: _list(_NUMBER, 2) for axis in "xyz"},
        "additionalProperties": False,
    },
)
_ROWS: Schema = {"type": "array", "items": _VECTOR, "minItems": 3}
_PART: Schema = {
    "type": "object",
    "properties": {"shape": {"enum": list(PART_SIZES)}},
    "required": ["shape"],
}
Points = _numbers(point_rows, _ROWS | {"minItems": 4})
Vertices = _numbers(lambda name, value: point_rows(name, value, 3), _ROWS)
Triangles = _checked(
    _triangles,
    {"type": "array", "items": _list({"type": "integer", "minimum": 0}, 3), "minItems": 1},
)
Parts = _checked(_parts, {"type": "array", "items": _PART, "minItems": 1})
Scale = _numbers(scale_factor, {"anyOf": [_ABOVE_ZERO, _list(_ABOVE_ZERO, 3)]})
TwoLengths = _numbers(two_lengths, _list(_ABOVE_ZERO, 2))
Heights = _numbers(
    height_grid, {"type": "array", "items": {"type": "array", "items": _NUMBER, "minItems": 2}}
)
File = _file(FORMATS)
ArrayFile = _file(["npy"])
Balls = _numbers(ball_rows, {"type": "array", "items": _QUATERNION, "minItems": 1})
Edges = _numbers(edges, _list(_ABOVE_ZERO, 3))
Inertia = _numbers(
    lambda _, value: principal_axes(value), {"anyOf": [_list(_ABOVE_ZERO, 3), _list(_VECTOR, 3)]}
)
Flag = _checked(_flag, {"type": "boolean"})
Text = _checked(_text, _TEXT)
TwoNames = _checked(_names(2), _list(_TEXT, 2))
Names = _checked(_names(None), {"type": "array", "items": _TEXT})
Coefficient = _checked(_law_part, _NOT_NEGATIVE)
Sliding = _checked(
    _sliding,
    {
        "anyOf": [
            _NOT_NEGATIVE,
            {
                "type": "object",
                "properties": {
                    "static": _NOT_NEGATIVE,
                    "kinetic": _NOT_NEGATIVE,
                    "speed": _ABOVE_ZERO,
                },
                "required": list(_STRIBECK),
                "additionalProperties": False,
            },
        ]
    },
)
Pressure = choice(PRESSURES)
Coupling = choice(COUPLINGS)
Restitution = _checked(_law_part, {"type": "number", "minimum": 0, "maximum": 1})
Compliance = _checked(
    _compliance,
    {
        "anyOf": [
            *_one_or_two(_NOT_NEGATIVE),
            {
                "type": "object",
                "properties": {
                    "young": {"anyOf": _one_or_two(_ABOVE_ZERO)},
                    "poisson": {"anyOf": _one_or_two(_POISSON)},
                },
                "required": list(_ELASTIC),
                "additionalProperties": False,
            },
        ]
    },
)
NumbersByName = _checked(_numbers_by_name, {"type": "object", "additionalProperties": _NUMBER})
TextsByName = _checked(_texts_by_name, {"type": "object", "additionalProperties": _TEXT})
RangeEnd = _checked(range_end, _NUMBER)
ForceLimit = _checked(force_limit, _ABOVE_ZERO)
SignalField = _checked(_signal, {"anyOf": _SIGNALS})
JointNames = _checked(_joint_names, _list(_JOINT, 2))
TwoAngles = _numbers(two_angles, _list(_NUMBER, 2))
Counts = _checked(lambda _, value: grid_counts(value), _list({"type": "integer", "minimum": 1}, 3))
Spacing = _numbers(
    lambda _, value: grid_spacing(value), {"anyOf": [_ABOVE_ZERO, _list(_ABOVE_ZERO, 3)]}
)
# Checked with their shape, by the recipe.
Range = _numbers(_as_given, _RANGE)
EdgeRanges = _numbers(_as_given, _list(_RANGE, 3))
MadeShape = choice(SIZES)
ContainerShape = choice(CONTAINERS)
SchemeField = _checked(_scheme, {"anyOf": [{"enum": list(SCHEMES)}, *_tables_of(SCHEMES)]})
ModelField = _checked(_model, {"anyOf": [{"enum": [CONE, *MODELS]}, *_tables_of(MODELS)]})
_SOLVER: Schema = {"enum": _SOLVER_NAMES}
_SOLVER_TABLE: Schema = {"type": "object", "properties": {"name": _SOLVER}, "required": ["name"]}
SolverField = _checked(_solver, {"anyOf": [_SOLVER, _SOLVER_TABLE]})
