"""Fit files: what they say, and all that is wrong with one at once, with lines."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollcone as rc
from rollcone.fit.curve_file import read_curve
from rollcone.fit.fit import read_fit

SCENE = """
[simulation]
until = 6.0
step = 0.05
[world]
gravity = [0, 0, -9.81]
[contact]
sliding = 0.2
rolling = 0.04
[[body]]
shape = "plane"
[[body]]
shape = "sphere"
name = "ball"
radius = 0.5
density = 2500
position = [0, 0, 0.5]
velocity = [2.5, 0, 0]
angular_velocity = [0, 5, 0]
"""
FIT = """\
title = "A ball"
scene = "ball.toml"
[set]
"simulation.until" = 12.0
[fit]
method = "least-squares"
budget = 50
[[parameter]]
key = "contact.rolling"
from = 0.02
to = 0.2
start = 0.1
scale = "log"
[[target]]
name = "distance"
kind = "stop-distance"
body = "ball"
value = 5.574669
uncertainty = 0.02
[[target]]
kind = "body"
body = "ball"
quantity = "speed"
times = [1.0, 2.0]
values = [2.0, 1.5]
uncertainty = [0.1, 0.2]
weight = 0.5
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "ball.toml").write_text(SCENE)
    return tmp_path


def problems_of(folder, text):
    with pytest.raises(rc.SceneError) as caught:
        read_fit(text, str(folder / "fit.toml"))
    return [line.replace(f"{folder}/", "") for line in caught.value.problems]


