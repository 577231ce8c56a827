"""The parts of Numba that a build overrides are there, in the versions that are pinned."""

import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ADVICE = "Numba has changed: see rollcone/_build/compile.py and dispatchers.py before the pin moves"


def test_the_version_is_one_that_is_pinned():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    pins = [
        next(one for one in given if one.startswith("numba"))
        for given in (
            settings["build-system"]["requires"],
            settings["project"]["optional-dependencies"]["custom"],
        )
    ]
    assert pins[0] == pins[1]
    least, below = pins[0].removeprefix("numba>=").split(",<")
    minor = tuple(map(int, version("numba").split(".")[:2]))
    assert tuple(map(int, least.split("."))) <= minor < tuple(map(int, below.split("."))), ADVICE


@pytest.mark.parametrize(
    ("module", "owner", "names"),
    [
        ("numba.core.codegen", "JITCodeLibrary", ("add_llvm_module", "add_linking_library")),
        ("numba.core.codegen", "JITCodeLibrary", ("finalize",)),
        ("numba.core.codegen", "JITCPUCodegen", ("_library_class", "create_library")),
        ("numba.core.cpu", "CPUContext", ("get_executable", "insert_user_function")),
        ("numba.core.dispatcher", "Dispatcher", ("add_overload", "get_call_template", "compile")),
        ("numba.core.bytecode", "FunctionIdentity", ("from_function",)),
        ("numba.core.funcdesc", "PythonFunctionDescriptor", ("llvm_func_name",)),
        ("numba.core.types.functions", "BaseFunction", ("get_call_type",)),
        ("numba.core.ir", "Inst", ("_rec_list_vars", "list_vars")),
        ("numba.core.targetconfig", "TargetConfig", ("values", "options")),
    ],
)
def test_private_parts(module, owner, names):
    numba_class = getattr(__import__(module, fromlist=[owner]), owner, None)
    assert numba_class is not None, f"{module}.{owner} is gone. {ADVICE}"
    for name in names:
        assert hasattr(numba_class, name), f"{module}.{owner}.{name} is gone. {ADVICE}"


def test_the_layout_of_arrays():
    """Frames have arrays as Numba's own structure has them (frames.py)."""
    from numba.core import types
    from numba.core.registry import cpu_target

    model = cpu_target.target_context.data_model_manager[types.Array(types.float64, 2, "C")]
    fields = ["meminfo", "parent", "nitems", "itemsize", "data", "shape", "strides"]
    assert list(model._fields) == fields, ADVICE
