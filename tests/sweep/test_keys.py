"""Keys of a scene: where values go, and what is told of those that lead nowhere."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sweep_cases import POURED, SLIDER

from rollcone.errors import InputError
from rollcone.scene.read import read_scene
from rollcone.sweep.case import scene_text
from rollcone.sweep.keys import changed, shifted_seeds, split_key

DOCUMENT = tomllib.loads(SLIDER)


@pytest.mark.parametrize(
    ("key", "look"),
    [
        ("contact.sliding", lambda d: d["contact"]["sliding"]),
        ("contact.rolling", lambda d: d["contact"]["rolling"]),
        ("output.every", lambda d: d["output"]["every"]),
        ("body.block.mass", lambda d: d["body"][1]["mass"]),
        ("body.1.mass", lambda d: d["body"][1]["mass"]),
        ('body."block".mass', lambda d: d["body"][1]["mass"]),
        ("body.block.velocity.2", lambda d: d["body"][1]["velocity"][2]),
    ],
)
def test_a_value_goes_where_its_key_says_and_nowhere_else(key, look):
    result = changed(DOCUMENT, {key: 0.125})
    assert look(result) == 0.125
    assert tomllib.loads(SLIDER) == DOCUMENT  # a copy was changed
    other = changed(result, {key: None})
    assert other == changed(DOCUMENT, {key: None})


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("sliding", "must begin with a table"),
        ("contcat.sliding", "did you mean 'contact'"),
        ("body.blok.mass", "did you mean 'block'"),
        ("body.7.mass", "0 to 1"),
        ("body.block.mass.x", "is no table"),
        ("body.block.velocity.3", "0 to 2"),
        ("contact..sliding", "names with dots"),
        ("", "names with dots"),
    ],
)
def test_keys_that_lead_nowhere_are_told(key, words):
    with pytest.raises(InputError, match=words) as caught:
        changed(DOCUMENT, {key: 1.0})
    assert repr(key) in str(caught.value)


@given(st.lists(st.text("ab .", min_size=1, max_size=6), min_size=1, max_size=4))
def test_quoted_names_are_kept_whole(names):
    assert split_key(".".join(f'"{name}"' for name in names)) == names


def test_seeds_are_shifted_where_there_are_any():
    document = tomllib.loads(POURED)
    shifted_seeds(document, 3)
    assert document["emitter"][0]["seed"] == 10


@pytest.mark.parametrize("text", [SLIDER, POURED])
def test_the_scene_of_a_case_says_what_its_document_says(text):
    document = tomllib.loads(text)
    again = scene_text(document)
    assert tomllib.loads(again) == document
    assert len(read_scene(again, "again").world.bodies) == len(read_scene(text, "x").world.bodies)
