"""Hypothesis strategies for cones and points, and the settings that go with them."""

from __future__ import annotations

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from law_cases import COEFFICIENTS, CoupledLaw, Law, Shape
from patch_reference import PRESSURES

QUICK = settings(max_examples=80, deadline=None, derandomize=True, database=None)

radii = st.sampled_from(COEFFICIENTS) | st.floats(0.0, 2.0)
discs = st.builds(Shape, st.just("disc"), radii)
shapes = (
    discs
    | st.builds(Shape, st.sampled_from(["ellipse", "box"]), radii, radii)
    | st.builds(Shape, st.just("polygon"), radii, st.sampled_from([4.0, 6.0, 8.0, 32.0]))
)
plane_laws = st.builds(Law, shapes, shapes, radii)
coupled_kinds = st.sampled_from([*PRESSURES, "ellipsoid"])
coupled_laws = st.builds(CoupledLaw, coupled_kinds, radii, radii, radii)
laws = plane_laws | coupled_laws
round_laws = st.builds(Law, discs, discs, radii) | coupled_laws


def points(rows: int) -> st.SearchStrategy[np.ndarray]:
    """Rows from -1 to 1, often zero or tiny; all scaled by one power of ten."""
    row = st.floats(-1.0, 1.0) | st.sampled_from([0.0, 1.0, -1.0, 1e-9, -1e-9])
    scale = st.sampled_from([1.0, 1e-290, 1e-12, 1e12, 1e290])
    return st.builds(
        lambda rows, size: np.array(rows) * size,
        st.lists(row, min_size=rows, max_size=rows),
        scale,
    )


def norm(x: np.ndarray) -> float:
    """Euclidean norm that neither overflows nor vanishes."""
    return float(np.hypot.reduce(x))
