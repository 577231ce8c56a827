"""glTF files: the scene as trimesh reads it, the animation against the recorded states."""

import json
import struct

import numpy as np
import pytest

import rollcone as rc
from mixed_runs import mixed_run
from rollcone.export.gltf import save_gltf
from scenes import matrix

UP = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])  # z of the world is y of glTF


def parse(path):
    """The document and a function that gives the values of an accessor."""
    data = path.read_bytes()
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    size, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON"
    document = json.loads(data[20 : 20 + size])
    rest, kind = struct.unpack_from("<I4s", data, 20 + size)
    assert kind == b"BIN\0"
    assert rest == len(data) - 28 - size
    assert size % 4 == rest % 4 == 0
    buffer = data[28 + size :]

    def values(number):
        accessor = document["accessors"][number]
        view = document["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        dtype = {5126: "<f4", 5125: "<u4"}[accessor["componentType"]]
        count = accessor["count"] * width
        assert view["byteLength"] == 4 * count
        return np.frombuffer(buffer, dtype, count, view["byteOffset"]).reshape(-1, width)

    return document, values


def channels(document, values):
    """By name of the body and path, the values over the times."""
    (animation,) = document["animations"]
    found = {}
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        name = document["nodes"][channel["target"]["node"]]["name"]
        found[name, channel["target"]["path"]] = values(sampler["output"])
    return values(animation["samplers"][0]["input"])[:, 0], found


def test_the_animation_is_the_motion(tmp_path):
    run, path = mixed_run(), tmp_path / "a.glb"
    save_gltf(run, path, detail=1)
    times, found = channels(*parse(path))
    np.testing.assert_allclose(times, run.time, rtol=1e-6)
    for name in ("ball", "rod0", "rod1"):
        track = run.body(name)
        np.testing.assert_allclose(found[name, "translation"], track.position, atol=1e-6)
        for turn, expected in zip(found[name, "rotation"], track.orientation, strict=True):
            np.testing.assert_allclose(matrix(np.roll(turn, 1)), matrix(expected), atol=1e-6)
    steps = (np.diff(found["rod0", "rotation"], axis=0) ** 2).sum(axis=1)
    assert steps.max() < 0.1  # no jump to the other sign
    assert not [key for key in found if key[0] in ("floor", "block")]  # they rest


def test_bodies_come_and_go_by_their_scale(tmp_path):
    save_gltf(mixed_run(), tmp_path / "a.glb", detail=1)
    _, found = channels(*parse(tmp_path / "a.glb"))
    late, box = found["late", "scale"], found["box", "scale"]
    assert np.abs(late[:21]).max() < 1e-8
    np.testing.assert_allclose(late[21:], 0.25)
    np.testing.assert_allclose(box[:41], [(0.2, 0.3, 0.1)] * 41, rtol=1e-6)
    assert np.abs(box[41:]).max() < 1e-8
    assert ("ball", "scale") not in found


def test_quaternions_that_change_sign_do_not_turn_the_long_way(tmp_path):
    world = rc.World()
    world.add_sphere(radius=1.0, mass=1.0, angular_velocity=(0, 0, 7), name="top")
    run = rc.simulate(world, until=3.0, step=0.05)
    save_gltf(run, tmp_path / "a.glb", detail=0)
    _, found = channels(*parse(tmp_path / "a.glb"))
    turns = found["top", "rotation"]
    assert ((turns[1:] * turns[:-1]).sum(axis=1) > 0.9).all()


def test_the_scene_at_the_start(tmp_path):
    trimesh = pytest.importorskip("trimesh")
    run = mixed_run()
    save_gltf(run, tmp_path / "a.glb", detail=2)
    scene = trimesh.load(tmp_path / "a.glb")
    for name in ("ball", "rod0", "block"):
        number = run.world.number_of(name)
        nodes = [n for n in scene.graph.nodes_geometry if n == name or n.startswith(f"{name}_")]
        points = np.concatenate(
            [
                trimesh.transform_points(scene.geometry[geometry].vertices, frame)
                for frame, geometry in (scene.graph[node] for node in nodes)
            ]
        )
        center = UP @ run.states("position")[0, number]
        axes = matrix(run.states("orientation")[0, number])
        own = (points - center) @ UP @ axes  # back in body axes
        size = run.world.state.size[number]
        np.testing.assert_allclose(own.max(axis=0), size, rtol=1e-5)
        np.testing.assert_allclose(own.min(axis=0), -size, rtol=1e-5)


def test_an_empty_world(tmp_path):
    save_gltf(rc.Simulation(rc.World(), step=0.1).run, tmp_path / "a.glb")
    document, _ = parse(tmp_path / "a.glb")
    assert "animations" not in document
    assert len(document["nodes"]) == 1


def test_long_runs_are_thinned(tmp_path):
    world = rc.World()
    world.add_sphere(radius=1.0, mass=1.0, velocity=(1, 0, 0), name="ball")
    run = rc.simulate(world, until=1.5, step=0.001)
    save_gltf(run, tmp_path / "a.glb", detail=0)
    times, found = channels(*parse(tmp_path / "a.glb"))
    assert len(times) == 1000
    np.testing.assert_allclose(found["ball", "translation"][:, 0], times, atol=1e-6)
    assert times[-1] == pytest.approx(1.5)
