"""Sizes from a distribution: statistics against SciPy's, the same again, and what is refused."""

import numpy as np
import pytest
from scipy import stats

import rollcone as rc
from rollcone.mechanics.distributions import distribution

BELL = {"mean": 0.02, "deviation": 0.004, "min": 0.012, "max": 0.03}


def radii(radius, count: int = 2000, seed: int = 5) -> np.ndarray:
    world = rc.World()
    world.add_grid(
        shape="sphere", radius=radius, density=1000, counts=(count, 1, 1), spacing=1, seed=seed
    )
    return world.state.size[:, 0].copy()


def cut(whole, low: float, high: float):
    """The cumulated distribution between two ends, from the whole one."""
    below, above = whole.cdf(low), whole.cdf(high)
    return lambda x: (whole.cdf(x) - below) / (above - below)


def lognormal(mean: float, deviation: float):
    s = np.sqrt(np.log1p((deviation / mean) ** 2))
    found = stats.lognorm(s=s, scale=mean / np.exp(s * s / 2))
    assert found.mean() == pytest.approx(mean)
    assert found.std() == pytest.approx(deviation)
    return found


@pytest.mark.parametrize(
    ("given", "whole"),
    [
        ({"distribution": "uniform", "min": 0.012, "max": 0.03}, stats.uniform(0.012, 0.018)),
        ({"distribution": "normal"} | BELL, stats.norm(0.02, 0.004)),
        ({"distribution": "normal"} | BELL | {"mean": 0.001}, stats.norm(0.001, 0.004)),
        ({"distribution": "normal"} | BELL | {"mean": 0.04}, stats.norm(0.04, 0.004)),
        ({"distribution": "lognormal"} | BELL, lognormal(0.02, 0.004)),
        ({"distribution": "lognormal"} | BELL | {"deviation": 0.1}, lognormal(0.02, 0.1)),
    ],
)
def test_statistics(given, whole):
    drawn = radii(given)
    assert 0.012 <= drawn.min() <= drawn.max() <= 0.03
    assert stats.kstest(drawn, cut(whole, 0.012, 0.03)).pvalue > 0.01


def test_some_sizes():
    given = {"distribution": "sizes", "values": [0.03, 0.01, 0.02], "shares": [1, 6, 3]}
    drawn = radii(given)
    counts = [np.sum(drawn == value) for value in given["values"]]
    assert sum(counts) == 2000
    assert stats.chisquare(counts, [200, 1200, 600]).pvalue > 0.01
    one = distribution("radius", {"distribution": "sizes", "values": [0.1], "shares": [2.0]})
    assert (one.low, one.high) == (0.1, 0.1)
    assert one.at(np.array([0.0, 0.5, np.nextafter(1, 0)])).tolist() == [0.1] * 3


def test_a_table_of_a_range_is_the_range():
    """And the same seed gives the same bodies, also where sizes are distributed otherwise."""
    table = {"distribution": "uniform", "min": 0.01, "max": 0.02}
    assert radii(table, 50).tobytes() == radii((0.01, 0.02), 50).tobytes()
    bell = {"distribution": "normal"} | BELL
    assert radii(bell, 50).tobytes() == radii(bell, 50).tobytes()
    assert radii(bell, 50).tobytes() != radii(bell, 50, seed=6).tobytes()
    worlds = []
    for radius in (0.015, table, bell):
        world = rc.World()
        world.add_grid(
            shape="sphere", radius=radius, mass=1, counts=(9, 1, 1), spacing=1, jitter=0.1, seed=3
        )
        worlds.append(world.state.position.tobytes())
    assert len(set(worlds)) == 1


def test_emitters_follow_from_seed_and_number():
    """Whatever was poured before, and after a file."""
    given = {
        "shape": "sphere", "radius": {"distribution": "lognormal"} | BELL, "density": 1000,
        "low": (0, 0, 0), "high": (5, 5, 5), "rate": 10, "count": 30, "seed": 4,
    }  # fmt: skip
    one, other = rc.World(), rc.World()
    one.add_emitter(**given).emit(one, 10.0)
    other.add_emitter(**given, state={"ticks": 12, "placed": 12})
    from rollcone.scene.read import read_scene

    other = read_scene(other.to_scene(until=1, step=1e-2), "other").world
    other.emitters[0].emit(other, 10.0)
    np.testing.assert_array_equal(one.state.size[12:], other.state.size)


def test_packings_and_edges_of_boxes():
    world = rc.World()
    world.set_contact_law(rc.ContactLaw())
    edge = {"distribution": "normal", "mean": 0.1, "deviation": 0.02, "min": 0.05, "max": 0.15}
    world.add_packing(
        shape="box",
        size=(edge, 0.1, (0.1, 0.2)),
        density=1,
        low=(0, 0, 0),
        high=(3, 3, 3),
        count=50,
    )
    edges = 2 * world.state.size
    assert len(set(edges[:, 0])) == 50
    assert 0.05 <= edges[:, 0].min() <= edges[:, 0].max() <= 0.15
    assert (edges[:, 1] == 0.1).all()
    assert world.warnings() == []


def table(**given):
    return {"distribution": "normal"} | BELL | given


@pytest.mark.parametrize(
    ("radius", "message"),
    [
        ({"min": 1, "max": 2}, "radius: distribution is missing, one of uniform, normal"),
        ({"distribution": "gauss"}, "radius: distribution = 'gauss': must be one of"),
        ({"distribution": "uniform", "min": 0.1}, "radius: max is missing"),
        (table(min=0), "radius: min = 0: must be one number > 0"),
        (table(min=0.05), "radius: max = 0.03: must not be below min = 0.05"),
        (table(min=0.03), "radius: max = 0.03: must be above min"),
        (table(deviation=0), "radius: deviation = 0: must be one number > 0"),
        (table(mean="large"), "radius: mean = 'large'"),
        (table(sigma=1), "radius: sigma is not of the distribution 'normal'"),
        (
            table(mean=0.3),
            "radius: distribution: min = 0.012 and max = 0.03 leave less than",
        ),
        ({"distribution": "sizes", "values": [], "shares": []}, "radius: values"),
        ({"distribution": "sizes", "values": [1, -1], "shares": [1, 1]}, "values.*must be > 0"),
        ({"distribution": "sizes", "values": [1, 2], "shares": [1]}, "shares = .*for each"),
        ({"distribution": "sizes", "values": [1, 2], "shares": [1, 0]}, "shares = .*number > 0"),
    ],
)
def test_no_distribution(radius, message):
    with pytest.raises(rc.InputError, match=message):
        radii(radius, 1)
