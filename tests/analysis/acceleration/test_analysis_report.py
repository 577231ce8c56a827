"""Reports and plain forms of analyses, for every verdict; numbers against closed forms."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

import rollcone as rc
from acceleration_cases import wedged_ball
from rollcone.analysis.acceleration.analyze import MOST_CONTACTS

MU, ANGLE = 2.0, math.radians(60.0)
X, Z = 0.5 * math.cos(ANGLE), -0.5 * math.sin(ANGLE)  # of the lower end of a rod of 1 m and 1 kg
A_NN = 1 + 12 * X * X + MU * 12 * X * Z  # a_n = A_NN p_n + b_n, friction along -x included


def rod(turning, friction=MU):
    """Painleve's, sliding along +x; it turns so fast that its end has b_n = turning - g."""
    return rc.AccelerationProblem(
        mass=np.diag([1.0, 1.0, 1 / 12]),
        rows=[[[0, 1, X], [1, 0, -Z]]],
        force=[0, -9.81, 0],
        friction=[friction],
        velocity=[[0, 1]],
        bias=[[turning, 0]],
    )


def block(force, **more):
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane(name="floor")
    world.set_contact_law(rc.ContactLaw(sliding=0.5, **more))
    world.add_box(size=(0.4,) * 3, mass=10, position=(0, 0, 0.2), force=force, name="block")
    return world


def first_line(analysis):
    return " ".join(analysis.report().split("\n\n")[0].split())


def test_no_motion():
    assert A_NN < 0  # the paradox
    analysis = rc.analyze(rod(0.0))
    assert first_line(analysis) == (
        "No motion: Painleve's paradox, inconsistent: no finite forces obey Coulomb's law; an "
        "impact without a collision follows (Lemke's method ends on a ray)."
    )
    assert "Nearest motion, by the relaxed model" in str(analysis)
    assert "up to 100% off Coulomb's law" in str(analysis)
    plain = analysis.plain()
    assert (plain["motions"], plain["painleve"]) == ([], "inconsistent")
    (contact,) = plain["relaxed"]["motion"]["contacts"]
    assert contact["force"][0] == pytest.approx(9.81 / (1 + 12 * X * X))  # without friction
    assert plain["lemke"]["ray"]


def test_several_motions():
    analysis = rc.analyze(rod(15.0))
    assert first_line(analysis) == "Several motions (2): Painleve's paradox, indeterminate."
    text = analysis.report()
    assert "Motion 1 of 2: 1 contact slides on." in text
    assert "Motion 2 of 2: 1 contact breaks." in text
    found = {motion["modes"]: motion for motion in analysis.plain()["motions"]}
    assert found["s"]["contacts"][0]["force"] == pytest.approx(
        [-(15 - 9.81) / A_NN, MU * (15 - 9.81) / A_NN]
    )
    assert found["b"]["contacts"][0]["acceleration"][0] == pytest.approx(15 - 9.81)
    assert found["b"]["contacts"][0]["words"] == "breaks"


def test_one_motion():
    analysis = rc.analyze(block((60, 0, 0)))
    assert first_line(analysis) == (
        "'block' starts to slide on 'floor'. One motion: 4 contacts start to slide."
    )
    text = analysis.report()
    slide = (60 - 0.5 * 98.1) / 10
    assert "rolling means that it does not slide" in text
    assert text.count("'block' on 'floor'  starts to slide (1, 0, 0)") == 4
    assert f"({slide:.4g}, 0, 0)" in text
    assert "all conditions hold to 1e-08" in text
    assert "Corollary" in text
    assert max(map(len, text.splitlines())) <= 100
    (motion,) = analysis.plain()["motions"]
    assert motion["bodies"][0]["acceleration"] == pytest.approx([slide, 0, 0], abs=1e-12)
    assert sum(contact["force"][0] for contact in motion["contacts"]) == pytest.approx(98.1)
    first = motion["contacts"][0]
    assert (first["body"], first["against"]) == ("block", "floor")
    force = first["force"][:3] @ np.array(first["frame"])  # up, and against its sliding
    assert force[2] > 0.0 > force[0]
    assert "forces on the body named first" in text
    titles = [section.split("\n")[0].split()[0] for section in text.split("\n\n")]
    assert titles[1:] == ["Contacts", "Accelerations", "Notes", "What", "What", "Residuals,"]
    assert "Forces of contacts are not unique" in text


def test_no_search_no_certainty():
    analysis = rc.analyze(block((60, 0, 0)), most_cells=0)
    assert "A motion was found; whether it is the only one is not" in first_line(analysis)
    assert "Motions were not enumerated: it was not asked for." in str(analysis)
    assert analysis.plain()["cone_motions"] is None


def test_walls_that_close_in():
    analysis = rc.analyze(wedged_ball(0.0, 0.5, 1.0))
    assert first_line(analysis).startswith("No motion, whatever the friction: contacts ask for")
    assert "(36) fails" in str(analysis)
    assert analysis.painleve == ""


