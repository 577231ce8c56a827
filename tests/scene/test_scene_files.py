"""Reading a scene: what it makes of the world and the settings, and files that are none."""

import numpy as np
import pytest
from scene_cases import FULL, SMALL, load, problems_of

import rollcone as rc
from rollcone.mechanics.elements import ELEMENTS
from rollcone.mechanics.joints import COORDINATES
from rollcone.mechanics.rotations import rotation_matrix
from rollcone.scene.body_tables import BODIES
from rollcone.scene.joint_tables import CoordinateTable
from rollcone.scene.read import read_scene
from rollcone.scene.tables import GENERATORS, SceneTable, table_at


def test_all_that_there_is(tmp_path):
    scene = load(FULL, tmp_path)
    assert (scene.title, scene.until, scene.text) == ("All that there is", 2.0, FULL)
    assert scene.settings == {
        "step": 2e-3,
        "scheme": rc.GapAhead(recovery=0.5, max_passes=20),
        "law": "exact",
        "friction_model": "cone",
        "solver": "gauss-seidel",
        "solver_options": {"local": "exact"},
        "tolerance": 1e-3,
        "speed_tolerance": 1e-9,
        "max_substeps": 1,
        "max_iterations": 77,
        "warm_start": True,
        "strict": False,
        "start_time": 0.5,
    }
    assert (scene.output.every, scene.output.contacts, scene.output.flush) == (10, "summary", 0.5)
    world = scene.world
    assert len(world.bodies) == 15 + 12 + 5 + 8 + 8 + 6 + 10 + 3
    assert world.gravity.tolist() == [0, 0, -9.81]
    assert world.laws.default == rc.ContactLaw(
        sliding=0.6, rolling=0.00675, restitution=0.5, compliance=(1e-9, 2e-9),
        contact_radius=0.002, pressure="uniform", rolling_viscosity=0.01,
    )  # fmt: skip
    elastic = rc.HertzMindlin(young=(70e9, 210e9), poisson=0.3)
    assert world.laws.law("steel", "glass") == rc.ContactLaw(
        sliding=rc.Stribeck(static=0.4, kinetic=0.3, speed=0.01), restitution=0.1,
        compliance=elastic, contact_radius=1e-3, pressure="quadratic", rolling_viscosity=0.1,
    )  # fmt: skip
    ball, crate = world.body("ball"), world.body("crate")
    assert ball.id == 2
    assert ball.material == "glass"
    assert ball.mass == pytest.approx(2500 * 4 / 3 * np.pi * 1e-3)
    assert ball.force.tolist() == [0, 0, 1]
    assert ball.inertia.tolist() == [1, 2, 2.5]
    assert world.state.principal[2].tolist() == [0.6, 0.8, 0, 0]
    assert world.state.damping[2].tolist() == [0.1, 0.2]
    np.testing.assert_allclose(np.sort(crate.inertia), np.linalg.eigvalsh(
        [[1, 0.1, 0], [0.1, 2, 0], [0, 0, 1.5]]
    ))  # fmt: skip
    assert not world.body(4).dynamic
    assert world.body("rod 9").shape == "capsule"
    assert world.body("silo wall 5").material == "steel"
    assert world.body("hand palm").material == "steel"
    assert world.joint("hand left").coordinate() == pytest.approx(0.01)
    assert world.periodic == {"x": [-100, 100]}
    assert len(world.body("pair").spheres) == 2
    assert world.emitters[0].state() == {"ticks": 4, "placed": 3}
    assert world.emitters[0].due() == 0.5 + 4 / 10
    swing, gear = world.joint("swing"), world.joint("rack")
    assert (swing.kind, swing.body.name, swing.base.name) == ("universal", "crate", "ball")
    assert swing.point.tolist() == pytest.approx([1, 0, 1])
    motor = rc.Motor(speed=rc.Sine(amplitude=1, frequency=2, mean=3, phase=4), limit=5)
    pin = rc.JointFriction(limit=0.1, coefficient=0.2, radius=0.01)
    assert swing.elements == {"angle": (motor,), "angle2": (pin,)}
    assert (swing.spec.compliance, swing.spec.angular_compliance) == (1e-9, 1e-8)
    assert swing.spec.collide
    assert world.joint("rod").spec.zero == 2.5
    rail = world.joint("rail")
    assert rail.base is None
    assert rail.axis.tolist() == pytest.approx([0, -0.96, -0.28])
    assert rail.elements["slide"][0] == rc.Limits(lower=-1, upper=1, restitution=0.5)
    rest = rc.TimeTable(times=[0, 1], values=[2, 3])
    spring = rc.Spring(stiffness=100, damping=1, rest=rest, limit=50)
    assert world.joint("link 11").elements == {"length": (spring,)}
    assert gear.spec.geared == ((swing.id, "angle"), (rail.id, "slide"))
    assert (gear.spec.ratio, gear.spec.zero) == (0.05, 0.1)


