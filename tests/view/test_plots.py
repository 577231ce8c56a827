"""What is drawn is what was recorded."""

import numpy as np
import pytest
from matplotlib.figure import Figure

import rollcone as rc
from joint_runs import joint_run
from mixed_runs import mixed_run
from rollcone.view.joint_plots import joint_panels
from rollcone.view.plots import (
    draw_contacts,
    draw_energy,
    draw_joints,
    draw_residual,
    draw_trajectory,
    save_plot,
    thinned,
)


@pytest.fixture
def axes():
    return Figure().add_subplot()


def lines(axes):
    return {line.get_label(): line for line in axes.lines}


def test_energy(axes):
    run = mixed_run()
    draw_energy(axes, run)
    found, audit = lines(axes), run.energy
    np.testing.assert_array_equal(found["kinetic"].get_ydata(), audit.kinetic)
    np.testing.assert_array_equal(found["taken by sliding"].get_ydata(), -audit.sliding)
    np.testing.assert_array_equal(found["work: changed"].get_ydata(), audit.changed)
    above = found["potential above its least"].get_ydata()
    np.testing.assert_allclose(np.diff(above), np.diff(audit.potential), atol=1e-12)
    assert above.min() == 0
    (rest,) = [line for name, line in found.items() if name.startswith("remainder")]
    np.testing.assert_array_equal(rest.get_ydata(), audit.remainder)
    assert "work: drive" not in found  # nothing is driven
    assert len(axes.get_legend().get_texts()) == len(found)


def test_trajectories():
    run = mixed_run()
    axes = Figure().subplots(3, 1)
    draw_trajectory(axes, run, np.array([1, 2, 7]))
    for k in range(3):
        found = lines(axes[k])
        assert list(found) == ["ball", "box", "late"]
        for name, line in found.items():
            np.testing.assert_array_equal(line.get_ydata(), run.body(name).position[:, k])


def test_residuals_and_contacts(axes):
    run = mixed_run()
    draw_residual(axes, run)
    found = lines(axes)
    shown = found["worst residual"].get_ydata()
    assert np.isnan(shown[0])  # no contact yet, and no residual
    np.testing.assert_array_equal(shown[1:], np.maximum(run.residual[1:], 1e-17))
    tolerances = [line.get_ydata()[0] for name, line in found.items() if name != "worst residual"]
    assert tolerances == [1e-12, 1e-6]
    other = Figure().add_subplot()
    draw_contacts(other, run)
    np.testing.assert_array_equal(other.lines[0].get_ydata(), run.contact_count)


def test_steps_that_failed_are_marked(axes):
    world = rc.World(gravity=(0, 0, -10))
    world.set_contact_law(rc.ContactLaw(sliding=0.5))
    world.add_plane()
    world.add_box(size=(1, 1, 1), mass=1.0, position=(0, 0, 0.5), velocity=(1, 0.3, 0))
    run = rc.simulate(world, until=0.05, step=0.01, tolerance=1e-14, max_iterations=1)
    assert run.unconverged.any()
    draw_residual(axes, run)
    marks = lines(axes)[f"{run.unconverged.sum()} not converged"]
    np.testing.assert_array_equal(marks.get_xdata(), run.time[run.unconverged > 0])


def test_long_lines_keep_their_peaks():
    values = np.sin(np.arange(100_000.0))
    values[70_001], values[33_333], values[50_000:51_000] = 9.0, -9.0, np.nan
    kept = thinned(values, 2000)
    assert len(kept) <= 2002
    assert {0, 99_999, 70_001, 33_333} <= set(kept.tolist())
    assert (np.diff(kept) > 0).all()
    assert np.isnan(values[kept]).any()  # the gap stays one
    np.testing.assert_array_equal(thinned(values[:50]), np.arange(50))


def drawn_panels(run):
    """Lines by title."""
    found = {}
    for panel in joint_panels(run):
        axes = Figure().add_subplot()
        draw_joints(axes, run, panel)
        found[axes.get_title(loc="left")] = lines(axes)
    return found


def test_joints():
    """The first six of each; units do not share axes."""
    run = joint_run()
    found = drawn_panels(run)
    assert list(found) == [
        "Angles of joints",
        "Slides and lengths of joints, the first 6 of 8",
        "What acts on angles",
        "What acts on slides and lengths",
        "Forces that joints hold, the first 6 of 11",
    ]
    angle = found["Angles of joints"]["angle of revolute"].get_ydata()
    np.testing.assert_array_equal(angle, run.joint("revolute").coordinate["angle"])
    torque = found["What acts on angles"]["motor on angle of motor"].get_ydata()
    np.testing.assert_array_equal(torque[1:], run.joint("motor").effort["angle.motor"][1:])
    assert np.isnan(torque[0])  # there was no step before
    assert list(found["What acts on slides and lengths"]) == ["spring on length of spring"]


def test_joints_without_coordinates_or_elements():
    """A ball that hangs at rest: the joint bears its weight."""
    world = rc.World(gravity=(0, 0, -10))
    world.add_sphere(radius=0.1, mass=2.0, name="ball")
    world.add_joint(kind="spherical", body="ball", point=(0, 0, 0.5), name="hook")
    ((title, found),) = drawn_panels(rc.simulate(world, until=0.05, step=0.01)).items()
    assert title == "Forces that joints hold"
    np.testing.assert_allclose(found["hook"].get_ydata()[1:], 20.0, rtol=1e-9)


def test_the_work_of_joints_has_a_line(axes):
    run = joint_run()
    draw_energy(axes, run)
    np.testing.assert_array_equal(lines(axes)["taken by joints"].get_ydata(), -run.energy.joints)


def test_a_run_without_joints_has_no_plot_of_them(tmp_path):
    with pytest.raises(rc.InputError, match="the run has none"):
        save_plot(mixed_run(), tmp_path / "a.png", "joints")


def test_all_has_joints_where_there_are_some(tmp_path):
    for name, run in (("with.svg", joint_run()), ("without.svg", mixed_run())):
        save_plot(run, tmp_path / name)
        words = (tmp_path / name).read_text()
        assert ("Angles of joints" in words) == (name == "with.svg")


@pytest.mark.parametrize(
    ("name", "what", "start"),
    [
        ("a.png", "all", b"\x89PNG"),
        ("a.svg", "trajectory", b"<?xml"),
        ("a.pdf", "contacts", b"%PDF"),
    ],
)
def test_files(tmp_path, name, what, start):
    save_plot(mixed_run(), tmp_path / name, what, ["ball"], title="a run")
    assert (tmp_path / name).read_bytes().startswith(start)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_run_without_bodies_or_steps(tmp_path):
    save_plot(rc.Simulation(rc.World(), step=0.1).run, tmp_path / "empty.svg")
    assert (tmp_path / "empty.svg").read_text().startswith("<?xml")


def test_refusals(tmp_path):
    run = mixed_run()
    for arguments, words in (
        (("a.jpg",), "must end in .png, .svg, .pdf"),
        (("a.png", "energie"), "did you mean 'energy'"),
        (("a.png", "all", ["bal"]), "body 'bal'"),
        (("none/a.png",), "there is no folder"),
    ):
        with pytest.raises(rc.RollconeError, match=words):
            save_plot(run, tmp_path / arguments[0], *arguments[1:])
    assert not list(tmp_path.iterdir())
