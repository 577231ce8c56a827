"""Run files that fuzzing has broken: with right checksums, but arrays of other shapes and types,
and numbers that no run has. Kept as what was done to a valid file, since the files are large."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from readers import _run_files, look_at

import rollcone as rc
from rollcone.resuming import resumed


def replaced(name: str, change: Callable[[np.ndarray], Any]) -> Callable[[h5py.File], None]:
    def harm(file: h5py.File) -> None:
        values = change(file[name][()])
        del file[name]
        file[name] = values

    return harm


def with_value(name: str, place: Any, value: float) -> Callable[[h5py.File], None]:
    def harm(file: h5py.File) -> None:
        file[name][place] = value

    return harm


def noted(*way: Any) -> Callable[[h5py.File], None]:
    """Of the checkpoint's notes: the last of `way` is the value, the others lead to it."""

    def harm(file: h5py.File) -> None:
        notes = json.loads(file["checkpoint/notes"][()])
        place = notes
        for key in way[:-2]:
            place = place[key]
        place[way[-2]] = way[-1]
        text = json.dumps(notes)
        del file["checkpoint/notes"]
        file["checkpoint/notes"] = np.bytes_(text)
        file["checkpoint/notes"].attrs["crc32"] = zlib.crc32(text.encode())

    return harm


BODIES = "checkpoint/bodies"
REFUSED = {
    "sizes in one row": replaced(f"{BODIES}/size", lambda a: a.reshape(-1)),
    "inertia of other precision": replaced(f"{BODIES}/inertia", lambda a: a.astype("f4")),
    "positions of other bytes": replaced("states/position", lambda a: a.astype(">f8")),
    "a column that is longer": replaced("energy/kinetic", lambda a: np.zeros(len(a) + 1)),
    "an array in place of numbers": replaced("energy/sliding", lambda a: a[:, None]),
    "fewer gaps": replaced("contacts/gap", lambda a: a[:-1]),
    "contacts that end before they begin": with_value("contacts/end", -1, 0),
    "a contact of no body": with_value("contacts/bodies", (0, 0), 99),
    "a contact of body -1": with_value("contacts/bodies", (0, 1), -1),
    "no number of iterations": with_value("statistics/iterations", 1, np.nan),
    "contacts without end": with_value("statistics/contacts", 1, np.inf),
    "no time": with_value("time", 0, np.nan),
    "a shape that is not there": with_value(f"{BODIES}/shape", 1, 77),
    "a kind that is not there": with_value(f"{BODIES}/kind", 1, -3),
    "a material that is not there": with_value(f"{BODIES}/material", 1, 10**6),
    "no size": with_value(f"{BODIES}/size", (1, 0), np.nan),
    "no mass": with_value(f"{BODIES}/mass", 1, -1.0),
    "no position": with_value(f"{BODIES}/position", (1, 0), np.nan),
    "reactions of other length": replaced("checkpoint/kept/force", lambda a: a[:1]),
    "a step in -5 parts": replaced("checkpoint/kept/part", lambda a: a * 0 - 5),
    "steps without end": noted("recorder", "steps", 1e300),
    "steps in words": noted("recorder", "steps", "x"),
    "negative steps": noted("recorder", "steps", -4),
    "no step": noted("settings", "step", None),
    "a solver of no name": noted("words", "solver", None),
    "materials in pairs of three": noted("recorder", "pairs", [[0, 0, 0]]),
    "names that are numbers": noted("world", "names", [1, 2, 3]),
    "a joint of a body that is not there": noted("world", "joints", 0, 0, "body", 99),
    "a joint of no kind": noted("world", "joints", 0, 0, "kind", "x"),
    "a joint at no place": noted("world", "joints", 0, 0, "body_point", ["a", 0, 0]),
    "turns of no joint": noted("world", "joints", 0, 1, [0, 0, 0, 0, 0]),
    "an emitter of no count": noted("world", "emitters", 0, 0, "count", -1),
    "gravity in words": noted("world", "gravity", "down"),
}


def use(path: Path) -> None:
    """All that there is, and a step further."""
    run = rc.open_run(path)
    look_at(run)
    run._source.close()
    simulation = resumed(path)
    simulation.take_step()


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name, tmp_path):
    path = tmp_path / "run.h5"
    path.write_bytes(_run_files()["run.h5"])
    with h5py.File(path, "r+") as file:
        REFUSED[name](file)
    with pytest.raises(rc.RollconeError) as caught:
        use(path)
    assert str(path) in str(caught.value)


def test_energies_beyond_numbers_are_shown(tmp_path):
    path = tmp_path / "run.h5"
    path.write_bytes(_run_files()["run.h5"])
    with h5py.File(path, "r+") as file:
        file["energy/sliding"][:2] = np.inf
    assert "inf" in str(rc.open_run(path).energy.work)
    assert "nan" in rc.open_run(path).summary()


@pytest.mark.parametrize(
    ("name", "value"),
    [("states/position", np.inf), ("states/orientation", 1e300), ("contacts/impulse", 1e308),
     ("contacts/velocity", np.inf), ("joints/values", -np.inf), ("energy/gained", -1e308)],
)  # fmt: skip
def test_numbers_beyond_numbers_are_no_warnings(name, value, tmp_path):
    path = tmp_path / "run.h5"
    path.write_bytes(_run_files()["run.h5"])
    with h5py.File(path, "r+") as file:
        file[name][...] = np.where(np.isnan(file[name][()]), np.nan, value)
    look_at(rc.open_run(path))


def test_a_group_in_place_of_an_array_of_moments(tmp_path):
    part = tmp_path / "killed.h5.part"
    part.mkdir()
    for other, content in _run_files().items():
        (part / other).write_bytes(content)
    with h5py.File(part / "000001.h5", "r+") as file:
        del file["contacts/gap"]
        file.create_group("contacts/gap")
    with pytest.raises(rc.FileError, match=r"killed\.h5: is damaged"):
        rc.open_run(tmp_path / "killed.h5")
