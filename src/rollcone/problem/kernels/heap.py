"""Compiled part of the heap generator: spheres put down one after the other."""

from __future__ import annotations

import math

from rollcone._build.kernels import entry, kernel
from rollcone._build.signatures import Float1, Float2, Int1, Int2, Int3


@kernel
def push_out(count, centers, radii, heads, links, cell, x, y, z, r):
    """Nearest place of a sphere that overlaps no other and not the floor, by a few pushes."""
    nx, ny, nz = heads.shape
    for _ in range(60):
        worst = 0.0
        i, j, k = int(x / cell), int(y / cell), int(z / cell)
        for a in range(max(i - 1, 0), min(i + 2, nx)):
            for b in range(max(j - 1, 0), min(j + 2, ny)):
                for c in range(max(k - 1, 0), min(k + 2, nz)):
                    s = heads[a, b, c]
                    while s >= 0:
                        dx, dy, dz = x - centers[s, 0], y - centers[s, 1], z - centers[s, 2]
                        far = math.sqrt(dx * dx + dy * dy + dz * dz)
                        deep = r + radii[s] - far
                        if deep > 0.0:
                            worst = max(worst, deep)
                            x += deep * dx / far
                            y += deep * dy / far
                            z += deep * dz / far
                        s = links[s]
        z = max(z, r)
        if worst <= 1e-5 * r:
            break
    return x, y, z


@entry
def settle(
    centers: Float2,
    radii: Float1,
    drops: Float2,
    heads: Int3,
    links: Int1,
    cell: float,
    top: Float2,
) -> None:
    """Drop sphere after sphere at `drops` (n, 2); each slides down to the next hollow.

    A step down and the pushes out of overlaps make one move; when moves no longer gain
    height the step is halved, until it is a ten-thousandth of the radius. `heads` and
    `links` list the spheres of each cell of a grid; `top` (nx, ny) is the height so far.
    """
    nx, ny, nz = heads.shape
    for s in range(drops.shape[0]):
        r = radii[s]
        x, y = drops[s, 0], drops[s, 1]
        i, j = int(x / cell), int(y / cell)
        z = r
        for a in range(max(i - 1, 0), min(i + 2, nx)):
            for b in range(max(j - 1, 0), min(j + 2, ny)):
                z = max(z, top[a, b] + r)
        step = 0.2 * r
        while step > 1e-4 * r:
            newx, newy, newz = push_out(s, centers, radii, heads, links, cell, x, y, z - step, r)
            gain = z - newz
            x = min(max(newx, 0.0), (nx - 1) * cell)
            y = min(max(newy, 0.0), (ny - 1) * cell)
            z = newz
            if gain < 0.01 * step:
                step *= 0.5
        centers[s, 0], centers[s, 1], centers[s, 2] = x, y, z
        i, j, k = int(x / cell), int(y / cell), min(int(z / cell), nz - 1)
        links[s] = heads[i, j, k]
        heads[i, j, k] = s
        top[i, j] = max(top[i, j], z + r)


@entry
def touching(
    centers: Float2, radii: Float1, heads: Int3, links: Int1, cell: float, slack: float, pairs: Int2
) -> int:
    """Pairs (A, B), A < B, with a gap below `slack` times the smaller radius; -1: the floor.

    Returns their number; those beyond the length of `pairs` are counted, not stored.
    """
    nx, ny, nz = heads.shape
    found = 0
    for s in range(centers.shape[0]):
        if centers[s, 2] - radii[s] < slack * radii[s]:
            if found < pairs.shape[0]:
                pairs[found, 0], pairs[found, 1] = -1, s
            found += 1
        i, j = int(centers[s, 0] / cell), int(centers[s, 1] / cell)
        k = min(int(centers[s, 2] / cell), nz - 1)
        for a in range(max(i - 1, 0), min(i + 2, nx)):
            for b in range(max(j - 1, 0), min(j + 2, ny)):
                for c in range(max(k - 1, 0), min(k + 2, nz)):
                    o = heads[a, b, c]
                    while o >= 0:
                        if o > s:
                            dx = centers[o, 0] - centers[s, 0]
                            dy = centers[o, 1] - centers[s, 1]
                            dz = centers[o, 2] - centers[s, 2]
                            gap = math.sqrt(dx * dx + dy * dy + dz * dz) - radii[s] - radii[o]
                            if gap < slack * min(radii[s], radii[o]):
                                if found < pairs.shape[0]:
                                    pairs[found, 0], pairs[found, 1] = s, o
                                found += 1
                        o = links[o]
    return found
