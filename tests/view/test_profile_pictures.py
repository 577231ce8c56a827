"""Pictures of performance profiles: panels, curves, and that they can be told apart in grey."""

from __future__ import annotations

import matplotlib.image
import numpy as np
import pytest

import rollcone as rc
from rollcone.bench import profile
from rollcone.view import profiles
from rollcone.view.profiles import save_profiles

INF = np.inf
TIMES = np.array([[1.0, 2.0, INF], [4.0, 2.0, 8.0], [3.0, 3.0, 3.0]])
GOALS, SOLVERS = (1e-4, 1e-8), ("gauss-seidel", "newton", "siconos NSGS")


@pytest.fixture
def drawn(monkeypatch):
    """Figures as they are made."""
    figures = []

    def spy(*arguments, **options):
        figure, axes = make(*arguments, **options)
        figures.append(figure)
        return figure, axes

    make = profiles.panels
    monkeypatch.setattr(profiles, "panels", spy)
    return figures


def test_panels_and_curves(tmp_path, drawn):
    path = tmp_path / "solvers.png"
    save_profiles([TIMES, TIMES[:, ::-1]], GOALS, SOLVERS, path, "three problems")
    assert matplotlib.image.imread(path).std() > 0.05
    (figure,) = drawn
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        "residual of 1e-4", "residual of 1e-8",
    ]  # fmt: skip
    for axes, times in zip(figure.axes, (TIMES, TIMES[:, ::-1]), strict=True):
        tau, share = profile(times)
        assert axes.get_xscale() == "log"
        assert axes.xaxis.get_transform().base == 2
        assert len(axes.lines) == 3
        for line, rho in zip(axes.lines, share.T, strict=True):
            assert line.get_drawstyle() == "steps-post"
            assert line.get_xdata()[:-1].tolist() == tau.tolist()
            assert line.get_ydata()[:-1].tolist() == rho.tolist()
            assert line.get_xdata()[-1] == axes.get_xlim()[1] > tau[-1]
            assert line.get_ydata()[-1] == rho[-1]
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == list(SOLVERS)


def test_told_apart_without_colours(tmp_path, drawn):
    save_profiles([np.ones((2, 14))], [1e-4], [f"s{k}" for k in range(14)], tmp_path / "a.png")
    looks = [(line._dash_pattern, line.get_marker()) for line in drawn[0].axes[0].lines]
    assert len(set(map(str, looks))) == 14


def test_nobody_solves_anything(tmp_path, drawn):
    save_profiles([np.full((2, 2), INF)], [1e-4], ["a", "b"], tmp_path / "a.svg")
    assert drawn[0].axes[0].get_xlim()[0] == 1


def test_names_that_are_no_pictures(tmp_path):
    with pytest.raises(rc.InputError, match=r"must end in \.png"):
        save_profiles([TIMES], [1e-4], SOLVERS, tmp_path / "a.txt")
