"""The viewer: a run, a clock, and the page that shows them.

A thread makes up to thirty frames a second. Each shows what the clock says then; what has not
changed is not sent, and what the browser has not taken yet is replaced by what is newer. So a slow
browser sees fewer frames, not late ones.
"""

from __future__ import annotations

import contextlib
import io
import logging
import threading
import time
from typing import Any

import numpy as np

from rollcone._check import one_of
from rollcone.errors import MissingPackageError, RollconeError
from rollcone.recording.joints import JointTrack
from rollcone.recording.run import Run
from rollcone.view.colours import QUANTITIES, body_colours, named_colours, value_range
from rollcone.viewer.address import free_port
from rollcone.viewer.arrows import Arrows, arrows, length_unit
from rollcone.viewer.charts import Chart, energy_chart, joint_charts, residual_chart
from rollcone.viewer.facts import body_facts, joint_facts, table
from rollcone.viewer.frames import Frame, Frames, locate
from rollcone.viewer.legend import legend
from rollcone.viewer.panel import Panel
from rollcone.viewer.picking import NOTHING, Solids, pick
from rollcone.viewer.playback import Clock
from rollcone.viewer.scene import Scene

HOST, PORT = "127.0.0.1", 8080
_PERIOD = 1.0 / 30.0  # s, between frames
_SLOW_PERIOD = 0.2  # s, between updates of words and curves while it plays
_log = logging.getLogger(__name__)


