"""An edit of what a kernel depends on changes the key of its piece; another edit does not."""

import subprocess
import sys

import pytest

KERNEL = """
from __future__ import annotations
import numpy as np
from rollcone._build.kernels import entry, kernel
{before}
@kernel
def inner(x{default}):
    return {inside}

@entry
def outer(x: float) -> float:
    return inner(x)
"""
KEY = """
import sys, json
from rollcone._build import mode
mode.compiling = True
sys.path.insert(0, sys.argv[1])
import edited
from rollcone._build.pieces import key_of, text_of
print(key_of(text_of("edited.outer")))
"""


def key(folder, before="", default="", inside="x") -> str:
    folder.mkdir()
    text = KERNEL.format(before=before, default=default, inside=inside)
    (folder / "edited.py").write_text(text)
    call = [sys.executable, "-c", KEY, str(folder)]
    return subprocess.run(call, check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"inside": "x + 1.0"}, {"inside": "x + 2.0"}),
        ({"before": "K = 1.0", "inside": "x + K"}, {"before": "K = 2.0", "inside": "x + K"}),
        (
            {"before": "K = np.array([1.0])", "inside": "x + K[0]"},
            {"before": "K = np.array([2.0])", "inside": "x + K[0]"},
        ),
        ({"before": "K = 1.0", "default": ", y=K"}, {"before": "K = 2.0", "default": ", y=K"}),
    ],
    ids=["source", "constant", "array", "default"],
)
def test_an_edit_changes_the_key(one, other, tmp_path):
    keys = key(tmp_path / "a", **one), key(tmp_path / "b", **one), key(tmp_path / "c", **other)
    assert keys[0] == keys[1]
    assert keys[0] != keys[2]


def test_what_no_kernel_names_does_not_matter(tmp_path):
    assert key(tmp_path / "a", before="A = 1") == key(tmp_path / "b", before="A = 2")
