"""Run files: what is written is what is read; outputs that may not be written; damaged files."""

from __future__ import annotations

import os
import resource
import shutil
from pathlib import Path

import h5py
import numpy as np
import pytest
from run_cases import (
    GLIDING,
    SETTINGS,
    UNTIL,
    assert_same,
    gliding,
    in_a_child,
    pouring,
    without_contour,
    write,
)
from test_resume import go_to, stopped

import rollcone as rc
from rollcone.recording import part
from rollcone.recording.moments import LATER, NUMBERS
from rollcone.recording.part import folder_of
from rollcone.recording.writer import check_free


@pytest.fixture(scope="module")
def whole() -> rc.Run:
    return rc.simulate(pouring(), until=UNTIL, **SETTINGS)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "out.h5"
    write(path)
    return path


def test_a_file_has_what_memory_has(file, whole):
    """Written in several pieces, while bodies were added."""
    run = rc.open_run(file)
    assert_same(run, whole)
    assert run.summary().splitlines()[:-1] == whole.summary().splitlines()[:-1]
    assert (run.version, run.path, run.scene) == (rc.__version__, file, "")
    assert repr(run) == repr(whole)
    np.testing.assert_array_equal(run.body("grain 3").velocity, whole.body("grain 3").velocity)
    assert run.world.body("grain 3").mass == whole.world.body("grain 3").mass
    np.testing.assert_array_equal(run.energy.work, whole.energy.work)
    assert [entry.name for entry in file.parent.iterdir()] == [file.name]


def test_arrays_are_read_when_they_are_asked_for(file):
    run = rc.open_run(file)
    position = run.states("position")
    assert not isinstance(position, np.ndarray)
    assert position.ndim == 3
    assert len(position) == len(run.time)
    assert isinstance(position[3], np.ndarray)
    assert position[3].shape == position.shape[1:]
    assert np.asarray(position).shape == position.shape


def test_other_programs_can_read_it(file, whole):
    with h5py.File(file) as data:
        np.testing.assert_array_equal(data["time"], whole.time)
        np.testing.assert_array_equal(data["energy/rolling"], whole.energy.rolling)
        np.testing.assert_array_equal(data["statistics/residual"], whole.residual)
        np.testing.assert_array_equal(data["states/position"], whole.states("position"))
        end = data["contacts/end"][-2:]
        np.testing.assert_array_equal(data["contacts/gap"][end[0] : end[1]], whole.contacts(-1).gap)


def test_the_world_of_a_file_can_be_simulated_on(file, whole):
    after = [rc.simulate(run.world, until=0.05, step=2e-3) for run in (rc.open_run(file), whole)]
    np.testing.assert_array_equal(after[0].states("position"), after[1].states("position"))


def test_frames_of_pandas(file):
    run = rc.open_run(file)
    table = run.frame("grain 0")
    assert table.index.name == "time"
    np.testing.assert_array_equal(table["velocity_z"], run.body("grain 0").velocity[:, 2])
    np.testing.assert_array_equal(table["orientation_w"], run.body("grain 0").orientation[:, 0])


@pytest.mark.parametrize("output", [False, True])
def test_levels_of_contacts(tmp_path, whole, output):
    for level in ("summary", "none"):
        path = tmp_path / f"{level}.h5" if output else None
        run = rc.simulate(
            pouring(), until=UNTIL, **SETTINGS, contacts=level, output=path, flush=0.02
        )
        assert run.contact_level == level
        np.testing.assert_array_equal(run.contact_count, whole.contact_count)
        assert run.material_pairs() == whole.material_pairs()
        with pytest.raises(rc.InputError, match=f"contacts = '{level}'"):
            run.contacts(-1)
        if level == "none":
            with pytest.raises(rc.InputError, match="simulate with contacts='full'"):
                run.contact_summary()
            continue
        mine, theirs = run.contact_summary(), whole.contact_summary()
        assert mine.keys() == theirs.keys()
        for name in mine:
            np.testing.assert_array_equal(mine[name], theirs[name])
    forces = [whole.contacts(k).reaction[:, 0].sum() for k in range(len(whole.time))]
    np.testing.assert_allclose(theirs["normal_force"], forces)
    sliding = [sum("sliding" in m for m in whole.contacts(k).mode) for k in range(len(whole.time))]
    assert theirs["sliding"].tolist() == sliding
    assert max(sliding) > 0
    with pytest.raises(rc.InputError, match="contacts = 'all': must be one of none, summary, full"):
        rc.simulate(pouring(), until=UNTIL, step=1e-3, contacts="all")


