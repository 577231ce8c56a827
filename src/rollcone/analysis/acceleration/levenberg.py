"""Damped least-squares steps."""

from __future__ import annotations

import numpy as np

from rollcone._check import FloatArray


def damped_step(J: FloatArray, G: FloatArray, damping: float) -> FloatArray:
    """d of the least |J d + G|^2 + damping |d|^2 (Levenberg 1944), without squaring J."""
    n = J.shape[1]
    stacked = np.concatenate([J, np.sqrt(damping) * np.eye(n)])
    return np.asarray(np.linalg.lstsq(stacked, np.concatenate([-G, np.zeros(n)]), rcond=None)[0])
