"""A plain twin of plane linkages: Newton and Euler for every body, in (x, y, angle), with a
reaction for every hinge: M a = f + G^T r, G a = -G' v. Nothing here uses the library.

Hinges hold accelerations only, so positions drift, within the tolerances of the integration.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from mechanism_references import Motion, Numbers, Rod, integrate

GROUND = -1


@dataclass(frozen=True)
class Hinge:
    """Joins places on two rods, signed distances along their axes from their centres; or on a rod
    and the ground, which is named last and needs no place."""

    first: int
    first_place: float
    second: int = GROUND
    second_place: float = 0.0


class Linkage:
    """Rods, hinges, and held coordinates, as pairs (body, 0 for x, 1 for y, 2 for angle)."""

    def __init__(
        self,
        rods: Sequence[Rod],
        hinges: Sequence[Hinge],
        g: float,
        held: Sequence[tuple[int, int]] = (),
    ) -> None:
        self.hinges, self.held = hinges, held
        self.size = 3 * len(rods)
        self.rows = 2 * len(hinges) + len(held)
        self.inertia = np.array([(rod.mass, rod.mass, rod.moment) for rod in rods]).ravel()
        self.force = np.zeros(self.size)
        self.force[1::3] = -g * self.inertia[1::3]

    def accelerations(self, state: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of all coordinates; and the reactions, on the first body of each hinge."""
        position, velocity = state[: self.size], state[self.size :]
        G, bias = np.zeros((self.rows, self.size)), np.zeros(self.rows)
        for row, hinge in enumerate(self.hinges):
            ends = ((hinge.first, hinge.first_place, 1), (hinge.second, hinge.second_place, -1))
            for body, place, sign in ends:
                if body == GROUND:
                    continue
                angle, rate = position[3 * body + 2], velocity[3 * body + 2]
                arm = sign * place * np.array([np.cos(angle), np.sin(angle)])
                block = G[2 * row : 2 * row + 2, 3 * body : 3 * body + 3]
                block += [[sign, 0, -arm[1]], [0, sign, arm[0]]]
                bias[2 * row : 2 * row + 2] += rate**2 * arm
        for row, (body, direction) in enumerate(self.held, start=2 * len(self.hinges)):
            G[row, 3 * body + direction] = 1
        free = self.force / self.inertia
        reactions = np.linalg.solve(G / self.inertia @ G.T, bias - G @ free)
        return free + G.T @ reactions / self.inertia, reactions

    def run(self, start: Motion, times: Numbers) -> tuple[np.ndarray, np.ndarray]:
        """(x, y, angle) and their rates, each (times, bodies, 3), from the start of a motion."""

        def slope(_: float, state: np.ndarray) -> np.ndarray:
            return np.concatenate([state[self.size :], self.accelerations(state)[0]])

        position = np.column_stack([start.centres[0], start.angles[0]])
        velocity = np.column_stack([start.velocities[0], start.angular_rates[0]])
        states = integrate(slope, np.concatenate([position, velocity], axis=None), times)
        position, velocity = states.reshape(len(times), 2, -1, 3).swapaxes(0, 1)
        return position, velocity
