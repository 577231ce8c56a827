"""Run a scene and check what must hold of every one, whatever is in it.

- An error is one of ours (`RollconeError`), when the world is made or on the way; no warning of
  Python's or NumPy's comes up.
- After every few steps: states are finite, quaternions are of unit length, every step has told its
  residual, and one that is above the tolerance, or infinite, is counted as not converged.
- Energies of the audit are those that plain sums give; contacts take energy, but for what is told
  as gained; what was changed by hand is told as that.
- Energy that comes from nowhere (neither of loads, nor drives, nor hands) beyond a tenth of what
  moves is warned of in the summary.
- Where nothing but constant loads gives energy (the default scheme; no compliance, drives,
  springs, motors or functions) and all steps converged, what the audit leaves of a step is
  rounding, and K + P rises by no more than 1e-3 of what is turned over, but for what undoing
  overlap gives.
- Momentum is kept where nothing acts from outside.
- No step takes longer than STEP_TIME of processor time.
- The same scene gives the same bits again (one scene in eight).
"""

from __future__ import annotations

import itertools
import time
import traceback
import warnings
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from soak_bodies import Plain
from soak_world import act, build_world, settings_of

import rollcone as rc
from rollcone.analysis.energy import TERMS
from rollcone.mechanics.bodies import DYNAMIC, FIXED, REMOVED, STATE
from rollcone.recording.summary import warnings as told_by

STEP_TIME, SCENE_TIME = 60.0, 60.0  # s
GAIN = 0.1  # of the energy that moves, or is dissipated: more from nowhere must be told
_ROUNDING = 1e-9
# The remainder of a step is rounding if it is below the first share of what the step turns over, or
# below the second of K + m g s, or so many units in the last place of what it is a difference of.
# Where joints hold bodies it is below the third share of what the step turns over.
AUDIT_SHARE, AUDIT_FLOOR, JOINED_SHARE, ULPS = 1e-10, 1e-13, 1e-8, 8.0
PASSIVE_GAIN = 1e-3  # of the turnover: K + P rises by no more in a scene in which nothing drives
_SOURCES = ("gained", "correction", "joints", "remainder")
_CONTACT_TERMS = ("sliding", "rolling", "contour", "spinning", "impact")


@dataclass
class Verdict:
    """What became of a scene.

    outcome   passed, refused (when it was made), stopped (by an error of ours), failed
    kind      of what is wrong, or of the error: the same for the same cause, as far as can be
    detail    in words
    gain      energy from nowhere, over what moves
    source    the term of the audit that gave most of it
    told      by warnings of the summary, by their first words
    """

    outcome: str
    kind: str = ""
    detail: str = ""
    steps: int = 0
    contacts: int = 0
    unconverged: int = 0
    slowest: float = 0.0
    gain: float = 0.0
    source: str = ""
    told: tuple[str, ...] = ()

    def plain(self) -> dict[str, Any]:
        return asdict(self)


class FailedCheckError(Exception):
    """Something that must hold does not."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind, self.detail = kind, detail


def examine(scene: Plain) -> Verdict:
    """Run the scene, check it, and say what came of it."""
    verdict = Verdict("passed")
    threads = rc.threads()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            rc.set_threads(scene.get("threads", 1))
            watched = Watched(scene, verdict)
            watched.run()
            if scene.get("seed", 1) % 8 == 0:
                _repeat(scene, watched.simulation)
    except FailedCheckError as failure:
        verdict.outcome, verdict.kind, verdict.detail = "failed", failure.kind, failure.detail
    except rc.RollconeError as error:
        verdict.outcome = "stopped" if verdict.steps else "refused"
        verdict.kind, verdict.detail = _first_words(str(error)), str(error)
    except Exception as error:  # which is a finding
        verdict.outcome, verdict.detail = "failed", traceback.format_exc()
        verdict.kind = f"{type(error).__name__} in {_place(error)}"
    finally:
        rc.set_threads(threads)
    return verdict


def _first_words(text: str) -> str:
    """Of a message, without its numbers."""
    words = [word for word in text.split() if not any(c.isdigit() for c in word)]
    return " ".join(words[:9])


def _place(error: BaseException) -> str:
    """The innermost function of ours that was on the way."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "rollcone" in frame.filename.split("/")] or frames
    return f"{ours[-1].filename.rsplit('/', 1)[-1]}:{ours[-1].name}"


