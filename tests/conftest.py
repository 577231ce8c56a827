"""Shared by all tests: plain twins and references can be imported, hypothesis is repeatable."""

import os
import sys
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(1, str(Path(__file__).parent / "references"))

from one_form import use_one_form

use_one_form()
for profile, examples in (("default", 15), ("thorough", 200)):  # the latter in `make test-all`
    settings.register_profile(
        profile,
        max_examples=examples,
        deadline=None,  # the machine may be busy: no timing in tests
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Of cases marked `one_in(n)` all but one in n are slow, chosen by their names: a large matrix
    of cases alike is seen everywhere, but not all of it each time."""
    for item in items:
        mark = item.get_closest_marker("one_in")
        if mark and crc32(item.nodeid.encode()) % mark.args[0]:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def opengl():
    """Skips what needs pictures where nothing can draw them."""
    import rollcone as rc
    from rollcone.view.stage import open_plotter

    try:
        open_plotter((64, 64)).close()
    except rc.RollconeError as error:
        pytest.skip(str(error))
