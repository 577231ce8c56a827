"""Files that went wrong anyhow: an error of ours, or a robot."""

import random
import re

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from urdf_cases import ARM, ROBOTS

import rollcone as rc
from rollcone.urdf.read import robot_of
from rollcone.urdf.tree import parse

TEXTS = [ARM, *((ROBOTS / f"{name}.urdf").read_text() for name in ("gripper", "rover"))]
VALUES = ["", "0", "-1", "nan", "inf", "1e999", "1e-320", "1e12", "-1e12", "a", "0 0 0", "1 2",
          "0 0 1e-300", "\u0661", "1_0", "&lt;", "base", "upper", "palm", "revolute", "planar",
          "floating", "fixed"]  # fmt: skip
NAMES = ["link", "joint", "mass", "inertia", "origin", "axis", "limit", "mimic", "box", "sphere",
         "mesh", "collision", "geometry", "parent", "child", "xyz", "name", "xacro:x"]  # fmt: skip
VALUE = re.compile(r'"[^"]*"')
NAME = re.compile(r"(?<=[<\s])[a-z]+(?=[\s=/>])")
ELEMENT = re.compile(r"<(\w+)[^<>]*/>|<(\w+)[^<>]*>.*?</\2>", re.DOTALL)


def changed(text: str, draw: random.Random) -> str:
    """One change: a value, a name, an element that is gone or twice there, or some character."""
    kind = draw.randrange(5)
    pattern = (VALUE, NAME, ELEMENT, ELEMENT)[kind] if kind < 4 else None
    if pattern is None:
        k = draw.randrange(len(text) + 1)
        return (
            text[:k] + draw.choice(["", "<", ">", "&", '"', "\0", "x", "</link>"]) + text[k + 1 :]
        )
    places = list(pattern.finditer(text))
    if not places:
        return text
    place = draw.choice(places)
    value, name = f'"{draw.choice(VALUES)}"', draw.choice(NAMES)
    new = (value, name, "", place[0] + place[0])[kind]
    return text[: place.start()] + new + text[place.end() :]


@given(number=st.integers(0, len(TEXTS) - 1), seed=st.integers(0, 2**32), changes=st.integers(1, 4))
@settings(max_examples=300)
def test_changed_files(number, seed, changes, tmp_path_factory):
    draw, text = random.Random(seed), TEXTS[number]
    for _ in range(changes):
        text = changed(text, draw)
    path = tmp_path_factory.getbasetemp() / "changed.urdf"
    path.write_bytes(text.encode())
    for fixed in (True, False):
        told = ""
        try:
            made = rc.load_urdf(path, fixed_base=fixed)
        except rc.RollconeError as error:
            told = str(error)
        assert not told or str(path) in told
        if not told:
            made.world.check()
            assert np.isfinite(made.world.state.inertia).all()


@given(data=st.binary(max_size=200))
def test_any_bytes(data):
    told = "any.urdf"
    try:
        robot_of(parse(data, "any.urdf"))
    except rc.RollconeError as error:
        told = str(error)
    assert told.startswith("any.urdf")