def test_a_run_can_be_looked_at_while_it_goes_on(tmp_path):
    path = tmp_path / "out.h5"
    with rc.Simulation(pouring(), output=path, flush=0.0, **SETTINGS) as simulation:
        simulation.advance(0.1)
        assert rc.open_run(path).time[-1] == pytest.approx(0.1)
        assert rc.open_run(folder_of(path)).time[-1] == pytest.approx(0.1)
        simulation.advance(0.2)
        assert simulation.run.time[-1] == pytest.approx(0.2)
        assert not path.exists()
        with pytest.raises(rc.FileError, match="another process is writing this run"):
            rc.resume(path)
    assert simulation.run.time[-1] == pytest.approx(0.2)
    assert path.exists()


def test_a_run_without_contacts(tmp_path):
    world = rc.World()
    world.add_sphere(radius=1, mass=1, velocity=(1, 0, 0))
    run = rc.simulate(world, until=0.1, step=0.01, output=tmp_path / "free.h5")
    assert len(run.contacts(-1)) == 0
    assert run.states("position")[-1, 0, 0] == pytest.approx(0.1)


def test_what_exists_is_left_alone(tmp_path, whole):
    path = tmp_path / "out.h5"
    path.write_text("precious")
    with pytest.raises(rc.FileError, match="exists already"):
        write(path)
    with pytest.raises(rc.FileError, match="is not a run file, and is not overwritten"):
        write(path, overwrite=True)
    assert path.read_text() == "precious"
    path.unlink()
    write(path, until=0.1)
    before = path.read_bytes()
    for until in (-1.0, np.nan, 1e300):  # not even begun
        with pytest.raises(rc.InputError, match="until"):
            write(path, overwrite=True, until=until)
    rc.Simulation(pouring(), output=path, overwrite=True, **SETTINGS).close()
    assert path.read_bytes() == before
    assert_same(write(path, overwrite=True), whole)
    with pytest.raises(rc.FileError, match="is a folder"):
        check_free(tmp_path, overwrite=True)
    with pytest.raises(rc.FileError, match="there is no folder"):
        write(tmp_path / "no" / "out.h5")


def test_an_unfinished_run_is_left_alone(tmp_path, whole):
    path = tmp_path / "out.h5"
    simulation = rc.Simulation(pouring(), output=path, flush=0.0, **SETTINGS)
    simulation.advance(0.1)
    with pytest.raises(rc.FileError, match="another process is writing"):
        write(path, overwrite=True)
    simulation._writer._part.release()  # as if it had been killed
    with pytest.raises(rc.FileError, match=r"rollcone resume .*out.h5"):
        write(path)
    assert_same(rc.resume(path, until=UNTIL), rc.open_run(path))
    assert rc.open_run(path).time[-1] == pytest.approx(UNTIL)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="a folder where nobody may write")
def test_a_folder_that_may_not_be_written_to():
    with pytest.raises(rc.FileError, match=r"cannot write .*out.h5"):
        write(Path("/proc/out.h5"))


@pytest.mark.parametrize("share", [0.01, 0.5, 0.9])
def test_a_full_disk_loses_nothing_that_was_written(tmp_path, file, whole, share):
    """As far as a process may write: files of so many bytes at most, compared with the whole."""
    path, limit = tmp_path / "out.h5", int(share * file.stat().st_size)

    def work():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        try:
            write(path)
        except rc.FileError as error:
            os._exit(7 if "the disk is full" in str(error) else 8)

    assert in_a_child(work) == 7
    assert not list(tmp_path.glob("**/*.new"))
    if share == 0.01:  # not even the first checkpoint
        assert not (folder_of(path) / "checkpoint.h5").exists()
        assert_same(write(path), whole)
    else:
        assert_same(rc.resume(path), whole)


@pytest.mark.parametrize("nth", [2, 3, 4, 5])
def test_a_write_that_fails_once_doubles_nothing(tmp_path, monkeypatch, whole, nth):
    path, calls = tmp_path / "out.h5", 0
    original = part.write_image

    def fail_once(where, write):
        nonlocal calls
        calls += where.name == "checkpoint.h5"
        if calls == nth:
            calls += 1
            raise rc.FileError("the disk is full")
        original(where, write)

    monkeypatch.setattr(part, "write_image", fail_once)
    with pytest.raises(rc.FileError, match="the disk is full"):
        write(path, flush=0.0)
    assert_same(rc.resume(path), whole)


def test_a_checkpoint_without_moments_is_not_given_up(tmp_path, monkeypatch):
    """The rest of a run, on a disk that is full before the next record: what was kept stays."""
    path = tmp_path / "out.h5"
    rare = SETTINGS | {"record_every": 1000}
    with rc.Simulation(pouring(), output=path, **rare) as first:
        first.take_step()
    simulation = rc.resuming.resumed(path)
    for _ in range(3):
        simulation.take_step()
    simulation._writer.write(simulation)

    def full(where, write):
        raise rc.FileError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(part, "write_image", full)
        with pytest.raises(rc.FileError, match="the disk is full"):
            simulation.close()
    assert rc.open_run(path).steps == 4


