"""Every scene of the gallery runs; those with a theory agree with it."""

import itertools

import numpy as np
import pytest
from scene_cases import GALLERY

import rollcone as rc

SCENES = sorted(GALLERY.glob("*.toml"))


def scene(name: str) -> rc.Scene:
    return rc.load_scene(GALLERY / f"{name}.toml")


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_every_scene_runs(path):
    loaded = rc.load_scene(path)
    step = loaded.settings["step"]
    run = loaded.simulate(until=3 * step)
    assert loaded.title
    assert loaded.world.warnings() == []
    assert len(repr(loaded)) < 150
    assert run.time[-1] == pytest.approx(3 * step)
    assert run.converged
    assert all(line[:1] != " " for line in path.read_text().splitlines())


def test_the_gallery_is_whole():
    named = {path.stem for path in SCENES}
    assert named >= {
        "rolling_disk", "sphere_on_plane", "heap", "block_on_incline", "dominoes",
        "newtons_cradle", "box_stack", "hopper",
    }  # fmt: skip


def test_sphere_on_plane():
    run = scene("sphere_on_plane").simulate()
    track = run.body("ball")
    assert track.position[-1, 0] == pytest.approx(21875 / 3924, abs=2e-6)
    assert np.abs(track.velocity[-1]).max() < 1e-12


def test_rolling_disk():
    track = scene("rolling_disk").simulate().body("disk")
    assert track.position[-1, 0] == pytest.approx(25 / 7, abs=1e-5)
    assert np.abs(track.velocity[-1]).max() < 1e-12


def test_block_on_incline():
    run = scene("block_on_incline").simulate(until=0.2)
    start, end = (run.states("position")[k] for k in (0, -1))
    assert np.abs(end[1] - start[1]).max() < 1e-9
    way = 5.1012 * run.time[-1] ** 2 / 2 * np.array([0.8, 0, -0.6])
    np.testing.assert_allclose(end[2] - start[2], way, atol=1e-6)


def test_newtons_cradle():
    run = scene("newtons_cradle").simulate()
    after = {body.name: body.velocity[0] for body in run.world.bodies}
    upper = [after["upper striker"], *(after[f"upper {k}"] for k in range(4))]
    np.testing.assert_allclose(upper, [0, 0, 0, 0, 1], atol=1e-9)
    lower = [after["lower striker"], after["lower 0"], after["lower 1"]]
    np.testing.assert_allclose(lower, [-1 / 3, 2 / 3, 2 / 3], atol=1e-9)


def test_box_stack():
    run = scene("box_stack").simulate(until=0.1)
    assert np.abs(run.states("position")[-1] - run.states("position")[0]).max() < 1e-12
    assert run.world.body("box 9").position[2] == pytest.approx(0.95)


def test_heap_is_poured_in_time():
    """With bodies that only fall, and are gone below the region: as fast as it says."""
    loaded = scene("heap")
    world, step = loaded.world, loaded.settings["step"]
    (emitter,) = world.emitters
    for k in itertools.count():
        emitter.emit(world, k * step)
        if emitter.placed == emitter.count or k * step > loaded.until:
            break
        fallen = [body for body in world.bodies[1:] if body.position[2] < 0.3]
        for body in fallen:
            world.remove(body)
        moving = world.state.kind == 0
        world.state.velocity[moving, 2] -= 9.81 * step
        world.state.position[moving] += step * world.state.velocity[moving]
    assert k * step < 2.1
    assert world.body("grain 999").shape == "sphere"


@pytest.mark.slow
def test_hopper_empties_into_the_tray():
    run = scene("hopper").simulate()
    grains = [body.position for body in run.world.bodies if body.dynamic]
    assert len(grains) == 250
    assert 0.009 < np.min(grains, axis=0)[2] < np.max(grains, axis=0)[2] < 0.2
    assert np.abs(grains)[:, :2].max() < 0.25
