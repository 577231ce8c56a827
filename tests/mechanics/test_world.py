"""The world: adding, finding, removing, copying bodies, and every argument it refuses."""

import inspect
import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import rollcone as rc

NOTHING = {"radius": 0.5, "mass": 1.0}


def test_gravity_is_none_unless_given_and_is_kept_as_a_copy():
    assert rc.World().gravity.tolist() == [0, 0, 0]
    given = np.array([0.0, 0.0, -9.81])
    world = rc.World(gravity=given)
    given[2] = 5.0
    assert world.gravity.tolist() == [0, 0, -9.81]
    world.gravity = (1, 0, 0)
    assert world.gravity.tolist() == [1, 0, 0]
    for bad in (9.81, (0, 0, math.nan), (0, 0), "down"):
        with pytest.raises(rc.InputError, match=r"^gravity"):
            rc.World(gravity=bad)
    with pytest.raises(TypeError):
        rc.World((0, 0, -9.81))


def test_mass_of_shapes():
    world = rc.World()
    ball = world.add_sphere(radius=0.5, density=2500)
    assert ball.mass == pytest.approx(1308.9969, rel=1e-7)
    assert ball.inertia == pytest.approx(0.4 * ball.mass * 0.25)
    brick = world.add_box(size=(1, 2, 3), density=10)
    assert brick.mass == pytest.approx(60.0)
    np.testing.assert_allclose(brick.inertia, [65, 50, 25])
    rod = world.add_capsule(radius=0.5, length=0, density=2500)
    assert rod.mass == pytest.approx(ball.mass)
    np.testing.assert_allclose(rod.inertia, ball.inertia)
    odd = world.add_sphere(radius=1, mass=2, inertia=(3, 4, 5))
    assert odd.inertia.tolist() == [3, 4, 5]


def test_an_inertia_tensor_turns_with_the_body():
    """I in world axes = R I_body R^T, from the principal axes that are kept."""
    tensor = np.array([[3.0, 0.4, 0.1], [0.4, 2.0, 0.2], [0.1, 0.2, 2.5]])
    turn = Rotation.from_rotvec([0.3, -1.0, 0.5])
    world = rc.World()
    body = world.add_sphere(
        radius=1, mass=1, inertia=tensor, orientation=np.roll(turn.as_quat(), 1)
    )
    principal = Rotation.from_quat(np.roll(world.state.principal[0], -1))
    axes = (turn * principal).as_matrix()
    expected = turn.as_matrix() @ tensor @ turn.as_matrix().T
    np.testing.assert_allclose(axes @ np.diag(body.inertia) @ axes.T, expected, atol=1e-13)


@pytest.mark.parametrize("normal", [(0, 0, 1), (0, 0, -2), (3, 4, 0), (1e-9, 0, -1)])
def test_the_third_axis_of_a_plane_is_its_normal(normal):
    plane = rc.World().add_plane(normal=normal, point=(1, 2, 3))
    third = Rotation.from_quat(np.roll(plane.orientation, -1)).apply([0, 0, 1])
    np.testing.assert_allclose(third, np.array(normal) / np.linalg.norm(normal), atol=1e-15)
    assert plane.position.tolist() == [1, 2, 3]
    assert not plane.dynamic


