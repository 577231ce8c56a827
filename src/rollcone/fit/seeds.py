"""Seeds of the runs of a fit: every point and every repeat draws anew.

Were the draws of all points the same, their scatter would not average over points as the
uncertainty of a fit takes it to: all points would be off alike.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

_BITS = 31  # what any generator takes


def run_seed(point: Sequence[float], repeat: int) -> int:
    """Of the values of the coefficients; the same in every process, so that runs are found
    again."""
    words = repr(([float(value) for value in point], repeat))
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:8], "big") >> (64 - _BITS)
