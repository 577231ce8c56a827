"""A thin disk that rolls and slides on a floor, integrated by events; no time stepping of ours.

The equations are in disk_dynamics.py. A phase ends where slip does, where the force that holds the
contact leaves the set of its law, where the disk is nearly flat or lifts off. Slip that begins has
a direction which settles at the rate mu g / |slip|: LSODA, which changes to a stiff method by
itself; rolling by DOP853.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from rollcone._check import FloatArray
from rollcone.studies.disk_dynamics import FIELDS, Disk, Dynamics, Friction, Mode, State, energy

End = Literal["time", "sticks", "slips", "grows", "flat", "lifts off"]

_SLIP_ENDS = 1e-9  # m/s
_SMALL_SLIP = 1e-4  # m/s: below, its direction is stiff
DISK = Disk()


@dataclass(frozen=True)
class Phase:
    """From `start` to `end` (s), which came because of `ended_by`; `state(t)` is in between."""

    mode: Mode
    start: float
    end: float
    ended_by: End
    state: Any


@dataclass(frozen=True)
class Motion:
    """By time (n,): the fields of the state, the normal force (N) and the energy (J)."""

    time: FloatArray
    x: FloatArray
    y: FloatArray
    alpha: FloatArray
    beta: FloatArray
    gamma: FloatArray
    p: FloatArray
    s: FloatArray
    w: FloatArray
    a: FloatArray
    b: FloatArray
    work: FloatArray  # of friction since the start
    normal_force: FloatArray
    energy: FloatArray


@dataclass(frozen=True)
class Reference:
    """A motion as phases of rolling and sliding."""

    disk: Disk
    friction: Friction
    phases: tuple[Phase, ...]

    @property
    def end(self) -> float:
        return self.phases[-1].end

    @property
    def ended_by(self) -> End:
        return self.phases[-1].ended_by

    def first_slip(self) -> float:
        """NaN if it never slips."""
        return next((phase.start for phase in self.phases if phase.mode == "slides"), math.nan)

    def stop(self, exponent: float = 1.5) -> float:
        """When it lies flat (s); NaN if it did not get so far. From the last state on the energy
        goes as (stop - t)^(1/exponent): 1.5 with dry contour friction, 2 if that is viscous, 1/2
        with dry rolling friction. Taken from the last third of the energy, nutation evened out."""
        if self.ended_by != "flat":
            return math.nan
        last = self.phases[-1]
        energies = [energy(self.disk, list(phase.state(phase.start))) for phase in self.phases]
        final = energy(self.disk, list(last.state(last.end)))
        high = [i for i, each in enumerate(energies) if each > 1.5 * final]
        begin = self.phases[high[-1]].start
        if high[-1] == len(self.phases) - 1:  # one long phase
            begin = brentq(
                lambda t: energy(self.disk, list(last.state(t))) - 1.5 * final,
                last.start,
                last.end,
            )
        times = np.linspace(begin, last.end, 400)
        slope, offset = np.polyfit(times - last.end, self.at(times).energy ** exponent, 1)
        return float(last.end - offset / slope)

    def at(self, times: FloatArray) -> Motion:
        """At times up to the end."""
        ends = np.array([phase.end for phase in self.phases])
        which = np.minimum(np.searchsorted(ends, times), len(ends) - 1)
        states = np.array(
            [self.phases[i].state(t) for i, t in zip(which, times, strict=True)]
        ).reshape(-1, len(FIELDS))
        force = np.array(
            [
                Dynamics(self.disk, self.friction).contact(list(x), self.phases[i].mode)[2]
                for i, x in zip(which, states, strict=True)
            ]
        )
        energies = np.array([energy(self.disk, list(x)) for x in states])
        fields = dict(zip(FIELDS, states.T, strict=True))
        return Motion(
            time=np.asarray(times, dtype=float), normal_force=force, energy=energies, **fields
        )


def start(turning: float = 10.0, lean: float = 0.035) -> State:
    """(4.1), (4.2): upright, rolling, the angular velocity at `lean` (rad) from the axis."""
    p, s = -turning * math.sin(lean), turning * math.cos(lean)
    return [0.0, 0.0, math.pi, 0.0, math.pi, p, s, 0.0, 0.0, 0.0, 0.0]


def stationary(disk: Disk, beta: float) -> State:
    """Rolling with the centre at rest (5.14), for any moments of inertia: A w^2 tan(beta) =
    m g r sin(beta), since the axial part s of the angular velocity is zero."""
    weight = disk.mass * disk.gravity * disk.radius
    w = math.sqrt(weight * math.cos(beta) / disk.transverse)
    return [0.0, 0.0, 0.0, beta, 0.0, 0.0, 0.0, w, 0.0, 0.0, 0.0]


def reference(
    friction: Friction,
    until: float,
    initial: State | None = None,
    disk: Disk = DISK,
    tolerance: float = 1e-11,
    flat: float = 1e-4,
) -> Reference:
    """The motion until a time, until cos(beta) falls to `flat`, or until the disk lifts off."""
    dynamics = Dynamics(disk, friction)
    state = list(start() if initial is None else initial)
    mode = dynamics.first_mode(state)
    t = 0.0
    phases: list[Phase] = []
    while True:
        if mode == "slides":
            dynamics.begin_slip(state)
        phase = _integrate(dynamics, mode, t, state, until, tolerance, flat)
        phases.append(phase)
        if phase.ended_by not in ("sticks", "slips", "grows"):
            return Reference(disk, friction, tuple(phases))
        t, state = phase.end, list(phase.state(phase.end))
        mode = "slides"
        if phase.ended_by == "sticks":
            dynamics.end_slip(state)
            mode = dynamics.first_mode(state)


def _integrate(
    dynamics: Dynamics,
    mode: Mode,
    begin: float,
    state: State,
    until: float,
    tolerance: float,
    flat: float,
) -> Phase:
    def sticks(_: float, x: FloatArray) -> float:
        return dynamics.slip(x.tolist()) - _SLIP_ENDS

    def slips(_: float, x: FloatArray) -> float:
        return dynamics.margin(x.tolist())

    def grows(_: float, x: FloatArray) -> float:
        return dynamics.slip(x.tolist()) - 2 * _SMALL_SLIP

    def falls_flat(_: float, x: FloatArray) -> float:
        return math.cos(x[3]) - flat

    def lifts_off(_: float, x: FloatArray) -> float:
        return dynamics.contact(x.tolist(), mode)[2]

    names: list[End] = ["flat", "lifts off"]
    events: list[Any] = [falls_flat, lifts_off]
    names.append("sticks" if mode == "slides" else "slips")
    events.append(sticks if mode == "slides" else slips)
    for event in events:
        event.terminal, event.direction = True, -1
    coulomb = dynamics.friction.contact_radius == 0.0
    stiff = coulomb and mode == "slides" and dynamics.slip(state) < _SMALL_SLIP
    if stiff:
        names.append("grows")
        events.append(grows)
        events[-1].terminal, events[-1].direction = True, 1
    method = "DOP853" if mode == "rolls" else "Radau" if stiff else "LSODA"
    with np.errstate(over="ignore"):  # in columns of the Jacobian that are zero
        found = solve_ivp(
            lambda _, x: dynamics.rates(x.tolist(), mode),
            (begin, until),
            np.array(state),
            method=method,
            rtol=tolerance,
            atol=1e-3 * tolerance if mode == "slides" else tolerance,
            dense_output=True,
            events=events,
        )
    if not found.success:
        raise ArithmeticError(f"the disk {mode}: {found.message}")
    met = [name for name, times in zip(names, found.t_events, strict=True) if len(times)]
    return Phase(mode, begin, float(found.t[-1]), met[0] if met else "time", found.sol)


CASES = {
    "Coulomb": Friction(),
    "Coulomb and contour": Friction(contour=0.3e-3),
    "Contensou": Friction(contact_radius=2e-3),
    "Contensou and contour": Friction(contact_radius=2e-3, contour=0.3e-3),
}
