"""Is a run file what it says? Looked at before its arrays are read; a ValueError if not.

No shape in a file decides how much memory is taken: moments are counted by `time`, all of which
must be there; bodies by the names in the checkpoint; other arrays have to fit these or what is
stored of them. And nothing gets into kernels that would lead them out of their arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from rollcone.collision.clumps import MOST_BALLS
from rollcone.collision.shapes import CLUMP, SHAPE_NAMES
from rollcone.mechanics.bodies import DYNAMIC, FIELDS, FIXED, REMOVED
from rollcone.mechanics.joints import KINDS, WORLD, JointSpec
from rollcone.problem.hdf5_reader import MOST_DEFLATE, fits, shape_words
from rollcone.recording.frames import CONTACT_FIELDS
from rollcone.recording.joints import JOINT
from rollcone.recording.moments import JOINTS, MATRICES, SUMMARY
from rollcone.recording.moments import WHOLE as WHOLE_NUMBERS
from rollcone.stepping.kernels.work import WHOLE

END = "contacts/end"
_DEEPEST = 4  # groups within groups
_LARGEST_CHUNK = 2**26  # bytes; one is read as a whole
_SPARSE = ("states/", JOINTS)  # chunks of bodies that were not there need not be stored
_STATES = {"position": 3, "orientation": 4, "velocity": 3, "angular_velocity": 3}
_PLACES = {"base_point": 3, "body_point": 3, "base_frame": 4, "body_frame": 4}  # of joints
_NAMED = ("scheme", "law", "solver", "tolerance")  # what `words` of a run have


def check_entries(file: Any) -> None:
    """Every array: its own, of numbers or one text, no larger than what is stored can be."""
    size = file.id.get_filesize()
    for name, entry in _entries(file.id, "", 0):
        kind, shape = entry.dtype, entry.shape
        if kind.kind not in "fiu" and not (h5py.check_string_dtype(kind) and shape == ()):
            raise ValueError(f"{name}: is no array of numbers")
        how = entry.get_create_plist()
        layout = how.get_layout()
        if layout == h5py.h5d.VIRTUAL or how.get_external_count():
            raise ValueError(f"{name}: is kept in another file")
        chunk = prod(how.get_chunk()) * kind.itemsize if layout == h5py.h5d.CHUNKED else 0
        packed = any(
            how.get_filter(k)[0] == h5py.h5z.FILTER_DEFLATE for k in range(how.get_nfilters())
        )
        stored = min(entry.get_storage_size(), size) * (MOST_DEFLATE if packed else 1)
        whole = name.startswith(_SPARSE) or prod(shape) * kind.itemsize <= stored
        if chunk > _LARGEST_CHUNK or not whole:
            raise ValueError(f"{name} of shape {shape}: not all of it is in the file")


def _entries(group: Any, place: str, depth: int) -> Iterator[tuple[str, Any]]:
    """All datasets with their names; links to elsewhere, and groups within themselves, are
    refused. (By h5py's inner interface, which is ten times as quick.)"""
    if depth > _DEEPEST:
        raise ValueError(f"{place}: groups within groups within groups")
    for key in group:
        name = place + key.decode(errors="replace")
        if group.links.get_info(key).type != h5py.h5l.TYPE_HARD:
            raise ValueError(f"{name}: is a link to elsewhere")
        entry = h5py.h5o.open(group, key)
        if isinstance(entry, h5py.h5g.GroupID):
            yield from _entries(entry, f"{name}/", depth + 1)
        elif isinstance(entry, h5py.h5d.DatasetID):
            yield name, entry
        else:
            raise ValueError(f"{name}: is no array")


def check_moments(file: Any, bodies: int, level: str) -> None:
    """Of a run file: all arrays over the recorded moments."""
    moments = len(file["time"])
    if not moments:
        raise ValueError("time: there are no moments")
    for name in MATRICES["numbers"]:
        if name in file:
            _check(file[name], name, np.float64, (moments,))
    if level == "summary":
        for name in SUMMARY:
            _check(file[f"contact_summary/{name}"], name, np.float64, (moments,))
    check_states(file, moments)
    if file["states/position"].shape[1] > bodies:
        raise ValueError(f"states: more bodies than the {bodies} that have names")
    if level == "full":
        check_contacts(file, moments)


def check_column(name: str, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of numbers over the moments."""
    if name in WHOLE_NUMBERS and not ((values >= 0.0) & (values < 2.0**53)).all():
        raise ValueError(f"{name}: must be whole numbers >= 0")
    if name == "time" and not np.isfinite(values).all():
        raise ValueError("time: must be finite")
    return values


def check_states(file: Any, moments: int) -> None:
    """States of bodies and joints, of so many moments."""
    for name, width in _STATES.items():
        wanted = (moments, file["states/position"].shape[1], width)
        _check(file[f"states/{name}"], f"states/{name}", np.float64, wanted)
    if JOINTS in file:
        _check(file[JOINTS], JOINTS, np.float64, (moments, None, JOINT))


def check_contacts(file: Any, moments: int) -> None:
    """Their arrays, as long as each other."""
    _check(file[END], END, np.int64, (moments,))
    rows = len(file["contacts/gap"])
    for name, (kind, shape) in CONTACT_FIELDS.items():
        _check(file[f"contacts/{name}"], f"contacts/{name}", kind, (rows, *shape))
    ends = file[END][()]
    if ends[0] < 0 or np.any(np.diff(ends) < 0) or ends[-1] != rows:
        raise ValueError(f"{END}: must rise to {rows}")


def check_pairs(pairs: NDArray[np.int64], bodies: int) -> NDArray[np.int64]:
    """Bodies of contacts, by number."""
    if pairs.size and not 0 <= pairs.min() <= pairs.max() < bodies:
        raise ValueError(f"contacts/bodies: numbers must be from 0 to {bodies - 1}")
    return pairs


def check_part(file: Any) -> None:
    """Of a run in progress: one file of its moments."""
    if "time" in file:  # a whole run, which is continued
        moments = len(file["time"])
    else:
        _check(file["numbers"], "numbers", np.float64, (None, None))
        moments, columns = file["numbers"].shape
        if not 0 < columns <= len(MATRICES["numbers"]) or not moments:
            raise ValueError(f"numbers of shape {file['numbers'].shape}: of no moments")
        if "summaries" in file:
            _check(file["summaries"], "summaries", np.float64, (moments, len(SUMMARY)))
    for name in ("states", "joints", "contacts"):
        if name in file and not isinstance(file[name], h5py.Group):
            raise ValueError(f"{name}: is no group of arrays")
    check_states(file, moments)
    if END in file:
        check_contacts(file, moments)


def check_notes(notes: Any) -> None:
    """What is told in words and numbers: as far as nobody else would notice."""
    recorder, words = notes["recorder"], notes["words"]
    for name, least in (("steps", 0), ("wall_time", 0.0)):
        number(f"recorder.{name}", recorder[name], least)
    for name, value in dict(recorder.get("timing", {})).items():
        number(f"timing.{name}", value, 0.0)
    for name in _NAMED:
        if not isinstance(words[name], str):
            raise ValueError(f"words.{name} = {words[name]!r}: must be a text")
    materials = len(notes["world"]["materials"])
    for pair in recorder["pairs"]:
        a, b = (number("recorder.pairs", k, 0) for k in pair)
        if max(a, b) >= materials:
            raise ValueError(f"recorder.pairs = {pair}: there are {materials} materials")
    for function in notes["world"]["functions"]:
        if not isinstance(function, str):
            raise ValueError(f"world.functions: {function!r} is no name")
    for name, value in dict(recorder["pending"]).items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"recorder.pending.{name} = {value!r}: must be a number")
    number("settings.step", notes["settings"]["step"], 0.0)
    number("settings.start_time", notes["settings"]["start_time"])


def number(name: str, value: Any, least: float = -np.inf) -> Any:
    """A finite one; whole if `least` is."""
    kinds = int if isinstance(least, int) else (int, float)
    fine = isinstance(value, kinds) and not isinstance(value, bool)
    if not fine or not least <= value < 2**62 or not np.isfinite(value):
        raise ValueError(f"{name} = {value!r}: must be a number >= {least}")
    return value


def check_bodies(arrays: dict[str, NDArray[Any]], names: Sequence[str], materials: int) -> None:
    """The bodies of a checkpoint: what kernels trust without looking."""
    if not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
        raise ValueError("names of bodies: must be texts, each once")
    for name, (kind, shape) in FIELDS.items():
        _check(arrays[name], f"bodies/{name}", kind, (len(names), *shape))
    dynamic = arrays["kind"] == DYNAMIC
    allowed = {
        "kind": np.isin(arrays["kind"], (DYNAMIC, FIXED, REMOVED)),
        "shape": (arrays["shape"] >= 0) & (arrays["shape"] < len(SHAPE_NAMES)),
        "material": (arrays["material"] >= 0) & (arrays["material"] < max(materials, 1)),
        "size": arrays["size"] > 0.0,
        "mass": np.isfinite(arrays["mass"]) & (arrays["mass"] >= 0.0),
        "inertia": np.isfinite(arrays["inertia"]) & (arrays["inertia"] >= 0.0),
        "mass of one that moves": (arrays["mass"] > 0.0) | ~dynamic,
        "principal": np.abs(np.linalg.norm(arrays["principal"], axis=1) - 1.0) < 1e-6,
        "damping": arrays["damping"] >= 0.0,
        "force": np.isfinite(arrays["force"]),
        "torque": np.isfinite(arrays["torque"]),
    }
    for name, fine in allowed.items():
        if not fine.all():
            raise ValueError(f"bodies/{name}: a value that no body has")


def check_balls(table: NDArray[Any], shape: NDArray[np.int64]) -> None:
    """Of clumps: those of each, one after the other."""
    _check(table, "bodies/balls", np.float64, (None, 5))
    owners = table[:, 0]
    clumps = np.flatnonzero(shape == CLUMP)
    if np.any(np.diff(owners) < 0) or set(owners.tolist()) != set(clumps.tolist()):
        raise ValueError("bodies/balls: must be those of clumps, in order")
    if not np.isfinite(table).all() or np.any(table[:, 4] <= 0.0):
        raise ValueError("bodies/balls: must be finite, with radii > 0")
    if len(table) and np.unique(owners, return_counts=True)[1].max() > MOST_BALLS:
        raise ValueError(f"bodies/balls: more than {MOST_BALLS} of one clump")


def check_joint(spec: JointSpec, bodies: int) -> JointSpec:
    """A joint of a checkpoint: of bodies that are there, at places that are numbers."""
    if not isinstance(spec.name, str) or spec.kind not in KINDS:
        raise ValueError(f"joint {spec.name!r} of kind {spec.kind!r}: there is no such kind")
    for body in (spec.base, spec.body):
        if number(f"joint {spec.name!r}: body", body, WORLD) >= bodies:
            raise ValueError(f"joint {spec.name!r}: there is no body {body}")
    for name, length in _PLACES.items():
        values = getattr(spec, name)
        if not isinstance(values, tuple) or len(values) != length:
            raise ValueError(f"joint {spec.name!r}: {name} = {values!r}: must be {length} numbers")
        for value in values:
            number(f"joint {spec.name!r}: {name}", value)
    for name in ("zero", "compliance", "angular_compliance", "ratio"):
        number(f"joint {spec.name!r}: {name}", getattr(spec, name))
    if len(spec.geared) != (2 if spec.kind == "gear" else 0):
        raise ValueError(f"joint {spec.name!r}: geared = {spec.geared!r}")
    unknown = set(spec.elements) - set(spec.coordinates)
    if unknown:
        raise ValueError(f"joint {spec.name!r}: has no {', '.join(unknown)}")
    return spec


def check_gears(specs: Sequence[JointSpec | None]) -> None:
    """Of joints that are there, and have such coordinates."""
    for spec in specs:
        for other, coordinate in () if spec is None else spec.geared:
            geared = specs[other] if 0 <= other < len(specs) else None
            if geared is None or coordinate not in geared.coordinates:
                raise ValueError(f"gears: there is no {coordinate!r} of joint {other}")


def check_kept(kept: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """What the next step knows of the last: reactions by contact, sums, and the parts of a step, a
    power of two each."""
    _check(kept["key"], "kept/key", np.int64, (None,))
    for name in ("force", "moment"):
        _check(kept[name], f"kept/{name}", np.float64, (len(kept["key"]), 3))
    _check(kept["numbers"], "kept/numbers", np.float64, (None,))
    _check(kept["correction"], "kept/correction", np.float64, ())
    _check(kept.get("sunk", np.zeros(0)), "kept/sunk", np.float64, (None,))
    _check(kept["part"], "kept/part", np.int64, (2,))
    if not np.isin(kept["part"], 2 ** np.arange(WHOLE.bit_length())).all():
        raise ValueError(f"kept/part = {kept['part']}: must be powers of two up to {WHOLE}")
    for name, values in kept.items():
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            raise ValueError(f"kept/{name}: must be finite")
    return kept


def _check(array: Any, name: str, kind: type, shape: tuple[int | None, ...]) -> None:
    found = getattr(array, "shape", None)
    if not fits(found, shape):
        raise ValueError(f"{name} of shape {found}: must be {shape_words(shape)}")
    if array.dtype != np.dtype(kind):
        raise ValueError(f"{name} of type {array.dtype}: must be {np.dtype(kind)}")