def test_the_full_text_has_every_field():
    """So that what is tried on its lines is tried on all fields."""
    import tomllib

    document = tomllib.loads(FULL)
    assert set(document) == set(SceneTable.model_fields)
    for name in ("simulation", "output", "world", "contact"):
        assert set(document[name]) == set(table_at(name).model_fields)
    assert set(document["pair"][0]) == set(table_at("pair").model_fields)
    for shape, table in BODIES.items():
        if shape == "bowl":
            continue  # the text has a periodic box, in which there is none
        used = {key for body in document["body"] if body["shape"] == shape for key in body}
        lent = {"inertia", "principal_axes", "density", "mass", "fixed"}  # of the other solids
        lent |= {"orientation", "rotation"}  # one of them
        lent |= {"file"} | ({"scale"} if shape == "convex" else set())  # test_scene_shapes.py
        assert used - set(table.model_fields) == set()
        assert set(table.model_fields) - used <= lent
    used = {key for container in document["container"] for key in container}
    assert used == set(table_at("container").model_fields)
    used = {key for robot in document["robot"] for key in robot}
    assert used == set(table_at("robot").model_fields)
    joints = document["joint"]
    assert {key for joint in joints for key in joint} == set(table_at("joint").model_fields)
    acting = [joint[name] for joint in joints for name in COORDINATES if name in joint]
    for word, table in ((word, table_at(word, CoordinateTable)) for word in ELEMENTS):
        used = {key for elements in acting for key in elements.get(word, {})}
        assert used == set(table.model_fields)
    made = {key for name in GENERATORS for table in document[name] for key in table}
    assert made == {key for table in GENERATORS.values() for key in table.model_fields}


def test_rotations_by_axis_and_angle(tmp_path):
    """Of solids, planes and generators: a quarter turn about y takes z to x."""
    turn = "rotation = { axis = [0, 3, 0], degrees = 90 }\n"
    plane = f'[[body]]\nshape = "plane"\n{turn}point = [-5, 0, 0]\n'
    grid = '[[grid]]\nshape = "box"\nsize = [1, 1, 1]\nmass = 1\ncounts = [1, 1, 2]\nspacing = 3\n'
    world = load(f"{SMALL}{turn}{plane}{grid}{turn}", tmp_path).world
    assert len(world.bodies) == 4
    for body in world.bodies:
        np.testing.assert_allclose(rotation_matrix(body.orientation)[:, 2], [1, 0, 0], atol=1e-15)


def test_little_is_needed(tmp_path):
    scene = load(SMALL, tmp_path)
    assert (scene.title, scene.settings) == ("", {"step": 0.01})
    assert (scene.output.every, scene.output.contacts, scene.output.flush) == (1, "full", 2.0)
    assert scene.world.gravity.tolist() == [0, 0, 0]
    assert not scene.world.laws.default_is_set


def test_simulate_with_changes(tmp_path):
    scene = load(SMALL + "velocity = [1, 0, 0]\n[output]\nevery = 5\n", tmp_path)
    run = scene.simulate(until=0.2, step=0.02)
    assert run.time.tolist() == pytest.approx([0, 0.1, 0.2])
    assert run.body(0).position[-1].tolist() == pytest.approx([0.2, 0, 0])
    assert scene.world.body(0).position.tolist() == [0, 0, 0]  # a copy has moved


