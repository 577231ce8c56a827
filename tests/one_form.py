"""Kernels of a step in one form for all tests.

A world without boxes or capsules runs kernels that know neither. Compiled for every mix of shapes
that tests use they would take minutes; so tests run the form that knows all shapes.
tests/collision/test_switches.py compares it with the others.
"""

from rollcone.collision import detect
from rollcone.stepping import step


def all_shapes(_: object) -> tuple[tuple[()], tuple[()]]:
    return (), ()


def use_one_form() -> None:
    detect.solids = step.solids = all_shapes