class Viewer:
    """Serves a page for `run` until it is closed. Methods may be called from any thread.

    For a run that is still growing call `refresh` when moments have been added, from the thread
    that adds them; moments that are not announced are not looked at. A frame that is being made
    while bodies are added may fail; then the next one is shown.
    """

    def __init__(self, run: Run, *, host: str = HOST, port: int = PORT) -> None:
        viser = import_viser()
        port = free_port(host, port)
        self.run = run
        self._read_columns()
        self.clock = Clock(float(self._times[0]), float(self._times[-1]))
        self._quantity, self._between = QUANTITIES[0], True
        self._forces, self._arrow_length, self._joints = False, 1.0, True
        self._picked: int | None = None
        self._picked_joint: int | None = None
        self._track: JointTrack | None = None  # of that joint
        self._joint_charts: list[Chart] = []
        self._growing = False
        self._limits: dict[str, tuple[float, float]] = {}
        self._unit: float | None = None
        self._shown: dict[str, Any] = {}
        self._slow_due = 0.0
        self._lock, self._closed = threading.RLock(), threading.Event()
        self.server = _serve(viser, host, port)
        self._build()
        self.scene.aim()
        self._through = self.scene.hides_something()
        self.panel = Panel(
            self, self.server.gui, contacts=run.contact_level == "full", through=self._through
        )
        self.panel.show_summary(run.summary())
        self.server.scene.on_click()(lambda event: self.pick(event.ray_origin, event.ray_direction))
        self.show()
        self._thread = threading.Thread(target=self._play, name="rollcone viewer", daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        host = self.server.get_host()
        shown = "localhost" if host in ("0.0.0.0", "::") else host
        return f"http://{f'[{shown}]' if ':' in shown else shown}:{self.server.get_port()}"

    @property
    def picked(self) -> int | None:
        """The number of the body that was clicked."""
        return self._picked

    @property
    def picked_joint(self) -> int | None:
        """The number of the joint that was clicked."""
        return self._picked_joint

    @property
    def has_joints(self) -> bool:
        return len(self.run.world.joints) > 0

    def toggle(self) -> None:
        """Plays if it stands, stands if it plays."""
        with self._lock:
            if self.clock.playing:
                self.clock.pause()
            else:
                self.clock.play()

    def seek(self, time: float) -> None:
        with self._lock:
            self.clock.seek(time)

    def jump(self, where: str) -> None:
        """To the 'first', 'last' or 'next' recorded moment, or 'back' by one; and stands there."""
        one_of("where", where, ("first", "back", "next", "last"))
        with self._lock:
            moment, share = locate(self._times, self.clock.time)
            last = len(self._times) - 1
            back = moment if share else max(moment - 1, 0)
            to = {"first": 0, "back": back, "next": min(moment + 1, last), "last": last}[where]
            self.clock.pause()
            self.clock.seek(float(self._times[to]))

    def set_speed(self, speed: float) -> None:
        with self._lock:
            self.clock.speed = speed

    def set_loop(self, loop: bool) -> None:
        with self._lock:
            self.clock.loop = loop

    def set_between(self, between: bool) -> None:
        with self._lock:
            self._between = between

    def set_quantity(self, quantity: str) -> None:
        with self._lock:
            self._quantity = one_of("quantity", quantity, QUANTITIES)

    def set_forces(self, shown: bool) -> None:
        with self._lock:
            self._forces = shown

    def set_joints(self, shown: bool) -> None:
        with self._lock:
            self._joints = shown

    def set_through(self, through: bool) -> None:
        """Are fixed bodies seen through?"""
        with self._lock:
            self._through = through

    def set_arrow_length(self, length: float) -> None:
        with self._lock:
            self._arrow_length = length

    def pick(self, origin: Any, direction: Any) -> None:
        """The body or joint that a ray meets first becomes the picked one; without one, none is.
        Where fixed bodies are seen through, those behind come first."""
        with self._lock:
            frame = self._frame()
            solids = self._solids(frame)
            count, behind = len(frame.position), solids.position.copy()
            behind[:count][self.run.world.state.mass[:count] == 0] = np.nan
            looks = [behind] if self._through else []
            found = (
                pick(
                    solids.shape, solids.size, position, solids.orientation,
                    np.asarray(origin, dtype=float), np.asarray(direction, dtype=float),
                    self.scene.triangles,
                )
                for position in (*looks, solids.position)
            )  # fmt: skip
            hit = next((number for number in found if number is not None), None)
            self._picked = self._picked_joint = None
            if hit is not None and hit >= count:
                self._picked_joint = int(solids.joint[hit - count])
            else:
                self._picked = hit

    def _solids(self, frame: Frame) -> Solids:
        """All that can be picked: bodies, then the joints that are shown."""
        state, count = self.run.world.state, len(frame.position)
        bodies = Solids(
            NOTHING.joint, state.shape[:count], state.size[:count], frame.position,
            frame.orientation,
        )  # fmt: skip
        joints = self.scene.joints.solids(frame) if self._joints else NOTHING
        return Solids(*(np.concatenate(both) for both in zip(bodies, joints, strict=True)))

    def show(self) -> None:
        """Sends what has changed since the last frame, all of it at once. The thread does that, up
        to thirty times a second, as long as somebody looks."""
        with self._lock:
            frame = self._frame()
            k, quantity = frame.moment, self._quantity
            with self.server.atomic():
                if self._new("pose", (k, frame.share)):
                    self.scene.show(frame)
                pose = (k, frame.share, self._picked_joint)
                if self._new("joints", (self._joints, pose if self._joints else 0)):
                    self.scene.joints.show(frame, visible=self._joints, picked=self._picked_joint)
                if self._new("colours", (k, quantity)):
                    self.scene.paint(body_colours(self.run, k, quantity, self._limits_of(quantity)))
                if self._new("legend", (quantity, self._limits_of(quantity))):
                    names = named_colours(self.run, quantity)
                    self.panel.show_legend(legend(quantity, self._limits_of(quantity), names))
                if self._new("glass", (self._forces, self._through)):
                    self.scene.see_through(moving=self._forces, fixed=self._forces or self._through)
                if self._new(
                    "forces", (self._forces, self._arrow_length, k if self._forces else 0)
                ):
                    self._point(k)
                if self._new("mark", (self._picked, self._forces, self._through, k, frame.share)):
                    self.scene.mark(self._picked, frame)
                if not self.clock.playing or time.monotonic() >= self._slow_due:
                    self._slow_due = time.monotonic() + _SLOW_PERIOD
                    self._show_words(frame)

    def refresh(self, run: Run | None = None) -> None:
        """The run has more moments, perhaps more bodies; or `run` is the same, read again. One who
        watches its end stays there."""
        with self._lock:
            self._growing = True
            if run is not None:
                self.run, self._frames = run, Frames(run)
            at_end = self.clock.time >= self.clock.end and not self.clock.playing
            self._read_columns()
            self.clock.extend(float(self._times[-1]))
            self.panel.extend(self.clock.end)
            if at_end:
                self.clock.seek(self.clock.end)
            if self._parts != self._count_parts():
                self.scene.remove()
                self._build()
            self._limits, self._unit = {}, None
            self._shown = {}

    def wait(self, seconds: float) -> bool:
        """For so long; True if it was closed meanwhile, or by Ctrl-C."""
        try:
            return self._closed.wait(seconds)
        except KeyboardInterrupt:
            return True

    def close(self) -> None:
        """Ends the page and its thread."""
        if not self._closed.is_set():
            self._closed.set()
            self._thread.join()
            with contextlib.redirect_stdout(io.StringIO()):
                self.server.stop()

    def __enter__(self) -> Viewer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _build(self) -> None:
        self._parts = self._count_parts()
        self._frames = Frames(self.run)
        self.scene = Scene(self.server, self.run)
        self._shown = {}

    def _count_parts(self) -> tuple[int, int]:
        """Bodies and joints, with those that have been removed."""
        return len(self.run.world.state), len(self.run.world.joints)

    def _read_columns(self) -> None:
        """What there is of every moment, once: in a file each look would read all of it."""
        run = self.run
        self._times, self._counts, self._residuals = run.time, run.contact_count, run.residual
        self.charts: tuple[Chart, Chart] = energy_chart(run), residual_chart(run)

    def _play(self) -> None:
        before = time.monotonic()
        spent = 0.0
        while not self._closed.wait(max(_PERIOD - spent, 1e-3)):
            now = time.monotonic()
            with self._lock:
                self.clock.advance(now - before)
                if self.server.get_clients():
                    self._try_to_show()
            before, spent = now, time.monotonic() - now

    def _try_to_show(self) -> None:
        """A file that cannot be read any more must not end the thread in silence."""
        try:
            self.show()
        except Exception as error:
            if self._growing and not isinstance(error, RollconeError | OSError):
                self._shown = {}  # arrays of two lengths: bodies were added meanwhile
                return
            self.clock.pause()
            self.panel.show_body(f"**error:** {error}")
            _log.exception("the viewer cannot show t = %g s", self.clock.time)

    def _show_words(self, frame: Frame) -> None:
        now, k = self.clock.time, frame.moment
        if self._new("time", (now, self.clock.playing)):
            self.panel.show_time(now, self._moment_words(k), playing=self.clock.playing)
            self.panel.mark_charts(self.charts, now)
        if self._new("curves", self._picked_joint):
            self._track, self._joint_charts = None, []
            if self._picked_joint is not None:
                self._track = self.run.joint(self._picked_joint)
                self._joint_charts = joint_charts(self._times, self._track)
            self.panel.show_curves(self._joint_charts)
        if self._new("facts", (self._picked, self._picked_joint, k)):
            self._show_facts(k)
        if self._joint_charts and self._new("curve mark", (self._picked_joint, now)):
            self.panel.mark_curves(self._joint_charts, now)

    def _show_facts(self, moment: int) -> None:
        if self._picked_joint is not None and self._track is not None:
            facts = joint_facts(self.run, self._picked_joint, self._track, moment)
            self.panel.show_body(table(facts))
        elif self._picked is not None:
            self.panel.show_body(table(body_facts(self.run, self._picked, moment)))
        else:
            self.panel.show_body(None)

    def _moment_words(self, k: int) -> str:
        count, residual = int(self._counts[k]), float(self._residuals[k])
        return (
            f"moment {k + 1} of {len(self._times)} at {self._times[k]:.5g} s  \n"
            f"{count} contact{'' if count == 1 else 's'}, residual "
            + (f"{residual:.1e}" if residual else "0")
        )

    def _point(self, moment: int) -> None:
        found: Arrows | None = None
        words = ""
        if self._forces:
            if self._unit is None:
                self._unit = length_unit(self.run)
            found = arrows(self.run, moment, self._unit * self._arrow_length)
            if found.acting > len(found.segments):
                words = f"The {len(found.segments)} strongest of {found.acting} forces."
        self.scene.point(found)
        self.panel.show_arrows(self._forces, words)

    def _frame(self) -> Frame:
        return self._frames.at(self._times, self.clock.time, between=self._between)

    def _limits_of(self, quantity: str) -> tuple[float, float]:
        if quantity not in self._limits:
            self._limits[quantity] = value_range(self.run, quantity)
        return self._limits[quantity]

    def _new(self, what: str, key: object) -> bool:
        """Is this not what was shown last?"""
        if what in self._shown and self._shown[what] == key:
            return False
        self._shown[what] = key
        return True


def import_viser() -> Any:
    """The package, an extra that the viewer cannot do without."""
    try:
        import viser
    except ImportError:
        raise MissingPackageError('the viewer needs viser: pip install "rollcone[view]"') from None
    return viser


def _serve(viser: Any, host: str, port: int) -> Any:
    """It greets on stdout, which is ours."""
    with contextlib.redirect_stdout(io.StringIO()):
        return viser.ViserServer(host=host, port=port, label="Rollcone", verbose=False)
