"""Rollcone: rigid bodies in contact with dry friction of every kind.

The public names, in one place. They are loaded on first use, so that
`import rollcone` is quick and compiles nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rollcone._lazy import loaded_on_use

__version__ = "0.1.0"

_PUBLIC = {
    "AccelerationProblem": "analysis.acceleration.problem",
    "Analysis": "analysis.acceleration.analyze",
    "Body": "mechanics.body",
    "Box": "laws.box",
    "BoxFriction": "friction_models.box",
    "ClusterError": "errors",
    "ContactLaw": "mechanics.materials",
    "ContactProblem": "problem.contact_problem",
    "Contensou": "laws.contensou",
    "DVI": "stepping.dvi",
    "Disc": "laws.disc",
    "Ellipse": "laws.ellipse",
    "Emitter": "mechanics.emitter",
    "FclibFile": "problem.fclib_file",
    "FileError": "errors",
    "Fit": "fit.fit",
    "FitResult": "fit.result",
    "Fixture": "analysis.acceleration.fixture",
    "FrictionCone": "laws.cone",
    "GapAhead": "stepping.gap_ahead",
    "HertzMindlin": "mechanics.hertz",
    "Infeasibility": "problem.infeasibility",
    "InputError": "errors",
    "Joint": "mechanics.joint",
    "JointFriction": "mechanics.elements",
    "LibraryError": "errors",
    "Limits": "mechanics.elements",
    "Interval": "laws.interval",
    "MissingPackageError": "errors",
    "MoreauJean": "stepping.moreau_jean",
    "MoreauMidpoint": "stepping.moreau_midpoint",
    "Motor": "mechanics.elements",
    "NotConvergedError": "errors",
    "Pointedness": "problem.pointedness",
    "Polygon": "laws.polygon",
    "PolygonalFriction": "friction_models.polygonal",
    "RegularisedFriction": "friction_models.regularised",
    "RegularisedLCP": "stepping.regularised_lcp",
    "RelaxationPrice": "solvers.relaxation",
    "RollconeError": "errors",
    "Robot": "urdf.robot",
    "Run": "recording.run",
    "Scene": "scene.scene",
    "SceneError": "errors",
    "Simulation": "simulation",
    "SimulationError": "errors",
    "Sine": "mechanics.signals",
    "Solution": "solvers.solution",
    "Spring": "mechanics.elements",
    "Status": "solvers.solution",
    "TimeTable": "mechanics.signals",
    "Stribeck": "mechanics.stribeck",
    "Sweep": "sweep.sweep",
    "SweepResult": "sweep.table",
    "World": "mechanics.world",
    "analyze": "analysis.acceleration.analyze",
    "bench": "bench",
    "contact_analysis": "analysis.contact_analysis",
    "fit_function": "fit.function",
    "fixture": "analysis.acceleration.fixture",
    "granular": "analysis.granular",
    "infeasibility_of": "problem.infeasibility",
    "lcp": "lcp",
    "load_fclib": "problem.files",
    "load_fit": "fit.fit",
    "load_problem": "problem.files",
    "load_scene": "scene.scene",
    "load_sweep": "sweep.sweep",
    "load_urdf": "urdf.load",
    "open_run": "recording.run_file",
    "problems": "problems",
    "relaxation_price": "solvers.relaxation",
    "resume": "resuming",
    "rotation": "mechanics.rotations",
    "save_fclib": "problem.files",
    "save_problem": "problem.files",
    "set_threads": "thread_count",
    "simulate": "simulation",
    "solve": "solvers.driver",
    "solvers": "solvers",
    "studies": "studies",
    "threads": "thread_count",
}

_MODULES = frozenset(
    ("bench", "contact_analysis", "granular", "lcp", "problems", "solvers", "studies")
)

__all__ = sorted(_PUBLIC)

if TYPE_CHECKING:
    from rollcone import bench, lcp, problems, solvers, studies
    from rollcone.analysis import contact_analysis, granular
    from rollcone.analysis.acceleration.analyze import Analysis, analyze
    from rollcone.analysis.acceleration.fixture import Fixture, fixture
    from rollcone.analysis.acceleration.problem import AccelerationProblem
    from rollcone.errors import (
        ClusterError,
        FileError,
        InputError,
        LibraryError,
        MissingPackageError,
        NotConvergedError,
        RollconeError,
        SceneError,
        SimulationError,
    )
    from rollcone.fit.fit import Fit, load_fit
    from rollcone.fit.function import fit_function
    from rollcone.fit.result import FitResult
    from rollcone.friction_models.box import BoxFriction
    from rollcone.friction_models.polygonal import PolygonalFriction
    from rollcone.friction_models.regularised import RegularisedFriction
    from rollcone.laws.box import Box
    from rollcone.laws.cone import FrictionCone
    from rollcone.laws.contensou import Contensou
    from rollcone.laws.disc import Disc
    from rollcone.laws.ellipse import Ellipse
    from rollcone.laws.interval import Interval
    from rollcone.laws.polygon import Polygon
    from rollcone.mechanics.body import Body
    from rollcone.mechanics.elements import JointFriction, Limits, Motor, Spring
    from rollcone.mechanics.emitter import Emitter
    from rollcone.mechanics.hertz import HertzMindlin
    from rollcone.mechanics.joint import Joint
    from rollcone.mechanics.materials import ContactLaw
    from rollcone.mechanics.rotations import rotation
    from rollcone.mechanics.signals import Sine, TimeTable
    from rollcone.mechanics.stribeck import Stribeck
    from rollcone.mechanics.world import World
    from rollcone.problem.contact_problem import ContactProblem
    from rollcone.problem.fclib_file import FclibFile
    from rollcone.problem.files import load_fclib, load_problem, save_fclib, save_problem
    from rollcone.problem.infeasibility import Infeasibility, infeasibility_of
    from rollcone.problem.pointedness import Pointedness
    from rollcone.recording.run import Run
    from rollcone.recording.run_file import open_run
    from rollcone.resuming import resume
    from rollcone.scene.scene import Scene, load_scene
    from rollcone.simulation import Simulation, simulate
    from rollcone.solvers.driver import solve
    from rollcone.solvers.relaxation import RelaxationPrice, relaxation_price
    from rollcone.solvers.solution import Solution, Status
    from rollcone.stepping.dvi import DVI
    from rollcone.stepping.gap_ahead import GapAhead
    from rollcone.stepping.moreau_jean import MoreauJean
    from rollcone.stepping.moreau_midpoint import MoreauMidpoint
    from rollcone.stepping.regularised_lcp import RegularisedLCP
    from rollcone.sweep.sweep import Sweep, load_sweep
    from rollcone.sweep.table import SweepResult
    from rollcone.thread_count import set_threads, threads
    from rollcone.urdf.load import load_urdf
    from rollcone.urdf.robot import Robot

__getattr__, __dir__ = loaded_on_use(globals(), _PUBLIC, _MODULES)
