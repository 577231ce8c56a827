"""The table of mechanisms next to other programs."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers.programs import Variant, run
from benchmarks.peers.tables import chosen
from benchmarks.peers_mechanisms.figures import figures
from benchmarks.peers_mechanisms.references import reference
from benchmarks.peers_mechanisms.scenes import MECHANISMS, Mechanism
from benchmarks.table import Table

PACKAGE = "benchmarks.peers_mechanisms"
STEPS = (5e-3, 1e-3)
FINE = 5e-5  # s: the step at which an explicit method resolves the stiff chain
HEADER = (
    "mechanism", "program", "h, ms", "drift, m", "energy", "position, m", "besides",
    "CPU us per step", "CPU ms per s",
)  # fmt: skip
TEXT = """\
`python -m benchmarks peers-mechanisms`: rods on hinges, at the same step h for all, 10 s each (the
motor 2 s). Each program runs in its own process on one thread; PEERS_PYTHON names a Python that has
MuJoCo and PyBullet, SICONOS_PYTHON one with Siconos, PEERS the programs to run if not all.

- drift: the widest gap of a hinge. MuJoCo and PyBullet have trees in the coordinates of their
  joints: there it is rounding, by construction.
- energy: the worst error in 10 s, over the largest kinetic energy.
- position: the worst error of a centre of mass in the first 2 s (with friction: in all 10 s),
  against DOP853 at 1e-12 in angles, or closed forms.
- besides: how fast the rod creeps that dry friction holds, from 5 s to 10 s; by how much the motor
  has pressed the rod past its stop at the end, and at worst.
- CPU: the best of five runs of half a second, per step and per second that is simulated.

"Stiff" is MuJoCo with constraints as hard as a step allows (solref 2 h, solimp 0.9999); its own are
20 ms and 0.9 to 0.95. Of PyBullet and Siconos all is as it comes, but for damping (none), theta
(1/2) and tolerances of Siconos (1e-10). Its motors are left out, and Chrono: it is not among the
packages that install here.

MuJoCo and PyBullet are the quickest by far, and with RK4 MuJoCo is the most accurate wherever the
step resolves the motion: for trees without stiff parts, take it. Its loop is held by a soft
constraint, and an explicit method must resolve the light links of the loaded chain (0.05 ms).
PyBullet's stops and friction hold as exactly as ours. What Rollcone is for: the same second order
and closed joints for loops, heavy loads on light links, stops and dry friction, at the same step
and without a setting."""


def variants(mechanism: Mechanism) -> Iterator[Variant]:
    """Of MuJoCo as it comes and with what serves best."""
    constrained = bool(mechanism.closed or mechanism.friction or mechanism.stop is not None)
    for step in STEPS:
        yield Variant("rollcone", "Rollcone", {"step": step})
    first = {} if mechanism.motor is None else {"integrator": "implicitfast"}
    choices: list[dict[str, Any]] = [first]
    if constrained:
        choices.append(first | {"stiff": True})
    if not constrained or mechanism.closed:
        choices.append(choices[-1] | {"integrator": "RK4"})
    for choice in choices:
        words = [choice.get("integrator", ""), "stiff" if "stiff" in choice else ""]
        for step in STEPS:
            name = ", ".join(filter(None, ["MuJoCo", *words]))
            yield Variant("mujoco", name, choice | {"step": step})
    if len(mechanism.rods) > 5:
        yield Variant("mujoco", "MuJoCo, RK4", {"integrator": "RK4", "step": FINE})
    for step in STEPS:
        yield Variant("pybullet", "PyBullet", {"step": step})
    if mechanism.motor is None:
        for step in STEPS:
            yield Variant("siconos", "Siconos", {"step": step})
        for step in STEPS:
            yield Variant("siconos", "Siconos, projection", {"step": step, "projection": True})


def rows() -> Iterator[tuple[str, ...]]:
    for mechanism in MECHANISMS.values():
        exact = reference(mechanism)
        for variant in filter(chosen, variants(mechanism)):
            yield measured(mechanism, exact, variant)


def measured(
    mechanism: Mechanism, exact: tuple[np.ndarray, np.ndarray], variant: Variant
) -> tuple[str, ...]:
    step = variant.settings["step"]
    head = (mechanism.name, variant.words, f"{1e3 * step:g}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "samples.npz"
        outcome = run(variant, mechanism.name, path, PACKAGE)
        if not outcome.figures:
            return (*head, outcome.note, *[""] * (len(HEADER) - 4))
        with np.load(path) as samples:
            found = figures(mechanism, samples, *exact)
    us = outcome.figures["us"]
    if found.get("energy", 0.0) > 1.0:
        return (
            *head,
            f"{found['drift']:.0e}",
            "blew up",
            "",
            "",
            f"{us:.3g}",
            f"{1e-3 * us / step:.3g}",
        )
    return (
        *head, f"{found['drift']:.0e}", number(found.get("energy")), f"{found['position']:.0e}",
        besides(found), f"{us:.3g}", f"{1e-3 * us / step:.3g}",
    )  # fmt: skip


def number(value: float | None) -> str:
    return "" if value is None else f"{value:.0e}"


def besides(found: dict[str, float]) -> str:
    if "creep" in found:
        return f"creeps {found['creep']:.0e} rad/s"
    if "past" in found:
        return f"past it {found['past']:.0e}, {found['past at worst']:.0e} rad"
    return ""


TABLES = [Table("Mechanisms next to others", TEXT, HEADER, rows)]
