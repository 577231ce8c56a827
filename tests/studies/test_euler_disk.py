"""What the study of Euler's disk measures, its decays, and the paper's scheme against ours."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from rollcone.analysis.disk import circular_rolling, feasibility, nutation, stationary_rolling
from rollcone.analysis.disk_decay import DecayLaw
from rollcone.simulation import simulate
from rollcone.studies import euler_disk
from rollcone.studies.disk_dynamics import Disk, Friction
from rollcone.studies.disk_prototype import prototype
from rollcone.studies.disk_reference import CASES, reference, stationary
from rollcone.studies.euler_disk import DECAYS, DISK, MU
from rollcone.studies.euler_disk_decay import energy_without_spin, slip_factor
from rollcone.studies.euler_disk_measures import (
    SLIDES,
    chi_shares,
    crossing,
    decay_rate,
    final_stage,
    oscillation,
    trace,
)


def made(time, beta, **fields):
    """A trace of which only some fields are needed."""
    motion = SimpleNamespace(beta=beta, radius=DISK.radius)
    rest = {"moving": np.ones(len(time), dtype=bool), "motion": motion, "time": time}
    return SimpleNamespace(**(rest | fields))


def test_oscillation_finds_a_frequency_that_grows():
    """Phase 20 t + 2 t^2: 20 + 4 t rad/s, sampled 60 times per period."""
    t = np.arange(0.0, 5.0, 5e-3)
    one = made(t, -1.0 + 0.05 * np.sin(20 * t + 2 * t * t), nutation=20 + 4 * t)
    found = oscillation(one, 1.0)
    assert found.time[0] > 1.0
    assert np.allclose(found.measured, 20 + 4 * found.time, rtol=2e-3)
    assert np.allclose(found.formula, 20 + 4 * found.time, rtol=2e-3)


def test_crossing_is_between_moments():
    assert crossing(np.array([0.0, 1.0, 3.0]), np.array([0.0, 1.0, 5.0]), 2.0) == 1.5


def test_shares_of_chi():
    chi = np.array([0.5, 0.5, 2.0, 2.0, 2.0, 0.5, 9.0])
    slip = SLIDES * np.array([0.0, 2.0, 2.0, 0.0, 0.0, 0.0, 2.0])
    moving = np.array([True] * 6 + [False])
    shares = chi_shares(made(np.arange(7.0), chi, chi=chi, slip=slip, moving=moving))
    assert shares.below_without_rapid == pytest.approx(2 / 3)
    assert shares.rapid_above == pytest.approx(1 / 2)
    assert shares.above_with_rapid == pytest.approx(1 / 3)


@pytest.mark.parametrize("power", [-1.0, -0.5, 0.5, 1.0, 1.5])
def test_rate_of_a_law(power):
    t = np.linspace(2.0, 3.0, 50)
    energy = DecayLaw(power, 0.2).energy(t - 2.0, 0.7)
    assert decay_rate(t, energy, power) == pytest.approx(0.2, rel=1e-9)


def test_trace_of_stationary_rolling():
    """Energy 3/2 m g r cos(beta), no slip, and (5.22) of those rates."""
    scene = euler_disk.settling(0.3)
    run = simulate(scene, until=1e-3, step=1e-3, contacts="none")
    one = trace(run, DISK, MU)
    beta = math.acos(0.3)
    assert one.energy[0] == pytest.approx(1.5 * DISK.weight_moment * 0.3, rel=1e-12)
    assert one.slip[0] < 1e-12
    assert one.chi[0] < 1e-9
    alpha_rate, gamma_rate, _ = stationary_rolling(DISK, beta)
    square = float(nutation(DISK, beta, alpha_rate, -gamma_rate))
    assert one.nutation[0] == pytest.approx(math.sqrt(square), rel=1e-9)
    assert math.isnan(one.stop)
    assert math.isnan(one.slide_time)


def extrapolated(**friction):
    """Places of the paper's scheme at 0.5 and 1 s, at the step 1e-4 s, at half of it, and at zero
    if it is of first order."""
    coarse, fine = (
        prototype(h, 1.0, every=round(0.5 / h), **friction).position[1:] for h in (1e-4, 5e-5)
    )
    return coarse, fine, 2 * fine - coarse


@pytest.mark.slow
def test_energy_of_a_disk_that_rolls_upright():
    """About its axis, too: the same as the run's own."""
    run = simulate(euler_disk.world(contour=3e-4), until=0.05, step=1e-3)
    found = trace(run, euler_disk.DISK, 0.3).energy
    np.testing.assert_allclose(found, run.energy.kinetic + run.energy.potential, rtol=1e-12)


