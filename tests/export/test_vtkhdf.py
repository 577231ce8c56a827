"""VTKHDF files, read by VTK's own reader."""

import h5py
import numpy as np
import pytest

import rollcone as rc
from joint_runs import joint_run, world_at
from mixed_runs import mixed_run
from rollcone.analysis.forces import contact_forces
from rollcone.export.vtkhdf import save_contacts, save_joints, save_surfaces
from rollcone.view.colours import body_values
from rollcone.view.surfaces import groups
from scenes import G, ball_on_floor, matrix

pytest.importorskip("vtkmodules")
FLOOR, BOX, LATE = 0, 2, 7


def read(path):
    """Times, and per step (points, cells as lists of points, arrays)."""
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
    from vtkmodules.vtkIOHDF import vtkHDFReader

    reader = vtkHDFReader()
    reader.SetFileName(str(path))
    reader.UpdateInformation()
    key = vtkStreamingDemandDrivenPipeline.TIME_STEPS()
    times = np.array(reader.GetOutputInformation(0).Get(key))
    steps = []
    for k in range(reader.GetNumberOfSteps()):
        reader.SetStep(k)
        reader.Update()
        data = reader.GetOutputDataObject(0)
        points = vtk_to_numpy(data.GetPoints().GetData()).copy() if data.GetNumberOfPoints() else []
        cells = [
            [data.GetCell(i).GetPointId(j) for j in range(data.GetCell(i).GetNumberOfPoints())]
            for i in range(data.GetNumberOfCells())
        ]
        arrays = data.GetPointData()
        names = [arrays.GetArrayName(i) for i in range(arrays.GetNumberOfArrays())]
        values = {name: vtk_to_numpy(arrays.GetArray(name)).copy() for name in names}
        steps.append((points, cells, values))
    return times, steps


def test_surfaces_are_where_bodies_are(tmp_path):
    """Also those of bodies that come and go between steps, with their own triangles."""
    run, path = mixed_run(), tmp_path / "a.vtkhdf"
    moments = [0, 10, 20, 25, 40, 45, 50]
    save_surfaces(run, path, detail=1, moments=moments)
    times, steps = read(path)
    np.testing.assert_allclose(times, run.time[moments], rtol=1e-12)
    surfaces = {}
    for group in groups(run.world, detail=1):
        for number, scale in zip(group.numbers, group.scales, strict=True):
            surfaces[int(number)] = (scale * group.surface.vertices, group.surface.triangles)
    for k, (points, cells, values) in zip(moments, steps, strict=True):
        position, orientation = (run.states(name)[k] for name in ("position", "orientation"))
        there = np.flatnonzero(np.isfinite(position[:, 0]))
        assert set(values["body"]) == set(there)
        assert len(cells) == sum(len(surfaces[int(i)][1]) for i in there)
        for i in set(there) - {FLOOR}:
            mine = np.flatnonzero(values["body"] == i)
            expected = surfaces[int(i)][0] @ matrix(orientation[i]).T + position[i]
            np.testing.assert_allclose(points[mine], expected, atol=2e-6)
            triangles = [cell for cell in cells if cell[0] in mine]
            np.testing.assert_array_equal(np.array(triangles) - mine[0], surfaces[int(i)][1])
        for name in ("speed", "rotation", "force"):
            expected = body_values(run, k, name)[values["body"]]
            np.testing.assert_allclose(values[name], expected, rtol=1e-6, atol=1e-12)
    assert np.ptp(steps[0][0][steps[0][2]["body"] == FLOOR], axis=0)[2] < 1e-6  # it is level


def test_cells_are_written_once_for_the_same_bodies(tmp_path):
    save_surfaces(mixed_run(), tmp_path / "a.vtkhdf")
    with h5py.File(tmp_path / "a.vtkhdf") as file:
        assert file["VTKHDF/Steps"].attrs["NSteps"] == 51
        assert len(file["VTKHDF/NumberOfPoints"]) == 3  # before, with and after


