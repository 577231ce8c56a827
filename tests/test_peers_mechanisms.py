"""Mechanisms next to other programs: references, measures, and that it does without what is not
installed."""

import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.__main__ import TABLES
from benchmarks.peers.programs import Outcome, Variant
from benchmarks.peers_mechanisms import tables
from benchmarks.peers_mechanisms.engine import NAMES, sampled
from benchmarks.peers_mechanisms.figures import centers, energy, figures
from benchmarks.peers_mechanisms.references import reference
from benchmarks.peers_mechanisms.run_rollcone import Rollcone
from benchmarks.peers_mechanisms.scenes import AXIS, FRAME, MECHANISMS, rod_ways

SWINGING = [name for name, made in MECHANISMS.items() if not made.friction and not made.motor]


def as_samples(mechanism, angles, rates):
    """What a program without errors would give."""
    position = centers(mechanism, angles)
    turn = (angles - mechanism.angles)[..., None] * np.array(AXIS)
    quaternion = Rotation.from_rotvec(turn.reshape(-1, 3)).as_quat().reshape(*turn.shape[:2], 4)
    ahead = rates[..., None] * rod_ways(mechanism, angles + np.pi / 2)
    velocity = np.cumsum(ahead, axis=1) - 0.5 * ahead
    spin = rates[..., None] * np.array(AXIS)
    return dict(zip(NAMES, (position, np.roll(quaternion, 1, axis=2), velocity, spin), strict=True))


@pytest.mark.parametrize("name", SWINGING)
def test_references_keep_their_energy_and_figures_of_them_are_nothing(name):
    mechanism = MECHANISMS[name]
    exact = reference(mechanism)
    samples = as_samples(mechanism, *exact)
    total = energy(mechanism, samples)
    assert total[0] == pytest.approx(
        sum(
            9.81 * rod.mass * z
            for rod, z in zip(mechanism.rods, mechanism.centers[:, 2], strict=True)
        )
    )
    found = figures(mechanism, samples, *exact)
    assert found["energy"] < 1e-9
    assert found["drift"] < 1e-10
    assert found["position"] == 0.0


def test_gaps_and_errors_are_seen():
    mechanism = MECHANISMS["double pendulum"]
    exact = reference(mechanism)
    samples = as_samples(mechanism, *exact)
    samples["position"][7, 1] += (0, 0.03, 0.04)
    samples["velocity"][9:] *= 1.01
    found = figures(mechanism, samples, *exact)
    assert found["drift"] == pytest.approx(0.05)
    assert found["position"] == pytest.approx(0.05)
    assert 0.01 < found["energy"] < 0.03


def test_friction_holds_where_it_can():
    """Each turn is nearer the vertical by 2 S over the moment of the weight, as long as it is
    steep; at the end friction carries the weight."""
    mechanism = MECHANISMS["dry friction in the hinge"]
    angles, rates = reference(mechanism)
    assert (rates[600:] == 0.0).all()
    assert np.ptp(angles[600:]) == 0.0
    assert abs(0.5 * 9.81 * np.cos(angles[-1, 0])) <= mechanism.friction
    found = figures(mechanism, as_samples(mechanism, angles, rates), angles, rates)
    assert found["creep"] == 0.0
    work = mechanism.friction * np.abs(np.diff(angles[:, 0])).sum()
    lost = -np.diff(energy(mechanism, as_samples(mechanism, angles, rates))[[0, -1]])[0]
    assert work == pytest.approx(lost, rel=2e-3)  # turns fall between samples


def test_the_motor_comes_to_its_stop():
    mechanism = MECHANISMS["motor against a stop"]
    angles, rates = reference(mechanism)
    first = np.flatnonzero(angles[:, 0] == mechanism.stop)[0]
    assert first * FRAME == pytest.approx(2 / 3 + (1 - 2 / 3) / 2, abs=FRAME)
    assert rates.max() == 2.0
    samples = as_samples(mechanism, angles + np.linspace(0, 0.01, len(angles))[:, None], rates)
    found = figures(mechanism, samples, angles, rates)
    assert found["past"] == pytest.approx(0.01)


@pytest.mark.parametrize("name", list(MECHANISMS))
def test_rollcone_follows_the_references(name):
    """For a quarter of a second: all of it is one mechanism."""
    mechanism = MECHANISMS[name]
    samples = sampled(Rollcone(mechanism, {"step": FRAME}), 50)
    angles, _ = reference(mechanism)
    error = np.linalg.norm(samples["position"] - centers(mechanism, angles[:51]), axis=2)
    assert error.max() < 1e-3


def test_what_is_not_installed_is_told(monkeypatch):
    assert TABLES["peers-mechanisms"] is tables.TABLES
    asked = []

    def run(variant, name, path, package):
        asked.append((variant.program, name, package))
        return Outcome({}, "absent")

    monkeypatch.setattr(tables, "run", run)
    monkeypatch.setenv("PEERS", "mujoco")
    monkeypatch.setattr(tables, "reference", lambda mechanism: None)
    rows = list(tables.rows())
    assert all(len(row) == len(tables.HEADER) and row[3] == "absent" for row in rows)
    assert {name for _, name, _ in asked} == set(MECHANISMS)
    assert {program for program, _, _ in asked} == {"mujoco"}


def test_a_row(monkeypatch):
    mechanism = MECHANISMS["pendulum"]
    exact = reference(mechanism)

    def run(variant, name, path, package):
        np.savez(path, **as_samples(mechanism, *exact))
        return Outcome({"us": 12.0, "finite": True})

    monkeypatch.setattr(tables, "run", run)
    row = tables.measured(mechanism, exact, Variant("mujoco", "MuJoCo", {"step": 5e-3}))
    assert row[:3] == ("pendulum", "MuJoCo", "5")
    assert row[5] == "0e+00"
    assert row[-2:] == ("12", "2.4")


def test_models_of_mujoco():
    """As many joints as rods, and what each mechanism has besides."""
    pytest.importorskip("mujoco")
    from benchmarks.peers_mechanisms.run_mujoco import MuJoCo

    for mechanism in MECHANISMS.values():
        engine = MuJoCo(mechanism, {"step": FRAME, "stiff": True})
        assert engine.model.nv == len(mechanism.rods)
        assert engine.model.neq == mechanism.closed
        assert engine.model.nu == (mechanism.motor is not None)
        np.testing.assert_allclose(engine.state()[0], mechanism.centers, atol=1e-12)