def test_prototype_against_the_library():
    """Rolling with contour friction: both go to one motion, 1e-3 m away from the prototype's."""
    friction = euler_disk.CASES["4.2"]
    scene = euler_disk.world(**friction)
    run = simulate(scene, until=1.0, step=2e-4, record_every=2500, contacts="none")
    exact = run.body("disk").position[1:]
    coarse, fine, limit = extrapolated(**friction)
    assert np.abs(coarse - exact)[1].max() > 9e-4
    assert np.allclose((coarse - exact)[1], 2 * (fine - exact)[1], atol=1e-5)
    assert np.allclose(limit, exact, atol=1e-5)


def test_prototype_slides_as_the_reference():
    """4.3, past the rapid slip: by events, and as printed."""
    exact = reference(CASES["Contensou"], 1.0).at(np.array([0.5, 1.0]))
    _, _, limit = extrapolated(contact_radius=2e-3)
    assert np.allclose(limit[:, 0], exact.x, atol=5e-6)
    assert np.allclose(limit[:, 1], exact.y, atol=5e-6)


@pytest.mark.slow
def test_paper_numbers_are_those_of_its_scheme():
    found = prototype(1e-4, 76.0, every=40, contour=3e-4)
    assert found.stop == pytest.approx(67.65, abs=0.02)
    assert found.position[-1, :2] == pytest.approx([-2.632, -1.897], abs=2e-3)


def test_motion_without_spin_loses_nothing():
    """rho = sin(beta): alpha' + gamma' sin(beta) = 0; chi of the closed form for a thin disk."""
    beta = math.acos(0.05)
    sine, cosine = math.sin(beta), math.cos(beta)
    gamma_rate = math.sqrt(float(circular_rolling(DISK, beta, sine)))
    assert -sine * gamma_rate + gamma_rate * sine == 0.0
    thin = 4 * sine * cosine / ((6 - 5 * sine**2) * MU)
    assert float(feasibility(DISK, beta, sine, MU)) == pytest.approx(thin, rel=1e-3)
    height = energy_without_spin(DISK, MU) / (1.5 * DISK.weight_moment)
    assert height == pytest.approx(MU / 4, rel=0.05)


def test_steady_slip_lowers_the_loss_by_contensou_friction():
    """By events, after the slip has settled."""
    mu, patch = 0.1, 0.02
    found = reference(Friction(mu, patch), 2.0, stationary(Disk(), math.acos(0.25)), tolerance=1e-9)
    times = np.linspace(1.0, 2.0, 200)
    rate = decay_rate(times, found.at(times).energy, 1.5)
    law = euler_disk.decays(DISK)["Contensou"].law.rate * mu * patch / (0.02 * 0.01)
    assert rate / law == pytest.approx(slip_factor(DISK, patch), rel=0.02)
    assert slip_factor(DISK, patch) == pytest.approx(0.938, abs=2e-3)


@pytest.mark.slow
@pytest.mark.parametrize("name", DECAYS)
def test_decay_has_its_exponent(name):
    job = euler_disk.jobs(euler_disk.Plan(step=1.0, decay_step=2e-4))[name]
    run = simulate(job.world, until=job.until, step=job.step, **job.settings)
    decay = DECAYS[name]
    times, energies = final_stage(trace(run, DISK, MU), decay.high, decay.low)
    assert len(times) > 100
    assert energies[-1] < 0.3 * energies[0]
    found = euler_disk.rows.fit_decay(times, energies).law
    assert found.power == pytest.approx(decay.law.power, abs=0.01)
    assert found.rate * energies[0] ** found.power == pytest.approx(
        decay.law.rate * energies[0] ** decay.law.power, rel=0.03
    )
