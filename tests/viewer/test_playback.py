"""The clock of playback."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollcone as rc
from rollcone.viewer.playback import Clock


def test_plays_at_its_speed_and_stops_at_the_end():
    clock = Clock(1.0, 3.0)
    clock.advance(5.0)
    assert clock.time == 1.0  # it stands until it is told to play
    clock.play()
    clock.advance(0.5)
    assert clock.time == pytest.approx(1.5)
    clock.speed = 0.1
    clock.advance(1.0)
    assert clock.time == pytest.approx(1.6)
    clock.speed = 10.0
    clock.advance(1.0)
    assert (clock.time, clock.playing) == (3.0, False)


def test_play_at_the_end_starts_over():
    clock = Clock(0.0, 2.0)
    clock.seek(2.0)
    clock.play()
    assert (clock.time, clock.playing) == (0.0, True)
    clock.pause()
    clock.advance(1.0)
    assert clock.time == 0.0


def test_loop_goes_round():
    clock = Clock(1.0, 3.0)
    clock.loop = True
    clock.play()
    clock.advance(7.25)  # three rounds and a quarter after 2 + 5.25
    assert clock.time == pytest.approx(2.25)
    assert clock.playing


def test_seek_stays_in_the_run():
    clock = Clock(1.0, 3.0)
    for asked, got in ((2.0, 2.0), (-1.0, 1.0), (9.0, 3.0)):
        clock.seek(asked)
        assert clock.time == got


def test_a_run_may_grow_and_does_not_shrink():
    clock = Clock(0.0, 1.0)
    clock.extend(2.0)
    assert clock.end == 2.0
    clock.extend(1.5)
    assert clock.end == 2.0


def test_a_single_moment_does_not_play():
    clock = Clock(0.0, 0.0)
    clock.loop = True
    clock.play()
    clock.advance(1.0)
    assert (clock.time, clock.playing) == (0.0, False)


@pytest.mark.parametrize("speed", [0.0, -1.0, float("nan"), "fast"])
def test_speed_is_positive(speed):
    with pytest.raises(rc.InputError, match="speed"):
        Clock(0.0, 1.0).speed = speed


@given(st.lists(st.floats(0.0, 5.0), max_size=20), st.floats(0.1, 10.0), st.booleans())
def test_time_never_leaves_the_run(waits, speed, loop):
    clock = Clock(-1.0, 2.0)
    clock.speed, clock.loop = speed, loop
    clock.play()
    for wait in waits:
        clock.advance(wait)
        assert -1.0 <= clock.time <= 2.0
