"""Pictures of cuts: outlines of capsules, and that there is a picture."""

import numpy as np
import pytest

from rollcone.view.cut import capsule_outline, draw_cut


@pytest.mark.parametrize("core", [(0.7, 0.0), (0.3, -0.4), (0.0, 1e-3)])
def test_an_outline_keeps_its_distance_from_the_core(core):
    center, core, r = np.array([1.0, 2.0]), np.array(core), 0.2
    points = capsule_outline(center, r, core) - center
    s = np.clip(points @ core / (core @ core), -1, 1)
    np.testing.assert_allclose(np.linalg.norm(points - s[:, None] * core, axis=1), r, rtol=1e-12)
    reach = np.linalg.norm(core) + r
    assert np.abs(points @ core).max() == pytest.approx(reach * np.linalg.norm(core), rel=1e-12)
    assert np.ptp(points @ [-core[1], core[0]]) == pytest.approx(2 * r * np.linalg.norm(core))


def test_a_picture_of_spheres_and_capsules(tmp_path):
    pytest.importorskip("matplotlib")
    centers, load = np.array([[0, 0, 1.0], [1, 0, 1], [2, 9, 1]]), np.ones(3)
    cores = np.array([[0, 0, 0.0], [0.3, 0, 0.4], [0, 0, 0.2]])
    for name, given in (("spheres.png", None), ("both.png", cores)):
        draw_cut(centers, np.full(3, 0.4), load, tmp_path / name, "cut", given)
    spheres, both = ((tmp_path / name).read_bytes() for name in ("spheres.png", "both.png"))
    assert spheres[:4] == both[:4] == b"\x89PNG"
    assert spheres != both
