"""Files made to do harm: a few bytes that claim to be more than all memory. Each is refused, with a
word on what is wrong, before memory is taken."""

from __future__ import annotations

import json
import struct
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from readers import _run_files

import rollcone as rc

HEAD = "[simulation]\nuntil = 1\nstep = 0.1\n\n"
BALL = 'shape = "sphere"\nradius = 0.1\nmass = 1\n'
REGION = "low = [0, 0, 0]\nhigh = [1e6, 1e6, 1e6]\n"
FAIR = 1e8  # bytes


def refused(action: Callable[[], object], words: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(rc.RollconeError, match=words):
            action()
        assert tracemalloc.get_traced_memory()[1] < FAIR
    finally:
        tracemalloc.stop()


def load(folder: Path, text: str) -> rc.Scene:
    path = folder / "scene.toml"
    path.write_text(HEAD + text)
    return rc.load_scene(path)


SCENES = {
    "emitter": (
        f"[[emitter]]\nrate = 1\ncount = {10**12}\n{REGION}{BALL}",
        "count = 1000000000000",
    ),
    "packing": (f"[[packing]]\ncount = {10**12}\n{REGION}{BALL}", "count = 1000000000000"),
    "grid": (f"[[grid]]\ncounts = [10000, 10000, 10000]\nspacing = 1\n{BALL}", "at most 1000000"),
    "nested": (f"x = {'[' * 10**5}", "nested too deeply"),
    "key": (f"a{'.a' * 10**5} = 1", "scene.toml:5: a key of more than 50 parts"),
    "quoted key": ('"a b" . ' * 10**4 + "c = 1", "a key of more than 50 parts"),
    "table": (f"[{'a.' * 10**4}b]", "a key of more than 50 parts"),
    "number": (f"x = {'9' * 10**5}", "4300 digits|larger than|too large"),
    "many problems": ('[[body]]\nshape = "sphere"\n' * 1000, r"and \d+ more problems"),
}


@pytest.mark.parametrize("name", SCENES)
def test_scenes(name, tmp_path):
    text, words = SCENES[name]
    refused(lambda: load(tmp_path, text), words)


def test_a_scene_of_many_bytes(tmp_path):
    path = tmp_path / "scene.toml"
    with path.open("wb") as file:
        file.truncate(10**11)  # of which nothing is on the disk
    refused(lambda: rc.load_scene(path), "larger than 50000000 bytes")


def glb(count: int) -> bytes:
    """A scene of one mesh that claims so many vertices."""
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": count, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteLength": 12 * count}],
        "buffers": [{"byteLength": 12 * count}],
    }  # fmt: skip
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    parts = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", 0, 0x004E4942)
    return struct.pack("<III", 0x46546C67, 2, 12 + len(parts)) + parts


PLY = """ply
format {} 1.0
element vertex 1000000000000
property float x
property float y
property float z
element face 1000000000000
property list uchar int vertex_indices
end_header
"""
ENTITIES = "".join(
    f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)
BOMB = f'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">{ENTITIES}]>'
MESHES = {
    "stl": bytes(80) + struct.pack("<I", 4_000_000_000) + bytes(50),
    "ply": PLY.format("binary_little_endian").encode() + bytes(100),
    "off": b"OFF\n1000000000000 1000000000000 0\n0 0 0\n",
    "glb": glb(10**12),
    "obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 1000000000000\n",
    "dae": f"{BOMB}<COLLADA>&i;</COLLADA>".encode(),
}


@pytest.mark.parametrize("kind", MESHES)
def test_meshes(kind, tmp_path):
    pytest.importorskip("trimesh")
    (tmp_path / f"m.{kind}").write_bytes(MESHES[kind])
    text = f'[[body]]\nfixed = true\nshape = "mesh"\nfile = "m.{kind}"\n'
    refused(lambda: load(tmp_path, text), rf"body\[0\].file = .*m.{kind}'")


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 1000000), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 5), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999999, 5), }",
        "{'descr': '|O', 'fortran_order': False, 'shape': (2, 2), }",
        "{'descr': " + "[" * 3000 + "]" * 3000 + ", 'fortran_order': False, 'shape': (1,), }",
    ],
    ids=["large", "negative", "beyond integers", "objects", "nested"],
)
def test_height_fields(header, tmp_path):
    text = header.encode().ljust(118) + b"\n"
    data = b"\x93NUMPY\x01\0" + struct.pack("<H", len(text)) + text + bytes(400)
    (tmp_path / "h.npy").write_bytes(data)
    scene = '[[body]]\nshape = "height_field"\nsize = [1, 1]\nfile = "h.npy"\n'
    refused(lambda: load(tmp_path, scene), r"body\[0\].file = .*h.npy'")


