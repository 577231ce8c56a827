"""Grains of runs and worlds: who is one, who is on the floor, who flies, whatever way is up."""

import numpy as np
import pytest

import rollcone as rc
from rollcone.mechanics.rotations import rotation_matrix

R = 0.1


def pyramid(turn=(1, 0, 0, 0), shift=(0, 0, 0)):
    """Four spheres on the floor, one on them, one in flight; a wall; turned and moved."""
    matrix = rotation_matrix(turn)

    def place(x):
        return matrix @ np.array(x, dtype=float) + shift

    world = rc.World(gravity=matrix @ (0, 0, -9.81))
    world.add_plane(normal=matrix @ (0, 0, 1), point=shift, name="floor")
    world.add_plane(normal=matrix @ (1, 0, 0), point=place((-1, 0, 0)))
    world.add_sphere(radius=0.3, fixed=True, position=place((0.8, 0, 0.3)))
    for x, y in ((-R, -R), (R, -R), (R, R), (-R, R)):
        world.add_sphere(radius=R, density=1000, position=place((x, y, R)))
    top = (0, 0, R + np.sqrt(2) * R)
    world.add_sphere(radius=R, density=1000, position=place(top))
    world.add_sphere(radius=R, density=1000, position=place((0, 0, 2)), name="flying")
    world.set_contact_law(rc.ContactLaw(sliding=0.8, rolling=0.02))
    return world


HEIGHT = 2 * R + np.sqrt(2) * R


@pytest.mark.parametrize("turn", [(1, 0, 0, 0), (0, 1, 0, 0), (0.5, 0.5, -0.1, 0.7)])
def test_a_run(turn):
    turn = np.array(turn) / np.linalg.norm(turn)
    run = rc.simulate(pyramid(turn, (1, 2, 3)), until=0.05, step=0.01)
    heap = rc.granular.grains(run)
    assert heap.number.tolist() == [3, 4, 5, 6, 7]
    assert heap.height == pytest.approx(HEIGHT, abs=1e-6)
    assert heap.base.tolist() == [True] * 4 + [False]
    assert heap.mean_radius == pytest.approx(np.sqrt(2) * R, abs=1e-6)
    found = heap.coordination()
    assert found.count[4] == 4
    assert (found.count[:4] >= 2).all()
    assert found.rattlers == 0
    mean = heap.normal_forces().mean
    assert mean == pytest.approx(heap.force[heap.force > 1e-6 * mean].mean())
    middle = heap.position[:4, :2].mean(axis=0)
    np.testing.assert_allclose(heap.walls[:, :2] @ middle - heap.walls[:, 2], [1.0])
    every = rc.granular.grains(run, flying=True)
    assert len(every) == 6
    assert every.height > 2
    assert every.coordination().rattlers == 1
    weight = 5 * 1000 * 4 / 3 * np.pi * R**3 * 9.81
    floor = (heap.pairs < 0).any(axis=1)
    assert heap.force[floor].sum() == pytest.approx(weight, rel=1e-6)


def test_a_world_has_no_contacts():
    heap = rc.granular.grains(pyramid())
    assert heap.height == pytest.approx(HEIGHT)
    assert heap.base.sum() == 4
    low, high = (-2 * R, -2 * R, 0), (2 * R, 2 * R, 2 * R)
    below = 4 * 4 / 3 * np.pi * R**3
    cut = np.sqrt(2) - 1  # its centre is so many radii above the lid
    top = np.pi / 3 * R**3 * (1 - cut) ** 2 * (2 + cut)
    share = (below + top) / (4 * R * 4 * R * 2 * R)
    assert heap.packing_fraction(low, high) == pytest.approx(share)
    with pytest.raises(rc.InputError, match="contacts are not known"):
        heap.coordination()


