"""Worlds without boxes, capsules, clumps, disks or a periodic box run kernels that know none of
them: with the same contacts."""

import numpy as np
import pytest

import rollcone as rc
from rollcone.collision import detect
from rollcone.collision.detect import Detector
from rollcone.collision.grid import solids


def scene(boxes: int, capsules: int, clumps: int, disks: int, periodic: bool) -> rc.World:
    random = np.random.default_rng(7)
    world = rc.World()
    world.add_plane()
    if periodic:
        world.set_periodic(x=(0, 1.2), y=(0, 1.3))
    for _ in range(clumps):
        world.add_clump(
            spheres=[(0, 0, 0, 0.1), (0.15, 0, 0, 0.05)], mass=1.0,
            position=random.uniform(0.0, 0.6, 3),
        )  # fmt: skip
    for k in range(disks):  # away from the others
        world.add_disk(
            radius=0.3, mass=1.0, position=(3.0 + k, 0, 0.1), velocity=(0, 0, -1),
            orientation=rc.rotation((1, 0, 0), 30 * k),
        )  # fmt: skip
    for k in range(20 + boxes + capsules):
        place = {"position": random.uniform(0.0, 0.6, 3), "velocity": random.uniform(-1, 1, 3)}
        if k < boxes:
            world.add_box(size=random.uniform(0.1, 0.3, 3), mass=1.0, **place)
        elif k < boxes + capsules:
            world.add_capsule(radius=0.1, length=0.2, mass=1.0, **place)
        else:
            world.add_sphere(radius=random.uniform(0.05, 0.15), mass=1.0, **place)
    return world


@pytest.mark.parametrize(
    ("boxes", "capsules", "clumps", "disks", "periodic"),
    [
        (0, 0, 0, 0, False),  # the others compile for long
        pytest.param(4, 0, 0, 0, False, marks=pytest.mark.slow),
        pytest.param(0, 4, 0, 0, False, marks=pytest.mark.slow),
        pytest.param(0, 0, 4, 0, False, marks=pytest.mark.slow),
        pytest.param(0, 0, 0, 4, False, marks=pytest.mark.slow),
        pytest.param(0, 0, 0, 0, True, marks=pytest.mark.slow),
    ],
)
def test_the_form_for_all_shapes_finds_the_same(
    boxes, capsules, clumps, disks, periodic, monkeypatch
):
    state = scene(boxes, capsules, clumps, disks, periodic).state
    v, w, margin = state.velocity, state.angular_velocity, np.full(len(state), 1e-3)
    general = Detector().detect(state, v, w, 0.02, margin).copy()
    switches = solids(state)
    assert [switches[k] is not None for k in (0, 1, 2, 5, 3)] == [
        boxes > 0, capsules > 0, clumps > 0, disks > 0, periodic,
    ]  # fmt: skip
    monkeypatch.setattr(detect, "solids", solids)
    special = Detector().detect(state, v, w, 0.02, margin)
    assert len(general) > 20
    for name in ("bodies", "key", "gap", "normal", "arms", "point"):
        np.testing.assert_array_equal(getattr(special, name), getattr(general, name))