@pytest.mark.parametrize("text", [f"{BOMB}<robot>&i;</robot>", "<robot>" + "<link>" * 10**5])
def test_robots(text, tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(text)
    refused(lambda: rc.load_urdf(path), "robot.urdf:1: ")


def huge(file: h5py.File, name: str, **options: Any) -> None:
    """An array of 1e12 rows, of which nothing is in the file."""
    old = file[name]
    shape, kind = (10**12, *old.shape[1:]), old.dtype
    del file[name]
    file.create_dataset(name, shape, kind, chunks=tuple(min(n, 64) for n in shape), **options)


def bomb(file: h5py.File, name: str) -> None:
    """100 MB of zeros in one chunk of 100 kB."""
    kind, tail = file[name].dtype, file[name].shape[1:]
    shape = (10**8 // 8 // max(int(np.prod(tail)), 1), *tail)
    del file[name]
    data = np.zeros(shape, kind)
    file.create_dataset(name, data=data, chunks=shape, compression="gzip")


def elsewhere(file: h5py.File, name: str) -> None:
    shape, kind = file[name].shape, file[name].dtype
    del file[name]
    file.create_dataset(name, shape, kind, external=[("/dev/zero", 0, h5py.h5f.UNLIMITED)])


def linked(file: h5py.File, name: str) -> None:
    del file[name]
    file[name] = h5py.SoftLink("/time")


def itself(file: h5py.File, _: str) -> None:
    file["states/again"] = file["/"]


ARRAYS = ["time", "states/position", "contacts/gap", "energy/kinetic", "checkpoint/bodies/mass",
          "checkpoint/kept/force", "joints/values"]  # fmt: skip


@pytest.mark.parametrize("harm", [huge, bomb, elsewhere, linked, itself])
@pytest.mark.parametrize("name", ARRAYS)
def test_runs(harm, name, tmp_path):
    path = tmp_path / "run.h5"
    path.write_bytes(_run_files()["run.h5"])
    with h5py.File(path, "r+") as file:
        harm(file, name)
    refused(lambda: rc.open_run(path).time, f"{path}: is damaged ")


@pytest.mark.parametrize("name", ["states/position", "contacts/gap", "numbers"])
def test_runs_in_progress(name, tmp_path):
    part = tmp_path / "killed.h5.part"
    part.mkdir()
    for other, content in _run_files().items():
        (part / other).write_bytes(content)
    with h5py.File(part / "000001.h5", "r+") as file:
        huge(file, name)
    refused(lambda: rc.open_run(tmp_path / "killed.h5"), "killed.h5: is damaged ")
    refused(lambda: rc.resume(tmp_path / "killed.h5"), "killed.h5: is damaged ")
    assert (part / "checkpoint.h5").exists()  # nothing that may be mended is thrown away


def older(path: Path) -> None:
    """As earlier versions wrote it: with texts of variable length."""
    with h5py.File(path, "r+") as file:
        for name in ("format", "version", "id"):
            file.attrs[name] = file.attrs[name].decode()
        for name in ("scene", "checkpoint/notes"):
            text = bytes(file[name][()]).decode()
            del file[name]
            file[name] = text
        file["checkpoint/notes"].attrs["crc32"] = zlib.crc32(text.encode())


def test_texts_of_older_runs(tmp_path):
    """They are read; but HDF5 would look for ever for the end of a damaged heap of them."""
    path = tmp_path / "run.h5"
    path.write_bytes(_run_files()["run.h5"])
    want = rc.open_run(path).summary()
    older(path)
    assert rc.open_run(path).summary() == want
    whole = path.read_bytes()
    for place in (whole.index(b"GCOL") + 16, free_room(whole)):
        for size in (0, 2**63):
            path.write_bytes(whole[: place + 8] + struct.pack("<Q", size) + whole[place + 16 :])
            with pytest.raises(rc.FileError, match="a heap of texts is damaged"):
                rc.open_run(path)


def free_room(data: bytes) -> int:
    """Where in the first heap what is free begins: an object of number 0."""
    at = data.index(b"GCOL") + 16
    while True:
        index, _, _, size = struct.unpack_from("<HHIQ", data, at)
        if index == 0:
            return at
        at += 16 + (size + 7) // 8 * 8
