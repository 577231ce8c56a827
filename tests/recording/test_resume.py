"""Runs that were stopped go on to the bits of those that were not: every scheme, solver, law,
with Python functions, with positions that are projected."""

from __future__ import annotations

import signal

import h5py
import numpy as np
import pytest
from run_cases import SETTINGS, UNTIL, assert_same, change_notes, pouring, write

import rollcone as rc
from rollcone.recording import recorder
from rollcone.recording.part import folder_of
from rollcone.recording.recorder import Recorder


def stopped(path, world, at, until, **settings):
    """Stopped after so many steps, on the way to `until`."""
    with rc.Simulation(world.copy(), output=path, **settings) as simulation:
        go_to(simulation, at, until)


def go_to(simulation, at, until):
    simulation.until = until
    while simulation.steps < at:
        simulation.take_step()


CASES = {
    "default": {},
    "cold starts": {"warm_start": False},
    "dvi": {"scheme": rc.DVI()},
    "moreau-jean": {"scheme": rc.MoreauJean(theta=0.7, projection=True)},
    "midpoint": {"scheme": rc.MoreauMidpoint()},
    "explicit": {"scheme": rc.RegularisedLCP(), "friction_model": "cone"},
    "regularised": {"scheme": rc.RegularisedLCP()},
    "polygonal": {"friction_model": rc.PolygonalFriction(facets=6)},
    "box": {"friction_model": rc.BoxFriction(rounds=1), "solver": "lemke"},
    "no bristles": {"friction_model": rc.RegularisedFriction(stiffness=np.inf)},
    "gap ahead": {"scheme": rc.GapAhead(recovery=0.5, max_passes=20), "start_time": 3.25},
    "apgd": {"solver": "apgd", "tolerance": 1e-6},
    "options": {"solver": "gauss-seidel", "solver_options": {"local": "exact"}, "tolerance": 1e-6},
    "limits": {"speed_tolerance": 1e-9, "max_iterations": 40},
}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (n == "no bristles")) for n in CASES]
)
def test_schemes_and_solvers(tmp_path, name):
    settings = {"step": 2e-3, "record_every": 4, "tolerance": 1e-8} | CASES[name]
    until = settings.get("start_time", 0.0) + 0.3
    world = pouring()
    world.set_contact_law(rc.ContactLaw(sliding=0.4, rolling=0.004, spinning=0.002))
    whole = rc.simulate(world, until=until, **settings)
    for at in (1, 37, 90):
        path = tmp_path / f"{at}.h5"
        stopped(path, world, at, until, **settings)
        found = rc.resume(path, until=until)
        assert_same(found, whole)
        assert found.words == whole.words


def test_stopped_again_and_again(tmp_path):
    whole = rc.simulate(pouring(), until=UNTIL, **SETTINGS)
    path = tmp_path / "out.h5"
    stopped(path, pouring(), 3, UNTIL, **SETTINGS)
    for at in (4, 60, 61, 133):
        with rc.resuming.resumed(path) as simulation:
            go_to(simulation, at, UNTIL)
    assert_same(rc.resume(path), whole)


def test_a_finished_run_goes_on(tmp_path):
    """Its end is recorded although it is none of the fifth steps; all else is the same."""
    path = tmp_path / "out.h5"
    write(path, until=0.123)
    run = rc.resume(path, until=0.3)
    whole = rc.simulate(pouring(), until=0.3, **SETTINGS)
    extra = np.searchsorted(run.time, 0.123)
    assert run.time[extra] == pytest.approx(0.124)
    rest = np.delete(np.arange(len(run.time)), extra)
    np.testing.assert_array_equal(run.time[rest], whole.time)
    np.testing.assert_array_equal(run.states("position")[:][rest], whole.states("position"))
    assert_same(rc.resume(path), run)  # nothing is left to do
    assert_same(rc.resume(path, until=0.3), run)
    with pytest.raises(rc.InputError, match=r"until = 0.1: it is t = 0.3 s already"):
        rc.resume(path, until=0.1)


def shaken():
    """A ball on a plate that goes up and down, pulled sideways."""
    world = rc.World(gravity=(0, 0, -9.81))
    plate = world.add_box(
        size=(2, 2, 0.2), motion=lambda t: ((0, 0, np.sin(9 * t)), (0, 0, 0)), name="plate"
    )
    assert plate.name == "plate"
    ball = world.add_sphere(radius=0.1, mass=1, position=(0, 0, 0.2), name="ball")
    ball.force = lambda t, body: (np.cos(5 * t), -body.position[0], 0)
    world.set_contact_law(rc.ContactLaw(sliding=0.3, rolling=0.01, restitution=0.4))
    return world


