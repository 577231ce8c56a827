"""The readers of files that others have made: what each reads, valid files to begin with, and how
these are damaged. A new reader is one entry in READERS."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

TESTS = Path(__file__).parents[1]
EXAMPLES = TESTS.parent / "examples"
for folder in (
    TESTS,
    *(TESTS / name for name in ("cli", "fit", "problem", "recording", "scene", "sweep", "urdf")),
):
    if str(folder) not in sys.path:
        sys.path.append(str(folder))

from mutations import (  # noqa: E402
    Mutation,
    archive_changed,
    bytes_damaged,
    entries_changed,
    words_changed,
)

import rollcone as rc  # noqa: E402


@dataclass(frozen=True)
class Reader:
    """`seeds` are valid files; `read` is given an empty folder and the bytes of a file, and may
    raise `RollconeError` alone."""

    name: str
    seeds: Callable[[], list[bytes]]
    read: Callable[[Path, bytes], object]
    mutations: tuple[Mutation, ...]


def _texts(paths: Iterable[Path]) -> list[bytes]:
    return [path.read_bytes() for path in sorted(paths)]


def _put(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def _tells(error: rc.RollconeError, name: str) -> None:
    """Does it say what it is about?"""
    assert name in str(error), error


# Scenes, and the files that they name.
_HEAD = '[simulation]\nuntil = 1\nstep = 0.1\n\n[[body]]\nfixed = true\nshape = "{}"\nfile = "{}"\n'


def _scene_seeds() -> list[bytes]:
    from scene_cases import FULL, SMALL

    from part_bodies import world_of_parts

    texts = [FULL, SMALL, world_of_parts().to_scene(until=1, step=0.1)]
    return [text.encode() for text in texts] + _texts((EXAMPLES / "scenes").glob("*.toml"))


def _read_scene(folder: Path, data: bytes) -> None:
    scene = rc.load_scene(_put(folder / "scene.toml", data))
    scene.world.check()
    repr(scene.world)
    if len(scene.world.state) < 1000:
        scene.world.to_scene(until=1, step=0.1)


def _mesh_seeds(kind: str) -> list[bytes]:
    import trimesh

    box, ball = trimesh.creation.box(), trimesh.creation.icosphere(subdivisions=1)
    found = []
    for mesh in (box, ball):
        content = mesh.export(file_type=kind)
        found.append(content.encode() if isinstance(content, str) else content)
    if kind == "stl":
        found.append(box.export(file_type="stl_ascii").encode())
    return found


def _read_mesh(kind: str) -> Callable[[Path, bytes], None]:
    def read(folder: Path, data: bytes) -> None:
        _put(folder / f"m.{kind}", data)
        for shape in ("mesh", "convex"):
            text = _HEAD.format(shape, f"m.{kind}")
            try:
                rc.load_scene(_put(folder / "scene.toml", text.encode()))
            except rc.RollconeError as error:
                _tells(error, "body[0]")

    return read


def _mesh(kind: str, *mutations: Mutation) -> Reader:
    return Reader(f"mesh-{kind}", lambda: _mesh_seeds(kind), _read_mesh(kind), mutations)


def _array_seeds() -> list[bytes]:
    found = []
    for array in (np.random.default_rng(0).random((4, 5)), np.zeros((2, 2), "f4"), np.eye(3, 4)):
        memory = io.BytesIO()
        np.save(memory, array)
        found.append(memory.getvalue())
    return found


def _read_heights(folder: Path, data: bytes) -> None:
    _put(folder / "h.npy", data)
    text = _HEAD.replace("fixed = true\n", "size = [3, 4]\n").format("height_field", "h.npy")
    rc.load_scene(_put(folder / "scene.toml", text.encode()))


# Studies.
def _study_seeds() -> list[bytes]:
    from sweep_cases import STUDY

    ranges = STUDY.replace("values = [0.25, 0.5]", "from = 0.1\nto = 0.9\ncount = 4")
    drawn = ranges.replace("count = 4\n", "") + '[sampling]\nmethod = "random"\ncount = 5\n'
    texts = [STUDY, ranges, drawn, STUDY + '[set]\n"simulation.until" = 0.5\n']
    return [text.encode() for text in texts]


def _read_study(folder: Path, data: bytes) -> None:
    from sweep_cases import write_study

    path = write_study(folder, "")
    sweep = rc.load_sweep(_put(path, data))
    sweep.points()


def _outcome_seeds() -> list[bytes]:
    from rollcone.sweep.results import Outcome, write_outcome

    with TemporaryDirectory() as folder:
        place = Path(folder)
        write_outcome(place, _case(), Outcome({"distance": 1.5, "time": 0.2}, {"steps": 300}))
        return [(place / "result.json").read_bytes()]


@cache
def _case() -> Any:
    from sweep_cases import write_study

    with TemporaryDirectory() as folder:
        return rc.load_sweep(write_study(Path(folder))).cases()[0]


def _read_outcome(folder: Path, data: bytes) -> None:
    from rollcone.sweep.results import read_outcome

    _put(folder / "result.json", data)
    read_outcome(folder, _case())


# Fits.
def _fit_seeds() -> list[bytes]:
    from test_fit_files import FIT

    return [FIT.encode(), _FIT_CURVE.encode()]


_FIT_CURVE = """\
scene = "ball.toml"
[[parameter]]
key = "contact.rolling"
from = 0.02
to = 0.2
[[target]]
kind = "body"
body = "ball"
quantity = "speed"
file = "curve.csv"
"""


def _read_fit(folder: Path, data: bytes, curve: bytes = b"1 2 0.1\n2 1.5 0.1\n") -> None:
    from test_fit_files import SCENE

    _put(folder / "ball.toml", SCENE.encode())
    _put(folder / "curve.csv", curve)
    rc.load_fit(_put(folder / "fit.toml", data))


# Contact problems.
def _problem_seeds(binary: bool) -> list[bytes]:
    from test_fuzzed_files import BINARY, TEXT, valid

    return [valid(name) for name in (BINARY if binary else TEXT) if name != "heap"]


def _heap_seeds() -> list[bytes]:
    from test_heap_archives import heap_entries

    found = []
    for save in (np.savez, np.savez_compressed):
        memory = io.BytesIO()
        save(memory, **heap_entries())
        found.append(memory.getvalue())
    return found


def _read_problem(name: str) -> Callable[[Path, bytes], None]:
    def read(folder: Path, data: bytes) -> None:
        path = _put(folder / name, data)
        for load in (rc.load_problem, rc.load_fclib):
            try:
                load(path)
            except rc.FileError as error:
                _tells(error, str(path))

    return read


# Runs.
@cache
def _run_files() -> dict[str, bytes]:
    """A finished run with joints, and one that was killed: its folder and what it continues."""
    from cli_runs import rolling_world

    with TemporaryDirectory() as place:
        folder = Path(place)
        world = rolling_world()
        wheel = world.add_sphere(radius=0.1, mass=1.0, position=(0, 4, 1))
        world.add_joint(kind="revolute", body=wheel, point=(0, 4, 1), axis=(0, 1, 0), name="hinge")
        world.add_emitter(
            shape="sphere", radius=0.05, density=1000, low=(-1, -1, 2), high=(1, 1, 3), rate=50,
            count=3,
        )  # fmt: skip
        settings: dict[str, Any] = {"step": 0.01, "flush": 0.0}
        rc.simulate(world, until=0.05, output=folder / "run.h5", **settings)
        rc.simulate(world, until=0.05, output=folder / "few.h5", contacts="summary", **settings)
        killed = rc.Simulation(world.copy(), output=folder / "killed.h5", **settings)
        killed.advance(0.05)
        part = folder / "killed.h5.part"
        found = {path.name: path.read_bytes() for path in part.iterdir() if path.suffix == ".h5"}
        found |= {name: (folder / name).read_bytes() for name in ("run.h5", "few.h5")}
        killed.close()
        return found


def look_at(run: rc.Run) -> None:
    """At all that a run file holds."""
    run.summary()
    repr(run)
    for k in range(min(len(run.time), 8)):
        run.joints(k)
    for name in ("position", "orientation", "velocity", "angular_velocity"):
        run.states(name)[-1]
    for number in range(min(len(run.world.state), 8)):
        run.body(number)
    for number in range(len(run.world.joints.specs)):
        run.joint(number)
    _ = run.energy, run.drift, run.limits, run.tempered, run.converged
    if run.contact_level != "none":
        run.contact_summary()
    if run.contact_level == "full":
        run.contacts(-1)


def _read_run(folder: Path, data: bytes) -> None:
    from rollcone.resuming import describe, resumed

    path = _put(folder / "run.h5", data)
    run = rc.open_run(path)
    look_at(run)
    describe(run._source)
    simulation = resumed(path)
    run._source.close()
    with np.errstate(all="ignore"):
        simulation.take_step()
    simulation.close()


def _read_part(name: str) -> Callable[[Path, bytes], None]:
    """A run in progress of which one file is damaged."""

    def read(folder: Path, data: bytes) -> None:
        part = folder / "killed.h5.part"
        part.mkdir()
        for other, content in _run_files().items():
            if other not in ("run.h5", "few.h5"):
                _put(part / other, data if other == name else content)
        _put(part / name, data)
        run = rc.open_run(folder / "killed.h5")
        look_at(run)
        run._source.close()
        from rollcone.resuming import complete

        complete(folder / "killed.h5").close()

    return read


# Robots.
def _urdf_seeds() -> list[bytes]:
    from urdf_cases import ARM

    return [ARM.encode(), *_texts((EXAMPLES / "robots").glob("*.urdf"))]


def _read_urdf(folder: Path, data: bytes) -> None:
    path = _put(folder / "robot.urdf", data)
    for fixed in (True, False):
        try:
            rc.load_urdf(path, fixed_base=fixed).world.check()
        except rc.RollconeError as error:
            _tells(error, str(path))


def _read_urdf_mesh(folder: Path, data: bytes) -> None:
    _put(folder / "m.stl", data)
    text = (
        '<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" '
        'izz="1"/></inertial><collision><geometry><mesh filename="m.stl"/></geometry></collision>'
        "</link></robot>"
    )
    for how in ("hull", "box"):
        rc.load_urdf(_put(folder / "robot.urdf", text.encode()), meshes=how)


READERS = [
    Reader("scene", _scene_seeds, _read_scene, (words_changed, words_changed, bytes_damaged)),
    Reader("study", _study_seeds, _read_study, (words_changed, words_changed, bytes_damaged)),
    Reader("outcome", _outcome_seeds, _read_outcome, (words_changed, bytes_damaged)),
    Reader("fit", _fit_seeds, _read_fit, (words_changed, words_changed, bytes_damaged)),
    Reader(
        "curve",
        lambda: [b"time, value\n0, 1.5\n1, 1.25\n", b"0 1 0.1\n1 2 0.1\n# end\n"],
        lambda folder, data: _read_fit(folder, _FIT_CURVE.encode(), data),
        (words_changed, bytes_damaged),
    ),
    _mesh("stl", bytes_damaged, words_changed),
    _mesh("obj", words_changed, bytes_damaged),
    _mesh("ply", bytes_damaged),
    _mesh("off", words_changed, bytes_damaged),
    _mesh("glb", bytes_damaged, words_changed),
    _mesh("dae", words_changed, bytes_damaged),
    Reader("heights", _array_seeds, _read_heights, (bytes_damaged, words_changed)),
    Reader(
        "problem-hdf5",
        lambda: _problem_seeds(True),
        _read_problem("problem.h5"),
        (entries_changed, bytes_damaged),
    ),
    Reader(
        "problem-text",
        lambda: _problem_seeds(False),
        _read_problem("problem.dat"),
        (words_changed, bytes_damaged),
    ),
    Reader("heap", _heap_seeds, _read_problem("heap.npz"), (archive_changed, bytes_damaged)),
    Reader(
        "run",
        lambda: [_run_files()["run.h5"], _run_files()["few.h5"]],
        _read_run,
        (entries_changed, bytes_damaged),
    ),
    Reader(
        "checkpoint",
        lambda: [_run_files()["checkpoint.h5"]],
        _read_part("checkpoint.h5"),
        (entries_changed, bytes_damaged),
    ),
    Reader(
        "moments",
        lambda: [_run_files()["000001.h5"]],
        _read_part("000001.h5"),
        (entries_changed, bytes_damaged),
    ),
    Reader("urdf", _urdf_seeds, _read_urdf, (words_changed, words_changed, bytes_damaged)),
    Reader("urdf-mesh", lambda: _mesh_seeds("stl"), _read_urdf_mesh, (bytes_damaged,)),
]
BY_NAME = {reader.name: reader for reader in READERS}
