"""What lies between recorded moments."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp
from viewer_cases import table_run

from rollcone.viewer.frames import Frames, locate, turn_between


def test_locate():
    times = np.array([0.0, 1.0, 3.0])
    for time, found in (
        (-1.0, (0, 0.0)), (0.0, (0, 0.0)), (0.25, (0, 0.25)), (1.0, (1, 0.0)),
        (2.0, (1, 0.5)), (3.0, (2, 0.0)), (9.0, (2, 0.0)),
    ):  # fmt: skip
        assert locate(times, time) == pytest.approx(found)


def test_locate_forgives_rounding():
    times = np.cumsum(np.full(100, 0.1))
    for k, time in enumerate(times):
        assert locate(times, time * (1 + 1e-15)) == (k, 0.0)
        assert locate(times, time * (1 - 1e-15)) == (k, 0.0)


def test_turns_like_slerp():
    rng = np.random.default_rng(1)
    first = rng.normal(size=(200, 4))
    second = rng.normal(size=(200, 4))
    second[:50] = first[:50] + 1e-9 * second[:50]  # hardly any turn
    second[50:60] = -first[50:60]  # none at all
    first /= np.linalg.norm(first, axis=1)[:, None]
    second /= np.linalg.norm(second, axis=1)[:, None]
    for share in (0.0, 0.3, 1.0):
        got = turn_between(first, second, share)
        np.testing.assert_allclose(np.linalg.norm(got, axis=1), 1.0, rtol=1e-14)
        for a, b, c in zip(first, second, got, strict=True):
            ends = Rotation.from_quat(np.roll([a, b], -1, axis=1))
            wanted = Slerp([0, 1], ends)(share)
            away = wanted.inv() * Rotation.from_quat(np.roll(c, -1))
            assert away.magnitude() < 1e-7  # arccos near 1 keeps half of the digits


def test_a_frame_between_two_moments():
    run = table_run()
    frames = Frames(run)
    ball = run.world.number_of("ball")
    frame = frames.at(run.time, 0.5 * (run.time[10] + run.time[11]), between=True)
    position = run.body("ball").position
    assert (frame.moment, frame.share) == (10, pytest.approx(0.5))
    np.testing.assert_allclose(frame.position[ball], position[10:12].mean(axis=0), rtol=1e-14)
    plain = frames.at(run.time, 0.5 * (run.time[10] + run.time[11]), between=False)
    assert plain.share == 0.0
    np.testing.assert_array_equal(plain.position[ball], position[10])


def test_bodies_that_come_and_go():
    """They are seen from their first moment on and up to their last one."""
    run = table_run()
    frames = Frames(run)
    rod, late = run.world.number_of("rod"), run.world.number_of("late")
    there = np.isfinite(run.body("rod").position[:, 0])
    last = int(np.flatnonzero(there)[-1])
    here = np.isfinite(run.body("late").position[:, 0])
    first = int(np.flatnonzero(here)[0])
    frame = frames.at(run.time, run.time[last] + 0.4 * run.step, between=True)
    np.testing.assert_array_equal(frame.position[rod], run.body("rod").position[last])
    frame = frames.at(run.time, run.time[first] - 0.4 * run.step, between=True)
    assert np.isnan(frame.position[late]).all()
    frame = frames.at(run.time, run.time[first] + 0.4 * run.step, between=True)
    assert np.isfinite(frame.position[late]).all()
    assert np.isnan(frame.position[rod]).all()


def test_records_are_not_changed():
    run = table_run()
    before = np.array(run.states("position")[5])
    frames = Frames(run)
    frames.at(run.time, run.time[5] + 0.5 * run.step, between=True)
    np.testing.assert_array_equal(frames.at(run.time, run.time[5], between=True).position, before)
