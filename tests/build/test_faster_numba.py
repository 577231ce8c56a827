"""Functions of Numba that a build replaces by quicker ones give what Numba's own give."""

import operator
import sys
from types import SimpleNamespace

import pytest
from numba.core import ir, targetconfig, types
from numba.core.compiler import run_frontend
from numba.core.registry import cpu_target
from numba.core.types.functions import BaseFunction

from rollcone._build import faster_numba


def many_statements(a, n):
    total, pair = 0.0, (a, 1.0)
    for i in range(n):
        if i > 3 and a[i] < pair[1]:
            total += max(a[i], abs(total), key=None) if n else a[i : i + 2].sum()
    return total, [n, total], {"n": n}


def test_variables_of_statements():
    statements = [
        one for block in run_frontend(many_statements).blocks.values() for one in block.body
    ]
    assert len(statements) > 40
    for one in statements:
        inside = one.__dict__, getattr(getattr(one, "value", None), "_kws", None)
        for value in inside:
            assert faster_numba.variables_in(one, value) == ir.Inst._rec_list_vars(one, value)
    assert max(len(one.list_vars()) for one in statements) > 2


def test_values_of_flags():
    flags = targetconfig.TargetConfig  # the class of Numba has no flags; the compiler's has
    from numba.core.compiler import Flags

    given = Flags()
    given.no_cpython_wrapper, given.error_model = True, "numpy"
    assert faster_numba.values_of_flags(given) == flags.values(given)
    assert faster_numba.values_of_flags(given) != faster_numba.values_of_flags(Flags())


@pytest.mark.parametrize(
    "args",
    [
        (types.int64, types.float64),
        (types.float64, types.float64),
        (types.boolean, types.int64),
        (types.Array(types.float64, 1, "C"), types.float64),
        (types.IntegerLiteral(3), types.float32),
    ],
    ids=str,
)
def test_types_of_calls(args):
    context = cpu_target.typing_context
    context.refresh()
    added = context.resolve_value_type(operator.add)
    assert isinstance(added, BaseFunction)
    expected = BaseFunction.get_call_type(added, context, args, {})
    for _ in range(2):
        assert faster_numba.resolved_type(added, context, args, {}) == expected


def test_a_type_is_resolved_once_for_each_function_and_arguments():
    asked = []

    def resolve(*given):
        asked.append(given)
        return len(asked)

    one, other = SimpleNamespace(), SimpleNamespace()
    for function, args, kws in (
        (one, [types.int64], {}),
        (one, (types.int64,), {}),
        (one, (types.float64,), {}),
        (other, (types.int64,), {}),
        (one, (types.int64,), {"out": types.none}),
    ):
        faster_numba.resolved_type(function, None, args, kws, resolve)
    assert len(asked) == 4


def test_a_call_that_does_not_fit_is_told_each_time():
    context = cpu_target.typing_context
    context.refresh()
    added = context.resolve_value_type(operator.add)
    for _ in range(2):
        with pytest.raises(Exception, match="No match"):
            faster_numba.resolved_type(added, context, (types.none, types.int64), {})


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts page faults as Linux does")
def test_frames_stay_where_they_are():
    """At some depth the frame of `leaf` begins a piece: each call then costs a page fault."""
    from resource import RUSAGE_SELF, getrusage

    def leaf(a):
        return a

    def deep(levels, calls):
        if levels:
            return deep(levels - 1, calls)
        before = getrusage(RUSAGE_SELF).ru_minflt
        for k in range(calls):
            leaf(k)
        return getrusage(RUSAGE_SELF).ru_minflt - before

    faults = [faster_numba.with_deep_frames(deep)(k, 500) for k in range(300)]
    assert max(faults) < 100
