"""World to scene to world: the same bits, and the same run."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scene_cases import FULL, load

import rollcone as rc
from rollcone.mechanics.bowls import check_bowls
from rollcone.mechanics.joints import KINDS
from rollcone.mechanics.sides import check_sides
from rollcone.scene.read import read_scene

FIELDS = (
    "kind", "position", "orientation", "velocity", "angular_velocity", "mass", "inertia",
    "principal", "shape", "size", "force", "torque", "damping",
)  # fmt: skip
STEPS = {"until": 1.0, "step": 0.01}

number = st.floats(-1e6, 1e6)
length = st.floats(1e-3, 1e3)
# A needle of balls far apart has no moment about its axis, and is refused.
balls = st.tuples(*[st.floats(-5, 5)] * 3, st.floats(0.1, 5))
vectors = st.tuples(number, number, number)
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
materials = st.sampled_from(["default", "glass", "glas", 'a "b" \\ \n', "Öl"])
turns = vectors.filter(lambda v: np.linalg.norm(v) > 1e-3)


@st.composite
def quaternions(draw):
    q = np.array([*draw(turns), draw(number)])
    return q / np.linalg.norm(q)


@st.composite
def tensors(draw):
    """Moments, or a tensor that is positive definite."""
    moments = [draw(length) for _ in range(3)]
    if draw(st.booleans()):
        return moments
    axes = np.linalg.qr(np.array([draw(turns), draw(turns), draw(turns)]) + np.eye(3))[0]
    tensor = axes @ np.diag(moments) @ axes.T
    return (tensor + tensor.T) / 2


moduli = st.floats(1e3, 1e12)
poissons = st.floats(-0.999, 0.5)
compliances = st.one_of(
    st.just(0.0),
    st.floats(0, 1e-3),
    st.tuples(st.floats(0, 1e-3), st.floats(0, 1e-3)),
    st.builds(
        rc.HertzMindlin,
        young=moduli | st.tuples(moduli, moduli),
        poisson=poissons | st.tuples(poissons, poissons),
    ),
)


@st.composite
def worlds(draw) -> rc.World:
    world = rc.World(gravity=draw(vectors))
    laws = [
        rc.ContactLaw(
            sliding=draw(length),
            rolling=draw(length),
            restitution=draw(st.floats(0, 1)),
            compliance=draw(compliances),
        )
        for _ in range(3)
    ]
    if draw(st.booleans()):
        world.set_contact_law(laws[0])
    for law in laws[1 : draw(st.integers(1, 3))]:
        world.set_contact_law(law, draw(materials), draw(materials))
    for _ in range(draw(st.integers(1, 5))):
        add_body(draw, world)
    for body in world.bodies[:-1]:
        if draw(st.integers(0, 5)) == 0:
            world.remove(body)
    moving = [body for body in world.bodies if body.dynamic]
    for _ in range(draw(st.integers(0, 2)) if moving else 0):
        add_joint(draw, world, moving)
    if draw(st.booleans()):
        emitter = world.add_emitter(
            shape="capsule", radius=(0.1, 0.2), length=draw(st.floats(0, 1)), mass=draw(length),
            material=draw(materials), low=(0, 0, 1e7), high=(9, 9, 1e7 + 9), rate=draw(length),
            count=5, name="poured", start=draw(number), seed=draw(st.integers(0, 2**62)),
            velocity=draw(vectors),
        )  # fmt: skip
        if draw(st.booleans()):
            emitter.emit(world, emitter.start + 2.5 / emitter.rate)
    return world


SHAPES = [
    "sphere", "box", "capsule", "clump", "disk", "cylinder", "ellipsoid", "plane", "bowl",
]  # fmt: skip
thick = st.sampled_from(
    [{}, {"thickness": 0.3}, {"thickness": 1e-4, "edge_radius": 5e-5}]
)  # edges are less than all radii


def add_body(draw, world: rc.World) -> None:
    shape = draw(st.sampled_from(SHAPES))
    options = {
        "velocity": draw(vectors),
        "angular_velocity": draw(vectors),
        "material": draw(materials),
    }
    name = draw(names)
    if draw(st.booleans()) and name not in world.names:
        options["name"] = name
    if shape in ("plane", "bowl"):
        options |= {"radius": draw(length)} if shape == "bowl" else {}
        add = getattr(world, f"add_{shape}")
        body = add(normal=draw(turns), point=draw(vectors), **options)
        if draw(st.booleans()):
            body.orientation = draw(quaternions())
        return
    options |= {"position": draw(vectors), "orientation": draw(quaternions())}
    sizes = {
        "sphere": {"radius": draw(length)},
        "box": {"size": (draw(length), draw(length), draw(length))},
        "capsule": {"radius": draw(length), "length": draw(length)},
        "clump": {"spheres": [draw(balls) for _ in range(2)]},
        "disk": {"radius": draw(length)} | draw(thick),
        "cylinder": {"radius": draw(length), "height": draw(length)},
        "ellipsoid": {"semi_axes": (draw(length), draw(length), draw(length))},
    }
    if draw(st.booleans()):
        options |= {"force": draw(vectors), "torque": draw(vectors), "linear_damping": draw(length)}
    if draw(st.booleans()):
        options |= {"inertia": draw(tensors())}
    if draw(st.booleans()):
        options |= {"mass": draw(length)}
    elif draw(st.booleans()) and shape != "disk":
        options |= {"density": draw(length)}
    else:
        options |= {"fixed": True}
    getattr(world, f"add_{shape}")(**sizes[shape], **options)


# A number, a sine or a table: what motors ask for, and where springs rest.
signals = st.one_of(
    number,
    st.builds(rc.Sine, amplitude=number, frequency=length, mean=number, phase=number),
    st.builds(
        lambda rows: rc.TimeTable(times=sorted(rows), values=[rows[time] for time in sorted(rows)]),
        st.dictionaries(number, number, min_size=1, max_size=4),
    ),
)
elements = st.tuples(
    st.builds(rc.Limits, lower=st.floats(-1e6, -1e-3), upper=st.just(np.inf) | length),
    st.builds(rc.JointFriction, limit=length),
    st.builds(rc.Motor, position=signals)
    | st.builds(rc.Motor, speed=signals, limit=length)
    | st.builds(rc.Motor, position=signals, limit=length, response=st.none() | length),
    st.builds(rc.Spring, stiffness=length, damping=length, rest=signals | st.none(), limit=length),
).flatmap(lambda made: st.lists(st.sampled_from(made), unique_by=lambda e: e.word))


def add_joint(draw, world: rc.World, moving: list[rc.Body]) -> None:
    kind = draw(st.sampled_from(sorted(set(KINDS) - {"gear", "distance"})))
    body, others = draw(st.sampled_from(moving)), world.bodies
    base = draw(st.none() | st.sampled_from(others).filter(lambda other: other.id != body.id))
    options = {"body": body, "base": base, "compliance": draw(length)}
    options |= {name: draw(elements) for name in KINDS[kind][1]}
    if kind not in ("fixed", "link"):
        options["point"] = draw(vectors)
    if kind == "link":
        options |= {"point": draw(vectors), "point2": draw(vectors)}
    elif kind not in ("fixed", "spherical"):
        options["axis"] = axis = draw(turns)
    if kind == "universal":
        options["axis2"] = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    world.add_joint(kind=kind, **options)


def same_worlds(one: rc.World, other: rc.World) -> None:
    """But for numbers, which move up where bodies were removed."""
    kept = [body.id for body in one.bodies]
    assert [body.id for body in other.bodies] == list(range(len(kept)))
    assert [one.name_of(k) for k in kept] == [body.name for body in other.bodies]
    assert [one.body(k).material for k in kept] == [body.material for body in other.bodies]
    for name in FIELDS:
        assert getattr(one.state, name)[kept].tobytes() == getattr(other.state, name).tobytes(), (
            name
        )
    balls = [[world.body(k).spheres.tobytes() for k in rows] for world, rows in (
        (one, kept), (other, range(len(kept)))
    )]  # fmt: skip
    assert balls[0] == balls[1]
    assert one.periodic == other.periodic
    assert one.gravity.tobytes() == other.gravity.tobytes()
    assert one.laws.default_is_set == other.laws.default_is_set
    for pair in itertools.product(one.laws.materials, repeat=2):
        assert one.laws.law(*pair) == other.laws.law(*pair)
    assert [e.state() for e in one.emitters] == [e.state() for e in other.emitters]
    assert joint_bits(one) == joint_bits(other)


def joint_bits(world: rc.World) -> list[tuple]:
    """All that is known of joints, in the order of their numbers, by names in place of numbers."""
    return [
        (
            {
                **spec.plain(),
                "body": spec.body < 0 or world.name_of(spec.body),
                "base": spec.base < 0 or world.name_of(spec.base),
                "geared": [(world.joints.spec(joint).name, word) for joint, word in spec.geared],
            },
            world.joints.turns[number].tobytes(),
        )
        for number, spec in world.joints
    ]


@settings(max_examples=60)
@given(worlds())
def test_world_to_scene_to_world(world):
    try:
        check_bowls(world)
        check_sides(world)
    except rc.InputError:  # bowls too small for what is in them, bodies behind planes: no scene
        assume(False)
    text = world.to_scene(**STEPS)
    twin = read_scene(text, "twin").world
    same_worlds(world, twin)
    if world.emitters:  # and they go on alike
        for each in (world, twin):
            each.emitters[0].emit(each, 1e9)
        assert len(world.state) > 0
        same_worlds(world, twin)
    assert twin.to_scene(**STEPS).count("[[body]]") == len(twin.bodies)


def test_everything_that_files_hold(tmp_path):
    scene = load(FULL, tmp_path)
    text = scene.world.to_scene(
        until=scene.until, title=scene.title, every=10, contacts="summary", flush=0.5,
        **scene.settings,
    )  # fmt: skip
    twin = read_scene(text, "twin")
    same_worlds(scene.world, twin.world)
    assert (twin.settings, twin.output, twin.title, twin.until) == (
        scene.settings, scene.output, scene.title, scene.until,
    )  # fmt: skip


def heap() -> rc.World:
    world = rc.World(gravity=(0, 0, -9.81))
    world.set_contact_law(rc.ContactLaw(sliding=0.3, rolling=0.01, restitution=0.3))
    world.add_plane()
    world.add_sphere(radius=0.1, density=1000, position=(0, 0, 0.3), velocity=(1, 0.3, 0), name="a")
    world.add_box(
        size=(0.1, 0.2, 0.3), density=500, position=(0.3, 0, 0.3), orientation=(0.6, 0.8, 0, 0)
    )
    return world


SAME_HEAP = """\
[simulation]
until = 0.4
step = 0.01

