"""Anderson's extrapolation of a fixed-point iteration (D. G. Anderson 1965, type II).

x_k gave the image x_k + r_k. Were r linear in x, the weights g that make

    | r_k - sum g_j (r_j - r_(j-1)) |

least, over the last few steps j, would say where r is smallest, and

    x_(k+1) = (x_k + r_k) - sum g_j ((x_j + r_j) - (x_(j-1) + r_(j-1)))

goes there. It costs no product with W.
"""

from __future__ import annotations

import numpy as np

from rollcone._check import FloatArray
from rollcone.problem.kernels.linear import dot

_DAMPING = 1e-10  # of the normal equations, as a share of their trace


class Extrapolation:
    """Looks back on at most `memory` steps."""

    def __init__(self, memory: int, size: int) -> None:
        self._turns, self._moves = np.empty((2, memory, size))  # of r and of x + r
        self._products = np.empty((memory, memory))  # of the turns
        self.forget()

    def forget(self) -> None:
        """Begin anew: the iteration has changed."""
        self._steps = 0
        self._last: tuple[FloatArray, FloatArray] | None = None

    def next_point(self, r: FloatArray, image: FloatArray) -> FloatArray | None:
        """Where to go on after x gave x + r = image; None while nothing is known."""
        last, self._last = self._last, (r, image)
        memory = len(self._turns)
        if last is None or memory == 0:
            return None
        k = self._steps % memory  # takes the place of the oldest
        self._turns[k], self._moves[k] = r - last[0], image - last[1]
        self._steps += 1
        used = min(self._steps, memory)
        turns = self._turns[:used]
        self._products[k, :used] = self._products[:used, k] = [dot(turns[k], one) for one in turns]
        matrix = self._products[:used, :used].copy()
        matrix[np.diag_indices(used)] += _DAMPING * matrix.trace()
        try:
            weights = np.linalg.solve(matrix, [dot(one, r) for one in turns])
        except np.linalg.LinAlgError:  # nothing moves any more
            return None
        return np.asarray(image - np.einsum("k,ki->i", weights, self._moves[:used]))
