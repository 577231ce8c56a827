"""Clumps: mass, centre and inertia of balls that may overlap, and what is refused."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import rollcone as rc
from rollcone.mechanics.rotations import rotation_matrix
from rollcone.mechanics.union import union_of
from rollcone.scene.read import read_scene

TETRAPOD = [(0.1, 0.1, 0.1, 0.1), (0.1, -0.1, -0.1, 0.1), (-0.1, 0.1, -0.1, 0.1),
            (-0.1, -0.1, 0.1, 0.1)]  # fmt: skip


def union(balls):
    return union_of(tuple(tuple(float(x) for x in ball) for ball in balls))


def tensor(body: rc.Body) -> np.ndarray:
    """In body axes."""
    state = body.world.state
    axes = rotation_matrix(state.principal[body.id])
    return axes @ np.diag(body.inertia) @ axes.T


def by_lines(balls, n: int = 400):
    """Volume, first and second moments: intervals of lines along x, exact, on a grid of lines."""
    balls = np.array(balls)
    low, high = (balls[:, :3] - balls[:, 3:]).min(0), (balls[:, :3] + balls[:, 3:]).max(0)
    y, z = (low[k] + (high[k] - low[k]) * (np.arange(n) + 0.5) / n for k in (1, 2))
    y, z = (a.ravel() for a in np.meshgrid(y, z))
    square = balls[:, 3] ** 2 - (y[:, None] - balls[:, 1]) ** 2 - (z[:, None] - balls[:, 2]) ** 2
    half = np.sqrt(np.maximum(square, 0.0))
    start = np.where(square > 0, balls[:, 0] - half, np.inf)
    order = np.argsort(start, axis=1)
    start = np.take_along_axis(start, order, 1)
    end = np.take_along_axis(balls[:, 0] + half, order, 1)
    reached = np.full(len(y), -np.inf)
    x0, x1, x2 = np.zeros((3, len(y)))
    for k in range(len(balls)):
        a, b = np.maximum(start[:, k], reached), end[:, k]
        new = np.isfinite(start[:, k]) & (b > a)
        a, b = np.where(new, a, 0.0), np.where(new, b, 0.0)
        x0, x1, x2 = x0 + b - a, x1 + (b**2 - a**2) / 2, x2 + (b**3 - a**3) / 3
        reached = np.where(new, b, reached)
    area = (high[1] - low[1]) * (high[2] - low[2]) / n**2
    xx, xy, xz = x2.sum(), (x1 * y).sum(), (x1 * z).sum()
    yy, yz, zz = (x0 * y * y).sum(), (x0 * y * z).sum(), (x0 * z * z).sum()
    second = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    first = np.array([x1.sum(), (x0 * y).sum(), (x0 * z).sum()])
    return area * x0.sum(), area * first, area * second


def test_one_ball_is_a_sphere():
    world = rc.World()
    ball = world.add_sphere(radius=0.3, density=700)
    clump = world.add_clump(spheres=[(5, 6, 7, 0.3)], density=700, position=(1, 2, 3))
    assert clump.mass == pytest.approx(ball.mass, rel=1e-15)
    np.testing.assert_allclose(clump.inertia, ball.inertia, rtol=1e-14)
    assert clump.spheres.tolist() == [[0, 0, 0, 0.3]]
    assert clump.position.tolist() == [1, 2, 3]
    assert (clump.shape, clump.name) == ("clump", "clump 1")
    np.testing.assert_array_equal(clump.size, (0.3, 0.3, 0.3))


def test_a_dumbbell_by_steiner():
    """Balls apart, of different sizes: in closed form."""
    a, b, apart = 0.2, 0.1, 0.7
    m, n = (4 / 3 * np.pi * 1000 * r**3 for r in (a, b))
    world = rc.World()
    body = world.add_clump(spheres=[(0, 0, 0, a), (0, apart, 0, b)], density=1000)
    middle = apart * n / (m + n)
    assert body.mass == pytest.approx(m + n, rel=1e-14)
    np.testing.assert_allclose(body.spheres[:, 1], (-middle, apart - middle), rtol=1e-14)
    along = 0.4 * (m * a**2 + n * b**2)
    across = along + m * middle**2 + n * (apart - middle) ** 2
    np.testing.assert_allclose(tensor(body), np.diag([across, along, across]), rtol=1e-13)


@pytest.mark.parametrize("axis", [(0, 0, 1), (1, 0, 0), (1, 2, 3)])
@pytest.mark.parametrize("apart", [0.1, 0.5, 0.99, 1.3, 1.499999])
def test_two_balls_less_their_lens(axis, apart):
    """The volume of the lens of two balls is known; so is the centroid's line."""
    r, s = 1.0, 0.5
    way = np.array(axis) / np.linalg.norm(axis)
    both = 4 / 3 * np.pi * (r**3 + s**3)
    lens = np.pi * (r + s - apart) ** 2
    lens *= (apart**2 + 2 * apart * (r + s) - 3 * (r - s) ** 2) / (12 * apart)
    if apart <= r - s:
        lens = 4 / 3 * np.pi * s**3
    found = union([(1, 1, 1, r), (*(1 + apart * way), s)])
    assert found.volume == pytest.approx(both - lens, rel=1e-6)
    centroid = found.centroid - 1
    np.testing.assert_allclose(np.cross(centroid, way), 0, atol=1e-6)
    J = np.linalg.eigvalsh(found.moments_about(found.centroid))
    assert min(abs(J[0] - J[1]), abs(J[1] - J[2])) < 1e-6  # a body of revolution


