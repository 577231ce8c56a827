"""How a spring is taken over a step, whatever its stiffness."""

from __future__ import annotations

from rollcone._build.kernels import inlined

RESOLVED = 2.0  # h w, up to which a step shows the oscillation


@inlined
def spring_weights(turn):
    """a and d of the force -k (x + h (a u + d u+)), u the rate before and u+ after the step, for a
    spring that turns its phase by `turn` = h w in a step, w^2 = k / m.

    As positions move at mean velocities, a = d = 1/4 keeps energy: up to `RESOLVED`. Beyond that it
    would ring for ever; d goes to 1 and a to 0, so that what is as stiff as a rod does not move,
    as with one: errors fall by sqrt(2) per step.
    """
    s = 1.0 - RESOLVED / turn if turn > RESOLVED else 0.0
    return 0.25 * (1.0 - s), 0.25 + 0.75 * s


@inlined
def stiffness_share(d):
    """s of `spring_weights` from its d: 0 for a spring that a step resolves, 1 for a rod."""
    return (d - 0.25) / 0.75