def test_moments_and_removed_bodies():
    simulation = rc.Simulation(pyramid(), step=0.01)
    simulation.advance(0.02)
    simulation.world.remove("flying")
    simulation.world.add_sphere(radius=R, density=1000, position=(3, 0, R))
    run = simulation.advance(0.04)
    assert rc.granular.grains(run, 0, flying=True).number.tolist() == [3, 4, 5, 6, 7, 8]
    assert rc.granular.grains(run, -1, flying=True).number.tolist() == [3, 4, 5, 6, 7, 9]
    assert rc.granular.grains(run.world).number.tolist() == [3, 4, 5, 6, 7, 9]


def test_without_recorded_contacts_gaps_tell():
    run = rc.simulate(pyramid(), until=0.05, step=0.01, contacts="none")
    assert rc.granular.grains(run).number.tolist() == [3, 4, 5, 6, 7]


def test_what_cannot_be_told():
    world = rc.World(gravity=(0, 0, -9.81))
    ball = world.add_sphere(radius=R, mass=1.0, position=(0, 0, 1))
    with pytest.raises(rc.InputError, match="no plane or fixed box is level"):
        rc.granular.grains(world)
    with pytest.raises(rc.InputError, match="in flight"):
        rc.granular.grains(world, floor=0.0)
    assert rc.granular.grains(world, floor=0.9).height == pytest.approx(0.2)
    world.remove(ball)
    with pytest.raises(rc.InputError, match="no dynamic sphere"):
        rc.granular.grains(world)
    with pytest.raises(rc.InputError, match="gravity is zero"):
        rc.granular.grains(rc.World())


@pytest.mark.parametrize("turn", [(1, 0, 0, 0), (0.5, 0.5, -0.1, 0.7)])
def test_a_tray_of_boxes(turn):
    """Its floor is the lowest top of a box, its walls the faces that all grains are before."""
    turn = np.array(turn) / np.linalg.norm(turn)
    matrix = rotation_matrix(turn)
    world = rc.World(gravity=matrix @ (0, 0, -9.81))
    tray = {"size": (2.0, 3.0, 0.5), "position": (1, 2, 3), "orientation": turn}
    world.add_container(shape="tray", **tray)
    for x in (0.0, 0.5, -0.7):
        world.add_sphere(radius=R, density=1000, position=matrix @ (x, 0.4, R) + (1, 2, 3))
    heap = rc.granular.grains(world)
    assert heap.height == pytest.approx(2 * R)
    assert heap.base.all()
    away = heap.walls[:, :2] @ heap.position[0, :2] - heap.walls[:, 2]
    np.testing.assert_allclose(sorted(away), [1.0, 1.0, 1.1, 1.9])


def test_a_floor_of_boxes_that_are_not_level():
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_box(size=(1, 1, 0.1), fixed=True, orientation=rc.rotation((1, 0, 0), 10))
    world.add_sphere(radius=R, density=1000, position=(0, 0, 1))
    with pytest.raises(rc.InputError, match="no plane or fixed box is level"):
        rc.granular.grains(world)


def test_a_periodic_box():
    """Spheres that have gone round count where their images are; a heap has no middle there."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane()
    world.set_periodic(x=(0, 1), y=(0, 0.5))
    for k in range(3):
        world.add_sphere(radius=R, density=1000, position=(0.3 * k, 0.25, R), velocity=(2, 0, 0))
    run = rc.simulate(world, until=2.0, step=0.01)
    heap = rc.granular.grains(run)
    assert heap.position[:, 0].min() > 3  # all round, several times
    share = 3 * 4 / 3 * np.pi * R**3 / (0.5 * 2 * R)
    assert heap.packing_fraction((0, 0, 0), (1, 0.5, 2 * R)) == pytest.approx(share, rel=1e-6)
    assert heap.height == pytest.approx(2 * R, abs=1e-6)
    for measure in (lambda: heap.mean_radius, heap.angle_of_repose):
        with pytest.raises(rc.InputError, match="periodic box"):
            measure()
    with pytest.raises(rc.InputError, match="flying=True"):
        rc.granular.grains(world)
    assert len(rc.granular.grains(world, flying=True)) == 3


def test_grains_of_something_else():
    with pytest.raises(rc.InputError, match="grains of a int: must be a Run or a World"):
        rc.granular.grains(3)
