"""From contacts to rows: kernels against plain NumPy."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from rollcone.mechanics.kernels.motion import DYNAMIC, FIXED
from rollcone.stepping.kernels import contact as _contact_kernels
from rollcone.stepping.kernels import problem as _problem_kernels
from scenes import matrix


class Scene:
    """Random bodies and contacts between them, for kernels alone."""

    def __init__(self, seed: int, rows: int) -> None:
        rng = np.random.default_rng(seed)
        self.n, self.c, self.rows = 5, 7, rows
        n, c = self.n, self.c
        self.kind = np.array([DYNAMIC, FIXED, DYNAMIC, DYNAMIC, DYNAMIC])
        self.mass = rng.uniform(0.5, 3, n)
        self.inertia = rng.uniform(0.5, 3, (n, 3))
        self.principal = np.roll(Rotation.random(n, random_state=seed).as_quat(), 1, axis=1)
        self.orientation = np.roll(Rotation.random(n, random_state=seed + 1).as_quat(), 1, axis=1)
        self.v, self.w = rng.normal(size=(2, n, 3))
        pairs = [sorted(rng.choice(n, 2, replace=False)) for _ in range(c)]
        self.bodies = np.array(pairs, dtype=np.int32)
        self.normal = rng.normal(size=(c, 3))
        self.normal[0], self.normal[1] = (0, 0, 1), (-1, 0, 0)
        self.normal /= np.linalg.norm(self.normal, axis=1, keepdims=True)
        self.gap = rng.normal(scale=0.1, size=c)
        self.p = rng.normal(size=(c, rows))
        self.frames, self.arms = np.empty((c, 3, 3)), rng.normal(size=(c, 6))
        _contact_kernels.contact_frames(self.normal, self.frames)

    def relative(self, i: int, v, w) -> np.ndarray:
        """(u, w) of B relative to A in world axes."""
        parts = []
        for body, arm in zip(self.bodies[i], self.arms[i].reshape(2, 3), strict=True):
            parts.append([*(v[body] + np.cross(w[body], arm)), *w[body]])
        return np.subtract(parts[1], parts[0])

    def local(self, i: int, six) -> np.ndarray:
        """World axes to rows n, t1, t2, w_t1, w_t2, w_n."""
        u, w = self.frames[i] @ six[:3], self.frames[i] @ six[3:]
        return np.array([*u, w[1], w[2], w[0]])[: self.rows]

    def inverse(self) -> np.ndarray:
        """(n, 7): 1 / m, and R J^-1 R^T as xx, yy, zz, xy, xz, yz; zero for fixed bodies."""
        inverse = np.zeros((self.n, 7))
        for i in np.flatnonzero(self.kind == DYNAMIC):
            axes = matrix(self.orientation[i]) @ matrix(self.principal[i])
            tensor = axes @ np.diag(1 / self.inertia[i]) @ axes.T
            inverse[i, 0] = 1 / self.mass[i]
            inverse[i, 1:] = tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        return inverse


scenes = st.builds(Scene, st.integers(0, 2**20), st.sampled_from([3, 6]))


@given(scene=scenes)
@settings(max_examples=20)
def test_frames_are_right_handed(scene):
    for e, n in zip(scene.frames, scene.normal, strict=True):
        np.testing.assert_array_equal(e[0], n)
        np.testing.assert_allclose(e @ e.T, np.eye(3), atol=1e-15)
        np.testing.assert_allclose(np.cross(e[0], e[1]), e[2], atol=1e-15)


@given(scene=scenes)
@settings(max_examples=20)
def test_velocities_of_contacts(scene):
    y = np.empty((scene.c, scene.rows))
    _contact_kernels.contact_velocities(
        scene.rows, scene.bodies, scene.frames, scene.arms, scene.v, scene.w, y
    )
    for i in range(scene.c):
        expected = scene.local(i, scene.relative(i, scene.v, scene.w))
        np.testing.assert_allclose(y[i], expected, atol=1e-13)


@given(scene=scenes)
@settings(max_examples=20)
def test_blocks_and_reactions(scene):
    """Reactions give each body J v+ = J v + impulse, and the blocks say the same: y of
    the new velocities is blocks^T (z_free + sum of blocks p) + b."""
    rows, c, n, d = scene.rows, scene.c, scene.n, scene.rows
    v_free, w_free, inverse = scene.v, scene.w, scene.inverse()
    movers, b = np.zeros((c, 2), dtype=np.int32), np.full((c, d), np.nan)
    _contact_kernels.contact_offsets(
        rows, scene.bodies, scene.kind, scene.frames, scene.arms, v_free, w_free, movers, b
    )
    factor, z_free = np.full((n, 6, 6), np.nan), np.full((n, 6), np.nan)
    _problem_kernels.body_factors(inverse, v_free, w_free, factor, z_free)
    blocks = np.full((c, 2, 6, d), np.nan)
    _problem_kernels.contact_blocks(
        rows, movers.astype(np.int64), scene.frames, scene.arms, factor, blocks
    )
    force, moment = np.empty((c, 3)), np.empty((c, 3))
    _contact_kernels.reactions_to_world(rows, scene.frames, scene.p, force, moment)
    v, w = np.empty((n, 3)), np.empty((n, 3))
    none = np.zeros((0, 3))  # joints
    _contact_kernels.apply_reactions(
        movers, scene.arms, force, moment, inverse, v_free, w_free, none, none, v, w
    )
    back = np.empty_like(scene.p)
    _contact_kernels.reactions_from_world(rows, scene.frames, force, moment, back)
    np.testing.assert_allclose(back, scene.p, atol=1e-13)
    linear, angular = np.zeros((n, 3)), np.zeros((n, 3))
    for i in range(c):
        for s, arm in enumerate(scene.arms[i].reshape(2, 3)):
            body, sign = scene.bodies[i, s], 2 * s - 1
            linear[body] += sign * force[i]
            angular[body] += sign * (np.cross(arm, force[i]) + moment[i])
    for i in range(n):
        if scene.kind[i] == FIXED:
            np.testing.assert_array_equal([v[i], w[i]], [scene.v[i], scene.w[i]])
            continue
        axes = matrix(scene.orientation[i]) @ matrix(scene.principal[i])
        tensor = axes @ np.diag(scene.inertia[i]) @ axes.T
        np.testing.assert_allclose(scene.mass[i] * (v[i] - scene.v[i]), linear[i], atol=1e-12)
        np.testing.assert_allclose(tensor @ (w[i] - scene.w[i]), angular[i], atol=1e-12)
    total = np.vstack([z_free, np.zeros(6)])
    for i in range(c):
        for s in range(2):
            total[movers[i, s]] += blocks[i, s] @ scene.p[i]
    for i in range(c):
        y = b[i] + sum(blocks[i, s].T @ total[movers[i, s]] for s in range(2))
        np.testing.assert_allclose(y, scene.local(i, scene.relative(i, v, w)), atol=1e-12)


@given(scene=scenes, seed=st.integers(0, 99), turned=st.booleans())
@settings(max_examples=30)
def test_bends(scene, seed, turned):
    """What other normals, arms and rates do to y: u_n there minus u_n at the start; in the tangent
    plane, whose directions turn with the normal, by the arms and rates alone."""
    rng = np.random.default_rng(seed)
    normal = scene.normal + 0.02 * rng.normal(size=scene.normal.shape)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    arms = scene.arms + 0.01 * rng.normal(size=scene.arms.shape)
    normal[2], arms[2] = scene.normal[2], scene.arms[2]
    rate = scene.w + turned * rng.normal(size=scene.w.shape)
    frames, bend = np.empty_like(scene.frames), np.full((scene.c, scene.rows), np.nan)
    _contact_kernels.contact_frames(normal, frames)
    _contact_kernels.contact_bends(
        scene.rows, scene.bodies, frames, arms, scene.normal, scene.arms, scene.v, scene.w, rate,
        bend,
    )  # fmt: skip
    assert turned or not bend[2].any()
    for i, (A, B) in enumerate(scene.bodies):
        start, there = (
            scene.v[B] + np.cross(w[B], r[i, 3:]) - scene.v[A] - np.cross(w[A], r[i, :3])
            for r, w in ((scene.arms, scene.w), (arms, rate))
        )
        change = normal[i] @ there - scene.normal[i] @ start
        np.testing.assert_allclose(bend[i, 0], change, atol=1e-13)
        np.testing.assert_allclose(bend[i, 1:3], frames[i, 1:] @ (there - start), atol=1e-13)
        if scene.rows == 3:
            continue
        before, after = scene.w[B] - scene.w[A], rate[B] - rate[A]
        spin = normal[i] @ after - scene.normal[i] @ before
        np.testing.assert_allclose(bend[i, 5], spin, atol=1e-13)
        back, _ = Rotation.align_vectors(scene.normal[i][None], normal[i][None])
        tilt = np.linalg.norm(normal[i] - scene.normal[i])
        for k in (1, 2):
            roll = frames[i, k] @ after - back.apply(frames[i, k]) @ before
            assert abs(bend[i, 2 + k] - roll) <= 1e-13 + tilt**2 * np.linalg.norm(before)


def test_the_frame_stays_while_the_normal_does():
    scene = Scene(3, 6)
    frames = np.empty_like(scene.frames)
    _contact_kernels.contact_frames(scene.normal, frames)
    np.testing.assert_array_equal(scene.frames, frames)
