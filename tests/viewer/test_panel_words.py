"""What the panel says: facts of a body, curves, legend, the range of the slider."""

import numpy as np
import pytest
from viewer_cases import momentum_change, table_run

from rollcone.view.colours import MODES, QUANTITIES, named_colours
from rollcone.viewer.charts import Chart, energy_chart, residual_chart, thinned
from rollcone.viewer.facts import body_facts, table
from rollcone.viewer.layout import camera, cell_width, slider_range, square_center
from rollcone.viewer.legend import legend


def numbers(words):
    return [float(part) for part in words.rsplit(" ", 1)[0].split(", ")]


def test_facts_of_a_body():
    run = table_run()
    facts = body_facts(run, run.world.number_of("box"), 20)
    track = run.body("box")
    assert facts["name"] == "box"
    assert facts["shape"] == "box, 0.4 x 0.6 x 0.2 m"
    assert facts["mass"] == "1 kg"
    np.testing.assert_allclose(numbers(facts["position"]), track.position[20], rtol=1e-3)
    np.testing.assert_allclose(numbers(facts["velocity"]), track.velocity[20], rtol=1e-3, atol=1e-9)
    assert facts["contacts"] == "4"
    assert facts["mode"].startswith("4 x sliding, no-rolling, ")
    np.testing.assert_allclose(
        numbers(facts["force"]), momentum_change(run, "box", 20), rtol=1e-3, atol=1e-6
    )
    assert numbers(facts["load"]) == [pytest.approx(10.0)]


def test_facts_of_others():
    run = table_run()
    of = run.world.number_of
    assert body_facts(run, of("block"), 20)["mass"] == "fixed"
    assert body_facts(run, of("rod"), 20)["shape"] == "capsule, radius 0.2 m, length 0.8 m"
    assert body_facts(run, of("rod"), 20)["mode"] == "free"
    assert body_facts(run, of("rod"), -1)["state"] == "not there at this time"
    assert body_facts(run, of("floor"), 20)["shape"] == "plane"
    assert body_facts(run, of("ball"), 20)["shape"] == "sphere, radius 0.5 m"


def test_names_are_no_markdown():
    text = table({"name": "a|b <script>*c*"})
    assert r"a\|b \<script\>\*c\*" in text


def test_curves():
    run = table_run()
    chart = energy_chart(run)
    audit = run.energy
    np.testing.assert_array_equal(chart.time, run.time)
    np.testing.assert_array_equal(chart.curves["kinetic"], audit.kinetic)
    assert chart.curves["potential"].min() == 0.0
    np.testing.assert_allclose(
        np.diff(chart.curves["potential"]), np.diff(audit.potential), atol=1e-12
    )
    worst = residual_chart(run).curves["residual"]
    np.testing.assert_allclose(10.0**worst, np.maximum(run.residual, 1e-17))


def test_long_runs_are_thinned_and_keep_their_peaks():
    class Long:
        time = np.linspace(0.0, 9.0, 10_001)
        residual = np.full(10_001, 1e-9)

    Long.residual[1234] = 1e-2
    chart = residual_chart(Long)
    assert len(chart.time) == 400
    assert chart.time[[0, -1]].tolist() == [0.0, 9.0]
    assert chart.curves["residual"].max() == pytest.approx(-2.0)
    assert thinned(1).tolist() == [0]
    assert thinned(3).tolist() == [0, 1, 2]


def test_the_mark_at_the_present():
    chart = Chart(np.array([0.0, 1.0, 2.0]), {"a": np.array([0.0, 2.0, 4.0])})
    for now in (-0.5, 0.0, 0.5, 2.0, 3.0):
        time, curve, line = chart.marked(now)
        assert (np.diff(time) >= 0).all()
        at = np.flatnonzero(np.isfinite(line))
        assert time[at].tolist() == [now, now]
        assert tuple(line[at]) == chart.limits
        np.testing.assert_allclose(curve, np.clip(2 * time, 0.0, 4.0))
    assert chart.limits == pytest.approx((-0.2, 4.2))
    low, high = Chart(np.array([0.0]), {"a": np.array([0.0])}).limits
    assert low < 0.0 < high  # an axis is never empty


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_legend(quantity):
    names = named_colours(table_run(), quantity)
    text = legend(quantity, (0.0, 12.5), names)
    if quantity in ("mode", "material"):
        assert list(names) == (list(MODES) if quantity == "mode" else ["default"])
        for word, colour in names.items():
            assert word in text
            assert colour in text
    else:
        assert ">0<" in text
        assert ">12.5+<" in text


def test_names_are_no_html():
    assert "<b>" not in legend("material", (0.0, 1.0), {"<b>": "#000000"})


@pytest.mark.parametrize(
    ("least", "most", "numbers"),
    [(-5.2, -5.1, [-6, -5]), (-17, -5.1, [-18, -15, -12, -9, -6, -3]),
     (-7.5, -4, [-8, -7, -6, -5, -4]),
     (-3, -3, [-3, -2])],
)  # fmt: skip
def test_the_numbers_beside_the_residual_are_powers_of_ten(least, most, numbers):
    class Some:
        time = np.linspace(0.0, 1.0, 3)
        residual = 10.0 ** np.array([least, most, most])

    chart = residual_chart(Some)
    low, high = chart.limits
    count = round((high - low) / chart.spacing) + 1
    np.testing.assert_allclose(np.linspace(low, high, count), numbers)


@pytest.mark.parametrize(
    ("start", "end", "wanted"),
    [(0, 0.7, (0, 0.7, 0.0005)), (0, 6.000000000001, (0, 6, 0.005)), (1.2345, 90, (1.2, 90, 0.1)),
     (0, 3e-6, (0, 3e-6, 2e-9)), (2, 2, (2, 2, 1))],
)  # fmt: skip
def test_slider(start, end, wanted):
    low, high, step = slider_range(float(start), float(end))
    assert (low, high, step) == pytest.approx(wanted)
    assert low <= start + 1e-6 * step
    assert high >= end - 1e-6 * step


@pytest.mark.parametrize("high", [(1, 2, 3), (100, 0.1, 0.1), (1e-3, 1e-3, 1e-3)])
def test_camera_sees_all(high):
    high = np.array(high, dtype=float)
    view = np.radians(40)
    place, target, distance = camera(-high, high, view)
    corners = np.array(np.meshgrid(*zip(-high, high, strict=True))).reshape(3, -1).T
    forward = (target - place) / distance
    along = (corners - place) @ forward
    across = np.linalg.norm(corners - place - along[:, None] * forward, axis=1)
    assert (along > 0).all()
    assert (np.arctan2(across, along) <= 0.5 * view + 1e-9).all()
    assert place[2] > target[2]


def test_cells():
    assert [cell_width(w) for w in (1.2, 12.0, 20.0, 60.0)] == pytest.approx([0.1, 1.0, 2.0, 5.0])


def test_squares_move_in_whole_cells():
    turn = np.array([np.cos(0.3), 0.0, np.sin(0.3), 0.0])  # about y by 0.6
    x, normal = np.array([1.0, 2.0, 3.0]), np.array([np.sin(0.6), 0.0, np.cos(0.6)])
    middle = np.array([7.0, -5.0, 0.0])
    center = square_center(x, turn, middle, 0.5)
    assert abs((center - x) @ normal) < 1e-12
    foot = middle - normal * (normal @ (middle - x))
    assert np.linalg.norm(center - foot) <= 0.5 * np.hypot(0.5, 0.5) + 1e-12
    assert (center - x)[1] / 0.5 == pytest.approx(-14)
