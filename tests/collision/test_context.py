"""What kernels are told of parts, by address."""

import copy
import pickle

import numpy as np
from convex_cases import look, pair

from rollcone.collision.general import Context


def test_copies_have_memory_of_their_own():
    world = pair("convex", "cone", 1)
    before = look(world, 10.0)
    first = world.state.context
    for twin in (pickle.loads(pickle.dumps(first)), copy.deepcopy(first), Context()):
        assert twin.list[0] == 0
        world.state.context = twin
        after = look(world, 10.0)
        assert not set(first.list[20:]) & set(twin.list[20:])
        np.testing.assert_array_equal(after.gap, before.gap)
