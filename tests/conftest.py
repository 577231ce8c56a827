"""Shared by all tests: plain twins and references can be imported, hypothesis is repeatable."""

import os
import sys
from collections import Counter
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(1, str(Path(__file__).parent / "references"))

from one_form import OWN_ROWS, use_one_form

use_one_form()
for profile, examples in (("default", 12), ("thorough", 200)):  # the latter in `make test-all`
    settings.register_profile(
        profile,
        max_examples=examples,
        deadline=None,  # the machine may be busy: no timing in tests
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


# Folders of tests by large matrices of cases.
LARGE = (
    "acceleration", "analysis", "collision", "friction_models", "laws", "lcp", "mechanics",
    "problem", "recording", "scene", "solvers", "stepping", "studies", "urdf",
)  # fmt: skip


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Of cases marked `one_in(n)` all but one in n are slow, chosen by their names: a large matrix
    of cases alike is seen everywhere, but not all of it each time. Where nothing is marked, of six
    cases or more one in three runs by default, of twelve or more one in four."""
    counts = Counter(_function(item) for item in items)
    for item in items:
        mark = item.get_closest_marker("one_in")
        many = counts[_function(item)] if item.path.parent.name in LARGE else 1
        n = mark.args[0] if mark else 4 if many >= 12 else 3 if many >= 6 else 1
        if crc32(item.nodeid.encode()) % n:
            item.add_marker(pytest.mark.slow)
        if item.path.parent.name == "fingerprints" and not OWN_ROWS:
            # Six rows where three would do give other last bits.
            item.add_marker(pytest.mark.skip("bits of three rows: set ROLLCONE_TEST_OWN_ROWS"))


def _function(item):
    return item.path, getattr(item, "originalname", item.name)


@pytest.fixture(scope="session")
def opengl():
    """Skips what needs pictures where nothing can draw them."""
    import rollcone as rc
    from rollcone.view.stage import open_plotter

    try:
        open_plotter((64, 64)).close()
    except rc.RollconeError as error:
        pytest.skip(str(error))
