"""Two boxes: only whether they may meet, so that they can be refused.

Their contact is not available. They may meet if at some time t of the horizon the boxes along the
world's axes that hold them overlap: |d + t c| <= reach on each axis, for c = v_B - v_A.
"""

from __future__ import annotations

from rollcone._jit import inlined


@inlined
def boxes_meet(d, c, first, second, wider, horizon):
    """Half extents `first` and `second`, together widened by `wider`."""
    begin, end = 0.0, horizon
    for k in range(3):
        reach = first[k] + second[k] + wider
        if c[k] == 0.0:
            if abs(d[k]) > reach:
                return False
        else:
            one, other = (-reach - d[k]) / c[k], (reach - d[k]) / c[k]
            begin, end = max(begin, min(one, other)), min(end, max(one, other))
    return begin <= end
