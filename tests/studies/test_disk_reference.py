"""The disk's reference against that of the wheel, closed forms of Contensou friction, balances."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rollcone.studies import wheel_reference
from rollcone.studies.disk_dynamics import Disk, Dynamics, Friction, energy
from rollcone.studies.disk_reference import CASES, reference, start, stationary
from rollcone.studies.kernels.disk_prototype import hertz

WHEEL = wheel_reference.Wheel()
DISK = Disk(WHEEL.radius, WHEEL.mass, WHEEL.transverse, WHEEL.axial, WHEEL.gravity)


def test_slides_and_rolls_as_the_wheel():
    """In three coordinates and a quaternion there, in angles here."""
    tilt, speed, turning = math.radians(20.0), 6.0, -2.0
    s, w = turning * math.sin(tilt), turning * math.cos(tilt)
    state = [0.0, 0.0, 0.0, tilt, 0.0, 0.0, s, w, speed - DISK.radius * s, 0.0, 0.0]
    found = reference(Friction(sliding=WHEEL.sliding), 3.0, state, DISK)
    other = wheel_reference.reference(3.0)
    sticks = next(phase for phase in found.phases if phase.ended_by == "sticks")
    assert sticks.end == pytest.approx(other.slip_ends, abs=2e-8)
    times = np.array([0.5, 1.5, 2.5])
    ours, theirs = found.at(times), other.at(times)
    assert np.allclose(ours.normal_force, theirs.normal_force, rtol=1e-7)
    assert np.allclose(ours.energy, theirs.energy, rtol=1e-8)
    assert np.allclose(ours.work, theirs.work, atol=1e-8)
    steep = np.array([np.sin(ours.alpha), -np.cos(ours.alpha)]) * np.sin(ours.beta)
    assert np.allclose(ours.x, theirs.position[:, 0], atol=1e-7)
    assert np.allclose(ours.y, theirs.position[:, 1], atol=1e-7)
    assert np.allclose(-DISK.radius * steep.T, theirs.arm[:, :2], atol=1e-7)


@pytest.mark.parametrize(
    ("u", "xi", "eta"),
    [(0.5, 0.55223308, 0.45559229), (2.0, 0.97427858, 0.10190933), (4.0, 0.99370740, 0.05022679)],
)
def test_points_of_the_hertzian_set(u, xi, eta):
    for scale in (1.0, 3.0):
        over_speed, torque = hertz(u * scale, scale)
        assert (over_speed * u * scale, torque) == pytest.approx((xi, eta), abs=1e-8)


def test_hertzian_set_is_smooth_where_its_formulas_meet():
    for u in (1.0, 10.0):
        below, above = hertz(u * (1 - 1e-10), 1.0), hertz(u * (1 + 1e-10), 1.0)
        assert below == pytest.approx(above, rel=1e-8)


def test_pure_rolling_keeps_the_energy():
    found = reference(CASES["Coulomb"], 80.0)
    assert [phase.mode for phase in found.phases] == ["rolls"]
    motion = found.at(np.array([0.0, 80.0]))
    assert motion.energy[1] == pytest.approx(motion.energy[0], rel=1e-11)
    assert math.isnan(found.first_slip())
    assert math.isnan(found.stop())


@pytest.mark.parametrize("name", ["Coulomb and contour", "Contensou and contour"])
def test_energy_is_what_friction_leaves(name):
    until = 29.0 if name.startswith("Coulomb") else 4.0
    found = reference(CASES[name], until)
    motion = found.at(np.linspace(0.0, until, 9))
    assert np.allclose(motion.energy - motion.work, motion.energy[0], atol=2e-9)
    assert np.all(np.diff(motion.work) < 0.0)


def test_first_slide_of_section_4_2():
    found = reference(CASES["Coulomb and contour"], 29.0)
    assert found.first_slip() == pytest.approx(28.44437, abs=1e-5)
    assert abs(found.phases[0].state(found.first_slip())[3]) == pytest.approx(0.44585, abs=1e-5)


@pytest.mark.slow
def test_stop_of_section_4_2():
    found = reference(CASES["Coulomb and contour"], 100.0, flat=3e-3)
    assert found.ended_by == "flat"
    assert found.stop() == pytest.approx(72.4776, abs=1e-3)


def test_stationary_rolling_stays():
    disk = Disk()
    found = reference(CASES["Coulomb"], 0.5, stationary(disk, 1.2))
    state = found.phases[-1].state(0.5)
    assert state[3] == pytest.approx(1.2, abs=1e-9)
    assert np.hypot(state[0], state[1]) < 1e-9


def test_disk_without_spin_rolls_for_ever_under_contensous_law():
    """rho = sin(beta): alpha' + gamma' sin(beta) = 0. No slip, no spin, no loss: the energy
    does not decay to zero, as (5.53) has it; feasible while cos(beta) < about mu / 4."""
    disk, beta = Disk(), math.acos(0.05)
    S, C = math.sin(beta), math.cos(beta)
    J = disk.axial + disk.mass * disk.radius**2
    weight = disk.mass * disk.gravity * disk.radius
    gamma_rate = math.sqrt(weight / (C * (J - (J - disk.transverse) * S * S)))
    alpha_rate = -gamma_rate * S
    s, w = alpha_rate * S + gamma_rate, alpha_rate * C
    state = [0.0, 0.0, 0.0, beta, 0.0, 0.0, s, w, 0.0, 0.0, 0.0]
    dynamics = Dynamics(disk, CASES["Contensou"])
    assert dynamics.spin(state) == pytest.approx(0.0, abs=1e-12)
    found = reference(CASES["Contensou"], 1.0, state, disk)
    assert [phase.mode for phase in found.phases] == ["rolls"]
    last = list(found.phases[0].state(1.0))
    assert last[3] == pytest.approx(beta, abs=1e-8)
    assert energy(disk, last) == pytest.approx(energy(disk, state), rel=1e-9)


def test_start_rolls():
    state = start()
    assert energy(Disk(), state) == pytest.approx(0.14426949, abs=1e-8)
    assert Dynamics(Disk(), CASES["Coulomb"]).first_mode(state) == "rolls"