@pytest.mark.parametrize("seed", range(4))
def test_many_balls_against_lines(seed):
    """Balls in and over each other, three and more at a place; some alike, some apart."""
    rng = np.random.default_rng(seed)
    balls = np.column_stack([rng.uniform(-1, 1, (9, 3)), rng.uniform(0.2, 0.7, 9)])
    balls[8], balls[7, :3] = balls[0], (9, 0, 0)
    volume, first, second = by_lines(balls)
    found = union(balls)
    assert found.volume == pytest.approx(volume, rel=2e-4)
    np.testing.assert_allclose(found.centroid, first / volume, atol=2e-4)
    about = np.trace(second) * np.eye(3) - second
    moments = found.moments_about(np.zeros(3))
    np.testing.assert_allclose(moments, about / volume, atol=2e-4 * abs(moments).max())


def test_it_does_not_matter_where_and_how_it_lies():
    rng = np.random.default_rng(3)
    balls = np.column_stack([rng.uniform(-1, 1, (5, 3)), rng.uniform(0.4, 0.8, 5)])
    turn = Rotation.from_rotvec((0.3, -1.0, 0.5))
    away = np.array([3, -2, 5])
    moved = np.column_stack([turn.apply(balls[:, :3]) + away, balls[:, 3]])
    one, other = union(balls), union(moved)
    assert other.volume == pytest.approx(one.volume, rel=1e-6)
    np.testing.assert_allclose(other.centroid, turn.apply(one.centroid) + away, atol=1e-6)
    J, K = (u.moments_about(u.centroid) for u in (one, other))
    np.testing.assert_allclose(K, turn.as_matrix() @ J @ turn.as_matrix().T, atol=1e-6)


def test_tetrapod_has_no_axes():
    """Four balls that overlap at the corners of a cube: all moments are equal."""
    body = rc.World().add_clump(spheres=[(2 * x, y, z, r) for x, y, z, r in TETRAPOD], density=1)
    assert np.ptp(body.inertia) > 0.1 * body.inertia.max()
    body = rc.World().add_clump(spheres=[(x, y, z, 0.15) for x, y, z, _ in TETRAPOD], density=1)
    assert np.ptp(body.inertia) < 1e-6 * body.inertia.max()
    assert body.mass < 4 * 4 / 3 * np.pi * 0.15**3
    np.testing.assert_allclose(body.spheres[:, :3], np.array(TETRAPOD)[:, :3], atol=1e-7)


def test_own_mass_centre_and_inertia():
    world = rc.World()
    body = world.add_clump(
        spheres=[(0, 0, 0, 0.1), (1, 0, 0, 0.1)], mass=2, center=(0.25, 0, 0), inertia=(1, 2, 3)
    )
    assert body.mass == 2
    assert body.inertia.tolist() == [1, 2, 3]
    assert body.spheres[:, 0].tolist() == [-0.25, 0.75]
    assert body.size[2] == pytest.approx(0.85)
    other = world.add_clump(spheres=[(0, 0, 0, 0.1), (1, 0, 0, 0.1)], mass=2, center=(0.25, 0, 0))
    about = 0.4 * 0.1**2 * 2 + 0.25**2 + 0.75**2
    assert tensor(other)[1, 1] == pytest.approx(about, rel=1e-14)


