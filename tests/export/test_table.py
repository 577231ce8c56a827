"""CSV files have every digit of what was recorded."""

import csv

import numpy as np
import pytest

import rollcone as rc
from mixed_runs import mixed_run
from rollcone.export.table import save_body, save_moment


def read(path):
    with path.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    return header, rows


def test_a_body_over_time(tmp_path):
    run, path = mixed_run(), tmp_path / "a.csv"
    for name, there in (("ball", slice(0, 51)), ("box", slice(0, 41)), ("late", slice(21, 51))):
        save_body(run, path, name)
        header, rows = read(path)
        assert header[:5] == ["time (s)", "x (m)", "y (m)", "z (m)", "qw"]
        assert header[8:] == ["vx (m/s)", "vy (m/s)", "vz (m/s)", *(f"w{k} (rad/s)" for k in "xyz")]
        numbers, track = np.array(rows, dtype=float), run.body(name)
        np.testing.assert_array_equal(numbers[:, 0], run.time[there])
        np.testing.assert_array_equal(numbers[:, 1:4], track.position[there])
        np.testing.assert_array_equal(numbers[:, 4:8], track.orientation[there])
        np.testing.assert_array_equal(numbers[:, 8:11], track.velocity[there])
        np.testing.assert_array_equal(numbers[:, 11:], track.angular_velocity[there])


def test_bodies_at_a_moment(tmp_path):
    run, path = mixed_run(), tmp_path / "a.csv"
    save_moment(run, path, -1)
    header, rows = read(path)
    assert header[:4] == ["body", "name", "shape", "x (m)"]
    assert [row[0] for row in rows] == ["0", "1", "3", "4", "5", "6", "7"]  # the box is gone
    assert rows[0][1:3] == ["floor", "plane"]
    assert rows[-1][1:3] == ["late", "sphere"]
    for row in rows:
        expected = run.states("velocity")[-1, int(row[0])]
        np.testing.assert_array_equal(np.array(row[10:13], dtype=float), expected)


def test_refusals(tmp_path):
    with pytest.raises(rc.InputError, match="body 'bell'"):
        save_body(mixed_run(), tmp_path / "a.csv", "bell")
    with pytest.raises(rc.InputError, match=r"must end in .csv"):
        save_moment(mixed_run(), tmp_path / "a.txt", 0)
    assert not list(tmp_path.iterdir())
