"""Study files: what they say, and all that is wrong with them, at once and with lines."""

import tomllib

import pytest
from sweep_cases import POURED, STUDY, write_study

import rollcone as rc
from rollcone.sweep.case import Subject


def problems(tmp_path, text, **more):
    with pytest.raises(rc.SceneError) as caught:
        rc.load_sweep(write_study(tmp_path, text, **more))
    return [line.removeprefix(f"{tmp_path}/") for line in caught.value.problems]


def test_a_study_is_points_and_cases(tmp_path):
    sweep = rc.load_sweep(write_study(tmp_path))
    assert sweep.points() == [{"sliding": 0.25}, {"sliding": 0.5}]
    first, second = sweep.cases()
    assert "sliding = 0.25" in first.text
    assert first.key != second.key
    assert first.steps == 300


def test_comments_of_the_scene_do_not_change_a_case_but_its_values_do(tmp_path):
    keys = [case.key for case in rc.load_sweep(write_study(tmp_path)).cases()]
    path = tmp_path / "slider.toml"
    path.write_text("# a remark\n" + path.read_text())
    assert [case.key for case in rc.load_sweep(tmp_path / "study.toml").cases()] == keys
    path.write_text(path.read_text().replace("mass = 1", "mass = 2"))
    assert not set(keys) & {case.key for case in rc.load_sweep(tmp_path / "study.toml").cases()}


def test_a_file_that_the_scene_names_is_part_of_a_case(tmp_path):
    scene = POURED + '[[robot]]\nfile = "r.urdf"\nname = "r"\nposition = [0, 0, 5]\n'
    urdf = (
        '<robot name="r"><link name="a"><inertial><mass value="{}"/><inertia ixx="1" iyy="1" '
        'izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>'
    )
    (tmp_path / "r.urdf").write_text(urdf.format(1))
    study = 'scene = "slider.toml"\n[[measure]]\nkind = "energy"\nterm = "kinetic"\n'
    before = rc.load_sweep(write_study(tmp_path, study, scene)).cases()[0].key
    (tmp_path / "r.urdf").write_text(urdf.format(2))
    assert rc.load_sweep(tmp_path / "study.toml").cases()[0].key != before


def test_a_mesh_of_a_robot_is_part_of_a_case(tmp_path):
    scene = POURED + '[[robot]]\nfile = "r.urdf"\nname = "r"\nposition = [0, 0, 5]\n'
    (tmp_path / "r.urdf").write_text('<robot><mesh filename="package://r/m.stl"/></robot>')
    subject = Subject(tomllib.loads(scene), str(tmp_path / "scene.toml"), {})
    (tmp_path / "m.stl").write_text("one")
    before = subject.case((), {}, 0).key
    assert subject.case((), {}, 0).key == before
    (tmp_path / "m.stl").write_text("two")
    assert subject.case((), {}, 0).key != before


def test_repeats_draw_anew(tmp_path):
    sweep = rc.load_sweep(write_study(tmp_path, 'scene = "slider.toml"\nrepeats = 3\n', POURED))
    seeds = [line for case in sweep.cases() for line in case.text.split("\n") if "seed" in line]
    assert seeds == ["seed = 7", "seed = 8", "seed = 9"]


