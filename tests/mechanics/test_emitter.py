"""Emitters: how many bodies when, where, the same again, and what waits."""

import itertools
import json
import math

import numpy as np
import pytest

import rollcone as rc
from rollcone import simulation

GRAIN = {"shape": "sphere", "radius": (0.05, 0.1), "density": 1000, "velocity": (0, 0, -3)}
REGION = {"low": (-1, -1, 3), "high": (1, 1, 4)}


def pouring(**given) -> tuple[rc.World, rc.Emitter]:
    world = rc.World()
    return world, world.add_emitter(**(GRAIN | REGION | {"rate": 10, "count": 25} | given))


def fall(world: rc.World, step: float) -> None:
    world.state.position += step * world.state.velocity


def poured(world: rc.World, emitter: rc.Emitter, times: list[float], ask=lambda t: [t]) -> None:
    """Ask at `times`, bodies falling in between; `ask` gives the times at which it is asked."""
    for before, now in itertools.pairwise([times[0], *times]):
        fall(world, now - before)
        for time in ask(now):
            emitter.emit(world, time)


def test_bodies_are_due_at_a_rate():
    world, emitter = pouring(start=0.5)
    assert emitter.due() == 0.5
    assert emitter.emit(world, 0.49) == 0
    assert emitter.emit(world, 0.5) == 1
    assert emitter.due() == 0.6
    assert emitter.emit(world, 0.59) == 0
    assert emitter.emit(world, 0.95) == 4  # 0.6, 0.7, 0.8 and 0.9
    assert emitter.emit(world, 100.0) == 20
    assert emitter.due() == math.inf
    assert emitter.emit(world, 200.0) == 0
    assert len(world.bodies) == 25
    assert "25 of 25" in repr(emitter)


def test_bodies_as_described():
    world, emitter = pouring(count=200, name="grain", material="glass", rate=100)
    poured(world, emitter, [0.1 * k for k in range(30)])
    assert emitter.due() == math.inf
    assert world.body("grain 199").material == "glass"
    assert (world.state.velocity == (0, 0, -3)).all()
    radii = world.state.size[:, 0]
    assert 0.05 <= radii.min() < 0.052
    assert 0.098 < radii.max() <= 0.1
    assert (np.abs(world.state.position[:, :2]) <= 1).all()
    assert np.ptp(world.state.position[:, 0]) > 1.8


def test_no_overlap_with_each_other_or_what_is_there():
    world = rc.World()
    world.add_box(size=(1, 1, 1), fixed=True, position=(0.5, 0.5, 3.5))
    emitter = world.add_emitter(**GRAIN, **REGION, rate=1000, count=400)
    emitter.emit(world, 1.0)
    x, r = world.state.position[1:], world.state.size[1:, 0]
    assert 40 < len(x) < 400
    for i, j in itertools.combinations(range(len(x)), 2):
        assert np.linalg.norm(x[i] - x[j]) >= r[i] + r[j] - 1e-12
    outside = np.maximum(np.abs(x - (0.5, 0.5, 3.5)) - 0.5, 0)
    assert (np.linalg.norm(outside, axis=1) >= r - 1e-12).all()


def test_what_finds_no_room_is_owed():
    world, emitter = pouring(low=(0, 0, 3), high=(0, 0, 3), radius=0.1, count=3)
    assert emitter.emit(world, 0.0) == 1
    assert emitter.emit(world, 0.1) == 0
    assert emitter.due() == 0.2  # it moves on
    assert emitter.emit(world, 0.2) == 0
    fall(world, 0.1)
    assert emitter.emit(world, 0.25) == 0  # not asked before its time
    assert emitter.emit(world, emitter.due()) == 1
    assert emitter.due() < math.inf
    fall(world, 0.1)
    assert emitter.emit(world, emitter.due()) == 1
    assert emitter.due() == math.inf
    assert len(world.bodies) == 3


def test_what_finds_no_room_is_told(tmp_path):
    """In words of the emitter, of the run and of its file."""
    world = rc.World(gravity=(0, 0, 0))
    world.add_emitter(
        shape="sphere", radius=0.1, density=1000, low=(0, 0, 3), high=(0, 0, 3), rate=100, count=30
    )
    simulation = rc.Simulation(world, step=0.01, output=tmp_path / "run.h5")
    simulation.advance(0.0)
    assert "room" not in repr(simulation.run)
    assert "warning" not in simulation.run.summary()
    simulation.advance(0.1)
    simulation.close()
    (emitter,) = world.emitters
    assert (emitter.placed, emitter.waiting) == (1, 9)
    assert "1 of 30 bodies poured, no room for 9 more," in repr(emitter)
    for run in (simulation.run, rc.open_run(tmp_path / "run.h5")):
        assert "no room to pour 9 more" in repr(run)
        assert "warning: 9 of 10 bodies that were to be poured by now found no room" in (
            run.summary()
        )


