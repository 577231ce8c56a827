"""Run files of bodies that are made of parts: they open, go on to the bit, and refuse damage."""

import shutil

import h5py
import numpy as np
import pytest
from run_cases import assert_same

import rollcone as rc
from part_bodies import world_of_parts

SETTINGS = {"step": 5e-3, "tolerance": 1e-8}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("parts") / "whole.h5"
    rc.simulate(world_of_parts(mesh=False), until=0.1, output=path, **SETTINGS)
    return path


def test_worlds_come_back(whole):
    wanted, found = world_of_parts(mesh=False), rc.open_run(whole).world
    for name, table in wanted.state.parts.tables().items():
        np.testing.assert_array_equal(found.state.parts.tables()[name], table)
    assert found.body("tool").parts == wanted.body("tool").parts


def test_they_go_on_to_the_bit(whole, tmp_path):
    path = tmp_path / "part.h5"
    rc.simulate(world_of_parts(mesh=False), until=0.05, output=path, **SETTINGS)
    assert_same(rc.resume(path, until=0.1), rc.open_run(whole))


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("parts", lambda a: a[:-1]),
        ("parts", lambda a: np.where(a == a[0, 0], np.nan, a)),
        ("part_kinds", lambda a: a[::-1]),
        ("part_kinds", lambda a: a - (0, 0, 1)),
        ("part_kinds", lambda a: a + np.array((0, 9, 0))),
        ("part_kinds", lambda a: a + np.array((1, 0, 0))),
        ("hulls", lambda a: a + 1),
        ("hulls", lambda a: -a),
        ("hull_corners", lambda a: a[:, :2]),
        ("hull_corners", lambda a: a * np.nan),
        ("hull_starts", lambda a: a[::-1]),
        ("hull_numbers", lambda a: a + 1000),
        ("hull_numbers", lambda a: a[:0]),
    ],
)
def test_tables_that_cannot_be(whole, tmp_path, name, change):
    path = tmp_path / "damaged.h5"
    shutil.copy(whole, path)
    with h5py.File(path, "r+") as file:
        group = file["checkpoint/bodies"]
        values = change(group[name][()])
        del group[name]
        group[name] = values
    with pytest.raises(rc.FileError, match=r"damaged\.h5"):
        _ = rc.open_run(path).world


def test_files_of_before_parts_open(tmp_path):
    path = tmp_path / "old.h5"
    world = rc.World()
    world.add_sphere(radius=1, mass=1)
    rc.simulate(world, until=0.01, output=path, **SETTINGS)
    with h5py.File(path, "r+") as file:
        group = file["checkpoint/bodies"]
        for name in ("parts", "part_kinds", "hulls", "hull_corners", "hull_starts", "hull_numbers"):
            del group[name]
    assert len(rc.open_run(path).world.bodies) == 1
