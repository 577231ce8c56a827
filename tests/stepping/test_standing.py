"""What stands, stands: stacks, arches, wedges, heavy bodies on light ones, weights on chains."""

import importlib.util
import math
from pathlib import Path

import numpy as np
import pytest

import rollcone as rc

ROOT = Path(__file__).parents[2]
G = 9.81
SHORT, LONG = 1.0, 60.0  # s


def example(name: str):
    specification = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def stack() -> rc.World:
    """Twenty boxes of a metre."""
    world = rc.World(gravity=(0, 0, -G))
    world.add_plane()
    world.set_contact_law(rc.ContactLaw(sliding=0.5))
    for k in range(20):
        world.add_box(size=(1, 1, 1), density=1000, position=(0, 0, k + 0.5))
    return world


def arch() -> rc.World:
    """Nine stones over 150 degrees, a quarter of the radius thick."""
    return example("stone_arch").arch(0.25, stones=9, embrace=150.0)


def wedge() -> rc.World:
    """A keystone of 20 degrees between two abutments."""
    return example("stone_arch").arch(0.25, stones=1, embrace=20.0)


def heavy_on_light() -> rc.World:
    """A block a million times as heavy as each of the four balls below it."""
    world = rc.World(gravity=(0, 0, -G))
    world.add_plane()
    world.set_contact_law(rc.ContactLaw(sliding=0.5, rolling=1e-3))
    for x, y in ((-0.3, -0.3), (-0.3, 0.3), (0.3, -0.3), (0.3, 0.3)):
        world.add_sphere(radius=0.05, mass=1e-3, position=(x, y, 0.05))
    world.add_box(size=(1, 1, 0.2), mass=1e3, position=(0, 0, 0.2))
    return world


STANDING = {"stack": stack, "arch": arch, "wedge": wedge, "heavy on light": heavy_on_light}


def creep(world: rc.World, until: float) -> float:
    run = rc.simulate(world, until=until, step=5e-3, record_every=20)
    assert run.converged
    position = run.states("position")
    return float(np.abs(position - position[0]).max())


@pytest.mark.parametrize("name", STANDING)
def test_it_stands(name):
    assert creep(STANDING[name](), SHORT) < 1e-10


@pytest.mark.slow
@pytest.mark.parametrize("name", STANDING)
def test_it_stands_for_a_minute(name):
    assert creep(STANDING[name](), LONG) < 1e-7


@pytest.mark.parametrize(("share", "stands"), [(0.1, False), (0.115, True)])
def test_how_thick_an_arch_must_be(share, stands):
    """A half circle stands if it is thicker than 0.1075 of its radius (Milankovitch 1904)."""
    run = rc.simulate(example("stone_arch").arch(share), until=0.25, step=5e-3, record_every=10)
    position = run.states("position")
    moved = np.abs(position[-1] - position[0]).max()
    assert moved < 1e-9 if stands else moved > 1e-2


def chain(links: int, ratio: float, sideways: bool) -> rc.World:
    """Links of 0.1 m and 10 g on spherical joints; the last is `ratio` times as heavy."""
    world, base, length = rc.World(gravity=(0, 0, -G)), None, 0.1
    way = np.array([1.0, 0, 0]) if sideways else np.array([0, 0, -1.0])
    for k in range(links):
        mass = 0.01 * (ratio if k == links - 1 else 1.0)
        across = mass * length**2 / 12
        body = world.add_capsule(
            radius=0.01,
            length=length - 0.02,
            mass=mass,
            inertia=(across, across, 1e-4 * mass),
            position=(k + 0.5) * length * way,
            orientation=rc.rotation((0, 1, 0), 90) if sideways else (1, 0, 0, 0),
        )
        world.add_joint(
            kind="spherical", body=body, base=base, point=k * length * way, name=f"joint {k}"
        )
        base = body
    return world


def test_a_heavy_weight_hangs_on_a_light_chain():
    """1 : 10^6; every joint carries what is below it."""
    run = rc.simulate(chain(10, 1e6, sideways=False), until=0.5, step=5e-3, record_every=10)
    assert run.converged
    for k in range(10):
        below = 0.01 * (9 - k + 1e6) * G
        force = run.joint(f"joint {k}").force[-1]
        assert np.linalg.norm(force) == pytest.approx(below, rel=1e-9)
    assert np.abs(run.states("velocity")[-1]).max() < 1e-9


def test_a_heavy_weight_swings_on_a_light_chain():
    """It falls from the side like a pendulum with the chain for a massless rod: a rod with the last
    link's moment of inertia about the hinge. Waves of the chain are far too quick for the step."""
    h, links, length = 5e-3, 10, 0.1
    run = rc.simulate(chain(links, 1e6, sideways=True), until=1.0, step=h, record_every=10)
    arm = (links - 0.5) * length
    place = run.body(links - 1).position
    assert run.drift.max() < 1e-10
    np.testing.assert_allclose(np.hypot(place[:, 0], place[:, 2]), arm, rtol=1e-4)
    # The weight turns with the chain: its moment about the hinge is m (arm^2 + length^2 / 12).
    reduced = (arm**2 + length**2 / 12) / arm
    angle = np.arctan2(-place[:, 2], place[:, 0])
    rate = math.sqrt(2 * G / reduced) * np.sqrt(np.sin(angle[-1]))
    speed = np.linalg.norm(run.body(links - 1).velocity[-1])
    assert speed == pytest.approx(arm * rate, rel=2e-3)
    audit = run.energy
    total = audit.kinetic + audit.potential
    assert np.ptp(total) < 2e-3 * audit.kinetic.max()
