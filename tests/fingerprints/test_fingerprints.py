"""The results of short scenes are those that were recorded, to the last bit."""

import pytest

from fingerprints.fingerprint import (
    TOLERANCE,
    differences,
    environment,
    far_numbers,
    fingerprint,
    read,
)
from fingerprints.scenes import SCENES

RECORDED = read()
ANEW = "if that is intended, say so in the changelog and run python tests/fingerprints/record.py"


def test_every_scene_is_recorded():
    assert list(RECORDED["scenes"]) == list(SCENES)


@pytest.mark.parametrize("name", SCENES)
def test_bits(name):
    """Hashes where the environment is that of the record; else numbers to TOLERANCE."""
    old, new = RECORDED["scenes"][name], fingerprint(SCENES[name]())
    here, there = environment(), RECORDED["environment"]
    other = {key: (there.get(key), here[key]) for key in here if there.get(key) != here[key]}
    if not other:
        assert new["hash"] == old["hash"], f"other bits in {differences(old, new)}; {ANEW}"
    else:
        far = far_numbers(old, new)
        assert not far, (
            f"recorded with another environment {other}, so numbers need only agree to "
            f"{TOLERANCE:g}: {far}; {ANEW}"
        )