def test_what_a_file_says(folder):
    (folder / "fit.toml").write_text(FIT)
    fit = rc.load_fit(folder / "fit.toml")
    (rolling,) = fit.problem.parameters
    assert (rolling.name, rolling.low, rolling.high, rolling.start) == ("rolling", 0.02, 0.2, 0.1)
    assert rolling.log
    distance, speed = fit.problem.targets
    assert (distance.name, distance.measured, distance.time) == ("distance", [5.574669], None)
    assert speed.name == "body"
    np.testing.assert_array_equal(speed.uncertainty, [0.1, 0.2])
    assert speed.weight == 0.5
    assert (distance.label, speed.label) == ("distance (m)", "body (m/s)")
    assert fit.options.method == "least-squares"
    assert fit.options.budget == 50
    tables = [measure.model_dump(exclude_unset=True) for measure in fit.subject.measures]
    assert tables[0] == {"kind": "stop-distance", "name": "distance", "body": "ball"}
    assert tables[1]["times"] == [1.0, 2.0]
    assert "value" not in tables[1]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("from = 0.02", "from = 0.3", "fit.toml:11: parameter[0].to = 0.2: must be above"),
        ("from = 0.02\n", "", "parameter[0].to: from and to go together"),
        ("start = 0.1", "start = 0.3", "fit.toml:12: parameter[0].start = 0.3: must be from 0.02"),
        ("contact.rolling", "contact.roling", "did you mean 'rolling'"),
        ("contact.rolling", "roling", "key = 'roling': must begin with a table"),
        ("value = 5.57", "valeu = 5.57", "fit.toml:18: target[0].valeu: unknown key"),
        ("value = 5.574669\n", "", "target[0].value: is missing"),
        ("uncertainty = 0.02", "uncertainty = 0", "fit.toml:19: target[0].uncertainty = 0: must"),
        ("uncertainty = 0.02\n", "", "uncertainty: target 'distance' has none; give it for all"),
        ("[0.1, 0.2]", "[0.1]", "target[1].uncertainty: has 1 entries: must be one number or 2"),
        ("times = [1.0, 2.0]\n", "", "target[1].times: values and times go together"),
        ("times = [1.0, 2.0]", "times = [1.0]", "fit.toml:24: target[1].times: are 1: must be as"),
        ("times = [1.0, 2.0]", "times = [1.0, 20.0]", "the scene is simulated from 0 to 12 s"),
        ("values = [2.0, 1.5]", "value = 2.0", "target[1].times: values and times go together"),
        ('"stop-distance"', '"stop-distanse"', "did you mean 'stop-distance'?"),
        ('"stop-distance"', '"heap-angle"', "fit.toml:17: target[0].body: unknown key"),
        ("value = 5.574669", "values = [5.0]", "target[0].values: a stop-distance is one number"),
        ("value = 5.574669", 'file = "no.csv"', "target[0].file: a stop-distance is one number"),
        ("budget = 50", "budget = 0", "fit.toml:7: fit.budget = 0: must be a whole number >= 1"),
        ("budget = 50", "step = 0.7", "fit.toml:7: fit.step = 0.7: is a part of a range"),
        ('"least-squares"', '"least squares"', "(did you mean 'least-squares'?)"),
        ('"ball.toml"', '"box.toml"', "fit.toml:2: scene = 'box.toml'"),
        ("weight = 0.5", "weight = -1", "fit.toml:27: target[1].weight = -1: must be"),
        ('scale = "log"', 'scale = "log"\n[[target]]\nkind="body"', "is missing"),
        ('"simulation.until" = 12.0', '"simulation.until" = -1', "until"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told(folder, old, new, told):
    assert old in FIT
    text = FIT.replace(old, new)
    assert any(told in line for line in problems_of(folder, text)), problems_of(folder, text)


def test_all_problems_at_once(folder):
    text = FIT.replace("start = 0.1", "start = 1").replace("budget = 50", "budgte = 50")
    text = text.replace("weight = 0.5", "weight = 0")
    found = problems_of(folder, text)
    assert [line.split(":")[1] for line in found] == ["7", "12", "27"]


def test_more_coefficients_than_numbers(folder):
    more = "".join(
        f'[[parameter]]\nname = "p{k}"\nkey = "body.ball.velocity.{k}"\nfrom = 1\nto = 2\n'
        for k in range(3)
    )
    (told,) = problems_of(folder, FIT + more)
    assert "4 parameters cannot be told from 3 measured numbers" in told


def test_repeats_of_what_is_not_random(folder):
    (told,) = problems_of(folder, "repeats = 3\n" + FIT)
    assert "nothing in the scene is random" in told


def test_a_curve_from_a_file(folder):
    text = FIT.replace("times = [1.0, 2.0]\n", "").replace("[0.1, 0.2]", "0.1")
    text = text.replace("values = [2.0, 1.5]", 'file = "speed.csv"')
    (folder / "speed.csv").write_text("time,value\n2.0,1.5\n1.0,2.0\n")
    speed = read_fit(text, str(folder / "fit.toml")).problem.targets[1]
    np.testing.assert_array_equal(speed.time, [1.0, 2.0])
    np.testing.assert_array_equal(speed.measured, [2.0, 1.5])
    (folder / "speed.csv").write_text("time,value,uncertainty\n1.0,2.0,0.1\n")
    assert any("the file has it already" in line for line in problems_of(folder, text))
    (folder / "speed.csv").unlink()
    assert any("No such file" in line for line in problems_of(folder, text))


@pytest.mark.parametrize(
    ("text", "time", "value"),
    [
        ("1,2\n3,4\n", [1, 3], [2, 4]),
        ("# a comment\nvalue;time\n2;1\n\n4;3 # end\n", [1, 3], [2, 4]),
        ("time value uncertainty\n3 4 .1\n1 2 .1", [1, 3], [2, 4]),
        ('"Time"\t"Value"\n1e0\t2\n', [1], [2]),
        ("time,distance\n1,2\n3,4\n", [1, 3], [2, 4]),
        ("t;s\n1;2\n3;4\n", [1, 3], [2, 4]),
        ("Zeit [s];Weg [m]\r\n0,5;1,25\r\n1;2,5\r\n", [0.5, 1], [1.25, 2.5]),
        ("time (s)\tω (rad/s)\n0,5\t1,25\n", [0.5], [1.25]),
        ("distance, time\n2, 1\n4, 3\n", [1, 3], [2, 4]),
        ("uncertainty,t,height\n.1,1,2\n", [1], [2]),
        ("0,5;1\n", [0.5], [1]),
        ("1;2;\n", [1], [2]),
    ],
)
def test_forms_of_curve_files(tmp_path, text, time, value):
    (tmp_path / "a.csv").write_text(text)
    curve = read_curve(tmp_path / "a.csv")
    np.testing.assert_array_equal(curve["time"], time)
    np.testing.assert_array_equal(curve["value"], value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "has no numbers"),
        ("time,value\n", "has no numbers"),
        ("time,uncertainty\n1,2\n", "has columns time, uncertainty: must be two or three: time"),
        ("time,t\n1,2\n", "has columns time, t: must be"),
        ("speed\n1,2\n", "has columns speed: must be"),
        ("a,b,c,d\n1,2,3,4\n", "has columns a, b, c, d: must be"),
        ("t,s\n1,2,3\n", "line 2 is '1,2,3': must be the numbers time, value"),
        ("1,x\n3,4\n", "line 1 is '1,x': must be the numbers"),
        ("1O,2\n3,4\n", "line 1"),
        ("0,5,1,25\n", "between numbers with decimal commas there must be semicolons or tabs"),
        ("1.234,5;2\n", "line 1"),
        (";1;2\n", "line 1"),
        ("1,,2\n", "line 1"),
        ("1,2\n3,x\n", "line 2 is '3,x': must be the numbers"),
        ("1,2\n3,nan\n", "line 2"),
        ("1\n", "line 1"),
        ("1,2,3,4\n", "line 1"),
        ("1,2\n1,2,3\n", "lines of two and of three numbers"),
    ],
)
def test_curve_files_that_are_none(tmp_path, text, told):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(rc.InputError, match=r"a\.csv") as caught:
        read_curve(tmp_path / "a.csv")
    assert told in str(caught.value)


@given(st.data())
def test_damaged_files_end_in_our_errors(tmp_path_factory, data):
    folder = tmp_path_factory.getbasetemp()
    (folder / "ball.toml").write_text(SCENE)
    lines = FIT.splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        number = data.draw(st.integers(0, len(lines) - 1))
        key = lines[number].partition("=")[0]
        value = data.draw(
            st.sampled_from(["nan", "-1", "1e400", "true", "[]", "{}", '""', "[[1]]", "0", "inf"])
        )
        lines[number] = f"{key} = {value}"
    try:
        fit = read_fit("\n".join(lines), str(folder / "fit.toml"))
    except rc.RollconeError:
        return
    assert fit.problem.quantities >= 1
