"""What a simulation is told besides its world, checked once and never changed."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from rollcone._check import finite_array, one_of, positive_number, true_or_false, whole_number
from rollcone.errors import InputError
from rollcone.friction_models.linear_solver import linear_solver
from rollcone.friction_models.model import CONE, FrictionModel
from rollcone.friction_models.registry import friction_model, make_model, plain_model
from rollcone.mechanics.materials import LawTable
from rollcone.problem.contact_problem import LAWS, Law
from rollcone.solvers.registry import SOLVERS, SolverInfo, make_options, solver_info
from rollcone.stepping.gap_ahead import GapAhead
from rollcone.stepping.kernels.work import WHOLE
from rollcone.stepping.registry import SCHEMES, make_scheme
from rollcone.stepping.scheme import Scheme
from rollcone.stepping.stages import FAIR, FINE, NEAR, SolverSettings, SolverStage

AUTO = "auto"
_SWEEPS, _FEW_SWEEPS = 5000, 500  # of gauss-seidel, before others take over; of NEAR contacts
_FACTORS = 300  # iterations of newton, and of interior-point, before the next takes over
_WHILE = 5000  # iterations of apgd, before less than the default tolerance will do
ITERATIONS = 5000


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The arguments of `Simulation`, which says what they mean."""

    step: float
    scheme: Scheme = field(default_factory=GapAhead)
    law: Law = "exact"
    friction_model: str | FrictionModel | None = None
    solver: str = AUTO
    solver_options: dict[str, Any] = field(default_factory=dict)
    tolerance: float | None = None
    speed_tolerance: float = 0.0
    max_iterations: int = ITERATIONS
    warm_start: bool = True
    record_every: int = 1
    max_substeps: int | None = None
    strict: bool = False
    start_time: float = 0.0

    def __post_init__(self) -> None:
        positive_number("step", self.step)
        if not isinstance(self.scheme, Scheme):
            names = ", ".join(f"rc.{name}()" for name in SCHEMES)
            raise InputError(f"scheme = {self.scheme!r}: must be one of {names}")
        one_of("law", self.law, LAWS)
        if self.model is not None and self.law != "exact":
            raise InputError(
                f"law = {self.law!r}: is one of cones; friction model {self.model.name!r} has a "
                "law of its own: leave law out, or use friction_model='cone'"
            )
        if self.tolerance is not None:
            positive_number("tolerance", self.tolerance, zero=True)
        positive_number("speed_tolerance", self.speed_tolerance, zero=True)
        whole_number("max_iterations", self.max_iterations, least=1)
        true_or_false("warm_start", self.warm_start)
        whole_number("record_every", self.record_every, least=1)
        if self.max_substeps is not None:
            whole_number("max_substeps", self.max_substeps, least=1)
            if self.max_substeps > WHOLE:
                raise InputError(f"max_substeps = {self.max_substeps}: must be at most {WHOLE}")
        true_or_false("strict", self.strict)
        moment("start_time", self.start_time)
        self.solver_settings()

    @property
    def model(self) -> FrictionModel | None:
        """Of friction; None for the cone."""
        given = self.friction_model
        return friction_model(self.scheme.friction_model if given is None else given)

    def check(self, laws: LawTable) -> None:
        """Do scheme, friction model and solver admit these contact laws?"""
        self.scheme.check(self.law, laws)
        if self.model is not None and laws.frictions() is not None:
            own = self.friction_model is None
            leave = (
                f"give 'cone' with {self.scheme.name}, or another scheme,"
                if own
                else "leave it out"
            )
            raise InputError(
                f"friction_model = {self.model.name!r}: takes laws with numbers for sliding, "
                f"rolling and spinning alone; {leave} for others"
            )
        coupled = any(law.contact_radius or law.coupling != "none" for law in laws.laws())
        if coupled and self.solver in SOLVERS and not SOLVERS[self.solver].coupled:
            raise InputError(
                f"solver = {self.solver!r}: takes no contact_radius and no coupling of friction, "
                "which make no second-order cone; leave it out, or use 'newton'"
            )

    def solver_settings(self) -> SolverSettings:
        """The solvers of a step, one after the other."""
        model = self.model
        if model is not None:
            linear = linear_solver(model, self.solver, self.solver_options)
            if self.max_iterations != ITERATIONS:
                linear = replace(linear, max_iterations=self.max_iterations)
            stages = _stages(AUTO, self.max_iterations, {}, self.tolerance is not None)
            given = self.tolerance, self.speed_tolerance, self.warm_start
            return SolverSettings(stages, *given, model, linear)
        stages = _stages(
            self.solver, self.max_iterations, self.solver_options, self.tolerance is not None
        )
        return SolverSettings(stages, self.tolerance, self.speed_tolerance, self.warm_start)

    def plain(self) -> dict[str, Any]:
        """Numbers, texts and dictionaries alone, for files; `from_plain` reads them."""
        return asdict(self) | {
            "scheme": {"name": self.scheme.name} | asdict(self.scheme),
            "friction_model": plain_model(self.model),
        }

    @staticmethod
    def from_plain(plain: dict[str, Any]) -> Settings:
        scheme, model = dict(plain["scheme"]), dict(plain.get("friction_model", {"name": CONE}))
        made = {
            "scheme": make_scheme(scheme.pop("name"), scheme),
            "friction_model": make_model(model.pop("name"), model) or CONE,
        }
        return Settings(**plain | made)


def moment(name: str, value: float) -> float:
    """A time, in seconds."""
    array = finite_array(name, value)
    if array.ndim:
        raise InputError(f"{name} = {value!r}: must be one number, seconds")
    return float(array)


def _stages(
    solver: str, limit: int, options: dict[str, Any], given: bool
) -> tuple[SolverStage, ...]:
    """`given`: is there a tolerance?"""
    aim = np.inf if given else FINE
    if solver != AUTO:
        info = solver_info(solver)
        make_options(info, options)  # an unknown one is told here
        return (SolverStage(info, options, limit),)
    if options:
        raise InputError(f"solver_options {sorted(options)}: name the solver that they belong to")
    names = ("gauss-seidel", "newton", "interior-point", "apgd")
    first, second, third, fourth = (solver_info(name) for name in names)
    fair, factors = 0.0 if given else FAIR, min(limit, _FACTORS)
    return (
        SolverStage(first, {}, min(limit, _SWEEPS), min(limit, _FEW_SWEEPS), aim=aim),
        SolverStage(second, {"sweeps": 0}, factors, most_contacts=NEAR, fair=fair),
        SolverStage(third, {}, factors, most_contacts=NEAR, fair=fair),
        *_last_stages(fourth, limit, given),
    )


def _last_stages(info: SolverInfo, limit: int, given: bool) -> list[SolverStage]:
    """To the tolerance that was given; or a while to the default one, then to what is fair."""
    if given:
        return [SolverStage(info, {}, limit)]
    return [
        SolverStage(info, {}, min(limit, _WHILE), fair=FAIR, calm=True),
        SolverStage(info, {}, limit, least=FAIR, fair=FAIR),
    ]
