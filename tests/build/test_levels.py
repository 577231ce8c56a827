"""The libraries of both levels of x86-64 give the same bits."""

import platform
import shutil
import subprocess
import sys

import pytest
from new_process import python

from rollcone._build.levels import levels, manifest_of, usable_levels
from rollcone._build.library import Library

SCENES = (
    "ball_that_rolls_to_rest",
    "stack_of_boxes",
    "joint_of_each_kind",
    "every_shape_on_a_floor",
    "bed_of_spheres_by_two_threads",
    "laws_of_a_table",
    "linear_complementarity",
)
CODE = f"""
from fingerprints.fingerprint import fingerprint
from fingerprints.scenes import SCENES
from rollcone._build import library
print(library.opened().manifest["level"])
for name in {SCENES!r}:
    print(name, fingerprint(SCENES[name]())["hash"])
"""


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="has one level only")
@pytest.mark.skipif(len(usable_levels()) < 2, reason="the processor has the lowest level only")
def test_both_levels(tmp_path):
    """Each from a folder that holds no other."""
    both = tmp_path / "both"
    call = [sys.executable, "-m", "rollcone._build", "--all-levels", "--output", str(both)]
    subprocess.run(call, check=True, capture_output=True)
    found = {}
    for level in levels():
        folder = tmp_path / level
        folder.mkdir()
        shutil.copy(manifest_of(both, level), folder)
        shutil.copy(Library(manifest_of(both, level)).path, folder)
        ended = python(CODE, without=("numba", "llvmlite"), ROLLCONE_LIBRARY=str(folder))
        assert ended.stderr == ""
        named, *found[level] = ended.stdout.splitlines()
        assert named == level
    best, plain = levels()
    assert len(found[best]) == len(SCENES)
    assert found[best] == found[plain]