def test_all_that_is_wrong_is_told_at_once_with_its_line(tmp_path):
    text = """scene = "slider.toml"
wrong = 1
[[parameter]]
key = "contact.sliding"
from = 2
to = 1
[[measure]]
kind = "stop-tme"
[[measure]]
kind = "stop-time"
"""
    assert problems(tmp_path, text) == [
        "study.toml:2: wrong: unknown key; there are keep, measure, parameter, repeats, sampling, "
        "scene, set, title",
        "study.toml:6: parameter[0].to = 1.0: must be above from = 2.0",
        "study.toml:8: measure[0].kind = 'stop-tme': must be one of body, energy, joint, "
        "stop-time, stop-distance, heap-angle, heap-height, heap-radius, coordination, "
        "packing-fraction (did you mean 'stop-time'?)",
        "study.toml:9: measure[1].body: is missing: Its name.",
    ]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            'key = "contact.sliding"',
            'key = "contact.slidin"',
            "(did you mean 'sliding'",
        ),
        ('key = "contact.sliding"', 'key = "body.blok.mass"', "did you mean 'block'"),
        ("values = [0.25, 0.5]", "values = [0.25, -0.5]", "sliding = -0.5: must be"),
        ("values = [0.25, 0.5]", "values = []", "at least one value"),
        ("values = [0.25, 0.5]", "from = 0.1\nto = 0.2", "count: is missing"),
        ("values = [0.25, 0.5]", "from = 0\nto = 1\ncount = 3\nscale = 'log'", "must be > 0"),
        ("values = [0.25, 0.5]", "from = 0\nto = 1\ncount = 10000000", "at most 1,000,000"),
        ("values = [0.25, 0.5]", "values = [1]\ncount = 3", "goes with from and to"),
        ('body = "block"', 'body = "blok"', "measure[0]: body 'blok': there is none"),
        ('name = "time"', 'name = "seconds"', "is a column of every table"),
        ('name = "time"', 'name = "distance_error"', "is a column of every table"),
        ('name = "time"', 'name = "a/b"', "must have no '/'"),
        ("values = [0.25, 0.5]", "values = [0.25, nan]", "must be finite"),
        ("values = [0.25, 0.5]", "values = [0.25, 0.25]", "0.25 is there twice"),
        ("[[parameter]]", "sampling = 'random'\n[[parameter]]", "begins with [sampling]"),
        (
            'kind = "stop-time"',
            'kind = "body"\nquantity = "speed"\ntime = 0.9',
            "time = 0.9 s: the scene ends at 0.6 s",
        ),
        ('name = "time"', 'name = "distance"', "is there twice"),
        ('name = "time"', 'name = "sliding"', "is there twice"),
        ('"slider.toml"', '"other.toml"', "No such file"),
        ("[[parameter]]", "repeats = 2\n[[parameter]]", "nothing in the scene is random"),
        ("[[parameter]]", "[sampling]\nmethod = 'random'\n[[parameter]]", "count: is missing"),
        (
            "[[parameter]]",
            "[sampling]\nmethod = 'random'\ncount = 3\n[[parameter]]",
            "draws from a range",
        ),
        ("[[parameter]]", "[set]\n'simulation.stepp' = 1\n[[parameter]]", "did you mean 'step'"),
    ],
)
def test_each_mistake_is_named(tmp_path, old, new, words):
    assert old in STUDY
    found = problems(tmp_path, STUDY.replace(old, new))
    assert any(words in line for line in found), found


def test_a_scene_that_is_wrong_is_told_with_its_own_lines(tmp_path):
    found = problems(tmp_path, STUDY, scene="[simulation]\nuntil = 1\n")
    assert any("slider.toml:1: simulation.step: is missing" in line for line in found)


def test_too_many_runs_are_refused(tmp_path):
    ranges = "".join(
        f'[[parameter]]\nkey = "{key}"\nname = "p{k}"\nfrom = 0.1\nto = 0.2\ncount = 2000\n'
        for k, key in enumerate(("contact.sliding", "contact.rolling"))
    )
    found = problems(tmp_path, f'scene = "slider.toml"\n{ranges}')
    assert "at most 1,000,000 runs" in found[0]


def test_functions_come_from_python_alone(tmp_path):
    sweep = rc.load_sweep(write_study(tmp_path))
    with pytest.raises(rc.InputError, match=r"package\.module:function"):
        sweep.with_functions({"f": "nowhere"})
    with pytest.raises(rc.InputError, match="is there twice"):
        sweep.with_functions({"time": "sweep_functions:steps"})
    with pytest.raises(rc.InputError, match="is there twice"):
        sweep.with_functions({"sliding": "sweep_functions:steps"})
    with pytest.raises(rc.InputError, match="must be a text"):
        sweep.with_functions({"f": len})
    text = STUDY.replace('kind = "stop-time"', 'kind = "sweep_functions:steps"')
    assert "must be one of" in problems(tmp_path, text)[0]