def test_the_world_may_be_changed_before(tmp_path):
    scene = load(SMALL, tmp_path)
    scene.world.body(0).velocity = (0, 2, 0)
    assert scene.simulate(until=0.5).body(0).position[-1].tolist() == pytest.approx([0, 1, 0])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe\x00\x01\x80", r"heap\.toml: byte 0 is not UTF-8"),
        (SMALL.encode("utf-16"), r"heap\.toml: byte 0 is not UTF-8"),
        ("title = 'Bälle'".encode("latin-1"), r"heap\.toml: byte 10 is not UTF-8"),
    ],
)
def test_files_that_are_no_text(content, message, tmp_path):
    path = tmp_path / "heap.toml"
    path.write_bytes(content)
    with pytest.raises(rc.FileError, match=message):
        rc.load_scene(path)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(rc.FileError, match=r"absent\.toml: cannot be read: No such file"):
        rc.load_scene(tmp_path / "absent.toml")
    with pytest.raises(rc.FileError, match="is a directory, not a scene file"):
        rc.load_scene(tmp_path)
    with pytest.raises(rc.FileError, match="is not a plain file"):
        rc.load_scene("/dev/null")
    with pytest.raises(rc.FileError, match="cannot be read"):
        rc.load_scene("a\0b")
    with pytest.raises(rc.InputError, match="path = 3: must be the name of a file"):
        rc.load_scene(3)


def test_line_ends_and_marks_of_other_systems(tmp_path):
    path = tmp_path / "heap.toml"
    path.write_bytes(b"\xef\xbb\xbf" + SMALL.replace("\n", "\r\n").encode())
    assert rc.load_scene(path).settings == {"step": 0.01}
    path.write_bytes(
        b"\xef\xbb\xbf" + SMALL.replace("radius", "raduis").replace("\n", "\r\n").encode()
    )
    with pytest.raises(rc.SceneError, match=r"heap\.toml:7: body\[0\]\.raduis: unknown key"):
        rc.load_scene(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[simulation]\nuntil = = 3\n", "heap.toml:2:9: Invalid value"),
        ("[simulation\nuntil = 3\n", "heap.toml:1:12: Expected ']' at the end of a table"),
        ('title = "x\n', "heap.toml:1:11: Illegal character"),
        ('title = """x\n', "heap.toml:2:1: Unterminated string"),
        ("a = 1\na = 2\n", "heap.toml:2:6: Cannot overwrite a value"),
        ("a = 1 b = 2\n", "heap.toml:1:7: Expected newline or end of document"),
        ("a = " + "[" * 5000, "heap.toml: is nested too deeply"),
        ("a = " + "9" * 5000, "heap.toml: Exceeds the limit"),
    ],
)
def test_text_that_is_no_toml(text, message, tmp_path):
    (problem,) = problems_of(text, tmp_path)
    assert problem.startswith(message)


def test_all_problems_at_once_in_the_order_of_the_file(tmp_path):
    text = """\
titel = "x"
[simulation]
until = "long"
step = -1
[output]
every = true
[[body]]
shape = "shpere"
[[body]]
shape = "sphere"
radius = -1
colour = "red"
[[body]]
shape = "box"
size = [1, 2]
mass = 1
"""
    expected = """\
heap.toml:1: titel: unknown key (did you mean 'title'?)
heap.toml:3: simulation.until = 'long': must be a number or an array of numbers
heap.toml:4: simulation.step = -1: must be one number > 0
heap.toml:6: output.every = True: must be a whole number >= 1
heap.toml:8: body[0].shape = 'shpere': must be one of sphere, box, capsule, clump, disk, cyl
heap.toml:11: body[1].radius = -1: must be one number > 0
heap.toml:12: body[1].colour: unknown key; there are angular_damping, angular_velocity, density
heap.toml:15: body[2].size = [1.0, 2.0]: must be three numbers
"""
    problems = problems_of(text, tmp_path)
    for problem, words in zip(problems, expected.splitlines(), strict=True):
        assert problem.startswith(words)


def test_many_problems_are_counted(tmp_path):
    problems = problems_of(SMALL + "[[body]]\nshape = 'sphere'\n" * 50, tmp_path)
    assert len(problems) == 31
    assert problems[-1] == "heap.toml: and 20 more problems"


MATERIALS = (
    SMALL
    + """\
material = "glass"
[[pair]]
materials = ["glass", "steel"]
sliding = 0.3
[[body]]
shape = "sphere"
radius = 1
mass = 1
"""
)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("", r"heap.toml:13: body[1].material = 'default': has no law with anything"),
        ("material = 'stele'", r"body[1].material = 'stele' (did you mean 'steel'?): has no law"),
        ("material = 'stele'\n[contact]", "(did you mean 'steel'?): is nearly a material of a"),
        ("material = 'Steel'\n[contact]", "(did you mean 'steel'?): is nearly a material of a"),
        ("material = 'oak'\n[world]\nmaterials = ['glass', 'steel']", "must be one of world.mat"),
        (
            "material = 'steel'\n[world]\nmaterials = ['glass', 'stel']",
            "pair[0].materials = 'steel'",
        ),
        ("material = 'steel'\n[[pair]]\nmaterials = ['steel', 'glass']", "pair[0] is their law"),
    ],
)
def test_mistyped_materials(more, message, tmp_path):
    assert any(message in problem for problem in problems_of(MATERIALS + more, tmp_path))


