"""Joints in run files: tracks, runs that go on to the same bits, joints that come and go."""

from __future__ import annotations

import h5py
import numpy as np
import pytest
from run_cases import (
    GLIDING,
    UNTIL,
    assert_same,
    change_notes,
    gliding,
    without_contour,
    write,
)
from test_resume import go_to, stopped

import rollcone as rc
from rollcone.analysis.energy import TERMS
from rollcone.recording.part import folder_of

STEPS, END = {"step": 4e-3, "record_every": 3}, 0.14


def machine(speed: object = 40.0) -> rc.World:
    """A motor that turns a crank, and by a rod pulls a block from a spring, under a ball that
    lies on it; a pendulum with friction that meets its limit; a wheel that spins many times."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane()
    world.set_contact_law(rc.ContactLaw(sliding=0.4, rolling=0.002, restitution=0.2))
    crank = world.add_box(size=(0.2, 0.02, 0.02), mass=0.5, position=(0.1, 0, 0.5), name="crank")
    rod = world.add_capsule(
        radius=0.01, length=0.4, mass=0.2, position=(0.4, 0.05, 0.5),
        orientation=rc.rotation((0, 1, 0), 90),
    )  # fmt: skip
    block = world.add_box(size=(0.1, 0.1, 0.1), mass=1, position=(0.6, 0.05, 0.5), name="block")
    world.add_joint(
        kind="revolute", name="crank", body=crank, point=(0, 0, 0.5), axis=(0, 1, 0),
        angle=[rc.Motor(speed=speed, limit=8), rc.JointFriction(limit=0.05)],
    )  # fmt: skip
    world.add_joint(kind="spherical", body=rod, base=crank, point=(0.2, 0.05, 0.5))
    world.add_joint(kind="spherical", body=block, base=rod, point=(0.6, 0.05, 0.5))
    spring = rc.Spring(stiffness=30, damping=0.5, rest=-0.1)
    world.add_joint(kind="prismatic", name="rail", body=block, axis=(1, 0, 0), slide=spring)
    world.add_sphere(radius=0.05, mass=0.3, position=(0.6, 0.05, 0.6), name="ball")
    bob = world.add_sphere(
        radius=0.1, mass=2, position=(0.52, -1, 0.5), velocity=(0, 0, -4), name="bob"
    )
    pin = rc.JointFriction(coefficient=0.1, radius=0.02)
    world.add_joint(
        kind="revolute", name="pendulum", body=bob, point=(0, -1, 0.5), axis=(0, 1, 0),
        angle=[pin, rc.Limits(lower=-0.1, upper=0.55, restitution=0.4)],
    )  # fmt: skip
    wheel = world.add_sphere(radius=0.1, mass=1, position=(0, 3, 1), angular_velocity=(0, 100, 0))
    world.add_joint(
        kind="revolute", name="wheel", body=wheel, point=(0, 3, 1), axis=(0, 1, 0),
        angle=rc.JointFriction(limit=0.01),
    )  # fmt: skip
    return world


def tracks(run: rc.Run, which: object) -> dict[str, np.ndarray]:
    track = run.joint(which)
    named = {"force": track.force, "torque": track.torque}
    for group in ("coordinate", "rate", "effort"):
        named |= {f"{group} {name}": values for name, values in getattr(track, group).items()}
    return named


def assert_same_joints(found: rc.Run, wanted: rc.Run) -> None:
    assert found.world.joints.plain() == wanted.world.joints.plain()
    for number in range(len(wanted.world.joints)):
        mine, theirs = tracks(found, number), tracks(wanted, number)
        assert mine.keys() == theirs.keys()
        for name in mine:
            np.testing.assert_array_equal(mine[name], theirs[name], err_msg=name)
    assert_same(found, wanted)


@pytest.fixture(scope="module")
def whole() -> rc.Run:
    return rc.simulate(machine(), until=END, **STEPS)


def test_the_machine_does_what_it_is_for(whole):
    """So that what is compared below is there: all elements act, things touch, the crank turns."""
    assert whole.converged
    assert whole.contact_count.max() >= 1
    crank, rail, pendulum = (whole.joint(name) for name in ("crank", "rail", "pendulum"))
    slowed = 100 - 0.01 / (0.4 * 0.1**2) * whole.time  # by friction, over 2 m r^2 / 5
    wheel = whole.joint("wheel")
    np.testing.assert_allclose(wheel.rate["angle"], slowed, rtol=1e-9)
    turned = whole.time * (100 + slowed) / 2
    np.testing.assert_allclose(wheel.coordinate["angle"], turned, rtol=1e-9, atol=1e-12)
    assert turned[-1] > 4 * np.pi
    assert crank.coordinate["angle"][-1] > 1
    assert rail.coordinate["slide"].min() < -0.1
    assert np.abs(crank.effort["angle.motor"]).max() == pytest.approx(8)
    assert np.abs(rail.effort["slide.spring"]).max() > 1
    assert np.abs(pendulum.effort["angle.friction"]).max() > 0.01
    assert 0.45 < pendulum.coordinate["angle"].max() <= 0.55 + 1e-9
    assert pendulum.rate["angle"].min() < -1  # after it met its limit
    assert np.abs(whole.body("ball").velocity[-1]).max() > 0.1  # the block took it along


def test_a_file_has_what_memory_has(tmp_path, whole):
    path = tmp_path / "out.h5"
    rc.simulate(machine(), until=END, output=path, flush=0.02, **STEPS)
    run = rc.open_run(path)
    assert_same_joints(run, whole)
    assert run.world.joint("crank").coordinate() == whole.world.joint("crank").coordinate()
    told, wanted = (each.summary().split("wall time")[0] for each in (run, whole))
    assert told == wanted
    assert "joints      6, open by" in run.summary()
    np.testing.assert_array_equal(run.drift, whole.drift)
    np.testing.assert_array_equal(run.energy.joints, whole.energy.joints)
    with h5py.File(path) as data:
        assert data["joints/values"].shape[:2] == (len(run.time), 6)


SCHEMES = {
    "gap ahead": {},
    "dvi": {"scheme": rc.DVI()},
    "moreau-jean": {"scheme": rc.MoreauJean(theta=0.7)},
    "midpoint": {"scheme": rc.MoreauMidpoint()},
    "cold starts": {"warm_start": False},
}


@pytest.mark.parametrize("name", SCHEMES)
def test_stopped_runs_go_on_to_the_same_bits(tmp_path, name):
    until, settings = 0.1, STEPS | SCHEMES[name]
    world = machine()
    if name == "midpoint":  # which is inelastic
        world.set_contact_law(rc.ContactLaw(sliding=0.4, rolling=0.002))
        world.remove_joint("pendulum")
    wanted = rc.simulate(world, until=until, **settings)
    for at in (1, 2, 20):
        path = tmp_path / f"{at}.h5"
        stopped(path, world, at, until, **settings)
        assert_same_joints(rc.resume(path), wanted)


def test_stopped_again_and_again(tmp_path, whole):
    path = tmp_path / "out.h5"
    stopped(path, machine(), 2, END, **STEPS)
    for at in (3, 17, 18, 28):
        with rc.resuming.resumed(path) as simulation:
            go_to(simulation, at, END)
    assert_same_joints(rc.resume(path), whole)


def come_and_go(simulation: rc.Simulation) -> None:
    """A rope for the bob after 10 steps, cut after 20; the wheel comes off after 26, and with it
    a gear; a joint in its place after 30, with the same name."""
    world, steps = simulation.world, simulation.steps
    if steps == 10:
        bob = world.body("bob")
        rope = {"name": "rope", "body": bob, "point": np.add(bob.position, (0, 0, 0.3))}
        world.add_joint(kind="link", length=rc.Limits(upper=0.301), **rope)
        disk = world.add_sphere(radius=0.1, mass=1e-3, position=(1, 3, 1), name="disk")
        rail = world.add_joint(kind="revolute", body=disk, point=(1, 3, 1), axis=(0, 1, 0))
        world.add_joint(kind="gear", name="gear", joints=["wheel", rail], ratio=-2)
    if steps == 20:
        world.remove_joint("rope")
    if steps == 26:
        world.remove_joint("wheel")
    if steps == 30:
        world.add_joint(kind="fixed", name="wheel", body="disk")


@pytest.fixture(scope="module")
def changing() -> rc.Run:
    return rc.simulate(machine(), until=END, each_step=come_and_go, **STEPS)


@pytest.mark.parametrize("at", [5, 10, 20, 27, 31])
def test_joints_that_come_and_go(tmp_path, changing, at):
    """In memory, in a file of many pieces, and in one that was continued."""
    path = tmp_path / "out.h5"

    def stop(simulation):
        come_and_go(simulation)
        if simulation.steps == at:
            simulation.stop()

    with rc.Simulation(machine(), output=path, flush=0.0, **STEPS) as simulation:
        simulation.advance(END, each_step=stop)
        assert len(list(folder_of(path).glob("0*.h5"))) > at // 6
    found = rc.resume(path, each_step=come_and_go)
    assert_same_joints(found, changing)
    rope, there = found.joint("rope"), (found.time > 0.041) & (found.time < 0.081)
    assert (np.isfinite(rope.coordinate["length"]) == there).all()
    assert (np.isfinite(rope.force[:, 0]) == there).all()
    assert np.nanmin(rope.effort["length.limits"]) < -1  # it was taut
    wheel = found.joint(5)
    assert np.isfinite(wheel.coordinate["angle"]).sum() == np.sum(found.time < 0.105)
    assert np.isfinite(found.joint("gear").force).all(axis=1).sum() == np.sum(there) + 2
    assert found.joint("wheel").coordinate == {}  # the later one
    assert np.isfinite(found.joint("wheel").force[-1]).all()
    assert "joints      7, open by" in found.summary()


def test_a_joint_that_has_gone_has_no_handle(tmp_path):
    world = machine()
    crank = world.joint("crank")
    with rc.Simulation(world, output=tmp_path / "out.h5", **STEPS) as simulation:
        go_to(simulation, 6, 0.1)
        world.remove_joint(crank)
        go_to(simulation, 9, 0.1)
    run = simulation.run
    assert np.isfinite(run.joint(crank).coordinate["angle"]).tolist() == [True, True, True, False]
    for which in ("crank", crank, 0):
        with pytest.raises(rc.InputError, match="has been removed from its world"):
            run.world.joint(which)
    with pytest.raises(rc.InputError, match=r"joint 'ral': .*did you mean 'rail'"):
        run.joint("ral")


@pytest.mark.parametrize("change", ["add", "remove"])
def test_changes_just_before_the_last_record(change):
    """Reactions of the step that led there are told of the joints that are still there."""
    world, wanted = machine(), rc.simulate(machine(), until=0.02, step=4e-3)

    def last(simulation):
        if simulation.steps == 5 and change == "add":
            simulation.world.add_joint(kind="fixed", name="new", body="ball")
        elif simulation.steps == 5:
            simulation.world.remove_joint("crank")

    run = rc.simulate(world, until=0.02, step=4e-3, record_every=10, each_step=last)
    for name in ("rail", "pendulum") if change == "remove" else ("crank", "rail", "pendulum"):
        for field, values in tracks(run, name).items():
            np.testing.assert_array_equal(values[-1], tracks(wanted, name)[field][-1])
    if change == "add":
        assert not run.joint("new").force[-1].any()
    else:
        assert np.isnan(run.joint("crank").force[-1]).all()


def test_drift_ends_with_the_joints():
    """Without joints nothing is open."""

    def cut(simulation):
        for number in range(6) if simulation.steps == 3 else ():
            simulation.world.remove_joint(number)

    run = rc.simulate(machine(), until=0.04, step=4e-3, each_step=cut, scheme=rc.DVI())
    assert (run.drift[1:4] > 0).all()
    assert not run.drift[4:].any()


def driven(time: float) -> float:
    return 30.0 + 10.0 * np.sin(9 * time)


def test_a_motor_driven_by_a_function(tmp_path):
    whole = rc.simulate(machine(driven), until=0.1, **STEPS)
    path = tmp_path / "out.h5"
    stopped(path, machine(driven), 14, 0.1, **STEPS)
    words = r"functions \(angle.motor.speed of 'crank'\) .* rc.resume\(path, world\)"
    for world in (None, machine(40.0)):
        with pytest.raises(rc.InputError, match=words):
            rc.resume(path, world)
    opened = rc.open_run(path)
    np.testing.assert_array_equal(opened.joint("crank").force, whole.joint("crank").force[:5])
    with pytest.raises(rc.RollconeError, match=r"speed of angle\.motor: a Python function, which"):
        rc.simulate(opened.world, until=0.1, step=4e-3)
    found = rc.resume(path, machine(driven))
    np.testing.assert_array_equal(
        found.joint("crank").rate["angle"], whole.joint("crank").rate["angle"]
    )
    assert_same(found, whole)


def without_joints(path) -> None:
    """As files were before there were joints."""

    def change(notes):
        del notes["world"]["joints"], notes["recorder"]["pending"]["drift"]
        del notes["recorder"]["work"][TERMS.index("joints") - 1]  # contour is not there, either

    without_contour(path)
    with h5py.File(path, "r+") as file:
        del file["energy/joints"], file["statistics/drift"]
        for name in ("joint_p", "joint_pull", "joint_sums", "joint_force", "joint_torque"):
            del file[f"checkpoint/kept/{name}"]
        assert "joints" not in file
        change_notes(file, change)


def test_files_of_before_joints(tmp_path):
    """They open and go on."""
    whole = rc.simulate(gliding(), until=UNTIL, **GLIDING)
    path = tmp_path / "out.h5"
    stopped(path, gliding(), 37, UNTIL, **GLIDING)
    without_joints(path)
    old = rc.open_run(path)
    assert not old.drift.any()
    assert not old.energy.joints.any()
    assert len(old.world.joints) == 0
    with pytest.raises(rc.InputError, match="joint 0: there is none of that name or number"):
        old.joint(0)
    assert_same(rc.resume(path), whole)
    finished = tmp_path / "finished.h5"
    write(finished, gliding, until=0.1)
    without_joints(finished)
    with rc.resuming.resumed(finished) as simulation:
        grain = simulation.world.bodies[-1]
        simulation.world.add_joint(kind="fixed", name="late", body=grain)
        simulation.finish(0.2)
    run = rc.open_run(finished)
    late = np.isfinite(run.joint("late").force[:, 0])
    np.testing.assert_array_equal(late, run.time > 0.1001)
    weight = 9.81 * grain.mass
    assert np.linalg.norm(run.joint("late").force[-1]) == pytest.approx(weight, rel=1e-6)