def test_nothing_touches():
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_sphere(radius=0.1, mass=1, name="ball")
    analysis = rc.analyze(world)
    assert first_line(analysis) == "One motion: nothing touches."
    assert "(0, 0, -9.81)" in str(analysis)
    assert "a motion exists: nothing touches." in str(analysis)


def test_what_holds_slips_and_breaks_by_name():
    still = rc.analyze(block((0, 0, 0)))
    assert first_line(still).startswith(
        "Everything holds, no body accelerates: 'block' stays on 'floor'. One motion"
    )
    tips = block((40, 0, 0))
    tips.body("block").torque = (0, 19, 0)  # more than 98.1 N at 0.2 m, with 40 N at 0.2 m
    assert "'block' partly leaves 'floor': 2 of 4 contacts break." in first_line(rc.analyze(tips))
    lifted = rc.analyze(block((0, 0, 200)))
    assert first_line(lifted).startswith("'block' leaves 'floor'. One motion: 4 contacts break.")
    pair = block((60, 0, 0))
    pair.add_sphere(radius=0.1, mass=1, position=(2, 0, 0.1), force=(9, 0, 0), name="ball")
    assert "'block' starts to slide on 'floor'; 'ball' stays on" in first_line(
        rc.analyze(pair, most_cells=0)
    )
    pair.body("ball").force = (60, 0, 0)
    assert first_line(rc.analyze(pair, most_cells=0)).startswith(
        "'block' and 'ball' start to slide on 'floor'."
    )


def test_many_contacts_are_not_enumerated():
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane(name="floor")
    for k in range(MOST_CONTACTS + 1):
        world.add_sphere(radius=0.1, mass=1, position=(k, 0, 0.1))
    at_rest = rc.analyze(world)
    text = " ".join(at_rest.report().split())
    assert "Motions need not be enumerated, all are at rest" in text
    assert at_rest.verdict == "one motion"
    world.bodies[-1].force = (1, 0, 0)
    text = " ".join(rc.analyze(world).report().split())
    assert f"there are {MOST_CONTACTS + 1} contacts, and {MOST_CONTACTS} at most are tried" in text


def test_grazing():
    """A block pulled up by its weight touches, without a force, and slides all the same."""
    text = rc.analyze(block((10, 0, 98.1))).report()
    assert "starts to slide (1, 0, 0), grazing" in text
    assert "grazing: it touches without a force" in text


def test_notes_and_rolling_friction():
    world = block((0, 0, 0), rolling=0.01, spinning=0.01)
    world.add_sphere(radius=0.1, mass=1, position=(2, 0, 0.1), velocity=(0, 0, 1), name="ball")
    analysis = rc.analyze(world)
    assert "Touch and part, so have no force: 'ball' on 'floor'." in str(analysis)
    (heads,) = (line for line in str(analysis).splitlines() if line.startswith("  #"))
    assert "spinning" in heads
    assert analysis.plain()["rows_per_contact"] == 6


def test_torques_that_are_found():
    world = rc.World(gravity=(0, 0, -9.81))
    arm = world.add_box(size=(1, 0.1, 0.1), mass=3, position=(0.5, 0, 0), name="arm")
    motor = rc.Motor(speed=0.0, limit=5.0)
    world.add_joint(
        kind="revolute", name="elbow", body=arm, point=(0, 0, 0), axis=(0, 1, 0), angle=[motor]
    )
    analysis = rc.analyze(world)
    torque = 3 * 9.81 * 0.5
    (held,) = analysis.plain()["motions"][0]["held"]["drives"]
    assert held["name"] == "motor of the angle of joint 'elbow'"
    assert abs(held["force"]) == pytest.approx(torque)
    assert held["exceeds"]
    assert held["limit"] == 5.0
    assert "exceeds its limit 5 N m" in str(analysis)
    given = rc.analyze(_without_motor(world), accelerations={"elbow": 0.0})
    assert "drive of 'elbow': -14.7" in str(given)
    assert given.plain()["motions"][0]["held"]["drives"][-1]["limit"] is None


def _without_motor(world):
    twin = rc.World(gravity=world.gravity)
    arm = twin.add_box(size=(1, 0.1, 0.1), mass=3, position=(0.5, 0, 0), name="arm")
    twin.add_joint(kind="revolute", name="elbow", body=arm, point=(0, 0, 0), axis=(0, 1, 0))
    return twin


@pytest.mark.parametrize("turning", [0.0, 15.0])
def test_plain_is_json(turning):
    plain = rc.analyze(rod(turning)).plain()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert set(plain) == {
        "verdict", "words", "painleve", "contacts", "rows_per_contact", "coordinates", "friction",
        "motions", "existence", "tried", "cone_motions", "pyramid_motions", "lemke", "rest",
        "relaxed", "notes",
    }  # fmt: skip