class Watched:
    """A simulation, and what is known of it from outside."""

    def __init__(self, scene: Plain, verdict: Verdict) -> None:
        self.scene, self.verdict = scene, verdict
        self.simulation = rc.Simulation(build_world(scene), **settings_of(scene))
        self.changed = 0.0  # J, by hand
        self.looked = 0  # moments that have been checked
        self.momentum = _momentum(self.simulation.world)
        self.by_hand: dict[int, list[Plain]] = {}
        for action in scene["actions"]:
            self.by_hand.setdefault(action["before"], []).append(action)

    def run(self) -> None:
        scene, simulation = self.scene, self.simulation
        chunk, step, start = scene.get("chunk", 1), simulation.step, time.process_time()
        stops = sorted({*self.by_hand, *range(0, scene["steps"], chunk), scene["steps"]})
        for begin, end in itertools.pairwise(stops):
            if time.process_time() - start > SCENE_TIME:
                break  # hard to solve, and told; others wait
            self._act(begin)
            clock = time.process_time()
            simulation.advance(end * step)
            taken = time.process_time() - clock
            self.verdict.steps = simulation.steps
            self.verdict.slowest = max(self.verdict.slowest, taken / (end - begin))
            self._look()
        self._end()

    def _act(self, step: int) -> None:
        world = self.simulation.world
        before = energy(world)
        for action in self.by_hand.get(step, ()):
            act(world, action)
        if step in self.by_hand:
            self.momentum = _momentum(world)
        self.changed += energy(world) - before

    def _look(self) -> None:
        """After some steps."""
        simulation, verdict = self.simulation, self.verdict
        if verdict.slowest > STEP_TIME:
            raise FailedCheckError("slow", f"{verdict.slowest:.1f} s for a step")
        check_state(simulation.world)
        recorder = simulation.recorder
        residual, speed = recorder.column("residual"), recorder.column("residual_speed")
        failed = recorder.column("unconverged")
        verdict.contacts += int(recorder.column("contacts")[self.looked :].sum())
        verdict.unconverged = int(failed.sum())
        new = slice(self.looked, None)
        self.looked = len(residual)
        lost = ~np.isfinite(residual + speed) & ((failed == 0) | np.isnan(residual + speed))
        if lost.any():
            raise FailedCheckError("residual not finite", f"{residual[new]}, {speed[new]} m/s")
        stepper = simulation._stepper
        fair = max(stage.fair for stage in stepper.solver.stages)
        asked = max(stepper.tolerance(), fair)
        missed = (residual > 1.001 * asked) & (speed > 0.0) & (failed == 0)
        if missed[new].any():
            worst = float(residual[new].max())
            raise FailedCheckError(
                "residual not told", f"{worst:.2e} where {asked:.0e} is asked, and all converged"
            )
        self._check_momentum()

    def _check_momentum(self) -> None:
        world = self.simulation.world
        state = world.state
        if np.any(world.gravity) or np.any(state.kind == FIXED) or self.scene["emitters"]:
            return
        if world.loads or np.any(state.force) or np.any(state.damping[:, 0]):
            return
        if any(spec.base < 0 for _, spec in world.joints if spec.kind != "gear"):
            return
        now = _momentum(world)
        moves = state.kind == DYNAMIC
        size = float((state.mass * np.linalg.norm(state.velocity, axis=1))[moves].sum())
        error = float(np.linalg.norm(now - self.momentum))
        size = max(size, float(np.linalg.norm(self.momentum)))
        if error > 1e-7 * size:
            raise FailedCheckError("momentum", f"off by {error:.2e} of {size:.2e} kg m/s")

    def _end(self) -> None:
        """Energies of the whole run."""
        simulation, verdict = self.simulation, self.verdict
        run = simulation.run
        run.summary()
        audit, world = run.energy, simulation.world
        terms = {name: getattr(audit, name) for name in ("kinetic", "potential", "remainder")}
        for name, values in terms.items():
            if not np.isfinite(values).all():
                raise FailedCheckError("energy not finite", f"{name} {values}")
        warned = told_by(run)
        verdict.told = tuple(_first_words(text) for text in warned)
        rounding = _ROUNDING * float(np.abs(audit.potential).max() + audit.kinetic.max())
        rounding = max(rounding, _ROUNDING * float(np.abs(audit.work).max()))
        if not len(world.joints):
            off = abs(energy(world) - audit.kinetic[-1] - audit.potential[-1])
            if off > rounding + 1e-300:
                raise FailedCheckError("energies differ", f"by {off:.3g} J from plain sums")
            if not self.scene["emitters"]:
                off = abs(self.changed - audit.changed[-1])
                if off > rounding + 1e-300:
                    raise FailedCheckError("changes differ", f"by {off:.3g} J from plain sums")
        self._check_signs(run, rounding)
        if is_passive(self.scene) and run.converged:
            self._check_passive(run)
        gain = gain_from_nowhere(audit)
        verdict.gain = gain / max(audit.scale, 1e-300)
        verdict.source = max(_SOURCES, key=lambda name: getattr(audit, name).max())
        told = any("energy" in text or "added" in text for text in warned)
        if gain > GAIN * audit.scale + rounding and not told:
            raise FailedCheckError(
                "gain not told", f"{gain:.3g} J from nowhere, {audit.scale:.3g} J moved"
            )

    def _check_passive(self, run: rc.Run) -> None:
        """The audit closes in every step, and the energy does not rise."""
        audit, share = run.energy, excess_remainder(run)
        if self.scene["settings"].get("record_every", 1) == 1 and share > 1.0:
            raise FailedCheckError(
                "audit open", f"remainder {share:.3g} times what rounding leaves"
            )
        total = audit.kinetic + audit.potential - audit.correction - audit.applied - audit.changed
        rise = float((total - np.minimum.accumulate(total)).max())
        if rise > PASSIVE_GAIN * audit.turnover:
            raise FailedCheckError("gain", f"{rise:.3g} J, {audit.turnover:.3g} J turned over")

    def _check_signs(self, run: rc.Run, rounding: float) -> None:
        audit = run.energy
        taken = np.asarray(sum(getattr(audit, name) for name in _CONTACT_TERMS))
        rise = float(np.diff(taken).max(initial=0.0))
        if rise > rounding + 1e-6 * audit.scale:
            raise FailedCheckError("wrong sign", f"contacts gave {rise:.3g} J in a step")


