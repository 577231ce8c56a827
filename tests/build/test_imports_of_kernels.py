"""The library is built with NumPy and Numba alone, as when the package is installed."""

from new_process import python

OTHERS = ("scipy", "h5py", "pydantic", "matplotlib", "rich", "typer", "clarabel", "threadpoolctl")
CODE = """
import importlib
from rollcone._build import mode
mode.compiling = True
from rollcone._build.sources import kernel_modules
for name in kernel_modules():
    importlib.import_module(name)
from rollcone._build.build import stated
from rollcone._build.library import opened
mode.compiling = False
assert stated() == opened().manifest["entries"]
print(len(stated()))
"""


def test_modules_with_kernels_need_no_other_package():
    """They state the entries that the library has."""
    ended = python(CODE, without=OTHERS)
    assert ended.stderr == ""
    assert int(ended.stdout) > 100