@pytest.mark.parametrize(
    "more",
    [
        "material = 'steel'",
        "[contact]",
        "material = 'oak'\n[contact]",
        "material = 'steel2'\n[contact]",
        "material = 'Steel'\n[contact]\n[world]\nmaterials = ['glass', 'steel', 'Steel']",
        "material = 'oak'\n[world]\nmaterials = ['glass', 'steel', 'oak']",
    ],
)
def test_materials_that_are_meant(more, tmp_path):
    assert len(load(MATERIALS + more, tmp_path).world.bodies) == 2


def test_one_name_twice(tmp_path):
    text = SMALL + "name = 'a'\n" + SMALL[SMALL.index("[[body]]") :] + "name = 'a'\n"
    assert problems_of(text, tmp_path) == [
        "heap.toml:14: body[1].name = 'a': body[0] has that name already"
    ]
    grid = "[[grid]]\nshape='sphere'\nradius=1\nmass=1\ncounts=[2,1,1]\nspacing=3\nname='a'\n"
    (problem,) = problems_of(SMALL + "name = 'a 1'\n" + grid, tmp_path)
    assert problem == "heap.toml:16: grid[0].name = 'a': a body is called 'a 1' already"


def test_what_a_simulation_would_refuse(tmp_path):
    for change, message in (
        (("step = 0.01", "step = 0.01\nlaw = 'associated'"), "simulation.law = 'associated'"),
        (("until = 1.0", "until = -1.0"), "simulation.until = -1.0: it is t = 0 s already"),
        (("until = 1.0", "until = 1.0\nstart_time = 2"), "simulation.until = 1.0: it is t = 2 s"),
        (("until = 1.0\nstep = 0.01", "until = 1e150\nstep = 1e-300"), "too many steps"),
    ):
        (problem,) = problems_of(SMALL.replace(*change), tmp_path)
        assert message in problem
    text = SMALL.replace("step =", "scheme = 'MoreauMidpoint'\nstep =")
    (problem,) = problems_of(text + "[contact]\nrestitution = 0.5\n", tmp_path)
    assert "restitution = 0.5: MoreauMidpoint is inelastic" in problem


MODELS = {
    '"polygonal"': rc.PolygonalFriction(),
    '{ name = "polygonal", facets = 16 }': rc.PolygonalFriction(facets=16),
    '{ name = "box", rounds = 0 }': rc.BoxFriction(rounds=0),
    '{ name = "regularised", stiffness = inf, threshold = 0.1 }': rc.RegularisedFriction(
        stiffness=np.inf, threshold=0.1
    ),
}


@pytest.mark.parametrize("text", MODELS)
def test_friction_models(tmp_path, text):
    """As in the Python API, and written as they were read."""
    given = SMALL.replace("step =", f"friction_model = {text}\nsolver = 'lemke'\nstep =")
    scene = load(given, tmp_path)
    model = scene.settings["friction_model"]
    expected = MODELS[text]
    assert rc.Simulation(scene.world, **scene.settings).settings.model == expected
    written = scene.world.to_scene(until=scene.until, **scene.settings)
    assert read_scene(written, "twin").settings["friction_model"] == model


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("friction_model = 'poligonal'", "did you mean 'polygonal'?"),
        ("friction_model = { name = 'box', facets = 4 }", "friction_model.facets: unknown key"),
        ("friction_model = { name = 'polygonal', facets = 7 }", "facets = 7: must be even"),
        ("friction_model = { name = 'cone', x = 1 }", "'x' of friction model 'cone': it has none"),
        ("friction_model = 'polygonal'\nsolver = 'apgd'", "solver = 'apgd': friction model"),
        (
            "friction_model = 'box'\nsolver = { name = 'sor', omega = 5 }",
            "solver.omega = 5: must be",
        ),
        ("solver = 'lemke'", "choose a friction_model as well"),
    ],
)
def test_wrong_friction_models(tmp_path, lines, words):
    (problem,) = problems_of(SMALL.replace("step =", f"{lines}\nstep ="), tmp_path)
    assert words in problem
