"""Periodic boxes: a seam is no place, all that counts is conserved, and what is refused."""

import numpy as np
import pytest

import rollcone as rc
from rollcone.scene.read import read_scene

BOX = {"x": (-1.0, 1.0), "y": (0.0, 1.5), "z": (0.0, 2.5)}
LENGTHS = np.array([2.0, 1.5, 2.5])
PAIR = [(0, 0, 0, 0.08), (0.1, 0, 0, 0.06)]


def two_balls(middle, wrapped: bool) -> rc.Run:
    """They meet off centre about `middle`, spinning."""
    world = rc.World()
    world.set_periodic(**BOX)
    world.set_contact_law(rc.ContactLaw(sliding=0.3, rolling=0.01, restitution=0.5))
    for side in (-1, 1):
        place = middle + side * np.array([0.2, 0.03, 0.1])
        world.add_sphere(
            radius=0.1, mass=2.0 + side, position=world.wrapped(place) if wrapped else place,
            velocity=-side * np.array([1.0, 0.1, 0.3]), angular_velocity=(side, 2, 3),
        )  # fmt: skip
    return rc.simulate(world, until=0.4, step=5e-3)


@pytest.mark.parametrize("seam", [(1, 0.7, 1), (0, 1.5, 1), (0, 0.7, 0), (-1, 0, 2.5)])
def test_a_collision_across_the_seam_is_one_in_the_middle(seam):
    plain, crossing = two_balls(np.array([0.1, 0.7, 1.2]), False), two_balls(np.array(seam), True)
    assert plain.contact_count.max() == crossing.contact_count.max() == 1
    first = crossing.states("position")[0]
    assert np.any(np.abs(first[1] - first[0]) > 1.0)  # they begin on the two sides of the box
    for name in ("velocity", "angular_velocity", "orientation"):
        np.testing.assert_allclose(crossing.states(name), plain.states(name), atol=1e-12)
    way = [run.states("position") - run.states("position")[0] for run in (plain, crossing)]
    np.testing.assert_allclose(way[1], way[0], atol=1e-12)
    assert np.linalg.norm(plain.states("velocity")[-1] - plain.states("velocity")[0]) > 1.0
    hit = int(np.argmax(crossing.contact_count))
    point = crossing.contacts(hit).point[0]
    assert np.abs((point - seam + LENGTHS / 2) % LENGTHS - LENGTHS / 2).max() < 0.1


def bed(offset, wrapped: bool) -> rc.Run:
    """Spheres and clumps of some sizes fall on a plane and each other."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.set_periodic(x=(0, 0.9), y=(-0.4, 0.4))
    world.set_contact_law(rc.ContactLaw(sliding=0.5, rolling=2e-3))
    world.add_plane()
    rng = np.random.default_rng(4)
    for k, place in enumerate(np.ndindex(4, 4, 2)):
        x = np.array(place) * (0.22, 0.2, 0.25) + (0, -0.4, 0.12) + rng.uniform(-0.02, 0.02, 3)
        x += (*offset, 0.0)
        where = {"position": world.wrapped(x) if wrapped else x}
        if k % 3:
            world.add_sphere(radius=rng.uniform(0.06, 0.08), density=1000, **where)
        else:
            q = rng.normal(size=4)
            world.add_clump(
                spheres=[(0, 0, 0, 0.06), (0.05, 0, 0, 0.04)], density=1000,
                orientation=q / np.linalg.norm(q), **where,
            )  # fmt: skip
    return rc.simulate(world, until=0.3, step=5e-3, tolerance=1e-9)


def test_a_bed_may_be_shifted_by_any_way():
    """And bodies may be put in by any of their images."""
    plain = bed((0.0, 0.0), False)
    assert plain.contact_count[-1] > 25
    for offset, wrapped in (((0.31, -0.77), False), ((0.31, -0.77), True), ((900.0, 0.0), True)):
        other = bed(offset, wrapped)
        np.testing.assert_array_equal(other.contact_count, plain.contact_count)
        ways = [run.states("position") - run.states("position")[0] for run in (plain, other)]
        np.testing.assert_allclose(ways[1], ways[0], atol=1e-7)
        np.testing.assert_allclose(other.states("velocity"), plain.states("velocity"), atol=1e-5)


def test_neighbours_across_the_seam_carry():
    """A full layer with another on it: no sphere sinks between, as at an open edge it would."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.set_periodic(x=(0, 0.8), y=(0, 0.8))
    world.set_contact_law(rc.ContactLaw(sliding=0.0))
    world.add_plane()
    for z, shift in ((0.1, 0.0), (0.1 + 0.1 * np.sqrt(2), 0.1)):
        world.add_grid(
            shape="sphere", radius=0.1, density=1000, counts=(4, 4, 1), spacing=0.2,
            origin=(shift, shift, z),
        )  # fmt: skip
    run = rc.simulate(world, until=0.2, step=5e-3)
    assert run.contact_count[-1] == 16 + 2 * 16 + 2 * 16 + 4 * 16  # floor, each layer, between
    assert np.abs(run.states("position")[-1] - run.states("position")[0]).max() < 1e-6


