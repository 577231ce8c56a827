"""What was known of a contact goes to the one with the same key in the next step."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rollcone.collision.kernels.order import carry_over

keys = st.sets(st.integers(0, 40) | st.integers(0, 2**62), max_size=30)


def carry(old, key, first, second):
    """From the keys and arrays of the step before."""
    carry_over(*old, key, first, second)


@given(old=keys, new=keys, widths=st.sampled_from([(3, 3), (3, 6), (6, 3)]))
def test_as_a_dictionary_does(old, new, widths):
    old_key, key = (np.array(sorted(k), dtype=np.int64) for k in (old, new))
    rng = np.random.default_rng(0)
    before = [rng.normal(size=(len(old), width)) for width in widths]
    after = [np.full((len(new), width), np.nan) for width in widths]
    carry((old_key, *before), key, *after)
    for values, given_values, width in zip(after, before, widths, strict=True):
        known = dict(zip(old_key.tolist(), given_values, strict=True))
        expected = [known.get(k, np.zeros(width)) for k in key.tolist()]
        np.testing.assert_array_equal(values, np.reshape(expected, (-1, width)))
