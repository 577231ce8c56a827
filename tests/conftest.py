"""Shared by all tests: plain twins and references can be imported, hypothesis is repeatable."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(1, str(Path(__file__).parent / "references"))

for profile, examples in (("default", 20), ("thorough", 200)):  # the latter in `make test-all`
    settings.register_profile(
        profile,
        max_examples=examples,
        deadline=None,  # the machine may be busy: no timing in tests
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session")
def own_kernels(tmp_path_factory):
    """The file of a library of the kernels in the folder own_kernels, which their functions call
    from now on; it is built once."""
    from own_kernels import group_kernels, rotation_kernels, thread_kernels, writing_kernels
    from rollcone._build.separate import open_kernels

    modules = [group_kernels, rotation_kernels, thread_kernels, writing_kernels]
    return open_kernels(modules, tmp_path_factory.mktemp("own_kernels"))


@pytest.fixture(scope="session")
def opengl():
    """Skips what needs pictures where nothing can draw them."""
    import rollcone as rc
    from rollcone.view.stage import open_plotter

    try:
        open_plotter((64, 64)).close()
    except rc.RollconeError as error:
        pytest.skip(str(error))
