"""Measures of a wheel on traces whose errors are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rollcone.studies.wheel_measures import (
    Trace,
    measure,
    misalignment,
    reference_share,
    relative_position,
    rms,
    share,
)
from rollcone.studies.wheel_reference import Wheel, reference

MU = Wheel().sliding
H = 1e-2
WINDOWS = {"slides": (0.0, 1.99), "later": (1.0, 1.99), "all": (0.0, 3.0)}


@pytest.fixture(scope="module")
def motion():
    return reference(3.0).at(H * np.arange(1, 301))


@pytest.fixture(scope="module")
def perfect(motion):
    force = motion.friction + motion.normal_force[:, None] * [0, 0, 1]
    return Trace(motion.time, motion.position, motion.energy, force, motion.slip, motion.slip)


def turned(vectors, degrees):
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return vectors @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])


def test_the_reference_has_no_error(motion, perfect):
    found = measure(perfect, motion, MU, WINDOWS)
    assert found.force == pytest.approx(dict.fromkeys(WINDOWS, 0.0), abs=1e-12)
    assert found.misalignment_before == pytest.approx(0.0, abs=1e-9)
    assert found.slip_ends == pytest.approx(2.0)  # the step before that which begins so
    assert found.position == found.position_relative_max == found.energy_max == found.aloft == 0


def test_force_by_hand(motion, perfect):
    """A tenth too large while it slides; half of mu N when it rolls."""
    slides = motion.time < 2.006
    s = np.where(slides, 1.1, 0.5)
    N = motion.normal_force
    force = np.column_stack([MU * N * s, 0 * N, N])
    assert share(force, MU) == pytest.approx(s)
    assert reference_share(motion, MU)[slides] == pytest.approx(1.0)
    found = measure(replace(perfect, force=force), motion, MU, WINDOWS)
    assert found.force["slides"] == pytest.approx(0.1)
    rolls = reference_share(motion, MU)[~slides] - 0.5
    total = 0.01 * slides.sum() + (rolls**2).sum()
    assert found.force["all"] == pytest.approx(np.sqrt(total / 300))


def test_late_sticking_counts(motion, perfect):
    """One step out of 300 with s = 1 where the reference has 0.43."""
    late = perfect.force.copy()
    late[200] = [MU * late[200, 2], 0.0, late[200, 2]]
    found = measure(replace(perfect, force=late), motion, MU, WINDOWS)
    jump = 1 - reference_share(motion, MU)[200]
    assert jump == pytest.approx(0.57, abs=0.01)
    assert found.force["all"] == pytest.approx(jump / np.sqrt(300))
    assert found.force["slides"] == pytest.approx(0.0, abs=1e-12)


def test_windows_leave_steps_out(motion, perfect):
    early = perfect.force.copy()
    early[:100, :2] *= 0.5
    found = measure(replace(perfect, force=early), motion, MU, WINDOWS)
    assert found.force["slides"] == pytest.approx(0.5 * np.sqrt(100 / 199))
    assert found.force["later"] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("angle", [14.0, -120.0, 1e-7])
def test_misalignment(motion, perfect, angle):
    tilted = replace(perfect, force=turned(perfect.force, angle))
    found = measure(tilted, motion, MU, WINDOWS)
    assert found.misalignment_before == pytest.approx(abs(angle), rel=1e-6)
    assert found.misalignment_after == pytest.approx(abs(angle), rel=1e-6)
    assert found.force["all"] == pytest.approx(0.0, abs=1e-12)
    by_time = misalignment(tilted.force, tilted.slip_after)
    assert by_time[0] == pytest.approx(angle, rel=1e-6)
    assert np.isnan(by_time[motion.time > 2.01]).all()


def test_slips_before_and_after_are_told_apart(motion, perfect):
    other = replace(perfect, slip_before=turned(perfect.slip_before, 3.0))
    found = measure(other, motion, MU, WINDOWS)
    assert found.misalignment_before == pytest.approx(3.0)
    assert found.misalignment_after == pytest.approx(0.0, abs=1e-9)


def test_position_and_energy(motion, perfect):
    far = np.linalg.norm(motion.position - [0, 0, 0.5 * np.cos(np.radians(20))], axis=1)
    aside = np.column_stack([0 * far, 0.02 * far, 0 * far])
    other = replace(perfect, position=motion.position + aside, energy=motion.energy - 0.25)
    found = measure(other, motion, MU, WINDOWS)
    assert found.position == pytest.approx(0.02 * far[-1])
    assert found.position_relative == pytest.approx(0.02)
    assert found.position_relative_rms == pytest.approx(0.02)
    assert found.position_relative_max == pytest.approx(0.02)
    assert (found.energy, found.energy_max) == pytest.approx((-0.25, 0.25))
    assert np.isnan(relative_position(other, motion)[far < 0.1]).all()


def test_steps_without_a_normal_force_are_left_out_and_counted(motion, perfect):
    force = perfect.force.copy()
    force[10:15] = 0.0
    found = measure(replace(perfect, force=force), motion, MU, WINDOWS)
    assert found.aloft == 5
    assert found.force["all"] == pytest.approx(0.0, abs=1e-12)


def test_nothing_to_measure():
    assert np.isnan(rms(np.array([np.nan])))
    assert np.isnan(rms(np.zeros(0)))
