"""What joints are drawn as: unit surfaces along z, from z = -1 to 1, that scales stretch."""

from __future__ import annotations

import numpy as np

from rollcone._check import FloatArray
from rollcone.view.surface_forms import Surface

_TURNS = 8  # of a coil
_STRAIGHT = 0.12  # of half its length at each end, on the axis
_SLENDER = 6.0  # half a coil's length over its radius for which the wire is round
_WIRE = 0.16  # radius over that of the coil


def cylinder(around: int) -> Surface:
    """Radius 1. Ends have corners of their own, so that smooth shading keeps edges sharp."""
    turn = 2.0 * np.pi * np.arange(around) / around
    ring = np.column_stack([np.cos(turn), np.sin(turn), np.ones(around)])
    low = ring * (1.0, 1.0, -1.0)
    here = np.arange(around)
    beside = np.roll(here, -1)
    fan = np.column_stack([np.zeros(around - 2, dtype=np.int64), here[1:-1], here[2:]])
    triangles = [
        np.column_stack([here, around + here, around + beside]),
        np.column_stack([here, around + beside, beside]),
        2 * around + fan,
        3 * around + fan[:, ::-1],
    ]
    return Surface(np.concatenate([ring, low, ring, low]), np.concatenate(triangles))


def coil(around: int) -> Surface:
    """A wire along `coil_path`, with so many corners around it."""
    path = coil_path(2 * around) * (1.0, 1.0, _SLENDER)
    tangent = np.gradient(path, axis=0)
    tangent /= np.linalg.norm(tangent, axis=1)[:, None]
    # Away from the axis as the coil has it there, also where the wire runs along the axis.
    phase = _phase(path[:, 2] / _SLENDER)
    outward = np.column_stack([np.sin(phase), np.cos(phase), np.zeros(len(path))])
    outward -= (outward * tangent).sum(axis=1)[:, None] * tangent
    outward /= np.linalg.norm(outward, axis=1)[:, None]
    aside = np.cross(tangent, outward)
    turn = 2.0 * np.pi * np.arange(around) / around
    rings = (
        path[:, None]
        + _WIRE * np.cos(turn)[:, None] * outward[:, None]
        + _WIRE * np.sin(turn)[:, None] * aside[:, None]
    )
    first = around * np.arange(len(path) - 1)[:, None]
    here = first + np.arange(around)
    beside = first + np.roll(np.arange(around), -1)
    sides = [
        np.stack([here, beside, beside + around], axis=2),
        np.stack([here, beside + around, here + around], axis=2),
    ]
    triangles = np.concatenate([side.reshape(-1, 3) for side in sides])
    return Surface(rings.reshape(-1, 3) / (1.0, 1.0, _SLENDER), triangles)


def coil_path(per_turn: int) -> FloatArray:
    """(p, 3): from one end along the axis, round it at the distance 1, and along it again."""
    z = np.linspace(-1.0, 1.0, _TURNS * per_turn + 1)
    wound = np.clip((1.0 - np.abs(z)) / _STRAIGHT - 1.0, 0.0, 1.0)
    phase = _phase(z)
    return np.column_stack([wound * np.sin(phase), wound * np.cos(phase), z])


def _phase(z: FloatArray) -> FloatArray:
    return np.asarray(_TURNS * np.pi * z)
