"""The parts of the analysis of contacts in accelerations, by themselves (docs/analysis.md).

problem = problem_of(world)              the matrices, also: manipulator_problem
existence(problem)                       what theorems promise
solve_pyramid(problem)                   Lemke's method on the LCP of the friction pyramid
solve_cone(problem)                      one motion by Coulomb's law
enumerate_motions(problem, "cone")       all of them
relaxed_motion(problem, "cone")          the one nearest to Coulomb's law, where there is none
form_closure, force_closure              is every load held? `rc.fixture` asks for more
"""

from rollcone.analysis.acceleration.analyze import Analysis, analyze
from rollcone.analysis.acceleration.closure import Closure, force_closure, form_closure
from rollcone.analysis.acceleration.cone import ConeAnswer, solve_cone
from rollcone.analysis.acceleration.enumeration import Enumeration, enumerate_motions
from rollcone.analysis.acceleration.existence import Existence, existence
from rollcone.analysis.acceleration.fixture import Fixture, fixture
from rollcone.analysis.acceleration.from_world import problem_of
from rollcone.analysis.acceleration.manipulator import manipulator_problem
from rollcone.analysis.acceleration.motion import Motion, Transition
from rollcone.analysis.acceleration.places import Places
from rollcone.analysis.acceleration.problem import AccelerationProblem
from rollcone.analysis.acceleration.pyramid import PyramidLCP, solve_pyramid
from rollcone.analysis.acceleration.relaxed import Relaxed, relaxed_motion

__all__ = [
    "AccelerationProblem",
    "Analysis",
    "Closure",
    "ConeAnswer",
    "Enumeration",
    "Existence",
    "Fixture",
    "Motion",
    "Places",
    "PyramidLCP",
    "Relaxed",
    "Transition",
    "analyze",
    "enumerate_motions",
    "existence",
    "fixture",
    "force_closure",
    "form_closure",
    "manipulator_problem",
    "problem_of",
    "relaxed_motion",
    "solve_cone",
    "solve_pyramid",
]
