"""The controls at the side of the page. They tell the viewer what was asked, and show its state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rollcone.view.colours import OF_CONTACTS, QUANTITIES
from rollcone.viewer.charts import Chart
from rollcone.viewer.layout import slider_range
from rollcone.viewer.playback import SPEEDS

if TYPE_CHECKING:
    from rollcone.viewer.server import Viewer

_WIDTH = 330
_COLOURS = ("#d55e00", "#0072b2", "#009e73", "#cc79a7")
_JUMPS = ("first", "back", "next", "last")
_HINT = "*Click a body to see its state.*"
_HINT_OF_JOINTS = "*Click a body or a joint to see its state.*"
_LOW = 120  # pixels: charts of joints, of which there may be four
_LABELS = 12  # characters at the left of the summary
_UNRECORDED = "Contact forces are not recorded; record with contacts = 'full'."


class Panel:
    """Handles of the controls."""

    def __init__(self, viewer: Viewer, gui: Any, *, contacts: bool, through: bool) -> None:
        """`contacts`: are they recorded in full? `through`: are fixed bodies seen through?"""
        self._gui, self._viewer = gui, viewer
        gui.configure_theme(show_logo=False, show_share_button=False, brand_color=(38, 90, 120))
        gui.set_panel_label("Rollcone")
        gui.main_panel.dock_right()
        gui.main_panel.set_width(_WIDTH)
        self._add_playback()
        self._add_look(contacts, through)
        tabs = gui.add_tab_group()
        self._chosen = tabs.add_tab("Body or joint" if viewer.has_joints else "Body")
        self._curves: list[Any] = []
        self._hint = _HINT_OF_JOINTS if viewer.has_joints else _HINT
        with self._chosen:
            self._body = gui.add_markdown(self._hint)
        with tabs.add_tab("Energy and residual"):
            self._charts = [
                self._add_chart(viewer.charts[0], "energy (J)", height=150),
                self._add_chart(viewer.charts[1], "residual, powers of ten", height=105),
            ]
        with tabs.add_tab("Run"):
            self._summary = gui.add_html("")

    def show_time(self, time: float, words: str, *, playing: bool) -> None:
        low, step = self._time.min, self._time.step
        self._time.value = round(low + step * round((time - low) / step), 12)
        self._now.content = words
        label = "Pause" if playing else "Play"
        if self._play.label != label:
            self._play.label = label
            self._play.icon = "player-pause" if playing else "player-play"

    def show_legend(self, html: str) -> None:
        self._legend.content = html

    def show_body(self, markdown: str | None) -> None:
        self._body.content = markdown or self._hint

    def show_curves(self, charts: list[Chart]) -> None:
        """Of what was picked, below the words about it."""
        for handle in self._curves:
            handle.remove()
        with self._chosen:
            self._curves = [
                self._add_chart(chart, ", ".join(chart.curves), height=_LOW) for chart in charts
            ]

    def mark_curves(self, charts: list[Chart], now: float) -> None:
        for handle, chart in zip(self._curves, charts, strict=True):
            handle.data = chart.marked(now)

    def show_arrows(self, shown: bool, words: str) -> None:
        self._length.visible = shown
        self._arrow_words.content = words
        self._arrow_words.visible = bool(words)

    def show_summary(self, text: str) -> None:
        from html import escape

        font = "font-size:10.5px;font-family:monospace;white-space:pre-wrap;padding:4px 12px"
        hanging = f"padding-left:{_LABELS}ch;text-indent:-{_LABELS}ch"
        whole = text.replace("\n" + " " * _LABELS, " ")  # the page breaks lines itself
        lines = "".join(f'<div style="{hanging}">{escape(t)}</div>' for t in whole.splitlines())
        self._summary.content = f'<div style="{font}">{lines}</div>'

    def mark_charts(self, charts: tuple[Chart, Chart], now: float) -> None:
        for handle, chart in zip(self._charts, charts, strict=True):
            handle.data = chart.marked(now)
            handle.scales = _scales(chart)
            if handle.axes != (axes := _axes(chart)):  # the page would make the chart anew
                handle.axes = axes

    def extend(self, end: float) -> None:
        """The run has grown."""
        _, high, step = slider_range(self._viewer.clock.start, end)
        self._time.max, self._time.step = high, step

    def _add_playback(self) -> None:
        gui, viewer, clock = self._gui, self._viewer, self._viewer.clock
        self._play = gui.add_button("Play", icon="player-play")
        self._play.on_click(lambda _: viewer.toggle())
        low, high, step = slider_range(clock.start, clock.end)
        self._time = gui.add_slider("time (s)", min=low, max=high, step=step, initial_value=low)
        self._time.on_update(_by_hand(viewer.seek))
        self._now = gui.add_markdown("")
        jumps = gui.add_button_group("moment", _JUMPS)
        jumps.on_click(lambda event: viewer.jump(event.target.value))
        speeds = [f"{speed:g}x" for speed in SPEEDS]
        self._speed = gui.add_dropdown("speed", speeds, initial_value="1x")
        self._speed.on_update(_by_hand(lambda word: viewer.set_speed(float(word[:-1]))))
        self._loop = gui.add_checkbox("loop", clock.loop)
        self._loop.on_update(_by_hand(viewer.set_loop))
        self._between = gui.add_checkbox(
            "in between", True, hint="Draw bodies between recorded moments, too, on straight ways. "
            "Colours, forces and numbers are those of the last recorded moment.",
        )  # fmt: skip
        self._between.on_update(_by_hand(viewer.set_between))

    def _add_look(self, contacts: bool, through: bool) -> None:
        gui, viewer = self._gui, self._viewer
        forces = contacts or viewer.has_joints
        gui.add_divider()
        names = tuple(name for name in QUANTITIES if contacts or name not in OF_CONTACTS)
        self._colour = gui.add_dropdown("colour by", names, initial_value=names[0])
        self._colour.on_update(_by_hand(viewer.set_quantity))
        self._legend = gui.add_html("")
        self._through = gui.add_checkbox(
            "see through what is fixed", through, hint="Boxes and other bodies; not planes."
        )
        self._through.on_update(_by_hand(viewer.set_through))
        if viewer.has_joints:
            self._joints = gui.add_checkbox("joints", True)
            self._joints.on_update(_by_hand(viewer.set_joints))
        hint = "Contact forces as arrows." if contacts else _UNRECORDED
        if viewer.has_joints:
            hint += " Forces of joints on their bodies are blue."
        self._forces = gui.add_checkbox("forces", False, disabled=not forces, hint=hint)
        self._forces.on_update(_by_hand(viewer.set_forces))
        self._length = gui.add_slider(
            "arrow length", min=0.1, max=5.0, step=0.1, initial_value=1.0, visible=False
        )
        self._length.on_update(_by_hand(viewer.set_arrow_length))
        self._arrow_words = gui.add_markdown("", visible=False)

    def _add_chart(self, chart: Chart, title: str, *, height: int) -> Any:
        curves: list[dict[str, Any]] = [
            {"label": name, "stroke": colour, "width": 1.5, "points": {"show": False}}
            for name, colour in zip(chart.curves, _COLOURS, strict=False)
        ]
        mark = {"label": "now", "stroke": "#555555", "width": 1, "dash": (4, 3)}
        return self._gui.add_uplot(
            chart.marked(self._viewer.clock.time),
            ({"label": "t (s)"}, *curves, {**mark, "points": {"show": False}}),
            title=title,
            scales=_scales(chart),
            axes=_axes(chart),
            legend={"show": len(curves) > 1, "live": False},
            height=height,
            padding=(10, 16, 0, 0),
        )


def _scales(chart: Chart) -> dict[str, Any]:
    return {"x": {"time": False}, "y": {"range": chart.limits}}


def _axes(chart: Chart) -> tuple[dict[str, Any], ...]:
    upright: dict[str, Any] = {"size": 50}
    if chart.spacing is not None:  # else the page finds one
        upright |= {"incrs": (chart.spacing,), "space": 1}
    return {"size": 30}, upright


def _by_hand(told: Any) -> Any:
    """What people do in the browser; not what the program shows there."""

    def heard(event: Any) -> None:
        if event.client_id is not None:
            told(event.target.value)

    return heard