BAD_SPHERES = [
    ({"radius": 0}, r"radius = 0: must be one number > 0"),
    ({"radius": -1.0}, r"radius = -1\.0: must be one number > 0"),
    ({"radius": math.nan}, r"radius = nan: must be finite"),
    ({"radius": math.inf}, r"radius = inf: must be finite"),
    ({"radius": (1, 2)}, r"radius = \(1, 2\): must be one number"),
    ({"mass": 0}, r"mass = 0: must be one number > 0"),
    ({"mass": -2}, r"mass = -2: must be one number > 0"),
    ({"mass": math.inf}, r"mass = inf: must be finite"),
    ({"density": 3}, r"mass = 1\.0 and density = 3: give one of them, not both"),
    ({"mass": None}, r"^needs mass or density"),
    ({"position": (1, 2)}, r"position = \(1, 2\): must be three numbers"),
    ({"position": (1, 2, math.nan)}, r"position\[2\] = nan: must be finite"),
    ({"velocity": 3}, r"velocity = 3: must be three numbers"),
    ({"angular_velocity": "fast"}, r"angular_velocity = 'fast'"),
    ({"orientation": (0, 0, 0)}, r"orientation = .*four numbers"),
    ({"orientation": (0, 0, 0, 0)}, r"orientation = .*length 0: must be 1"),
    ({"inertia": (1, 0, 1)}, r"inertia = .*three moments > 0"),
    ({"inertia": 2.0}, r"inertia of shape \(\)"),
    ({"material": 3}, r"material = 3: must be a name"),
    ({"linear_damping": -1}, r"linear_damping = -1: must be one number >= 0"),
    ({"angular_damping": math.nan}, r"angular_damping = nan: must be finite"),
    ({"force": (1, 2)}, r"force = \(1, 2\): must be three numbers"),
    ({"torque": (0, 0, math.inf)}, r"torque\[2\] = inf: must be finite"),
    ({"name": ""}, r"name = '': must be a text"),
    ({"name": 7}, r"name = 7: must be a text"),
    ({"name": "taken"}, r"name = 'taken': a body has that name already"),
    ({"motion": 5}, r"motion = 5"),
    ({"fixed": "no"}, r"fixed = 'no': must be True or False"),
    ({"fixed": True, "mass": -1}, r"mass = -1: must be one number > 0"),
    ({"fixed": True, "density": 3}, r"give one of them, not both"),
]


@pytest.mark.parametrize(("options", "message"), BAD_SPHERES)
def test_no_sphere(options, message):
    world = rc.World()
    world.add_sphere(**NOTHING, name="taken")
    with pytest.raises(rc.InputError, match=message):
        world.add_sphere(**(NOTHING | options))
    assert len(world.bodies) == 1, "a refused body was left behind"
    assert world.add_sphere(**NOTHING).id == 1


@pytest.mark.parametrize(
    ("size", "message"),
    [
        ((1, 2), r"size = \(1, 2\): must be three numbers"),
        (2.0, r"size = 2\.0: must be three numbers"),
        ((1, 2, 0), r"size = \[1\.0, 2\.0, 0\.0\]: must be three lengths > 0"),
        ((1, -2, 1), r"must be three lengths > 0"),
        ((1, 2, math.nan), r"size\[2\] = nan: must be finite"),
    ],
)
def test_no_box(size, message):
    with pytest.raises(rc.InputError, match=message):
        rc.World().add_box(size=size, mass=1)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"radius": 0, "length": 1}, r"radius = 0: must be one number > 0"),
        ({"radius": -1.0, "length": 1}, r"radius = -1\.0: must be one number > 0"),
        ({"radius": 1, "length": -0.5}, r"length = -0\.5: must be one number >= 0"),
        ({"radius": 1, "length": math.inf}, r"length = inf: must be"),
        ({"radius": 1, "length": (1, 2)}, r"length = \(1, 2\): must be"),
    ],
)
def test_no_capsule(given, message):
    with pytest.raises(rc.InputError, match=message):
        rc.World().add_capsule(**given, mass=1)


def test_disks():
    """Moments of a thin disk by integrals over its points: r^2 = x^2 + y^2, z = 0."""
    world = rc.World()
    disk = world.add_disk(radius=0.5, mass=2.0)
    r, f = (np.linspace(0, high, 4001)[1:] - 0.5 * high / 4000 for high in (0.5, 2 * np.pi))
    weight = 2.0 * r * (0.5 / 4000) / (0.5 * 0.5**2)  # of the rings
    about = float((weight * r**2).sum())
    across = float(about * (np.sin(f) ** 2).mean())
    np.testing.assert_allclose(world.state.inertia[disk.id], [across, across, about], rtol=1e-6)
    assert disk.shape == "disk"
    np.testing.assert_array_equal(disk.size, (0.5, 0.0, 0.0))
    given = world.add_disk(radius=0.5, mass=1.0, inertia=(0.3, 0.3, 0.6))
    np.testing.assert_array_equal(world.state.inertia[given.id], (0.3, 0.3, 0.6))
    assert not world.add_disk(radius=0.5, fixed=True).dynamic


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"radius": 0, "mass": 1}, r"radius = 0: must be one number > 0"),
        ({"radius": 1}, r"a thin disk or a surface, has no density; it needs mass"),
        ({"radius": 1, "density": 5}, r"density = 5: what has no volume, a thin disk or a surface"),
        ({"radius": 1, "density": 5, "mass": 1}, r"give one of them, not both"),
    ],
)
def test_no_disk(given, message):
    with pytest.raises(rc.InputError, match=message):
        rc.World().add_disk(**given)


