"""Numbers and colours of bodies, against states and contacts."""

import numpy as np
import pytest
from matplotlib import colormaps
from matplotlib.colors import to_rgb

import rollcone as rc
from mixed_runs import mixed_run
from rollcone.view.colours import (
    MODE_COLOURS,
    MODES,
    QUANTITIES,
    STILL,
    body_colours,
    body_values,
    named_colours,
    strongest_modes,
    value_range,
)
from rollcone.view.moments import nearest_moment, spread_moments

BALL, BOX, BLOCK, LATE = 1, 2, 6, 7


def test_values_are_those_of_the_bodies():
    run = mixed_run()
    k = 10
    speed, rotation, force, mode, _ = (body_values(run, k, name) for name in QUANTITIES)
    for number in (BALL, BOX, 3):
        track = run.body(number)
        assert speed[number] == pytest.approx(np.hypot.reduce(track.velocity[k]), rel=1e-12)
        omega = np.hypot.reduce(track.angular_velocity[k])
        assert rotation[number] == pytest.approx(omega, rel=1e-12)
    np.testing.assert_allclose(force[[0, BALL, BOX, 3, BLOCK]], (30, 20, 10, 0, 0), atol=1e-9)
    assert [MODES[int(mode[i])] for i in (0, BALL, BOX, 3)] == ["slide", "roll", "slide", "free"]
    for values in (speed, rotation, force, mode):
        assert np.isnan(values[LATE])
        assert np.isfinite(values[:LATE]).all()


def test_who_is_not_there_has_no_value():
    run = mixed_run()
    for name in QUANTITIES:
        values = body_values(run, -1, name)
        assert np.isnan(values[BOX])
        assert np.isfinite(values[LATE])


def test_the_strongest_mode_of_a_body():
    words = {
        "take-off": "free",
        "sticking": "stick",
        "sticking, no-rolling, no-spinning": "stick",
        "sticking, no-rolling, spinning": "spin",
        "sticking, rolling, spinning": "roll",
        "sliding, no-rolling, no-spinning": "slide",
    }
    pairs = np.array([(0, k + 1) for k in range(len(words))])
    found = strongest_modes(pairs, np.array(list(words)), 8)
    assert [MODES[k] for k in found] == ["slide", *words.values(), "free"]
    chain = strongest_modes(np.array([(0, 1), (1, 2)]), np.array(["sticking", "take-off"]), 3)
    assert [MODES[k] for k in chain] == ["stick", "stick", "free"]


def test_ranges_begin_at_zero_and_leave_out_peaks():
    world = rc.World()
    for k in range(200):
        world.add_sphere(radius=0.1, mass=1.0, position=(k, 0, 0), velocity=(0, 2, 0))
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 5, 0), velocity=(0, 1000, 0))
    run = rc.simulate(world, until=0.1, step=0.1)
    assert value_range(run, "speed") == (0.0, pytest.approx(2.0))
    assert value_range(run, "rotation") == (0.0, 1.0)  # nothing turns
    assert value_range(run, "mode") == (0.0, 4.0)


def test_the_range_of_forces_is_that_of_a_usual_moment():
    """A ball strikes the floor once and lies there: its weight counts, not the blow."""
    world = rc.World(gravity=(0, 0, -10))
    world.add_plane()
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.15), velocity=(0, 0, -3))
    run = rc.simulate(world, until=0.3, step=0.01)
    blow = max(body_values(run, k, "force")[1] for k in range(31))
    assert blow > 100
    assert value_range(run, "force") == (0.0, pytest.approx(10.0))
    k = int(np.argmax([body_values(run, k, "force")[1] for k in range(31)]))
    assert value_range(run, "force", [k]) == (0.0, pytest.approx(blow))


def test_colours_are_those_of_the_map():
    run = mixed_run()
    values = body_values(run, 10, "speed")
    colours = body_colours(run, 10, "speed", (0.0, 2.0))
    for number in (BALL, 3):
        expected = np.array(colormaps["viridis"](0.08 + 0.92 * min(values[number] / 2.0, 1.0))[:3])
        np.testing.assert_allclose(colours[number], 255 * expected, atol=3)
    grey = np.round(255 * np.array(to_rgb(STILL)))
    for number in (0, BLOCK, LATE):  # fixed, fixed, not there
        np.testing.assert_array_equal(colours[number], grey)
    modes = body_colours(run, 10, "mode")
    for number, name in ((BALL, "roll"), (BOX, "slide"), (3, "free")):
        expected = to_rgb(MODE_COLOURS[MODES.index(name)])
        np.testing.assert_allclose(modes[number], 255 * np.array(expected), atol=0.51)


def material_run(names):
    """A floor of stone; a ball of each material, every second one fixed."""
    world = rc.World()
    world.add_plane(material="stone")
    for k, name in enumerate(names):
        kind = {"fixed": True} if k % 2 else {"mass": 1.0}
        world.add_sphere(radius=0.1, position=(k, 0, 0), material=name, **kind)
    return rc.simulate(world, until=0.1, step=0.1)


@pytest.mark.parametrize("count", [1, 5, 40])
def test_materials_have_colours_and_names(count):
    """As many as there are; planes have none, fixed bodies do."""
    names = [f"m{k}" for k in range(count)]
    run = material_run([*names, names[0]])
    colours = body_colours(run, 1, "material")
    named = named_colours(run, "material")
    assert list(named) == names
    for number, name in enumerate([*names, names[0]], start=1):
        np.testing.assert_allclose(colours[number], 255 * np.array(to_rgb(named[name])), atol=0.51)
    assert len(np.unique(colours[1 : count + 1], axis=0)) == count


def test_other_colours_have_no_names_but_modes():
    run = mixed_run()
    assert named_colours(run, "speed") == {}
    assert list(named_colours(run, "mode")) == list(MODES)


def test_wrong_arguments():
    run = mixed_run()
    with pytest.raises(rc.InputError, match="did you mean 'speed'"):
        body_values(run, 0, "sped")
    with pytest.raises(rc.InputError, match="limits = "):
        body_colours(run, 0, "speed", (1.0, 1.0))
    for moment in (51, -52, 0.5):
        with pytest.raises(rc.InputError, match="moment = "):
            body_values(run, moment, "speed")


def test_moments():
    run = mixed_run()
    assert run.index(-1) == 50
    assert nearest_moment(run, 0.104) == 10
    assert nearest_moment(run, 0.5) == 50
    for time in (-0.1, 0.6, np.nan):
        with pytest.raises(rc.InputError, match="time"):
            nearest_moment(run, time)
    assert spread_moments(run, 3).tolist() == [0, 25, 50]
    assert spread_moments(run, 1000).tolist() == list(range(51))
