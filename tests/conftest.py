"""Shared by all tests: plain twins can be imported, hypothesis is repeatable."""

import os
import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))
settings.register_profile(
    "default",
    deadline=None,  # the machine may be busy: no timing in tests
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