@pytest.mark.parametrize(
    "name", ["position", "mass", "density", "inertia", "force", "torque", "fixed"]
)
def test_a_plane_takes_no(name):
    with pytest.raises(rc.InputError, match=rf"{name}: a plane takes normal and point"):
        rc.World().add_plane(**{name: 1})


def test_no_plane():
    with pytest.raises(rc.InputError, match=r"normal = \[0\.0, 0\.0, 0\.0\]: must not be zero"):
        rc.World().add_plane(normal=(0, 0, 0))
    with pytest.raises(rc.InputError, match=r"point = 3: must be three numbers"):
        rc.World().add_plane(point=3)


def test_unknown_arguments():
    shapes = {"sphere": {"radius": 1}, "box": {"size": (1, 1, 1)}, "plane": {}}
    for add, shape in (
        shapes | {"capsule": {"radius": 1, "length": 1}, "disk": {"radius": 1}}
    ).items():
        with pytest.raises(TypeError, match="colour"):
            getattr(rc.World(), f"add_{add}")(**shape, colour="red")
    with pytest.raises(TypeError):
        rc.World().add_sphere(0.5, mass=1)


def test_names_are_made_up_without_a_clash():
    world = rc.World()
    world.add_sphere(**NOTHING, name="sphere 1")
    made = [world.add_sphere(**NOTHING).name for _ in range(3)]
    assert len({*made, "sphere 1"}) == 4
    assert [world.body(name).id for name in made] == [1, 2, 3]


def test_finding_a_body():
    world = rc.World()
    ball = world.add_sphere(**NOTHING, name="ball")
    assert world.body("ball").id == world.body(0).id == world.body(ball).id == 0
    assert world.copy().body(ball).world is not world
    with pytest.raises(rc.InputError, match=r"\(did you mean 'ball'\?\)"):
        world.body("bell")
    for nobody in ("bal", 1, -1, 0.0, None):
        with pytest.raises(rc.InputError, match="there is none of that name or number"):
            world.body(nobody)


def test_many_bodies_keep_their_rows():
    """Arrays grow; handles made before stay good."""
    world = rc.World()
    handles = [world.add_sphere(radius=1, mass=1 + k, position=(k, 0, 0)) for k in range(40)]
    assert [handle.position[0] for handle in handles] == list(range(40))
    handles[3].position = (0, 0, 9)
    assert world.state.position[3, 2] == 9
    assert [body.id for body in world.bodies] == list(range(40))
    assert repr(world) == "World(40 dynamic and 0 fixed bodies)"


def test_removing():
    world = rc.World()
    world.add_plane()
    gone = world.add_sphere(**NOTHING, name="gone", force=lambda t, b: (0, 0, 0))
    driven = world.add_sphere(radius=1, motion=lambda t: ((0, 0, 0), (0, 0, 0)))
    world.remove("gone")
    world.remove(driven)
    assert [body.shape for body in world.bodies] == ["plane"]
    assert not world.loads
    assert not world.motions
    assert repr(world) == "World(0 dynamic and 1 fixed bodies)"
    for which in (gone, "gone", 1):
        with pytest.raises(rc.InputError, match="'gone' has been removed"):
            world.remove(which)
    assert world.number_of("gone") == 1
    assert world.add_sphere(**NOTHING).id == 3


