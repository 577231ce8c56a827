"""Growing arrays against plain lists."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rollcone.recording.frames import CONTACT_FIELDS, Column, ContactFrames


@given(counts=st.lists(st.integers(0, 40), max_size=12))
def test_a_column_is_a_list(counts):
    column, twin, next_value = Column((2,)), [], 0
    for count in counts:
        rows = column.extend(count)
        for k in range(count):
            rows[k] = next_value
            twin.append([next_value] * 2)
            next_value += 1
    column.append([-1, -2])
    twin.append([-1, -2])
    np.testing.assert_array_equal(column.array(), twin)


@given(counts=st.lists(st.integers(0, 5), min_size=1, max_size=10))
def test_contacts_come_back_moment_by_moment(counts):
    """Also where a moment has none, and where a law has three rows instead of six."""
    frames, rng, given_values = ContactFrames(), np.random.default_rng(1), []
    for k, count in enumerate(counts):
        rows = 3 if k % 2 else 6
        values = {
            name: rng.integers(0, 99, (count, *shape)).astype(dtype)
            for name, (dtype, shape) in CONTACT_FIELDS.items()
        }
        for name in ("impulse", "velocity"):
            values[name][:, rows:] = 0
        given_values.append({name: value.copy() for name, value in values.items()})
        for name in ("impulse", "velocity"):
            values[name] = values[name][:, :rows]
        frames.append(count, **values)
    for k, values in enumerate(given_values):
        ends = [0, *frames.ends()]
        found = frames.rows(ends[k], ends[k + 1])
        assert set(found) == set(CONTACT_FIELDS)
        for name, value in values.items():
            np.testing.assert_array_equal(found[name], value)