def test_problem_from_world():
    one = rc.AccelerationProblem.from_world(block((1, 2, 3)))
    np.testing.assert_allclose(one.force[:3], [1, 2, 3 - 98.1])
    with pytest.raises(rc.InputError, match="is a dict: must be a World"):
        rc.AccelerationProblem.from_world({})
    with pytest.raises(rc.InputError, match=r"has no body that forces can move$"):
        rc.analyze(rc.World())
    hopper = rc.World()
    hopper.add_emitter(
        shape="sphere", radius=0.1, mass=1, low=(0, 0, 0), high=(1, 1, 1), rate=1, count=3
    )
    with pytest.raises(rc.InputError, match="emitters have not poured yet: simulate first"):
        rc.analyze(hopper)
    with pytest.raises(rc.InputError, match=r"is a Simulation: must be a World; give its \.world"):
        rc.analyze(rc.Simulation(block((0, 0, 0)), step=1e-3))
    falling = rc.World()
    falling.add_plane(name="floor")
    falling.add_sphere(radius=1, mass=1, position=(0, 0, 1), velocity=(0, 0, -1), name="ball")
    with pytest.raises(rc.InputError, match="'floor' and 'ball' close at 1 m/s: an impact comes"):
        rc.analyze(falling)


class TestFixturesOfWorlds:
    def test_margins_by_name(self):
        """A cube on a floor slides at mu m g, and is lifted by m g."""
        loads = [{"body": "block", "force": (1, 0, 0)}, {"body": "block", "force": (0, 0, 2)}]
        held = rc.fixture(block((0, 0, 0)), loads, search=None)
        factors = [one.factor for one in held.margins]
        assert factors == pytest.approx([49.05, 49.05], rel=1e-6)
        assert held.verdicts["strong"] == "holds"
        assert "1: can be held up to 49.05 times" in held.report()
        assert "held up to 49.05 times, surely up to 0 times" in str(held)
        alone = rc.fixture(block((0, 0, 0)))
        assert alone.margins == ()
        assert "No disturbances were given." in str(alone)
        assert alone.plain()["margin"] is None
        assert isinstance(held, rc.Fixture)

    @pytest.mark.parametrize(
        ("load", "words"),
        [
            ({"body": "blok", "force": (1, 0, 0)}, r"\[0\].body = 'blok': is not moved.*'block'"),
            ({"body": "floor", "force": (1, 0, 0)}, r"\[0\].body = 'floor': is not moved"),
            ({"body": "block"}, r"disturbances\[0\].force, torque: one of them must not be zero"),
            ({"body": "block", "forse": (1, 0, 0)}, r"\[0\].forse: unknown key; there are body"),
            ({"body": 3, "force": (1, 0, 0)}, r"\[0\].body = 3: must be the name of a body"),
            ({"body": "block", "force": (1, 0)}, r"\[0\].force = .*: must be three numbers"),
            ({"body": "block", "force": (math.inf, 0, 0)}, r"\[0\].force"),
        ],
    )
    def test_wrong_loads(self, load, words):
        with pytest.raises(rc.InputError, match=words):
            rc.fixture(block((0, 0, 0)), [load])

    def test_drives_hold_their_joints(self):
        """An arm of 3 kg, 1 m, by 20 N m: 20 - 3 g / 2 N m more can be lifted, any by a brake."""
        world = _without_motor(rc.World(gravity=(0, 0, -9.81)))
        load = [{"body": "arm", "torque": (0, 1, 0)}]
        assert rc.fixture(world, torques={"elbow": 20.0}).verdicts["weak"] == "gives way"
        level = {"elbow": -3 * 9.81 / 2}
        assert rc.fixture(world, load, torques=level).margin == pytest.approx(0.0, abs=1e-6)
        assert rc.fixture(world, load, accelerations={"elbow": 0.0}).margin == math.inf
        with pytest.raises(rc.InputError, match=r"accelerations\['elbow'\] = 1.0: must be 0"):
            rc.fixture(world, accelerations={"elbow": 1.0})
        with pytest.raises(rc.InputError, match="must be in the problem already"):
            rc.fixture(rc.AccelerationProblem.from_world(world), torques=level)

    def test_wrong_things(self):
        with pytest.raises(rc.InputError, match="disturbances is one table: must be a list of"):
            rc.fixture(block((0, 0, 0)), {"body": "block", "force": (1, 0, 0)})
        with pytest.raises(rc.InputError, match="is a int: must be a World or a problem"):
            rc.fixture(3)
        with pytest.raises(rc.InputError, match="bodies by name are for worlds"):
            rc.fixture(wedged_ball(0.0, 0.5, 0.0), [{"body": "ball", "force": (1, 0, 0)}])


def test_notes_on_bodies_that_overlap_or_nearly_touch():
    problem = rc.AccelerationProblem.from_world(block((0, 0, 0)))
    places = replace(
        problem.places,
        overlap=(("'block' on 'floor'", 1.23e-3),),
        nearly=(("'ball' on 'floor'", 4.5e-6),),
    )
    text = " ".join(rc.analyze(replace(problem, places=places), most_cells=0).report().split())
    assert "Overlap, and were taken as touching: 'block' on 'floor' by 0.0012 m." in text
    assert "Nearly touch, but do not, so have no force: 'ball' on 'floor', gap 4.5e-06 m." in text
