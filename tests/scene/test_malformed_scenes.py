"""Hundreds of malformed scenes: each is refused, with the key and the line that are wrong."""

import random
import re

import pytest
from scene_cases import FULL, GALLERY, SMALL, problems_of
from typer.testing import CliRunner

import rollcone as rc
from rollcone.cli.main import app
from rollcone.scene.read import read_scene

LINES = FULL.splitlines()
KEYS = [k for k, line in enumerate(LINES) if re.match(r"\w+ = ", line)]
# No field is any of these; the last ones are tried on some fields only, to save time.
NEVER = {"nan": 1, '""': 2, "[[]]": 2, "{ a = 1 }": 3, "1979-05-27": 4, "1" + "0" * 400: 3}


some_and_all = pytest.mark.parametrize(
    "numbers",
    [pytest.param(KEYS[::8], id="some"), pytest.param(KEYS, id="all", marks=pytest.mark.slow)],
)


def changed(number: int, line: str) -> str:
    return "\n".join([*LINES[:number], line, *LINES[number + 1 :]]) + "\n"


def names_the_field(problems: list[str], number: int, key: str) -> bool:
    start = rf"heap\.toml:{number + 1}: [\w\[\].]*\b{key}\b"
    return any(re.match(start, problem) for problem in problems)


@some_and_all
@pytest.mark.parametrize("value", NEVER, ids=lambda value: value[:10])
def test_wrong_values(value, numbers, tmp_path):
    for number in numbers[:: NEVER[value]]:
        key = LINES[number].split()[0]
        problems = problems_of(changed(number, f"{key} = {value}"), tmp_path)
        assert names_the_field(problems, number, key), (LINES[number], problems)


@some_and_all
def test_booleans_are_no_numbers_nor_texts(numbers, tmp_path):
    for number in numbers:
        key, _, value = LINES[number].split(maxsplit=2)
        if value in ("true", "false"):
            wrong = [f"{key} = {word}" for word in ("0", "1", '"true"')]
        else:
            wrong = [f"{key} = true"]
            if value.startswith("[") and "[" not in value[1:]:
                wrong.append(f"{key} = [true, {value[1:]}")
        for line in wrong:
            problems = problems_of(changed(number, line), tmp_path)
            assert names_the_field(problems, number, key), (line, problems)


@some_and_all
def test_lists_of_the_wrong_length(numbers, tmp_path):
    for number in numbers:
        key, _, value = LINES[number].split(maxsplit=2)
        tables = "{" in value  # any number of them
        if value.startswith("[") and not tables and key != "materials":
            entry = value[1:-1].split(",")[0].strip("[]")
            problems = problems_of(changed(number, f"{key} = [{entry}]"), tmp_path)
            assert names_the_field(problems, number, key), (LINES[number], problems)


@some_and_all
def test_misspelled_keys(numbers, tmp_path):
    """A letter twice: the right key is suggested."""
    for number in numbers:
        key, _, value = LINES[number].split(maxsplit=2)
        wrong = f"{key[:2]}{key[1:]}"
        problems = problems_of(changed(number, f"{wrong} = {value}"), tmp_path)
        if key == "shape":  # without it the table is not known
            assert any("shape" in problem for problem in problems)
            continue
        assert names_the_field(problems, number, wrong), (LINES[number], problems)
        assert any(f"did you mean '{key}'" in problem for problem in problems)


def wrong_with(text: str) -> list[str]:
    """Nothing, if it is a scene; another error than `SceneError` is let through."""
    try:
        read_scene(text, "heap.toml")
    except rc.SceneError as error:
        return error.problems
    return []


