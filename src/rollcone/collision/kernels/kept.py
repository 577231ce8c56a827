"""Pairs of the broad phase that serve for more than one look.

They are those of boxes somewhat wider than asked for. As long as each body's box lies within its
wider one, no other pair can meet: what is found does not depend on how old the list is.
"""

from __future__ import annotations

from rollcone._build.kernels import kernel
from rollcone.collision.kernels.shape import is_endless, smallest_size

_SKIN = 0.05  # of a body's smallest size


@kernel
def boxes_kept(kind, lower, upper, kept_kind, kept_lower, kept_upper):
    """Are the bodies of the same kinds, and all boxes within the wider ones?"""
    for i in range(kind.shape[0]):
        if kind[i] != kept_kind[i]:
            return False
        for k in range(3):
            if not (kept_lower[i, k] <= lower[i, k] and upper[i, k] <= kept_upper[i, k]):
                return False
    return True


@kernel
def same_period(period, kept):
    """Is the periodic box (3,) that of the pairs that are kept?"""
    return period[0] == kept[0] and period[1] == kept[1] and period[2] == kept[2]


@kernel
def keep_period(period, kept):
    """Write the periodic box (3,) of the pairs that are kept to `kept`."""
    for k in range(3):
        kept[k] = period[k]


@kernel
def widen_boxes(
    kind, shape, size, velocity, frame, reach, lower, upper, kept_kind, kept_lower, kept_upper
):
    """Wider by a share of the body, and by its way in a time `reach`; none of it if that is
    negative."""
    for i in range(kind.shape[0]):
        kept_kind[i] = kind[i]
        for k in range(3):
            more = 0.0
            if not is_endless(shape[i]) and reach >= 0.0:
                more = _SKIN * smallest_size(shape, size, i)
                more += reach * abs(velocity[i, k] - frame[k])
            kept_lower[i, k], kept_upper[i, k] = lower[i, k] - more, upper[i, k] + more