def test_python_functions(tmp_path):
    path = tmp_path / "out.h5"
    whole = rc.simulate(shaken(), until=0.5, step=5e-3)
    stopped(path, shaken(), 41, 0.5, step=5e-3)
    words = r"functions \(force of 'ball', motion of 'plate'\) .* rc.resume\(path, world\)"
    with pytest.raises(rc.InputError, match=words):
        rc.resume(path)
    lacking = shaken()
    lacking.body("ball").force = (0, 0, 0)
    with pytest.raises(rc.InputError, match="force of 'ball'"):
        rc.resume(path, lacking)
    assert_same(rc.resume(path, shaken()), whole)


def test_laws_materials_and_removed_bodies(tmp_path):
    def world():
        made = rc.World(gravity=(0, 0, -9.81))
        made.add_plane(material="steel")
        made.set_contact_law(rc.ContactLaw(sliding=0.1))
        made.set_contact_law(rc.ContactLaw(sliding=0.7, rolling=0.01), "rubber", "steel")
        for k, material in enumerate(("rubber", "ice", "rubber")):
            made.add_sphere(
                radius=0.1, mass=1, position=(k, 0, 0.1), velocity=(1, 2, 0), material=material,
                linear_damping=0.1 * k, torque=(0, 0.01, 0),
            )  # fmt: skip
        made.remove("sphere 1")
        return made

    whole = rc.simulate(world(), until=0.5, step=5e-3)
    path = tmp_path / "out.h5"
    stopped(path, world(), 41, 0.5, step=5e-3)
    assert_same(rc.resume(path), whole)


def test_compliance_of_laws(tmp_path):
    """Of every form, as it was; files of before there was any have rigid contacts."""
    default, names = rc.ContactLaw(sliding=0.3, compliance=2e-9), ("wood", "glass", "steel")
    soft = [
        (1e-9, 3e-9),
        rc.HertzMindlin(young=210e9, poisson=0.3),
        rc.HertzMindlin(young=(70e9, 210e9), poisson=(0.2, 0.3)),
    ]
    laws = dict(zip(names, (rc.ContactLaw(compliance=c) for c in soft), strict=True))
    world = rc.World()
    world.add_sphere(radius=0.1, mass=1)
    world.set_contact_law(default)
    for name, law in laws.items():
        world.set_contact_law(law, name, "floor")
    path = tmp_path / "out.h5"
    stopped(path, world, 1, 0.1, step=0.01)
    found = rc.open_run(path).world.laws
    assert found.default == default
    assert {name: found.law("floor", name) for name in names} == laws
    np.testing.assert_array_equal(found.softness(), world.laws.softness())
    without_compliance(path)
    old = rc.open_run(path).world.laws
    assert old.default == rc.ContactLaw(sliding=0.3)
    assert old.softness() is None


def without_compliance(path):
    def change(notes):
        kept = [notes["world"]["default_law"], *(law for _, law in notes["world"]["laws"])]
        for law in kept:
            del law["compliance"]

    with h5py.File(path, "r+") as file:
        change_notes(file, change)


def test_a_function_that_became_a_constant(tmp_path):
    def settings(world):
        world.body("ball").force = (0.1, 0, 0)

    whole = rc.Simulation(shaken(), step=5e-3)
    path = tmp_path / "out.h5"
    with rc.Simulation(shaken(), step=5e-3, output=path) as simulation:
        for each in (whole, simulation):
            go_to(each, 20, 0.3)
            settings(each.world)
            go_to(each, 30, 0.3)
    whole.advance(0.3)
    assert_same(rc.resume(path, shaken()), whole.run)
    plate = rc.open_run(path).world.body("plate").velocity
    np.testing.assert_array_equal(plate, whole.world.body("plate").velocity)


def test_what_was_changed_just_before_the_stop(tmp_path):
    """Counts as change, not as a remainder of the audit."""
    whole = rc.Simulation(pouring(), **SETTINGS)
    path = tmp_path / "out.h5"
    with rc.Simulation(pouring(), output=path, **SETTINGS) as simulation:
        for each in (whole, simulation):
            go_to(each, 23, UNTIL)
            each.world.body(1).velocity = (1, 0, 3)
    whole.advance(UNTIL)
    found = rc.resume(path)
    assert_same(found, whole.run)
    assert found.energy.changed[-1] != 0


def kick(simulation):
    if simulation.steps % 20 == 7:
        simulation.world.body(1).velocity = (0.3, 0, 1)


def test_a_function_after_every_step(tmp_path):
    """It is called once after each step, however often the run was stopped."""
    whole = rc.simulate(pouring(), until=UNTIL, each_step=kick, **SETTINGS)
    path = tmp_path / "out.h5"

    def stop(simulation):
        kick(simulation)
        if simulation.steps % 67 == 0:
            simulation.stop()

    with rc.Simulation(pouring(), output=path, flush=0.05, **SETTINGS) as simulation:
        simulation.advance(UNTIL, each_step=stop)
    assert simulation.steps == 67
    with pytest.raises(rc.InputError, match=r"each_step: .*rc.resume\(path, each_step=...\)"):
        rc.resume(path)
    rc.resume(path, each_step=stop)
    assert rc.open_run(path).steps == 134
    assert_same(rc.resume(path, each_step=kick), whole)