def test_handles_of_the_world_that_was_given(tmp_path):
    world = pouring()
    capsule = world.body(1)
    run = rc.simulate(world, until=0.1, **SETTINGS, output=tmp_path / "out.h5")
    np.testing.assert_array_equal(run.body(capsule).position, run.body(1).position)


def test_emitters_with_functions_are_not_written(tmp_path):
    world = pouring()
    world.add_emitter(
        shape="sphere", radius=0.1, mass=1, low=(5, 5, 5), high=(6, 6, 6), rate=1, count=1,
        force=lambda t, body: (0, 0, t),
    )  # fmt: skip
    with pytest.raises(rc.InputError, match=r"force of Emitter.*cannot be written"):
        rc.simulate(world, until=0.1, **SETTINGS, output=tmp_path / "out.h5")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "name", ["time", "energy/kinetic", "states/position", "checkpoint/bodies/mass"]
)
def test_every_array_has_a_checksum(file, tmp_path, name):
    path = tmp_path / "flipped.h5"
    data = bytearray(file.read_bytes())
    with h5py.File(file) as whole:
        place = whole[name].id.get_chunk_info(0).byte_offset
    data[place + 9] ^= 0x10
    path.write_bytes(data)
    run = rc.open_run(path)
    with pytest.raises(rc.FileError, match="is damaged"):
        run.time, run.energy, run.states("position")[:], run.world


def test_damaged_files(file, tmp_path):
    """Cut short, or with some bytes changed: an error of one line, or a run."""
    data, random = file.read_bytes(), np.random.default_rng(3)
    told = []
    for trial in range(60):
        damaged = bytearray(data[: random.integers(len(data))] if trial % 3 == 0 else data)
        if trial % 3 and damaged:
            for place in random.integers(min(len(damaged), 4000), size=8):
                damaged[place] ^= int(random.integers(1, 256))
        path = tmp_path / f"{trial}.h5"
        path.write_bytes(damaged)
        try:
            run = rc.open_run(path)
            run.summary(), run.contacts(-1), run.states("velocity")[-1], run.body(0)
        except rc.RollconeError as error:
            told.append(str(error))
    assert len(told) >= 20
    assert all(f"{tmp_path}" in words and "\n" not in words for words in told)


def test_files_that_are_no_runs(tmp_path):
    with pytest.raises(rc.FileError, match="no such file"):
        rc.open_run(tmp_path / "absent.h5")
    with pytest.raises(rc.FileError, match="is a folder"):
        rc.open_run(tmp_path)
    problem = tmp_path / "problem.h5"
    rc.save_problem(rc.problems.heap(3), problem)
    with pytest.raises(rc.FileError, match="not a run"):
        rc.open_run(problem)
    with h5py.File(tmp_path / "newer.h5", "w") as newer:
        newer.attrs["format"], newer.attrs["format_version"] = "rollcone-run", 99
    with pytest.raises(rc.FileError, match="a newer Rollcone is needed"):
        rc.open_run(tmp_path / "newer.h5")


@pytest.mark.slow
def test_more_pieces_than_files_may_be_open(tmp_path):
    """A long run is joined of thousands of pieces."""
    path = tmp_path / "out.h5"

    def work():
        with rc.Simulation(pouring(), output=path, flush=0.0, **SETTINGS) as simulation:
            simulation.advance(UNTIL, each_step=lambda _: None)
            assert len(list(folder_of(path).iterdir())) > 40
            resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))

    assert in_a_child(work) == 0
    assert rc.open_run(path).time[-1] == pytest.approx(UNTIL)


def test_files_of_before_contour_friction(tmp_path):
    """They open and go on, finished or not."""
    path = tmp_path / "out.h5"
    whole = rc.simulate(gliding(), until=UNTIL, **GLIDING)
    stopped(path, gliding(), 37, UNTIL, **GLIDING)
    without_contour(path)
    old = rc.open_run(path)
    assert not old.energy.contour.any()
    assert old.world.laws.default.pressure is None
    np.testing.assert_array_equal(old.energy.work, whole.energy.work[: len(old.time)])
    assert_same(rc.resume(path), whole)


def test_folders_of_before_contour_friction(tmp_path):
    path = tmp_path / "out.h5"
    whole = rc.simulate(gliding(), until=UNTIL, **GLIDING)
    simulation = rc.Simulation(gliding(), output=path, flush=0.0, **GLIDING)
    go_to(simulation, 37, UNTIL)
    kept = tmp_path / "kept"
    shutil.copytree(folder_of(path), kept)
    simulation.close()
    path.unlink()
    kept.rename(folder_of(path))
    without_contour(folder_of(path) / "checkpoint.h5")
    for moments in folder_of(path).glob("0*.h5"):
        with h5py.File(moments, "r+") as file:
            numbers = np.delete(
                file["numbers"], [NUMBERS.index(name) for name in LATER[:3]], axis=1
            )
            del file["numbers"]
            file["numbers"] = numbers
    assert_same(rc.resume(path), whole)
