"""Simulations and solvers need neither Numba nor llvmlite, and compile nothing."""

from new_process import python

from rollcone._build import library

SCENES = (
    "ball_that_rolls_to_rest",
    "stack_of_boxes",
    "joint_of_each_kind",
    "every_shape_on_a_floor",
    "laws_of_a_table",
    "bed_of_spheres_by_two_threads",
    "linear_complementarity",
)
CODE = f"""
from fingerprints.scenes import SCENES
for name in {SCENES!r}:
    assert SCENES[name](), name
assert sys.modules["numba"] is None and sys.modules["llvmlite"] is None
print("done")
"""


def test_scenes_of_all_kinds():
    """The library stays as it is."""
    path = library.opened().path
    before = path.stat()
    ended = python(CODE, without=("numba", "llvmlite"))
    assert (ended.stdout, ended.stderr) == ("done\n", "")
    after = path.stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)
