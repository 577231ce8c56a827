"""CSV files have every digit of what was recorded."""

import csv

import numpy as np
import pytest

import rollcone as rc
from mixed_runs import mixed_run
from rollcone.export.table import save_body, save_joint, save_moment


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


def test_a_joint_over_time(tmp_path):
    """One with two coordinates that was added on the way; an angle has other units than a slide."""
    world = rc.World(gravity=(0, 0, -9.81))
    ball = world.add_sphere(radius=0.1, mass=2, angular_velocity=(0, 0, 3))

    def join(simulation):
        if simulation.steps == 2:
            simulation.world.add_joint(
                kind="cylindrical", body="sphere 0", point=(0, 0, 0), axis=(0, 0, 1), name="rod",
                slide=rc.Spring(stiffness=9), angle=rc.JointFriction(limit=0.01),
            )  # fmt: skip

    run, path = rc.simulate(world, until=0.1, step=0.01, each_step=join), tmp_path / "a.csv"
    save_joint(run, path, "rod")
    header, rows = read(path)
    assert header == [
        "time (s)", "fx (N)", "fy (N)", "fz (N)", "tx (N m)", "ty (N m)", "tz (N m)",
        "angle (rad)", "angle rate (rad/s)", "slide (m)", "slide rate (m/s)",
        "angle.friction (N m)", "slide.spring (N)",
    ]  # fmt: skip
    numbers, track = np.array(rows, dtype=float), run.joint("rod")
    np.testing.assert_array_equal(numbers[:, 0], run.time[3:])
    np.testing.assert_array_equal(numbers[:, 1:4], track.force[3:])
    np.testing.assert_array_equal(numbers[:, 4:7], track.torque[3:])
    np.testing.assert_array_equal(numbers[:, 7], track.coordinate["angle"][3:])
    np.testing.assert_array_equal(numbers[:, 10], run.body(ball).velocity[3:, 2])
    np.testing.assert_array_equal(numbers[:, 12], track.effort["slide.spring"][3:])
    assert set(np.round(numbers[:, 11], 9)) == {-0.01}


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
    with pytest.raises(rc.InputError, match="joint 'rod'"):
        save_joint(mixed_run(), tmp_path / "a.csv", "rod")
    with pytest.raises(rc.InputError, match=r"must end in .csv"):
        save_moment(mixed_run(), tmp_path / "a.txt", 0)
    assert not list(tmp_path.iterdir())