def test_round_trip_and_copies():
    world = rc.World()
    world.add_sphere(radius=1, mass=1)
    world.remove(world.add_clump(spheres=TETRAPOD, density=3))
    q = rc.rotation((1, 2, 3), 77)
    world.add_clump(spheres=[(x, y, z, 0.17) for x, y, z, _ in TETRAPOD], density=3, orientation=q)
    world.add_clump(spheres=[(0, 0, 0, 0.1), (0.3, 0.1, 0, 0.2)], mass=3, inertia=(1, 2, 3))
    world.add_clump(spheres=[(0, 0, 0, 0.1), (0.3, 0.1, 0, 0.2)], fixed=True)
    twin = read_scene(world.to_scene(until=1, step=1e-2), "twin").world
    for field in ("position", "orientation", "size", "mass", "inertia", "principal", "kind"):
        kept = np.delete(getattr(world.state, field), 1, axis=0)
        assert getattr(twin.state, field).tobytes() == kept.tobytes(), field
    for k in range(1, 4):
        assert twin.body(k).spheres.tobytes() == world.body(k + 1).spheres.tobytes()
    copy = world.copy()
    copy.add_clump(spheres=TETRAPOD, density=1)
    assert len(copy.body(5).spheres) == 4
    assert copy.body(2).spheres.tobytes() == world.body(2).spheres.tobytes()
    assert len(world.body(0).spheres) == 0


@pytest.mark.slow
def test_generators_make_clumps():
    world = rc.World()
    made = {"shape": "clump", "spheres": TETRAPOD, "density": 1000}
    world.add_packing(**made, low=(0, 0, 0), high=(3, 3, 3), count=12, name="pod")
    assert len(set(world.state.orientation[:, 0])) == 12
    emitter = world.add_emitter(**made, low=(0, 0, 4), high=(3, 3, 5), rate=10, count=5)
    assert emitter.emit(world, 9.0) == 5
    balls = [
        body.position + (rotation_matrix(body.orientation) @ body.spheres[:, :3].T).T
        for body in world.bodies
    ]
    for k, one in enumerate(balls):
        for other in balls[:k]:
            apart = np.linalg.norm(one[:, None] - other[None], axis=2)
            assert apart.min() >= 0.2
    reach = math.sqrt(0.03) + 0.1
    assert emitter.recipe.reach == pytest.approx(reach)
    small = world.add_packing(
        shape="sphere", radius=0.05, density=1, low=(0, 0, 0), high=(3, 3, 3), count=300
    )
    places = np.array([ball.position for ball in small])
    nearest = min(np.linalg.norm(places - x, axis=1).min() for x in np.concatenate(balls))
    assert 0.15 <= nearest < 0.2  # between its arms, too


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"spheres": []}, "spheres = .*: must be rows of four numbers"),
        ({"spheres": [(0, 0, 1)]}, "spheres = .*: must be rows of four numbers"),
        ({"spheres": (0, 0, 0, 1)}, "must be rows of four numbers"),
        ({"spheres": [(0, 0, 0, 1), (0, 0, 0, 0)]}, r"spheres\[1\] has the radius 0: must be > 0"),
        ({"spheres": [(0, 0, np.nan, 1)]}, "spheres.*must be finite"),
        ({"spheres": [(k, 0, 0, 0.1) for k in range(129)]}, "has 129 rows: must be at most 128"),
        ({"center": 3}, "center = 3: must be three numbers"),
        ({"density": 0}, "density = 0"),
    ],
)
def test_no_clump(given, message):
    world = rc.World()
    with pytest.raises(rc.InputError, match=message):
        world.add_clump(**({"spheres": TETRAPOD, "density": 1} | given))
    assert len(world.state) == 0
    assert len(world.state.clumps.table()) == 0


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("apart", [1e-2, 1e-8, 1e-15, 1e-17, 1e-56, 1e-200])
def test_volume_of_two_equal_balls_that_nearly_coincide(apart, axis):
    """4/3 pi r^3 + pi r^2 d - pi d^3 / 12."""
    r, place = 0.1, [0.0, 0.0, 0.0]
    place[axis] = apart
    found = union_of(((0.0, 0.0, 0.0, r), (*place, r)))
    volume = np.pi * (4 / 3 * r**3 + r**2 * apart - apart**3 / 12)
    assert found.volume == pytest.approx(volume, rel=1e-7)
    np.testing.assert_allclose(found.centroid, np.multiply(0.5, place), atol=1e-9)