def test_a_copy_is_independent():
    world = rc.World(gravity=(0, 0, -1))
    ball = world.add_sphere(**NOTHING, name="ball")
    world.set_contact_law(rc.ContactLaw(sliding=0.3))
    twin = world.copy()
    twin.body(ball).position = (5, 5, 5)
    twin.body(ball).force = lambda t, b: (1, 0, 0)
    twin.add_sphere(**NOTHING, name="second")
    twin.set_contact_law(rc.ContactLaw(sliding=0.9))
    twin.gravity = (0, 0, 0)
    assert ball.position.tolist() == [0, 0, 0]
    assert world.gravity[2] == -1
    assert len(world.bodies) == 1
    assert not world.loads
    assert world.laws.default.sliding == 0.3
    with pytest.raises(rc.InputError):
        world.body("second")
    twin.remove("ball")
    assert not ball.removed


@pytest.mark.parametrize("field", ["position", "orientation", "velocity", "angular_velocity"])
def test_what_was_spoilt_through_arrays_is_told(field):
    world = rc.World()
    world.add_plane()
    world.add_sphere(**NOTHING, name="ball")
    getattr(world.state, field)[1, 0] = math.nan
    with pytest.raises(rc.InputError, match=rf"{field} of body 'ball' = .*: must be finite"):
        rc.Simulation(world, step=0.1)
    world.remove("ball")
    rc.simulate(world, until=0.2, step=0.1)


def test_a_body_of_another_world_is_refused():
    one, other = rc.World(), rc.World()
    mine, foreign = one.add_sphere(radius=1, mass=1), other.add_sphere(radius=1, mass=1)
    for use in (one.remove, one.body):
        with pytest.raises(rc.InputError, match="belongs to another world"):
            use(foreign)
    assert one.copy().body(mine).id == mine.id  # the twin's own


def test_a_misspelt_argument_gets_a_suggestion():
    with pytest.raises(TypeError, match=r"'postion'.*did you mean 'position'"):
        rc.World().add_sphere(radius=1, mass=1, postion=(0, 0, 1))
    with pytest.raises(AttributeError):
        rc.World().gravty = (0, 0, -1)


def test_a_force_must_take_time_and_body():
    world = rc.World()
    with pytest.raises(rc.InputError, match="two arguments, time and body"):
        world.add_sphere(radius=1, mass=1, force=lambda t: (0, 0, t))
    assert not world.bodies
    ball = world.add_sphere(radius=1, mass=1)
    with pytest.raises(rc.InputError, match=r"torque = .*two arguments"):
        ball.torque = lambda: 0


def test_unknown_arguments_are_told_with_what_there_is():
    world = rc.World()
    with pytest.raises(rc.InputError, match=r"'densty' \(did you mean 'density'\?\)"):
        world.add_sphere(radius=1.0, densty=1.0)
    words = r"unknown argument 'color'; add_sphere takes radius, position, .*, name$"
    with pytest.raises(rc.InputError, match=words):
        world.add_sphere(**NOTHING, color="red")
    words = r"'radiu' \(did you mean 'radius'\?\); add_disk takes radius, thickness, edge_radius, "
    with pytest.raises(rc.InputError, match=words):
        world.add_disk(radiu=1.0, mass=1.0)
    with pytest.raises(rc.InputError, match=r"^height: must be given; add_cylinder takes radius, "):
        world.add_cylinder(radius=1.0, mass=1.0)
    with pytest.raises(rc.InputError, match=r"^add_sphere\(0\.5\): .* by their names, radius, "):
        world.add_sphere(0.5, mass=1.0)
    with pytest.raises(rc.InputError, match=r"'gravty' \(did you mean 'gravity'\?\)"):
        rc.World(gravty=(0, 0, -9.81))
    assert not world.bodies


def test_an_error_inside_is_not_one_of_names():
    def force(time, body):
        raise TypeError("inside")

    world = rc.World()
    world.add_sphere(radius=1.0, mass=1.0, force=force)
    with pytest.raises(TypeError, match=r"^inside$") as caught:
        rc.simulate(world, until=0.1, step=0.1)
    assert not isinstance(caught.value, rc.InputError)


def test_checked_names_leave_signatures_as_they_are():
    names = list(inspect.signature(rc.World.add_disk).parameters)
    assert names == ["self", "radius", "thickness", "edge_radius", "options"]
    assert "edge_radius" in rc.World.add_disk.__doc__
    assert "sliding" in inspect.signature(rc.ContactLaw).parameters
