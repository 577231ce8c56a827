"""A library is loaded when a kernel is called, not when it is checked: else the system would take a
new file of the same name, as a build makes it, for the old one."""

import os
import shutil

import pytest

from rollcone._build.library import Library, manifest_of, misfit, opened

KERNEL = "own_kernels.group_kernels.sums"


@pytest.mark.skipif(os.name == "nt", reason="a file that is open cannot be replaced")
def test_a_library_that_was_replaced(own_kernels, tmp_path):
    path = tmp_path / opened().path.name
    shutil.copy(opened().path, path)
    shutil.copy(manifest_of(opened().path), manifest_of(path))
    old = Library(path)
    assert misfit(old) == ""
    assert KERNEL not in old.manifest["entries"]
    shutil.copy(own_kernels, tmp_path / "new")
    os.replace(tmp_path / "new", path)
    shutil.copy(manifest_of(own_kernels), manifest_of(path))
    new = Library(path)
    assert new.address_of(KERNEL, new.manifest["entries"][KERNEL]) > 0