def test_a_gas_keeps_its_momentum():
    """Spheres, clumps, boxes and capsules in a box without walls; they cross all its sides."""
    world = rc.World()
    world.set_periodic(**BOX)
    world.set_contact_law(rc.ContactLaw(sliding=0.2, restitution=0.9))
    made = {"density": 1000, "low": (-1, 0, 0), "high": (1, 1.5, 2.5)}
    world.add_packing(shape="sphere", radius=(0.08, 0.14), count=60, **made)
    world.add_packing(shape="clump", spheres=PAIR, count=10, **made)
    world.add_packing(shape="box", size=(0.1, 0.15, 0.2), count=4, **made)
    world.add_packing(shape="capsule", radius=0.05, length=0.1, count=4, **made)
    assert world.warnings() == []
    rng = np.random.default_rng(2)
    world.state.velocity[:] = rng.normal(size=(78, 3)) * 2 + (3, 0, 0)
    run = rc.simulate(world, until=0.5, step=2e-3, tolerance=1e-10)
    momentum = np.einsum("i,tij->tj", world.state.mass, run.states("velocity"))
    scale = world.state.mass.sum()
    np.testing.assert_allclose(momentum, np.tile(momentum[0], (251, 1)), atol=1e-11 * scale)
    assert run.contact_count.sum() > 20
    assert run.energy.kinetic[-1] < 0.99 * run.energy.kinetic[0]
    x = run.world.wrapped(run.states("position"))
    assert ((x >= (-1, 0, 0)) & (x <= (1, 1.5, 2.5))).all()
    assert np.ptp(run.states("position")[:, :, 0], axis=0).max() > 1.0  # not wrapped: they went far
    deepest = max(-run.contacts(k).gap.min(initial=0.0) for k in range(251))
    assert deepest < 3e-4


def test_packings_look_across_the_seam():
    world = rc.World()
    world.set_periodic(x=(0, 1), y=(0, 1))
    made = {"density": 1000, "low": (0, 0, 0), "high": (1, 1, 1)}
    world.add_packing(shape="sphere", radius=0.1, count=30, **made)
    world.add_packing(shape="sphere", radius=0.05, count=60, seed=1, **made)
    x, r = world.state.position, world.state.size[:, 0]
    d = x[:, None] - x[None]
    d[..., :2] -= np.rint(d[..., :2])
    apart = np.linalg.norm(d, axis=2) - r[:, None] - r[None]
    assert apart[~np.eye(90, dtype=bool)].min() >= 0
    inside = np.abs(x[:, None] - x[None])[..., :2].max(axis=2) > 0.5
    assert apart[inside].min() < 0.05  # the room beside the seam is used


def test_files(tmp_path):
    world = rc.World(gravity=(1, 0, -9.81))
    world.set_contact_law(rc.ContactLaw(sliding=0.3))
    world.set_periodic(x=(0, 1), z=(-3, 7))
    world.add_sphere(radius=0.1, density=1000, position=(0.95, 0, 0))
    world.add_sphere(radius=0.1, density=1000, position=(0.1, 0, 0.05), velocity=(-2, 0, 0))
    twin = read_scene(world.to_scene(until=1, step=1e-2), "twin").world
    assert twin.periodic == world.periodic == {"x": [0, 1], "z": [-3, 7]}
    assert twin.state.period.tolist() == [1, 0, 10]
    whole = rc.simulate(world, until=0.2, step=5e-3)
    path = tmp_path / "run.h5"
    rc.simulate(world, until=0.1, step=5e-3, output=path)
    run = rc.resume(path, until=0.2)
    assert whole.contact_count.max() == 1
    assert run.world.periodic == world.periodic
    assert run.world.state.position.tobytes() == whole.world.state.position.tobytes()
    copy = world.copy()
    copy.set_periodic()
    assert world.periodic
    assert not copy.periodic
    assert rc.simulate(copy, until=0.2, step=5e-3).contact_count.max() == 0


@pytest.mark.parametrize(
    ("ends", "message"),
    [
        ({"x": (0, -1)}, r"periodic x = \(0, -1\): must be \(low, high\) in metres, low < high"),
        ({"y": (1, 1)}, r"periodic y = \(1, 1\): .*low < high"),
        ({"y": 3}, r"periodic y = 3: must be \(low, high\)"),
        ({"w": (0, 1)}, "w: must be one of the axes x, y and z"),
        ({"x": (0, np.inf)}, r"periodic x\[1\] = inf: must be finite"),
    ],
)
def test_no_box(ends, message):
    with pytest.raises(rc.InputError, match=message):
        rc.World().set_periodic(**ends)


def test_bodies_that_do_not_fit():
    def world(**ends) -> rc.World:
        found = rc.World()
        found.set_periodic(**(ends or {"x": (0, 1)}))
        return found

    def refused(given: rc.World, message: str) -> None:
        with pytest.raises(rc.InputError, match=message):
            rc.simulate(given, until=0.01, step=0.01)

    large = world()
    large.add_sphere(radius=0.26, mass=1, name="ball")
    refused(large, "periodic x of length 1 m: body 'ball' reaches 0.26 m .*at most a quarter")
    poured = world()
    poured.add_emitter(
        shape="box", size=(0.5, 0.1, 0.1), mass=1, low=(0, 0, 0), high=(1, 1, 1), rate=1, count=1
    )
    refused(poured, "Emitter.*reaches 0.259")
    wall = world()
    wall.add_plane(normal=(1, 0, 1), name="ramp")
    refused(wall, "plane 'ramp' with the normal .*: must be along x, the axis")
    turning = world(y=(0, 1))
    turning.add_plane(angular_velocity=(0, 0, 1), name="disc")
    refused(turning, "plane 'disc': must not turn in a periodic box")
    ramp = world(y=(0, 1))
    ramp.add_plane(normal=(1, 0, 1))
    ramp.add_sphere(radius=0.25, mass=1, position=(0, 0, 0.4))
    rc.simulate(ramp, until=0.01, step=0.01)
