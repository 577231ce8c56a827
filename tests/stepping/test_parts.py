"""Steps divided into parts where a disk rolls nearly flat; positions moved apart after a step."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

import rollcone as rc
from rollcone.stepping.kernels.part import next_part
from rollcone.stepping.kernels.work import WHOLE
from scenes import floor_world

R, MASS = 0.0375, 0.3


def spun(law, tilt, rate=0.0, **options):
    """A thin disk on its rim, its axis `tilt` (degrees) from the vertical, in stationary rolling if
    no rate about the vertical is given: dL/dt = torque with the centre at rest, w along the disk's
    line of steepest descent (Le Saux, Leine and Glocker 2005, (5.14))."""
    world = floor_world(law)
    angle = np.radians(tilt)
    turn = (0, 0, rate) if rate else _stationary(angle)
    disk = world.add_disk(
        radius=R, mass=MASS, position=(0, 0, R * np.sin(angle)),
        orientation=rc.rotation((1, 0, 0), tilt), angular_velocity=turn, **options,
    )  # fmt: skip
    return world, disk


def _stationary(angle):
    """|w|^2 = 4 g sin(angle) / R along the way from the centre to the lowest point."""
    size = np.sqrt(4 * 9.81 * np.sin(angle) / R)
    return size * np.array([0, np.cos(angle), np.sin(angle)])


@given(st.integers(0, 10), st.integers(0, WHOLE), st.floats(0, 1e6))
def test_parts_fill_the_step(power, start, rate):
    """From where a step may be, parts lead to its end without going past it."""
    least = WHOLE >> power
    done = start // least * least % WHOLE
    for _ in range(WHOLE + 1):
        part = next_part(1e-3, least, done, rate)
        assert part >= least
        assert part & (part - 1) == 0
        assert done % part == 0
        done += part
        if done >= WHOLE:
            break
    assert done == WHOLE


def test_steps_are_whole_where_the_contact_point_is_slow():
    law = rc.ContactLaw(sliding=1.0)
    paths = []
    for most in (1, 64):
        world, disk = spun(law, 80)
        paths.append(rc.simulate(world, until=0.1, step=1e-3, max_substeps=most).body(disk))
    assert np.array_equal(paths[0].position, paths[1].position)
    assert np.array_equal(paths[0].orientation, paths[1].orientation)


def test_a_disk_rolls_to_its_stop_and_stays():
    """Dry contour friction: E^(3/2) falls linearly (5.38), so it stops after E^(3/2) / (1.5 a)."""
    share, tilt = 2e-3, 4.0
    world, disk = spun(rc.ContactLaw(sliding=1.0, contour=share), tilt)
    energy = 1.5 * MASS * 9.81 * R * np.sin(np.radians(tilt))
    a = np.sqrt(6) * share * MASS**1.5 * (9.81 / R) ** 2 * R**3
    stop = energy**1.5 / (1.5 * a)
    run = rc.simulate(world, until=1.3 * stop, step=1e-3)
    rate = np.linalg.norm(run.body(disk).angular_velocity, axis=1)
    stopped = run.time[np.flatnonzero(rate > 1e-9)[-1]]
    assert stopped == pytest.approx(stop, rel=0.02)
    assert run.contact_count[-1] == 3
    assert not run.unconverged.any()
    assert run.overlap.max() < 1e-3 * R
    total = run.energy.kinetic + run.energy.potential
    assert np.diff(total).max() < 1e-4 * total[0]
    assert abs(run.body(disk).position[-1, 2]) < 1e-5 * R


def test_without_parts_it_does_worse():
    overlaps = []
    for most in (1, None):
        world, _ = spun(rc.ContactLaw(sliding=0.3, contour=1e-3), 30, rate=50.0)
        run = rc.simulate(world, until=1.0, step=3e-3, max_substeps=most)
        overlaps.append(run.overlap.max())
    assert overlaps[1] < 0.3 * overlaps[0]
    assert overlaps[1] < 3e-3 * R


@pytest.mark.parametrize(("disks", "divided"), [(4, True), (5, False)])
def test_a_heap_of_disks_is_not_divided_unless_told(disks, divided):
    """One of many always rocks nearly flat. What bits are tells whether steps were divided."""

    def position(most):
        world, disk = spun(rc.ContactLaw(sliding=0.3, contour=1e-3), 10, rate=30.0)
        for k in range(1, disks):
            world.add_disk(radius=R, mass=MASS, position=(4 * k * R, 0, 50 * R))
        run = rc.simulate(world, until=0.05, step=5e-3, max_substeps=most)
        return run.body(disk).position

    assert np.array_equal(position(None), position(64)) == divided
    assert np.array_equal(position(None), position(1)) == (not divided)


def test_a_run_is_resumed_among_parts(tmp_path):
    law = rc.ContactLaw(sliding=1.0, contour=2e-3)
    whole = rc.simulate(spun(law, 2)[0], until=0.06, step=1e-3)
    file = tmp_path / "disk.h5"
    rc.simulate(spun(law, 2)[0], until=0.03, step=1e-3, output=file)
    again = rc.resume(file, until=0.06)
    assert np.array_equal(again.body(1).position, whole.body(1).position)
    assert np.array_equal(again.body(1).orientation, whole.body(1).orientation)


def test_reactions_of_parts_are_forces():
    """The recorded reaction is the force, however short the part was: it carries the weight."""
    world, _ = spun(rc.ContactLaw(sliding=1.0, contour=1e-3), 1.0)
    run = rc.simulate(world, until=0.05, step=1e-3)
    forces = [run.contacts(moment).reaction[0, 0] for moment in range(2, len(run.time))]
    assert forces == pytest.approx([MASS * 9.81] * len(forces), rel=0.2)  # it nods
    assert np.mean(forces) == pytest.approx(MASS * 9.81, rel=0.05)


def test_where_steps_cannot_be_divided():
    world, disk = spun(rc.ContactLaw(sliding=1.0), 30)
    for most in (0, 1025, 2.5):
        with pytest.raises(rc.InputError, match="max_substeps"):
            rc.simulate(world, until=0.01, step=1e-3, max_substeps=most)
    world.body(disk).force = lambda time, body: (0, 0, 0)
    with pytest.raises(rc.InputError, match="max_substeps = 4"):
        rc.simulate(world, until=0.01, step=1e-3, max_substeps=4)


def test_the_nearest_position_in_seven_coordinates():
    """A tilted disk that is too low goes to the nearest of x, y, z and four Euler parameters (3.9),
    in one step at rest without gravity."""
    tilt, deep = np.radians(40), 1e-5
    q = np.array([0, 0, R * np.sin(tilt) - deep, *rc.rotation((1, 0, 0), 40)])
    world = rc.World()
    world.add_plane()
    world.set_contact_law(rc.ContactLaw())
    disk = world.add_disk(radius=R, mass=MASS, position=q[:3], orientation=q[3:])
    found = {}
    for metric in ("coordinates", "mass"):
        scheme = rc.MoreauMidpoint(metric=metric)
        body = rc.simulate(world, until=1e-3, step=1e-3, scheme=scheme).body(disk)
        found[metric] = np.concatenate([body.position[-1], body.orientation[-1]])

    def gap(x):
        axis = Rotation.from_quat(x[3:], scalar_first=True).as_matrix()[:, 2]
        return x[2] - R * np.hypot(axis[0], axis[1])

    scale = 1 / deep**2  # of the squares, which are small
    nearest = minimize(
        lambda x: scale * np.sum((x - q) ** 2), q, jac=lambda x: 2 * scale * (x - q),
        constraints=[
            {"type": "eq", "fun": gap},
            {"type": "eq", "fun": lambda x: x[3:] @ x[3:] - 1},
        ],
        method="SLSQP", options={"ftol": 1e-14, "maxiter": 200},
    )  # fmt: skip
    assert np.linalg.norm(nearest.x - q) > 0.1 * deep
    assert np.linalg.norm(found["coordinates"] - nearest.x) < 1e-3 * deep
    assert np.linalg.norm(found["mass"] - nearest.x) > 0.1 * deep  # it is another metric
    for x in found.values():
        assert gap(x) >= -1e-6 * R


def test_metrics_have_names():
    with pytest.raises(rc.InputError, match="metric = 'length'"):
        rc.MoreauMidpoint(metric="length")


@pytest.mark.parametrize(("tilt", "h"), [(10.0, 1e-3), (6.0, 2e-4), (3.0, 1e-3)])
def test_a_disk_that_lands_rolls_as_one_that_touched(tilt, h):
    """The step in which it lands knows nothing of the bend of the rim; the next one does. (It used
    to sink in for ever, a tenth of its radius and more.)"""
    law = rc.ContactLaw(sliding=1.0, contour=2e-3)
    ends = []
    for drop in (0.0, 1e-5):
        world, disk = spun(law, tilt)
        disk.position = np.add(disk.position, [0, 0, drop])
        run = rc.simulate(world, until=0.15, step=h)
        assert run.converged
        assert run.overlap.max() < 2e-3 * R
        energy = run.energy.kinetic + run.energy.potential
        assert np.diff(energy).max() < 1e-3 * energy[0]  # what undoing the overlap adds
        ends.append(energy[-1] / energy[0])
    assert ends[1] == pytest.approx(ends[0], rel=0.01)


def test_the_first_step_is_divided():
    """Half a radian of a step of 3 ms: whole, it overlaps by 5 % of R and stops 60 % too late."""
    world, disk = spun(rc.ContactLaw(sliding=1.0, contour=2e-3), 3.0)
    run = rc.simulate(world, until=0.25, step=3e-3)
    assert run.overlap.max() < 1e-4 * R
    rate = np.linalg.norm(run.body(disk).angular_velocity, axis=1)
    stop = run.time[np.flatnonzero(rate > 1e-9)[-1]]
    energy = 1.5 * MASS * 9.81 * R * np.sin(np.radians(3.0))
    lost = np.sqrt(6) * 2e-3 * MASS**1.5 * (9.81 / R) ** 2 * R**3  # (5.37), mended
    assert stop == pytest.approx(energy**1.5 / (1.5 * lost), rel=0.03)