def is_passive(scene: Plain) -> bool:
    """Return whether nothing but constant loads can give energy in a scene, and its scheme is one
    that gives none."""
    scheme = scene["settings"]["scheme"]
    if scheme["name"] != "GapAhead" or scheme.get("projection") or "max_passes" in scheme:
        return False
    if "friction_model" in scene["settings"] or scene["emitters"] or scene["actions"]:
        return False
    if any("compliance" in law for law in scene["laws"]):
        return False
    if any("pull" in body or "shake" in body for body in scene["bodies"]):
        return False
    elements = [
        element["element"]
        for joint in scene["joints"]
        for given in joint.values()
        if isinstance(given, list)
        for element in given
        if isinstance(element, dict)
    ]
    stiff = not any("compliance" in joint for joint in scene["joints"])
    return stiff and not {"motor", "spring"} & set(elements)


def excess_remainder(run: rc.Run) -> float:
    """Return the largest remainder of a step over what rounding may leave in it."""
    audit, state = run.energy, run.world.state
    terms = ("kinetic", "potential", *TERMS)
    turned = sum(np.abs(np.diff(getattr(audit, name))) for name in terms)
    moves = state.kind == DYNAMIC
    sizes = np.where(state.size > 0.0, state.size, np.inf).min(axis=1)
    falls = state.mass[moves] * np.minimum(sizes[moves], 1e300)
    weight = float(np.linalg.norm(run.world.gravity) * falls.sum())
    largest = np.max([np.abs(getattr(audit, name)) for name in terms], axis=0)
    rounding = ULPS * np.spacing(np.maximum(largest[1:], largest[:-1]))
    least = np.maximum(AUDIT_FLOOR * (audit.kinetic[1:] + weight), rounding)
    share = JOINED_SHARE if len(run.world.joints) else AUDIT_SHARE
    allowed = np.maximum(share * turned, least)
    return float((np.abs(np.diff(audit.remainder)) / allowed).max(initial=0.0))


def gain_from_nowhere(audit: Any) -> float:
    """The most that the energy has risen above where it began, or where contacts store none above
    any moment before, without loads, drives or hands."""
    total = audit.kinetic + audit.potential
    left = total - audit.applied - audit.drive - audit.changed
    least, most = left[0], 0.0
    for now in left:
        least = least if audit.springy else min(least, now)
        most = max(most, now - least)
    return float(most)


def check_state(world: rc.World) -> None:
    state = world.state
    there = state.kind != REMOVED
    for field in STATE:
        if not np.isfinite(getattr(state, field)[there]).all():
            raise FailedCheckError("state not finite", field)
    length = np.linalg.norm(state.orientation[there], axis=1)
    if np.abs(length - 1.0).max(initial=0.0) > 1e-9:
        raise FailedCheckError("quaternion", f"of length {length}")


def energy(world: rc.World) -> float:
    """Of motion and height, by plain sums (J)."""
    state = world.state
    total = 0.0
    for i in np.flatnonzero(state.kind == DYNAMIC):
        body = world.body(int(i))
        v, w = state.velocity[i], state.angular_velocity[i]
        turn = _matrix(state.orientation[i]) @ _matrix(state.principal[i])
        rates = turn.T @ w
        total += 0.5 * body.mass * v @ v + 0.5 * rates @ (state.inertia[i] * rates)
        total -= body.mass * world.gravity @ state.position[i]
    return float(total)


def _matrix(q: np.ndarray) -> np.ndarray:
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _momentum(world: rc.World) -> np.ndarray:
    state = world.state
    moves = state.kind == DYNAMIC
    return np.asarray((state.mass[moves, None] * state.velocity[moves]).sum(axis=0))


def _repeat(scene: Plain, first: rc.Simulation) -> None:
    """Once more, to the same bits."""
    again = Watched(scene, Verdict("passed"))
    again.run()
    for field in STATE:
        ours, theirs = (getattr(s.world.state, field) for s in (first, again.simulation))
        if ours.tobytes() != theirs.tobytes():
            worst = float(np.abs(ours - theirs).max())
            raise FailedCheckError("not repeatable", f"{field} differs by {worst:.3g}")