PLACES = {"default_rng": np.random, "record": Recorder, "note": Recorder, "kinetic": recorder}


def stumbling(monkeypatch, place, stumble):
    """`stumble` is called at the fifth call of the function there."""
    original, calls = getattr(PLACES[place], place), 0

    def stumbles(*arguments):
        nonlocal calls
        calls += 1
        if calls == 5:
            stumble()
        return original(*arguments)

    monkeypatch.setattr(PLACES[place], place, stumbles)


def interrupt():
    raise KeyboardInterrupt


@pytest.mark.parametrize("place", PLACES)
def test_an_exception_in_the_middle_of_a_step(tmp_path, monkeypatch, place):
    """Such as a second Ctrl-C: the file ends before it, and goes on to the same bits."""
    whole = rc.simulate(pouring(), until=UNTIL, **SETTINGS)
    path = tmp_path / "out.h5"
    with monkeypatch.context() as patch:
        stumbling(patch, place, interrupt)
        with pytest.raises(KeyboardInterrupt):
            write(path, flush=0.0)
    assert not folder_of(path).exists()
    assert_same(rc.resume(path), whole)


def test_an_exception_in_a_function_after_a_step(tmp_path):
    whole = rc.simulate(pouring(), until=0.05, **SETTINGS)
    path = tmp_path / "out.h5"
    stop = {"each_step": lambda now: interrupt() if now.steps == 5 else None}
    with pytest.raises(KeyboardInterrupt):
        write(path, flush=0.0, until=0.05, **stop)
    assert rc.open_run(path).steps == 4
    assert_same(rc.resume(path, each_step=lambda _: None), whole)


@pytest.mark.parametrize("place", PLACES)
def test_ctrl_c(tmp_path, monkeypatch, place):
    """Of a script, wherever it comes: it is heard between two steps, and no step is lost."""
    whole = rc.simulate(pouring(), until=UNTIL, **SETTINGS)
    path = tmp_path / "out.h5"
    with monkeypatch.context() as patch:
        stumbling(patch, place, lambda: signal.raise_signal(signal.SIGINT))
        with pytest.raises(KeyboardInterrupt):
            write(path, flush=1000.0)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert 0 < rc.open_run(path).steps < whole.steps
    assert_same(rc.resume(path), whole)


def test_the_scene_and_the_settings_are_kept(tmp_path):
    path = tmp_path / "out.h5"
    stopped(path, pouring(), 20, UNTIL, flush=0.75, scene="title = 'kept'", **SETTINGS)
    found = rc.resume(path)
    assert found.scene == "title = 'kept'"
    assert found._source.notes["flush"] == 0.75
    assert found.wall_time > 0


def test_a_file_that_was_replaced_meanwhile(tmp_path):
    """What continues one run is not joined to another."""
    path, other = tmp_path / "out.h5", tmp_path / "other.h5"
    stopped(path, pouring(), 20, UNTIL, **SETTINGS)
    write(other, until=0.1)
    simulation = rc.resuming.resumed(path)
    simulation.advance(0.2)
    simulation._writer._part.release()  # as if it had been killed
    other.replace(path)
    with pytest.raises(rc.FileError, match="was it replaced"):
        rc.resume(path)
    with pytest.raises(rc.FileError, match="was it replaced"):
        rc.open_run(path)
    path.unlink()
    for read in (rc.open_run, rc.resume):
        with pytest.raises(rc.FileError, match="a part of the run is missing"):
            read(path)


def test_names_of_a_run(tmp_path):
    """By its folder, or through a link: the file that is meant goes on."""
    path, link = tmp_path / "out.h5", tmp_path / "link.h5"
    stopped(path, pouring(), 20, UNTIL, **SETTINGS)
    link.symlink_to(path)
    rc.resume(link, until=0.1)
    assert link.is_symlink()
    assert rc.open_run(path).time[-1] == pytest.approx(0.1)
    rc.resume(folder_of(path), until=0.2)
    assert rc.open_run(path).time[-1] == pytest.approx(0.2)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["link.h5", "out.h5"]


def test_without_a_time_to_go_to(tmp_path):
    path = tmp_path / "out.h5"
    with rc.Simulation(pouring(), output=path, **SETTINGS) as simulation:
        simulation.take_step()
    with pytest.raises(rc.InputError, match="until: must be given"):
        rc.resume(path)


def test_a_failed_run_keeps_what_it_had(tmp_path):
    path = tmp_path / "out.h5"
    with pytest.raises(rc.NotConvergedError):
        write(path, max_iterations=1, tolerance=1e-15, strict=True, solver="apgd")
    run = rc.open_run(path)
    assert 0 < run.steps < 200
    assert not run.converged or run.unconverged.sum() == 0
