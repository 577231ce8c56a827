"""Cards that lean against each other and arches of wedges: they stand up to the known limits."""

import importlib.util
import math
from pathlib import Path

import matplotlib.image
import numpy as np
import pytest

import rollcone as rc

ROOT = Path(__file__).parents[2]
ROUNDING = 1e-12  # m


def example(name: str):
    specification = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


CARDS, ARCH = example("card_house"), example("arch")


def way(module, world, until, step):
    run = rc.simulate(world, until=until, step=step, record_every=10)
    assert run.converged
    return module.moved(run)


@pytest.mark.parametrize("hulls", [False, True], ids=["boxes", "hulls"])
@pytest.mark.parametrize(("load", "lean"), [(0.0, 20.0), (0.0, 30.0), (3.0, 20.0)])
def test_a_pair_of_cards_needs_so_much_friction(hulls, load, lean):
    """h = (w / 2 + p) (tan a - t / l) against mu (w + p)."""
    lean = math.radians(lean)
    least = CARDS.least_friction(load, lean)
    pairs = {share: CARDS.pair(share * least, lean, load, hulls) for share in (0.99, 1.01)}
    assert way(CARDS, pairs[1.01], 0.2, 2e-3) < ROUNDING
    assert way(CARDS, pairs[0.99], 0.1, 2e-3) > 1e-4


def test_thin_cards_need_half_the_tangent():
    assert CARDS.least_friction(0.0) == pytest.approx(0.5 * math.tan(CARDS.LEAN), rel=0.04)
    assert CARDS.least_friction(1e9) == pytest.approx(2 * CARDS.least_friction(0.0), rel=1e-8)


@pytest.mark.parametrize(("share", "stands"), [(0.107, False), (0.108, True)])
def test_an_arch_needs_so_much_thickness(share, stands):
    """0.1075 of the radius (Couplet, Heyman)."""
    moved = way(ARCH, ARCH.arch(share), 0.1, 5e-3)
    assert moved < ROUNDING if stands else moved > 1e-4


@pytest.mark.parametrize(("share", "sliding", "stands"), [(0.2, 0.28, False), (0.2, 0.35, True)])
def test_an_arch_needs_friction(share, sliding, stands):
    """0.31 where it is thick."""
    moved = way(ARCH, ARCH.arch(share, 15, sliding), 0.1, 5e-3)
    assert moved < ROUNDING if stands else moved > 1e-4


def test_stones_are_where_they_were_cut():
    world = ARCH.arch(0.15, 6)
    spread = np.diff([body.position for body in list(world.bodies)[:6]], axis=0)
    lengths = np.linalg.norm(spread, axis=1)
    chord = 2 * ARCH.centre(0.15, math.pi / 6) * math.sin(math.pi / 12)
    assert lengths == pytest.approx(np.full(5, chord))
    run = rc.simulate(world, until=0.005, step=0.005)
    assert len(run.contacts().gap) == 4 * 7


def picture(path):
    assert matplotlib.image.imread(path).std() > 0.05


@pytest.mark.slow
def test_the_house_of_cards(tmp_path, capsys):
    stands, falls = CARDS.main(tmp_path, until=0.25, storeys=2)
    assert CARDS.moved(stands) < ROUNDING
    assert CARDS.moved(falls) > 0.005
    for name in ("card_house", "card_house_falls"):
        picture(tmp_path / f"{name}.png")
    assert f"Open {tmp_path / 'card_house.png'}" in capsys.readouterr().out


@pytest.mark.slow
def test_the_house_stands_for_a_minute():
    run = rc.simulate(CARDS.house(0.5), until=60.0, step=2e-3, record_every=1000)
    assert run.converged
    assert CARDS.moved(run) < 1e-10


def test_the_arch(tmp_path, capsys):
    runs = ARCH.main(folder=tmp_path, until=0.1, stones=12)
    assert list(runs) == [0.12, 0.10]
    picture(tmp_path / "arch.png")
    out = capsys.readouterr().out
    assert "Thickness 0.12 of the radius: it stands" in out
    assert "Thickness 0.1 of the radius: it falls" in out