[world]
gravity = [0, 0, -9.81]

[contact]
sliding = 0.3
rolling = 0.01
restitution = 0.3

[[body]]
shape = "plane"

[[body]]
shape = "sphere"
radius = 0.1
density = 1000
position = [0, 0, 0.3]
velocity = [1, 0.3, 0]
name = "a"

[[body]]
shape = "box"
size = [0.1, 0.2, 0.3]
density = 500
position = [0.3, 0, 0.3]
orientation = [0.6, 0.8, 0, 0]
"""


def bits(run: rc.Run) -> list[bytes]:
    names = ("position", "orientation", "velocity", "angular_velocity")
    return [np.asarray(run.states(name)).tobytes() for name in names]


def test_the_same_run(tmp_path):
    run = rc.simulate(heap(), until=0.4, step=0.01)
    assert run.contact_count.max() > 2
    assert bits(load(SAME_HEAP, tmp_path).simulate()) == bits(run)
    path = tmp_path / "written.toml"
    heap().to_scene(path, until=0.4, step=0.01)
    assert bits(rc.load_scene(path).simulate()) == bits(run)
    same_worlds(run.world, read_scene(run.world.to_scene(**STEPS), "end").world)


def test_functions_are_named():
    world = heap()
    world.body("a").force = lambda t, body: (0, 0, t)
    world.add_sphere(radius=1, motion=lambda t: ((0, 0, 0), (0, 0, 0)), name="drum")
    with pytest.raises(rc.InputError, match="force of 'a', motion of 'drum': a Python function"):
        world.to_scene(**STEPS)
    world = heap()
    world.add_emitter(
        shape="sphere", radius=1, mass=1, low=(0, 0, 0), high=(1, 1, 1), rate=1, count=1,
        torque=lambda t, body: (0, 0, 0),
    )  # fmt: skip
    with pytest.raises(rc.InputError, match="torque of Emitter"):
        world.to_scene(**STEPS)


def test_files_are_not_replaced_unless_told(tmp_path):
    path = tmp_path / "heap.toml"
    text = heap().to_scene(path, **STEPS)
    assert path.read_text() == text
    with pytest.raises(rc.FileError, match=r"heap\.toml: exists already; overwrite=True"):
        heap().to_scene(path, **STEPS)
    assert heap().to_scene(path, **STEPS, overwrite=True, title="new").startswith('title = "new"')
    assert path.read_text().startswith("title")
    with pytest.raises(rc.FileError, match="cannot be written: No such file"):
        heap().to_scene(tmp_path / "no" / "heap.toml", **STEPS)
    with pytest.raises(rc.InputError, match="path = 3"):
        heap().to_scene(3, **STEPS)
    assert [file.name for file in tmp_path.iterdir()] == ["heap.toml"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"step": -1}, r"simulation\.step = -1"),
        ({"tolerence": 1e-3}, "did you mean 'tolerance'"),
        ({"solver_options": {"local": "exact"}}, "local: name the solver"),
        ({"scheme": lambda: 0}, "scheme = .*: a scene file holds numbers and texts alone"),
        ({"title": "\ud800"}, "title = .*: must be a text that UTF-8 can hold"),
        ({"contacts": "some"}, r"output\.contacts = 'some'"),
    ],
)
def test_settings_that_no_file_can_have(settings, message):
    with pytest.raises(rc.InputError, match=message):
        heap().to_scene(**(STEPS | settings))


def test_an_empty_world_is_no_scene():
    with pytest.raises(rc.SceneError, match="body: there is none"):
        rc.World().to_scene(**STEPS)