def test_contacts(tmp_path):
    run, path = mixed_run(), tmp_path / "a.vtkhdf"
    save_contacts(run, path)
    times, steps = read(path)
    np.testing.assert_allclose(times, run.time, rtol=1e-12)
    for k in (0, 1, 30, 50):
        points, cells, values = steps[k]
        found = run.contacts(k)
        assert cells == [[i] for i in range(len(found))]
        if len(found):
            np.testing.assert_allclose(points, found.point, atol=1e-6)
            np.testing.assert_array_equal(values["bodies"], found.bodies)
            np.testing.assert_allclose(values["force"], contact_forces(found), rtol=1e-5, atol=1e-5)


def test_joints(tmp_path):
    """Where they are, in a world with bodies moved there; one comes and one goes, gears are not."""
    run, path = joint_run(), tmp_path / "a.vtkhdf"
    save_joints(run, path)
    _, steps = read(path)
    gear = run.world.joint_number("gear")
    for k, without in ((0, "late"), (20, "spherical")):
        points, cells, values = steps[k]
        world, numbers = world_at(run, k), values["joint"]
        assert cells == [[i] for i in range(len(numbers))]
        missing = set(range(len(run.world.joints))) - set(numbers.tolist())
        assert missing == {gear, run.world.joint_number(without)}
        for point, number, axis, force in zip(
            points, numbers, values["axis"], values["force"], strict=True
        ):
            joint = world.joint(int(number))
            np.testing.assert_allclose(point, joint.point, atol=1e-5)
            np.testing.assert_allclose(axis, joint.axis, atol=1e-6)
            held = run.joint(int(number)).force[k] @ joint.axes
            np.testing.assert_allclose(force, held, rtol=1e-4, atol=1e-4)


def test_moments_without_contacts_in_between(tmp_path):
    run, path = mixed_run(), tmp_path / "a.vtkhdf"
    moments = [1, 0, 2, 45, 0, 0, 46, 3]
    save_contacts(run, path, moments=moments)
    _, steps = read(path)
    for k, (_, cells, _) in zip(moments, steps, strict=True):
        assert cells == [[i] for i in range(len(run.contacts(k)))]


def test_forces_change_momentum():
    """In world axes, on the second body: those on a sliding ball and its weight are m dv / dt."""
    world, ball = ball_on_floor(rc.ContactLaw(sliding=0.3), velocity=(3, -2, 0))
    run = rc.simulate(world, until=0.02, step=0.01)
    contacts, track = run.contacts(1), run.body(ball)
    (pair,) = contacts.bodies
    sign = 1 if pair[1] == ball.id else -1
    force = sign * contact_forces(contacts)[0]
    change = ball.mass * (track.velocity[1] - track.velocity[0]) / 0.01
    np.testing.assert_allclose(force - (0, 0, ball.mass * G), change, rtol=1e-9, atol=1e-9)


def test_an_empty_world_and_a_single_moment(tmp_path):
    """VTK gives no times for a single one."""
    run = rc.Simulation(rc.World(), step=0.1).run
    save_surfaces(run, tmp_path / "a.vtkhdf")
    save_contacts(run, tmp_path / "b.vtkhdf")
    for name in ("a", "b"):
        _, ((points, cells, _),) = read(tmp_path / f"{name}.vtkhdf")
        assert not len(points)
        assert not cells
    save_contacts(mixed_run(), tmp_path / "c.vtkhdf", moments=[30])
    _, ((points, cells, _),) = read(tmp_path / "c.vtkhdf")
    np.testing.assert_allclose(points, mixed_run().contacts(30).point, atol=1e-6)
    assert len(cells) == len(points)


def test_refusals(tmp_path):
    with pytest.raises(rc.InputError, match=r"must end in .vtkhdf"):
        save_surfaces(mixed_run(), tmp_path / "a.vtk")
    with pytest.raises(rc.InputError, match="moment = 99"):
        save_surfaces(mixed_run(), tmp_path / "a.vtkhdf", moments=[99])
    assert not list(tmp_path.iterdir())
