"""A run file for the tests of commands that read one."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import rollcone as rc


def rolling_world() -> rc.World:
    """A ball that rolls, a box beside it."""
    world = rc.World(gravity=(0, 0, -10))
    world.set_contact_law(rc.ContactLaw(sliding=0.3, rolling=0.01))
    world.add_plane(name="floor")
    world.add_sphere(
        radius=0.5, mass=2.0, position=(0, 0, 0.5), velocity=(1, 0, 0),
        angular_velocity=(0, 2, 0), name="ball",
    )  # fmt: skip
    world.add_box(size=(0.5, 0.5, 0.5), mass=1.0, position=(0, 2, 0.25), name="box")
    return world


@cache
def _run_bytes() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rolling.h5"
        rc.simulate(rolling_world(), until=0.1, step=0.01, output=path)
        return path.read_bytes()


@pytest.fixture
def run_file(tmp_path):
    """A tenth of a second of it, simulated once."""
    path = tmp_path / "rolling.h5"
    path.write_bytes(_run_bytes())
    return path


@pytest.fixture
def hinged_file(tmp_path):
    """The same with a wheel on a hinge."""
    path, world = tmp_path / "hinged.h5", rolling_world()
    wheel = world.add_sphere(radius=0.1, mass=1.0, position=(0, 4, 1))
    hinge = {"name": "hinge", "body": wheel, "point": (0, 4, 1), "axis": (0, 1, 0)}
    world.add_joint(kind="revolute", angle=rc.Motor(speed=1.0), **hinge)
    rc.simulate(world, until=0.1, step=0.01, output=path)
    return path
