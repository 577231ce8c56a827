"""What the library needs of the system: functions of the C library and of its mathematics."""

import shutil
import subprocess
import sys

import pytest

from rollcone._build import library

MATHEMATICS = {
    "acos", "asin", "atan", "atan2", "cbrt", "cos", "cosh", "exp", "exp2", "expm1", "fmod", "frexp",
    "hypot", "ldexp", "log", "log10", "log1p", "log2", "pow", "sin", "sincos", "sinh", "tan",
    "tanh", "fma", "floor", "ceil", "trunc", "round", "rint", "nearbyint",
}  # fmt: skip
SYSTEM = {"memset", "memcpy", "memmove", "sched_yield", "usleep"}
LOADER = {"__cxa_finalize", "__gmon_start__", "_ITM_deregisterTMCloneTable",
          "_ITM_registerTMCloneTable"}  # fmt: skip


def names(*options: str) -> set[str]:
    """Return symbols that nm lists, without versions."""
    call = ["nm", "-D", *options, str(library.opened().path)]
    lines = subprocess.run(call, capture_output=True, text=True, check=True).stdout.splitlines()
    return {line.split()[-1].partition("@")[0] for line in lines}


@pytest.mark.skipif(
    shutil.which("nm") is None or sys.platform != "linux", reason="needs nm of Linux"
)
def test_undefined_symbols():
    assert names("--undefined-only") <= MATHEMATICS | SYSTEM | LOADER


@pytest.mark.skipif(
    shutil.which("nm") is None or sys.platform != "linux", reason="needs nm of Linux"
)
def test_what_it_offers():
    """Entries, the layout of arguments and the manifest, and nothing else."""
    entries = {name.replace(".", "_") for name in library.opened().manifest["entries"]}
    others = {"rollcone_unpack", "rollcone_invoke", "rollcone_manifest", "_init", "_fini"}
    offered = names("--defined-only")
    assert entries <= offered
    assert offered <= entries | others