@some_and_all
def test_keys_that_are_missing(numbers):
    refused = 0
    for number in numbers:
        key = LINES[number].split()[0]
        problems = wrong_with(changed(number, ""))
        told = "mass" if key == "fixed" else key
        if LINES[number] == "point = [0, 90, 0]":  # of a plane: without it a ball is in the solid
            told = "plane"
        assert not problems or any(re.search(rf"\b{told}\b", problem) for problem in problems)
        refused += bool(problems)
    assert refused >= 10


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("radius = 0.1", "radius = 0"), "body[0].radius = 0: must be one number > 0"),
        (("radius = 0.1", "radius = 1e200"), "body[0].radius = 1e+200: must be at most"),
        (("radius = 0.1", "radius = 1e400"), "body[0].radius = inf: must be finite"),
        (("radius = 0.1", "radius = -inf"), "body[0].radius = -inf"),
        (("radius = 0.1", "radius = '0.1'"), "body[0].radius = '0.1'"),
        (("radius = 0.1", "radius = 0.1\nradius_m = 3"), "body[0].radius_m: unknown key"),
        (("radius = 0.1", "radius = 0.1\nlength = 3"), "body[0].length: unknown key; there are"),
        (("radius = 0.1", "radius.m = 0.1"), "body[0].radius = {'m': 0.1}"),
        (("radius = 0.1", ""), "body[0].radius: is missing"),
        (("radius = 0.1", "radius = 0.1\nmotion = 'circle'"), "body[0].motion: unknown key"),
        (("mass = 1.0", "mass = 1.0\ndensity = 1"), "body[0].mass = 1.0 and density = 1.0"),
        (("mass = 1.0", ""), "body[0]: needs mass or density"),
        (("mass = 1.0", "density = 1e200\nradius = 1"), "Cannot overwrite"),
        (("0.1\nmass = 1.0", "1e140\ndensity = 1"), "body[0]: density * volume = inf"),
        (("mass = 1.0", "mass = 1\norientation = [1, 1, 0, 0]"), "has length 1.41421: must be 1"),
        (("mass = 1.0", "mass = 1\norientation = [0, 0, 0]"), "body[0].orientation"),
        (("mass = 1.0", "mass = 1\ninertia = [1, 1, -1]"), "body[0].inertia"),
        (("mass = 1.0", "mass = 1\ninertia = [[1, 2, 0], [0, 1, 0], [0, 0, 1]]"), "symmetric"),
        (("mass = 1.0", "mass = 1\nprincipal_axes = [1, 0, 0, 0]"), "principal_axes: give inertia"),
        (("mass = 1.0", "mass = 1\nposition = [0, 0, nan]"), "body[0].position[2] = nan"),
        (("mass = 1.0", "mass = 1\nposition = [0, 0, 1e200]"), "body[0].position has an entry"),
        (("mass = 1.0", "mass = 1\nvelocity = 3"), "body[0].velocity = 3: must be three numbers"),
        (("mass = 1.0", "mass = 1\nname = 3"), "body[0].name = 3: must be a text"),
        (("mass = 1.0", 'mass = 1\n"a key" = 3'), "body[0].a key: unknown key"),
        (("mass = 1.0", 'mass = 1\n"a\\nb" = 3'), r"body[0].a\nb: unknown key"),
        (('"sphere"', '"torus"'), "body[0].shape = 'torus': must be one of sphere, box, capsule"),
        (('"sphere"', "['sphere']"), "body[0].shape = ['sphere']"),
        (('"sphere"', '"plane"\nnormal = [0, 0, 0]'), "body[0].normal = [0.0, 0.0, 0.0]: must not"),
        (('"sphere"', '"plane"'), "body[0].radius: unknown key"),
        (("[[body]]", "[body]"), "must be tables that begin with [[body]]"),
        (
            ("[[body]]", "[body]\n[body]"),
            "Cannot declare ('body',) twice; write [[body]], with two",
        ),
        (("[[body]]", "[body]\n[[body]]"), "Cannot overwrite a value; write [[body]], with two"),
        (("[simulation]", "[world]\n[world]\n[simulation]"), "twice; write [world] once"),
        (("mass = 1.0", "fixed = True"), "heap.toml:8:9: Invalid value True; write true"),
        (('"sphere"', "sphere"), "Invalid value sphere; a text is written in quotes"),
        (("mass = 1.0", "fixed = 'true'"), "fixed = 'true': must be true or false, without quotes"),
        (("mass = 1.0", "rotation = 30"), "body[0].rotation = 30: must be like { axis"),
        (("mass = 1.0", "rotation = { axis = [0, 0, 1] }"), "body[0].rotation.degrees: is missing"),
        (
            ("mass = 1.0", "rotation = { axis = [0, 0, 1], degres = 3 }"),
            "body[0].rotation.degres: unknown key (did you mean 'degrees'?)",
        ),
        (
            ("mass = 1.0", "mass = 1\nrotation = { axis = [0, 0, 0], degrees = 3 }"),
            "body[0].rotation.axis = [0.0, 0.0, 0.0]: must be three numbers, not all zero",
        ),
        (
            ("mass = 1.0", "mass = 1\nrotation = { axis = [0, 0, 1], degrees = true }"),
            "body[0].rotation.degrees = True",
        ),
        (
            (
                "mass = 1.0",
                "mass = 1\norientation = [1, 0, 0, 0]\nrotation = { axis = [0, 0, 1], degrees = 3}",
            ),
            "body[0].rotation: there is also orientation; give one of them",
        ),
        (
            (
                '"sphere"\nradius = 0.1\nmass = 1.0',
                '"plane"\nnormal = [0, 0, 1]\nrotation = { axis = [0, 0, 1], degrees = 3 }',
            ),
            "body[0].rotation: there is also normal; give one of them",
        ),
        (("[[body]]", "[[bodies]]"), "bodies: unknown key"),
        (("[simulation]", "[[simulation]]"), "must be a table that begins with [simulation]"),
        (("[simulation]", "[simulatoin]"), "simulatoin: unknown key (did you mean 'simulation'?)"),
        (("[simulation]", "body = 3\n[simulation]"), "Cannot"),
        (("step = 0.01", "step = 0.01\nsolver = 'simplex'"), "simulation.solver = 'simplex'"),
        (("step = 0.01", "step = 0.01\nsolver = {}"), "simulation.solver.name: is missing"),
        (
            ("step = 0.01", "step = 0.01\nsolver = { name = 'auto', local = 'exact' }"),
            "local: name",
        ),
        (
            ("step = 0.01", "step = 0.01\nsolver = { name = 'gauss-seidel', tolerance = 3 }"),
            "simulation.solver.tolerance: unknown key",
        ),
        (
            ("step = 0.01", "step = 0.01\nsolver = { name = 'gauss-seidel', local = 'exakt' }"),
            "simulation.solver.local = 'exakt': must be one of projection, exact",
        ),
        (
            ("step = 0.01", "step = 0.01\nscheme = { name = 'MoreauJean', theta = 3 }"),
            "simulation.scheme.theta = 3: must be a number from 0 to 1",
        ),
        (
            ("step = 0.01", "step = 0.01\nscheme = { name = 'GapAhead', theta = 0.5 }"),
            "simulation.scheme.theta: unknown key",
        ),
        (("step = 0.01", "step = 0.01\nmax_iterations = 2.0"), "simulation.max_iterations = 2.0"),
        (("step = 0.01", "step = 0.01\nrecord_every = 2"), "simulation.record_every: unknown key"),
        (
            ("[simulation]", "[contact]\ncompliance = 'soft'\n[simulation]"),
            "contact.compliance = 'soft': must be a number, [normal, tangential], or { young = ",
        ),
        (
            ("[simulation]", "[contact]\ncompliance = [1e-9, 1e-9, 0]\n[simulation]"),
            "contact.compliance = [1e-09, 1e-09, 0.0]: must be a number, [normal, tangential]",
        ),
        (
            ("[simulation]", "[contact]\ncompliance = [1e-9, -1e-9]\n[simulation]"),
            "contact.compliance[1] = -1e-09: must be one number >= 0",
        ),
        (
            ("[simulation]", "[contact]\ncompliance = { young = 210e9 }\n[simulation]"),
            "heap.toml:2: contact.compliance.poisson: is missing: must be like 0.3",
        ),
        (
            ("[simulation]", "[contact]\ncompliance = { yuong = 1, poisson = 0 }\n[simulation]"),
            "contact.compliance.yuong: unknown key (did you mean 'young'?)",
        ),
        (
            ("[simulation]", "[contact]\ncompliance = { young = 1, poisson = 1 }\n[simulation]"),
            "contact.compliance.poisson = 1.0: must be above -1 and at most 0.5",
        ),
        (
            (
                "[simulation]",
                "[[pair]]\nmaterials = ['a', 'a']\n"
                "compliance = { young = [true, 1], poisson = 0 }\n[simulation]",
            ),
            "pair[0].compliance.young = [True, 1]: must be numbers, not true or false",
        ),
        (("[simulation]", "pair = 3\n[simulation]"), "pair = 3: must be tables"),
        (("[simulation]", "pair = [3]\n[simulation]"), "pair[0]: is 3: must be a table"),
        (("[simulation]", "contact = 3\n[simulation]"), "contact = 3: must be a table"),
        (("[simulation]", "grid = [{}]\n[simulation]"), "grid[0].shape: is missing"),
    ],
)
def test_by_hand(change, message, tmp_path):
    assert change[0] in SMALL
    problems = problems_of(SMALL.replace(*change, 1), tmp_path)
    assert any(message in problem for problem in problems), problems


