"""[analysis] of scene files: what it holds, and what is told of mistakes."""

import pytest
from scene_cases import FULL, SMALL, load, problems_of

import rollcone as rc

NAMED = SMALL.replace('shape = "sphere"', 'shape = "sphere"\nname = "ball"')


def test_what_it_holds(tmp_path):
    scene = load(FULL, tmp_path)
    assert scene.analysis == {
        "time": 0.5,
        "torques": {"rail": 1.5},
        "accelerations": {"swing.angle": 2.0},
        "speed_tolerance": 1e-5,
    }
    assert scene.disturbances == ({"body": "ball", "force": [0, 0, 1], "torque": [0, 1, 0]},)
    assert load(NAMED, tmp_path).analysis == {"time": 0.0}


def test_the_start_of_the_simulation_is_the_time(tmp_path):
    scene = load(NAMED.replace("step", "start_time = 0.25\nstep"), tmp_path)
    assert scene.analysis == {"time": 0.25}


def test_options_go_to_the_analysis(tmp_path):
    scene = load(NAMED.replace("mass = 1.0", "mass = 1.0\nforce = [3, 0, 0]"), tmp_path)
    assert scene.analyze().motion.accelerations[0] == pytest.approx(3.0)
    with pytest.raises(rc.InputError, match=r"speed_tolerance = -1.*: must be"):
        scene.analyze(speed_tolerance=-1.0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[analysis]\ntimes = 1", "12: analysis.times: unknown key (did you mean 'time'?)"),
        ("[analysis]\ntime = nan", "12: analysis.time = nan: must be"),
        ("[analysis]\ntime = '1'", "12: analysis.time = '1': must be"),
        ("[analysis]\nspeed_tolerance = -1", "12: analysis.speed_tolerance = -1: must be"),
        ("[analysis]\ntorques = 3", "12: analysis.torques = 3: must be a table like { elbow"),
        ("[analysis]\ntorques = { rail = inf }", "12: analysis.torques"),
        ("[analysis]\ntorques = { rail = 1 }", "12: analysis.torques.rail: joint 'rail': there is"),
        ("[analysis]\naccelerations = { rail = 1 }", "12: analysis.accelerations.rail: joint 'ra"),
        ("[[analysis]]\ntime = 0", "11: analysis = [{'time': 0}]: must be a table that begins"),
        ("[analysis.disturbance]\nbody = 'ball'", "must be tables that begin with [[analysis.dist"),
        ("[[analysis.disturbance]]\nforce = [1, 0, 0]", "disturbance[0].body: is missing: Name"),
        (
            "[[analysis.disturbance]]\nbody = 'ball'",
            "11: analysis.disturbance[0]: force, torque: one of",
        ),
        (
            "[[analysis.disturbance]]\nbody = 'ball'\nforce = [0, 0, 0]",
            "force, torque: one of them must not be zero",
        ),
        (
            "[[analysis.disturbance]]\nbody = 'bal'\nforce = [1, 0, 0]",
            "12: analysis.disturbance[0].body 'bal': there is none of that name or number",
        ),
        (
            "[[analysis.disturbance]]\nbody = 'floor'\nforce = [1, 0, 0]\n"
            "[[body]]\nshape = 'plane'\nname = 'floor'",
            "12: analysis.disturbance[0].body = 'floor': is not moved by forces",
        ),
        (
            "[[analysis.disturbance]]\nbody = 'ball'\nforce = [1, 0]",
            "13: analysis.disturbance[0].force = [1.0, 0.0]: must be three numbers",
        ),
    ],
)
def test_mistakes(tmp_path, text, words):
    (problem,) = problems_of(f"{NAMED}\n{text}\n", tmp_path)
    assert words in problem