TIMES = [0.01 * k for k in range(300)]


def state(world: rc.World) -> tuple[bytes, ...]:
    return tuple(getattr(world.state, name).tobytes() for name in ("position", "size", "mass"))


def test_the_same_seed_gives_the_same_bodies():
    runs = []
    for seed, ask in (
        (1, lambda t: [t]),
        (1, lambda t: [t - 0.004, t, t]),  # asked more often
        (2, lambda t: [t]),
    ):
        world, emitter = pouring(rate=37.0, count=60, seed=seed)
        poured(world, emitter, TIMES, ask)
        runs.append(state(world))
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


def test_going_on_from_a_state():
    whole, emitter = pouring(rate=37.0, count=60)
    poured(whole, emitter, TIMES)
    half, first = pouring(rate=37.0, count=60)
    poured(half, first, TIMES[:120])
    twin = half.copy()
    assert twin.emitters[0] is not first
    kept = json.loads(json.dumps(first.state()))
    fresh = pouring(rate=37.0, count=60)[1]
    fresh.restore(kept)
    for world, other in ((twin, twin.emitters[0]), (half, fresh)):
        fall(world, TIMES[120] - TIMES[119])
        poured(world, other, TIMES[120:])
        assert state(world) == state(whole)
    assert 0 < first.placed < 60  # the copy has its own counters


@pytest.mark.parametrize("batch", [2, 3, 7, 20])
def test_bodies_come_at_the_same_steps_wherever_calls_end(batch, monkeypatch):
    """Also those that are due at the very end of a step, as 27 / 60 s is after 225 of 2 ms."""

    def end_states(steps):
        monkeypatch.setattr(
            simulation._Batch, "took", lambda self, *_: setattr(self, "steps", steps)
        )
        world = rc.World(gravity=(0, 0, -10))
        world.add_emitter(
            shape="sphere", radius=0.01, mass=1.0, rate=60, count=30, low=(0, 0, 0), high=(9, 9, 9)
        )
        moving = rc.Simulation(world, step=0.002, record_every=500)
        return moving.advance(0.6).states("velocity")[-1]

    alone = end_states(1)
    assert (end_states(batch) == alone).all()
    age = np.round(-alone[:, 2] / 10 / 0.002)  # steps since each came
    due = np.ceil(np.arange(30) / 60 / 0.002 - 1e-9)
    assert age.tolist() == (300 - due).tolist()


def test_fine_ticks_late_in_time():
    """Where 1 / rate is lost in the digits of the time, it still moves on."""
    world, emitter = pouring(rate=1e9, count=5, start=1e15)
    assert emitter.emit(world, 1e15) == 5
    world, emitter = pouring(low=(0, 0, 0), high=(0, 0, 0), rate=1e9, count=5, start=1e15)
    emitter.emit(world, 1e15)
    assert 1e15 < emitter.due() < math.inf


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rate": 0}, "rate = 0: must be one number > 0"),
        ({"rate": 1e10}, r"rate = 1[0e+.]*: must be at most 1e\+09"),
        ({"count": 0}, "count = 0"),
        ({"count": 2.5}, "count = 2.5"),
        ({"start": math.nan}, "start = nan: must be finite"),
        ({"start": (1, 2)}, "start"),
        ({"seed": -1}, "seed = -1"),
        ({"low": (0, 0, 9)}, "high"),
        ({"density": None}, "needs mass or density"),
        ({"radius": -1}, "radius = -1"),
        ({"state": {"ticks": 1, "placed": 2}}, "placed = 2: must be at most ticks = 1"),
        ({"state": {"tick": 1}}, "did you mean 'ticks'"),
        ({"state": {"ticks": 1}}, "placed"),
    ],
)
def test_no_emitter(given, message):
    world = rc.World()
    with pytest.raises(rc.InputError, match=message):
        world.add_emitter(**(GRAIN | REGION | {"rate": 10, "count": 25} | given))
    assert world.emitters == []