@pytest.mark.parametrize("text", ["", "# nothing\n", "title = 'x'\n"])
def test_nothing_to_simulate(text, tmp_path):
    assert any("simulation: is missing" in problem for problem in problems_of(text, tmp_path))
    (problem,) = problems_of(f"{text}[simulation]\nuntil = 1\nstep = 1\n", tmp_path)
    assert "body: there is none; add a [[body]]" in problem


@pytest.mark.parametrize("path", sorted(GALLERY.glob("*.toml")), ids=lambda path: path.stem)
def test_damaged_texts(path):
    """A few characters lost, doubled or replaced: a scene or a `SceneError`, no other error."""
    rng = random.Random(1)
    good = path.read_text()
    refused = 0
    for _ in range(25):
        text = good
        for _ in range(rng.randrange(1, 4)):
            k = rng.randrange(len(text))
            text = (
                text[:k]
                + rng.choice(["", text[k] * 2, rng.choice('[]"=.,-#{}\n1e\0é')])
                + text[k + 1 :]
            )
        problems = wrong_with(text)
        assert all(problem.startswith("heap.toml:") for problem in problems)
        refused += bool(problems)
    assert refused >= 3


@pytest.mark.slow
def test_a_hundred_at_the_command_line(tmp_path, monkeypatch):
    """Each ends with code 1 and a line that names the field; nothing is written."""
    monkeypatch.chdir(tmp_path)
    path, tried = tmp_path / "heap.toml", 0
    for number in KEYS:
        key = LINES[number].split()[0]
        path.write_text(changed(number, f"{key} = nan"))
        result = CliRunner().invoke(app, ["run", str(path), "-o", "out.h5"])
        assert (result.exit_code, result.stdout) == (1, ""), result
        told = result.stderr.splitlines()
        assert all(line.startswith(f"error: {path}") for line in told)
        assert any(re.search(rf"\b{key}\b", line) for line in told)
        tried += 1
    assert tried >= 100
    assert [entry.name for entry in tmp_path.iterdir()] == ["heap.toml"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[contact]\ncontour = 0.1\nrolling = 0.1", "contact.*contour = 0.1"),
        (
            "[contact]\nsliding = 0.1\npressure = 'hertz'",
            r"contact\.pressure = 'hertz': needs a contact_radius",
        ),
        (
            "[[pair]]\nmaterials = ['a', 'b']\n[[pair]]\nmaterials = ['a', 'a']\n"
            "spinning = 0.1\ncontact_radius = 0.1",
            r"pair\[1\].spinning = 0.1",
        ),
        (
            "[contact]\ncontour = 0.1\n[[body]]\nshape = 'clump'\nmass = 1\n"
            "spheres = [[0, 0, 0, 1], [1, 0, 0, 1]]",
            "contour friction",
        ),
        (
            "[[body]]\nshape = 'bowl'\nradius = 0.1\n[[body]]\nshape = 'sphere'\nradius = 0.2\n"
            "mass = 1",
            "bowl",
        ),
    ],
)
def test_what_a_run_would_refuse_is_told_by_the_file(text, words, tmp_path):
    body = "\n[[body]]\nshape = 'plane'\nmaterial = 'a'\n"
    scene = "[simulation]\nuntil = 1\nstep = 0.1\n" + text + body
    assert any(re.search(words, problem) for problem in problems_of(scene, tmp_path))


@pytest.mark.parametrize(
    ("radius", "place", "line", "words"),
    [
        (0.05, [0, 0, 0.5], 6, "radius = 0.05 of the bowl 'bowl 0': must be more than 0.1 m"),
        (1.0, [0, 0, -0.5], 10, "position = [ 0.   0.  -0.5] of 'disk 1': must be within the bowl"),
    ],
)
def test_bowls_are_told_where_they_stand(radius, place, line, words):
    """What is wrong between bodies is told at one of them."""
    text = f"""[simulation]
until = 1.0
step = 1e-3
[[body]]
shape = "bowl"
radius = {radius}
[[body]]
shape = "disk"
radius = 0.1
position = {place}
mass = 1.0
"""
    with pytest.raises(rc.SceneError) as error:
        read_scene(text, "scene")
    assert error.value.problems[0].startswith(f"scene:{line}: ")
    assert words in error.value.problems[0]
