"""An index out of range is an error that names the kernel, in a build with checks."""

import numpy as np
import pytest

import rollcone as rc
from own_kernels import index_kernels
from rollcone._build.separate import open_kernels


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    open_kernels([index_kernels], tmp_path_factory.mktemp("checked"), check_bounds=True)
    return index_kernels.read


def test_an_index_in_range(checked):
    assert checked(np.array([1.0, 2.0]), 1) == 2.0


@pytest.mark.parametrize("place", [2, 10**9, -3])
def test_an_index_out_of_range(checked, place):
    with pytest.raises(
        rc.RollconeError, match=r"index_kernels\.read ended with status -\d+: .*index"
    ):
        checked(np.array([1.0, 2.0]), place)
